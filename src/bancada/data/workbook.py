"""The sheets of an .xlsx file as records, after a look at what the package claims to hold.

An .xlsx is a zip of XML. Its directory is read first: a password, an old format under a new
name, or a few kilobytes that unpack to gigabytes are told before anything is unpacked.
"""

from __future__ import annotations

import datetime as dt
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import python_calamine

from bancada.data import formulas
from bancada.data.csvfile import FileRow
from bancada.data.formulas import Tally
from bancada.data.limits import IngestLimits
from bancada.data.percentages import shown_as_percentages
from bancada.data.problems import DataProblem, size_text

_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_MAX_PARTS = 10_000
_HEADING_ROWS = 4
_NUMERAL = re.compile(
    r"\s*[+-]?(?:R?\$|[€£])?\s*[+-]?\d[\d.,\s\u00a0\u202f]*(?:[eE][+-]\d+)?(?:R?\$|[%€£])?\s*"
)

_Range: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""Merged cells: the row and column of the first, and of the last."""


@dataclass(frozen=True)
class Sheet:
    """A sheet of cells, by its name."""

    name: str
    hidden: bool


@dataclass
class SheetCells:
    """The cells of a sheet as records, and what its records cannot say, known once they are read."""

    records: Iterator[FileRow] = field(default_factory=lambda: iter(()))
    spans: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """Cells merged within a row, by its number: the first column and the last."""
    decimals: set[int] = field(default_factory=set)
    """Columns with a number that has decimals: their points part no thousands."""
    numerals: dict[int, Tally] = field(default_factory=dict)
    """Columns with texts that look like numbers."""
    filled: list[tuple[int, int]] = field(default_factory=list)
    """Row and column of texts and dates that were given to every row they are merged over."""
    single: list[tuple[int, int]] = field(default_factory=list)
    """Row and column of numbers merged over several rows: they stay in the first."""
    uncalculated: dict[int, Tally] = field(default_factory=dict)
    """Columns with formulas that have no kept value."""
    percentages: dict[int, Tally] = field(default_factory=dict)
    """Columns with numbers that are shown times a hundred."""


def looks_like_workbook(source: Path) -> bool:
    with source.open("rb") as file:
        return file.read(4) == b"PK\x03\x04"


def check(source: Path, limits: IngestLimits, *, name: str) -> None:
    """Refuse what should not be opened at all."""
    with source.open("rb") as file:
        start = file.read(8)
        if not start:
            raise DataProblem("empty", name=name)
        if start == _OLD_OFFICE:
            # The directory of such a file names its streams in UTF-16, anywhere in it.
            code = "encrypted" if _contains(source, _ENCRYPTED) else "old_workbook"
            raise DataProblem(code, name=name)
    try:
        with zipfile.ZipFile(source) as package:
            parts = package.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise DataProblem("corrupt", name=name) from None
    if any(part.flag_bits & 0x1 for part in parts):
        raise DataProblem("encrypted", name=name)
    unpacked = sum(part.file_size for part in parts)
    if unpacked > limits.unpacked_bytes or len(parts) > _MAX_PARTS:
        raise DataProblem(
            "bomb",
            name=name,
            size=size_text(unpacked),
            limit=size_text(limits.unpacked_bytes),
        )
    if not any(part.filename.lower() == "xl/workbook.xml" for part in parts):
        raise DataProblem("corrupt", name=name)
    _check_claims(source, parts, limits, name)


def _check_claims(
    source: Path, parts: list[zipfile.ZipInfo], limits: IngestLimits, name: str
) -> None:
    """Unpack each part once, keeping nothing: the sizes in the directory may be lies."""
    total = 0
    try:
        with zipfile.ZipFile(source) as package:
            for part in parts:
                with package.open(part) as stream:
                    while piece := stream.read(1 << 20):
                        total += len(piece)
                        if total > limits.unpacked_bytes:
                            raise DataProblem(
                                "bomb",
                                name=name,
                                size=size_text(total),
                                limit=size_text(limits.unpacked_bytes),
                            )
    except DataProblem:
        raise
    except Exception:  # a damaged member: zlib, lzma, struct and zipfile each have their own error
        raise DataProblem("corrupt", name=name) from None


class Book:
    """An open workbook."""

    def __init__(self, source: Path, *, name: str) -> None:
        self._source = source
        self._name = name
        with self._told():
            self._book = python_calamine.CalamineWorkbook.from_path(source)
        self.sheets = [
            Sheet(about.name, about.visible != python_calamine.SheetVisibleEnum.Visible)
            for about in self._book.sheets_metadata
            if about.typ == python_calamine.SheetTypeEnum.WorkSheet
        ]

    def find(self, wanted: str) -> Sheet | None:
        """The sheet of that name, as written or but for its case."""
        loosely = wanted.strip().casefold()
        return next(
            (sheet for sheet in self.sheets if sheet.name == wanted),
            next((s for s in self.sheets if s.name.strip().casefold() == loosely), None),
        )

    def read(self, sheet: Sheet) -> SheetCells:
        with self._told():
            found = self._book.get_sheet_by_name(sheet.name)
            merged = found.merged_cell_ranges or []
        cells = SheetCells(
            uncalculated=formulas.uncalculated(self._source, sheet.name),
            percentages=shown_as_percentages(self._source, sheet.name),
        )
        for (top, left), (bottom, right) in merged:
            if right > left and bottom - top < _HEADING_ROWS:
                cells.spans.setdefault(top + 1, []).append((left, right))
        if found.start is not None:
            cells.records = self._records(found, cells, merged)
        return cells

    def _records(
        self, sheet: python_calamine.CalamineSheet, cells: SheetCells, merged: Sequence[_Range]
    ) -> Iterator[FileRow]:
        starts: dict[int, list[tuple[int, int]]] = {}
        for (top, left), (bottom, _) in merged:
            if bottom > top:
                starts.setdefault(top + 1, []).append((left, bottom + 1))
        open_: dict[int, tuple[int, str]] = {}
        with self._told():
            for number, row in enumerate(sheet.iter_rows(), start=1):
                texts = [_text(cell) for cell in row]
                _look(row, cells)
                if starts:
                    _fill_down(number, row, texts, starts.get(number, ()), open_, cells)
                yield FileRow(number, texts)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except python_calamine.PasswordError:
            raise DataProblem("encrypted", name=self._name) from None
        except (python_calamine.CalamineError, OSError, ValueError):
            raise DataProblem("corrupt", name=self._name) from None


def _look(row: Sequence[object], cells: SheetCells) -> None:
    """Remember which columns hold numbers with decimals, and which texts that look like numbers."""
    for position, cell in enumerate(row):
        if isinstance(cell, float):
            if not cell.is_integer():
                cells.decimals.add(position)
        elif isinstance(cell, str) and _NUMERAL.fullmatch(cell):
            kept = cells.numerals.setdefault(position, Tally(0, cell.strip()))
            kept.count += 1


def _fill_down(
    number: int,
    row: Sequence[object],
    texts: list[str],
    starts: Sequence[tuple[int, int]],
    open_: dict[int, tuple[int, str]],
    cells: SheetCells,
) -> None:
    """Give a merged text to each row that it covers. A number stays where it is: it counts once."""
    for column, (last, text) in list(open_.items()):
        if number > last:
            del open_[column]
        elif column < len(texts) and not texts[column]:
            texts[column] = text
    for column, last in starts:
        if column >= len(row) or not texts[column].strip():
            continue
        if isinstance(row[column], str | dt.date | dt.time):
            open_[column] = (last, texts[column])
            cells.filled.append((number, column))
        else:
            cells.single.append((number, column))


def _text(cell: object) -> str:
    """A cell as the table's reader expects it: ISO dates, decimal point, whole numbers whole."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, dt.datetime):
        midnight = (cell.hour, cell.minute, cell.second, cell.microsecond) == (0, 0, 0, 0)
        return cell.date().isoformat() if midnight else cell.isoformat(sep=" ")
    if isinstance(cell, dt.date | dt.time):
        return cell.isoformat()
    if isinstance(cell, dt.timedelta):
        return _duration(cell)
    return str(cell)


def _duration(length: dt.timedelta) -> str:
    """Hours and minutes, as the sheet shows them."""
    seconds = round(length.total_seconds())
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    return f"{sign}{seconds // 3600:02d}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"


def _contains(source: Path, needle: bytes) -> bool:
    tail = b""
    with source.open("rb") as file:
        while piece := file.read(1 << 20):
            if needle in tail + piece:
                return True
            tail = piece[-len(needle) :]
    return False
