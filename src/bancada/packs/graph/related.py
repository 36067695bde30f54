"""Tools about what is in a node; `graph.py` has the rule of what "in" means."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from pydantic import Field

from bancada import JSONObject, ToolFailed
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
from bancada.packs.graph.graph import Graph, Node
from bancada.packs.graph.schema import Group

Depth = Annotated[int | None, Field(ge=1, le=1000)]


class Related:
    """count_related, list_related, both by name, and count_breakdown."""

    def __init__(self, graph: OpenGraph) -> None:
        self._graph = graph

    def count_related(
        self, node_id: str, label: str | None = None, depth: Depth = None
    ) -> JSONObject:
        """Count the nodes in a node: its parts, their parts, and so on.

        Args:
            node_id: The id of the outer node.
            label: Count only this label or kind.
            depth: Count only so many steps in; all of them when left out.
        """
        graph = self._graph()
        node = node_with(graph, node_id)
        return _count(graph, node, graph.schema.group(label), depth)

    def count_related_by_name(self, name: str, label: str | None = None) -> JSONObject:
        """Count what is in a node given by name: "how many assets in Biofilter 11?".

        A name that means several nodes returns them as candidates, each with its own count.

        Args:
            name: The name of the outer node.
            label: Count only this label or kind, such as Asset or Pump.
        """
        graph = self._graph()
        group = graph.schema.group(label)
        named = nodes_named(graph, name)
        if named.total > 1:
            return ambiguous(graph, name, named, lambda node: graph.count_inside(node, group))
        return _count(graph, named.nodes[0], group, None)

    def list_related(
        self, node_id: str, label: str | None = None, limit: Limit = 50, offset: Offset = 0
    ) -> JSONObject:
        """List the nodes in a node, by name, with how many steps in each one is.

        Args:
            node_id: The id of the outer node.
            label: List only this label or kind.
            limit: How many to return.
            offset: How many to skip.
        """
        graph = self._graph()
        node = node_with(graph, node_id)
        return _list(graph, node, graph.schema.group(label), limit, offset)

    def list_related_by_name(
        self, name: str, label: str | None = None, limit: Limit = 50, offset: Offset = 0
    ) -> JSONObject:
        """List what is in a node given by name: "list the pumps in Biofilter 11".

        A name that means several nodes returns them as candidates.

        Args:
            name: The name of the outer node.
            label: List only this label or kind.
            limit: How many to return.
            offset: How many to skip.
        """
        graph = self._graph()
        group = graph.schema.group(label)
        named = nodes_named(graph, name)
        if named.total > 1:
            return ambiguous(graph, name, named, lambda node: graph.count_inside(node, group))
        return _list(graph, named.nodes[0], group, limit, offset)

    def count_breakdown(
        self, name: str | None = None, node_id: str | None = None, label: str | None = None
    ) -> JSONObject:
        """Break down what is in a node by label, kind, and the categories of each dimension.

        Give a name or an id; with neither, everything in the graph is broken down. A node filed
        under two categories of a dimension counts under both.

        Args:
            name: The name of the outer node.
            node_id: Its id, instead of a name.
            label: Only this label or kind.
        """
        graph = self._graph()
        group = graph.schema.group(label)
        if name is not None and node_id is not None:
            raise ToolFailed("Give a name or a node_id, not both.")
        if node_id is not None:
            return _breakdown(graph, node_with(graph, node_id), group)
        if name is None:
            return _breakdown(graph, None, group)
        named = nodes_named(graph, name)
        if named.total > 1:
            return ambiguous(graph, name, named, lambda node: graph.count_inside(node, group))
        return _breakdown(graph, named.nodes[0], group)


def _count(graph: Graph, node: Node, group: Group, depth: int | None) -> JSONObject:
    answer: JSONObject = {
        "node": node.as_json(),
        "label": group.word,
        "count": graph.count_inside(node, group, depth=depth),
    }
    if depth is not None:
        answer["depth"] = depth
    return answer


def _list(graph: Graph, node: Node, group: Group, limit: int, offset: int) -> JSONObject:
    found = graph.list_inside(node, group, limit=limit, offset=offset)
    return {
        "node": node.as_json(),
        "label": group.word,
        "nodes": [inner.as_json() | {"depth": steps} for inner, steps in found],
        **page(graph.count_inside(node, group), limit, offset),
    }


def _breakdown(graph: Graph, node: Node | None, group: Group) -> JSONObject:
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
    return {
        "node": None if node is None else node.as_json(),
        "label": group.word,
        "total": total,
        "by_label": dict(labels.most_common()),
        "by_kind": dict(kinds.most_common()),
        "by_dimension": dimensions,
        "uncategorised": total - found.categorised,
    }
