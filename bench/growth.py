"""How the main operations grow with what is kept: once, ten times and a hundred times as much.

    python -m bench.growth [--calls 300]

Calls of a tool that does nothing, made through the gate, and conversations are the data; each
operation is then timed at each size, on SQLite. The slope is the exponent: 0 does not grow, 1 grows
with the data.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from typing import Any

from bench._figures import figure

from bancada import Agent, tool
from bancada.domain.calls import ToolCall
from bancada.gate.gate import Gate
from bancada.gate.scope import CallScope
from bancada.store import agents, audit, conversations, people, usage, usage_days
from bancada.store.database import Database, open_database
from bancada.store.upgrade import upgrade
from bancada.tools.registry import Registry

SIZES = (1, 10, 100)
AT_ONCE = 64
Operation = Callable[[], Awaitable[Any]]


@tool
async def nothing() -> None:
    """Do nothing."""


class House:
    """One organisation that grows."""

    def __init__(self, database: Database, scope: CallScope, agent_id: int) -> None:
        self.database, self._scope, self._agent_id = database, scope, agent_id
        self._gate = Gate(database=database, registry=Registry([("bench", nothing)]))
        self._numbers = count(1)
        self._calls = 0

    @classmethod
    async def make(cls, database: Database) -> House:
        organisation = await database.run(people.first_organisation)
        who = {"email": "ana@example.com", "name": "Ana", "role": "operador"}
        add = partial(people.add_person, organisation_id=organisation, **who)
        person = await database.run(add)
        shape = Agent(name="Bench", description="", system_prompt="", tools=("nothing",))
        agent = await database.run(agents.add_agent, organisation, shape)
        assert agent.id is not None
        scope = CallScope(person_id=person.id, organisation_id=organisation)
        return cls(database, scope, agent.id)

    async def call(self) -> None:
        call = ToolCall(id=f"call_{next(self._numbers)}", name="nothing", input={})
        await self._gate.call(call, self._scope)

    async def grow_to(self, calls: int) -> None:
        """So many calls, and a conversation for every ten of them."""
        while self._calls < calls:
            many = min(AT_ONCE, calls - self._calls)
            await asyncio.gather(*(self.call() for _ in range(many)))
            await self.database.run(self._converse, many // 10)
            self._calls += many

    def _converse(self, db: Any, many: int) -> None:
        ids = {"organisation_id": self._scope.organisation_id, "user_id": self._scope.person_id}
        for _ in range(many):
            conversations.add(db, agent_id=self._agent_id, **ids)

    def operations(self) -> dict[str, Operation]:
        read, organisation = self.database.read, self._scope.organisation_id
        window = usage.window_of(organisation, None, None, time.time() + 1)
        return {
            "a call through the gate": self.call,
            "the list of conversations": partial(
                read, conversations.of_person, self._scope.person_id
            ),
            "usage of thirty days": partial(read, usage.usage, window, "day"),
            "audit verify": partial(read, audit.verify, organisation),
        }


async def median_ms(operation: Operation, times: int = 5) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        await operation()
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


async def measure(calls: int) -> dict[str, list[float]]:
    """Milliseconds of each operation, a figure a size."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(f"sqlite:///{folder}/bancada.db")
        try:
            await upgrade(database)
            house = await House.make(database)
            for size in SIZES:
                await house.grow_to(size * calls)
                await usage_days.keep_up(database)  # as a server does every few minutes
                for name, operation in house.operations().items():
                    found.setdefault(name, []).append(await median_ms(operation))
        finally:
            await database.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=300)
    calls = parser.parse_args().calls
    print(f"ms with {', '.join(f'{size * calls:,}' for size in SIZES)} calls")
    for name, (first, *_, last) in (found := asyncio.run(measure(calls))).items():
        slope = math.log(last / first) / math.log(SIZES[-1] / SIZES[0])
        print(f"{name:28}" + "".join(f"{ms:10.2f}" for ms in found[name]) + f"   slope {slope:.2f}")
        what = f"{name}, {SIZES[-1]} times the data"
        figure(what, last, first, peer=f"itself with {calls} calls", unit="ms")


if __name__ == "__main__":
    main()
