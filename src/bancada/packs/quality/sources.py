"""Where the defect log comes from: a CSV file, a folder of them, or a table of a database."""

from __future__ import annotations

import codecs
import hashlib
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import duckdb

from bancada import JSON, TableReading, ToolFailed

ENCODINGS = ("utf-8", "latin-1")
"""As files are saved today, and as older spreadsheet programs save them in Western Europe."""
_READ_FILES = "SELECT * FROM read_csv(?, header = true, encoding = ?, union_by_name = true)"
_TYPES = {
    "boolean": "BOOLEAN",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "date": "DATE",
    "datetime": "TIMESTAMP",
    "time": "VARCHAR",
    "text": "VARCHAR",
}


class LogSource(Protocol):
    """What a log is read from."""

    @property
    def name(self) -> str:
        """For sentences."""

    def version(self) -> str:
        """Which contents it has, as far as can be told without reading them all."""

    def fill(self, database: duckdb.DuckDBPyConnection) -> None:
        """Make the table `defeitos` of it."""


@dataclass(frozen=True)
class LogFiles:
    """A CSV file, or a folder of them."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.name

    def version(self) -> str:
        """Of a folder, all its files count: one that comes, goes or changes makes another."""
        try:
            each = [(file.name, file.stat()) for file in self._files()]
        except OSError as error:
            raise ToolFailed(f"O registo de defeitos ({self.name}) não está disponível.") from error
        newest = max(one.st_mtime_ns for _, one in each)
        size = sum(one.st_size for _, one in each)
        told = repr([(name, one.st_mtime_ns, one.st_size, one.st_ino) for name, one in each])
        return f"{newest:x}-{size:x}-{hashlib.sha256(told.encode()).hexdigest()[:15]}"

    def fill(self, database: duckdb.DuckDBPyConnection) -> None:
        by_encoding: dict[str, list[str]] = {}
        for file in self._files():
            by_encoding.setdefault(_encoding(file), []).append(str(file))
        together = " UNION ALL BY NAME ".join([_READ_FILES] * len(by_encoding))
        given = [each for encoding, files in by_encoding.items() for each in (files, encoding)]
        database.execute(f"CREATE TABLE defeitos AS {together}", given)

    def _files(self) -> list[Path]:
        if not self.path.is_dir():
            return [self.path]
        found = sorted(
            file
            for file in self.path.iterdir()
            if file.suffix.lower() == ".csv" and not file.name.startswith(".") and file.is_file()
        )
        if not found:
            raise ToolFailed(f"A pasta do registo de defeitos ({self.name}) não tem CSV.")
        return found


@dataclass(frozen=True)
class LogRows:
    """What was read of a table of the organisation's own database."""

    reading: TableReading
    written: bool = False
    """Whether its rows went into a file already, and are here no more."""

    @property
    def name(self) -> str:
        return str(self.reading.source["table"])

    def version(self) -> str:
        return self.reading.version

    def fill(self, database: duckdb.DuckDBPyConnection) -> None:
        if self.written:
            # An empty table in place of one whose file is gone would be a count of nought.
            raise ToolFailed("O registo de defeitos tem de ser lido de novo: repita a pergunta.")
        # Types are the database's own: a lot called 007 must not become a 7 by being guessed again.
        columns = {
            name: _TYPES[kind]
            for name, kind in zip(self.reading.columns, self.reading.kinds, strict=True)
        }
        described = ", ".join(f"{_quoted(name)} {type}" for name, type in columns.items())
        database.execute(f"CREATE TABLE defeitos ({described})")
        if not self.reading.rows:
            return
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as lines:
            for row in self.reading.rows:
                lines.write(_line(self.reading.columns, row))
            lines.flush()
            database.execute(
                "INSERT INTO defeitos BY NAME "
                "SELECT * FROM read_json(?, format = 'newline_delimited', columns = ?)",
                [lines.name, columns],
            )


def _line(columns: Sequence[str], row: Sequence[JSON]) -> str:
    return json.dumps(dict(zip(columns, row, strict=True))) + "\n"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _encoding(file: Path) -> str:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with file.open("rb") as content:
            while piece := content.read(1 << 20):
                decoder.decode(piece)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return ENCODINGS[1]
    except OSError as error:
        raise ToolFailed(f"O registo de defeitos ({file.name}) não pôde ser lido.") from error
    return ENCODINGS[0]
