"""How calls end: the end of one that ran, written down; the outcome of one that did not."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection

from bancada.domain.calls import Outcome, ToolCall, Waiting
from bancada.gate import ledger
from bancada.gate.admission import check_tenure, cut_short
from bancada.gate.case import Admitted, Case
from bancada.store import cache, calls, confirmations, people
from bancada.store.columns import clean
from bancada.tools.tool import Tool


def write_end(db: Connection, admitted: Admitted, outcome: Outcome, at: float) -> Outcome:
    ended = ledger.end(db, admitted, admitted.audit_ref, outcome, at=at)
    check_tenure(db, admitted)
    # After the end, which holds the chain's head: of two equal calls one keeps its answer first.
    if admitted.cache_key is not None and not outcome.is_error:
        cache.keep(
            db,
            admitted.cache_key,
            organisation_id=admitted.scope.organisation_id,
            tool=admitted.tool.name,
            outcome=ledger.outcome_json(outcome),
            now=at,
            seconds=admitted.rules.cache_seconds,
        )
    return ended


def conclude(db: Connection, case: Case, refusal: Outcome, at: float) -> Outcome:
    concluded = _concluded(db, case, refusal, at)
    check_tenure(db, case)
    return concluded


def _concluded(db: Connection, case: Case, refusal: Outcome, at: float) -> Outcome:
    turn_id, call = case.scope.turn_id, case.call
    row = case.scope.row or turn_id
    if row is not None:
        stored = calls.find(db, row, call.id)
        if stored is not None and stored.outcome is not None:
            return ledger.outcome_from(stored.outcome)
        if stored is not None:
            cut = cut_short(call, stored.effect)
            return ledger.end(db, case, stored.audit_ref, cut, at=at)
    if turn_id is not None:
        asked = confirmations.for_call(db, turn_id, call.id)
        case = replace(case, granted=asked.approval, again=asked.line)
    case = replace(case, person_now=people.person_now(db, case.scope.person_id))
    return ledger.refuse(db, case, refusal, at=at)


def in_a_word(ended: Outcome | Waiting) -> str:
    if not isinstance(ended, Outcome):
        return "waiting"
    return "ok" if not ended.is_error else ended.code or "failed"


def not_recorded(call: ToolCall) -> Outcome:
    return failed(
        f"{clean(call.name)} did not run: the call could not be recorded. Try again later."
    )


def not_decided(call: ToolCall) -> Outcome:
    return failed(f"{clean(call.name)} did not run: the call could not be checked.")


def unrecorded(admitted: Admitted) -> Outcome:
    return Outcome(
        content=f"{admitted.tool.name} ran, but its result could not be recorded.",
        is_error=True,
        code="unknown",
        audit_id=admitted.audit_ref,
    )


def stopped(tool: Tool) -> Outcome:
    return Outcome(
        content=f"{tool.name} was stopped before it ended.", is_error=True, code="cancelled"
    )


def failed(sentence: str) -> Outcome:
    return Outcome(content=sentence, is_error=True, code="failed")
