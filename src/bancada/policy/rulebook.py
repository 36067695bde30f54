"""The rules of every organisation, kept in memory for as long as nobody changed them.

The version of an organisation's settings is read with the person, at each call; a changed
version reads everything again. So a change made in one process holds in all, at the next call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from bancada.domain.people import Person
from bancada.policy.rules import Level, Rules, Word, resolve
from bancada.store import people, tool_settings
from bancada.store.people import Standing
from bancada.tools.tool import Tool


@dataclass
class _Page:
    """One organisation's settings at one version."""

    version: int
    organisation: dict[str, Any]
    registry: dict[str, Any]
    words: dict[tuple[str, str, str], Any]
    resolved: dict[tuple[str, str, int, int | None], Rules] = field(default_factory=dict)


class Rulebook:
    """Answers which rules hold for a person and a tool."""

    def __init__(self) -> None:
        self._pages: dict[int, _Page] = {}

    def rules(self, db: Connection, standing: Standing, tool: Tool, agent_id: int | None) -> Rules:
        """The rules in force now; reads the database only when something changed."""
        page = self._page(db, standing)
        person = standing.person
        key = (tool.name, person.role, person.id, agent_id)
        rules = page.resolved.get(key)
        if rules is None:
            rules = resolve(tool, words_for(page.registry, page.words, tool.name, person, agent_id))
            page.resolved[key] = rules
        return rules

    def words(
        self, db: Connection, standing: Standing, tool: Tool, agent_id: int | None
    ) -> list[Word]:
        """What each level says, for those who ask why."""
        page = self._page(db, standing)
        return words_for(page.registry, page.words, tool.name, standing.person, agent_id)

    def organisation(self, db: Connection, standing: Standing) -> dict[str, Any]:
        """The organisation's own settings."""
        return self._page(db, standing).organisation

    def _page(self, db: Connection, standing: Standing) -> _Page:
        organisation_id = standing.person.organisation_id
        page = self._pages.get(organisation_id)
        if page is None or page.version != standing.settings_version:
            rows = tool_settings.settings_of(db, organisation_id)
            page = _Page(
                version=standing.settings_version,
                organisation=people.organisation(db, organisation_id).settings,
                registry=tool_settings.registry(db),
                words={(row.scope, row.subject, row.tool): row for row in rows},
            )
            self._pages[organisation_id] = page
        return page


def words_for(
    registry: dict[str, Any],
    words: dict[tuple[str, str, str], Any],
    tool: str,
    person: Person,
    agent_id: int | None,
) -> list[Word]:
    """The words that concern this person and tool, widest level first."""
    found: list[Word] = []
    if tool in registry:
        found.append(Word.of("global", registry[tool]))
    subjects: dict[Level, str] = {
        "organisation": "",
        "role": person.role,
        "agent": str(agent_id),
        "user": str(person.id),
        "own": str(person.id),
    }
    for level, subject in subjects.items():
        row = words.get((level, subject, tool))
        if row is not None:
            found.append(Word.of(level, row))
    return found
