"""The folder on disk that a reader inside the wall may fill: how full it is, and what it left.

Whoever took the reader over may have made anything there: links, folders within folders without
end, a file that is none. Nothing here follows a link or trusts a name to stay what it was.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from pathlib import Path

from bancada.sandbox.scratch import clear

_MOST_FILES = 5_000
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def overfull(folder: Path, bytes: int, free_before: int) -> bool:
    """Whether it holds more than may be: in bytes, in files, or in folders within folders.

    A file that was removed while it is open is seen nowhere; so the whole disk is looked at too.
    """
    if free_before - free(folder) > 2 * bytes:
        return True
    used, files = 0, 0
    for _, folders, names, at in os.fwalk(folder, onerror=None):
        files += len(folders) + len(names)
        if files > _MOST_FILES:
            return True
        for name in names:
            try:
                used += os.stat(name, dir_fd=at, follow_symlinks=False).st_blocks * 512
            except FileNotFoundError:
                continue
    return used > bytes


def free(folder: Path) -> int:
    """Bytes that the disk it lies on has left."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def take(folder: Path, within: str, name: str, target: Path) -> None:
    """Move a file out of the folder, whatever it is; `settled` looks at it."""
    place = os.open(folder / within, _FOLDER)
    try:
        os.rename(name, target, src_dir_fd=place)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # Data sets lie on another disk than the sandbox's folders.
        source = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place)
        with open(source, "rb") as read, target.open("xb") as write:
            shutil.copyfileobj(read, write, 1 << 20)
    finally:
        os.close(place)


def discard(path: Path) -> None:
    """Remove whatever it is."""
    if path.is_dir() and not path.is_symlink():
        clear(path)
    else:
        path.unlink(missing_ok=True)


def settled(path: Path, most: int) -> tuple[str, int]:
    """Make a file that was taken ours, and read-only; its SHA-256 and size.

    Its writer must be gone: what is looked at here must be what is kept.
    """
    opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(opened, "rb") as file:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1 or found.st_size > most:
            raise OSError(errno.EINVAL, "not a file of ours")
        if found.st_uid != os.getuid():
            os.fchown(opened, os.getuid(), os.getgid())
        os.fchmod(opened, 0o400)
        return hashlib.file_digest(file, "sha256").hexdigest(), found.st_size
