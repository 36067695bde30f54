"""Custom tools as the registry sees them: made from rows, kept in memory while nothing changes.

The version of an organisation's settings is read with the person at each call; a changed one
reads the rows again, so that a tool changed in one process is changed in all at the next call.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bancada.custom.definitions import ToolMachinery, make_tool, unusable
from bancada.custom.organisation import CustomToolSettings, means_of
from bancada.domain.errors import BadDefinition, Invalid
from bancada.domain.people import Person
from bancada.domain.wording import Wording
from bancada.store import custom_tools, people
from bancada.store.custom_tools import CustomTool
from bancada.store.people import PersonNow
from bancada.store.vault import opened_settings
from bancada.tools.registry import Registry
from bancada.tools.tool import Tool

log = logging.getLogger("bancada.custom")


@dataclass
class _OrganisationTools:
    """One organisation's custom tools at one version of its settings."""

    version: int
    means: CustomToolSettings
    rows: dict[tuple[int | None, str], CustomTool]
    """By owner and name; the organisation's own have no owner."""
    problem: Wording | None = None
    made: dict[tuple[int, str], Tool] = field(default_factory=dict)

    def row(self, name: str, person: Person) -> CustomTool | None:
        """What this name means to the person: the organisation's tool before one of their own."""
        return self.rows.get((None, name)) or self.rows.get((person.id, name))


class CustomTools:
    """A `ToolSource` over the rows."""

    def __init__(self, registry: Registry, workings: ToolMachinery) -> None:
        self._registry = registry
        self._workings = workings
        self._pages: dict[int, _OrganisationTools] = {}

    def refresh(self, db: Connection, person_now: PersonNow) -> None:
        organisation_id = person_now.person.organisation_id
        page = self._pages.get(organisation_id)
        if page is None or page.version < person_now.settings_version:
            self._pages[organisation_id] = self._read(
                db, organisation_id, person_now.settings_version
            )

    def means(self, db: Connection, organisation_id: int) -> CustomToolSettings:
        """What the organisation's tools have. Raises `Invalid` where its settings are wrong."""
        settings = people.organisation(db, organisation_id).settings
        settings = opened_settings(self._workings.vault, organisation_id, settings)
        return means_of(settings, self._workings.databases.of(organisation_id))

    def _read(self, db: Connection, organisation_id: int, version: int) -> _OrganisationTools:
        rows = {(row.owner_id, row.name): row for row in custom_tools.current(db, organisation_id)}
        try:
            means, problem = self.means(db, organisation_id), None
        except Invalid as error:
            log.warning("organisation %s: %s", organisation_id, error)
            means, problem = CustomToolSettings(), error.wording
        return _OrganisationTools(version, means, rows, problem)

    def find(self, name: str, person: Person) -> Tool | None:
        """The organisation's tool, or the person's own."""
        page = self._pages.get(person.organisation_id)
        if page is None or page.row(name, person) is None:
            return None
        key = (person.id, name)
        made = page.made.get(key)
        if made is None:
            made = self._make(page, name, person, (), {})
            if made is not None:
                page.made[key] = made
        return made

    def for_person(self, person: Person) -> Iterable[Tool]:
        page = self._pages.get(person.organisation_id)
        rows = page.rows if page else ()
        names = {name for owner, name in rows if owner in (None, person.id)}
        found = (self.find(name, person) for name in sorted(names))
        return [tool for tool in found if tool is not None]

    def _make(
        self,
        page: _OrganisationTools,
        name: str,
        person: Person,
        above: tuple[str, ...],
        known: dict[str, Tool | None],
    ) -> Tool | None:
        """The tool from its row; `above` are the tools it is a step of, which it cannot call.

        What one chain uses in several places is made once: `known` holds it meanwhile.
        """
        row = page.row(name, person)
        if name in above or row is None or not _exists_for(row, person, page.means):
            return None
        whole = row.owner_id is None
        if page.problem is not None:
            return unusable(row, Wording("settings_unusable", problem=page.problem))

        def find(inner: str) -> Tool | None:
            step = page.row(inner, person)
            if step is None or inner in self._registry:
                return self._registry.find(inner, person)
            # A step of everybody's tool is never what one person happens to call by its name.
            if whole and step.owner_id is not None:
                return None
            if inner not in known:
                known[inner] = self._make(page, inner, person, (*above, name), known)
            return known[inner]

        try:
            return make_tool(row, page.means, self._workings, find)
        except Invalid as error:
            return unusable(row, error.wording)
        except BadDefinition as error:
            return unusable(row, str(error))


def _exists_for(row: CustomTool, person: Person, means: CustomToolSettings) -> bool:
    if means.makers == "off":
        return False
    if row.owner_id is None:
        return True
    return row.owner_id == person.id and means.makers == "users"
