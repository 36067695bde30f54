"""Sessions: a sign-in is a row, and whatever was signed for it counts as long as the row does."""

from __future__ import annotations

import secrets
import time
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from bancada.domain.errors import NotFound
from bancada.store.hot import Hot
from bancada.store.people import PERSON
from bancada.store.tables import sessions, users

KEPT_SECONDS = 90 * 86_400.0
"""How long a session that is over is remembered: it says where its person has been before."""

_OPEN = (sessions.c.ended_at.is_(None),)

_HOLDER = Hot(
    select(
        sessions.c.id.label("session_id"),
        sessions.c.generation,
        sessions.c.rotated_at,
        sessions.c.last_seen_at,
        sessions.c.expires_at,
        sessions.c.ended_at,
        *PERSON,
    )
    .join(users, users.c.id == sessions.c.user_id)
    .where(sessions.c.id == bindparam("session_id")),
    ["session_id"],
)


def holder(db: Connection, id: str) -> Any | None:
    """The session and its person, in one read; whether it still counts is for the caller."""
    return _HOLDER(db, id).first()


def begin(
    db: Connection,
    user_id: int,
    *,
    how: str,
    user_agent: str,
    address: str,
    seconds: float,
    refreshed: bool,
    provider: str | None = None,
) -> Any:
    """A new session of this person; `refreshed` where it has a cookie that is renewed."""
    now = time.time()
    forgotten = sessions.c.expires_at < now - KEPT_SECONDS
    db.execute(delete(sessions).where(sessions.c.user_id == user_id, forgotten))
    id = secrets.token_hex(16)
    values = {
        "id": id,
        "user_id": user_id,
        "how": how,
        "user_agent": user_agent[:400],
        "address": address,
        "generation": 0 if refreshed else None,
        "created_at": now,
        "last_seen_at": now,
        "expires_at": now + seconds,
        "provider": provider,
    }
    db.execute(insert(sessions).values(**values))
    return holder(db, id)


def keep_id_token(db: Connection, id: str, sealed: str) -> None:
    """What the provider wants to see again when its own session is to be ended."""
    db.execute(update(sessions).where(sessions.c.id == id).values(id_token=sealed))


def rotate(db: Connection, id: str, generation: int) -> bool:
    """Make the next refresh cookie the current one; false where this one was not it."""
    now = time.time()
    rotated = db.execute(
        update(sessions)
        .where(
            sessions.c.id == id,
            sessions.c.generation == generation,
            sessions.c.expires_at > now,
            *_OPEN,
        )
        .values(generation=generation + 1, rotated_at=now, last_seen_at=now)
    )
    return rotated.rowcount == 1


def seen(db: Connection, id: str) -> None:
    db.execute(update(sessions).where(sessions.c.id == id).values(last_seen_at=time.time()))


def open_sessions(db: Connection, user_id: int) -> list[Row[Any]]:
    """What this person is signed in with now, the last used first."""
    query = (
        select(sessions)
        .where(sessions.c.user_id == user_id, sessions.c.expires_at > time.time(), *_OPEN)
        .order_by(sessions.c.last_seen_at.desc(), sessions.c.id)
    )
    return list(db.execute(query))


def has_been(db: Connection, user_id: int, address: str) -> bool:
    """Whether this person signed in from this network address before."""
    query = select(sessions.c.id).where(
        sessions.c.user_id == user_id, sessions.c.address == address
    )
    return db.execute(query.limit(1)).first() is not None


def end(db: Connection, user_id: int, id: str, *, by: str) -> Row[Any]:
    """End one session of this person's; what it was."""
    found = next((row for row in open_sessions(db, user_id) if row.id == id), None)
    if found is None:
        raise NotFound("no_session")
    _end(db, sessions.c.id == id, by)
    return found


def end_all(db: Connection, user_id: int, *, by: str, but: str | None = None) -> int:
    """End every session of this person's, save one where it is named; how many."""
    those = sessions.c.user_id == user_id
    return _end(db, those if but is None else those & (sessions.c.id != but), by)


def opened_by_password(db: Connection) -> list[int]:
    """Who is signed in with a password or a one-time link."""
    query = (
        select(sessions.c.user_id)
        .where(
            sessions.c.how.in_(("password", "link")), sessions.c.expires_at > time.time(), *_OPEN
        )
        .distinct()
    )
    return list(db.execute(query).scalars())


def end_by_password(db: Connection, user_id: int, *, by: str) -> int:
    """End what a password or a one-time link of this person's opened; how many."""
    those = (sessions.c.user_id == user_id) & sessions.c.how.in_(("password", "link"))
    return _end(db, those, by)


def _end(db: Connection, those: Any, by: str) -> int:
    now = time.time()
    ended = update(sessions).where(those, sessions.c.expires_at > now, *_OPEN)
    return int(db.execute(ended.values(ended_at=now, ended_by=by)).rowcount)
