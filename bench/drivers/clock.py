"""What every driver has in common: the same tools, question and clock as `bench/turn.py`.

It runs in a peer's environment, so it imports nothing but the standard library.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from collections.abc import Awaitable, Callable

MODEL = "claude-sonnet-5-5"
SYSTEM = "You answer questions about a graph of companies and parts. Use the tools. " * 8
QUESTION = "How many parts does Acme supply within two hops, by category?"
PIECES = 80

OURSELVES, CHILDREN = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN

Turn = Callable[[], Awaitable[int]]
"""Runs one turn and returns how many pieces of text were seen."""


async def find_company(name: str, label: str, limit: int) -> str:
    """Find nodes by name."""
    return '[{"id":"n-42","label":"Company","name":"Acme Corporation"}]'


async def count_parts(node_id: str, rel_type: str, max_depth: int) -> str:
    """Count nodes related to a node."""
    return '{"count":42,"depth":2}'


async def run_graph_query(query: str, limit: int) -> str:
    """Run one read-only query."""
    return '[["fasteners",19],["bearings",11],["seals",7],["springs",3],["other",2]]'


TOOLS = (find_company, count_parts, run_graph_query)


def report(made: Callable[[str], Turn], *, merges: int = 0) -> None:
    """Print processor milliseconds a turn; `merges` pieces may arrive together with another."""
    url, turns, at_once = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

    async def timed() -> float:
        turn = made(url)
        await _rounds(turn, 5, 1, merges)
        began = _used()
        await _rounds(turn, turns, at_once, merges)
        return (_used() - began) * 1000 / turns

    print(asyncio.run(timed()))


def _used() -> float:
    """Processor seconds of this process and of those it started, once they have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (OURSELVES, CHILDREN))


async def _rounds(turn: Turn, turns: int, at_once: int, merges: int) -> None:
    left = turns

    async def worker() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            pieces = await turn()
            assert PIECES - merges <= pieces <= PIECES, pieces

    await asyncio.gather(*(worker() for _ in range(at_once)))
