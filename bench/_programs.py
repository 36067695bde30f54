"""One program with a hundred calls, asked for in a turn: what `bench/peers.py` compares.

The model is a script in the same process, so that only the framework and its place for code
count. Ours runs in the sandbox, each call through gate, audit and record.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bench.drivers.program import ANSWER, CALLS, PROGRAM
from bench.tokens import asker

from bancada.engine.workbench import open_workbench
from bancada.settings import load_settings
from bancada.store import tool_settings
from bancada.testing import Line, ScriptedModel, calls, says
from bancada.tools.tool import tool


@tool(allowed_callers=("direct", "code_execution_20260120"))
async def step(n: int) -> int:
    """The next number.

    Args:
        n: Any number.
    """
    return n + 1


@asynccontextmanager
async def ours(folder: Path, turns: int) -> AsyncIterator[AsyncIterator[float]]:
    """Milliseconds of each turn."""
    script: list[Line] = [calls("code_execution", code=PROGRAM), says(ANSWER)] * turns
    model = ScriptedModel(script)
    bench = await open_workbench(load_settings(data=folder, environment={}), model=model)
    try:
        bench.registry.add(step)
        await bench.database.run(tool_settings.reconcile, dict(bench.registry.packs()))
        ask = await asker(bench, [step.name], "local")

        async def took() -> AsyncIterator[float]:
            for _ in range(turns):
                began = time.perf_counter()
                said = await ask("Add the numbers up.")
                yield (time.perf_counter() - began) * 1000
                assert said == ANSWER, said
                shown = str(model.requests[-1].messages[-1])
                assert str(sum(range(1, CALLS + 1))) in shown, shown

        yield took()
    finally:
        await bench.close()
