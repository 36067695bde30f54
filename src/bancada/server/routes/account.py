"""Signing in, and the person's own things."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, StringConstraints
from sqlalchemy import Connection

import bancada
from bancada.custom.organisation import means_of
from bancada.domain.errors import Forbidden, Gone, Invalid, NotFound, NotSignedIn, TooOften
from bancada.domain.json import JSONObject
from bancada.domain.people import Language, Person
from bancada.domain.shapes import Shape
from bancada.engine.accounts import facts, note_added, note_changed, open_account
from bancada.engine.passwords import hash_password, matches
from bancada.engine.workbench import Workbench
from bancada.gate.administration import note
from bancada.gate.scope import CallScope
from bancada.server.auth import Bench, CurrentPerson, issue_token
from bancada.server.problems import documented
from bancada.server.routes.admin.tools import change_level
from bancada.server.shapes import (
    AgentOut,
    Credentials,
    Email,
    Me,
    MeChange,
    Name,
    OrganisationRef,
    Password,
    SignedIn,
)
from bancada.server.signins import (
    address_of,
    as_address,
    fails,
    note_signed_in,
    note_stranger,
)
from bancada.store import agents, custom_tools, keys, login, people, tool_settings

router = APIRouter(tags=["account"])

MOST_PER_ACCOUNT = 10
MOST_PER_ADDRESS = 100
"""Failed sign-ins within ten minutes before further ones must wait."""


@router.post("/auth/login", responses=documented(401, 422, 429))
async def sign_in(body: Credentials, request: Request, bench: Bench) -> SignedIn:
    """Exchange an address and a password for a token."""
    account = f"account:{body.email.strip().lower()}"
    came_from = address_of(request)
    address = f"address:{came_from}"
    if await bench.database.read(_throttled, account, address):
        raise TooOften("too_many_sign_ins", seconds=600)
    found = await bench.database.read(people.password_hash, body.email)
    stored = found[1] if found is not None and found[2] else None
    fits = await matches(body.password, stored, cost=bench.settings.password_cost)
    if found is None:
        await bench.database.run(login.failed, account, address)
        await note_stranger(request, "unknown_address", as_address(body.email))
        raise NotSignedIn("wrong_password")
    if not fits:
        more = {"reason": "wrong_password" if found[2] else "disabled", "address": came_from}
        subjects = (account, address)
        await bench.database.run(fails, found[0], subjects, MOST_PER_ACCOUNT, more)
        raise NotSignedIn("wrong_password")
    person = await bench.database.run(_signed_in, found[0], account, came_from)
    return _token_for(person, request)


def _throttled(db: Connection, account: str, address: str) -> bool:
    return (
        login.failures(db, account) >= MOST_PER_ACCOUNT
        or login.failures(db, address) >= MOST_PER_ADDRESS
    )


def _signed_in(db: Connection, person_id: int, account: str, address: str) -> Person:
    login.forget(db, account)
    person = people.person(db, person_id)
    note_signed_in(db, person, "password", address)
    return person


def _token_for(person: Person, request: Request) -> SignedIn:
    hours = request.app.state.bench.settings.jwt_expiry_hours
    token = issue_token(person, request.app.state.secret, hours)
    return SignedIn(token=token, name=person.name, nome=person.name, role=person.role)


# ---------------------------------------------------------------------------- one-time links

Token = Annotated[str, Path(min_length=1, max_length=200)]


class LinkOut(BaseModel):
    """What a one-time link does: create the administrator, or set a password."""

    purpose: str
    email: str | None


class UseLink(Shape):
    """Name and address are for the first administrator only."""

    password: Password
    email: Email | None = None
    name: Name | None = None
    language: Language = "pt"


@router.get("/auth/links/{token}", responses=documented(404, 422))
async def look_at_link(token: Token, bench: Bench) -> LinkOut:
    """What a one-time link is for, while it still works."""
    return await bench.database.read(_link, token)


def _link(db: Connection, token: str) -> LinkOut:
    found = keys.link(db, token)
    if found is None:
        raise NotFound("dead_link")
    email = None if found.user_id is None else people.person(db, found.user_id).email
    return LinkOut(purpose=found.purpose, email=email)


@router.post("/auth/links/{token}", responses=documented(404, 409, 410, 422))
async def use_link(token: Token, body: UseLink, request: Request, bench: Bench) -> SignedIn:
    """Create the first administrator, or set a password; the link is spent."""
    await bench.database.read(_link, token)
    hashed = await hash_password(body.password, cost=bench.settings.password_cost)
    came_from = address_of(request)
    person = await bench.database.run(_use_link, token, body, hashed, came_from)
    return _token_for(person, request)


def _use_link(db: Connection, token: str, body: UseLink, hashed: str, address: str) -> Person:
    person = _set_by_link(db, token, body, hashed)
    note_signed_in(db, person, "link", address)
    return person


def _set_by_link(db: Connection, token: str, body: UseLink, hashed: str) -> Person:
    found = keys.link(db, token)
    if found is None or not keys.use_link(db, token):
        raise Gone("used_link")
    if found.user_id is not None:
        person = people.change_person(db, found.user_id, password_hash=hashed)
        note(db, person, "password_set", person.email, id=person.id, how="link")
        return person
    if people.count_people(db):
        raise Gone("administrator_exists")
    if body.email is None or body.name is None:
        raise Invalid("first_administrator_needs")
    first = open_account(
        db,
        organisation_id=people.first_organisation(db),
        email=body.email,
        name=body.name,
        role="admin",
        language=body.language,
        password_hash=hashed,
    )
    note_added(db, first, by=first)
    return first


# ---------------------------------------------------------------------------- me


@router.get("/me", responses=documented(401))
async def me(person: CurrentPerson, bench: Bench) -> Me:
    """The person who is signed in."""
    return await _me(bench, person)


async def _me(bench: Workbench, person: Person) -> Me:
    organisation = await bench.database.read(people.organisation, person.organisation_id)
    offline = bench.models.is_offline
    return Me(
        id=person.id,
        email=person.email,
        name=person.name,
        nome=person.name,
        role=person.role,
        language=person.language,
        organisation=OrganisationRef(id=organisation.id, name=organisation.name),
        offline=offline,
        model="offline" if offline else bench.models.default,
        version=bancada.__version__,
        may_define_tools=means_of(organisation.settings).makers == "users",
    )


@router.patch("/me", responses=documented(401, 422))
async def change_me(body: MeChange, person: CurrentPerson, bench: Bench) -> Me:
    """Change your own name or language."""
    changes = body.model_dump(exclude_none=True)
    changed = await bench.database.run(_change, person, changes)
    return await _me(bench, changed)


def _change(db: Connection, person: Person, changes: JSONObject) -> Person:
    before = facts(db, person)
    changed = people.change_person(db, person.id, **changes)
    note_changed(db, changed, before, by=person)
    return changed


class PasswordChange(Shape):
    current: Annotated[str, StringConstraints(max_length=1000)]
    new: Password


@router.post("/me/password", status_code=204, responses=documented(401, 403, 422, 429))
async def change_password(
    body: PasswordChange, person: CurrentPerson, request: Request, bench: Bench
) -> None:
    """Change your own password."""
    cost = bench.settings.password_cost
    tried = f"password:{person.id}"
    if await bench.database.read(login.failures, tried) >= MOST_PER_ACCOUNT:
        raise TooOften("too_many_sign_ins", seconds=600)
    found = await bench.database.read(people.password_hash, person.email)
    if found is None or not await matches(body.current, found[1], cost=cost):
        more = {"reason": "wrong_password", "how": "change", "address": address_of(request)}
        await bench.database.run(fails, person.id, (tried,), MOST_PER_ACCOUNT, more)
        raise Forbidden("current_password_wrong")
    hashed = await hash_password(body.new, cost=cost)
    await bench.database.run(_set_password, person, hashed)


def _set_password(db: Connection, person: Person, hashed: str) -> None:
    people.change_person(db, person.id, password_hash=hashed)
    note(db, person, "password_set", person.email, id=person.id, how="change")


class MyTool(BaseModel):
    """A tool this person may use, and whether they have switched it off for themselves."""

    name: str
    description: str
    category: str
    is_enabled: bool
    own: bool
    """You defined it, and only you see it."""
    hides_own: bool
    """The organisation's; you have one of the same name, which does not run while this is there."""


class MyToolChange(Shape):
    name: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    is_enabled: bool


@router.get("/me/tools", responses=documented(401))
async def my_tools(person: CurrentPerson, bench: Bench) -> list[MyTool]:
    """The tools you may use, with your own preferences."""
    return await _my_tools(bench, person)


async def _my_tools(bench: Workbench, person: Person) -> list[MyTool]:
    off, named = await bench.database.read(_choices, person)
    scope = CallScope(person_id=person.id, organisation_id=person.organisation_id)
    tools = {tool.name: tool for tool, _ in await bench.gate.visible(scope)}
    for tool in bench.registry.for_person(person):
        if tool.name in off:
            tools.setdefault(tool.name, tool)
    return [
        MyTool(
            name=tool.name,
            description=tool.description,
            category=tool.category,
            is_enabled=tool.name not in off,
            own=tool.own,
            hides_own=tool.name in named and not tool.own,
        )
        for _, tool in sorted(tools.items())
        if not tool.core
    ]


def _choices(db: Connection, person: Person) -> tuple[set[str], set[str]]:
    """What they switched off for themselves, and the names of the tools they made."""
    rows: list[Any] = tool_settings.settings_of(db, person.organisation_id)
    off = {
        row.tool
        for row in rows
        if row.scope == "own" and row.subject == str(person.id) and row.is_enabled is False
    }
    kept = custom_tools.current(db, person.organisation_id)
    return off, {row.name for row in kept if row.owner_id == person.id}


@router.patch("/me/tools", responses=documented(401, 404, 422))
async def change_my_tools(body: MyToolChange, person: CurrentPerson, bench: Bench) -> list[MyTool]:
    """Switch a tool off for yourself, or on again. Nobody gains a tool this way."""
    if body.name not in {tool.name for tool in await _my_tools(bench, person)}:
        raise NotFound("no_tool_for_you", name=body.name)
    choice = None if body.is_enabled else False
    await bench.database.run(
        change_level, person, body.name, "own", str(person.id), {"is_enabled": choice}
    )
    return await _my_tools(bench, person)


@router.get("/agents", responses=documented(401))
async def my_agents(person: CurrentPerson, bench: Bench) -> list[AgentOut]:
    """The agents you may use."""
    found = await bench.database.read(agents.agents_for, person.id)
    return [AgentOut.of(agent, await bench.starters(agent, person)) for agent in found]
