"""The rules of every organisation, kept in memory for as long as nobody changed them.

The version of an organisation's settings is read with the person, at each call; a changed
version reads everything again. So a change made in one process holds in all, at the next call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from bancada.domain.people import Person
from bancada.policy.rules import Level, LevelSetting, Rules, resolve
from bancada.store import people, tool_settings
from bancada.store.people import PersonNow
from bancada.tools.tool import Tool


@dataclass
class _OrganisationSettings:
    """One organisation's settings at one version."""

    version: int
    organisation: dict[str, Any]
    registry: dict[str, Any]
    settings: dict[tuple[str, str, str], Any]
    resolved: dict[tuple[str, str, int, int | None], Rules] = field(default_factory=dict)


class Rulebook:
    """Answers which rules hold for a person and a tool."""

    def __init__(self) -> None:
        self._pages: dict[int, _OrganisationSettings] = {}

    def rules(
        self, db: Connection, person_now: PersonNow, tool: Tool, agent_id: int | None
    ) -> Rules:
        """The rules in force now; reads the database only when something changed."""
        page = self._page(db, person_now)
        person = person_now.person
        key = (tool.name, person.role, person.id, agent_id)
        rules = page.resolved.get(key)
        if rules is None:
            rules = resolve(
                tool, settings_for(page.registry, page.settings, tool.name, person, agent_id)
            )
            if tool.under is not None:
                rules = rules.under(self.rules(db, person_now, tool.under, agent_id))
            page.resolved[key] = rules
        return rules

    def settings(
        self, db: Connection, person_now: PersonNow, tool: Tool, agent_id: int | None
    ) -> list[LevelSetting]:
        """What each level says, for those who ask why."""
        page = self._page(db, person_now)
        return settings_for(page.registry, page.settings, tool.name, person_now.person, agent_id)

    def organisation(self, db: Connection, person_now: PersonNow) -> dict[str, Any]:
        """The organisation's own settings."""
        return self._page(db, person_now).organisation

    def _page(self, db: Connection, person_now: PersonNow) -> _OrganisationSettings:
        organisation_id = person_now.person.organisation_id
        page = self._pages.get(organisation_id)
        if page is None or page.version != person_now.settings_version:
            rows = tool_settings.settings_of(db, organisation_id)
            page = _OrganisationSettings(
                version=person_now.settings_version,
                organisation=people.organisation(db, organisation_id).settings,
                registry=tool_settings.registry(db),
                settings={(row.scope, row.subject, row.tool): row for row in rows},
            )
            self._pages[organisation_id] = page
        return page


def settings_for(
    registry: dict[str, Any],
    settings: dict[tuple[str, str, str], Any],
    tool: str,
    person: Person,
    agent_id: int | None,
) -> list[LevelSetting]:
    """The settings that concern this person and tool, widest level first."""
    found: list[LevelSetting] = []
    if tool in registry:
        found.append(LevelSetting.of("global", registry[tool]))
    subjects: dict[Level, str] = {
        "organisation": "",
        "role": person.role,
        "agent": str(agent_id),
        "user": str(person.id),
        "own": str(person.id),
    }
    for level, subject in subjects.items():
        row = settings.get((level, subject, tool))
        if row is not None:
            found.append(LevelSetting.of(level, row))
    return found
