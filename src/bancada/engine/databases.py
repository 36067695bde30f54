"""The databases that the operator named for SQL tools, each for the organisation it belongs to."""

from __future__ import annotations

import logging
from pathlib import Path

from sqlalchemy import make_url

from bancada.custom.databases import Databases, House, NamedDatabase, named_database
from bancada.domain.shares import Shares
from bancada.settings import Settings
from bancada.store import people
from bancada.store.database import Database
from bancada.store.postgres import identity

log = logging.getLogger("bancada.engine")


async def open_databases(settings: Settings, database: Database) -> Databases:
    """What the operator named, each for its organisation; what is ours is nobody's to query."""
    ids = await database.read(people.organisation_ids)
    named: list[NamedDatabase] = []
    for name, one in settings.databases.items():
        if one.organisation in ids:
            named.append(named_database(name, one.url, ids[one.organisation]))
        else:
            log.warning("[databases.%s]: there is no organisation %s", name, one.organisation)
    ours = make_url(settings.url)
    here = ours.get_backend_name() == "sqlite"
    return Databases(
        named=named,
        house=House(
            folders=(settings.data,),
            files=(Path(ours.database or ""),) if here else (),
            identity=None if here else lambda: database.read(identity),
        ),
        shares=Shares(
            settings.max_queries,
            per_organisation=settings.max_queries_per_organisation,
            per_person=settings.max_queries_per_person,
        ),
    )
