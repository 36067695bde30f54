"""What packs keep for an organisation, each under a name of the pack's own."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from bancada.store.tables import pack_files


@dataclass(frozen=True, kw_only=True)
class PackFile:
    """Where a pack's file is kept, and which one it is."""

    place: str
    version: str
    changed_at: float


def find(db: Connection, organisation_id: int, pack: str, name: str) -> PackFile | None:
    row = db.execute(select(pack_files).where(*_here(organisation_id, pack, name))).first()
    if row is None:
        return None
    return PackFile(place=row.path, version=row.version, changed_at=row.changed_at)


def put(
    db: Connection, organisation_id: int, pack: str, name: str, *, place: str, version: str
) -> str | None:
    """Let the name mean this file from now on; returns where the one before is."""
    before = find(db, organisation_id, pack, name)
    db.execute(delete(pack_files).where(*_here(organisation_id, pack, name)))
    db.execute(
        insert(pack_files).values(
            organisation_id=organisation_id,
            pack=pack,
            name=name,
            path=place,
            version=version,
            changed_at=time.time(),
        )
    )
    return None if before is None else before.place


def remove(db: Connection, organisation_id: int, pack: str, name: str) -> str | None:
    """The name means nothing from now on; returns where what it meant is."""
    before = find(db, organisation_id, pack, name)
    db.execute(delete(pack_files).where(*_here(organisation_id, pack, name)))
    return None if before is None else before.place


def refs(db: Connection) -> list[str]:
    """Where all of them are kept."""
    return list(db.execute(select(pack_files.c.path)).scalars())


def _here(organisation_id: int, pack: str, name: str) -> tuple[ColumnElement[bool], ...]:
    return (
        pack_files.c.organisation_id == organisation_id,
        pack_files.c.pack == pack,
        pack_files.c.name == name,
    )
