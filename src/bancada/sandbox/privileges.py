"""From the server's user to the jail's: what the zygote does before anything else.

Started by root it becomes an unprivileged user. That user must be able to read the interpreter,
our package and the run folder; where a private folder stands in the way (a home, a temporary
folder of mode 0700), the zygote first takes a mount namespace of its own and shows, in that
folder's place, the needed trees and nothing else. Started by anybody else it has nothing to drop
and nothing to show.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from bancada.sandbox.linux import checked, libc
from bancada.sandbox.namespaces import (
    NEW_MOUNTS,
    NEW_SURROUNDINGS,
    NO_DEVICES,
    NO_SETUID,
    READ_ONLY,
    SCRATCH,
    bind,
    enter_common_root,
    make_private,
    mount,
)

UNPRIVILEGED = 65534


def closed_folders(paths: Iterable[str], uid: int) -> dict[str, list[str]]:
    """The outermost folders that `uid` may not enter, each with the paths that lie inside."""
    closed: dict[str, list[str]] = {}
    for path in paths:
        if not _enters(Path(path), uid):
            raise PermissionError(f"{path} cannot be read by user {uid}, whom the sandbox runs as")
        outermost_first = reversed(Path(path).parents)
        barred = next((str(folder) for folder in outermost_first if not _enters(folder, uid)), None)
        if barred is not None:
            closed.setdefault(barred, []).append(path)
    return closed


def _enters(path: Path, uid: int) -> bool:
    """Whether an unrelated user may pass through a folder, or read a file."""
    found = path.stat()
    needed = 0o1 if path.is_dir() else 0o4
    return bool(found.st_mode & needed) or (found.st_uid == uid and bool(found.st_mode >> 6))


def open_folders(closed: dict[str, list[str]], writable: str) -> None:
    """Lay over each closed folder one that holds only the paths we need.

    All can only be read, but for `writable`: there lie the folders that containers may fill.
    """
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
            bind(f"/proc/self/fd/{opened[path]}", path, 0 if path == writable else READ_ONLY)
            shown.append(path)
    for descriptor in opened.values():
        os.close(descriptor)


def hide_machine(needed: Sequence[str], run_folder: str) -> bool:
    """Take a root that holds only what is needed, if we are root and may; else False.

    Landlock forbids reading, not looking: without this, code could tell which paths and, by
    `/proc`, which processes there are.
    """
    if os.getuid() != 0 or libc.unshare(ctypes.c_int(NEW_SURROUNDINGS)) != 0:
        return False
    # A tree within another is there already; the innermost root must be made last.
    trees: list[str] = []
    for path in sorted({str(Path(one).resolve()) for one in needed if os.path.exists(one)}):
        if not any(Path(path).is_relative_to(outer) for outer in trees):
            trees.append(path)
    enter_common_root(trees, run_folder)
    os.environ["TMPDIR"] = SCRATCH
    return True


def leave_root(needed: Sequence[str], writable: str) -> None:
    """Stop being root, if we are, and still be able to read the paths that are needed."""
    if os.getuid() != 0:
        return
    open_folders(closed_folders(needed, UNPRIVILEGED), writable)
    try:
        os.setgroups([])
        os.setresgid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED)
        os.setresuid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED)
    except OSError as error:
        raise PermissionError(f"root may not become user {UNPRIVILEGED} ({error})") from error
