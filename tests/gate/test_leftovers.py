"""A call outside a turn whose process was killed is ended by whoever notices, and never a live one."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from typing import Any

import pytest
from sqlalchemy import insert

from bancada.domain.calls import Caller, Outcome, ToolCall
from bancada.gate.gate import Gate
from bancada.gate.leftovers import end_leftovers
from bancada.gate.scope import CallScope
from bancada.store.tables import processes
from bancada.tools.tool import tool
from tests.house import House

ran: list[str] = []


@tool(effect="write")
async def pay() -> str:
    """Pay, and never say that it was done."""
    ran.append("pay")
    await asyncio.sleep(60)
    return "paid"


@tool(effect="read")
async def look() -> str:
    """Look for very long."""
    ran.append("look")
    await asyncio.sleep(60)
    return "seen"


@pytest.fixture
async def left(house: House) -> House:
    house.clock.now = time.time() - 60
    await house.add(pay, look)
    return house


async def killed(house: House, name: str, process: str, kept_as: str | None = None) -> Gate:
    """A process dies in the middle of a call; its gate, as it was."""
    gate = house.another_gate()
    gate.process = process
    ran.clear()
    scope = CallScope(
        person_id=house.ana.id, organisation_id=house.organisation_id, kept_as=kept_as
    )
    call = ToolCall(id="call_1", name=name, input={}, caller=Caller(via="api"))
    running = asyncio.create_task(gate.call(call, scope))
    while not ran:
        await asyncio.sleep(0.005)
    gate.draining = True  # what is cut now is left as a crash would leave it
    running.cancel()
    await asyncio.wait({running})
    return gate


def outcomes(lines: list[dict[str, Any]]) -> list[tuple[str, str, Any]]:
    return [(line["tool"], line["state"], line.get("outcome")) for line in lines]


async def test_a_write_ends_as_unknown_and_a_read_as_stopped(left: House) -> None:
    for name in ("pay", "look"):
        await killed(left, name, "server gone:1:a")
    assert outcomes(await left.lines()) == [("pay", "started", None), ("look", "started", None)]

    assert await end_leftovers(left.database, "here:1:b") == 2

    assert outcomes(await left.lines()) == [
        ("pay", "ended", "unknown"),
        ("look", "ended", "cancelled"),
    ]
    assert "may or may not have happened" in (await left.lines())[0]["error"]
    assert (await left.verify()).ok
    assert await end_leftovers(left.database, "here:1:b") == 0


async def test_what_a_live_process_runs_is_left_alone(left: House) -> None:
    mine = f"{socket.gethostname()}:{os.getpid()}:c"
    await killed(left, "pay", "server here:1:b")
    await killed(left, "pay", f"command {mine}")
    await killed(left, "pay", "command elsewhere:1:d")
    if left.database.kind == "postgresql":
        await killed(left, "pay", "server peer:1:e")
        values = {"name": "peer:1:e", "lock": 1, "heartbeat_at": time.time()}
        await left.database.run(lambda db: db.execute(insert(processes).values(values)) and None)

    assert await end_leftovers(left.database, "here:1:b") == 0


async def test_a_command_is_gone_when_its_process_is(left: House) -> None:
    program = await asyncio.create_subprocess_exec("true")
    await program.wait()
    await killed(left, "pay", f"command {socket.gethostname()}:{program.pid}:c")

    assert await end_leftovers(left.database, "here:1:b") == 1


async def test_a_call_by_a_key_is_known_when_it_is_asked_for_again(left: House) -> None:
    for name in ("pay", "look"):
        await killed(left, name, "server gone:1:a", kept_as=f"key:{name}")
    await end_leftovers(left.database, "here:1:b")

    ran.clear()
    scope = CallScope(
        person_id=left.ana.id, organisation_id=left.organisation_id, kept_as="key:pay"
    )
    call = ToolCall(id="call_1", name="pay", input={}, caller=Caller(via="api"))
    again = await left.gate.call(call, scope)
    assert isinstance(again, Outcome)
    assert again.code == "unknown"
    assert ran == []

    # A read is made again, on a line of its own.
    await killed(left, "look", "server here:1:b", kept_as="key:look")
    assert [line["tool"] for line in await left.lines()] == ["pay", "look", "look"]


async def test_a_call_that_ends_leaves_nothing(left: House) -> None:
    @tool(effect="write")
    async def quick() -> str:
        """Be quick."""
        return "done"

    await left.add(quick)
    left.gate.process = "server gone:1:a"
    await left.call("quick", {})

    assert await end_leftovers(left.database, "here:1:b") == 0
    assert outcomes(await left.lines()) == [("quick", "ended", "ok")]
