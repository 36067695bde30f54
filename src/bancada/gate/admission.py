"""May this call run? Steps 1 to 7, read and written in one short transaction.

Each step is a small function of `policy`; this module gives them what the database knows now
and writes down what follows: a start, a refusal, or a question to a person.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from dataclasses import dataclass, replace
from typing import TypeAlias

from sqlalchemy import Connection

from bancada.domain.access import Ask, Deny
from bancada.domain.calls import Outcome, ToolCall, Waiting
from bancada.domain.json import JSON, JSONObject, canonical
from bancada.domain.people import Person
from bancada.gate import ledger
from bancada.gate.inside import asks_inside
from bancada.gate.situation import DEEPEST, Situation
from bancada.policy import permissions
from bancada.policy.budgets import within_budget
from bancada.policy.rulebook import Rulebook
from bancada.policy.rules import Rules
from bancada.store import cache, calls, confirmations, people
from bancada.store.columns import clean
from bancada.store.confirmations import Confirmation
from bancada.store.people import Standing
from bancada.tools.registry import Registry
from bancada.tools.tool import Tool

log = logging.getLogger("bancada.gate")

CONFIRMATION_SECONDS = 7 * 24 * 3600.0


@dataclass(frozen=True, kw_only=True)
class Admitted:
    """The call may run, now and once; the audit says that it starts."""

    call: ToolCall
    tool: Tool
    person: Person
    audit_ref: int
    confirmed: bool = False
    """A person's word covers the calls that this one makes."""
    cache_key: str | None = None
    cache_seconds: int = 0


Admission: TypeAlias = Admitted | Outcome | Waiting


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What admission needs beside the database: the tools, the rules, the time."""

    registry: Registry
    rulebook: Rulebook
    now: float
    confirmation_seconds: float = CONFIRMATION_SECONDS


def admit(db: Connection, desk: Desk, call: ToolCall, situation: Situation) -> Admission:
    """Decide, and write down what was decided."""
    seen = _already(db, desk, call, situation)
    if isinstance(seen, Outcome):
        return seen
    if seen is not None:
        situation = replace(situation, again=seen)
    standing = people.standing(db, situation.person_id)
    if standing is None:
        return _refuse(db, desk, call, situation, None, Deny("forbidden", "This account is gone."))
    person = standing.person
    desk.registry.refresh(db, standing)
    tool = desk.registry.find(call.name, person)
    if tool is None:
        return _refuse(
            db, desk, call, situation, person, _unknown(desk, call.name, person, situation)
        )
    rules = desk.rulebook.rules(db, standing, tool, situation.agent.id if situation.agent else None)
    refused = (
        permissions.enabled(tool, rules, situation.agent, call.caller, of_agent=situation.of_agent)
        or permissions.permitted(person, tool, rules)
        or permissions.caller_allowed(tool, rules, call.caller)
        or _not_too_deep(situation)
        or permissions.valid(tool, tool.validator.problem(call.input))
    )
    if refused is not None:
        return _refuse(db, desk, call, situation, person, refused, tool)
    word = _confirmed(db, desk, call, situation, standing, tool, rules)
    if isinstance(word, Waiting | Outcome):
        return word
    granted = word.confirmation
    if granted is not None:
        call = ToolCall(id=call.id, name=call.name, input=granted.granted_input, caller=call.caller)
        refused = permissions.valid(tool, tool.validator.problem(call.input))
    refused = refused or within_budget(db, person, tool, rules, desk.now)
    if refused is not None:
        return _refuse(db, desk, call, situation, person, refused, tool, granted)
    return _start(db, desk, call, situation, person, tool, rules, word)


# ---------------------------------------------------------------------------- before the steps


def _already(
    db: Connection, desk: Desk, call: ToolCall, situation: Situation
) -> Outcome | int | None:
    """What the record says of this very call: after a crash it may have begun, or ended.

    A cut `read` runs again, on the audit line it has (its number is returned); a cut `write`
    does not: nobody knows whether it happened.
    """
    if situation.turn_id is None or situation.depth > 0:
        return None
    stored = calls.find(db, situation.turn_id, call.id)
    if stored is None:
        return None
    if not ledger.is_same_call(db, call, situation, stored.audit_ref):
        return _id_taken(db, desk, call, situation)
    if stored.outcome is not None:
        return ledger.outcome_from(stored.outcome)
    if stored.effect == "read":
        calls.forget(db, situation.turn_id, call.id)
        return stored.audit_ref
    outcome = cut_short(call, stored.effect)
    return ledger.end(db, call, situation, stored.audit_ref, outcome, at=desk.now)


def _id_taken(db: Connection, desk: Desk, call: ToolCall, situation: Situation) -> Outcome:
    """Two different calls of one turn with one id: only the first can have its result there."""
    sentence = f"Another call of this turn has the id {call.id[:80]!r}; {call.name} did not run."
    within = replace(situation, depth=1)  # the turn has a row by that id already
    standing = people.standing(db, situation.person_id)
    return ledger.refuse(
        db,
        call,
        within,
        None if standing is None else standing.person,
        None,
        Outcome(content=clean(sentence), is_error=True, code="invalid_tool_input"),
        at=desk.now,
        granted=None,
    )


def cut_short(call: ToolCall, effect: str) -> Outcome:
    """How a call ends that began and was never heard of again."""
    if effect == "read":
        return Outcome(content=f"{call.name} was stopped.", is_error=True, code="cancelled")
    return Outcome(
        content=f"{call.name} was interrupted: it may or may not have happened. "
        "Check before you try again, and tell the person.",
        is_error=True,
        code="unknown",
    )


def _unknown(desk: Desk, name: str, person: Person, situation: Situation) -> Deny:
    """Name what there is instead: an agent's own tools, and never those of other agents."""
    near = [tool.name for tool in desk.registry.for_person(person)]
    if situation.agent is not None:
        near = [known for known in situation.agent.tools if known in near]
    hint = f" Known tools: {', '.join(near[:40])}." if near else ""
    return Deny("unknown_tool", f"There is no tool called {name[:80]!r}.{hint}")


def _not_too_deep(situation: Situation) -> Deny | None:
    if situation.depth <= DEEPEST:
        return None
    return Deny("forbidden", f"Tools may call tools {DEEPEST} levels deep, not deeper.")


# ---------------------------------------------------------------------------- step 5


@dataclass(frozen=True)
class _Word:
    """The call may run: by this confirmation, or because nobody need be asked."""

    confirmation: Confirmation | None = None
    given: bool = False
    """Somebody said yes: now, for this conversation, or to the tool that makes this call."""


def _confirmed(
    db: Connection,
    desk: Desk,
    call: ToolCall,
    situation: Situation,
    standing: Standing,
    tool: Tool,
    rules: Rules,
) -> _Word | Waiting | Outcome:
    """The word that lets the call run, or what stands in its way."""
    if situation.confirmed:
        return _Word(given=True)
    person = standing.person
    stored = _stored_confirmation(db, call, situation)
    if stored is None:
        asks = _asks(db, desk, call, situation, standing, tool, rules)
        return asks if isinstance(asks, _Word) else _ask(db, desk, call, situation, person, asks)
    if not _bound_to(stored, call, situation):
        refusal = Deny("forbidden", "This confirmation belongs to another call.")
        return _refuse(db, desk, call, situation, person, refusal, tool)
    if stored.input_hash != input_hash(call.input):
        refusal = Deny("rejected", "The arguments are not the ones that were confirmed.")
        return _refuse(db, desk, call, situation, person, refusal, tool)
    if stored.status == "pending" and stored.expires_at <= desk.now:
        confirmations.decide(db, stored.id, status="expired", by=None, at=desk.now)
        return _refuse(db, desk, call, situation, person, _expired(tool), tool, stored)
    if stored.status == "pending":
        return Waiting(
            confirmation_id=stored.id,
            reason=stored.reason,
            expires_at=stored.expires_at,
            audit_id=stored.audit_ref,
        )
    if stored.status == "expired":
        return _refuse(db, desk, call, situation, person, _expired(tool), tool, stored)
    if stored.status == "rejected":
        return _refuse(db, desk, call, situation, person, _rejected(tool, stored), tool, stored)
    if not (confirmations.use(db, stored.id) or situation.again is not None):
        refusal = Deny("rejected", "This confirmation was used already; a call runs once.")
        return _refuse(db, desk, call, situation, person, refusal, tool)
    return _Word(stored, given=True)


def _bound_to(stored: Confirmation, call: ToolCall, situation: Situation) -> bool:
    """Whether it was this call of this person in this turn that was asked about."""
    turn_id = situation.turn_id if situation.depth == 0 else None
    asked = (stored.user_id, stored.turn_id, stored.call_id, stored.tool)
    return asked == (situation.person_id, turn_id, clean(call.id), call.name)


def _stored_confirmation(
    db: Connection, call: ToolCall, situation: Situation
) -> Confirmation | None:
    if situation.confirmation_id is not None:
        return confirmations.find(db, situation.confirmation_id, lock=True)
    if situation.turn_id is not None and situation.depth == 0:
        return confirmations.for_call(db, situation.turn_id, call.id)
    return None


def _asks(
    db: Connection,
    desk: Desk,
    call: ToolCall,
    situation: Situation,
    standing: Standing,
    tool: Tool,
    rules: Rules,
) -> Ask | _Word:
    """Whom to ask, or the word that there is already."""
    tainted = _tainted(db, desk, situation, standing, tool)

    def question(remembered: bool) -> Ask | None:
        own = permissions.confirmation(tool, rules, call, tainted=tainted, remembered=remembered)
        return permissions.strictest(
            own,
            *asks_inside(
                db,
                desk.registry,
                desk.rulebook,
                situation,
                standing,
                tool,
                call.input,
                tainted=tainted,
                remembered=remembered,
            ),
        )

    asks = question(remembered=False)
    if asks is None:
        return _Word()
    if situation.conversation_id is None or not confirmations.is_remembered(
        db, situation.conversation_id, standing.person.id, tool.name
    ):
        return asks
    return question(remembered=True) or _Word(given=True)


def _tainted(
    db: Connection, desk: Desk, situation: Situation, standing: Standing, tool: Tool
) -> bool:
    """Whether text from outside entered this turn before a call that writes."""
    if tool.effect != "write" or situation.turn_id is None:
        return False
    if desk.rulebook.organisation(db, standing).get("outside_content_writes") == "allow":
        return False
    for name in calls.tools_ended(db, situation.turn_id):
        other = desk.registry.find(name, standing.person)
        if other is not None and other.outside_content:
            return True
    return False


def _ask(
    db: Connection, desk: Desk, call: ToolCall, situation: Situation, person: Person, asks: Ask
) -> Waiting:
    """Store the question, bound to person, turn, call and arguments; it can be used once."""
    confirmation_id = secrets.token_hex(12)
    ref = ledger.audit_asked(db, call, situation, person, asks.reason, confirmation_id, at=desk.now)
    confirmations.add(
        db,
        Confirmation(
            id=confirmation_id,
            organisation_id=person.organisation_id,
            user_id=person.id,
            approver_role=asks.approver_role,
            conversation_id=situation.conversation_id,
            turn_id=situation.turn_id if situation.depth == 0 else None,
            agent_id=situation.agent.id if situation.agent else None,
            call_id=call.id,
            tool=call.name,
            input=call.input,
            input_hash=input_hash(call.input),
            caller=call.caller.as_json(),
            reason=asks.reason,
            status="pending",
            created_at=desk.now,
            expires_at=desk.now + desk.confirmation_seconds,
            audit_ref=ref,
        ),
    )
    return Waiting(
        confirmation_id=confirmation_id,
        reason=asks.reason,
        expires_at=desk.now + desk.confirmation_seconds,
        audit_id=ref,
    )


def input_hash(input: JSON) -> str:
    return hashlib.sha256(canonical(input)).hexdigest()


def _rejected(tool: Tool, stored: Confirmation) -> Deny:
    why = f' They said: "{stored.decision_reason}".' if stored.decision_reason else ""
    return Deny("rejected", f"The person did not allow {tool.name}.{why} It did not run.")


def _expired(tool: Tool) -> Deny:
    return Deny("expired", f"Nobody answered in time whether {tool.name} may run. It did not run.")


# ---------------------------------------------------------------------------- what follows


def _start(
    db: Connection,
    desk: Desk,
    call: ToolCall,
    situation: Situation,
    person: Person,
    tool: Tool,
    rules: Rules,
    word: _Word,
) -> Admission:
    """Step 7, a cached answer; else write that the call starts."""
    granted = word.confirmation
    key = _cache_key(call, person, tool) if rules.cache_seconds > 0 else None
    kept: JSONObject | None = None if key is None else cache.find(db, key, desk.now)
    ref = ledger.start(db, call, situation, person, tool, at=desk.now, granted=granted)
    if kept is not None:
        outcome = ledger.outcome_from({**kept, "cached": True, "duration_ms": 0.0})
        return ledger.end(db, call, situation, ref, outcome, at=desk.now)
    return Admitted(
        call=call,
        tool=tool,
        person=person,
        audit_ref=ref,
        confirmed=word.given and tool.calls is not None,
        cache_key=key,
        cache_seconds=rules.cache_seconds,
    )


def _cache_key(call: ToolCall, person: Person, tool: Tool) -> str | None:
    """What a cached answer is found by; none where it cannot be known whether it still holds."""
    whose = (
        person.organisation_id if tool.same_for_everyone else (person.organisation_id, person.id)
    )
    try:
        data = tool.data_version() if tool.data_version is not None else ""
    except Exception:
        log.exception("the data version of %s could not be read", tool.name)
        return None
    parts = [tool.name, tool.version, data, whose, call.input]
    return hashlib.sha256(canonical(parts)).hexdigest()


def _refuse(
    db: Connection,
    desk: Desk,
    call: ToolCall,
    situation: Situation,
    person: Person | None,
    refusal: Deny,
    tool: Tool | None = None,
    granted: Confirmation | None = None,
) -> Outcome:
    outcome = Outcome(content=refusal.sentence, is_error=True, code=refusal.code)
    return ledger.refuse(db, call, situation, person, tool, outcome, at=desk.now, granted=granted)
