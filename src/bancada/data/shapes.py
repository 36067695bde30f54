"""The structure of a kept table: columns with their types, the values they hold, its dates.

Read from our own DuckDB file, which never changes: what was read once is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb

from bancada.data.names import quoted
from bancada.domain.json import JSONObject
from bancada.domain.people import Language
from bancada.domain.tables import ColumnType, TableColumn, TableShape, Words

MOST_VALUES = 2_000
"""Different values of a column that are known by heart; of more, none are."""
MOST_LENGTH = 80
"""Characters of such a value; longer ones are text."""
_TYPES: dict[str, ColumnType] = {
    "BOOLEAN": "boolean", "VARCHAR": "text", "DATE": "date", "TIME": "time",
    "TIMESTAMP": "datetime", "DOUBLE": "number", "FLOAT": "number",
}  # fmt: skip


@dataclass(frozen=True)
class Profile:
    """What a file says of one of its tables."""

    rows: int
    columns: tuple[tuple[str, ColumnType], ...]
    values: Mapping[str, tuple[str, ...]]
    first: date | None
    last: date | None

    def as_json(self) -> JSONObject:
        """How it is told from inside the wall."""
        first, last = (None if d is None else d.isoformat() for d in (self.first, self.last))
        return {
            "rows": self.rows,
            "columns": [{"name": name, "type": type} for name, type in self.columns],
            "values": {name: list(found) for name, found in self.values.items()},
            "first": first,
            "last": last,
        }


@lru_cache(maxsize=256)
def profile(path: Path, table: str) -> Profile:
    """Read a table's structure from its file."""
    with duckdb.connect(str(path), read_only=True) as database:
        named = quoted(table)
        described = database.execute(f"DESCRIBE {named}").fetchall()
        columns = tuple((str(row[0]), _type(str(row[1]))) for row in described)
        texts = [name for name, kind in columns if kind == "text"]
        dates = [name for name, kind in columns if kind in ("date", "datetime")]
        rows = _one(database, "count(*)", named)[0]
        counts = _one(
            database, ", ".join(f"approx_count_distinct({quoted(n)})" for n in texts), named
        )
        few = [n for n, count in zip(texts, counts, strict=True) if count <= 1.2 * MOST_VALUES]
        held = _one(database, ", ".join(f"list(DISTINCT {quoted(name)})" for name in few), named)
        values = {
            name: tuple(sorted(str(value) for value in found or () if value is not None))
            for name, found in zip(few, held, strict=True)
        }
        ends = _one(
            database,
            ", ".join(f"min({quoted(n)})::DATE, max({quoted(n)})::DATE" for n in dates),
            named,
        )
    days = [day for day in ends if isinstance(day, date)]
    known = {
        name: found
        for name, found in values.items()
        if len(found) <= MOST_VALUES and all(len(value) <= MOST_LENGTH for value in found)
    }
    first, last = (min(days), max(days)) if days else (None, None)
    return Profile(rows, columns, known, first, last)


def uploaded_shapes(profiles: Sequence[Profile], summary: JSONObject) -> list[TableShape]:
    """The tables of an uploaded file, from what was read of it inside the wall."""
    return [
        _shape(found, each["table"], file=summary["name"], first_sheet=at == 0)
        for at, (found, each) in enumerate(zip(profiles, summary["tables"], strict=True))
    ]


def shape_of(
    path: Path,
    table: str,
    *,
    words: Mapping[str, Words] | None = None,
    value_words: Mapping[str, Words] | None = None,
    row: Mapping[Language, tuple[str, str]] | None = None,
    kind: str = "",
) -> TableShape:
    """The structure of a table of ours, and what people call its parts."""
    found = profile(path, table)
    return _shape(found, table, words=words, value_words=value_words, row=row, kind=kind)


def _shape(
    found: Profile,
    table: str,
    *,
    file: str = "",
    first_sheet: bool = True,
    words: Mapping[str, Words] | None = None,
    value_words: Mapping[str, Words] | None = None,
    row: Mapping[Language, tuple[str, str]] | None = None,
    kind: str = "",
) -> TableShape:
    return TableShape(
        name=table,
        rows=found.rows,
        columns=tuple(
            TableColumn(
                name=name,
                type=type,
                words=(words or {}).get(name, {}),
                values=found.values.get(name, ()),
                complete=name in found.values,
            )
            for name, type in found.columns
        ),
        file=file,
        first_sheet=first_sheet,
        row=row or {},
        kind=kind,
        value_words=value_words or {},
        first=found.first,
        last=found.last,
    )


def _type(sql: str) -> ColumnType:
    if sql.startswith("DECIMAL"):
        return "number"
    if sql.startswith("TIMESTAMP"):
        return "datetime"
    if sql.endswith("INT") or sql in ("INTEGER", "UINTEGER"):
        return "integer"
    return _TYPES.get(sql, "text")


def _one(database: duckdb.DuckDBPyConnection, what: str, table: str) -> Sequence[Any]:
    """One row of aggregates; nothing where nothing is asked."""
    if not what:
        return ()
    found = database.execute(f"SELECT {what} FROM {table}").fetchone()  # noqa: S608 - our own names
    return found or ()
