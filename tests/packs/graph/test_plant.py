"""The demo plant, and the pack built around it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bancada.packs.graph import shelf
from tests.packs.graph.kit import HOME, Kit
from tests.packs.graph.oracle import Oracle


def test_the_plant_has_what_the_questions_ask_for(oracle: Oracle) -> None:
    everyone = set(oracle.graph)
    assert 2000 < len(everyone) < 6000
    assert oracle.by(everyone, "label").keys() >= {
        "Site",
        "Building",
        "System",
        "Asset",
        "Document",
    }
    assert oracle.by(everyone, "kind").keys() >= {"Biofilter", "Pump", "Valve", "Sensor"}
    for number in range(1, 13):
        [id] = oracle.named(f"Biofilter {number}")
        assert oracle.inside(id, "Pump")
        assert oracle.inside(id, "Valve")
        assert oracle.inside(id, "Sensor")
    dimensions = {oracle.graph.nodes[id]["dimension"] for id in oracle.categories()}
    assert dimensions == {"location", "system", "context"}


def test_every_asset_is_filed_along_each_dimension(oracle: Oracle) -> None:
    assets = oracle.labelled("Asset")
    for dimension in ("location", "system", "context"):
        filed = set().union(*(oracle.filed(c, assets) for c in oracle.categories(dimension)))
        assert filed == assets


def test_no_part_of_biofilter_11_carries_its_name(oracle: Oracle) -> None:
    """Otherwise counting by name and counting by containment could not be told apart."""
    assert oracle.named("Biofilter 11") == {"BF-11"}
    assert all("biofilter" not in oracle.node(id)["name"].lower() for id in oracle.inside("BF-11"))


def test_building_the_pack_opens_nothing(tmp_path: Path) -> None:
    Kit.of(tmp_path, demo=True)
    assert list(tmp_path.iterdir()) == []


async def test_a_demo_makes_the_plant_at_the_first_question(tmp_path: Path, kit: Kit) -> None:
    fresh = Kit.of(tmp_path, demo=True)
    answers = await asyncio.gather(
        *(fresh.run("count_related_by_name", name="Biofilter 11", label="Asset") for _ in range(8))
    )
    expected = await kit.run("count_related_by_name", name="Biofilter 11", label="Asset")
    assert answers == [expected] * 8
    assert len(list((tmp_path / HOME).glob("graph-*"))) == 1


async def test_a_demo_leaves_an_imported_graph_alone(tmp_path: Path) -> None:
    await Kit.of(tmp_path, demo=True).run("get_schema")
    version = shelf.current(tmp_path / HOME)
    await Kit.of(tmp_path, demo=True).run("get_schema")
    assert shelf.current(tmp_path / HOME) == version


async def test_questions_at_the_same_moment_do_not_disturb_each_other(
    kit: Kit, oracle: Oracle
) -> None:
    ids = [id for id in sorted(oracle.graph) if id.startswith("BF-") and id.count("-") == 1] * 2
    answers = await asyncio.gather(*(kit.run("count_related", node_id=id) for id in ids))
    for id, answer in zip(ids, answers, strict=True):
        assert (answer["node"]["id"], answer["count"]) == (id, len(oracle.inside(id)))


def test_the_pack_offers_every_tool_by_its_name(kit: Kit) -> None:
    [agent] = kit.pack.agents
    assert (agent.name, agent.max_iterations, agent.last_answer) == ("Ativos", 5, True)
    assert sorted(agent.tools) == sorted(kit.tools)
    assert len(kit.tools) == 15
    for name, tool in kit.tools.items():
        assert (tool.category, tool.effect) == ("graph", "read"), name
        assert tool.allowed_callers == ("direct", "code_execution_20260120"), name
        assert tool.output_description, name
        assert name in agent.system_prompt, name
        for example in tool.examples:
            assert tool.validator.problem(example) is None, name


def test_every_example_of_a_tool_has_an_answer(kit: Kit) -> None:
    for name, tool in kit.tools.items():
        if name == "run_query":
            continue
        for example in tool.examples:
            assert kit.ask(name, **example), name
