"""A delimited text file, record by record, with the line each one starts on.

This is the careful reader. It never gives up on a row: a quote that is never closed, a stray
quote in the middle of a cell, a row too short or too long all come out as records that whoever
asked can judge. DuckDB's own reader is several times faster and is used where a file is clean.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from operator import methodcaller
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

MAX_LINE = 1_000_000
"""Characters in one record, over however many lines."""

_MAX_RECORD_LINES = 500
_MAX_OPEN_QUOTES = 50
"""After so many quotes that never close, quotes are ordinary characters."""

_DELIMITERS = ("\t", ";", "|", ",")
"""In order of preference: a decimal comma also cuts a line into even parts."""

_State: TypeAlias = Literal["closed", "open", "broken"]

NO_DELIMITER = "\x1f"
"""For a file of one column: a character that text does not hold."""

_SEP_LINE = re.compile(r"^\ufeff?\"?sep=(.)\"?\s*$", re.IGNORECASE)
SAMPLE_RECORDS = 5_000
_SAMPLE_CHARACTERS = 1_000_000

csv.field_size_limit(MAX_LINE)


class FileRow(NamedTuple):
    """One row as the file has it. A named tuple, because there are millions of them."""

    line: int
    cells: list[str]
    open_quote: bool = False
    """A quote in it is never closed properly; its line was read as plain text."""


@dataclass(frozen=True)
class Dialect:
    """How the cells of a file are set apart, and how many of its lines come before them."""

    delimiter: str
    skip: int = 0


def sniff(path: Path) -> Dialect:
    """Find the delimiter from the beginning of the file."""
    with path.open("r", encoding="utf-8-sig", newline=None, errors="replace") as file:
        text = file.read(_SAMPLE_CHARACTERS)
    lines = text.split("\n")
    if len(lines) > 1 and len(text) >= _SAMPLE_CHARACTERS:
        lines.pop()
    if lines and (said := _SEP_LINE.match(lines[0])):
        return Dialect(said[1], skip=1)
    ranked = [
        (rank, delimiter)
        for delimiter in _DELIMITERS
        if (rank := _rank(lines[:1_000], delimiter)) is not None
    ]
    return Dialect(max(ranked)[1] if ranked else NO_DELIMITER)


def _rank(lines: list[str], delimiter: str) -> tuple[bool, bool, int] | None:
    """How well a delimiter explains the lines: the heading agrees, most rows agree, preference."""
    widths = [len(record.cells) for record in records(iter(lines), delimiter) if any(record.cells)]
    if not widths:
        # Lines of nothing but this character: rows without content.
        return (False, False, -_DELIMITERS.index(delimiter))
    width, count = Counter(widths).most_common(1)[0]
    # One column of text with a comma here and there is one column.
    if width < 2 and widths[0] < 2:
        return None
    steady = count >= 0.7 * len(widths)
    return (widths[0] == width, steady, -_DELIMITERS.index(delimiter))


def sample(path: Path, dialect: Dialect) -> list[FileRow]:
    """The first records: enough to see the layout and guess the types."""
    found: list[FileRow] = []
    characters = 0
    for record in islice(read(path, dialect), SAMPLE_RECORDS):
        found.append(record)
        characters += sum(map(len, record.cells))
        if characters > _SAMPLE_CHARACTERS:
            break
    return found


def read(path: Path, dialect: Dialect) -> Iterator[FileRow]:
    """Every record of the file, which `textfile` has seen: no line of it is endless."""
    with path.open("r", encoding="utf-8-sig", newline=None) as file:
        lines = map(methodcaller("rstrip", "\n"), file)
        for _ in range(dialect.skip):
            next(lines, None)
        yield from records(lines, dialect.delimiter, first_line=dialect.skip + 1)


def records(lines: Iterator[str], delimiter: str, *, first_line: int = 1) -> Iterator[FileRow]:
    """Cut lines into records; a quoted cell may run over several lines."""
    number = first_line
    quotes = _MAX_OPEN_QUOTES
    returned: deque[str] = deque()
    while (line := returned.popleft() if returned else next(lines, None)) is not None:
        if '"' not in line or not quotes:
            yield FileRow(number, line.split(delimiter))
            number += 1
            continue
        parts = [line]
        if _complete(parts, returned, lines, delimiter):
            yield FileRow(number, _cells("\n".join(parts), delimiter))
            number += len(parts)
        else:
            quotes -= 1
            returned.extendleft(reversed(parts[1:]))
            yield FileRow(number, line.split(delimiter), open_quote=True)
            number += 1


def _complete(parts: list[str], returned: deque[str], lines: Iterator[str], delimiter: str) -> bool:
    """Add lines to a record until its quotes close; false if they never do."""
    size = len(parts[0])
    state = _quotes(parts[0], delimiter, "closed")
    while state == "open" and len(parts) < _MAX_RECORD_LINES and size < MAX_LINE:
        following = returned.popleft() if returned else next(lines, None)
        if following is None:
            break
        parts.append(following)
        size += len(following) + 1
        state = _quotes(following, delimiter, "open")
    return state == "closed"


def _quotes(line: str, delimiter: str, state: _State) -> _State:
    """Where the quotes stand at the end of a line.

    A quote opens a cell only where the cell begins (in `5" pipe` it is text), and closes it only
    where the cell ends; one in between, not doubled, means that an earlier quote is at fault.
    """
    at = -1
    while (at := line.find('"', at + 1)) != -1:
        if state == "closed":
            if _beside(line, at, -1) in ("", delimiter):
                state = "open"
        elif line.startswith('"', at + 1):
            at += 1
        elif _beside(line, at, +1) in ("", delimiter):
            state = "closed"
        else:
            return "broken"
    return state


def _beside(line: str, at: int, step: int) -> str:
    """The next character that is not a space, to the left or right; nothing at the line's end."""
    at += step
    while 0 <= at < len(line) and line[at] == " ":
        at += step
    return line[at] if 0 <= at < len(line) else ""


def _cells(text: str, delimiter: str) -> list[str]:
    """One whole record's cells."""
    lines = [part + "\n" for part in text.split("\n")]
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        return text.split(delimiter)
    return rows[0] if len(rows) == 1 else text.split(delimiter)
