"""Telling clients that a list or a document changed.

Rules, people and dashboards may change in another process, so there is nothing to wait on: as long
as somebody listens we look now and then at a few numbers of the record, and read more only when
they moved. What nobody listens for is not looked at.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mcp import types
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import (
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from sqlalchemy import Connection

from bancada.domain.json import canonical
from bancada.mcp.serving.calls import reach
from bancada.mcp.serving.desk import Context, Guest, McpDesk
from bancada.mcp.serving.prompts import Prompts
from bancada.mcp.serving.resources import Resources, listed
from bancada.store import agents, people

LOOK_SECONDS = 0.5
MOST_STREAMS = 256
MOST_WATCHED = 64
"""Documents that one client may follow."""


@dataclass
class Listening:
    """`subscriptions/listen`, and `resources/subscribe` of clients before 2026."""

    desk: McpDesk
    prompts: Prompts
    resources: Resources
    is_open: Callable[[str | None], bool]
    """Whether a session of before 2026 is still there."""
    _streams: int = 0
    _watched: dict[tuple[str | None, int, str], asyncio.Task[None]] = field(default_factory=dict)

    async def listen(
        self, ctx: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """One stream: acknowledged first, then what changes for this person and was asked for."""
        if self._streams >= MOST_STREAMS:
            raise MCPError(types.INTERNAL_ERROR, "Too many clients listen; ask for lists instead.")
        guest = await self.desk.who(ctx)
        wanted = params.notifications
        uris = list(wanted.resource_subscriptions or ())[:MOST_WATCHED]
        bus = _OneBus()
        watching = asyncio.create_task(self._watch(guest, bus, uris))
        self._streams += 1
        try:
            return await ListenHandler(bus)(ctx, params)
        finally:
            self._streams -= 1
            watching.cancel()

    async def _watch(self, guest: Guest, bus: _OneBus, uris: list[str]) -> None:
        seen = await self._state(guest, uris)
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            now = await self._state(guest, uris, seen)
            for event in now.since(seen):
                bus.publish_now(event)
            seen = now

    async def _state(self, guest: Guest, uris: list[str], before: _State | None = None) -> _State:
        database = self.desk.gate.database
        mark = await database.read(_mark, guest)
        if before is not None and before.mark == mark:
            tools, prompts = before.tools, before.prompts
        else:
            tools = _hash(await database.read(_tools, self.desk, guest))
            prompts = _hash(await self.prompts.names(guest))
        documents = _hash([one.uri for one in await database.read(listed, guest.person)])
        versions = {uri: await self.resources.version(guest.person, uri) for uri in uris}
        return _State(mark, tools, prompts, documents, versions)

    # ------------------------------------------------------------------ before 2026

    async def subscribe(
        self, ctx: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        guest = await self.desk.who(ctx)
        session = _session(ctx)
        key = (session, guest.person.id, str(params.uri))
        if key not in self._watched:
            if sum(one[:2] == key[:2] for one in self._watched) >= MOST_WATCHED:
                raise MCPError(types.INVALID_PARAMS, f"{MOST_WATCHED} are followed already.")
            following = asyncio.create_task(self._follow(ctx, guest, session, str(params.uri)))
            self._watched[key] = following
            following.add_done_callback(lambda _: self._watched.pop(key, None))
        return types.EmptyResult()

    async def unsubscribe(
        self, ctx: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        guest = await self.desk.who(ctx)
        following = self._watched.get((_session(ctx), guest.person.id, str(params.uri)))
        if following is not None:
            following.cancel()
        return types.EmptyResult()

    async def _follow(self, ctx: Context, guest: Guest, session: str | None, uri: str) -> None:
        seen = await self.resources.version(guest.person, uri)
        while self.is_open(session):
            await asyncio.sleep(LOOK_SECONDS)
            now = await self.resources.version(guest.person, uri)
            if now != seen:
                seen = now
                await ctx.session.send_resource_updated(uri)

    def close(self) -> None:
        for one in self._watched.values():
            one.cancel()


@dataclass(frozen=True)
class _State:
    """What a client was told of, in a few words."""

    mark: tuple[Any, ...]
    """Moves whenever the rules, the person or their agents do."""
    tools: str
    prompts: str
    documents: str
    versions: dict[str, str | None]

    def since(self, before: _State) -> list[ServerEvent]:
        events: list[ServerEvent] = []
        if self.tools != before.tools:
            events.append(ToolsListChanged())
        if self.prompts != before.prompts:
            events.append(PromptsListChanged())
        if self.documents != before.documents:
            events.append(ResourcesListChanged())
        moved = [uri for uri, at in self.versions.items() if at != before.versions.get(uri)]
        return [*events, *(ResourceUpdated(uri=uri) for uri in moved)]


class _OneBus:
    """Carries events to the one stream that is ours."""

    def __init__(self) -> None:
        self._deliver: Callable[[ServerEvent], None] | None = None

    async def publish(self, event: ServerEvent) -> None:
        self.publish_now(event)

    def publish_now(self, event: ServerEvent) -> None:
        if self._deliver is not None:
            self._deliver(event)

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        self._deliver = listener

        def unsubscribe() -> None:
            self._deliver = None

        return unsubscribe


def _session(ctx: Context) -> str | None:
    headers = getattr(ctx.request, "headers", None)
    return None if headers is None else headers.get("mcp-session-id")


def _mark(db: Connection, guest: Guest) -> tuple[Any, ...]:
    now = people.person_now(db, guest.person.id)
    if now is None or not now.person.is_active:
        return ()
    mine = agents.agents_for(db, guest.person.id)
    return (now.settings_version, now.person.role, _hash([vars(one) for one in mine]))


def _tools(db: Connection, desk: McpDesk, guest: Guest) -> list[str]:
    """The tools as they are listed: name, version and words."""
    return [f"{one.tool.label} {one.tool.description}" for one in reach(db, desk, guest)]


def _hash(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()
