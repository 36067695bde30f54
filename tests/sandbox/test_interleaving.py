"""Random programs, answered in any order, cut anywhere: a replay comes to the same state."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bancada.sandbox import (
    CodeAnswer,
    CodeCall,
    Entry,
    Function,
    JournalAnswer,
    JournalAsk,
    Replay,
    Sandbox,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

STEP = Function("step", ("at", "seen"))
QUIET_SECONDS = 0.004

# A part is a list of things done one after the other.
parts: st.SearchStrategy[list[Any]] = st.recursive(
    st.lists(st.sampled_from(["call", "call", "late", "yield"]), min_size=1, max_size=3),
    lambda inner: st.lists(
        st.one_of(
            st.sampled_from(["call", "late", "yield"]),
            st.tuples(st.sampled_from(["gather", "completed"]), st.lists(inner, max_size=3)),
        ),
        min_size=1,
        max_size=3,
    ),
    max_leaves=5,
)


def source_of(program: list[Any]) -> str:
    """Python for a program: what it asks tells what it has seen, so that order shows."""
    functions: list[str] = []

    def part(things: list[Any]) -> str:
        name = f"part{len(functions)}"
        functions.append("")
        at = int(name[4:])
        lines = [f"async def {name}():", "    pass"]
        for number, thing in enumerate(things):
            ask = f"await step(at='{name}.{number}', seen=len(log))"
            match thing:
                case "call":
                    lines.append(f"    log.append({ask})")
                case "late":
                    lines += [f"    told = {ask}", "    await asyncio.sleep(0)"]
                    lines.append("    log.append(told)")
                case "yield":
                    lines.append("    await asyncio.sleep(0)")
                case (how, inner):
                    called = ", ".join(f"{part(one)}()" for one in inner)
                    if how == "gather":
                        lines.append(f"    await asyncio.gather({called})")
                    else:
                        lines.append(f"    for one in asyncio.as_completed([{called}]): await one")
        functions[at] = "\n".join(lines)
        return name

    first = part(program)
    return "\n".join(["import asyncio", "log = []", *functions, f"await {first}()", "print(log)"])


@dataclass
class World:
    """Tools that answer in an order that was drawn, one or several at a time."""

    order: Sequence[tuple[int, int]]
    journal: list[Entry] = field(default_factory=list)
    ran: list[int] = field(default_factory=list)
    _open: dict[int, asyncio.Future[None]] = field(default_factory=dict)
    _asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, call: CodeCall) -> CodeAnswer:
        self.ran.append(call.id)
        self._asked.set()
        opened = self._open[call.id] = asyncio.get_running_loop().create_future()
        await opened
        return CodeAnswer(f"{call.input['at']} saw {call.input['seen']}")

    async def write(self, entry: Entry) -> None:
        self.journal.append(entry)
        await asyncio.sleep(0)

    async def answer(self) -> None:
        """Whenever nothing new is asked for a moment, answer what was drawn next."""
        drawn = iter(self.order)
        while True:
            self._asked.clear()
            try:
                async with asyncio.timeout(QUIET_SECONDS):
                    await self._asked.wait()
            except TimeoutError:
                which, how_many = next(drawn, (0, 1))
                for _ in range(how_many):
                    if self._open:
                        ids = sorted(self._open)
                        self._open.pop(ids[which % len(ids)]).set_result(None)

    async def run(self, sandbox: Sandbox, code: str, journal: Sequence[Entry]) -> list[str]:
        """Run to the end on what the journal holds: what the program has seen."""
        self.journal = list(journal)
        container = await sandbox.open(seed=1, started_at=1.0)
        answering = asyncio.create_task(self.answer())
        replay = Replay(journal, self, self.write)
        try:
            result = await container.run(
                code, functions=[STEP], call=replay, tool_seconds=20, clock="own"
            )
            replay.finish()
        finally:
            answering.cancel()
            await container.end()
        assert (result.return_code, result.stderr) == (0, "")
        log: list[str] = ast.literal_eval(result.stdout)
        return log


orders = st.lists(st.tuples(st.integers(0, 7), st.integers(1, 3)), max_size=12)


async def replays_alike(
    sandbox: Sandbox, program: list[Any], order: Any, other: Any, share: float
) -> None:
    code = source_of(program)
    first = World(order)
    seen = await first.run(sandbox, code, [])

    again = World(other)
    assert await again.run(sandbox, code, first.journal) == seen
    assert again.ran == []
    assert again.journal == first.journal

    prefix = first.journal[: round(share * len(first.journal))]
    told = [entry.id for entry in prefix if isinstance(entry, JournalAnswer)]
    second = World(other)
    seen_then = await second.run(sandbox, code, prefix)
    assert seen_then[: len(told)] == seen[: len(told)]
    assert not set(second.ran) & set(told)
    assert second.journal[: len(prefix)] == prefix
    asked = [entry.id for entry in second.journal if isinstance(entry, JournalAsk)]
    assert len(asked) == len(set(asked))

    third = World(order)
    assert await third.run(sandbox, code, second.journal) == seen_then
    assert third.ran == []


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(parts, orders, orders, st.floats(0, 1))
async def test_a_random_program_cut_anywhere_replays_to_the_same_state(
    sandbox: Sandbox,
    program: list[Any],
    order: list[tuple[int, int]],
    other: list[tuple[int, int]],
    share: float,
) -> None:
    await replays_alike(sandbox, program, order, other, share)


@pytest.mark.long
@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(parts, orders, orders, st.floats(0, 1))
async def test_very_many_random_programs_replay_to_the_same_state(
    sandbox: Sandbox,
    program: list[Any],
    order: list[tuple[int, int]],
    other: list[tuple[int, int]],
    share: float,
) -> None:
    await replays_alike(sandbox, program, order, other, share)


async def test_a_gather_whose_parts_append_as_they_finish_replays(sandbox: Sandbox) -> None:
    code = (
        "import asyncio\n"
        "seen = []\n"
        "async def part(n):\n"
        "    seen.append(await step(at=str(n), seen=0))\n"
        "await asyncio.gather(*[part(n) for n in range(5)])\n"
        "await step(at='|'.join(seen), seen=1)\n"
        "print(seen)\n"
    )
    first = World([(3, 1), (0, 1), (2, 2)])
    seen = await first.run(sandbox, code, [])

    again = World([])
    assert await again.run(sandbox, code, first.journal) == seen
    assert again.ran == []


async def test_a_timeout_comes_in_its_place_among_other_answers(sandbox: Sandbox) -> None:
    """Told before it is journalled, it would be answered after what the code did upon it."""
    journal: list[Entry] = []

    async def slowly_cancelled(call: CodeCall) -> CodeAnswer:
        if call.input["at"] != "silent":
            return CodeAnswer("there")
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0.1)  # as the gate does, while it writes how the call ended
            raise
        return CodeAnswer("")

    async def write(entry: Entry) -> None:
        journal.append(entry)

    code = (
        "try:\n    await step(at='silent', seen=0)\n"
        "except TimeoutError:\n    print(await step(at='after', seen=1))\n"
    )
    for _ in range(2):
        container = await sandbox.open(seed=1, started_at=1.0)
        replay = Replay(list(journal), slowly_cancelled, write)
        async with asyncio.timeout(20):
            result = await container.run(code, functions=[STEP], call=replay, tool_seconds=0.2)
        replay.finish()
        await container.end()
        assert result.stdout == "there\n"
    assert [type(entry) for entry in journal] == [
        JournalAsk,
        JournalAnswer,
        JournalAsk,
        JournalAnswer,
    ]
