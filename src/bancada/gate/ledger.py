"""What the gate writes: the audit's entries, and the call's row where it belongs to a turn.

Always inside the caller's transaction, so that a call's outcome, its audit and its result are
there together or not at all.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from bancada.domain.calls import Attachment, BrokenRule, Caller, Outcome, ToolCall, Widget
from bancada.domain.json import JSON, JSONObject, canonical, dumps
from bancada.gate.case import Case, KnownCase
from bancada.gate.scope import CallScope
from bancada.store import audit, calls
from bancada.store.calls import UnderWay
from bancada.store.columns import clean
from bancada.store.confirmations import Confirmation

MOST_ARGUMENTS = 20_000
"""Characters of arguments kept in an audit entry; longer ones are cut, with their full size."""


def start(db: Connection, case: KnownCase, *, at: float) -> int:
    """Write that the call starts; returns the number of its first entry."""
    says = {**_who_and_what(case), **_decision(case.granted)}
    if case.again is not None:
        says["again"] = True
    number = _append(db, "started", case, at=at, ref=case.line, says=says)
    ref = number if case.line is None else case.line
    _begin_row(db, case, ref, at=at)
    if (running := _under_way(case, ref, at=at)) is not None:
        calls.note_under_way(db, running)
    return ref


def end(db: Connection, case: Case, ref: int, outcome: Outcome, *, at: float) -> Outcome:
    """Write how the call ended, for the audit and for the turn."""
    ran_with = None if case.call.as_asked is None else case.call.input
    edited = case.granted is not None and case.granted.edited_input is not None
    outcome = replace(outcome, audit_id=ref, ran_with=ran_with, edited=edited)
    says = {
        "duration_ms": round(outcome.duration_ms, 3),
        "outcome": "ok" if not outcome.is_error else (outcome.code or "failed"),
        "size": _size(outcome),
        "cached": outcome.cached,
        "caller": case.call.caller.as_json(),
        "error": _sentence(outcome) if outcome.is_error else None,
    }
    _append(db, "ended", case, at=at, ref=ref, says=says)
    if case.scope.row is not None:
        calls.end(db, case.scope.row, case.call.id, outcome_json(outcome), at)
    if (running := _under_way(case, ref, at=at)) is not None:
        calls.forget(db, *running.key)
    return outcome


def _under_way(case: Case, ref: int, *, at: float) -> UnderWay | None:
    """The row by which others know who runs a call; one of a turn is known by the turn's owner."""
    if case.process is None or case.scope.own_turn is not None:
        return None
    return UnderWay(
        process=case.process,
        organisation_id=case.scope.organisation_id,
        audit_ref=ref,
        kept_as=case.scope.row,
        tool=case.call.name,
        caller=case.call.caller.as_json(),
        effect="read" if case.tool is None else case.tool.effect,
        started_at=at,
    )


def refuse(db: Connection, case: Case, outcome: Outcome, *, at: float) -> Outcome:
    """Write that the call did not run: one entry, unless somebody was asked before."""
    says = {
        **_who_and_what(case),
        "decision": "refused",
        "decided_by": None if case.granted is None else case.granted.decided_by,
        "outcome": outcome.code,
        "size": _size(outcome),
        "error": _sentence(outcome),
    }
    ref = case.line
    number = _append(db, "refused", case, at=at, ref=ref, says=says)
    outcome = replace(outcome, audit_id=number if ref is None else ref)
    _begin_row(db, case, outcome.audit_id or 0, at=at, outcome=outcome_json(outcome))
    return outcome


def asked(db: Connection, case: KnownCase, reason: str, confirmation_id: str, *, at: float) -> int:
    """Write that a person is asked; returns the call's audit line."""
    says = {
        **_who_and_what(case),
        "decision": "asked",
        "reason": reason,
        "confirmation_id": confirmation_id,
        "outcome": "waiting",
    }
    number = _append(db, "asked", case, at=at, ref=case.again, says=says)
    return number if case.again is None else case.again


def asked_inside(
    db: Connection, case: KnownCase, reason: str, confirmation_id: str, *, at: float
) -> None:
    """Write that a call which has begun asks its person something."""
    says = {"decision": "asked", "reason": reason, "confirmation_id": confirmation_id}
    says = {**_who_and_what(case), **says, "outcome": "waiting"}
    _append(db, "asked", case, at=at, ref=case.line, says=says)


def is_same_call(db: Connection, case: Case, ref: int) -> bool:
    """Whether the call on this audit line asked for the same: tool and arguments."""
    first = audit.entry(db, case.scope.organisation_id, ref)
    if first is None or first["tool"] != clean(case.call.name):
        return False
    asked = first.get("asked_arguments", first.get("arguments"))
    return canonical(asked) == canonical(_arguments(case.call.input))


def expire(db: Connection, found: Confirmation, *, at: float) -> None:
    """Nobody answered a call that has no turn: it is over, and the audit says so."""
    scope = CallScope(
        person_id=found.user_id,
        organisation_id=found.organisation_id,
        conversation_id=found.conversation_id,
    )
    call = ToolCall(
        id=found.call_id, name=found.tool, input=found.input, caller=Caller.of(found.caller)
    )
    outcome = Outcome(content="Nobody answered in time.", is_error=True, code="expired")
    refuse(db, Case(call=call, scope=scope, granted=found), outcome, at=at)


# ---------------------------------------------------------------------------- shapes


def outcome_json(outcome: Outcome) -> JSONObject:
    """An outcome as it is stored, with nothing lost. It is written at once: nothing is copied."""
    broken = outcome.broken
    return {
        **vars(outcome),
        "widgets": [vars(one) for one in outcome.widgets],
        "attachments": [vars(one) for one in outcome.attachments],
        "broken": None if broken is None else [vars(one) for one in broken],
    }


def outcome_from(shape: JSONObject) -> Outcome:
    widgets = tuple(Widget(**widget) for widget in shape.get("widgets") or ())
    attachments = tuple(Attachment(**one) for one in shape.get("attachments") or ())
    kept = shape.get("broken")
    broken = None if kept is None else tuple(map(BrokenRule.of, kept))
    told = {"widgets": widgets, "attachments": attachments, "broken": broken}
    return Outcome(**{**shape, **told})


def _append(
    db: Connection,
    kind: audit.EntryKind,
    case: Case,
    *,
    at: float,
    ref: int | None,
    says: JSONObject,
) -> int:
    scope = case.scope
    return audit.append(
        db,
        scope.organisation_id,
        kind,
        at=at,
        person_id=scope.person_id,
        conversation_id=scope.conversation_id,
        turn_id=scope.turn_id,
        call_id=case.call.id,
        tool=case.call.name,
        ref=ref,
        says={"agent_id": scope.agent.id if scope.agent else None, **says},
    )


def _begin_row(
    db: Connection, case: Case, ref: int, *, at: float, outcome: JSONObject | None = None
) -> None:
    """The call's own row: open, unless it is over already."""
    if case.scope.row is None:
        return
    calls.begin(
        db,
        owner_id=case.scope.row,
        call_id=case.call.id,
        organisation_id=case.scope.organisation_id,
        tool=case.call.name,
        caller=case.call.caller.as_json(),
        effect="read" if case.tool is None else case.tool.effect,
        audit_ref=ref,
        at=at,
        outcome=outcome,
    )


def _who_and_what(case: Case) -> JSONObject:
    person, tool = case.person, case.tool
    says: JSONObject = {
        "person": None if person is None else person.email,
        "role": None if person is None else person.role,
        "tool_version": None if tool is None else tool.version,
        "effect": None if tool is None else tool.effect,
        "arguments": _arguments(case.call.input),
        "caller": case.call.caller.as_json(),
    }
    if case.call.as_asked is not None:
        says["asked_arguments"] = _arguments(case.call.as_asked)
    return says


def _decision(granted: Confirmation | None) -> JSONObject:
    if granted is None:
        return {"decision": "allowed"}
    return {
        "decision": "approved",
        "decided_by": granted.decided_by,
        "decided_at": granted.decided_at,
    }


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
