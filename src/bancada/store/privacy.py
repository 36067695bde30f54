"""The data folder is its owner's alone."""

from __future__ import annotations

import os
from collections.abc import Container
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISLNK

OTHERS = 0o077


def make_private(folder: Path, *, leave: Container[str] = ()) -> None:
    """Take from everybody else what an earlier version, or another umask, gave them.

    `leave` are names at the top that say themselves who may read them: the jail's user, who is
    not the owner, reads its own folder in `run`.
    """
    _close(folder)
    for one in folder.iterdir():
        if one.name in leave:
            continue
        _close(one)
        for place, folders, files in os.walk(one):
            for name in (*folders, *files):
                _close(Path(place, name))


def _close(path: Path) -> None:
    # A file may go while we look; one that is somebody else's is not ours to change.
    with suppress(FileNotFoundError, PermissionError):
        found = path.lstat()
        mode = S_IMODE(found.st_mode)
        if not S_ISLNK(found.st_mode) and mode & OTHERS:
            path.chmod((mode & ~OTHERS) | (0o700 if S_ISDIR(found.st_mode) else 0))
