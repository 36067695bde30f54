"""A whole workbench around a scripted model: a person asks, tools run, the record is read.

    agent.model.will_call("delete_node", id="n1")
    agent.person.refuses("delete_node")

    turn = await agent.run("Delete n1")

    assert agent.tools_run == []
    assert agent.model.last_result["is_error"]

Everything goes through the doors that the server uses (`Conversations`, `Runner.follow`); what was
written is read back from the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bancada.domain.agents import Agent
from bancada.domain.json import JSONObject, loads
from bancada.domain.people import Person
from bancada.engine.workbench import Workbench, open_workbench
from bancada.model.model import ModelFailed
from bancada.sandbox import Sandbox
from bancada.settings import load_settings
from bancada.store import agents, audit, conversations, messages, people, tool_settings, turns
from bancada.store.confirmations import Confirmation
from bancada.store.messages import StoredMessage
from bancada.testing import Hold, Line, ScriptedModel, Told, calls, calls_many, says
from bancada.testing.turns import follow
from bancada.tools.tool import Tool, ToolContext

NAME = "Bancada"
ADDRESS = "ana@example.com"


class Script(ScriptedModel):
    """The scripted model, told what to do one line at a time."""

    def __init__(self, *, gate: Hold | None = None) -> None:
        super().__init__([], gate=gate)

    def will_call(self, tool: str, /, **input: object) -> Script:
        self.add(calls(tool, **input))
        return self

    def will_call_all(self, *asked: Any) -> Script:
        self.add(calls_many(*asked))
        return self

    def will_run(self, code: str) -> Script:
        """Ask for `code_execution`."""
        return self.will_call("code_execution", code=code)

    def will_say(self, text: str) -> Script:
        self.add(says(text))
        return self

    def will(self, *lines: Line | ModelFailed | str | Callable[[Any], Line]) -> Script:
        self.add(*lines)
        return self

    @property
    def last_result(self) -> JSONObject:
        """The last tool result the model was sent."""
        return self.last_results[-1]

    @property
    def last_output(self) -> JSONObject:
        """What the last code printed, as the model read it."""
        text = self.last_result["content"]
        return loads(text) if text.startswith("{") else {"error": text}


@dataclass
class Hands:
    """The person's, at the confirmations."""

    agent: Harness
    _answers: dict[str, JSONObject] = field(default_factory=dict)

    def approves(self, tool: str, **how: Any) -> None:
        """Say yes whenever this tool asks; `input=` changes its arguments."""
        self._answers[tool] = {"decision": "approve", **how}

    def refuses(self, tool: str, reason: str | None = None) -> None:
        self._answers[tool] = {"decision": "reject", "reason": reason}

    async def answer(self, waiting: Confirmation) -> bool:
        """Decide what was announced; false when nothing was said about this tool."""
        said = self._answers.get(waiting.tool)
        if said is None:
            return False
        await self.agent.bench.confirmations.decide(self.agent.me, waiting.id, **said)
        return True


@dataclass
class Harness:
    """One person, one agent, one conversation, on a workbench of their own."""

    bench: Workbench
    model: Script
    me: Person
    agent: Agent
    conversation_id: str
    folder: Path
    open_again: Callable[[], Awaitable[Workbench]]
    tools_run: list[tuple[str, JSONObject]] = field(default_factory=list)
    """Every tool that really ran, in the order in which they began."""
    person: Hands = field(init=False)

    def __post_init__(self) -> None:
        self.person = Hands(self)

    # ------------------------------------------------------------------ asking

    async def ask(self, text: str) -> str:
        return await self.bench.conversations.ask(self.me, self.conversation_id, text)

    async def follow(self, turn_id: str, after: int = -1) -> Told:
        """Read until the turn ends or waits."""
        return await follow(self.bench, turn_id, after)

    async def run(self, text: str) -> Told:
        """Ask and read to the end, deciding whatever the person has an answer for."""
        return await self.to_the_end(await self.ask(text))

    async def to_the_end(self, turn_id: str) -> Told:
        happened = await self.follow(turn_id)
        while happened.status == "waiting":
            waiting = await self.queue()
            answered = [await self.person.answer(each) for each in waiting[:1]]
            if not any(answered):
                break
            happened = await self.follow(turn_id)
        return happened

    async def queue(self) -> list[Confirmation]:
        """What waits for this person."""
        return list(await self.bench.confirmations.queue(self.me))

    async def decide(self, decision: str = "approve", **how: Any) -> Confirmation:
        """Decide the first thing that waits."""
        waiting = await self.queue()
        return await self.bench.confirmations.decide(
            self.me,
            waiting[0].id,
            decision,  # type: ignore[arg-type]
            **how,
        )

    async def idle(self) -> None:
        """Until no task of this process is at work on a turn."""
        async with asyncio.timeout(20):
            while self.bench.runner.running:
                await asyncio.sleep(0.01)

    async def stop(self) -> str:
        return await self.bench.conversations.stop(self.me, self.conversation_id)

    async def retry(self, content: str | None = None, again: str | None = None) -> Told:
        turn_id = await self.bench.conversations.retry(
            self.me, self.conversation_id, content, again
        )
        return await self.to_the_end(turn_id)

    async def end_containers(self) -> None:
        running = self.bench.jail.running
        for container in running.containers() if running is not None else ():
            assert running is not None
            await running.end(container.id)

    async def restart(self) -> None:
        """Close the workbench and open another on what is stored."""
        await self.bench.close()
        self.bench = await self.open_again()

    async def new_conversation(self) -> str:
        """Leave this conversation for a fresh one with the same agent."""
        self.conversation_id = await _conversation(self.bench, self.me, self.agent)
        return self.conversation_id

    async def as_person(self, person: Person) -> None:
        """Go on as somebody else, who may use the agent too, in a conversation of their own."""
        assert self.agent.id is not None
        await self.bench.database.run(agents.grant, person.id, self.agent.id)
        self.me = person
        await self.new_conversation()

    async def upload(self, text: str, name: str = "parts.csv") -> None:
        """Give the conversation a file, as the upload route does."""
        source = self.folder / f"incoming-{name}"
        source.write_text(text, encoding="utf-8")
        await self.bench.uploads.receive(self.conversation_id, source, name)

    # ------------------------------------------------------------------ reading the record

    async def messages(self) -> list[StoredMessage]:
        return await self.bench.database.read(messages.of_conversation, self.conversation_id)

    async def messages_of(self, turn_id: str) -> list[StoredMessage]:
        return await self.bench.database.read(messages.of_turn, turn_id)

    async def status(self) -> str:
        last = await self.bench.database.read(turns.last_of, self.conversation_id)
        assert last is not None
        return last.status

    async def last_turn(self) -> str:
        last = await self.bench.database.read(turns.last_of, self.conversation_id)
        assert last is not None
        return last.id

    async def audit(self) -> list[JSONObject]:
        """One line a call."""
        lines = await self.bench.database.read(audit.export, self.me.organisation_id)
        return [line for line in lines if line["category"] == audit.CALL]

    async def assert_whole(self) -> None:
        """The chain verifies, and every call of the conversation has exactly one result."""
        verdict = await self.bench.database.read(audit.verify, self.me.organisation_id)
        assert verdict.ok, verdict
        assert_pairs([message.content for message in await self.messages()])

    @property
    def names_run(self) -> list[str]:
        return [name for name, _ in self.tools_run]


def assert_pairs(contents: Sequence[list[JSONObject]]) -> None:
    """Every call has one result, and every result a call before it."""
    asked: list[str] = []
    answered: list[str] = []
    for content in contents:
        for block in content:
            if block["type"] in ("tool_use", "server_tool_use"):
                asked.append(block["id"])
            elif "tool_use_id" in block:
                assert block["tool_use_id"] in asked, block
                answered.append(block["tool_use_id"])
    assert sorted(asked) == sorted(answered)


def assert_acceptable(sent: Sequence[JSONObject]) -> None:
    """What the API checks of the messages of a request."""
    assert sent[0]["role"] == "user"
    asked: set[str] = set()
    for at, message in enumerate(sent):
        assert message["content"], "an empty message"
        assert at == 0 or sent[at - 1]["role"] != message["role"], "two in a row"
        results = [b["tool_use_id"] for b in message["content"] if b["type"] == "tool_result"]
        kinds = [b["type"] == "tool_result" for b in message["content"]]
        assert kinds == sorted(kinds, reverse=True), "results come first"
        if message["role"] == "user":
            assert len(results) == len(set(results)), "one result a call"
            assert set(results) == asked, f"{asked} asked, {set(results)} answered"
        asked = {b["id"] for b in message["content"] if b["type"] == "tool_use"}
    assert not asked, "the last calls are unanswered"


@asynccontextmanager
async def working(
    folder: Path,
    *tools: Tool,
    gate: Hold | None = None,
    provider: bool = False,
    sandbox: Sandbox | None = None,
    reopen: bool = False,
    database_url: str | None = None,
    settings: JSONObject | None = None,
    **agent: Any,
) -> AsyncIterator[Harness]:
    """Open a workbench with these tools and an agent that has them all.

    `gate` holds the scripted model back; with `provider` the settings say which model answers;
    `sandbox` is one that is already running; `reopen` finds person and agent in the folder.
    """
    script = Script(gate=gate)
    ran: list[tuple[str, JSONObject]] = []
    given = load_settings(
        data=folder,
        environment={},
        password_cost=1,
        database_url=database_url,
        **(settings or {}),
    )

    async def open_bench() -> Workbench:
        bench = await open_workbench(given, model=None if provider else script)
        if sandbox is not None:
            bench.jail._sandbox = Lent(sandbox)  # type: ignore[assignment]
        for tool in tools:
            bench.registry.add(watched(tool, ran))
        await bench.database.run(tool_settings.reconcile, dict(bench.registry.packs()))
        return bench

    bench = await open_bench()
    given_agent = {
        "system_prompt": "You help.",
        "tools": tuple(tool.name for tool in tools),
        **agent,
    }
    shape = Agent(name=NAME, description="", **given_agent)
    if reopen:
        known = await bench.database.read(people.person_by_email, ADDRESS)
        assert known is not None
        me, (stored,) = known, await bench.database.read(agents.agents_for, known.id)
    else:
        me = await bench.database.run(
            people.add_person,
            organisation_id=await bench.database.run(people.first_organisation),
            email=ADDRESS,
            name="Ana",
            role="admin",
            language="en",
        )
        stored = await add_agent(bench, me, shape)
    harness = Harness(
        bench=bench,
        model=script,
        me=me,
        agent=stored,
        conversation_id=await _conversation(bench, me, stored),
        folder=folder,
        open_again=open_bench,
        tools_run=ran,
    )
    try:
        yield harness
    finally:
        await harness.bench.close()


async def add_agent(bench: Workbench, person: Person, agent: Agent) -> Agent:
    """An agent this person may use."""
    stored = await bench.database.run(agents.add_agent, person.organisation_id, agent)
    assert stored.id is not None
    await bench.database.run(agents.grant, person.id, stored.id)
    return stored


async def _conversation(bench: Workbench, person: Person, agent: Agent) -> str:
    assert agent.id is not None
    row = await bench.database.run(
        conversations.add,
        organisation_id=person.organisation_id,
        user_id=person.id,
        agent_id=agent.id,
    )
    return row.id


def watched(tool: Tool, ran: list[tuple[str, JSONObject]]) -> Tool:
    """The same tool, noting each run."""

    async def run(context: ToolContext, input: JSONObject) -> Any:
        ran.append((tool.name, input))
        return await tool.run(context, input)

    return replace(tool, run=run)


class Lent:
    """A sandbox that outlives the workbench: starting one loads pandas, which is the dear part."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sandbox, name)

    async def close(self) -> None:
        for container in self._sandbox.containers():
            await self._sandbox.end(container.id)


@dataclass
class Latch:
    """A tool stands here until a test lets it go on; the test can wait for it to arrive."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self) -> None:
        self.reached.set()
        await self.opened.wait()

    async def arrived(self) -> None:
        async with asyncio.timeout(20):
            await self.reached.wait()

    def open(self) -> None:
        self.opened.set()
