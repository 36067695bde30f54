"""Step 5: whose word lets a call run, and the question to a person where there is none yet."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import Connection

from bancada.domain.access import Ask, Deny
from bancada.domain.calls import Waiting
from bancada.domain.json import JSON, canonical
from bancada.gate import ledger
from bancada.gate.case import Desk, Known
from bancada.gate.inside import asks_inside
from bancada.policy import permissions
from bancada.store import calls, confirmations
from bancada.store.columns import clean
from bancada.store.confirmations import Confirmation
from bancada.tools.tool import Tool


@dataclass(frozen=True)
class Word:
    """The call may run: by this confirmation, or because nobody need be asked."""

    confirmation: Confirmation | None = None
    given: bool = False
    """Somebody said yes: now, for this conversation, or to the tool that makes this call."""


@dataclass(frozen=True)
class Refused:
    """The call may not run; `confirmation` is the one that says so, if one does."""

    why: Deny
    confirmation: Confirmation | None = None


def confirmed(db: Connection, desk: Desk, case: Known) -> Word | Waiting | Refused:
    """The word that lets the call run, or what stands in its way."""
    if case.situation.confirmed:
        return Word(given=True)
    stored = _stored(db, case)
    if stored is None:
        asks = _asks(db, desk, case)
        return asks if isinstance(asks, Word) else _ask(db, desk, case, asks)
    if not _bound_to(stored, case):
        return Refused(Deny("forbidden", "This confirmation belongs to another call."))
    if stored.input_hash != input_hash(case.call.input):
        return Refused(Deny("rejected", "The arguments are not the ones that were confirmed."))
    if stored.status == "pending" and stored.expires_at <= desk.now:
        confirmations.decide(db, stored.id, status="expired", by=None, at=desk.now)
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
    if not (confirmations.use(db, stored.id) or case.again is not None):
        return Refused(Deny("rejected", "This confirmation was used already; a call runs once."))
    return Word(stored, given=True)


def _bound_to(stored: Confirmation, case: Known) -> bool:
    """Whether it was this call of this person in this turn that was asked about."""
    call, situation = case.call, case.situation
    turn_id = situation.turn_id if situation.depth == 0 else None
    asked = (stored.user_id, stored.turn_id, stored.call_id, stored.tool)
    return asked == (situation.person_id, turn_id, clean(call.id), call.name)


def _stored(db: Connection, case: Known) -> Confirmation | None:
    situation = case.situation
    if situation.confirmation_id is not None:
        return confirmations.find(db, situation.confirmation_id, lock=True)
    if situation.turn_id is not None and situation.depth == 0:
        return confirmations.for_call(db, situation.turn_id, case.call.id)
    return None


def _asks(db: Connection, desk: Desk, case: Known) -> Ask | Word:
    """Whom to ask, or the word that there is already."""
    conversation_id = case.situation.conversation_id
    tainted = _tainted(db, desk, case)

    def question(remembered: bool) -> Ask | None:
        own = permissions.confirmation(
            case.tool, case.rules, case.call, tainted=tainted, remembered=remembered
        )
        inside = asks_inside(db, desk, case, tainted=tainted, remembered=remembered)
        return permissions.strictest(own, *inside)

    asks = question(remembered=False)
    if asks is None:
        return Word()
    if conversation_id is None or not confirmations.is_remembered(
        db, conversation_id, case.person.id, case.tool.name
    ):
        return asks
    return question(remembered=True) or Word(given=True)


def _tainted(db: Connection, desk: Desk, case: Known) -> bool:
    """Whether text from outside entered this turn before a call that writes."""
    turn_id, standing = case.situation.turn_id, case.standing
    if case.tool.effect != "write" or turn_id is None:
        return False
    if desk.rulebook.organisation(db, standing).get("outside_content_writes") == "allow":
        return False
    for name in calls.tools_ended(db, turn_id):
        other = desk.registry.find(name, standing.person)
        if other is not None and other.brings_outside_content(standing.person):
            return True
    return False


def _ask(db: Connection, desk: Desk, case: Known, asks: Ask) -> Waiting:
    """Store the question, bound to person, turn, call and arguments; it can be used once."""
    call, situation, person = case.call, case.situation, case.person
    confirmation_id = secrets.token_hex(12)
    ref = ledger.asked(db, case, asks.reason, confirmation_id, at=desk.now)
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
