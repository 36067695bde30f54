"""Files in the database itself: nothing more to install, and every machine has them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import IO

from bancada.store.blobs import rows
from bancada.store.blobs.place import CHUNK, BlobMissing
from bancada.store.database import Database


class PostgresStore:
    """Pieces of a mebibyte, each a row; a file is there when all of its pieces are."""

    name = "postgres"

    def __init__(self, database: Database) -> None:
        self._database = database

    def local(self, place: str) -> Path | None:
        return None

    async def has(self, place: str, size: int) -> bool:
        return await self._database.read(rows.piece_bytes, place) == size

    async def put(self, place: str, source: Path) -> None:
        # A transaction a piece: a large file holds up nobody, and what a crash left of it is
        # written once more, piece by piece, by whoever keeps the same file next.
        with source.open("rb") as file:
            number = 0
            while (piece := await _read(file)) or number == 0:
                await self._database.run(rows.add_piece, place, number, piece)
                number += 1

    async def fetch(self, place: str, target: Path) -> None:
        number = 0
        with target.open("xb") as file:
            while (piece := await self._database.read(rows.piece, place, number)) is not None:
                await asyncio.to_thread(file.write, piece)
                number += 1
        if not number:
            raise BlobMissing(place)

    async def remove(self, place: str) -> None:
        await self._database.run(rows.remove_pieces, place)

    async def places(self) -> AsyncIterator[str]:
        for place in await self._database.read(rows.places_with_pieces):
            yield place


async def _read(file: IO[bytes]) -> bytes:
    return await asyncio.to_thread(file.read, CHUNK)
