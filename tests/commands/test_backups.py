"""`bancada backup` and `restore`: everything comes back as it was, taken while people work."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import stat
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from bancada.backups import MANIFEST, backup, restore
from bancada.domain.errors import SettingsError
from bancada.engine.workbench import open_workbench
from bancada.settings import Settings
from tests.postgres import Postgres
from tests.server.process import run_bancada
from tests.server.site import Reader, served, settings_for

CSV = b"linha,valor\nA,1\nB,2\n"


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of a demo that nobody has used."""
    folder = tmp_path_factory.mktemp("small")

    async def make() -> None:
        bench = await open_workbench(settings_for(folder))
        await bench.close()

    asyncio.run(make())
    backup(settings_for(folder), folder / "archive")
    return folder / "archive"


async def keeps_working(reader: Reader, until: asyncio.Event) -> int:
    """Calls and uploads, one after the other; how many."""
    n = 0
    while not until.is_set():
        n += 1
        ran = await reader.post("/tools/contar_defeitos/run", {"input": {}})
        assert ran.status_code == 200, ran.text
        if n % 3 == 0:
            await uploads(reader, f"ficheiro {n}.csv")
    return n


async def uploads(reader: Reader, name: str) -> dict[str, Any]:
    answer = await reader.client.post(
        f"/conversations/{reader.conversation}/upload", files={"file": (name, CSV)}
    )
    assert answer.status_code == 201, answer.text
    said: dict[str, Any] = answer.json()
    return said


async def taken_while_working(settings: dict[str, Any], tmp_path: Path) -> tuple[Path, Reader, Any]:
    archive = tmp_path / "archive"
    async with served(tmp_path / "here", **settings) as site:
        rui = await site.signs_in("rui")
        await rui.begins()
        first = await uploads(rui, "peças.csv")
        over = asyncio.Event()
        working = asyncio.create_task(keeps_working(rui, over))
        await asyncio.sleep(0.3)
        made = await asyncio.to_thread(backup, settings_for(tmp_path / "here", **settings), archive)
        over.set()
        assert await working > 0
    assert made.missing == []
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    return archive, rui, first


async def is_all_there(settings: dict[str, Any], folder: Path, before: Reader, first: Any) -> None:
    """What was there when the backup began is there, works, and the old token still counts."""
    async with served(folder, **settings) as site:
        token = before.client.headers["authorization"].removeprefix("Bearer ")
        rui = site.with_token(token, "rui")
        whole = (await rui.get(f"/conversations/{before.conversation}")).json()
        assert first["dataset"]["id"] in [one["id"] for one in whole["datasets"]]
        for dataset in await site.bench.uploads.of_conversation(before.conversation):
            assert (await site.bench.uploads.file(dataset)).path.is_file()
        rui.conversation = before.conversation
        await uploads(rui, "depois.csv")
        ran = await rui.post("/tools/contar_defeitos/run", {"input": {}})
        assert not ran.json()["is_error"]
        admin = await site.signs_in("admin")
        assert (await admin.get("/admin/audit/verify")).json()["ok"] is True


async def test_a_backup_taken_while_people_work_comes_back_whole(tmp_path: Path) -> None:
    archive, rui, first = await taken_while_working({}, tmp_path)
    done = await asyncio.to_thread(restore, settings_for(tmp_path / "there"), archive)
    assert all(one.ok and one.checked for one in done.chains)
    assert done.problems == ()
    await is_all_there({}, tmp_path / "there", rui, first)


async def test_the_same_on_postgres(tmp_path: Path, postgres: Postgres) -> None:
    async with postgres.empty_database() as one, postgres.empty_database() as other:
        archive, rui, first = await taken_while_working({"database_url": one}, tmp_path)
        there = {"database_url": other}
        settings = settings_for(tmp_path / "there", **there)
        done = await asyncio.to_thread(restore, settings, archive)
        assert all(one.ok and one.checked for one in done.chains)
        await is_all_there(there, tmp_path / "there", rui, first)
        settings = settings_for(tmp_path / "elsewhere", **there)
        with pytest.raises(SettingsError, match="not empty"):
            await asyncio.to_thread(restore, settings, archive)


def test_a_place_where_something_is_is_refused(small: Path, tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    settings.data.mkdir(parents=True)
    (settings.data / "mine").write_text("mine")
    with pytest.raises(SettingsError, match="not empty"):
        restore(settings, small)
    assert [one.name for one in settings.data.iterdir()] == ["mine"]


def _changed(small: Path, target: Path, *, more: str | None = None, **says: Any) -> Path:
    """The archive with another manifest, and an empty part of this name."""
    with ZipFile(small) as old, ZipFile(target, "w") as new:
        manifest = json.loads(old.read(MANIFEST))
        for name in manifest["parts"]:
            new.writestr(name, old.read(name))
        if more is not None:
            new.writestr(more, b"")
            manifest["parts"][more] = {"size": 0, "sha256": hashlib.sha256().hexdigest()}
        new.writestr(MANIFEST, json.dumps({**manifest, **says}))
    return target


def _nothing_came_of(settings: Settings, archive: Path, why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        restore(settings, archive)
    assert not settings.data.exists() or not any(settings.data.iterdir())


def test_an_archive_of_a_newer_version_is_refused(small: Path, tmp_path: Path) -> None:
    newer = _changed(small, tmp_path / "newer", revision="9999", bancada="9.0")
    _nothing_came_of(settings_for(tmp_path), newer, r"newer Bancada \(9.0")


def test_an_archive_of_the_other_database_is_refused(small: Path, tmp_path: Path) -> None:
    other = _changed(small, tmp_path / "other", database="postgresql")
    _nothing_came_of(settings_for(tmp_path), other, "holds a postgresql database")


def test_a_damaged_archive_is_refused(small: Path, tmp_path: Path) -> None:
    with ZipFile(small) as whole:
        parts = json.loads(whole.read(MANIFEST))["parts"]
    parts["database"]["sha256"] = "0" * 64
    changed = _changed(small, tmp_path / "changed", parts=parts)
    _nothing_came_of(settings_for(tmp_path), changed, "damaged: database is not as it was")
    cut = tmp_path / "cut"
    cut.write_bytes(small.read_bytes()[:-5000])
    _nothing_came_of(settings_for(tmp_path), cut, "no whole backup")


def test_a_part_whose_name_leads_elsewhere_is_refused(small: Path, tmp_path: Path) -> None:
    bad = _changed(small, tmp_path / "bad", more="data/../../../elsewhere")
    _nothing_came_of(settings_for(tmp_path), bad, "leads elsewhere")


def test_what_only_a_running_server_needs_is_left_out(small: Path) -> None:
    with ZipFile(small) as archive:
        names = archive.namelist()
    assert "database" in names
    assert "data/packs/workspace/workspace.db" in names
    assert not [
        n for n in names if n.startswith(("data/run", "data/serve.lock", "data/bancada.db"))
    ]


async def test_the_commands_say_what_they_did_and_that_the_file_holds_secrets(
    small: Path, tmp_path: Path
) -> None:
    shutil.copy(small, tmp_path / "archive")
    here = ("--data", str(tmp_path / "data"))
    status, said = await run_bancada("restore", str(tmp_path / "archive"), *here)
    assert (status, "The audit is whole" in said) == (0, True), said
    status, said = await run_bancada("restore", str(tmp_path / "archive"), *here)
    assert (status, "is not empty" in said) == (2, True), said
    status, said = await run_bancada("backup", str(tmp_path / "again"), *here)
    assert (status, "whoever can read it can read everything" in said) == (0, True), said
    status, said = await run_bancada("backup", str(tmp_path / "again"), *here)
    assert (status, "is there already" in said) == (2, True), said
