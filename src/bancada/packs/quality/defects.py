"""The defect log, resident: read once per version of its source, counted from memory.

Each version of it becomes a DuckDB file of its own, for queries written by a model, and a cube, for
the tools.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import duckdb

from bancada import JSONObject, ToolFailed, table_version
from bancada.packs.quality.cube import Cube, cube_in
from bancada.packs.quality.sources import LogSource

log = logging.getLogger(__name__)

TRIES = 3
"""Readings of a log that changes while it is read."""

T = TypeVar("T")


@dataclass(frozen=True)
class LoadedLog:
    """One version of the log in memory, and what answers say of it."""

    version: str
    cube: Cube
    told: JSONObject


class Defects:
    """The log of `source`; its DuckDB files are kept in `folder`."""

    IN_PLACE = 100_000
    """Cells that are counted on the event loop; more go to a thread."""
    KEPT = 3
    """Versions whose files stay: a query that was given one may not have opened it yet."""

    def __init__(self, source: LogSource, folder: Path) -> None:
        self.source = source
        self.folder = folder
        # Questions come from several threads; each would make the same file, over one another.
        self._lock = threading.Lock()
        self._loaded: LoadedLog | None = None

    async def ask(self, question: Callable[[Cube], T]) -> tuple[T, JSONObject]:
        """Put a question to the log as it is now; which version of it answered comes too."""
        loaded = self._loaded
        if loaded is None or loaded.version != self.source.version():
            loaded = await asyncio.to_thread(self._current)
        if len(loaded.cube.counts) <= self.IN_PLACE:
            return question(loaded.cube), loaded.told
        return await asyncio.to_thread(question, loaded.cube), loaded.told

    def table(self) -> Path:
        """The DuckDB file of the log as it is now, made where it is missing.

        Another version has another name: whoever has a file open never sees it change.
        """
        with self._lock:
            path = self._path(self.source.version())
            return path if path.is_file() else self._made()[1]

    def has(self, version: str) -> bool:
        """Whether this version's file is there."""
        return self._path(version).is_file()

    def _path(self, version: str) -> Path:
        return self.folder / f"defeitos-{version}.duckdb"

    def _current(self) -> LoadedLog:
        with self._lock:
            version = self.source.version()
            path = self._path(version)
            if self._loaded is None or self._loaded.version != version or not path.is_file():
                self._loaded = self._load(version, path)
            return self._loaded

    def _load(self, version: str, path: Path) -> LoadedLog:
        if path.is_file():
            try:
                return LoadedLog(version, cube_in(path), table_version(path))
            except duckdb.Error:
                log.warning("%s is damaged and is made again", path)
        version, path = self._made()
        return LoadedLog(version, cube_in(path), table_version(path))

    def _made(self) -> tuple[str, Path]:
        """The file of the log as it is. Whoever writes it races with us: what was read is of a version
        only if that is still the log's afterwards."""
        for _ in range(TRIES):
            source = self.source
            version = source.version()
            path = self._path(version)
            self._make(source, path)
            if source.version() == version:
                return version, path
            path.unlink(missing_ok=True)
        raise ToolFailed(
            f"O registo de defeitos ({self.source.name}) está a ser escrito: tente de novo."
        )

    def _make(self, source: LogSource, path: Path) -> None:
        """Write the file under another name, put it in place when whole, drop the oldest."""
        draft = self.folder / f".{uuid.uuid4().hex}.duckdb"
        try:
            with duckdb.connect(str(draft)) as database:
                source.fill(database)
            draft.replace(path)
        except duckdb.Error as error:
            reason = " ".join(str(error).split())[:200]
            raise ToolFailed(
                f"O registo de defeitos ({source.name}) não pôde ser lido: {reason}"
            ) from error
        finally:
            draft.unlink(missing_ok=True)
        made = sorted(self.folder.glob("defeitos-*.duckdb"), key=lambda file: file.stat().st_mtime)
        for old in made[: -self.KEPT]:
            old.unlink(missing_ok=True)
