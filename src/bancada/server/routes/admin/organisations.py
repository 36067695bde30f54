"""Organisations, for administrators of the first one; and each administrator's own."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import Field
from sqlalchemy import Connection

from bancada.custom.organisation import OrganisationSettings, check_settings, hidden, merged
from bancada.domain.errors import Conflict
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.domain.shapes import Shape, example
from bancada.engine.workbench import Workbench
from bancada.gate.administration import note, note_settings
from bancada.server.auth import Administrator, Bench, InstallationAdministrator
from bancada.server.parameters import Dollars, RowId
from bancada.server.problems import documented
from bancada.server.shapes import Moment, Name, Out
from bancada.store import audit, people
from bancada.store.vault import sealed_settings

router = APIRouter(tags=["administration"])

BY_NAME = ("secrets", "tables")
"""Settings that hold things by name, changed one by one; secrets are written and used, never shown."""


class OrganisationOut(Out):
    id: int
    name: str
    settings: dict[str, Any]
    databases: list[str]
    """Names that its SQL tools may use; the operator gives them, in bancada.toml."""
    pack_tables: list[str]
    """Tables of packs that may be read from one of them."""
    monthly_budget_usd: float | None
    people: int
    created_at: Moment


class NewOrganisation(Shape):
    model_config = example(name="Fábrica Norte")

    name: Name
    settings: OrganisationSettings = Field(default_factory=lambda: check_settings({}))
    monthly_budget_usd: Dollars | None = None


class OrganisationChange(Shape):
    """What is absent stays. Settings are changed one by one; null removes one."""

    name: Name | None = None
    settings: OrganisationSettings | None = None
    monthly_budget_usd: Dollars | None = None
    """Null takes the limit away."""


class OwnOrganisationChange(Shape):
    settings: OrganisationSettings
    """Changed one by one; null removes one."""


@router.get("/admin/organisations", responses=documented(401, 403))
async def all_organisations(
    admin: InstallationAdministrator, bench: Bench
) -> list[OrganisationOut]:
    """Every organisation."""
    return await bench.database.read(_all, bench)


def _all(db: Connection, bench: Workbench) -> list[OrganisationOut]:
    return [_shown(db, bench, row) for row in people.all_organisations(db)]


@router.post("/admin/organisations", status_code=201, responses=documented(401, 403, 409, 422))
async def add(
    body: NewOrganisation, admin: InstallationAdministrator, bench: Bench
) -> OrganisationOut:
    """Found an organisation; it has nobody yet: add its first administrator to it."""
    await _check_tables(bench, admin, 0, body.settings)
    return await bench.database.run(_add, bench, admin, body)


def _add(db: Connection, bench: Workbench, admin: Person, body: NewOrganisation) -> OrganisationOut:
    settings = _merged({}, body.settings)
    id = people.add_organisation(db, body.name)
    people.change_organisation(db, id, settings=sealed_settings(bench.vault, id, settings, {}))
    if body.monthly_budget_usd is not None:
        people.change_organisation(db, id, monthly_budget_usd=body.monthly_budget_usd)
    made = _one(db, bench, id)
    after = made.model_dump(include={"name", "settings", "monthly_budget_usd"})
    note(db, admin, "organisation_added", body.name, id=id, after=after)
    return made


@router.get("/admin/organisations/{id}", responses=documented(401, 403, 404, 422))
async def one(id: RowId, admin: InstallationAdministrator, bench: Bench) -> OrganisationOut:
    """One organisation."""
    return await bench.database.read(_one, bench, id)


def _one(db: Connection, bench: Workbench, id: int) -> OrganisationOut:
    return _shown(db, bench, people.organisation(db, id))


@router.patch("/admin/organisations/{id}", responses=documented(401, 403, 404, 409, 422))
async def change(
    id: RowId, body: OrganisationChange, admin: InstallationAdministrator, bench: Bench
) -> OrganisationOut:
    """Rename an organisation, change its settings or its limit."""
    await _check_tables(bench, admin, id, body.settings)
    return await bench.database.run(_change, bench, admin, id, body)


def _change(
    db: Connection, bench: Workbench, admin: Person, id: int, body: OrganisationChange
) -> OrganisationOut:
    # Held: settings are merged with what is there, and two at once would lose one's.
    current = people.hold_organisation(db, id)
    changes: JSONObject = {}
    if body.name is not None and body.name != current.name:
        if any(row.name == body.name for row in people.all_organisations(db)):
            raise Conflict("organisation_exists", name=body.name)
        changes["name"] = body.name
    if body.settings is not None:
        asked = _merged(current.settings, body.settings)
        changes["settings"] = sealed_settings(bench.vault, id, asked, current.settings)
    if "monthly_budget_usd" in body.model_fields_set:
        changes["monthly_budget_usd"] = body.monthly_budget_usd
    changed = people.change_organisation(db, id, **changes)
    before, after = _facts(current), _facts(changed)
    note_settings(db, admin, current.name, id, before=before, after=after)
    return _one(db, bench, id)


def _facts(row: Any) -> JSONObject:
    return {**row.settings, "name": row.name, "monthly_budget_usd": row.monthly_budget_usd}


@router.delete(
    "/admin/organisations/{id}", status_code=204, responses=documented(401, 403, 404, 409, 422)
)
async def remove(id: RowId, admin: InstallationAdministrator, bench: Bench) -> None:
    """Remove an organisation that never did anything; one with a history keeps it."""
    await bench.database.run(_remove, admin, id)


def _remove(db: Connection, admin: Person, id: int) -> None:
    found = people.organisation(db, id)
    if id == people.FIRST_ORGANISATION:
        raise Conflict("first_organisation_stays")
    if people.people_of(db, id):
        raise Conflict("organisation_has_people")
    if audit.has_chain(db, id):
        raise Conflict("organisation_has_record")
    people.remove_organisation(db, id)
    note(db, admin, "organisation_removed", found.name, id=id)


# ---------------------------------------------------------------------------- one's own


@router.get("/admin/organisation", responses=documented(401, 403))
async def own(admin: Administrator, bench: Bench) -> OrganisationOut:
    """Your organisation."""
    return await bench.database.read(_one, bench, admin.organisation_id)


@router.patch("/admin/organisation", responses=documented(401, 403, 422))
async def change_own(
    body: OwnOrganisationChange, admin: Administrator, bench: Bench
) -> OrganisationOut:
    """Change your organisation's settings. A table of a database is read before it is chosen."""
    await _check_tables(bench, admin, admin.organisation_id, body.settings)
    change = OrganisationChange(settings=body.settings)
    return await bench.database.run(_change, bench, admin, admin.organisation_id, change)


# ---------------------------------------------------------------------------- settings


async def _check_tables(
    bench: Workbench, admin: Person, id: int, sent: OrganisationSettings | None
) -> None:
    """Of an organisation that is not there yet (0) no database is named."""
    if sent is not None and sent.tables:
        await bench.own_tables.check(admin, id, sent.model_dump()["tables"])


def _merged(current: JSONObject, sent: OrganisationSettings) -> JSONObject:
    """The settings with the given ones changed; secrets one by one as well."""
    given = sent.model_dump(exclude_unset=True)
    changed = {**current, **given}
    for name in BY_NAME:
        if isinstance(given.get(name), dict) and isinstance(current.get(name), dict):
            changed[name] = _without_null({**current[name], **given[name]})
    return _without_null(merged(current, changed))


def _without_null(values: JSONObject) -> JSONObject:
    return {name: value for name, value in values.items() if value is not None}


def _shown(db: Connection, bench: Workbench, row: Any) -> OrganisationOut:
    return OrganisationOut.of(
        row,
        settings=hidden(row.settings),
        databases=sorted(bench.databases.of(row.id)),
        pack_tables=bench.own_tables.names,
        people=len(people.accounts_of(db, row.id)),
    )
