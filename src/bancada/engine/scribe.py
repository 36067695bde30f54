"""Writes of all running turns, in the order they were asked for, few transactions for many.

What must be stored before it is sent waits for its transaction; text is stored behind, in
batches. One scribe serves the whole process, so that a thousand streams share a commit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection

from bancada.domain.errors import DatabaseAway
from bancada.store.database import Database

log = logging.getLogger("bancada.engine")

T = TypeVar("T")
Write: TypeAlias = Callable[[Connection], Any]
Prepare: TypeAlias = Callable[[], Write]
"""Called on the loop when the write's turn has come: what was said until then goes with it."""
Failed: TypeAlias = Callable[[BaseException], None]
Settled: TypeAlias = "asyncio.Future[Any] | Failed"
"""Who hears what became of a write: whoever waits for it, or whoever only minds that it failed."""

TEXT_SECONDS = 0.05
"""The least time between two writes of nothing but text."""
MOST_TEXT_SECONDS = 0.5
TEXT_SHARE = 0.05
"""Text is written for at most this share of the time: many streams then put more in each row."""
SOON_SECONDS = 0.005
"""How long news that nobody waits for may wait for company: most tools end in less."""


class Scribe:
    """Collects writes and hands them to the database together."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._waiting: list[tuple[Prepare, Settled]] = []
        self._urgent = asyncio.Event()
        self._any = asyncio.Event()
        self._due: asyncio.TimerHandle | None = None
        self._pause = TEXT_SECONDS
        self._task: asyncio.Task[None] | None = None

    def write(self, write: Callable[[Connection], T], *, now: bool = True) -> asyncio.Future[T]:
        """Store `now`, or in a moment, in order; the future is done when it is stored."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._add(lambda: write, future)
        if now:
            self._urgent.set()
        elif self._due is None:
            self._due = loop.call_later(SOON_SECONDS, self._urgent.set)
        return future

    def write_behind(self, prepare: Prepare, failed: Failed) -> None:
        """Store when there is time, in order; nobody waits for it."""
        self._add(prepare, failed)

    def _add(self, prepare: Prepare, settled: Settled) -> None:
        self._waiting.append((prepare, settled))
        self._any.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name="scribe")

    async def flush(self) -> None:
        """Everything asked for until now is stored."""
        await self.write(lambda db: None)

    async def _work(self) -> None:
        while True:
            await self._any.wait()
            if not self._urgent.is_set():
                await self._for_more()
            if self._due is not None:
                self._due.cancel()
                self._due = None
            self._urgent.clear()
            self._any.clear()
            taken, self._waiting = self._waiting, []
            if taken:
                began = time.perf_counter()
                await self._store([(prepare(), settled) for prepare, settled in taken])
                wanted = (time.perf_counter() - began) / TEXT_SHARE
                self._pause = min(max(wanted, TEXT_SECONDS), MOST_TEXT_SECONDS)

    async def _for_more(self) -> None:
        """Nothing urgent: let text gather for a moment."""
        try:
            async with asyncio.timeout(self._pause):
                await self._urgent.wait()
        except TimeoutError:
            return

    async def _store(self, batch: list[tuple[Write, Settled]]) -> None:
        try:
            results = await self.database.run(_all, [write for write, _ in batch])
        except DatabaseAway as error:
            for _, settled in batch:
                _fail(settled, error)
        except Exception:
            # One of them is at fault; the others must not suffer for it.
            for write, settled in batch:
                await self._store_alone(write, settled)
        else:
            for (_, settled), result in zip(batch, results, strict=True):
                _succeed(settled, result)

    async def _store_alone(self, write: Write, settled: Settled) -> None:
        try:
            result = await self.database.run(write)
        except Exception as error:
            _fail(settled, error)
        else:
            _succeed(settled, result)

    async def close(self) -> None:
        if self._task is not None and not self._task.done():
            await self.flush()
            self._task.cancel()


def _succeed(settled: Settled, result: Any) -> None:
    if isinstance(settled, asyncio.Future) and not settled.done():
        settled.set_result(result)


def _fail(settled: Settled, error: Exception) -> None:
    if not isinstance(settled, asyncio.Future):
        log.warning("text could not be stored: %r", error)
        settled(error)
    elif not settled.done():
        settled.set_exception(error)


def _all(db: Connection, writes: list[Write]) -> list[Any]:
    return [write(db) for write in writes]
