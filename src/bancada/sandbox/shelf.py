"""The run folder: what containers may read, linked or copied where their user can read it.

The data folder itself is never shown. Each running sandbox has a folder of its own inside the run
folder and holds a lock in it, so that what a killed server left is cleared by the next.
"""

from __future__ import annotations

import fcntl
import logging
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from bancada.sandbox.privileges import UNPRIVILEGED
from bancada.sandbox.sandbox import ReadOnlyFile

_PREFIX = "jail-"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_log = logging.getLogger(__name__)


class Shelf:
    """The folder of one sandbox."""

    def __init__(self, run_folder: Path) -> None:
        run_folder.mkdir(parents=True, exist_ok=True)
        run_folder.chmod(0o711)
        with _locked(run_folder):
            _clear_abandoned(run_folder)
            self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=run_folder.resolve()))
            self._lock = _open_lock(self.folder)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        self.folder.chmod(0o711)
        self._copies = self.folder / "copies"
        self._copies.mkdir()
        self._jail_is_another_user = os.getuid() == 0

    def place(self, id: str, files: Sequence[ReadOnlyFile]) -> Path:
        """A folder holding exactly these files under their names."""
        for name in (names := [file.name for file in files]):
            if name in ("", ".", "..") or "/" in name or "\0" in name or len(name) > 200:
                raise ValueError(f"not a plain file name: {name!r}")
        if len(set(names)) < len(names):
            raise ValueError("two files of one name")
        folder = self.folder / f"{id}-{secrets.token_hex(4)}"
        folder.mkdir()
        folder.chmod(0o755)
        try:
            for file in files:
                self._link(file.source.resolve(strict=True), folder / file.name)
        except BaseException:
            self.remove(folder)
            raise
        return folder

    def disk(self, id: str) -> Path:
        """An empty folder that one container may fill."""
        folder = self.folder / f"{id}-{secrets.token_hex(4)}.disk"
        folder.mkdir(mode=0o700)
        if self._jail_is_another_user:
            os.chown(folder, UNPRIVILEGED, UNPRIVILEGED)
        return folder

    def remove(self, folder: Path) -> None:
        clear(folder)

    def close(self) -> None:
        if self._lock >= 0:
            self.remove(self.folder)
            os.close(self._lock)
            self._lock = -1

    def _link(self, source: Path, target: Path) -> None:
        """One inode in two places, unless the jail's user could not read it or a disk is between."""
        if not source.is_file():
            raise ValueError(f"not a regular file: {source.name}")
        readable = not self._jail_is_another_user or source.stat().st_mode & 0o004
        if readable:
            with suppress(OSError):
                os.link(source, target)
                return
        os.link(self._copy(source), target)

    def _copy(self, source: Path) -> Path:
        """A copy of our own, made once for each version of the file."""
        found = source.stat()
        version = f"{found.st_dev:x}-{found.st_ino:x}-{found.st_mtime_ns:x}-{found.st_size:x}"
        copy = self._copies / version
        if not copy.exists():
            partial = self._copies / f"{version}.{secrets.token_hex(4)}"
            shutil.copyfile(source, partial)
            partial.chmod(0o444)
            partial.rename(copy)
        return copy


def clear(folder: Path) -> None:
    """Remove a folder and all it holds, however deep: who filled it may have nested without end.

    What lies two folders down is moved up first, so nothing is ever opened deeper than that.
    """
    try:
        top = os.open(folder, _FOLDER)
    except OSError:
        return
    try:
        while names := os.listdir(top):
            for name in names:
                _clear_one(top, name)
        folder.rmdir()
    except OSError as error:
        _log.warning("%s could not be removed: %s", folder, error)
    finally:
        os.close(top)


def _clear_one(top: int, name: str) -> None:
    try:
        os.unlink(name, dir_fd=top)
        return
    except (IsADirectoryError, PermissionError):
        pass
    os.chmod(name, 0o700, dir_fd=top)
    within = os.open(name, _FOLDER, dir_fd=top)
    try:
        for inner in os.listdir(within):
            try:
                os.unlink(inner, dir_fd=within)
            except (IsADirectoryError, PermissionError):
                os.rename(inner, secrets.token_hex(12), src_dir_fd=within, dst_dir_fd=top)
    finally:
        os.close(within)
    os.rmdir(name, dir_fd=top)


@contextmanager
def _locked(run_folder: Path) -> Iterator[None]:
    """One sandbox at a time looks for folders that nobody holds, or takes one."""
    folder = os.open(run_folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _open_lock(folder: Path) -> int:
    return os.open(folder / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)


def _clear_abandoned(run_folder: Path) -> None:
    """Remove folders whose sandbox is gone: nobody holds their lock."""
    for folder in run_folder.glob(f"{_PREFIX}*"):
        lock = _open_lock(folder)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            clear(folder)
        except BlockingIOError:
            pass
        finally:
            os.close(lock)
