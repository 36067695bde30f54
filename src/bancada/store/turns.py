"""Turns: which run, which wait, which ended, and who is at work on them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, or_, select, update

from bancada.domain.errors import Conflict
from bancada.domain.json import JSONObject, dumps
from bancada.domain.news import TurnNews
from bancada.domain.turns import UNFINISHED, TurnStatus
from bancada.store import news, notices
from bancada.store.columns import clean
from bancada.store.hot import Hot
from bancada.store.tables import conversations, turns


@dataclass(frozen=True, kw_only=True)
class TurnRow:
    """A turn as it is stored."""

    id: str
    conversation_id: str
    organisation_id: int
    user_id: int
    agent_id: int
    status: TurnStatus
    model: str
    settings: JSONObject
    iterations: int
    owner: str | None
    heartbeat_at: float | None
    started_at: float
    ended_at: float | None


def _from(row: Any) -> TurnRow:
    return TurnRow(**row._mapping)


_NAMES = tuple(c.name for c in turns.c)
_INSERT = Hot(insert(turns).values({name: bindparam(name) for name in _NAMES}), _NAMES)
_LOCK_CONVERSATION = Hot(
    select(conversations.c.id).where(conversations.c.id == bindparam("id")).with_for_update(),
    ["id"],
)
_UNFINISHED = Hot(
    select(turns.c.id).where(
        turns.c.conversation_id == bindparam("c"),
        or_(*(turns.c.status == status for status in UNFINISHED)),
    ),
    ["c"],
)
_RUNNING = Hot(
    select(
        select(func.count())
        .where(turns.c.status == "running", turns.c.organisation_id == bindparam("o"))
        .scalar_subquery()
        .label("of_organisation"),
        select(func.count())
        .where(turns.c.status == "running", turns.c.user_id == bindparam("u"))
        .scalar_subquery()
        .label("of_person"),
    ),
    ["o", "u"],
)
_TOUCH = Hot(
    update(conversations)
    .where(conversations.c.id == bindparam("c"))
    .values(updated_at=bindparam("at")),
    ["at", "c"],
)


def hold(db: Connection, conversation_id: str) -> None:
    """Nothing begins here until the transaction ends: two at once cannot both find nothing running."""
    _LOCK_CONVERSATION(db, conversation_id).first()


def running(db: Connection, organisation_id: int, user_id: int) -> tuple[int, int]:
    """How many turns run now: of the organisation, and of the person."""
    row = _RUNNING(db, organisation_id, user_id).one()
    return int(row.of_organisation), int(row.of_person)


def begin(
    db: Connection,
    *,
    id: str,
    conversation_id: str,
    organisation_id: int,
    user_id: int,
    agent_id: int,
    model: str,
    settings: JSONObject,
    owner: str,
) -> TurnRow:
    """Start a turn; a conversation has one at a time."""
    hold(db, conversation_id)
    if _UNFINISHED(db, conversation_id).first() is not None:
        raise Conflict("turn_running")
    now = time.time()
    values = {
        "id": id,
        "conversation_id": conversation_id,
        "organisation_id": organisation_id,
        "user_id": user_id,
        "agent_id": agent_id,
        "status": "running",
        "model": model,
        "settings": settings,
        "iterations": 0,
        "owner": owner,
        "heartbeat_at": now,
        "started_at": now,
        "ended_at": None,
    }
    _INSERT(db, *(dumps(settings) if name == "settings" else values[name] for name in _NAMES))
    _TOUCH(db, now, conversation_id)
    _tell(db, id, conversation_id, user_id, "running")
    return TurnRow(**values)  # type: ignore[arg-type]


_FIND = Hot(select(turns).where(turns.c.id == bindparam("id")), ["id"], decode=True)
_LAST_OF = Hot(
    select(turns)
    .where(turns.c.conversation_id == bindparam("c"))
    .order_by(turns.c.started_at.desc(), turns.c.id.desc())
    .limit(1),
    ["c"],
    decode=True,
)


def find(db: Connection, id: str) -> TurnRow | None:
    row = _FIND(db, clean(id)).first()
    return None if row is None else TurnRow(**row._asdict())


def last_of(db: Connection, conversation_id: str) -> TurnRow | None:
    """The running turn, else the last one."""
    row = _LAST_OF(db, clean(conversation_id)).first()
    return None if row is None else TurnRow(**row._asdict())


def is_unfinished(db: Connection, conversation_id: str) -> bool:
    """Whether a turn of the conversation runs or waits."""
    query = select(turns.c.id).where(
        turns.c.conversation_id == conversation_id, turns.c.status.in_(UNFINISHED)
    )
    return db.execute(query).first() is not None


def of_conversation(db: Connection, conversation_id: str) -> list[TurnRow]:
    query = (
        select(turns)
        .where(turns.c.conversation_id == conversation_id)
        .order_by(turns.c.started_at, turns.c.id)
    )
    return [_from(row) for row in db.execute(query)]


_SETTLE = Hot(
    update(turns)
    .where(turns.c.id == bindparam("turn"))
    .values(
        status=bindparam("status"), iterations=bindparam("iterations"), ended_at=bindparam("ended")
    ),
    ["turn", "status", "iterations", "ended"],
)


def settle(db: Connection, id: str, status: TurnStatus, iterations: int) -> None:
    """Write where the turn stands now."""
    ended = None if status in UNFINISHED else time.time()
    before = _WHOSE(db, id).first()
    _SETTLE(db, id, status, iterations, ended)
    if before is not None and before.status != status:
        _tell(db, id, before.conversation_id, before.user_id, status)


_WHOSE = Hot(
    select(turns.c.user_id, turns.c.conversation_id, turns.c.status).where(
        turns.c.id == bindparam("id")
    ),
    ["id"],
)


def _tell(db: Connection, id: str, conversation_id: str, user_id: int, status: TurnStatus) -> None:
    """Whose turn it is hears of it, wherever they are."""
    news.add(db, user_id, TurnNews(turn_id=id, conversation_id=conversation_id, status=status))
    if status in ("done", "failed"):
        notices.notify(db, user_id, "turn", id)


def lock(db: Connection, id: str) -> None:
    """Hold the turn until the transaction ends: a decision and a wait cannot pass each other."""
    db.execute(select(turns.c.id).where(turns.c.id == id).with_for_update())


def resume(db: Connection, id: str, *, owner: str | None, from_status: TurnStatus) -> bool:
    """Move a turn back to running: true for exactly one caller."""
    # A decision, the clock and the person who tries again may all want to, in several processes.
    changed = db.execute(
        update(turns)
        .where(turns.c.id == id, turns.c.status == from_status)
        .values(status="running", owner=owner, heartbeat_at=time.time(), ended_at=None)
    )
    if changed.rowcount != 1:
        return False
    whose = _WHOSE(db, id).one()
    _tell(db, id, whose.conversation_id, whose.user_id, "running")
    return True


def claim(db: Connection, id: str, *, owner: str, from_owner: str | None) -> bool:
    """Take over a running turn whose owner is gone: true for exactly one claimant."""
    # Every process looks for strays at the same intervals: `from_owner` is whom each saw there.
    whose = turns.c.owner.is_(None) if from_owner is None else turns.c.owner == from_owner
    changed = db.execute(
        update(turns)
        .where(turns.c.id == id, turns.c.status == "running", whose)
        .values(owner=owner, heartbeat_at=time.time())
    )
    return changed.rowcount == 1


def beat(db: Connection, owner: str) -> None:
    """This process is alive: so are its turns."""
    db.execute(
        update(turns)
        .where(turns.c.owner == owner, turns.c.status == "running")
        .values(heartbeat_at=time.time())
    )


def orphans(db: Connection, *, stale_before: float | None) -> list[TurnRow]:
    """Running turns nobody is at work on; with no time given, all of them (we hold the lock)."""
    query = select(turns).where(turns.c.status == "running").order_by(turns.c.started_at)
    if stale_before is not None:
        query = query.where(
            turns.c.owner.is_(None)
            | turns.c.heartbeat_at.is_(None)
            | (turns.c.heartbeat_at < stale_before)
        )
    return [_from(row) for row in db.execute(query)]
