"""From the server's user to the jail's: the first program of the sandbox's process.

Started by root it drops to an unprivileged user before the interpreter that will be forked is
started. That user must be able to read the interpreter, our package and the run folder; where a
private folder stands in the way (a home, a temporary folder of mode 0700), the launcher takes a
mount namespace of its own and shows, in that folder's place, the needed trees and nothing else.
Started by anybody else it has nothing to drop and nothing to show.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bancada.sandbox.linux import checked, libc
from bancada.sandbox.namespaces import NEW_MOUNTS, NO_DEVICES, NO_SETUID, bind, make_private, mount

UNPRIVILEGED = 65534


def closed_folders(paths: Iterable[str], uid: int) -> dict[str, list[str]]:
    """The outermost folders that `uid` may not enter, each with the paths that lie inside."""
    closed: dict[str, list[str]] = {}
    for path in paths:
        ancestors = [*reversed(Path(path).parents), Path(path)]
        barred = next((str(folder) for folder in ancestors if not _enters(folder, uid)), None)
        if barred == path:
            raise PermissionError(f"{path} cannot be read by user {uid}, whom the sandbox runs as")
        if barred is not None:
            closed.setdefault(barred, []).append(path)
    return closed


def _enters(path: Path, uid: int) -> bool:
    """Whether an unrelated user may pass through a folder, or read a file."""
    found = path.stat()
    needed = 0o1 if path.is_dir() else 0o4
    return bool(found.st_mode & needed) or (found.st_uid == uid and bool(found.st_mode >> 6))


def open_folders(closed: dict[str, list[str]]) -> None:
    """Lay over each closed folder one that holds only the paths we need."""
    if not closed:
        return
    try:
        checked(int(libc.unshare(ctypes.c_int(NEW_MOUNTS))), "unshare")
        make_private()
    except OSError as error:
        folders = ", ".join(closed)
        raise PermissionError(
            f"user {UNPRIVILEGED}, whom the sandbox runs as, may not enter {folders}, "
            f"and root may not show it what it needs there ({error})"
        ) from error
    opened = {
        path: os.open(path, os.O_PATH | os.O_CLOEXEC) for paths in closed.values() for path in paths
    }
    for folder, paths in closed.items():
        mount("tmpfs", folder, "tmpfs", NO_SETUID | NO_DEVICES, "size=1m,mode=755")
        # A path within another shown path is there already.
        shown: list[str] = []
        for path in sorted(paths):
            if any(Path(path).is_relative_to(outer) for outer in shown):
                continue
            os.makedirs(path, exist_ok=True)
            bind(f"/proc/self/fd/{opened[path]}", path)
            shown.append(path)
    for descriptor in opened.values():
        os.close(descriptor)


def drop_root() -> None:
    try:
        os.setgroups([])
        os.setresgid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED)
        os.setresuid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED)
    except OSError as error:
        raise PermissionError(f"root may not become user {UNPRIVILEGED} ({error})") from error


def main(needed: Sequence[str], command: Sequence[str]) -> None:
    """Drop what must be dropped, then become the zygote."""
    if os.getuid() == 0:
        open_folders(closed_folders(needed, UNPRIVILEGED))
        drop_root()
    os.chdir("/")
    os.execv(command[0], list(command))  # noqa: S606 - our own interpreter, no shell


if __name__ == "__main__":
    divider = sys.argv.index("--")
    try:
        main(sys.argv[1:divider], sys.argv[divider + 1 :])
    except OSError as error:
        sys.exit(str(error))
