"""May this call run? Steps 1 to 7, read and written in one short transaction.

Each step is a small function of `policy`; this module gives them what the database knows now
and writes down what follows: a start, a refusal, or a question to a person.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass, replace
from typing import TypeAlias

from sqlalchemy import Connection

from bancada.domain.access import Deny
from bancada.domain.calls import Outcome, ToolCall, Waiting
from bancada.domain.json import JSONObject, canonical
from bancada.domain.people import Person
from bancada.gate import ledger
from bancada.gate.asking import Case, Desk, Refused, Word, confirmed
from bancada.gate.situation import DEEPEST, Situation
from bancada.policy import permissions
from bancada.policy.budgets import within_budget
from bancada.policy.rules import Rules
from bancada.store import cache, calls, people
from bancada.store.columns import clean
from bancada.store.confirmations import Confirmation
from bancada.tools.tool import Tool

log = logging.getLogger("bancada.gate")


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
    case = Case(call=call, situation=situation, standing=standing, tool=tool, rules=rules)
    word = confirmed(db, desk, case)
    if isinstance(word, Waiting):
        return word
    if isinstance(word, Refused):
        return _refuse(db, desk, call, situation, person, word.why, tool, word.confirmation)
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
        near = [known for known in near if situation.agent.has(known)]
    hint = f" Known tools: {', '.join(near[:40])}." if near else ""
    return Deny("unknown_tool", f"There is no tool called {name[:80]!r}.{hint}")


def _not_too_deep(situation: Situation) -> Deny | None:
    if situation.depth <= DEEPEST:
        return None
    return Deny("forbidden", f"Tools may call tools {DEEPEST} levels deep, not deeper.")


# ---------------------------------------------------------------------------- what follows


def _start(
    db: Connection,
    desk: Desk,
    call: ToolCall,
    situation: Situation,
    person: Person,
    tool: Tool,
    rules: Rules,
    word: Word,
) -> Admission:
    """Step 7, a cached answer; else write that the call starts."""
    granted = word.confirmation
    key = _cache_key(call, person, tool, situation) if rules.cache_seconds > 0 else None
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


def _cache_key(call: ToolCall, person: Person, tool: Tool, situation: Situation) -> str | None:
    """What a cached answer is found by; none where it cannot be known whether it still holds."""
    # One and the same query means other tables in another conversation.
    own = None if tool.same_for_everyone else (person.id, situation.conversation_id)
    whose = (person.organisation_id, own)
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
