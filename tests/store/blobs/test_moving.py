"""From one store to another and back: resumable, and names of an earlier version are taken along."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from bancada.settings import Settings
from bancada.store.blobs.keeping import Blobs, open_store
from bancada.store.blobs.moving import move
from bancada.store.blobs.place import BlobStore
from bancada.store.people import add_person
from bancada.store.tables import files
from tests.server.process import run_bancada
from tests.store.blobs.conftest import Keeping

BYTES = {f"n{n}": os.urandom(1_200_000 * n + 1) for n in range(3)}


class Stopping:
    """A store that stops after so many."""

    def __init__(self, store: BlobStore, after: int) -> None:
        self._store, self._left = store, after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def put(self, place: str, source: Path) -> None:
        if not self._left:
            raise ConnectionError("the power is gone")
        self._left -= 1
        await self._store.put(place, source)


@pytest.mark.parametrize("settings", ["folder"], indirect=True)
async def test_files_go_through_every_store_and_back_also_when_it_is_interrupted(
    keeping: Keeping, settings: Settings, s3: dict[str, str], tmp_path: Path
) -> None:
    places = {name: await keeping.keep(name, content) for name, content in BYTES.items()}
    database, settings = keeping.database, settings.model_copy(update=s3)

    def store(name: str) -> BlobStore:
        return open_store(name, settings, database)

    folder, postgres, bucket = store("folder"), store("postgres"), store(s3["files"])
    with pytest.raises(ConnectionError):
        await move(database, keeping.blobs, folder, Stopping(postgres, 1))  # type: ignore[arg-type]
    rest = await move(database, keeping.blobs, folder, postgres)
    assert (rest.copied, rest.there, rest.missing) == (2, 1, [])
    assert (await move(database, keeping.blobs, postgres, bucket)).copied == 3
    assert (await move(database, keeping.blobs, folder, postgres, remove=True)).there == 3
    assert [place async for place in folder.places()] == []
    assert (await move(database, keeping.blobs, bucket, folder)).copied == 3
    for last in (folder, postgres, bucket):
        other = Blobs(database, last, tmp_path / last.name.replace("/", "-"), cache_bytes=1 << 30)
        for name, place in places.items():
            assert (await other.hold(place)).path.read_bytes() == BYTES[name]


@pytest.mark.parametrize("settings", ["folder on sqlite", "postgres"], indirect=True)
async def test_files_of_an_earlier_version_are_read_where_they_are_and_named_anew_by_a_move(
    keeping: Keeping, settings: Settings
) -> None:
    database, whose = keeping.database, keeping.organisation_id
    old = settings.data / "files" / "file_1"
    old.parent.mkdir(parents=True)
    old.write_bytes(b"from before")

    def listed(db: Connection) -> None:
        person = add_person(
            db, organisation_id=whose, email="ana@x.pt", name="Ana", role="operador"
        )
        values = {"id": "file_1", "organisation_id": whose, "user_id": person.id, "name": "a.txt"}
        more = {"media_type": "text/plain", "size": 11, "path": "file_1", "created_at": time.time()}
        db.execute(files.insert().values(**values, **more))

    await database.run(listed)
    assert await keeping.read("files/file_1") == b"from before"
    source, target = keeping.blobs.store, open_store("folder", settings, database)
    done = await move(database, keeping.blobs, source, target)
    assert done.renamed == 1
    [path] = (await database.read(lambda db: db.execute(select(files.c.path)).all()))[0]
    assert await keeping.read(path) == b"from before"
    assert not old.exists()


async def test_the_command_says_what_it_cannot_do_and_checks_what_is_there(tmp_path: Path) -> None:
    here = ("--data", str(tmp_path / "data"))
    status, said = await run_bancada("files", "move", "--to", "postgres", *here)
    assert (status, "needs a Postgres" in said) == (2, True), said
    status, said = await run_bancada("files", "check", *here)
    assert (status, said.strip()) == (0, "Every file is in folder.")
