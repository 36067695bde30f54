"""Landlock: a process gives up every path but the ones it names, and cannot take them back."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from bancada.sandbox.linux import PR_SET_NO_NEW_PRIVS, SYSCALLS, libc, machine, prctl, syscall

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15

_RULE_PATH_BENEATH = 1
_FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV


def abi() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    number = SYSCALLS[machine()]["landlock_create_ruleset"]
    return max(0, int(libc.syscall(number, None, ctypes.c_size_t(0), ctypes.c_uint(1))))


def _handled(version: int) -> int:
    """Every file right that this version can take away."""
    bits = {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)
    return (1 << bits) - 1


def restrict(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Leave this process only these trees; nowhere may it execute a program."""
    version = abi()
    if not version:
        raise OSError("this kernel has no Landlock")
    files = _handled(version)
    tcp = 0b11 if version >= 4 else 0
    scopes = 0b11 if version >= 6 else 0  # abstract sockets, and signals to processes outside
    attributes = struct.pack("=QQQ", files, tcp, scopes)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = syscall(
        "landlock_create_ruleset", ctypes.c_char_p(attributes), ctypes.c_size_t(size), 0
    )
    try:
        for path in readable:
            _allow(ruleset, path, READ_FILE | READ_DIR)
        for path in writable:
            _allow(ruleset, path, files & ~EXECUTE & ~IOCTL_DEV)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        syscall("landlock_restrict_self", ctypes.c_int(ruleset), ctypes.c_uint(0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _FILE_RIGHTS
        rule = ctypes.c_char_p(struct.pack("=Qi", rights, place))
        syscall("landlock_add_rule", ctypes.c_int(ruleset), _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(place)
