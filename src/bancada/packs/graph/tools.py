"""The typed tools, by the names people know them by, each with the shape of its answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bancada import JSONObject, OutsideContent, Tool, tool
from bancada.packs.graph.answers import OpenGraph
from bancada.packs.graph.categories import Categories
from bancada.packs.graph.connections import Connections
from bancada.packs.graph.finding import FindingTools
from bancada.packs.graph.related import Related

NODE = "{id, label, name, kind?}"
PAGED = "total, limit, offset, next_offset?"
AMBIGUOUS = (
    "or, for a name that means several nodes, {ambiguous: true, name, match, total,"
    " candidates: [node + {in: [names], count}], note}"
)


HOW = "by?: [relations], relation?"


def typed_tools(
    graph: OpenGraph, is_outside: OutsideContent, switched_off: str | None = None
) -> list[Tool]:
    """Every tool but `run_query`. `is_outside` says of whom the graph came from outside."""
    finding, related = FindingTools(graph), Related(graph)
    _tool = partial(_make, is_outside, switched_off)
    categories, connections = Categories(graph), Connections(graph)
    return [
        _tool(
            finding.find_node,
            f"{{match: exact|partial|none, nodes: [{NODE}], {PAGED}, similar?: [node],"
            " where?: {id: [[node, nearest first]]}}",
            {"name": "Biofilter 11"},
        ),
        _tool(
            finding.search_nodes,
            f"{{nodes: [node + {{score}}], {PAGED}}}, best first",
            {"text": "biofliter 11"},
        ),
        _tool(
            finding.count_nodes,
            "{name, count, match: exact|partial|none, by_label: {label: count}, similar?: [node]}",
            {"name": "Biofilter"},
        ),
        _tool(
            finding.count_by_label,
            "{label, count, by_kind: {kind: count}}, or {label, count, of_label} for a kind",
            {"label": "Asset"},
        ),
        _tool(
            categories.list_categories,
            f"{{dimensions: [names], categories: [{{id, name, dimension, path, parent_id, level}}], {PAGED}}}",
            {"dimension": "location"},
        ),
        _tool(
            connections.get_node_connections,
            "{node: node + {properties}, outgoing: [{type, node}], incoming: [{type, node}],"
            f" total_outgoing, total_incoming, {PAGED}}}",
            {"node_id": "BF-11"},
        ),
        _tool(
            categories.count_by_category,
            "{label, categories: [{id, name, dimension, path, count, count_with_subcategories}],"
            f" {PAGED}}}",
            {"dimension": "system", "label": "Asset"},
        ),
        _tool(
            related.count_related,
            f"{{node, label, count, depth?, {HOW}}}",
            {"node_id": "BF-11", "label": "Asset"},
        ),
        _tool(
            related.count_related_by_name,
            f"{{node, label, count, {HOW}}}, {AMBIGUOUS}",
            {"name": "Biofilter 11", "label": "Asset"},
        ),
        _tool(
            related.list_related,
            f"{{node, label, nodes: [node + {{depth}}], {PAGED}, {HOW}}}",
            {"node_id": "BF-11", "label": "Pump"},
        ),
        _tool(
            related.list_related_by_name,
            f"{{node, label, nodes: [node + {{depth}}], {PAGED}, {HOW}}}, {AMBIGUOUS}",
            {"name": "Biofilter 11", "label": "Pump"},
        ),
        _tool(
            related.count_breakdown,
            "{node, label, total, by_label, by_kind, by_dimension: {dimension: [{id, name, path,"
            f" count}}]}}, uncategorised}}, {AMBIGUOUS}",
            {"name": "Biofilter 11"},
        ),
        _tool(
            finding.get_schema,
            "{labels: [{label, count, kinds, properties}], relationships: [{type, count, between:"
            " [{from, to}], properties}], dimensions, nouns, containment: [{type, direction: up|down,"
            " reason, why, guessed}], not_containment: [{type, reason, why}]}",
        ),
        _tool(
            connections.shortest_path,
            "{from, to, found, length, nodes: [node], edges: [{source, target, type}]}",
            {"from_id": "BF-01", "to_id": "BF-03"},
        ),
    ]


def _make(
    is_outside: OutsideContent,
    switched_off: str | None,
    function: Callable[..., object],
    output: str,
    *examples: JSONObject,
) -> Tool:
    return tool(
        category="graph",
        effect="read",
        allowed_callers=("direct", "code_execution_20260120"),
        output_description=output,
        examples=examples,
        outside_content=is_outside,
        switched_off=switched_off,
    )(function)
