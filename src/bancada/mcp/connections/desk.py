"""Where connections are added, looked at, signed in to and taken away, and their tools enabled.

An administrator does it for their organisation, and for no other; what the operator's configuration
brings can be looked at and its tools enabled, but is not the panel's to change. Every change is on
record, in the transaction that makes it.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from mcp.client.auth import OAuthFlowError
from mcp.shared.auth import AuthorizationCodeResult
from pydantic import StringConstraints
from sqlalchemy import Connection
from yarl import URL

from bancada.custom.egress import checked_url
from bancada.domain.errors import Conflict, Invalid, NotFound, ToolFailed
from bancada.domain.json import JSONObject, canonical, dumps, loads
from bancada.domain.people import Person, RoleName
from bancada.domain.shapes import PlainName, Shape
from bancada.gate.administration import Action, note
from bancada.mcp.connections.reach import client_for
from bancada.mcp.connections.signin import ConnectionAuth, OurAddress
from bancada.mcp.connections.switchboard import Switchboard
from bancada.mcp.connections.trouble import ServerTrouble, SignInNeeded, trouble_of
from bancada.store import connections, people
from bancada.store.connections import ConnectedTool, CredentialKind, ServerConnection
from bancada.store.database import Database
from bancada.store.vault import connection_secret

SIGN_IN_SECONDS = 600.0
"""How long somebody may be at the other server's door."""
POLL_SECONDS = 0.3
DOOR_SECONDS = 30.0
"""How long finding the door may take."""

Header = Annotated[str, StringConstraints(min_length=1, max_length=4000)]


class NewConnection(Shape):
    """What an administrator says of a server: over HTTP only."""

    name: PlainName
    url: Annotated[str, StringConstraints(max_length=2000)]
    credentials: CredentialKind = "none"
    headers: dict[str, Header] | None = None


class ToolChoice(Shape):
    """How a tool is enabled. `seen` is what was looked at: the digest the page showed."""

    seen: Annotated[str, StringConstraints(max_length=64)]
    permission_level: RoleName = "admin"
    effect: Literal["read", "write"] = "write"
    confirm: Literal["never", "always"] = "always"
    from_code: bool = False


@dataclass
class ConnectionDesk:
    """All that people do with connections."""

    database: Database
    switchboard: Switchboard
    code_caller: str
    private: Sequence[str] = ()
    """Addresses (`127.0.0.1:8080`) that the operator lets requests reach although not public."""
    _at_the_door: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    # ------------------------------------------------------------------ what there is

    async def listed(
        self, person: Person
    ) -> list[tuple[ServerConnection, list[ConnectedTool], bool]]:
        """The organisation's connections, their tools, and whether this person is signed in."""
        return await self.database.read(_listed, person)

    async def find(self, person: Person, id: str) -> ServerConnection:
        return await self.database.read(connections.find, person.organisation_id, id)

    async def add(self, person: Person, new: NewConnection) -> ServerConnection:
        self._check_address(new.url)
        return await self.database.run(self._add, person, new)

    def _check_address(self, url: str) -> None:
        """https, or what the operator allows; the rest is checked at each request."""
        try:
            plain = checked_url(url)
        except ToolFailed as failure:
            raise Invalid("connection_address", reason=str(failure)) from None
        if plain.scheme != "https" and f"{plain.raw_host}:{plain.port}" not in self.private:
            raise Invalid("connection_https")

    def _add(self, db: Connection, person: Person, new: NewConnection) -> ServerConnection:
        row = ServerConnection(
            id="",
            organisation_id=person.organisation_id,
            name=new.name,
            origin="panel",
            url=new.url,
            credentials=new.credentials,
        )
        added = connections.add(db, row)
        if new.headers:
            added = connections.change(db, added, headers=self._sealed(added, new.headers))
        note(
            db, person, "connection_added", new.name, id=added.id, after=_facts(added, new.headers)
        )
        return added

    def _sealed(self, row: ServerConnection, headers: Mapping[str, str]) -> str:
        name = connection_secret(row.id, None)
        return self.switchboard.vault.seal(dumps(dict(headers)), row.organisation_id, name)

    async def switch(self, person: Person, id: str, *, on: bool) -> ServerConnection:
        changed = await self.database.run(self._switch, person, id, on)
        await self.switchboard.forget(id)
        return changed

    def _switch(self, db: Connection, person: Person, id: str, on: bool) -> ServerConnection:
        found = connections.find(db, person.organisation_id, id)
        changed = connections.change(db, found, is_enabled=on)
        was, now = {"is_enabled": found.is_enabled}, {"is_enabled": on}
        note(db, person, "connection_changed", found.name, id=id, before=was, after=now)
        return changed

    async def remove(self, person: Person, id: str) -> None:
        await self.database.run(self._remove, person, id)
        await self.switchboard.forget(id)

    def _remove(self, db: Connection, person: Person, id: str) -> None:
        found = connections.find(db, person.organisation_id, id)
        if found.origin == "operator":
            raise Conflict("connection_of_operator", name=found.name)
        connections.remove(db, found)
        note(db, person, "connection_removed", found.name, id=id, before=_facts(found, None))

    async def look(self, person: Person, id: str) -> ServerConnection:
        """Ask the server what it offers, now. How it went stands in the row."""
        found = await self.find(person, id)
        with suppress(ServerTrouble, SignInNeeded):  # the row says so
            await self.switchboard.look(found, person.id, impatient=True)
        return await self.find(person, id)

    # ------------------------------------------------------------------ tools

    async def enable(
        self, person: Person, id: str, remote_name: str, choice: ToolChoice
    ) -> ConnectedTool:
        """Put a tool into use as it was looked at."""
        return await self.database.run(self._enable, person, id, remote_name, choice)

    def _enable(
        self, db: Connection, person: Person, id: str, remote_name: str, choice: ToolChoice
    ) -> ConnectedTool:
        row = self._row(db, person, id, remote_name)
        # The server may have changed it between the look and the yes: then the yes was for another.
        if digest(row.offered) != choice.seen:
            raise Conflict("connection_tool_moved", name=row.name)
        if row.problem:
            raise Invalid("connection_tool_unusable", problem=row.problem)
        if row.state == "gone":
            raise Conflict("connection_tool_gone", name=row.name)
        callers = ("direct", self.code_caller) if choice.from_code else ("direct",)
        now = replace(
            row,
            approved=row.offered,
            state="enabled",
            permission_level=choice.permission_level,
            effect=choice.effect,
            confirm=choice.confirm,
            allowed_callers=callers,
            version=row.version + 1,
            decided_by=person.id,
            decided_at=time.time(),
        )
        return _decided(db, person, "connection_tool_enabled", row, now)

    async def disable(self, person: Person, id: str, remote_name: str) -> ConnectedTool:
        return await self.database.run(self._disable, person, id, remote_name)

    def _disable(self, db: Connection, person: Person, id: str, remote_name: str) -> ConnectedTool:
        row = self._row(db, person, id, remote_name)
        now = replace(row, state="off", decided_by=person.id, decided_at=time.time())
        return _decided(db, person, "connection_tool_off", row, now)

    def _row(self, db: Connection, person: Person, id: str, remote_name: str) -> ConnectedTool:
        people.hold_organisation(db, person.organisation_id)  # the row is written back whole
        found = connections.find(db, person.organisation_id, id)
        for row in connections.tools_of_connection(db, found.id):
            if row.remote_name == remote_name:
                return row
        raise NotFound("no_tool", name=remote_name)

    # ------------------------------------------------------------------ signing in

    async def begin_sign_in(self, person: Person, id: str, address: OurAddress) -> str:
        """Where the person must go to sign in. Everybody's sign-in is an administrator's to make."""
        found = await self.find(person, id)
        if found.url is None or found.credentials == "none":
            raise Conflict("connection_no_sign_in", name=found.name)
        if found.credentials == "shared" and person.role != "admin":
            raise NotFound("no_connection")
        attempt = await self.database.run(connections.begin_sign_in, id, person.id)
        door: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._sign_in(found, person, attempt, door, address))
        self._at_the_door[attempt] = task
        task.add_done_callback(lambda _: self._at_the_door.pop(attempt, None))
        try:
            return await asyncio.wait_for(asyncio.shield(door), DOOR_SECONDS)
        except ServerTrouble as trouble:
            raise Conflict("connection_sign_in_failed", reason=trouble.detail) from None
        except TimeoutError:
            task.cancel()
            raise Conflict("connection_sign_in_failed", reason="—") from None

    async def _sign_in(
        self,
        found: ServerConnection,
        person: Person,
        attempt: str,
        door: asyncio.Future[str],
        address: OurAddress,
    ) -> None:
        """The whole flow, in this process; the person may come back to another."""
        assert found.url is not None
        user_id = person.id if found.credentials == "person" else None

        async def send_person(url: str) -> AuthorizationCodeResult:
            state = URL(url).query.get("state", "")
            await self.database.run(lambda db: connections.note_sign_in(db, attempt, state=state))
            door.set_result(url)
            return await self._back(attempt)

        board = self.switchboard
        storage = board.storage(found, user_id)
        auth = ConnectionAuth(found.url, storage, address, send_person=send_person)
        outcome = "ok"
        try:
            async with client_for(board.reach(found), board.egress, auth=auth):
                pass
            await self.database.run(self._signed_in, found, person)
            if not door.done():
                door.set_exception(ServerTrouble("sign_in", "It wants nobody to sign in."))
        except Exception as error:
            trouble = trouble_of(error)
            outcome = str(trouble)[:400]
            if not door.done():
                door.set_exception(
                    trouble
                    if isinstance(trouble, ServerTrouble)
                    else ServerTrouble("sign_in_refused", str(trouble))
                )
        await self.database.run(lambda db: connections.note_sign_in(db, attempt, outcome=outcome))
        await board.forget(found.id)

    async def _back(self, attempt: str) -> AuthorizationCodeResult:
        """The person's answer, wherever it arrived."""
        until = time.monotonic() + SIGN_IN_SECONDS
        while time.monotonic() < until:
            seen = await self.database.read(lambda db: connections.sign_in(db, id=attempt))
            if seen is not None and seen.answer is not None:
                answer = loads(self._open(seen.connection_id, seen.answer))
                if answer.get("error"):
                    raise OAuthFlowError(f"The sign-in was refused: {answer['error'][:200]}")
                return AuthorizationCodeResult(
                    code=answer.get("code") or "",
                    state=answer.get("state"),
                    iss=answer.get("iss"),
                )
            await asyncio.sleep(POLL_SECONDS)
        raise OAuthFlowError("Nobody came back from the sign-in.")

    def _open(self, connection_id: str, sealed: str) -> str:
        return self.switchboard.vault.open(sealed, 0, f"sign-in {connection_id}")

    def _signed_in(self, db: Connection, found: ServerConnection, person: Person) -> None:
        changed = connections.change(db, found, status="ok", detail="")
        whose = "person" if found.credentials == "person" else "everybody"
        note(db, person, "connection_signed_in", changed.name, id=found.id, whose=whose)

    async def came_back(self, person: Person, state: str, answer: Mapping[str, str]) -> str:
        """Somebody returns from the other door; what became of it, in a word: `ok` or why not.

        It must be who went there: else one person could be led to sign in for another."""
        seen = await self.database.read(lambda db: connections.sign_in(db, state=state))
        late = seen is not None and time.time() - seen.created_at > SIGN_IN_SECONDS
        if seen is None or seen.user_id != person.id or late:
            raise NotFound("no_sign_in")
        sealed = self.switchboard.vault.seal(
            dumps(dict(answer)), 0, f"sign-in {seen.connection_id}"
        )
        if not await self.database.run(connections.answer_sign_in, state, sealed):
            raise Conflict("sign_in_used")
        until = time.monotonic() + DOOR_SECONDS
        while time.monotonic() < until:
            seen = await self.database.read(lambda db: connections.sign_in(db, state=state))
            if seen is not None and seen.outcome is not None:
                return seen.outcome
            await asyncio.sleep(POLL_SECONDS)
        return "—"

    async def sign_out(self, person: Person, id: str) -> None:
        """Forget this person's sign-in; where it is everybody's, an administrator may."""
        await self.database.run(self._sign_out, person, id)
        await self.switchboard.forget(id)

    def _sign_out(self, db: Connection, person: Person, id: str) -> None:
        found = connections.find(db, person.organisation_id, id)
        if found.credentials == "shared":
            if person.role != "admin":
                raise NotFound("no_connection")
            connections.forget_credentials(db, id)
        else:
            connections.forget_credentials(db, id, person.id)
        connections.change(db, found)
        note(db, person, "connection_signed_out", found.name, id=id)

    async def close(self) -> None:
        for task in list(self._at_the_door.values()):
            task.cancel()
        await asyncio.gather(*self._at_the_door.values(), return_exceptions=True)
        await self.switchboard.close()


def _listed(
    db: Connection, person: Person
) -> list[tuple[ServerConnection, list[ConnectedTool], bool]]:
    found = connections.of_organisation(db, person.organisation_id)
    tools = connections.tools_of(db, person.organisation_id)
    signed = connections.signed_in(db, [one.id for one in found], person.id)
    return [
        (one, [row for row in tools if row.connection_id == one.id], one.id in signed)
        for one in found
    ]


def digest(offered: JSONObject) -> str:
    """A short name for exactly this description and these schemas."""
    return hashlib.sha256(canonical(offered)).hexdigest()[:32]


def _facts(row: ServerConnection, headers: Mapping[str, str] | None) -> JSONObject:
    shown = {"name": row.name, "url": row.url, "credentials": row.credentials}
    return {**shown, "headers": sorted(headers or ())}


def _decided(
    db: Connection, person: Person, action: Action, row: ConnectedTool, now: ConnectedTool
) -> ConnectedTool:
    connections.keep_tool(db, now)
    before, after = _tool_facts(row), _tool_facts(now)
    note(db, person, action, now.name, tool=now.name, before=before, after=after)
    return now


def _tool_facts(row: ConnectedTool) -> JSONObject:
    return {
        "state": row.state,
        "permission_level": row.permission_level,
        "effect": row.effect,
        "confirm": row.confirm,
        "allowed_callers": list(row.allowed_callers),
        "approved": row.approved,
    }
