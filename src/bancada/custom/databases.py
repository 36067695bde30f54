"""Databases that the operator named for an organisation, and the read-only queries on them.

    [databases.erp]
    url = "postgresql://reader:…@db/erp"
    organisation = 2

The database itself is asked to refuse writing; time and rows are bounded, and a query that is
over its time is ended there, not only left alone. Work is shared out: an organisation has so
many queries at once, a person fewer.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from datetime import time as clock_time
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bancada.custom.statements import statement
from bancada.domain.errors import SettingsError, ToolFailed
from bancada.domain.json import JSON, JSONObject, dumps
from bancada.domain.shares import Holder, Shares, ShareSpent
from bancada.store.postgres import IDENTITY

MAX_CELL = 2_000
MAX_ANSWER = 64 << 20
WAIT_SECONDS = 5.0
"""How long a query waits for a place before its person is told."""
GRACE_SECONDS = 1.0
"""What a query may need beyond its time to say that it was stopped; then it is ended."""
IDLE_SECONDS = 60.0
_WORKER = Path(__file__).with_name("sqlite_worker.py")

OURS = "This database cannot be queried: it is part of the installation."


@dataclass(frozen=True)
class NamedDatabase:
    """A database by its name, and the one organisation that may use it."""

    name: str
    url: URL = field(repr=False)
    organisation_id: int


def named_database(name: str, url: str, organisation_id: int) -> NamedDatabase:
    """Raises `SettingsError` where the address could not be used."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise SettingsError(f"[databases.{name}] url is not a database URL.") from None
    if parsed.get_backend_name() not in ("sqlite", "postgresql", "postgres"):
        raise SettingsError(f"[databases.{name}] url must be sqlite:///… or postgresql://….")
    path = parsed.database or ""
    if parsed.get_backend_name() == "sqlite" and (not path or path.startswith(("file:", ":"))):
        raise SettingsError(f"[databases.{name}] url must name a file: sqlite:////srv/{name}.db")
    return NamedDatabase(name, parsed, organisation_id)


@dataclass(frozen=True)
class House:
    """The installation's own data, which no query reaches however it is spelt."""

    folders: Sequence[Path] = ()
    files: Sequence[Path] = ()
    identity: Callable[[], Awaitable[Sequence[str]]] | None = None
    """Which database of which Postgres server is ours; none where ours is not there."""

    def holds(self, path: Path) -> bool:
        """Whether the file is ours: below our folder, or ours under another name."""
        if any(path.is_relative_to(folder.resolve()) for folder in self.folders):
            return True
        return any(ours.exists() and os.path.samefile(path, ours) for ours in self.files)


NOBODY = House()


@dataclass(frozen=True)
class SqlCall:
    """One query, and what bounds it."""

    sql: str
    values: JSONObject
    rows: int
    seconds: float

    @property
    def too_slow(self) -> str:
        return f"The query took longer than {self.seconds:g} s and was stopped."


def _shares() -> Shares:
    return Shares(16, per_organisation=8, per_person=4)


@dataclass
class Databases:
    """Runs the queries, each organisation's in connections of its own."""

    named: Sequence[NamedDatabase] = ()
    house: House = NOBODY
    shares: Shares = field(default_factory=_shares)
    _pools: dict[NamedDatabase, asyncpg.Pool] = field(default_factory=dict)
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    def of(self, organisation_id: int) -> dict[str, NamedDatabase]:
        """What this organisation's tools may name."""
        return {one.name: one for one in self.named if one.organisation_id == organisation_id}

    async def select(
        self,
        database: NamedDatabase,
        sql: str,
        values: Mapping[str, JSON],
        *,
        holder: Holder,
        rows: int,
        seconds: float,
    ) -> JSONObject:
        """Raises `ToolFailed` with a sentence that holds no password and no path."""
        if holder.organisation_id != database.organisation_id:
            raise ToolFailed("This database is another organisation's.")
        sqlite = database.url.get_backend_name() == "sqlite"
        run = self._sqlite if sqlite else self._postgres
        query = SqlCall(sql.rstrip().rstrip(";"), dict(values), rows, seconds)
        try:
            async with self.shares.place(holder, seconds=WAIT_SECONDS):
                return await run(database, query)
        except ShareSpent as spent:
            raise ToolFailed(f"{spent} Wait until other queries have ended.") from None

    async def close(self) -> None:
        for pool in self._pools.values():
            pool.terminate()
        self._pools.clear()

    # ------------------------------------------------------------------ SQLite

    async def _sqlite(self, database: NamedDatabase, query: SqlCall) -> JSONObject:
        job = {"path": await asyncio.to_thread(self._path, database), **asdict(query)}
        said = await _worked(job, query.seconds + GRACE_SECONDS)
        if said is None or said.get("late"):
            raise ToolFailed(query.too_slow)
        if "error" in said:
            raise ToolFailed(f"The query could not be run: {str(said['error'])[:300]}.")
        return _answer(said["columns"], said["rows"], query.rows)

    def _path(self, database: NamedDatabase) -> str:
        path = Path(database.url.database or "").resolve()
        if not path.is_file():
            raise ToolFailed("The database is not there. The operator must look at its settings.")
        if self.house.holds(path):
            raise ToolFailed(OURS)
        return str(path)

    # ------------------------------------------------------------------ Postgres

    async def _pool(self, database: NamedDatabase) -> asyncpg.Pool:
        # Opening awaits: of two first queries each would make a pool, and one would never be closed.
        async with self._opening:
            if database not in self._pools:
                where = database.url.set(drivername="postgresql")
                self._pools[database] = await asyncpg.create_pool(
                    where.render_as_string(hide_password=False),
                    min_size=0,
                    max_size=8,
                    max_inactive_connection_lifetime=IDLE_SECONDS,
                    init=self._not_ours,
                    timeout=5.0,
                    server_settings={
                        "default_transaction_read_only": "on",
                        "application_name": "bancada",
                    },
                )
            return self._pools[database]

    async def _not_ours(self, connection: asyncpg.Connection) -> None:
        """Asked of the server itself: by socket, alias or another port, it is the same one."""
        ours = await self.house.identity() if self.house.identity is not None else None
        if ours is not None and tuple(await connection.fetchrow(IDENTITY)) == tuple(ours):
            raise ToolFailed(OURS)

    async def _postgres(self, database: NamedDatabase, query: SqlCall) -> JSONObject:
        try:
            async with asyncio.timeout(query.seconds + 5 + GRACE_SECONDS):
                pool = await self._pool(database)
                db = await pool.acquire(timeout=5.0)
            try:
                async with asyncio.timeout(query.seconds + GRACE_SECONDS):
                    columns, found = await _asked(db, query)
            except BaseException:
                # A query that will not stop goes with its connection: the server ends it then.
                db.terminate()
                raise
            finally:
                await pool.release(db, timeout=GRACE_SECONDS)
        except (TimeoutError, asyncpg.QueryCanceledError):
            raise ToolFailed(query.too_slow) from None
        except asyncpg.InvalidAuthorizationSpecificationError:
            raise ToolFailed(
                "The database refused the sign-in. The operator must look at it."
            ) from None
        except (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.DataError) as error:
            raise ToolFailed(f"The query could not be run: {str(error)[:300]}.") from None
        except OSError:
            raise ToolFailed(
                "The database does not answer. The operator must look at it."
            ) from None
        return _answer(columns, found, query.rows)


async def _asked(db: Any, query: SqlCall) -> tuple[list[str], list[tuple[Any, ...]]]:
    asked = statement(query.sql)
    await db.execute(f"SET statement_timeout = {int(query.seconds * 1000)}")
    async with db.transaction(readonly=True):
        prepared = await db.prepare(asked.numbered())
        kinds = [kind.name for kind in prepared.get_parameters()]
        given = [
            _bound(query.values[name], kind, name)
            for name, kind in zip(asked.names, kinds, strict=True)
        ]
        columns = [column.name for column in prepared.get_attributes()]
        cursor = await prepared.cursor(*given)
        return columns, [tuple(row) for row in await cursor.fetch(query.rows + 1)]


_FROM_TEXT: Mapping[str, Callable[[str], Any]] = {
    "date": date.fromisoformat,
    "timestamp": datetime.fromisoformat,
    "timestamptz": datetime.fromisoformat,
    "time": clock_time.fromisoformat,
    "uuid": UUID,
    "numeric": Decimal,
    "int2": int,
    "int4": int,
    "int8": int,
    "float4": float,
    "float8": float,
}


def _bound(value: JSON, kind: str, name: str) -> Any:
    """A JSON value as the driver wants it for the type that Postgres found."""
    if value is None:
        return None
    if kind in _FROM_TEXT and (isinstance(value, str) or kind == "numeric"):
        try:
            return _FROM_TEXT[kind](str(value))
        except (ValueError, ArithmeticError):
            raise ToolFailed(f"Field '{name}': {str(value)[:60]!r} is not a {kind}.") from None
    if kind in ("text", "varchar", "bpchar", "name", "unknown") and not isinstance(value, str):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return value


async def _worked(job: JSONObject, seconds: float) -> JSONObject | None:
    """The worker's answer; none where it was ended because it took too long."""
    worker = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-I", "-S", str(_WORKER)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
        limit=MAX_ANSWER,
    )
    try:
        async with asyncio.timeout(seconds):
            told, _ = await worker.communicate(dumps(job).encode())
        said: JSONObject = json.loads(told)
        return said
    except TimeoutError:
        return None
    except ValueError:
        return {"error": "it needs more memory than it may use"}
    finally:
        if worker.returncode is None:
            worker.kill()
            await worker.wait()


# ---------------------------------------------------------------------------- both


def _answer(columns: list[str], found: Sequence[Sequence[Any]], rows: int) -> JSONObject:
    return {
        "columns": columns,
        "rows": [[_cell(value) for value in row] for row in found[:rows]],
        "truncated": len(found) > rows,
    }


def _cell(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return f"[{len(value):,} bytes]"
    if isinstance(value, str) and len(value) > MAX_CELL:
        return f"{value[:MAX_CELL]}…"
    if isinstance(value, str | int | float | bool | Decimal | date | datetime | UUID | None):
        return value
    if isinstance(value, list | tuple):
        return [_cell(item) for item in value]
    return str(value)
