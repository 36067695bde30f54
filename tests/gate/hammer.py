"""One process of several that make calls against the same database: see `test_processes.py`.

python -m tests.gate.hammer URL ORGANISATION PERSON CALLS NAME
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter

from bancada import tool
from bancada.domain.calls import Outcome, ToolCall
from bancada.gate.gate import Gate
from bancada.gate.scope import CallScope
from bancada.store.database import open_database
from bancada.store.upgrade import upgrade
from bancada.tools.registry import Registry

AT_ONCE = 8


@tool
async def look(n: int) -> int:
    """Read."""
    await asyncio.sleep(0)
    return n


@tool(effect="write", cache_seconds=1)
async def change(n: int) -> int:
    """Write."""
    return n


async def hammer(url: str, organisation_id: int, person_id: int, calls: int, name: str) -> None:
    database = open_database(url)
    await upgrade(database)
    gate = Gate(database=database, registry=Registry([("tests", look), ("tests", change)]))
    numbers = iter(range(calls))
    codes: Counter[str] = Counter()

    async def work() -> None:
        for n in numbers:
            tool_name = ("look", "change", "missing")[n % 3]
            ended = await gate.call(
                ToolCall(id=f"{name}_{n}", name=tool_name, input={"n": n % 20}),
                CallScope(
                    person_id=person_id,
                    organisation_id=organisation_id,
                    turn_id=f"{name}_turn" if n % 2 else None,
                ),
            )
            assert isinstance(ended, Outcome)
            codes[ended.code or "ok"] += 1

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    await database.close()
    print(json.dumps(codes))


if __name__ == "__main__":
    url, organisation, person, calls, name = sys.argv[1:]
    asyncio.run(hammer(url, int(organisation), int(person), int(calls), name))
