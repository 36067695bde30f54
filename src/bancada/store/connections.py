"""Servers of others, the tools they offer, and how they are signed in to."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from bancada.domain.errors import Conflict, NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import RoleName
from bancada.store.people import touch_settings
from bancada.store.tables import (
    connection_credentials,
    connection_sign_ins,
    connection_tools,
    connections,
)

Origin: TypeAlias = Literal["operator", "panel"]
CredentialKind: TypeAlias = Literal["none", "shared", "person"]
ToolState: TypeAlias = Literal["new", "enabled", "off", "changed", "gone"]
"""`new`: nobody has looked at it; `changed`: it is not any more what somebody enabled."""


@dataclass(frozen=True, kw_only=True)
class ServerConnection:
    """One server, as one organisation has it."""

    id: str
    organisation_id: int
    name: str
    origin: Origin
    url: str | None = None
    """None: a program, which the operator's configuration names."""
    headers: str | None = field(default=None, repr=False)
    """What every request says, sealed."""
    credentials: CredentialKind = "none"
    is_enabled: bool = True
    status: str = "new"
    """`ok`, or what kind of trouble there is."""
    detail: str = ""
    failures: int = 0
    """In a row."""
    looked_at: float | None = None
    ok_at: float | None = None
    retry_at: float | None = None
    """Until then nobody bothers it."""
    server: JSONObject = field(default_factory=dict)
    """What it says of itself."""
    revision: int = 1
    created_at: float = 0.0


@dataclass(frozen=True, kw_only=True)
class ConnectedTool:
    """A tool that a server offers, and what was made of it here."""

    connection_id: str
    organisation_id: int
    remote_name: str
    name: str
    offered: JSONObject
    approved: JSONObject | None = None
    state: ToolState = "new"
    problem: str = ""
    """Why it cannot be used as it is offered."""
    permission_level: RoleName = "admin"
    effect: Literal["read", "write"] = "write"
    confirm: Literal["never", "always"] = "always"
    allowed_callers: tuple[str, ...] = ("direct",)
    version: int = 0
    """How often it was enabled."""
    decided_by: int | None = None
    decided_at: float | None = None
    id: int = 0


def of_organisation(db: Connection, organisation_id: int) -> list[ServerConnection]:
    query = select(connections).where(connections.c.organisation_id == organisation_id)
    return [_connection(row) for row in db.execute(query.order_by(connections.c.name))]


def every(db: Connection) -> list[ServerConnection]:
    """Of all organisations: for the chore that looks after them."""
    return [_connection(row) for row in db.execute(select(connections))]


def find(db: Connection, organisation_id: int, id: str) -> ServerConnection:
    """One of this organisation's; another's does not exist."""
    query = select(connections).where(
        connections.c.id == id, connections.c.organisation_id == organisation_id
    )
    row = db.execute(query).first()
    if row is None:
        raise NotFound("no_connection")
    return _connection(row)


def add(db: Connection, new: ServerConnection) -> ServerConnection:
    values = {**vars(new), "id": secrets.token_hex(12), "created_at": time.time()}
    try:
        with db.begin_nested():
            db.execute(insert(connections).values(**values))
    except IntegrityError:
        raise Conflict("connection_exists", name=new.name) from None
    touch_settings(db, new.organisation_id)
    return find(db, new.organisation_id, values["id"])


def change(db: Connection, found: ServerConnection, **changes: Any) -> ServerConnection:
    """Also where only its sign-in changed: whatever is open to it, in any process, is opened anew."""
    changes["revision"] = connections.c.revision + 1
    db.execute(update(connections).where(connections.c.id == found.id).values(**changes))
    touch_settings(db, found.organisation_id)
    return find(db, found.organisation_id, found.id)


def note_health(db: Connection, id: str, **health: Any) -> None:
    """How it was last found. What tools there are has not changed by it."""
    db.execute(update(connections).where(connections.c.id == id).values(**health))


def remove(db: Connection, found: ServerConnection) -> None:
    db.execute(delete(connections).where(connections.c.id == found.id))
    touch_settings(db, found.organisation_id)


# ---------------------------------------------------------------------------- tools


def tools_of(db: Connection, organisation_id: int) -> list[ConnectedTool]:
    query = select(connection_tools).where(connection_tools.c.organisation_id == organisation_id)
    return [_tool(row) for row in db.execute(query.order_by(connection_tools.c.name))]


def tools_of_connection(db: Connection, connection_id: str) -> list[ConnectedTool]:
    query = select(connection_tools).where(connection_tools.c.connection_id == connection_id)
    return [_tool(row) for row in db.execute(query.order_by(connection_tools.c.remote_name))]


def keep_tool(db: Connection, tool: ConnectedTool) -> None:
    """Write it as it is now; a new one is added."""
    values = {name: value for name, value in vars(tool).items() if name != "id"}
    values["allowed_callers"] = list(tool.allowed_callers)
    if tool.id:
        db.execute(
            update(connection_tools).where(connection_tools.c.id == tool.id).values(**values)
        )
    else:
        db.execute(insert(connection_tools).values(**values))
    touch_settings(db, tool.organisation_id)


# ---------------------------------------------------------------------------- signing in


def credential(db: Connection, connection_id: str, user_id: int | None) -> str | None:
    """What was sealed for this person, or for everybody."""
    found = db.execute(
        select(connection_credentials.c.sealed).where(*_whose(connection_id, user_id))
    )
    return found.scalar()


def _hold(db: Connection, connection_id: str) -> None:
    """Of two who keep or forget credentials at once, the second must see what the first did."""
    held = select(connections.c.id).where(connections.c.id == connection_id)
    db.execute(held.with_for_update(key_share=True))


def keep_credential(
    db: Connection, connection_id: str, user_id: int | None, sealed: str, *, new: bool = True
) -> bool:
    """Keep what was sealed in the place of what was before; unless `new`, only where there is any:
    whoever signed out while a call renewed their token stays signed out."""
    _hold(db, connection_id)
    if not new and credential(db, connection_id, user_id) is None:
        return False
    db.execute(delete(connection_credentials).where(*_whose(connection_id, user_id)))
    db.execute(
        insert(connection_credentials).values(
            connection_id=connection_id, user_id=user_id, sealed=sealed, updated_at=time.time()
        )
    )
    return True


def forget_credentials(db: Connection, connection_id: str, user_id: int | None = None) -> None:
    """One person's; without a person, everybody's."""
    _hold(db, connection_id)
    query = delete(connection_credentials).where(
        connection_credentials.c.connection_id == connection_id
    )
    if user_id is not None:
        query = query.where(connection_credentials.c.user_id == user_id)
    db.execute(query)


def signed_in(db: Connection, connection_ids: Sequence[str], user_id: int) -> set[str]:
    """The connections that have a sign-in for this person: their own, or everybody's."""
    c = connection_credentials.c
    query = select(c.connection_id).where(
        c.connection_id.in_(connection_ids), (c.user_id == user_id) | c.user_id.is_(None)
    )
    return set(db.execute(query).scalars())


@dataclass(frozen=True, kw_only=True)
class SignInUnderWay:
    """Somebody is at another server's door, and will come back."""

    id: str
    connection_id: str
    user_id: int
    state: str | None
    answer: str | None
    outcome: str | None
    created_at: float


def begin_sign_in(db: Connection, connection_id: str, user_id: int) -> str:
    id = secrets.token_hex(16)
    db.execute(
        insert(connection_sign_ins).values(
            id=id, connection_id=connection_id, user_id=user_id, created_at=time.time()
        )
    )
    return id


def sign_in(
    db: Connection, *, id: str | None = None, state: str | None = None
) -> SignInUnderWay | None:
    column = (
        connection_sign_ins.c.id == id if id is not None else connection_sign_ins.c.state == state
    )
    row = db.execute(select(connection_sign_ins).where(column)).first()
    return None if row is None else SignInUnderWay(**row._mapping)


def note_sign_in(db: Connection, id: str, **says: Any) -> None:
    db.execute(update(connection_sign_ins).where(connection_sign_ins.c.id == id).values(**says))


def answer_sign_in(db: Connection, state: str, answer: str) -> bool:
    """Whether this answer is the first and only one."""
    # A code is taken once: who comes with the same state again finds it answered.
    changed = db.execute(
        update(connection_sign_ins)
        .where(connection_sign_ins.c.state == state, connection_sign_ins.c.answer.is_(None))
        .values(answer=answer)
    )
    return changed.rowcount == 1


def _whose(connection_id: str, user_id: int | None) -> list[Any]:
    c = connection_credentials.c
    return [
        c.connection_id == connection_id,
        c.user_id.is_(None) if user_id is None else c.user_id == user_id,
    ]


def _connection(row: Row[Any]) -> ServerConnection:
    return ServerConnection(**{**row._mapping, "is_enabled": bool(row.is_enabled)})


def _tool(row: Row[Any]) -> ConnectedTool:
    return ConnectedTool(**{**row._mapping, "allowed_callers": tuple(row.allowed_callers)})
