"""Where bytes are kept: the seam, and how a file is named there.

A place is `<organisation>/<sha256>-<making>`. The organisation comes first, so that no file is ever
shared between two; the hash tells whether what is read is what was kept. The making is new each
time: a place whose file was removed is never used again, so whoever removes it late removes nothing
that somebody has kept since.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

CHUNK = 1 << 20


@dataclass(frozen=True)
class Blob:
    """A file that is kept."""

    place: str
    sha256: str
    size: int


class BlobMissing(Exception):
    """A row names a file that is not where files are kept."""


class BlobStore(Protocol):
    """Somewhere that bytes are kept by their place. Each method may be asked again after a crash."""

    name: str
    """As the setting has it."""

    def local(self, place: str) -> Path | None:
        """Its file, where this store has it on this machine; none: it must be fetched."""

    async def has(self, place: str, size: int) -> bool:
        """Whether it is there, whole."""

    async def put(self, place: str, source: Path) -> None:
        """Keep what the file holds; nobody sees a part of it."""

    async def fetch(self, place: str, target: Path) -> None:
        """Write it to a new file. Raises `BlobMissing`."""

    async def remove(self, place: str) -> None:
        """It may be gone already."""

    def places(self) -> AsyncIterator[str]:
        """Everything that is there."""


def new_place(organisation_id: int, sha256: str) -> str:
    return f"{organisation_id}/{sha256}-{secrets.token_hex(4)}"


def hash_in(place: str) -> str:
    """The hash that a place is named by."""
    return place.partition("/")[2].partition("-")[0]


def hashed(path: Path) -> tuple[str, int]:
    """The SHA-256 and the size of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return digest, file.tell()
