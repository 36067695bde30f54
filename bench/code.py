"""Code: containers against plain interpreters, and the bridge against the bare socket.

`python -m bench.code` prints one table; every baseline is measured in the same run. The peer, where
it is installed, is `pydantic-monty`, the interpreter beneath pydantic-ai's code mode: it starts
faster than any process, and has no pandas, no classes with bases and no `yield`.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from bench._figures import figure

from bancada.sandbox import CodeAnswer, CodeCall, Container, Function, Sandbox, start_sandbox

PANDAS = "import pandas as pd; print(pd.DataFrame({'a': [1, 2]}).a.sum())"
STEP = Function("step", ("n",))
CALLS = 5_000


async def no_op(call: CodeCall) -> CodeAnswer:
    return CodeAnswer("ok")


async def seconds(once: Callable[[], Awaitable[object]], times: int) -> float:
    """Median of several runs."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        await once()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


async def plain(code: str, bytecode: str) -> None:
    """A new interpreter that finds its modules compiled, wherever ours are installed."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdout=subprocess.DEVNULL, env=environment
    )
    assert await process.wait() == 0


async def fresh(sandbox: Sandbox) -> None:
    """A new container to its first output, pandas loaded."""
    container = await sandbox.open()
    result = await container.run(PANDAS)
    assert result.stdout == "3\n", result
    await container.end()


async def calls_per_second(container: Container, code: str) -> float:
    began = time.perf_counter()
    result = await container.run(code, functions=[STEP], call=no_op, seconds=120)
    assert result.return_code == 0, result
    return CALLS / (time.perf_counter() - began)


def bare_echo() -> float:
    """Messages a second between two processes with nothing but JSON lines on a socket pair."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        for _ in range(CALLS):
            asked = json.loads(theirs.recv(1 << 16))
            theirs.sendall(json.dumps({"answer": asked["call"], "text": "ok"}).encode() + b"\n")
        os._exit(0)
    began = time.perf_counter()
    for n in range(CALLS):
        message = {"call": n, "name": "step", "input": {"n": n}}
        ours.sendall(json.dumps(message).encode() + b"\n")
        json.loads(ours.recv(1 << 16))
    taken = time.perf_counter() - began
    os.waitpid(child, 0)
    return CALLS / taken


async def monty() -> tuple[float, float, float] | None:
    """The peer: a fresh session, and its calls a second, one by one and gathered."""
    try:
        from pydantic_monty import AsyncMonty
    except ImportError:
        return None

    async def step(n: int) -> str:
        return "ok"

    async with AsyncMonty() as pool:

        async def session() -> None:
            async with pool.checkout() as opened:
                await opened.feed_run("1 + 1")

        await session()
        start = await seconds(session, 20)
        rates = []
        for code in (
            "for n in range(400): await step(n)",
            "import asyncio\nfor _ in range(40): await asyncio.gather(*[step(n) for n in range(10)])",
        ):
            began = time.perf_counter()
            for _ in range(5):  # a session allows a thousand suspensions in all
                async with pool.checkout() as opened:
                    await opened.feed_run(code, external_lookup={"step": step})
            rates.append(2_000 / (time.perf_counter() - began))
    return start, rates[0], rates[1]


async def main() -> None:
    echo = bare_echo()
    with tempfile.TemporaryDirectory() as folder:
        await plain(PANDAS, folder)
        pandas = await seconds(lambda: plain(PANDAS, folder), 7)
        nothing = await seconds(lambda: plain("pass", folder), 7)
        began = time.perf_counter()
        await asyncio.gather(*[plain(PANDAS, folder) for _ in range(10)])
        ten_plain = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        sandbox = await start_sandbox(Path(folder), max_containers=64)
        start = time.perf_counter() - began
        container = await sandbox.open()
        await fresh(sandbox)
        first = await seconds(lambda: fresh(sandbox), 30)
        warm = await seconds(lambda: container.run("x = 1", functions=[STEP], call=no_op), 200)
        one_by_one = await calls_per_second(container, f"for n in range({CALLS}): await step(n)")
        gathered = await calls_per_second(
            container,
            "import asyncio\n"
            f"for _ in range({CALLS // 10}): await asyncio.gather(*[step(n) for n in range(10)])",
        )
        began = time.perf_counter()
        await asyncio.gather(*[fresh(sandbox) for _ in range(50)])
        fifty = time.perf_counter() - began
        await sandbox.close()
        tier = sandbox.tier
    peer = await monty()

    figure(
        "a fresh container",
        first * 1e3,
        pandas * 1e3,
        peer="python -c 'import pandas'",
        unit="ms",
        aim=0.1,
    )
    figure("the next cell", warm * 1e3, nothing * 1e3, peer="python -c 'pass'", unit="ms")
    figure(
        "inner calls, one by one",
        one_by_one,
        echo,
        peer="a bare socket pair",
        unit="/s",
        more_is_better=True,
    )
    if peer is not None:
        name = "pydantic-monty (no jail, no pandas)"
        figure("a fresh session", first * 1e3, peer[0] * 1e3, peer=name, unit="ms")
        figure(
            "inner calls, one by one",
            one_by_one,
            peer[1],
            peer=name,
            unit="/s",
            more_is_better=True,
        )
        figure(
            "inner calls, ten at a time",
            gathered,
            peer[2],
            peer=name,
            unit="/s",
            more_is_better=True,
        )
    print(f"tier {tier}; the zygote is ready in {start:.2f} s, once\n")
    print(f"plain python, import pandas        {pandas * 1e3:8.1f} ms")
    print(
        f"fresh container, pandas loaded     {first * 1e3:8.1f} ms   {first / pandas:.3f} of it (aim 0.1)"
    )
    print(f"plain python, nothing              {nothing * 1e3:8.1f} ms")
    print(f"next cell of a warm container      {warm * 1e3:8.2f} ms   {warm / nothing:.4f} of it")
    print(f"bare socket pair, JSON lines       {echo:8.0f} messages/s")
    print(
        f"inner calls, one by one            {one_by_one:8.0f} /s   {one_by_one / echo:.2f} of it (aim 4000/s)"
    )
    print(
        f"inner calls, ten at a time         {gathered:8.0f} /s   {1e4 / gathered:.2f} ms a gather of ten"
    )
    print(
        f"50 containers at once              {fifty:8.2f} s    "
        f"{(fifty / 50) / (ten_plain / 10):.3f} of as many plain ones, each"
    )
    if peer is None:
        print("pydantic-monty is not installed")
    else:
        print(f"monty, fresh session, no pandas    {peer[0] * 1e3:8.2f} ms")
        print(
            f"monty, calls one by one            {peer[1]:8.0f} /s   ours {one_by_one / peer[1]:.1f} times"
        )
        print(
            f"monty, calls ten at a time         {peer[2]:8.0f} /s   ours {gathered / peer[2]:.1f} times"
        )


if __name__ == "__main__":
    asyncio.run(main())
