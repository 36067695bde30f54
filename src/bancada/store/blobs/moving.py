"""From one store to another, while people work: what is there already is passed over, so that it can
be stopped and begun again."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Connection, select, update

from bancada.store.blobs import rows
from bancada.store.blobs.keeping import Blobs
from bancada.store.blobs.place import Blob, BlobMissing, BlobStore
from bancada.store.database import Database
from bancada.store.tables import conversations, datasets, files


@dataclass
class MovedFiles:
    """What became of each file."""

    copied: int = 0
    there: int = 0
    """Was in the new store before."""
    renamed: int = 0
    """Had a name of an earlier version, and is named by its hash now."""
    missing: list[str] = field(default_factory=list)
    """In neither."""


async def move(
    database: Database, blobs: Blobs, source: BlobStore, target: BlobStore, *, remove: bool = False
) -> MovedFiles:
    """Copy every file to `target`; with `remove`, take it out of `source` once it is there.

    `blobs` are those that are in use now: files with names of an earlier version go there first.
    """
    done = MovedFiles()
    await _rename_earlier(database, blobs, done)
    for blob in await database.read(rows.every):
        if await target.has(blob.place, blob.size):
            done.there += 1
        elif await _copied(blob, source, target):
            done.copied += 1
        elif await database.read(rows.find, blob.place) is not None:
            done.missing.append(blob.place)
        if remove and await target.has(blob.place, blob.size):
            await source.remove(blob.place)
    return done


async def _copied(blob: Blob, source: BlobStore, target: BlobStore) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = source.local(blob.place)
        try:
            if path is None:
                path = Path(folder) / "copy"
                await source.fetch(blob.place, path)
            await target.put(blob.place, path)
        except (BlobMissing, FileNotFoundError):
            return False
    return await target.has(blob.place, blob.size)


async def _rename_earlier(database: Database, blobs: Blobs, done: MovedFiles) -> None:
    for table, id, whose, path in await database.read(_earlier):
        ref = f"{table}/{path}"
        try:
            held = await blobs.hold(ref)
        except BlobMissing:
            done.missing.append(ref)
            continue
        await blobs.keep(whose, held.path, _renamed, table, id)
        await blobs.erase([ref])
        done.renamed += 1


def _earlier(db: Connection) -> list[tuple[str, str, int, str]]:
    """The rows whose files have names of an earlier version: table, id, organisation, name."""
    found = []
    for row in db.execute(select(files).where(~files.c.path.contains("/"))):
        found.append(("files", row.id, row.organisation_id, row.path))
    query = select(datasets.c.id, datasets.c.path, conversations.c.organisation_id)
    joined = query.join(conversations, conversations.c.id == datasets.c.conversation_id)
    for row in db.execute(joined.where(~datasets.c.path.contains("/"))):
        found.append(("datasets", row.id, row.organisation_id, row.path))
    return found


def _renamed(db: Connection, blob: Blob, table: str, id: str) -> None:
    target = files if table == "files" else datasets
    db.execute(update(target).where(target.c.id == id).values(path=blob.place))
