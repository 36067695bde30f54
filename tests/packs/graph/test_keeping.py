"""Whose graph it is: one for each organisation, open while it is asked, and what it counts as."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from dataclasses import replace
from pathlib import Path

import pytest

from bancada import ToolFailed
from bancada.packs.graph import shelf
from bancada.packs.graph.importer import Source, import_graph
from bancada.packs.graph.keeper import Keeper
from tests.packs.graph.kit import ANA, Kit

NOW = 1000.0


def write(folder: Path, organisation: int, label: str) -> None:
    (folder / "nodes.csv").write_text(f"id,label\na,{label}\n")
    (folder / "edges.csv").write_text("source,target,type\n")
    source = Source(nodes=folder / "nodes.csv", edges=folder / "edges.csv")
    import_graph(source, shelf.of_organisation(folder / "graph", organisation))


async def labels(kit: Kit, organisation: int) -> list[str]:
    found = await kit.run_as(replace(ANA, organisation_id=organisation), "get_schema")
    return [one["label"] for one in found["labels"]]


async def test_each_organisation_asks_its_own_graph(tmp_path: Path) -> None:
    write(tmp_path, 1, "Ward")
    write(tmp_path, 2, "Book")
    kit = Kit.of(tmp_path / "graph")
    assert await labels(kit, 1) == ["Ward"]
    assert await labels(kit, 2) == ["Book"]
    with pytest.raises(ToolFailed, match="Your organisation has no graph yet"):
        await labels(kit, 3)


async def test_the_demo_is_the_first_organisations_alone(tmp_path: Path) -> None:
    kit = Kit.of(tmp_path, demo=True, first_organisation=4)
    assert "Asset" in await labels(kit, 4)
    with pytest.raises(ToolFailed, match="Your organisation has no graph yet"):
        await labels(kit, 5)


async def test_a_graph_from_before_becomes_the_first_organisations(tmp_path: Path) -> None:
    write(tmp_path, 1, "Ward")
    old, home = tmp_path / "old", tmp_path / "graph" / "1"
    home.rename(old)
    [version] = old.glob("graph-*")
    (version / "about.json").unlink()
    kit = Kit.of(old, first_organisation=7)
    assert await labels(kit, 7) == ["Ward"]
    assert not (old / "current").exists()
    assert await labels(Kit.of(old, first_organisation=7), 7) == ["Ward"]


async def test_what_was_imported_counts_as_text_from_outside_and_the_demo_does_not(
    tmp_path: Path,
) -> None:
    kit = Kit.of(tmp_path / "graph", demo=True)
    await labels(kit, 1)
    write(tmp_path, 2, "Book")
    for name, tool in kit.tools.items():
        assert not tool.brings_outside_content(ANA), name
        assert tool.brings_outside_content(replace(ANA, organisation_id=2)), name
    write(tmp_path, 1, "Ward")
    assert kit.tools["find_node"].brings_outside_content(ANA)


def test_only_so_many_graphs_are_open_and_idle_ones_are_closed(tmp_path: Path) -> None:
    now = [NOW]
    for organisation in (1, 2, 3):
        write(tmp_path, organisation, "Ward")
    keeper = Keeper(tmp_path / "graph", most=2, idle=60, clock=lambda: now[0])
    first = weakref.ref(keeper.graph_of(1))
    keeper.graph_of(2)
    keeper.graph_of(3)
    assert keeper.open_now() == [2, 3]
    gc.collect()
    assert first() is None
    now[0] += 40
    held = keeper.graph_of(2)
    now[0] += 40
    keeper.let_go_of_idle()
    assert keeper.open_now() == [2]
    now[0] += 61
    keeper.let_go_of_idle()
    assert keeper.open_now() == []
    assert held.degree(held.names.named("a").nodes[0]) == (0, 0)


def test_a_closed_graph_lets_go_of_its_engine(tmp_path: Path) -> None:
    write(tmp_path, 1, "Ward")
    keeper = Keeper(tmp_path / "graph")
    graph = keeper.graph_of(1)
    graph.properties(graph.names.named("a").nodes[0])
    database = weakref.ref(graph._connections)
    del graph
    keeper._open.clear()
    assert database() is None


WITHOUT_ENGINE = """
import asyncio, sys
sys.modules["ladybug"] = None
from pathlib import Path
from bancada.engine.workbench import open_workbench
from bancada.settings import load_settings
from bancada.packs.graph.importer import ImportFailed, Source, import_graph

async def main(folder):
    bench = await open_workbench(load_settings(data=folder, demo=True))
    tool = bench.registry.find("find_node", await bench.local_person())
    print(tool.switched_off)
    print("createTask" in bench.registry)
    await bench.close()

folder = Path(sys.argv[1])
asyncio.run(main(folder))
try:
    import_graph(Source(nodes=folder / "no.csv", edges=folder / "no.csv"), folder)
except ImportFailed as failure:
    print(failure)
"""


def test_without_the_engine_the_pack_says_what_is_missing_and_the_rest_works(
    tmp_path: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_ENGINE, tmp_path],
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    missing, rest, imported = done.stdout.splitlines()
    assert missing == imported
    assert "pip install 'bancada[graph]'" in missing
    assert rest == "True"
