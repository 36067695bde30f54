"""The program that every place for code runs, and the clock of those that are peers.

It runs in a peer's environment, so it imports nothing but the standard library.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable

CALLS = 100
"""As many as pydantic-ai's code mode lets one program make."""
PROGRAM = f"""\
total = 0
for n in range({CALLS}):
    total += int(await step(n=n))
print(total)
"""
ANSWER = "They add up."
TOTAL = sum(range(1, CALLS + 1))


def report(turn: Callable[[], Awaitable[str]]) -> None:
    """Print the median milliseconds of a turn; it returns what its program printed."""

    async def timed() -> float:
        taken = []
        for _ in range(int(sys.argv[1]) + 1):
            began = time.perf_counter()
            shown = await turn()
            taken.append((time.perf_counter() - began) * 1000)
            assert str(TOTAL) in shown, shown
        return statistics.median(taken[1:])

    print(asyncio.run(timed()))
