"""One database, two kinds: SQLite in threads of its own, Postgres through asyncpg.

Everything that differs between them stays in this module. A query is a plain function on a
`Connection`; `run` gives it a transaction to write in, `read` one to look in.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Concatenate, Literal, ParamSpec, Protocol, TypeAlias, TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from bancada.domain.errors import DatabaseAway, DiskFull, SettingsError
from bancada.domain.json import dumps, loads
from bancada.store.endings import CHANNEL, NEWS, to_its_end, told

log = logging.getLogger("bancada.store")

P = ParamSpec("P")
T = TypeVar("T")

BUSY_SECONDS = 60
"""How long a write waits for another process's transaction before it gives up."""

WAL_SECONDS = 0.005
"""Between two attempts to switch a new file to WAL."""

MOST_SHARED = 64
"""How many waiting writes may share one transaction."""


Heard: TypeAlias = Callable[[str | None], None]


class Database(Protocol):
    """Where the record is. Both kinds behave alike; only this module knows which one it is."""

    kind: Literal["sqlite", "postgresql"]

    async def run(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `query` as one transaction that may write."""

    async def read(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `query`, which only looks, against one consistent view, without waiting for writers."""

    async def look(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What `read` does, where one statement says all or each may see a later moment than the one
        before: on Postgres that is two ways to the server and back less."""

    def start(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> asyncio.Future[T]:
        """What `run` does, begun at once and carried through whether or not anybody waits.

        Wait for it through `asyncio.shield`: what happened can then be asked even by a caller
        that was cancelled meanwhile.
        """

    def together(
        self,
        whose: int,
        query: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> asyncio.Future[T]:
        """What `start` does, for queries that would wait for each other anyway: those of an
        organisation that wait at once share a transaction. One that fails undoes only itself."""

    def listen(self, channel: str, heard: Heard) -> None:
        """Have `heard` called in this loop with what a committed transaction says on the channel, of
        any process on Postgres and of this one on SQLite; with none where something may have been
        missed. Until the database is closed."""

    async def close(self) -> None: ...


def open_database(url: str) -> Database:
    """Open what `url` names: `sqlite:///path`, or `postgresql://…`."""
    parsed = make_url(url)
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise SettingsError("SQLite needs a file: sqlite:///path/to/bancada.db")
        return SqliteDatabase(Path(parsed.database))
    if backend in ("postgresql", "postgres"):
        return PostgresDatabase(url)
    raise SettingsError(f"Cannot use a database of kind {backend!r}: sqlite or postgresql only.")


IDENTITY = (
    "SELECT (SELECT system_identifier::text FROM pg_control_system()), "
    "(SELECT oid::text FROM pg_database WHERE datname = current_database())"
)
"""Which Postgres cluster this is, since its making (a standby has it too), and which database of
it: whoever comes by socket, alias or another port reads the same."""


def identity(db: Connection) -> tuple[str, ...]:
    """What `IDENTITY` says of our own database."""
    return tuple(db.execute(text(IDENTITY)).one())


# ---------------------------------------------------------------------------- SQLite


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


class _Job:
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


def _settle_all(jobs: list[_Job]) -> None:
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
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def start(self, call: Callable[[Connection], T]) -> asyncio.Future[T]:
        if self._closed:
            raise RuntimeError("the database is closed")
        job = _Job(call)
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
            by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
            for done in jobs:
                by_loop.setdefault(done.loop, []).append(done)
            for loop, settled in by_loop.items():
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_settle_all, settled)
            if last:
                break
        if connection is not None:
            connection.close()

    def _gather(self, first: _Job) -> tuple[list[_Job], bool]:
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

    def _transact(self, connection: Connection, jobs: list[_Job]) -> None:
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
    def _step(connection: Connection, driver: Any, job: _Job) -> None:
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


class SqliteDatabase:
    """Writes in one thread, reads in another; WAL lets both go on at once."""

    kind: Literal["sqlite", "postgresql"] = "sqlite"

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

    async def run(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self.start(query, *args, **kwargs)

    def start(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> asyncio.Future[T]:
        return self._writer.start(lambda db: query(db, *args, **kwargs))

    def together(
        self,
        whose: int,
        query: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> asyncio.Future[T]:
        return self.start(query, *args, **kwargs)

    async def read(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if self._reader is None:
            self._reader = _ConnectionThread(
                sqlite_engine(self.path, read_only=True), begin="BEGIN", name="bancada-read"
            )
        return await self._reader.start(lambda db: query(db, *args, **kwargs))

    look = read

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


# ---------------------------------------------------------------------------- Postgres

TRY_AGAIN = ("40001", "40P01", "23503", "23505")
"""Serialization failure, deadlock, a row that somebody else removed or added at the same moment:
nothing happened, and the same transaction goes through now, or finds how it is and says so."""

ATTEMPTS = 5
CONNECT_SECONDS = 5.0
IDLE_SECONDS = 5.0
"""A connection that nobody used for so long is asked whether it still stands before it is used."""
STATEMENTS = 500
"""How many prepared statements a connection keeps: more than there are on the way of a turn."""

LOST = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
"""What a connection of the driver's own says when the database is gone, or no longer listens."""


def _is_away(state: str | None) -> bool:
    """Whether the server itself is going, gone or not yet there."""
    return state is not None and (state.startswith("08") or state in ("57P01", "57P02", "57P03"))


LISTEN_AGAIN_SECONDS = 1.0
LISTEN_PATIENCE_SECONDS = 5.0


def postgres_engine(url: str, *, pool_size: int = 10) -> AsyncEngine:
    parsed = make_url(url).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(
        parsed,
        pool_size=pool_size,
        max_overflow=10,
        # The one used last knows the statements best.
        pool_use_lifo=True,
        connect_args={
            "timeout": CONNECT_SECONDS,
            "statement_cache_size": STATEMENTS,
            "prepared_statement_cache_size": STATEMENTS,
        },
        json_serializer=dumps,
        json_deserializer=loads,
    )
    event.listen(engine.sync_engine, "checkin", _note_use)
    event.listen(engine.sync_engine, "checkout", _see_that_it_stands)
    return engine


def _note_use(connection: Any, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _see_that_it_stands(connection: Any, record: Any, _: Any) -> None:
    """Let the pool make another where this one is gone. The pool's own way asks the server before
    every transaction, three times there and back; the driver knows of a closed socket by itself."""
    idle = time.monotonic() - record.info.get("used", time.monotonic())
    if connection.driver_connection.is_closed():
        raise DisconnectionError("the server closed the connection")
    if idle > IDLE_SECONDS:
        try:
            connection.ping()
        except Exception as error:
            raise DisconnectionError("the connection does not answer") from error


def _each(db: Connection, calls: list[Callable[[Connection], Any]]) -> list[Any]:
    return [call(db) for call in calls]


class PostgresDatabase:
    """One pooled connection per transaction; plain functions run on it through `run_sync`."""

    kind: Literal["sqlite", "postgresql"] = "postgresql"

    def __init__(self, url: str) -> None:
        self.engine = postgres_engine(url)
        self._reading = self.engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self._looking = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._beside: list[asyncio.Task[None]] = []
        self._waiting: dict[int, list[_Job]] = {}
        self._sharing: dict[int, asyncio.Task[None]] = {}

    async def run(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self._through(self.engine, lambda db: query(db, *args, **kwargs))

    async def _through(self, engine: AsyncEngine, call: Callable[[Connection], T]) -> T:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                async with engine.begin() as connection:
                    return await connection.run_sync(to_its_end, call)
            except DBAPIError as error:
                state = getattr(error.orig, "sqlstate", None)
                if error.connection_invalidated or _is_away(state):
                    raise DatabaseAway from error
                if state not in TRY_AGAIN or attempt == ATTEMPTS:
                    raise
                await asyncio.sleep(0.01 * 2**attempt)
            except (*LOST, PoolTimeout) as error:
                raise DatabaseAway from error
        raise AssertionError("unreachable")

    def start(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> asyncio.Future[T]:
        return asyncio.ensure_future(self.run(query, *args, **kwargs))

    def together(
        self,
        whose: int,
        query: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> asyncio.Future[T]:
        job = _Job(lambda db: query(db, *args, **kwargs))
        self._waiting.setdefault(whose, []).append(job)
        if whose not in self._sharing:
            self._sharing[whose] = asyncio.create_task(self._share(whose), name="sharing")
        return job.future

    async def _share(self, whose: int) -> None:
        """One transaction after the other, each of all that wait by then."""
        try:
            while jobs := self._waiting.pop(whose, None):
                for at in range(0, len(jobs), MOST_SHARED):
                    await self._run_all(jobs[at : at + MOST_SHARED])
        finally:
            del self._sharing[whose]

    async def _run_all(self, jobs: list[_Job]) -> None:
        if len(jobs) > 1:
            try:
                results = await self.run(_each, [job.call for job in jobs])
            except Exception:
                # One of them failed and undid them all: each by itself, it is the only one to.
                log.debug("a shared transaction failed; each of %d runs alone", len(jobs))
            else:
                for job, result in zip(jobs, results, strict=True):
                    job.result = result
                    job.settle()
                return
        for job in jobs:
            try:
                job.result = await self.run(job.call)
            except Exception as error:
                job.error = error
            job.settle()

    async def read(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self._through(self._reading, lambda db: query(db, *args, **kwargs))

    async def look(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self._through(self._looking, lambda db: query(db, *args, **kwargs))

    async def session(self) -> Any:
        """A connection beside the pool, for what lasts; whoever has it ends it."""
        address = self.engine.url.set(drivername="postgresql")
        return await asyncpg.connect(
            address.render_as_string(hide_password=False), timeout=CONNECT_SECONDS
        )

    def beside(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """A task that has such a connection, until the database is closed."""
        task = asyncio.create_task(work, name=name)
        self._beside.append(task)
        return task

    def listen(self, channel: str, heard: Heard) -> None:
        self.beside(self._listen(channel, heard), "listening")

    async def _listen(self, channel: str, heard: Heard) -> None:
        """One connection that only listens; lost, it is made anew, and everybody looks once."""
        while True:
            try:
                connection = await self.session()
            except LOST:
                await asyncio.sleep(LISTEN_AGAIN_SECONDS)
                continue
            try:
                await connection.add_listener(channel, lambda *said: heard(said[-1]))
                heard(None)
                while not connection.is_closed():
                    # Also says so when the other side is gone without a word.
                    await asyncio.sleep(LISTEN_AGAIN_SECONDS)
                    await connection.execute("SELECT 1", timeout=LISTEN_PATIENCE_SECONDS)
            except LOST:
                log.warning("the connection that listens was lost; it is made anew")
            finally:
                connection.terminate()

    async def close(self) -> None:
        for task in self._beside:
            task.cancel()
        await self.engine.dispose()
