"""Two transactions that meet on Postgres: one is held open before its commit while another runs.

Read committed, as Postgres is, the second sees nothing of what the first wrote. What it looks at
before it writes must be something that it waits for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.util import await_only

from bancada.store import postgres as store
from bancada.store.database import PostgresDatabase

T = TypeVar("T")
S = TypeVar("S")

_WAITING = text(
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


@contextmanager
def _written(db: Connection, table: str) -> Any:
    """Whether the transaction writes to this table, once it is over."""
    seen: list[bool] = []

    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        if statement.upper().startswith(
            (f"INSERT INTO {table} ", f"UPDATE {table} ", f"DELETE FROM {table} ")
        ):
            seen.append(True)

    event.listen(db, "after_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(db, "after_cursor_execute", note)


async def meet(
    database: PostgresDatabase,
    table: str,
    first: Callable[[], Coroutine[Any, Any, T]],
    second: Callable[[], Coroutine[Any, Any, S]],
) -> tuple[T | BaseException, S | BaseException]:
    """How both end: the first holds what it wrote to `table` until the second is through, or waits."""
    wrote, go = asyncio.Event(), asyncio.Event()
    to_its_end = store.to_its_end

    def held(db: Connection, call: Callable[[Connection], Any]) -> Any:
        if wrote.is_set():
            return to_its_end(db, call)
        with _written(db, table.upper()) as seen:
            result = to_its_end(db, call)
        if seen and not wrote.is_set():
            wrote.set()
            await_only(go.wait())
        return result

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store, "to_its_end", held)
        one = asyncio.create_task(first())
        reached = asyncio.create_task(wrote.wait())
        await asyncio.wait({one, reached}, return_when=asyncio.FIRST_COMPLETED, timeout=10)
        assert wrote.is_set(), f"nothing was written to {table}: {one}"
        other = asyncio.create_task(second())
        while not other.done() and not await _is_waiting(database):
            await asyncio.wait({other}, timeout=0.01)
        go.set()
        ended = await asyncio.gather(one, other, return_exceptions=True)
    return ended[0], ended[1]


async def _is_waiting(database: PostgresDatabase) -> bool:
    async with database.engine.connect() as connection:
        return bool((await connection.execute(_WAITING)).scalar())
