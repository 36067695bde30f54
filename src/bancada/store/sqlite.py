"""SQLite, in threads of its own: one writes, one reads."""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from bancada.domain.errors import DiskFull
from bancada.domain.json import dumps, loads
from bancada.store.endings import CHANNEL, NEWS, to_its_end, told
from bancada.store.transactions import MOST_SHARED, Call, Database, Heard, QueuedCall

log = logging.getLogger("bancada.store")

T = TypeVar("T")

BUSY_SECONDS = 60
"""How long a write waits for another process's transaction before it gives up."""

WAL_SECONDS = 0.005
"""Between two attempts to switch a new file to WAL."""


def sqlite_engine(path: Path, *, read_only: bool = False) -> Engine:
    """An engine whose transactions we begin ourselves: the driver must not."""
    engine = create_engine(
        f"sqlite:///{path}",
        isolation_level="AUTOCOMMIT",
        poolclass=NullPool,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
        json_serializer=dumps,
        json_deserializer=loads,
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: Any) -> None:
        _use_wal(connection)
        for pragma in (
            "synchronous=NORMAL",
            "foreign_keys=ON",
            f"busy_timeout={BUSY_SECONDS * 1000}",
            "temp_store=MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")
        if read_only:
            connection.execute("PRAGMA query_only=ON")

    return engine


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL. Of several that open a new file at once, SQLite lets only one wait for it."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > until:
                raise
            time.sleep(WAL_SECONDS)


def _settle_all(jobs: list[QueuedCall]) -> None:
    for job in jobs:
        job.settle()


class _ConnectionThread:
    """A thread with a connection of its own; jobs that wait together share a transaction."""

    def __init__(
        self,
        engine: Engine,
        *,
        begin: str,
        name: str,
        told: Callable[[set[int]], None] | None = None,
    ) -> None:
        self._engine = engine
        self._begin = begin
        self._told = told
        self._jobs: queue.SimpleQueue[QueuedCall | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def start(self, call: Call[T]) -> asyncio.Future[T]:
        if self._closed:
            raise RuntimeError("the database is closed")
        job = QueuedCall(call)
        self._jobs.put(job)
        return job.future

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._thread.join()
            self._engine.dispose()

    def _work(self) -> None:
        connection: Connection | None = None
        while True:
            job = self._jobs.get()
            if job is None:
                break
            jobs, last = self._gather(job)
            try:
                if connection is None:
                    connection = self._engine.connect()
                self._transact(connection, jobs)
            except BaseException as error:
                for waiting in jobs:
                    waiting.error = waiting.error or error
                if connection is not None and _driver(connection).in_transaction:
                    # What could not even be undone is undone by SQLite when it is opened again.
                    connection.close()
                    connection = None
            if full := next((one.error for one in jobs if _is_full(one.error)), None):
                log.error("the database cannot be written, the disk takes nothing: %s", full)
                for waiting in jobs:
                    if waiting.error is not None:
                        waiting.error = _as_full(waiting.error)
            by_loop: dict[asyncio.AbstractEventLoop, list[QueuedCall]] = {}
            for done in jobs:
                by_loop.setdefault(done.loop, []).append(done)
            for loop, settled in by_loop.items():
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_settle_all, settled)
            if last:
                break
        if connection is not None:
            connection.close()

    def _gather(self, first: QueuedCall) -> tuple[list[QueuedCall], bool]:
        """The jobs that are waiting now, and whether the thread ends after them."""
        jobs = [first]
        while len(jobs) < MOST_SHARED:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            if job is None:
                return jobs, True
            jobs.append(job)
        return jobs, False

    def _transact(self, connection: Connection, jobs: list[QueuedCall]) -> None:
        driver = _driver(connection)
        driver.execute(self._begin)
        try:
            if len(jobs) == 1:
                jobs[0].result = to_its_end(connection, jobs[0].call)
            else:
                for job in jobs:
                    self._step(connection, driver, job)
            driver.execute("COMMIT")
        except BaseException:
            if driver.in_transaction:
                with suppress(sqlite3.OperationalError):
                    driver.execute("ROLLBACK")
            raise
        finally:
            people = told(connection)
        if people and self._told is not None:
            self._told(people)

    @staticmethod
    def _step(connection: Connection, driver: Any, job: QueuedCall) -> None:
        """One of several: its failure undoes its own writes and nobody else's."""
        driver.execute("SAVEPOINT step")
        try:
            job.result = to_its_end(connection, job.call)
        except Exception as error:
            job.error = error
            driver.execute("ROLLBACK TO step")
        driver.execute("RELEASE step")


def _is_full(error: BaseException | None) -> bool:
    """Whether the disk did not take what was written: no room, a quota, or it is broken."""
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


def _as_full(error: BaseException) -> BaseException:
    """Of several that shared the transaction, all hear why: SQLite has undone them together."""
    full = DiskFull("disk_full")
    full.__cause__ = error
    return full


def _driver(connection: Connection) -> Any:
    """The sqlite3 connection underneath: transactions are plain statements there."""
    return connection.connection.driver_connection


class SqliteDatabase(Database):
    """Writes in one thread, reads in another; WAL lets both go on at once."""

    kind = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        # Commands write beside a server, each in its own process. IMMEDIATE takes the write lock
        # before the first row is read: nobody decides on rows that another is changing.
        self._writer = _ConnectionThread(
            sqlite_engine(path), begin="BEGIN IMMEDIATE", name="bancada-write", told=self._tell
        )
        self._listeners: list[tuple[asyncio.AbstractEventLoop, str, Heard]] = []
        self._reader: _ConnectionThread | None = None

    async def _run(self, call: Call[T]) -> T:
        return await self._writer.start(call)

    def _start(self, call: Call[T]) -> asyncio.Future[T]:
        return self._writer.start(call)

    async def _read(self, call: Call[T]) -> T:
        if self._reader is None:
            self._reader = _ConnectionThread(
                sqlite_engine(self.path, read_only=True), begin="BEGIN", name="bancada-read"
            )
        return await self._reader.start(call)

    def listen(self, channel: str, heard: Heard) -> None:
        self._listeners.append((asyncio.get_running_loop(), channel, heard))

    def _tell(self, people: set[int]) -> None:
        for loop, channel, heard in self._listeners:
            if channel == CHANNEL and not loop.is_closed():
                for person_id in people:
                    loop.call_soon_threadsafe(heard, f"{NEWS}{person_id}")

    async def close(self) -> None:
        await asyncio.to_thread(self._writer.close)
        if self._reader is not None:
            await asyncio.to_thread(self._reader.close)
