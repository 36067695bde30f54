"""The embedded graph: Ladybug for what is connected, the name index for what things are called.

Queries here are ours, so they run in the server; values always travel as parameters, labels and
types come from the graph's own schema. A connection serves one thread at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import ladybug

from bancada import JSONObject, ToolFailed
from bancada.packs.graph.graph import (
    CATEGORY,
    CONTAINMENT,
    IN_CATEGORY,
    SUBCATEGORY_OF,
    Category,
    Edge,
    Named,
    Node,
    Path,
    Scored,
)
from bancada.packs.graph.guest import plain_value
from bancada.packs.graph.loading import quoted
from bancada.packs.graph.names import NameIndex
from bancada.packs.graph.pool import Pool
from bancada.packs.graph.schema import EVERYTHING, Group, Schema
from bancada.packs.graph.shelf import Version

MEMORY = 1 << 30
"""What the engine may use at most; it takes it as it needs it."""

SECONDS = 30
"""A question of ours that takes longer is given up."""

DEEPEST = 60_000
"""The engine wants a bound on every walk; no chain in practice is longer."""

_NODE = "n.id, label(n), n.name, n.kind"


def address_space(size: int) -> int:
    """The range to reserve for a database file of this size: a power of two with room to spare."""
    return 1 << max(28, (2 * size).bit_length())


class LadybugGraph:
    """Answers the `Graph` questions from one version on disk."""

    def __init__(self, version: Version, containment: Sequence[str] = CONTAINMENT) -> None:
        self.version = version.name
        self.database_file = version.database
        self.schema: Schema = version.read_schema()
        self._names = NameIndex(version.names)
        self._database = ladybug.Database(
            version.database,
            read_only=True,
            buffer_pool_size=MEMORY,
            max_db_size=address_space(version.database.stat().st_size),
            max_num_threads=2,
        )
        self._connections = Pool(self._connect, size=4)
        self._in = self._types(containment)

    def node(self, id: str) -> Node | None:
        return self._names.node(id)

    def named(
        self, name: str, group: Group = EVERYTHING, *, limit: int = 20, offset: int = 0
    ) -> Named:
        return self._names.named(name, group, limit=limit, offset=offset)

    def named_by_label(self, name: str) -> Mapping[str, int]:
        return self._names.by_label(name)

    def like(self, text: str, group: Group = EVERYTHING) -> Sequence[Scored]:
        return self._names.like(text, group)

    def properties(self, node: Node) -> JSONObject:
        [[found]] = self._rows(f"MATCH {_start(node)} RETURN x", id=node.id)
        shown = ("id", "name", "kind")
        return {
            key: plain_value(value)
            for key, value in found.items()
            if value is not None and not key.startswith("_") and key not in shown
        }

    def degree(self, node: Node) -> tuple[int, int]:
        if not self.schema.relationships:
            return 0, 0
        [[leaving]] = self._rows(f"MATCH {_start(node)}-[e]->() RETURN count(e)", id=node.id)
        [[entering]] = self._rows(f"MATCH {_start(node)}<-[e]-() RETURN count(e)", id=node.id)
        return leaving, entering

    def edges(self, node: Node, *, outgoing: bool, limit: int, offset: int) -> Sequence[Edge]:
        if not self.schema.relationships:
            return ()
        arrow = "-[e]->" if outgoing else "<-[e]-"
        rows = self._rows(
            f"MATCH {_start(node)}{arrow}(n) RETURN label(e), {_NODE}"
            " ORDER BY label(e), n.name, n.id SKIP $offset LIMIT $limit",
            id=node.id,
            offset=offset,
            limit=limit,
        )
        others = [(type, _node_in(rest)) for type, *rest in rows]
        if outgoing:
            return [Edge(node, other, type) for type, other in others]
        return [Edge(other, node, type) for type, other in others]

    def count_inside(
        self, node: Node, group: Group = EVERYTHING, *, depth: int | None = None
    ) -> int:
        if not self._in:
            return 0
        match = self._inside(node, group, depth)
        [[count]] = self._rows(f"{match} RETURN count(*)", id=node.id, kind=group.kind)
        return int(count)

    def list_inside(
        self,
        node: Node,
        group: Group = EVERYTHING,
        *,
        depth: int | None = None,
        limit: int,
        offset: int,
    ) -> Sequence[tuple[Node, int]]:
        if not self._in:
            return ()
        rows = self._rows(
            f"{self._inside(node, group, depth)} RETURN {_NODE}, length(way)"
            " ORDER BY n.name, n.id SKIP $offset LIMIT $limit",
            id=node.id,
            kind=group.kind,
            offset=offset,
            limit=limit,
        )
        return [(_node_in(rest), steps) for *rest, steps in rows]

    def directly_around(self, node: Node) -> Sequence[Node]:
        if not self._in:
            return ()
        rows = self._rows(
            f"MATCH {_start(node)}-[:{self._in}]->(n) WHERE label(n) <> '{CATEGORY}'"
            f" RETURN DISTINCT {_NODE} ORDER BY n.name, n.id",
            id=node.id,
        )
        return [_node_in(row) for row in rows if row[0] != node.id]

    def by_label(
        self, node: Node | None, group: Group = EVERYTHING
    ) -> Sequence[tuple[str, str | None, int]]:
        match = self._among(node, group)
        if match is None:
            return ()
        rows = self._rows(
            f"{match} RETURN label(n), n.kind, count(*)", id=node and node.id, kind=group.kind
        )
        return [(label, kind, count) for label, kind, count in rows]

    def by_category(self, node: Node | None, group: Group = EVERYTHING) -> Mapping[str, int]:
        match = self._among(node, group)
        if match is None or not self._has_categories:
            return {}
        return dict(
            self._rows(
                f"{match} MATCH (n)-[:{IN_CATEGORY}]->(c:{CATEGORY})"
                " RETURN c.id, count(DISTINCT n.id)",
                id=node and node.id,
                kind=group.kind,
            )
        )

    def categorised(self, node: Node | None, group: Group = EVERYTHING) -> int:
        match = self._among(node, group)
        if match is None or not self._has_categories:
            return 0
        [[count]] = self._rows(
            f"{match} MATCH (n)-[:{IN_CATEGORY}]->(c:{CATEGORY}) RETURN count(DISTINCT n.id)",
            id=node and node.id,
            kind=group.kind,
        )
        return int(count)

    def categories(self) -> Sequence[Category]:
        info = self.schema.labels.get(CATEGORY)
        if info is None:
            return ()
        dimension = "c.dimension" if "dimension" in info.properties else "null"
        rows = self._rows(f"MATCH (c:{CATEGORY}) RETURN c.id, c.name, {dimension} ORDER BY c.id")
        parents: dict[str, str] = {}
        if self._joins(SUBCATEGORY_OF, CATEGORY):
            above = self._rows(
                f"MATCH (c:{CATEGORY})-[:{SUBCATEGORY_OF}]->(p:{CATEGORY})"
                " RETURN c.id, p.id ORDER BY c.id, p.id DESC"
            )
            parents = dict(above)
        return [
            Category(id, name, dimension or "", parents.get(id)) for id, name, dimension in rows
        ]

    def within_category(self, group: Group = EVERYTHING) -> Mapping[str, int]:
        if not self._has_categories or not self._joins(SUBCATEGORY_OF, CATEGORY):
            return self.by_category(None, group)
        rows = self._rows(
            f"MATCH (c:{CATEGORY})<-[:{SUBCATEGORY_OF}* SHORTEST 1..{DEEPEST}]-(d:{CATEGORY})"
            " RETURN c.id, d.id"
        )
        filed = self._rows(
            f"MATCH {_any(group)}-[:{IN_CATEGORY}]->(c:{CATEGORY}) {_of_kind(group)}"
            " RETURN DISTINCT c.id, n.id",
            kind=group.kind,
        )
        members: dict[str, set[str]] = {}
        for category, node in filed:
            members.setdefault(category, set()).add(node)
        total = {category: set(nodes) for category, nodes in members.items()}
        for category, below in rows:
            if below in members:
                total.setdefault(category, set()).update(members[below])
        return {category: len(nodes) for category, nodes in total.items()}

    def shortest_path(self, start: Node, end: Node) -> Path | None:
        if start.id == end.id:
            return Path((start,), ())
        if not self.schema.relationships:
            return None
        rows = self._rows(
            f"MATCH way = {_start(start)}-[* SHORTEST 1..{DEEPEST}]-(y:{quoted(end.label)} {{id: $goal}})"
            " RETURN nodes(way), rels(way)",
            id=start.id,
            goal=end.id,
        )
        if not rows:
            return None
        [[nodes, edges]] = rows
        places = {_place(node["_ID"]): _node(node) for node in nodes}
        return Path(
            tuple(_node(node) for node in nodes),
            tuple(
                Edge(places[_place(edge["_SRC"])], places[_place(edge["_DST"])], edge["_LABEL"])
                for edge in edges
            ),
        )

    def _among(self, node: Node | None, group: Group) -> str | None:
        """The pattern of what is in a node, or of everything; none when nothing can be in it."""
        if node is None:
            return f"MATCH {_any(group)} {_of_kind(group)}"
        return self._inside(node, group) if self._in else None

    def _inside(self, node: Node, group: Group, depth: int | None = None) -> str:
        """The rule of containment, as a pattern: `x` is the outer node, `n` what is in it."""
        deepest = DEEPEST if depth is None else min(depth, DEEPEST)
        # SHORTEST visits each node once, and never comes back to where it started.
        walk = f"<-[way:{self._in}* SHORTEST 1..{deepest}]-"
        return f"MATCH {_start(node)}{walk}{_any(group)} {_of_kind(group)}"

    def _types(self, types: Sequence[str]) -> str:
        return "|".join(quoted(type) for type in types if type in self.schema.relationships)

    def _joins(self, type: str, label: str) -> bool:
        """Whether edges of this type go between nodes of this label."""
        info = self.schema.relationships.get(type)
        return info is not None and (label, label) in info.pairs

    @property
    def _has_categories(self) -> bool:
        info = self.schema.relationships.get(IN_CATEGORY)
        return info is not None and any(target == CATEGORY for _, target in info.pairs)

    def _connect(self) -> ladybug.Connection:
        connection = ladybug.Connection(self._database)
        connection.set_query_timeout(SECONDS * 1000)
        connection.execute(f"CALL var_length_extend_max_depth={DEEPEST}")
        return connection

    def _rows(self, query: str, **values: Any) -> list[Any]:
        given = {name: value for name, value in values.items() if f"${name}" in query}
        with self._connections.lease() as connection:
            try:
                result = connection.execute(query, given)
            except RuntimeError as error:
                raise ToolFailed(_give_up(error)) from error
            assert isinstance(result, ladybug.QueryResult)
            with result:
                return list(result.get_all())


def _start(node: Node) -> str:
    """The pattern of one known node: its label makes the engine look it up by key."""
    return f"(x:{quoted(node.label)} {{id: $id}})"


def _any(group: Group) -> str:
    return f"(n:{quoted(group.label)})" if group.label is not None else "(n)"


def _of_kind(group: Group) -> str:
    return "WHERE n.kind = $kind" if group.kind is not None else ""


def _node_in(row: Sequence[Any]) -> Node:
    """A node from the columns of `_NODE`."""
    id, label, name, kind = row
    return Node(id, label, name, kind)


def _node(value: Mapping[str, Any]) -> Node:
    return Node(value["id"], value["_LABEL"], value["name"], value["kind"])


def _place(internal: Mapping[str, int]) -> tuple[int, int]:
    return internal["table"], internal["offset"]


def _give_up(error: RuntimeError) -> str:
    text = str(error)
    if "Interrupted" in text:
        return f"The graph did not answer within {SECONDS} seconds. Ask about something smaller."
    if "Buffer manager" in text:
        return "The graph needs more memory than it may use for this. Ask about something smaller."
    raise error
