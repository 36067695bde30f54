"""The registry: every tool there is, by name, whoever brought it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from sqlalchemy import Connection

from bancada.domain.errors import BadDefinition
from bancada.domain.people import Person
from bancada.store.people import PersonNow
from bancada.tools.tool import Tool


class ToolSource(Protocol):
    """Where further tools come from: rows that administrators wrote, servers elsewhere.

    `refresh` is called inside the gate's transaction before the others are; they answer from
    memory, on whichever thread asks.
    """

    def refresh(self, db: Connection, person_now: PersonNow) -> None: ...
    def find(self, name: str, person: Person) -> Tool | None: ...
    def for_person(self, person: Person) -> Iterable[Tool]: ...


class Registry:
    """Tools of the packs, the same for everybody, and sources that depend on the person."""

    def __init__(self, tools: Iterable[tuple[str | None, Tool]] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        self._packs: dict[str, str | None] = {}
        self._sources: list[ToolSource] = []
        for pack, tool in tools:
            self.add(tool, pack=pack)

    def add(self, tool: Tool, *, pack: str | None = None) -> None:
        """A name belongs to one tool; two packs that want the same one cannot both be loaded."""
        if tool.name in self._tools:
            other = self._packs[tool.name]
            raise BadDefinition(f"Two tools are called {tool.name}: in {other} and in {pack}.")
        self._tools[tool.name] = tool
        self._packs[tool.name] = pack

    def add_source(self, source: ToolSource) -> None:
        self._sources.append(source)

    def refresh(self, db: Connection, person_now: PersonNow) -> None:
        """Let every source see what changed for this person's organisation."""
        for source in self._sources:
            source.refresh(db, person_now)

    def find(self, name: str, person: Person) -> Tool | None:
        """The tool by that name that exists for this person."""
        tool = self._tools.get(name)
        if tool is not None:
            return tool
        for source in self._sources:
            tool = source.find(name, person)
            if tool is not None:
                return tool
        return None

    def for_person(self, person: Person) -> list[Tool]:
        """Every tool that exists for this person, in a stable order."""
        found = dict(self._tools)
        for source in self._sources:
            for tool in source.for_person(person):
                found.setdefault(tool.name, tool)
        return [found[name] for name in sorted(found)]

    def packs(self) -> Mapping[str, str | None]:
        """Tool name → the pack that brought it."""
        return self._packs

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __contains__(self, name: str) -> bool:
        return name in self._tools
