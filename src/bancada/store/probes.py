"""What servers were found to honour, by provider and model; the last time counts."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from bancada.domain.json import JSONObject
from bancada.store.hot import Hot
from bancada.store.tables import provider_probes


@dataclass(frozen=True, kw_only=True)
class Probe:
    """What was found, and when."""

    provider: str
    model: str
    found: JSONObject
    asked_at: float


_EVERY = Hot(select(provider_probes).order_by(provider_probes.c.provider), [], decode=True)


def every(db: Connection) -> list[Probe]:
    return [Probe(**row) for row in _EVERY(db).mappings()]


def keep(db: Connection, probe: Probe) -> None:
    """In place of what was found there before."""
    table = provider_probes
    db.execute(
        delete(table).where(table.c.provider == probe.provider, table.c.model == probe.model)
    )
    db.execute(insert(table).values(**vars(probe)))
