"""One call of a server's tool: over a line of its own, with whatever the server asks on the way.

A server of 2026 ends its answer with what it wants to know, and is asked again with the answer. An
older one asks in the middle and keeps the call open: then the line is held for a while. If the
answer comes after that, or after a restart, a call that only reads is made again; one that may
have changed something is not.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mcp import Client, MCPError
from mcp.types import (
    HEADER_MISMATCH,
    URL_ELICITATION_REQUIRED,
    CallToolResult,
    ElicitationRequiredErrorData,
    ElicitRequest,
    ElicitRequestParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
)
from pydantic import ValidationError

from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSON, JSONObject, canonical
from bancada.mcp.connections.content import error_text, result_of
from bancada.mcp.connections.lines import LinePool, ServerLine
from bancada.mcp.connections.trouble import is_an_answer, trouble_of
from bancada.tools.inquiries import AnswerNeeded, Inquiry, InquiryAnswer
from bancada.tools.tool import Result, ToolContext

MOST_ROUNDS = 10
MOST_QUESTION = 4_000
HOLD_SECONDS = 600.0
"""How long an older server's open call is held for a person's answer."""
PAUSE_SECONDS = 0.25

Asked: TypeAlias = ElicitRequestParams
_News: TypeAlias = "CallToolResult | InputRequiredResult | Asked | Exception"


@dataclass(eq=False)
class ServerCall:
    """A call under way. It may outlive the run that began it, while its server waits for a person."""

    pool: LinePool
    line: ServerLine
    remote_name: str
    input: JSONObject
    open_question: Asked | None = None
    _news: asyncio.Queue[Any] = field(default_factory=asyncio.Queue)
    _answers: asyncio.Queue[ElicitResult] = field(default_factory=asyncio.Queue)
    _task: asyncio.Task[None] | None = None

    def begin(self, responses: Mapping[str, Any] | None = None, state: str | None = None) -> None:
        self.line.on_elicited = self._elicited
        self._task = asyncio.create_task(self._talk(responses, state))

    async def _talk(self, responses: Mapping[str, Any] | None, state: str | None) -> None:
        try:
            client = await self.line.client()
            self._news.put_nowait(await self.line.during(self._send(client, responses, state)))
        except Exception as error:
            self._news.put_nowait(error)

    async def _send(
        self, client: Client, responses: Mapping[str, Any] | None, state: str | None
    ) -> CallToolResult | InputRequiredResult:
        async def send() -> CallToolResult | InputRequiredResult:
            return await client.session.call_tool(
                self.remote_name,
                self.input,
                read_timeout_seconds=None,
                input_responses=dict(responses) if responses else None,
                request_state=state,
                allow_input_required=True,
            )

        try:
            return await send()
        except MCPError as error:
            if error.code != HEADER_MISMATCH:
                raise
            await client.list_tools()  # which arguments go into headers is said there
            return await send()

    async def _elicited(self, params: Asked) -> ElicitResult:
        self._news.put_nowait(params)
        return await self._answers.get()

    async def news(self) -> _News:
        found: _News = await self._news.get()
        return found

    def answer(self, result: ElicitResult) -> None:
        self.open_question = None
        self._answers.put_nowait(result)

    async def leave(self, *, broken: bool = False) -> None:
        """The call is over, however it ended; its line is free again if nothing was open on it."""
        task, self._task = self._task, None
        if task is not None and not task.done():
            broken = True
            task.cancel()
            await asyncio.wait({task}, timeout=1.0)
        await self.pool.give_back(self.line, broken=broken)


@dataclass
class HeldCalls:
    """Calls of older servers whose question a person has not answered yet."""

    seconds: float = HOLD_SECONDS
    _held: dict[tuple[str, str], tuple[ServerCall, asyncio.Task[None]]] = field(
        default_factory=dict
    )

    async def hold(self, key: tuple[str, str], call: ServerCall) -> None:
        await call.pool.lend(call.line)
        self._held[key] = (call, asyncio.create_task(self._let_go(key)))

    async def _let_go(self, key: tuple[str, str]) -> None:
        await asyncio.sleep(self.seconds)
        call, _ = self._held.pop(key)
        call.answer(ElicitResult(action="cancel"))
        await call.leave(broken=True)

    def take(self, key: tuple[str, str]) -> ServerCall | None:
        held = self._held.pop(key, None)
        if held is None:
            return None
        held[1].cancel()
        return held[0]

    async def close(self) -> None:
        for key in list(self._held):
            call = self.take(key)
            if call is not None:
                await call.leave(broken=True)


@dataclass
class CallRun:
    """One run of a connected tool: from its beginning, or from where a person's answer lets it go on."""

    context: ToolContext
    server: str
    remote_name: str
    input: JSONObject
    reads: bool
    held: HeldCalls
    _round: int = 0

    @property
    def _key(self) -> tuple[str, str]:
        return self.context.turn_id or "", self.context.call_id

    async def go(self, pool: LinePool, prepare: Any) -> Result:
        """Make the call. `prepare(line)` has a last look at the line before it is used."""
        call = self.held.take(self._key)
        if call is None:
            responses, state = self._going_on()
            line = await pool.take()
            call = ServerCall(pool, line, self.remote_name, self.input)
            try:
                await prepare(line)
            except BaseException:
                await call.leave(broken=True)
                raise
            call.begin(responses, state)
        else:
            self._round = len(self.context.answered) - 1
        return await self._to_the_end(call)

    def _going_on(self) -> tuple[dict[str, Any] | None, str | None]:
        """What is sent with a call that goes on after an answer."""
        if not self.context.answered:
            return None, None
        last = self.context.answered[-1]
        kept = last.questions[0].state or {}
        if kept.get("how") == "held" and not self.reads:
            raise ToolFailed(
                f"{self.server} asked something in the middle of {self.remote_name}, and the "
                "connection had ended before the answer came. It may or may not have happened: "
                "check before you try again, and tell the person."
            )
        if kept.get("how") != "state":
            return None, None  # from the beginning: what it asks again is answered already
        self._round = len(self.context.answered)
        self._check_rounds()
        responses = {
            one.state["key"]: _elicit_result(last.answers[one.key]) for one in last.questions
        }
        return responses, kept["state"]

    async def _to_the_end(self, call: ServerCall) -> Result:
        broken = True
        try:
            while True:
                if call.open_question is not None:
                    await self._put(call, call.open_question)
                news = await call.news()
                match news:
                    case CallToolResult():
                        broken = False
                        return result_of(news)
                    case InputRequiredResult():
                        broken = False
                        await self._once_more(call, news)
                        broken = True
                    case MCPError() if is_an_answer(news):
                        broken = False
                        await self._links(news)
                        raise ToolFailed(error_text(news.message, news.data))
                    case Exception():
                        raise trouble_of(news)
                    case _:
                        call.open_question = news
        except AnswerNeeded:
            if call.open_question is not None:
                await self.held.hold(self._key, call)
                call = None  # type: ignore[assignment]
            raise
        finally:
            if call is not None:
                await call.leave(broken=broken)

    async def _put(self, call: ServerCall, asked: Asked) -> None:
        """A question in the middle of an older server's call."""
        inquiry = self._inquiry(asked, {"how": "held"})
        answers = await self.context.ask(inquiry)
        self._next_round()
        call.answer(_elicit_result(answers[inquiry.key]))

    async def _once_more(self, call: ServerCall, needed: InputRequiredResult) -> None:
        """The server answered with questions: put them, and call again with what was said."""
        state = needed.request_state
        if not needed.input_requests:
            self._next_round()
            await asyncio.sleep(PAUSE_SECONDS)
            call.begin(None, state)
            return
        inquiries: dict[str, Inquiry] = {}
        for key, request in needed.input_requests.items():
            if not isinstance(request, ElicitRequest):
                raise ToolFailed(f"{self.server} asks for something that is not offered to it.")
            kept = {"how": "state", "state": state, "key": key}
            inquiries[key] = self._inquiry(request.params, kept)
        answers = await self.context.ask(*inquiries.values())
        self._next_round()
        call.begin({key: _elicit_result(answers[one.key]) for key, one in inquiries.items()}, state)

    async def _links(self, error: MCPError) -> None:
        """Addresses a person must visit before the call can be made; returns where there are none."""
        if error.code != URL_ELICITATION_REQUIRED:
            return
        try:
            asked = ElicitationRequiredErrorData.model_validate(error.data).elicitations
        except ValidationError:
            return
        await self.context.ask(*(self._inquiry(one, {"how": "again"}) for one in asked))
        raise ToolFailed(f"{self.server} wants the person to visit an address first, again.")

    def _next_round(self) -> None:
        self._round += 1
        self._check_rounds()

    def _check_rounds(self) -> None:
        """A call may be run again for every answer: what counts is how often it asked in all."""
        if self._round > MOST_ROUNDS:
            raise ToolFailed(f"{self.server} asks more than {MOST_ROUNDS} times in one call.")

    def _inquiry(self, asked: Asked, state: JSON) -> Inquiry:
        """The question, under a name that another question cannot have."""
        url = asked.url if isinstance(asked, ElicitRequestURLParams) else None
        schema = {} if isinstance(asked, ElicitRequestURLParams) else asked.requested_schema
        message = asked.message[:MOST_QUESTION]
        digest = hashlib.sha256(canonical([message, schema, url])).hexdigest()[:12]
        if len(canonical(schema)) > 10 * MOST_QUESTION:
            raise ToolFailed(f"{self.server} asks with a form that is too large.")
        if url is not None and not url.startswith(("https://", "http://")):
            raise ToolFailed(f"{self.server} asks for a visit to what is no web address.")
        return Inquiry(
            key=f"{self._round}:{digest}",
            message=f"{self.server}: {message}",
            schema=schema,
            url=url,
            state=state,
        )


def _elicit_result(answer: InquiryAnswer) -> ElicitResult:
    if answer.action != "accept":
        return ElicitResult(action=answer.action)
    return ElicitResult(action="accept", content=dict(answer.content) or None)
