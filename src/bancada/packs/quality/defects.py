"""The defect log, resident: read once per version of its file or files, counted from memory.

A CSV is the source, or a folder of them. Each version of it becomes a DuckDB file of its own, for queries written
by a model, and a cube, for the tools.
"""

from __future__ import annotations

import asyncio
import codecs
import hashlib
import logging
import threading
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

import duckdb

from bancada import ToolContext, ToolFailed
from bancada.packs.quality.cube import Cube, cube_in

log = logging.getLogger(__name__)

READ = "SELECT * FROM read_csv(?, header = true, encoding = ?, union_by_name = true)"
ENCODINGS = ("utf-8", "latin-1")
"""As files are saved today, and as older spreadsheet programs save them in Western Europe."""
TRIES = 3
"""Readings of a log that changes while it is read."""

T = TypeVar("T")


class FileVersion(NamedTuple):
    """Which contents a file has, as far as can be told without reading it."""

    modified: int
    size: int
    inode: int


class Defects:
    """The log in `source`; its DuckDB files are kept in `folder`."""

    IN_PLACE = 100_000
    """Cells that are counted on the event loop; more go to a thread."""
    KEPT = 3
    """Versions whose files stay: a query that was given one may not have opened it yet."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.source = source
        self.folder = folder
        # Questions come from several threads; each would make the same file, over one another.
        self._lock = threading.Lock()
        self._loaded: tuple[FileVersion, Cube] | None = None

    async def ask(self, question: Callable[[Cube], T]) -> T:
        """Put a question to the log as the file is now."""
        loaded = self._loaded
        if loaded is None or loaded[0] != self._version():
            cube = await asyncio.to_thread(self._current)
        else:
            cube = loaded[1]
        if len(cube.counts) <= self.IN_PLACE:
            return question(cube)
        return await asyncio.to_thread(question, cube)

    def table(self) -> Path:
        """The DuckDB file of the log as it is now, made where it is missing.

        Another version has another name: whoever has a file open never sees it change.
        """
        with self._lock:
            path = self._path(self._version())
            return path if path.is_file() else self._made()[1]

    def _version(self) -> FileVersion:
        """Of a folder, all its files count: one that comes, goes or changes makes another."""
        try:
            if not self.source.is_dir():
                found = self.source.stat()
                return FileVersion(found.st_mtime_ns, found.st_size, found.st_ino)
            each = [(file.name, file.stat()) for file in self._files()]
        except OSError as error:
            raise ToolFailed(
                f"O registo de defeitos ({self.source.name}) não está disponível."
            ) from error
        told = repr([(name, one.st_mtime_ns, one.st_size, one.st_ino) for name, one in each])
        return FileVersion(
            max(one.st_mtime_ns for _, one in each),
            sum(one.st_size for _, one in each),
            int(hashlib.sha256(told.encode()).hexdigest()[:15], 16),
        )

    def _files(self) -> list[Path]:
        if not self.source.is_dir():
            return [self.source]
        found = sorted(
            file
            for file in self.source.iterdir()
            if file.suffix.lower() == ".csv" and not file.name.startswith(".") and file.is_file()
        )
        if not found:
            raise ToolFailed(f"A pasta do registo de defeitos ({self.source.name}) não tem CSV.")
        return found

    def _path(self, version: FileVersion) -> Path:
        return (
            self.folder / f"defeitos-{version.modified:x}-{version.size:x}-{version.inode:x}.duckdb"
        )

    def _current(self) -> Cube:
        with self._lock:
            version = self._version()
            path = self._path(version)
            if self._loaded is None or self._loaded[0] != version or not path.is_file():
                self._loaded = self._load(version, path)
            return self._loaded[1]

    def _load(self, version: FileVersion, path: Path) -> tuple[FileVersion, Cube]:
        if path.is_file():
            try:
                return version, cube_in(path)
            except duckdb.Error:
                log.warning("%s is damaged and is made again", path)
        version, path = self._made()
        return version, cube_in(path)

    def _made(self) -> tuple[FileVersion, Path]:
        """The file of the log as it is. Whoever writes it races with us: what was read is of a version
        only if that is still the log's afterwards."""
        for _ in range(TRIES):
            version = self._version()
            path = self._path(version)
            self._make(path)
            if self._version() == version:
                return version, path
            path.unlink(missing_ok=True)
        raise ToolFailed(
            f"O registo de defeitos ({self.source.name}) está a ser escrito: tente de novo."
        )

    def _make(self, path: Path) -> None:
        """Write the file under another name, put it in place when whole, drop the oldest."""
        draft = self.folder / f".{uuid.uuid4().hex}.duckdb"
        try:
            with duckdb.connect(str(draft)) as database:
                by_encoding: dict[str, list[str]] = {}
                for file in self._files():
                    by_encoding.setdefault(_encoding(file), []).append(str(file))
                together = " UNION ALL BY NAME ".join([READ] * len(by_encoding))
                given = [
                    each for encoding, files in by_encoding.items() for each in (files, encoding)
                ]
                database.execute(f"CREATE TABLE defeitos AS {together}", given)
            draft.replace(path)
        except duckdb.Error as error:
            reason = " ".join(str(error).split())[:200]
            raise ToolFailed(
                f"O registo de defeitos ({self.source.name}) não pôde ser lido: {reason}"
            ) from error
        finally:
            draft.unlink(missing_ok=True)
        made = sorted(self.folder.glob("defeitos-*.duckdb"), key=lambda file: file.stat().st_mtime)
        for old in made[: -self.KEPT]:
            old.unlink(missing_ok=True)


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


FindLog: TypeAlias = Callable[[ToolContext], Defects]
"""The log of whoever asks; `ToolFailed` where their organisation has none."""
