"""Tools about what is in a node; `graph.py` has the rule of what "in" means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Annotated, TypeAlias

from pydantic import Field

from bancada import JSONObject, ToolContext, ToolFailed
from bancada.packs.graph.answers import (
    Limit,
    Offset,
    OpenGraph,
    ambiguous,
    node_with,
    nodes_named,
    page,
)
from bancada.packs.graph.categories import Tree
from bancada.packs.graph.embedded import LadybugGraph
from bancada.packs.graph.graph import Node
from bancada.packs.graph.schema import NodeGroup

Depth: TypeAlias = Annotated[int | None, Field(ge=1, le=1000)]


class Related:
    """count_related, list_related, both by name, and count_breakdown."""

    def __init__(self, graph: OpenGraph) -> None:
        self._graph = graph

    def count_related(
        self,
        context: ToolContext,
        node_id: str,
        label: str | None = None,
        depth: Depth = None,
        relation: str | None = None,
    ) -> JSONObject:
        """Count the nodes in a node: its parts, their parts, and so on.

        Args:
            node_id: The id of the outer node.
            label: Count only this label or kind.
            depth: Count only so many steps in; all of them when left out.
            relation: Count the nodes that an edge of this type joins to it directly, instead.
        """
        graph = self._graph(context)
        node = node_with(graph, node_id)
        if relation is not None and depth not in (None, 1):
            raise ToolFailed("Give a relation or a depth, not both.")
        return _count(graph, node, graph.schema.group(label), depth, relation)

    def count_related_by_name(
        self,
        context: ToolContext,
        name: str,
        label: str | None = None,
        relation: str | None = None,
    ) -> JSONObject:
        """Count what is in a node given by name: "how many assets in Biofilter 11?".

        A name that means several nodes returns them as candidates, each with its own count.

        Args:
            name: The name of the outer node.
            label: Count only this label or kind, such as Asset or Pump.
            relation: Count the nodes that an edge of this type joins to it directly, instead.
        """
        graph = self._graph(context)
        group = graph.schema.group(label)

        def count(node: Node) -> JSONObject:
            return _count(graph, node, group, None, relation)

        return _by_name(graph, name, group, relation, count)

    def list_related(
        self,
        context: ToolContext,
        node_id: str,
        label: str | None = None,
        limit: Limit = 50,
        offset: Offset = 0,
        relation: str | None = None,
    ) -> JSONObject:
        """List the nodes in a node, by name, with how many steps in each one is.

        Args:
            node_id: The id of the outer node.
            label: List only this label or kind.
            limit: How many to return.
            offset: How many to skip.
            relation: List the nodes that an edge of this type joins to it directly, instead.
        """
        graph = self._graph(context)
        node = node_with(graph, node_id)
        return _list(graph, node, graph.schema.group(label), limit, offset, relation)

    def list_related_by_name(
        self,
        context: ToolContext,
        name: str,
        label: str | None = None,
        limit: Limit = 50,
        offset: Offset = 0,
        relation: str | None = None,
    ) -> JSONObject:
        """List what is in a node given by name: "list the pumps in Biofilter 11".

        A name that means several nodes returns them as candidates.

        Args:
            name: The name of the outer node.
            label: List only this label or kind.
            limit: How many to return.
            offset: How many to skip.
            relation: List the nodes that an edge of this type joins to it directly, instead.
        """
        graph = self._graph(context)
        group = graph.schema.group(label)

        def listing(node: Node) -> JSONObject:
            return _list(graph, node, group, limit, offset, relation)

        return _by_name(graph, name, group, relation, listing)

    def count_breakdown(
        self,
        context: ToolContext,
        name: str | None = None,
        node_id: str | None = None,
        label: str | None = None,
    ) -> JSONObject:
        """Break down what is in a node by label, kind, and the categories of each dimension.

        Give a name or an id; with neither, everything in the graph is broken down. A node filed
        under two categories of a dimension counts under both.

        Args:
            name: The name of the outer node.
            node_id: Its id, instead of a name.
            label: Only this label or kind.
        """
        graph = self._graph(context)
        group = graph.schema.group(label)
        if name is not None and node_id is not None:
            raise ToolFailed("Give a name or a node_id, not both.")
        if node_id is not None:
            return _breakdown(graph, node_with(graph, node_id), group)
        if name is None:
            return _breakdown(graph, None, group)
        return _by_name(graph, name, group, None, lambda node: _breakdown(graph, node, group))


def _by_name(
    graph: LadybugGraph,
    name: str,
    group: NodeGroup,
    relation: str | None,
    answer: Callable[[Node], JSONObject],
) -> JSONObject:
    """The answer for the one node of this name; several are told, each with its count."""
    named = nodes_named(graph, name)
    if named.total > 1:
        return ambiguous(graph, name, named, lambda node: _candidate(graph, node, group, relation))
    return answer(named.nodes[0])


def _count(
    graph: LadybugGraph, node: Node, group: NodeGroup, depth: int | None, relation: str | None
) -> JSONObject:
    answer: JSONObject = {
        "node": node.as_json(),
        "label": group.word,
        "count": _how_many(graph, node, group, depth, relation),
        **_how(graph, node, depth, relation),
    }
    if not answer["count"]:
        _refuse_empty_zero(graph, node, group, relation)
    if depth is not None:
        answer["depth"] = depth
    return answer


def _list(
    graph: LadybugGraph,
    node: Node,
    group: NodeGroup,
    limit: int,
    offset: int,
    relation: str | None,
) -> JSONObject:
    if relation is None:
        found = graph.list_inside(node, group, limit=limit, offset=offset)
        total = graph.count_inside(node, group)
    else:
        type = known_relation(graph, relation)
        joined, total = graph.list_joined(node, type, group, limit=limit, offset=offset)
        found = [(other, 1) for other in joined]
    if not total:
        _refuse_empty_zero(graph, node, group, relation)
    return {
        "node": node.as_json(),
        "label": group.word,
        "nodes": [inner.as_json() | {"depth": steps} for inner, steps in found],
        **page(total, limit, offset),
        **_how(graph, node, None, relation),
    }


def _how_many(
    graph: LadybugGraph, node: Node, group: NodeGroup, depth: int | None, relation: str | None
) -> int:
    if relation is None:
        return graph.count_inside(node, group, depth=depth)
    type = known_relation(graph, relation)
    return graph.list_joined(node, type, group, limit=1, offset=0)[1]


def _how(graph: LadybugGraph, node: Node, depth: int | None, relation: str | None) -> JSONObject:
    """By which relations, where nobody but the data says that they mean "is in"."""
    if relation is not None:
        return {"relation": known_relation(graph, relation)}
    guessed = graph.hierarchy.guessed
    if not guessed:
        return {}
    followed = graph.followed(node, depth=depth)
    return {"by": list(followed)} if set(followed) & set(guessed) else {}


def known_relation(graph: LadybugGraph, text: str) -> str:
    """A relation by its type, however it is written."""
    for type in graph.schema.relationships:
        if type.casefold() == text.strip().casefold():
            return type
    raise ToolFailed(
        f"There is no relation {text!r}. Relations: {', '.join(graph.schema.relationships) or 'none'}."
    )


def _refuse_empty_zero(
    graph: LadybugGraph, node: Node, group: NodeGroup, relation: str | None
) -> None:
    reason = None if relation is not None else _silence(graph, node, group)
    if reason is not None:
        raise ToolFailed(reason)


def _candidate(
    graph: LadybugGraph, node: Node, group: NodeGroup, relation: str | None = None
) -> int | None:
    """The count of one of several nodes; none where a zero would say too much."""
    count = _how_many(graph, node, group, None, relation)
    silent = not count and relation is None and _silence(graph, node, group) is not None
    return None if silent else count


def _silence(graph: LadybugGraph, node: Node, group: NodeGroup) -> str | None:
    """Why nothing in a node is no answer: containment does not speak of what was asked for.

    A zero would then say something that nobody declared; the choices are told instead.
    """
    touching = {} if graph.has_a_place(node) else graph.relations(node)
    if touching:
        return _undeclared(graph, f"what is in {node.name} ({node.id})", touching)
    if group.word is not None and not graph.any_placed(group):
        touching = graph.relations(None, group)
        if touching:
            return _undeclared(graph, f"what any {group.word} is in", touching)
    return None


def _undeclared(graph: LadybugGraph, what: str, touching: Mapping[str, int]) -> str:
    declared = ", ".join(graph.hierarchy.types) or "none"
    choices = ", ".join(f"{type} ({count})" for type, count in touching.items())
    return (
        f"No containment relation says {what}. Containment: {declared}. Relations there: {choices}."
        " Ask again with one of them as `relation`, or let an administrator declare it containment."
    )


def _breakdown(graph: LadybugGraph, node: Node | None, group: NodeGroup) -> JSONObject:
    labels: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    found = graph.breakdown(node, group)
    for label, kind, count in found.by_label:
        labels[label] += count
        if kind is not None:
            kinds[kind] += count
    tree = Tree.of(graph.categories())
    dimensions: dict[str, list[JSONObject]] = {name: [] for name in graph.schema.dimensions}
    for id, count in sorted(found.by_category.items(), key=lambda item: -item[1]):
        shape = tree.as_json(id)
        dimensions.setdefault(shape.pop("dimension"), []).append(shape | {"count": count})
    total = labels.total()
    if not total and node is not None:
        _refuse_empty_zero(graph, node, group, None)
    return {
        "node": None if node is None else node.as_json(),
        "label": group.word,
        "total": total,
        "by_label": dict(labels.most_common()),
        "by_kind": dict(kinds.most_common()),
        "by_dimension": dimensions,
        "uncategorised": total - found.categorised,
        **({} if node is None else _how(graph, node, None, None)),
    }
