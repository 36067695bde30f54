"""Killed at any point, a turn goes on from its record: nothing finished runs again."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bancada.domain.json import JSONObject, loads
from bancada.domain.messages import text_of
from bancada.sandbox import Sandbox
from bancada.testing import Told
from tests.engine.crash_child import STORIES, noted, tools
from tests.engine.harness import Harness, assert_acceptable, working
from tests.forks import forked

pytestmark = pytest.mark.asyncio(loop_scope="session")


@dataclass
class Killed:
    """What a process left behind, and what it had told its reader."""

    folder: Path
    told: list[tuple[int | None, JSONObject]] = field(default_factory=list)
    turn_id: str = ""
    conversation_id: str = ""
    over: bool = False
    """It came to its end before it reached the point."""

    @property
    def last(self) -> int:
        return max((n for n, _ in self.told if n is not None), default=-1)


async def killed_at(folder: Path, story: str, point: str) -> Killed:
    """Run the story in a process of its own and kill it at the point."""
    process = await forked(
        "tests.engine.crash_child", str(folder), story, point, stdout=asyncio.subprocess.PIPE
    )
    left = Killed(folder)
    assert process.stdout is not None
    try:
        async with asyncio.timeout(90):
            async for line in process.stdout:
                said = loads(line)
                if "event" in said:
                    left.told.append((said["n"], said["event"]))
                left.turn_id = said.get("turn", left.turn_id)
                left.conversation_id = said.get("conversation", left.conversation_id)
                left.over = "over" in said
                if "here" in said or "over" in said:
                    break
            else:
                raise AssertionError(f"the process ended before {point}")
    finally:
        process.send_signal(signal.SIGKILL)
        await process.wait()
    return left


@asynccontextmanager
async def taken_up(left: Killed, story: str, sandbox: Sandbox | None = None) -> Any:
    """A new workbench on what was left."""
    async with working(
        left.folder, *tools(left.folder), sandbox=sandbox, reopen=True, code=STORIES[story].code
    ) as agent:
        agent.conversation_id = left.conversation_id
        agent.model.will(*[STORIES[story].line] * 5)
        yield agent


async def finished(agent: Harness, left: Killed, *, waits: bool) -> Told:
    """Recover, decide what waits, and read the rest of the turn."""
    assert await agent.bench.runner.peers.recover(alone=True) <= 1
    agent.person.approves("pay")
    rest = await agent.follow(left.turn_id, after=left.last)
    while rest.status == "waiting":
        assert waits
        assert await agent.person.answer((await agent.queue())[0])
        rest = await agent.follow(left.turn_id, after=left.last)
    return rest


def joined(left: Killed, rest: Told) -> Told:
    """What a reader has who was cut off and came back."""
    before = [(n, event) for n, event in left.told if n is not None]
    after = list(zip(rest.numbers, rest.events, strict=True))
    both = [*before, *after]
    return Told(left.turn_id, [event for _, event in both], [n for n, _ in both])


async def check(agent: Harness, left: Killed, rest: Told, story: str) -> None:
    """What holds wherever the process was killed."""
    whole = joined(left, rest)
    assert whole.status == "done"
    assert whole.numbers == sorted(set(whole.numbers))  # type: ignore[type-var]
    expected = "".join(text_of(line.content) for line in STORIES[story].plan)
    assert whole.text == expected
    for type in ("tool_start", "tool_use", "code", "confirmation", "decision"):
        ids = [event["id"] for event in whole.of(type)]
        assert len(ids) == len(set(ids)), f"{type} told twice"
    ends = [event["id"] for event in whole.of("tool_use")]
    assert {event["id"] for event in whole.of("tool_start")} <= set(ends)
    began = Counter((name, n) for what, name, n in noted(left.folder) if what == "began")
    for (name, n), times in began.items():
        assert times == 1 or (name == "read" and times == 2), f"{name} {n} ran {times} times"
    assert sum(times - 1 for times in began.values()) <= 2
    for request in agent.model.requests:
        assert_acceptable(request.messages)
    await agent.assert_whole()


@pytest.fixture
def folder(tmp_path: Path, sqlite_url: str) -> Path:
    return tmp_path


async def test_killed_during_a_reply_it_is_asked_again(folder: Path) -> None:
    left = await killed_at(folder, "tools", "piece:2")
    assert [event["content"] for _, event in left.told if event["type"] == "text"]

    async with taken_up(left, "tools") as agent:
        rest = await finished(agent, left, waits=False)

        assert rest.events[0]["type"] == "again"
        assert min(n for n in rest.numbers if n is not None) > left.last + 1000
        await check(agent, left, rest, "tools")


async def test_killed_within_a_read_it_runs_again(folder: Path) -> None:
    left = await killed_at(folder, "tools", "tool:3")

    async with taken_up(left, "tools") as agent:
        rest = await finished(agent, left, waits=False)

        assert rest.of("again") == []
        began = [line[1:] for line in noted(folder) if line[0] == "began"]
        assert began.count(["read", 3]) == 2
        assert began.count(["write", 2]) == 1
        assert rest.of("tool_use")[-1]["result"] == "read 3"
        await check(agent, left, rest, "tools")


async def test_killed_within_a_write_it_is_reported_as_unknown(folder: Path) -> None:
    left = await killed_at(folder, "tools", "tool:2")

    async with taken_up(left, "tools") as agent:
        rest = await finished(agent, left, waits=False)

        uses = {event["id"]: event for event in joined(left, rest).of("tool_use")}
        assert uses["toolu_2"]["is_error"] is True
        assert "may or may not" in uses["toolu_2"]["result"]
        assert uses["toolu_1"]["result"] == "read 1"
        began = [line[1:] for line in noted(folder) if line[0] == "began"]
        assert began.count(["write", 2]) == 1
        (line,) = [line for line in await agent.audit() if line["call_id"] == "toolu_2"]
        assert line["outcome"] == "unknown"
        await check(agent, left, rest, "tools")


async def test_killed_between_results_and_reply_it_goes_on(folder: Path) -> None:
    left = await killed_at(folder, "tools", "piece:4")

    async with taken_up(left, "tools") as agent:
        rest = await finished(agent, left, waits=False)

        assert len([line for line in noted(folder) if line[0] == "began"]) == 3
        await check(agent, left, rest, "tools")


@pytest.mark.parametrize("point", ["tool:3", "waiting", "tool:7"])
async def test_a_program_goes_on_from_where_it_was_killed(
    folder: Path, sandbox: Sandbox, point: str
) -> None:
    await program_survives(folder, sandbox, point)


@pytest.mark.long
@pytest.mark.parametrize("point", [f"tool:{n}" for n in range(1, 11)])
async def test_a_program_survives_a_kill_at_each_of_its_calls(
    folder: Path, sandbox: Sandbox, point: str
) -> None:
    await program_survives(folder, sandbox, point)


async def program_survives(folder: Path, sandbox: Sandbox, point: str) -> None:
    left = await killed_at(folder, "code", point)
    if left.over:
        pytest.skip("it ended before")
    cut = [line[1:] for line in noted(folder) if line[0] == "began"]
    for line in noted(folder):
        if line[0] == "ended":
            cut.remove(line[1:])

    async with taken_up(left, "code", sandbox) as agent:
        left.turn_id = left.turn_id or await agent.last_turn()
        rest = await finished(agent, left, waits=True)

        await check(agent, left, rest, "code")
        whole = joined(left, rest)
        printed = whole.one("code")["stdout"]
        for n in range(1, 11):
            name = "pay" if n == 6 else "write" if n in (7, 9) else "read"
            unknown = [name, n] in cut and name != "read"
            assert unknown or f"'{name} {n}'" in printed or point.startswith("commit")
        assert printed.count("'") == 20
        assert printed.count("unknown") <= 1
        assert len(whole.of("tool_use")) == 10
        if point.startswith("tool:"):
            assert printed.count("unknown") == (cut[0][0] != "read")
