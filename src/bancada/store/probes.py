"""What servers were found to honour, by provider and model; the last time counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from bancada.domain.json import JSONObject
from bancada.store.tables import provider_probes


@dataclass(frozen=True, kw_only=True)
class Probe:
    """What was found, and when."""

    provider: str
    model: str
    found: JSONObject
    asked_at: float


def every(db: Connection) -> list[Probe]:
    rows: Any = db.execute(select(provider_probes).order_by(provider_probes.c.provider))
    return [Probe(**row._mapping) for row in rows]


def keep(db: Connection, probe: Probe) -> None:
    """In place of what was found there before."""
    table = provider_probes
    db.execute(
        delete(table).where(table.c.provider == probe.provider, table.c.model == probe.model)
    )
    db.execute(insert(table).values(**vars(probe)))
