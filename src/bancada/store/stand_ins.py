"""Who decides for whom while they are away; rows are ended, never removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, insert, select, update

from bancada.store import people
from bancada.store.tables import stand_ins


@dataclass(frozen=True, kw_only=True)
class StandIn:
    """Somebody decides for a person until a moment."""

    id: int
    organisation_id: int
    person_id: int
    stand_in_id: int
    created_at: float
    until: float
    ended_at: float | None = None


def _from(row: Row[Any]) -> StandIn:
    return StandIn(**row._mapping)


def _holds(now: float) -> ColumnElement[bool]:
    return and_(stand_ins.c.until > now, stand_ins.c.ended_at.is_(None))


def name(
    db: Connection,
    *,
    organisation_id: int,
    person_id: int,
    stand_in_id: int,
    until: float,
    now: float,
) -> StandIn:
    """Name who decides for this person from now on; whoever did before does no longer."""
    people.hold(db, person_id)  # of two named at once, the second ends the first
    end(db, person_id, now)
    new = {
        "organisation_id": organisation_id,
        "person_id": person_id,
        "stand_in_id": stand_in_id,
        "created_at": now,
        "until": until,
    }
    return _from(db.execute(insert(stand_ins).values(**new).returning(stand_ins)).one())


def end(db: Connection, person_id: int, now: float) -> bool:
    """Whether there was one to end."""
    ending = update(stand_ins).where(stand_ins.c.person_id == person_id, _holds(now))
    return db.execute(ending.values(ended_at=now)).rowcount > 0


def of_person(db: Connection, person_id: int, now: float) -> StandIn | None:
    """Who decides for this person now."""
    query = select(stand_ins).where(stand_ins.c.person_id == person_id, _holds(now))
    row = db.execute(query).first()
    return None if row is None else _from(row)


def for_whom(db: Connection, stand_in_id: int, now: float) -> list[int]:
    """The people for whom this one decides now."""
    query = select(stand_ins.c.person_id).where(stand_ins.c.stand_in_id == stand_in_id, _holds(now))
    return [row.person_id for row in db.execute(query.order_by(stand_ins.c.id))]
