"""The journal of code that calls tools: what was asked and answered, in order.

A cell's owner is the turn it belongs to, or the container of a client's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, insert, select

from bancada.domain.json import JSONObject, dumps
from bancada.store.columns import clean
from bancada.store.hot import Hot
from bancada.store.tables import journal, turns


@dataclass(frozen=True)
class BegunCell:
    """A cell that was begun: where, with which code, and when (`home["now"]`)."""

    owner_id: str
    code_id: str
    home: JSONObject


_LAST = Hot(
    select(func.max(journal.c.n).label("n")).where(
        journal.c.owner_id == bindparam("o"), journal.c.code_id == bindparam("c")
    ),
    ["o", "c"],
)
_INSERT = Hot(
    insert(journal).values(
        owner_id=bindparam("o"),
        code_id=bindparam("c"),
        n=bindparam("n"),
        kind=bindparam("k"),
        body=bindparam("b"),
    ),
    ["o", "c", "n", "k", "b"],
)


def append(db: Connection, owner_id: str, code_id: str, kind: str, body: JSONObject) -> int:
    """Add an entry at the end; returns its number."""
    code_id = clean(code_id)
    n: int = (_LAST(db, owner_id, code_id).scalar() or 0) + 1
    _INSERT(db, owner_id, code_id, n, kind, dumps(body))
    return n


def of_code(db: Connection, owner_id: str, code_id: str) -> list[tuple[str, JSONObject]]:
    query = (
        select(journal.c.kind, journal.c.body)
        .where(journal.c.owner_id == owner_id, journal.c.code_id == code_id)
        .order_by(journal.c.n)
    )
    return [(row.kind, row.body) for row in db.execute(query)]


def cells(db: Connection, conversation_id: str) -> list[BegunCell]:
    """Every cell of the conversation, in the order in which they were begun."""
    query = (
        select(journal.c.owner_id, journal.c.code_id, journal.c.body)
        .join(turns, turns.c.id == journal.c.owner_id)
        .where(turns.c.conversation_id == conversation_id, journal.c.kind == "began")
    )
    return _in_order(db, query)


def cells_of(db: Connection, owner_id: str) -> list[BegunCell]:
    """Every cell of this owner's, in the same order."""
    query = select(journal.c.owner_id, journal.c.code_id, journal.c.body)
    return _in_order(db, query.where(journal.c.owner_id == owner_id, journal.c.kind == "began"))


def _in_order(db: Connection, query: Select[Any]) -> list[BegunCell]:
    found = [BegunCell(row.owner_id, row.code_id, row.body) for row in db.execute(query)]
    return sorted(found, key=lambda cell: float(cell.home["now"]))
