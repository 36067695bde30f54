"""What the data room's tests work with: a shelf in memory, files, and a place to query them."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from bancada.data import scraps
from bancada.data.datasets import Dataset, Uploads
from bancada.data.ingest import MADE, build
from bancada.data.notes import sentences
from bancada.data.problems import DataProblem
from bancada.data.process import Ingested, OpenSandbox, ingest_file
from bancada.data.query import DatasetQuery
from bancada.domain.calls import Outcome
from bancada.domain.json import JSONObject
from bancada.domain.people import Language, Person
from bancada.sandbox import Sandbox
from bancada.store.blobs.cache import HeldFile
from bancada.tools.tool import ToolContext

ANA = Person(id=3, organisation_id=1, email="ana@demo.com", name="Ana", role="operador")


def given(sandbox: Sandbox) -> OpenSandbox:
    """A sandbox that is open already."""

    async def same() -> Sandbox:
        return sandbox

    return same


class Shelf:
    """Data sets listed in memory, their files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._kept: list[Dataset] = []

    async def add(
        self, dataset: Dataset, file: Path, message: str, instead_of: Dataset | None = None
    ) -> str:
        if instead_of is not None:
            self._kept.remove(instead_of)
        self.path(dataset).hardlink_to(file)
        self._kept.append(dataset)
        return f"message {len(self._kept)}"

    async def file(self, dataset: Dataset) -> HeldFile:
        return HeldFile(self.path(dataset))

    def path(self, dataset: Dataset) -> Path:
        return self.folder / dataset.file

    async def of_conversation(self, conversation_id: str) -> Sequence[Dataset]:
        return [each for each in self._kept if each.conversation_id == conversation_id]

    async def remove(self, conversation_id: str) -> Sequence[Dataset]:
        gone = await self.of_conversation(conversation_id)
        self._kept = [each for each in self._kept if each not in gone]
        for dataset in gone:
            self.path(dataset).unlink()
        return gone


@dataclass(frozen=True)
class Room:
    """A folder that files are received in, and the sandbox that reads them."""

    folder: Path
    sandbox: Sandbox

    @property
    def kept(self) -> Path:
        return self.folder / "kept"

    async def send(self, filename: str, content: str | bytes, **options: Any) -> Ingested:
        source = self.folder / "received"
        source.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.kept.mkdir(exist_ok=True)
        return await ingest_file(
            given(self.sandbox), source, filename, self.kept, name="made", **options
        )

    async def refused(self, filename: str, content: str | bytes, **options: Any) -> DataProblem:
        with pytest.raises(DataProblem) as problem:
            await self.send(filename, content, **options)
        assert list(self.kept.iterdir()) == [], "nothing is left behind"
        return problem.value


class Desk:
    """One installation's data room: upload to a conversation, query from it."""

    def __init__(self, uploads: Uploads, query: DatasetQuery, folder: Path) -> None:
        self.uploads = uploads
        self.folder = folder
        self._query = query

    async def upload(self, conversation: str, filename: str, content: str | bytes) -> Dataset:
        source = self.folder / "received"
        source.write_bytes(content if isinstance(content, bytes) else content.encode())
        return (await self.uploads.receive(conversation, source, filename)).dataset

    async def ask(
        self,
        sql: str,
        conversation: str | None = "ours",
        *,
        tables: Mapping[str, Path] | None = None,
        limit: int = 200,
    ) -> JSONObject:
        context = ToolContext(
            person=ANA, call_id="call", conversation_id=conversation, call=_nobody
        )
        return await self._query.query(context, sql, tables=tables or {}, limit=limit)


async def _nobody(name: str, input: JSONObject) -> Outcome:
    raise AssertionError("no tool is called here")


async def take(folder: Path, filename: str, content: str | bytes, **options: Any) -> Ingested:
    """Ingest some bytes as a file of that name, in this process."""
    source = folder / "received"
    source.write_bytes(content if isinstance(content, bytes) else content.encode())
    scraps_folder = folder / "scraps"
    scraps_folder.mkdir()
    with contextlib.chdir(scraps_folder):
        built = build(source, filename, **options)
    path = folder / "made.duckdb"
    scraps.take(folder, "scraps", MADE, path)
    sha256, size = scraps.settled(path, 1 << 40)
    return Ingested(path=path, sha256=sha256, bytes=size, summary=built.summary, head=built.head)


def rows(made: Ingested, sql: str | None = None) -> list[tuple[Any, ...]]:
    """What the made file answers."""
    with duckdb.connect(str(made.path), read_only=True) as db:
        return db.execute(sql or f'SELECT * FROM "{made.tables[0]}"').fetchall()


def told(made: Ingested, language: Language = "pt") -> list[str]:
    """What is said of the file and of its tables, a sentence each."""
    notes = [*made.summary["notes"]]
    notes += [note for table in made.summary["tables"] for note in table["notes"]]
    return sentences(notes, language)


def types(made: Ingested) -> dict[str, str]:
    return {column["name"]: column["type"] for column in made.summary["columns"]}
