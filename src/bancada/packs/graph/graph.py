"""What a property graph is to this pack: nodes, edges, and the questions the tools ask of it.

`GraphQuestions` is the seam. The tools are written against it alone, so that another engine can answer
the same questions with the same words.

**The rule of containment.** "In X" has one meaning in every tool: a node is in X when X can be
reached from it by following containment edges outward, any number of them (a pump `PART_OF` a
biofilter `LOCATED_IN` a building is in that building). X is never in itself, even on a cycle, and
a node reached by two ways counts once. Which relations are containment, and which way they point,
belongs to each graph (`containment.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from bancada import JSONObject
from bancada.packs.graph.containment import Hierarchy
from bancada.packs.graph.schema import EVERYTHING, NodeGroup, Schema

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


class GraphQuestions(Protocol):
    """The questions the typed tools ask. All of them block: they are asked from a thread."""

    @property
    def version(self) -> str:
        """Changes whenever the graph does."""

    @property
    def schema(self) -> Schema: ...

    @property
    def hierarchy(self) -> Hierarchy:
        """Which relations mean "is in"."""

    def node(self, id: str) -> Node | None: ...

    def properties(self, node: Node) -> JSONObject:
        """Everything stored on a node beside its id, name and kind."""

    def named(
        self, name: str, group: NodeGroup = EVERYTHING, *, limit: int = 20, offset: int = 0
    ) -> Named: ...

    def named_by_label(self, name: str) -> Mapping[str, int]:
        """How many nodes a name means, per label."""

    def like(self, text: str, group: NodeGroup = EVERYTHING) -> Sequence[Scored]:
        """Nodes whose names resemble the text, best first."""

    def degree(self, node: Node) -> tuple[int, int]:
        """How many edges leave and enter."""

    def edges(self, node: Node, *, outgoing: bool, limit: int, offset: int) -> Sequence[Edge]: ...

    def count_inside(
        self, node: Node, group: NodeGroup = EVERYTHING, *, depth: int | None = None
    ) -> int: ...

    def list_inside(
        self,
        node: Node,
        group: NodeGroup = EVERYTHING,
        *,
        depth: int | None = None,
        limit: int,
        offset: int,
    ) -> Sequence[tuple[Node, int]]:
        """Nodes in `node` with how many steps in, by name."""

    def list_joined(
        self, node: Node, type: str, group: NodeGroup = EVERYTHING, *, limit: int, offset: int
    ) -> tuple[Sequence[Node], int]:
        """One page of the nodes that an edge of this type joins to `node`, by name, and how many."""

    def followed(self, node: Node, *, depth: int | None = None) -> Sequence[str]:
        """The containment relations that lead to what is in a node."""

    def has_a_place(self, node: Node) -> bool:
        """Whether containment says anything of a node: what is in it, or what it is in."""

    def any_placed(self, group: NodeGroup) -> bool:
        """Whether any node of a group is in another."""

    def relations(self, node: Node | None, group: NodeGroup = EVERYTHING) -> Mapping[str, int]:
        """How many edges of each type touch a node, or any node of a group."""

    def directly_around(self, node: Node) -> Sequence[Node]:
        """What a node is directly in, categories aside, by name."""

    def ways_out(self, node: Node, *, most: int) -> Sequence[Sequence[Node]]:
        """Where a node is: each way outward, categories aside, the nearest first."""

    def busiest(self, *, contained: bool) -> Node | None:
        """The node with most others directly in it, categories aside; or with most edges at all."""

    def breakdown(self, node: Node | None, group: NodeGroup = EVERYTHING) -> Breakdown:
        """Of what is in a node, or of everything."""

    def by_category(self, group: NodeGroup = EVERYTHING) -> Mapping[str, int]:
        """How many nodes are filed directly under each category, by the category's id."""

    def categories(self) -> Sequence[Category]:
        """All of them, by id. One filed under several others shows the first."""

    def within_category(self, group: NodeGroup = EVERYTHING) -> Mapping[str, int]:
        """How many nodes are filed under each category or one below it; a node counts once."""

    def shortest_path(self, start: Node, end: Node) -> Path | None:
        """A path of fewest edges, whichever way they point."""
