"""The same code in a container of the same seed and start says the same things again."""

from __future__ import annotations

import os
import signal
import textwrap

import pytest

from bancada.sandbox import Sandbox

pytestmark = pytest.mark.asyncio(loop_scope="session")

EVERYTHING = textwrap.dedent("""
    import asyncio, datetime, os, random, secrets, time, uuid
    import numpy as np, pandas as pd
    print(random.random(), random.SystemRandom().random(), secrets.token_hex(4))
    print(uuid.uuid4(), uuid.uuid1(), os.urandom(4).hex())
    print(np.random.rand(), np.random.default_rng().random())
    print(time.time(), time.time_ns(), time.monotonic(), time.perf_counter_ns(), time.ctime())
    print(datetime.datetime.now(), datetime.datetime.utcnow(), datetime.date.today())
    print(datetime.datetime.now(datetime.UTC), pd.Timestamp.now(), time.strftime('%X'))
    print({'a', 'b', 'c', 'd'}, hash('text'))
    await asyncio.sleep(0.01)
    time.sleep(0.01)
    print(time.time(), time.process_time())
""")

START = 1_760_000_000.25


async def said(sandbox: Sandbox, *, seed: int | None, started_at: float | None) -> list[str]:
    container = await sandbox.open(seed=seed, started_at=started_at)
    result = await container.run(EVERYTHING)
    await container.end()
    assert result.stderr == ""
    return result.stdout.splitlines()


async def test_everything_repeats_for_one_seed_and_start(sandbox: Sandbox) -> None:
    once = await said(sandbox, seed=7, started_at=START)

    assert await said(sandbox, seed=7, started_at=START) == once


async def test_everything_repeats_in_another_process(sandbox: Sandbox) -> None:
    once = await said(sandbox, seed=7, started_at=START)
    assert sandbox.zygote_pid is not None
    os.kill(sandbox.zygote_pid, signal.SIGKILL)

    assert await said(sandbox, seed=7, started_at=START) == once


async def test_another_seed_or_start_is_another_story(sandbox: Sandbox) -> None:
    one = await said(sandbox, seed=7, started_at=START)
    two = await said(sandbox, seed=8, started_at=START + 60)

    repeated = [first for first, second in zip(one, two, strict=True) if first == second]
    assert len(repeated) == 1  # hashing, which is the same everywhere


async def test_without_a_seed_no_two_containers_are_alike(sandbox: Sandbox) -> None:
    one = await said(sandbox, seed=None, started_at=None)
    two = await said(sandbox, seed=None, started_at=None)

    assert [first for first, second in zip(one, two, strict=True) if first == second] == [one[6]]


async def test_the_clock_starts_where_it_is_told_and_moves_by_sleeping(
    sandbox: Sandbox,
) -> None:
    container = await sandbox.open(seed=1, started_at=START)
    code = """
        import asyncio, time, datetime
        print(int(time.time()), datetime.datetime.now(datetime.UTC).isoformat()[:16])
        before = time.monotonic()
        time.sleep(0.05)
        await asyncio.gather(asyncio.sleep(0.05), asyncio.sleep(0.05))
        print(round(time.monotonic() - before, 2))
    """
    result = await container.run(textwrap.dedent(code))

    assert result.stdout == "1760000000 2025-10-09T08:53\n0.1\n"
    await container.end()


async def test_a_cell_may_be_told_that_time_has_passed(sandbox: Sandbox) -> None:
    container = await sandbox.open(seed=1, started_at=START)
    await container.run("import time")

    later = await container.run("print(int(time.time()))", now=START + 3600)
    earlier = await container.run("print(int(time.time()))", now=START)

    assert later.stdout == earlier.stdout == "1760003600\n"
    await container.end()


async def test_timeouts_of_asyncio_follow_the_worlds_clock(sandbox: Sandbox) -> None:
    container = await sandbox.open(seed=1, started_at=START)
    code = """
        import asyncio
        try:
            await asyncio.wait_for(asyncio.Event().wait(), 0.05)
        except TimeoutError:
            print('in time')
    """
    result = await container.run(textwrap.dedent(code), seconds=10)

    assert result.stdout == "in time\n"
    await container.end()


async def test_a_loop_that_watches_the_clock_ends(sandbox: Sandbox) -> None:
    container = await sandbox.open(seed=1, started_at=START)

    result = await container.run(
        "import time\nend = time.time() + 0.05\nwhile time.time() < end: pass\nprint('ended')"
    )

    assert result.stdout == "ended\n"
    await container.end()
