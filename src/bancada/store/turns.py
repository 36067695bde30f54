"""Turns: which run, which wait, which ended, and who is at work on them."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, case, false, func, insert, or_, select, update

from bancada.domain.errors import Conflict
from bancada.domain.json import JSONObject, dumps
from bancada.domain.news import TurnNews
from bancada.domain.turns import UNFINISHED, TurnStatus
from bancada.store import news, notices
from bancada.store.columns import clean
from bancada.store.endings import announce, announce_owner, kept
from bancada.store.hot import Hot
from bancada.store.tables import conversations, processes, turns

STALE_SECONDS = 20.0
"""A turn whose process is not on the list is left alone for so long."""
FOREVER = 10 * 365 * 86_400.0
"""How far ahead the beat of a turn is set: processes from before look at it alone, and leave alone
what beats; ours look at the list of processes."""


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
    epoch: int
    heartbeat_at: float | None
    started_at: float
    ended_at: float | None
    parent_id: str | None
    aside: bool


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
    owner: str | None,
    instead_of: TurnRow | None = None,
) -> TurnRow:
    """Start a turn; a conversation has one at a time. No owner: whoever takes it up. It follows the
    last turn of the chosen branch, or begins another branch instead of one of its turns."""
    hold(db, conversation_id)
    if _UNFINISHED(db, conversation_id).first() is not None:
        raise Conflict("turn_running")
    if instead_of is None:
        last = last_of(db, conversation_id)
        parent = None if last is None else last.id
    else:
        parent = instead_of.parent_id
        _set_aside_from(db, instead_of)
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
        "epoch": 0,
        "heartbeat_at": now + FOREVER,
        "started_at": now,
        "ended_at": None,
        "parent_id": parent,
        "aside": False,
    }
    _INSERT(db, *(dumps(settings) if name == "settings" else values[name] for name in _NAMES))
    _TOUCH(db, now, conversation_id)
    _tell(db, id, conversation_id, user_id, "running")
    return TurnRow(**values)  # type: ignore[arg-type]


_FIND = Hot(select(turns).where(turns.c.id == bindparam("id")), ["id"], decode=True)
_IN_BRANCH = (turns.c.conversation_id == bindparam("c"), turns.c.aside.is_(false()))
# The one that none follows, whatever the clock said when it began. Turns of processes from before
# there were branches follow none: of those the last counts.
_LAST_OF = Hot(
    select(turns)
    .where(
        *_IN_BRANCH,
        turns.c.id.not_in(
            select(turns.c.parent_id).where(*_IN_BRANCH, turns.c.parent_id.is_not(None))
        ),
    )
    .order_by(turns.c.started_at.desc(), turns.c.id.desc())
    .limit(1),
    ["c"],
    decode=True,
)


def find(db: Connection, id: str) -> TurnRow | None:
    row = _FIND(db, clean(id)).first()
    return None if row is None else TurnRow(**row._asdict())


def last_of(db: Connection, conversation_id: str) -> TurnRow | None:
    """The running turn, else the last one of the chosen branch."""
    row = _LAST_OF(db, clean(conversation_id)).first()
    return None if row is None else TurnRow(**row._asdict())


@dataclass(frozen=True)
class TurnProgress:
    """As much of a turn as its readers need."""

    status: TurnStatus
    iterations: int


def standing(db: Connection, ids: list[str]) -> dict[str, TurnProgress]:
    """Where these turns stand; those that are gone are left out."""
    query = select(turns.c.id, turns.c.status, turns.c.iterations).where(turns.c.id.in_(ids))
    return {row.id: TurnProgress(row.status, row.iterations) for row in db.execute(query)}


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


def _set_aside_from(db: Connection, turn: TurnRow) -> None:
    """That turn and what follows it in the chosen branch, whatever the clock said when it began."""
    every = {one.id: one for one in of_conversation(db, turn.conversation_id)}
    above = _above(every, turn)
    below: set[str] = set()
    found = {turn.id}
    while found:
        below |= found
        found = {
            one.id
            for one in every.values()
            if not one.aside
            and one.id not in below | above
            and (one.parent_id in below or _is_later_stray(one, turn))
        }
    db.execute(update(turns).where(turns.c.id.in_(below)).values(aside=True))


def _above(every: dict[str, TurnRow], turn: TurnRow) -> set[str]:
    """The turns that this one follows."""
    above: set[str] = set()
    parent = turn.parent_id
    while parent is not None and parent in every:
        above.add(parent)
        parent = every[parent].parent_id
    return above


def _is_later_stray(one: TurnRow, turn: TurnRow) -> bool:
    """A turn of a process from before there were branches: only the clock says what it follows."""
    return one.parent_id is None and one.started_at > turn.started_at


def choose(db: Connection, turn: TurnRow) -> None:
    """Take the branch through this turn: what it follows, and of what follows it the newest."""
    hold(db, turn.conversation_id)
    if _UNFINISHED(db, turn.conversation_id).first() is not None:
        raise Conflict("turn_running_stop")
    every = {one.id: one for one in of_conversation(db, turn.conversation_id)}
    path = {turn.id} | _above(every, turn)
    newest = {one.parent_id: one.id for one in every.values()}
    below = newest.get(turn.id)
    while below is not None:
        path.add(below)
        below = newest.get(below)
    ours = update(turns).where(turns.c.conversation_id == turn.conversation_id)
    db.execute(ours.values(aside=turns.c.id.not_in(path)))


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
        announce(db, id)


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
        .values(status="running", ended_at=None, **_of(owner))
    )
    if changed.rowcount != 1:
        return False
    whose = _WHOSE(db, id).one()
    _tell(db, id, whose.conversation_id, whose.user_id, "running")
    announce_owner(db, id)
    return True


def claim(db: Connection, row: TurnRow, *, owner: str | None) -> bool:
    """Take over a running turn that was seen like this: true for exactly one claimant."""
    # Every process looks for strays at the same moment; the epoch is another once one has it.
    changed = db.execute(
        update(turns)
        .where(
            turns.c.id == row.id,
            turns.c.status == "running",
            turns.c.owner.is_not_distinct_from(row.owner),
            turns.c.epoch == row.epoch,
        )
        .values(**{**_of(owner), "epoch": row.epoch + 1})
    )
    if changed.rowcount == 1:
        announce_owner(db, row.id)
    return changed.rowcount == 1


def _of(owner: str | None) -> dict[str, Any]:
    """Whose the turn is from now on. Its epoch is another unless it was theirs already: whoever had
    it before can write nothing more, not even if it comes back to them."""
    other = turns.c.owner.is_distinct_from(owner)
    return {
        "owner": owner,
        "epoch": case((other, turns.c.epoch + 1), else_=turns.c.epoch),
        "heartbeat_at": time.time() + FOREVER,
    }


@dataclass(frozen=True)
class Tenure:
    """Who may write for a turn: its owner, for as long as the epoch lasts."""

    turn_id: str
    owner: str | None
    epoch: int


class NotOurs(Exception):
    """Another process has the turn now: here nothing more is written for it, and nothing done."""


_TENURE = Hot(
    select(turns.c.owner, turns.c.epoch)
    .where(turns.c.id == bindparam("turn"))
    .with_for_update(read=True),
    ["turn"],
)


def check(db: Connection, tenure: Tenure) -> None:
    """Raises `NotOurs` where the turn was taken over.

    The row is held until the commit: whoever takes the turn over waits for what is being written,
    and what comes after finds their name.
    """
    known = kept(db)
    if tenure not in known:
        row = _TENURE(db, tenure.turn_id).first()
        if row is None or (row.owner, row.epoch) != (tenure.owner, tenure.epoch):
            raise NotOurs(tenure.turn_id)
        known[tenure] = True


def unfinished(db: Connection) -> list[TurnRow]:
    """Every running turn, oldest first."""
    query = select(turns).where(turns.c.status == "running").order_by(turns.c.started_at)
    return [_from(row) for row in db.execute(query)]


def strays(db: Connection, gone: Collection[str]) -> list[TurnRow]:
    """Running turns nobody is at work on: nobody's, of these processes, or of an unknown one that
    has not been heard of for a while."""
    now = time.time()
    old = turns.c.heartbeat_at < now - STALE_SECONDS
    # Taken by a process that is not on the list any more, or not yet.
    new = turns.c.heartbeat_at.between(now + 86_400, now + FOREVER - STALE_SECONDS)
    unknown = turns.c.owner.not_in(select(processes.c.name)) & (
        turns.c.heartbeat_at.is_(None) | old | new
    )
    query = (
        select(turns)
        .where(
            turns.c.status == "running",
            or_(turns.c.owner.is_(None), turns.c.owner.in_(gone), unknown),
        )
        .order_by(turns.c.started_at)
    )
    return [_from(row) for row in db.execute(query)]


def of_owner(db: Connection, owner: str) -> list[TurnRow]:
    """The running turns of this process."""
    query = select(turns).where(turns.c.owner == owner, turns.c.status == "running")
    return [_from(row) for row in db.execute(query)]
