"""What is known of kept files, and, for the store that is the database, their pieces."""

from __future__ import annotations

import time
from collections.abc import Iterable

from sqlalchemy import Connection, delete, exists, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from bancada.store.blobs.place import Blob, new_place
from bancada.store.tables import blob_pieces, blobs, datasets, files, pack_files

NAMING = (datasets.c.path, files.c.path, pack_files.c.path)
"""Columns that name places: whoever adds a table adds its column."""


def claim(db: Connection, organisation_id: int, sha256: str, size: int) -> Blob:
    """The place of this file: known before a byte is written, so that no byte is without a row."""
    here = (blobs.c.organisation_id == organisation_id) & (blobs.c.sha256 == sha256)
    place = db.execute(select(blobs.c.place).where(here)).scalar()
    if place is None:
        place = new_place(organisation_id, sha256)
        db.execute(
            insert(blobs).values(
                place=place,
                organisation_id=organisation_id,
                sha256=sha256,
                size=size,
                created_at=time.time(),
            )
        )
    return Blob(place, sha256, size)


def hold(db: Connection, place: str) -> bool:
    """Whether it is still kept; until this transaction ends nobody can remove it."""
    # Who removes it takes the same lock first and then looks for rows that name it. Without it,
    # both could find what they want: the one no row yet, the other the file still there.
    found = db.execute(select(blobs.c.place).where(blobs.c.place == place).with_for_update())
    return found.first() is not None


def drop(db: Connection, places: Iterable[str]) -> list[str]:
    """Of these, those that no row names any more; they are not kept from now on."""
    gone = [place for place in sorted(set(places)) if hold(db, place) and not _is_named(db, place)]
    for place in gone:
        db.execute(delete(blobs).where(blobs.c.place == place))
    return gone


def _is_named(db: Connection, place: str) -> bool:
    return any(
        db.execute(select(column).where(column == place).limit(1)).first() is not None
        for column in NAMING
    )


def find(db: Connection, place: str) -> Blob | None:
    row = db.execute(select(blobs).where(blobs.c.place == place)).first()
    return None if row is None else Blob(row.place, row.sha256, row.size)


def every(db: Connection) -> list[Blob]:
    query = select(blobs.c.place, blobs.c.sha256, blobs.c.size).order_by(blobs.c.place)
    return [Blob(*row) for row in db.execute(query)]


def unnamed(db: Connection, before: float) -> list[str]:
    """Files kept before this moment that no row names: whoever kept them never came to it."""
    named = [exists().where(column == blobs.c.place) for column in NAMING]
    query = select(blobs.c.place).where(blobs.c.created_at < before, *(~one for one in named))
    return list(db.execute(query).scalars())


# ---------------------------------------------------------------------------- pieces


def add_piece(db: Connection, place: str, number: int, content: bytes) -> None:
    """A piece that is there already is the same: the place is named by what it holds."""
    dialect = postgresql if db.dialect.name == "postgresql" else sqlite
    values = {"place": place, "number": number, "content": content}
    db.execute(dialect.insert(blob_pieces).values(values).on_conflict_do_nothing())


def piece(db: Connection, place: str, number: int) -> bytes | None:
    here = (blob_pieces.c.place == place) & (blob_pieces.c.number == number)
    found: bytes | None = db.execute(select(blob_pieces.c.content).where(here)).scalar()
    return found


def piece_bytes(db: Connection, place: str) -> int | None:
    """How many bytes of it are there; none: not a piece."""
    query = select(func.sum(func.length(blob_pieces.c.content)))
    found: int | None = db.execute(query.where(blob_pieces.c.place == place)).scalar()
    return found


def remove_pieces(db: Connection, place: str) -> None:
    db.execute(delete(blob_pieces).where(blob_pieces.c.place == place))


def places_with_pieces(db: Connection) -> list[str]:
    return list(db.execute(select(blob_pieces.c.place).distinct()).scalars())
