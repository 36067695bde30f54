"""Columns of a query as arrays: what a study reads, checked before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from bancada.packs.statistics.arithmetic.arrays import Floats, NoStudy

MOST_POINTS = 5_000_000
"""Points of one chart: what they need in memory is known, and within what a query may use."""
MOST_LABELS = 100_000
"""Beyond it points are told by their numbers: a million texts would be most of the work."""
LARGEST = 1e100
"""Of a measurement: far beyond it squares are no numbers any more."""

_NUMBERS = (
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
    "UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL",
)  # fmt: skip


def named(name: str) -> str:
    """A column's name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True)
class StudySource:
    """A query whose columns are studied."""

    db: duckdb.DuckDBPyConnection
    sql: str
    types: Mapping[str, str]

    @classmethod
    def of(cls, db: duckdb.DuckDBPyConnection, sql: str) -> StudySource:
        """The query, checked: one statement that reads."""
        found = cls(db, sql, {})
        rows = found.rows("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM source)")
        return cls(db, sql, {str(name): str(kind) for name, kind in rows})

    def column(self, name: str) -> str:
        """A column as SQL writes it; case aside, as people write it."""
        if name in self.types:
            return named(name)
        like = [one for one in self.types if one.casefold() == name.casefold()]
        if len(like) != 1:
            raise NoStudy("no_column", name=name[:100], known=list(self.types)[:40])
        return named(like[0])

    def kind(self, name: str) -> str:
        """The type of a column: `number`, `boolean` or `other`."""
        type = self.types[self.column(name)[1:-1].replace('""', '"')]
        if type == "BOOLEAN":
            return "boolean"
        return "number" if type.startswith(_NUMBERS) else "other"

    def within(self, order: str | None, since: str | None, until: str | None) -> StudySource:
        """The rows of a period, both ends in it: by a column, or by the rows' own numbers."""
        if since is None and until is None:
            return self
        if order is None:
            return self._narrowed(f"QUALIFY {_numbered(since, until)}")
        column = self.column(order)
        tests = [f"{column} >= {_quoted(since)}"] if since is not None else []
        if until is not None:
            type = self.types[column[1:-1].replace('""', '"')]
            # A day is in the period until it ends.
            whole = type.startswith("TIMESTAMP") and len(until.strip()) == len("2026-01-31")
            end = f"CAST({_quoted(until)} AS DATE) + INTERVAL 1 DAY" if whole else _quoted(until)
            tests.append(f"{column} {'<' if whole else '<='} {end}")
        return self._narrowed(f"WHERE {' AND '.join(tests)}")

    def _narrowed(self, clause: str) -> StudySource:
        sql = f"SELECT * FROM (\n{self.sql}\n) {clause}"  # noqa: S608
        return StudySource(self.db, sql, self.types)

    def number(self, name: str) -> str:
        """A numeric column as an expression of doubles."""
        written = self.column(name)
        if self.kind(name) == "other":
            raise NoStudy("not_numbers", name=name[:100])
        return f"CAST({written} AS DOUBLE)"

    def rows(self, select: str, *parameters: Any) -> list[tuple[Any, ...]]:
        return self._run(select, parameters).fetchall()

    def arrays(self, select: str) -> dict[str, NDArray[Any]]:
        """The columns of a query as arrays; an empty cell of numbers is not a number."""
        found: dict[str, Any] = self._run(select, ()).fetchnumpy()
        return {
            name: each.filled(np.nan) if isinstance(each, np.ma.MaskedArray) else each
            for name, each in found.items()
        }

    def _run(self, select: str, parameters: Sequence[Any]) -> duckdb.DuckDBPyConnection:
        # The line end closes a comment that the query may end with.
        text = f"WITH source AS (\n{self.sql}\n) {select}"
        statements = self.db.extract_statements(text)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise NoStudy("not_one_select")
        return self.db.execute(text, list(parameters))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _numbered(since: str | None, until: str | None) -> str:
    """Rows by their numbers, counted from 1."""
    for text in (since, until):
        if text is not None and not text.strip().isdecimal():
            raise NoStudy("period_needs_order", text=text[:40])
    tests = [] if since is None else [f"row_number() OVER () >= {int(since)}"]
    if until is not None:
        tests.append(f"row_number() OVER () <= {int(until)}")
    return " AND ".join(tests)


def rows_of(source: StudySource, *columns: str, leave_out: bool) -> tuple[int, int]:
    """How many rows there are, and in how many of them a column is empty.

    An empty cell is said and not guessed: unless `leave_out`, there is no study.
    """
    every = [source.column(name) for name in columns]
    missing = " OR ".join(f"{one} IS NULL" for one in every) or "false"
    ((total, empty),) = source.rows(
        f"SELECT count(*), count(*) FILTER (WHERE {missing}) FROM source"  # noqa: S608
    )
    if total == 0:
        raise NoStudy("no_rows")
    if empty and not leave_out:
        raise NoStudy("missing", names=[name[:100] for name in columns], count=empty, rows=total)
    if total > MOST_POINTS:
        raise NoStudy("too_many", count=total, most=MOST_POINTS)
    return int(total), int(empty)


def finite(values: Floats, name: str) -> Floats:
    """The values, where all of them can be computed with."""
    if not bool(np.all(np.abs(values) <= LARGEST)):
        raise NoStudy("not_finite", name=name[:100], largest=LARGEST)
    return values
