"""What a property graph is to this pack: nodes, edges and what answers are made of.

**The rule of containment.** "In X" has one meaning in every tool: a node is in X when X can be
reached from it by following containment edges outward, any number of them (a pump `PART_OF` a
biofilter `LOCATED_IN` a building is in that building). X is never in itself, even on a cycle, and
a node reached by two ways counts once. Which relations are containment, and which way they point,
belongs to each graph (`containment.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bancada import JSONObject

CATEGORY = "Category"
"""The label of category nodes; their property `dimension` says along what they classify."""

IN_CATEGORY = "IN_CATEGORY"
SUBCATEGORY_OF = "SUBCATEGORY_OF"

Match: TypeAlias = Literal["exact", "partial", "none"]


@dataclass(frozen=True)
class Node:
    """One node, as every answer shows it."""

    id: str
    label: str
    name: str
    kind: str | None = None

    def as_json(self) -> JSONObject:
        shape: JSONObject = {"id": self.id, "label": self.label, "name": self.name}
        if self.kind is not None:
            shape["kind"] = self.kind
        return shape


@dataclass(frozen=True)
class Edge:
    """One relationship between two nodes."""

    source: Node
    target: Node
    type: str


@dataclass(frozen=True)
class Path:
    """Nodes in the order walked, and the edges between them as they point."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True)
class Named:
    """Whom a name means: those called exactly that, or else those whose name contains it."""

    match: Match
    nodes: tuple[Node, ...]
    total: int


@dataclass(frozen=True)
class Scored:
    """A node found by likeness; 1 is the very name."""

    node: Node
    score: float


@dataclass(frozen=True)
class Category:
    """A class along one dimension, with the class above it."""

    id: str
    name: str
    dimension: str
    parent_id: str | None = None


@dataclass(frozen=True)
class Breakdown:
    """What a set of nodes is made of."""

    by_label: Sequence[tuple[str, str | None, int]]
    """(label, kind, how many)"""
    by_category: Mapping[str, int]
    """How many are filed directly under each category, by its id."""
    categorised: int
    """How many are filed under any."""
