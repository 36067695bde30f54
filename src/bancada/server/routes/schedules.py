"""Schedules: what is done by the clock, what it looks for, and how it went."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, Field, StringConstraints

from bancada.domain.errors import Forbidden
from bancada.domain.people import Language, Person
from bancada.domain.shapes import JSONMap, Shape, example
from bancada.domain.wording import Wording
from bancada.engine.conversations import MOST_CHARS
from bancada.engine.schedules import WantedSchedule
from bancada.server.auth import Bench, CurrentAccess, CurrentPerson
from bancada.server.problems import documented
from bancada.server.shapes import Moment, Name, Out, isoformat
from bancada.store.schedules import RunReason, RunStatus, Schedule, ScheduleRun

router = APIRouter(tags=["schedules"])

ScheduleId = Annotated[str, Path(min_length=1, max_length=40)]
CronWords = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
ZoneName = Annotated[str, StringConstraints(min_length=1, max_length=60)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Limit = Annotated[float, Field(allow_inf_nan=False)]


def _whole_person(access: CurrentAccess) -> Person:
    """Whoever asks with all of their rights: what runs by the clock knows no key's limits."""
    if access.is_narrow:
        raise Forbidden("schedule_key_narrow")
    return access.person


WholePerson = Annotated[Person, Depends(_whole_person)]


class RefreshDashboard(Shape):
    """Bring a dashboard of yours up to date."""

    kind: Literal["dashboard"]
    dashboard_id: Id


class AskQuestion(Shape):
    """Ask an agent, in a conversation of yours or in a new one each time."""

    kind: Literal["question"]
    agent: Annotated[int, Field(ge=1, le=2**31 - 1)] | Name | None = None
    """Its name or id; a conversation has its own."""
    content: Annotated[str, StringConstraints(min_length=1, max_length=MOST_CHARS)]
    conversation_id: Id | None = None
    """Ask there, where the data sets are; null: a new conversation each time."""


class MakeStudy(Shape):
    """Make a saved study again: one of yours, or one that is shared with you."""

    kind: Literal["study"]
    study_id: Annotated[str, StringConstraints(min_length=1, max_length=120)]
    """Its id or name."""


class RuleAlarm(Shape):
    """A control chart shows a rule broken."""

    kind: Literal["rule"]
    rules: Annotated[list[Annotated[int, Field(ge=1, le=20)]], Field(max_length=20)] | None = None
    """Only these; null: any."""


class ThresholdAlarm(Shape):
    """A figure of the dashboard is beyond a limit."""

    kind: Literal["threshold"]
    item: Id
    op: Literal[">", ">=", "<", "<="]
    value: Limit


class ProposedCall(Shape):
    """A call that is put to a person when an alarm goes off; it never runs by itself."""

    tool: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    input: JSONMap = Field(default_factory=dict)


Does = Annotated[RefreshDashboard | AskQuestion | MakeStudy, Field(discriminator="kind")]
Alarms = Annotated[
    list[Annotated[RuleAlarm | ThresholdAlarm, Field(discriminator="kind")]],
    Field(max_length=20),
]


class NewSchedule(Shape):
    """What to do, and when."""

    model_config = example(
        title="Every morning",
        does={"kind": "question", "agent": "Qualidade", "content": "How many defects yesterday?"},
        cron="30 7 * * mon-fri",
        time_zone="Europe/Lisbon",
    )

    title: Name
    does: Does
    cron: CronWords
    time_zone: ZoneName
    catch_up: bool = True
    """Whether a time that was missed while nothing ran is made up for, once."""
    alarms: Alarms = Field(default_factory=list)
    proposal: ProposedCall | None = None
    paused: bool = False


class ScheduleChange(Shape):
    """What is named changes."""

    model_config = example(paused=True)

    title: Name | None = None
    does: Does | None = None
    cron: CronWords | None = None
    time_zone: ZoneName | None = None
    catch_up: bool | None = None
    alarms: Alarms | None = None
    proposal: ProposedCall | None = None
    paused: bool | None = None


class FoundOut(BaseModel):
    says: str
    new: bool
    """It was not there at the run before."""


class RunOut(Out):
    """One time that it was done, or left out."""

    id: str
    reason: RunReason
    status: RunStatus
    due_at: Moment
    started_at: Moment
    ended_at: Moment | None
    missed: int
    says: list[str]
    found: list[FoundOut]
    conversation_id: str | None
    confirmation_id: str | None
    """The call that it proposed."""

    @staticmethod
    def told(run: ScheduleRun, language: Language) -> RunOut:
        return RunOut.of(
            run,
            says=[Wording.of(one).told(language) for one in run.says],
            found=[
                FoundOut(says=Wording.of(one["says"]).told(language), new=one["new"])
                for one in run.found
            ],
        )


class ScheduleOut(Out):
    """A schedule of yours."""

    id: str
    title: str
    does: dict[str, Any]
    cron: str
    time_zone: str
    catch_up: bool
    alarms: list[dict[str, Any]]
    proposal: dict[str, Any] | None
    paused: bool
    next_at: Moment | None
    last_run: RunOut | None
    created_at: Moment
    updated_at: Moment

    @staticmethod
    def told(found: Schedule, last: ScheduleRun | None, person: Person) -> ScheduleOut:
        return ScheduleOut.of(
            found,
            paused=found.paused_at is not None,
            last_run=None if last is None else RunOut.told(last, person.language),
        )


class Times(BaseModel):
    """When it will be."""

    times: list[Moment]


@router.get("/schedules", responses=documented(401))
async def mine(person: CurrentPerson, bench: Bench) -> list[ScheduleOut]:
    """Your schedules, each with its last run."""
    return [ScheduleOut.told(*one, person) for one in await bench.schedules.all(person)]


@router.get("/schedules/times", responses=documented(401, 422))
async def times(
    person: CurrentPerson,
    bench: Bench,
    cron: Annotated[str, Query(max_length=200)],
    time_zone: Annotated[str, Query(max_length=60)],
) -> Times:
    """The next times that cron's words mean in a time zone."""
    return Times(times=[isoformat(at) for at in bench.schedules.times(cron, time_zone)])


@router.post("/schedules", status_code=201, responses=documented(401, 403, 404, 409, 422))
async def add(body: NewSchedule, person: WholePerson, bench: Bench) -> ScheduleOut:
    """Make a schedule. It runs with your rights as they are each time."""
    made = await bench.schedules.add(person, WantedSchedule(**body.model_dump()))
    return ScheduleOut.told(made, None, person)


@router.get("/schedules/{id}", responses=documented(401, 404, 422))
async def one(id: ScheduleId, person: CurrentPerson, bench: Bench) -> ScheduleOut:
    """A schedule of yours."""
    return ScheduleOut.told(*await bench.schedules.one(person, id), person)


@router.patch("/schedules/{id}", responses=documented(401, 403, 404, 409, 422))
async def change(
    id: ScheduleId, body: ScheduleChange, person: WholePerson, bench: Bench
) -> ScheduleOut:
    """Change it, pause it, or let it go on; `proposal: null` proposes nothing any more."""
    told = body.model_dump(exclude_unset=True)
    changes = {name: one for name, one in told.items() if one is not None or name == "proposal"}
    await bench.schedules.change(person, id, changes)
    return ScheduleOut.told(*await bench.schedules.one(person, id), person)


@router.delete("/schedules/{id}", status_code=204, responses=documented(401, 404, 422))
async def remove(id: ScheduleId, person: CurrentPerson, bench: Bench) -> None:
    """Remove it, with its history."""
    await bench.schedules.remove(person, id)


@router.post("/schedules/{id}/run", status_code=202, responses=documented(401, 404, 409, 422))
async def run(id: ScheduleId, person: WholePerson, bench: Bench) -> RunOut:
    """Do it now. Its history says how it went."""
    return RunOut.told(await bench.schedules.run(person, id), person.language)


@router.get("/schedules/{id}/runs", responses=documented(401, 404, 422))
async def history(
    id: ScheduleId,
    person: CurrentPerson,
    bench: Bench,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[float | None, Query(description="Only those begun before it.")] = None,
) -> list[RunOut]:
    """How it went, the newest first."""
    found = await bench.schedules.history(person, id, before=before, limit=limit)
    return [RunOut.told(one, person.language) for one in found]
