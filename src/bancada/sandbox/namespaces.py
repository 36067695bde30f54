"""Namespaces: a root of its own with a few read-only trees, no network, no other processes."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Sequence
from pathlib import Path

from bancada.sandbox.linux import PR_CAP_AMBIENT, PR_CAPBSET_DROP, checked, libc, prctl, syscall

NEW_MOUNTS = 0x00020000
NEW_EVERYTHING = (
    NEW_MOUNTS
    | 0x02000000  # cgroups
    | 0x04000000  # host name
    | 0x08000000  # System V and POSIX message queues
    | 0x10000000  # users
    | 0x20000000  # processes
    | 0x40000000  # network
)

NEW_SURROUNDINGS = NEW_MOUNTS | 0x04000000 | 0x08000000 | 0x40000000
"""Mounts, host name, message queues and network: what root can leave without a user namespace."""

READ_ONLY, NO_SETUID, NO_DEVICES, NO_EXECUTE = 1, 2, 4, 8
_REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 32, 4096, 16384, 1 << 18
_KEPT_FLAGS = NO_DEVICES | NO_EXECUTE | 1024 | 2048  # with the access-time ones; all are locked
_DETACH = 2

JAIL_UID = 1000
DATA, BOX = "/data", "/box"
SCRATCH = "/scratch"
"""Where libraries find a temporary folder while they are loaded; containers may not write there."""
_DEVICES = ("null", "random", "urandom")
"""Not `zero`: mapped and shared, it is memory that nothing counts."""


def mount(
    source: str | None, target: str, kind: str | None = None, flags: int = 0, options: str = ""
) -> None:
    result = libc.mount(
        os.fsencode(source) if source else None,
        os.fsencode(target),
        os.fsencode(kind) if kind else None,
        ctypes.c_ulong(flags),
        os.fsencode(options) if options else None,
    )
    checked(int(result), f"mount {target}")


def make_private() -> None:
    """Keep our mounts from reaching the rest of the machine."""
    mount("none", "/", flags=_RECURSIVE | _PRIVATE)


def bind(source: str, target: str, flags: int = READ_ONLY) -> None:
    """Show one tree at another place, read-only unless `flags` say otherwise."""
    mount(source, target, flags=_BIND)
    kept = os.statvfs(target).f_flag & _KEPT_FLAGS
    mount(None, target, flags=_REMOUNT | _BIND | NO_SETUID | kept | flags)


def map_user(uid: int, gid: int) -> None:
    """Be an ordinary user inside, and nobody new outside."""
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{JAIL_UID} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{JAIL_UID} {gid} 1")


def enter_common_root(trees: Sequence[str], run_folder: str) -> None:
    """Leave the machine's root for one of `trees` and the run folder, which alone can be written.

    For the zygote, while it is root: containers that have no root of their own share this one.
    What is bound is opened first, as in `enter_root`.
    """
    make_private()
    opened = [(tree, os.open(tree, os.O_PATH | os.O_CLOEXEC)) for tree in trees]
    run = os.open(run_folder, os.O_PATH | os.O_CLOEXEC)
    root = _lay_root(opened)
    os.makedirs(root + run_folder, exist_ok=True)
    bind(f"/proc/self/fd/{run}", root + run_folder, NO_DEVICES | NO_EXECUTE)
    os.close(run)
    os.makedirs(root + SCRATCH)
    _pivot(root)
    flags = NO_SETUID | NO_DEVICES | NO_EXECUTE
    mount("tmpfs", SCRATCH, "tmpfs", flags, "size=1m,mode=1777,nr_inodes=64")
    mount(None, "/", flags=_REMOUNT | _BIND | READ_ONLY | NO_SETUID | NO_DEVICES)


def enter_root(trees: Sequence[str], data: str | None, disk: str | None, disk_mb: int) -> None:
    """Leave the machine's root for one made of `trees`, `/data` and an empty `/box`.

    The box is memory, or the folder `disk`.
    What is bound is opened first: the new root is laid over a folder that may hide it.
    """
    make_private()
    checked(int(libc.sethostname(b"container", 9)), "sethostname")
    opened = [(tree, os.open(tree, os.O_PATH | os.O_CLOEXEC)) for tree in trees]
    if data is not None:
        opened.append((DATA, os.open(data, os.O_PATH | os.O_CLOEXEC)))
    box = os.open(disk, os.O_PATH | os.O_CLOEXEC) if disk is not None else None
    root = _lay_root(opened)
    os.makedirs(root + BOX)
    flags = NO_SETUID | NO_DEVICES | NO_EXECUTE
    if box is not None:
        bind(f"/proc/self/fd/{box}", root + BOX, flags)
        os.close(box)
    temporary = Path(root, "tmp")
    if not temporary.exists():  # it does where the interpreter itself lives below it
        temporary.symlink_to("box/tmp")
    _pivot(root)
    os.makedirs(DATA, exist_ok=True)
    if disk is None:
        mount("tmpfs", BOX, "tmpfs", flags, f"size={disk_mb}m,mode=755,nr_inodes=4096")
    mount(None, "/", flags=_REMOUNT | _BIND | READ_ONLY | NO_SETUID | NO_DEVICES)


def _lay_root(opened: Sequence[tuple[str, int]]) -> str:
    """A root of these trees and a few devices, not yet entered."""
    root = "/tmp"  # noqa: S108 - only a place to mount on
    mount("tmpfs", root, "tmpfs", NO_SETUID | NO_DEVICES, "size=1m,mode=755,nr_inodes=4096")
    for target, source in opened:
        _show(source, root + target)
        os.close(source)
    os.makedirs(root + "/dev", exist_ok=True)
    for device in _DEVICES:
        Path(f"{root}/dev/{device}").touch()
        mount(f"/dev/{device}", f"{root}/dev/{device}", flags=_BIND)
    return root


def _pivot(root: str) -> None:
    os.chdir(root)
    syscall("pivot_root", b".", b".")
    checked(int(libc.umount2(b".", _DETACH)), "umount2")
    os.chdir("/")


def _show(source: int, target: str) -> None:
    place = f"/proc/self/fd/{source}"
    if os.path.isdir(place):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        Path(target).touch()
    bind(place, target)


def drop_capabilities() -> None:
    """Give up what the user namespace granted."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # past the last one this kernel knows
    clear_all = 4
    prctl(PR_CAP_AMBIENT, clear_all)
    version_3 = struct.pack("=Ii", 0x20080522, 0)
    syscall("capset", ctypes.c_char_p(version_3), ctypes.c_char_p(bytes(24)))
