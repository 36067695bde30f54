"""What administrators and people chose for each tool, at each level."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, and_, delete, insert, select, update

from bancada.domain.errors import NotFound
from bancada.store.people import touch_settings
from bancada.store.tables import ai_tool_config, ai_tool_registry

CHOICES = (
    "is_enabled",
    "permission_level",
    "confirmation",
    "allowed_callers",
    "cache_seconds",
    "budget",
)
"""What can be chosen for a tool; nothing where a level is silent."""


def reconcile(db: Connection, present: dict[str, str | None]) -> None:
    """Make the registry know the tools that are here now (name → pack); choices stay as they are."""
    known = {row.name: row for row in db.execute(select(ai_tool_registry))}
    changed = False
    for name, pack in present.items():
        row = known.get(name)
        if row is None:
            values = {"name": name, "pack": pack, "is_present": True}
            db.execute(insert(ai_tool_registry).values(**values))
            changed = True
        elif not row.is_present or row.pack != pack:
            here = update(ai_tool_registry).where(ai_tool_registry.c.name == name)
            db.execute(here.values(is_present=True, pack=pack))
            changed = True
    for name in set(known) - set(present):
        if known[name].is_present:
            gone = update(ai_tool_registry).where(ai_tool_registry.c.name == name)
            db.execute(gone.values(is_present=False))
            changed = True
    if changed:
        touch_settings(db)


def packs_present(db: Connection) -> dict[str, list[str]]:
    """The packs whose tools were here at the last look, each with its tools."""
    packs: dict[str, list[str]] = {}
    for name, row in sorted(registry(db).items()):
        if row.is_present and row.pack is not None:
            packs.setdefault(row.pack, []).append(name)
    return packs


def registry(db: Connection) -> dict[str, Row[Any]]:
    """The global word on every tool."""
    return {row.name: row for row in db.execute(select(ai_tool_registry))}


def change_registry(db: Connection, /, name: str, **choices: Any) -> None:
    """Change the global word on a tool."""
    row = db.execute(select(ai_tool_registry).where(ai_tool_registry.c.name == name)).first()
    if row is None:
        raise NotFound("no_tool", name=name)
    if choices:
        changed = update(ai_tool_registry).where(ai_tool_registry.c.name == name)
        db.execute(changed.values(**choices))
        touch_settings(db)


def settings_of(db: Connection, organisation_id: int) -> list[Row[Any]]:
    """Every level below the global one, for all tools of an organisation."""
    query = select(ai_tool_config).where(ai_tool_config.c.organisation_id == organisation_id)
    return list(db.execute(query))


def setting(
    db: Connection, organisation_id: int, scope: str, subject: str, tool: str
) -> Row[Any] | None:
    return db.execute(
        select(ai_tool_config).where(_at(organisation_id, scope, subject, tool))
    ).first()


def change_setting(
    db: Connection, /, organisation_id: int, scope: str, subject: str, tool: str, **choices: Any
) -> None:
    """Change one level's word on a tool; a level left with no word is removed."""
    # First: while one takes the last word away, another who saw the row would write to nothing.
    touch_settings(db, organisation_id)
    where = _at(organisation_id, scope, subject, tool)
    row = db.execute(select(ai_tool_config).where(where)).first()
    if row is None:
        values = {"organisation_id": organisation_id, "scope": scope, "subject": subject}
        db.execute(insert(ai_tool_config).values(**values, tool=tool, **choices))
    elif choices:
        db.execute(update(ai_tool_config).where(where).values(**choices))
    silent = and_(*(ai_tool_config.c[choice].is_(None) for choice in CHOICES))
    db.execute(delete(ai_tool_config).where(where, silent))


def _at(organisation_id: int, scope: str, subject: str, tool: str) -> Any:
    return and_(
        ai_tool_config.c.organisation_id == organisation_id,
        ai_tool_config.c.scope == scope,
        ai_tool_config.c.subject == subject,
        ai_tool_config.c.tool == tool,
    )
