"""Tools that run one read-only SQL statement over a database of the organisation's.

    {"database": "erp", "sql": "SELECT name FROM items WHERE id = :id", "max_rows": 100}

The statement is the author's, values are bound and never written into it. The database itself
is asked to refuse writing; time and rows are bounded.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, datetime
from datetime import time as clock_time
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import make_url

from bancada.custom.organisation import Means
from bancada.domain.errors import BadDefinition, ToolFailed
from bancada.domain.json import JSON, JSONObject
from bancada.store.custom_tools import CustomTool
from bancada.tools.tool import Run, ToolContext

MAX_ROWS = 1_000
DEFAULT_ROWS = 200
MAX_CELL = 2_000
DEFAULT_SECONDS = 10.0
MAX_VALUE_BYTES = 10_000_000
SCALARS = ("string", "integer", "number", "boolean")
_KEYS = frozenset({"database", "sql", "max_rows", "timeout"})

_TOKEN = re.compile(
    r"'(?:[^']|'')*'"  # text
    r'|"(?:[^"]|"")*"'  # a quoted name
    r"|--[^\n]*|/\*.*?\*/"  # comments
    r"|\$(\w*)\$.*?\$\1\$"  # Postgres' other text
    r"|::"  # a cast, not a value
    r"|:([A-Za-z_][A-Za-z0-9_]*)"  # a value
    r"|.",
    re.DOTALL,
)


@dataclass(frozen=True)
class Statement:
    """A statement in pieces: text, and the names of values between."""

    parts: Sequence[str | tuple[str]]

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(part[0] for part in self.parts if isinstance(part, tuple)))

    def numbered(self) -> str:
        """With `$1`, `$2`, … as Postgres wants them."""
        places = {name: f"${number}" for number, name in enumerate(self.names, start=1)}
        return "".join(part if isinstance(part, str) else places[part[0]] for part in self.parts)


def statement(sql: str) -> Statement:
    """Find the values of a statement; what stands in texts, names and comments is none."""
    parts: list[str | tuple[str]] = []
    for found in _TOKEN.finditer(sql):
        parts.append((found[2],) if found[2] else found[0])
    return Statement(parts)


def check_query(tool: CustomTool, means: Means) -> None:
    """Raises `BadDefinition` with the reason when the query could not be run as written."""
    definition = tool.definition
    if unknown := sorted(set(definition) - _KEYS):
        raise BadDefinition(f"An SQL tool knows no {', '.join(unknown)}.")
    if tool.owner_id is not None:
        raise BadDefinition("A person's own tool cannot use the organisation's databases.")
    if tool.effect != "read":
        raise BadDefinition("An SQL tool only reads: its effect is 'read'.")
    if definition.get("database") not in means.databases:
        known = ", ".join(sorted(means.databases)) or "none"
        raise BadDefinition(f"database is one of the organisation's databases: {known}.")
    sql = definition.get("sql")
    if not isinstance(sql, str) or not sql.strip() or len(sql) > 20_000:
        raise BadDefinition("sql is needed: one SELECT of at most 20,000 characters.")
    bare = _bare(sql)
    if not re.match(r"(?:select|with|values)\b", bare, re.IGNORECASE):
        raise BadDefinition("sql must be one SELECT (or WITH … SELECT, VALUES).")
    if ";" in bare.rstrip(" ;\n\t"):
        raise BadDefinition("sql must be one statement.")
    _check_number(definition, "max_rows", MAX_ROWS)
    values = set(statement(sql).names)
    known_names = {parameter.name for parameter in tool.parameters}
    if missing := sorted(values - known_names):
        raise BadDefinition(f":{missing[0]} is not a parameter of {tool.name}.")
    if unused := sorted(known_names - values):
        raise BadDefinition(f"The parameter {unused[0]} is not used in the query.")
    for parameter in tool.parameters:
        if parameter.type not in SCALARS:
            raise BadDefinition(
                f"{parameter.name}: a query takes {', '.join(SCALARS)}, not {parameter.type}."
            )


def _bare(sql: str) -> str:
    """The statement without comments and texts: what its first word and its end are."""
    blank = ("--", "/*", "'", '"', "$")
    kept = (found[0] for found in _TOKEN.finditer(sql))
    return "".join(
        " " if piece.startswith(blank) and len(piece) > 1 else piece for piece in kept
    ).strip()


def _check_number(definition: JSONObject, key: str, most: int) -> None:
    value = definition.get(key, 1)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise BadDefinition(f"{key} is a whole number from 1 to {most}.")


@dataclass(frozen=True)
class Databases:
    """Runs the queries. Nothing stays open between two: a password changed is used at once."""

    closed_folders: Sequence[Path] = field(default_factory=tuple)
    """Folders whose SQLite files are nobody's to query: our own data."""

    async def select(
        self, url: str, sql: str, values: Mapping[str, JSON], *, rows: int, seconds: float
    ) -> JSONObject:
        """Raises `ToolFailed` with a sentence that holds no password and no path."""
        run = self._sqlite if make_url(url).get_backend_name() == "sqlite" else _postgres
        return await run(url, sql, values, rows, seconds)

    async def _sqlite(
        self, url: str, sql: str, values: Mapping[str, JSON], rows: int, seconds: float
    ) -> JSONObject:
        stopped = asyncio.Event()
        try:
            return await asyncio.to_thread(
                self._select, url, sql, dict(values), rows, seconds, stopped.is_set
            )
        finally:
            stopped.set()

    def _select(
        self,
        url: str,
        sql: str,
        values: dict[str, JSON],
        rows: int,
        seconds: float,
        stopped: Callable[[], bool],
    ) -> JSONObject:
        path = Path(make_url(url).database or "").resolve()
        if any(path.is_relative_to(folder.resolve()) for folder in self.closed_folders):
            raise ToolFailed("This database cannot be queried: it is part of the installation.")
        if not path.is_file():
            raise ToolFailed("The database is not there. The operator must look at its settings.")
        return _select_sqlite(path, sql, values, rows, seconds, stopped)


def query_run(tool: CustomTool, means: Means, databases: Databases) -> Run:
    """The tool's `run`."""
    definition = tool.definition
    url = means.databases.get(definition["database"], "")

    async def run(context: ToolContext, input: JSONObject) -> JSON:
        values = {name: input.get(name) for name in statement(definition["sql"]).names}
        return await databases.select(
            url,
            definition["sql"],
            values,
            rows=definition.get("max_rows", DEFAULT_ROWS),
            seconds=definition.get("timeout", DEFAULT_SECONDS),
        )

    return run


# ---------------------------------------------------------------------------- SQLite

_ALLOWED = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
_NO_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"})


def _only_reads(action: int, first: str | None, second: str | None, *_: Any) -> int:
    """SQLite asks before each thing a statement would do."""
    if action not in _ALLOWED:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _NO_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _select_sqlite(
    path: Path,
    sql: str,
    values: dict[str, JSON],
    rows: int,
    seconds: float,
    stopped: Callable[[], bool],
) -> JSONObject:
    end = time.monotonic() + seconds
    try:
        with closing(
            sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=seconds)
        ) as db:
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
            db.execute("PRAGMA query_only=ON")
            db.set_authorizer(_only_reads)
            db.set_progress_handler(lambda: time.monotonic() > end or stopped(), 10_000)
            cursor = db.execute(sql.rstrip().rstrip(";"), values)
            columns = [name for name, *_ in cursor.description or ()]
            found = cursor.fetchmany(rows + 1)
    except sqlite3.Error as error:
        if time.monotonic() > end:
            raise ToolFailed(f"The query took longer than {seconds:g} s and was stopped.") from None
        raise ToolFailed(f"The query could not be run: {str(error)[:300]}.") from None
    except OverflowError:
        raise ToolFailed("A number is too large for the database.") from None
    return _answer(columns, found, rows)


# ---------------------------------------------------------------------------- Postgres

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


async def _postgres(
    url: str, sql: str, values: Mapping[str, JSON], rows: int, seconds: float
) -> JSONObject:
    where = make_url(url).set(drivername="postgresql")
    asked = statement(sql.rstrip().rstrip(";"))
    try:
        async with asyncio.timeout(seconds + 2):
            db = await asyncpg.connect(
                where.render_as_string(hide_password=False),
                timeout=min(5.0, seconds),
                command_timeout=seconds + 1,
                server_settings={
                    "default_transaction_read_only": "on",
                    "statement_timeout": str(int(seconds * 1000)),
                    "application_name": "bancada",
                },
            )
            try:
                async with db.transaction(readonly=True):
                    prepared = await db.prepare(asked.numbered())
                    kinds = [kind.name for kind in prepared.get_parameters()]
                    given = [
                        _bound(values[name], kind, name)
                        for name, kind in zip(asked.names, kinds, strict=True)
                    ]
                    columns = [column.name for column in prepared.get_attributes()]
                    cursor = await prepared.cursor(*given)
                    found = [tuple(row) for row in await cursor.fetch(rows + 1)]
            finally:
                await db.close(timeout=2)
    except (TimeoutError, asyncpg.QueryCanceledError):
        raise ToolFailed(f"The query took longer than {seconds:g} s and was stopped.") from None
    except asyncpg.InvalidAuthorizationSpecificationError:
        raise ToolFailed(
            "The database refused the sign-in. The operator must look at it."
        ) from None
    except asyncpg.PostgresError as error:
        raise ToolFailed(f"The query could not be run: {str(error)[:300]}.") from None
    except (asyncpg.InterfaceError, asyncpg.DataError) as error:
        raise ToolFailed(f"The query could not be run: {str(error)[:300]}.") from None
    except OSError:
        raise ToolFailed("The database does not answer. The operator must look at it.") from None
    return _answer(columns, found, rows)


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
