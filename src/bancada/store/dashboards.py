"""Dashboards that were kept, and the links by which others may read them."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from bancada.domain.errors import NotFound
from bancada.domain.json import JSONObject
from bancada.store.keys import fingerprint
from bancada.store.tables import dashboards, shares, users


@dataclass(frozen=True, kw_only=True)
class DashboardRow:
    """A kept dashboard: HTML a model wrote, or widgets with the calls behind them."""

    id: str
    organisation_id: int
    user_id: int
    conversation_id: str | None
    titulo: str
    html: str | None
    items: list[JSONObject]
    outside: bool
    """The HTML was written with text from outside in view: it is shown without its script."""
    created_at: float
    updated_at: float
    filter: JSONObject | None = None
    """What its queries are filtered by."""
    refresh_minutes: int | None = None
    """How often a page that shows it brings it up to date."""


def add(
    db: Connection,
    *,
    organisation_id: int,
    user_id: int,
    conversation_id: str | None,
    titulo: str,
    html: str | None = None,
    items: list[JSONObject] | None = None,
    outside: bool = False,
    id: str | None = None,
) -> DashboardRow:
    now = time.time()
    row = DashboardRow(
        id=id or secrets.token_hex(6),
        organisation_id=organisation_id,
        user_id=user_id,
        conversation_id=conversation_id,
        titulo=titulo,
        html=html,
        items=items or [],
        outside=outside,
        created_at=now,
        updated_at=now,
    )
    db.execute(insert(dashboards).values(**vars(row)))
    return row


def owned(db: Connection, id: str, user_id: int, *, lock: bool = False) -> DashboardRow:
    """The dashboard, if it is this person's; `lock` holds it until the transaction ends."""
    query = select(dashboards).where(dashboards.c.id == id)
    row: Any = db.execute(query.with_for_update() if lock else query).first()
    if row is None or row.user_id != user_id:
        raise NotFound("no_dashboard")
    return DashboardRow(**row._mapping)


def of_person(db: Connection, user_id: int) -> list[DashboardRow]:
    query = (
        select(dashboards)
        .where(dashboards.c.user_id == user_id)
        .order_by(dashboards.c.updated_at.desc(), dashboards.c.id)
    )
    rows: list[Any] = list(db.execute(query))
    return [DashboardRow(**row._mapping) for row in rows]


def change(db: Connection, /, id: str, **changes: Any) -> None:
    changed = update(dashboards).where(dashboards.c.id == id)
    db.execute(changed.values(updated_at=time.time(), **changes))


def remove(db: Connection, id: str) -> None:
    db.execute(delete(dashboards).where(dashboards.c.id == id))


# ---------------------------------------------------------------------------- shares


def share(db: Connection, dashboard_id: str, person_id: int) -> str:
    """A new link to the dashboard; the token is not kept, only its hash."""
    token = secrets.token_urlsafe(24)
    values = {"dashboard_id": dashboard_id, "created_by": person_id, "created_at": time.time()}
    db.execute(insert(shares).values(token_hash=fingerprint(token), **values))
    return token


def revoke(db: Connection, dashboard_id: str) -> int:
    """End every link to the dashboard; returns how many there were."""
    ended = update(shares).where(
        shares.c.dashboard_id == dashboard_id, shares.c.revoked_at.is_(None)
    )
    return db.execute(ended.values(revoked_at=time.time())).rowcount


def is_shared(db: Connection, dashboard_id: str) -> bool:
    query = select(shares.c.token_hash).where(
        shares.c.dashboard_id == dashboard_id, shares.c.revoked_at.is_(None)
    )
    return db.execute(query).first() is not None


def shared_by(db: Connection, user_id: int) -> list[Any]:
    """This person's dashboards that have a link."""
    linked = select(shares.c.dashboard_id).where(shares.c.revoked_at.is_(None))
    query = select(dashboards.c.id, dashboards.c.titulo).where(
        dashboards.c.user_id == user_id, dashboards.c.id.in_(linked)
    )
    return list(db.execute(query.order_by(dashboards.c.id)))


def by_token(db: Connection, token: str) -> DashboardRow:
    """What a shared link shows, while it counts: not after it, or its owner's account, was ended."""
    query = (
        select(dashboards)
        .join(shares, shares.c.dashboard_id == dashboards.c.id)
        .join(users, users.c.id == dashboards.c.user_id)
        .where(
            shares.c.token_hash == fingerprint(token),
            shares.c.revoked_at.is_(None),
            users.c.is_active,
        )
    )
    row: Any = db.execute(query).first()
    if row is None:
        raise NotFound("dead_link")
    return DashboardRow(**row._mapping)


def shared_in(db: Connection, organisation_id: int) -> list[Any]:
    """The links of an organisation that count: to what, whose, since when; the newest first."""
    query = (
        select(
            dashboards.c.id,
            dashboards.c.user_id,
            dashboards.c.titulo,
            dashboards.c.outside,
            users.c.name,
            users.c.email,
        )
        .add_columns(shares.c.created_at)
        .join(shares, shares.c.dashboard_id == dashboards.c.id)
        .join(users, users.c.id == dashboards.c.user_id)
        .where(
            dashboards.c.organisation_id == organisation_id,
            shares.c.revoked_at.is_(None),
            users.c.is_active,
        )
        .order_by(shares.c.created_at.desc(), dashboards.c.id)
    )
    return list(db.execute(query))
