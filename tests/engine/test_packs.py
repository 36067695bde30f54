"""`BANCADA_PACKS` chooses packs; what is missing without the others is said."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bancada.domain.errors import SettingsError
from bancada.engine import doctor
from bancada.engine.doctor import Finding, examine
from bancada.engine.packs import left_out
from bancada.engine.workbench import Workbench, open_workbench
from bancada.sandbox import TierReport
from bancada.server.app import create_app
from bancada.settings import Settings, load_settings

ALL = ["graph", "quality", "statistics", "tables", "workspace"]


def settings(folder: Path, packs: str = "", **given: object) -> Settings:
    said = {"BANCADA_PACKS": packs} if packs else {}
    return load_settings(data=folder, environment=said, demo=True, password_cost=1, **given)


@asynccontextmanager
async def opened(folder: Path, packs: str = "") -> AsyncIterator[Workbench]:
    bench = await open_workbench(settings(folder, packs))
    try:
        yield bench
    finally:
        await bench.close()


async def findings(bench: Workbench) -> dict[str, Finding]:
    return {found.name: found for found in await examine(bench, page_built=True)}


async def test_all_packs_are_used_unless_some_are_named(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench:
        assert [pack.name for pack in bench.packs] == ALL


async def test_the_packs_named_are_the_ones_used(tmp_path: Path) -> None:
    async with opened(tmp_path, "workspace, tables") as bench:
        assert [pack.name for pack in bench.packs] == ["tables", "workspace"]
        assert "createTask" in bench.registry
        assert "contar_defeitos" not in bench.registry


def test_the_file_names_packs_beside_their_settings(tmp_path: Path) -> None:
    (tmp_path / "bancada.toml").write_text(
        'use_packs = ["graph"]\n[packs.graph]\ncontainment = "PART_OF"\n', encoding="utf-8"
    )
    read = load_settings(data=tmp_path, environment={})
    assert read.use_packs == ["graph"]
    assert read.packs == {"graph": {"containment": "PART_OF"}}


async def test_a_pack_that_is_not_installed_is_told_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"names ovens, which is not installed.*graph, quality"):
        await open_workbench(settings(tmp_path / "new", "graph,ovens"))
    assert not (tmp_path / "new").exists(), "nothing is begun"


async def test_the_doctor_says_what_is_left_out_and_which_agents_lack_what(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench:
        assert not [name for name in await findings(bench) if name.startswith("agent ")]
    async with opened(tmp_path, "quality,statistics,workspace") as bench:
        found = await findings(bench)
    assert found["pack graph"].status == "note"
    assert found["pack quality"].told("en") == "quality needs the pack tables, which is not here"
    assert "works without gerar_grafico" in found["agent Qualidade"].told("en")
    assert "run_query" in found["agent Ativos"].told("en")
    assert "agent Assistente" not in found


def test_a_pack_left_out_takes_its_dialect_with_it(tmp_path: Path) -> None:
    def routes(packs: str) -> set[str]:
        return set(create_app(settings(tmp_path, packs)).openapi()["paths"])

    assert {"/agentes", "/chat", "/anthropic-proxy"} <= routes("")
    assert routes("") - routes("quality,tables,graph") == {"/anthropic-proxy"}


def test_a_name_that_is_not_chosen_is_left_out() -> None:
    assert left_out(None) == []
    assert left_out(["tables"]) == ["graph", "quality", "statistics", "workspace"]


WITHOUT_THE_ENGINE = """
import asyncio, sys
sys.modules["ladybug"] = None  # as where the extra was not installed
from bancada.testing import open_workshop

async def main():
    async with open_workshop(packs=["graph", "tables"], demo=True) as workshop:
        refused = await workshop.result("get_schema", {}, by=workshop.eva)
        print(refused.is_error, refused.content)
        told = await workshop.ask("olá", by=workshop.eva, agent="Testing")
        print(told.status)

asyncio.run(main())
"""


def test_the_house_starts_without_the_graphs_extra_and_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_ENGINE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    first, last = done.stdout.splitlines()
    assert first.startswith("True ")
    assert "pip install 'bancada[graph]'" in first
    assert last == "done"


async def test_the_doctor_says_what_the_walls_do_not_do_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports = [TierReport("ns", False, "no user namespaces"), TierReport("ll", True, lacks="seen")]
    monkeypatch.setattr(doctor, "sandbox_tiers", lambda: reports)
    async with opened(tmp_path) as bench:
        found = await findings(bench)
        assert found["sandbox tier ns"].says == "no user namespaces"
        assert (found["sandbox tier ll"].status, found["sandbox tier ll"].says) == (
            "missing",
            "seen",
        )
        assert found["uploads"].status == "ok"
        assert "seccomp and resource limits" in found["kernel memory"].says
        monkeypatch.setattr(bench.jail, "_missing", "this machine has no sandbox")
        found = await findings(bench)
        assert (found["sandbox"].status, found["uploads"].status) == ("missing", "missing")
