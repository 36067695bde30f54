"""The data sets of a conversation."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select

from bancada.domain.json import JSONObject
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
    summary: JSONObject
    created_at: float


def add(
    db: Connection,
    *,
    conversation_id: str,
    file_name: str,
    table_name: str,
    path: str,
    version: str,
    summary: JSONObject,
) -> DatasetRow:
    row = DatasetRow(
        id=secrets.token_hex(8),
        conversation_id=conversation_id,
        file_name=file_name,
        table_name=table_name,
        path=path,
        version=version,
        summary=summary,
        created_at=time.time(),
    )
    db.execute(insert(datasets).values(**vars(row)))
    return row


def of_conversation(db: Connection, conversation_id: str) -> list[DatasetRow]:
    query = (
        select(datasets)
        .where(datasets.c.conversation_id == conversation_id)
        .order_by(datasets.c.created_at)
    )
    rows: list[Any] = list(db.execute(query))
    return [DatasetRow(**row._mapping) for row in rows]
