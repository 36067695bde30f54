"""Tasks (SEP-2663): a call whose client comes back for the result.

A task is a row. While it runs, one process has it and says so; where that process is gone, whoever
is asked next takes it up: what had ended is found, a tool that reads runs again, one that was cut
short in writing is told as unknown. What a
tool asks ends its run; the answers are kept, and it runs again with them. A task that waits for a
confirmation has no run of its own: the confirmation has the result.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from mcp import types
from mcp.server.extension import Extension, MethodBinding
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_NAME_HEADER
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ConfigDict, Field
from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.domain.calls import Caller, Outcome, ToolCall
from bancada.domain.json import JSONObject
from bancada.gate.listing import calling_agent
from bancada.gate.scope import CallScope
from bancada.mcp.serving import waiting
from bancada.mcp.serving.clients import TASKS, McpClient
from bancada.mcp.serving.desk import Context, Guest, McpDesk
from bancada.mcp.serving.results import result_of
from bancada.mcp.serving.rounds import Answers, answers_from, fits, form, lacking, responses_of
from bancada.store import agents, mcp_tasks, people
from bancada.store.confirmations import Confirmation
from bancada.store.mcp_tasks import McpTask
from bancada.tools.inquiries import Inquiry, InquiryAnswer

log = logging.getLogger("bancada.mcp")

KEPT_SECONDS = 24 * 3600.0
"""How long a result is kept for whoever asked."""
POLL_MS = 1_000
BEAT_SECONDS = 5.0
LOST_SECONDS = 15.0
"""After how long without a beat a process counts as gone."""
MOST = 20
"""Tasks of one person that may run at once."""


class CreatedTask(types.Result):
    """What `tools/call` answers when there is a task: the task itself."""

    model_config = ConfigDict(extra="allow")
    result_type: str = "task"


class TaskParams(types.RequestParams):
    """Which task."""

    task_id: str = Field(alias="taskId", max_length=64)


class TaskUpdateParams(TaskParams):
    """Answers to what a task asks."""

    input_responses: dict[str, Any] = Field(alias="inputResponses")


@dataclass
class Tasks(Extension):
    """The extension: its methods, and the calls this process runs."""

    identifier = TASKS

    desk: McpDesk
    owner: str = field(default_factory=lambda: secrets.token_hex(8))
    _running: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _beating: asyncio.Task[None] | None = None

    def methods(self) -> list[MethodBinding]:
        newest = frozenset(MODERN_PROTOCOL_VERSIONS)
        return [
            MethodBinding("tasks/get", TaskParams, self.get, newest),
            MethodBinding("tasks/update", TaskUpdateParams, self.update, newest),
            MethodBinding("tasks/cancel", TaskParams, self.cancel, newest),
        ]

    async def close(self) -> None:
        """The process ends: what runs is left to whoever is asked for it next."""
        for one in (*self._running.values(), self._beating):
            if one is not None:
                one.cancel()

    # ------------------------------------------------------------------ making

    async def begin(
        self,
        guest: Guest,
        agent: Agent | None,
        tool: str,
        input: JSONObject,
        answers: Mapping[str, InquiryAnswer],
    ) -> CreatedTask:
        """Write it down, then run it."""
        task = self._new(guest, tool, input, None if agent is None else agent.id)
        task = replace(task, answers=Answers(dict(answers)).as_json())
        await self.desk.gate.database.run(_add, task)
        self._start(task)
        return CreatedTask(**_shown(task))

    async def wait_for(self, guest: Guest, found: Confirmation) -> CreatedTask:
        """A task for a call that a person has to decide first."""
        task = self._new(guest, found.tool, found.input, found.agent_id)
        task = replace(
            task,
            status="input_required",
            confirmation_id=found.id,
            expires_at=found.expires_at + KEPT_SECONDS,
        )
        await self.desk.gate.database.run(_add, task)
        return CreatedTask(**_shown(task))

    def _new(self, guest: Guest, tool: str, input: Any, agent_id: int | None) -> McpTask:
        now = time.time()
        return McpTask(
            id=f"task_{secrets.token_hex(16)}",
            organisation_id=guest.person.organisation_id,
            user_id=guest.person.id,
            tool=tool,
            input=input,
            agent_id=agent_id,
            status="working",
            owner=self.owner,
            beat_at=now,
            created_at=now,
            updated_at=now,
            expires_at=now + KEPT_SECONDS,
        )

    # ------------------------------------------------------------------ running

    def _start(self, task: McpTask) -> None:
        running = asyncio.create_task(self._run(task))
        self._running[task.id] = running
        running.add_done_callback(lambda _: self._running.pop(task.id, None))
        if self._beating is None or self._beating.done():
            self._beating = asyncio.create_task(self._beat())

    async def _beat(self) -> None:
        """Say that we are here; stop what another process was told to cancel."""
        while self._running:
            await asyncio.sleep(BEAT_SECONDS)
            mine = await self.desk.gate.database.run(mcp_tasks.beat, self.owner, time.time())
            for id in self._running.keys() - mine:
                self._running[id].cancel()

    async def _run(self, task: McpTask) -> None:
        database = self.desk.gate.database
        try:
            changes = await self._attempt(task)
        except Exception:
            log.exception("the task of %s could not be run", task.tool)
            changes = _failed("The call could not be made.")
        # One that was cancelled meanwhile stays cancelled, whatever came of it.
        await database.run(mcp_tasks.move, task.id, self.owner, "working", time.time(), **changes)

    async def _attempt(self, task: McpTask) -> dict[str, Any]:
        desk, gate = self.desk, self.desk.gate
        answers = Answers(answers_from(task.answers))
        agent = await gate.database.read(_agent, desk, task)
        scope = CallScope(
            person_id=task.user_id,
            organisation_id=task.organisation_id,
            agent=agent,
            ask=answers,
            # How the gate knows the call again when another process takes the task up.
            kept_as=mcp_tasks.CALLS + task.id,
        )
        call = ToolCall(
            # With more answers it is another call: the one before ended in asking for them.
            id=f"call_{task.id.removeprefix('task_')[:20]}_{len(task.answers)}",
            name=task.tool,
            input=task.input,
            caller=Caller(via="mcp", session=task.id),
        )
        ended = await gate.call(call, scope)
        if answers.open:
            asked = [asdict(one) for one in answers.open]
            return {"status": "input_required", "inquiries": asked}
        if not isinstance(ended, Outcome):
            # The rules changed while it ran on: it waits for a word now, and has it from there.
            return {"status": "input_required", "confirmation_id": ended.confirmation_id}
        if ended.meta.get("crashed") or ended.code == "unknown":
            return _failed(str(ended.content))
        return {"status": "completed", "result": await self._result(task, ended)}

    async def _result(self, task: McpTask, ended: Outcome) -> JSONObject:
        person = await self.desk.gate.database.read(people.person, task.user_id)
        tool = self.desk.gate.registry.find(task.tool, person)
        result = result_of(ended, tool, modern=True)
        return result.model_dump(mode="json", by_alias=True, exclude_none=True)

    # ------------------------------------------------------------------ methods

    async def get(self, ctx: Context, params: TaskParams) -> JSONObject:
        guest = await self._guest(ctx, params)
        task = await self._found(guest, params.task_id)
        if task.confirmation_id is not None:
            return await self._waiting(ctx, guest, task)
        # One that runs here is here, whatever the clock says that has just been set.
        lost = task.beat_at < time.time() - LOST_SECONDS and task.id not in self._running
        if task.status == "working" and lost:
            task = await self._take_up(guest, task)
        return _shown(task)

    async def update(self, ctx: Context, params: TaskUpdateParams) -> JSONObject:
        guest = await self._guest(ctx, params)
        task = await self._found(guest, params.task_id)
        given = responses_of(params.input_responses)
        if task.confirmation_id is not None:
            if waiting.KEY in given:
                # Acknowledged when it is on record, and not before; the call runs on by itself.
                problem = await waiting.decide(
                    self.desk, guest.person, task.confirmation_id, given[waiting.KEY], wait=False
                )
                if problem is not None:
                    log.info("a decision through a task did not count: %s", problem)
            return {}
        now = time.time()
        goes_on = await self.desk.gate.database.run(
            _answer, task.id, guest.person.id, given, self.owner, now
        )
        if goes_on is not None:
            self._start(goes_on)
        return {}

    async def cancel(self, ctx: Context, params: TaskParams) -> JSONObject:
        guest = await self._guest(ctx, params)
        task = await self._found(guest, params.task_id)
        if task.confirmation_id is not None:
            no = InquiryAnswer(action="decline")
            await waiting.decide(self.desk, guest.person, task.confirmation_id, no)
        await self.desk.gate.database.run(_cancel, task.id, guest.person.id, time.time())
        if task.id in self._running:
            self._running[task.id].cancel()
        return {}

    async def _guest(self, ctx: Context, params: TaskParams) -> Guest:
        if not McpClient.of(ctx).tasks:
            raise lacking({"extensions": {TASKS: {}}}, "Tasks were not negotiated.")
        headers = getattr(ctx.request, "headers", None)
        if headers is not None and headers.get(MCP_NAME_HEADER) != params.task_id:
            raise MCPError(
                types.HEADER_MISMATCH,
                f"{MCP_NAME_HEADER} header does not match the request body's 'taskId' parameter",
            )
        return await self.desk.who(ctx)

    async def _found(self, guest: Guest, id: str) -> McpTask:
        found = await self.desk.gate.database.read(
            mcp_tasks.owned, id, guest.person.id, time.time()
        )
        if found is None:
            raise MCPError(types.INVALID_PARAMS, "There is no such task.")
        return found

    async def _waiting(self, ctx: Context, guest: Guest, task: McpTask) -> JSONObject:
        """A task whose call waits for a person, or waited."""
        assert task.confirmation_id is not None
        found = await self.desk.gate.database.read(
            waiting.pending, guest.person, task.confirmation_id
        )
        if found is None:
            return _shown(replace(task, **_failed("The confirmation is gone.")))
        decided = found.confirmation
        at = decided.decided_at or task.updated_at
        ended = waiting.outcome_of(decided)
        if task.status == "cancelled":
            return _shown(task)
        if ended is not None:
            result = await self._result(task, ended)
            return _shown(replace(task, status="completed", result=result, updated_at=at))
        if decided.status == "approved":
            return _shown(replace(task, status="working", updated_at=at))
        asked = waiting.requests(self.desk, ctx, McpClient.of(ctx), guest.person, found)
        says = waiting.told_where(self.desk, ctx, guest.person, found)
        if asked is None:
            # Nothing the client could answer: it is somebody else who works on it.
            return {**_shown(replace(task, status="working")), "statusMessage": says}
        requests = {key: _wire(one) for key, one in asked.items()}
        return {**_shown(task), "inputRequests": requests, "statusMessage": says}

    async def _take_up(self, guest: Guest, task: McpTask) -> McpTask:
        """Its process is gone. Of several that notice, one takes it up; the gate knows how far the
        call had come, and that a write which was cut short must not run again."""
        now = time.time()
        moved = await self.desk.gate.database.run(
            mcp_tasks.move, task.id, task.owner, "working", now, owner=self.owner, beat_at=now
        )
        taken = await self._found(guest, task.id)
        if moved and taken.status == "working":
            self._start(taken)
        return taken


def _add(db: Connection, task: McpTask) -> None:
    people.hold(db, task.user_id)
    if task.status == "working" and mcp_tasks.unfinished(db, task.user_id) >= MOST:
        raise MCPError(types.INTERNAL_ERROR, f"{MOST} tasks run already; wait for one to end.")
    mcp_tasks.add(db, task)


def _agent(db: Connection, desk: McpDesk, task: McpTask) -> Agent | None:
    """The agent it was asked for in, as it is now."""
    if task.agent_id is not None:
        return agents.any_agent(db, task.agent_id)
    gate = desk.gate
    person = people.person(db, task.user_id)
    return calling_agent(db, gate.registry, gate.rulebook, person, task.tool)


def _answer(
    db: Connection,
    id: str,
    user_id: int,
    given: Mapping[str, InquiryAnswer],
    owner: str,
    now: float,
) -> McpTask | None:
    """Keep the answers that fit; the task, where everything is answered and it goes on here.

    The row is held: of two clients that answer at once, the second sees what the first said, and
    one of them sets the call going.
    """
    task = mcp_tasks.owned(db, id, user_id, now, lock=True)
    if task is None or task.status != "input_required":
        return None
    asked = [Inquiry(**one) for one in task.inquiries]
    said = {one.key: given[one.key] for one in asked if fits(one, given.get(one.key))}
    answers = {**task.answers, **Answers(said).as_json()}
    left = [asdict(one) for one in asked if one.key not in said]
    changes: dict[str, Any] = {"answers": answers, "inquiries": left}
    if not left:
        changes |= {"status": "working", "owner": owner, "beat_at": now}
    mcp_tasks.move(db, id, task.owner, "input_required", now, **changes)
    return None if left else replace(task, **changes)


def _cancel(db: Connection, id: str, user_id: int, now: float) -> None:
    task = mcp_tasks.owned(db, id, user_id, now, lock=True)
    if task is not None and task.status in ("working", "input_required"):
        mcp_tasks.move(db, id, task.owner, task.status, now, status="cancelled")


def _failed(message: str) -> dict[str, Any]:
    return {"status": "failed", "error": {"code": types.INTERNAL_ERROR, "message": message}}


def _wire(request: Any) -> JSONObject:
    shape: JSONObject = request.model_dump(mode="json", by_alias=True, exclude_none=True)
    return shape


def _shown(task: McpTask) -> JSONObject:
    """The task as a client reads it."""
    shape: JSONObject = {
        "taskId": task.id,
        "status": task.status,
        "createdAt": _iso(task.created_at),
        "lastUpdatedAt": _iso(task.updated_at),
        "ttlMs": round((task.expires_at - task.created_at) * 1000),
        "pollIntervalMs": POLL_MS,
    }
    if task.status == "completed":
        shape["result"] = task.result
    if task.status == "failed":
        shape["error"] = task.error
    if task.status == "input_required" and task.inquiries:
        asked = [Inquiry(**one) for one in task.inquiries]
        shape["inputRequests"] = {one.key: _wire(form(one.message, one.schema)) for one in asked}
    return shape


def _iso(moment: float) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
    return f"{whole}.{int(moment % 1 * 1000):03d}Z"
