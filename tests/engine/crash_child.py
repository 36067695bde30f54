"""A process that begins a turn and stands still at a chosen point, to be killed there.

    python -m tests.engine.crash_child FOLDER STORY POINT

It prints every event it has sent, one JSON line each, and `{"here": …}` when it stands at the
point. Points: `piece:N` (before the N-th piece of a reply), `tool:N` (inside the N-th tool that
runs), `waiting` (the turn waits for a person). What happens at any other moment is shown by
`tests/server/kills`.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bancada.domain.json import JSONObject, dumps, loads
from bancada.model.model import Request
from bancada.testing import Hold, Line, calls, calls_many, says
from bancada.tools.tool import Tool, ToolContext, tool
from tests.engine.harness import Harness, working

CODE = ("direct", "code_execution_20260120")

PROGRAM = """
said = []
async def attempt(call):
    try:
        said.append(await call)
    except Exception as error:
        said.append('unknown' if 'may or may not' in str(error) else str(error))
for n in range(1, 6):
    await attempt(read(n=n))
await attempt(pay(n=6))
for n in range(7, 11):
    await attempt(write(n=n) if n % 2 else read(n=n))
print(said)
"""


@dataclass(frozen=True)
class Story:
    """What the model does, reply by reply, whichever process asks it."""

    plan: tuple[Line, ...]
    code: str = "direct"

    def line(self, request: Request) -> Line:
        """The next reply: as many as follow the question are behind us."""
        return self.plan[_replies_since_the_question(request.messages)]


STORIES = {
    "tools": Story(
        (
            calls_many(("read", {"n": 1}, "toolu_1"), ("write", {"n": 2}, "toolu_2")).saying(
                "First I look. "
            ),
            calls_many(("read", {"n": 3}, "toolu_3")),
            says("Now I know enough."),
        )
    ),
    "code": Story((calls("code_execution", code=PROGRAM), says("Done with it.")), code="local"),
}


def _replies_since_the_question(messages: list[JSONObject]) -> int:
    count = 0
    for message in messages:
        if message["role"] == "assistant":
            count += 1
        elif any(block["type"] == "text" for block in message["content"]):
            count = 0
    return count


def tools(folder: Path, reached: Callable[[], Any] | None = None) -> list[Tool]:
    """Tools that note in a file when they begin and end, so that both processes can be read."""

    async def run(name: str, n: int) -> str:
        note(folder, "began", name, n)
        if reached is not None:
            await reached()
        note(folder, "ended", name, n)
        return f"{name} {n}"

    @tool(allowed_callers=CODE)
    async def read(context: ToolContext, n: int) -> str:
        """Look something up."""
        return await run("read", n)

    @tool(effect="write", allowed_callers=CODE)
    async def write(context: ToolContext, n: int) -> str:
        """Change something."""
        return await run("write", n)

    @tool(effect="write", confirm="always", allowed_callers=CODE)
    async def pay(context: ToolContext, n: int) -> str:
        """Change something that needs a person's word."""
        return await run("pay", n)

    return [read, write, pay]


def note(folder: Path, *words: object) -> None:
    with (folder / "ran.jsonl").open("a", encoding="utf-8") as file:
        file.write(dumps(words) + "\n")


def noted(folder: Path) -> list[list[Any]]:
    path = folder / "ran.jsonl"
    return [loads(line) for line in path.read_text().splitlines()] if path.exists() else []


told = [-1]
"""The numbers of the events told so far."""


def say(line: JSONObject) -> None:
    print(dumps(line), flush=True)


async def main(folder: Path, story: Story, point: str) -> None:
    kind, _, count = point.partition(":")
    number = int(count or 0)
    begun = 0

    async def reached() -> None:
        nonlocal begun
        begun += 1
        if kind == "tool" and begun == number:
            say({"here": point})
            await asyncio.Event().wait()

    gate = Hold()
    if kind == "piece":
        gate.let(number)
    else:
        gate.open()
    async with working(folder, *tools(folder, reached), gate=gate, code=story.code) as agent:
        agent.model.will(*[story.line] * 5)
        say({"me": agent.me.id, "agent": agent.agent.id, "conversation": agent.conversation_id})
        turn_id = await agent.ask("Go")
        say({"turn": turn_id})
        if kind == "piece":
            tell = asyncio.create_task(follow(agent, turn_id))
            await gate.arrived()
            await asyncio.sleep(0.2)  # Until what was said is stored and told.
            say({"here": point})
            await tell
        while await follow(agent, turn_id) == "waiting":
            if kind == "waiting":
                say({"here": point})
                await asyncio.Event().wait()
            await agent.decide("approve")
        say({"over": point})


async def follow(agent: Harness, turn_id: str) -> str:
    """Tell every event once, however often the turn is followed."""
    status = ""
    async for frames in agent.bench.runner.follow(turn_id, after=told[-1]):
        for frame in frames:
            event = loads(frame.data)
            say({"n": frame.n, "event": event})
            status = event.get("status", status)
            if frame.n is not None:
                told.append(frame.n)
    return status


if __name__ == "__main__":
    os.environ["PYTHONUNBUFFERED"] = "1"
    asyncio.run(main(Path(sys.argv[1]), STORIES[sys.argv[2]], sys.argv[3]))
