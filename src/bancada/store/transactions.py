"""What a database is to everybody else: queries are plain functions on a `Connection`, and each
runs in a transaction to write in (`run`) or to look in (`read`)."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Concatenate, Literal, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection

P = ParamSpec("P")
T = TypeVar("T")
Call: TypeAlias = Callable[[Connection], T]
"""A query with its arguments."""
Heard: TypeAlias = Callable[[str | None], None]

MOST_SHARED = 64
"""How many waiting writes may share one transaction."""


class Database(ABC):
    """Where the record is. Both kinds behave alike; only `sqlite` and `postgres` know which one it is."""

    kind: Literal["sqlite", "postgresql"]

    async def run(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `query` as one transaction that may write."""
        return await self._run(lambda db: query(db, *args, **kwargs))

    async def read(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `query`, which only looks, against one consistent view, without waiting for writers."""
        return await self._read(lambda db: query(db, *args, **kwargs))

    async def look(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What `read` does, where one statement says all or each may see a later moment than the one
        before: on Postgres that is two ways to the server and back less."""
        return await self._look(lambda db: query(db, *args, **kwargs))

    def start(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> asyncio.Future[T]:
        """What `run` does, begun at once and carried through whether or not anybody waits.

        Wait for it through `asyncio.shield`: what happened can then be asked even by a caller
        that was cancelled meanwhile.
        """
        return self._start(lambda db: query(db, *args, **kwargs))

    def together(
        self,
        whose: int,
        query: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> asyncio.Future[T]:
        """What `start` does, for queries that would wait for each other anyway: those of an
        organisation that wait at once share a transaction. One that fails undoes only itself."""
        return self._together(whose, lambda db: query(db, *args, **kwargs))

    @abstractmethod
    def listen(self, channel: str, heard: Heard) -> None:
        """Have `heard` called in this loop with what a committed transaction says on the channel, of
        any process on Postgres and of this one on SQLite; with none where something may have been
        missed. Until the database is closed."""

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    async def _run(self, call: Call[T]) -> T: ...

    @abstractmethod
    async def _read(self, call: Call[T]) -> T: ...

    @abstractmethod
    def _start(self, call: Call[T]) -> asyncio.Future[T]: ...

    async def _look(self, call: Call[T]) -> T:
        return await self._read(call)

    def _together(self, whose: int, call: Call[T]) -> asyncio.Future[T]:
        return self._start(call)


class QueuedCall:
    """A query on its way to a thread and back."""

    __slots__ = ("call", "error", "future", "loop", "result")

    def __init__(self, call: Callable[[Connection], Any]) -> None:
        self.call = call
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.result: Any = None
        self.error: BaseException | None = None

    def settle(self) -> None:
        # Whoever waited may have been cancelled while the thread was at it.
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)
