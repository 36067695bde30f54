"""Step 5: whose word lets a call run, and the question to a person where there is none yet."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from bancada.domain.access import Deny
from bancada.domain.calls import Waiting
from bancada.domain.json import JSON, canonical
from bancada.gate import ledger
from bancada.gate.approvers import satisfies
from bancada.gate.case import GateContext, KnownCase
from bancada.gate.judgement import Judgement, Reason, asks, judged
from bancada.store import calls, confirmations
from bancada.store.columns import clean
from bancada.store.confirmations import AskedOfCall, Confirmation
from bancada.tools.tool import Tool


@dataclass(frozen=True)
class Permission:
    """The call may run; `approvals` are what people said yes to, for it and for the calls it makes."""

    approvals: tuple[Confirmation, ...] = ()


@dataclass(frozen=True)
class Refused:
    """The call may not run; `confirmation` is the one that says so, if one does."""

    why: Deny
    confirmation: Confirmation | None = None


def asked_before(db: Connection, case: KnownCase) -> AskedOfCall:
    """What people were asked about this very call."""
    scope = case.scope
    if scope.confirmation_id is not None:
        return AskedOfCall(confirmations.find(db, scope.confirmation_id, lock=True))
    if scope.own_turn is not None:
        return confirmations.for_call(db, scope.own_turn, case.call.id)
    return AskedOfCall()


def decided(
    db: Connection, context: GateContext, case: KnownCase, stored: Confirmation | None
) -> Confirmation | Waiting | Refused | None:
    """What a person decided about this very call; none: nobody was asked about it."""
    if stored is None:
        return None
    if not _bound_to(stored, case):
        return Refused(Deny("forbidden", "This confirmation belongs to another call."))
    if stored.input_hash != input_hash(case.call.input):
        return Refused(Deny("rejected", "The arguments are not the ones that were confirmed."))
    if stored.status == "pending" and stored.expires_at <= context.now:
        confirmations.decide(db, stored.id, status="expired", by=None, at=context.now)
        return Refused(_expired(case.tool), stored)
    if stored.status == "pending":
        return Waiting(
            confirmation_id=stored.id,
            reason=stored.reason,
            expires_at=stored.expires_at,
            audit_id=stored.audit_ref,
        )
    if stored.status == "expired":
        return Refused(_expired(case.tool), stored)
    if stored.status == "rejected":
        return Refused(_rejected(case.tool, stored), stored)
    return stored


def confirmed(
    db: Connection, context: GateContext, case: KnownCase
) -> Permission | Waiting | Refused:
    """Step 5, on the arguments as they will run: a word for every reason to ask, or the question."""
    judgement = judgement_of(db, context, case)
    remembered, given = _remembered(db, case), case.scope.approvals
    granted = () if case.granted is None else (case.granted,)
    bare = tuple(
        reason
        for reason in judgement.reasons
        if not any(_covers(db, approval, reason) for approval in (*given, *granted))
        and not (
            reason.rule.remember and any(_covers(db, approval, reason) for approval in remembered)
        )
    )
    if bare and case.granted is None:
        return _ask(db, context, case, judgement, bare)
    if bare:
        return Refused(_not_enough(case.tool), case.granted)
    # Of several that hold the same approval, one uses it; only a cut call may use it again.
    if case.granted is not None and not (
        confirmations.use(db, case.granted.id) or case.again is not None
    ):
        return Refused(Deny("rejected", "This confirmation was used already; a call runs once."))
    return Permission((*given, *remembered, *granted) if judgement.reasons else ())


def judgement_of(db: Connection, context: GateContext, case: KnownCase) -> Judgement:
    """The judgement on the call, knowing what the model has read."""
    return judged(db, context, case, tainted=_tainted(db, context, case))


def _covers(db: Connection, approval: Confirmation, reason: Reason) -> bool:
    """Whether somebody whom the rule names said yes to this very rule."""
    return reason.key in (approval.rules or ()) and satisfies(db, approval, reason.rule)


def _remembered(db: Connection, case: KnownCase) -> tuple[Confirmation, ...]:
    conversation_id = case.scope.conversation_id
    if conversation_id is None or case.scope.depth > 0:
        return ()
    return tuple(confirmations.remembered(db, conversation_id, case.person.id, case.tool.name))


def is_remembered(
    db: Connection,
    context: GateContext,
    case: KnownCase,
    waiting: Confirmation,
    given: Confirmation,
) -> bool:
    """Whether `given`, said for the conversation, answers every reason to ask about what waits."""
    reasons = judgement_of(db, context, case).reasons
    # What the model had read was known when it asked, not here: that reason stays asked for.
    known = {reason.key for reason in reasons}
    return bool(waiting.rules and known.issuperset(waiting.rules)) and all(
        reason.rule.remember and _covers(db, given, reason) for reason in reasons
    )


def _bound_to(stored: Confirmation, case: KnownCase) -> bool:
    """Whether it was this call of this person in this turn that was asked about."""
    call, scope = case.call, case.scope
    turn_id = scope.turn_id if scope.depth == 0 else None
    asked = (stored.user_id, stored.turn_id, stored.call_id, stored.tool)
    return asked == (scope.person_id, turn_id, clean(call.id), call.name)


def _tainted(db: Connection, context: GateContext, case: KnownCase) -> bool:
    """Whether a call that writes was made with text from outside in view, where that counts."""
    if case.tool.effect != "write":
        return False
    if context.rulebook.organisation(db, case.person_now).get("outside_content_writes") == "allow":
        return False
    return outside_in_view(db, case)


def outside_in_view(db: Connection, case: KnownCase) -> bool:
    """Whether text from outside stood before whoever wrote the call, or came in this turn."""
    scope = case.scope
    owner_id = scope.turn_id or scope.kept_as
    return scope.tainted or (owner_id is not None and calls.outside_entered(db, owner_id))


def _ask(
    db: Connection,
    context: GateContext,
    case: KnownCase,
    judgement: Judgement,
    bare: tuple[Reason, ...],
) -> Waiting:
    """Store the question, bound to person, turn, call and arguments; it can be used once."""
    question = asks(bare)
    assert question is not None
    confirmation_id = secrets.token_hex(12)
    ref = ledger.asked(db, case, question.reason, confirmation_id, at=context.now)
    asked = pending(
        context,
        case,
        id=confirmation_id,
        turn_id=case.scope.turn_id if case.scope.depth == 0 else None,
        reason=question.reason,
        audit_ref=ref,
        tell=_told(bare),
        **binding(judgement, bare),
    )
    confirmations.add(db, asked)
    return Waiting(
        confirmation_id=asked.id,
        reason=asked.reason,
        expires_at=asked.expires_at,
        audit_id=ref,
    )


def pending(context: GateContext, case: KnownCase, **more: Any) -> Confirmation:
    """A question to a person, bound to the call and its arguments; `more` says what is asked."""
    call, scope = case.call, case.scope
    return Confirmation(
        organisation_id=case.person.organisation_id,
        user_id=case.person.id,
        conversation_id=scope.conversation_id,
        agent_id=scope.agent.id if scope.agent else None,
        call_id=call.id,
        tool=call.name,
        input=call.input,
        input_hash=input_hash(call.input),
        caller=call.caller.as_json(),
        status="pending",
        created_at=context.now,
        expires_at=context.now + context.confirmation_seconds,
        **more,
    )


def binding(judgement: Judgement, reasons: tuple[Reason, ...]) -> dict[str, Any]:
    """What a yes is for and who may say it, as a confirmation keeps them."""
    question = asks(reasons)
    return {
        "approver_role": None if question is None else question.approver_role,
        "approver": None if question is None else question.approver,
        "rules": list(dict.fromkeys(reason.key for reason in reasons)),
        "steps": [step.as_json() for step in judgement.steps],
    }


def _told(reasons: tuple[Reason, ...]) -> list[str] | None:
    """Whom the rules name to be told; none: they name nobody."""
    return list(dict.fromkeys(one for reason in reasons for one in reason.rule.tell)) or None


def input_hash(input: JSON) -> str:
    return hashlib.sha256(canonical(input)).hexdigest()


def _rejected(tool: Tool, stored: Confirmation) -> Deny:
    why = f' They said: "{stored.decision_reason}".' if stored.decision_reason else ""
    return Deny("rejected", f"The person did not allow {tool.name}.{why} It did not run.")


def _not_enough(tool: Tool) -> Deny:
    return Deny(
        "rejected",
        f"The rules for {tool.name} have changed since it was approved, and ask for more. "
        "It did not run; call it again to ask again.",
    )


def _expired(tool: Tool) -> Deny:
    return Deny("expired", f"Nobody answered in time whether {tool.name} may run. It did not run.")
