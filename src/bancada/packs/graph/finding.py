"""Tools that find nodes by what they are called."""

from __future__ import annotations

from bancada import JSONObject
from bancada.packs.graph.answers import Limit, Offset, OpenGraph, page, similar


class Finding:
    """find_node, search_nodes, count_nodes, count_by_label, get_schema."""

    def __init__(self, graph: OpenGraph, containment: tuple[str, ...]) -> None:
        self._graph = graph
        self._containment = containment

    def find_node(
        self, name: str, label: str | None = None, limit: Limit = 20, offset: Offset = 0
    ) -> JSONObject:
        """Find nodes by name and get their ids for the other tools.

        Case and accents do not matter, and an alias or an id works too. Nodes called exactly
        that are returned; only when there are none, those whose name contains the text.

        Args:
            name: The name, or a part of it.
            label: Only nodes of this label or kind.
            limit: How many to return.
            offset: How many to skip.
        """
        graph = self._graph()
        named = graph.named(name, graph.schema.group(label), limit=limit, offset=offset)
        answer: JSONObject = {
            "match": named.match,
            "nodes": [node.as_json() for node in named.nodes],
            **page(named.total, limit, offset),
        }
        if not named.total:
            answer["similar"] = similar(graph, name)
        return answer

    def search_nodes(
        self, text: str, label: str | None = None, limit: Limit = 20, offset: Offset = 0
    ) -> JSONObject:
        """Search nodes whose names resemble a text; typing errors and accents are forgiven.

        Use it when find_node finds nothing, or when the name is not known exactly.

        Args:
            text: What to look for.
            label: Only nodes of this label or kind.
            limit: How many to return.
            offset: How many to skip.
        """
        graph = self._graph()
        found = graph.like(text, graph.schema.group(label))
        return {
            "nodes": [
                item.node.as_json() | {"score": round(item.score, 3)}
                for item in found[offset : offset + limit]
            ],
            **page(len(found), limit, offset),
        }

    def count_nodes(self, name: str) -> JSONObject:
        """Count the nodes that a name means: "do we have any X?".

        Counts nodes called exactly that; when there are none, those whose name contains it.

        Args:
            name: The name, or a part of it.
        """
        graph = self._graph()
        named = graph.named(name, limit=1)
        answer: JSONObject = {
            "name": name,
            "count": named.total,
            "match": named.match,
            "by_label": dict(graph.named_by_label(name)),
        }
        if not named.total:
            answer["similar"] = similar(graph, name)
        return answer

    def count_by_label(self, label: str) -> JSONObject:
        """Count all nodes of a label (such as Asset) or of a kind (such as Pump).

        Args:
            label: A label or kind, singular or plural.
        """
        schema = self._graph().schema
        group = schema.group(label)
        answer: JSONObject = {"label": group.word, "count": schema.count(group)}
        if group.kind is not None:
            answer["of_label"] = group.label
        elif group.label is not None:
            answer["by_kind"] = dict(schema.labels[group.label].kinds)
        return answer

    def get_schema(self) -> JSONObject:
        """List labels with their kinds and properties, relationship types, and dimensions.

        Read it before writing a query for run_query.
        """
        return self._graph().schema.as_json() | {"containment": list(self._containment)}
