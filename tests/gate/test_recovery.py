"""After a crash, with a database that fails, and with ids that come twice."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from bancada import ToolContext, tool
from bancada.domain.calls import Outcome
from bancada.store.database import Database
from tests.house import House, kinds


class Crash(BaseException):
    """The process is gone: nothing of ours gets to run any more."""


@pytest.fixture
async def ran(house: House) -> list[str]:
    """What ran. `look` reads, `change` writes; both stop the process the first time."""
    ran: list[str] = []

    @tool
    async def look(word: str = "a") -> str:
        """Read."""
        ran.append(f"look {word}")
        return f"saw {word}"

    @tool(effect="write")
    async def change(word: str = "a") -> str:
        """Write."""
        ran.append(f"change {word}")
        return f"changed {word}"

    await house.add(look, change)
    return ran


async def cut_short(house: House, name: str, **how: Any) -> None:
    """Leave a call as a killed process leaves it: started, announced, never ended."""

    async def die(_: object) -> None:
        raise Crash

    with pytest.raises(Crash):
        await house.call(name, on_start=die, **how)


CALL: dict[str, Any] = {"id": "toolu_1", "turn_id": "t1"}


async def test_a_read_that_was_cut_short_runs_again_on_the_same_line(
    house: House, ran: list[str]
) -> None:
    await cut_short(house, "look", **CALL)
    assert (await house.only_line())["state"] == "started"

    outcome = await house.result("look", **CALL, gate=house.another_gate())

    assert (outcome.content, ran) == ("saw a", ["look a"])
    line = await house.only_line()
    assert kinds(line) == ["started", "started", "ended"]
    assert (line["outcome"], line["again"], line["id"]) == ("ok", True, outcome.audit_id)
    assert (await house.verify()).ok


async def test_a_write_that_was_cut_short_ends_as_unknown_and_does_not_run_again(
    house: House, ran: list[str]
) -> None:
    await cut_short(house, "change", **CALL)

    outcomes = [await house.result("change", **CALL, gate=house.another_gate()) for _ in range(2)]

    assert ran == []
    for outcome in outcomes:
        assert (outcome.is_error, outcome.code) == (True, "unknown")
        assert "may or may not have happened" in str(outcome.content)
    line = await house.only_line()
    assert (kinds(line), line["outcome"]) == (["started", "ended"], "unknown")


async def test_a_confirmed_read_that_was_cut_short_runs_again_without_asking_again(
    house: House, ran: list[str]
) -> None:
    await house.choose("look", confirmation="always")
    waiting = await house.waits("look", **CALL)
    await house.decide(waiting, "approved")
    await cut_short(house, "look", **CALL)

    outcome = await house.result("look", **CALL, gate=house.another_gate())

    assert (outcome.content, ran) == ("saw a", ["look a"])
    assert kinds(await house.only_line()) == ["asked", "started", "started", "ended"]


async def test_a_confirmed_write_that_was_cut_short_does_not_run_again(
    house: House, ran: list[str]
) -> None:
    await house.choose("change", confirmation="always")
    waiting = await house.waits("change", **CALL)
    await house.decide(waiting, "approved")
    await cut_short(house, "change", **CALL)

    outcome = await house.result("change", **CALL, gate=house.another_gate())

    assert (outcome.code, ran) == ("unknown", [])
    assert kinds(await house.only_line()) == ["asked", "started", "ended"]


async def test_a_read_that_was_cut_short_is_refused_when_it_is_no_longer_allowed(
    house: House, ran: list[str]
) -> None:
    await cut_short(house, "look", **CALL)
    await house.choose("look", is_enabled=False)

    outcome = await house.result("look", **CALL, gate=house.another_gate())

    assert (outcome.code, ran) == ("disabled", [])
    assert kinds(await house.only_line()) == ["started", "refused"]


async def test_a_call_that_ended_is_not_made_again(house: House, ran: list[str]) -> None:
    first = await house.result("change", **CALL)

    again = await house.result("change", **CALL, gate=house.another_gate())

    assert again == first
    assert ran == ["change a"]
    assert len(await house.lines()) == 1


async def test_a_refused_call_stays_refused_in_its_turn(house: House, ran: list[str]) -> None:
    await house.choose("look", is_enabled=False)
    first = await house.result("look", **CALL)
    await house.choose("look", is_enabled=True)

    assert await house.result("look", **CALL) == first
    assert (await house.result("look", id="toolu_2", turn_id="t1")).content == "saw a"


async def test_the_same_id_in_another_turn_is_another_call(house: House, ran: list[str]) -> None:
    await house.result("change", id="toolu_1", turn_id="t1")
    await house.result("change", id="toolu_1", turn_id="t2")
    await house.result("change", id="toolu_1")
    await house.result("change", id="toolu_1")

    assert len(ran) == 4
    assert len(await house.lines()) == 4


@pytest.mark.parametrize("name", ["look", "change"])
async def test_one_id_twice_at_the_same_moment_is_one_call(
    house: House, ran: list[str], name: str
) -> None:
    outcomes = await asyncio.gather(*(house.result(name, **CALL) for _ in range(6)))

    assert ran == [f"{name} a"]
    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert kinds(await house.only_line()) == ["started", "ended"]


@pytest.mark.parametrize(
    ("name", "input"), [("change", {"word": "b"}), ("look", {"word": "a"}), ("nothing", {})]
)
async def test_one_id_for_two_different_calls_is_refused_to_the_second(
    house: House, ran: list[str], name: str, input: Any
) -> None:
    first, second = await asyncio.gather(
        house.result("change", {"word": "a"}, **CALL), house.result(name, input, **CALL)
    )

    assert first.content == "changed a"
    assert (second.is_error, second.code) == (True, "invalid_tool_input")
    assert "toolu_1" in str(second.content)
    assert ran == ["change a"]
    assert [kinds(line) for line in await house.lines()] == [["started", "ended"], ["refused"]]
    assert [line["turn_id"] for line in await house.lines()] == ["t1", "t1"]


async def test_what_a_tool_calls_is_not_taken_for_a_call_of_the_turn(house: House) -> None:
    """A tool that runs again after a crash calls again too: its inner calls have no row."""
    inner_runs = 0

    @tool
    async def inner() -> str:
        """Work."""
        nonlocal inner_runs
        inner_runs += 1
        return "done"

    @tool
    async def outer(ctx: ToolContext) -> str:
        """Have work done."""
        return str((await ctx.call("inner", {})).content)

    await house.add(inner, outer)
    await cut_short(house, "outer", **CALL)

    assert (await house.result("outer", **CALL)).content == "done"
    assert inner_runs == 1


# ---------------------------------------------------------------------------- the database fails


class Failing:
    """A database whose writes fail when told to."""

    def __init__(self, database: Database) -> None:
        self.kind = database.kind
        self._database = database
        self.fails_at: set[int] = set()
        self.writes = 0

    async def run(self, query: Any, *args: Any, **kwargs: Any) -> Any:
        self.writes += 1
        if self.writes in self.fails_at or 0 in self.fails_at:
            raise OSError("disk full")
        return await self._database.run(query, *args, **kwargs)

    def start(self, query: Any, *args: Any, **kwargs: Any) -> asyncio.Future[Any]:
        return asyncio.ensure_future(self.run(query, *args, **kwargs))

    def together(self, whose: int, query: Any, *args: Any, **kwargs: Any) -> asyncio.Future[Any]:
        return self.start(query, *args, **kwargs)

    def listen(self, heard: Any) -> None: ...

    async def read(self, query: Any, *args: Any, **kwargs: Any) -> Any:
        return await self._database.read(query, *args, **kwargs)

    async def close(self) -> None: ...


async def test_a_call_does_not_run_when_the_audit_cannot_be_written(
    house: House, ran: list[str]
) -> None:
    broken = Failing(house.database)
    broken.fails_at = {0}
    gate = replace(house.gate, database=broken)

    outcome = await house.result("change", gate=gate)

    assert (outcome.is_error, ran) == (True, [])
    assert "could not be recorded" in str(outcome.content)


async def test_a_call_does_not_run_when_the_chain_is_not_writable(
    house: House, ran: list[str]
) -> None:
    """The real thing: the table of entries is gone, whatever else works."""
    await house.database.run(lambda db: db.execute(text("DROP TABLE audit_entries")))

    outcome = await house.result("change")

    assert (outcome.is_error, outcome.code, ran) == (True, "failed", [])


async def test_a_result_that_cannot_be_recorded_is_not_told_as_a_success(
    house: House, ran: list[str]
) -> None:
    broken = Failing(house.database)
    broken.fails_at = {2}
    gate = replace(house.gate, database=broken)

    outcome = await house.result("change", **CALL, gate=gate)

    assert ran == ["change a"]
    assert (outcome.is_error, outcome.code) == (True, "unknown")
    assert (await house.only_line())["state"] == "started"
    again = await house.result("change", **CALL)
    assert (again.code, ran) == ("unknown", ["change a"])


async def test_a_passing_failure_to_decide_still_leaves_a_line(
    house: House, ran: list[str]
) -> None:
    broken = Failing(house.database)
    broken.fails_at = {1}
    gate = replace(house.gate, database=broken)

    outcome = await house.result("change", **CALL, gate=gate)

    assert isinstance(outcome, Outcome)
    assert (outcome.is_error, outcome.code, ran) == (True, "failed", [])
    assert kinds(await house.only_line()) == ["refused"]
