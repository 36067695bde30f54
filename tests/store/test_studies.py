"""Limits and studies that are kept by name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Connection

from bancada.domain.errors import Conflict, Forbidden, NotFound
from bancada.domain.people import Person
from bancada.domain.studies import ChartLimits, StudyCall
from bancada.store import control_limits, people, studies
from bancada.store.database import Database

CHART = ChartLimits(chart="i-mr", parameters={"centre": 10.0}, origin={"data": "peso"})
CALL = StudyCall(tool="t", input={"a": 1})


def _people(db: Connection) -> dict[str, Person]:
    first = people.first_organisation(db)
    other = people.add_organisation(db, "Other")
    roles = {"rui": first, "ana": first, "eva": first, "zoe": other}
    return {
        name: people.add_person(
            db,
            organisation_id=whose,
            email=f"{name}@example.com",
            name=name.title(),
            role="admin" if name == "eva" else "responsavel",
            language="en",
        )
        for name, whose in roles.items()
    }


async def test_limits_are_kept_for_the_organisation_and_change_only_when_replaced(
    database: Database,
) -> None:
    def story(db: Connection) -> None:
        who = _people(db)
        control_limits.freeze(db, who["rui"], "Linha 1", CHART)
        kept = control_limits.named(db, who["ana"].organisation_id, "Linha 1")
        assert (kept.set_by, kept.parameters) == ("Rui", {"centre": 10.0})
        other = replace(CHART, parameters={"centre": 99.0})
        with pytest.raises(Conflict):
            control_limits.freeze(db, who["rui"], "Linha 1", other)
        with pytest.raises(Forbidden):
            control_limits.freeze(db, who["ana"], "Linha 1", other, replace=True)
        assert control_limits.named(db, who["ana"].organisation_id, "Linha 1") == kept
        with pytest.raises(NotFound):
            control_limits.named(db, who["zoe"].organisation_id, "Linha 1")
        control_limits.freeze(db, who["zoe"], "Linha 1", other)
        changed = control_limits.freeze(db, who["eva"], "Linha 1", other, replace=True)
        assert (changed.set_by, changed.parameters) == ("Eva", {"centre": 99.0})
        with pytest.raises(Forbidden):
            control_limits.remove(db, who["rui"], "Linha 1")
        control_limits.remove(db, who["eva"], "Linha 1")
        assert control_limits.of_organisation(db, who["rui"].organisation_id) == []
        assert len(control_limits.of_organisation(db, who["zoe"].organisation_id)) == 1

    await database.run(story)


async def test_a_study_is_its_owners_until_it_is_shared_with_the_organisation(
    database: Database,
) -> None:
    def story(db: Connection) -> None:
        who = _people(db)
        mine = studies.save(db, who["rui"], "Peso", CALL)
        assert studies.find(db, who["rui"], "Peso") == studies.find(db, who["rui"], mine.id) == mine
        for other in ("ana", "eva", "zoe"):
            with pytest.raises(NotFound):
                studies.find(db, who[other], mine.id)
        studies.change(db, mine.id, shared=True)
        assert studies.find(db, who["ana"], "Peso").person == "Rui"
        with pytest.raises(NotFound):
            studies.find(db, who["zoe"], mine.id)
        with pytest.raises(NotFound):
            studies.owned(db, who["ana"], mine.id)
        # Her own comes before what others share; two that others share have to be told apart.
        own = studies.save(db, who["ana"], "Peso", replace(CALL, shared=True))
        assert studies.find(db, who["ana"], "Peso") == own
        with pytest.raises(Conflict, match="Ana, Rui"):
            studies.find(db, who["eva"], "Peso")
        assert studies.find(db, who["eva"], own.id).id == own.id
        studies.save(db, who["rui"], "Peso", replace(CALL, input={}), replace=True)
        assert studies.owned(db, who["rui"], "Peso").input == {}

    await database.run(story)


async def test_a_name_is_taken_once_by_each_person(database: Database) -> None:
    who = await database.run(_people)
    await database.run(studies.save, who["rui"], "Peso", CALL)
    with pytest.raises(Conflict):
        await database.run(studies.save, who["rui"], "Peso", CALL)
    other = await database.run(studies.save, who["rui"], "Cor", CALL)
    with pytest.raises(Conflict):
        await database.run(studies.change, other.id, name="Peso")
    assert len(await database.read(studies.visible, who["rui"])) == 2
