"""Where the table is on the page: what stands above it, its heading, how wide it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from bancada.data.csvfile import FileRow
from bancada.data.kinds import is_missing_word
from bancada.data.names import column_names

_DATA_LIKE = re.compile(
    r"""^(?: [+-]?[\d.,\u00a0\u202f' ]*\d[\d.,]*(?:[eE][+-]?\d+)?\ ?%?  # a number
        | [+-]?\ ?(?:R?\$|[€£])\ ?[+-]?\d[\d.,\u00a0\u202f ]* | [+-]?\d[\d.,\u00a0\u202f ]*(?:R?\$|[€£])
        | \d{4}[-/]\d{1,2}[-/]\d{1,2}.* | \d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}.*   # a date
        | \d{1,2}:\d{2}.*                                            # a time
        | true | false | verdadeiro | falso | sim | n[aã]o | yes | no )$""",
    re.IGNORECASE | re.VERBOSE,
)
_YEAR = re.compile(r"^(?:19|20|21)\d\d$")
_Row: TypeAlias = tuple[int, list[str]]
_LOOK = 20
"""Rows looked at for a heading."""
_MAX_HEADINGS = 3
Spans: TypeAlias = Mapping[int, Sequence[tuple[int, int]]]
_NO_SPANS: Spans = MappingProxyType({})


@dataclass(frozen=True)
class Layout:
    """The shape of a table within its records."""

    names: list[str]
    unnamed: frozenset[int]
    """Columns without a heading of their own: dropped when they hold nothing at all."""
    first: int
    """Index of the first record of data."""
    above: tuple[FileRow, ...] = ()
    """Text found above the heading."""
    headings: int = 1
    """Rows that the heading takes."""

    @property
    def width(self) -> int:
        return len(self.names)


def find(records: Sequence[FileRow], spans: Spans = _NO_SPANS) -> Layout | None:
    """The layout of a table whose first records are these; none if they hold nothing.

    `spans` are cells merged within a row, by its line: a heading over several columns.
    """
    filled = [
        (index, _trimmed(record.cells))
        for index, record in enumerate(records)
        if any(cell.strip() for cell in record.cells)
    ]
    if not filled:
        return None
    width = Counter(len(records[index].cells) for index, _ in filled).most_common(1)[0][0]
    start = _first_of_table(filled, width)
    index, cells = filled[start]
    below = [row for _, row in filled[start + 1 : start + 1 + _LOOK]]
    if not _is_heading(cells, below):
        headings, rows, first = [""] * max(width, len(cells)), 0, index
    else:
        top = _grouping(filled, records, start, spans)
        rows = 1 + _more_headings(filled, start)
        taken = filled[top : start + rows]
        width = max(width, *(len(row) for _, row in taken))
        headings = _joined([(records[at].line, row) for at, row in taken], width, spans)
        first, start, rows = taken[-1][0] + 1, top, len(taken)
    return Layout(
        names=column_names(headings),
        unnamed=frozenset(i for i, text in enumerate(headings) if not text.strip()),
        first=first,
        above=tuple(records[at] for at, _ in filled[:start]),
        headings=rows,
    )


def _grouping(filled: Sequence[_Row], records: Sequence[FileRow], start: int, spans: Spans) -> int:
    """Where the heading begins: the row above it may name groups of columns."""
    if start == 0 or filled[start - 1][0] != filled[start][0] - 1:
        return start
    index, cells = filled[start - 1]
    texts = [cell for cell in cells if cell]
    width = len(filled[start][1])
    if any(map(_DATA_LIKE.match, texts)):
        return start
    merged = [right - left + 1 for left, right in spans.get(records[index].line, ())]
    if len(texts) > 1 or any(1 < span < 0.8 * width for span in merged):
        return start - 1
    return start


def _more_headings(filled: Sequence[_Row], start: int) -> int:
    """How many rows below the heading go on with it: words over columns of values."""
    for extra in range(_MAX_HEADINGS - 1):
        here, following = start + extra, start + extra + 1
        rows = [row for _, row in filled[following + 1 : following + 1 + _LOOK]]
        if following >= len(filled) or not _goes_on(filled[here][1], filled[following][1], rows):
            return extra
    return _MAX_HEADINGS - 1


def _goes_on(above: Sequence[str], cells: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a row below a heading is a second row of it, and not the first of the data."""
    words = [index for index, cell in enumerate(cells) if cell and _at(above, index) != cell]
    if any(_DATA_LIKE.match(cells[index]) or is_missing_word(cells[index]) for index in words):
        return False
    valued = {index for index in words if _holds_values(index, below)}
    # In a column of words it can only be a heading where the one above leaves it open.
    open_ = {index for index in words if not _at(above, index)}
    grouped = {i for i in words if _at(above, i) and i + 1 < len(cells) and not _at(above, i + 1)}
    # One word over one column of values may be a slip in the first row of data.
    gaps = any(cell and not _at(cells, index) for index, cell in enumerate(above))
    sure = bool(open_ or grouped or gaps or len(valued) > 1)
    return sure and bool(valued) and words == sorted(valued | open_ | grouped)


def _holds_values(index: int, rows: Sequence[Sequence[str]]) -> bool:
    found = [cell for row in rows if (cell := _at(row, index)) and not is_missing_word(cell)]
    return bool(found) and sum(1 for cell in found if _DATA_LIKE.match(cell)) >= 0.8 * len(found)


def _joined(rows: Sequence[tuple[int, list[str]]], width: int, spans: Spans) -> list[str]:
    """One heading a column out of one or several rows of them."""
    parts: list[list[str]] = [[] for _ in range(width)]
    for place, (line, cells) in enumerate(rows):
        below = rows[place + 1 :]
        merged = {i: left for left, right in spans.get(line, ()) for i in range(left, right + 1)}
        group = ""
        for index in range(width):
            text = _at(cells, index)
            group = text or group
            if not text and below and any(_at(row, index) for _, row in below):
                # Without merged cells the group goes on until the next one begins.
                text = _at(cells, merged[index]) if index in merged else "" if merged else group
            if text and text not in parts[index]:
                parts[index].append(text)
    return [" ".join(texts) for texts in parts]


def _at(cells: Sequence[str], index: int) -> str:
    return cells[index] if index < len(cells) else ""


def _trimmed(cells: Sequence[str]) -> list[str]:
    """Cells without the empty ones at the end: a trailing separator adds no column."""
    kept = [cell.strip() for cell in cells]
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _first_of_table(filled: Sequence[_Row], width: int) -> int:
    """Skip titles: words in one or two cells, above a table that has more columns."""
    broad = max((len(cells) for _, cells in filled if len(cells) <= width), default=width)
    if broad == 2:
        return _below_titles(filled)
    if broad < 3:
        return 0
    for position, (_, cells) in enumerate(filled[:_LOOK]):
        texts = [cell for cell in cells if cell]
        begun = len(texts) > max(1, broad // 3) or any(map(_DATA_LIKE.match, texts))
        if begun and not _above_heading(filled, position, broad):
            return position
    return 0


def _above_heading(filled: Sequence[_Row], position: int, broad: int) -> bool:
    """Whether a row, and those after it, leave most cells empty until one names every column.

    A title may have a date or a shift beside it.
    """
    rows = [[cell for cell in cells if cell] for _, cells in filled[position:_LOOK]]
    wide = next((place for place, texts in enumerate(rows) if len(texts) > broad / 2), 0)
    if not wide or wide + 1 >= len(rows):
        return False
    named = len(rows[wide]) >= 0.8 * broad and not any(map(_DATA_LIKE.match, rows[wide]))
    return named and any(map(_DATA_LIKE.match, rows[wide + 1]))


def looks_like_heading(cells: Sequence[str], below: Sequence[str]) -> bool:
    """Whether words stand over a value."""
    return not any(map(_DATA_LIKE.match, filter(None, cells))) and any(
        _DATA_LIKE.match(value) for word, value in zip(cells, below, strict=False) if word and value
    )


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
