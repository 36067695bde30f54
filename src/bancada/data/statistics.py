"""Figures of a table, over every row: what `describe` and `value_counts` would say."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from typing import Any

import duckdb

from bancada.data.names import quoted
from bancada.data.table import Column, FinishedTable
from bancada.domain.json import JSON, JSONObject

MEASURES = ("count", "mean", "std", "min", "25%", "50%", "75%", "max")

_MAX_NUMERIC = 60
_MAX_CATEGORICAL = 5
_TOP = 5
_MAX_CELL = 200
"""Characters of a cell in a preview; the table itself holds all of it."""


def describe(
    db: duckdb.DuckDBPyConnection,
    table: FinishedTable,
    *,
    rows: int,
    progress: Any = lambda _: None,
) -> JSONObject:
    """Columns, first rows, numeric statistics and the commonest values of one table."""
    numeric = [c for c in table.columns if c.type in ("integer", "number")][:_MAX_NUMERIC]
    categorical = [c for c in table.columns if c.type in ("text", "boolean")][:_MAX_CATEGORICAL]
    steps = len(numeric) + len(categorical) or 1
    statistics, categories = {}, {}
    for done, column in enumerate(numeric, start=1):
        statistics[column.name] = _measures(db, table, column)
        progress(done / steps)
    for done, column in enumerate(categorical, start=len(numeric) + 1):
        categories[column.name] = _commonest(db, table, column)
        progress(done / steps)
    return {
        "table": table.name,
        "rows": table.rows,
        "columns": [{"name": column.name, "type": column.type} for column in table.columns],
        "preview": first_rows(db, table, rows),
        "statistics": statistics,
        "categories": categories,
    }


def first_rows(db: duckdb.DuckDBPyConnection, table: FinishedTable, count: int) -> list[list[JSON]]:
    """The first rows of the file, as JSON."""
    found = db.execute(f"SELECT * FROM {quoted(table.name)} LIMIT {count}").fetchall()  # noqa: S608
    return [[_json(value) for value in row] for row in found]


def _measures(
    db: duckdb.DuckDBPyConnection, table: FinishedTable, column: Column
) -> dict[str, Any]:
    name = quoted(column.name)
    count, mean, std, low, quartiles, high = db.execute(
        f"SELECT count({name}), avg({name}), stddev_samp({name}), min({name}), "  # noqa: S608
        f"quantile_cont({name}, [0.25, 0.5, 0.75]), max({name}) FROM {quoted(table.name)}"
    ).fetchone() or (0, None, None, None, None, None)
    parts: Sequence[Any] = quartiles or (None, None, None)
    return dict(zip(MEASURES, map(_json, (count, mean, std, low, *parts, high)), strict=True))


def _commonest(
    db: duckdb.DuckDBPyConnection, table: FinishedTable, column: Column
) -> list[dict[str, JSON]]:
    name = quoted(column.name)
    found = db.execute(
        f"SELECT {name}, count(*) AS n FROM {quoted(table.name)} WHERE {name} IS NOT NULL "  # noqa: S608
        f"GROUP BY {name} ORDER BY n DESC, {name} LIMIT {_TOP}"
    ).fetchall()
    return [{"value": _json(value), "count": count} for value, count in found]


def _json(value: Any) -> JSON:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, str) and len(value) > _MAX_CELL:
        return value[: _MAX_CELL - 1] + "…"
    return value
