"""The tables that can be asked about: a conversation's data sets, and those that packs bring."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bancada.data.datasets import Uploads
from bancada.data.shapes import shape_of
from bancada.domain.errors import ToolFailed
from bancada.domain.people import Person
from bancada.domain.tables import TableShape
from bancada.domain.wording import Wording
from bancada.engine.owner import CodeFile
from bancada.store.blobs.cache import HeldFile
from bancada.store.conversations import Conversation
from bancada.tools.pack import Pack, PackTable
from bancada.tools.tool import Tool


@dataclass(frozen=True)
class Tables:
    """Every table there is for somebody, as files that code reads and as structure."""

    uploads: Uploads
    packs: Sequence[Pack]

    async def files(self, conversation_id: str | None, organisation_id: int) -> list[CodeFile]:
        """What code may read: the organisation's tables of packs, the conversation's data sets."""
        found = {
            f"{table.name}.duckdb": CodeFile(f"{table.name}.duckdb", partial(_here, path))
            for table, path in await self._of_packs(organisation_id)
            if isinstance(path, Path)
        }
        if conversation_id is not None:
            for dataset in await self.uploads.of_conversation(conversation_id):
                name = f"{dataset.table}.duckdb"
                found[name] = CodeFile(name, partial(self.uploads.file, dataset), outside=True)
        return [found[name] for name in sorted(found)]

    async def shapes(
        self, conversation_id: str | None, organisation_id: int
    ) -> tuple[TableShape, ...]:
        """What can be asked about: the conversation's files, oldest first, and the packs' tables
        that exist for this organisation."""
        files = await self.uploads.shapes(conversation_id) if conversation_id else []
        return (*files, *await self.pack_shapes(organisation_id))

    async def in_words(self, conversation: Conversation, person: Person) -> str | None:
        """The conversation's tables, for the question's own message."""
        tables = await self.uploads.catalogue(conversation.id, person.language)
        return None if tables is None else Wording("datasets", tables=tables).told(person.language)

    async def pack_files(
        self, organisation_id: int, person: Person | None = None
    ) -> dict[str, Path | ToolFailed]:
        """The files of the packs' tables, by table name, as they are now; or why there is none."""
        return {table.name: path for table, path in await self._of_packs(organisation_id, person)}

    async def pack_shapes(self, organisation_id: int) -> list[TableShape]:
        """The packs' tables as structure, as they are now; one that cannot be read is not there."""
        found = await self._of_packs(organisation_id)
        return await asyncio.to_thread(_shapes, found)

    async def _of_packs(
        self, organisation_id: int, person: Person | None = None
    ) -> list[tuple[PackTable, Path | ToolFailed]]:
        """The packs' tables that exist for this organisation. Whoever reads one asks here."""
        found: list[tuple[PackTable, Path | ToolFailed]] = []
        for table in (table for pack in self.packs for table in pack.tables):
            path: Path | ToolFailed | None = None
            try:
                if table.fetch is not None:
                    path = await table.fetch(organisation_id, person)
                if path is None and table.organisation_id in (None, organisation_id):
                    path = await asyncio.to_thread(table.file)
            except ToolFailed as failure:
                path = failure
            if path is not None:
                found.append((table, path))
        return found


def _shapes(found: Sequence[tuple[PackTable, Path | ToolFailed]]) -> list[TableShape]:
    return [
        shape_of(
            path,
            table.name,
            words=table.words,
            value_words=table.values,
            row=table.row,
            kind=table.kind,
        )
        for table, path in found
        if isinstance(path, Path)
    ]


async def _here(path: Path) -> HeldFile:
    return HeldFile(path)


def with_tables(tool: Tool, shapes: Sequence[TableShape]) -> Tool:
    """A tool that queries, told of the packs' tables: the model need not ask what there is."""
    if not (tool.reads_files and shapes):
        return tool
    named = "; ".join(
        f"{shape.name}({', '.join(column.name for column in shape.columns)})" for shape in shapes
    )
    return replace(tool, description=f"{tool.description} + {named}.")
