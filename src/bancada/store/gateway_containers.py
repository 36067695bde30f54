"""Containers that clients of others hold by their id: whose they are, and until when."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from bancada.store.tables import gateway_containers


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

    @property
    def is_over(self) -> bool:
        return self.expires_at <= time.time()


def add(db: Connection, row: ContainerRow) -> None:
    db.execute(insert(gateway_containers).values(**vars(row)))


def find(db: Connection, id: str, user_id: int) -> ContainerRow | None:
    """The container, if it is this person's."""
    mine = gateway_containers.c.user_id == user_id
    row = db.execute(select(gateway_containers).where(gateway_containers.c.id == id, mine)).first()
    return None if row is None else ContainerRow(**row._mapping)
