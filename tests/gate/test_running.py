"""What happens once a call may run, and that its end is always written."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import Any

import pytest

from bancada import InnerCall, Result, ToolContext, ToolFailed, Widget, tool
from tests.house import House, kinds


async def test_a_plain_function_runs_in_a_thread(house: House) -> None:
    @tool
    def where() -> str:
        """Say which thread this is."""
        return threading.current_thread().name

    await house.add(where)

    outcome = await house.result("where")

    assert outcome.content != threading.current_thread().name


async def test_a_tool_is_told_for_whom_and_within_what_it_runs(house: House) -> None:
    seen: list[ToolContext] = []

    @tool
    async def look(ctx: ToolContext, word: str) -> str:
        """Look."""
        seen.append(ctx)
        return word

    await house.add(look)

    await house.result("look", {"word": "a"}, id="toolu_7", conversation_id="c1", turn_id="t1")

    (ctx,) = seen
    assert (ctx.person.email, ctx.call_id) == ("ana@example.com", "toolu_7")
    assert (ctx.conversation_id, ctx.turn_id, ctx.language) == ("c1", "t1", "pt")


async def test_a_tool_that_fails_on_purpose_is_heard_by_the_model(house: House) -> None:
    @tool
    async def find(name: str) -> str:
        """Find."""
        raise ToolFailed(f"No table {name!r}. Known tables: defects.")

    await house.add(find)

    outcome = await house.result("find", {"name": "x"})

    assert (outcome.content, outcome.is_error) == ("No table 'x'. Known tables: defects.", True)
    assert outcome.code == "failed"
    line = await house.only_line()
    assert (line["outcome"], line["error"]) == ("failed", outcome.content)


async def test_a_long_failure_is_cut_like_any_result(house: House) -> None:
    @tool
    async def find() -> str:
        """Find."""
        raise ToolFailed("no " * 1_000_000 + "\ud800")

    await house.add(find)

    outcome = await house.result("find")

    assert (outcome.is_error, outcome.code) == (True, "failed")
    size = len(str(outcome.content).encode())
    assert size <= 30_000


class Odd(Exception):
    """An error of somebody else's, with a secret in its text."""


def fail_with(error: BaseException) -> Any:
    raise error


@pytest.mark.parametrize(
    "error",
    [
        Odd("password=hunter2"),
        TimeoutError("password=hunter2"),
        StopIteration("password=hunter2"),
        StopAsyncIteration("password=hunter2"),
        RecursionError("password=hunter2"),
        SystemExit("password=hunter2"),
        asyncio.CancelledError("password=hunter2"),
        BaseExceptionGroup("password=hunter2", [Odd()]),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("kind", ["async", "plain"])
async def test_an_unexpected_error_is_a_sentence_for_the_model_and_a_trace_for_the_log(
    house: House, caplog: pytest.LogCaptureFixture, error: BaseException, kind: str
) -> None:
    @tool(name="breaks", timeout=5)
    async def breaks_async() -> str:
        """Break."""
        return str(fail_with(error))

    @tool(name="breaks", timeout=5)
    def breaks_plain() -> str:
        """Break."""
        return str(fail_with(error))

    await house.add(breaks_async if kind == "async" else breaks_plain)

    with caplog.at_level(logging.ERROR, "bancada.gate"):
        outcome = await house.result("breaks")

    assert (outcome.is_error, outcome.code) == (True, "failed")
    assert "breaks failed" in str(outcome.content)
    assert "hunter2" not in str(outcome.content)
    assert "fail_with" in caplog.text
    line = await house.only_line()
    assert kinds(line) == ["started", "ended"]
    assert line["outcome"] == "failed"
    assert "hunter2" not in str(line)


async def test_a_timeout_ends_the_wait_and_is_recorded(house: House) -> None:
    @tool(timeout=0.05)
    async def slow() -> None:
        """Wait for ever."""
        await asyncio.Event().wait()

    await house.add(slow)

    outcome = await house.result("slow")

    assert (outcome.code, outcome.is_error) == ("timeout", True)
    assert "slow did not answer within 0.05 s" in str(outcome.content)
    line = await house.only_line()
    assert (kinds(line), line["outcome"]) == (["started", "ended"], "timeout")
    assert line["duration_ms"] >= 50


async def test_a_timeout_ends_the_wait_for_a_thread(house: House) -> None:
    let_go = threading.Event()

    @tool(timeout=0.05)
    def slow() -> None:
        """Wait for ever."""
        let_go.wait(30)

    await house.add(slow)
    try:
        assert (await house.result("slow")).code == "timeout"
    finally:
        let_go.set()


async def test_a_timeout_ends_the_wait_for_a_tool_that_will_not_be_stopped(house: House) -> None:
    let_go = asyncio.Event()

    @tool(timeout=0.05)
    async def stubborn() -> str:
        """Wait, whatever happens."""
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue
        return "too late"

    await house.add(stubborn)
    try:
        async with asyncio.timeout(10):
            assert (await house.result("stubborn")).code == "timeout"
    finally:
        let_go.set()


async def test_a_result_with_no_json_form_is_told_as_a_failure(house: House) -> None:
    @tool
    async def odd() -> Any:
        """Return something that is not JSON."""
        return {"when": object()}

    await house.add(odd)

    outcome = await house.result("odd")

    assert (outcome.is_error, outcome.code) == (True, "failed")
    assert "no JSON form" in str(outcome.content)
    assert (await house.only_line())["outcome"] == "failed"


async def test_a_result_that_breaks_while_it_is_read_is_told_as_a_failure(house: House) -> None:
    class Broken(dict[str, Any]):
        def items(self) -> Any:
            raise Odd("password=hunter2")

    @tool
    async def odd() -> Any:
        """Return something that breaks when it is looked at."""
        return Broken(a=1)

    await house.add(odd)

    outcome = await house.result("odd", turn_id="t1")

    assert (outcome.is_error, outcome.code) == (True, "failed")
    assert "hunter2" not in str(outcome.content)
    assert kinds(await house.only_line()) == ["started", "ended"]


async def test_a_result_too_large_is_cut_and_says_so(house: House) -> None:
    @tool
    async def flood() -> str:
        """Return a lot."""
        return "x" * 1_000_000

    await house.add(flood)

    outcome = await house.result("flood")

    assert not outcome.is_error
    assert len(outcome.content) <= 30_000
    assert "of 1,000,000 characters" in str(outcome.content)


async def test_a_widget_goes_to_the_person_beside_what_the_model_reads(house: House) -> None:
    @tool(category="render")
    async def chart() -> Result:
        """Draw."""
        return Result(
            value={"points": 2}, widgets=[Widget(kind="chart", data={"widget": {"y": [1, 2]}})]
        )

    await house.add(chart)

    outcome = await house.result("chart", id="c", turn_id="t1")

    assert outcome.value == {"points": 2}
    assert [w.data for w in outcome.widgets] == [{"widget": {"y": [1, 2]}}]
    assert await house.result("chart", id="c", turn_id="t1") == outcome, "as it was stored"


async def test_a_caller_that_goes_away_leaves_a_finished_line(house: House) -> None:
    began = asyncio.Event()

    @tool
    async def slow() -> None:
        """Wait for ever."""
        began.set()
        await asyncio.Event().wait()

    await house.add(slow)
    calling = asyncio.create_task(house.call("slow", turn_id="t1"))
    await began.wait()

    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling

    line = await house.only_line()
    assert (kinds(line), line["outcome"]) == (["started", "ended"], "cancelled")


async def test_a_caller_that_goes_away_before_the_start_leaves_no_open_line(house: House) -> None:
    """Wherever the cancellation falls, nothing stays open and nothing runs afterwards."""
    ran: list[str] = []

    @tool(effect="write")
    async def write(word: str) -> None:
        """Write."""
        ran.append(word)
        await asyncio.Event().wait()

    await house.add(write)
    for steps in range(12):
        calling = asyncio.create_task(house.call("write", {"word": str(steps)}))
        for _ in range(steps):
            await asyncio.sleep(0)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling

    for line in await house.lines():
        assert line["state"] == "ended", line
        assert line["outcome"] == "cancelled"
    assert (await house.verify()).ok


async def test_whoever_is_told_of_the_start_may_fail_and_the_call_still_ends(house: House) -> None:
    ran = False

    @tool
    async def look() -> None:
        """Look."""
        nonlocal ran
        ran = True

    async def broken(_: object) -> None:
        raise Odd

    await house.add(look)

    outcome = await house.result("look", on_start=broken)

    assert (outcome.is_error, ran) == (True, False)
    assert kinds(await house.only_line()) == ["started", "ended"]


async def test_the_start_is_told_after_it_is_recorded_and_before_the_tool_runs(
    house: House,
) -> None:
    order: list[str] = []

    @tool
    async def look() -> None:
        """Look."""
        order.append("ran")

    async def told(call: Any) -> None:
        order.append(f"told, {(await house.only_line())['state']}")

    await house.add(look)

    await house.result("look", on_start=told)

    assert order == ["told, started", "ran"]


# ---------------------------------------------------------------------------- cached


@pytest.fixture
def counted() -> Any:
    """A cached tool that counts how often it really ran."""

    class Counted:
        runs = 0
        version = "1"

        def make(self, **says: Any) -> Any:
            @tool(cache_seconds=60, data_version=lambda: self.version, **says)
            async def look(word: str = "a") -> str:
                """Look something up."""
                self.runs += 1
                return f"{word}{self.runs}"

            return look

    return Counted()


async def test_a_cached_answer_is_given_again_and_says_so(house: House, counted: Any) -> None:
    await house.add(counted.make())

    first = await house.result("look", {"word": "x"})
    again = await house.result("look", {"word": "x"})
    other = await house.result("look", {"word": "y"})

    assert (first.content, first.cached) == ("x1", False)
    assert (again.content, again.cached) == ("x1", True)
    assert (other.content, other.cached) == ("y2", False)
    assert [line["cached"] for line in await house.lines()] == [False, True, False]
    assert [kinds(line) for line in await house.lines()] == [["started", "ended"]] * 3


async def test_a_cached_answer_is_forgotten_after_its_time(house: House, counted: Any) -> None:
    await house.add(counted.make())

    await house.result("look")
    house.clock.advance(61)

    assert (await house.result("look")).cached is False


async def test_a_cached_answer_is_forgotten_when_the_data_changed(
    house: House, counted: Any
) -> None:
    await house.add(counted.make())

    await house.result("look")
    counted.version = "2"

    assert (await house.result("look")).cached is False


async def test_a_cached_answer_belongs_to_the_person_unless_it_is_the_same_for_everyone(
    house: House, counted: Any
) -> None:
    await house.add(counted.make(name="mine"), counted.make(name="ours", same_for_everyone=True))

    for name in ("mine", "ours"):
        await house.result(name, by=house.ana)

    assert (await house.result("mine", by=house.rui)).cached is False
    assert (await house.result("ours", by=house.rui)).cached is True


async def test_a_cached_answer_belongs_to_the_conversation_unless_it_is_the_same_for_everyone(
    house: House, counted: Any
) -> None:
    await house.add(counted.make(name="mine"), counted.make(name="ours", same_for_everyone=True))

    for name in ("mine", "ours"):
        assert (await house.result(name, conversation_id="c1")).cached is False
        assert (await house.result(name, conversation_id="c1")).cached is True

    assert (await house.result("mine", conversation_id="c2")).cached is False
    assert (await house.result("ours", conversation_id="c2")).cached is True


async def test_a_failure_is_not_cached(house: House) -> None:
    runs = 0

    @tool(cache_seconds=60)
    async def look() -> str:
        """Fail once."""
        nonlocal runs
        runs += 1
        if runs == 1:
            raise ToolFailed("Not yet.")
        return "found"

    await house.add(look)

    assert (await house.result("look")).is_error
    assert (await house.result("look")).content == "found"


async def test_the_same_question_from_many_at_once_is_answered_to_all(
    house: House, counted: Any
) -> None:
    await house.add(counted.make(same_for_everyone=True))

    outcomes = await asyncio.gather(*(house.result("look") for _ in range(20)))

    assert [o.code for o in outcomes] == [None] * 20


async def test_a_data_version_that_cannot_be_read_means_no_cache(house: House) -> None:
    def broken() -> str:
        raise Odd

    @tool(cache_seconds=60, data_version=broken)
    async def look() -> str:
        """Look."""
        return "seen"

    await house.add(look)

    for _ in range(2):
        outcome = await house.result("look")
        assert (outcome.content, outcome.cached) == ("seen", False)


# ---------------------------------------------------------------------------- alone, side by side


async def most_at_once(house: House, names: list[str], turn_ids: list[str]) -> int:
    """Run a call of each name and say how many tools were running at the same moment."""
    running, most, enough = 0, 0, asyncio.Event()

    def make(name: str, parallel: bool) -> Any:
        @tool(name=name, parallel=parallel)
        async def work() -> None:
            """Work."""
            nonlocal running, most
            running += 1
            most = max(most, running)
            if running == len(names):
                enough.set()
            for _ in range(20):
                await asyncio.sleep(0)
            if parallel and "alone" not in names:
                await enough.wait()
            running -= 1

        return work

    await house.add(make("alone", False), make("together", True))
    await asyncio.gather(
        *(house.result(n, turn_id=t) for n, t in zip(names, turn_ids, strict=True))
    )
    return most


async def test_the_calls_of_a_turn_run_side_by_side(house: House) -> None:
    assert await most_at_once(house, ["together"] * 4, ["t1"] * 4) == 4


async def test_a_tool_that_is_not_parallel_runs_alone_in_its_turn(house: House) -> None:
    names = ["together", "alone", "together", "alone", "together"]
    # The two that may run together never overlap with one that may not.
    running: set[str] = set()
    overlaps: list[set[str]] = []

    def make(name: str, parallel: bool) -> Any:
        @tool(name=name, parallel=parallel)
        async def work(ctx: ToolContext) -> None:
            """Work."""
            running.add(f"{name} {ctx.call_id}")
            overlaps.append(set(running))
            for _ in range(20):
                await asyncio.sleep(0)
            running.discard(f"{name} {ctx.call_id}")

        return work

    await house.add(make("alone", False), make("together", True))

    await asyncio.gather(*(house.result(name, turn_id="t1") for name in names))

    assert len(overlaps) == len(names)
    for together in overlaps:
        if any(name.startswith("alone") for name in together):
            assert len(together) == 1


async def test_another_turn_does_not_wait_for_a_tool_that_runs_alone(house: House) -> None:
    began, let_go = asyncio.Event(), asyncio.Event()

    @tool(parallel=False)
    async def alone(wait: bool) -> str:
        """Work alone."""
        if wait:
            began.set()
            await let_go.wait()
        return "done"

    await house.add(alone)
    first = asyncio.create_task(house.result("alone", {"wait": True}, turn_id="t1"))
    await began.wait()

    assert (await house.result("alone", {"wait": False}, turn_id="t2")).content == "done"
    let_go.set()
    assert (await first).content == "done"


# ---------------------------------------------------------------------------- tools that call tools


async def test_a_tool_calls_another_through_the_gate(house: House) -> None:
    @tool
    async def inner(n: int) -> int:
        """Double."""
        return n * 2

    @tool
    async def outer(ctx: ToolContext, n: int) -> int:
        """Double twice."""
        once = await ctx.call("inner", {"n": n})
        twice = await ctx.call("inner", {"n": once.value})
        return int(twice.value)

    await house.add(inner, outer)

    outcome = await house.result("outer", {"n": 3}, id="toolu_1", turn_id="t1")

    assert outcome.value == 12
    lines = {line["id"]: line for line in await house.lines()}
    assert sorted(line["tool"] for line in lines.values()) == ["inner", "inner", "outer"]
    assert all(line["state"] == "ended" for line in lines.values())
    inner_lines = [line for line in lines.values() if line["tool"] == "inner"]
    for line in inner_lines:
        assert line["caller"] == {"type": "direct", "tool_id": "toolu_1", "via": "composed"}
        assert line["turn_id"] == "t1"


async def test_a_tool_that_calls_another_does_not_lend_it_its_own_permission(house: House) -> None:
    @tool(permission_level="admin")
    async def inner() -> str:
        """For administrators."""
        return "secret"

    @tool
    async def outer(ctx: ToolContext) -> str:
        """Try."""
        return str((await ctx.call("inner", {})).content)

    await house.add(inner, outer)

    outcome = await house.result("outer", by=house.ana)

    assert "needs the role admin" in str(outcome.content)


async def test_an_agent_needs_the_tool_that_its_model_calls_through_another(house: House) -> None:
    @tool
    async def query(sql: str) -> str:
        """Query."""
        return f"answer to {sql}"

    async def ask(ctx: ToolContext, sql: str = "") -> str:
        """Draw what the query gives."""
        return str((await ctx.call("query", {"sql": sql})).content)

    def asked(of_agent: bool) -> Any:
        return lambda input: [InnerCall("query", {"sql": input["sql"]}, of_agent=of_agent)]

    draw = tool(name="draw", calls=asked(True))(ask)
    report = tool(name="report", calls=asked(False))(ask)

    @tool
    async def monthly(ctx: ToolContext) -> str:
        """Draw the query that whoever defined this wrote."""
        return str((await ctx.call("draw", {"sql": "select 2"})).content)

    await house.add(query, draw, report, monthly)
    line = await house.agent("Line", "draw", "report", "monthly")
    analysis = await house.agent("Analysis", "draw", "query")

    async def said(name: str, **how: Any) -> str:
        input = {} if name == "monthly" else {"sql": "select 1"}
        return str((await house.result(name, input, **how)).content)

    assert "query is not among the tools of Line" in await said("draw", agent=line)
    assert await said("draw", agent=analysis) == "answer to select 1"
    assert await said("draw") == "answer to select 1"
    assert await said("report", agent=line) == "answer to select 1"
    assert await said("monthly", agent=line) == "answer to select 2"


async def test_an_inner_call_that_needs_a_person_says_which_confirmation(house: House) -> None:
    @tool(effect="write", confirm="always")
    async def inner() -> str:
        """Write."""
        return "written"

    @tool
    async def outer(ctx: ToolContext) -> Any:
        """Try."""
        asked = await ctx.call("inner", {})
        return {"is_error": asked.is_error, **asked.value}

    await house.add(inner, outer)

    outcome = await house.result("outer")

    assert outcome.value["is_error"] is True
    asked = [line for line in await house.lines() if line["tool"] == "inner"]
    assert [line["confirmation_id"] for line in asked] == [outcome.value["confirmation_id"]]


async def test_tools_that_call_each_other_for_ever_are_stopped(house: House) -> None:
    @tool
    async def again(ctx: ToolContext, n: int) -> str:
        """Call itself."""
        return str((await ctx.call("again", {"n": n + 1})).content)

    await house.add(again)

    outcome = await house.result("again", {"n": 0})

    assert "levels deep" in str(outcome.content)
    lines = await house.lines()
    assert [kinds(line) for line in lines[:-1]] == [["started", "ended"]] * 5
    assert (kinds(lines[-1]), lines[-1]["outcome"]) == (["refused"], "forbidden")


@pytest.mark.parametrize("outer_parallel", [True, False])
@pytest.mark.parametrize("inner_parallel", [True, False])
async def test_a_tool_that_runs_alone_and_one_that_calls_it_do_not_wait_for_each_other(
    house: House, outer_parallel: bool, inner_parallel: bool
) -> None:
    @tool(parallel=inner_parallel, timeout=5)
    async def inner() -> str:
        """Work."""
        return "done"

    @tool(parallel=outer_parallel, timeout=10)
    async def outer(ctx: ToolContext) -> str:
        """Have work done."""
        both = await asyncio.gather(ctx.call("inner", {}), ctx.call("inner", {}))
        return " ".join(str(one.content) for one in both)

    await house.add(inner, outer)

    async with asyncio.timeout(4):
        outcomes = await asyncio.gather(
            house.result("outer", turn_id="t1"), house.result("outer", turn_id="t1")
        )

    assert [o.content for o in outcomes] == ["done done"] * 2
