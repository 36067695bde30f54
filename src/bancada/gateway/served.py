"""A request that we add something to: code in our sandbox, and tools of the key's agent.

Reply, tools, repeat, as a turn does it; but the conversation is the client's, and a call of the
client's own tool ends the answer, so that the client can run it and come back.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bancada.domain.agents import Agent
from bancada.domain.calls import CODE_TOOL, Caller, Outcome, ToolCall
from bancada.domain.json import JSONObject, dumps, loads
from bancada.domain.messages import Block
from bancada.engine.calls import result_block
from bancada.engine.codeblocks import as_tool_result, server_id
from bancada.gateway.asked import Asked
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import GatewayRefused
from bancada.gateway.exchange import Exchange, run_here, scope_of
from bancada.gateway.history import CALL_HERE, RESULT_HERE, SERVER, ClientHistory, answer_text
from bancada.gateway.metering import Meter
from bancada.gateway.offered import Offered
from bancada.gateway.upstream import MESSAGES, GatewayAnswer, Upstream, check_outside
from bancada.gateway.wire import block_events, closing, message_events, new_id, opening
from bancada.model.model import ModelFailed, Reply
from bancada.model.sse import Frames, ReplyBuilder, parse

if TYPE_CHECKING:
    from bancada.gateway.desk import GatewayDesk

MOST_REPLIES = 20
"""Of one answer: then it pauses, and the client sends it back to go on."""
PING_SECONDS = 10.0
ROLLING_SECONDS = 270.0


@dataclass
class Served:
    """One answer, made of the model's replies and of what runs here."""

    desk: GatewayDesk
    client: GatewayClient
    asked: Asked
    told: ClientHistory
    offered: Offered
    upstream: Upstream
    agent: Agent | None = None
    exchange: Exchange | None = None
    shows_calls: bool = False
    """Whether the client knows blocks for calls that a server makes."""
    content: list[Block] = field(default_factory=list)
    stop_reason: str = "end_turn"
    usage: JSONObject = field(default_factory=dict)
    _head: JSONObject = field(default_factory=dict)
    _messages: list[JSONObject] = field(default_factory=list)
    """What the model behind is asked next."""
    _first: GatewayAnswer | None = None
    _replies: int = 0
    _reply: Reply | None = None
    _places: dict[int, int | None] = field(default_factory=dict)
    _renamed: dict[str, str] = field(default_factory=dict)
    """Ids by which the client knows what runs here, from those the model gave."""
    _taken: set[str] = field(default_factory=set)
    """Ids of code that ran in the container before."""
    _used_container: bool = False
    _outside: bool = False
    """Something that ran here brought text from outside."""
    _reported: set[str] = field(default_factory=set)
    _open_calls: list[Block] = field(default_factory=list)
    """Calls of the last reply that are the client's to run."""

    async def begin(self) -> None:
        """As far as it goes before anything is told: a refusal can still be one."""
        if self.exchange is not None:
            self._taken = {cell.code_id for cell in await self.exchange.record.cells()}
        if self.told.inner_pending:
            assert self.exchange is not None
            self._used_container = True
            return
        self._messages = self.told.for_model()
        self._first = await self._open()

    @property
    def tainted(self) -> bool:
        """Whether the model reads text from outside: the client's, or what ran here brought it."""
        return self._outside or self.told.brings_text

    def _brought(self, outside: bool) -> None:
        self._outside = self._outside or outside
        if self.exchange is not None:
            self.exchange.tainted = self.exchange.tainted or outside

    def message(self) -> JSONObject:
        """The whole answer, once the events are over."""
        whole = {
            **self._head,
            "content": self.content,
            "stop_reason": self.stop_reason,
            "usage": self.usage,
        }
        container = self._container()
        return whole if container is None else {**whole, "container": container}

    async def events(self) -> AsyncIterator[JSONObject]:
        """The answer as the wire tells it."""
        if self.told.inner_pending:
            yield self._begin({"model": self.asked.model})
            async for event in self._code(self._go_on()):
                yield event
            if self._paused:
                async for event in self._finish("tool_use"):
                    yield event
                return
            whole = [*self.told.messages, {"role": "assistant", "content": list(self.content)}]
            self._messages = ClientHistory(whole).for_model()
        while True:
            async for event in self._ask():
                yield event
            assert self._reply is not None
            if self._reply.stop_reason != "tool_use":
                ends = self._reply.stop_reason
                break
            async for event in self._run_calls(self._reply):
                yield event
            stops = self._ends()
            if stops is not None:
                ends = stops
                break
        async for event in self._finish(ends):
            yield event

    # ------------------------------------------------------------------ the model behind

    async def _open(self) -> GatewayAnswer:
        self._replies += 1
        body = {**self.asked.body, "messages": self._messages, "tools": self.offered.definitions}
        body.pop("container", None)
        if not self.offered.definitions:
            body.pop("tools")
        if self._replies > 1:
            # Forced once, not for ever: it was asked of the first reply.
            body.pop("tool_choice", None)
            await self.desk.admitted(self.client)
        if self.tainted:
            check_outside(self.upstream)
        asked = replace(self.asked, content=dumps(body).encode(), body=body)
        answer = await self.upstream.send(MESSAGES, asked)
        if answer.status != 200:
            said = await answer.read()
            raise GatewayRefused("", status=answer.status, headers=answer.headers, raw=said)
        return answer

    async def _ask(self) -> AsyncIterator[JSONObject]:
        began = time.perf_counter()
        answer = self._first or await self._open()
        self._first = None
        self._places = {}
        builder = ReplyBuilder()
        meter = Meter.of("event-stream", self.upstream.route)
        try:
            async for event in _events_of(answer):
                meter.event(event)
                for shown in self._shown(event):
                    yield shown
                builder.feed([event])
            self._reply = self._kept(builder.reply())
        except ModelFailed as failed:
            raise GatewayRefused(str(failed), status=failed.status or 502) from failed
        finally:
            meter.calls = []
            spent = time.perf_counter() - began
            await asyncio.shield(self.desk.keep(self.client, self.asked, meter, spent))

    def _kept(self, reply: Reply) -> Reply:
        """Keep the reply's blocks as the client was told of them."""
        for name, value in (reply.raw.get("usage") or {}).items():
            if isinstance(value, int) and not isinstance(value, bool):
                self.usage[name] = self.usage.get(name, 0) + value
            else:
                self.usage.setdefault(name, value)
        apart = ("usage", "invalid_inputs", "id")
        self._head |= {k: v for k, v in reply.raw.items() if k not in apart}
        for block in reply.content:
            shown = self._as_client_reads(block)
            if shown is not None:
                self.content.append(shown)
        return reply

    def _shown(self, event: JSONObject) -> list[JSONObject]:
        """An event of the model's as the client is told it."""
        match event.get("type"):
            case "message_start":
                message = event.get("message") or {}
                whole = [
                    self._shown_block(at, b) for at, b in enumerate(message.get("content") or ())
                ]
                begun = [] if self._head else [self._begin(message)]
                return [*begun, *(each for some in whole for each in some)]
            case "content_block_start":
                at, block = event["index"], event["content_block"]
                shown = self._as_client_reads(block)
                place = None if shown is None else self._next_place()
                self._places[at] = place
                return [] if shown is None else [{**event, "index": place, "content_block": shown}]
            case "content_block_delta" | "content_block_stop":
                place = self._places.get(event.get("index", -1))
                return [] if place is None else [{**event, "index": place}]
            case "message_delta" | "message_stop":
                return []
        return [event]

    def _shown_block(self, at: int, block: Block) -> list[JSONObject]:
        """A block that came whole, with the beginning of its message."""
        shown = self._as_client_reads(block)
        place = self._places[at] = None if shown is None else self._next_place()
        return [] if shown is None or place is None else list(block_events(place, shown))

    def _next_place(self) -> int:
        taken = [place for place in self._places.values() if place is not None]
        return len(self.content) + len(taken)

    def _begin(self, message: JSONObject) -> JSONObject:
        self._head = {
            "id": new_id("msg"),
            "type": "message",
            "role": "assistant",
            "stop_sequence": None,
            **{k: v for k, v in message.items() if k not in ("content", "usage", "container")},
        }
        usage = message.get("usage") or {"input_tokens": 0, "output_tokens": 0}
        if not message.get("usage"):
            self.usage = dict(usage)
        return opening({**self._head, "usage": usage})

    def _as_client_reads(self, block: Block) -> Block | None:
        """A call that runs here in the wire's own words; none: the client has no words for it."""
        if block.get("type") != "tool_use":
            return block
        name, id = block.get("name"), str(block.get("id") or "")
        if name == CODE_TOOL and self.offered.version is not None:
            return {**block, "type": "server_tool_use", "id": self._name(id, server_id)}
        if name in self.offered.of_agent:
            shape = {"type": CALL_HERE, "id": self._name(id, _mcp_id), "server_name": SERVER}
            return {**block, **shape} if self.shows_calls else None
        return block

    def _name(self, id: str, make: Callable[[str], str]) -> str:
        """An id that nothing else has: small servers count anew with each reply."""
        key = f"{self._replies}/{id}"
        if key not in self._renamed:
            name = make(id)
            taken = {*self.told.ids, *self._taken, *self._renamed.values()}
            fresh = make(new_id("toolu"))
            self._renamed[key] = name if id and name not in taken else fresh
        return self._renamed[key]

    # ------------------------------------------------------------------ what runs here

    async def _run_calls(self, reply: Reply) -> AsyncIterator[JSONObject]:
        calls = [block for block in reply.content if block.get("type") == "tool_use"]
        code = [b for b in calls if b.get("name") == CODE_TOOL and self.offered.version]
        ours = [b for b in calls if b.get("name") in self.offered.of_agent]
        results: dict[str, Block] = {}
        ended = await asyncio.gather(*(self._call_here(block, reply) for block in ours))
        for block, outcome in zip(ours, ended, strict=True):
            results[str(block["id"])] = result_block(block, outcome)
            self._brought(outcome.outside)
            if self.shows_calls:
                for event in self._add(self._result_here(block, outcome)):
                    yield event
        if code:
            exchange = await self._container_for(code)
            given = {self._name(str(b["id"]), server_id): str(b["id"]) for b in code}
            self._used_container = True
            exchange.start([self._code_block(block) for block in code])
            async for event in self._code(exchange):
                yield event
            for block in self.content:
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

    def _ends(self) -> str | None:
        """Why the answer ends here; none: the model is asked again."""
        if self._paused or self._open_calls:
            return "tool_use"
        return "pause_turn" if self._replies >= MOST_REPLIES else None

    async def _container_for(self, code: list[Block]) -> Exchange:
        if self.exchange is None:
            self.exchange = await self.desk.new_container(self)
        return self.exchange

    def _code_block(self, block: Block) -> Block:
        id = self._name(str(block["id"]), server_id)
        return {"type": "server_tool_use", "id": id, "name": CODE_TOOL, "input": block["input"]}

    async def _call_here(self, block: Block, reply: Reply) -> Outcome:
        exchange_id = self.exchange.row.id if self.exchange else str(self._head["id"])
        scope = scope_of(self.client, self.agent, exchange_id, tainted=self.tainted)
        name = self._name(str(block["id"]), _mcp_id)
        call = ToolCall(
            id=name, name=str(block["name"]), input=block.get("input"), caller=Caller(via="gateway")
        )
        if str(block["id"]) in (reply.raw.get("invalid_inputs") or {}):
            return await self.desk.bench.gate.refuse(call, scope, "The arguments were not JSON.")
        return await run_here(self.desk.bench.gate, call, scope)

    def _result_here(self, block: Block, outcome: Outcome) -> Block:
        content = outcome.content
        text = content if isinstance(content, str) else dumps(content)
        return {
            "type": RESULT_HERE,
            "tool_use_id": self._name(str(block["id"]), _mcp_id),
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
        answers = self.told.answers()
        inner = {str(block["id"]) for block in self.told.inner_pending}
        given = {
            id: Outcome(content=text, is_error=is_error)
            for id, block in answers.items()
            if id in inner
            for text, is_error in [answer_text(block)]
        }
        exchange.give(given)
        if not exchange.runs and not exchange.ran:
            exchange.start(self.told.unfinished)
        return exchange

    async def _code(self, exchange: Exchange) -> AsyncIterator[JSONObject]:
        """Tell what becomes of code, until all of it waits for the client or has ended."""
        settled = False
        while not settled:
            settled = await exchange.rest(PING_SECONDS)
            while exchange.ran:
                ran = exchange.ran.pop(0)
                self._brought(ran.outside)
                for event in self._add(ran.output):
                    yield event
            if not settled:
                yield {"type": "ping"}
        calls = [call for call in exchange.pending if call.id not in self._reported]
        self._reported |= {call.id for call in calls}
        blocks = [self._inner(call) for call in calls]
        await self.desk.handed_over(self.client, blocks)
        for block in blocks:
            for event in self._add(block):
                yield event

    def _inner(self, call: ToolCall) -> Block:
        return {
            "type": "tool_use",
            "id": call.id,
            "name": call.name,
            "input": call.input,
            "caller": {"type": self.offered.caller, "tool_id": call.caller.tool_id},
        }

    def _add(self, block: Block) -> list[JSONObject]:
        events = list(block_events(len(self.content), block))
        self.content.append(block)
        return events

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
        theirs = [b for b in self._open_calls if b.get("name") not in (CODE_TOOL,)]
        await self.desk.handed_over(self.client, theirs)
        for event in closing(self.message()):
            yield event


def _mcp_id(id: str) -> str:
    return f"mcptoolu_{id.removeprefix('toolu_')}"


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
