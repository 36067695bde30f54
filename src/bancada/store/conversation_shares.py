"""Conversations that their person lets colleagues read, up to where they were when shared."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from bancada.domain.errors import Conflict, NotFound
from bancada.domain.turns import UNFINISHED
from bancada.store import events, messages, turns
from bancada.store.columns import clean
from bancada.store.messages import StoredMessage
from bancada.store.tables import conversation_shares, conversations, users


@dataclass(frozen=True, kw_only=True)
class ConversationShare:
    """One link to one conversation; a reader needs an account of its organisation beside it."""

    conversation_id: str
    token: str
    turn_id: str
    """The last turn that readers see: those before it, in the branch it stands in, and no other."""
    at: float
    last_event: int | None
    """Of that turn what is numbered up to here: a turn that failed or was stopped may go on."""
    title: str | None


def share(db: Connection, conversation_id: str, title: str) -> ConversationShare:
    """Let colleagues read the conversation as it is now; a link that there is stays the same."""
    # Two at once would both find no link: the second waits here for the first's.
    turns.hold(db, conversation_id)
    last = next(
        (
            turn
            for turn in reversed(turns.of_conversation(db, conversation_id))
            if not turn.aside and turn.status not in UNFINISHED
        ),
        None,
    )
    if last is None:
        raise Conflict("nothing_to_share")
    before = of_conversation(db, conversation_id)
    end(db, conversation_id)
    made = ConversationShare(
        conversation_id=conversation_id,
        token=secrets.token_urlsafe(18) if before is None else before.token,
        turn_id=last.id,
        at=time.time(),
        last_event=events.highest(db, last.id),
        title=title,
    )
    db.execute(insert(conversation_shares).values(**vars(made)))
    return made


def end(db: Connection, conversation_id: str) -> bool:
    """Nobody reads it any more; whether somebody could."""
    gone = delete(conversation_shares).where(
        conversation_shares.c.conversation_id == conversation_id
    )
    return db.execute(gone).rowcount > 0


def of_conversation(db: Connection, conversation_id: str) -> ConversationShare | None:
    query = select(conversation_shares).where(
        conversation_shares.c.conversation_id == conversation_id
    )
    row = db.execute(query).first()
    return None if row is None else ConversationShare(**row._mapping)


def by_token(db: Connection, token: str, organisation_id: int) -> ConversationShare:
    """What a link leads to, for somebody of its organisation, while its owner's account counts."""
    query = (
        select(conversation_shares)
        .join(conversations, conversations.c.id == conversation_shares.c.conversation_id)
        .join(users, users.c.id == conversations.c.user_id)
        .where(
            conversation_shares.c.token == clean(token),
            conversations.c.organisation_id == organisation_id,
            users.c.is_active,
        )
    )
    row = db.execute(query).first()
    if row is None:
        raise NotFound("dead_link")
    return ConversationShare(**row._mapping)


def shared_by(db: Connection, user_id: int) -> list[Any]:
    """This person's conversations that have a link: id and title."""
    query = (
        select(conversations.c.id, conversations.c.title)
        .join(conversation_shares, conversation_shares.c.conversation_id == conversations.c.id)
        .where(conversations.c.user_id == user_id)
        .order_by(conversations.c.id)
    )
    return list(db.execute(query))


def shared_in(db: Connection, organisation_id: int) -> list[Any]:
    """The links of an organisation that count: to what, under which title, whose, since when."""
    query = (
        select(
            conversations.c.id,
            conversations.c.user_id,
            func.coalesce(conversation_shares.c.title, conversations.c.title).label("titulo"),
            users.c.name,
            users.c.email,
            conversation_shares.c.at.label("created_at"),
        )
        .join(conversation_shares, conversation_shares.c.conversation_id == conversations.c.id)
        .join(users, users.c.id == conversations.c.user_id)
        .where(conversations.c.organisation_id == organisation_id, users.c.is_active)
        .order_by(conversation_shares.c.at.desc(), conversations.c.id)
    )
    return list(db.execute(query))


def shared_messages(db: Connection, shared: ConversationShare) -> list[StoredMessage]:
    """What readers may see: the turns that lead to the shared one, and files sent before its end."""
    parents = {
        turn.id: turn.parent_id for turn in turns.of_conversation(db, shared.conversation_id)
    }
    branch: set[str] = set()
    at: str | None = shared.turn_id
    while at is not None and at in parents and at not in branch:
        branch.add(at)
        at = parents[at]
    every = messages.since(db, shared.conversation_id, 0)
    last = max((one.position for one in every if one.turn_id == shared.turn_id), default=0)
    return [
        one
        for one in every
        if one.turn_id in branch
        # A turn that goes on writes behind files that came after it was shared.
        or (one.turn_id is None and one.position < last and one.created_at <= shared.at)
    ]
