"""What the typed tools share: finding the node that is meant, and the shapes of answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, TypeAlias

from pydantic import Field

from bancada import JSONObject, ToolContext, ToolFailed
from bancada.packs.graph.embedded import LadybugGraph
from bancada.packs.graph.graph import Named, Node

OpenGraph: TypeAlias = Callable[[ToolContext], LadybugGraph]
"""The graph of the person's organisation as it is now; `ToolFailed` when there is none."""

Limit: TypeAlias = Annotated[int, Field(ge=1, le=200)]
Offset: TypeAlias = Annotated[int, Field(ge=0)]

CANDIDATES = 20
SIMILAR = 5


def node_with(graph: LadybugGraph, node_id: str) -> Node:
    """The node of an id; a name will do where it can mean one node only."""
    node = graph.names.node(node_id)
    if node is not None:
        return node
    named = graph.names.named(node_id, limit=2)
    if named.match == "exact" and named.total == 1:
        return named.nodes[0]
    raise ToolFailed(f"No node has the id {node_id!r}. find_node gives the id for a name.")


def nodes_named(graph: LadybugGraph, name: str) -> Named:
    """Whom a name means; `ToolFailed` with names like it when nobody."""
    named = graph.names.named(name, limit=CANDIDATES)
    if not named.total:
        raise ToolFailed(f"No node is called {name!r}.{_did_you_mean(similar(graph, name))}")
    return named


def similar(graph: LadybugGraph, name: str) -> list[JSONObject]:
    """A few nodes whose names are like this one, each name once."""
    by_name: dict[str, JSONObject] = {}
    for found in graph.names.like(name):
        by_name.setdefault(found.node.name, found.node.as_json())
    return list(by_name.values())[:SIMILAR]


def _did_you_mean(nodes: Sequence[JSONObject]) -> str:
    if not nodes:
        return ""
    return " Similar: " + "; ".join(f"{node['name']} ({node['id']})" for node in nodes) + "."


def ambiguous(
    graph: LadybugGraph, name: str, named: Named, count: Callable[[Node], int | None]
) -> JSONObject:
    """The answer when a name means several nodes: each with where it is, and its own count.

    A count of none says that no containment relation speaks of that node.
    """
    return {
        "ambiguous": True,
        "name": name,
        "match": named.match,
        "total": named.total,
        "candidates": [
            node.as_json() | {"in": _containers(graph, node), "count": count(node)}
            for node in named.nodes
        ],
        "note": f"{named.total} nodes match {name!r}. Ask again with the id of the one meant.",
    }


def _containers(graph: LadybugGraph, node: Node) -> list[str]:
    return [outer.name for outer in graph.directly_around(node)]


def page(total: int, limit: int, offset: int) -> JSONObject:
    """The part of an answer that says how much there is, and how to go on."""
    shape: JSONObject = {"total": total, "limit": limit, "offset": offset}
    if offset + limit < total:
        shape["next_offset"] = offset + limit
    return shape
