"""One read-only query, inside the jail.

The text of this file is what the sandbox runs: it imports nothing of ours and speaks JSON. The
jail is the first wall; the engine's own locks, set here before a query is seen, are the second.
"""

from __future__ import annotations

import datetime
import decimal
import json
import math
import re
import threading
from typing import Any

import duckdb

_EXPLAIN = re.compile(r"^explain\s+(?:analyze\s+)?(?:\([^()]*\)\s*)?", re.IGNORECASE)
_HINT = re.compile(r"\A/\*\+ bancada (\{.*?\}) \*/ ", re.DOTALL)
_PLAIN = re.compile(r'\A(?:(?:memory\.)?main\.)?(?:"((?:[^"]|"")+)"|(\w+))(?: AS .*)?\Z', re.DOTALL)
_LARGEST = 2**63
_NESTED = 200
"""Items of a list or struct that are shown."""


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Answer `{columns, rows, total_rows, truncated}`, or `{error, message, schema}`."""
    hinted = _HINT.match(job["sql"])
    if hinted is None:
        return timed(opened(job), job, _answer)
    # A connection of its own: what is filtered here must not be for the next query.
    try:
        hint = json.loads(hinted[1])
        missing = {one["table"] for one in hint.get("filters", ())} - set(job["tables"])
        db = _connect(job, hint)
    except (duckdb.Error, KeyError, TypeError, ValueError, AttributeError):
        missing = {"?"}
    if missing:  # a filter that is not applied would give numbers of something else
        return {"error": "Refused", "message": "The filter does not fit the tables there are."}
    try:
        job = {**job, "sql": job["sql"][hinted.end() :]}
        return timed(db, job, _columns_read if "columns" in hint else _answer)
    finally:
        db.close()


def timed(db: duckdb.DuckDBPyConnection, job: dict[str, Any], answer: Any) -> dict[str, Any]:
    """What `answer(db, job, too_late)` gives within the job's seconds, or why it gives nothing."""
    too_late = threading.Event()

    def stop() -> None:
        too_late.set()
        db.interrupt()

    # The kernel's clock is the host's; this one leaves the connection warm.
    timer = threading.Timer(job["seconds"], stop)
    timer.daemon = True
    timer.start()
    try:
        found: dict[str, Any] = answer(db, job, too_late)
        return found
    except (duckdb.Error, MemoryError) as error:
        kind = "Timeout" if too_late.is_set() else type(error).__name__
        if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
            return {"error": kind, "message": "", "out_of_memory": True}
        return {"error": kind, "message": str(error)[:2_000], "schema": _schema(db)}
    finally:
        timer.cancel()


def opened(job: dict[str, Any]) -> duckdb.DuckDBPyConnection:
    """The connection of this process, made at its first query."""
    kept: dict[str, duckdb.DuckDBPyConnection] = vars(duckdb).setdefault("_bancada_kept", {})
    if "db" not in kept:
        kept["db"] = _connect(job)
    return kept["db"]


def _connect(job: dict[str, Any], hint: dict[str, Any] | None = None) -> duckdb.DuckDBPyConnection:
    db = duckdb.connect(
        ":memory:",
        config={
            "threads": 1,
            "memory_limit": f"{job['memory_mb']}MiB",
            "temp_directory": "",
            "max_temp_directory_size": "0KB",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
        },
    )
    db.execute("SET python_enable_replacements = false")
    db.execute("SET TimeZone = 'UTC'")
    files = sorted(set(job["tables"].values()))
    for number, file in enumerate(files):
        db.execute(f"ATTACH {_text(job['data_folder'] + '/' + file)} AS file_{number} (READ_ONLY)")
    for name, file in sorted(job["tables"].items()):
        place = f"file_{files.index(file)}"
        found = db.execute(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = ?", [place]
        ).fetchall()
        held = [row[0] for row in found]
        inner = name if name in held or len(held) != 1 else held[0]
        db.execute(_as_seen(name, f"{place}.main.{_name(inner)}", hint or {}))
    db.execute("SET enable_external_access = false")
    db.execute("SET lock_configuration = true")
    return db


def _as_seen(name: str, source: str, hint: dict[str, Any]) -> str:
    """The statement that makes a table known: whole, filtered, or without its rows."""
    if "columns" in hint:
        return f"CREATE TABLE {_name(name)} AS SELECT * FROM {source} LIMIT 0"  # noqa: S608
    tests = [_passes(one) for one in hint.get("filters", ()) if one["table"] == name]
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    return f"CREATE VIEW {_name(name)} AS SELECT * FROM {source}{where}"  # noqa: S608


def _passes(one: dict[str, Any]) -> str:
    column = _name(one["column"])
    tests = [
        f"CAST({column} AS DATE) {compared} CAST({_text(one[end])} AS DATE)"
        for end, compared in (("since", ">="), ("until", "<="))
        if end in one
    ]
    if "values" in one:
        named = [_text(value) for value in one["values"] if value is not None]
        among = [f"CAST({column} AS VARCHAR) IN ({', '.join(named)})"] if named else []
        empty = [f"{column} IS NULL"] if None in one["values"] else []
        tests.append(f"({' OR '.join(among + empty) or 'false'})")
    return " AND ".join(tests) or "true"


def _columns_read(
    db: duckdb.DuckDBPyConnection, job: dict[str, Any], too_late: threading.Event
) -> dict[str, Any]:
    """Table, column and type of what the query reads, as the engine itself understands it.

    The tables are there without their rows, not as views: the engine would name what is behind.
    """
    rows: list[list[str]] = []
    for written in sorted(db.get_table_names(job["sql"], qualified=True)):
        plain = _PLAIN.match(written)
        if plain is None:
            return {
                "error": "Refused",
                "message": f"The query reads {written[:100]} past its name.",
            }
        name = plain[2] if plain[1] is None else plain[1].replace('""', '"')
        found = db.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns() "
            "WHERE database_name = 'memory' AND schema_name = 'main' AND NOT internal "
            "AND lower(table_name) = lower(?) ORDER BY column_index",
            [name],
        ).fetchall()
        rows += [list(row) for row in found]
    columns = ["table", "column", "type"]
    cut = len(rows) > job["limit"]
    rows = rows[: job["limit"]]
    return {"columns": columns, "rows": rows, "total_rows": len(rows), "truncated": cut}


def _answer(
    db: duckdb.DuckDBPyConnection, job: dict[str, Any], too_late: threading.Event
) -> dict[str, Any]:
    statements = db.extract_statements(job["sql"])
    if len(statements) != 1:
        message = "Send exactly one statement." if statements else "The query is empty."
        return {"error": "Refused", "message": message}
    text = statements[0].query.strip().rstrip(";")
    explained = _kind(statements[0]) == duckdb.StatementType.EXPLAIN
    if not _reads(db, _EXPLAIN.sub("", text, count=1) if explained else text):
        return {
            "error": "Refused",
            "message": "Only reading is possible here: one SELECT (also WITH, VALUES, DESCRIBE, "
            "SHOW, SUMMARIZE, EXPLAIN). A PIVOT needs its values named: ON column IN (…).",
        }
    # A SELECT may hold an INSERT in its WITH; in a reading transaction that fails.
    db.execute("BEGIN TRANSACTION READ ONLY")
    try:
        cursor = db.execute(text)
        columns = [str(column[0]) for column in cursor.description or ()]
        found = cursor.fetchmany(job["limit"] + 1)
        rows, cut = _fit(found[: job["limit"]], job)
        total: int | None = len(found)
        if len(found) > job["limit"]:
            total, cut = None if explained else _count(db, text, too_late), True
    finally:
        db.execute("ROLLBACK")
    return {"columns": columns, "rows": rows, "total_rows": total, "truncated": cut}


def _reads(db: duckdb.DuckDBPyConnection, text: str) -> bool:
    """Whether the text is one SELECT, as DuckDB's own parser sees it."""
    statements = db.extract_statements(text)
    return len(statements) == 1 and _kind(statements[0]) == duckdb.StatementType.SELECT


def _kind(statement: duckdb.Statement) -> duckdb.StatementType | None:
    try:
        return statement.type
    except ValueError:
        # The parser knows kinds of statement that the Python package has no name for.
        return None


def _count(db: duckdb.DuckDBPyConnection, text: str, too_late: threading.Event) -> int | None:
    """How many rows there are in all; none when counting them takes too long."""
    try:
        # The line end closes a comment that the query may end with.
        (total,) = db.execute(f"SELECT count(*) FROM (\n{text}\n)").fetchone() or (None,)  # noqa: S608
    except duckdb.Error:
        if too_late.is_set():
            return None
        raise
    return int(total) if total is not None else None


def _fit(found: list[Any], job: dict[str, Any]) -> tuple[list[list[Any]], bool]:
    """Rows as JSON, as many as the answer's size allows."""
    rows: list[list[Any]] = []
    room: int = job["bytes"]
    for row in found:
        cells = [_json(value, job["cell"]) for value in row]
        room -= sum(len(str(cell)) + 4 for cell in cells)
        if room < 0:
            return rows, True
        rows.append(cells)
    return rows, False


def _json(value: Any, longest: int, depth: int = 0) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -_LARGEST <= value < _LARGEST else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, decimal.Decimal):
        whole = value == value.to_integral_value() and abs(value) < _LARGEST
        return int(value) if whole else float(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, list | tuple) and depth < 4:
        return [_json(item, longest, depth + 1) for item in value[:_NESTED]]
    if isinstance(value, dict) and depth < 4:
        pairs = list(value.items())[:_NESTED]
        return {str(key)[:longest]: _json(item, longest, depth + 1) for key, item in pairs}
    if isinstance(value, bytes | bytearray):
        return f"<{len(value)} bytes>"
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= longest else text[:longest] + f"… ({len(text)} characters)"


def _schema(db: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """The tables that may be asked for, with their columns: what a wrong name is answered with."""
    try:
        found = db.execute(
            "SELECT table_name, column_name FROM duckdb_columns() WHERE database_name = 'memory' "
            "AND NOT internal ORDER BY table_name, column_index LIMIT 500"
        ).fetchall()
    except duckdb.Error:
        return {}
    schema: dict[str, list[str]] = {}
    for table, column in found:
        schema.setdefault(table, []).append(column)
    return schema


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
