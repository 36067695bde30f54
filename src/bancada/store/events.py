"""A turn's events, numbered. A run of text pieces shares a row; each piece keeps its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text

from bancada.domain.json import JSONObject, dumps, loads
from bancada.store.endings import announce
from bancada.store.hot import Hot
from bancada.store.tables import events

PIECES = ("text", "thinking")
"""Types that are stored in runs."""

_INSERT = Hot(
    insert(events).values(
        turn_id=bindparam("t"), n=bindparam("n"), type=bindparam("k"), data=bindparam("d")
    ),
    ["t", "n", "k", "d"],
)


def add(db: Connection, turn_id: str, n: int, event: JSONObject) -> None:
    _INSERT(db, turn_id, n, event["type"], dumps(event))
    announce(db, turn_id)


def add_run(db: Connection, turn_id: str, n: int, type: str, pieces: list[str]) -> None:
    """Pieces numbered from `n` on, without a gap."""
    _INSERT(db, turn_id, n, type, dumps(pieces))
    announce(db, turn_id)


_OF_TURN = Hot(select(events).where(events.c.turn_id == bindparam("t")).order_by(events.c.n), ["t"])


def of_turn(db: Connection, turn_id: str) -> list[tuple[int, JSONObject]]:
    """Every event, in order."""
    return [
        (n, event)
        for row in _OF_TURN(db, turn_id).all()
        for n, event in _expanded(row.n, row.type, loads(row.data))
    ]


def since(db: Connection, seen: Mapping[str, int]) -> list[tuple[str, int, JSONObject]]:
    """What is new of several turns: of each everything numbered above what was seen of it, which was
    the last of a row."""
    ids = list(seen)
    if db.dialect.name == "postgresql":
        parameters = {"ids": ids, "seen": [seen[id] for id in ids]}
        rows: Iterable[Any] = db.execute(_SINCE, parameters)
    else:
        rows = (row for id in ids for row in _OF_TURN(db, id).all() if row.n > seen[id])
    return [
        (row.turn_id, n, event)
        for row in rows
        for n, event in _expanded(row.n, row.type, loads(row.data))
    ]


_SINCE = text(
    "SELECT e.turn_id, e.n, e.type, e.data FROM events AS e "
    "JOIN unnest(CAST(:ids AS text[]), CAST(:seen AS integer[])) AS f (id, seen) "
    "ON e.turn_id = f.id AND e.n > f.seen ORDER BY e.turn_id, e.n"
)


def take_back_end(db: Connection, turn_id: str) -> None:
    """The turn goes on after all: its `done` was not the last event."""
    db.execute(delete(events).where(events.c.turn_id == turn_id, events.c.type == "done"))


def highest(db: Connection, turn_id: str) -> int:
    """The highest number stored, -1 if there is none."""
    last = db.execute(select(func.max(events.c.n)).where(events.c.turn_id == turn_id)).scalar()
    if last is None:
        return -1
    query = select(events).where(events.c.turn_id == turn_id, events.c.n == last)
    row = db.execute(query).one()
    return max(n for n, _ in _expanded(row.n, row.type, loads(row.data)))


def _expanded(n: int, type: str, data: JSONObject | list[str]) -> Iterator[tuple[int, JSONObject]]:
    if isinstance(data, list):
        for offset, piece in enumerate(data):
            yield n + offset, {"type": type, "content": piece}
    else:
        yield n, data
