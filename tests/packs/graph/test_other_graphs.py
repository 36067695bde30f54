"""Graphs of other labels and relations: they work at once, and what was guessed is said."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from bancada import ToolFailed
from bancada.packs.graph.importer import (
    Imported,
    ImportFailed,
    Source,
    change_containment,
    import_graph,
)
from tests.packs.graph.kit import HOME, Kit


@dataclass(frozen=True)
class Sample:
    """Nodes (id, label), edges, and what a person would say is in what."""

    nodes: list[tuple[str, str]]
    edges: list[tuple[str, str, str]]
    up: set[str]
    down: set[str]

    def outward(self) -> nx.DiGraph[str]:
        """From each node to what it is in."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(id for id, _ in self.nodes)
        for source, target, type in self.edges:
            if type in self.up:
                graph.add_edge(source, target)
            elif type in self.down:
                graph.add_edge(target, source)
        return graph

    def imported(self, folder: Path, **says: Any) -> tuple[Kit, Imported]:
        folder.mkdir(exist_ok=True)
        with (folder / "nodes.csv").open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["id", "label", "name"])
            rows.writerows([id, label, f"{label} {id}"] for id, label in self.nodes)
        with (folder / "edges.csv").open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["source", "target", "type"])
            rows.writerows(self.edges)
        source = Source(nodes=folder / "nodes.csv", edges=folder / "edges.csv", **says)
        imported = import_graph(source, folder / "graph" / HOME)
        return Kit.of(folder / "graph"), imported


def hospital() -> Sample:
    wards, rooms, beds = range(3), range(7), range(19)
    nodes = [("h", "Hospital"), *((f"w{n}", "Ward") for n in wards)]
    nodes += [(f"r{n}", "Room") for n in rooms] + [(f"b{n}", "Bed") for n in beds]
    nodes += [(f"n{n}", "Nurse") for n in range(8)] + [(f"d{n}", "Doctor") for n in range(4)]
    nodes += [(f"p{n}", "Patient") for n in range(12)]
    edges = [("h", f"w{n}", "HAS_WARD") for n in wards]
    edges += [(f"w{n % 3}", f"r{n}", "HAS_ROOM") for n in rooms]
    edges += [(f"r{n % 7}", f"b{n}", "CONTAINS") for n in beds]
    edges += [(f"n{n}", f"w{n % 3}", "WORKS_IN") for n in range(8)]
    edges += [(f"p{n}", f"b{n}", "OCCUPIES") for n in range(12)]
    edges += [(f"d{n % 4}", f"p{n}", "TREATS") for n in range(12)]
    return Sample(nodes, edges, {"WORKS_IN"}, {"HAS_WARD", "HAS_ROOM", "CONTAINS"})


def library() -> Sample:
    nodes = [("l", "Library"), *((f"room{n}", "Room") for n in range(2))]
    nodes += [(f"s{n}", "Shelf") for n in range(5)] + [(f"k{n}", "Book") for n in range(23)]
    nodes += [(f"a{n}", "Author") for n in range(4)]
    edges = [(f"room{n}", "l", "ROOM_OF") for n in range(2)]
    edges += [(f"s{n}", f"room{n % 2}", "STANDS_IN") for n in range(5)]
    edges += [(f"k{n}", f"s{n % 5}", "SHELVED") for n in range(23)]
    edges += [(f"k{n}", f"a{n % 4}", "WRITTEN_BY") for n in range(23)]
    return Sample(nodes, edges, {"ROOM_OF", "STANDS_IN", "SHELVED"}, set())


def company() -> Sample:
    nodes = [(f"p{n}", "Person") for n in range(30)] + [(f"t{n}", "Team") for n in range(3)]
    nodes += [(f"j{n}", "Project") for n in range(3)]
    edges = [(f"p{n}", f"p{(n - 1) // 3}", "REPORTS_TO") for n in range(1, 30)]
    edges += [(f"t{n % 3}", f"p{n}", "EMPLOYS") for n in range(30)]
    edges += [(f"p{n}", f"j{(n * k) % 3}", "WORKS_ON") for n in range(30) for k in (1, 2)]
    return Sample(nodes, edges, {"REPORTS_TO"}, set())


SAMPLES = {"hospital": hospital(), "library": library(), "company": company()}


@pytest.fixture(scope="module", params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Sample:
    return SAMPLES[request.param]


@pytest.fixture(scope="module")
def brought(sample: Sample, tmp_path_factory: pytest.TempPathFactory) -> tuple[Kit, Imported]:
    return sample.imported(tmp_path_factory.mktemp("sample"))


def test_containment_is_proposed_from_the_data_and_said(
    sample: Sample, brought: tuple[Kit, Imported]
) -> None:
    kit, imported = brought
    hierarchy = imported.about.hierarchy
    found = {(one.type, one.direction) for one in hierarchy.taken}
    assert found == {(t, "up") for t in sample.up} | {(t, "down") for t in sample.down}
    assert all(one.why for one in hierarchy.taken)
    others = {type for _, _, type in sample.edges} - sample.up - sample.down
    assert {one.type for one in hierarchy.left_out if one.why} == others
    schema = kit.ask("get_schema")
    assert {(one["type"], one["direction"]) for one in schema["containment"]} == found
    assert {one["type"] for one in schema["not_containment"]} == others


async def test_every_figure_is_the_one_networkx_finds(
    sample: Sample, brought: tuple[Kit, Imported]
) -> None:
    kit, _ = brought
    outward, labels = sample.outward(), dict(sample.nodes)
    placed = {labels[id] for id in outward if outward.out_degree(id)}
    for id, own in sample.nodes:
        inside = nx.ancestors(outward, id)
        if not outward.degree(id):
            with pytest.raises(ToolFailed, match="No containment relation says what is in"):
                await kit.run("count_related", node_id=id)
            continue
        counts = Counter(labels[inner] for inner in inside)
        assert (await kit.run("count_related", node_id=id))["count"] == len(inside)
        broken = await kit.run("count_breakdown", node_id=id)
        assert broken["by_label"] == dict(counts)
        for label in placed:
            name = f"{own} {id}"
            counted = await kit.run("count_related_by_name", name=name, label=f"{label}s")
            assert counted["count"] == counts[label]
            listed = await kit.run("list_related_by_name", name=name, label=label, limit=200)
            expected = {inner for inner in inside if labels[inner] == label}
            assert {node["id"] for node in listed["nodes"]} == expected
            for node in listed["nodes"]:
                assert node["depth"] == nx.shortest_path_length(outward, node["id"], id)


async def test_where_a_node_is_is_its_way_outward(
    sample: Sample, brought: tuple[Kit, Imported]
) -> None:
    kit, _ = brought
    outward = sample.outward()
    for id, label in sample.nodes:
        found = await kit.run("find_node", name=f"{label} {id}")
        way = []
        step = id
        while outward.out_degree(step):
            [step] = outward[step]
            way.append(step)
        ways = [[node["id"] for node in one] for one in found["where"][id]]
        assert ways == ([way] if way else [])


async def test_a_relation_nobody_declared_is_an_error_with_the_choices(tmp_path: Path) -> None:
    kit, _ = hospital().imported(tmp_path)
    with pytest.raises(ToolFailed) as refused:
        await kit.run("count_related_by_name", name="Ward w0", label="Patient")
    assert "what any Patient is in" in str(refused.value)
    assert "OCCUPIES (12)" in str(refused.value)
    assert "TREATS (12)" in str(refused.value)
    with pytest.raises(ToolFailed, match=r"what is in Doctor d0 \(d0\).*TREATS \(3\)"):
        await kit.run("list_related", node_id="d0")
    with pytest.raises(ToolFailed, match=r"There is no relation 'CURES'. Relations: CONTAINS, "):
        await kit.run("count_related", node_id="d0", relation="CURES")


async def test_any_relation_can_be_asked_for_by_its_name(tmp_path: Path) -> None:
    kit, _ = hospital().imported(tmp_path)
    counted = await kit.run("count_related", node_id="d0", relation="treats")
    assert (counted["count"], counted["relation"]) == (3, "TREATS")
    listed = await kit.run("list_related_by_name", name="Patient p4", relation="TREATS")
    assert [node["id"] for node in listed["nodes"]] == ["d0"]
    nobody = await kit.run("count_related", node_id="d0", label="Bed", relation="TREATS")
    assert nobody["count"] == 0


async def test_a_count_over_a_guessed_relation_says_so(tmp_path: Path) -> None:
    kit, imported = library().imported(tmp_path)
    assert set(imported.about.hierarchy.guessed) == {"ROOM_OF", "SHELVED"}
    assert (await kit.run("count_related", node_id="s0"))["by"] == ["SHELVED"]
    everything = await kit.run("count_related", node_id="l")
    assert set(everything["by"]) == {"ROOM_OF", "STANDS_IN", "SHELVED"}
    assert set((await kit.run("count_related", node_id="l", depth=1))["by"]) == {"ROOM_OF"}


async def test_what_a_person_declares_replaces_the_proposal(tmp_path: Path) -> None:
    kit, _ = company().imported(tmp_path, containment=("EMPLOYS:down",))
    assert (await kit.run("count_related", node_id="t0"))["count"] == 10
    change_containment(tmp_path / "graph" / HOME, ["EMPLOYS", "WORKS_ON"])
    assert (await kit.run("count_related", node_id="t0"))["count"] == 10
    assert (await kit.run("count_related", node_id="j0", label="Person"))["count"] == 10
    [employs, works] = (await kit.run("get_schema"))["containment"]
    assert (employs["direction"], works["direction"]) == ("down", "up")
    change_containment(tmp_path / "graph" / HOME, [])
    [proposed] = (await kit.run("get_schema"))["containment"]
    assert proposed["type"] == "REPORTS_TO"


def test_declaring_a_relation_the_graph_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportFailed, match=r"no relation 'OWNS'\. Relations: EMPLOYS, REPORTS_TO"):
        company().imported(tmp_path, containment=("OWNS",))
    with pytest.raises(ImportFailed, match="after the colon stands up or down"):
        company().imported(tmp_path, containment=("EMPLOYS:sideways",))


def test_relations_in_a_circle_or_between_equals_are_not_proposed(tmp_path: Path) -> None:
    nodes = [(f"x{n}", "Thing") for n in range(6)]
    ring = [(f"x{n}", f"x{(n + 1) % 6}", "INSIDE") for n in range(6)]
    pairs = [(f"x{n}", f"x{m}", "KNOWS") for n in range(6) for m in range(6) if n != m]
    _, imported = Sample(nodes, ring + pairs, set(), set()).imported(tmp_path)
    assert imported.about.hierarchy.taken == ()
    assert {one.type for one in imported.about.hierarchy.left_out} == {"INSIDE", "KNOWS"}


def test_labels_are_understood_in_the_plurals_of_both_languages(tmp_path: Path) -> None:
    nodes = [("1", "Leitão"), ("2", "HospitalWard"), ("3", "sala_de_aula"), ("4", "Animal")]
    kit, _ = Sample(nodes, [], set(), set()).imported(tmp_path)
    for said, label in (
        ("leitões", "Leitão"),
        ("hospital wards", "HospitalWard"),
        ("salas de aula", "sala_de_aula"),
        ("animais", "Animal"),
    ):
        assert kit.ask("count_by_label", label=said)["label"] == label
