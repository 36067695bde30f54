"""The data sets of a conversation."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select

from bancada.domain.errors import NotFound
from bancada.domain.json import JSONObject
from bancada.store import conversations
from bancada.store.hot import Hot
from bancada.store.tables import conversations as owners
from bancada.store.tables import datasets


@dataclass(frozen=True, kw_only=True)
class DatasetRow:
    """One uploaded file, as it can be queried."""

    id: str
    conversation_id: str
    file_name: str
    table_name: str
    path: str
    version: str
    size: int
    summary: JSONObject
    created_at: float

    @property
    def ref(self) -> str:
        """Where its file is kept: a place, or, before there were any, a name in the data folder."""
        return self.path if "/" in self.path else f"datasets/{self.path}"


def add(
    db: Connection,
    *,
    id: str,
    conversation_id: str,
    file_name: str,
    table_name: str,
    path: str,
    version: str,
    size: int,
    summary: JSONObject,
) -> DatasetRow:
    """List a data set; its conversation may have been removed while the file was read."""
    if conversations.find(db, conversation_id) is None:
        raise NotFound("no_conversation")
    row = DatasetRow(
        id=id,
        conversation_id=conversation_id,
        file_name=file_name,
        table_name=table_name,
        path=path,
        version=version,
        size=size,
        summary=summary,
        created_at=time.time(),
    )
    db.execute(insert(datasets).values(**vars(row)))
    return row


_ANY = Hot(
    select(datasets.c.id).where(datasets.c.conversation_id == bindparam("c")).limit(1), ["c"]
)


def has_any(db: Connection, conversation_id: str) -> bool:
    """Whether the conversation has data sets at all."""
    return _ANY(db, conversation_id).first() is not None


def of_conversation(db: Connection, conversation_id: str) -> list[DatasetRow]:
    query = (
        select(datasets)
        .where(datasets.c.conversation_id == conversation_id)
        .order_by(datasets.c.created_at)
    )
    rows: list[Any] = list(db.execute(query))
    return [DatasetRow(**row._mapping) for row in rows]


def of_person(db: Connection, user_id: int) -> list[DatasetRow]:
    """The data sets of all of a person's conversations, the newest first."""
    query = (
        select(datasets)
        .join(owners, owners.c.id == datasets.c.conversation_id)
        .where(owners.c.user_id == user_id)
        .order_by(datasets.c.created_at.desc())
    )
    return [DatasetRow(**row._mapping) for row in db.execute(query)]


def refs(db: Connection) -> list[str]:
    """Where the files of all data sets are kept."""
    rows: list[Any] = list(db.execute(select(datasets)))
    return [DatasetRow(**row._mapping).ref for row in rows]


def remove(db: Connection, conversation_id: str) -> list[DatasetRow]:
    """Take a conversation's data sets off the list and return them."""
    rows = of_conversation(db, conversation_id)
    db.execute(delete(datasets).where(datasets.c.conversation_id == conversation_id))
    return rows


def remove_one(db: Connection, id: str) -> None:
    """Take one data set off the list."""
    db.execute(delete(datasets).where(datasets.c.id == id))
