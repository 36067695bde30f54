"""Studies kept by name: saved, listed, made again, shared within the organisation."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field, StringConstraints

from bancada.dashboards import StudyRun
from bancada.domain.people import Person
from bancada.domain.shapes import JSONMap, Shape
from bancada.domain.studies import StudyCall
from bancada.server.auth import Bench, CurrentPerson
from bancada.server.problems import documented
from bancada.server.shapes import EventName, Moment, Name, Out, isoformat
from bancada.store.studies import SavedStudy

router = APIRouter(tags=["studies"])

StudyId = Annotated[str, Path(min_length=1, max_length=120)]


class StudyOut(Out):
    """A study that you see; it runs with the rights of whoever runs it."""

    id: str
    name: str
    tool: str
    input: dict[str, Any]
    owner: str
    own: bool
    shared: bool
    created_at: Moment
    updated_at: Moment

    @staticmethod
    def to(person: Person, study: SavedStudy) -> StudyOut:
        return StudyOut.of(study, owner=study.person, own=study.user_id == person.id)


class StudyOfEvent(Shape):
    """The call behind what an event of one of your conversations showed."""

    name: Name
    event: EventName
    shared: bool = False


class StudyOfCall(Shape):
    """A call of a tool that reads."""

    name: Name
    tool: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    input: JSONMap = Field(default_factory=dict)
    conversation_id: Annotated[str, StringConstraints(max_length=80)] | None = None
    """Whose files it reads; none: tables that are there without a conversation."""
    shared: bool = False


class StudyChange(Shape):
    name: Name | None = None
    shared: bool | None = None


class ShownWidget(BaseModel):
    type: Literal["chart", "table", "kpi", "graph", "dashboard"]
    data: dict[str, Any]


class StudyRunOut(BaseModel):
    """How a study ended now; `error` says why it was not made."""

    study: StudyOut
    at: Moment
    value: Any
    """What the tool gave; none where it was not made."""
    reading: str
    in_control: bool | None
    widgets: list[ShownWidget]
    error: str | None

    @staticmethod
    def to(person: Person, ran: StudyRun) -> StudyRunOut:
        outcome = ran.outcome
        shown = () if outcome is None else outcome.widgets
        return StudyRunOut(
            study=StudyOut.to(person, ran.study),
            at=isoformat(ran.at),
            value=None if outcome is None else outcome.shown,
            reading=ran.reading,
            in_control=ran.in_control,
            widgets=[ShownWidget(type=one.kind, data=one.data) for one in shown],
            error=None if ran.error is None else ran.error.told(person.language),
        )


@router.get("/studies", responses=documented(401))
async def listed(person: CurrentPerson, bench: Bench) -> list[StudyOut]:
    """Your studies, and those that others of your organisation share."""
    return [StudyOut.to(person, one) for one in await bench.studies.visible(person)]


@router.post("/studies", status_code=201, responses=documented(401, 404, 409, 422))
async def saved(body: StudyOfEvent | StudyOfCall, person: CurrentPerson, bench: Bench) -> StudyOut:
    """Keep a study by name: what a chat showed, or a call of a tool that reads."""
    if isinstance(body, StudyOfEvent):
        kept = await bench.studies.save_shown(person, body.name, body.event, shared=body.shared)
    else:
        call = StudyCall(**body.model_dump(exclude={"name"}))
        kept = await bench.studies.save(person, body.name, call)
    return StudyOut.to(person, kept)


@router.get("/studies/{id}", responses=documented(401, 404, 409, 422))
async def study(id: StudyId, person: CurrentPerson, bench: Bench) -> StudyOut:
    """A study that you see."""
    return StudyOut.to(person, await bench.studies.find(person, id))


@router.patch("/studies/{id}", responses=documented(401, 404, 409, 422))
async def changed(id: StudyId, body: StudyChange, person: CurrentPerson, bench: Bench) -> StudyOut:
    """Give a study of yours another name, share it with your organisation, or not any more."""
    kept = await bench.studies.change(person, id, name=body.name, shared=body.shared)
    return StudyOut.to(person, kept)


@router.delete("/studies/{id}", status_code=204, responses=documented(401, 404, 422))
async def removed(id: StudyId, person: CurrentPerson, bench: Bench) -> None:
    """Remove a study of yours."""
    await bench.studies.remove(person, id)


@router.post("/studies/{id}/run", responses=documented(401, 404, 409, 422))
async def ran(id: StudyId, person: CurrentPerson, bench: Bench) -> StudyRunOut:
    """Make a study again, with your rights as they are now; no model is asked."""
    return StudyRunOut.to(person, await bench.studies.run(person, id))
