"""A regular copy of irregular records: every row of one width, with the line it came from."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import duckdb

from bancada.data.csvfile import FileRow
from bancada.data.layout import Layout, looks_like_heading
from bancada.data.limits import IngestLimits
from bancada.data.names import quoted
from bancada.data.notes import Notes
from bancada.data.problems import DataProblem

MAX_RECORD = 4_000_000
"""Bytes of the longest row that DuckDB is told to expect; it sets aside a multiple to read it."""
_END = "\r\n"
_MAX_REMARKS = 20
"""Lines below a table that are held back until its end is known."""


def write(
    records: Iterable[FileRow],
    shape: Layout,
    path: Path,
    notes: Notes,
    aside: Aside | None,
    limits: IngestLimits,
    *,
    name: str,
) -> int:
    """Write the rows below the heading and return how many there are.

    A short row is filled up, a long one is put aside; both are noted. Rows without any text
    are no rows, and neither is a remark below the table.
    """
    width, rows = shape.width, 0
    with path.open("w", encoding="utf-8", newline="") as file:
        write_row = csv.writer(file, lineterminator="\n").writerow
        for record, cells in _rows(islice(records, shape.first, None), width, notes):
            if record.open_quote:
                notes.add("open_quote", record.line)
            if len(cells) < width:
                notes.add("short_row", record.line, found=len(cells), expected=width)
                cells += [""] * (width - len(cells))
            elif len(cells) > width:
                if any(cells[width:]):
                    if aside is not None:
                        aside.add(record, width, notes)
                    continue
                cells = cells[:width]
            rows += 1
            if rows > limits.rows:
                raise DataProblem("too_many_rows", name=name, limit=limits.rows)
            write_row([*cells, record.line])
    return rows


def _rows(
    records: Iterable[FileRow], width: int, notes: Notes
) -> Iterator[tuple[FileRow, list[str]]]:
    """The rows that hold something.

    After an empty row a cell alone may be a remark, which it is when nothing else follows; and
    words over values are the heading of another table.
    """
    gap, held, any_yet = False, list[tuple[FileRow, list[str]]](), False
    heading: tuple[FileRow, list[str]] | None = None
    for record in records:
        cells = list(map(str.strip, record.cells))
        if not any(cells):
            gap = any_yet and width > 1
            continue
        if heading is not None:
            if looks_like_heading(heading[1], cells):
                notes.add("other_table", heading[0].line, text=" ".join(heading[1])[:100])
            heading = None
        if gap:
            filled = len(cells) - cells.count("")
            if filled == 1 and len(held) < _MAX_REMARKS:
                held.append((record, cells))
                continue
            heading = (record, cells) if filled > 1 else None
            gap = False
        yield from held
        held.clear()
        yield record, cells
        any_yet = True
    for record, cells in held:
        notes.add("below", record.line, text="".join(cells)[:100])


class Aside:
    """Rows with more cells than the table has columns, in a table of their own, as they were."""

    def __init__(self, table: str, path: Path) -> None:
        self.table = table
        self.count = 0
        self._file = path

    def add(self, record: FileRow, width: int, notes: Notes) -> None:
        self.count += 1
        found = len(record.cells)
        notes.add("long_row", record.line, found=found, expected=width, table=self.table)
        with self._file.open("a", encoding="utf-8", newline="") as file:
            file.write(csv_line([record.line, found, csv_line(record.cells)]) + "\n")

    def keep(self, db: duckdb.DuckDBPyConnection) -> None:
        """Make the table `line, cells, text`."""
        db.execute(
            f"CREATE TABLE {quoted(self.table)} AS SELECT * FROM read_csv('{self._file.name}', "  # noqa: S608
            "auto_detect = false, header = false, delim = ',', quote = '\"', escape = '\"', "
            "columns = {'line': 'BIGINT', 'cells': 'BIGINT', 'text': 'VARCHAR'}, "
            f"max_line_size = {MAX_RECORD})"
        )
        self._file.unlink()


def csv_line(cells: Sequence[object]) -> str:
    """Cells as one line of CSV, without its end."""
    parts = _Parts()
    # The writer quotes a line end within a cell only if it is one of its own line ends.
    csv.writer(parts, lineterminator=_END).writerow(cells)
    return "".join(parts).removesuffix(_END)


class _Parts(list[str]):
    """What `csv.writer` writes to."""

    def write(self, text: str) -> None:
        self.append(text)
