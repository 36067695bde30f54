"""The graph: our tools against networkx and plain SQLite, and how each grows with the graph.

    python -m bench.graph                      10 thousand nodes, then 200 thousand with 1 million edges
    python -m bench.graph --nodes 1000 5000    smaller ones

All three answer the same questions about the same nodes in one run, and must agree. Ours are
whole tool calls, below the gate: resolve the node, ask, shape the answer. networkx holds the
graph in memory; SQLite has the nodes and edges in two indexed tables and walks with recursive
queries. Read the ratios, not the milliseconds.
"""

from __future__ import annotations

import argparse
import csv
import random
import resource
import sqlite3
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import networkx as nx
from bench._figures import figure

from bancada import JSONObject, Person, ToolContext
from bancada.packs.graph.containment import ALWAYS as CONTAINMENT
from bancada.packs.graph.finding import FindingTools
from bancada.packs.graph.importer import Source, import_graph
from bancada.packs.graph.keeper import Keeper
from bancada.packs.graph.related import Related
from bancada.packs.graph.schema import fold
from bancada.packs.graph.shelf import of_organisation

EDGES_A_NODE = 5
CATEGORIES = 60
KINDS = ("Pump", "Valve", "Sensor", "Tank", "Motor")
ASKED = 40


def write_graph(folder: Path, count: int) -> tuple[Path, Path]:
    """Assets in assets, some twenty to each, filed under categories and feeding one another."""
    draw = random.Random(count)
    nodes, edges = folder / "nodes.csv", folder / "edges.csv"
    with nodes.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("id", "label", "name", "kind", "dimension"))
        for n in range(CATEGORIES):
            rows.writerow(
                (f"c{n}", "Category", f"Categoria {n}", "", ("location", "system")[n % 2])
            )
        for n in range(count):
            rows.writerow((f"n{n}", "Asset", f"Válvula nº {n}", draw.choice(KINDS), ""))
    with edges.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("source", "target", "type"))
        for n in range(1, count):
            rows.writerow((f"n{n}", f"n{(n - 1) // 20}", "PART_OF"))
            rows.writerow((f"n{n}", f"n{draw.randrange(n)}", "LOCATED_IN"))
            rows.writerow((f"n{n}", f"c{draw.randrange(CATEGORIES)}", "IN_CATEGORY"))
            for _ in range(EDGES_A_NODE - 3):
                rows.writerow((f"n{n}", f"n{draw.randrange(count)}", "FEEDS"))
    return nodes, edges


def rows_of(file: Path) -> Iterable[list[str]]:
    with file.open(newline="", encoding="utf-8") as source:
        rows = csv.reader(source)
        next(rows)
        yield from rows


async def _no_calls(name: str, input: JSONObject) -> Any:
    raise NotImplementedError(name)


SOMEBODY = ToolContext(
    person=Person(id=1, organisation_id=1, email="a@b.c", name="Ana", role="admin"),
    call_id="bench",
    call=_no_calls,
)


class Ours:
    """The pack's tools."""

    name = "bancada"

    def __init__(self, nodes: Path, edges: Path, folder: Path) -> None:
        import_graph(Source(nodes=nodes, edges=edges), of_organisation(folder, 1))
        keeper = Keeper(folder)
        self.finding = FindingTools(keeper)
        self.related = Related(keeper)

    def find(self, name: str) -> list[str]:
        return [node["id"] for node in self.finding.find_node(SOMEBODY, name)["nodes"]]

    def within(self, id: str, depth: int) -> int:
        return int(self.related.count_related(SOMEBODY, id, depth=depth)["count"])

    def breakdown(self, id: str | None) -> dict[str, int]:
        found = self.related.count_breakdown(SOMEBODY, node_id=id)
        return {c["id"]: c["count"] for shapes in found["by_dimension"].values() for c in shapes}


class Networkx:
    """The graph in memory; names by looking at every node."""

    name = "networkx"

    def __init__(self, nodes: Path, edges: Path, folder: Path) -> None:
        self.names = {row[0]: fold(row[2]) for row in rows_of(nodes)}
        self.inward: nx.DiGraph[str] = nx.DiGraph()
        self.inward.add_nodes_from(self.names)
        self.filed: dict[str, set[str]] = {}
        for source, target, type in rows_of(edges):
            if type in CONTAINMENT:
                self.inward.add_edge(target, source)
            if type == "IN_CATEGORY":
                self.filed.setdefault(source, set()).add(target)

    def find(self, name: str) -> list[str]:
        wanted = fold(name)
        return [id for id, other in self.names.items() if other == wanted]

    def within(self, id: str, depth: int) -> int:
        return len(nx.single_source_shortest_path_length(self.inward, id, cutoff=depth)) - 1

    def breakdown(self, id: str | None) -> dict[str, int]:
        inside = self.names if id is None else nx.descendants(self.inward, id)
        return dict(Counter(c for node in inside for c in self.filed.get(node, ())))


class Sqlite:
    """Two tables with the indexes these questions want, walked by recursive queries.

    CROSS JOIN keeps SQLite to the order that is fast here, and there is no ANALYZE: with it,
    SQLite reads a whole index into a filter for each walk.
    """

    name = "SQLite"

    def __init__(self, nodes: Path, edges: Path, folder: Path) -> None:
        self.db = sqlite3.connect(folder.with_suffix(".sqlite"))
        self.db.executescript(
            "CREATE TABLE nodes (id TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;"
            "CREATE TABLE edges (source TEXT, target TEXT, type TEXT);"
        )
        self.db.executemany(
            "INSERT INTO nodes VALUES (?, ?)", ((row[0], fold(row[2])) for row in rows_of(nodes))
        )
        self.db.executemany("INSERT INTO edges VALUES (?, ?, ?)", rows_of(edges))
        self.db.executescript(
            "CREATE INDEX by_name ON nodes (name);"
            "CREATE INDEX by_target ON edges (target, type, source);"
            "CREATE INDEX by_source ON edges (source, type, target);"
        )
        self.types = ", ".join(f"'{type}'" for type in CONTAINMENT)

    def find(self, name: str) -> list[str]:
        return [
            id for (id,) in self.db.execute("SELECT id FROM nodes WHERE name = ?", [fold(name)])
        ]

    def within(self, id: str, depth: int) -> int:
        query = f"""
            WITH RECURSIVE inside (id, depth) AS (
                SELECT :id, 0 UNION
                SELECT source, depth + 1 FROM inside CROSS JOIN edges ON target = inside.id
                WHERE type IN ({self.types}) AND depth < :depth)
            SELECT count(DISTINCT id) - 1 FROM inside"""
        return int(self.db.execute(query, {"id": id, "depth": depth}).fetchone()[0])

    def breakdown(self, id: str | None) -> dict[str, int]:
        if id is None:
            return dict(
                self.db.execute(
                    "SELECT target, count(DISTINCT source) FROM edges"
                    " WHERE type = 'IN_CATEGORY' GROUP BY target"
                )
            )
        query = f"""
            WITH RECURSIVE inside (id) AS (
                SELECT :id UNION
                SELECT source FROM inside CROSS JOIN edges ON target = inside.id
                WHERE type IN ({self.types}))
            SELECT target, count(DISTINCT source) FROM inside CROSS JOIN edges ON source = inside.id
            WHERE type = 'IN_CATEGORY' AND inside.id <> :id GROUP BY target"""
        return dict(self.db.execute(query, {"id": id}))


def median_ms(questions: Sequence[Callable[[], Any]]) -> tuple[float, list[Any]]:
    """The median over all questions, after one that warms up."""
    questions[0]()
    taken, answers = [], []
    for question in questions:
        begun = time.perf_counter()
        answers.append(question())
        taken.append(1000 * (time.perf_counter() - begun))
    return statistics.median(taken), answers


def questions_about(way: Any, asked: Sequence[str]) -> dict[str, list[Callable[[], Any]]]:
    return {
        "find by name": [lambda n=id[1:]: way.find(f"VALVULA Nº {n}") for id in asked],
        "count within 2": [lambda id=id: way.within(id, 2) for id in asked],
        "count within 3": [lambda id=id: way.within(id, 3) for id in asked],
        "breakdown of one": [lambda id=id: way.breakdown(id) for id in asked],
        "breakdown of all": [lambda: way.breakdown(None)] * 3,
    }


def measure(count: int, folder: Path) -> dict[str, dict[str, float]]:
    """Milliseconds by question and way, for a graph of this many nodes."""
    nodes, edges = write_graph(folder, count)
    # Nodes with something in them: in a tree of twenties, one in twenty-one.
    draw = random.Random(7)
    asked = [f"n{draw.randrange(count // 2000, count // 25)}" for _ in range(ASKED)]
    figures: dict[str, dict[str, float]] = {}
    agreed: dict[str, list[Any]] = {}
    for kind in (Ours, Networkx, Sqlite):
        begun = time.perf_counter()
        way = kind(nodes, edges, folder / kind.name)
        figures.setdefault("load", {})[kind.name] = 1000 * (time.perf_counter() - begun)
        for question, calls in questions_about(way, asked).items():
            taken, answers = median_ms(calls)
            figures.setdefault(question, {})[kind.name] = taken
            assert agreed.setdefault(question, answers) == answers, (question, kind.name)
        del way
    return figures


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--nodes", type=int, nargs="+", default=[10_000, 200_000])
    sizes = options.parse_args().nodes
    tables = {}
    for count in sizes:
        with tempfile.TemporaryDirectory() as folder:
            tables[count] = measure(count, Path(folder))
    first = tables[sizes[0]]
    for count, table in tables.items():
        print(f"\n{count:,} nodes, {count * EDGES_A_NODE:,} edges; ms, all three agree")
        print(
            f"{'':18}{'bancada':>10}{'networkx':>10}{'SQLite':>10}   × networkx  × SQLite   growth"
        )
        for question, ms in table.items():
            ours, peer, plain = (ms[kind.name] for kind in (Ours, Networkx, Sqlite))
            growth = "  ".join(f"{ms[name] / first[question][name]:.1f}×" for name in ms)
            print(
                f"{question:18}{ours:10.2f}{peer:10.2f}{plain:10.2f}"
                f"{ours / peer:13.2f}{ours / plain:10.2f}   {growth}"
            )
            what = f"{question}, {count:,} nodes"
            figure(what, ours, peer, peer="networkx", unit="ms")
            figure(what, ours, plain, peer="SQLite", unit="ms")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"\npeak of the whole run: {peak} MB")


if __name__ == "__main__":
    main()
