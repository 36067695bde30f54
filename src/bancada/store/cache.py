"""Cached answers of tools that say they may be cached."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from bancada.domain.json import JSONObject
from bancada.store.tables import result_cache


def find(db: Connection, key: str, now: float) -> JSONObject | None:
    query = select(result_cache.c.outcome).where(
        result_cache.c.key == key, result_cache.c.expires_at > now
    )
    found: JSONObject | None = db.execute(query).scalar()
    return found


def keep(
    db: Connection,
    key: str,
    *,
    organisation_id: int,
    tool: str,
    outcome: JSONObject,
    now: float,
    seconds: float,
) -> None:
    """Keep an answer; what has expired under the same tool goes."""
    db.execute(
        delete(result_cache).where(
            (result_cache.c.key == key)
            | ((result_cache.c.tool == tool) & (result_cache.c.expires_at <= now))
        )
    )
    db.execute(
        insert(result_cache).values(
            key=key,
            organisation_id=organisation_id,
            tool=tool,
            outcome=outcome,
            expires_at=now + seconds,
        )
    )
