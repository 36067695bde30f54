"""The sheets of an .xlsx file as records, after a look at what the package claims to hold.

An .xlsx is a zip of XML. Its directory is read first: a password, an old format under a new
name, or a few kilobytes that unpack to gigabytes are told before anything is unpacked.
"""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import python_calamine

from bancada.data.csvfile import Record
from bancada.data.limits import IngestLimits
from bancada.data.problems import DataProblem, size_text

_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_MAX_PARTS = 10_000


@dataclass(frozen=True)
class Sheet:
    """One visible or hidden sheet of cells."""

    name: str
    height: int
    records: Iterator[Record]


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


def sheets(source: Path, *, name: str) -> Iterator[Sheet]:
    """The sheets of cells in the workbook's order, each read when its turn comes."""
    try:
        book = python_calamine.CalamineWorkbook.from_path(source)
        for about in book.sheets_metadata:
            if about.typ == python_calamine.SheetTypeEnum.WorkSheet:
                sheet = book.get_sheet_by_name(about.name)
                yield Sheet(about.name, sheet.total_height, _records(sheet))
    except python_calamine.PasswordError:
        raise DataProblem("encrypted", name=name) from None
    except (python_calamine.CalamineError, OSError, ValueError):
        raise DataProblem("corrupt", name=name) from None


def _records(sheet: python_calamine.CalamineSheet) -> Iterator[Record]:
    if sheet.start is None:
        return
    for number, row in enumerate(sheet.iter_rows(), start=1):
        yield Record(number, [_text(cell) for cell in row])


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
