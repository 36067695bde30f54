"""Tools that find nodes by what they are called."""

from __future__ import annotations

from bancada import JSONObject, ToolContext
from bancada.packs.graph.answers import Limit, Offset, OpenGraph, page, similar
from bancada.packs.graph.embedded import LadybugGraph
from bancada.packs.graph.graph import Node

PLACED = 5
"""Of so many nodes an answer says where they are."""
MOST_WAYS = 5


class FindingTools:
    """find_node, search_nodes, count_nodes, count_by_label, get_schema."""

    def __init__(self, graph: OpenGraph) -> None:
        self._graph = graph

    def find_node(
        self,
        context: ToolContext,
        name: str,
        label: str | None = None,
        limit: Limit = 20,
        offset: Offset = 0,
    ) -> JSONObject:
        """Find nodes by name and get their ids for the other tools.

        Case and accents do not matter, and an alias or an id works too. Nodes called exactly
        that are returned; only when there are none, those whose name contains the text. Of a few
        nodes, `where` says what each is in, from the nearest outward.

        Args:
            name: The name, or a part of it.
            label: Only nodes of this label or kind.
            limit: How many to return.
            offset: How many to skip.
        """
        graph = self._graph(context)
        named = graph.names.named(name, graph.schema.group(label), limit=limit, offset=offset)
        answer: JSONObject = {
            "match": named.match,
            "nodes": [node.as_json() for node in named.nodes],
            **page(named.total, limit, offset),
        }
        if not named.total:
            answer["similar"] = similar(graph, name)
        elif named.total <= PLACED:
            answer["where"] = {node.id: _ways_out(graph, node) for node in named.nodes}
        return answer

    def search_nodes(
        self,
        context: ToolContext,
        text: str,
        label: str | None = None,
        limit: Limit = 20,
        offset: Offset = 0,
    ) -> JSONObject:
        """Search nodes whose names resemble a text; typing errors and accents are forgiven.

        Use it when find_node finds nothing, or when the name is not known exactly.

        Args:
            text: What to look for.
            label: Only nodes of this label or kind.
            limit: How many to return.
            offset: How many to skip.
        """
        graph = self._graph(context)
        found = graph.names.like(text, graph.schema.group(label))
        return {
            "nodes": [
                item.node.as_json() | {"score": round(item.score, 3)}
                for item in found[offset : offset + limit]
            ],
            **page(len(found), limit, offset),
        }

    def count_nodes(self, context: ToolContext, name: str) -> JSONObject:
        """Count the nodes that a name means: "do we have any X?".

        Counts nodes called exactly that; when there are none, those whose name contains it.

        Args:
            name: The name, or a part of it.
        """
        graph = self._graph(context)
        named = graph.names.named(name, limit=1)
        answer: JSONObject = {
            "name": name,
            "count": named.total,
            "match": named.match,
            "by_label": dict(graph.names.by_label(name)),
        }
        if not named.total:
            answer["similar"] = similar(graph, name)
        return answer

    def count_by_label(self, context: ToolContext, label: str) -> JSONObject:
        """Count all nodes of a label (such as Asset) or of a kind (such as Pump).

        Args:
            label: A label or kind, singular or plural.
        """
        schema = self._graph(context).schema
        group = schema.group(label)
        answer: JSONObject = {"label": group.word, "count": schema.count(group)}
        if group.kind is not None:
            answer["of_label"] = group.label
        elif group.label is not None:
            answer["by_kind"] = dict(schema.labels[group.label].kinds)
        return answer

    def get_schema(self, context: ToolContext) -> JSONObject:
        """List labels with their kinds and properties, relationship types, and dimensions.

        Also says which relations count as containment ("is in"), which way they point (up: from
        the inner node to the outer one), and why. Read it before writing a query for run_query.
        """
        graph = self._graph(context)
        return graph.schema.as_json() | graph.hierarchy.as_json()


def _ways_out(graph: LadybugGraph, node: Node) -> list[list[JSONObject]]:
    return [[outer.as_json() for outer in way] for way in graph.ways_out(node, most=MOST_WAYS)]
