"""Folders that packs keep for organisations: handed to every machine through the kept files."""

from __future__ import annotations

import asyncio
import tarfile
import tempfile
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection

from bancada.domain.errors import ToolFailed
from bancada.store import pack_files
from bancada.store.blobs.keeping import Blobs, dropped
from bancada.store.blobs.place import Blob, BlobMissing
from bancada.store.database import Database
from bancada.store.pack_files import PackFile

T = TypeVar("T")

GONE = "What your organisation keeps here cannot be read now. Try again later."


@dataclass(frozen=True)
class PackFolders:
    """`KeptFolders` of one pack. Packs work in threads; the database is asked in the loop."""

    pack: str
    database: Database
    blobs: Blobs
    scratch: Path
    loop: asyncio.AbstractEventLoop

    @property
    def shared(self) -> bool:
        return self.blobs.store.local("") is None

    def newest(self, organisation_id: int, name: str) -> str | None:
        if not self.shared:
            # Every process reads this folder: nothing is newer elsewhere.
            return None
        found = self._wait(self._find(organisation_id, name))
        return None if found is None else found.version

    def bring(self, organisation_id: int, name: str, target: Path) -> None:
        self._wait(self._bring(organisation_id, name, target))

    def keep(self, organisation_id: int, name: str, version: str, folder: Path) -> None:
        self._wait(self._keep(organisation_id, name, version, folder))

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        with suppress(RuntimeError):
            # From the loop's own thread this would wait for itself, and everybody with it.
            assert asyncio.get_running_loop() is not self.loop
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    async def _find(self, organisation_id: int, name: str) -> PackFile | None:
        return await self.database.read(pack_files.find, organisation_id, self.pack, name)

    async def _bring(self, organisation_id: int, name: str, target: Path) -> None:
        found = await self._find(organisation_id, name)
        try:
            held = None if found is None else await self.blobs.hold(found.place)
        except BlobMissing:
            raise ToolFailed(GONE) from None
        if held is not None:
            await asyncio.to_thread(_unpack, held.path, target)
            held.release()

    async def _keep(self, organisation_id: int, name: str, version: str, folder: Path) -> None:
        if not self.shared:
            # Every process has this folder: there is nobody to hand it to.
            gone = await self.database.run(self._forget, organisation_id, name)
        else:
            with tempfile.NamedTemporaryFile(dir=self.scratch) as packed:
                await asyncio.to_thread(_pack, folder, Path(packed.name))
                gone = await self.blobs.keep(
                    organisation_id, Path(packed.name), self._put, organisation_id, name, version
                )
        await self.blobs.erase(gone)

    def _put(
        self, db: Connection, blob: Blob, organisation_id: int, name: str, version: str
    ) -> list[str]:
        before = pack_files.put(
            db, organisation_id, self.pack, name, place=blob.place, version=version
        )
        return [] if before is None else dropped(db, [before])

    def _forget(self, db: Connection, organisation_id: int, name: str) -> list[str]:
        before = pack_files.remove(db, organisation_id, self.pack, name)
        return [] if before is None else dropped(db, [before])


def _pack(folder: Path, target: Path) -> None:
    with tarfile.open(target, "w") as archive:
        for file in sorted(folder.iterdir()):
            archive.add(file, file.name)


def _unpack(source: Path, target: Path) -> None:
    with tarfile.open(source) as archive:
        archive.extractall(target, filter="data")
