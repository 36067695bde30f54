"""Tasks of τ²-bench, played against recorded results: call by call, and as one program a task."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from itertools import groupby
from typing import Any

import pytest

from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSONObject, dumps, loads
from bancada.store import journals
from bancada.tools.tool import Tool, ToolContext
from tests.engine.conftest import Open
from tests.engine.harness import Harness, assert_acceptable
from tests.shared import SHARED, needs_shared

pytestmark = [needs_shared, pytest.mark.asyncio(loop_scope="session")]

SAMPLE = 6
CALLERS = ("direct", "code_execution_20260120")

sampled = pytest.mark.parametrize(
    ("domain", "step"),
    [
        ("airline", SAMPLE),
        ("retail", SAMPLE),
        pytest.param("airline", 1, marks=pytest.mark.long),
        pytest.param("retail", 1, marks=pytest.mark.long),
    ],
)


def tasks(domain: str, step: int) -> list[JSONObject]:
    lines = (SHARED / "tau2" / domain / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    return [loads(line) for line in lines][::step]


class Tape:
    """The tools of a domain, answering with what was recorded, in the order it was recorded."""

    def __init__(self, domain: str) -> None:
        self._shapes = loads((SHARED / "tau2" / domain / "tools.json").read_bytes())
        self._results: dict[str, deque[JSONObject]] = defaultdict(deque)
        self.together = asyncio.Barrier(1)
        """How many reads must have begun before one of them may end."""

    def wind(self, gold: list[JSONObject]) -> None:
        """Begin a task."""
        self._results.clear()
        for call in gold:
            self._results[_key(call["name"], call["arguments"])].append(call)

    def tools(self) -> list[Tool]:
        return [self._tool(shape) for shape in self._shapes]

    def _tool(self, shape: JSONObject) -> Tool:
        async def run(context: ToolContext, input: JSONObject) -> str:
            call = self._results[_key(shape["name"], input)].popleft()
            if not shape["mutates_state"]:
                async with asyncio.timeout(20):
                    await self.together.wait()
            if call["is_error"]:
                raise ToolFailed(call["result"])
            return str(call["result"])

        return Tool(
            name=shape["name"],
            description=shape["description"],
            input_schema=shape["input_schema"],
            run=run,
            effect="write" if shape["mutates_state"] else "read",
            allowed_callers=CALLERS,
        )


def _key(name: str, arguments: JSONObject) -> str:
    return f"{name} {dumps(arguments)}"


async def opened(open_coder: Open, tape: Tape, **how: Any) -> Harness:
    return await open_coder(*tape.tools(), max_iterations=40, **how)


@sampled
async def test_the_gold_calls_leave_the_gold_record(
    open_coder: Open, domain: str, step: int
) -> None:
    tape = Tape(domain)
    agent = await opened(open_coder, tape, code="direct")
    for task in tasks(domain, step):
        gold = task["gold"]
        replies = [list(calls) for _, calls in groupby(gold, key=_is_read)]
        tape.wind(gold)
        await agent.new_conversation()
        agent.tools_run.clear()

        for calls in replies:
            agent.model.will_call_all(*((call["name"], call["arguments"]) for call in calls))
            # Reads of one reply must all have begun before the first of them may end.
            tape.together = asyncio.Barrier(len(calls) if _is_read(calls[0]) else 1)
            if calls is not replies[-1]:
                agent.model.will_say("Next.")
                await agent.run("Go on")
        agent.model.will_say("Done.")
        turn = await agent.run("Finish")

        assert turn.status == "done"
        assert agent.tools_run == [(call["name"], call["arguments"]) for call in gold]
        messages = await agent.messages()
        asked = [
            (block["name"], block["input"])
            for message in messages
            for block in message.content
            if block["type"] == "tool_use"
        ]
        answered = [
            (block["content"], block.get("is_error", False))
            for message in messages
            for block in message.content
            if block["type"] == "tool_result"
        ]
        assert asked == [(call["name"], call["arguments"]) for call in gold]
        assert answered == [(call["result"], call["is_error"]) for call in gold]
        assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


def _is_read(call: JSONObject) -> bool:
    return not call["mutates_state"]


PROGRAM = """
import json
said = []
for name, arguments in json.loads({calls!r}):
    try:
        said.append([await globals()[name](arguments), False])
    except Exception as error:
        said.append([str(error), True])
print(len(said))
"""


@sampled
async def test_one_program_a_task_gets_the_same_results(
    open_coder: Open, domain: str, step: int
) -> None:
    tape = Tape(domain)
    agent = await opened(open_coder, tape)
    for task in tasks(domain, step):
        gold = task["gold"]
        tape.wind(gold)
        await agent.new_conversation()
        agent.tools_run.clear()
        calls = dumps([[call["name"], call["arguments"]] for call in gold])
        agent.model.will_run(PROGRAM.format(calls=calls)).will_say("Done.")

        turn = await agent.run("Go")

        assert agent.model.last_output["stdout"] == f"{len(gold)}\n"
        assert agent.tools_run == [(call["name"], call["arguments"]) for call in gold]
        code = turn.one("code")["id"]
        journal = await agent.bench.database.read(journals.of_code, turn.turn_id, code)
        told = [(body["text"], body["is_error"]) for kind, body in journal if kind == "answered"]
        assert told == [(call["result"], call["is_error"]) for call in gold]
        # Nothing of what the tools said enters the model's context.
        assert len(dumps(agent.model.last_result)) < 300
        await agent.end_containers()
    await agent.assert_whole()
