"""Files that code or a tool produced."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from bancada.store.tables import files


def add(
    db: Connection,
    *,
    id: str,
    organisation_id: int,
    user_id: int,
    conversation_id: str | None,
    name: str,
    media_type: str,
    size: int,
    path: str,
) -> None:
    db.execute(
        insert(files).values(
            id=id,
            organisation_id=organisation_id,
            user_id=user_id,
            conversation_id=conversation_id,
            name=name,
            media_type=media_type,
            size=size,
            path=path,
            created_at=time.time(),
        )
    )


def find(db: Connection, id: str) -> Any | None:
    return db.execute(select(files).where(files.c.id == id)).first()


def of_person(db: Connection, user_id: int) -> list[Any]:
    """A person's files, the newest first."""
    query = select(files).where(files.c.user_id == user_id).order_by(files.c.created_at.desc())
    return list(db.execute(query))


def ref(path: str) -> str:
    """Where a file is kept: a place, or, before there were any, a name in the data folder."""
    return path if "/" in path else f"files/{path}"


def refs(db: Connection) -> list[str]:
    """Where all kept files are."""
    return [ref(path) for path in db.execute(select(files.c.path)).scalars()]


def remove(db: Connection, conversation_id: str) -> list[str]:
    """Take a conversation's files off the list; returns where they were."""
    here = files.c.conversation_id == conversation_id
    gone = [ref(row.path) for row in db.execute(select(files.c.path).where(here))]
    db.execute(delete(files).where(here))
    return gone
