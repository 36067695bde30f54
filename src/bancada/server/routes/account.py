"""The person's own things."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import StringConstraints
from sqlalchemy import Connection

import bancada
from bancada.custom.organisation import means_of
from bancada.domain.errors import Conflict, Forbidden, NotFound
from bancada.domain.people import Person
from bancada.domain.shapes import Shape
from bancada.engine.accounts import change_account, set_password
from bancada.engine.passwords import check_password, hash_password, matches
from bancada.engine.workbench import Workbench
from bancada.gate.scope import CallScope
from bancada.server.auth import Admission, Bench, CurrentAccess, CurrentPerson, account_changed
from bancada.server.problems import documented
from bancada.server.routes.admin.tools import change_level
from bancada.server.shapes import AgentOut, Me, MeChange, OrganisationRef, Out, Password
from bancada.server.signins import (
    MOST_PER_PAIR,
    PAIR_SECONDS,
    address_of,
    note_failed,
    too_often,
)
from bancada.store import agents, custom_tools, login, people, tool_settings
from bancada.store.login import Limit
from bancada.tools.spoken import name_of

router = APIRouter(tags=["account"])

# ---------------------------------------------------------------------------- me


@router.get("/me", responses=documented(401))
async def me(person: CurrentPerson, bench: Bench) -> Me:
    """The person who is signed in."""
    return await _me(bench, person)


async def _me(bench: Workbench, person: Person) -> Me:
    organisation = await bench.database.read(people.organisation, person.organisation_id)
    offline = bench.models.is_offline
    return Me.of(
        person,
        nome=person.name,
        language_chosen=await bench.database.read(people.has_chosen_language, person.id),
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
    if body.language is not None:
        changes["language_chosen"] = True
    changed = await bench.database.run(change_account, person, changes, by=person)
    return await _me(bench, changed)


class PasswordChange(Shape):
    current: Annotated[str, StringConstraints(max_length=1000)]
    new: Password


@router.post("/me/password", status_code=204, responses=documented(401, 403, 409, 422, 429))
async def change_password(
    body: PasswordChange, access: CurrentAccess, request: Request, bench: Bench
) -> None:
    """Change your own password; every other session of yours ends."""
    person, settings = access.person, bench.settings
    if not settings.takes_password_of(person.email):
        raise Conflict("passwords_off")
    check_password(body.new, person.email, demo=settings.demo)
    tried = Limit(f"password:{person.id}", MOST_PER_PAIR, PAIR_SECONDS)
    wait = await bench.database.run(login.reserve, tried)
    if wait > 0:
        raise too_often(wait)
    found = await bench.database.read(people.password_hash, person.email)
    stored = None if found is None else found[1]
    if not await matches(body.current, stored, cost=settings.password_cost):
        more = {"reason": "wrong_password", "how": "change", "address": address_of(request)}
        await bench.database.run(note_failed, person.id, more, tried)
        raise Forbidden("current_password_wrong")
    hashed = await hash_password(body.new, cost=settings.password_cost)
    await bench.database.run(_set_password, access, stored, hashed, tried)
    account_changed(request, person.id)


def _set_password(
    db: Connection, access: Admission, stored: str | None, hashed: str, tried: Limit
) -> None:
    # Held, and read again: hashing takes a while, and who knew the password that was there a moment
    # ago must not undo that its owner changed it.
    now = people.password_hash(db, people.hold(db, access.person.id).email)
    if now is None or now[1] != stored:
        raise Forbidden("current_password_wrong")
    login.forget(db, tried)
    set_password(db, access.person, hashed, how="change", but=access.session_id)


class MyTool(Out):
    """A tool this person may use, and whether they have switched it off for themselves."""

    name: str
    shown: str
    """What people call it, in your language."""
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
        MyTool.of(
            tool,
            shown=name_of(tool, person.language),
            is_enabled=tool.name not in off,
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
    await bench.database.read(bench.models.refresh)
    return [
        AgentOut.of(
            agent,
            starters=await bench.starters(agent, person),
            shown=bench.models.shown_to(agent, person.organisation_id),
        )
        for agent in found
    ]
