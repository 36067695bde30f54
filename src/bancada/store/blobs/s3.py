"""Files in storage that speaks S3 (extra `s3`)."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from bancada.domain.errors import SettingsError
from bancada.settings import Settings
from bancada.store.blobs.place import BlobMissing


class S3Store:
    """Objects under a bucket's prefix. What is large goes up in parts, and appears when all are there."""

    def __init__(self, url: str, settings: Settings) -> None:
        try:
            self._client: Any = importlib.import_module("obstore")
            kind = importlib.import_module("obstore.store").S3Store
        except ImportError:
            raise SettingsError(f"BANCADA_FILES={url} needs the extra s3: bancada[s3].") from None
        self.name = url
        given = {
            "endpoint": settings.s3_endpoint,
            "region": settings.s3_region,
            "access_key_id": settings.s3_access_key_id,
            "secret_access_key": settings.s3_secret_access_key,
        }
        plain = (settings.s3_endpoint or "").startswith("http://")
        self._store = kind.from_url(
            url,
            config={name: value for name, value in given.items() if value},
            client_options={"allow_http": True} if plain else None,
        )

    def local(self, place: str) -> Path | None:
        return None

    async def has(self, place: str, size: int) -> bool:
        try:
            found = await self._client.head_async(self._store, place)
        except FileNotFoundError:
            return False
        return bool(found["size"] == size)

    async def put(self, place: str, source: Path) -> None:
        await self._client.put_async(self._store, place, source)

    async def fetch(self, place: str, target: Path) -> None:
        try:
            got = await self._client.get_async(self._store, place)
        except FileNotFoundError:
            raise BlobMissing(place) from None
        with target.open("xb") as file:
            async for piece in got.stream(min_chunk_size=1 << 20):
                await asyncio.to_thread(file.write, piece)

    async def remove(self, place: str) -> None:
        try:
            await self._client.delete_async(self._store, place)
        except FileNotFoundError:
            return

    async def places(self) -> AsyncIterator[str]:
        async for some in self._client.list(self._store, chunk_size=1000):
            for one in some:
                yield one["path"]
