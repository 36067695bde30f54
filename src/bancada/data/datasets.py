"""The data sets of a conversation: receiving a file, finding it again, forgetting it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4
from weakref import WeakValueDictionary

from bancada.data import summary
from bancada.data.limits import DEFAULT_LIMITS, IngestLimits
from bancada.data.names import shown
from bancada.data.problems import DataProblem
from bancada.data.process import Ingested, OpenSandbox, ingest_file, profiles_of
from bancada.data.shapes import Profile, uploaded_shapes
from bancada.domain.errors import NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Language
from bancada.domain.tables import TableShape
from bancada.sandbox.scratch import ScratchFolder
from bancada.store.blobs.cache import HeldFile
from bancada.store.blobs.place import BlobMissing

logger = logging.getLogger(__name__)

_PROFILES_KEPT = 256


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """One uploaded file, as it is kept."""

    id: str
    conversation_id: str
    filename: str
    table: str
    """The table's name in queries."""
    version: str
    """SHA-256 of the DuckDB file: what answers made from it depend on."""
    bytes: int
    rows: int
    summary: JSONObject
    ref: str = ""
    """Where its file is kept."""
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def file(self) -> str:
        """The DuckDB file's name, where queries see it."""
        return f"{self.id}.duckdb"

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table it holds, those of rows set aside included."""
        named = [(each["table"], each["rejected"]) for each in self.summary["tables"]]
        return tuple(name for pair in named for name in pair if name is not None)


@dataclass(frozen=True, kw_only=True)
class Uploaded:
    """What an upload leaves: the data set, and the message that tells of it."""

    dataset: Dataset
    message: str
    message_id: str


@dataclass(eq=False)
class Reading:
    """A file that is being read, and how much of the work is done, from 0 to 1."""

    name: str
    share: float = 0.0
    work: asyncio.Future[Ingested] | None = None
    forgotten: bool = False
    """Its conversation is gone."""

    def advance(self, share: float) -> None:
        self.share = share

    def forget(self) -> None:
        """Nobody wants it any more."""
        self.forgotten = True
        if self.work is not None:
            self.work.cancel()

    async def done(self, work: Coroutine[Any, Any, Ingested]) -> Ingested:
        """What the work comes to, unless the conversation goes first."""
        self.work = asyncio.ensure_future(work)
        if self.forgotten:
            self.work.cancel()
        try:
            return await self.work
        except asyncio.CancelledError:
            if self.forgotten:
                raise NotFound("no_conversation") from None
            raise


class DatasetShelf(Protocol):
    """Where data sets are kept. The caller has checked that the conversation is the person's."""

    async def add(
        self, dataset: Dataset, file: Path, message: str, instead_of: Dataset | None = None
    ) -> str:
        """Keep its file, list it and record its message, all or nothing; returns the message's id.
        What it is listed `instead_of` goes with that."""

    async def file(self, dataset: Dataset) -> HeldFile:
        """Its DuckDB file. Raises `BlobMissing` where it cannot be had."""

    async def of_conversation(self, conversation_id: str) -> Sequence[Dataset]:
        """The conversation's data sets, oldest first."""

    async def remove(self, conversation_id: str) -> Sequence[Dataset]:
        """Remove a conversation's data sets with their files; returns which they were."""


class Uploads:
    """Receives files, has them read, and puts the DuckDB files they become on a shelf."""

    def __init__(
        self,
        folder: Path,
        shelf: DatasetShelf,
        sandbox: OpenSandbox,
        *,
        limits: IngestLimits = DEFAULT_LIMITS,
        reserved: Callable[[], Collection[str]] = lambda: (),
        at_once: int = 2,
    ) -> None:
        """Files are read in `sandbox`. `reserved` are table names that no upload may take; `at_once` bounds memory and disk."""
        self.scratch = ScratchFolder(folder)
        """Where files are received and read: of this process alone."""
        self.limits = limits
        self._shelf = shelf
        self._sandbox = sandbox
        self._profiles: dict[str, tuple[Profile, ...]] = {}
        self._reserved = reserved
        self._places = asyncio.Semaphore(at_once)
        self._naming: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._reading: dict[str, list[Reading]] = {}

    async def receive(
        self,
        conversation_id: str,
        source: Path,
        filename: str,
        *,
        language: Language = "pt",
        with_rows: bool = False,
        sheet: str | None = None,
        id: str | None = None,
        replace: bool = False,
    ) -> Uploaded:
        """Turn a received file into a data set of the conversation.

        `with_rows` puts the first hundred rows into the message: for an agent that has no way
        to query. `sheet` is the one sheet of a workbook to read, `id` the one it is to have. With
        `replace` it takes the place, and the tables' names, of the one of this file's name. Raises `DataProblem`; then
        nothing was kept.
        """
        # One at a time in a conversation: two files of one name must not get one table.
        naming = self._naming.setdefault(conversation_id, asyncio.Lock())
        with self._followed(conversation_id, filename) as reading:
            async with naming, self._places:
                before = await self._shelf.of_conversation(conversation_id)
                old = next((one for one in before[::-1] if one.filename == shown(filename)), None)
                old = old if replace else None
                stay = [one for one in before if one is not old]
                taken = {*self._reserved(), *(name for each in stay for name in each.tables)}
                id = id or uuid4().hex
                made = await reading.done(
                    ingest_file(
                        self._sandbox,
                        source,
                        filename,
                        self.scratch.folder,
                        name=id,
                        taken=taken,
                        limits=self.limits,
                        progress=reading.advance,
                        sheet=sheet,
                        belongs_to=conversation_id,
                    )
                )
                dataset = _dataset(id, conversation_id, filename, made)
                message = summary.message(
                    dataset.summary, made.head if with_rows else None, language=language
                )
                if old is not None:
                    message = f"{message}\n\n{_in_its_place(old, dataset, language)}"
                message_id = await self._list(dataset, message, made, old)
        return Uploaded(dataset=dataset, message=message, message_id=message_id)

    async def _list(
        self, dataset: Dataset, message: str, made: Ingested, old: Dataset | None
    ) -> str:
        """Put what was made on the shelf. Whoever calls the upload off now comes too late."""
        listing = asyncio.ensure_future(self._shelf.add(dataset, made.path, message, old))
        try:
            return await asyncio.shield(listing)
        finally:
            await asyncio.wait({listing})
            await asyncio.to_thread(made.path.unlink, missing_ok=True)

    def reading(self, conversation_id: str) -> Sequence[Reading]:
        """The conversation's files that are being read in this process, the oldest first."""
        return tuple(self._reading.get(conversation_id, ()))

    @contextmanager
    def _followed(self, conversation_id: str, filename: str) -> Iterator[Reading]:
        """Keep a file among those being read for as long as it is."""
        reading = Reading(shown(filename))
        self._reading.setdefault(conversation_id, []).append(reading)
        try:
            yield reading
        finally:
            self._reading[conversation_id].remove(reading)
            if not self._reading[conversation_id]:
                del self._reading[conversation_id]

    async def of_conversation(self, conversation_id: str) -> Sequence[Dataset]:
        return await self._shelf.of_conversation(conversation_id)

    async def file(self, dataset: Dataset) -> HeldFile:
        """Its DuckDB file, which stays for as long as what is returned."""
        try:
            return await self._shelf.file(dataset)
        except BlobMissing:
            logger.error("the file of data set %s is not where files are kept", dataset.id)
            raise DataProblem("gone", name=dataset.filename) from None

    async def shapes(self, conversation_id: str) -> list[TableShape]:
        """The conversation's tables as structure, oldest first."""
        found = await self._shelf.of_conversation(conversation_id)
        return [
            shape
            for each in found
            for shape in uploaded_shapes(await self._profiles_of(each), each.summary)
        ]

    async def _profiles_of(self, dataset: Dataset) -> tuple[Profile, ...]:
        """Read once: the file never changes."""
        if dataset.id not in self._profiles:
            tables = [each["table"] for each in dataset.summary["tables"]]
            held = await self.file(dataset)
            found = await profiles_of(self._sandbox, held.path, tables)
            held.release()
            while len(self._profiles) >= _PROFILES_KEPT:
                del self._profiles[next(iter(self._profiles))]
            self._profiles[dataset.id] = found
        return self._profiles[dataset.id]

    async def catalogue(self, conversation_id: str, language: Language = "pt") -> str | None:
        """The conversation's tables in words, for the question's message; none if there are none."""
        found = await self._shelf.of_conversation(conversation_id)
        return summary.catalogue((each.summary for each in found), language) if found else None

    async def forget(self, conversation_id: str) -> None:
        """Remove a conversation's data sets and their files, those being read included."""
        for reading in self._reading.get(conversation_id, ()):
            reading.forget()
        for dataset in await self._shelf.remove(conversation_id):
            self._profiles.pop(dataset.id, None)


def _in_its_place(old: Dataset, new: Dataset, language: Language) -> str:
    """What whoever reads the message should know of what was there before."""
    if language == "pt":
        return f"Substitui o anterior {old.filename}, que tinha {old.rows} linhas; este tem {new.rows}."
    return (
        f"It replaces the {old.filename} before it, which had {old.rows} rows; this has {new.rows}."
    )


def _dataset(id: str, conversation_id: str, filename: str, made: Ingested) -> Dataset:
    return Dataset(
        id=id,
        conversation_id=conversation_id,
        filename=shown(filename),
        table=made.summary["table"],
        version=made.sha256,
        bytes=made.bytes,
        rows=made.summary["rows"],
        summary=made.summary,
    )
