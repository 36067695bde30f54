"""What is done by the clock: due times claimed, runs taken to their end, once.

A run goes on from what is written. Its calls are kept under its name, so that one that ended is not
made again; its question has the id that the run gives it; and its end, with the call it proposes and
the notice it sends, is one transaction. Whoever lost a run to another process writes nothing more
for it.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection

from bancada.dashboards import DashboardDesk, StudyDesk
from bancada.dashboards.refreshing import not_run
from bancada.domain.calls import Caller, Outcome, ToolCall, Waiting
from bancada.domain.cron import MOST_COUNTED, Cron, in_words, zone_of
from bancada.domain.errors import Conflict, DatabaseAway, Forbidden, Problem, TooOften
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.domain.turns import UNFINISHED
from bancada.domain.wording import Wording
from bancada.engine import alarms
from bancada.engine.alarms import AlarmFinding, AlarmOutcome
from bancada.engine.conversations import Conversations, new_id
from bancada.engine.variants import begin_conversation
from bancada.gate.admission import admit
from bancada.gate.case import Admitted, Case
from bancada.gate.gate import Gate
from bancada.gate.listing import calling_agent
from bancada.gate.scope import CallScope
from bancada.store import agents, conversations, notices, people, processes, schedules, turns
from bancada.store.database import Database
from bancada.store.schedules import CALLS, RunReason, RunStatus, Schedule, ScheduleRun
from bancada.store.turns import NotOurs

log = logging.getLogger("bancada.engine")

AT_ONCE = 4
"""Runs that one process works on side by side."""
LATE_SECONDS = 120.0
"""A time that is found later than this was missed: nothing ran when it came."""
PATIENCE_SECONDS = 900.0
"""How long a question waits for a place among its owner's turns."""


@dataclass(frozen=True, kw_only=True)
class RunEnd:
    """How a run ends."""

    says: tuple[Wording, ...] = ()
    found: tuple[AlarmFinding, ...] = ()
    failed: bool = False

    @property
    def status(self) -> RunStatus:
        if self.failed:
            return "failed"
        return "alarm" if self.found else "done"


@dataclass
class Clockwork:
    """The runs that this process works on."""

    database: Database
    gate: Gate
    dashboards: DashboardDesk
    studies: StudyDesk
    conversations: Conversations
    owner: str
    clock: Callable[[], float] = time.time
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    # ------------------------------------------------------------------ what is due

    async def tick(self) -> None:
        """Claim what is due, take up what others left, and take every run of ours a step on."""
        for run in await self.database.read(self._left):
            await self.database.run(schedules.take, run, self.owner)
        free = AT_ONCE - len(self._tasks)
        if free > 0:
            for schedule in await self.database.read(schedules.due, self.clock(), free):
                await self.database.run(self._claim, schedule)
        for run in await self.database.read(schedules.running):
            if run.owner == self.owner:
                self.go_on(run)

    def go_on(self, run: ScheduleRun) -> None:
        """Take a run of ours a step on, in a task of its own; one that is under way is left alone."""
        if run.id in self._tasks or len(self._tasks) >= AT_ONCE:
            return
        task = self._tasks[run.id] = asyncio.create_task(self._step(run))
        task.add_done_callback(lambda _: self._tasks.pop(run.id, None))

    async def settled(self) -> None:
        """Wait until nothing is under way here."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))

    async def close(self) -> None:
        """Stop; what is under way goes on at the next start, or with another process."""
        # A call that is cut now is left as a crash would leave it: it is made again, not failed.
        self.gate.draining = True
        tasks = set(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _left(self, db: Connection) -> list[ScheduleRun]:
        """Runs nobody is at work on any more: on SQLite one process serves, and it is this one."""
        found = [run for run in schedules.running(db) if run.owner != self.owner]
        if not found or db.dialect.name == "sqlite":
            return found
        alive = processes.everybody(db)
        return [run for run in found if run.owner not in alive]

    def _claim(self, db: Connection, schedule: Schedule) -> None:
        """Make a run of a time that is due, or write down why it is left out."""
        now, due_at = self.clock(), schedule.next_at
        assert due_at is not None
        cron, zone = Cron.read(schedule.cron), zone_of(schedule.time_zone)
        last, count = cron.missed(due_at, now, zone)
        if not schedules.move_on(db, schedule, cron.after(now, zone)):
            return
        is_late = now - last > LATE_SECONDS
        reason: RunReason = "missed" if is_late or count > 1 else "due"
        missed = count if reason == "missed" else 0
        run = self.new_run(schedule, reason, last, missed=missed)
        at = in_words(last, zone)
        if schedules.is_running(db, schedule.id):
            schedules.begin(db, _left_out(run, Wording("run_overtaken", at=at), now))
        elif reason == "missed" and not schedule.catch_up:
            told = Wording("run_not_caught_up", at=at, n=_counted(missed))
            schedules.begin(db, _left_out(run, told, now))
        elif reason == "missed":
            told = Wording("run_missed", at=at, n=_counted(missed))
            schedules.begin(db, replace(run, says=[told.as_json()]))
        else:
            schedules.begin(db, run)

    def new_run(
        self, schedule: Schedule, reason: RunReason, due_at: float, *, missed: int = 0
    ) -> ScheduleRun:
        return ScheduleRun(
            id=secrets.token_hex(8),
            schedule_id=schedule.id,
            organisation_id=schedule.organisation_id,
            user_id=schedule.user_id,
            reason=reason,
            due_at=due_at,
            missed=missed,
            owner=self.owner,
            started_at=self.clock(),
        )

    # ------------------------------------------------------------------ a run

    async def _step(self, run: ScheduleRun) -> None:
        try:
            schedule, person = await self.database.read(_whose, run)
            if schedule is None:
                return
            ended = await self._done(schedule, run, person)
            if ended is not None:
                await self.database.run(self._finish, schedule, run, ended)
        except (NotOurs, DatabaseAway):
            log.info("the run %s goes on elsewhere, or later", run.id)
        except Exception:
            log.exception("the run %s could not be taken on; it is tried again", run.id)

    async def _done(self, schedule: Schedule, run: ScheduleRun, person: Person) -> RunEnd | None:
        """What the run comes to, with its owner's rights as they are now; none: not over yet."""
        if not person.is_active:
            return RunEnd(says=(Wording("run_no_account"),), failed=True)
        try:
            if schedule.does["kind"] == "question":
                return await self._ask(schedule, run, person)
            if schedule.does["kind"] == "study":
                return await self._study(schedule, run, person)
            return await self._refresh(schedule, run, person)
        except (NotOurs, DatabaseAway):
            raise
        except Problem as problem:
            return RunEnd(says=(problem.wording,), failed=True)
        except Exception:
            log.exception("the run %s failed", run.id)
            return RunEnd(says=(Wording("run_broke"),), failed=True)

    async def _refresh(self, schedule: Schedule, run: ScheduleRun, person: Person) -> RunEnd:
        board = await self.dashboards.refresh(
            person, schedule.does["dashboard_id"], run=CALLS + run.id
        )
        failed = [item for item in board.items if item["error"] is not None]
        looked = alarms.of_board(board.items, schedule.alarms)
        if not failed:
            return _looked(looked)
        first = Wording(
            "run_item_failed",
            title=str(failed[0]["data"].get("titulo") or "—"),
            why=Wording.of(failed[0]["error"]),
        )
        says = Wording("run_items_failed", n=len(failed), all=len(board.items), first=first)
        return replace(_looked(looked), says=(says, *looked.unseen), failed=True)

    async def _study(self, schedule: Schedule, run: ScheduleRun, person: Person) -> RunEnd:
        made = await self.studies.run(person, schedule.does["study_id"], run=CALLS + run.id)
        if made.error is not None:
            return RunEnd(says=(made.error,), failed=True)
        return _looked(
            alarms.of_study(made.study.id, made.study.name, made.broken, schedule.alarms)
        )

    async def _ask(self, schedule: Schedule, run: ScheduleRun, person: Person) -> RunEnd | None:
        """Ask once, then look at each step whether the answer is there."""
        turn_id = new_id(hashlib.sha256(run.id.encode()).hexdigest())
        turn = await self.database.read(turns.find, turn_id)
        if turn is None and run.turn_id is not None:
            return RunEnd(says=(Wording("run_conversation_gone"),), failed=True)
        if turn is not None:
            if run.turn_id is None:
                await self.database.run(_hold, run, turn_id=turn_id)
            match turn.status:
                case "done":
                    return RunEnd()
                case "failed" | "stopped":
                    return RunEnd(says=(Wording(f"run_turn_{turn.status}"),), failed=True)
            return None
        try:
            conversation_id = await self.database.run(self._room, schedule, run, person)
            await self.conversations.ask(person, conversation_id, schedule.does["content"], turn_id)
        except (TooOften, Conflict):
            if self.clock() - run.started_at < PATIENCE_SECONDS:
                return None
            raise
        await self.database.run(
            _hold, replace(run, conversation_id=conversation_id), turn_id=turn_id
        )
        return None

    def _room(self, db: Connection, schedule: Schedule, run: ScheduleRun, person: Person) -> str:
        """The conversation that the question is asked in: the one it names, or a new one."""
        named = schedule.does.get("conversation_id")
        if named is not None:
            conversations.owned(db, named, person.id)
            last = turns.last_of(db, named)
            # What waits for the person's word there is not called off by a clock.
            if last is not None and last.status in UNFINISHED:
                raise Conflict("run_conversation_busy")
            _hold(db, run, conversation_id=named)
            return str(named)
        if run.conversation_id is not None:
            return run.conversation_id
        agent_id = schedule.does["agent_id"]
        if not agents.may_use(db, person.id, agent_id):
            raise Forbidden("agent_no_longer_yours")
        row = begin_conversation(db, person, agent_id)
        conversations.change(db, row.id, title=schedule.title)
        _hold(db, run, conversation_id=row.id)
        return row.id

    # ------------------------------------------------------------------ its end

    def _finish(self, db: Connection, schedule: Schedule, run: ScheduleRun, end: RunEnd) -> None:
        """The end, the call that is proposed and the notice: all of it, or nothing."""
        before = schedules.last_told(db, run)
        known = set() if before is None else {one["key"] for one in before.found}
        new = [one for one in end.found if one.key not in known]
        says = [*run.says, *(one.as_json() for one in end.says)]
        waits: str | None = None
        if new and schedule.proposal is not None:
            proposed = self._propose(db, schedule, run)
            if isinstance(proposed, Waiting):
                waits = proposed.confirmation_id
            else:
                why = not_run(schedule.proposal["tool"], proposed)
                says.append(Wording("run_proposal_refused", why=why).as_json())
        found = [
            {"key": one.key, "says": one.says.as_json(), "new": one.key not in known}
            for one in end.found
        ]
        if not schedules.move(
            db,
            run,
            status=end.status,
            says=says,
            found=found,
            confirmation_id=waits,
            ended_at=self.clock(),
        ):
            raise NotOurs(run.id)  # what was written above goes with it
        schedules.forget_calls(db, run.id)
        self._tell(db, schedule, run, end, new, before)

    def _propose(self, db: Connection, schedule: Schedule, run: ScheduleRun) -> Outcome | Waiting:
        """Put the call to a person. It never runs by itself: a proposal is always asked about."""
        assert schedule.proposal is not None
        tool = schedule.proposal["tool"]
        owner = people.person(db, schedule.user_id)
        agent = calling_agent(db, self.gate.registry, self.gate.rulebook, owner, tool)
        scope = CallScope(
            person_id=owner.id,
            organisation_id=owner.organisation_id,
            agent=agent,
            proposed=True,
        )
        call = ToolCall(
            id=f"propose_{run.id}",
            name=tool,
            input=schedule.proposal["input"],
            caller=Caller(via="schedule", session=schedule.id),
        )
        decided = admit(db, self.gate.context(), Case(call=call, scope=scope))
        assert not isinstance(decided, Admitted), "a proposal runs after a person's word only"
        return decided

    def _tell(
        self,
        db: Connection,
        schedule: Schedule,
        run: ScheduleRun,
        end: RunEnd,
        new: list[AlarmFinding],
        before: ScheduleRun | None,
    ) -> None:
        """The same failure tells once, until it is another or a run succeeds; a finding when it is new."""
        now = self.clock()
        owner = people.person(db, schedule.user_id)
        if new:
            title = Wording("alarm_found", schedule=schedule.title, what=new[0].says)
            if len(new) > 1:
                title = Wording("alarm_more", first=title, n=len(new) - 1)
            _notify(db, owner, schedule, run, title, now)
        if not end.failed:
            return
        why = end.says[0]
        last = before if before is not None and before.status == "failed" else None
        if last is not None and why.as_json() in last.says:
            return
        title = Wording("alarm_failed", schedule=schedule.title, why=why)
        _notify(db, owner, schedule, run, title, now)
        if not owner.is_active:
            # Nothing is sent to a disabled account: whoever looks after the people hears instead.
            other = Wording("alarm_failed_of", schedule=schedule.title, person=owner.name, why=why)
            for person in people.people_of(db, owner.organisation_id):
                if person.role == "admin" and person.is_active and people.is_account(person):
                    _notify(db, person, schedule, run, other, now)


def _notify(
    db: Connection, person: Person, schedule: Schedule, run: ScheduleRun, title: Wording, now: float
) -> None:
    says: JSONObject = {"title": title.as_json(), "path": f"schedules/{schedule.id}"}
    notices.notify(db, person.id, "alarm", run.id, says=says, now=now)


def _looked(looked: AlarmOutcome) -> RunEnd:
    return RunEnd(says=looked.unseen, found=looked.found, failed=bool(looked.unseen))


def _left_out(run: ScheduleRun, why: Wording, now: float) -> ScheduleRun:
    return replace(run, status="skipped", says=[why.as_json()], ended_at=now)


def _counted(missed: int) -> str:
    return f"{missed}+" if missed >= MOST_COUNTED else str(missed)


def _hold(db: Connection, /, run: ScheduleRun, **changes: str) -> None:
    if not schedules.move(db, run, **changes):
        raise NotOurs(run.id)


def _whose(db: Connection, run: ScheduleRun) -> tuple[Schedule | None, Person]:
    return schedules.find(db, run.schedule_id), people.person(db, run.user_id)
