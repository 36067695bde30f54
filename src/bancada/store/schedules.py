"""What is done by the clock, and every time that it was: claimed by one process, once.

A time that is due becomes a run in the transaction that moves its schedule on: of several processes
that look at once, one finds the moment it saw. A run belongs to one process for as long as its epoch
lasts, and everything that is written for it checks that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from bancada.domain.errors import NotFound
from bancada.domain.json import JSONObject
from bancada.store.tables import schedule_runs, schedules, tool_calls

CALLS = "schedule:"
"""What the calls of a run are kept under, before its id."""
KEPT_RUNS = 200
"""Runs of one schedule that its history shows; older ones are forgotten."""

RunReason: TypeAlias = Literal["due", "missed", "asked"]
RunStatus: TypeAlias = Literal["running", "done", "alarm", "failed", "skipped"]


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """What is done, when, and what somebody wants to be told of."""

    id: str
    organisation_id: int
    user_id: int
    title: str
    does: JSONObject
    """`{kind: dashboard, dashboard_id}`, `{kind: question, agent_id, content, conversation_id}` or
    `{kind: study, study_id}`."""
    cron: str
    time_zone: str
    catch_up: bool
    """A time that was missed while nothing ran is made up for, once."""
    alarms: list[JSONObject]
    proposal: JSONObject | None
    """The call `{tool, input}` that is proposed when something new is found."""
    next_at: float | None
    paused_at: float | None
    created_at: float
    updated_at: float


@dataclass(frozen=True, kw_only=True)
class ScheduleRun:
    """One time that it was done."""

    id: str
    schedule_id: str
    organisation_id: int
    user_id: int
    reason: RunReason
    due_at: float
    missed: int = 0
    """How many times were due and not done, this one among them."""
    status: RunStatus = "running"
    owner: str | None
    epoch: int = 0
    conversation_id: str | None = None
    turn_id: str | None = None
    says: list[JSONObject] = field(default_factory=list)
    """What there is to say of it, as wordings."""
    found: list[JSONObject] = field(default_factory=list)
    """What it was to look for and is there: `{key, says, new}`."""
    confirmation_id: str | None = None
    """The call that it proposed."""
    started_at: float
    ended_at: float | None = None


def _schedule(row: Row[Any]) -> Schedule:
    return Schedule(**row._mapping)


def _run(row: Row[Any]) -> ScheduleRun:
    return ScheduleRun(**row._mapping)


# ---------------------------------------------------------------------------- schedules


def add(db: Connection, new: Schedule) -> None:
    db.execute(insert(schedules).values(**vars(new)))


def owned(db: Connection, id: str, user_id: int, *, lock: bool = False) -> Schedule:
    """The schedule, if it is this person's; `lock` holds it until the transaction ends."""
    query = select(schedules).where(schedules.c.id == id)
    row = db.execute(query.with_for_update() if lock else query).first()
    if row is None or row.user_id != user_id:
        raise NotFound("no_schedule")
    return _schedule(row)


def find(db: Connection, id: str) -> Schedule | None:
    row = db.execute(select(schedules).where(schedules.c.id == id)).first()
    return None if row is None else _schedule(row)


def of_person(db: Connection, user_id: int) -> list[Schedule]:
    query = (
        select(schedules)
        .where(schedules.c.user_id == user_id)
        .order_by(schedules.c.created_at, schedules.c.id)
    )
    return [_schedule(row) for row in db.execute(query)]


def change(db: Connection, /, id: str, **changes: Any) -> None:
    db.execute(update(schedules).where(schedules.c.id == id).values(**changes))


def remove(db: Connection, id: str) -> None:
    db.execute(delete(schedules).where(schedules.c.id == id))


# ---------------------------------------------------------------------------- what is due


def due(db: Connection, now: float, limit: int) -> list[Schedule]:
    """Schedules whose time has come, the longest overdue first."""
    query = (
        select(schedules)
        .where(schedules.c.next_at <= now)
        .order_by(schedules.c.next_at, schedules.c.id)
        .limit(limit)
    )
    return [_schedule(row) for row in db.execute(query)]


def move_on(db: Connection, seen: Schedule, next_at: float | None) -> bool:
    """Let the schedule wait for its next time: true for exactly one who saw this one."""
    # Every process finds the same time due; whoever comes second finds another moment there.
    changed = db.execute(
        update(schedules)
        .where(schedules.c.id == seen.id, schedules.c.next_at == seen.next_at)
        .values(next_at=next_at)
    )
    return changed.rowcount == 1


# ---------------------------------------------------------------------------- runs


def begin(db: Connection, run: ScheduleRun) -> None:
    """Write a run down; the history keeps the newest ones."""
    db.execute(insert(schedule_runs).values(**vars(run)))
    kept = (
        select(schedule_runs.c.id)
        .where(schedule_runs.c.schedule_id == run.schedule_id)
        .order_by(schedule_runs.c.started_at.desc(), schedule_runs.c.id)
        .limit(KEPT_RUNS)
    )
    db.execute(
        delete(schedule_runs).where(
            schedule_runs.c.schedule_id == run.schedule_id,
            schedule_runs.c.status != "running",
            schedule_runs.c.id.not_in(kept.scalar_subquery()),
        )
    )


def runs_of(
    db: Connection, schedule_id: str, *, before: float | None = None, limit: int = 50
) -> list[ScheduleRun]:
    """The history, the newest first."""
    query = select(schedule_runs).where(schedule_runs.c.schedule_id == schedule_id)
    if before is not None:
        query = query.where(schedule_runs.c.started_at < before)
    query = query.order_by(schedule_runs.c.started_at.desc(), schedule_runs.c.id).limit(limit)
    return [_run(row) for row in db.execute(query)]


def last_runs(db: Connection, user_id: int) -> dict[str, ScheduleRun]:
    """The last run of each schedule of a person's."""
    newest = (
        select(schedule_runs.c.schedule_id, func.max(schedule_runs.c.started_at).label("at"))
        .where(schedule_runs.c.user_id == user_id)
        .group_by(schedule_runs.c.schedule_id)
        .subquery()
    )
    query = select(schedule_runs).join(
        newest,
        (schedule_runs.c.schedule_id == newest.c.schedule_id)
        & (schedule_runs.c.started_at == newest.c.at),
    )
    return {row.schedule_id: _run(row) for row in db.execute(query)}


def last_told(db: Connection, run: ScheduleRun) -> ScheduleRun | None:
    """The run before this one that came to an end of its own; one that was left out says nothing."""
    query = (
        select(schedule_runs)
        .where(
            schedule_runs.c.schedule_id == run.schedule_id,
            schedule_runs.c.id != run.id,
            schedule_runs.c.status.in_(("done", "alarm", "failed")),
        )
        .order_by(schedule_runs.c.ended_at.desc())
        .limit(1)
    )
    row = db.execute(query).first()
    return None if row is None else _run(row)


def run(db: Connection, id: str) -> ScheduleRun | None:
    row = db.execute(select(schedule_runs).where(schedule_runs.c.id == id)).first()
    return None if row is None else _run(row)


def is_running(db: Connection, schedule_id: str) -> bool:
    query = select(schedule_runs.c.id).where(
        schedule_runs.c.schedule_id == schedule_id, schedule_runs.c.status == "running"
    )
    return db.execute(query).first() is not None


def running(db: Connection) -> list[ScheduleRun]:
    """Every run that is not over, the oldest first."""
    query = (
        select(schedule_runs)
        .where(schedule_runs.c.status == "running")
        .order_by(schedule_runs.c.started_at, schedule_runs.c.id)
    )
    return [_run(row) for row in db.execute(query)]


def take(db: Connection, seen: ScheduleRun, owner: str) -> bool:
    """Take over a run that was seen like this: true for exactly one claimant."""
    # Every process finds what a dead one left; the epoch is another once one of them has it.
    changed = db.execute(
        update(schedule_runs)
        .where(*_as_seen(seen))
        .values(owner=owner, epoch=schedule_runs.c.epoch + 1)
    )
    return changed.rowcount == 1


def move(db: Connection, seen: ScheduleRun, **changes: Any) -> bool:
    """Write for a run that is still whose it was; false: somebody else has it, or it is over."""
    changed = db.execute(update(schedule_runs).where(*_as_seen(seen)).values(**changes))
    return changed.rowcount == 1


def forget_calls(db: Connection, run_id: str) -> None:
    """What its calls came to was kept for a run that is cut short; it is over."""
    db.execute(delete(tool_calls).where(tool_calls.c.owner_id == CALLS + run_id))


def forget_old(db: Connection, before: float) -> None:
    """Runs that ended before this moment."""
    db.execute(delete(schedule_runs).where(schedule_runs.c.ended_at < before))


def _as_seen(seen: ScheduleRun) -> tuple[Any, ...]:
    return (
        schedule_runs.c.id == seen.id,
        schedule_runs.c.status == "running",
        schedule_runs.c.owner.is_not_distinct_from(seen.owner),
        schedule_runs.c.epoch == seen.epoch,
    )
