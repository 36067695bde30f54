"""Containers that clients of others hold by their id: whose they are, until when, and who has them now."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, or_, select, update

from bancada.store.keys import are_of_one_line
from bancada.store.tables import gateway_containers, journal, tool_calls


@dataclass(frozen=True, kw_only=True)
class ContainerRow:
    """One client's container."""

    id: str
    organisation_id: int
    user_id: int
    key_id: int | None
    functions: str
    created_at: float
    expires_at: float
    held_by: str | None
    held_until: float

    @property
    def is_over(self) -> bool:
        return self.expires_at <= time.time()


def add(db: Connection, row: ContainerRow) -> None:
    db.execute(insert(gateway_containers).values(**vars(row)))


def find(db: Connection, id: str, user_id: int, key_id: int | None) -> ContainerRow | None:
    """The container, if this person made it with this key (none: signed in, without one), or with one
    in whose place this was made."""
    mine = gateway_containers.c.user_id == user_id
    row = db.execute(select(gateway_containers).where(gateway_containers.c.id == id, mine)).first()
    if row is None or not are_of_one_line(db, row.key_id, key_id):
        return None
    return ContainerRow(**row._mapping)


def take(db: Connection, id: str, holder: str, known: str | None, until: float) -> bool:
    """Have the container for a request; false: another has it, or had it since `known` held it."""
    table = gateway_containers.c
    rests = (table.held_until <= time.time(), table.held_by.is_not_distinct_from(known))
    values = {"held_by": holder, "held_until": until}
    taken = db.execute(update(gateway_containers).where(table.id == id, *rests).values(values))
    return bool(taken.rowcount)


def hold(db: Connection, id: str, holder: str, until: float) -> None:
    """Have it for longer, or (a moment that is past) no more: its code may go on all the same, until
    another process takes the container."""
    mine = gateway_containers.c.held_by == holder
    longer = update(gateway_containers).where(gateway_containers.c.id == id, mine)
    db.execute(longer.values(held_until=until))


def is_held(db: Connection, id: str, holder: str) -> bool:
    """Whether it is still this holder's; in a transaction that writes, it stays so until its end."""
    row = gateway_containers.c.id == id
    held = select(gateway_containers.c.held_by).where(row).with_for_update()
    return bool(db.execute(held).scalar() == holder)


def over(db: Connection, now: float, unused_since: float | None) -> list[ContainerRow]:
    """Those that nobody can use any more, or has used since then."""
    ended = gateway_containers.c.expires_at <= now
    if unused_since is not None:
        ended = or_(ended, gateway_containers.c.held_until <= unused_since)
    query = select(gateway_containers).where(ended, gateway_containers.c.held_until <= now)
    return [ContainerRow(**row._mapping) for row in db.execute(query)]


def remove(db: Connection, id: str) -> None:
    """The container, the journal of its code, and how the calls of that ended."""
    db.execute(delete(journal).where(journal.c.owner_id == id))
    db.execute(delete(tool_calls).where(tool_calls.c.owner_id == id))
    db.execute(delete(gateway_containers).where(gateway_containers.c.id == id))
