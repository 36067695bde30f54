"""What a tool asks its person in the middle of a call of a turn.

The question waits in the chat as a confirmation would, for as long, and through a restart. The
answer lets the call begin again: the tool is handed what was asked and answered, and goes on from
there.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection

from bancada.domain.calls import Waiting
from bancada.domain.errors import Invalid
from bancada.domain.json import JSON, JSONObject
from bancada.gate import ledger
from bancada.gate.asking import pending
from bancada.gate.case import Admitted, GateContext
from bancada.store import calls, confirmations
from bancada.store.confirmations import Confirmation
from bancada.tools.defaults import filled_in
from bancada.tools.inquiries import (
    AnsweredRound,
    AnswerNeeded,
    AskPerson,
    Inquiry,
    InquiryAnswer,
    nobody_to_ask,
)
from bancada.tools.validation import Validator

REASON = "question"


def asks_in_turn(admitted: Admitted) -> bool:
    """Whether the call has a turn that can wait, and nobody else said how its person is asked."""
    return admitted.scope.own_turn is not None and admitted.scope.ask is nobody_to_ask


def asker(admitted: Admitted) -> AskPerson:
    """How the tool asks: what was answered is known, anything else ends the run with a question."""
    if not asks_in_turn(admitted):
        return admitted.scope.ask
    known = {key: one for round in admitted.answered for key, one in round.answers.items()}

    async def ask(*questions: Inquiry) -> Mapping[str, InquiryAnswer]:
        if any(one.key not in known for one in questions):
            raise AnswerNeeded(questions)
        return {one.key: known[one.key] for one in questions}

    return ask


def put_to_person(
    db: Connection, context: GateContext, case: Admitted, questions: Sequence[Inquiry]
) -> Waiting:
    """Store the question. The call has no row any more, as if it had not begun: whoever takes the
    turn up finds the question in its place."""
    call, scope = case.call, case.scope
    assert scope.turn_id is not None
    confirmation_id = secrets.token_hex(12)
    ledger.asked_inside(
        db,
        replace(case, again=case.audit_ref, granted=None),
        REASON,
        confirmation_id,
        at=context.now,
    )
    calls.forget(db, scope.turn_id, call.id)
    asked: JSONObject = {"inquiries": [vars(one) for one in questions]}
    question = pending(
        context,
        case,
        id=confirmation_id,
        approver_role=None,
        turn_id=scope.turn_id,
        reason=REASON,
        audit_ref=case.audit_ref,
        question=asked,
    )
    confirmations.add(db, question)
    return _waiting(question, input=call.input)


def unanswered(questions: Sequence[Confirmation]) -> Waiting | None:
    """The question that still waits, if one does."""
    pending = next((one for one in questions if one.status == "pending"), None)
    return None if pending is None else _waiting(pending)


def _waiting(found: Confirmation, input: JSON = None) -> Waiting:
    return Waiting(
        confirmation_id=found.id,
        reason=found.reason,
        expires_at=found.expires_at,
        audit_id=found.audit_ref,
        input=input,
        question=shown_question(found),
    )


def shown_question(found: Confirmation) -> JSONObject | None:
    """What a person is shown of a question: not what the tool keeps with it."""
    if found.question is None:
        return None
    shown = [
        {key: one[key] for key in ("key", "message", "schema", "url")}
        for one in found.question["inquiries"]
    ]
    return {"inquiries": shown}


def answers_of(questions: Sequence[Confirmation]) -> tuple[AnsweredRound, ...]:
    """What the call asked and what came of it, round by round."""
    return tuple(_answered(one) for one in questions)


def _answered(found: Confirmation) -> AnsweredRound:
    assert found.question is not None
    asked = tuple(Inquiry(**one) for one in found.question["inquiries"])
    given = found.edited_input or {}
    answers: dict[str, InquiryAnswer] = {}
    for one in asked:
        if found.status == "approved":
            content = given.get(one.key) or {}
            answers[one.key] = InquiryAnswer(action="accept", content=content)
        else:
            action = "decline" if found.status == "rejected" else "cancel"
            answers[one.key] = InquiryAnswer(action=action)  # type: ignore[arg-type]
    return AnsweredRound(questions=asked, answers=answers)


def checked_answers(found: Confirmation, given: JSON) -> JSONObject:
    """What a person filled in, by the key of each question, with the defaults they left as they were.

    Raises `Invalid` that says what does not fit."""
    assert found.question is not None
    given = given or {}
    answers: JSONObject = {}
    for one in found.question["inquiries"]:
        schema = {"type": "object", **one["schema"]}
        content = filled_in(schema, given.get(one["key"]) or {})
        problem = Validator(schema).problem(content)
        if problem is not None:
            raise Invalid("answer_does_not_fit", problem=problem)
        answers[one["key"]] = content
    return answers
