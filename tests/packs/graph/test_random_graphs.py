"""Random graphs, cycles and knots included: every tool agrees with networkx on each of them."""

from __future__ import annotations

import asyncio
import csv
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bancada import ToolFailed
from bancada.packs.graph.importer import Source, import_graph
from tests.packs.graph.kit import HOME, Kit
from tests.packs.graph.oracle import CONTAINMENT, Oracle

TYPES = ["PART_OF", "LOCATED_IN", "IN_CATEGORY", "SUBCATEGORY_OF", "FEEDS"]
NAMES = st.text(
    st.characters(categories=["L", "N", "P", "S", "Zs"], include_characters="\n\t"), max_size=12
)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[dict[str, str]], list[tuple[str, str, str]]]:
    nodes = []
    for number in range(draw(st.integers(1, 14))):
        label = draw(st.sampled_from(["Asset", "Asset", "Site", "Category"]))
        node = {"id": f"n{number}", "label": label, "name": draw(NAMES).strip()}
        if label == "Category":
            node["dimension"] = draw(st.sampled_from(["location", "system", ""]))
        elif draw(st.booleans()):
            node["kind"] = draw(st.sampled_from(["Pump", "Valve"]))
        nodes.append(node)
    ends = st.sampled_from([node["id"] for node in nodes])
    edges = draw(st.lists(st.tuples(ends, ends, st.sampled_from(TYPES)), max_size=40))
    return nodes, edges


def written(folder: Path, nodes: list[dict[str, str]], edges: list[tuple[str, str, str]]) -> Kit:
    with (folder / "nodes.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.DictWriter(file, ["id", "label", "name", "kind", "dimension"])
        rows.writeheader()
        rows.writerows(nodes)
    with (folder / "edges.csv").open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(["source", "target", "type"])
        lines.writerows(edges)
    types = {type for _, _, type in edges}
    source = Source(
        nodes=folder / "nodes.csv",
        edges=folder / "edges.csv",
        containment=tuple(sorted(CONTAINMENT & types)),
    )
    import_graph(source, folder / "graph" / HOME)
    return Kit.of(folder / "graph")


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(graphs())
def test_every_tool_agrees_with_networkx(
    graph: tuple[list[dict[str, str]], list[tuple[str, str, str]]],
) -> None:
    nodes, edges = graph
    with tempfile.TemporaryDirectory() as folder:
        kit = written(Path(folder), nodes, edges)
        asyncio.run(compare(kit, Oracle(nodes, edges)))


async def compare(kit: Kit, oracle: Oracle) -> None:
    labels = [None, *oracle.by(set(oracle.graph), "label"), *oracle.by(set(oracle.graph), "kind")]
    for label in labels[1:]:
        counted = await kit.run("count_by_label", label=label)
        assert counted["count"] == len(oracle.labelled(label))
    for id in oracle.graph:
        for label in labels:
            await compare_inside(kit, oracle, id, label)
        await compare_edges(kit, oracle, id)
        await compare_names(kit, oracle, id)
    for label in labels:
        await compare_categories(kit, oracle, label)
    await compare_schema(kit, oracle)


async def compare_inside(kit: Kit, oracle: Oracle, id: str, label: str | None) -> None:
    expected = oracle.inside(id, label)
    if not expected and oracle.undeclared(id, label):
        for tool in ("count_related", "list_related", "count_breakdown"):
            with pytest.raises(ToolFailed, match="No containment relation says"):
                await kit.run(tool, node_id=id, label=label)
        return
    counted = await kit.run("count_related", node_id=id, label=label)
    assert counted["count"] == len(expected)
    for depth in (1, 2):
        counted = await kit.run("count_related", node_id=id, label=label, depth=depth)
        assert counted["count"] == len(oracle.inside(id, label, depth))
    listed = await kit.run("list_related", node_id=id, label=label)
    assert {node["id"]: node["depth"] for node in listed["nodes"]} == {
        inner: oracle.depth(id, inner) for inner in expected
    }
    assert listed["total"] == len(expected)
    await compare_breakdown(kit, oracle, expected, node_id=id, label=label)


async def compare_breakdown(kit: Kit, oracle: Oracle, inside: set[str], **asked: Any) -> None:
    found = await kit.run("count_breakdown", **asked)
    assert found["total"] == len(inside)
    assert found["by_label"] == oracle.by(inside, "label")
    assert found["by_kind"] == oracle.by(inside, "kind")
    shown = {s["id"]: s["count"] for shapes in found["by_dimension"].values() for s in shapes}
    filed = {category: oracle.filed(category, inside) for category in oracle.categories()}
    assert shown == {category: len(ids) for category, ids in filed.items() if ids}
    assert found["uncategorised"] == len(inside - set().union(*filed.values()))


async def compare_edges(kit: Kit, oracle: Oracle, id: str) -> None:
    found = await kit.run("get_node_connections", node_id=id)
    out = Counter((one["type"], one["node"]["id"]) for one in found["outgoing"])
    into = Counter((one["type"], one["node"]["id"]) for one in found["incoming"])
    assert (out, into) == (oracle.out(id), oracle.into(id))
    assert (found["total_outgoing"], found["total_incoming"]) == (out.total(), into.total())
    for other in oracle.graph:
        path = await kit.run("shortest_path", from_id=id, to_id=other)
        assert path["length"] == oracle.distance(id, other)
        assert path["found"] == (path["length"] is not None)


async def compare_names(kit: Kit, oracle: Oracle, id: str) -> None:
    name = oracle.node(id)["name"]
    found = await kit.run("find_node", name=name)
    assert {node["id"] for node in found["nodes"]} == oracle.named(name)
    assert (await kit.run("count_nodes", name=name.upper()))["count"] == len(
        oracle.named(name.upper())
    )
    alike = await kit.run("search_nodes", text=name)
    assert id in {node["id"] for node in alike["nodes"] if node["score"] == 1}
    if len(oracle.named(name)) == 1 and oracle.undeclared(id, None):
        return  # by its id it was refused already
    by_name = await kit.run("count_related_by_name", name=name)
    if len(oracle.named(name)) > 1:
        counts = {shape["id"]: shape["count"] for shape in by_name["candidates"]}
        assert counts == {
            other: None if oracle.undeclared(other, None) else len(oracle.inside(other))
            for other in oracle.named(name)
        }
    else:
        assert by_name["count"] == len(oracle.inside(id))
        listed = await kit.run("list_related_by_name", name=name)
        assert {node["id"] for node in listed["nodes"]} == oracle.inside(id)


async def compare_categories(kit: Kit, oracle: Oracle, label: str | None) -> None:
    among = oracle.labelled(label)
    await compare_breakdown(kit, oracle, among, label=label)
    counted = await kit.run("count_by_category", label=label)
    listed = await kit.run("list_categories")
    for answer in (counted, listed):
        ids = [category["id"] for category in answer["categories"]]
        assert sorted(ids) == sorted(oracle.categories())
    for category in counted["categories"]:
        id = category["id"]
        assert category["count"] == len(oracle.filed(id, among))
        assert category["count_with_subcategories"] == len(oracle.filed_below(id, among))


async def compare_schema(kit: Kit, oracle: Oracle) -> None:
    schema = await kit.run("get_schema")
    everyone = set(oracle.graph)
    assert {x["label"]: x["count"] for x in schema["labels"]} == oracle.by(everyone, "label")
    types = Counter(type for _, _, type in oracle.graph.edges(data="type"))
    assert {x["type"]: x["count"] for x in schema["relationships"]} == types


async def test_a_chain_longer_than_any_default_is_walked_to_its_end(tmp_path: Path) -> None:
    length = 500
    nodes = [{"id": f"n{n}", "label": "Asset", "name": f"link {n}"} for n in range(length)]
    edges = [(f"n{n + 1}", f"n{n}", "PART_OF") for n in range(length - 1)]
    kit = written(tmp_path, nodes, edges)

    assert (await kit.run("count_related", node_id="n0"))["count"] == length - 1
    assert (await kit.run("count_related", node_id="n0", depth=100))["count"] == 100
    assert (await kit.run("shortest_path", from_id="n0", to_id="n499"))["length"] == length - 1


async def test_a_graph_without_edges_or_categories_answers_too(tmp_path: Path) -> None:
    kit = written(
        tmp_path, [{"id": "a", "label": "Asset", "name": "A"}, {"id": "b", "label": "B"}], []
    )

    assert (await kit.run("count_related", node_id="a"))["count"] == 0
    assert (await kit.run("list_related", node_id="a"))["nodes"] == []
    assert (await kit.run("list_categories"))["total"] == 0
    assert (await kit.run("count_by_category"))["categories"] == []
    assert (await kit.run("count_breakdown"))["uncategorised"] == 2
    assert (await kit.run("count_breakdown", node_id="a"))["total"] == 0
    assert (await kit.run("shortest_path", from_id="a", to_id="b"))["found"] is False
    assert (await kit.run("get_node_connections", node_id="b"))["total"] == 0
    with pytest.raises(ToolFailed, match="Dimensions: none"):
        await kit.run("list_categories", dimension="location")
