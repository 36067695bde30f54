"""Messages: every block, exactly as it came."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from bancada.domain.json import JSONObject, dumps, loads
from bancada.domain.messages import Block, Role
from bancada.store import words
from bancada.store.hot import Hot
from bancada.store.tables import conversations, messages, turns

Kind: TypeAlias = Literal["question", "upload", "reply", "results", "code"]
"""What a message is to us: a person's question or upload, a model's reply, the results of its
calls, or what code that ran here has to say."""


@dataclass(frozen=True, kw_only=True)
class StoredMessage:
    """A message as it is stored."""

    id: str
    conversation_id: str
    turn_id: str | None
    position: int
    role: Role
    kind: Kind
    content: list[Block]
    metadata: JSONObject
    created_at: float


_NAMES = tuple(c.name for c in messages.c)
_INSERT = Hot(insert(messages).values({name: bindparam(name) for name in _NAMES}), _NAMES)
_HOLD = Hot(
    select(conversations.c.id).where(conversations.c.id == bindparam("c")).with_for_update(), ["c"]
)
_LAST = Hot(
    select(func.max(messages.c.position)).where(messages.c.conversation_id == bindparam("c")),
    ["c"],
)


def _from(row: Any) -> StoredMessage:
    return StoredMessage(**row._mapping)


def new_id() -> str:
    return f"msg_{secrets.token_hex(10)}"


def append(
    db: Connection,
    conversation_id: str,
    *,
    role: Role,
    kind: Kind,
    content: list[Block],
    turn_id: str | None = None,
    metadata: JSONObject | None = None,
    id: str | None = None,
) -> StoredMessage:
    """Add a message at the end of the conversation."""
    # Held until the transaction ends, so that two at once do not take the same place.
    _HOLD(db, conversation_id).first()
    position = (_LAST(db, conversation_id).scalar() or 0) + 1
    message = StoredMessage(
        id=id or new_id(),
        conversation_id=conversation_id,
        turn_id=turn_id,
        position=position,
        role=role,
        kind=kind,
        content=content,
        metadata=metadata or {},
        created_at=time.time(),
    )
    values = {**vars(message), "content": dumps(content), "metadata": dumps(message.metadata)}
    _INSERT(db, *(values[name] for name in _NAMES))
    words.keep(db, message.id, kind, content, message.metadata)
    return message


def of_conversation(db: Connection, conversation_id: str) -> list[StoredMessage]:
    """What was said in the chosen branch."""
    query = (
        select(messages)
        .outerjoin(turns, turns.c.id == messages.c.turn_id)
        .where(messages.c.conversation_id == conversation_id, words.IN_BRANCH)
        .order_by(messages.c.position)
    )
    return [_from(row) for row in db.execute(query)]


@dataclass(frozen=True)
class Outline:
    """Where a message stands and what it is, without what it says."""

    position: int
    role: Role
    kind: Kind
    turn_id: str | None


_OUTLINE = Hot(
    select(messages.c.position, messages.c.role, messages.c.kind, messages.c.turn_id)
    .outerjoin(turns, turns.c.id == messages.c.turn_id)
    .where(messages.c.conversation_id == bindparam("c"), words.IN_BRANCH)
    .order_by(messages.c.position),
    ["c"],
)


def outline(db: Connection, conversation_id: str) -> list[Outline]:
    """Of the chosen branch: what the model may see."""
    return [Outline(*row) for row in _OUTLINE(db, conversation_id).all()]


def since(db: Connection, conversation_id: str, position: int) -> list[StoredMessage]:
    """The messages from that position on."""
    query = (
        select(messages)
        .where(messages.c.conversation_id == conversation_id, messages.c.position >= position)
        .order_by(messages.c.position)
    )
    return [_from(row) for row in db.execute(query)]


_OF_TURN = Hot(
    select(messages).where(messages.c.turn_id == bindparam("t")).order_by(messages.c.position),
    ["t"],
)


def of_turn(db: Connection, turn_id: str) -> list[StoredMessage]:
    rows = _OF_TURN(db, turn_id).mappings()
    return [
        StoredMessage(
            **{**row, "content": loads(row["content"]), "metadata": loads(row["metadata"])}
        )
        for row in rows
    ]


def find(db: Connection, id: str) -> StoredMessage | None:
    row = db.execute(select(messages).where(messages.c.id == id)).first()
    return None if row is None else _from(row)


def drop(db: Connection, id: str) -> None:
    db.execute(delete(messages).where(messages.c.id == id))


def asked(db: Connection, conversation_id: str) -> set[str]:
    """The turns whose question is kept, of every branch."""
    query = select(messages.c.turn_id).where(
        messages.c.conversation_id == conversation_id, messages.c.kind == "question"
    )
    return {row.turn_id for row in db.execute(query)}
