"""A folder of one process's own among those of others: what a killed one left is cleared by the next."""

from __future__ import annotations

import fcntl
import logging
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_log = logging.getLogger(__name__)


class ScratchFolder:
    """Made within `parent`, held by a lock for as long as the process lives."""

    def __init__(self, parent: Path, prefix: str = "work-") -> None:
        parent.mkdir(parents=True, exist_ok=True)
        with _locked(parent):
            _clear_abandoned(parent, prefix)
            self.folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent.resolve()))
            self._lock = _open_lock(self.folder)
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    def close(self) -> None:
        if self._lock >= 0:
            clear(self.folder)
            os.close(self._lock)
            self._lock = -1


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
def _locked(parent: Path) -> Iterator[None]:
    """One process at a time looks for folders that nobody holds, or takes one."""
    folder = os.open(parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _open_lock(folder: Path) -> int:
    return os.open(folder / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)


def _clear_abandoned(parent: Path, prefix: str) -> None:
    """Remove folders whose process is gone: nobody holds their lock."""
    for folder in parent.glob(f"{prefix}*"):
        lock = _open_lock(folder)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            clear(folder)
        except BlockingIOError:
            pass
        finally:
            os.close(lock)
