"""Open lines to servers. A line carries one call at a time, so what goes wrong on it, and what a
server asks in the middle of a call, belong to that call alone.

A line is kept while it is used now and then: a program keeps what it has in memory, and a session
need not be begun anew for every call.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from mcp import Client, MCPError
from mcp.client import ClientRequestContext
from mcp.types import ElicitRequestParams, ElicitResult

from bancada.mcp.connections.trouble import ServerTrouble, is_an_answer, trouble_of

log = logging.getLogger("bancada.mcp")

T = TypeVar("T")
OPEN_SECONDS = 20.0
CLOSE_SECONDS = 5.0
BREAK_SECONDS = 0.5
IDLE_SECONDS = 300.0
MOST_LINES = 4
"""Of one holder to one server."""
WAIT_SECONDS = 20.0
"""How long a call waits for a line to become free."""

Elicited: TypeAlias = Callable[[ElicitRequestParams], Awaitable[ElicitResult]]
OpenClient: TypeAlias = Callable[..., AbstractAsyncContextManager[Client]]


class ServerLine:
    """One client, entered and left by a task of its own."""

    def __init__(self, open_client: OpenClient) -> None:
        self._open_client = open_client
        self._closing = asyncio.Event()
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._owner = asyncio.create_task(self._own())
        self.on_elicited: Elicited | None = None
        """Who answers what the server asks now: the call that is under way."""
        self.used_at = time.monotonic()
        self.listed_at = 0.0

    @property
    def alive(self) -> bool:
        return not self._owner.done() and not self._closing.is_set()

    async def _own(self) -> None:
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(OPEN_SECONDS):
                    client = await stack.enter_async_context(
                        self._open_client(elicited=self._elicited)
                    )
                self._ready.set_result(client)
                await self._closing.wait()
        except BaseException as error:
            if not self._ready.done():
                self._ready.set_exception(trouble_of(error))
                self._ready.exception()  # it may be that nobody waits for it any more
            if isinstance(error, asyncio.CancelledError):
                raise
            if not self._closing.is_set():
                raise trouble_of(error) from error
            log.debug("a line did not close cleanly", exc_info=True)

    async def _elicited(
        self, context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        if self.on_elicited is None:
            return ElicitResult(action="cancel")
        return await self.on_elicited(params)

    async def client(self) -> Client:
        """The client, once it is connected. Raises what kept it from it."""
        return await asyncio.shield(self._ready)

    async def during(self, work: Awaitable[T]) -> T:
        """Do something on the line; if the line breaks, that is what went wrong."""
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait({task, self._owner}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                # A broken line answers what waits on it as well, with less to say.
                error = None if self._owner.cancelled() else self._owner.exception()
                raise trouble_of(
                    error or ServerTrouble("unreachable", "The connection was closed.")
                )
            if isinstance(failed := task.exception(), MCPError) and not is_an_answer(failed):
                # What waits on a line that breaks may hear of it before the line has said why.
                await asyncio.wait({self._owner}, timeout=BREAK_SECONDS)
                if self._owner.done() and not self._owner.cancelled():
                    raise trouble_of(self._owner.exception() or failed)
            return task.result()
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=1.0)

    async def close(self) -> None:
        """Leave; a server that does not let go is left behind."""
        self._closing.set()
        if not self._ready.done():
            self._owner.cancel()
        done, _ = await asyncio.wait({self._owner}, timeout=CLOSE_SECONDS)
        if not done:
            self._owner.cancel()
            done, _ = await asyncio.wait({self._owner}, timeout=CLOSE_SECONDS)
        for task in done:
            if not task.cancelled():
                task.exception()


@dataclass
class LinePool:
    """The lines of one holder to one server."""

    open_client: OpenClient
    most: int = MOST_LINES
    _free: list[ServerLine] = field(default_factory=list)
    _taken: set[ServerLine] = field(default_factory=set)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def take(self) -> ServerLine:
        """A line for one call; raises `ServerTrouble` where none becomes free in time, or none opens."""
        try:
            async with asyncio.timeout(WAIT_SECONDS), self._changed:
                await self._changed.wait_for(lambda: len(self._taken) < self.most)
                self._free = [line for line in self._free if line.alive]
                # The last one used: what state a server keeps for us is there.
                line = self._free.pop() if self._free else ServerLine(self.open_client)
                self._taken.add(line)
        except TimeoutError:
            raise ServerTrouble("busy", "Too many calls of this server are under way.") from None
        try:
            await line.client()
        except BaseException:
            await self.give_back(line, broken=True)
            raise
        return line

    async def give_back(self, line: ServerLine, *, broken: bool = False) -> None:
        """The call is over. A line that broke, or may have, is not used again."""
        line.on_elicited, line.used_at = None, time.monotonic()
        self._taken.discard(line)
        if broken or not line.alive:
            await line.close()
        else:
            self._free.append(line)
        async with self._changed:
            self._changed.notify()

    async def lend(self, line: ServerLine) -> None:
        """Its call waits for a person: others may open another line meanwhile."""
        self._taken.discard(line)
        async with self._changed:
            self._changed.notify()

    async def close_idle(self) -> None:
        since = time.monotonic() - IDLE_SECONDS
        stale = [line for line in self._free if line.used_at < since or not line.alive]
        self._free = [line for line in self._free if line not in stale]
        for line in stale:
            await line.close()

    async def close(self) -> None:
        lines = [*self._free, *self._taken]
        self._free, self._taken = [], set()
        await asyncio.gather(*(line.close() for line in lines))

    @property
    def is_empty(self) -> bool:
        return not self._free and not self._taken
