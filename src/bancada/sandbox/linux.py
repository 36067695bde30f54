"""The few system calls that Python has no name for, and their numbers on each processor."""

from __future__ import annotations

import ctypes
import os
import platform
import signal

libc = ctypes.CDLL(None, use_errno=True)

# clone() must not let another thread run between the call and CPython's own after-fork work,
# so this handle keeps the interpreter's lock.
_locked_libc = ctypes.PyDLL(None, use_errno=True)

SYSCALLS: dict[str, dict[str, int]] = {
    "x86_64": {
        "clone": 56, "pivot_root": 155, "capset": 126, "seccomp": 317, "close_range": 436,
        "landlock_create_ruleset": 444, "landlock_add_rule": 445, "landlock_restrict_self": 446,
    },
    "aarch64": {
        "clone": 220, "pivot_root": 41, "capset": 91, "seccomp": 277, "close_range": 436,
        "landlock_create_ruleset": 444, "landlock_add_rule": 445, "landlock_restrict_self": 446,
    },
}  # fmt: skip

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP = 1, 4, 24
PR_SET_NO_NEW_PRIVS, PR_GET_TID_ADDRESS, PR_CAP_AMBIENT = 38, 40, 47


def machine() -> str:
    """The processor as the tables name it; refuses one whose numbers we do not have."""
    name = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    if name not in SYSCALLS:
        raise OSError(f"no system call table for {name!r} (x86_64 and aarch64 are known)")
    return name


def checked(result: int, what: str) -> int:
    """The result of a C call, or OSError naming what was tried."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def syscall(name: str, *arguments: object) -> int:
    return checked(int(libc.syscall(SYSCALLS[machine()][name], *arguments)), name)


def prctl(option: int, value: int = 0) -> int:
    one, zero = ctypes.c_ulong(value), ctypes.c_ulong(0)
    return checked(int(libc.prctl(option, one, zero, zero, zero)), f"prctl({option})")


def close_from(first: int) -> None:
    """Close every descriptor from `first` on."""
    syscall("close_range", ctypes.c_uint(first), ctypes.c_uint(0xFFFFFFFF), ctypes.c_uint(0))


def fork_into(namespaces: int) -> int:
    """fork(), but the child is born in new namespaces, in one system call.

    fork() followed by unshare() would need a second fork to enter the new process namespace.
    """
    clone_child_settid, clone_child_cleartid = 0x01000000, 0x00200000
    flags = namespaces | signal.SIGCHLD
    thread_id = ctypes.c_void_p()
    # The C library keeps the thread's id; without this the child would carry its parent's.
    if libc.prctl(PR_GET_TID_ADDRESS, ctypes.byref(thread_id), 0, 0, 0) == 0:
        flags |= clone_child_settid | clone_child_cleartid
    last = (thread_id, None) if machine() == "x86_64" else (None, thread_id)
    number = SYSCALLS[machine()]["clone"]
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    pid = int(_locked_libc.syscall(number, ctypes.c_ulong(flags), None, None, *last))
    if pid == 0:
        python.PyOS_AfterFork_Child()
        return 0
    code = ctypes.get_errno()
    python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(code, f"clone: {os.strerror(code)}")
    return pid
