"""Opening the database that a URL names, whichever of the two kinds it is."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import make_url

from bancada.domain.errors import SettingsError
from bancada.store.postgres import PostgresDatabase
from bancada.store.sqlite import SqliteDatabase
from bancada.store.transactions import Database

__all__ = ["Database", "PostgresDatabase", "SqliteDatabase", "open_database"]


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
