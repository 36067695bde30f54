"""Thumbs: what people thought of an answer, and why."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select, tuple_

from bancada.store.tables import agents, conversations, feedback, messages, turns, users


@dataclass(frozen=True)
class Thumb:
    """Up (1) or down (-1), with what the person said about it."""

    value: int
    reasons: tuple[str, ...] = ()
    comment: str | None = None


class OpinionPlace(NamedTuple):
    """Where a thumb stands in the list: several may have been given at the same moment."""

    at: float
    message_id: str
    user_id: int


@dataclass(frozen=True)
class Opinion:
    """A thumb as an administrator reads it: whose, on which answer to what."""

    message_id: str
    turn_id: str
    at: float
    value: int
    reasons: tuple[str, ...]
    comment: str | None
    user_id: int
    person: str
    agent_id: int
    agent: str
    model: str
    question: str

    @property
    def place(self) -> OpinionPlace:
        return OpinionPlace(self.at, self.message_id, self.user_id)


def rate(db: Connection, message_id: str, user_id: int, thumb: Thumb) -> None:
    """Set the person's thumb on a message; 0 takes it back."""
    # Two clicks race: the message's row is taken first, or both would find nothing to delete.
    db.execute(select(messages.c.id).where(messages.c.id == message_id).with_for_update())
    db.execute(
        delete(feedback).where(feedback.c.message_id == message_id, feedback.c.user_id == user_id)
    )
    if thumb.value:
        db.execute(
            insert(feedback).values(
                message_id=message_id,
                user_id=user_id,
                value=thumb.value,
                reasons=list(thumb.reasons) or None,
                comment=thumb.comment,
                at=time.time(),
            )
        )


def of_messages(db: Connection, message_ids: list[str], user_id: int) -> dict[str, Thumb]:
    """The person's thumbs on these messages."""
    query = select(feedback).where(
        feedback.c.message_id.in_(message_ids), feedback.c.user_id == user_id
    )
    return {row.message_id: _thumb(row) for row in db.execute(query)}


def in_organisation(
    db: Connection,
    organisation_id: int,
    *,
    value: int | None = None,
    agent_id: int | None = None,
    before: OpinionPlace | None = None,
    limit: int = 100,
) -> list[Opinion]:
    """What the organisation's people thought of answers, the newest first."""
    places = (feedback.c.at, feedback.c.message_id, feedback.c.user_id)
    query = (
        select(
            feedback, messages.c.turn_id, turns.c.agent_id, turns.c.model,
            users.c.name.label("person"), agents.c.name.label("agent"),
        )
        .join(messages, messages.c.id == feedback.c.message_id)
        .join(conversations, conversations.c.id == messages.c.conversation_id)
        .join(turns, turns.c.id == messages.c.turn_id)
        .join(users, users.c.id == feedback.c.user_id)
        .join(agents, agents.c.id == turns.c.agent_id)
        .where(conversations.c.organisation_id == organisation_id)
        .order_by(*(place.desc() for place in places))
        .limit(limit)
    )  # fmt: skip
    if value is not None:
        query = query.where(feedback.c.value == value)
    if agent_id is not None:
        query = query.where(turns.c.agent_id == agent_id)
    if before is not None:
        query = query.where(tuple_(*places) < tuple_(*before))
    rows = db.execute(query).all()
    asked = _questions(db, [row.turn_id for row in rows])
    return [
        Opinion(
            message_id=row.message_id,
            turn_id=row.turn_id,
            at=row.at,
            value=row.value,
            reasons=tuple(row.reasons or ()),
            comment=row.comment,
            user_id=row.user_id,
            person=row.person,
            agent_id=row.agent_id,
            agent=row.agent,
            model=row.model,
            question=asked.get(row.turn_id, ""),
        )
        for row in rows
    ]


def _questions(db: Connection, turn_ids: list[str]) -> dict[str, str]:
    query = select(messages.c.turn_id, messages.c.content).where(
        messages.c.turn_id.in_(turn_ids), messages.c.kind == "question"
    )
    # What data sets there are is a block of its own, after what the person wrote.
    return {
        row.turn_id: next((block["text"] for block in row.content if "text" in block), "")
        for row in db.execute(query)
    }


def _thumb(row: Any) -> Thumb:
    return Thumb(row.value, tuple(row.reasons or ()), row.comment)
