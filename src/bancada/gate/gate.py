"""Run one tool call: decide, confirm, execute, record.

Model calls, code, panel, refresh, keyword mode and tools that call tools all pass here; the
audit has no side door. Whatever goes wrong becomes an `Outcome` with a sentence for the model.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bancada.domain.calls import Caller, Outcome, RefusalCode, ToolCall, Waiting
from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSONObject
from bancada.gate.admission import Admission, admit
from bancada.gate.case import CONFIRMATION_SECONDS, Admitted, Case, GateContext
from bancada.gate.endings import (
    conclude,
    failed,
    in_a_word,
    not_decided,
    not_recorded,
    stopped,
    unrecorded,
    write_end,
)
from bancada.gate.inquiring import asker, asks_in_turn, put_to_person
from bancada.gate.lanes import Lanes
from bancada.gate.listing import visible_tools
from bancada.gate.scope import CallScope
from bancada.policy.rulebook import Rulebook
from bancada.policy.rules import Rules
from bancada.store.database import Database
from bancada.store.turns import NotOurs
from bancada.telemetry import span
from bancada.tools.inquiries import AnswerNeeded
from bancada.tools.registry import Registry
from bancada.tools.result import (
    MAX_MANAGED_BYTES,
    MAX_WHOLE_BYTES,
    as_read,
    bounded,
    whole_of,
    without_copy,
)
from bancada.tools.tool import Tool, ToolContext

log = logging.getLogger("bancada.gate")

STOP_SECONDS = 1.0
"""How long a tool that ran out of time may take to put its things away."""

OnStart: TypeAlias = Callable[[ToolCall], Awaitable[None]]
"""Told when a call passed the gate and is about to run."""


@dataclass(frozen=True, kw_only=True)
class GateLimits:
    """What the gate bounds for every tool."""

    result_chars: int = 30_000
    confirmation_seconds: float = CONFIRMATION_SECONDS


@dataclass
class _Heard:
    """Whether a tool's result holds text from outside; it may be a call it made that brought it."""

    outside: bool
    from_inside: bool = False


@dataclass
class Gate:
    """The door. One per process; calls may come from everywhere at once."""

    database: Database
    registry: Registry
    rulebook: Rulebook = field(default_factory=Rulebook)
    limits: GateLimits = field(default_factory=GateLimits)
    clock: Callable[[], float] = time.time
    process: str | None = None
    """By which name others know the process that runs the calls of this gate."""
    draining: bool = False
    """The process stops: calls that are cut now are left as a crash would leave them, so that
    reads run again at the next start and writes are reported as unknown."""
    _lanes: Lanes = field(default_factory=Lanes)
    _under_way: dict[tuple[str, str], asyncio.Future[None]] = field(default_factory=dict)

    async def call(
        self, call: ToolCall, scope: CallScope, on_start: OnStart | None = None
    ) -> Outcome | Waiting:
        """Take one call through all nine steps. Never raises, except for cancellation."""
        with span(
            "tool call", call_id=call.id, via=call.caller.via or call.caller.type
        ) as measured:
            ended = await self._once(self._case(call, scope), on_start)
            measured.set(tool=self._counted_as(call.name, ended), outcome=in_a_word(ended))
        return ended

    def _case(self, call: ToolCall, scope: CallScope) -> Case:
        return Case(call=call, scope=scope, process=self.process)

    def _counted_as(self, name: str, ended: Outcome | Waiting) -> str:
        """Under which name the call is counted, where everybody can read: what people made has a
        name that is theirs alone."""
        if name in self.registry:
            return name
        known = not isinstance(ended, Outcome) or ended.code != "unknown_tool"
        return "(custom)" if known else "(unknown)"

    async def _once(self, case: Case, on_start: OnStart | None) -> Outcome | Waiting:
        row = case.scope.row
        if row is None:
            return await self._through(case, on_start)
        # The same id in the same turn is the same call. A turn that is taken up again races with what
        # still runs of it here: without waiting, that would look like a call that was cut short.
        key = (row, case.call.id)
        while (other := self._under_way.get(key)) is not None:
            await asyncio.shield(other)
        over = self._under_way[key] = asyncio.get_running_loop().create_future()
        try:
            return await self._through(case, on_start)
        finally:
            del self._under_way[key]
            over.set_result(None)

    async def _through(self, case: Case, on_start: OnStart | None) -> Outcome | Waiting:
        admission = await self._admission(case)
        if not isinstance(admission, Admitted):
            return admission
        return await self._run(admission, on_start)

    async def begin(self, call: ToolCall, scope: CallScope) -> Admission:
        """Steps 1 to 7 for a call that its caller runs: code, which outlives its process.

        Whoever was admitted says how it ended, with `finish`.
        """
        return await self._admission(self._case(call, scope))

    async def finish(self, admitted: Admitted, outcome: Outcome) -> Outcome:
        """Step 9 for a call that was admitted by `begin`."""
        return await self._end(admitted, outcome)

    async def _admission(self, case: Case) -> Admission:
        deciding: asyncio.Future[Admission] | None = None
        try:
            deciding = self._decide(case)
            return await asyncio.shield(deciding)
        except asyncio.CancelledError:
            # The caller is gone, but the start may be in the record already: it is not left open.
            if deciding is not None:
                await asyncio.shield(self._withdraw(deciding))
            raise
        except NotOurs:
            return not_decided(case.call)
        except Exception:
            # If the audit cannot be written, the call does not run.
            log.exception("the gate could not decide a call of %s", case.call.name)
            return await self._write_refusal(case, not_decided(case.call))

    async def _withdraw(self, deciding: asyncio.Future[Admission]) -> None:
        await asyncio.wait({deciding})
        if deciding.cancelled() or deciding.exception() is not None:
            return
        admission = deciding.result()
        if isinstance(admission, Admitted):
            if self.draining and admission.tool.effect == "read":
                return
            await self._end(admission, stopped(admission.tool))

    async def refuse(
        self,
        call: ToolCall,
        scope: CallScope,
        sentence: str,
        code: RefusalCode = "invalid_tool_input",
    ) -> Outcome:
        """End a call that will not run (unreadable, stopped): it leaves its line like any other.

        A call that ended already keeps its outcome; one that was cut short is closed.
        """
        refusal = Outcome(content=sentence, is_error=True, code=code)
        return await self._write_refusal(self._case(call, scope), refusal)

    async def _write_refusal(self, case: Case, refusal: Outcome) -> Outcome:
        try:
            return await self.database.run(conclude, case, refusal, self.clock())
        except Exception:
            log.exception("the gate could not record a refused call of %s", case.call.name)
            return not_recorded(case.call)

    def context(self) -> GateContext:
        """What a decision made now needs beside the database."""
        return GateContext(
            registry=self.registry,
            rulebook=self.rulebook,
            now=self.clock(),
            confirmation_seconds=self.limits.confirmation_seconds,
        )

    def _decide(self, case: Case) -> asyncio.Future[Admission]:
        return self.database.together(case.scope.organisation_id, admit, self.context(), case)

    async def _run(self, admitted: Admitted, on_start: OnStart | None) -> Outcome | Waiting:
        """Steps 8 and 9. However the run ends, its end is written."""
        began = time.perf_counter()
        # What a tool calls has a lane of its own: waiting for its caller, it would wait for ever.
        scope, caller = admitted.scope, admitted.call.caller
        lane = scope.turn_id if scope.depth == 0 else caller.tool_id
        heard = _Heard(admitted.tool.brings_outside_content(admitted.person))
        outcome: Outcome | AnswerNeeded
        try:
            if on_start is not None:
                await on_start(admitted.call)
            async with self._lanes.lane(lane, alone=not admitted.tool.parallel):
                outcome = await self._execute(admitted, heard)
        except asyncio.CancelledError:
            if self.draining:
                raise
            outcome = replace(stopped(admitted.tool), duration_ms=_since(began))
            await self._end(admitted, outcome)
            raise
        except Exception:
            log.exception("%s could not be started", admitted.tool.name)
            outcome = failed(f"{admitted.tool.name} did not run: it could not be started.")
        if isinstance(outcome, AnswerNeeded):
            return await self._ask(admitted, outcome)
        outcome = replace(outcome, duration_ms=_since(began), outside=heard.outside)
        return await self._end(admitted, outcome)

    async def _ask(self, admitted: Admitted, needed: AnswerNeeded) -> Outcome | Waiting:
        """The tool's question to the person, written down; the call begins again with the answer."""
        try:
            asking = self.database.start(put_to_person, self.context(), admitted, needed.questions)
            return await asyncio.shield(asking)
        except Exception:
            log.exception("a question of %s could not be recorded", admitted.tool.name)
            sentence = f"{admitted.tool.name} asks something, and it could not be recorded."
            return await self._end(admitted, failed(sentence))

    async def _execute(self, admitted: Admitted, heard: _Heard) -> Outcome | AnswerNeeded:
        """Run the tool within its time, in a task of its own: one that will not stop is left."""
        tool = admitted.tool
        running = asyncio.create_task(self._attempt(admitted, heard))
        try:
            await asyncio.wait({running}, timeout=tool.timeout)
        finally:
            in_time = running.done()
            if not in_time:
                running.cancel()
                await asyncio.wait({running}, timeout=STOP_SECONDS)
        if in_time:
            return running.result()
        return Outcome(
            content=f"{tool.name} did not answer within {tool.timeout:g} s. "
            "Ask for less, or try another way.",
            is_error=True,
            code="timeout",
        )

    async def _attempt(self, admitted: Admitted, heard: _Heard) -> Outcome | AnswerNeeded:
        """Run the tool; turn whatever comes of it into an outcome."""
        tool = admitted.tool
        try:
            raw = await tool.run(self._tool_context(admitted, heard), admitted.call.input)
            return self._handed_over(whole_of(raw), admitted)
        except AnswerNeeded as needed:
            if asks_in_turn(admitted):
                return needed
            return Outcome(content=str(needed), is_error=True, code="asked")
        except ToolFailed as failure:
            said = as_read(whole_of(str(failure)), self._chars(admitted))
            return replace(said, is_error=True, code="failed")
        except (Exception, SystemExit, asyncio.CancelledError) as error:
            if isinstance(error, asyncio.CancelledError) and _is_stopped():
                raise
            log.exception("%s failed", tool.name)
            crashed = failed(
                f"{tool.name} failed unexpectedly ({type(error).__name__}). "
                "The operator has the details; try another way or tell the person."
            )
            return replace(crashed, meta={"crashed": True})

    def _handed_over(self, outcome: Outcome, admitted: Admitted) -> Outcome:
        """A model reads what fits in its window; code and tools made of others get all or an error."""
        caller, agent = admitted.call.caller, admitted.scope.agent
        if caller.via == "mcp":
            # The text is for a model, cut like any; the value has to fit the schema that was promised.
            whole = bounded(outcome, MAX_MANAGED_BYTES)
            read = as_read(replace(whole, attachments=()), self._chars(admitted))
            return replace(read, value=whole.value, attachments=whole.attachments)
        if not caller.reads_whole:
            return as_read(outcome, self._chars(admitted))
        managed = agent is not None and agent.code == "anthropic"
        outcome = bounded(outcome, MAX_MANAGED_BYTES if managed else MAX_WHOLE_BYTES)
        # Whoever composes tools takes values apart; code reads text.
        return without_copy(outcome, self.limits.result_chars) if caller.is_code else outcome

    def _chars(self, admitted: Admitted) -> int:
        """How much whoever asked reads of a result."""
        return min(admitted.scope.result_chars or sys.maxsize, self.limits.result_chars)

    async def _end(self, admitted: Admitted, outcome: Outcome) -> Outcome:
        """Write the end, though the caller may go away: whoever looks next must find it."""
        ending: asyncio.Future[Outcome] | None = None
        try:
            ending = self.database.together(
                admitted.scope.organisation_id, write_end, admitted, outcome, self.clock()
            )
            return await asyncio.shield(ending)
        except asyncio.CancelledError:
            if ending is not None:
                await asyncio.wait({ending})
            raise
        except NotOurs:
            return unrecorded(admitted)
        except Exception:
            log.exception("the end of a call of %s could not be recorded", admitted.tool.name)
            return unrecorded(admitted)

    def _tool_context(self, admitted: Admitted, heard: _Heard) -> ToolContext:
        scope = admitted.scope

        async def call_another(name: str, input: JSONObject) -> Outcome:
            inner = ToolCall(
                id=f"call_{secrets.token_hex(12)}",
                name=name,
                input=input,
                caller=Caller(tool_id=admitted.call.id, via="composed"),
            )
            within = scope.inside(
                admitted.tool.label,
                admitted.approvals,
                of_agent=_is_the_models(admitted, name),
                tainted=heard.from_inside,
                of_own=admitted.tool.own,
            )
            ended = await self.call(inner, within)
            if isinstance(ended, Outcome) and ended.outside:
                heard.outside = heard.from_inside = True
            return ended if isinstance(ended, Outcome) else must_be_confirmed(inner, ended)

        return ToolContext(
            person=admitted.person,
            call_id=admitted.call.id,
            conversation_id=scope.conversation_id,
            turn_id=scope.turn_id,
            tainted=admitted.tainted,
            call=call_another,
            ask=asker(admitted),
            answered=admitted.answered,
            progress=scope.progress,
        )

    async def visible(self, scope: CallScope) -> list[tuple[Tool, Rules]]:
        """The tools this person may use here, with the rules in force."""
        return await self.database.read(visible_tools, self.registry, self.rulebook, scope)


def _is_the_models(outer: Admitted, name: str) -> bool:
    """Whether the model wrote the call that this tool is about to make."""
    if outer.tool.calls is None or outer.call.caller.via == "composed":
        return False
    return any(one.of_agent and one.tool == name for one in outer.tool.calls(outer.call.input))


def must_be_confirmed(call: ToolCall, waiting: Waiting) -> Outcome:
    """A call outside a turn cannot wait: it says which confirmation would let it run."""
    return Outcome(
        content=f"{call.name} needs a person's confirmation first "
        f"(confirmation {waiting.confirmation_id}). It runs when it is approved.",
        is_error=True,
        value={"confirmation_id": waiting.confirmation_id, "reason": waiting.reason},
        audit_id=waiting.audit_id,
    )


def _is_stopped() -> bool:
    """Whether the running task was told to stop, and did not just meet somebody else's end."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
