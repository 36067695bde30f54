"""Numbers that a workbook only shows as percentages: 0.125 is kept, 12.5% is seen."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from bancada.data.formulas import Tally, cells_like, column_of, parsed, part_of

_STYLES = "xl/styles.xml"
_BUILT_IN = frozenset(("9", "10"))
"""The numbers of Excel's own formats `0%` and `0.00%`."""
_QUOTED = re.compile(r'"[^"]*"|\\.')
"""Text in a format: a sign in it is only written."""


def shown_as_percentages(source: Path, sheet: str) -> dict[int, Tally]:
    """How many numbers of a sheet are, by their column, counted from zero, and one as it is kept."""
    found: dict[int, Tally] = {}
    with zipfile.ZipFile(source) as package:
        part = part_of(package, sheet)
        styles = list(_percent_styles(package))
        if part is None or not styles:
            return found
        which = "|".join(map(str, styles))
        cell = re.compile(
            rf"""<(?:\w+:)?c\b(?=[^<>]*\ss=["'](?:{which})["'])(?![^<>]*\st=["'][^n])([^<>]*)>\s*"""
            r"(?:<(?:\w+:)?f\b[^<>]*?(?:/>|>[^<]*</(?:\w+:)?f>)\s*)?<(?:\w+:)?v>([^<]+)<".encode()
        )
        for match in cells_like(cell, package, part):
            column = column_of(match[1])
            if column is not None:
                kept = match[2].decode("ascii", "replace").strip()
                found.setdefault(column, Tally(0, kept)).count += 1
    return found


def _percent_styles(package: zipfile.ZipFile) -> Iterator[int]:
    """The numbers of the cell styles whose format ends in a percentage."""
    if _STYLES not in package.namelist():
        return
    percent = set(_BUILT_IN)
    for each in parsed(package, _STYLES).iter():
        match each.tag.rpartition("}")[2]:
            case "numFmt" if "%" in _QUOTED.sub("", each.get("formatCode", "")):
                percent.add(each.get("numFmtId", ""))
            case "cellXfs":
                for number, style in enumerate(each):
                    if style.get("numFmtId") in percent:
                        yield number
