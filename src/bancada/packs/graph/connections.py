"""Tools about edges: what a node is connected to, and the way from one node to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bancada import JSONObject, Result, ToolContext, Widget
from bancada.packs.graph.answers import Limit, Offset, OpenGraph, node_with, page
from bancada.packs.graph.graph import Edge, Node

MOST_DRAWN = 60
"""More nodes than this do not fit a small drawing."""


class Connections:
    """get_node_connections, shortest_path."""

    def __init__(self, graph: OpenGraph) -> None:
        self._graph = graph

    def get_node_connections(
        self, context: ToolContext, node_id: str, limit: Limit = 50, offset: Offset = 0
    ) -> Result:
        """Show how a node is connected: its properties and its outgoing and incoming edges.

        The person sees a small drawing of the neighbourhood.

        Args:
            node_id: The id of the node.
            limit: How many edges to return in each direction.
            offset: How many to skip in each direction.
        """
        graph = self._graph(context)
        node = node_with(graph, node_id)
        leaving, entering = graph.degree(node)
        out = graph.edges(node, outgoing=True, limit=limit, offset=offset)
        into = graph.edges(node, outgoing=False, limit=limit, offset=offset)
        value: JSONObject = {
            "node": node.as_json() | {"properties": graph.properties(node)},
            "outgoing": [{"type": edge.type, "node": edge.target.as_json()} for edge in out],
            "incoming": [{"type": edge.type, "node": edge.source.as_json()} for edge in into],
            "total_outgoing": leaving,
            "total_incoming": entering,
            **page(max(leaving, entering), limit, offset),
        }
        value["total"] = leaving + entering
        return Result(value=value, widgets=[drawing(node.name, [node], [*out, *into])])

    def shortest_path(self, context: ToolContext, from_id: str, to_id: str) -> Result:
        """Find a shortest way between two nodes, along edges in either direction.

        Args:
            from_id: The id of the first node.
            to_id: The id of the last node.
        """
        graph = self._graph(context)
        start, end = node_with(graph, from_id), node_with(graph, to_id)
        path = graph.shortest_path(start, end)
        value: JSONObject = {
            "from": start.as_json(),
            "to": end.as_json(),
            "found": path is not None,
            "length": len(path.edges) if path else None,
            "nodes": [node.as_json() for node in path.nodes] if path else [],
            "edges": [_edge(edge) for edge in path.edges] if path else [],
        }
        if path is None:
            return Result(value=value)
        title = f"{start.name} – {end.name}"
        return Result(value=value, widgets=[drawing(title, path.nodes, path.edges)])


def drawing(title: str, nodes: Iterable[Node], edges: Sequence[Edge]) -> Widget:
    """A small graph: the given nodes, and the edges with their ends as far as there is room."""
    drawn = {node.id: node for node in nodes}
    lines: dict[tuple[str, str, str], JSONObject] = {}
    for edge in edges:
        ends = {edge.source.id: edge.source, edge.target.id: edge.target}
        if len(drawn | ends) <= MOST_DRAWN:
            drawn |= ends
            lines[edge.source.id, edge.target.id, edge.type] = _edge(edge)
    return Widget(
        kind="graph",
        data={
            "widget": "graph",
            "titulo": title,
            "nodes": [
                {"id": node.id, "label": node.label, "name": node.name} for node in drawn.values()
            ],
            "edges": list(lines.values()),
        },
    )


def _edge(edge: Edge) -> JSONObject:
    return {"source": edge.source.id, "target": edge.target.id, "type": edge.type}
