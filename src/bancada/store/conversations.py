"""Conversations: whose they are, with which agent, under what title."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    update,
)

from bancada.domain.errors import NotFound
from bancada.domain.json import JSONObject
from bancada.domain.turns import UNFINISHED
from bancada.store import words
from bancada.store.columns import clean
from bancada.store.hot import Hot
from bancada.store.tables import (
    agents,
    conversations,
    datasets,
    journal,
    message_words,
    messages,
    tool_calls,
    turns,
    users,
)
from bancada.store.words import Passage


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """A conversation's row."""

    id: str
    organisation_id: int
    user_id: int
    agent_id: int
    title: str
    mode: Literal["model", "keyword"]
    is_listed: bool
    """False: a program began it for one question; it is found by its id only."""
    experiment_id: int | None
    variant: str | None
    settings: JSONObject
    created_at: float
    updated_at: float
    pinned_at: float | None
    archived_at: float | None


def add(
    db: Connection,
    *,
    organisation_id: int,
    user_id: int,
    agent_id: int,
    mode: str = "model",
    is_listed: bool = True,
    experiment_id: int | None = None,
    variant: str | None = None,
    id: str | None = None,
) -> Conversation:
    now = time.time()
    values = {
        "id": id or secrets.token_hex(8),
        "organisation_id": organisation_id,
        "user_id": user_id,
        "agent_id": agent_id,
        "title": "",
        "mode": mode,
        "is_listed": is_listed,
        "experiment_id": experiment_id,
        "variant": variant,
        "settings": {},
        "created_at": now,
        "updated_at": now,
        "pinned_at": None,
        "archived_at": None,
    }
    db.execute(insert(conversations).values(**values))
    return Conversation(**values)  # type: ignore[arg-type]


_FIND = Hot(select(conversations).where(conversations.c.id == bindparam("id")), ["id"], decode=True)


def find(db: Connection, id: str) -> Conversation | None:
    row = _FIND(db, clean(id)).first()
    return None if row is None else Conversation(**row._asdict())


def owned(db: Connection, id: str, user_id: int) -> Conversation:
    """The conversation, if it is this person's; somebody else's does not exist for them."""
    found = find(db, id)
    if found is None or found.user_id != user_id:
        raise NotFound("no_conversation")
    return found


def ids_of_person(db: Connection, user_id: int) -> list[str]:
    query = select(conversations.c.id).where(conversations.c.user_id == user_id)
    return [row.id for row in db.execute(query)]


@dataclass(frozen=True, kw_only=True)
class Listed:
    """A conversation as a list shows it."""

    conversation: Conversation
    agent_name: str
    status: str | None
    passage: Passage | None = None
    """Where the words that were looked for stand, if not only in its title."""


def of_person(
    db: Connection,
    user_id: int,
    *,
    agent_id: int | None = None,
    search: str | None = None,
    before: float | None = None,
    pinned: bool | None = None,
    archived: bool | None = None,
    limit: int = 100,
) -> list[Listed]:
    """The person's conversations, the last used first; of one agent, where it is named."""
    wanted = words.words_of(search or "")
    status = (
        select(turns.c.status)
        .where(turns.c.conversation_id == conversations.c.id, turns.c.aside.is_(false()))
        .order_by(turns.c.started_at.desc())
        .limit(1)
        .scalar_subquery()
    )
    query = (
        select(conversations, agents.c.name.label("agent_name"), status.label("status"))
        .join(agents, agents.c.id == conversations.c.agent_id)
        .where(conversations.c.user_id == user_id, conversations.c.is_listed)
        .order_by(conversations.c.updated_at.desc(), conversations.c.id)
        .limit(limit)
    )
    if agent_id is not None:
        query = query.where(conversations.c.agent_id == agent_id)
    if before is not None:
        query = query.where(conversations.c.updated_at < before)
    for column, wished in (
        (conversations.c.pinned_at, pinned),
        (conversations.c.archived_at, archived),
    ):
        if wished is not None:
            query = query.where(column.is_not(None) if wished else column.is_(None))
    if search:
        named = conversations.c.title.ilike(f"%{_escaped(search)}%", escape="\\")
        query = query.where(or_(named, _said(db, user_id, wanted)) if wanted else named)
    rows = db.execute(query).all()
    found = words.passages(db, user_id, wanted, [row.id for row in rows]) if wanted else {}
    return [
        Listed(
            conversation=Conversation(**{c.name: row._mapping[c.name] for c in conversations.c}),
            agent_name=row.agent_name,
            status=row.status,
            passage=found.get(row.id),
        )
        for row in rows
    ]


def _said(db: Connection, user_id: int, wanted: list[str]) -> ColumnElement[bool]:
    """Whether a message of the conversation has these words."""
    own = select(conversations.c.id).where(conversations.c.user_id == user_id)
    return conversations.c.id.in_(
        select(messages.c.conversation_id)
        .join(message_words, message_words.c.message_id == messages.c.id)
        .outerjoin(turns, turns.c.id == messages.c.turn_id)
        .where(messages.c.conversation_id.in_(own), words.holds(db, wanted), words.IN_BRANCH)
    )


def change(db: Connection, /, id: str, **changes: Any) -> None:
    """Change title, mode, settings, when it was used, and where it is kept."""
    if changes:
        db.execute(update(conversations).where(conversations.c.id == id).values(**changes))


def remove(db: Connection, id: str) -> None:
    """Forget the conversation and all that was said, asked and answered; the audit stays."""
    ours = select(turns.c.id).where(turns.c.conversation_id == id)
    for table in (tool_calls, journal):
        db.execute(delete(table).where(table.c.owner_id.in_(ours)))
    db.execute(delete(conversations).where(conversations.c.id == id))


@dataclass(frozen=True, kw_only=True)
class UnusedConversation:
    """A conversation that nobody has used for a while."""

    id: str
    organisation_id: int
    email: str
    updated_at: float
    datasets: int


def unused_since(db: Connection, before: float, id: str | None = None) -> list[UnusedConversation]:
    """Conversations of everybody that were last used before then, the oldest first; one whose turn
    runs or waits is in use. With an id, that one, which nobody can take up before the commit."""
    if id is not None:
        db.execute(select(conversations.c.id).where(conversations.c.id == id).with_for_update())
    at_work = select(turns.c.id).where(
        turns.c.conversation_id == conversations.c.id, turns.c.status.in_(UNFINISHED)
    )
    held = (
        select(func.count())
        .where(datasets.c.conversation_id == conversations.c.id)
        .scalar_subquery()
    )
    query = (
        select(
            conversations.c.id,
            conversations.c.organisation_id,
            users.c.email,
            conversations.c.updated_at,
            held.label("datasets"),
        )
        .join(users, users.c.id == conversations.c.user_id)
        .where(conversations.c.updated_at < before, ~at_work.exists())
        .order_by(conversations.c.updated_at)
    )
    if id is not None:
        query = query.where(conversations.c.id == id)
    return [UnusedConversation(**row._mapping) for row in db.execute(query)]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
