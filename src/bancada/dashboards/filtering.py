"""One filter for a whole board: some days, and some values of one column.

It is put onto the tables that a tile's query reads, before anything is counted. What it cannot be put
onto stays whole, and the tile says so: a number beside a filter is believed to be filtered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from bancada.data.hints import TableFilter
from bancada.domain.json import JSONObject
from bancada.domain.wording import Wording


@dataclass(frozen=True)
class ColumnRead:
    """A column of a table that a query reads."""

    table: str
    name: str
    type: str

    @property
    def is_dates(self) -> bool:
        return self.type == "DATE" or self.type.startswith("TIMESTAMP")

    def commonest(self, most: int) -> str:
        """The query for what stands in it."""
        column, table = (
            f'"{name.replace(chr(34), chr(34) * 2)}"' for name in (self.name, self.table)
        )
        return (
            f"SELECT CAST({column} AS VARCHAR) FROM {table} "  # noqa: S608 - both are quoted
            f"GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {most:d}"
        )


@dataclass(frozen=True, kw_only=True)
class BoardFilter:
    """What a board is filtered by; each part may be missing."""

    since: date | None = None
    until: date | None = None
    dates: str | None = None
    """Which column has the days; none: a table's only one."""
    column: str | None = None
    values: tuple[str | None, ...] = ()

    @staticmethod
    def of(shape: JSONObject) -> BoardFilter:
        """From what is kept with a board."""
        days = {end: shape.get(end) for end in ("since", "until")}
        return BoardFilter(
            **{end: date.fromisoformat(day) for end, day in days.items() if day},
            dates=shape.get("dates"),
            column=shape.get("column"),
            values=tuple(shape.get("values", ())),
        )

    def as_json(self) -> JSONObject | None:
        """As it is kept; none where it lets everything pass."""
        shape: JSONObject = {}
        if self.since or self.until:
            shape["since"] = self.since.isoformat() if self.since else None
            shape["until"] = self.until.isoformat() if self.until else None
            shape["dates"] = self.dates
        if self.column is not None and self.values:
            shape["column"], shape["values"] = self.column, list(self.values)
        return shape or None


@dataclass(frozen=True)
class Filtering:
    """What becomes of one tile's query: its filters, and what they leave out."""

    filters: tuple[TableFilter, ...] = ()
    notes: tuple[Wording, ...] = ()


def applied(wanted: BoardFilter, read: Sequence[ColumnRead]) -> Filtering:
    """Put the filter onto the tables of one query."""
    filters: list[TableFilter] = []
    notes: list[Wording] = []
    if wanted.since or wanted.until:
        days, doubt = _days(wanted.dates, read)
        filters += [
            TableFilter(table=one.table, column=one.name, since=wanted.since, until=wanted.until)
            for one in days
        ]
        notes += doubt
    if wanted.column is not None and wanted.values:
        named = [one for one in read if one.name == wanted.column]
        filters += [
            TableFilter(table=one.table, column=one.name, values=wanted.values) for one in named
        ]
        if not named:
            notes.append(Wording("filter_no_column", column=wanted.column))
        notes += _whole(named, read)
    return Filtering(tuple(filters), tuple(notes))


def _days(name: str | None, read: Sequence[ColumnRead]) -> tuple[list[ColumnRead], list[Wording]]:
    """The columns that hold a row's day, one a table; and what is left out."""
    found: list[ColumnRead] = []
    notes: list[Wording] = []
    for table in _tables(read):
        days = [one for one in read if one.table == table and one.is_dates]
        fitting = [one for one in days if name in (None, one.name)]
        if len(fitting) == 1:
            found += fitting
        elif len(fitting) > 1:
            columns = ", ".join(one.name for one in fitting)
            notes.append(Wording("filter_many_dates", table=table, columns=columns))
    if not found and not notes:
        missing = Wording("filter_no_dates") if name is None else None
        return [], [missing or Wording("filter_no_dates_column", column=name)]
    doubtful = {note.parts["table"] for note in notes}
    return found, [*notes, *_whole(found, [one for one in read if one.table not in doubtful])]


def _whole(found: Sequence[ColumnRead], read: Sequence[ColumnRead]) -> list[Wording]:
    """Of several tables some may have the column: the others are read whole."""
    if not found:
        return []
    tables = [table for table in _tables(read) if table not in {one.table for one in found}]
    by = ", ".join(sorted({one.name for one in found}))
    return [Wording("filter_partly", column=by, tables=", ".join(tables))] if tables else []


def _tables(read: Iterable[ColumnRead]) -> list[str]:
    return list(dict.fromkeys(one.table for one in read))
