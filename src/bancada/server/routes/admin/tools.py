"""Tools: what there is, what is chosen for each at every level, and who may use it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from sqlalchemy import Connection

from bancada.custom.definitions import unusable
from bancada.custom.desk import the_one
from bancada.domain.agents import Agent
from bancada.domain.calls import CODE_TOOL
from bancada.domain.errors import Forbidden, Invalid, NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import ROLES, Person
from bancada.domain.wording import Wording
from bancada.engine.workbench import Workbench
from bancada.gate.administration import note
from bancada.gate.approvers import Confirming, check_satisfiable
from bancada.policy.narrowing import loosened
from bancada.policy.rules import LEVELS, Level, LevelSetting, check_cache, check_fields, resolve
from bancada.server.auth import Administrator, Bench
from bancada.server.parameters import HIGHEST, ToolName, person_key
from bancada.server.problems import documented
from bancada.server.routes.admin.access import Access, access
from bancada.server.routes.admin.toolshapes import (
    AdminTool,
    Owner,
    Scope,
    ToolChange,
    ToolChoices,
    ToolSetting,
)
from bancada.server.routes.admin.users import somebody
from bancada.store import agents, custom_tools, people, tool_settings
from bancada.store.custom_tools import CustomTool
from bancada.tools.tool import Tool

router = APIRouter(tags=["administration"])

OWN_WORDS = ("permission_level", "allowed_callers")
"""Choices that a custom tool's own definition makes."""


@router.get("/admin/tools", responses=documented(401, 403))
async def all_tools(admin: Administrator, bench: Bench) -> list[AdminTool]:
    """Every tool of the organisation, people's own included, with the rules in force for all."""
    return await bench.database.read(_all, bench, admin)


def _all(db: Connection, bench: Workbench, admin: Person) -> list[AdminTool]:
    refresh(db, bench, admin)
    tools = [tool for tool in bench.registry.for_person(admin) if _is_governed(tool)]
    rows = custom_tools.current(db, admin.organisation_id)
    named = {(row.owner_id, row.name): row for row in rows}
    shown = [
        _shown(db, bench, admin, tool, named.get((admin.id if tool.own else None, tool.name)))
        for tool in tools
    ]
    for row in rows:
        if row.owner_id not in (None, admin.id):
            tool = _of_owner(db, bench, row)
            if tool is not None:
                shown.append(_shown(db, bench, admin, tool, row))
    return shown


@router.get("/admin/tools/{name}", responses=documented(401, 403, 404, 422))
async def one(name: ToolName, admin: Administrator, bench: Bench, owner: Owner = None) -> AdminTool:
    """One tool."""
    return await bench.database.read(known_tool, bench, admin, name, owner)


@router.patch("/admin/tools/{name}", responses=documented(401, 403, 404, 409, 422))
async def change(name: ToolName, body: ToolChange, admin: Administrator, bench: Bench) -> AdminTool:
    """Choose for everybody; an administrator of another organisation than the first, for theirs.

    What a custom tool says of itself is part of its definition: changing it makes a new version.
    """
    choices = body.choices()
    redefined = body.redefined()
    rows = await bench.database.read(custom_tools.named, admin.organisation_id, name)
    if rows:
        own = {key: choices.pop(key) for key in OWN_WORDS if choices.get(key) is not None}
        if "requires_confirmation" in body.model_fields_set and "confirmation" in choices:
            choices.pop("confirmation")
            own["requires_confirmation"] = bool(body.requires_confirmation)
        if redefined or own:
            await bench.custom.change(admin, name, {**redefined, **own})
    elif redefined:
        raise Invalid("only_custom_redefined", field=min(redefined))
    return await bench.database.run(_change, bench, admin, name, choices)


def _change(
    db: Connection, bench: Workbench, admin: Person, name: str, choices: JSONObject
) -> AdminTool:
    tool = tool_called(db, bench, admin, name)
    if own_level(bench, admin, tool) == "global":
        check_choices(db, admin, tool, Confirming(choices.get("confirmation"), "global"), choices)
        before = tool_settings.registry(db).get(tool.name)
        tool_settings.change_registry(db, tool.name, **choices)
        after = tool_settings.registry(db).get(tool.name)
        note_rule(db, admin, tool.name, "global", "", before, after)
    else:
        _restrict(db, admin, tool, "organisation", "", choices)
    return known_tool(db, bench, admin, name)


# ---------------------------------------------------------------------------- each level's word


@router.get("/admin/tools/{name}/settings", responses=documented(401, 403, 404, 422))
async def settings(
    name: ToolName,
    admin: Administrator,
    bench: Bench,
    scope: Annotated[Scope | None, Query(description="Only this level.")] = None,
    subject: Annotated[str | None, Query(max_length=64, description="Only for this one.")] = None,
) -> list[ToolSetting]:
    """What each level says of the tool: the widest first, silent ones left out."""
    return await bench.database.read(_settings, bench, admin, name, scope, subject)


def _settings(
    db: Connection,
    bench: Workbench,
    admin: Person,
    name: str,
    scope: Scope | None,
    subject: str | None,
) -> list[ToolSetting]:
    tool = tool_called(db, bench, admin, name)
    rows = [
        row
        for row in tool_settings.settings_of(db, admin.organisation_id)
        if row.tool == tool.name and row.scope != "own"
    ]
    words = [("", word) for word in _global(db, tool)] if scope is None else []
    words += [(row.subject, LevelSetting.of(row.scope, row)) for row in rows]
    found = [
        ToolSetting.of(tool.name, word, whose)
        for whose, word in words
        if scope in (None, word.level) and subject in (None, whose)
    ]
    return sorted(found, key=lambda setting: (LEVELS.index(setting.scope), setting.subject))


@router.patch("/admin/tools/{name}/settings", responses=documented(401, 403, 404, 422))
async def change_settings(
    name: ToolName,
    body: ToolChoices,
    admin: Administrator,
    bench: Bench,
    scope: Annotated[Scope, Query(description="The level.")],
    subject: Annotated[
        str, Query(max_length=64, description="The role, or the id of the agent or person.")
    ] = "",
) -> ToolSetting:
    """Choose at one level. A narrower level may only restrict; one left silent disappears."""
    return await bench.database.run(
        _change_setting, bench, admin, name, scope, subject, body.choices()
    )


def _change_setting(
    db: Connection,
    bench: Workbench,
    admin: Person,
    name: str,
    scope: Scope,
    subject: str,
    choices: JSONObject,
) -> ToolSetting:
    tool = tool_called(db, bench, admin, name)
    subject = checked_subject(db, admin, scope, subject)
    _restrict(db, admin, tool, scope, subject, choices)
    row = tool_settings.setting(db, admin.organisation_id, scope, subject, tool.name)
    word = LevelSetting(level=scope) if row is None else LevelSetting.of(scope, row)
    return ToolSetting.of(tool.name, word, subject)


def checked_subject(db: Connection, admin: Person, scope: Scope, subject: str) -> str:
    """The subject as it is stored; raises when there is no such role, agent or person."""
    if scope == "organisation":
        if subject:
            raise Invalid("subject_none")
        return ""
    if scope == "role":
        if subject not in ROLES:
            raise Invalid("subject_role", roles=", ".join(ROLES))
        return subject
    id = _number(subject)
    if scope == "agent":
        return str(agents.agent(db, id, admin.organisation_id).id)
    return str(somebody(db, admin, id).id)


def _number(subject: str) -> int:
    if not (subject.isascii() and subject.isdigit()) or not 1 <= int(subject[:11]) <= HIGHEST:
        raise Invalid("subject_id")
    return int(subject)


# ---------------------------------------------------------------------------- who may use it


@router.get("/admin/tools/{name}/access", responses=documented(401, 403, 404, 422))
async def who_may(
    name: ToolName,
    admin: Administrator,
    bench: Bench,
    user: Annotated[str, Query(min_length=1, max_length=254, description="An id or an address.")],
    agent: Annotated[int | None, Query(ge=1, le=HIGHEST)] = None,
    caller: Annotated[Literal["direct", "code"], Query()] = "direct",
) -> Access:
    """May this person call this tool now, and why (not): the gate's own answer."""
    return await bench.database.run(_access, bench, admin, name, person_key(user), agent, caller)


def _access(
    db: Connection,
    bench: Workbench,
    admin: Person,
    name: str,
    user: int | str,
    agent_id: int | None,
    caller: Literal["direct", "code"],
) -> Access:
    person = somebody(db, admin, user)
    known = tool_called(db, bench, admin, name)
    tool = bench.registry.find(name, person) or known
    agent: Agent | None = None
    if agent_id is not None:
        agent = agents.agent(db, agent_id, admin.organisation_id)
    person_now = people.person_now(db, person.id)
    assert person_now is not None
    return access(
        db, bench.gate.rulebook, person_now, tool, agent, caller=caller, language=admin.language
    )


# ---------------------------------------------------------------------------- shared


def known_tool(
    db: Connection, bench: Workbench, admin: Person, name: str, owner: int | None = None
) -> AdminTool:
    """A tool as its administrator sees it."""
    tool = tool_called(db, bench, admin, name, owner)
    row = the_one(custom_tools.named(db, admin.organisation_id, name), owner)
    return _shown(db, bench, admin, tool, row)


def refresh(db: Connection, bench: Workbench, admin: Person) -> None:
    """What was defined or changed a moment ago is there."""
    person_now = people.person_now(db, admin.id)
    if person_now is not None:
        bench.registry.refresh(db, person_now)


def tool_called(
    db: Connection, bench: Workbench, admin: Person, name: str, owner: int | None = None
) -> Tool:
    refresh(db, bench, admin)
    tool = None if owner is not None else bench.registry.find(name, admin)
    if tool is None:
        row = the_one(custom_tools.named(db, admin.organisation_id, name), owner)
        tool = None if row is None else _of_owner(db, bench, row)
    if tool is None or not _is_governed(tool):
        raise NotFound("no_tool", name=name)
    return tool


def _is_governed(tool: Tool) -> bool:
    """The workbench's own tools are everybody's, but for running code."""
    return not tool.core or tool.name == CODE_TOOL


def _of_owner(db: Connection, bench: Workbench, row: CustomTool) -> Tool | None:
    """Somebody's own tool, as it exists for them."""
    if row.owner_id is None:
        return None
    found = bench.registry.find(row.name, people.person(db, row.owner_id))
    if found is not None and not found.own:
        return unusable(row, Wording("name_goes_before"))
    return found


def own_level(bench: Workbench, admin: Person, tool: Tool) -> Literal["global", "organisation"]:
    """Where this administrator's word on this tool stands."""
    first = admin.organisation_id == people.FIRST_ORGANISATION
    return "global" if first and tool.name in bench.registry else "organisation"


def _global(db: Connection, tool: Tool) -> list[LevelSetting]:
    row = tool_settings.registry(db).get(tool.name)
    return [] if row is None else [LevelSetting.of("global", row)]


def _restrict(
    db: Connection, admin: Person, tool: Tool, scope: Scope, subject: str, choices: JSONObject
) -> None:
    """Write a narrower level's choices, unless they would loosen a wider level's."""
    check_choices(db, admin, tool, Confirming(choices.get("confirmation"), scope, subject), choices)
    wider = [*_global(db, tool), *_wider(db, admin, tool, scope, subject)]
    problem = loosened(tool, wider, LevelSetting(level=scope, **choices))
    if problem is not None:
        raise Forbidden("only_restrict", problem=problem)
    if choices:
        change_level(db, admin, tool.name, scope, subject, choices)


def change_level(
    db: Connection, by: Person, tool: str, scope: Level, subject: str, choices: JSONObject
) -> None:
    """Write one level's choices, and in the record what they were before."""
    where = (by.organisation_id, scope, subject, tool)
    before = tool_settings.setting(db, *where)
    tool_settings.change_setting(db, *where, **choices)
    note_rule(db, by, tool, scope, subject, before, tool_settings.setting(db, *where))


def note_rule(
    db: Connection, by: Person, tool: str, scope: Level, subject: str, before: Any, after: Any
) -> None:
    said = [
        {} if row is None else {name: getattr(row, name) for name in tool_settings.CHOICES}
        for row in (before, after)
    ]
    note(
        db,
        by,
        "rule_changed",
        tool,
        tool=tool,
        before=said[0],
        after=said[1],
        scope=scope,
        subject=subject,
    )


def check_choices(
    db: Connection, admin: Person, tool: Tool, rule: Confirming, choices: JSONObject
) -> None:
    """Refuse what could not hold for this tool, in this organisation."""
    check_fields(rule.confirmation, tool)
    check_satisfiable(db, admin.organisation_id, tool, rule)
    check_cache(choices.get("cache_seconds"), tool)


def _wider(
    db: Connection, admin: Person, tool: Tool, scope: Scope, subject: str
) -> list[LevelSetting]:
    """The words between the global one and this level that always hold where this one does."""
    above: list[tuple[Scope, str]] = []
    if scope != "organisation":
        above.append(("organisation", ""))
    if scope == "user":
        above.append(("role", people.person(db, int(subject)).role))
    found = []
    for level, whose in above:
        row = tool_settings.setting(db, admin.organisation_id, level, whose, tool.name)
        if row is not None:
            found.append(LevelSetting.of(level, row))
    return found


def _shown(
    db: Connection, bench: Workbench, admin: Person, tool: Tool, custom: CustomTool | None
) -> AdminTool:
    words = _global(db, tool)
    row = tool_settings.setting(db, admin.organisation_id, "organisation", "", tool.name)
    if row is not None:
        words.append(LevelSetting.of("organisation", row))
    level = own_level(bench, admin, tool)
    chosen = next((word for word in words if word.level == level), LevelSetting(level=level))
    return AdminTool.told(
        tool,
        resolve(tool, words),
        chosen,
        pack=bench.registry.packs().get(tool.name),
        row=custom,
        lost_fields=_lost_fields(db, admin, tool),
        language=admin.language,
    )


def _lost_fields(db: Connection, admin: Person, tool: Tool) -> list[str]:
    """What rules of any level name that the tool does not have (any more)."""
    rows = tool_settings.settings_of(db, admin.organisation_id)
    words = [
        *_global(db, tool),
        *(LevelSetting.of(r.scope, r) for r in rows if r.tool == tool.name),
    ]
    lost = [rule.lost_field(tool) for rule in resolve(tool, words).asks]
    return sorted({name for name in lost if name is not None})
