"""Who decides for a person while they are away."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter
from pydantic import AwareDatetime, Field
from sqlalchemy import Connection

from bancada.domain.errors import Invalid, NotFound
from bancada.domain.people import Person
from bancada.domain.shapes import Email, Shape, example
from bancada.gate.administration import note
from bancada.server.auth import Bench, CurrentPerson
from bancada.server.parameters import Number
from bancada.server.problems import documented
from bancada.server.shapes import Moment, Out, PersonRef, isoformat
from bancada.store import people, stand_ins
from bancada.store.stand_ins import StandIn

router = APIRouter(tags=["confirmations"])


class StandInChoice(Shape):
    """Somebody of your organisation, and until when."""

    model_config = example(person="rui@demo.com", until="2030-01-31T18:00:00Z")

    person: Number | Email
    """An id or an address."""
    until: Annotated[AwareDatetime, Field(strict=False)]


class StandInOut(Out):
    """Who decides for you, until a moment."""

    person: PersonRef
    since: Moment
    until: Moment


@router.get("/me/stand-in", responses=documented(401))
async def stand_in(person: CurrentPerson, bench: Bench) -> StandInOut | None:
    """Who decides for you now; null: you do."""
    return await bench.database.read(_of, person)


@router.put("/me/stand-in", responses=documented(401, 404, 422))
async def name_stand_in(body: StandInChoice, person: CurrentPerson, bench: Bench) -> StandInOut:
    """Name who decides for you while you are away; what you asked for yourself too."""
    return await bench.database.run(_name, person, body.person, body.until)


@router.delete("/me/stand-in", status_code=204, responses=documented(401))
async def end_stand_in(person: CurrentPerson, bench: Bench) -> None:
    """You are back: nobody decides for you any more."""
    await bench.database.run(_end, person)


def _of(db: Connection, person: Person) -> StandInOut | None:
    found = stand_ins.of_person(db, person.id, time.time())
    return None if found is None else _shown(db, found)


def _name(db: Connection, person: Person, whom: int | str, until: datetime) -> StandInOut:
    other = _beside(db, person, whom)
    now = time.time()
    if until.timestamp() <= now:
        raise Invalid("stand_in_until_past")
    named = stand_ins.name(
        db,
        organisation_id=person.organisation_id,
        person_id=person.id,
        stand_in_id=other.id,
        until=until.timestamp(),
        now=now,
    )
    after = {"stand_in": other.email, "until": isoformat(named.until)}
    note(db, person, "stand_in_named", person, after=after)
    return _shown(db, named)


def _end(db: Connection, person: Person) -> None:
    if stand_ins.end(db, person.id, time.time()):
        note(db, person, "stand_in_ended", person)


def _beside(db: Connection, person: Person, whom: int | str) -> Person:
    found = next(
        (
            one
            for one in people.accounts_of(db, person.organisation_id)
            if one.is_active and whom in (one.id, one.email)
        ),
        None,
    )
    if found is None:
        raise NotFound("no_person")
    if found.id == person.id:
        raise Invalid("stand_in_oneself")
    return found


def _shown(db: Connection, found: StandIn) -> StandInOut:
    person = PersonRef.of(people.person(db, found.stand_in_id))
    return StandInOut.of(found, person=person, since=found.created_at)
