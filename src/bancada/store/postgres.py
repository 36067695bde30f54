"""Postgres, through asyncpg: a pool for transactions, connections beside it for what lasts."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Connection, event, make_url, text
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bancada.domain.errors import DatabaseAway
from bancada.domain.json import dumps, loads
from bancada.store.endings import to_its_end
from bancada.store.transactions import MOST_SHARED, Call, Database, Heard, QueuedCall

log = logging.getLogger("bancada.store")

T = TypeVar("T")

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


class PostgresDatabase(Database):
    """One pooled connection per transaction; plain functions run on it through `run_sync`."""

    kind = "postgresql"

    def __init__(self, url: str) -> None:
        self.engine = postgres_engine(url)
        self._reading = self.engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self._looking = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._beside: list[asyncio.Task[None]] = []
        self._waiting: dict[int, list[QueuedCall]] = {}
        self._sharing: dict[int, asyncio.Task[None]] = {}

    async def _run(self, call: Call[T]) -> T:
        return await self._through(self.engine, call)

    async def _through(self, engine: AsyncEngine, call: Call[T]) -> T:
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

    def _start(self, call: Call[T]) -> asyncio.Future[T]:
        return asyncio.ensure_future(self._run(call))

    def _together(self, whose: int, call: Call[T]) -> asyncio.Future[T]:
        job = QueuedCall(call)
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

    async def _run_all(self, jobs: list[QueuedCall]) -> None:
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
                job.result = await self._run(job.call)
            except Exception as error:
                job.error = error
            job.settle()

    async def _read(self, call: Call[T]) -> T:
        return await self._through(self._reading, call)

    async def _look(self, call: Call[T]) -> T:
        return await self._through(self._looking, call)

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


IDENTITY = (
    "SELECT (SELECT system_identifier::text FROM pg_control_system()), "
    "(SELECT oid::text FROM pg_database WHERE datname = current_database())"
)
"""Which Postgres cluster this is, since its making (a standby has it too), and which database of
it: whoever comes by socket, alias or another port reads the same."""


def identity(db: Connection) -> tuple[str, ...]:
    """What `IDENTITY` says of our own database."""
    return tuple(db.execute(text(IDENTITY)).one())
