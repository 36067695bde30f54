"""The embedded graph: Ladybug for what is stored, the name index for what things are called,
arrays for walks.

Queries here are ours, so they run in the server; values always travel as parameters, labels and
types come from the graph's own schema. A connection serves one thread at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from weakref import finalize

from bancada import JSONObject, ToolFailed
from bancada.packs.graph.containment import declared
from bancada.packs.graph.engine import ladybug
from bancada.packs.graph.graph import (
    CATEGORY,
    SUBCATEGORY_OF,
    Breakdown,
    Category,
    Edge,
    Node,
    Path,
)
from bancada.packs.graph.guest import plain_value
from bancada.packs.graph.importer import about_version
from bancada.packs.graph.loading import quoted
from bancada.packs.graph.names import NameIndex
from bancada.packs.graph.pool import Pool
from bancada.packs.graph.schema import EVERYTHING, NodeGroup, Schema
from bancada.packs.graph.shelf import GraphVersion
from bancada.packs.graph.walks import Arrays, Walks

if TYPE_CHECKING:
    from ladybug import Connection, Database

MEMORY = 1 << 30
"""What the engine may use at most; it takes it as it needs it."""

SECONDS = 30
"""A question of ours that takes longer is given up."""

_NODE = "n.id, label(n), n.name, n.kind"


def address_space(size: int) -> int:
    """The range to reserve for a database file of this size: a power of two with room to spare."""
    return 1 << max(28, (2 * size).bit_length())


class LadybugGraph:
    """Answers the questions the tools ask, from one version on disk. All of them block: they are asked
    from a thread."""

    def __init__(self, version: GraphVersion, containment: Sequence[str] = ()) -> None:
        """`containment`: what the installation's settings declare, as far as this graph has it."""
        self.version = version.name
        self.database_file = version.database
        self.schema: Schema = version.read_schema()
        self.about = about_version(version, self.schema)
        known = [
            word for word in containment if word.partition(":")[0] in self.schema.relationships
        ]
        self.hierarchy = self.about.hierarchy
        if known:
            self.hierarchy = declared(known, Arrays.read(version.edges, self.schema).edges)
        self.names = NameIndex(version.names)
        database = ladybug.Database(
            version.database,
            read_only=True,
            buffer_pool_size=MEMORY,
            max_db_size=address_space(version.database.stat().st_size),
            max_num_threads=2,
        )
        # Nothing here may hold `self`: the engine closes when the last question lets go.
        self._connections = Pool(partial(_connect, database), size=4)
        self._edges_file = version.edges
        finalize(self, _close, database, self._connections)

    def properties(self, node: Node) -> JSONObject:
        """Everything stored on a node beside its id, name and kind."""
        [[found]] = self._rows(f"MATCH {_start(node)} RETURN x", id=node.id)
        shown = ("id", "name", "kind")
        return {
            key: plain_value(value)
            for key, value in found.items()
            if value is not None and not key.startswith("_") and key not in shown
        }

    def degree(self, node: Node) -> tuple[int, int]:
        """How many edges leave and enter."""
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
        self, node: Node, group: NodeGroup = EVERYTHING, *, depth: int | None = None
    ) -> int:
        return len(self._walks.inside(self.names.number(node), group, depth)[0])

    def list_inside(
        self,
        node: Node,
        group: NodeGroup = EVERYTHING,
        *,
        limit: int,
        offset: int,
    ) -> Sequence[tuple[Node, int]]:
        """Nodes in `node` with how many steps in, by name."""
        found, steps = self._walks.inside(self.names.number(node), group, None)
        page = self._walks.page(found, limit, offset)
        nodes = self.names.numbered(found[page].tolist())
        return list(zip(nodes, steps[page].tolist(), strict=True))

    def list_joined(
        self, node: Node, type: str, group: NodeGroup = EVERYTHING, *, limit: int, offset: int
    ) -> tuple[Sequence[Node], int]:
        """One page of the nodes that an edge of this type joins to `node`, by name, and how many."""
        found = self._walks.joined_by(self.names.number(node), type, group)
        page = self._walks.page(found, limit, offset)
        return self.names.numbered(found[page].tolist()), len(found)

    def followed(self, node: Node, *, depth: int | None = None) -> Sequence[str]:
        """The containment relations that lead to what is in a node."""
        return self._walks.through(self.names.number(node), depth)

    def has_a_place(self, node: Node) -> bool:
        """Whether containment says anything of a node: what is in it, or what it is in."""
        return self._walks.has_a_place(self.names.number(node))

    def any_placed(self, group: NodeGroup) -> bool:
        """Whether any node of a group is in another."""
        return self._walks.any_placed(group)

    def relations(self, node: Node | None, group: NodeGroup = EVERYTHING) -> Mapping[str, int]:
        """How many edges of each type touch a node, or any node of a group."""
        return self._walks.relations(None if node is None else self.names.number(node), group)

    def directly_around(self, node: Node) -> Sequence[Node]:
        """What a node is directly in, categories aside, by name."""
        return self.names.numbered(self._walks.around(self.names.number(node)).tolist())

    def ways_out(self, node: Node, *, most: int) -> Sequence[Sequence[Node]]:
        """Where a node is: each way outward, categories aside, the nearest first."""
        ways = self._walks.ways_out(self.names.number(node), most)
        return [self.names.numbered(way) for way in ways]

    def busiest(self, *, contained: bool) -> Node | None:
        """The node with most others directly in it, categories aside; or with most edges at all."""
        found = self._walks.busiest(contained=contained)
        return None if found is None else self.names.numbered([found])[0]

    def breakdown(self, node: Node | None, group: NodeGroup = EVERYTHING) -> Breakdown:
        """Of what is in a node, or of everything."""
        found = self._walks.among(None if node is None else self.names.number(node), group)
        return Breakdown(
            self._walks.by_label(found),
            self._by_id(self._walks.by_category(found)),
            self._walks.categorised(found),
        )

    def by_category(self, group: NodeGroup = EVERYTHING) -> Mapping[str, int]:
        """How many nodes are filed directly under each category, by the category's id."""
        return self._by_id(self._walks.by_category(self._walks.among(None, group)))

    def within_category(self, group: NodeGroup = EVERYTHING) -> Mapping[str, int]:
        """How many nodes are filed under each category or one below it; a node counts once."""
        return self._by_id(self._walks.within_category(group))

    def categories(self) -> Sequence[Category]:
        """All of them, by id. One filed under several others shows the first."""
        return self._categories

    @cached_property
    def _categories(self) -> Sequence[Category]:
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

    def shortest_path(self, start: Node, end: Node) -> Path | None:
        """A path of fewest edges, whichever way they point."""
        way = self._walks.shortest(self.names.number(start), self.names.number(end))
        if way is None:
            return None
        nodes = [start, *self.names.numbered(number for number, _, _ in way)]
        return Path(
            tuple(nodes),
            tuple(
                Edge(before, after, type) if forward else Edge(after, before, type)
                for before, after, (_, type, forward) in zip(nodes, nodes[1:], way, strict=False)
            ),
        )

    @cached_property
    def _walks(self) -> Walks:
        """Read at the first question that walks; a version never changes, so once is enough."""
        arrays = Arrays.read(self._edges_file, self.schema)
        return Walks(arrays, self.schema, self.hierarchy.taken)

    def _by_id(self, counts: Mapping[int, int]) -> dict[str, int]:
        nodes = self.names.numbered(counts)
        return {node.id: count for node, count in zip(nodes, counts.values(), strict=True)}

    def _joins(self, type: str, label: str) -> bool:
        """Whether edges of this type go between nodes of this label."""
        info = self.schema.relationships.get(type)
        return info is not None and (label, label) in info.pairs

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


def _connect(database: Database) -> Connection:
    connection = ladybug.Connection(database)
    connection.set_query_timeout(SECONDS * 1000)
    return connection


def _close(database: Database, connections: Pool[Connection]) -> None:
    connections.close(lambda connection: connection.close())
    database.close()


def _start(node: Node) -> str:
    """The pattern of one known node: its label makes the engine look it up by key."""
    return f"(x:{quoted(node.label)} {{id: $id}})"


def _node_in(row: Sequence[Any]) -> Node:
    """A node from the columns of `_NODE`."""
    id, label, name, kind = row
    return Node(id, label, name, kind)


def _give_up(error: RuntimeError) -> str:
    text = str(error)
    if "Interrupted" in text:
        return f"The graph did not answer within {SECONDS} seconds. Ask about something smaller."
    if "Buffer manager" in text:
        return "The graph needs more memory than it may use for this. Ask about something smaller."
    raise error
