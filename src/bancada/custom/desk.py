"""Where custom tools are made, changed and taken away, by those who may.

Administrators make tools for the whole organisation. Where it allows, people make their own,
which only they see; administrators see those too, and may take them away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from bancada.custom.definitions import as_shape, check_definition, read_definition
from bancada.custom.organisation import HIDDEN, CustomToolSettings
from bancada.custom.source import CustomTools
from bancada.domain.errors import Conflict, Forbidden, Invalid, NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.gate.administration import note
from bancada.store import agents, custom_tools, people
from bancada.store.custom_tools import CustomTool
from bancada.store.database import Database
from bancada.tools.registry import Registry
from bancada.tools.tool import Tool

MOST_OWN = 50
"""Tools that one person may have of their own."""


@dataclass(frozen=True)
class CustomToolDesk:
    """Every change is checked against the database as it is then, in the transaction that makes it."""

    database: Database
    registry: Registry
    source: CustomTools

    async def listed(self, person: Person) -> list[CustomTool]:
        """The tools this person may see here: an administrator all, others their own."""
        return await self.database.read(self._listed, person)

    async def versions(
        self, person: Person, name: str, *, owner: int | None = None
    ) -> list[CustomTool]:
        """Every version of one tool, newest first; `owner` says whose where several have the name."""
        return await self.database.read(self._versions, person, name, owner)

    async def check(self, person: Person, shape: object, *, own: bool = False) -> JSONObject:
        """Try a definition without keeping it: its input schema, or `Invalid`."""
        return await self.database.read(self._check, person, shape, own)

    async def create(self, person: Person, shape: object, *, own: bool = False) -> CustomTool:
        """Keep a new tool; `own` makes it the person's, which for most it is in any case."""
        return await self.database.run(self._create, person, shape, own)

    async def change(
        self, person: Person, name: str, shape: JSONObject, *, owner: int | None = None
    ) -> CustomTool:
        """Keep a new version; fields that are left out stay as they are."""
        return await self.database.run(self._change, person, name, shape, owner)

    async def retire(self, person: Person, name: str, *, owner: int | None = None) -> None:
        """Take a tool out of use; its versions stay in the record."""
        await self.database.run(self._retire, person, name, owner)

    # ------------------------------------------------------------------ in one transaction

    def _listed(self, db: Connection, person: Person) -> list[CustomTool]:
        return [
            row for row in custom_tools.current(db, person.organisation_id) if _may_see(person, row)
        ]

    def _versions(
        self, db: Connection, person: Person, name: str, owner: int | None
    ) -> list[CustomTool]:
        found = the_one(custom_tools.named(db, person.organisation_id, name), owner)
        whose = owner if found is None else found.owner_id
        every = custom_tools.versions(db, person.organisation_id, name, whose)
        if not every or not _may_see(person, every[0]):
            raise NotFound("no_custom_tool", name=name)
        return every

    def _check(self, db: Connection, person: Person, shape: object, own: bool) -> JSONObject:
        means = self._means(db, person)
        return self._checked(db, person, self._read(person, shape, means, own), means)

    def _create(self, db: Connection, person: Person, shape: object, own: bool) -> CustomTool:
        means = self._means(db, person)
        new = self._read(person, shape, means, own)
        self._checked(db, person, new, means)
        people.hold_organisation(db, person.organisation_id)
        if new.owner_id is not None and self._owned(db, person) >= MOST_OWN:
            raise Conflict("too_many_own_tools", most=MOST_OWN)
        added = custom_tools.add(db, new)
        note(db, person, "tool_added", added.name, tool=added.name, after=_facts(added))
        return added

    def _change(
        self, db: Connection, person: Person, name: str, shape: JSONObject, owner: int | None
    ) -> CustomTool:
        before = self._known(db, person, name, owner)
        means = self._means(db, person)
        if before.owner_id is not None and before.owner_id != person.id:
            raise Forbidden("owner_changes_own_tool")
        if shape.get("name", name) != name:
            raise Conflict("tool_keeps_name")
        new = read_definition(
            {**as_shape(before), **shape},
            organisation_id=person.organisation_id,
            created_by=person.id,
            owner_id=before.owner_id,
        )
        self._may_make(person, means, own=before.owner_id is not None)
        self._checked(db, person, new, means)
        changed = custom_tools.change(db, new, from_version=before.version)
        old, now = _facts(before), _facts(changed)
        note(db, person, "tool_changed", name, tool=name, before=old, after=now)
        return changed

    def _retire(self, db: Connection, person: Person, name: str, owner: int | None) -> None:
        found = self._known(db, person, name, owner)
        custom_tools.retire(db, person.organisation_id, name, found.owner_id)
        note(db, person, "tool_retired", name, tool=name, before=_facts(found))

    def _known(self, db: Connection, person: Person, name: str, owner: int | None) -> CustomTool:
        rows = custom_tools.named(db, person.organisation_id, name)
        found = the_one([row for row in rows if _may_see(person, row)], owner)
        if found is None:
            raise NotFound("no_custom_tool", name=name)
        return found

    # ------------------------------------------------------------------ rules

    def _owned(self, db: Connection, person: Person) -> int:
        rows = custom_tools.current(db, person.organisation_id)
        return sum(row.owner_id == person.id for row in rows)

    def _means(self, db: Connection, person: Person) -> CustomToolSettings:
        return self.source.means(db, person.organisation_id)

    def _read(
        self, person: Person, shape: object, means: CustomToolSettings, own: bool
    ) -> CustomTool:
        own = own or person.role != "admin"
        self._may_make(person, means, own=own)
        new = read_definition(
            shape,
            organisation_id=person.organisation_id,
            created_by=person.id,
            owner_id=person.id if own else None,
        )
        if new.name in self.registry:
            pack = self.registry.packs().get(new.name)
            if pack is None:
                raise Invalid("name_taken", name=new.name)
            raise Invalid("name_taken_by_pack", name=new.name, pack=pack)
        return new

    def _may_make(self, person: Person, means: CustomToolSettings, *, own: bool) -> None:
        if means.makers == "off":
            raise Forbidden("no_custom_tools_here")
        if own and means.makers != "users":
            raise Forbidden("administrators_define_tools")

    def _checked(
        self, db: Connection, person: Person, new: CustomTool, means: CustomToolSettings
    ) -> JSONObject:
        person_now = people.person_now(db, person.id)
        if person_now is not None:
            self.registry.refresh(db, person_now)
        rows = {
            (row.owner_id, row.name) for row in custom_tools.current(db, person.organisation_id)
        }

        reach = agents.agents_for(db, person.id) if new.owner_id is not None else None

        def find(name: str) -> Tool | None:
            # What everybody may call cannot be made of what one person has.
            if new.owner_id is None and (person.id, name) in rows and (None, name) not in rows:
                return None
            tool = self.registry.find(name, person)
            # Nor can a person's own tool be made of what no agent of theirs has.
            theirs = reach is None or (tool is not None and tool.own)
            return (
                tool
                if theirs
                or (tool is not None and any(agent.has(name, tool.group) for agent in reach or ()))
                else None
            )

        return check_definition(new, means, find)


def the_one(rows: Sequence[CustomTool], owner: int | None) -> CustomTool | None:
    """Of the tools of one name: this owner's; else the organisation's, else the first there is."""
    if owner is not None:
        rows = [row for row in rows if row.owner_id == owner]
    return rows[0] if rows else None


def _may_see(person: Person, row: CustomTool) -> bool:
    return person.role == "admin" or row.owner_id == person.id


def _facts(row: CustomTool) -> JSONObject:
    """A definition as the record keeps it: what stands in a header may be a password."""
    shape = {**as_shape(row), "version": row.version, "owner_id": row.owner_id}
    headers = row.definition.get("headers")
    if isinstance(headers, dict):
        hidden = {
            name: value if "{secret:" in str(value) else HIDDEN for name, value in headers.items()
        }
        shape["definition"] = {**row.definition, "headers": hidden}
    return shape
