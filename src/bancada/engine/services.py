"""What a pack is handed when it is built, and the shelves behind it."""

from __future__ import annotations

import asyncio
import logging
import secrets
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from sqlalchemy import Connection

from bancada.dashboards import DashboardDesk, PackStudies
from bancada.data.datasets import Dataset
from bancada.data.query import DatasetQuery
from bancada.domain.errors import NotFound
from bancada.domain.json import JSONObject
from bancada.domain.messages import text_block
from bancada.engine.owntables import OwnTables
from bancada.engine.packfolders import PackFolders
from bancada.engine.sandboxes import SandboxService
from bancada.sandbox import OutputFile
from bancada.store import conversations, datasets, files, messages
from bancada.store.blobs.cache import HeldFile
from bancada.store.blobs.keeping import Blobs, dropped
from bancada.store.blobs.place import Blob, BlobMissing
from bancada.store.database import Database
from bancada.store.datasets import DatasetRow
from bancada.tools.tool import ToolContext

log = logging.getLogger("bancada.files")


@dataclass(frozen=True, kw_only=True)
class PackServices:
    """`Services`, as this installation has them."""

    folder: Path
    kept: PackFolders
    demo: bool
    first_organisation: int
    jail: SandboxService
    datasets: DatasetQuery
    dashboards: DashboardDesk
    studies: PackStudies
    own_tables: OwnTables
    settings: Mapping[str, str]


@dataclass
class DatasetRows:
    """The shelf of data sets: rows of the store, each naming a kept file."""

    database: Database
    blobs: Blobs

    async def add(
        self, dataset: Dataset, file: Path, message: str, instead_of: Dataset | None = None
    ) -> str:
        whose = await self.database.read(conversations.find, dataset.conversation_id)
        if whose is None:
            raise NotFound("no_conversation")
        message_id, gone = await self.blobs.keep(
            whose.organisation_id, file, _list_dataset, dataset, message, instead_of
        )
        # After the rows: whoever has read the row before finds its file.
        await self.blobs.erase(gone)
        return message_id

    async def file(self, dataset: Dataset) -> HeldFile:
        return await self.blobs.hold(dataset.ref)

    async def of_conversation(self, conversation_id: str) -> Sequence[Dataset]:
        rows = await self.database.look(datasets.of_conversation, conversation_id)
        return [_dataset(row) for row in rows]

    async def remove(self, conversation_id: str) -> Sequence[Dataset]:
        rows, gone = await self.database.run(_remove_datasets, conversation_id)
        await self.blobs.erase(gone)
        return [_dataset(row) for row in rows]


def _remove_datasets(db: Connection, conversation_id: str) -> tuple[list[DatasetRow], list[str]]:
    rows = datasets.remove(db, conversation_id)
    return rows, dropped(db, [row.ref for row in rows])


def told_of(dataset_id: str) -> str:
    """The id of the message that tells of a data set."""
    return f"msg_{dataset_id[:20]}"


def _list_dataset(
    db: Connection, blob: Blob, dataset: Dataset, message: str, instead_of: Dataset | None
) -> tuple[str, list[str]]:
    """The message's id, and which files may go with what it replaces."""
    # In one transaction: of two data sets with one table nobody could say which is meant.
    replaced = [] if instead_of is None else [instead_of.ref]
    if instead_of is not None:
        datasets.remove_one(db, instead_of.id)
    datasets.add(
        db,
        id=dataset.id,
        conversation_id=dataset.conversation_id,
        file_name=dataset.filename,
        table_name=dataset.table,
        path=blob.place,
        version=dataset.version,
        size=dataset.bytes,
        summary=dataset.summary,
    )
    recorded = messages.append(
        db,
        dataset.conversation_id,
        role="user",
        kind="upload",
        content=[text_block(message)],
        metadata={"dataset": dataset.summary, "file": dataset.filename},
        id=told_of(dataset.id),
    )
    return recorded.id, dropped(db, replaced)


def _dataset(row: DatasetRow) -> Dataset:
    return Dataset(
        id=row.id,
        conversation_id=row.conversation_id,
        filename=row.file_name,
        table=row.table_name,
        version=row.version,
        bytes=row.size,
        rows=int(row.summary["rows"]),
        summary=row.summary,
        ref=row.ref,
        created_at=datetime.fromtimestamp(row.created_at, UTC),
    )


@dataclass
class FileShelf:
    """Files that code or a tool produced: kept, with a row that says whose they are."""

    database: Database
    blobs: Blobs

    async def keep(
        self,
        file: OutputFile,
        *,
        organisation_id: int,
        user_id: int,
        conversation_id: str | None,
    ) -> JSONObject:
        """Keep the file; returns what an event says of it."""
        id = f"file_{secrets.token_hex(10)}"
        name = Path(file.name).name[:120] or "file"

        def add(db: Connection, blob: Blob) -> None:
            files.add(
                db,
                id=id,
                organisation_id=organisation_id,
                user_id=user_id,
                conversation_id=conversation_id,
                name=name,
                media_type=file.media_type,
                size=len(file.content),
                path=blob.place,
            )

        with tempfile.NamedTemporaryFile() as made:
            await asyncio.to_thread(_write, made, file.content)
            await self.blobs.keep(organisation_id, Path(made.name), add)
        return {
            "id": id,
            "name": name,
            "media_type": file.media_type,
            "size": len(file.content),
            "url": f"/files/{id}",
        }

    async def file(self, path: str) -> HeldFile | None:
        """What a row's `path` names, if it can be had."""
        try:
            return await self.blobs.hold(files.ref(path))
        except BlobMissing:
            log.error("the kept file %s is not where files are kept", path)
            return None

    async def forget(self, conversation_id: str) -> None:
        """The conversation is over and gone; so are its files."""
        await self.blobs.erase(await self.database.run(_remove_files, conversation_id))

    async def keep_for(self, file: OutputFile, context: ToolContext) -> JSONObject:
        return await self.keep(
            file,
            organisation_id=context.person.organisation_id,
            user_id=context.person.id,
            conversation_id=context.conversation_id,
        )


def _remove_files(db: Connection, conversation_id: str) -> list[str]:
    return dropped(db, files.remove(db, conversation_id))


def _write(file: IO[bytes], content: bytes) -> None:
    file.write(content)
    file.flush()
