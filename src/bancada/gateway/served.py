"""A request that we add something to: code in our sandbox, and tools of the key's agent.

Reply, tools, repeat, by the steps that a turn takes; but the conversation is the client's, and a call of
the client's own tool ends the answer, so that the client can run it and come back.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from bancada.domain.agents import Agent
from bancada.domain.calls import CODE_TOOL, Caller, Outcome, ToolCall
from bancada.domain.json import JSONObject, dumps, loads
from bancada.domain.messages import Block, text_block
from bancada.domain.wording import Wording
from bancada.engine.calls import result_block, told_results, with_hint
from bancada.engine.codeblocks import as_tool_result
from bancada.engine.context import answer_now, call_it_now, with_words, without_tools
from bancada.engine.reply import describes_call, is_mute, said_once
from bancada.gateway.asked import Asked
from bancada.gateway.books import GatewayBooks, KeyStanding
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import GatewayRefused
from bancada.gateway.exchange import Exchange, run_here, scope_of
from bancada.gateway.history import RESULT_HERE, ClientHistory, answer_text
from bancada.gateway.metering import Meter
from bancada.gateway.offered import Offered
from bancada.gateway.told import ToldSoFar
from bancada.gateway.upstream import (
    INSTEAD_OF,
    MESSAGES,
    PROVIDER,
    GatewayAnswer,
    Upstream,
    check_outside,
)
from bancada.gateway.wire import closing, message_events
from bancada.model.model import ModelFailed, Reply
from bancada.model.sse import Frames, ReplyBuilder, parse

MOST_REPLIES = 20
"""Of one answer: then it pauses, and the client sends it back to go on."""
MOST_MUTE = 2
"""So often a model that says nothing is asked for words: in a sentence, then without tools."""
PING_SECONDS = 10.0
ROLLING_SECONDS = 270.0


@dataclass
class ServedRequest:
    """One answer, made of the model's replies and of what runs here."""

    books: GatewayBooks
    client: GatewayClient
    asked: Asked
    history: ClientHistory
    offered: Offered
    upstream: Upstream
    admitted: KeyStanding
    agent: Agent | None = None
    exchange: Exchange | None = None
    stop_reason: str = "end_turn"
    headers: dict[str, str] = field(default_factory=dict)
    """Who answers instead of whom, where that is so."""
    _messages: list[JSONObject] = field(default_factory=list)
    """What the model behind is asked next."""
    _first: GatewayAnswer | None = None
    _reserved: str | None = None
    """The money that is set aside for the reply under way."""
    _replies: int = 0
    _mute: int = 0
    _tell: Callable[[str], str] | None = None
    """What the model is told next: it said nothing, or wrote about a tool instead of calling it."""
    _results: list[Block] = field(default_factory=list)
    """What the agent's tools returned here."""
    _reply: Reply | None = None
    _spoiled: JSONObject = field(default_factory=dict)
    """Calls of that reply which cannot run, and why."""
    _used_container: bool = False
    _outside: bool = False
    """Something that ran here brought text from outside."""
    _reported: set[str] = field(default_factory=set)
    _open_calls: list[Block] = field(default_factory=list)
    """Calls of the last reply that are the client's to run."""

    def __post_init__(self) -> None:
        self.told = ToldSoFar(
            self.offered, shows_calls=self.asked.knows_server_calls, taken=self.history.ids
        )

    async def begin(self) -> None:
        """As far as it goes before anything is told: a refusal can still be one."""
        if self.exchange is not None:
            self.told.taken |= {cell.code_id for cell in await self.exchange.record.cells()}
        if self.history.inner_pending:
            assert self.exchange is not None
            self._used_container = True
            return
        self._messages = self.history.for_model()
        self._first = await self._open()
        told = (PROVIDER, INSTEAD_OF)
        self.headers = {k: v for k, v in self._first.headers.items() if k in told}

    @property
    def tainted(self) -> bool:
        """Whether the model reads text from outside: the client's, or what ran here brought it."""
        return self._outside or self.history.brings_text

    def _brought(self, outside: bool) -> None:
        self._outside = self._outside or outside
        if self.exchange is not None:
            self.exchange.tainted = self.exchange.tainted or outside

    def message(self) -> JSONObject:
        """The whole answer, once the events are over."""
        return self.told.message(self.stop_reason, self._container())

    async def events(self) -> AsyncIterator[JSONObject]:
        """The answer as the wire tells it."""
        if self.history.inner_pending:
            yield self.told.begin({"model": self.asked.model})
            async for event in self._code(self._go_on()):
                yield event
            if self._paused:
                async for event in self._finish("tool_use"):
                    yield event
                return
            said = {"role": "assistant", "content": list(self.told.content)}
            self._messages = ClientHistory([*self.history.messages, said]).for_model()
        while True:
            async for event in self._ask():
                yield event
            assert self._reply is not None
            if self._reply.stop_reason == "tool_use":
                async for event in self._run_calls(self._reply):
                    yield event
            ends = self._ends(self._reply)
            if ends is not None:
                break
        async for event in self._finish(ends):
            yield event

    def _ends(self, reply: Reply) -> str | None:
        """Why the answer ends here; none: the model is asked again."""
        self._tell = None
        if self._paused or self._open_calls:
            return "tool_use"
        if is_mute(reply.stop_reason, reply.content, last_answer=self._mute == MOST_MUTE):
            self._mute += 1
            if self._mute > MOST_MUTE:
                return "end_turn"
            self._tell = answer_now
        elif self._is_described(reply):
            self._mute, self._tell = 1, call_it_now
        elif reply.stop_reason != "tool_use":
            return reply.stop_reason
        return "pause_turn" if self._replies >= MOST_REPLIES else None

    def _is_described(self, reply: Reply) -> bool:
        small = self.upstream.route.provider.limits.is_small and self.agent is not None
        if not small or self._replies > 1 or self.history.unfinished:
            return False
        ours = [tool for tool in self.offered.definitions if tool["name"] in self.offered.of_agent]
        return describes_call(reply.stop_reason, reply.content, ours)

    # ------------------------------------------------------------------ the model behind

    async def _open(self) -> GatewayAnswer:
        self._replies += 1
        if self._replies > 1:
            await self.books.check_key(self.client)
            self.admitted = await self.books.admitted(self.client)
        if self.tainted:
            check_outside(self.upstream)
        body = self._body()
        asked = replace(self.asked, content=dumps(body).encode(), body=body)
        route = self.upstream.route
        self._reserved = await self.books.reserve(self.client, asked, route, self.admitted)
        try:
            answer = await self.upstream.send(MESSAGES, asked)
            if answer.status != 200:
                said = await answer.read()
                raise GatewayRefused("", status=answer.status, headers=answer.headers, raw=said)
        except BaseException:
            await asyncio.shield(self.books.money.settle(self._reserved))
            raise
        return answer

    def _body(self) -> JSONObject:
        body = {k: v for k, v in self.asked.body.items() if k not in ("container", "tools")}
        messages, tools = self._messages, self.offered.definitions
        if self._replies > 1:
            # Forced once, not for ever: it was asked of the first reply.
            body.pop("tool_choice", None)
        if self._mute < MOST_MUTE:
            if self._tell is not None:
                messages = with_words(messages, self._tell(self.history.question))
        elif tools:
            honours = self.books.bench.models.providers.honours(self.upstream.route)
            messages, tools, choice = without_tools(messages, tools, honours)
            body |= {"tool_choice": choice} if choice is not None else {}
        return {**body, "messages": messages, **({"tools": tools} if tools else {})}

    async def _ask(self) -> AsyncIterator[JSONObject]:
        began = time.perf_counter()
        answer = self._first or await self._open()
        self._first = None
        self.told.next_reply()
        builder = ReplyBuilder()
        meter = Meter.of("event-stream", self.upstream.route)
        try:
            async for event in _events_of(answer):
                meter.event(event)
                for shown in self.told.shown(event):
                    yield shown
                builder.feed([event])
            reply, self._spoiled, late = self.told.settle(builder.reply())
            names = {b.get("name") for b in reply.content if b.get("type") == "tool_use"}
            self._reply = said_once(reply) if names <= self.offered.of_agent else reply
            for event in late:
                yield event
        except ModelFailed as failed:
            raise GatewayRefused(str(failed), status=failed.status or 502) from failed
        finally:
            meter.calls = []
            spent = time.perf_counter() - began
            kept = self.books.keep(self.client, self.asked, meter, spent, self._reserved)
            await asyncio.shield(kept)

    # ------------------------------------------------------------------ what runs here

    async def _run_calls(self, reply: Reply) -> AsyncIterator[JSONObject]:
        calls = [block for block in reply.content if block.get("type") == "tool_use"]
        code = [b for b in calls if b.get("name") == CODE_TOOL and self.offered.version]
        ours = [b for b in calls if b.get("name") in self.offered.of_agent]
        strange = [
            b for b in calls if b not in (*code, *ours) and self.told.is_nobodys(b, self._spoiled)
        ]
        before = [block for message in self._messages for block in _blocks(message)]
        results: dict[str, Block] = {}
        here = [*ours, *strange]
        if here or code:
            await self.books.check_key(self.client)
        ended = await asyncio.gather(*(self._call_here(block) for block in here))
        for block, outcome in zip(here, ended, strict=True):
            results[str(block["id"])] = with_hint(before, block, result_block(block, outcome))
            self._results += [results[str(block["id"])]] if block in ours else []
            self._brought(outcome.outside)
            if self.told.shows_calls and block in ours:
                for event in self.told.add(self._result_here(block, outcome)):
                    yield event
        if code:
            exchange = await self._container_for()
            given = {self.told.code_id(str(b["id"])): str(b["id"]) for b in code}
            self._used_container = True
            exchange.start([self._code_block(block) for block in code])
            async for event in self._code(exchange):
                yield event
            for block in self.told.content:
                known = given.get(str(block.get("tool_use_id")))
                if known is not None:
                    results[known] = as_tool_result(block, known)
        answers = [results[str(b["id"])] for b in calls if str(b["id"]) in results]
        self._open_calls = [b for b in calls if str(b["id"]) not in results]
        self._messages = [
            *self._messages,
            {"role": "assistant", "content": reply.content},
            {"role": "user", "content": answers},
        ]

    async def _container_for(self) -> Exchange:
        if self.exchange is None:
            self.exchange = await self.books.new_container(
                self.client, self.offered, self.agent, tainted=self.tainted
            )
        return self.exchange

    def _code_block(self, block: Block) -> Block:
        id = self.told.code_id(str(block["id"]))
        return {"type": "server_tool_use", "id": id, "name": CODE_TOOL, "input": block["input"]}

    async def _call_here(self, block: Block) -> Outcome:
        exchange_id = self.exchange.row.id if self.exchange else str(self.told.head["id"])
        scope = scope_of(self.client, self.agent, exchange_id, tainted=self.tainted)
        call = ToolCall(
            id=self.told.call_id(str(block["id"])),
            name=str(block["name"]),
            input=block.get("input"),
            caller=Caller(via="gateway"),
        )
        gate = self.books.bench.gate
        if str(block["id"]) in self._spoiled:
            return await gate.refuse(call, scope, self._spoiled[str(block["id"])])
        if call.name not in self.offered.of_agent:
            known = ", ".join(self.offered.names)
            said = f"There is no tool called {call.name!r}. Known tools: {known}."
            return await gate.refuse(call, scope, said, "unknown_tool")
        return await run_here(gate, call, scope)

    def _result_here(self, block: Block, outcome: Outcome) -> Block:
        content = outcome.content
        text = content if isinstance(content, str) else dumps(content)
        return {
            "type": RESULT_HERE,
            "tool_use_id": self.told.call_id(str(block["id"])),
            "is_error": outcome.is_error,
            "content": [{"type": "text", "text": text}],
        }

    # ------------------------------------------------------------------ code

    @property
    def _paused(self) -> bool:
        return self.exchange is not None and bool(self.exchange.pending)

    def _go_on(self) -> Exchange:
        """Hand the client's results to the code that waits for them."""
        exchange = self.exchange
        assert exchange is not None
        answers = self.history.answers()
        inner = {str(block["id"]) for block in self.history.inner_pending}
        given = {
            id: Outcome(content=text, is_error=is_error)
            for id, block in answers.items()
            if id in inner
            for text, is_error in [answer_text(block)]
        }
        exchange.give(given)
        if not exchange.runs and not exchange.ran:
            exchange.start(self.history.unfinished)
        return exchange

    async def _code(self, exchange: Exchange) -> AsyncIterator[JSONObject]:
        """Tell what becomes of code, until all of it waits for the client or has ended."""
        settled = False
        while not settled:
            settled = await exchange.rest(PING_SECONDS)
            while exchange.ran:
                ran = exchange.ran.pop(0)
                self._brought(ran.outside)
                for event in self.told.add(ran.output):
                    yield event
            if not settled:
                yield {"type": "ping"}
        calls = [call for call in exchange.pending if call.id not in self._reported]
        self._reported |= {call.id for call in calls}
        blocks = [self._inner(call) for call in calls]
        await self.books.handed_over(self.client, blocks)
        for block in blocks:
            for event in self.told.add(block):
                yield event

    def _inner(self, call: ToolCall) -> Block:
        return {
            "type": "tool_use",
            "id": call.id,
            "name": call.name,
            "input": call.input,
            "caller": {"type": self.offered.caller, "tool_id": call.caller.tool_id},
        }

    # ------------------------------------------------------------------ the end

    def _container(self) -> JSONObject | None:
        if self.exchange is None or not (self._used_container or self.asked.body.get("container")):
            return None
        until = datetime.fromtimestamp(time.time() + ROLLING_SECONDS, UTC)
        return {
            "id": self.exchange.row.id,
            "expires_at": until.isoformat(timespec="seconds").replace("+00:00", "Z"),
        }

    async def _finish(self, stop_reason: str) -> AsyncIterator[JSONObject]:
        self.stop_reason = stop_reason
        for event in self._unsaid():
            yield event
        theirs = [b for b in self._open_calls if b.get("name") not in (CODE_TOOL,)]
        await self.books.handed_over(self.client, theirs)
        for event in closing(self.message()):
            yield event

    def _unsaid(self) -> list[JSONObject]:
        """What the agent's tools found, where the model has said nothing to the end."""
        found = told_results(self._results) if self._mute > MOST_MUTE else None
        if found is None:
            return []
        words = Wording("results_only", results=found).told(self.client.person.language)
        return self.told.add(text_block(words))


def _blocks(message: JSONObject) -> list[Block]:
    content = message["content"]
    return content if isinstance(content, list) else []


async def _events_of(answer: GatewayAnswer) -> AsyncIterator[JSONObject]:
    """A server's answer as events, however it came."""
    if "event-stream" not in answer.headers.get("content-type", ""):
        message = parse(await answer.read())
        if not isinstance(message, dict) or not isinstance(message.get("content"), list):
            raise GatewayRefused("The model's server gave no message.", status=502)
        for event in message_events(message):
            yield loads(dumps(event))
        return
    frames = Frames()
    async for chunk in answer.chunks:
        for event in frames.feed(chunk):
            yield event
    for event in frames.close():
        yield event
