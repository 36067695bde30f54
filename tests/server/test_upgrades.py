"""Versions that ran before: a folder of 0.1.0 goes on, and processes of before go on beside new ones."""

from __future__ import annotations

import sqlite3
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.postgres import Postgres
from tests.server.process import run_bancada, serving
from tests.server.site import Reader, upload

FIRST = "b1616ed"
"""0.1.0."""
BEFORE_CLUSTERS = "c570dec"
"""The last that knew neither kept files nor keys in the database."""
ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


def source_of(commit: str, folder: Path) -> dict[str, str]:
    """The environment in which `bancada` is the one of that commit, with the packages of now."""
    folder.mkdir()
    archive = subprocess.run(
        ["git", "archive", commit, "src", "pyproject.toml"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    subprocess.run(["tar", "x", "-C", str(folder)], input=archive.stdout, check=True)
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    info = folder / "src" / f"bancada-{project['version']}.dist-info"
    info.mkdir()
    named = f"Metadata-Version: 2.1\nName: bancada\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(named)
    groups = project["entry-points"].items()
    lines = [f"[{group}]\n" + "\n".join(f"{n} = {v}" for n, v in e.items()) for group, e in groups]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return {"PYTHONPATH": str(folder / "src")}


async def is_answered(reader: Reader, question: str, *words: str) -> None:
    events = await reader.asks(question)
    assert events[-1].data["status"] == "done", [event.data for event in events]
    assert "error" not in [event.type for event in events]
    said = str([event.data for event in events])
    assert all(word in said for word in words), said


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_processes_of_the_version_before_work_on_after_the_new_migrations(
    tmp_path: Path, postgres: Postgres, kind: str
) -> None:
    async with postgres.empty_database() as url:
        shared = {"BANCADA_DATABASE_URL": url} if kind == "postgresql" else {}
        old = {**source_of(BEFORE_CLUSTERS, tmp_path / "old"), **shared}
        async with serving(tmp_path, env=old) as before:
            rui = await before.signs_in("rui")
            await rui.begins()
            await upload(rui)
            await is_answered(rui, "soma de valor", "42")
            status, said = await run_bancada(
                "db", "upgrade", "--data", str(tmp_path / "data"), env=shared
            )
            assert status == 0, said
            await is_answered(rui, "quantos defeitos por tipo?")
            await is_answered(rui, "soma de valor", "42")
            await upload(rui, "depois.csv")
            if kind == "sqlite":
                assert await before.terminate() == 0
                async with serving(tmp_path, env=shared) as after:
                    await is_answered(after.again(rui), "soma de valor", "42")
                return
            async with serving(tmp_path, env=shared) as after:
                there = after.again(rui)
                await is_answered(there, "soma de valor", "42")
                await is_answered(rui, "quantos defeitos por tipo?")
                await is_answered(there, "quantos defeitos por tipo?")
                ran = await rui.post("/tools/contar_defeitos/run", {"input": {}})
                assert not ran.json()["is_error"]
                admin = await after.signs_in("admin")
                assert (await admin.get("/admin/audit/verify")).json()["ok"] is True


async def test_a_data_folder_of_the_first_version_goes_on(tmp_path: Path) -> None:
    old = source_of(FIRST, tmp_path / "old")
    here = ("--data", str(tmp_path / "data"))
    async with serving(tmp_path, env=old) as before:
        rui = await before.signs_in("rui")
        await rui.begins("Análise")
        await upload(rui)
        admin = await before.signs_in("admin")
        organisation = (await admin.get("/admin/organisation")).json()
        database = {"databases": {"erp": "sqlite:////nowhere/erp.db"}}
        settings = {**organisation["settings"], **database, "secrets": {"TOKEN": "s3cret"}}
        changed = await admin.patch("/admin/organisation", {"settings": settings})
        assert changed.status_code == 200, changed.text
        await admin.begins("Assistente")
        asked = await admin.post(
            "/admin/tools/createTask/run", {"input": {"title": "Ligar ao cliente"}}
        )
        assert asked.status_code == 200, asked.text
        made = await admin.post("/admin/keys", {"user": 2, "name": "programa"})
        assert made.status_code == 201, made.text
        key = made.json()["key"]
        assert await before.terminate() == 0
    with sqlite3.connect(tmp_path / "data" / "bancada.db") as db:
        # A yes for the whole conversation, as that version kept it.
        given = "UPDATE confirmations SET status = 'approved', remember = 'conversation'"
        assert db.execute(given).rowcount == 1, asked.text
    status, said = await run_bancada("db", "upgrade", *here)
    assert status == 0, said
    async with serving(tmp_path) as after:
        # A token of before there were sessions is refused: people sign in once more. Keys count,
        # conversations and their data are there.
        assert (await after.again(rui).get("/me")).status_code == 401
        there = await after.signs_in("rui")
        there.conversation = rui.conversation
        whole = (await there.get(f"/conversations/{rui.conversation}")).json()
        assert [one["table"] for one in whole["datasets"]] == ["valores"]
        await is_answered(there, "soma de valor", "42")
        by_key = after.again(rui)
        by_key.client.headers = {"x-api-key": key}
        assert (await by_key.get("/me")).json()["email"] == "rui@demo.com"
        again = await after.signs_in("admin")
        shown = (await again.get("/admin/organisation")).json()["settings"]
        assert "s3cret" not in str(shown)
        assert (await again.get("/admin/audit/verify")).json()["ok"] is True
        assert await after.terminate() == 0
    # Secrets are sealed; databases that the organisation had named are refused, and that is told.
    with sqlite3.connect(tmp_path / "data" / "bancada.db") as db:
        assert "s3cret" not in str(db.execute("SELECT settings FROM organisations").fetchall())
    status, said = await run_bancada("doctor", *here)
    assert "erp" in said
    assert "bancada.toml" in said
    assert "1 that were given for a whole conversation in 0.1.0 no longer count" in said
    status, said = await run_bancada("audit", "verify", *here)
    assert status == 0, said
