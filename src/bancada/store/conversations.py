"""Conversations: whose they are, with which agent, under what title."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from bancada.domain.errors import NotFound
from bancada.domain.json import JSONObject
from bancada.domain.turns import UNFINISHED
from bancada.store.columns import clean
from bancada.store.hot import Hot
from bancada.store.tables import (
    agents,
    conversations,
    datasets,
    journal,
    messages,
    tool_calls,
    turns,
    users,
)


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


def of_person(
    db: Connection,
    user_id: int,
    *,
    search: str | None = None,
    before: float | None = None,
    limit: int = 100,
) -> list[Listed]:
    """The person's conversations, the last used first."""
    status = (
        select(turns.c.status)
        .where(turns.c.conversation_id == conversations.c.id)
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
    if before is not None:
        query = query.where(conversations.c.updated_at < before)
    if search:
        pattern = f"%{_escaped(search)}%"
        said = select(messages.c.id).where(
            messages.c.conversation_id == conversations.c.id,
            messages.c.content.like(pattern, escape="\\"),
        )
        query = query.where(or_(conversations.c.title.ilike(pattern, escape="\\"), said.exists()))
    return [
        Listed(
            conversation=Conversation(**{c.name: row._mapping[c.name] for c in conversations.c}),
            agent_name=row.agent_name,
            status=row.status,
        )
        for row in db.execute(query)
    ]


def change(db: Connection, /, id: str, **changes: Any) -> None:
    """Change title, mode, settings or updated_at."""
    if changes:
        db.execute(update(conversations).where(conversations.c.id == id).values(**changes))


def remove(db: Connection, id: str) -> None:
    """Forget the conversation and all that was said, asked and answered; the audit stays."""
    ours = select(turns.c.id).where(turns.c.conversation_id == id)
    for table in (tool_calls, journal):
        db.execute(delete(table).where(table.c.owner_id.in_(ours)))
    db.execute(delete(conversations).where(conversations.c.id == id))


@dataclass(frozen=True, kw_only=True)
class Unused:
    """A conversation that nobody has used for a while."""

    id: str
    organisation_id: int
    email: str
    updated_at: float
    datasets: int


def unused_since(db: Connection, before: float, id: str | None = None) -> list[Unused]:
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
    return [Unused(**row._mapping) for row in db.execute(query)]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
