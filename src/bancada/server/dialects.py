"""What a pack's own HTTP dialect is built from: the person, and a dialogue on their behalf.

A dialect is a router (entry-point group `bancada.dialects`) that translates somebody else's
routes and shapes into ours. It decides nothing: every step goes through the same doors.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

from fastapi import Depends, UploadFile
from fastapi import Request as HTTPRequest
from sqlalchemy import Connection
from starlette.responses import Response

from bancada.domain.agents import Agent
from bancada.domain.calls import Caller, Outcome, ToolCall
from bancada.domain.errors import Invalid, Problem, TooOften
from bancada.domain.json import JSONObject, dumps, loads
from bancada.domain.people import Person
from bancada.domain.wording import Wording
from bancada.engine.costs import BudgetSpent, used, within_budget
from bancada.engine.live import EventFrame
from bancada.engine.prompts import fitted
from bancada.engine.reply import keeps_out
from bancada.engine.sentences import failure_in_words
from bancada.engine.variants import agent_of
from bancada.engine.workbench import Workbench
from bancada.gate.administration import note
from bancada.gate.gate import must_be_confirmed
from bancada.gate.listing import definition
from bancada.gate.scope import CallScope
from bancada.model.model import ModelFailed, Reply, Request
from bancada.model.providers import Route, another_may_answer
from bancada.policy.budgets import window_start
from bancada.server import sse
from bancada.server.auth import Administrator, Bench, CurrentPerson, identify
from bancada.server.problems import documented
from bancada.server.routes.conversations import new_conversation
from bancada.server.routes.uploads import receive
from bancada.server.shapes import Upload
from bancada.server.uploads import may_upload
from bancada.store import agents, conversations, replies, turns
from bancada.store.conversations import Conversation
from bancada.tools.pack import Jail, KeptFolders

__all__ = [
    "Administrator",
    "CurrentPerson",
    "Dialogue",
    "ProviderFailed",
    "Recorded",
    "SelectEvent",
    "documented",
    "may_upload",
    "pack_folder",
    "pack_jail",
    "pack_kept",
]

SelectEvent: TypeAlias = Callable[[JSONObject], JSONObject | None]
"""What a dialect makes of one of our events; nothing where it has no word for it."""


class ProviderFailed(Problem):
    """The model did not answer; whoever asked may try again."""

    status = 503
    title = "Not ready"


@dataclass(frozen=True)
class Answer:
    """How a question asked once was answered."""

    text: str
    calls: list[JSONObject]
    """Every call that ended, as its `tool_use` event, in the order they were made."""
    waiting: list[JSONObject]
    """What a person must decide first, as `confirmation` events."""
    conversation_id: str


def _conversation(db: Connection, id: str, person_id: int) -> tuple[Conversation, Agent]:
    found = conversations.owned(db, id, person_id)
    return found, agent_of(db, found)


@dataclass
class DialogueDesk:
    """Asking on a person's behalf, with nothing they could not do themselves."""

    bench: Workbench
    person: Person
    request: HTTPRequest

    async def agents(self) -> list[Agent]:
        """The agents this person may use."""
        return await self.bench.database.read(agents.agents_for, self.person.id)

    async def begin(self, agent: int | str) -> tuple[str, Agent]:
        """A new conversation with the agent of that name or id: its id, and the agent."""
        row, found = await self.bench.database.run(
            new_conversation, await identify(self.request), agent
        )
        return row.id, found

    async def title(self, conversation_id: str) -> str:
        row = await self.bench.database.read(conversations.owned, conversation_id, self.person.id)
        return row.title

    async def stream(self, conversation_id: str, question: str, select: SelectEvent) -> Response:
        """Ask, and stream what `select` makes of each event, as bare `data:` lines."""
        turn_id = await self._ask(conversation_id, question)
        turn = await self.bench.database.read(turns.find, turn_id)
        assert turn is not None

        def encode(frame: EventFrame, _: str) -> bytes | None:
            chosen = select(loads(frame.data))
            return None if chosen is None else f"data: {dumps(chosen)}\n\n".encode()

        return sse.stream(self.bench, self.person, turn, encode=encode)

    async def ask_once(self, agent: int | str, question: str) -> Answer:
        """Ask in a conversation of its own, and wait for the answer, or for where a person must
        decide. No list shows the conversation; a request that is refused leaves none."""
        database = self.bench.database
        access = await identify(self.request)
        row, _ = await database.run(new_conversation, access, agent, is_listed=False)
        try:
            turn_id = await self._ask(row.id, question)
        except Problem:
            await database.run(conversations.remove, row.id)
            raise
        told: list[JSONObject] = []
        async for frames in self.bench.runner.follow(turn_id):
            told += [loads(frame.data) for frame in frames]
        return self._answer(row.id, told)

    async def _ask(self, conversation_id: str, question: str) -> str:
        """Begin a turn, unless the first reply could not be paid for."""
        conversation, agent = await self.bench.database.read(
            _conversation, conversation_id, self.person.id
        )
        (await identify(self.request)).check_agent(agent.id)
        if self.bench.models.keyword not in self.bench.models.routes(agent, conversation)[:1]:
            await self._check_budget()
        return await self.bench.conversations.ask(self.person, conversation_id, question)

    def _answer(self, conversation_id: str, told: list[JSONObject]) -> Answer:
        """What a turn's events come to: the text since the last round of calls, and the calls."""
        calls: dict[str, JSONObject] = {}
        waiting: dict[str, JSONObject] = {}
        text = ""
        for event in told:
            match event["type"]:
                case "tool_start":
                    calls.setdefault(event["id"], event)
                case "tool_use":
                    text, calls[event["id"]] = "", event
                case "text":
                    text += event["content"]
                case "again":
                    text = ""
                case "confirmation":
                    waiting[event["id"]] = event
                    parts = {"reason": event["reason"], "id": event["id"]}
                    text += Wording("answer_waits", **parts).told(self.person.language)
                case "decision":
                    waiting.pop(event["id"], None)
                case "error" if event["code"] == "budget_exceeded":
                    raise TooOften("budget_exceeded")
                case "error":
                    raise ProviderFailed("as_said", text=event["content"])
        ended = [call for call in calls.values() if call["type"] == "tool_use"]
        return Answer(text.strip(), ended, list(waiting.values()), conversation_id)

    async def upload(self, conversation_id: str, file: UploadFile) -> Upload:
        return await receive(self.bench, self.person, conversation_id, file, self.request)

    # ------------------------------------------------------------------ one reply, no turn

    async def tool_definitions(self, agent: Agent) -> list[JSONObject]:
        """The tools of the agent that this person may call directly."""
        scope = CallScope(
            person_id=self.person.id, organisation_id=self.person.organisation_id, agent=agent
        )
        return [
            definition(tool)
            for tool, rules in await self.bench.gate.visible(scope)
            if "direct" in rules.allowed_callers and not tool.core
        ]

    async def reply(
        self,
        agent: Agent,
        messages: list[JSONObject],
        tools: list[JSONObject],
        *,
        may_call: bool = True,
    ) -> Reply:
        """One reply of the agent's model, its tool calls not run; paid for as a turn's are.

        `may_call`: false where the tools only explain calls that the messages hold.
        """
        if not self.bench.models.is_offline:
            await self._check_budget()
        began = time.perf_counter()
        request = Request(
            model="",
            max_tokens=agent.max_tokens,
            system=[{"type": "text", "text": self._prompt(agent, tools)}],
            messages=messages,
            tools=tools,
            tool_choice=None if may_call else {"type": "none"},
            organisation_id=self.person.organisation_id,
        )
        try:
            route, reply = await self._first_reply(agent, request)
        except ModelFailed as failure:
            raise self._told(failure) from failure
        await self._keep(agent, route, reply, (time.perf_counter() - began) * 1000)
        return reply

    async def _first_reply(self, agent: Agent, request: Request) -> tuple[Route, Reply]:
        """The reply of the first provider that answers, and which one that was."""
        every = self.bench.models.routes_for(agent, self.person.organisation_id)
        routes = [one for one in every if one.provider.outside_data or not _brings_text(request)]
        if not routes:
            raise keeps_out(every[0])
        for route in routes:
            try:
                asked = route.provider.model.stream(replace(request, model=route.model))
                async for event in asked:
                    if isinstance(event, Reply):
                        return route, event
            except ModelFailed as failed:
                if route is routes[-1] or not another_may_answer(failed):
                    raise
        raise ProviderFailed("model_silent")

    def _prompt(self, agent: Agent, tools: list[JSONObject]) -> str:
        known = {tool.name for tool in self.bench.registry.for_person(self.person)}
        offered = {str(shape["name"]) for shape in tools}
        return fitted(agent.system_prompt, known=known | set(agent.tools), offered=offered)

    def _told(self, failure: ModelFailed) -> Problem:
        """Messages that the provider does not take are the caller's to mend; the rest is not."""
        if failure.detail is None and failure.status in (400, 413, 422):
            return Invalid("model_refused_messages", reason=failure)
        return ProviderFailed("as_said", text=failure_in_words(failure, self.person.language))

    async def _check_budget(self) -> None:
        person, since = self.person, window_start("month", time.time())
        spent = await self.bench.database.read(
            replies.spending, person.id, person.organisation_id, since
        )
        try:
            within_budget(spent, person.email)
        except BudgetSpent as spent_all:
            raise TooOften(spent_all.code) from spent_all

    async def _keep(self, agent: Agent, route: Route, reply: Reply, duration_ms: float) -> None:
        """What the reply used counts like a turn's; there is no turn to name."""
        assert agent.id is not None
        row = used(
            reply,
            route.provider.price(reply.usage, reply.model),
            duration_ms,
            organisation_id=self.person.organisation_id,
            user_id=self.person.id,
            agent_id=agent.id,
        )
        await self.bench.database.run(replies.add, row)

    def detect(self, text: str, tools: list[str]) -> JSONObject:
        """What the keyword planner makes of a sentence."""
        found = self.bench.models.offline.detect(
            text, tools, organisation_id=self.person.organisation_id
        )
        if found is None:
            return {"intent": None, "confidence": 0.0, "parameters": {}}
        return {
            "intent": found.intent.name,
            "confidence": found.confidence,
            "parameters": found.parameters,
        }

    async def call(
        self, name: str, input: JSONObject, call_id: str, *, session: str | None = None
    ) -> Outcome:
        """One tool call through the gate, in keyword mode's name."""
        caller = Caller(via="keyword", session=session)
        call = ToolCall(id=call_id, name=name, input=input, caller=caller)
        scope = CallScope(person_id=self.person.id, organisation_id=self.person.organisation_id)
        outcome = await self.bench.gate.call(call, scope)
        return outcome if isinstance(outcome, Outcome) else must_be_confirmed(call, outcome)


async def dialogue(request: HTTPRequest, bench: Bench, person: CurrentPerson) -> DialogueDesk:
    return DialogueDesk(bench, person, request)


Dialogue = Annotated[DialogueDesk, Depends(dialogue)]
"""For a route of a dialect: conversations and calls on behalf of whoever sent the request."""


class Recorder:
    """Writes down, in the record of administration, what an administrator changed in a pack's data."""

    def __init__(self, admin: Administrator, bench: Bench) -> None:
        self._admin, self._database = admin, bench.database

    async def data_changed(
        self, about: str, *, before: JSONObject | None, after: JSONObject | None
    ) -> None:
        """Only what differs is kept; where nothing does, nothing is written."""
        await self._database.run(
            partial(note, before=before or {}, after=after or {}),
            self._admin,
            "data_changed",
            about,
        )


Recorded = Annotated[Recorder, Depends()]
"""For a pack's own routes, where an administrator changes what the pack holds."""


def _brings_text(request: Request) -> bool:
    """Whether results stand among the messages: a client's own, which come from anywhere."""
    blocks = [b for m in request.messages if isinstance(m["content"], list) for b in m["content"]]
    return any(isinstance(b, dict) and str(b.get("type")).endswith("_result") for b in blocks)


def pack_jail(request: HTTPRequest) -> Jail:
    """For a pack's own routes: where files that people upload are read, as `Services.jail` is."""
    bench: Workbench = request.app.state.bench
    return bench.jail


def pack_folder(name: str) -> Callable[[HTTPRequest], Path]:
    """For a pack's own routes: the folder that `Services.folder` names when the pack is built."""

    def folder(request: HTTPRequest) -> Path:
        bench: Workbench = request.app.state.bench
        return bench.settings.data / "packs" / name

    return folder


def pack_kept(name: str) -> Callable[[HTTPRequest], KeptFolders]:
    """For a pack's own routes: what `Services.kept` is when the pack is built."""

    def kept(request: HTTPRequest) -> KeptFolders:
        bench: Workbench = request.app.state.bench
        return bench.kept_folders(name)

    return kept
