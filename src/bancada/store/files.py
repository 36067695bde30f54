"""Files that code or a tool produced, and those that people send with a question."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, delete, insert, select, update

from bancada.domain.json import JSONObject
from bancada.store.tables import files

Attached: TypeAlias = Literal["waiting", "sent"]
"""Of a file that goes with a question: whether one has it."""


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
    attached: Attached | None = None,
    measures: JSONObject | None = None,
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
            attached=attached,
            measures=measures,
        )
    )


def find(db: Connection, id: str) -> Any | None:
    return db.execute(select(files).where(files.c.id == id)).first()


def attached_in(db: Connection, conversation_id: str, ids: Sequence[str]) -> dict[str, Any]:
    """Of these, the files that people sent for questions of this conversation, by id."""
    query = select(files).where(
        files.c.id.in_(ids),
        files.c.conversation_id == conversation_id,
        files.c.attached.is_not(None),
    )
    return {row.id: row for row in db.execute(query)}


def send(db: Connection, conversation_id: str, ids: Sequence[str]) -> list[Any]:
    """They go with a question that is written now, in this order; fewer where some are gone."""
    # Written before they are read: whoever removes what waited too long comes before this, and then
    # it is not found, or after it, and then it does not wait any more.
    here = (files.c.id.in_(ids), files.c.conversation_id == conversation_id)
    db.execute(update(files).where(*here, files.c.attached.is_not(None)).values(attached="sent"))
    found = attached_in(db, conversation_id, ids)
    return [found[id] for id in ids if id in found]


def remove_waiting(db: Connection, before: float) -> list[str]:
    """Take what was sent before then for a question that never came off the list; where it was."""
    gone = delete(files).where(files.c.attached == "waiting", files.c.created_at < before)
    return [ref(path) for path in db.execute(gone.returning(files.c.path)).scalars()]


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
