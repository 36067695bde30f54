"""Files in a folder of this machine: the default."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

from bancada.store.blobs.place import BlobMissing

PART = ".part-"
ABANDONED_SECONDS = 3600.0


class FolderStore:
    """`<folder>/<organisation>/<first two of the hash>/<place>`; each gets its name last."""

    name = "folder"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def local(self, place: str) -> Path:
        organisation, _, name = place.partition("/")
        return self.folder / organisation / name[:2] / name

    async def has(self, place: str, size: int) -> bool:
        try:
            return (await asyncio.to_thread(self.local(place).stat)).st_size == size
        except FileNotFoundError:
            return False

    async def put(self, place: str, source: Path) -> None:
        await asyncio.to_thread(link_or_copy, source, self.local(place))

    async def fetch(self, place: str, target: Path) -> None:
        try:
            await asyncio.to_thread(shutil.copyfile, self.local(place), target)
        except FileNotFoundError:
            raise BlobMissing(place) from None

    async def remove(self, place: str) -> None:
        await asyncio.to_thread(self.local(place).unlink, missing_ok=True)

    async def places(self) -> AsyncIterator[str]:
        for name in await asyncio.to_thread(self._list):
            yield name

    def _list(self) -> list[str]:
        """What is there; on the way, what a killed process was writing is removed."""
        found = []
        for path in self.folder.glob("*/*/*"):
            if not path.name.startswith(PART):
                found.append(f"{path.parent.parent.name}/{path.name}")
            else:
                with suppress(FileNotFoundError):
                    if time.time() - path.stat().st_mtime > ABANDONED_SECONDS:
                        path.unlink()
        return found


def link_or_copy(source: Path, target: Path) -> None:
    """The file under another name, read-only, on disk before it has that name."""
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = target.with_name(f"{PART}{secrets.token_hex(8)}")
    try:
        try:
            os.link(source, part)
        except OSError:
            shutil.copyfile(source, part)
        descriptor = os.open(part, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fchmod(descriptor, 0o400)
            os.utime(descriptor)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        part.replace(target)
        _settle(target.parent)
    finally:
        part.unlink(missing_ok=True)


def _settle(folder: Path) -> None:
    """The name is on disk too: a row that names the file may be written now."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
