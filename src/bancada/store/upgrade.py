"""Migrations: applied at every start, under a lock, in one transaction.

Alembic is imported only when there is something to do: a start on an up-to-date database pays
for one query.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Connection, inspect, make_url, text
from sqlalchemy.exc import DBAPIError

from bancada.domain.errors import DatabaseAway, SettingsError
from bancada.store.database import Database, PostgresDatabase, SqliteDatabase, open_database
from bancada.store.sqlite import sqlite_engine

HEAD = "0036"
"""The newest revision; a test keeps it honest."""

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK = 0x62616E63
"""Postgres' advisory lock for whoever migrates."""


def revisions() -> list[str]:
    """Every revision that this version knows, oldest first."""
    return sorted(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


async def upgrade(database: Database, to: str = HEAD) -> None:
    """Bring the database to `HEAD`, or to an earlier revision than that; safe to call from several processes at once."""
    if isinstance(database, SqliteDatabase):
        with _usable(str(database.path)):
            await asyncio.to_thread(_upgrade_sqlite, database.path, to)
    elif isinstance(database, PostgresDatabase):
        with _usable(str(database.engine.url).replace("+asyncpg", "")):
            async with database.engine.begin() as connection:
                # Processes start together; the second waits here and finds nothing left to do.
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
                await connection.run_sync(_upgrade, to)


async def revision(database: Database) -> str | None:
    """The revision the database is at; none when it is empty."""
    return await database.read(_revision)


async def revision_at(url: str) -> str | None:
    """The revision of the database that `url` names, without making one where there is none."""
    if _has_no_file(url):
        return None
    database = open_database(url)
    try:
        with _usable(make_url(url).render_as_string()):
            return await revision(database)
    finally:
        await database.close()


@contextmanager
def _usable(where: str) -> Iterator[None]:
    """The first to use the database says in one sentence why it cannot be."""
    try:
        yield
    except (OSError, asyncpg.PostgresError, DBAPIError, DatabaseAway) as error:
        cause = error.__cause__ if isinstance(error, DatabaseAway) else error
        reason = cause.orig if isinstance(cause, DBAPIError) and cause.orig else cause
        said = str(reason).strip().splitlines() or [type(reason).__name__]
        raise SettingsError(f"The database {where} cannot be used: {said[0]}") from error


def _has_no_file(url: str) -> bool:
    parsed = make_url(url)
    return parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file()


def _upgrade_sqlite(path: Path, to: str) -> None:
    # Password hashes and the secrets of custom tools are in it; its journals take over the mode.
    if not path.exists():
        path.touch(mode=0o600)
    engine = sqlite_engine(path)
    try:
        with engine.connect() as connection:
            if _revision(connection) == to:
                return
            # Waits for whoever migrates; foreign keys are off while tables are rebuilt.
            driver: Any = connection.connection.driver_connection
            driver.execute("PRAGMA foreign_keys=OFF")
            driver.execute("BEGIN IMMEDIATE")
            try:
                _upgrade(connection, to)
                driver.execute("COMMIT")
            except BaseException:
                driver.execute("ROLLBACK")
                raise
    finally:
        engine.dispose()


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection, to: str) -> None:
    if _revision(connection) == to:
        return
    config = import_module("alembic.config").Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    import_module("alembic.command").upgrade(config, to)
