"""Rows of a CSV or Parquet file, each with the line it came from."""

from __future__ import annotations

import csv
import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import duckdb

MOST_PROBLEMS = 20
"""An import stops looking for mistakes after this many."""

_RESERVED = frozenset({"_id", "_label", "_src", "_dst"})
"""What the graph engine calls its own columns."""

Row: TypeAlias = Sequence[str]
Synonyms: TypeAlias = Mapping[str, Sequence[str]]
"""A column we know by name, and what else people call it."""


class ImportFailed(Exception):
    """The files cannot become a graph; nothing was changed. Each problem names file and line."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class Problems:
    """Collects what is wrong, and gives up when it is too much."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def add(self, file: Path, line: int | None, what: str) -> None:
        place = file.name if line is None else f"{file.name}:{line}"
        self._found.append(f"{place}: {what}")
        if len(self._found) >= MOST_PROBLEMS:
            self._found.append(f"There may be more: stopped after {MOST_PROBLEMS} problems.")
            self.stop_if_any()

    def stop_if_any(self) -> None:
        if self._found:
            raise ImportFailed(self._found)


@dataclass(frozen=True)
class Header:
    """Where the known columns are, and what the other ones are called."""

    places: Mapping[str, int]
    others: Mapping[str, int]

    def cell(self, row: Row, column: str) -> str:
        place = self.places.get(column)
        return "" if place is None else row[place].strip()


@dataclass(frozen=True)
class RowFile:
    """An open file: its header, and its rows with their line numbers."""

    header: Header
    rows: Iterator[tuple[int, Row]]


def open_table(
    file: Path,
    synonyms: Synonyms,
    required: Sequence[str],
    problems: Problems,
    advance: Callable[[float], None],
) -> RowFile:
    """Open a file by its ending; `advance` hears how much of it has been read, from 0 to 1."""
    if not file.is_file():
        raise ImportFailed([f"{file}: there is no such file."])
    reader = {".csv": _csv, ".tsv": _csv, ".txt": _csv, ".parquet": _parquet}.get(
        file.suffix.lower()
    )
    if reader is None:
        raise ImportFailed([f"{file.name}: expected a .csv or .parquet file."])
    rows = reader(file, problems, advance)
    titles = next(rows, None)
    if titles is None:
        problems.stop_if_any()
        raise ImportFailed([f"{file.name}: the file is empty."])
    header = _header(file, titles[1], synonyms, required, problems)
    return RowFile(header, _even(file, rows, len(titles[1]), problems))


def _header(
    file: Path, titles: Row, synonyms: Synonyms, required: Sequence[str], problems: Problems
) -> Header:
    known = {other: name for name, others in synonyms.items() for other in (name, *others)}
    places: dict[str, int] = {}
    others: dict[str, int] = {}
    seen: dict[str, str] = {}
    for place, title in enumerate(title.strip() for title in titles):
        if not title:
            problems.add(file, 1, f"column {place + 1} has no name.")
        elif "`" in title or not title.isprintable() or title.casefold() in _RESERVED:
            problems.add(file, 1, f"column name {title!r} cannot be used.")
        elif title.casefold() in seen:
            problems.add(
                file, 1, f"columns {seen[title.casefold()]!r} and {title!r} have the same name."
            )
        seen[title.casefold()] = title
        name = known.get(title.casefold())
        if name is None:
            others[title] = place
        elif name in places:
            problems.add(file, 1, f"column {title!r} repeats the column {name!r}.")
        else:
            places[name] = place
    missing = [name for name in required if name not in places]
    if missing:
        problems.add(
            file,
            1,
            f"missing column{'s' if len(missing) > 1 else ''} {', '.join(missing)}; "
            f"found {', '.join(titles)}.",
        )
    for name in others.keys() & synonyms.keys():
        problems.add(file, 1, f"column {name!r} repeats another column.")
    problems.stop_if_any()
    return Header(places, others)


def _even(
    file: Path, rows: Iterator[tuple[int, Row]], width: int, problems: Problems
) -> Iterator[tuple[int, Row]]:
    """Only rows as wide as the header; the others are reported."""
    for line, row in rows:
        if len(row) == width:
            yield line, row
        else:
            problems.add(file, line, f"{len(row)} columns where the header has {width}.")


def _csv(
    file: Path, problems: Problems, advance: Callable[[float], None]
) -> Iterator[tuple[int, Row]]:
    lines = _lines(file, problems, advance)
    first = next(lines, None)
    if first is None:
        return
    separator = max(",;\t|", key=first.count)
    reader = csv.reader(chain([first], lines), delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.add(file, line, f"cannot be read as CSV ({error}).")
            continue
        if row:
            yield line, row


def _lines(file: Path, problems: Problems, advance: Callable[[float], None]) -> Iterator[str]:
    """Decoded lines; a line that is not UTF-8 is reported by its number."""
    size = file.stat().st_size or 1
    done = 0
    with file.open("rb") as source:
        for number, raw in enumerate(source, start=1):
            done += len(raw)
            if number % 20_000 == 0:
                advance(done / size)
            try:
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                problems.add(file, number, "is not UTF-8 text.")
                text = "\n"
            if "\0" in text:
                problems.add(file, number, "holds a NUL character.")
            yield text


def _parquet(
    file: Path, problems: Problems, advance: Callable[[float], None]
) -> Iterator[tuple[int, Row]]:
    """The header counts as line 1, so that row n stands on line n + 1, as in a CSV."""
    with duckdb.connect() as db:
        try:
            total = _only_number(db.execute("SELECT count(*) FROM read_parquet(?)", [str(file)]))
            found = db.execute("SELECT * FROM read_parquet(?)", [str(file)])
        except duckdb.Error as error:
            problems.add(file, None, f"cannot be read as Parquet ({str(error).splitlines()[0]}).")
            return
        yield 1, [str(column[0]) for column in found.description or ()]
        line = 1
        while batch := found.fetchmany(10_000):
            for row in batch:
                line += 1
                cells = [_text(value) for value in row]
                if any("\0" in cell for cell in cells):
                    problems.add(file, line, "holds a NUL character.")
                yield line, cells
            advance((line - 1) / (total or 1))


def _only_number(found: duckdb.DuckDBPyConnection) -> int:
    row = found.fetchone()
    return int(row[0]) if row else 0


def _text(value: Any) -> str:
    """A Parquet value as a CSV would write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.date | datetime.datetime):
        return value.isoformat()
    return str(value)
