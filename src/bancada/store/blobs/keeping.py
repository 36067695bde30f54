"""Keeping files: bytes first, then the row that names them; a crash between leaves an orphan, no loss.

1. `claim` writes down the place. 2. The bytes go there. 3. One transaction holds the place and
writes the row that names it. Removal goes the other way: the transaction that takes the last such
row away takes the place off the list, then the bytes go. Whatever is left over by a crash has a
place without a naming row, or bytes without a place: `sweep` finds both.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from bancada.domain.errors import SettingsError
from bancada.settings import Settings
from bancada.store.blobs import rows
from bancada.store.blobs.cache import BlobCache, HeldFile
from bancada.store.blobs.folder import FolderStore
from bancada.store.blobs.place import Blob, BlobMissing, BlobStore, hashed
from bancada.store.blobs.postgres import PostgresStore
from bancada.store.blobs.s3 import S3Store
from bancada.store.database import Database

log = logging.getLogger("bancada.files")

P = ParamSpec("P")
T = TypeVar("T")

FOLDER = "blobs"
CACHE = "cache"
UNNAMED_SECONDS = 3600.0
"""How long a file may be kept without a row that names it: large ones take a while to arrive."""
EARLIER = ("datasets/", "files/")
"""Where files were in the data folder before they were named by their hash; they are read there."""
ATTEMPTS = 5


class Blobs:
    """The files of an installation."""

    def __init__(
        self, database: Database, store: BlobStore, data: Path, *, cache_bytes: int
    ) -> None:
        self.store = store
        self._database = database
        self._data = data
        self._cache = BlobCache(data / CACHE, store, cache_bytes)

    async def keep(
        self,
        organisation_id: int,
        source: Path,
        name: Callable[Concatenate[Connection, Blob, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Keep what `source` holds, and write the row that names it, in one transaction of `name`.

        The source stays; whoever made it removes it.
        """
        digest, size = await asyncio.to_thread(hashed, source)

        def named(db: Connection, blob: Blob) -> T:
            if not rows.hold(db, blob.place):
                raise _Dropped
            return name(db, blob, *args, **kwargs)

        for _ in range(ATTEMPTS):
            blob = await self._database.run(rows.claim, organisation_id, digest, size)
            if not await self.store.has(blob.place, size):
                await self.store.put(blob.place, source)
            try:
                kept = await self._database.run(named, blob)
            except _Dropped:
                # The same file was kept before, and its last row went while we were at it: nobody
                # uses that place any more, and what we may have written there goes too.
                await self.store.remove(blob.place)
                continue
            except BaseException:
                await asyncio.shield(self.discard([blob.place]))
                raise
            if self.store.local(blob.place) is None:
                await self._cache.add(blob.place, source)
            return kept
        raise BlobMissing(digest)

    async def hold(self, ref: str) -> HeldFile:
        """A file on this machine that stays for as long as what is returned. Raises `BlobMissing`."""
        path = self._data / ref if ref.startswith(EARLIER) else self.store.local(ref)
        if path is None:
            return await self._cache.hold(ref)
        if not await asyncio.to_thread(path.is_file):
            raise BlobMissing(ref)
        return HeldFile(path)

    async def discard(self, refs: Sequence[str]) -> None:
        """Remove those of these files that no row names any more."""
        if refs:
            await self.erase(await self._database.run(dropped, refs))

    async def erase(self, refs: Iterable[str]) -> None:
        """Remove the bytes of what `dropped` returned, once its transaction has ended."""
        for ref in refs:
            if ref.startswith(EARLIER):
                await asyncio.to_thread((self._data / ref).unlink, missing_ok=True)
                continue
            await self.store.remove(ref)
            if self.store.local(ref) is None:
                await self._cache.forget(ref)

    async def sweep(self) -> int:
        """Remove what crashes left; how many files there were."""
        left = await self._database.read(rows.unnamed, time.time() - UNNAMED_SECONDS)
        gone = await self._database.run(dropped, left) if left else []
        # Listed before the rows are read: what is kept meanwhile had its row before its bytes.
        there = [place async for place in self.store.places()]
        known = {blob.place for blob in await self._database.read(rows.every)}
        gone += [place for place in there if place not in known]
        await self.erase(set(gone))
        if gone:
            log.info("%d files that nothing names were removed", len(set(gone)))
        return len(set(gone))

    async def missing(self) -> list[Blob]:
        """Files that rows name and that are not, whole, where files are kept."""
        every = await self._database.read(rows.every)
        return [blob for blob in every if not await self.store.has(blob.place, blob.size)]


class _Dropped(Exception):
    """What was to be named was removed meanwhile."""


def dropped(db: Connection, refs: Iterable[str]) -> list[str]:
    """Within the transaction that removed rows: which of the files that they named may go."""
    given = set(refs)
    earlier = sorted(ref for ref in given if ref.startswith(EARLIER))
    return earlier + rows.drop(db, given - set(earlier))


def open_store(name: str, settings: Settings, database: Database) -> BlobStore:
    """The store that a setting names."""
    if name == "folder":
        return FolderStore(settings.data / FOLDER)
    if name == "postgres":
        if database.kind != "postgresql":
            raise SettingsError("BANCADA_FILES=postgres needs a Postgres in BANCADA_DATABASE_URL.")
        return PostgresStore(database)
    return S3Store(name, settings)


def open_blobs(settings: Settings, database: Database) -> Blobs:
    return Blobs(
        database,
        open_store(settings.file_store, settings, database),
        settings.data,
        cache_bytes=int(settings.files_cache_mb * 1_048_576),
    )
