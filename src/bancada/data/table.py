"""One table of a data set: from records or a clean CSV to typed columns in DuckDB.

A clean file goes straight through DuckDB's own parallel reader, with the types that its first
rows suggest; a cell that does not fit stops it. Then, and for anything that is not clean, the
careful way: our own reader writes a regular copy with line numbers, the types are decided over
every row of it, and what does not fit is reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path

import duckdb

from bancada.data import csvfile, fitting, kinds, layout, readings, regular, totals
from bancada.data.csvfile import Dialect, FileRow
from bancada.data.fitting import Fit
from bancada.data.kinds import Family, Kind
from bancada.data.layout import Layout, Spans
from bancada.data.limits import IngestLimits
from bancada.data.names import quoted
from bancada.data.notes import Notes
from bancada.data.problems import DataProblem
from bancada.data.regular import MAX_RECORD, Aside
from bancada.data.workbook import SheetCells

COPY = "regular.csv"
"""The careful way's regular copy, in the folder of scraps: its size tells how far it is."""


@dataclass(frozen=True)
class Column:
    """A column as people and queries know it."""

    name: str
    type: Family


@dataclass(frozen=True)
class FinishedTable:
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


def from_csv(bench: Bench, source: Path, table: str, rejected: str) -> FinishedTable:
    """Build a table from a UTF-8 file with delimiters; `source` is in the bench's folder."""
    dialect = csvfile.sniff(source)
    first = csvfile.sample(source, dialect)
    shape = _shape(bench, first)
    if (built := _clean(bench, source, dialect, first, shape, table)) is not None:
        return built
    records = csvfile.read(source, dialect)
    return _careful(bench, records, shape, first, table, rejected, dialect.delimiter, SheetCells())


def from_sheet(bench: Bench, cells: SheetCells, table: str, rejected: str) -> FinishedTable | None:
    """Build a table from the rows of a sheet; none when it holds nothing."""
    rows = cells.records
    first = list(islice(rows, csvfile.SAMPLE_RECORDS))
    if not any(cell.strip() for record in first for cell in record.cells):
        return None
    shape = _shape(bench, first, cells.spans)
    return _careful(bench, chain(first, rows), shape, first, table, rejected, None, cells)


def _shape(bench: Bench, first: Sequence[FileRow], spans: Spans | None = None) -> Layout:
    shape = layout.find(first, spans or {})
    if shape is None:
        raise DataProblem("empty", name=bench.name)
    if shape.width > bench.limits.columns:
        raise DataProblem(
            "too_many_columns", name=bench.name, columns=shape.width, limit=bench.limits.columns
        )
    return shape


def _clean(
    bench: Bench, source: Path, dialect: Dialect, first: list[FileRow], shape: Layout, table: str
) -> FinishedTable | None:
    """Read a regular file in one pass; none when it is not regular after all."""
    if shape.above or shape.headings > 1 or any(record.open_quote for record in first):
        return None
    rows = [record for record in first[shape.first :] if any(record.cells)]
    # Wide files are seldom long, and a query that checks every cell grows with their width.
    if not rows or shape.width > fitting.WIDE:
        return None
    if any(len(record.cells) != shape.width for record in rows):
        return None
    # DuckDB skips rows where we count lines: a heading may have several.
    if rows[0].line != dialect.skip + 1 + first.index(rows[0]):
        return None
    guesses = _fits_of_sample(bench, first, shape)
    if any(fit.filled == 0 for fit in guesses):
        return None
    chosen = fitting.choose(guesses, dialect.delimiter)
    if any(k is kinds.TEXT and fit.nearly for k, fit in zip(chosen, guesses, strict=True)):
        return None
    relation = bench.csv(source.name, shape.width, dialect.delimiter, skip=rows[0].line - 1)
    notes = Notes()
    if readings.note_signs(bench.db, relation, chosen, shape, notes) != chosen:
        return None
    try:
        _create(bench, table, shape, chosen, relation, checked=True)
    except duckdb.Error as error:
        if not _about_the_file(error):
            raise
        bench.db.execute(f"DROP TABLE IF EXISTS {quoted(table)}")
        return None
    if _may_hold_totals(bench, table, shape, chosen):
        bench.db.execute(f"DROP TABLE {quoted(table)}")
        return None
    readings.note_thousands(bench.db, relation, rows, chosen, shape, dialect.delimiter, notes)
    readings.note_days(bench.db, relation, table, chosen, shape, notes)
    return _table(bench, table, shape, chosen, notes)


def _may_hold_totals(bench: Bench, table: str, shape: Layout, chosen: Sequence[Kind]) -> bool:
    """Whether the careful way should look for rows that sum up the others."""
    names = [quoted(name) for name in shape.names]
    said = [
        totals.says_so(name)
        for name, kind in list(zip(names, chosen, strict=True))[: totals.LABELS]
        if kind is kinds.TEXT
    ]
    last = f"(SELECT {names[0]} FROM {quoted(table)} ORDER BY rowid DESC LIMIT 1) IS NULL"  # noqa: S608
    found = f"EXISTS (SELECT 1 FROM {quoted(table)} WHERE {' OR '.join(said) or 'false'})"  # noqa: S608
    (may,) = bench.db.execute(f"SELECT {last} OR {found}").fetchone() or (False,)
    return bool(may)


def _about_the_file(error: duckdb.Error) -> bool:
    """Whether the careful reader may do better; out of memory or disk it would not."""
    return isinstance(error, duckdb.InvalidInputException | duckdb.ConversionException)


def _fits_of_sample(bench: Bench, first: Sequence[FileRow], shape: Layout) -> list[Fit]:
    scraps = bench.folder / "sample.csv"
    regular.write(first, shape, scraps, Notes(), None, bench.limits, name=bench.name)
    relation = bench.csv(scraps.name, shape.width, ",", more="line")
    columns = zip_longest(*(record.cells for record in first[shape.first :]), fillvalue="")
    tried = [fitting.plausible(map(str.strip, column)) for column in columns][: shape.width]
    tried += [[]] * (shape.width - len(tried))
    found = fitting.fits(bench.db, relation, dict(enumerate(tried)))
    return [found[position] for position in range(shape.width)]


def _careful(
    bench: Bench,
    records: Iterable[FileRow],
    shape: Layout,
    first: Sequence[FileRow],
    table: str,
    rejected: str,
    delimiter: str | None,
    cells: SheetCells,
) -> FinishedTable:
    notes = Notes()
    _note_heading(shape, first, notes)
    aside = Aside(rejected, bench.folder / "aside.csv")
    copy = bench.folder / COPY
    rows = regular.write(records, shape, copy, notes, aside, bench.limits, name=bench.name)
    if rows == 0 and not aside.count:
        text = " ".join(name for i, name in enumerate(shape.names) if i not in shape.unnamed)
        raise DataProblem("only_header", name=bench.name, text=text[:100])
    whole = bench.csv(copy.name, shape.width, ",", more="line")
    relation, found, chosen = _without_totals(bench, whole, shape, first, delimiter, cells, notes)
    chosen = readings.note_signs(bench.db, relation, chosen, shape, notes)
    readings.note_odd_values(
        bench.db, relation, found, chosen, shape, notes, of_sheet=delimiter is None
    )
    if delimiter is not None:
        below = first[shape.first :]
        readings.note_thousands(bench.db, relation, below, chosen, shape, delimiter, notes)
    first_line = first[shape.first].line if shape.first < len(first) else 0
    readings.note_cells(bench.db, cells, chosen, shape, first_line, notes)
    empty = {i for i, fit in enumerate(found) if fit.filled == 0} & shape.unnamed
    _create(bench, table, shape, chosen, relation, leave_out=empty)
    readings.note_days(bench.db, relation, table, chosen, shape, notes)
    copy.unlink()
    if aside.count:
        aside.keep(bench.db)
    return _table(bench, table, shape, chosen, notes, empty, rejected if aside.count else None)


def _note_heading(shape: Layout, first: Sequence[FileRow], notes: Notes) -> None:
    for record in shape.above:
        text = " ".join(cell.strip() for cell in record.cells if cell.strip())
        notes.add("above", record.line, text=text[:100])
    if shape.headings > 1:
        longest = max(shape.names, key=len)
        line = first[shape.first - 1].line
        notes.add("headings", line, count=shape.headings, text=longest)


def _without_totals(
    bench: Bench,
    whole: str,
    shape: Layout,
    first: Sequence[FileRow],
    delimiter: str | None,
    cells: SheetCells,
    notes: Notes,
) -> tuple[str, list[Fit], list[Kind]]:
    """The rows of data, and how their columns are read.

    What a totals row has in its first cell must not decide what the column is: rows that may be
    one are left aside while the columns are read, and come back where their numbers disagree.
    """

    def read(without: Collection[int]) -> tuple[str, list[Fit], list[Kind]]:
        lines = sorted(without)
        relation = whole
        if lines:
            # A list, not `IN`: DuckDB makes a join of that, and rows would lose their order.
            relation = f"(SELECT * FROM {whole} WHERE NOT list_contains({lines}, line))"  # noqa: S608
        kept = [*first[: shape.first]]
        kept += [record for record in first[shape.first :] if record.line not in without]
        sample = _fits_of_sample(bench, kept, shape)
        found = fitting.fits_of_whole(bench.db, relation, sample, delimiter)
        found = [
            fit.without(kinds.POINT_GROUPS) if position in cells.decimals else fit
            for position, fit in enumerate(found)
        ]
        return relation, found, fitting.choose(found, delimiter)

    candidates = totals.candidates(bench.db, whole, shape.width)
    answer = read({each.line for each in candidates})
    if not candidates:
        return answer
    left_out = totals.confirmed(bench.db, whole, candidates, answer[2])
    for each in candidates:
        text = each.shown[:60]
        if each in left_out:
            notes.add("totals", each.line, text=text)
        elif each.sure:
            notes.add("totals_kept", each.line, text=text)
    return answer if left_out == candidates else read({each.line for each in left_out})


def _create(
    bench: Bench,
    table: str,
    shape: Layout,
    chosen: Sequence[Kind],
    relation: str,
    leave_out: Iterable[int] = (),
    *,
    checked: bool = False,
) -> None:
    """`checked`: the kinds were guessed, and a cell of another kind stops the query."""
    left_out = set(leave_out)
    columns = ", ".join(
        f"{kind.convert(f'c{i}') if checked else kind.value(f'c{i}')} AS {quoted(name)}"
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
) -> FinishedTable:
    gone = set(left_out)
    columns = tuple(
        Column(name, kind.family)
        for i, (name, kind) in enumerate(zip(shape.names, chosen, strict=True))
        if i not in gone
    )
    (rows,) = bench.db.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone() or (0,)  # noqa: S608
    if rows > bench.limits.rows:
        raise DataProblem("too_many_rows", name=bench.name, limit=bench.limits.rows)
    return FinishedTable(table, columns, rows, notes, rejected)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
