"""May this call run? Steps 1 to 7, read and written in one short transaction.

Each step is a small function of `policy`; this module gives them what the database knows now
and writes down what follows: a start, a refusal, or a question to a person.
"""

from __future__ import annotations

import difflib
import hashlib
import logging
from dataclasses import replace
from typing import TypeAlias

from sqlalchemy import Connection

from bancada.domain.access import Deny
from bancada.domain.calls import Outcome, ToolCall, Waiting
from bancada.domain.json import JSONObject, canonical
from bancada.domain.people import Person
from bancada.gate import ledger
from bancada.gate.asking import (
    Permission,
    Refused,
    asked_before,
    confirmed,
    decided,
    outside_in_view,
)
from bancada.gate.case import Admitted, Case, GateContext, KnownCase
from bancada.gate.inquiring import answers_of, unanswered
from bancada.gate.scope import DEEPEST, CallScope
from bancada.policy import permissions
from bancada.policy.budgets import within_budget
from bancada.store import agents, cache, calls, people, turns
from bancada.store.columns import clean
from bancada.store.confirmations import Confirmation
from bancada.store.people import PersonNow
from bancada.tools.spoken import call_in_words
from bancada.tools.tool import Tool

log = logging.getLogger("bancada.gate")


Admission: TypeAlias = Admitted | Outcome | Waiting


def admit(db: Connection, context: GateContext, case: Case) -> Admission:
    """Decide, and write down what was decided."""
    admission = _admit(db, context, case)
    check_tenure(db, case)
    return admission


def check_tenure(db: Connection, case: Case) -> None:
    """Raises `NotOurs` where the call's turn was taken over: nothing of this stands then."""
    # Last: whoever decides holds the chain's head before the turn, and both must come in one order.
    if case.scope.tenure is not None:
        turns.check(db, case.scope.tenure)


def _admit(db: Connection, context: GateContext, case: Case) -> Admission:
    seen = _already(db, context, case)
    if isinstance(seen, Outcome):
        return seen
    case = replace(case, again=seen, person_now=people.person_now(db, case.scope.person_id))
    if case.person_now is None:
        return _refuse(db, context, case, Deny("forbidden", "This account is gone."))
    context.registry.refresh(db, case.person_now)
    tool = context.registry.find(case.call.name, case.person_now.person)
    if tool is None:
        return _refuse(db, context, case, _unknown(context, case.person_now.person, case))
    known = _known(db, context, case, case.person_now, tool).running(case.call.input)
    refused = _not_allowed(known) or _out_of_reach(db, known) or _invalid(known)
    if refused is not None:
        return _refuse(db, context, known, refused)
    asked = asked_before(db, known)
    if asked.questions:
        waiting = unanswered(asked.questions)
        if waiting is not None:
            return _worded(known, waiting)
        again = asked.line if known.again is None else known.again
        known = replace(known, again=again, answered=answers_of(asked.questions))
    granted = decided(db, context, known, asked.approval)
    if isinstance(granted, Confirmation):
        known = replace(known, granted=granted)
        if granted.edited_input is not None:
            known = known.running(granted.edited_input)
        refused = _invalid(known)
        if refused is not None:
            return _refuse(db, context, known, refused)
    permission = (
        granted if isinstance(granted, Waiting | Refused) else confirmed(db, context, known)
    )
    if isinstance(permission, Waiting):
        return _worded(known, permission)
    if isinstance(permission, Refused):
        return _refuse(db, context, replace(known, granted=permission.confirmation), permission.why)
    refused = within_budget(db, known.person, tool, known.rules, context.now)
    if refused is not None:
        return _refuse(db, context, known, refused)
    return _start(db, context, known, permission)


def _worded(known: KnownCase, waiting: Waiting) -> Waiting:
    """What waits, with the arguments it would run with and in words."""
    title = call_in_words(known.tool, known.call.input, known.person.language)
    return replace(waiting, input=known.call.input, title=title)


def _known(
    db: Connection, context: GateContext, case: Case, person_now: PersonNow, tool: Tool
) -> KnownCase:
    agent = case.scope.agent
    return KnownCase(
        call=case.call,
        scope=case.scope,
        again=case.again,
        process=case.process,
        person_now=person_now,
        tool=tool,
        rules=context.rulebook.rules(db, person_now, tool, agent.id if agent else None),
    )


# ---------------------------------------------------------------------------- before the steps


def _already(db: Connection, context: GateContext, case: Case) -> Outcome | int | None:
    """What the record says of this very call: after a crash it may have begun, or ended.

    A cut `read` runs again, on the audit line it has (its number is returned); a cut `write`
    does not: nobody knows whether it happened.
    """
    row, call = case.scope.row, case.call
    if row is None:
        return None
    stored = calls.find(db, row, call.id)
    if stored is None:
        return None
    if not ledger.is_same_call(db, case, stored.audit_ref):
        return _id_taken(db, context, case)
    if stored.outcome is not None:
        return ledger.outcome_from(stored.outcome)
    if stored.effect == "read":
        calls.forget(db, row, call.id)
        return stored.audit_ref
    outcome = cut_short(call, stored.effect)
    return ledger.end(db, case, stored.audit_ref, outcome, at=context.now)


def _id_taken(db: Connection, context: GateContext, case: Case) -> Outcome:
    """Two different calls of one turn with one id: only the first can have its result there."""
    call = case.call
    sentence = f"Another call of this turn has the id {call.id[:80]!r}; {call.name} did not run."
    case = replace(
        case,
        scope=replace(case.scope, path=(call.name,)),  # the turn has a row by that id
        person_now=people.person_now(db, case.scope.person_id),
    )
    return _refuse(db, context, case, Deny("invalid_tool_input", clean(sentence)))


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


def _unknown(context: GateContext, person: Person, case: Case) -> Deny:
    """Name what there is instead: an agent's own tools, and never those of other agents."""
    agent = case.scope.agent
    near = [
        tool.name
        for tool in context.registry.for_person(person)
        if agent is None or agent.has(tool.name, tool.group)
    ]
    close = difflib.get_close_matches(case.call.name[:80], near, 1)
    meant = f" Did you mean {close[0]}?" if close else ""
    hint = f"{meant} Known tools: {', '.join(near[:40])}." if near else ""
    return Deny("unknown_tool", f"There is no tool called {case.call.name[:80]!r}.{hint}")


def _not_allowed(case: KnownCase) -> Deny | None:
    """Steps 1 to 3."""
    tool, rules, caller, scope = case.tool, case.rules, case.call.caller, case.scope
    return (
        permissions.enabled(tool, rules, scope.agent, caller, of_agent=scope.of_agent)
        or permissions.permitted(case.person, tool, rules)
        or permissions.caller_allowed(tool, rules, caller)
        or _too_deep(scope)
    )


def _out_of_reach(db: Connection, case: KnownCase) -> Deny | None:
    """Step 1 for a step of a person's own tool: some agent of theirs has what it calls."""
    tool, person = case.tool, case.person
    if not case.scope.of_own or tool.own or tool.core:
        return None
    if any(agent.has(tool.name, tool.group) for agent in agents.agents_for(db, person.id)):
        return None
    return Deny("disabled", f"{tool.name} is not among the tools of any agent of {person.name}.")


def _invalid(case: KnownCase) -> Deny | None:
    """Step 4."""
    return permissions.valid(case.tool, case.tool.validator.problem(case.call.input))


def _too_deep(scope: CallScope) -> Deny | None:
    if scope.depth <= DEEPEST:
        return None
    return Deny("forbidden", f"Tools may call tools {DEEPEST} levels deep, not deeper.")


# ---------------------------------------------------------------------------- what follows


def _start(
    db: Connection, context: GateContext, case: KnownCase, permission: Permission
) -> Admission:
    """Step 7, a cached answer; else write that the call starts."""
    key = _cache_key(case) if case.rules.cache_seconds > 0 else None
    kept: JSONObject | None = None if key is None else cache.find(db, key, context.now)
    ref = ledger.start(db, case, at=context.now)
    if kept is not None:
        outcome = ledger.outcome_from({**kept, "cached": True, "duration_ms": 0.0})
        outside = outcome.outside or case.tool.brings_outside_content(case.person)
        return ledger.end(db, case, ref, replace(outcome, outside=outside), at=context.now)
    return Admitted(
        **vars(case),
        audit_ref=ref,
        approvals=permission.approvals,
        cache_key=key,
        tainted=case.tool.effect == "write" and outside_in_view(db, case),
    )


def _cache_key(case: KnownCase) -> str | None:
    """What a cached answer is found by; none where it cannot be known whether it still holds."""
    tool, person = case.tool, case.person
    # One and the same query means other tables in another conversation.
    own = None if tool.same_for_everyone else (person.id, case.scope.conversation_id)
    whose = (person.organisation_id, own)
    try:
        data = tool.data_version() if tool.data_version is not None else ""
    except Exception:
        log.exception("the data version of %s could not be read", tool.name)
        return None
    parts = [tool.name, tool.version, data, whose, case.call.input]
    if case.call.caller.reads_whole:
        parts.append("whole")  # an answer that was cut for a model is of no use to a program
    return hashlib.sha256(canonical(parts)).hexdigest()


def _refuse(db: Connection, context: GateContext, case: Case, refusal: Deny) -> Outcome:
    outcome = Outcome(content=refusal.sentence, is_error=True, code=refusal.code)
    return ledger.refuse(db, case, outcome, at=context.now)
