"""What a pack is handed when it is built, and the shelves behind it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from bancada.dashboards import DashboardDesk
from bancada.data.datasets import Dataset
from bancada.data.query import DatasetQuery
from bancada.domain.json import JSONObject
from bancada.domain.messages import text_block
from bancada.engine.sandboxes import SandboxService
from bancada.sandbox import OutputFile
from bancada.store import datasets, files, messages
from bancada.store.database import Database
from bancada.store.datasets import DatasetRow
from bancada.tools.tool import ToolContext


@dataclass(frozen=True, kw_only=True)
class PackServices:
    """`Services`, as this installation has them."""

    folder: Path
    demo: bool
    first_organisation: int
    jail: SandboxService
    datasets: DatasetQuery
    dashboards: DashboardDesk
    settings: Mapping[str, str]


@dataclass
class DatasetRows:
    """The shelf of data sets: rows of the store."""

    database: Database

    async def add(self, dataset: Dataset, message: str) -> str:
        return await self.database.run(_list_dataset, dataset, message)

    async def of_conversation(self, conversation_id: str) -> Sequence[Dataset]:
        rows = await self.database.read(datasets.of_conversation, conversation_id)
        return [_dataset(row) for row in rows]

    async def remove(self, conversation_id: str) -> Sequence[Dataset]:
        rows = await self.database.run(datasets.remove, conversation_id)
        return [_dataset(row) for row in rows]


def told_of(dataset_id: str) -> str:
    """The id of the message that tells of a data set."""
    return f"msg_{dataset_id[:20]}"


def _list_dataset(db: Connection, dataset: Dataset, message: str) -> str:
    datasets.add(
        db,
        id=dataset.id,
        conversation_id=dataset.conversation_id,
        file_name=dataset.filename,
        table_name=dataset.table,
        path=dataset.file,
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
    return recorded.id


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
        created_at=datetime.fromtimestamp(row.created_at, UTC),
    )


@dataclass
class FileShelf:
    """Files that code or a tool produced: on disk, with a row that says whose they are."""

    database: Database
    folder: Path

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
        path = self.folder / id
        await asyncio.to_thread(_write, path, file.content)
        name = Path(file.name).name[:120] or "file"

        def add(db: Connection) -> None:
            files.add(
                db,
                id=id,
                organisation_id=organisation_id,
                user_id=user_id,
                conversation_id=conversation_id,
                name=name,
                media_type=file.media_type,
                size=len(file.content),
                path=id,
            )

        await self.database.run(add)
        return {
            "id": id,
            "name": name,
            "media_type": file.media_type,
            "size": len(file.content),
            "url": f"/files/{id}",
        }

    async def forget(self, conversation_id: str) -> None:
        """The conversation is over and gone; so are its files."""
        for path in await self.database.run(files.remove, conversation_id):
            await asyncio.to_thread((self.folder / path).unlink, missing_ok=True)

    async def keep_for(self, file: OutputFile, context: ToolContext) -> JSONObject:
        return await self.keep(
            file,
            organisation_id=context.person.organisation_id,
            user_id=context.person.id,
            conversation_id=context.conversation_id,
        )


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
