"""Tools that people defined: every version of each, and the parameters as rows.

A change makes a new version; the old one stays, so what a conversation or the audit recorded
can still be looked up.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, insert, select, update

from bancada.domain.errors import Conflict, NotFound
from bancada.domain.json import JSON, JSONObject
from bancada.store.people import touch_settings
from bancada.store.tables import ai_tool_parameters, custom_tools


@dataclass(frozen=True, kw_only=True)
class CustomParameter:
    """One parameter of a tool, as its row says it."""

    name: str
    type: str
    description: str = ""
    is_required: bool = True
    default_value: JSON = None
    constraints: JSONObject = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CustomTool:
    """One version of a tool. `owner_id` is none for the whole organisation's."""

    organisation_id: int
    name: str
    kind: str
    description: str
    definition: JSONObject
    created_by: int
    owner_id: int | None = None
    category: str = "data"
    effect: str = "read"
    permission_level: str = "operador"
    requires_confirmation: bool = False
    allowed_callers: tuple[str, ...] = ("direct",)
    parameters: tuple[CustomParameter, ...] = ()
    id: int = 0
    version: int = 0
    is_current: bool = True
    created_at: float = 0.0


def current(db: Connection, organisation_id: int) -> list[CustomTool]:
    """The tools that are in use now, by name."""
    query = (
        select(custom_tools)
        .where(custom_tools.c.organisation_id == organisation_id, custom_tools.c.is_current)
        .order_by(custom_tools.c.name)
    )
    return _with_parameters(db, list(db.execute(query)))


def find(
    db: Connection, organisation_id: int, name: str, owner_id: int | None = None
) -> CustomTool | None:
    """The version in use now: of the organisation's tool, or of this person's own."""
    found = [row for row in named(db, organisation_id, name) if row.owner_id == owner_id]
    return found[0] if found else None


def named(db: Connection, organisation_id: int, name: str) -> list[CustomTool]:
    """The tools of this name that are in use: the organisation's first, then people's own."""
    query = select(custom_tools).where(
        custom_tools.c.organisation_id == organisation_id,
        custom_tools.c.name == name,
        custom_tools.c.is_current,
    )
    found = _with_parameters(db, list(db.execute(query)))
    return sorted(found, key=lambda row: row.owner_id or 0)


def versions(
    db: Connection, organisation_id: int, name: str, owner_id: int | None = None
) -> list[CustomTool]:
    """Every version there ever was, newest first."""
    query = (
        select(custom_tools)
        .where(*_whose(organisation_id, name, owner_id))
        .order_by(custom_tools.c.version.desc())
    )
    return _with_parameters(db, list(db.execute(query)))


def add(db: Connection, new: CustomTool) -> CustomTool:
    """Keep a new tool. A person's own takes its name from nobody, and cannot have the
    organisation's; two people may have the same.

    Of several who take one name at once, the second would read no tool of that name, then the
    first's version, and add the one after it: each waits for the organisation's row first.
    """
    touch_settings(db, new.organisation_id)
    taken = {row.owner_id for row in named(db, new.organisation_id, new.name)}
    if None in taken or (new.owner_id is not None and new.owner_id in taken):
        raise Conflict("tool_exists", name=new.name)
    return _add_version(db, new)


def change(db: Connection, new: CustomTool, *, from_version: int) -> CustomTool:
    """Put a new version in the place of the one that was read."""
    touch_settings(db, new.organisation_id)
    replaced = db.execute(
        update(custom_tools)
        .where(
            *_whose(new.organisation_id, new.name, new.owner_id),
            custom_tools.c.version == from_version,
            custom_tools.c.is_current,
        )
        .values(is_current=False)
    )
    if replaced.rowcount != 1:
        raise Conflict("changed_meanwhile", name=new.name)
    return _add_version(db, new)


def retire(db: Connection, organisation_id: int, name: str, owner_id: int | None = None) -> None:
    """Nobody can call it any more; its versions stay."""
    gone = db.execute(
        update(custom_tools)
        .where(*_whose(organisation_id, name, owner_id), custom_tools.c.is_current)
        .values(is_current=False)
    )
    if gone.rowcount == 0:
        raise NotFound("no_custom_tool", name=name)
    touch_settings(db, organisation_id)


def _whose(organisation_id: int, name: str, owner_id: int | None) -> list[ColumnElement[bool]]:
    return [
        custom_tools.c.organisation_id == organisation_id,
        custom_tools.c.name == name,
        custom_tools.c.owner_id.is_(None)
        if owner_id is None
        else custom_tools.c.owner_id == owner_id,
    ]


def _add_version(db: Connection, new: CustomTool) -> CustomTool:
    last = db.execute(
        select(func.max(custom_tools.c.version)).where(
            *_whose(new.organisation_id, new.name, new.owner_id)
        )
    ).scalar()
    values = {
        name: value
        for name, value in vars(new).items()
        if name not in ("id", "parameters", "allowed_callers")
    }
    values |= {
        "version": int(last or 0) + 1,
        "is_current": True,
        "allowed_callers": list(new.allowed_callers),
        "created_at": time.time(),
    }
    key = db.execute(insert(custom_tools).values(**values)).inserted_primary_key
    assert key is not None
    for position, parameter in enumerate(new.parameters):
        db.execute(
            insert(ai_tool_parameters).values(tool_id=key[0], position=position, **vars(parameter))
        )
    kept = find(db, new.organisation_id, new.name, new.owner_id)
    assert kept is not None
    return kept


def _with_parameters(db: Connection, rows: Sequence[Row[Any]]) -> list[CustomTool]:
    if not rows:
        return []
    query = (
        select(ai_tool_parameters)
        .where(ai_tool_parameters.c.tool_id.in_([row.id for row in rows]))
        .order_by(ai_tool_parameters.c.tool_id, ai_tool_parameters.c.position)
    )
    parameters: dict[int, list[CustomParameter]] = {}
    for row in db.execute(query):
        kept = {one.name: row._mapping[one.name] for one in fields(CustomParameter)}
        parameters.setdefault(row.tool_id, []).append(CustomParameter(**kept))
    return [_tool(row, parameters.get(row.id, [])) for row in rows]


def _tool(row: Row[Any], parameters: Sequence[CustomParameter]) -> CustomTool:
    return CustomTool(
        **{
            **row._mapping,
            "is_current": bool(row.is_current),
            "requires_confirmation": bool(row.requires_confirmation),
            "allowed_callers": tuple(row.allowed_callers),
            "parameters": tuple(parameters),
        }
    )
