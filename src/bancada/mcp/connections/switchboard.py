"""Every server we are connected to: who is called how, how each was last found, and who rests.

A server that does not answer, or lies, costs only its own callers: it has its own lines, its own
limits, and after some failures in a row it is left in peace for a while.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from mcp import Client
from sqlalchemy import Connection

from bancada.custom.egress import Egress
from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSONObject, loads
from bancada.domain.wording import Wording
from bancada.gate.administration import note
from bancada.mcp.connections.calling import CallRun, HeldCalls
from bancada.mcp.connections.lines import MOST_LINES, LinePool, ServerLine
from bancada.mcp.connections.offered import list_tools, reconciled
from bancada.mcp.connections.pipes import ServerProgram
from bancada.mcp.connections.reach import Reach, client_for
from bancada.mcp.connections.signin import (
    ConnectionAuth,
    CredentialHolder,
    OurAddress,
    SealedStorage,
)
from bancada.mcp.connections.trouble import ServerTrouble, SignInNeeded, trouble_of
from bancada.store import connections, custom_tools, people
from bancada.store.connections import ConnectedTool, ServerConnection
from bancada.store.database import Database
from bancada.store.vault import Vault, connection_secret
from bancada.tools.inquiries import Inquiry
from bancada.tools.registry import Registry
from bancada.tools.tool import Result, ToolContext

log = logging.getLogger("bancada.mcp")

T = TypeVar("T")
LOOK_SECONDS = 60.0
"""How old a list of tools may be when one of them is called."""
PATIENCE = 3
"""Failures in a row before a server is left in peace."""
REST_SECONDS = 15.0
MOST_REST = 600.0
MOST_SIGN_INS = 5
"""How often one call asks its person to sign in."""


@dataclass
class _Health:
    failures: int = 0
    retry_at: float = 0.0


@dataclass
class Switchboard:
    """One per process. What it must know of another process it reads from the record."""

    database: Database
    registry: Registry
    egress: Egress
    vault: Vault
    programs: Mapping[tuple[int, str], ServerProgram] = field(default_factory=dict)
    """What the operator's configuration starts, by organisation and name."""
    held: HeldCalls = field(default_factory=HeldCalls)
    look_seconds: float = LOOK_SECONDS
    clock: Callable[[], float] = time.time
    _pools: dict[tuple[str, int, int | None], LinePool] = field(default_factory=dict)
    _health: dict[str, _Health] = field(default_factory=dict)

    # ------------------------------------------------------------------ calls

    async def call(
        self,
        connection: ServerConnection,
        tool: ConnectedTool,
        context: ToolContext,
        input: JSONObject,
    ) -> Result:
        """Run a connected tool for somebody."""
        user_id = context.person.id if connection.credentials == "person" else None
        run = CallRun(
            context,
            connection.name,
            tool.remote_name,
            input,
            reads=tool.effect == "read",
            held=self.held,
        )

        async def prepare(line: ServerLine) -> None:
            if time.monotonic() - line.listed_at > self.look_seconds:
                states = await self._look_on(connection, line, complete=user_id is None)
                if states.get(tool.remote_name) != "enabled":
                    raise ToolFailed(
                        f"{tool.name} is not any more what was enabled here: {connection.name} has "
                        "changed it. An administrator must look at it first. Answer without it."
                    )

        try:
            pool = self._pool(connection, user_id)
            return await self._minded(connection, lambda: run.go(pool, prepare))
        except SignInNeeded:
            await self._close(connection, user_id)
            return await self._signed_in_first(connection, context)
        except ServerTrouble as trouble:
            raise ToolFailed(
                f"{connection.name} could not be used ({trouble.kind}): {trouble.detail} "
                "Try later or another way."
            ) from None

    async def _signed_in_first(self, connection: ServerConnection, context: ToolContext) -> Result:
        if connection.credentials != "person":
            raise ToolFailed(
                f"{connection.name} wants an administrator to sign in first, under "
                "Administration, Connections. Tell the person."
            )
        rounds = len(context.answered)
        if rounds >= MOST_SIGN_INS or (
            context.answered and not _accepted(context.answered[-1].answers)
        ):
            raise ToolFailed(f"{context.person.name} is not signed in to {connection.name}.")
        words = Wording("connection_sign_in_first", name=connection.name)
        await context.ask(
            Inquiry(
                key=f"{rounds}:sign-in",
                message=words.told(context.language),
                schema={},
                url=f"/#/connections/{connection.id}/sign-in",
                state={"how": "again"},
            )
        )
        raise ToolFailed(f"{context.person.name} is not signed in to {connection.name}.")

    async def _minded(self, connection: ServerConnection, work: Callable[[], Awaitable[T]]) -> T:
        """Do something with a server unless it rests, and remember how it went."""
        health = self._health.setdefault(connection.id, _Health())
        if health.retry_at > self.clock():
            raise ServerTrouble("resting", "It failed several times and is left in peace a while.")
        try:
            done = await work()
        except SignInNeeded:
            await self._note(connection, "sign_in", "")
            raise
        except ServerTrouble as trouble:
            if trouble.kind != "busy":
                health.failures += 1
                if health.failures >= PATIENCE:
                    rest = REST_SECONDS * 2 ** min(health.failures - PATIENCE, 10)
                    health.retry_at = self.clock() + min(rest, MOST_REST)
                await self._note(connection, trouble.kind, trouble.detail)
            raise
        if health.failures or connection.status != "ok":
            health.failures, health.retry_at = 0, 0.0
            await self._note(connection, "ok", "")
        return done

    async def _note(self, connection: ServerConnection, status: str, detail: str) -> None:
        health = self._health[connection.id]
        says: dict[str, object] = {"status": status, "detail": detail, "failures": health.failures}
        if status == "ok":
            says["ok_at"] = self.clock()
        says["retry_at"] = health.retry_at or None
        await self.database.run(lambda db: connections.note_health(db, connection.id, **says))

    # ------------------------------------------------------------------ looking

    async def look(
        self, connection: ServerConnection, user_id: int | None = None, *, impatient: bool = False
    ) -> None:
        """Ask what it offers now. `impatient`: somebody stands there and waits; it does not rest."""
        if impatient and connection.id in self._health:
            self._health[connection.id].retry_at = 0.0
        user_id = user_id if connection.credentials == "person" else None

        async def ask() -> None:
            pool = self._pool(connection, user_id)
            line = await pool.take()
            broken = True
            try:
                await self._look_on(connection, line, complete=True)
                broken = False
            finally:
                await pool.give_back(line, broken=broken)

        try:
            await self._minded(connection, ask)
        except SignInNeeded:
            await self._close(connection, user_id)
            raise

    async def _look_on(
        self, connection: ServerConnection, line: ServerLine, *, complete: bool
    ) -> dict[str, str]:
        client = await line.client()
        try:
            offered = await line.during(list_tools(client))
        except Exception as error:
            raise trouble_of(error) from error
        line.listed_at = time.monotonic()
        said = said_of_itself(client)
        return await self.database.run(self._seen, connection, offered, said, complete)

    def _seen(
        self,
        db: Connection,
        connection: ServerConnection,
        offered: list[JSONObject],
        said: JSONObject,
        complete: bool,
    ) -> dict[str, str]:
        """Write what is offered now; the state of each tool, by the server's own name for it."""
        organisation_id = connection.organisation_id
        # Held: whoever switches a tool off meanwhile must not find it written back as it was.
        people.hold_organisation(db, organisation_id)
        known = connections.tools_of_connection(db, connection.id)
        others = {
            row.name
            for row in connections.tools_of(db, organisation_id)
            if row.connection_id != connection.id
        } | {row.name for row in custom_tools.current(db, organisation_id)}
        taken = _Names(self.registry, others)
        changed = reconciled(connection, known, offered, taken=taken, complete=complete)
        before = {row.remote_name: row for row in known}
        for row in changed:
            connections.keep_tool(db, row)
            was = before.get(row.remote_name)
            if was is not None and was.state == "enabled" and row.state != "enabled":
                note(
                    db,
                    None,
                    "connection_tool_changed",
                    row.name,
                    tool=row.name,
                    organisation_id=organisation_id,
                    before={"state": was.state, "offered": was.offered},
                    after={"state": row.state, "offered": row.offered},
                    via="start",
                )
        health = {"looked_at": self.clock(), "ok_at": self.clock(), "server": said}
        connections.note_health(db, connection.id, **health)
        states: dict[str, str] = {row.remote_name: row.state for row in known}
        return states | {row.remote_name: row.state for row in changed}

    async def look_after(self) -> None:
        """The chore: every connection is looked at now and then, idle lines are closed."""
        for pool in list(self._pools.values()):
            await pool.close_idle()
        self._pools = {key: pool for key, pool in self._pools.items() if not pool.is_empty}
        due = self.clock() - 5 * self.look_seconds
        for connection in await self.database.read(connections.every):
            if connection.is_enabled and connection.credentials != "person":
                if (connection.looked_at or 0) > due:
                    continue
                try:
                    await self.look(connection)
                except (ServerTrouble, SignInNeeded) as trouble:
                    log.info("connection %s: %s", connection.name, trouble)

    # ------------------------------------------------------------------ lines

    def _pool(self, connection: ServerConnection, user_id: int | None) -> LinePool:
        key = (connection.id, connection.revision, user_id)
        pool = self._pools.get(key)
        if pool is None:
            reach = self.reach(connection)
            auth = self.auth(connection, user_id)
            open_client = partial(client_for, reach, self.egress, auth=auth)
            most = 1 if reach.has_one_voice else MOST_LINES
            pool = self._pools[key] = LinePool(open_client, most=most)
        return pool

    def reach(self, connection: ServerConnection) -> Reach:
        """How it is reached. Raises `ServerTrouble` where the configuration does not say so any more."""
        if connection.url is None:
            program = self.programs.get((connection.organisation_id, connection.name))
            if program is None:
                raise ServerTrouble("unreachable", "The configuration does not name it any more.")
            return Reach(name=connection.name, program=program)
        headers = {}
        if connection.headers is not None:
            name = connection_secret(connection.id, None)
            headers = loads(self.vault.open(connection.headers, connection.organisation_id, name))
        return Reach(name=connection.name, url=connection.url, headers=headers)

    def storage(self, connection: ServerConnection, user_id: int | None) -> SealedStorage:
        holder = CredentialHolder(
            organisation_id=connection.organisation_id, connection_id=connection.id, user_id=user_id
        )
        return SealedStorage(self.database, self.vault, holder)

    def auth(self, connection: ServerConnection, user_id: int | None) -> ConnectionAuth | None:
        if connection.url is None or connection.credentials == "none":
            return None
        return ConnectionAuth(connection.url, self.storage(connection, user_id), OurAddress())

    async def _close(self, connection: ServerConnection, user_id: int | None) -> None:
        pool = self._pools.pop((connection.id, connection.revision, user_id), None)
        if pool is not None:
            await pool.close()

    async def forget(self, connection_id: str) -> None:
        """It was changed or removed here: nothing that is open to it is used again."""
        self._health.pop(connection_id, None)
        for key in [key for key in self._pools if key[0] == connection_id]:
            await self._pools.pop(key).close()

    async def close(self) -> None:
        await self.held.close()
        await asyncio.gather(*(pool.close() for pool in self._pools.values()))
        self._pools = {}


@dataclass(frozen=True)
class _Names:
    """Names that a server's tool cannot have."""

    registry: Registry
    others: set[str]

    def __contains__(self, name: object) -> bool:
        return name in self.others or (isinstance(name, str) and name in self.registry)


def _accepted(answers: Mapping[str, object]) -> bool:
    return all(getattr(one, "action", "") == "accept" for one in answers.values())


def said_of_itself(client: Client) -> JSONObject:
    """Name, version, protocol and instructions, as the server gives them."""
    info = client.server_info
    return {
        "name": None if info is None else info.name[:200],
        "version": None if info is None else info.version[:100],
        "protocol": client.protocol_version,
        "instructions": (client.instructions or "")[:4000],
    }
