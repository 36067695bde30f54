"""Where the table is on the page: what stands above it, its heading, how wide it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bancada.data.csvfile import Record
from bancada.data.names import column_names

_DATA_LIKE = re.compile(
    r"""^(?: [+-]?[\d.,\u00a0\u202f' ]*\d[\d.,]*(?:[eE][+-]?\d+)?%?     # a number
        | \d{4}[-/]\d{1,2}[-/]\d{1,2}.* | \d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}.*   # a date
        | \d{1,2}:\d{2}.*                                            # a time
        | true | false | verdadeiro | falso | sim | n[aã]o | yes | no )$""",
    re.IGNORECASE | re.VERBOSE,
)
_YEAR = re.compile(r"^(?:19|20|21)\d\d$")
_Row: TypeAlias = tuple[int, list[str]]
_LOOK = 20
"""Rows looked at for a heading."""


@dataclass(frozen=True)
class Layout:
    """The shape of a table within its records."""

    names: list[str]
    unnamed: frozenset[int]
    """Columns without a heading of their own: dropped when they hold nothing at all."""
    first: int
    """Index of the first record of data."""
    above: tuple[Record, ...] = ()
    """Text found above the heading."""

    @property
    def width(self) -> int:
        return len(self.names)


def find(records: Sequence[Record]) -> Layout | None:
    """The layout of a table whose first records are these; none if they hold nothing."""
    filled = [
        (index, _trimmed(record.cells))
        for index, record in enumerate(records)
        if any(cell.strip() for cell in record.cells)
    ]
    if not filled:
        return None
    width = _usual_width(filled, records)
    start = _first_of_table(filled, width)
    above = tuple(records[index] for index, _ in filled[:start])
    index, cells = filled[start]
    below = [row for _, row in filled[start + 1 : start + 1 + _LOOK]]
    if _is_heading(cells, below):
        headings = cells + [""] * (max(width, len(cells)) - len(cells))
        first = index + 1
    else:
        headings = [""] * max(width, len(cells))
        first = index
    return Layout(
        names=column_names(headings),
        unnamed=frozenset(i for i, text in enumerate(headings) if not text.strip()),
        first=first,
        above=above,
    )


def _trimmed(cells: Sequence[str]) -> list[str]:
    """Cells without the empty ones at the end: a trailing separator adds no column."""
    kept = [cell.strip() for cell in cells]
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _usual_width(filled: Sequence[_Row], records: Sequence[Record]) -> int:
    """The number of cells that most rows are written with; the earliest wins a tie."""
    return Counter(len(records[index].cells) for index, _ in filled).most_common(1)[0][0]


def _first_of_table(filled: Sequence[_Row], width: int) -> int:
    """Skip titles: words in one or two cells, above a table that has more columns."""
    broad = max((len(cells) for _, cells in filled if len(cells) <= width), default=width)
    if broad == 2:
        return _below_titles(filled)
    if broad < 3:
        return 0
    for position, (_, cells) in enumerate(filled[:_LOOK]):
        texts = [cell for cell in cells if cell]
        if len(texts) > max(1, broad // 3) or any(map(_DATA_LIKE.match, texts)):
            return position
    return 0


def _below_titles(filled: Sequence[_Row]) -> int:
    """In a table of two columns one word alone may be a heading: it is a title only above two
    words, with values below them.
    """
    rows = [[cell for cell in cells if cell] for _, cells in filled[:_LOOK]]
    alone = next((place for place, texts in enumerate(rows) if len(texts) != 1), 0)
    if not alone or any(_DATA_LIKE.match(texts[0]) for texts in rows[:alone]):
        return 0
    named = not any(map(_DATA_LIKE.match, rows[alone]))
    values = any(_DATA_LIKE.match(cell) for texts in rows[alone + 1 :] for cell in texts)
    return alone if named and values else 0


def _is_heading(cells: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a row names columns rather than being the first row of data."""
    like_data = [cell for cell in cells if cell and _DATA_LIKE.match(cell)]
    if not like_data:
        return True
    # Years across the top of a table are names, unless the rows below hold years too.
    years = len(set(like_data)) == len(like_data) and all(map(_YEAR.match, like_data))
    named = len(like_data) < len([cell for cell in cells if cell])
    columns = [index for index, cell in enumerate(cells) if cell and _DATA_LIKE.match(cell)]
    also_below = any(
        index < len(row) and _YEAR.match(row[index]) for row in below for index in columns
    )
    return years and named and bool(below) and not also_below
