"""Guesses at passwords, counted so that guessing is slow.

A subject has one row: the moment at which all its failures will be forgotten. A failure moves it
further off, time brings it nearer; where it is too far off, the next guess waits.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass

from sqlalchemy import Connection, case, delete, or_, select, text, update

from bancada.store.tables import login_limits

_FIRST = text(
    "INSERT INTO login_limits (subject, until) VALUES (:subject, :until) ON CONFLICT DO NOTHING"
)


def account_mark(email: str) -> str:
    """What stands for an account in the subject of a limit: whether or not there is one."""
    return hashlib.sha256(email.strip().lower().encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True)
class Limit:
    """How often a subject may fail: so many at once, and one more every so many seconds."""

    subject: str
    most: int
    every: float

    @property
    def room(self) -> float:
        """How far off a subject's moment may be for another guess to be taken."""
        return (self.most - 1) * self.every

    @property
    def most_off(self) -> float:
        """How far off it can be at all. What is further was written by a clock that has been set
        back since: without this, everybody would wait as long as it was ahead. A minute more: of
        guesses made at once, one that waited for the row has an older idea of now."""
        return self.most * self.every + 60.0


def reserve(db: Connection, *limits: Limit) -> float:
    """Count a guess before it is looked at: guesses made at once cannot all find room.

    Returns 0, or the seconds to wait; nothing is counted then.
    """
    now = time.time()
    for at, limit in enumerate(limits):
        if not _taken(db, limit, now):
            for earlier in limits[:at]:
                release(db, earlier)
            # Room may have come since it was looked for: a refusal is never 0.
            return max(waits(db, limit), 1.0)
    return 0.0


def _taken(db: Connection, limit: Limit, now: float) -> bool:
    if _moved(db, limit, now):
        return True
    # Of several first guesses at once, one makes the row; the others wait here until it is
    # committed, and count as any later one.
    if db.execute(_FIRST, {"subject": limit.subject, "until": now + limit.every}).rowcount:
        db.execute(delete(login_limits).where(login_limits.c.until < now))
        return True
    return _moved(db, limit, now)


def _moved(db: Connection, limit: Limit, now: float) -> bool:
    until = login_limits.c.until
    # One statement looks and moves: Postgres makes those that come at once queue for the row.
    impossible = until > now + limit.most_off
    counted = case((impossible, now + limit.room), (until > now, until), else_=now)
    moved = db.execute(
        update(login_limits)
        .where(
            login_limits.c.subject == limit.subject,
            or_(until <= now + limit.room, impossible),
        )
        .values(until=counted + limit.every)
    )
    return bool(moved.rowcount)


def release(db: Connection, limit: Limit) -> None:
    """The guess was right: it does not count."""
    nearer = login_limits.c.until - limit.every
    db.execute(
        update(login_limits).where(login_limits.c.subject == limit.subject).values(until=nearer)
    )


def waits(db: Connection, *limits: Limit) -> float:
    """How many seconds the next guess must wait; 0 for none."""
    now = time.time()
    wait = 0.0
    for limit in limits:
        query = select(login_limits.c.until).where(login_limits.c.subject == limit.subject)
        until = db.execute(query).scalar()
        if until is not None and until <= now + limit.most_off:
            wait = max(wait, float(until) - now - limit.room)
    return wait


def forget(db: Connection, limit: Limit) -> None:
    """A right password wipes the slate."""
    db.execute(delete(login_limits).where(login_limits.c.subject == limit.subject))
