"""Run one tool call: decide, confirm, execute, record.

Model calls, code, panel, refresh, keyword mode and tools that call tools all pass here; the
audit has no side door. Whatever goes wrong becomes an `Outcome` with a sentence for the model.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from sqlalchemy import Connection

from bancada.domain.calls import Caller, Outcome, RefusalCode, ToolCall, Waiting
from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSONObject
from bancada.gate import ledger
from bancada.gate.admission import (
    CONFIRMATION_SECONDS,
    Admission,
    Admitted,
    Desk,
    admit,
    cut_short,
)
from bancada.gate.lanes import Lanes
from bancada.gate.listing import visible_tools
from bancada.gate.situation import Situation
from bancada.policy.rulebook import Rulebook
from bancada.policy.rules import Rules
from bancada.store import cache, calls, confirmations, people
from bancada.store.database import Database
from bancada.tools.registry import Registry
from bancada.tools.result import outcome_of
from bancada.tools.tool import Tool, ToolContext

log = logging.getLogger("bancada.gate")

OnStart: TypeAlias = Callable[[ToolCall], Awaitable[None]]
"""Told when a call passed the gate and is about to run."""


@dataclass(frozen=True, kw_only=True)
class GateLimits:
    """What the gate bounds for every tool."""

    result_chars: int = 30_000
    confirmation_seconds: float = CONFIRMATION_SECONDS


@dataclass
class Gate:
    """The door. One per process; calls may come from everywhere at once."""

    database: Database
    registry: Registry
    rulebook: Rulebook = field(default_factory=Rulebook)
    limits: GateLimits = field(default_factory=GateLimits)
    clock: Callable[[], float] = time.time
    _lanes: Lanes = field(default_factory=Lanes)

    async def call(
        self, call: ToolCall, situation: Situation, on_start: OnStart | None = None
    ) -> Outcome | Waiting:
        """Take one call through all nine steps. Never raises, except for cancellation."""
        try:
            admission = await self._admit(call, situation)
        except Exception:
            # If the audit cannot be written, the call does not run.
            log.exception("the gate could not record a call of %s", call.name)
            return _not_recorded(call)
        if not isinstance(admission, Admitted):
            return admission
        if on_start is not None:
            await on_start(admission.call)
        return await self._run(admission, situation)

    async def refuse(
        self,
        call: ToolCall,
        situation: Situation,
        sentence: str,
        code: RefusalCode = "invalid_tool_input",
    ) -> Outcome:
        """End a call that will not run (unreadable, stopped): it leaves its line like any other.

        A call that ended already keeps its outcome; one that was cut short is closed.
        """
        refusal = Outcome(content=sentence, is_error=True, code=code)
        try:
            return await self.database.run(_conclude, call, situation, refusal, self.clock())
        except Exception:
            log.exception("the gate could not record a refused call of %s", call.name)
            return _not_recorded(call)

    async def _admit(self, call: ToolCall, situation: Situation) -> Admission:
        desk = Desk(
            registry=self.registry,
            rulebook=self.rulebook,
            now=self.clock(),
            confirmation_seconds=self.limits.confirmation_seconds,
        )
        return await self.database.run(admit, desk, call, situation)

    async def _run(self, admitted: Admitted, situation: Situation) -> Outcome:
        """Steps 8 and 9. However the run ends, its end is written."""
        began = time.perf_counter()
        try:
            async with self._lanes.lane(situation.turn_id, alone=not admitted.tool.parallel):
                outcome = await self._execute(admitted, situation)
        except asyncio.CancelledError:
            outcome = Outcome(
                content=f"{admitted.tool.name} was stopped before it ended.",
                is_error=True,
                code="cancelled",
                duration_ms=_since(began),
            )
            # The caller is gone; the record must not depend on it.
            await asyncio.shield(self._end(admitted, situation, outcome))
            raise
        return await self._end(admitted, situation, replace(outcome, duration_ms=_since(began)))

    async def _execute(self, admitted: Admitted, situation: Situation) -> Outcome:
        """Run the tool within its time; turn whatever comes of it into an outcome."""
        tool, call = admitted.tool, admitted.call
        context = self._context(admitted, situation)
        try:
            async with asyncio.timeout(tool.timeout) as deadline:
                raw = await tool.run(context, call.input)
        except ToolFailed as failure:
            return _failed(str(failure))
        except TimeoutError:
            if not deadline.expired():
                log.exception("%s failed", tool.name)
                return _failed(f"{tool.name} failed: something it waited for timed out.")
            return Outcome(
                content=f"{tool.name} did not answer within {tool.timeout:g} s. "
                "Ask for less, or try another way.",
                is_error=True,
                code="timeout",
            )
        except Exception as error:
            log.exception("%s failed", tool.name)
            return _failed(
                f"{tool.name} failed unexpectedly ({type(error).__name__}). "
                "The operator has the details; try another way or tell the person."
            )
        return outcome_of(raw, max_chars=self.limits.result_chars)

    async def _end(self, admitted: Admitted, situation: Situation, outcome: Outcome) -> Outcome:
        try:
            return await self.database.run(_write_end, admitted, situation, outcome, self.clock())
        except Exception:
            log.exception("the end of a call of %s could not be recorded", admitted.tool.name)
            return Outcome(
                content=f"{admitted.tool.name} ran, but its result could not be recorded.",
                is_error=True,
                code="unknown",
                audit_id=admitted.audit_ref,
            )

    def _context(self, admitted: Admitted, situation: Situation) -> ToolContext:
        async def call_another(name: str, input: JSONObject) -> Outcome:
            inner = ToolCall(
                id=f"call_{secrets.token_hex(12)}",
                name=name,
                input=input,
                caller=Caller(tool_id=admitted.call.id, via="composed"),
            )
            ended = await self.call(inner, situation.deeper())
            return ended if isinstance(ended, Outcome) else must_be_confirmed(inner, ended)

        return ToolContext(
            person=admitted.person,
            call_id=admitted.call.id,
            conversation_id=situation.conversation_id,
            turn_id=situation.turn_id,
            call=call_another,
        )

    async def visible(self, situation: Situation) -> list[tuple[Tool, Rules]]:
        """The tools this person may use here, with the rules in force."""
        return await self.database.read(visible_tools, self.registry, self.rulebook, situation)


def _write_end(
    db: Connection, admitted: Admitted, situation: Situation, outcome: Outcome, at: float
) -> Outcome:
    if admitted.cache_key is not None and not outcome.is_error:
        cache.keep(
            db,
            admitted.cache_key,
            organisation_id=situation.organisation_id,
            tool=admitted.tool.name,
            outcome=ledger.outcome_json(outcome),
            now=at,
            seconds=admitted.cache_seconds,
        )
    return ledger.end(db, admitted.call, situation, admitted.audit_ref, outcome, at=at)


def _conclude(
    db: Connection, call: ToolCall, situation: Situation, refusal: Outcome, at: float
) -> Outcome:
    asked = None
    if situation.turn_id is not None:
        stored = calls.find(db, situation.turn_id, call.id)
        if stored is not None and stored.outcome is not None:
            return ledger.outcome_from(stored.outcome)
        if stored is not None:
            return ledger.end(
                db, call, situation, stored.audit_ref, cut_short(call, stored.effect), at=at
            )
        asked = confirmations.for_call(db, situation.turn_id, call.id)
    standing = people.standing(db, situation.person_id)
    person = None if standing is None else standing.person
    return ledger.refuse(db, call, situation, person, None, refusal, at=at, granted=asked)


def must_be_confirmed(call: ToolCall, waiting: Waiting) -> Outcome:
    """A call outside a turn cannot wait: it says which confirmation would let it run."""
    return Outcome(
        content=f"{call.name} needs a person's confirmation first "
        f"(confirmation {waiting.confirmation_id}). It runs when it is approved.",
        is_error=True,
        value={"confirmation_id": waiting.confirmation_id, "reason": waiting.reason},
        audit_id=waiting.audit_id,
    )


def _not_recorded(call: ToolCall) -> Outcome:
    return Outcome(
        content=f"{call.name} did not run: the call could not be recorded. Try again later.",
        is_error=True,
        code="failed",
    )


def _failed(sentence: str) -> Outcome:
    return Outcome(content=sentence, is_error=True, code="failed")


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
