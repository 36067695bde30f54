"""Formulas of a workbook that no program has calculated yet.

A library that writes a workbook may put formulas into it and no values: a reader of values sees
empty cells. They are found in the sheet's own text, piece by piece.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

_PIECE = 4 << 20
_LONGEST = 1 << 20
"""Bytes of one cell that are looked at together."""
_MAX_LISTING = 16 << 20
_CELL = re.compile(
    rb"<(?:\w+:)?c\b([^<>]*)>\s*<(?:\w+:)?f\b[^<>]*?(?:/>|>([^<]*)</(?:\w+:)?f>)\s*"
    rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
"""A cell with a formula and nothing, or nothing but an empty value, after it."""
_PLACE = re.compile(rb"""\br=["']([A-Z]{1,3})(\d+)["']""")


@dataclass
class Tally:
    """Cells of one column that have something in common: how many, and one of them."""

    count: int
    text: str


def uncalculated(source: Path, sheet: str) -> dict[int, Tally]:
    """The formulas of a sheet that have no kept value, by their column, counted from zero."""
    found: dict[int, Tally] = {}
    with zipfile.ZipFile(source) as package:
        part = part_of(package, sheet)
        for cell in cells_like(_CELL, package, part) if part is not None else ():
            if place := _PLACE.search(cell[1]):
                where = (place[1] + place[2]).decode()
                text = (cell[2] or b"").decode("utf-8", "replace")
                one = f"{where} ={text}"[:80] if text else where
                found.setdefault(_number(place[1]), Tally(0, one)).count += 1
    return found


def column_of(attributes: bytes) -> int | None:
    """The column of a cell, counted from zero."""
    place = _PLACE.search(attributes)
    return None if place is None else _number(place[1])


def part_of(package: zipfile.ZipFile, sheet: str) -> str | None:
    """Where the package keeps a sheet."""
    names = {name.lower(): name for name in package.namelist()}
    listing = names.get("xl/workbook.xml")
    relations = names.get("xl/_rels/workbook.xml.rels")
    if listing is None or relations is None:
        return None
    id = next((at[1] for at in _sheets(package, listing) if at[0] == sheet), None)
    for each in parsed(package, relations):
        if each.get("Id") == id and id is not None:
            target = str(each.get("Target", ""))
            place = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            return names.get(str(PurePosixPath(place)).lower())
    return None


def _sheets(package: zipfile.ZipFile, listing: str) -> Iterator[tuple[str | None, str | None]]:
    for each in parsed(package, listing).iter():
        if each.tag.rpartition("}")[2] == "sheet":
            ids = (value for key, value in each.attrib.items() if key.endswith("}id"))
            yield each.get("name"), next(ids, None)


def parsed(package: zipfile.ZipFile, part: str) -> ElementTree.Element:
    """A small part of the package: its listings and its styles."""
    with package.open(part) as stream:
        # A listing of sheets is small; what is not is none.
        return ElementTree.fromstring(stream.read(_MAX_LISTING))  # noqa: S314 - expat bounds entities


def cells_like(
    pattern: re.Pattern[bytes], package: zipfile.ZipFile, part: str
) -> Iterator[re.Match[bytes]]:
    """The cells of a sheet that look like this, piece by piece."""
    held = b""
    with package.open(part) as stream:
        while piece := stream.read(_PIECE):
            held += piece
            yield from pattern.finditer(held)
            # A cell may go on in the next piece: what comes after the last whole one is kept.
            whole = max(held.rfind(b"</c>"), held.rfind(b":c>"))
            held = held[whole + 1 :][-_LONGEST:]


def _number(letters: bytes) -> int:
    total = 0
    for letter in letters:
        total = total * 26 + letter - 64
    return total - 1
