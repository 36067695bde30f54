"""The workspace pack on a bench: its tools called as the gate calls them, and offline turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bancada import JSONObject, Pack, Person, Tool, ToolContext
from bancada.model.model import Reply, Request
from bancada.model.offline import OfflineModel
from bancada.packs.workspace import build
from tests.packs.quality.bench import Services, tool_result


class Bench:
    """The pack, one call at a time, and one conversation with its agent and no model."""

    def __init__(self, folder: Path, **services: Any) -> None:
        self.services = Services(folder=folder, **services)
        self.pack: Pack = build(self.services)
        self.model = OfflineModel(self.pack.intents)
        self.called: list[tuple[str, JSONObject]] = []

    def tool(self, name: str) -> Tool:
        return next(tool for tool in self.pack.tools if tool.name == name)

    async def call(self, name: str, *, organisation: int = 1, **input: Any) -> Any:
        """Validate, run, and give back the value, as the gate would."""
        tool = self.tool(name)
        assert tool.validator.problem(input) is None, tool.validator.problem(input)
        return await tool.run(context(organisation), input)

    async def ask(self, question: str) -> str:
        """One question to the agent; `called` says what it asked for."""
        messages: list[JSONObject] = [
            {"role": "user", "content": [{"type": "text", "text": question}]}
        ]
        self.called = []
        while True:
            reply = await self._reply(messages)
            messages.append({"role": "assistant", "content": reply.content})
            calls = [block for block in reply.content if block["type"] == "tool_use"]
            if not calls:
                return "".join(block["text"] for block in reply.content)
            messages.append({"role": "user", "content": [await self._run(one) for one in calls]})

    async def _reply(self, messages: list[JSONObject]) -> Reply:
        (agent,) = self.pack.agents
        tools = [self.tool(name) for name in agent.tools]
        request = Request(
            model="offline",
            max_tokens=agent.max_tokens,
            system=[{"type": "text", "text": agent.system_prompt}],
            messages=messages,
            tools=[{"name": tool.name, "input_schema": tool.input_schema} for tool in tools],
        )
        async for event in self.model.stream(request):
            if isinstance(event, Reply):
                return event
        raise AssertionError("a stream ends with its reply")

    async def _run(self, call: JSONObject) -> JSONObject:
        self.called.append((call["name"], call["input"]))
        return await tool_result(call, self.call(call["name"], **call["input"]))


def context(organisation: int = 1) -> ToolContext:
    async def call(name: str, input: JSONObject) -> Any:
        raise AssertionError("these tools call no others")

    person = Person(
        id=2, organisation_id=organisation, email="rui@demo.com", name="Rui", role="responsavel"
    )
    return ToolContext(person=person, call_id="call_1", conversation_id="c1", call=call)
