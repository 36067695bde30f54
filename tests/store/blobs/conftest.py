"""The three places that files can be kept in, each behind the same door."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import httpx
import pytest
from moto.server import ThreadedMotoServer
from sqlalchemy import Connection

from bancada.settings import Settings
from bancada.store import pack_files, people
from bancada.store.blobs.keeping import Blobs, dropped, open_blobs
from bancada.store.blobs.place import Blob
from bancada.store.database import Database, open_database
from bancada.store.tables import pack_files as table


@pytest.fixture(scope="session")
def s3_address() -> Iterator[str]:
    """A server on this machine that speaks S3."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


_BUCKETS = count(1)


@pytest.fixture
def s3(s3_address: str) -> dict[str, str]:
    """Settings for a bucket of its own."""
    bucket = f"bancada-{next(_BUCKETS)}"
    httpx.put(f"{s3_address}/{bucket}").raise_for_status()
    return {
        "files": f"s3://{bucket}/kept",
        "s3_endpoint": s3_address,
        "s3_region": "us-east-1",
        "s3_access_key_id": "somebody",
        "s3_secret_access_key": "secret",
    }


@dataclass
class Keeping:
    """Files of an organisation, each under a name of the test's own."""

    database: Database
    blobs: Blobs
    folder: Path
    organisation_id: int
    _n: Iterator[int] = field(default_factory=lambda: count(1))

    def source(self, content: bytes) -> Path:
        path = self.folder / f"source-{next(self._n)}"
        path.write_bytes(content)
        return path

    async def keep(self, name: str, content: bytes, organisation_id: int | None = None) -> str:
        whose = organisation_id or self.organisation_id
        return await self.blobs.keep(whose, self.source(content), _name, name)

    async def read(self, place: str) -> bytes:
        return (await self.blobs.hold(place)).path.read_bytes()

    async def remove(self, name: str) -> None:
        await self.blobs.erase(await self.database.run(_removed, name))

    async def there(self) -> list[str]:
        return [place async for place in self.blobs.store.places()]

    async def another(self, name: str) -> int:
        """A second organisation."""
        return await self.database.run(people.add_organisation, name)


def _name(db: Connection, blob: Blob, name: str) -> str:
    whose = int(blob.place.partition("/")[0])
    pack_files.put(db, whose, "tests", name, place=blob.place, version=blob.sha256)
    return blob.place


def _removed(db: Connection, name: str) -> list[str]:
    here = table.c.name == name
    places = [row.path for row in db.execute(table.select().where(here))]
    db.execute(table.delete().where(here))
    return dropped(db, places)


@pytest.fixture(params=["folder on sqlite", "folder", "postgres", "s3"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    on = "sqlite_url" if request.param == "folder on sqlite" else "postgres_url"
    url = request.getfixturevalue(on)
    kind = request.param.partition(" ")[0]
    more = request.getfixturevalue("s3") if kind == "s3" else {"files": kind}
    return Settings(data=tmp_path / "data", database_url=url, files_cache_mb=1, **more)


@pytest.fixture
async def keeping(settings: Settings, tmp_path: Path) -> AsyncIterator[Keeping]:
    database = open_database(settings.url)
    organisation_id = await database.run(people.first_organisation)
    yield Keeping(database, open_blobs(settings, database), tmp_path, organisation_id)
    await database.close()
