"""One table of a data set: from records or a clean CSV to typed columns in DuckDB.

A clean file goes straight through DuckDB's own parallel reader, with the types that its first
rows suggest; a cell that does not fit stops it. Then, and for anything that is not clean, the
careful way: our own reader writes a regular copy with line numbers, the types are decided over
every row of it, and what does not fit is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

import duckdb

from bancada.data import csvfile, fitting, kinds, layout, regular
from bancada.data.csvfile import Dialect, Record
from bancada.data.fitting import Fit
from bancada.data.kinds import Family, Kind
from bancada.data.layout import Layout
from bancada.data.limits import IngestLimits
from bancada.data.names import quoted
from bancada.data.notes import Notes
from bancada.data.problems import DataProblem
from bancada.data.regular import MAX_RECORD, Aside

COPY = "regular.csv"
"""The careful way's regular copy, in the folder of scraps: its size tells how far it is."""
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(\.[0-9]{3})?|0")
"""What may be thousands parted by a point, and as well a number with three decimals."""


@dataclass(frozen=True)
class Column:
    """A column as people and queries know it."""

    name: str
    type: Family


@dataclass(frozen=True)
class Table:
    """A finished table."""

    name: str
    columns: tuple[Column, ...]
    rows: int
    notes: Notes
    rejected: str | None = None
    """The table that holds the rows set aside, where there are any."""


@dataclass(frozen=True)
class Bench:
    """What building a table needs: the open database, a folder for scraps, the bounds."""

    db: duckdb.DuckDBPyConnection
    folder: Path
    limits: IngestLimits
    name: str
    """The file's name, for sentences."""

    def csv(
        self, filename: str, width: int, delimiter: str, *, skip: int = 0, more: str = ""
    ) -> str:
        """A relation over a delimited file in our folder; empty cells are null."""
        spec = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(width))
        if more:
            spec += f", '{more}': 'BIGINT'"
        # The current folder is ours, so that no path of the machine is read as a pattern.
        return (
            f"read_csv('{filename}', auto_detect = false, header = false, "
            f"skip = {skip}, delim = {_literal(delimiter)}, quote = '\"', escape = '\"', "
            f"columns = {{{spec}}}, strict_mode = true, null_padding = false, "
            f"max_line_size = {MAX_RECORD if more else MAX_RECORD // 4})"
        )


def from_csv(bench: Bench, source: Path, table: str, rejected: str) -> Table:
    """Build a table from a UTF-8 file with delimiters; `source` is in the bench's folder."""
    dialect = csvfile.sniff(source)
    first = csvfile.sample(source, dialect)
    shape = _shape(bench, first)
    if (built := _clean(bench, source, dialect, first, shape, table)) is not None:
        return built
    records = csvfile.read(source, dialect)
    return _careful(bench, records, shape, first, table, rejected, dialect.delimiter)


def from_records(
    bench: Bench, records: Iterable[Record], table: str, rejected: str
) -> Table | None:
    """Build a table from the rows of a sheet; none when it holds nothing."""
    rows = iter(records)
    first = [record for record, _ in zip(rows, range(csvfile.SAMPLE_RECORDS), strict=False)]
    if not any(cell.strip() for record in first for cell in record.cells):
        return None
    shape = _shape(bench, first)
    return _careful(bench, chain(first, rows), shape, first, table, rejected, None)


def _shape(bench: Bench, first: Sequence[Record]) -> Layout:
    shape = layout.find(first)
    if shape is None:
        raise DataProblem("empty", name=bench.name)
    if shape.width > bench.limits.columns:
        raise DataProblem(
            "too_many_columns", name=bench.name, columns=shape.width, limit=bench.limits.columns
        )
    return shape


def _clean(
    bench: Bench, source: Path, dialect: Dialect, first: list[Record], shape: Layout, table: str
) -> Table | None:
    """Read a regular file in one pass; none when it is not regular after all."""
    if shape.above or any(record.open_quote for record in first):
        return None
    rows = [record for record in first[shape.first :] if any(record.cells)]
    if not rows or any(len(record.cells) != shape.width for record in rows):
        return None
    guesses = _fits_of_sample(bench, first, shape)
    if any(fit.filled == 0 for fit in guesses):
        return None
    chosen = fitting.choose(guesses, dialect.delimiter)
    if any(k is kinds.TEXT and fit.nearly for k, fit in zip(chosen, guesses, strict=True)):
        return None
    relation = bench.csv(source.name, shape.width, dialect.delimiter, skip=rows[0].line - 1)
    try:
        _create(bench, table, shape, chosen, relation)
    except duckdb.Error as error:
        if not _about_the_file(error):
            raise
        bench.db.execute(f"DROP TABLE IF EXISTS {quoted(table)}")
        return None
    notes = Notes()
    _note_thousands(bench, relation, rows, chosen, shape, dialect.delimiter, notes)
    return _table(bench, table, shape, chosen, notes)


def _about_the_file(error: duckdb.Error) -> bool:
    """Whether the careful reader may do better; out of memory or disk it would not."""
    return isinstance(error, duckdb.InvalidInputException | duckdb.ConversionException)


def _fits_of_sample(bench: Bench, first: Sequence[Record], shape: Layout) -> list[Fit]:
    scraps = bench.folder / "sample.csv"
    regular.write(first, shape, scraps, Notes(), None, bench.limits, name=bench.name)
    relation = bench.csv(scraps.name, shape.width, ",", more="line")
    columns = zip_longest(*(record.cells for record in first[shape.first :]), fillvalue="")
    tried = [fitting.plausible(map(str.strip, column)) for column in columns][: shape.width]
    tried += [[]] * (shape.width - len(tried))
    return list(fitting.fits(bench.db, relation, dict(enumerate(tried))).values())


def _careful(
    bench: Bench,
    records: Iterable[Record],
    shape: Layout,
    first: Sequence[Record],
    table: str,
    rejected: str,
    delimiter: str | None,
) -> Table:
    notes = Notes()
    for record in shape.above:
        text = " ".join(cell.strip() for cell in record.cells if cell.strip())
        notes.add("above", record.line, text=text[:100])
    aside = Aside(rejected, bench.folder / "aside.csv")
    copy = bench.folder / COPY
    rows = regular.write(records, shape, copy, notes, aside, bench.limits, name=bench.name)
    if rows == 0 and not aside.count:
        raise DataProblem("only_header", name=bench.name)
    relation = bench.csv(copy.name, shape.width, ",", more="line")
    sample = _fits_of_sample(bench, first, shape)
    found = fitting.fits_of_whole(bench.db, relation, sample, delimiter)
    chosen = fitting.choose(found, delimiter)
    for position, (fit, kind) in enumerate(zip(found, chosen, strict=True)):
        if kind is kinds.TEXT and (nearly := fit.nearly) is not None:
            _note_odd_value(bench, relation, position, fit, nearly, shape, notes)
    _note_thousands(bench, relation, first[shape.first :], chosen, shape, delimiter, notes)
    empty = {i for i, fit in enumerate(found) if fit.filled == 0} & shape.unnamed
    _create(bench, table, shape, chosen, relation, leave_out=empty)
    copy.unlink()
    if aside.count:
        aside.keep(bench.db)
    return _table(bench, table, shape, chosen, notes, empty, rejected if aside.count else None)


def _note_odd_value(
    bench: Bench,
    relation: str,
    position: int,
    fit: Fit,
    nearly: Kind,
    shape: Layout,
    notes: Notes,
) -> None:
    cell = f"c{position}"
    odd = bench.db.execute(
        f"SELECT line, {cell} FROM {relation} WHERE {cell} IS NOT NULL "  # noqa: S608
        f"AND ({nearly.value(cell)}) IS NULL AND NOT {kinds.is_missing(cell)} LIMIT 1"
    ).fetchone()
    if odd is not None:
        notes.add(
            "odd_value",
            odd[0],
            column=shape.names[position],
            count=fit.filled - fit.counts[nearly],
            filled=fit.filled,
            kind=nearly.family,
            text=odd[1][:60],
        )


def _note_thousands(
    bench: Bench,
    relation: str,
    first: Sequence[Record],
    chosen: Sequence[Kind],
    shape: Layout,
    delimiter: str | None,
    notes: Notes,
) -> None:
    """Say of `1.234` and `12.000` that they were read as decimals, where nothing else is there.

    Where semicolons part the cells, a comma is often the decimal sign and a point parts thousands.
    """
    if delimiter in (",", None):
        return
    for position in (i for i, kind in enumerate(chosen) if kind is kinds.POINT):
        cells = [record.cells[position].strip() for record in first if position < len(record.cells)]
        if not all(map(_THOUSANDS.fullmatch, filter(None, cells))):
            continue
        cell = f"c{position}"
        other, example = bench.db.execute(
            f"SELECT bool_or(NOT regexp_full_match(trim({cell}), '{_THOUSANDS.pattern}') "  # noqa: S608
            f"AND NOT {kinds.is_missing(cell)}), min({cell}) FILTER (contains({cell}, '.')) "
            f"FROM {relation}"
        ).fetchone() or (True, None)
        if not other and example is not None:
            text = example.strip()
            read = text.replace(".", ",")
            notes.add("thousands", column=shape.names[position], text=text, read=read)


def _create(
    bench: Bench,
    table: str,
    shape: Layout,
    chosen: Sequence[Kind],
    relation: str,
    leave_out: Iterable[int] = (),
) -> None:
    left_out = set(leave_out)
    columns = ", ".join(
        f"{kind.convert(f'c{i}')} AS {quoted(name)}"
        for i, (name, kind) in enumerate(zip(shape.names, chosen, strict=True))
        if i not in left_out
    )
    cells = ", ".join(f"c{i}" for i in range(shape.width))
    bench.db.execute(
        f"CREATE TABLE {quoted(table)} AS SELECT {columns} FROM {relation} "  # noqa: S608
        f"WHERE coalesce({cells}) IS NOT NULL"
    )


def _table(
    bench: Bench,
    table: str,
    shape: Layout,
    chosen: Sequence[Kind],
    notes: Notes,
    left_out: Iterable[int] = (),
    rejected: str | None = None,
) -> Table:
    gone = set(left_out)
    columns = tuple(
        Column(name, kind.family)
        for i, (name, kind) in enumerate(zip(shape.names, chosen, strict=True))
        if i not in gone
    )
    (rows,) = bench.db.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone() or (0,)  # noqa: S608
    if rows > bench.limits.rows:
        raise DataProblem("too_many_rows", name=bench.name, limit=bench.limits.rows)
    return Table(table, columns, rows, notes, rejected)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
