"""API keys and one-time links: only hashes are kept."""

from __future__ import annotations

import hashlib
import secrets
import time
from typing import Any

from sqlalchemy import Connection, Row, insert, or_, select, update

from bancada.domain.errors import NotFound
from bancada.store.tables import api_keys, one_time_links, users

PREFIX = "bk_"


def fingerprint(secret: str) -> str:
    """What is kept of a secret. Ours are random and long, so a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def add_key(
    db: Connection, user_id: int, name: str, *, made_by: int | None = None
) -> tuple[int, str]:
    """A new key for the person: `(id, key)`. The key itself is never seen again.

    `made_by` is whoever saw it, where that was somebody else.
    """
    key = PREFIX + secrets.token_urlsafe(32)
    values = {
        "user_id": user_id,
        "name": name,
        "prefix": key[:10],
        "key_hash": fingerprint(key),
        "made_by": None if made_by == user_id else made_by,
        "created_at": time.time(),
    }
    added = db.execute(insert(api_keys).values(**values)).inserted_primary_key
    assert added is not None
    return int(added[0]), key


def find_key(db: Connection, key: str) -> Any | None:
    """`(id, user_id, last_used_at)` of a key that still counts."""
    query = select(api_keys.c.id, api_keys.c.user_id, api_keys.c.last_used_at).where(
        api_keys.c.key_hash == fingerprint(key), api_keys.c.revoked_at.is_(None)
    )
    return db.execute(query).first()


def could_call_as(db: Connection, maker_id: int, user_id: int, at: float) -> bool:
    """Whether somebody had made a key of this person's, and seen it, that counted at that moment."""
    query = select(api_keys.c.id).where(
        api_keys.c.user_id == user_id,
        api_keys.c.made_by == maker_id,
        api_keys.c.created_at <= at,
        or_(api_keys.c.revoked_at.is_(None), api_keys.c.revoked_at >= at),
    )
    return db.execute(query.limit(1)).first() is not None


def used_key(db: Connection, key_id: int) -> None:
    """Note that the key was used now."""
    used = update(api_keys).where(api_keys.c.id == key_id)
    db.execute(used.values(last_used_at=time.time()))


def rename_key(db: Connection, key_id: int, name: str) -> None:
    db.execute(update(api_keys).where(api_keys.c.id == key_id).values(name=name))


def keys_of(db: Connection, organisation_id: int) -> list[Row[Any]]:
    query = (
        select(api_keys, users.c.email, users.c.name.label("user_name"))
        .join(users, users.c.id == api_keys.c.user_id)
        .where(users.c.organisation_id == organisation_id)
        .order_by(api_keys.c.id)
    )
    return list(db.execute(query))


def revoke_key(db: Connection, key_id: int, organisation_id: int) -> None:
    if key_id not in {row.id for row in keys_of(db, organisation_id)}:
        raise NotFound("no_key")
    ended = update(api_keys).where(api_keys.c.id == key_id, api_keys.c.revoked_at.is_(None))
    db.execute(ended.values(revoked_at=time.time()))


# ---------------------------------------------------------------------------- one-time links


def add_link(db: Connection, purpose: str, *, user_id: int | None, seconds: float) -> str:
    """A token that does one thing once: create the administrator, or set a password."""
    token = secrets.token_urlsafe(24)
    values = {
        "token_hash": fingerprint(token),
        "purpose": purpose,
        "user_id": user_id,
        "expires_at": time.time() + seconds,
    }
    db.execute(insert(one_time_links).values(**values))
    return token


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
