"""Thumbs: what people thought of an answer."""

from __future__ import annotations

import time

from sqlalchemy import Connection, delete, insert, select

from bancada.store.tables import feedback


def rate(db: Connection, message_id: str, user_id: int, value: int, comment: str | None) -> None:
    """Set the person's thumb on a message; 0 takes it back."""
    db.execute(
        delete(feedback).where(feedback.c.message_id == message_id, feedback.c.user_id == user_id)
    )
    if value:
        db.execute(
            insert(feedback).values(
                message_id=message_id, user_id=user_id, value=value, comment=comment, at=time.time()
            )
        )


def of_messages(db: Connection, message_ids: list[str], user_id: int) -> dict[str, int]:
    """The person's thumbs on these messages."""
    query = select(feedback.c.message_id, feedback.c.value).where(
        feedback.c.message_id.in_(message_ids), feedback.c.user_id == user_id
    )
    return {row.message_id: row.value for row in db.execute(query)}
