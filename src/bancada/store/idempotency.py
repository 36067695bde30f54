"""Keys that clients send along, so that a request which is sent twice is done once.

A key is written down before the work, with the id of what the work will make: whether it was made
is then read from the record, wherever a crash came between.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, literal, select, update

from bancada.domain.errors import Conflict, Invalid
from bancada.domain.json import JSONObject
from bancada.store.tables import idempotency_keys as rows
from bancada.store.tables import tool_calls

KEPT_SECONDS = 24 * 3600.0
CALLS = "key:"
AGAIN_SECONDS = 2
"""When whoever was told that the first request is still under way should ask again."""


@dataclass(frozen=True, kw_only=True)
class Keyed:
    """A request that came with a key."""

    user_id: int
    key: str
    request: str
    """What it asks for, as a hash: the same key with another request is a mistake."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What the key stands for."""

    subject: str = field(default_factory=lambda: uuid4().hex)
    """The id that what is made has, or is made of."""
    again: bool = False
    """An earlier attempt may have got anywhere."""
    answer: JSONObject | None = None
    calls: str | None = None
    """What the call that it makes is kept under; none: there is no key to know it by."""


def claim(db: Connection, keyed: Keyed, *, owner: str, stale_before: float | None) -> Claim:
    """Take the key for this process, or find what came of it.

    `stale_before` None: this process is the only one, whoever else has it is gone.

    Raises:
        Invalid: the key came with another request before.
        Conflict: a process that is alive is at it.
    """
    now = time.time()
    mine = _is(keyed)
    row = db.execute(select(rows).where(mine).with_for_update()).first()
    if row is not None and row.created_at < now - KEPT_SECONDS:
        _forget(db, mine)
        row = None
    if row is None:
        # Of two at once on Postgres one fails here, is run again, and finds the other's row.
        made = Claim()
        db.execute(
            insert(rows).values(
                **vars(keyed), subject=made.subject, owner=owner, heartbeat_at=now, created_at=now
            )
        )
        return replace(made, calls=CALLS + made.subject)
    if row.request != keyed.request:
        raise Invalid("key_used")
    if row.answer is None:
        alive = stale_before is not None and row.heartbeat_at >= stale_before
        if row.owner != owner and alive:
            raise Conflict("key_under_way", seconds=AGAIN_SECONDS)
        db.execute(update(rows).where(mine).values(owner=owner, heartbeat_at=now))
    return Claim(subject=row.subject, again=True, answer=row.answer, calls=CALLS + row.subject)


def keep(db: Connection, keyed: Keyed, answer: JSONObject) -> None:
    """What came of it, for whoever asks again."""
    db.execute(update(rows).where(_is(keyed)).values(answer=answer))


def release(db: Connection, keyed: Keyed) -> None:
    """The request was refused and nothing was done: it may be tried again."""
    db.execute(delete(rows).where(_is(keyed), rows.c.answer.is_(None)))


def beat(db: Connection, owner: str) -> None:
    """This process is alive, and at work on what it has begun."""
    unanswered = (rows.c.owner == owner) & rows.c.answer.is_(None)
    db.execute(update(rows).where(unanswered).values(heartbeat_at=time.time()))


def forget_old(db: Connection) -> int:
    """Keys are kept for a day, and so is what calls answered to them; how many were older."""
    return _forget(db, rows.c.created_at < time.time() - KEPT_SECONDS)


def _forget(db: Connection, which: ColumnElement[bool]) -> int:
    names = select(literal(CALLS) + rows.c.subject).where(which)
    db.execute(delete(tool_calls).where(tool_calls.c.owner_id.in_(names)))
    return db.execute(delete(rows).where(which)).rowcount


def _is(keyed: Keyed) -> ColumnElement[bool]:
    return and_(rows.c.user_id == keyed.user_id, rows.c.key == keyed.key)
