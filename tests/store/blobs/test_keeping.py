"""Files named by their hash: kept once, read back as they were, gone with the last row."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest
from sqlalchemy import Connection, update

from bancada.settings import Settings
from bancada.store import pack_files
from bancada.store.blobs import rows
from bancada.store.blobs.keeping import UNNAMED_SECONDS, open_blobs
from bancada.store.blobs.place import Blob, BlobMissing, hash_in
from bancada.store.tables import blobs as table
from tests.store.blobs.conftest import Keeping

LONG = os.urandom(2_500_000)


def of_size(mb: float) -> bytes:
    return os.urandom(int(mb * 1_048_576))


async def test_what_is_kept_is_read_back_by_another_machine(
    keeping: Keeping, settings: Settings, tmp_path: Path
) -> None:
    for content in (b"", b"short", LONG):
        place = await keeping.keep("it", content)
        assert await keeping.read(place) == content
        if settings.files != "folder":
            elsewhere = settings.model_copy(update={"data": tmp_path / "another machine"})
            other = open_blobs(elsewhere, keeping.database)
            assert (await other.hold(place)).path.read_bytes() == content
    assert await keeping.blobs.missing() == []


async def test_one_file_under_two_names_is_kept_once_and_goes_with_the_last(
    keeping: Keeping,
) -> None:
    first, second = await keeping.keep("a", LONG), await keeping.keep("b", LONG)
    assert first == second
    assert await keeping.there() == [first]
    await keeping.remove("a")
    assert await keeping.read(first) == LONG
    await keeping.remove("b")
    assert await keeping.there() == []
    with pytest.raises(BlobMissing):
        await keeping.read(first)


async def test_two_organisations_never_share_a_file(keeping: Keeping) -> None:
    other = await keeping.another("Outra")
    ours, theirs = await keeping.keep("a", b"same"), await keeping.keep("b", b"same", other)
    assert ours != theirs
    assert hash_in(ours) == hash_in(theirs)
    assert ours.startswith(f"{keeping.organisation_id}/")
    assert theirs.startswith(f"{other}/")
    await keeping.remove("a")
    assert await keeping.read(theirs) == b"same"


async def test_a_file_kept_while_its_last_row_goes_is_never_lost(keeping: Keeping) -> None:
    async def again_and_again(name: str) -> None:
        for _ in range(8):
            place = await keeping.keep(name, b"the same bytes")
            assert await keeping.read(place) == b"the same bytes"
            await keeping.remove(name)

    await asyncio.gather(*(again_and_again(f"n{n}") for n in range(4)))
    assert await keeping.there() == []
    assert await keeping.database.read(rows.every) == []


async def test_what_a_crash_left_is_swept_and_nothing_else_is(keeping: Keeping) -> None:
    kept = await keeping.keep("kept", b"kept")
    database, store = keeping.database, keeping.blobs.store

    async def half(content: bytes, *, row: bool) -> str:
        digest = f"{len(content):064x}"
        whose = keeping.organisation_id
        blob = await database.run(rows.claim, whose, digest, len(content))
        await store.put(blob.place, keeping.source(content))
        if not row:
            await database.run(rows.drop, [blob.place])
        return blob.place

    # Killed after the bytes, before the row that names them: long ago, and just now.
    old = await half(b"old", row=True)
    fresh = await half(b"fresh!", row=True)
    # Killed after the last row had gone, before the bytes had.
    await half(b"without a row", row=False)

    def age(db: Connection) -> None:
        then = time.time() - UNNAMED_SECONDS - 1
        db.execute(update(table).where(table.c.place.in_([old, kept])).values(created_at=then))

    await database.run(age)
    assert await keeping.blobs.sweep() == 2
    assert sorted(await keeping.there()) == sorted([kept, fresh])
    assert await keeping.read(kept) == b"kept"


async def test_a_row_that_cannot_be_written_leaves_no_file(keeping: Keeping) -> None:
    def refuse(db: Connection, blob: Blob) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await keeping.blobs.keep(keeping.organisation_id, keeping.source(b"x"), refuse)
    assert await keeping.there() == []
    assert await keeping.database.read(rows.every) == []


@pytest.mark.parametrize("settings", ["postgres"], indirect=True)
async def test_the_cache_is_bounded_and_never_takes_what_is_in_use(
    keeping: Keeping, settings: Settings
) -> None:
    places = [await keeping.keep(f"n{n}", of_size(0.4)) for n in range(2)]
    held = await keeping.blobs.hold(places[0])
    # Another process that shares the folder holds the second.
    neighbour = open_blobs(settings, keeping.database)
    theirs = await neighbour.hold(places[1])
    for n in range(2, 6):
        await keeping.keep(f"n{n}", of_size(0.4))
    assert held.path.exists()
    assert theirs.path.exists()
    held.release()
    theirs.release()
    last = await keeping.keep("last", of_size(0.4))
    cached = {path.name for path in (settings.data / "cache").iterdir()}
    assert sum(path.stat().st_size for path in (settings.data / "cache").iterdir()) <= 1_048_576
    assert last.replace("/", "-") in cached
    assert not held.path.exists(), "the one unused longest goes first"
    assert len(await keeping.read(places[0])) == int(0.4 * 1_048_576)


@pytest.mark.parametrize("settings", ["postgres", "s3"], indirect=True)
async def test_bytes_that_are_not_what_was_kept_are_not_handed_out(
    keeping: Keeping, settings: Settings, tmp_path: Path
) -> None:
    place = await keeping.keep("it", b"what was kept")
    store = keeping.blobs.store
    await store.remove(place)
    await store.put(place, keeping.source(b"WHAT WAS KEPT"))
    elsewhere = settings.model_copy(update={"data": tmp_path / "another machine"})
    with pytest.raises(BlobMissing):
        await open_blobs(elsewhere, keeping.database).hold(place)


async def test_a_pack_files_name_means_the_newest(keeping: Keeping) -> None:
    first = await keeping.keep("it", b"one")
    second = await keeping.keep("it", b"two")
    found = await keeping.database.read(pack_files.find, keeping.organisation_id, "tests", "it")
    assert found is not None
    assert found.place == second != first
