"""`run_query`: a Cypher query that a model wrote, checked, and run in the jail.

The query is untrusted code. It is checked word by word (`cypher.py`), then runs in a container
that sees nothing but a read-only copy of the graph's file (`guest.py`), under limits of time,
memory and rows; a query that is cancelled or out of time ends with its process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bancada import Jail, JSONObject, OutsideContent, Tool, ToolContext, ToolFailed, tool
from bancada.packs.graph.cypher import QueryRefused, checked
from bancada.packs.graph.embedded import LadybugGraph, address_space


@dataclass(frozen=True)
class GraphQueryLimits:
    """What one query may use."""

    seconds: float = 10.0
    memory: int = 256 << 20
    rows: int = 200
    bytes: int = 200_000


LIMITS = GraphQueryLimits()

_FILE = "graph.lbug"
_GUEST = Path(__file__).with_name("guest.py").read_text(encoding="utf-8")


def query_tool(
    graph: Callable[[ToolContext], LadybugGraph],
    jail: Jail,
    is_outside: OutsideContent,
    switched_off: str | None = None,
    limits: GraphQueryLimits = LIMITS,
) -> Tool:
    """The tool; switched off, saying why, where there is no jail or no engine."""

    @tool(
        name="run_query",
        category="graph",
        effect="read",
        permission_level="responsavel",
        allowed_callers=("direct", "code_execution_20260120"),
        timeout=limits.seconds + 20,
        output_description=(
            "{columns: [names], rows: [[values]], total_rows, truncated}; at most"
            f" {limits.rows} rows. A node is {{label, id, name, …}}, an edge {{type, …}}."
        ),
        examples=(
            {"query": "MATCH (a:Asset) WHERE a.kind = 'Pump' RETURN a.status, count(*) AS n"},
        ),
        outside_content=is_outside,
        switched_off=switched_off or jail.missing,
    )
    async def run_query(context: ToolContext, query: str) -> JSONObject:
        """Run one read-only Cypher query of your own. Use it only when no other tool can answer.

        Look at get_schema first. Every node has id, name and kind. Reading clauses only (MATCH,
        WHERE, WITH, UNWIND, RETURN, ORDER BY, SKIP, LIMIT, UNION); walks need an upper bound, as
        in -[:PART_OF*1..5]->. Return ids, so that the answer can name the nodes it rests on.

        Args:
            query: A single reading Cypher statement, without parameters.
        """
        try:
            text = checked(query)
        except QueryRefused as refusal:
            raise ToolFailed(str(refusal)) from refusal
        current = await asyncio.to_thread(graph, context)
        size = current.database_file.stat().st_size
        answer = await jail.evaluate(
            _GUEST,
            {
                "query": text,
                "file": _FILE,
                "memory": limits.memory,
                "address_space": address_space(size),
                "seconds": limits.seconds,
                "rows": limits.rows,
                "bytes": limits.bytes,
            },
            key=_key(context, current.version),
            context=context,
            files={_FILE: current.database_file},
            # The engine's own clock comes first: it gives the better sentence.
            seconds=limits.seconds + 2,
            max_bytes=4 * limits.bytes,
        )
        if "error" in answer:
            raise ToolFailed(_sentence(str(answer["error"]), limits))
        return dict(answer)

    return run_query


def _key(context: ToolContext, version: str) -> str:
    """One warm container for each conversation, or for each person outside of one."""
    whose = context.conversation_id or f"person-{context.person.id}"
    return f"{version}-{whose}"


def _sentence(error: str, limits: GraphQueryLimits) -> str:
    if "Interrupted" in error:
        return f"The query took longer than {limits.seconds:g} seconds. Ask for less: filter, or LIMIT."
    if "Buffer manager" in error or "bad_alloc" in error:
        return "The query needs more memory than it may use. Ask for less: filter, or bound walks."
    first, *_ = error.splitlines() or ["no reason given"]
    return f"The graph could not run this query: {first[:400]} get_schema lists labels and types."
