"""An independent reading of the same two files, with networkx: what the tools must answer."""

from __future__ import annotations

import csv
import unicodedata
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import Any

import networkx as nx

CONTAINMENT = {"PART_OF", "LOCATED_IN", "IN_CATEGORY", "SUBCATEGORY_OF"}


def folded(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    bare = " ".join("".join(c for c in letters if not unicodedata.combining(c)).split())
    return bare or " ".join(text.casefold().split())


class Oracle:
    """The graph as networkx sees it."""

    def __init__(self, nodes: list[dict[str, str]], edges: list[tuple[str, str, str]]) -> None:
        self.graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        for node in nodes:
            self.graph.add_node(node["id"], **{k: v for k, v in node.items() if v})
        for source, target, type in edges:
            self.graph.add_edge(source, target, type=type)
        self.outward: nx.DiGraph[str] = nx.DiGraph()
        self.outward.add_nodes_from(self.graph)
        self.outward.add_edges_from(
            (a, b) for a, b, t in self.graph.edges(data="type") if t in CONTAINMENT
        )
        self.inward = self.outward.reverse()
        self.hierarchy: nx.DiGraph[str] = nx.DiGraph()
        self.hierarchy.add_nodes_from(self.categories())
        self.hierarchy.add_edges_from(
            (a, b)
            for a, b, t in self.graph.edges(data="type")
            if t == "SUBCATEGORY_OF" and a in self.hierarchy and b in self.hierarchy
        )

    @staticmethod
    def read(nodes: Path, edges: Path) -> Oracle:
        with nodes.open(newline="", encoding="utf-8") as file:
            read = list(csv.DictReader(file))
        with edges.open(newline="", encoding="utf-8") as file:
            pairs = [(row["source"], row["target"], row["type"]) for row in csv.DictReader(file)]
        return Oracle(read, pairs)

    def node(self, id: str) -> dict[str, Any]:
        data = self.graph.nodes[id]
        shape = {"id": id, "label": data["label"], "name": data.get("name", id)}
        return shape | ({"kind": data["kind"]} if "kind" in data else {})

    def is_a(self, id: str, label: str | None) -> bool:
        data = self.graph.nodes[id]
        return label is None or label in (data["label"], data.get("kind"))

    def inside(self, id: str, label: str | None = None, depth: int | None = None) -> set[str]:
        steps = nx.single_source_shortest_path_length(self.inward, id, cutoff=depth)
        return {other for other in steps if other != id and self.is_a(other, label)}

    def undeclared(self, id: str, label: str | None) -> bool:
        """Whether no containment edge speaks of the node, or of the label, though others do."""
        if not self.outward.degree(id) and self.graph.degree(id):
            return True
        labelled = self.labelled(label)
        placed = any(self.outward.out_degree(other) for other in labelled)
        return label is not None and not placed and any(self.graph.degree(o) for o in labelled)

    def depth(self, outer: str, inner: str) -> int:
        return nx.shortest_path_length(self.outward, inner, outer)

    def labelled(self, label: str | None) -> set[str]:
        return {id for id in self.graph if self.is_a(id, label)}

    def named(self, name: str) -> set[str]:
        wanted = folded(name)
        called = self._called
        exact = {id for id, names in called.items() if wanted in (*names, folded(id))}
        return exact or {
            id for id, names in called.items() if any(wanted in other for other in names)
        }

    @cached_property
    def _called(self) -> dict[str, list[str]]:
        return {id: self._names(id) for id in self.graph}

    def _names(self, id: str) -> list[str]:
        data = self.graph.nodes[id]
        aliases = [alias for alias in data.get("aliases", "").split(";") if alias.strip()]
        return [folded(name) for name in (data.get("name", id), *aliases)]

    def categories(self, dimension: str | None = None) -> set[str]:
        return {
            id
            for id in self.labelled("Category")
            if dimension in (None, self.graph.nodes[id].get("dimension"))
        }

    def filed(self, category: str, among: set[str]) -> set[str]:
        return {
            source
            for source, _, type in self.graph.in_edges(category, data="type")
            if type == "IN_CATEGORY" and source in among
        }

    def filed_below(self, category: str, among: set[str]) -> set[str]:
        below = nx.ancestors(self.hierarchy, category) | {category}
        return set().union(*(self.filed(id, among) for id in below))

    def by(self, ids: set[str], key: str) -> dict[str, int]:
        found = (self.graph.nodes[id].get(key) for id in ids)
        return dict(Counter(value for value in found if value))

    def out(self, id: str) -> Counter[tuple[str, str]]:
        return Counter((type, other) for _, other, type in self.graph.out_edges(id, data="type"))

    def into(self, id: str) -> Counter[tuple[str, str]]:
        return Counter((type, other) for other, _, type in self.graph.in_edges(id, data="type"))

    def distance(self, start: str, end: str) -> int | None:
        try:
            return nx.shortest_path_length(self.graph.to_undirected(as_view=True), start, end)
        except nx.NetworkXNoPath:
            return None
