"""Confirmations: one waiting call each, decided once."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Row, bindparam, func, insert, or_, select, update

from bancada.domain.json import JSON, JSONObject
from bancada.domain.news import ApprovalNews, Notice
from bancada.domain.people import RoleName
from bancada.store import news, notices
from bancada.store.columns import clean
from bancada.store.hot import Hot
from bancada.store.tables import confirmations


@dataclass(frozen=True, kw_only=True)
class Confirmation:
    """A call that waits for a person, or once did."""

    id: str
    organisation_id: int
    user_id: int
    approver_role: RoleName | None
    """Whoever reaches it decides; none: the person who asked."""
    approver: str | None = None
    """`other`: never the person who asked."""
    tell: list[str] | None = None
    """Addresses of those who are told where they are; none: whoever may decide it."""
    conversation_id: str | None
    turn_id: str | None
    agent_id: int | None
    call_id: str
    tool: str
    input: JSON
    input_hash: str
    caller: JSONObject
    reason: str
    status: Literal["pending", "approved", "rejected", "expired"]
    created_at: float
    expires_at: float
    audit_ref: int
    rules: list[str] | None = None
    """The rules that a yes covers, by their keys; decided anew with the arguments."""
    steps: list[JSONObject] | None = None
    """What the call will make other tools do."""
    question: JSONObject | None = None
    """What the tool asks, where the call has begun and needs an answer; a yes brings it as
    `edited_input`."""
    decided_by: int | None = None
    decided_for: int | None = None
    """Whose stand-in decided."""
    decided_at: float | None = None
    decision_reason: str | None = None
    edited_input: JSON = None
    remember: str | None = None
    reminded_at: float | None = None
    used_at: float | None = None
    result: JSON = None
    taken_by: str | None = None
    """The process that runs it, where it has no turn."""


def _from(row: Row[Any]) -> Confirmation:
    return Confirmation(**row._mapping)


_FOR_CALL = Hot(
    select(confirmations)
    .where(
        confirmations.c.turn_id == bindparam("turn"), confirmations.c.call_id == bindparam("call")
    )
    .order_by(confirmations.c.created_at)
    .with_for_update(),
    ["turn", "call"],
    decode=True,
)
_REMEMBERED = Hot(
    select(confirmations).where(
        confirmations.c.conversation_id == bindparam("conversation"),
        confirmations.c.user_id == bindparam("person"),
        confirmations.c.tool == bindparam("tool"),
        confirmations.c.status == "approved",
        confirmations.c.remember == "conversation",
    ),
    ["conversation", "person", "tool"],
    decode=True,
)
_OF_TURN = Hot(
    select(confirmations)
    .where(confirmations.c.turn_id == bindparam("turn"))
    .order_by(confirmations.c.created_at),
    ["turn"],
    decode=True,
)


def add(db: Connection, new: Confirmation) -> None:
    db.execute(insert(confirmations).values(**vars(new)))
    news.of_approval(db, new, ApprovalNews(id=new.id, status="asked"))
    _notify_deciders(db, new)


def readdress(db: Connection, needed: Confirmation) -> None:
    """Put what waits before others than were asked first; they are told as if it were new."""
    names = ("approver_role", "approver", "rules")
    db.execute(
        update(confirmations)
        .where(confirmations.c.id == needed.id, confirmations.c.status == "pending")
        .values({name: getattr(needed, name) for name in names})
    )
    news.of_approval(db, needed, ApprovalNews(id=needed.id, status="asked"))
    _notify_deciders(db, needed)


def _notify_deciders(db: Connection, found: Any) -> None:
    """Tell those who may decide it, or of them those whom a rule names; rights are looked at again
    when it is sent."""
    told = news.deciders(db, found)
    for user_id, email in told.items():
        if not found.tell or email in found.tell:
            notices.notify(db, user_id, "approval", found.id)


def rejected(db: Connection, ids: Collection[str]) -> frozenset[str]:
    """To which of them somebody said no."""
    said_no = select(confirmations.c.id).where(
        confirmations.c.id.in_(ids), confirmations.c.status == "rejected"
    )
    return frozenset(db.execute(said_no).scalars()) if ids else frozenset()


def find(db: Connection, id: str, *, lock: bool = False) -> Confirmation | None:
    query = select(confirmations).where(confirmations.c.id == id)
    row = db.execute(query.with_for_update() if lock else query).first()
    return None if row is None else _from(row)


@dataclass(frozen=True)
class AskedOfCall:
    """What people were asked about one call: whether it may run, and what its tool wanted to know."""

    approval: Confirmation | None = None
    questions: tuple[Confirmation, ...] = ()

    @property
    def line(self) -> int | None:
        """The audit line of a call that asked something in the middle."""
        return self.questions[0].audit_ref if self.questions else None


def for_call(db: Connection, turn_id: str, call_id: str) -> AskedOfCall:
    """Everything that was asked about this call of this turn, whatever became of it."""
    rows = _FOR_CALL(db, turn_id, clean(call_id)).all()
    if not rows:
        return AskedOfCall()
    found = [Confirmation(**row._asdict()) for row in rows]
    approvals = [one for one in found if one.question is None]
    return AskedOfCall(
        approvals[0] if approvals else None,
        tuple(one for one in found if one.question is not None),
    )


def of_turn(db: Connection, turn_id: str) -> list[Confirmation]:
    return [Confirmation(**row) for row in _OF_TURN(db, turn_id).mappings()]


def waiting_in(
    db: Connection, organisation_id: int, *, person_ids: list[int], roles: list[str]
) -> list[Confirmation]:
    """What waits for one of these people themselves, or for somebody of one of these roles."""
    mine = confirmations.c.approver_role.is_(None) & confirmations.c.user_id.in_(person_ids)
    query = (
        select(confirmations)
        .where(
            confirmations.c.organisation_id == organisation_id,
            confirmations.c.status == "pending",
            or_(confirmations.c.approver_role.in_(roles), mine),
        )
        .order_by(confirmations.c.created_at)
    )
    return [_from(row) for row in db.execute(query)]


def decided_about(
    db: Connection, person_id: int, *, before: float | None, limit: int
) -> list[Confirmation]:
    """What this person asked for or decided, the newest decision first."""
    query = select(confirmations).where(
        confirmations.c.status != "pending",
        or_(
            confirmations.c.user_id == person_id,
            confirmations.c.decided_by == person_id,
            confirmations.c.decided_for == person_id,
        ),
    )
    if before is not None:
        query = query.where(confirmations.c.decided_at < before)
    query = query.order_by(confirmations.c.decided_at.desc(), confirmations.c.id).limit(limit)
    return [_from(row) for row in db.execute(query)]


def decide(
    db: Connection,
    id: str,
    *,
    status: Literal["approved", "rejected", "expired"],
    by: int | None,
    at: float,
    reason: str | None = None,
    **decision: Any,
) -> bool:
    """Decide it if nobody has: true for exactly one caller.

    `decision` may say more: `decided_for`, `edited_input`, `remember`, and the `rules`, `steps`
    and approver as they are for the arguments that will run.
    """
    # Two approvers, or one and the clock: the status is looked at and changed in one statement.
    changed = db.execute(
        update(confirmations)
        .where(confirmations.c.id == id, confirmations.c.status == "pending")
        .values(status=status, decided_by=by, decided_at=at, decision_reason=reason, **decision)
    )
    if changed.rowcount != 1:
        return False
    found = find(db, id)
    assert found is not None
    news.of_approval(db, found, ApprovalNews(id=id, status=status))
    if by != found.user_id:
        notices.notify(db, found.user_id, "decision", id)
    return True


def use(db: Connection, id: str) -> bool:
    """Take the permission: true once, and never again."""
    # Processes may take up the same turn at once; a yes is for one run.
    changed = db.execute(
        update(confirmations)
        .where(
            confirmations.c.id == id,
            confirmations.c.status == "approved",
            confirmations.c.used_at.is_(None),
        )
        .values(used_at=time.time())
    )
    return changed.rowcount == 1


def keep_result(db: Connection, id: str, result: JSONObject) -> None:
    """What came of an approved call that has no turn to tell it to."""
    db.execute(update(confirmations).where(confirmations.c.id == id).values(result=result))


def unfinished(db: Connection) -> list[Confirmation]:
    """Approved calls without a turn that nobody knows the end of, oldest first."""
    query = (
        select(confirmations)
        .where(
            confirmations.c.status == "approved",
            confirmations.c.turn_id.is_(None),
            confirmations.c.result.is_(None),
        )
        .order_by(confirmations.c.decided_at)
    )
    return [_from(row) for row in db.execute(query)]


def take(db: Connection, id: str, *, by: str, from_whom: str | None) -> bool:
    """Run an approved call without a turn in this process: true for exactly one."""
    # Every process looks for what a dead one left: `from_whom` is whom each saw there.
    whose = confirmations.c.taken_by.is_not_distinct_from(from_whom)
    changed = db.execute(
        update(confirmations)
        .where(confirmations.c.id == id, confirmations.c.result.is_(None), whose)
        .values(taken_by=by)
    )
    return changed.rowcount == 1


def outside_turns(db: Connection, call_id: str) -> Confirmation | None:
    """The confirmation of a call that belongs to no turn, whatever became of it."""
    query = select(confirmations).where(
        confirmations.c.turn_id.is_(None), confirmations.c.call_id == clean(call_id)
    )
    row = db.execute(query).first()
    return None if row is None else _from(row)


def remembered(
    db: Connection, conversation_id: str, person_id: int, tool: str
) -> list[Confirmation]:
    """What somebody said "always for this conversation" to, of this tool."""
    return [
        Confirmation(**row) for row in _REMEMBERED(db, conversation_id, person_id, tool).mappings()
    ]


def outdated(db: Connection) -> int:
    """How many of those say for which rules they were given in no way that counts: version 0.1.0's."""
    query = select(func.count()).where(
        confirmations.c.remember == "conversation",
        confirmations.c.status == "approved",
        confirmations.c.rules.is_(None),
    )
    return int(db.execute(query).scalar_one())


def waiting_beside(db: Connection, given: Confirmation) -> list[Confirmation]:
    """Calls of the same tool in the same turn that still wait for a word; each is held."""
    if given.turn_id is None or given.conversation_id is None:
        return []
    query = (
        select(confirmations)
        .where(
            confirmations.c.turn_id == given.turn_id,
            confirmations.c.user_id == given.user_id,
            confirmations.c.tool == given.tool,
            confirmations.c.status == "pending",
        )
        .order_by(confirmations.c.created_at)
        .with_for_update()
    )
    return [one for one in map(_from, db.execute(query)) if one.question is None]


def remind(db: Connection, *, now: float, every: float) -> int:
    """Remind of whatever has waited that long, or that long since the last time."""
    since = now - every
    due = update(confirmations).where(
        confirmations.c.status == "pending",
        confirmations.c.created_at <= since,
        or_(confirmations.c.reminded_at.is_(None), confirmations.c.reminded_at <= since),
    )
    reminded = db.execute(due.values(reminded_at=now).returning(confirmations)).all()
    for found in reminded:
        news.of_approval(db, found, Notice(id=found.id), asker=False)
        _notify_deciders(db, found)
    return len(reminded)


def overdue(db: Connection, now: float, *, limit: int = 100) -> list[Confirmation]:
    query = (
        select(confirmations)
        .where(confirmations.c.status == "pending", confirmations.c.expires_at <= now)
        .limit(limit)
    )
    return [_from(row) for row in db.execute(query)]
