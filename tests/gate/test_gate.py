from __future__ import annotations

from bancada import tool
from tests.house import House, kinds


@tool
async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


async def test_an_allowed_call_runs_and_leaves_one_line(house: House) -> None:
    await house.add(add)

    outcome = await house.result("add", {"a": 1, "b": 2})

    assert (outcome.content, outcome.is_error) == ("3", False)
    line = await house.only_line()
    assert kinds(line) == ["started", "ended"]
