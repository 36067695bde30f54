"""People: added, changed, disabled, removed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from bancada.domain.errors import Conflict, Forbidden, Invalid, NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Language, Person, RoleName
from bancada.domain.shapes import Email, Shape, example
from bancada.engine.accounts import change_account, facts, invitation, note_added, open_account
from bancada.engine.erasure import check_erasable, keep_an_administrator, remove_rows, shut_out
from bancada.engine.passwords import check_password, hash_password
from bancada.gate.administration import note
from bancada.server.auth import Administrator, Bench, account_changed
from bancada.server.parameters import HIGHEST, Dollars, Number, RowId
from bancada.server.problems import documented
from bancada.server.shapes import Moment, Name, Out, Password
from bancada.settings import Settings
from bancada.store import agents, people

router = APIRouter(tags=["administration"])

Grants = Annotated[list[Number | Name], Field(max_length=500)]
"""Agents by id or name."""


class UserOut(Out):
    """An account as an administrator sees it."""

    id: int
    email: str
    name: str
    role: RoleName
    language: Language
    is_active: bool
    organisation_id: int
    agents: list[int]
    """The ids of the agents this person may use."""
    monthly_budget_usd: float | None
    created_at: Moment
    link: str | None = None
    """Where the person sets a password, once; only in the answer that made it."""


class NewUser(Shape):
    model_config = example(email="eva@example.com", name="Eva", role="responsavel")

    email: Email
    name: Name | None = None
    """Default: what stands before the @."""
    role: RoleName = "operador"
    language: Language = "pt"
    password: Password | None = None
    """Without one, a link to set it is returned; neither where passwords are switched off."""
    agents: Grants | None = None
    """Default: every agent of the organisation, and none for an `operador`."""
    monthly_budget_usd: Dollars | None = None
    organisation_id: Number | None = None
    """Another organisation: for administrators of the first one."""


class UserChange(Shape):
    name: Name | None = None
    role: RoleName | None = None
    language: Language | None = None
    is_active: bool | None = None
    agents: Grants | None = None
    monthly_budget_usd: Dollars | None = None
    """Null takes the limit away."""


class LinkMade(BaseModel):
    link: str


@router.get("/admin/users", responses=documented(401, 403, 404, 422))
async def everybody(
    admin: Administrator,
    bench: Bench,
    organisation_id: Annotated[int | None, Query(ge=1, le=HIGHEST)] = None,
) -> list[UserOut]:
    """Everybody in the organisation."""
    return await bench.database.read(_everybody, admin, organisation_id)


def _everybody(db: Connection, admin: Person, organisation_id: int | None) -> list[UserOut]:
    chosen = reachable_organisation(db, admin, organisation_id)
    return [_shown(db, person) for person in people.accounts_of(db, chosen)]


@router.post("/admin/users", status_code=201, responses=documented(401, 403, 404, 409, 422))
async def add(body: NewUser, admin: Administrator, bench: Bench) -> UserOut:
    """Add somebody; without a password, the answer holds a link where they set one, once."""
    hashed, takes = None, bench.settings.takes_password_of(body.email)
    if body.password is not None:
        if not takes:
            raise Conflict("passwords_off")
        check_password(body.password, body.email, demo=bench.settings.demo)
        hashed = await hash_password(body.password, cost=bench.settings.password_cost)
    return await bench.database.run(_add, admin, body, hashed, takes and hashed is None)


def _add(
    db: Connection, admin: Person, body: NewUser, hashed: str | None, invited: bool
) -> UserOut:
    organisation_id = reachable_organisation(db, admin, body.organisation_id)
    person = open_account(
        db,
        organisation_id=organisation_id,
        email=body.email,
        name=body.name,
        role=body.role,
        language=body.language,
        password_hash=hashed,
    )
    if body.monthly_budget_usd is not None:
        people.change_person(db, person.id, monthly_budget_usd=body.monthly_budget_usd)
    if body.agents is not None:
        agents.set_grants(db, person.id, _agent_ids(db, organisation_id, body.agents))
    note_added(db, person, by=admin)
    return _shown(db, person, link=invitation(db, person, by=admin) if invited else None)


@router.get("/admin/users/{id}", responses=documented(401, 403, 404, 422))
async def one(id: RowId, admin: Administrator, bench: Bench) -> UserOut:
    """One account."""
    return await bench.database.read(_one, admin, id)


def _one(db: Connection, admin: Person, id: int) -> UserOut:
    return _shown(db, account(db, admin, id))


@router.patch("/admin/users/{id}", responses=documented(401, 403, 404, 409, 422))
async def change(
    id: RowId, body: UserChange, admin: Administrator, bench: Bench, request: Request
) -> UserOut:
    """Change somebody's role, agents, limit or access; it holds at once, on open streams too."""
    changed = await bench.database.run(_change, admin, id, body)
    account_changed(request, id)
    return changed


def _change(db: Connection, admin: Person, id: int, body: UserChange) -> UserOut:
    person = account(db, admin, id)
    changes: JSONObject = body.model_dump(exclude_none=True, exclude={"agents"})
    if "monthly_budget_usd" in body.model_fields_set:
        changes["monthly_budget_usd"] = body.monthly_budget_usd
    if changes.get("role", "admin") != "admin" or changes.get("is_active") is False:
        people.hold_organisation(db, person.organisation_id)
        keep_an_administrator(db, person)
    grants = None
    if body.agents is not None:
        grants = _agent_ids(db, person.organisation_id, body.agents)
    return _shown(db, change_account(db, person, changes, by=admin, grants=grants))


@router.delete("/admin/users/{id}", status_code=204, responses=documented(401, 403, 404, 409, 422))
async def remove(id: RowId, admin: Administrator, bench: Bench, request: Request) -> None:
    """Remove somebody and what they said; what they did stays in the audit, what it cost in usage."""
    person = await bench.database.read(removable, admin, id)
    await shut_out(bench, person, by=admin, via="web")
    account_changed(request, id)
    await bench.blobs.erase(await bench.database.run(_remove, admin, person))


def removable(db: Connection, admin: Person, id: int) -> Person:
    """Somebody this administrator may take away."""
    person = account(db, admin, id)
    check_erasable(db, person)
    return person


def _remove(db: Connection, admin: Person, person: Person) -> list[str]:
    note(db, admin, "person_removed", person, before=facts(db, person))
    return remove_rows(db, person)


@router.post(
    "/admin/users/{id}/link", status_code=201, responses=documented(401, 403, 404, 409, 422)
)
async def link(id: RowId, admin: Administrator, bench: Bench) -> LinkMade:
    """A new one-time link where this person sets a password."""
    return LinkMade(link=await bench.database.run(_link, admin, id, bench.settings))


def _link(db: Connection, admin: Person, id: int, settings: Settings) -> str:
    person = account(db, admin, id)
    if not settings.takes_password_of(person.email):
        raise Conflict("passwords_off")
    return invitation(db, person, by=admin)


# ---------------------------------------------------------------------------- shared


def reachable_organisation(db: Connection, admin: Person, wanted: int | None) -> int:
    """The organisation this administrator may act in: their own, any for those of the first."""
    if wanted is None or wanted == admin.organisation_id:
        return admin.organisation_id
    if admin.organisation_id != people.FIRST_ORGANISATION:
        raise Forbidden("own_organisation_only")
    return int(people.organisation(db, wanted).id)


def account(db: Connection, admin: Person, id: int) -> Person:
    """Somebody this administrator manages; others do not exist for them."""
    person = people.person(db, id)
    ours = admin.organisation_id in (person.organisation_id, people.FIRST_ORGANISATION)
    if not ours or not people.is_account(person):
        raise NotFound("no_person")
    return person


def somebody(db: Connection, admin: Person, named: int | str) -> Person:
    """Somebody of the administrator's own organisation, named by id or address."""
    found = people.person_by_email(db, named) if isinstance(named, str) else _by_id(db, named)
    if found is None or found.organisation_id != admin.organisation_id:
        raise NotFound("no_person")
    return found


def _by_id(db: Connection, id: int) -> Person | None:
    person_now = people.person_now(db, id)
    return None if person_now is None else person_now.person


def _agent_ids(db: Connection, organisation_id: int, named: list[int | str]) -> list[int]:
    ours = agents.agents_of(db, organisation_id)
    found: list[int] = []
    for name in named:
        agent = next((agent for agent in ours if name in (agent.id, agent.name)), None)
        if agent is None or agent.id is None:
            raise Invalid("no_agent_in_organisation", name=name)
        found.append(agent.id)
    return found


def _shown(db: Connection, person: Person, link: str | None = None) -> UserOut:
    row = people.account_row(db, person.id)
    return UserOut.of(person, agents=agents.grants_of(db, person.id), link=link, **row._mapping)
