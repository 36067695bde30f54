"""Files that code leaves behind, read out at the end of a cell.

Where the container has a folder of its own, anything saved there comes back. Where it has none
(no size-capped folder can be made without mounting one), `open` keeps what is written in memory.
"""

from __future__ import annotations

import base64
import builtins
import io
import os
import stat
import sys
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

from bancada.sandbox.sandbox import Limits

Send = Callable[[dict[str, Any]], None]
_SEEN_AT_MOST = 2_000


class _Offer:
    """Sends files until a bound is reached, and remembers what had to stay."""

    def __init__(self, limits: Limits, send: Send) -> None:
        self._limits = limits
        self._send = send
        self._files = 0
        self._bytes = 0
        self.refused = ""

    def file(self, name: str, size: int, read: Callable[[], bytes]) -> None:
        limits = self._limits
        if self._files >= limits.output_files:
            self._refuse(name, f"more than {limits.output_files} files")
        elif size > limits.output_file_bytes:
            self._refuse(name, f"larger than {limits.output_file_bytes >> 20} MB")
        elif self._bytes + size > limits.output_total_bytes:
            self._refuse(name, f"more than {limits.output_total_bytes >> 20} MB in all")
        else:
            content = read()[: limits.output_file_bytes]
            self._files += 1
            self._bytes += len(content)
            self._send({"file": name, "data": base64.b64encode(content).decode()})

    def _refuse(self, name: str, why: str) -> None:
        if len(self.refused) < 500:
            self.refused += f"{name[:100]} was not kept: {why}.\n"


class Outputs:
    """The output folder on the container's own disk."""

    def __init__(self, folder: str, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._sent: dict[str, tuple[int, int, int]] = {}

    def collect(self, send: Send) -> str:
        """Send what is new or changed; the sentences about what was not kept."""
        offer = _Offer(self._limits, send)
        for path, found in self._regular_files():
            mark = (found.st_ino, found.st_mtime_ns, found.st_size)
            name = os.path.relpath(path, self._folder)
            if self._sent.get(name) == mark:
                continue
            self._sent[name] = mark
            try:
                offer.file(name, found.st_size, lambda path=path: _read(path))  # type: ignore[misc]
            except OSError:
                continue
        return offer.refused

    def _regular_files(self) -> Iterator[tuple[str, os.stat_result]]:
        seen = 0
        for folder, _, names in os.walk(self._folder):
            for name in sorted(names):
                seen += 1
                if seen > _SEEN_AT_MOST:
                    return
                path = os.path.join(folder, name)
                try:
                    found = os.lstat(path)
                except OSError:
                    continue
                if stat.S_ISREG(found.st_mode):
                    yield path, found


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


class MemoryFiles:
    """An output folder that exists only for `open`: names are kept, contents are memory."""

    def __init__(self, data_folder: str, limits: Limits) -> None:
        self._data = data_folder
        self._limits = limits
        self._kept: dict[str, bytes] = {}
        self._changed: set[str] = set()
        self._open = io.open

    def install(self) -> None:
        builtins.open = io.open = self._opened
        self._redirect("duckdb", "connect")
        self._redirect("ladybug", "Database")
        _sheets_in_memory()

    def collect(self, send: Send) -> str:
        offer = _Offer(self._limits, send)
        for name in sorted(self._changed):
            content = self._kept[name]
            offer.file(name, len(content), lambda content=content: content)  # type: ignore[misc]
        self._changed.clear()
        return offer.refused

    def real(self, path: Any) -> Any:
        """`/data/x` as it is called here; any other path unchanged."""
        if isinstance(path, (str, os.PathLike)):
            text = os.fspath(path)
            if isinstance(text, str) and text.startswith("/data/"):
                return self._data + text[len("/data") :]
        return path

    def _redirect(self, module_name: str, function_name: str) -> None:
        module = sys.modules.get(module_name)
        if module is None:
            return
        original = getattr(module, function_name)

        def redirected(path: Any = ":memory:", *rest: Any, **named: Any) -> Any:
            return original(self.real(path), *rest, **named)

        setattr(module, function_name, redirected)

    def _opened(self, file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        name = self._name(file)
        writing = any(letter in mode for letter in "wax+")
        if name is None or not (writing or name in self._kept):
            return self._open(self.real(file), mode, *rest, **named)
        if "x" in mode and name in self._kept:
            raise FileExistsError(f"{name} is there already")
        if "r" in mode and name not in self._kept:
            raise FileNotFoundError(f"no file {name}")
        start = b"" if "w" in mode or "x" in mode else self._kept.get(name, b"")
        raw = _MemoryFile(self, name, start, writing=writing, at_end="a" in mode)
        if "b" in mode:
            return raw
        named.pop("opener", None)
        named.pop("closefd", None)
        named.pop("buffering", None)
        encoding = named.pop("encoding", None) or "utf-8"
        return io.TextIOWrapper(raw, encoding, **named)

    def _name(self, file: Any) -> str | None:
        """The name within the output folder, None for anything else."""
        if not isinstance(file, (str, os.PathLike)):
            return None
        path = os.fspath(file)
        if not isinstance(path, str) or path.startswith("/"):
            return None
        name = os.path.normpath(path)
        return None if name.startswith("..") else name

    def keep(self, name: str, content: bytes) -> None:
        self._kept[name] = content
        self._changed.add(name)


def _sheets_in_memory() -> None:
    """openpyxl writes each sheet to a temporary file first; where there are none, to memory."""
    excel = sys.modules.get("openpyxl.writer.excel")
    sheets = sys.modules.get("openpyxl.worksheet._writer")
    if excel is None or sheets is None:
        return

    class Archive(zipfile.ZipFile):
        def write(self, filename: Any, arcname: Any = None, *rest: Any, **named: Any) -> None:
            if isinstance(filename, io.BytesIO):
                self.writestr(arcname, filename.getvalue())
            else:
                super().write(filename, arcname, *rest, **named)

    for module, name, value in (
        (excel, "ZipFile", Archive),
        (sheets, "create_temporary_file", lambda suffix="": io.BytesIO()),
        (sheets.WorksheetWriter, "cleanup", lambda writer: None),
    ):
        setattr(module, name, value)


class _MemoryFile(io.BytesIO):
    """Hands its content over when it is closed."""

    def __init__(
        self, files: MemoryFiles, name: str, start: bytes, *, writing: bool, at_end: bool
    ) -> None:
        super().__init__(start)
        if at_end:
            self.seek(0, io.SEEK_END)
        self._files, self._writing = files, writing
        self.name = name

    def close(self) -> None:
        if not self.closed and self._writing:
            self._files.keep(self.name, self.getvalue())
        super().close()
