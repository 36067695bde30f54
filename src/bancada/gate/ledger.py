"""What the gate writes: the audit's entries, and the call's row where it belongs to a turn.

Always inside the caller's transaction, so that a call's outcome, its audit and its result are
there together or not at all.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection

from bancada.domain.calls import Caller, Outcome, ToolCall, Widget
from bancada.domain.json import JSON, JSONObject, canonical, dumps
from bancada.domain.people import Person
from bancada.gate.situation import Situation
from bancada.store import audit, calls
from bancada.store.columns import clean
from bancada.store.confirmations import Confirmation
from bancada.tools.tool import Tool

MOST_ARGUMENTS = 20_000
"""Characters of arguments kept in an audit entry; longer ones are cut, with their full size."""


def start(
    db: Connection,
    call: ToolCall,
    situation: Situation,
    person: Person,
    tool: Tool,
    *,
    at: float,
    granted: Confirmation | None,
) -> int:
    """Write that the call starts; returns the number of its first entry."""
    says = {**_who_and_what(call, person, tool), **_decision(call, granted)}
    if situation.again is not None:
        says["again"] = True
    line = _line(situation, granted)
    number = _append(db, "started", call, situation, at=at, ref=line, says=says)
    ref = number if line is None else line
    if _in_turn(situation):
        assert situation.turn_id is not None
        calls.begin(
            db,
            turn_id=situation.turn_id,
            call_id=call.id,
            organisation_id=situation.organisation_id,
            tool=tool.name,
            caller=call.caller.as_json(),
            effect=tool.effect,
            audit_ref=ref,
            at=at,
        )
    return ref


def end(
    db: Connection, call: ToolCall, situation: Situation, ref: int, outcome: Outcome, *, at: float
) -> Outcome:
    """Write how the call ended, for the audit and for the turn."""
    outcome = replace(outcome, audit_id=ref)
    audit_end(db, call, situation, ref, outcome, at=at)
    if _in_turn(situation):
        assert situation.turn_id is not None
        calls.end(db, situation.turn_id, call.id, outcome_json(outcome), at)
    return outcome


def audit_end(
    db: Connection,
    call: ToolCall,
    situation: Situation,
    ref: int,
    outcome: Outcome,
    *,
    at: float,
) -> None:
    says = {
        "duration_ms": round(outcome.duration_ms, 3),
        "outcome": "ok" if not outcome.is_error else (outcome.code or "failed"),
        "size": _size(outcome),
        "cached": outcome.cached,
        "caller": call.caller.as_json(),
        "error": _sentence(outcome) if outcome.is_error else None,
    }
    _append(db, "ended", call, situation, at=at, ref=ref, says=says)


def refuse(
    db: Connection,
    call: ToolCall,
    situation: Situation,
    person: Person | None,
    tool: Tool | None,
    outcome: Outcome,
    *,
    at: float,
    granted: Confirmation | None,
) -> Outcome:
    """Write that the call did not run: one entry, unless somebody was asked before."""
    says = {
        **_who_and_what(call, person, tool),
        "decision": "refused",
        "decided_by": None if granted is None else granted.decided_by,
        "outcome": outcome.code,
        "size": _size(outcome),
        "error": _sentence(outcome),
    }
    ref = _line(situation, granted)
    number = _append(db, "refused", call, situation, at=at, ref=ref, says=says)
    outcome = replace(outcome, audit_id=number if ref is None else ref)
    if _in_turn(situation):
        assert situation.turn_id is not None
        calls.begin(
            db,
            turn_id=situation.turn_id,
            call_id=call.id,
            organisation_id=situation.organisation_id,
            tool=call.name,
            caller=call.caller.as_json(),
            effect="read" if tool is None else tool.effect,
            audit_ref=outcome.audit_id or 0,
            at=at,
            outcome=outcome_json(outcome),
        )
    return outcome


def audit_asked(
    db: Connection,
    call: ToolCall,
    situation: Situation,
    person: Person,
    reason: str,
    confirmation_id: str,
    *,
    at: float,
) -> int:
    says = {
        **_who_and_what(call, person, None),
        "decision": "asked",
        "reason": reason,
        "confirmation_id": confirmation_id,
        "outcome": "waiting",
    }
    number = _append(db, "asked", call, situation, at=at, ref=situation.again, says=says)
    return number if situation.again is None else situation.again


def is_same_call(db: Connection, call: ToolCall, situation: Situation, ref: int) -> bool:
    """Whether the call on this audit line asked for the same: tool and arguments."""
    first = audit.entry(db, situation.organisation_id, ref)
    if first is None or first["tool"] != clean(call.name):
        return False
    return canonical(first.get("arguments")) == canonical(_arguments(call.input))


def expire(db: Connection, found: Confirmation, *, at: float) -> None:
    """Nobody answered a call that has no turn: it is over, and the audit says so."""
    situation = Situation(
        person_id=found.user_id,
        organisation_id=found.organisation_id,
        conversation_id=found.conversation_id,
    )
    call = ToolCall(
        id=found.call_id, name=found.tool, input=found.input, caller=Caller.of(found.caller)
    )
    outcome = Outcome(content="Nobody answered in time.", is_error=True, code="expired")
    refuse(db, call, situation, None, None, outcome, at=at, granted=found)


# ---------------------------------------------------------------------------- shapes


def outcome_json(outcome: Outcome) -> JSONObject:
    """An outcome as it is stored, with nothing lost."""
    return asdict(outcome)


def outcome_from(shape: JSONObject) -> Outcome:
    widgets = tuple(Widget(**widget) for widget in shape.get("widgets") or ())
    return Outcome(**{**shape, "widgets": widgets})


def _append(
    db: Connection,
    kind: audit.EntryKind,
    call: ToolCall,
    situation: Situation,
    *,
    at: float,
    ref: int | None,
    says: JSONObject,
) -> int:
    return audit.append(
        db,
        situation.organisation_id,
        kind,
        at=at,
        person_id=situation.person_id,
        conversation_id=situation.conversation_id,
        turn_id=situation.turn_id,
        call_id=call.id,
        tool=call.name,
        ref=ref,
        says={"agent_id": situation.agent.id if situation.agent else None, **says},
    )


def _who_and_what(call: ToolCall, person: Person | None, tool: Tool | None) -> JSONObject:
    return {
        "person": None if person is None else person.email,
        "role": None if person is None else person.role,
        "tool_version": None if tool is None else tool.version,
        "effect": None if tool is None else tool.effect,
        "arguments": _arguments(call.input),
        "caller": call.caller.as_json(),
    }


def _decision(call: ToolCall, granted: Confirmation | None) -> JSONObject:
    if granted is None:
        return {"decision": "allowed"}
    says: JSONObject = {
        "decision": "approved",
        "decided_by": granted.decided_by,
        "decided_at": granted.decided_at,
    }
    if granted.edited_input is not None:
        says["asked_arguments"] = _arguments(granted.input)
    return says


def _arguments(input: JSON) -> Any:
    """Arguments as the audit keeps them: whole when they are of ordinary size."""
    try:
        text = dumps(input)
    except ValueError as error:
        return {"not_json": str(error)[:200]}
    if len(text) <= MOST_ARGUMENTS:
        return input
    return {"cut": text[:MOST_ARGUMENTS], "characters": len(text)}


def _size(outcome: Outcome) -> int:
    content = outcome.content
    return len(content) if isinstance(content, str) else len(canonical(content))


def _sentence(outcome: Outcome) -> str:
    content = outcome.content
    return (content if isinstance(content, str) else dumps(content))[:500]


def _line(situation: Situation, granted: Confirmation | None) -> int | None:
    """The audit line the call has already: it was asked about, or runs again."""
    return situation.again if granted is None else granted.audit_ref


def _in_turn(situation: Situation) -> bool:
    """Only a turn's own calls have a row: what a tool calls is part of that tool's call."""
    return situation.turn_id is not None and situation.depth == 0
