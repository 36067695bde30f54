"""Money set aside for replies under way: what they may cost, until it is known what they did.

A process that dies leaves its rows behind; they lapse, since nobody says any more that they stand.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from bancada.store.tables import reservations


@dataclass(frozen=True, kw_only=True)
class ReservationRow:
    """What one reply may cost."""

    id: str
    organisation_id: int
    user_id: int
    key_id: int | None
    usd: float
    held_until: float


@dataclass(frozen=True)
class SetAside:
    """What is set aside for replies under way."""

    for_person: float
    for_organisation: float
    for_key: float


def add(db: Connection, row: ReservationRow) -> None:
    db.execute(insert(reservations).values(**vars(row)))


def set_aside(
    db: Connection, user_id: int, organisation_id: int, key_id: int | None, now: float
) -> SetAside:
    """What stands now; what has lapsed goes."""
    table = reservations.c
    ours = table.organisation_id == organisation_id
    db.execute(delete(reservations).where(ours, table.held_until <= now))

    def total(whose: ColumnElement[bool]) -> float:
        return float(db.execute(select(func.sum(table.usd)).where(ours, whose)).scalar() or 0.0)

    mine = total(table.user_id == user_id)
    return SetAside(mine, total(ours), total(table.key_id == key_id))


def hold(db: Connection, ids: list[str], until: float) -> None:
    """These are still under way."""
    db.execute(update(reservations).where(reservations.c.id.in_(ids)).values(held_until=until))


def settle(db: Connection, id: str) -> None:
    """What the reply cost is known, or nothing came of it."""
    db.execute(delete(reservations).where(reservations.c.id == id))
