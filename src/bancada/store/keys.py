"""API keys and one-time links: only hashes are kept."""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, func, insert, or_, select, update

from bancada.domain.people import Scope
from bancada.store import people
from bancada.store.hot import Hot
from bancada.store.people import PERSON
from bancada.store.tables import agents, api_keys, one_time_links, replies, users

PREFIX = "bk_"


def fingerprint(secret: str) -> str:
    """What is kept of a secret. Ours are random and long, so a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True)
class KeyLimits:
    """What a key may use at the gateway; nothing: as much as its person may."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    monthly_usd: float | None = None

    @property
    def are_none(self) -> bool:
        return self == KeyLimits()

    @staticmethod
    def of(row: Any) -> KeyLimits:
        return KeyLimits(row.requests_per_minute, row.tokens_per_minute, row.monthly_budget_usd)


@dataclass(frozen=True)
class KeyTerms:
    """What a key is to be: no scopes, whatever its person may do; no end, until it is revoked."""

    name: str = ""
    scopes: tuple[Scope, ...] = ()
    expires_at: float | None = None
    agent_id: int | None = None
    made_by: int | None = None
    """Whoever saw it, where that was somebody else."""
    limits: KeyLimits = field(default_factory=KeyLimits)
    line_id: int | None = None
    """The first of those in whose place it is made."""


def add_key(db: Connection, user_id: int, new: KeyTerms) -> tuple[int, str]:
    """A new key for the person: `(id, key)`. The key itself is never seen again."""
    key = PREFIX + secrets.token_urlsafe(32)
    values = {
        "user_id": user_id,
        "name": new.name,
        "prefix": key[:10],
        "key_hash": fingerprint(key),
        "made_by": None if new.made_by == user_id else new.made_by,
        "created_at": time.time(),
        "scopes": list(new.scopes),
        "expires_at": new.expires_at,
        "agent_id": new.agent_id,
        "requests_per_minute": new.limits.requests_per_minute,
        "tokens_per_minute": new.limits.tokens_per_minute,
        "monthly_budget_usd": new.limits.monthly_usd,
        "line_id": new.line_id,
    }
    added = db.execute(insert(api_keys).values(**values)).inserted_primary_key
    assert added is not None
    return int(added[0]), key


_HOLDER_COLUMNS = (
    api_keys.c.id.label("key_id"),
    api_keys.c.scopes,
    api_keys.c.agent_id,
    api_keys.c.expires_at,
    api_keys.c.last_used_at,
    api_keys.c.revoked_at,
    api_keys.c.requests_per_minute,
    api_keys.c.tokens_per_minute,
    api_keys.c.monthly_budget_usd,
)


def _holder(where: ColumnElement[bool], name: str) -> Hot:
    joined = select(*_HOLDER_COLUMNS, *PERSON).join(users, users.c.id == api_keys.c.user_id)
    return Hot(joined.where(where), [name], decode=True)


_BY_KEY = _holder(api_keys.c.key_hash == bindparam("hash"), "hash")
_BY_ID = _holder(api_keys.c.id == bindparam("key_id"), "key_id")


def holder(db: Connection, key: str) -> Any | None:
    """A key that counts, and its person, in one read."""
    return _counting(_BY_KEY(db, fingerprint(key)).first())


def holder_of(db: Connection, key_id: int) -> Any | None:
    """The same by the key's id."""
    return _counting(_BY_ID(db, key_id).first())


def _counting(row: Any | None) -> Any | None:
    if row is None or row.revoked_at is not None or not row.is_active:
        return None
    return None if row.expires_at is not None and row.expires_at <= time.time() else row


def are_of_one_line(db: Connection, one: int | None, other: int | None) -> bool:
    """Whether these are the same key, or one was made in the place of the other."""
    if one is None or other is None or one == other:
        return one == other
    first = func.coalesce(api_keys.c.line_id, api_keys.c.id)
    found = select(func.count(func.distinct(first)), func.count())
    lines, count = db.execute(found.where(api_keys.c.id.in_((one, other)))).one()
    return bool(lines == 1 and count == 2)


def could_call_as(db: Connection, maker_id: int, user_id: int, at: float) -> bool:
    """Whether somebody had made a key of this person's, and seen it, that counted at that moment."""
    query = select(api_keys.c.id).where(
        api_keys.c.user_id == user_id,
        api_keys.c.made_by == maker_id,
        api_keys.c.created_at <= at,
        or_(api_keys.c.revoked_at.is_(None), api_keys.c.revoked_at >= at),
        or_(api_keys.c.expires_at.is_(None), api_keys.c.expires_at >= at),
    )
    return db.execute(query.limit(1)).first() is not None


def used_key(db: Connection, key_id: int) -> None:
    """Note that the key was used now."""
    used = update(api_keys).where(api_keys.c.id == key_id)
    db.execute(used.values(last_used_at=time.time()))


def rename_key(db: Connection, key_id: int, name: str) -> None:
    db.execute(update(api_keys).where(api_keys.c.id == key_id).values(name=name))


def keys_of(db: Connection, organisation_id: int, user_id: int | None = None) -> list[Row[Any]]:
    """The organisation's keys, or one person's, with what each used at the gateway this month (UTC)."""
    month = datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    used = (
        select(
            replies.c.key_id,
            func.count().label("replies"),
            func.sum(replies.c.cost_usd).label("cost_usd"),
        )
        .where(replies.c.key_id.is_not(None), replies.c.at >= month.timestamp())
        .group_by(replies.c.key_id)
        .subquery()
    )
    query = (
        select(
            api_keys,
            users.c.email,
            users.c.name.label("user_name"),
            agents.c.name.label("agent"),
            func.coalesce(used.c.replies, 0).label("month_replies"),
            func.coalesce(used.c.cost_usd, 0.0).label("month_cost_usd"),
        )
        .join(users, users.c.id == api_keys.c.user_id)
        .outerjoin(agents, agents.c.id == api_keys.c.agent_id)
        .outerjoin(used, used.c.key_id == api_keys.c.id)
        .where(users.c.organisation_id == organisation_id)
        .order_by(api_keys.c.id)
    )
    if user_id is not None:
        query = query.where(api_keys.c.user_id == user_id)
    return list(db.execute(query))


def end_key(db: Connection, key_id: int, at: float) -> None:
    """Let a key count until then, and no longer than it would have."""
    later = (api_keys.c.expires_at.is_(None)) | (api_keys.c.expires_at > at)
    db.execute(update(api_keys).where(api_keys.c.id == key_id, later).values(expires_at=at))


def revoke_key(db: Connection, key_id: int) -> None:
    ended = update(api_keys).where(api_keys.c.id == key_id, api_keys.c.revoked_at.is_(None))
    db.execute(ended.values(revoked_at=time.time()))


# ---------------------------------------------------------------------------- one-time links


def add_link(db: Connection, purpose: str, *, user_id: int | None, seconds: float) -> str:
    """A token that does one thing once: create the administrator, or set a password.

    Earlier ones for the same end with it.
    """
    # Two made at once would not see each other, and both count.
    if user_id is None:
        people.hold_organisation(db, people.first_organisation(db))
    else:
        people.hold(db, user_id)
    end_links(db, purpose, user_id)
    token = secrets.token_urlsafe(24)
    values = {
        "token_hash": fingerprint(token),
        "purpose": purpose,
        "user_id": user_id,
        "expires_at": time.time() + seconds,
    }
    db.execute(insert(one_time_links).values(**values))
    return token


def end_links(db: Connection, purpose: str, user_id: int | None) -> None:
    """What was sent out before does nothing any more."""
    whose = one_time_links.c.user_id
    ended = update(one_time_links).where(
        one_time_links.c.purpose == purpose,
        whose.is_(None) if user_id is None else whose == user_id,
        one_time_links.c.used_at.is_(None),
    )
    db.execute(ended.values(used_at=time.time()))


def link(db: Connection, token: str) -> Row[Any] | None:
    """The link, while it still works."""
    query = select(one_time_links).where(
        one_time_links.c.token_hash == fingerprint(token),
        one_time_links.c.used_at.is_(None),
        one_time_links.c.expires_at > time.time(),
    )
    return db.execute(query).first()


def use_link(db: Connection, token: str) -> bool:
    """Spend the link: true once."""
    used = db.execute(
        update(one_time_links)
        .where(
            one_time_links.c.token_hash == fingerprint(token),
            one_time_links.c.used_at.is_(None),
            one_time_links.c.expires_at > time.time(),
        )
        .values(used_at=time.time())
    )
    return used.rowcount == 1
