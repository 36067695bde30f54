"""The whole database, as it is at one moment, while others write; and back into an empty one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import make_url

from bancada.store.tables import metadata

SQLITE = b"SQLite format 3\x00"
"""How every SQLite file begins."""

_TABLES = """
SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name <> 'alembic_version'
GROUP BY table_name
"""
_SEQUENCES = """
SELECT c.table_name, c.column_name,
       pg_get_serial_sequence(quote_ident(c.table_name), c.column_name) AS sequence
FROM information_schema.columns c
WHERE c.table_schema = current_schema()
  AND pg_get_serial_sequence(quote_ident(c.table_name), c.column_name) IS NOT NULL
"""


def is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def copy_sqlite(source: Path, target: Path) -> None:
    """A copy as of one moment: in one go, beside whoever writes."""
    with closing(sqlite3.connect(source)) as ours, closing(sqlite3.connect(target)) as copy:
        ours.backup(copy)


async def dump_postgres(url: str, folder: Path) -> dict[str, list[str]]:
    """Every table as a file of rows, all as of one moment; returns the tables' columns."""
    connection = await _connected(url)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            tables = {row["table_name"]: row["columns"] for row in await connection.fetch(_TABLES)}
            for name, columns in tables.items():
                await connection.copy_from_table(name, columns=columns, output=folder / name)
    finally:
        await connection.close()
    return tables


async def is_empty_postgres(url: str) -> bool:
    connection = await _connected(url)
    try:
        return not await connection.fetch(_TABLES)
    finally:
        await connection.close()


async def load_postgres(url: str, folder: Path, tables: dict[str, list[str]]) -> None:
    """Put the rows back into the empty tables of the same revision, all or none."""
    known = [table.name for table in metadata.sorted_tables]
    # What others refer to comes first; a table that has been dropped since stands alone.
    ordered = sorted(tables, key=lambda name: known.index(name) if name in known else len(known))
    connection = await _connected(url)
    try:
        async with connection.transaction():
            names = ", ".join(f'"{name}"' for name in ordered)
            await connection.execute(f"TRUNCATE {names} CASCADE")
            for name in ordered:
                await connection.copy_to_table(name, columns=tables[name], source=folder / name)
            for row in await connection.fetch(_SEQUENCES):
                await connection.execute(
                    f'SELECT setval($1, (SELECT coalesce(max("{row["column_name"]}"), 0) + 1 '  # noqa: S608
                    f'FROM "{row["table_name"]}"), false)',
                    row["sequence"],
                )
    finally:
        await connection.close()


async def _connected(url: str) -> Any:
    address = make_url(url).set(drivername="postgresql")
    return await asyncpg.connect(address.render_as_string(hide_password=False))
