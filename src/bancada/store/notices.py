"""Notices for people where they are: their addresses, and an outbox that is delivered from.

A notice is written in the transaction it tells of, one row an address. Whoever delivers claims
rows first, so that of several processes one sends; a claim whose holder is gone ends by itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Row, bindparam, delete, insert, or_, select, text, update

from bancada.domain.json import JSONObject, loads
from bancada.domain.notices import Channel, NoticeKind
from bancada.store.hot import Hot
from bancada.store.tables import notice_addresses, notices, presence

CLAIM_SECONDS = 180.0
"""Longer than a batch may take to be sent: who has not said by then how it went is gone."""
MOST_ATTEMPTS = 5
PAUSES = (60.0, 300.0, 1800.0, 7200.0)
"""How long is waited after each attempt that failed."""
KEPT_SECONDS = 7 * 24 * 3600.0


@dataclass(frozen=True, kw_only=True)
class NoticeAddress:
    """Where a person wants to be told, and what."""

    id: str
    user_id: int
    channel: Channel
    sealed: str
    shown: str
    kinds: list[NoticeKind]
    failures: int = 0
    problem: str | None = None
    dead_at: float | None = None
    ok_at: float | None = None
    created_at: float


@dataclass(frozen=True, kw_only=True)
class DueNotice:
    """One notice to one address; `attempts` counts the one that was claimed for."""

    id: int
    user_id: int
    address_id: str
    kind: NoticeKind
    subject: str
    says: JSONObject | None
    created_at: float
    attempts: int


def _address(row: Row[Any]) -> NoticeAddress:
    return NoticeAddress(**row._mapping)


# ---------------------------------------------------------------------------- addresses


def add_address(db: Connection, new: NoticeAddress) -> None:
    db.execute(insert(notice_addresses).values(**vars(new)))


def addresses_of(db: Connection, user_id: int) -> list[NoticeAddress]:
    query = (
        select(notice_addresses)
        .where(notice_addresses.c.user_id == user_id)
        .order_by(notice_addresses.c.created_at, notice_addresses.c.id)
    )
    return [_address(row) for row in db.execute(query)]


def address(db: Connection, user_id: int, id: str) -> NoticeAddress | None:
    """The address, if it is this person's."""
    query = select(notice_addresses).where(
        notice_addresses.c.id == id, notice_addresses.c.user_id == user_id
    )
    row = db.execute(query).first()
    return None if row is None else _address(row)


def choose(db: Connection, id: str, kinds: Sequence[NoticeKind]) -> None:
    """What is told there from now on."""
    _change(db, id, kinds=list(kinds))


def remove_address(db: Connection, id: str) -> None:
    db.execute(delete(notice_addresses).where(notice_addresses.c.id == id))


def reached(db: Connection, id: str) -> None:
    """Something arrived there: it is alive."""
    _change(db, id, failures=0, problem=None, dead_at=None, ok_at=time.time())


def missed(db: Connection, id: str, problem: str, *, dead: bool) -> None:
    """Nothing arrived; `dead`: nothing more is sent there until its owner has tried it."""
    _change(
        db,
        id,
        failures=notice_addresses.c.failures + 1,
        problem=problem,
        **({"dead_at": time.time()} if dead else {}),
    )


def _change(db: Connection, id: str, **values: Any) -> None:
    db.execute(update(notice_addresses).where(notice_addresses.c.id == id).values(**values))


# ---------------------------------------------------------------------------- the outbox

_WHERE = Hot(
    select(notice_addresses.c.id, notice_addresses.c.kinds).where(
        notice_addresses.c.user_id == bindparam("user"), notice_addresses.c.dead_at.is_(None)
    ),
    ["user"],
)


def notify(
    db: Connection,
    user_id: int,
    kind: NoticeKind,
    subject: str,
    *,
    says: JSONObject | None = None,
    now: float | None = None,
) -> int:
    """Tell this person, wherever they want to be told of this kind; how many places that is.

    What a notice says is read from the record when it is sent; only an alarm brings its own words:
    `says` is then `{title, path}`: a wording or a finished sentence, and a page of the app.
    """
    at = time.time() if now is None else now
    # Most people have no address: this is one indexed look in a transaction that is written anyway.
    wanted = [row.id for row in _WHERE(db, user_id).all() if kind in loads(row.kinds)]
    if wanted:
        new = {"user_id": user_id, "kind": kind, "subject": subject, "says": says, "attempts": 0}
        rows = [{**new, "address_id": id, "created_at": at, "due_at": at} for id in wanted]
        db.execute(insert(notices), rows)
    return len(wanted)


def claim(
    db: Connection, owner: str, *, now: float, delay: float, limit: int = 20
) -> list[DueNotice]:
    """Take what is due, oldest first: each row for one claimant. `delay` is how long something may
    be dealt with before anybody is told."""
    due = (
        select(notices.c.id)
        .where(
            notices.c.ended_at.is_(None),
            notices.c.due_at <= now,
            or_(notices.c.attempts > 0, notices.c.created_at <= now - delay),
            or_(notices.c.owner.is_(None), notices.c.claimed_at <= now - CLAIM_SECONDS),
        )
        .order_by(notices.c.due_at)
        .limit(limit)
        # Two processes look at once: the second passes over what the first holds.
        .with_for_update(skip_locked=True)
    )
    claimed = db.execute(
        update(notices)
        .where(notices.c.id.in_(due.scalar_subquery()))
        .values(owner=owner, claimed_at=now, attempts=notices.c.attempts + 1)
        .returning(*(notices.c[name] for name in DueNotice.__dataclass_fields__))
    )
    found = [DueNotice(**row._mapping) for row in claimed]
    return sorted(found, key=lambda one: one.id)


def end(db: Connection, id: int, owner: str, outcome: Literal["sent", "dropped", "failed"]) -> None:
    """It is over, if it is still ours."""
    _settle(db, id, owner, ended_at=time.time(), outcome=outcome)


def later(db: Connection, id: int, owner: str, attempts: int) -> None:
    """It is tried again after a pause."""
    _settle(db, id, owner, due_at=time.time() + PAUSES[min(attempts, len(PAUSES)) - 1])


def _settle(db: Connection, id: int, owner: str, **values: Any) -> None:
    mine = (notices.c.id == id) & (notices.c.owner == owner)
    db.execute(update(notices).where(mine).values(owner=None, claimed_at=None, **values))


def forget_old(db: Connection) -> None:
    """What was sent, given up or nobody ever took is forgotten after a week."""
    db.execute(delete(notices).where(notices.c.created_at < time.time() - KEPT_SECONDS))


# ---------------------------------------------------------------------------- who is here

_HERE = text(
    "INSERT INTO presence (user_id, until) SELECT id, :until FROM users WHERE id = :user "
    "ON CONFLICT (user_id) DO UPDATE SET until = excluded.until"
)


def are_here(db: Connection, people: Iterable[int], until: float) -> None:
    """These people have a page open."""
    # In the order of people: processes write for the same ones at once.
    rows = [{"user": person, "until": until} for person in sorted(people)]
    if rows:
        db.execute(_HERE, rows)


def is_here(db: Connection, user_id: int, now: float) -> bool:
    query = select(presence.c.until).where(presence.c.user_id == user_id, presence.c.until > now)
    return db.execute(query).first() is not None
