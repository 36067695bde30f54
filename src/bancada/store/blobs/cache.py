"""Copies on this machine of files that are kept elsewhere: at most so many bytes, the ones unused
longest go first, one in use never does."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import secrets
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

from bancada.store.blobs.folder import ABANDONED_SECONDS, PART, link_or_copy
from bancada.store.blobs.place import BlobMissing, BlobStore, hash_in, hashed

log = logging.getLogger("bancada.files")


class HeldFile:
    """A file that stays where it is for as long as somebody has this.

    A copy in the cache is locked, so that another process that shares the folder leaves it too; the
    kernel lets go of it when this process dies.
    """

    def __init__(self, path: Path, descriptor: int | None = None) -> None:
        self.path = path
        self.release = (
            weakref.finalize(self, os.close, descriptor) if descriptor is not None else lambda: None
        )


class BlobCache:
    """A folder of copies in front of a store."""

    def __init__(self, folder: Path, store: BlobStore, most: int) -> None:
        self._folder = folder
        self._store = store
        self._most = most
        self._fetching: weakref.WeakValueDictionary[str, asyncio.Lock] = (
            weakref.WeakValueDictionary()
        )

    async def hold(self, place: str) -> HeldFile:
        """The copy, made if there is none. Raises `BlobMissing`, also where it is not what was kept."""
        # Two at once would fetch it twice, for nothing.
        async with self._fetching.setdefault(place, asyncio.Lock()):
            while True:
                held = await asyncio.to_thread(self._locked, place)
                if held is not None:
                    return held
                await self._fetch(place)

    async def add(self, place: str, source: Path) -> None:
        """Have a copy of what was just kept: it is asked for next."""
        await asyncio.to_thread(self._add, place, source)

    async def forget(self, place: str) -> None:
        """It is kept no longer; whoever holds it may finish."""
        await asyncio.to_thread(self._path(place).unlink, missing_ok=True)

    def _path(self, place: str) -> Path:
        return self._folder / place.replace("/", "-")

    def _locked(self, place: str) -> HeldFile | None:
        path = self._path(place)
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            # Somebody who made room may have taken it away between the opening and the lock.
            here = os.fstat(descriptor)
            if not here.st_nlink or not path.exists() or path.stat().st_ino != here.st_ino:
                os.close(descriptor)
                return None
            # When it was last used. The other time is part of what a file is known by elsewhere.
            os.utime(descriptor, ns=(time.time_ns(), here.st_mtime_ns))
        except BaseException:
            os.close(descriptor)
            raise
        return HeldFile(path, descriptor)

    async def _fetch(self, place: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = self._folder / f"{PART}{secrets.token_hex(8)}"
        try:
            await self._store.fetch(place, part)
            digest, size = await asyncio.to_thread(hashed, part)
            if digest != hash_in(place):
                log.error("what %s has at %s is not what was kept", self._store.name, place)
                raise BlobMissing(place)
            await asyncio.to_thread(self._make_room, size)
            part.chmod(0o400)
            part.replace(self._path(place))
        finally:
            part.unlink(missing_ok=True)

    def _add(self, place: str, source: Path) -> None:
        self._make_room(source.stat().st_size)
        link_or_copy(source, self._path(place))

    def _make_room(self, size: int) -> None:
        found = sorted(self._copies())
        used = size + sum(one[1] for one in found)
        for _, bytes, path in found:
            if used <= self._most:
                return
            if _taken_away(path):
                used -= bytes
        if used > self._most:
            log.warning(
                "files in use take %d MB more than the cache may", (used - self._most) >> 20
            )

    def _copies(self) -> Iterator[tuple[int, int, Path]]:
        """When each was last used, its size, and where it is."""
        if not self._folder.is_dir():
            return
        for entry in os.scandir(self._folder):
            try:
                says = entry.stat()
            except FileNotFoundError:
                continue
            if not entry.name.startswith(PART):
                yield says.st_atime_ns, says.st_size, Path(entry.path)
            elif time.time() - says.st_mtime > ABANDONED_SECONDS:
                Path(entry.path).unlink(missing_ok=True)


def _taken_away(path: Path) -> bool:
    """Remove a copy, unless somebody holds it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink(missing_ok=True)
        return True
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
