"""A cell's time: what counts, what does not, and what stops all of it."""

from __future__ import annotations

import asyncio
import time

import pytest

from bancada.sandbox import CodeAnswer, CodeCall, Container, Function

pytestmark = pytest.mark.asyncio(loop_scope="session")

ASK = Function("ask", ())


async def slow(call: CodeCall) -> CodeAnswer:
    await asyncio.sleep(0.6)
    return CodeAnswer("late")


async def test_time_is_up_by_the_wall_clock(container: Container) -> None:
    began = time.monotonic()

    result = await container.run("import time; time.sleep(60)", seconds=0.3)

    assert result.error_code == "execution_time_exceeded"
    assert result.ended == "time"
    assert "0.3 s" in result.stderr
    assert time.monotonic() - began < 5


async def test_no_time_at_all_is_too_little(container: Container) -> None:
    result = await container.run("print(1)", seconds=0)

    assert result.error_code == "execution_time_exceeded"


async def test_what_was_printed_before_the_end_is_kept(container: Container) -> None:
    result = await container.run("print('here')\nwhile True: pass", seconds=0.3)

    assert result.stdout == "here\n"


async def test_awaiting_counts_where_all_time_counts(container: Container) -> None:
    result = await container.run("await ask()", functions=[ASK], call=slow, seconds=0.2)

    assert result.error_code == "execution_time_exceeded"


async def test_awaiting_does_not_count_as_own_running(container: Container) -> None:
    result = await container.run(
        "print(await ask())", functions=[ASK], call=slow, seconds=0.3, clock="own"
    )

    assert result.stdout == "late\n"


async def test_own_running_still_ends(container: Container) -> None:
    result = await container.run(
        "await ask()\nwhile True: pass", functions=[ASK], call=slow, seconds=0.3, clock="own"
    )

    assert result.error_code == "execution_time_exceeded"


async def test_computing_beside_an_awaited_call_counts(container: Container) -> None:
    async def never(call: CodeCall) -> CodeAnswer:
        await asyncio.sleep(60)
        return CodeAnswer("")

    began = time.monotonic()
    result = await container.run(
        "import asyncio\ntask = asyncio.create_task(ask())\nawait asyncio.sleep(0)\nwhile True: pass",
        functions=[ASK],
        call=never,
        seconds=0.5,
        clock="own",
    )

    assert result.error_code == "execution_time_exceeded"
    assert time.monotonic() - began < 20


async def test_a_silent_tool_is_a_timeout_in_the_code(container: Container) -> None:
    cancelled = asyncio.Event()

    async def never(call: CodeCall) -> CodeAnswer:
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()
        return CodeAnswer("")

    code = "try:\n    await ask()\nexcept TimeoutError as error:\n    print(error)\nawait ask()"
    result = await container.run(code, functions=[ASK], call=never, tool_seconds=0.2, clock="own")

    sentence = "Calling tool ['ask'] timed out (no response after 0.2s)."
    assert result.stdout == f"{sentence}\n"
    assert result.stderr.endswith(f"TimeoutError: {sentence}\n")
    assert cancelled.is_set()
    assert container.alive


@pytest.mark.parametrize("clock", ["all", "own"])
async def test_waiting_for_a_person_stops_every_clock(clock: str, container: Container) -> None:
    async def confirmed(call: CodeCall) -> CodeAnswer:
        async with container.paused():
            await asyncio.sleep(0.7)
        return CodeAnswer("approved")

    result = await container.run(
        "print(await ask())",
        functions=[ASK],
        call=confirmed,
        seconds=0.4,
        tool_seconds=0.4,
        clock=clock,  # type: ignore[arg-type]
    )

    assert result.stdout == "approved\n"


async def test_the_clocks_go_on_after_the_person_has_decided(container: Container) -> None:
    async def confirmed(call: CodeCall) -> CodeAnswer:
        async with container.paused():
            await asyncio.sleep(0.1)
        return CodeAnswer("approved")

    result = await container.run(
        "await ask()\nimport time; time.sleep(60)", functions=[ASK], call=confirmed, seconds=0.4
    )

    assert result.error_code == "execution_time_exceeded"


async def test_nothing_runs_so_nothing_is_paused(container: Container) -> None:
    async with container.paused():
        pass

    assert (await container.run("print(1)")).stdout == "1\n"
