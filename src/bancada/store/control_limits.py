"""Limits of control charts, kept by name for an organisation."""

from __future__ import annotations

import secrets
import time
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from bancada.domain.errors import Conflict, Forbidden, NotFound
from bancada.domain.people import Person
from bancada.domain.studies import ChartLimits, FrozenLimits
from bancada.store.tables import control_limits, users


def freeze(
    db: Connection,
    person: Person,
    name: str,
    limits: ChartLimits,
    *,
    replace: bool = False,
) -> FrozenLimits:
    """Keep limits under a name. One that is taken stays as it is unless they are to be replaced, by
    whoever set them or an administrator."""
    values = {**vars(limits), "set_by": person.id, "set_at": time.time()}
    there = _held(db, person.organisation_id, name)
    if there is None:
        try:
            db.execute(
                insert(control_limits).values(
                    id=secrets.token_hex(6),
                    organisation_id=person.organisation_id,
                    name=name,
                    **values,
                )
            )
        except IntegrityError:
            # Somebody else kept limits under this name between the look and the insert.
            raise Conflict("limits_taken", name=name) from None
    elif not replace:
        raise Conflict("limits_taken", name=name)
    else:
        _may_change(person, there)
        db.execute(update(control_limits).where(control_limits.c.id == there.id).values(**values))
    return named(db, person.organisation_id, name)


def named(db: Connection, organisation_id: int, name: str) -> FrozenLimits:
    row: Any = db.execute(_named(organisation_id, name)).first()
    if row is None:
        raise NotFound("no_limits", name=name)
    return _frozen(row)


def of_organisation(db: Connection, organisation_id: int) -> list[FrozenLimits]:
    query = _all().where(control_limits.c.organisation_id == organisation_id)
    return [_frozen(row) for row in db.execute(query.order_by(control_limits.c.name))]


def remove(db: Connection, person: Person, name: str) -> FrozenLimits:
    """Remove limits; they are gone for everybody, so only who set them or an administrator may."""
    row = _held(db, person.organisation_id, name)
    if row is None:
        raise NotFound("no_limits", name=name)
    _may_change(person, row)
    db.execute(delete(control_limits).where(control_limits.c.id == row.id))
    return _frozen(row)


def _all() -> Select[Any]:
    return select(control_limits, users.c.name.label("person")).outerjoin(
        users, users.c.id == control_limits.c.set_by
    )


def _named(organisation_id: int, name: str) -> Select[Any]:
    return _all().where(
        control_limits.c.organisation_id == organisation_id, control_limits.c.name == name
    )


def _held(db: Connection, organisation_id: int, name: str) -> Any:
    """As they are now, until the transaction ends: whose they are is looked at before they change."""
    query = _named(organisation_id, name).with_for_update(of=control_limits)
    return db.execute(query).first()


def _may_change(person: Person, row: Any) -> None:
    if person.role != "admin" and row.set_by != person.id:
        raise Forbidden("limits_of_another", name=row.name, person=row.person or "—")


def _frozen(row: Row[Any] | Any) -> FrozenLimits:
    return FrozenLimits(
        name=row.name,
        chart=row.chart,
        parameters=row.parameters,
        origin=row.origin,
        set_by=row.person or "—",
        set_at=row.set_at,
    )
