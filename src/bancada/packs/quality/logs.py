"""Whose defect log is where: the one that the operator named, and those in organisations' own databases."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from bancada import (
    JSONObject,
    OrganisationTables,
    Person,
    TableReading,
    ToolContext,
    ToolFailed,
    Widget,
)
from bancada.packs.quality.cube import Cube
from bancada.packs.quality.defects import Defects
from bancada.packs.quality.sources import LogRows
from bancada.packs.quality.table import TABLE, WORDS

T = TypeVar("T")

NEWEST = "data"

NO_LOG_OF_YOURS = (
    "A sua organização não tem registo de defeitos; carregue um ficheiro na conversa, "
    "peça ao operador que indique um em [packs.quality], no bancada.toml, ou a um administrador "
    "que escolha uma tabela de uma base de dados da organização."
)


@dataclass(frozen=True)
class CountedFrom:
    """Which log answered."""

    version: JSONObject | None
    """None: the log was not asked."""
    cut: str | None = None
    """What was left out of it."""

    def beside(self, value: JSONObject) -> JSONObject:
        """An answer with what it was counted from."""
        told = {"aviso": self.cut} if self.cut else {}
        versions = {} if self.version is None else {"versao_dados": {TABLE: self.version}}
        return {**value, **told, **versions}

    def on(self, widgets: Sequence[Widget]) -> list[Widget]:
        """What is shown, with the same."""
        return [replace(one, data=self.beside(one.data)) for one in widgets]


GIVEN = CountedFrom(None)
"""Numbers that came with the question."""


class NoLog(ToolFailed):
    """There is none for whoever asks."""


@dataclass
class _OwnLog:
    """One organisation's log in its database, as it was last read."""

    defects: Defects
    last: TableReading | None = None
    cut: str | None = None
    # Of two first questions each would read the whole table.
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)


class Logs:
    """The log of whoever asks."""

    def __init__(
        self, files: Defects | None, owner: int, tables: OrganisationTables, folder: Path
    ) -> None:
        """`files` is the operator's log, of the organisation `owner`."""
        self._files = files
        self._owner = owner
        self._tables = tables
        self._folder = folder
        self._own: dict[int, _OwnLog] = {}
        tables.offer(TABLE, columns=tuple(WORDS), needs="tipo_defeito", newest=NEWEST)

    async def ask(
        self, context: ToolContext, question: Callable[[Cube], T]
    ) -> tuple[T, CountedFrom]:
        """Raises `ToolFailed` where their organisation has no log, or it cannot be read."""
        own = await self._read(context.person.organisation_id, context.person)
        if own is not None:
            answer, version = await own.defects.ask(question)
            return answer, CountedFrom(version, own.cut)
        if self._files is None or context.person.organisation_id != self._owner:
            raise NoLog(NO_LOG_OF_YOURS)
        answer, version = await self._files.ask(question)
        return answer, CountedFrom(version)

    async def fetch(self, organisation_id: int, person: Person | None) -> Path | None:
        """The file of the organisation's own log, as its table is now; none: it has none."""
        own = await self._read(organisation_id, person)
        return None if own is None else await asyncio.to_thread(own.defects.table)

    async def _read(self, organisation_id: int, person: Person | None) -> _OwnLog | None:
        own = self._own.get(organisation_id)
        if own is None:
            folder = self._folder / f"organisation-{organisation_id}"
            own = self._own[organisation_id] = _OwnLog(Defects(_nothing(), folder))
        async with own.reading:
            last = own.last if own.last and own.defects.has(own.last.version) else None
            found = await self._tables.read(organisation_id, TABLE, last=last, person=person)
            if found is None:
                own.last = None
                if own.defects.folder.is_dir():
                    # What is not their log any more does not stay here.
                    await asyncio.to_thread(shutil.rmtree, own.defects.folder, ignore_errors=True)
                return None
            if found is not last:
                own.defects.folder.mkdir(exist_ok=True)
                own.defects.source = LogRows(found)
                await asyncio.to_thread(own.defects.table)
                # The file has the rows now: memory need not.
                own.last, own.cut = replace(found, rows=()), _cut(found)
                own.defects.source = LogRows(own.last, written=True)
        return own


def _nothing() -> LogRows:
    """Before the first reading."""
    none = TableReading(source={}, columns=(), kinds=(), rows=(), version="", read_at=0.0)
    return LogRows(none, written=True)


def _cut(reading: TableReading) -> str | None:
    if not reading.cut:
        return None
    days = (row[reading.columns.index(NEWEST)] for row in reading.rows)
    since = next((day for day in days if day is not None), "?")
    return (
        f"A tabela do registo tem mais linhas do que se leem: só contam as {len(reading.rows)} "
        f"mais recentes, desde {since}."
    )
