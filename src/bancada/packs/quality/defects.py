"""The defect log, resident: read once per version of its file, counted from memory.

The CSV is the source. Each version of it becomes a DuckDB file of its own, for queries written
by a model, and a cube, for the tools.
"""

from __future__ import annotations

import asyncio
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

READ = "CREATE TABLE defeitos AS SELECT * FROM read_csv(?, header = true, encoding = ?)"

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
            if not path.is_file():
                self._make(path)
        return path

    def _version(self) -> FileVersion:
        try:
            found = self.source.stat()
        except OSError as error:
            raise ToolFailed(
                f"O registo de defeitos ({self.source.name}) não está disponível."
            ) from error
        return FileVersion(found.st_mtime_ns, found.st_size, found.st_ino)

    def _path(self, version: FileVersion) -> Path:
        return (
            self.folder / f"defeitos-{version.modified:x}-{version.size:x}-{version.inode:x}.duckdb"
        )

    def _current(self) -> Cube:
        with self._lock:
            version = self._version()
            path = self._path(version)
            if self._loaded is None or self._loaded[0] != version or not path.is_file():
                self._loaded = (version, self._load(path))
            return self._loaded[1]

    def _load(self, path: Path) -> Cube:
        if path.is_file():
            try:
                return cube_in(path)
            except duckdb.Error:
                log.warning("%s is damaged and is made again", path)
        self._make(path)
        return cube_in(path)

    def _make(self, path: Path) -> None:
        """Write the file under another name, put it in place when whole, drop the oldest."""
        draft = self.folder / f".{uuid.uuid4().hex}.duckdb"
        try:
            with duckdb.connect(str(draft)) as database:
                try:
                    database.execute(READ, [str(self.source), "utf-8"])
                except duckdb.InvalidInputException:
                    # Older spreadsheet programs save in the encoding of Western Europe.
                    database.execute(READ, [str(self.source), "latin-1"])
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


FindLog: TypeAlias = Callable[[ToolContext], Defects]
"""The log of whoever asks; `ToolFailed` where their organisation has none."""
