"""Deciding what waits: judged once more, with the arguments that will run and the rules of now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection

from bancada.domain.calls import Caller, ToolCall
from bancada.domain.errors import Conflict, Forbidden, Gone, Invalid, NotFound
from bancada.domain.json import JSON
from bancada.domain.people import Person
from bancada.domain.wording import Wording
from bancada.gate.approvers import authority
from bancada.gate.asking import binding, input_hash, is_remembered, judgement_of
from bancada.gate.case import GateContext, KnownCase
from bancada.gate.inquiring import checked_answers
from bancada.gate.scope import CallScope
from bancada.store import agents, confirmations, people
from bancada.store.confirmations import Confirmation


@dataclass(frozen=True, kw_only=True)
class PersonsDecision:
    """What somebody says to a waiting call."""

    approve: bool
    input: JSON = None
    """Other arguments than were asked for."""
    reason: str | None = None
    remember: Literal["conversation"] | None = None


def decide(
    db: Connection, context: GateContext, person: Person, id: str, decision: PersonsDecision
) -> Confirmation:
    """Write the decision of whoever may make it; raises a `Problem` for those who may not.

    The approver has to be the one whom the rules name for the arguments that will run: an edit
    that a stricter rule covers is not theirs to approve, nor is a call whose rules have changed.
    """
    # Held to the end: what is judged here must not be decided by another in the meantime.
    found = confirmations.find(db, id, lock=True)
    right = None if found is None else authority(db, person, found, context.now)
    if found is None or right is None:
        raise NotFound("no_confirmation")
    if found.status == "expired" or (found.status == "pending" and found.expires_at <= context.now):
        raise Gone("expired")
    if found.status != "pending":
        raise Conflict("decided_already")
    says: dict[str, Any] = {}
    if decision.approve and found.question is not None:
        says = {"edited_input": checked_answers(found, decision.input)}
    elif decision.approve:
        given = decision.input
        edited = None if given is None or input_hash(given) == found.input_hash else given
        bound, right = _rebound(db, context, person, found, edited)
        says = {**bound, "edited_input": edited, "remember": decision.remember}
    if right.id != person.id:
        says["decided_for"] = right.id
    won = confirmations.decide(
        db,
        id,
        status="approved" if decision.approve else "rejected",
        by=person.id,
        at=context.now,
        reason=decision.reason,
        **says,
    )
    if not won:
        raise Conflict("decided_already")
    return found


def hand_on(db: Connection, context: GateContext, id: str) -> None:
    """Put a call whose rules have changed since it was asked before those whom they name now: who was
    asked then may not decide it any more, and nobody else would ever see it."""
    found = confirmations.find(db, id, lock=True)
    if found is None or found.status != "pending" or found.question is not None:
        return
    case = case_of(db, context, found)
    if case is None:
        return
    judgement = judgement_of(db, context, case)
    needed = _needing(found, binding(judgement, judgement.reasons))
    if (needed.approver_role, needed.approver) != (found.approver_role, found.approver):
        confirmations.readdress(db, needed)


def cover(db: Connection, context: GateContext, given: Confirmation) -> list[Confirmation]:
    """Approve what waits beside a word that holds for the whole conversation: those calls were
    asked about before it was said, and would not have been after. Returns them as decided."""
    found = [
        one
        for one in confirmations.waiting_beside(db, given)
        if (case := case_of(db, context, one)) is not None
        and is_remembered(db, context, case, one, given)
        and confirmations.decide(
            db,
            one.id,
            status="approved",
            by=given.decided_by,
            at=context.now,
            decided_for=given.decided_for,
        )
    ]
    return [decided for one in found if (decided := confirmations.find(db, one.id)) is not None]


def has_said(found: Confirmation, person: Person, decision: PersonsDecision) -> bool:
    """Whether this person decided this very thing already."""
    same = decision.input is None or input_hash(decision.input) == found.input_hash
    said = (
        found.status,
        found.decided_by,
        found.edited_input,
        found.decision_reason,
        found.remember,
    )
    return said == (
        "approved" if decision.approve else "rejected",
        person.id,
        None if same or not decision.approve else decision.input,
        decision.reason,
        decision.remember if decision.approve else None,
    )


def _rebound(
    db: Connection, context: GateContext, person: Person, found: Confirmation, edited: JSON
) -> tuple[dict[str, Any], Person]:
    """What this yes is for, and in whose right it is said, by the rules as they are now."""
    case = case_of(db, context, found, edited)
    if case is None:
        if edited is not None:
            gone = Wording("no_tool", name=found.tool)
            raise Invalid("arguments_do_not_fit", problem=gone)
        right = authority(db, person, found, context.now)
        assert right is not None
        return {}, right  # the call is refused when it is made
    if edited is not None:
        problem = case.tool.validator.problem(case.call.input)
        if problem is not None:
            raise Invalid("arguments_do_not_fit", problem=problem)
    judgement = judgement_of(db, context, case)
    bound = binding(judgement, judgement.reasons)
    needed = _needing(found, bound)
    right = authority(db, person, needed, context.now)
    if right is None:
        raise Forbidden(
            "needs_other_approver" if needed.approver == "other" else "needs_higher_approver",
            role=needed.approver_role or "—",
        )
    return bound, right


def _needing(found: Confirmation, bound: dict[str, Any]) -> Confirmation:
    """The confirmation as the rules of now want it; who may decide never widens by an edit."""
    role, approver = bound["approver_role"], bound["approver"]
    if role is None:
        role = found.approver_role
    # What the model had read is known when it asks, not here: that reason stays asked for.
    rules = list(dict.fromkeys([*(found.rules or ()), *bound["rules"]]))
    bound |= {"approver_role": role, "approver": approver or found.approver, "rules": rules}
    return Confirmation(**{**vars(found), **bound})


def case_of(
    db: Connection, context: GateContext, found: Confirmation, edited: JSON = None
) -> KnownCase | None:
    """The waiting call as the gate sees it now; none where its tool or person is gone."""
    person_now = people.person_now(db, found.user_id)
    if person_now is None:
        return None
    context.registry.refresh(db, person_now)
    tool = context.registry.find(found.tool, person_now.person)
    if tool is None:
        return None
    agent = None if found.agent_id is None else agents.any_agent(db, found.agent_id)
    return KnownCase(
        call=ToolCall(
            id=found.call_id,
            name=found.tool,
            input=found.input,
            caller=Caller.of(found.caller),
        ),
        scope=CallScope(
            person_id=found.user_id,
            organisation_id=found.organisation_id,
            conversation_id=found.conversation_id,
            turn_id=found.turn_id,
            agent=agent,
        ),
        person_now=person_now,
        tool=tool,
        rules=context.rulebook.rules(db, person_now, tool, found.agent_id),
    ).running(found.input if edited is None else edited)
