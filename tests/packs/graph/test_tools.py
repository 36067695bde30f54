"""Every typed tool on the demo plant gives the answer that networkx gives."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import networkx as nx
import pytest

from bancada import ToolFailed
from tests.packs.graph.kit import Kit
from tests.packs.graph.oracle import Oracle

OUTER = ["BF-11", "BF-01", "SYS-BF", "SYS-ELE", "B-FIL", "S-VALE", "CAT-01", "CAT-31", "DOC-0001"]
LABELS = [None, "Asset", "Pump", "Sensor", "Document", "System"]


async def every_page(kit: Kit, tool: str, limit: int, /, **input: Any) -> list[Any]:
    items: list[Any] = []
    offset: int | None = 0
    while offset is not None:
        page = await kit.run(tool, limit=limit, offset=offset, **input)
        items += page["nodes"]
        assert page["total"] >= len(items)
        offset = page.get("next_offset")
    assert page["total"] == len(items)
    return items


async def test_biofilter_11_is_found_however_it_is_written(kit: Kit, oracle: Oracle) -> None:
    for name in ("Biofilter 11", "BIOFILTER 11", "biofiltro 11", "  biofilter   11 ", "bf-11"):
        found = await kit.run("find_node", name=name)
        assert found["nodes"] == [oracle.node("BF-11")], name
        assert (found["match"], found["total"]) == ("exact", 1)


@pytest.mark.parametrize(
    "name", ["estacao de tratamento de agua do vale", "ESTAÇÃO elevatória da RIBEIRA"]
)
async def test_accents_and_case_do_not_matter(kit: Kit, oracle: Oracle, name: str) -> None:
    found = await kit.run("find_node", name=name)
    assert {node["id"] for node in found["nodes"]} == oracle.named(name)
    assert found["total"] == 1


@pytest.mark.parametrize("name", ["valvula de purga", "bomba", "Biofilter", "sensor", "4", "pH"])
async def test_find_node_pages_through_everyone_a_name_means(
    kit: Kit, oracle: Oracle, name: str
) -> None:
    found = await every_page(kit, "find_node", 150, name=name)
    assert {node["id"] for node in found} == oracle.named(name)
    assert found == sorted(found, key=lambda node: (node["name"], node["id"]))


async def test_find_node_keeps_to_a_label(kit: Kit, oracle: Oracle) -> None:
    found = await every_page(kit, "find_node", 200, name="sistema", label="Document")
    assert found == []
    found = await every_page(kit, "find_node", 200, name="sistema", label="systems")
    assert {node["id"] for node in found} == oracle.named("sistema") & oracle.labelled("System")


async def test_a_name_nobody_has_brings_similar_ones(kit: Kit) -> None:
    found = await kit.run("find_node", name="Biofliter 11")
    assert (found["match"], found["nodes"], found["total"]) == ("none", [], 0)
    assert found["similar"][0]["id"] == "BF-11"


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("biofliter 11", "BF-11"),
        ("Biofilter11", "BF-11"),
        ("edificio de filtracao", "B-FIL"),
        ("edifcio quimco", "B-QUI"),
        ("resevatorio do monte", "S-MON"),
    ],
)
async def test_search_forgives_typing_errors(kit: Kit, text: str, id: str) -> None:
    found = await kit.run("search_nodes", text=text)
    assert found["nodes"][0]["id"] == id
    scores = [node["score"] for node in found["nodes"]]
    assert scores == sorted(scores, reverse=True)


async def test_search_puts_the_very_name_first(kit: Kit, oracle: Oracle) -> None:
    for id in random.Random(3).sample(sorted(oracle.graph), 40):
        name = oracle.node(id)["name"]
        found = await kit.run("search_nodes", text=name.upper(), limit=200)
        same = oracle.named(name)
        first = {node["id"] for node in found["nodes"][: len(same)]}
        assert first == same or len(same) > 200, name
        assert found["nodes"][0]["score"] == 1


async def test_search_finds_nothing_like_nonsense(kit: Kit) -> None:
    assert (await kit.run("search_nodes", text="qwxzy kjhgf"))["total"] == 0
    assert (await kit.run("search_nodes", text='"*" OR (NEAR'))["total"] == 0


@pytest.mark.parametrize("name", ["Biofilter 11", "biofilter", "válvula", "purga", "zeppelin"])
async def test_count_nodes_counts_whom_a_name_means(kit: Kit, oracle: Oracle, name: str) -> None:
    found = await kit.run("count_nodes", name=name)
    expected = oracle.named(name)
    assert found["count"] == len(expected)
    assert found["by_label"] == oracle.by(expected, "label")


@pytest.mark.parametrize(
    "label", ["Asset", "Pump", "Valve", "Sensor", "Document", "Building", "Category", "Biofilter"]
)
async def test_count_by_label_counts_labels_and_kinds(kit: Kit, oracle: Oracle, label: str) -> None:
    expected = oracle.labelled(label)
    for written in (label, label.upper(), label.lower()):
        found = await kit.run("count_by_label", label=written)
        assert (found["label"], found["count"]) == (label, len(expected))
    if "by_kind" in found:
        assert found["by_kind"] == oracle.by(expected, "kind")


@pytest.mark.parametrize(
    ("written", "label"), [("assets", "Asset"), ("categories", "Category"), ("sensores", "Sensor")]
)
async def test_labels_may_be_plural(kit: Kit, written: str, label: str) -> None:
    assert (await kit.run("count_by_label", label=written))["label"] == label


async def test_an_unknown_label_is_told_with_those_that_exist(kit: Kit) -> None:
    with pytest.raises(ToolFailed, match=r"no label 'Dragon'. Labels: Asset.*Kinds: .*Pump"):
        await kit.run("count_by_label", label="Dragon")


@pytest.mark.parametrize("id", OUTER)
@pytest.mark.parametrize("label", LABELS)
async def test_what_is_in_a_node_is_what_containment_reaches(
    kit: Kit, oracle: Oracle, id: str, label: str | None
) -> None:
    expected = oracle.inside(id, label)
    if oracle.undeclared(id, label):
        assert not expected
        with pytest.raises(ToolFailed, match=r"No containment relation says .* DESCRIBES \("):
            await kit.run("count_related", node_id=id, label=label)
        return
    counted = await kit.run("count_related", node_id=id, label=label)
    assert (counted["node"], counted["count"]) == (oracle.node(id), len(expected))

    listed = await every_page(kit, "list_related", 200, node_id=id, label=label)
    assert {node["id"] for node in listed} == expected
    assert listed == sorted(listed, key=lambda node: (node["name"], node["id"]))
    for node in listed[:20]:
        assert node["depth"] == oracle.depth(id, node["id"])
        assert oracle.node(node["id"]).items() <= node.items()


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 1000])
async def test_depth_bounds_how_far_in_is_counted(kit: Kit, oracle: Oracle, depth: int) -> None:
    for id in ("S-VALE", "B-FIL", "BF-11", "CAT-01"):
        found = await kit.run("count_related", node_id=id, depth=depth)
        assert found["count"] == len(oracle.inside(id, depth=depth))


@pytest.mark.parametrize("label", [None, "Asset", "Pump", "Sensor", "System"])
async def test_assets_in_biofilter_11_by_name(kit: Kit, oracle: Oracle, label: str | None) -> None:
    expected = oracle.inside("BF-11", label)
    counted = await kit.run("count_related_by_name", name="biofilter 11", label=label)
    assert (counted["node"]["id"], counted["count"]) == ("BF-11", len(expected))
    listed = await every_page(kit, "list_related_by_name", 7, name="Biofiltro 11", label=label)
    assert {node["id"] for node in listed} == expected


@pytest.mark.parametrize(
    "tool", ["count_related_by_name", "list_related_by_name", "count_breakdown"]
)
async def test_a_name_that_means_several_returns_the_candidates(
    kit: Kit, oracle: Oracle, tool: str
) -> None:
    found = await kit.run(tool, name="BOMBA DE LAVAGEM")
    expected = oracle.named("bomba de lavagem")
    assert found["ambiguous"] is True
    assert found["total"] == len(expected) > 20
    assert len(found["candidates"]) == 20
    for candidate in found["candidates"]:
        assert candidate["id"] in expected
        assert candidate["count"] == len(oracle.inside(candidate["id"]))
        [outer] = oracle.outward[candidate["id"]].keys() - oracle.categories()
        assert candidate["in"] == [oracle.node(outer)["name"]]


async def test_a_name_nobody_has_fails_with_similar_ones(kit: Kit) -> None:
    with pytest.raises(
        ToolFailed, match=r"No node is called 'Biofliter 11'\. Similar: Biofilter 11 \(BF-11\)"
    ):
        await kit.run("count_related_by_name", name="Biofliter 11")


async def test_an_unknown_id_fails_and_says_how_to_get_one(kit: Kit) -> None:
    for tool in ("count_related", "list_related", "get_node_connections"):
        with pytest.raises(ToolFailed, match=r"No node has the id 'nope'\. find_node"):
            await kit.run(tool, node_id="nope")


async def test_the_hierarchy_lists_each_category_after_the_one_above(
    kit: Kit, oracle: Oracle
) -> None:
    found = await kit.run("list_categories")
    ids = [category["id"] for category in found["categories"]]
    assert sorted(ids) == sorted(oracle.categories())
    assert found["total"] == len(ids)
    assert found["dimensions"] == ["context", "location", "system"]
    for category in found["categories"]:
        above = {
            b for _, b, t in oracle.graph.out_edges(category["id"], "type") if t == "SUBCATEGORY_OF"
        }
        assert {category["parent_id"]} - {None} == above
        if above:
            assert ids.index(category["parent_id"]) < ids.index(category["id"])
            assert category["path"].endswith(f" > {category['name']}")


@pytest.mark.parametrize("dimension", ["location", "SYSTEM", "Context"])
async def test_categories_of_one_dimension(kit: Kit, oracle: Oracle, dimension: str) -> None:
    found = await kit.run("list_categories", dimension=dimension)
    assert {c["id"] for c in found["categories"]} == oracle.categories(dimension.lower())


async def test_an_unknown_dimension_is_told_with_those_that_exist(kit: Kit) -> None:
    with pytest.raises(ToolFailed, match="Dimensions: context, location, system"):
        await kit.run("list_categories", dimension="colour")


@pytest.mark.parametrize("label", LABELS)
async def test_counts_per_category(kit: Kit, oracle: Oracle, label: str | None) -> None:
    among = oracle.labelled(label)
    found = await kit.run("count_by_category", label=label)
    assert {c["id"] for c in found["categories"]} == oracle.categories()
    for category in found["categories"]:
        id = category["id"]
        assert category["count"] == len(oracle.filed(id, among))
        assert category["count_with_subcategories"] == len(oracle.filed_below(id, among))


@pytest.mark.parametrize("id", [*OUTER, None])
@pytest.mark.parametrize("label", [None, "Asset", "Pump"])
async def test_the_breakdown_adds_up(
    kit: Kit, oracle: Oracle, id: str | None, label: str | None
) -> None:
    if id is not None and oracle.undeclared(id, label):
        with pytest.raises(ToolFailed, match="No containment relation says"):
            await kit.run("count_breakdown", node_id=id, label=label)
        return
    inside = oracle.labelled(label) if id is None else oracle.inside(id, label)
    found = await kit.run("count_breakdown", node_id=id, label=label)
    assert found["total"] == len(inside)
    assert found["by_label"] == oracle.by(inside, "label")
    assert found["by_kind"] == oracle.by(inside, "kind")
    filed: set[str] = set()
    for dimension, shapes in found["by_dimension"].items():
        expected = {c: oracle.filed(c, inside) for c in oracle.categories(dimension)}
        assert {s["id"]: s["count"] for s in shapes} == {
            c: len(n) for c, n in expected.items() if n
        }
        filed |= set().union(*expected.values())
    assert found["uncategorised"] == len(inside - filed)


async def test_a_breakdown_by_name_is_the_one_by_id(kit: Kit) -> None:
    by_name = await kit.run("count_breakdown", name="biofilter 11")
    assert by_name == await kit.run("count_breakdown", node_id="BF-11")
    with pytest.raises(ToolFailed, match="not both"):
        await kit.run("count_breakdown", name="biofilter 11", node_id="BF-11")


@pytest.mark.parametrize("id", ["BF-11", "BF-11-P01", "SYS-BF", "S-VALE", "DOC-0001"])
async def test_connections_are_the_edges_in_and_out(kit: Kit, oracle: Oracle, id: str) -> None:
    found = await kit.run("get_node_connections", node_id=id, limit=200)
    out = Counter((one["type"], one["node"]["id"]) for one in found["outgoing"])
    into = Counter((one["type"], one["node"]["id"]) for one in found["incoming"])
    assert out == oracle.out(id)
    assert into == oracle.into(id)
    assert (found["total_outgoing"], found["total_incoming"]) == (out.total(), into.total())
    assert oracle.node(id).items() <= found["node"].items()


async def test_connections_of_a_hub_are_paged(kit: Kit, oracle: Oracle) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    offset: int | None = 0
    while offset is not None:
        found = await kit.run("get_node_connections", node_id="CAT-31", limit=200, offset=offset)
        seen += Counter((one["type"], one["node"]["id"]) for one in found["incoming"])
        offset = found.get("next_offset")
    assert seen == oracle.into("CAT-31")
    assert found["total_incoming"] == seen.total() > 1000


async def test_properties_come_with_their_types(kit: Kit, oracle: Oracle) -> None:
    found = await kit.run("get_node_connections", node_id="BF-11-P01")
    written = oracle.graph.nodes["BF-11-P01"]
    properties = found["node"]["properties"]
    assert properties["power_kw"] == float(written["power_kw"])
    assert properties["criticality"] == int(written["criticality"])
    assert properties["installed"] == written["installed"]


async def test_the_neighbourhood_is_drawn(kit: Kit) -> None:
    result = await kit.result("get_node_connections", node_id="BF-11")
    [widget] = result.widgets
    assert widget.kind == "graph"
    assert (widget.data["widget"], widget.data["titulo"]) == ("graph", "Biofilter 11")
    drawn = {node["id"] for node in widget.data["nodes"]}
    assert "BF-11" in drawn
    assert all({edge["source"], edge["target"]} <= drawn for edge in widget.data["edges"])
    assert {"id", "label", "name"} == widget.data["nodes"][0].keys()
    shown = len(result.value["outgoing"]) + len(result.value["incoming"])
    assert len(widget.data["edges"]) == shown


async def test_the_drawing_of_a_hub_stays_small(kit: Kit) -> None:
    result = await kit.result("get_node_connections", node_id="CAT-31", limit=200)
    assert len(result.widgets[0].data["nodes"]) == 60


async def test_shortest_paths_are_as_short_as_networkx_finds(kit: Kit, oracle: Oracle) -> None:
    draw = random.Random(5)
    ids = sorted(oracle.graph)
    pairs = [("BF-01", "BF-03"), ("BF-11", "DOC-0001"), *(draw.sample(ids, 2) for _ in range(25))]
    for start, end in pairs:
        found = await kit.run("shortest_path", from_id=start, to_id=end)
        assert found["length"] == oracle.distance(start, end)
        ids_on_path = [node["id"] for node in found["nodes"]]
        assert (ids_on_path[0], ids_on_path[-1]) == (start, end)
        for edge, a, b in zip(found["edges"], ids_on_path, ids_on_path[1:], strict=False):
            assert {edge["source"], edge["target"]} == {a, b}
            between = oracle.graph.get_edge_data(edge["source"], edge["target"]) or {}
            assert edge["type"] in {data["type"] for data in between.values()}


async def test_a_node_is_at_no_distance_from_itself(kit: Kit) -> None:
    found = await kit.run("shortest_path", from_id="BF-11", to_id="BF-11")
    assert (found["found"], found["length"], len(found["nodes"])) == (True, 0, 1)


async def test_the_schema_says_what_there_is(kit: Kit, oracle: Oracle) -> None:
    schema = await kit.run("get_schema")
    everyone = set(oracle.graph)
    assert {x["label"]: x["count"] for x in schema["labels"]} == oracle.by(everyone, "label")
    types = Counter(nx.get_edge_attributes(oracle.graph, "type").values())
    assert {x["type"]: x["count"] for x in schema["relationships"]} == types
    for label in schema["labels"]:
        assert label["kinds"] == oracle.by(oracle.labelled(label["label"]), "kind")
    for item in schema["relationships"]:
        between = {
            (oracle.node(a)["label"], oracle.node(b)["label"])
            for a, b, t in oracle.graph.edges(data="type")
            if t == item["type"]
        }
        assert {(pair["from"], pair["to"]) for pair in item["between"]} == between
