"""The run folder: what containers may read, linked or copied where their user can read it.

The data folder itself is never shown. Each running sandbox has a folder of its own inside the run
folder and holds a lock in it, so that what a killed server left is cleared by the next.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bancada.sandbox.privileges import UNPRIVILEGED
from bancada.sandbox.sandbox import ReadOnlyFile
from bancada.sandbox.scratch import ScratchFolder, clear

_PREFIX = "jail-"


class Shelf:
    """The folder of one sandbox."""

    def __init__(self, run_folder: Path) -> None:
        run_folder.mkdir(parents=True, exist_ok=True)
        run_folder.chmod(0o711)
        self._own = ScratchFolder(run_folder, _PREFIX)
        self.folder = self._own.folder
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
        self._own.close()

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
