"""Taking what was deleted out of the database's files: until then it is only not found any more."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from bancada.store.database import Database, PostgresDatabase, SqliteDatabase

PATIENCE_SECONDS = 30.0


async def compact(database: Database) -> bool:
    """Write the database anew without what was deleted; false: somebody held on to it meanwhile."""
    if isinstance(database, SqliteDatabase):
        return await asyncio.to_thread(_compact_sqlite, database.path)
    if isinstance(database, PostgresDatabase):
        engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(text("VACUUM"))
    return True


def _compact_sqlite(path: Path) -> bool:
    try:
        with closing(
            sqlite3.connect(path, timeout=PATIENCE_SECONDS, isolation_level=None)
        ) as connection:
            connection.execute("VACUUM")
            # The copy went through the log beside the file: that must go, too.
            (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError:
        return False
    return not busy
