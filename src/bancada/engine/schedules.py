"""What a person can do with their schedules: make, change, pause, run one now, look back."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from bancada.dashboards import DashboardDesk
from bancada.domain.cron import Cron, zone_of
from bancada.domain.errors import Conflict, Forbidden, Invalid, NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.engine.alarms import figure
from bancada.engine.clockwork import Clockwork
from bancada.gate.administration import note
from bancada.gate.gate import Gate
from bancada.gate.listing import within_reach
from bancada.store import agents, conversations, dashboards, people, schedules, studies
from bancada.store.database import Database
from bancada.store.schedules import Schedule, ScheduleRun

MOST_SCHEDULES = 100
SHOWN_TIMES = 5


@dataclass(frozen=True, kw_only=True)
class WantedSchedule:
    """A schedule as its owner asks for it."""

    title: str
    does: JSONObject
    cron: str
    time_zone: str
    catch_up: bool = True
    alarms: Sequence[JSONObject] = ()
    proposal: JSONObject | None = None
    paused: bool = False


@dataclass
class ScheduleDesk:
    """A person's own schedules; nobody sees another's."""

    database: Database
    gate: Gate
    dashboards: DashboardDesk
    clockwork: Clockwork
    clock: Callable[[], float] = field(default=time.time)

    async def all(self, person: Person) -> list[tuple[Schedule, ScheduleRun | None]]:
        """Every one of theirs, each with its last run."""
        return await self.database.read(_all, person)

    async def one(self, person: Person, id: str) -> tuple[Schedule, ScheduleRun | None]:
        return await self.database.read(_one, person, id)

    def times(self, cron: str, time_zone: str) -> list[float]:
        """The next times that these words mean."""
        read, zone, found = Cron.read(cron), zone_of(time_zone), [self.clock()]
        while len(found) <= SHOWN_TIMES and (at := read.after(found[-1], zone)) is not None:
            found.append(at)
        if len(found) == 1:
            raise Invalid("cron_never")
        return found[1:]

    async def add(self, person: Person, wanted: WantedSchedule) -> Schedule:
        return await self.database.run(self._add, person, wanted)

    def _add(self, db: Connection, person: Person, wanted: WantedSchedule) -> Schedule:
        people.hold(db, person.id)
        if len(schedules.of_person(db, person.id)) >= MOST_SCHEDULES:
            raise Conflict("schedules_most", n=MOST_SCHEDULES)
        now = self.clock()
        new = Schedule(
            id=secrets.token_hex(6),
            organisation_id=person.organisation_id,
            user_id=person.id,
            created_at=now,
            **self._checked(db, person, wanted),
        )
        schedules.add(db, new)
        note(db, person, "schedule_added", new.title, id=new.id, after=_facts(new))
        return new

    async def change(self, person: Person, id: str, changes: dict[str, Any]) -> Schedule:
        """Change what is named; everything is checked again, as it will run."""
        return await self.database.run(self._change, person, id, changes)

    def _change(self, db: Connection, person: Person, id: str, changes: dict[str, Any]) -> Schedule:
        before = schedules.owned(db, id, person.id, lock=True)
        now: dict[str, Any] = {name: getattr(before, name) for name in WANTED}
        now["paused"] = before.paused_at is not None
        if changes.keys() == {"paused"}:
            # What it does may not be possible any more: it can be paused all the same.
            values = self._times_of(before.cron, before.time_zone, changes["paused"], before)
        else:
            values = self._checked(db, person, WantedSchedule(**{**now, **changes}), before)
        schedules.change(db, id, **values)
        after = schedules.owned(db, id, person.id)
        note(
            db, person, "schedule_changed", after.title, id=id,
            before=_facts(before), after=_facts(after),
        )  # fmt: skip
        return after

    async def remove(self, person: Person, id: str) -> None:
        await self.database.run(_remove, person, id)

    async def run(self, person: Person, id: str) -> ScheduleRun:
        """Do it now, beside its times; a paused one too."""
        run = await self.database.run(self._begin, person, id)
        self.clockwork.go_on(run)
        return run

    def _begin(self, db: Connection, person: Person, id: str) -> ScheduleRun:
        found = schedules.owned(db, id, person.id, lock=True)
        if schedules.is_running(db, id):
            raise Conflict("schedule_running")
        run = self.clockwork.new_run(found, "asked", self.clock())
        schedules.begin(db, run)
        note(db, person, "schedule_run", found.title, id=id)
        return run

    async def history(
        self, person: Person, id: str, *, before: float | None, limit: int
    ) -> list[ScheduleRun]:
        return await self.database.read(_history, person, id, before, limit)

    # ------------------------------------------------------------------ checks

    def _checked(
        self, db: Connection, person: Person, wanted: WantedSchedule, before: Schedule | None = None
    ) -> dict[str, Any]:
        """The schedule's own columns, where all of it can be done by this person now."""
        self.times(wanted.cron, wanted.time_zone)
        does = self._does(db, person, wanted.does)
        self._check_alarms(db, person, does, wanted.alarms)
        if wanted.proposal is not None:
            if not wanted.alarms:
                raise Invalid("schedule_proposal_alone")
            self._check_proposal(db, person, wanted.proposal)
        return {
            "title": wanted.title,
            "does": does,
            "cron": wanted.cron,
            "time_zone": wanted.time_zone,
            "catch_up": wanted.catch_up,
            "alarms": list(wanted.alarms),
            "proposal": wanted.proposal,
            **self._times_of(wanted.cron, wanted.time_zone, wanted.paused, before),
        }

    def _times_of(
        self, cron: str, time_zone: str, paused: bool, before: Schedule | None
    ) -> dict[str, Any]:
        now = self.clock()
        since = now if before is None or before.paused_at is None else before.paused_at
        next_at = None if paused else Cron.read(cron).after(now, zone_of(time_zone))
        return {"next_at": next_at, "paused_at": since if paused else None, "updated_at": now}

    def _does(self, db: Connection, person: Person, does: JSONObject) -> JSONObject:
        if does["kind"] == "dashboard":
            row = dashboards.owned(db, does["dashboard_id"], person.id)
            if row.html is not None:
                raise Invalid("schedule_page")
            if not self.dashboards.live(person, row):
                raise Invalid("schedule_nothing_live")
            return does
        if does["kind"] == "study":
            return {"kind": "study", "study_id": studies.find(db, person, does["study_id"]).id}
        named = does.get("conversation_id")
        if named is not None:
            agent_id = conversations.owned(db, named, person.id).agent_id
        else:
            mine = agents.agents_of(db, person.organisation_id)
            wanted = does.get("agent_id", does.get("agent"))
            found = next((one for one in mine if wanted in (one.id, one.name)), None)
            if found is None or found.id is None:
                raise NotFound("no_agent")
            agent_id = found.id
        if not agents.may_use(db, person.id, agent_id):
            raise Forbidden("agent_not_yours", name=agents.name_of(db, agent_id))
        return {
            "kind": "question",
            "agent_id": agent_id,
            "content": does["content"],
            "conversation_id": named,
        }

    def _check_alarms(
        self, db: Connection, person: Person, does: JSONObject, alarms: Sequence[JSONObject]
    ) -> None:
        if alarms and does["kind"] == "question":
            raise Invalid("schedule_no_alarm")
        if does["kind"] == "study":
            if any(one["kind"] == "threshold" for one in alarms):
                raise Invalid("schedule_no_threshold")
            return
        if does["kind"] != "dashboard":
            return
        items = dashboards.owned(db, does["dashboard_id"], person.id).items
        figures = {item["id"] for item in items if figure(item) is not None}
        if any(one["kind"] == "threshold" and one["item"] not in figures for one in alarms):
            raise Invalid("schedule_no_figure")

    def _check_proposal(self, db: Connection, person: Person, proposal: JSONObject) -> None:
        reached = within_reach(db, self.gate.registry, self.gate.rulebook, person)
        tool = next((one.tool for one in reached if one.tool.name == proposal["tool"]), None)
        if tool is None:
            raise Invalid("no_agent_of_yours_has", name=proposal["tool"])
        if problem := tool.validator.problem(proposal["input"]):
            raise Invalid("bad_input", problem=problem)


WANTED = ("title", "does", "cron", "time_zone", "catch_up", "alarms", "proposal")


def _facts(found: Schedule) -> JSONObject:
    """What the record says of a schedule."""
    facts: JSONObject = {name: getattr(found, name) for name in WANTED}
    return {**facts, "paused": found.paused_at is not None}


def _all(db: Connection, person: Person) -> list[tuple[Schedule, ScheduleRun | None]]:
    last = schedules.last_runs(db, person.id)
    return [(one, last.get(one.id)) for one in schedules.of_person(db, person.id)]


def _one(db: Connection, person: Person, id: str) -> tuple[Schedule, ScheduleRun | None]:
    found = schedules.owned(db, id, person.id)
    return found, next(iter(schedules.runs_of(db, id, limit=1)), None)


def _remove(db: Connection, person: Person, id: str) -> None:
    found = schedules.owned(db, id, person.id)
    # Before the rows: whoever ends a run holds the chain's head before the run, and both must come
    # in one order.
    note(db, person, "schedule_removed", found.title, id=id, before=_facts(found))
    schedules.remove(db, id)


def _history(
    db: Connection, person: Person, id: str, before: float | None, limit: int
) -> list[ScheduleRun]:
    schedules.owned(db, id, person.id)
    return schedules.runs_of(db, id, before=before, limit=limit)
