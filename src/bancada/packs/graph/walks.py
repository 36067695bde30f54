"""Walks along edges, on arrays.

What people ask most, "how many … in X?", is a walk of any depth. A query engine can answer it,
but pays for the size of the graph; on arrays a walk costs what it visits (`bench/graph.py`).
Each node has a number, its place in the name index; edges are pairs of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bancada.packs.graph.containment import Containment, joined
from bancada.packs.graph.graph import CATEGORY, IN_CATEGORY, SUBCATEGORY_OF, Node
from bancada.packs.graph.schema import NodeGroup, Schema

Numbers: TypeAlias = NDArray[np.int32]
Truths: TypeAlias = NDArray[np.bool_]
_NO_KIND = -1


@dataclass(frozen=True)
class Arrays:
    """The shape of a graph: labels and kinds as places in the schema, and edges by type."""

    labels: Numbers
    kinds: Numbers
    by_name: Numbers
    """Each node's place when all are sorted by name and id."""
    edges: Mapping[str, tuple[Numbers, Numbers]]
    """Sources and targets."""

    def write(self, file: Path) -> None:
        # `edges` keep their order; a type may hold letters that a member's name may not.
        arrays: dict[str, Any] = {
            f"{end}-{place}": numbers
            for place, ends in enumerate(self.edges.values())
            for end, numbers in zip(("source", "target"), ends, strict=True)
        }
        with file.open("wb") as target:
            np.savez(target, labels=self.labels, kinds=self.kinds, by_name=self.by_name, **arrays)

    @staticmethod
    def read(file: Path, schema: Schema) -> Arrays:
        with np.load(file) as found:
            return Arrays(
                found["labels"],
                found["kinds"],
                found["by_name"],
                {
                    type: (found[f"source-{place}"], found[f"target-{place}"])
                    for place, type in enumerate(schema.relationships)
                },
            )


def lay_out(
    nodes: Iterable[Node], edges: Mapping[str, Iterable[Sequence[str]]], schema: Schema
) -> Arrays:
    """Number the nodes in the order given, and the edges (source id, target id, …) by type."""
    labels = {label: place for place, label in enumerate(schema.labels)}
    kinds = {kind: place for place, kind in enumerate(schema.kinds)}
    rows = [
        (node.id, node.name, labels[node.label], kinds.get(node.kind or "", _NO_KIND))
        for node in nodes
    ]
    numbers = {row[0]: number for number, row in enumerate(rows)}
    by_name = np.empty(len(rows), np.int32)
    by_name[sorted(range(len(rows)), key=lambda n: (rows[n][1], rows[n][0]))] = np.arange(
        len(rows), dtype=np.int32
    )
    pairs = {}
    for type in schema.relationships:
        ends = [(numbers[source], numbers[target]) for source, target, *_ in edges[type]]
        flat = np.array(ends, np.int32).reshape(-1, 2)
        pairs[type] = flat[:, 0].copy(), flat[:, 1].copy()
    return Arrays(
        np.array([row[2] for row in rows], np.int32),
        np.array([row[3] for row in rows], np.int32),
        by_name,
        pairs,
    )


class Steps:
    """Where one can go from each node, the steps of a node side by side."""

    def __init__(self, count: int, starts: Numbers, ends: Numbers) -> None:
        self.edge = np.argsort(starts, kind="stable")
        """Which of the given edges a step is."""
        self.end = ends[self.edge]
        self._first = np.zeros(count + 1, np.int64)
        np.cumsum(np.bincount(starts, minlength=count), out=self._first[1:])

    def how_many(self, nodes: Numbers) -> NDArray[np.int64]:
        """The number of steps from each of these nodes."""
        return self._first[nodes + 1] - self._first[nodes]

    def of(self, nodes: Numbers) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The steps from these nodes, and for each step its node's place among them."""
        counts = self.how_many(nodes)
        place = np.repeat(np.arange(len(nodes)), counts)
        before = np.cumsum(counts) - counts
        return np.arange(len(place)) + (self._first[nodes] - before)[place], place


class Walks:
    """Answers about reach: what is in a node, how it is filed, the shortest way."""

    def __init__(self, arrays: Arrays, schema: Schema, containment: Sequence[Containment]) -> None:
        self._arrays = arrays
        self._schema = schema
        self._count = len(arrays.labels)
        self._containment = [one for one in containment if one.type in arrays.edges]
        self._inner, self._outer = joined(self._containment, arrays.edges)
        self._inward = Steps(self._count, self._outer, self._inner)

    def inside(
        self, node: int, group: NodeGroup, depth: int | None = None
    ) -> tuple[Numbers, Numbers]:
        """The nodes in a node, nearest first, and how many steps in each one is."""
        levels = list(islice(self._reach(node, self._inward), depth))
        reached = np.concatenate([np.empty(0, np.int32), *levels])
        steps = np.repeat(np.arange(1, len(levels) + 1, dtype=np.int32), [len(n) for n in levels])
        wanted = self._are(reached, group)
        return reached[wanted], steps[wanted]

    def through(self, node: int, depth: int | None = None) -> list[str]:
        """The containment relations that were followed to what is in a node."""
        levels = [np.array([node], np.int32), *islice(self._reach(node, self._inward), depth)]
        walked = levels if depth is None else levels[:depth]
        edges = self._inward.edge[self._inward.of(np.concatenate(walked))[0]]
        ends = np.cumsum([len(self._arrays.edges[one.type][0]) for one in self._containment])
        found = np.unique(np.searchsorted(ends, edges, "right"))
        return [self._containment[place].type for place in found]

    def has_a_place(self, node: int) -> bool:
        """Whether containment says anything of a node: what is in it, or what it is in."""
        it = np.array([node], np.int32)
        return bool(self._inward.how_many(it)[0] or self._outward.how_many(it)[0])

    def any_placed(self, group: NodeGroup) -> bool:
        """Whether any node of a group is in another."""
        return bool(self._are(self._inner, group).any())

    def joined_by(self, node: int, type: str, group: NodeGroup) -> Numbers:
        """The nodes at the other end of a node's edges of one type."""
        sources, targets = self._arrays.edges[type]
        others = np.unique(np.concatenate([targets[sources == node], sources[targets == node]]))
        wanted: Numbers = others[(others != node) & self._are(others, group)]
        return wanted

    def relations(self, node: int | None, group: NodeGroup) -> dict[str, int]:
        """How many edges of each type touch a node, or the nodes of a group."""
        found: dict[str, int] = {}
        for type, (sources, targets) in self._arrays.edges.items():
            if node is None:
                touching = self._are(sources, group) | self._are(targets, group)
            else:
                touching = (sources == node) | (targets == node)
            if touching.any():
                found[type] = int(np.count_nonzero(touching))
        return found

    def around(self, node: int) -> Numbers:
        """What a node is directly in, categories aside, by name."""
        outer = np.unique(self._outward.end[self._outward.of(np.array([node], np.int32))[0]])
        outer = outer[~self._is_category[outer] & (outer != node)]
        by_name: Numbers = outer[np.argsort(self._arrays.by_name[outer])]
        return by_name

    def busiest(self, *, contained: bool) -> int | None:
        """The node with most others directly in it, or with most edges at all; no category."""
        nodes = self._outer if contained else np.concatenate(self._edges(*self._arrays.edges))
        nodes = nodes[~self._is_category[nodes]]
        return int(np.bincount(nodes).argmax()) if len(nodes) else None

    def ways_out(self, node: int, most: int) -> list[list[int]]:
        """Each way from a node to something that is in nothing, at most so many; nearest first."""
        ways: list[list[int]] = []
        waiting = [[node]]
        while waiting and len(ways) < most:
            way = waiting.pop()
            further = [outer for outer in self.around(way[-1]).tolist() if outer not in way]
            waiting += [[*way, outer] for outer in reversed(further)]
            if not further and len(way) > 1:
                ways.append(way[1:])
        return ways

    def among(self, node: int | None, group: NodeGroup) -> Numbers:
        """The nodes in a node, or all there are."""
        if node is not None:
            return self.inside(node, group)[0]
        everyone = np.arange(self._count, dtype=np.int32)
        return everyone[self._are(everyone, group)]

    def page(self, nodes: Numbers, limit: int, offset: int) -> NDArray[np.int64]:
        """The places of one page of these nodes, by name."""
        return np.argsort(self._arrays.by_name[nodes])[offset : offset + limit]

    def by_label(self, nodes: Numbers) -> list[tuple[str, str | None, int]]:
        """(label, kind, how many)."""
        labels, kinds = tuple(self._schema.labels), (None, *self._schema.kinds)
        # The place in a table of labels by kinds, of which the first is "none".
        cells = self._arrays.labels[nodes] * len(kinds) + self._arrays.kinds[nodes] + 1
        return [
            (labels[cell // len(kinds)], kinds[cell % len(kinds)], count)
            for cell, count in enumerate(np.bincount(cells).tolist())
            if count
        ]

    def by_category(self, nodes: Numbers) -> dict[int, int]:
        """How many of these nodes are filed directly under each category."""
        counts = np.bincount(self._filed.end[self._filed.of(nodes)[0]])
        found = np.flatnonzero(counts)
        return dict(zip(found.tolist(), counts[found].tolist(), strict=True))

    def categorised(self, nodes: Numbers) -> int:
        """How many of these nodes are filed at all."""
        return int(np.count_nonzero(self._filed.how_many(nodes)))

    def within_category(self, group: NodeGroup) -> dict[int, int]:
        """How many nodes are filed under each category or one below it."""
        total: dict[int, int] = {}
        for category in np.flatnonzero(self._is_category).tolist():
            itself = np.array([category], np.int32)
            below = np.concatenate([itself, *self._reach(category, self._below)])
            members = self._members.end[self._members.of(below)[0]]
            total[category] = len(np.unique(members[self._are(members, group)]))
        return total

    def shortest(self, start: int, end: int) -> list[tuple[int, str, bool]] | None:
        """The steps of a shortest way: the node reached, the edge's type, whether it points there."""
        came = np.full(self._count, -1, np.int64)
        step_start = np.full(self._count, -1, np.int32)
        seen = np.zeros(self._count, bool)
        seen[start] = True
        frontier = np.array([start], np.int32)
        while len(frontier) and not seen[end]:
            steps, place = self._any.of(frontier)
            reached = self._any.end[steps]
            fresh, first = np.unique(reached, return_index=True)
            new = ~seen[fresh]
            fresh, first = fresh[new], first[new]
            came[fresh], step_start[fresh] = steps[first], frontier[place[first]]
            seen[fresh] = True
            frontier = fresh
        if not seen[end]:
            return None
        way: list[tuple[int, str, bool]] = []
        while end != start:
            way.append((end, *self._edge(int(self._any.edge[came[end]]))))
            end = int(step_start[end])
        return way[::-1]

    def _reach(self, node: int, steps: Steps) -> Iterator[Numbers]:
        """Level by level, each node once, and never the one it began with."""
        seen = np.zeros(self._count, bool)
        seen[node] = True
        frontier = np.array([node], np.int32)
        while True:
            ends = steps.end[steps.of(frontier)[0]]
            frontier = np.unique(ends[~seen[ends]])
            if not len(frontier):
                return
            seen[frontier] = True
            yield frontier

    def _are(self, nodes: Numbers, group: NodeGroup) -> Truths:
        """Which of these nodes belong to a group."""
        fit = np.ones(len(nodes), bool)
        if group.label is not None:
            fit &= self._arrays.labels[nodes] == tuple(self._schema.labels).index(group.label)
        if group.kind is not None:
            fit &= self._arrays.kinds[nodes] == self._schema.kinds.index(group.kind)
        return fit

    def _edges(self, *types: str) -> tuple[Numbers, Numbers]:
        """Sources and targets of the edges of these types, as far as the graph has them."""
        known = [self._arrays.edges[type] for type in types if type in self._arrays.edges]
        nothing = np.empty(0, np.int32)
        return (
            np.concatenate([nothing, *(sources for sources, _ in known)]),
            np.concatenate([nothing, *(targets for _, targets in known)]),
        )

    @cached_property
    def _outward(self) -> Steps:
        """From a node to what it is in."""
        return Steps(self._count, self._inner, self._outer)

    @cached_property
    def _is_category(self) -> Truths:
        labels = tuple(self._schema.labels)
        place = labels.index(CATEGORY) if CATEGORY in labels else -1
        return np.equal(self._arrays.labels, place)

    @cached_property
    def _filings(self) -> tuple[Numbers, Numbers]:
        """Nodes and the categories they are filed under; filed twice the same way is filed once."""
        sources, targets = self._edges(IN_CATEGORY)
        real = self._is_category[targets]
        once = np.unique(np.stack([sources[real], targets[real]]), axis=1)
        return once[0], once[1]

    @cached_property
    def _filed(self) -> Steps:
        """From a node to the categories it is filed under."""
        nodes, categories = self._filings
        return Steps(self._count, nodes, categories)

    @cached_property
    def _members(self) -> Steps:
        """From a category to the nodes filed directly under it."""
        nodes, categories = self._filings
        return Steps(self._count, categories, nodes)

    @cached_property
    def _below(self) -> Steps:
        """From a category to those directly below it."""
        sources, targets = self._edges(SUBCATEGORY_OF)
        real = self._is_category[targets] & self._is_category[sources]
        return Steps(self._count, targets[real], sources[real])

    @cached_property
    def _any(self) -> Steps:
        """Along every edge, both ways: the second half of the edges is walked backwards."""
        sources, targets = self._edges(*self._arrays.edges)
        both = np.concatenate([sources, targets]), np.concatenate([targets, sources])
        return Steps(self._count, *both)

    def _edge(self, number: int) -> tuple[str, bool]:
        """An edge's type by its number in `_any`, and whether it is walked as it points."""
        total = sum(len(sources) for sources, _ in self._arrays.edges.values())
        forward, number = number < total, number % total
        for type, (sources, _) in self._arrays.edges.items():
            if number < len(sources):
                return type, forward
            number -= len(sources)
        raise IndexError(number)
