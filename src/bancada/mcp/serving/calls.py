"""`tools/list` and `tools/call`: what this person may use, and each call through the gate."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

import anyio
from mcp import types
from mcp.shared.exceptions import MCPError
from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.domain.calls import Caller, Outcome, ToolCall, Waiting
from bancada.domain.json import JSONObject, dumps
from bancada.gate.listing import ReachedTool, calling_agent, described, within_reach
from bancada.gate.scope import CallScope
from bancada.mcp.serving import waiting
from bancada.mcp.serving.apps import widget_meta
from bancada.mcp.serving.clients import TASKS, McpClient
from bancada.mcp.serving.desk import Context, Guest, McpDesk
from bancada.mcp.serving.results import output_schema, result_of, sentence
from bancada.mcp.serving.rounds import Answers, Round, asking, lacking
from bancada.mcp.serving.tasks import CreatedTask, Tasks
from bancada.tools.inquiries import InquiryAnswer
from bancada.tools.tool import Tool

T = TypeVar("T")

PAGE = 200
"""Tools in one page of a list."""

CallResult = types.CallToolResult | types.InputRequiredResult | CreatedTask


@dataclass(frozen=True)
class ClientCalls:
    """The tools of whoever asks."""

    desk: McpDesk
    tasks: Tasks

    async def list_tools(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        guest = await self.desk.who(ctx)
        modern = McpClient.of(ctx).modern
        reached = await self.desk.gate.database.read(reach, self.desk, guest)
        shown, following = page(reached, params)
        return types.ListToolsResult(
            tools=[_shown(one, modern=modern) for one in shown], next_cursor=following
        )

    async def call(self, ctx: Context, params: types.CallToolRequestParams) -> CallResult:
        guest, client, turn = await self.desk.who(ctx), McpClient.of(ctx), Round.of(params)
        if turn.confirmation_id is not None:
            return await self._decided(ctx, guest, client, turn)
        within = await self.desk.gate.database.read(_within, self.desk, guest, params.name)
        if within.tool is not None and _takes_long(within.tool):
            as_task = await self._as_task(guest, client, within, params, turn)
            if as_task is not None:
                return as_task
        return await self._through_the_gate(ctx, guest, client, within, params, turn.answers)

    async def _through_the_gate(
        self,
        ctx: Context,
        guest: Guest,
        client: McpClient,
        within: _Within,
        params: types.CallToolRequestParams,
        answers: Answers,
    ) -> CallResult:
        """Call, ask what the tool wants to know, and call again until it is answered."""
        if not client.modern and ctx.close_sse_stream and _takes_long(within.tool):
            # The connection is not held meanwhile: the client comes back for what it missed.
            await ctx.close_sse_stream()
        while True:
            call = new_call(params.name, params.arguments)
            scope = CallScope(
                person_id=guest.person.id,
                organisation_id=guest.person.organisation_id,
                agent=within.agent,
                ask=answers,
                progress=ctx.session.report_progress,
            )
            ended = await carried(self.desk.gate.call(call, scope))
            if isinstance(ended, Waiting):
                return await self._waits(ctx, guest, client, ended, within)
            if ended.code == "unknown_tool":
                raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
            if not answers.open:
                return result_of(ended, within.tool, modern=client.modern)
            if client.modern and not client.forms:
                raise lacking({"elicitation": {}}, f"{params.name} asks its person something.")
            if client.modern:
                return asking(answers)
            if not client.forms or not ctx.session.can_send_request:
                return result_of(ended, within.tool, modern=False)
            answers = await answers.put(ctx)

    async def _as_task(
        self,
        guest: Guest,
        client: McpClient,
        within: _Within,
        params: types.CallToolRequestParams,
        turn: Round,
    ) -> CreatedTask | None:
        """A task for what takes long, where the client can come back; none: it waits for the end."""
        tool = within.tool
        assert tool is not None
        if not client.tasks:
            if tool.background == "must":
                needed: JSONObject = {"extensions": {TASKS: {}}}
                raise lacking(needed, f"{tool.name} takes long and needs a client with tasks.")
            return None
        if tool.asks_first and not turn.answers.given:
            return None
        return await self.tasks.begin(
            guest, within.agent, tool.name, params.arguments or {}, turn.answers.given
        )

    async def _waits(
        self, ctx: Context, guest: Guest, client: McpClient, waits: Waiting, within: _Within
    ) -> CallResult:
        """A person has to say yes first: asked through the client as far as it can."""
        desk, person = self.desk, guest.person
        found = await desk.gate.database.read(waiting.pending, person, waits.confirmation_id)
        if found is None:  # decided and tidied away meanwhile
            return sentence("The confirmation is gone; call again.")
        if client.tasks:
            return await self.tasks.wait_for(guest, found.confirmation)
        if not client.modern:
            ended = await waiting.ask_in_session(desk, ctx, client, person, found)
            if isinstance(ended, Outcome):
                return result_of(ended, within.tool, modern=False)
            return sentence(ended)
        return self._ask_to_confirm(ctx, guest, client, found)

    def _ask_to_confirm(
        self, ctx: Context, guest: Guest, client: McpClient, found: waiting.Pending
    ) -> CallResult:
        asked = waiting.requests(self.desk, ctx, client, guest.person, found)
        if asked is None:
            return sentence(waiting.told_where(self.desk, ctx, guest.person, found))
        state = dumps({"confirmation": found.confirmation.id})
        return types.InputRequiredResult(input_requests=asked, request_state=state)

    async def _decided(
        self, ctx: Context, guest: Guest, client: McpClient, turn: Round
    ) -> CallResult:
        """The client comes back to a call that waits: with a decision, or to see whether there is
        one."""
        desk, person, id = self.desk, guest.person, turn.confirmation_id
        assert id is not None
        found = await desk.gate.database.read(waiting.pending, person, id)
        if found is None:
            raise MCPError(types.INVALID_PARAMS, "There is no such confirmation.")
        answer: InquiryAnswer | None = turn.responses.get(waiting.KEY)
        if found.confirmation.status == "pending" and answer is not None and client.forms:
            problem = await carried(waiting.decide(desk, person, id, answer))
            if problem is not None:
                elsewhere = waiting.told_where(desk, ctx, person, found)
                return sentence(f"{problem} {elsewhere}")
        ended = await waiting.settled(desk, person, id)
        if ended is None:
            return self._ask_to_confirm(ctx, guest, client, found)
        tool = desk.gate.registry.find(found.confirmation.tool, person)
        return result_of(ended, tool, modern=client.modern)


@dataclass(frozen=True)
class _Within:
    """Which tool is meant, and by which of the person's agents it is called."""

    agent: Agent | None
    tool: Tool | None


def _takes_long(tool: Tool | None) -> bool:
    return tool is not None and tool.background != "never"


def new_call(name: str, arguments: JSONObject | None) -> ToolCall:
    return ToolCall(
        id=f"call_{secrets.token_hex(10)}",
        name=name,
        input=arguments or {},
        caller=Caller(via="mcp"),
    )


async def carried(work: Awaitable[T]) -> T:
    """Wait for it; if the client goes away, stop it once and let it put its things away.

    The SDK cancels whatever is awaited again and again until it is left. The gate writes down how
    a call ended after it was stopped, and must be able to wait for that.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.cancel()
        with anyio.CancelScope(shield=True):
            await asyncio.wait({task})
        raise


def reach(db: Connection, desk: McpDesk, guest: Guest) -> list[ReachedTool]:
    """What this person may call directly, in a stable order."""
    gate = desk.gate
    reached = within_reach(db, gate.registry, gate.rulebook, guest.person, only=guest.agent_id)
    return [one for one in reached if "direct" in one.rules.allowed_callers]


def _within(db: Connection, desk: McpDesk, guest: Guest, name: str) -> _Within:
    gate, person = desk.gate, guest.person
    agent = calling_agent(db, gate.registry, gate.rulebook, person, name, only=guest.agent_id)
    return _Within(agent, gate.registry.find(name, person))


def page(
    items: list[T], params: types.PaginatedRequestParams | None, size: int = PAGE
) -> tuple[list[T], str | None]:
    """One page of a list, and where the next begins."""
    cursor = None if params is None else params.cursor
    if cursor is not None and not cursor.isdecimal():
        raise MCPError(types.INVALID_PARAMS, "The cursor is not one of ours.")
    start = int(cursor or 0)
    following = start + size
    return items[start:following], str(following) if following < len(items) else None


def _shown(one: ReachedTool, *, modern: bool) -> types.Tool:
    tool = one.tool
    return types.Tool(
        name=tool.name,
        description=described(tool),
        input_schema=tool.input_schema,
        output_schema=output_schema(tool, modern=modern),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.effect == "read",
            destructive_hint=None if tool.effect == "read" else True,
        ),
        _meta={**widget_meta(tool), "bancada/rules": _rules(one)},
    )


def _rules(one: ReachedTool) -> JSONObject:
    """What a client may tell its person before it calls."""
    return {
        "effect": one.tool.effect,
        "asks_a_person": bool(one.rules.always_asks(one.tool)),
        "agent": None if one.agent is None else one.agent.name,
    }
