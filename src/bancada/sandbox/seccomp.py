"""Seccomp: the system calls that computing needs, and no other.

An allow-list, compiled to the kernel's filter language. Whatever is not named fails with EPERM,
so that libraries can fall back; a foreign calling convention kills the process.

What the kernel would hold for a process without counting it is left out too: sockets besides the
one line (each has buffers, and may carry others in them), shared memory, locks on parts of files.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from dataclasses import dataclass, field

from bancada.sandbox.linux import PR_SET_NO_NEW_PRIVS, machine, prctl, syscall

# Calls named alike on both processors; the numbers are the kernel's.
_X86_64 = {
    "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "poll": 7,
    "lseek": 8, "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13,
    "rt_sigprocmask": 14, "rt_sigreturn": 15, "ioctl": 16, "pread64": 17, "pwrite64": 18,
    "readv": 19, "writev": 20, "access": 21, "pipe": 22, "select": 23, "sched_yield": 24,
    "mremap": 25, "msync": 26, "mincore": 27, "madvise": 28, "dup": 32, "dup2": 33,
    "nanosleep": 35, "getitimer": 36, "alarm": 37, "setitimer": 38, "getpid": 39, "sendfile": 40,
    "sendto": 44, "recvfrom": 45, "shutdown": 48, "getsockname": 51, "getpeername": 52,
    "getsockopt": 55,
    "clone": 56, "exit": 60, "wait4": 61, "kill": 62, "uname": 63, "fcntl": 72,
    "fsync": 74, "fdatasync": 75, "truncate": 76, "ftruncate": 77, "getdents": 78, "getcwd": 79,
    "chdir": 80, "rename": 82, "mkdir": 83, "rmdir": 84, "creat": 85, "link": 86, "unlink": 87,
    "symlink": 88, "readlink": 89, "chmod": 90, "fchmod": 91, "umask": 95, "gettimeofday": 96,
    "getrlimit": 97, "getrusage": 98, "sysinfo": 99, "times": 100, "getuid": 102, "getgid": 104,
    "geteuid": 107, "getegid": 108, "getppid": 110, "getpgrp": 111, "getgroups": 115,
    "getresuid": 118, "getresgid": 120, "getpgid": 121, "getsid": 124, "rt_sigpending": 127,
    "rt_sigtimedwait": 128, "sigaltstack": 131, "statfs": 137, "fstatfs": 138,
    "getpriority": 140, "sched_getparam": 143, "sched_getscheduler": 145,
    "sched_get_priority_max": 146, "sched_get_priority_min": 147, "prctl": 157,
    "arch_prctl": 158, "gettid": 186, "time": 201, "futex": 202, "sched_getaffinity": 204,
    "epoll_create": 213, "getdents64": 217, "set_tid_address": 218, "restart_syscall": 219,
    "fadvise64": 221, "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230,
    "exit_group": 231, "epoll_wait": 232, "epoll_ctl": 233, "tgkill": 234, "waitid": 247,
    "openat": 257, "mkdirat": 258, "newfstatat": 262, "unlinkat": 263, "renameat": 264,
    "linkat": 265, "symlinkat": 266, "readlinkat": 267, "fchmodat": 268, "faccessat": 269,
    "pselect6": 270, "ppoll": 271, "set_robust_list": 273, "get_robust_list": 274,
    "utimensat": 280, "epoll_pwait": 281, "eventfd": 284, "fallocate": 285, "eventfd2": 290,
    "epoll_create1": 291, "dup3": 292, "pipe2": 293, "preadv": 295, "pwritev": 296,
    "prlimit64": 302, "getcpu": 309, "renameat2": 316, "getrandom": 318, "membarrier": 324,
    "copy_file_range": 326, "preadv2": 327, "pwritev2": 328, "statx": 332, "rseq": 334,
    "clone3": 435, "close_range": 436, "faccessat2": 439, "epoll_pwait2": 441,
}  # fmt: skip

_AARCH64 = {
    "getcwd": 17, "eventfd2": 19, "epoll_create1": 20, "epoll_ctl": 21, "epoll_pwait": 22,
    "dup": 23, "dup3": 24, "fcntl": 25, "ioctl": 29, "mkdirat": 34, "unlinkat": 35,
    "symlinkat": 36, "linkat": 37, "renameat": 38, "statfs": 43, "fstatfs": 44, "truncate": 45,
    "ftruncate": 46, "fallocate": 47, "faccessat": 48, "chdir": 49, "fchmod": 52,
    "fchmodat": 53, "openat": 56, "close": 57, "pipe2": 59, "getdents64": 61, "lseek": 62,
    "read": 63, "write": 64, "readv": 65, "writev": 66, "pread64": 67, "pwrite64": 68,
    "preadv": 69, "pwritev": 70, "sendfile": 71, "pselect6": 72, "ppoll": 73, "readlinkat": 78,
    "newfstatat": 79, "fstat": 80, "fsync": 82, "fdatasync": 83, "utimensat": 88, "exit": 93,
    "exit_group": 94, "waitid": 95, "set_tid_address": 96, "futex": 98, "set_robust_list": 99,
    "get_robust_list": 100, "nanosleep": 101, "getitimer": 102, "setitimer": 103,
    "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115,
    "sched_getscheduler": 120, "sched_getparam": 121, "sched_getaffinity": 123,
    "sched_yield": 124, "sched_get_priority_max": 125, "sched_get_priority_min": 126,
    "restart_syscall": 128, "kill": 129, "tgkill": 131, "sigaltstack": 132,
    "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigpending": 136, "rt_sigtimedwait": 137,
    "rt_sigreturn": 139, "getpriority": 141, "getresuid": 148, "getresgid": 150, "times": 153,
    "getpgid": 155, "getsid": 156, "getgroups": 158, "uname": 160, "getrlimit": 163,
    "getrusage": 165, "umask": 166, "prctl": 167, "getcpu": 168, "gettimeofday": 169,
    "getpid": 172, "getppid": 173, "getuid": 174, "geteuid": 175, "getgid": 176,
    "getegid": 177, "gettid": 178, "sysinfo": 179, "getsockname": 204,
    "getpeername": 205, "sendto": 206, "recvfrom": 207, "getsockopt": 209,
    "shutdown": 210, "brk": 214, "munmap": 215, "mremap": 216,
    "clone": 220, "mmap": 222, "fadvise64": 223, "mprotect": 226, "msync": 227, "mincore": 232,
    "madvise": 233, "wait4": 260, "prlimit64": 261, "renameat2": 276, "getrandom": 278,
    "membarrier": 283, "copy_file_range": 285, "preadv2": 286, "pwritev2": 287, "statx": 291,
    "rseq": 293, "clone3": 435, "close_range": 436, "faccessat2": 439, "epoll_pwait2": 441,
}  # fmt: skip

_TABLES = {"x86_64": _X86_64, "aarch64": _AARCH64}
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_PRETEND = 0x00050000
"""Answer zero, and do nothing."""
_REFUSE = 0x00050000 | errno.EPERM
_ABSENT = 0x00050000 | errno.ENOSYS
_NUMBER, _ARCH = 0, 4

_CLONE_THREAD = 0x00010000
_CLONE_NAMESPACES = 0x7E020000 | 0x80
_FCNTL = (0, 1, 2, 3, 4, 5, 36, 1030, 1032)
"""Duplicating, flags, asking about locks. Not F_SETOWN or F_SETSIG: they send signals to other
processes; nor F_SETPIPE_SZ: a pipe's room is kernel memory."""
_LOCKING = (6, 7)
"""Locks on parts of a file. The kernel keeps any number of them and counts none; a container is
the only process that writes its files, so it is told that it holds each one."""
_MAP_SHARED, _MAP_ANONYMOUS, _MAP_HUGETLB = 0x01, 0x20, 0x40000
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Is it a terminal, its size, bytes waiting, non-blocking, close-on-exec."""
_PRCTL = (3, 15, 16, 23, 0x53564D41)
"""Reading flags, and naming threads and memory."""


CHANGING_FILES = frozenset({
    "truncate", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir", "creat", "link",
    "linkat", "unlink", "unlinkat", "symlink", "symlinkat", "chmod", "fchmod", "fchmodat",
    "utimensat",
})  # fmt: skip
"""Refused to a container that shares the machine's files with its user and may change none."""
BEYOND_A_FOLDER = frozenset({"chmod", "fchmod", "fchmodat", "utimensat", "link", "linkat"})
"""Refused to one that has a folder of its own among them: Landlock does not guard modes and times."""
BEYOND_AN_OLD_FOLDER = BEYOND_A_FOLDER | {"truncate"}
"""Before its third version Landlock did not guard lengths either."""


_ASKING = ("getpgid", "getsid", "sched_getaffinity", "sched_getparam", "sched_getscheduler")
_CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep")


def _low(argument: int) -> int:
    return 16 + 8 * argument


@dataclass
class _Program:
    """Filter instructions, in order."""

    code: list[tuple[int, int, int, int]] = field(default_factory=list)

    def add(self, operation: int, value: int, yes: int = 0, no: int = 0) -> None:
        self.code.append((operation, yes, no, value & 0xFFFFFFFF))

    def when(self, number: int, body: _Program) -> None:
        """Where the call is `number`, run `body`, which must return."""
        self.add(_EQUAL, number, 0, len(body.code))
        self.code += body.code

    def packed(self) -> bytes:
        return b"".join(struct.pack("HBBI", *instruction) for instruction in self.code)


def _answer(action: int) -> _Program:
    body = _Program()
    body.add(_RETURN, action)
    return body


def _one_of(argument: int, values: tuple[int, ...]) -> _Program:
    body = _Program()
    body.add(_LOAD, _low(argument))
    for index, value in enumerate(values):
        body.add(_EQUAL, value, len(values) - index, 0)
    body.add(_RETURN, _REFUSE)
    body.add(_RETURN, _ALLOW)
    return body


def _pretended_locks() -> _Program:
    body = _Program()
    body.add(_LOAD, _low(1))
    first, second = _LOCKING
    body.add(_EQUAL, first, 1, 0)
    body.add(_EQUAL, second, 0, 1)
    body.add(_RETURN, _PRETEND)
    body.code += _one_of(1, _FCNTL).code
    return body


def _counted_memory() -> _Program:
    """Memory that the limits count. A shared mapping outlives the address space it was counted in:
    all of its pages stay for as long as one of them is mapped."""
    body = _Program()
    body.add(_LOAD, _low(3))
    body.add(_ANY_BIT, _MAP_HUGETLB, 3, 0)
    body.add(_ANY_BIT, _MAP_SHARED, 0, 1)
    body.add(_ANY_BIT, _MAP_ANONYMOUS, 1, 0)
    body.add(_RETURN, _ALLOW)
    body.add(_RETURN, _REFUSE)
    return body


def _threads_only() -> _Program:
    body = _Program()
    body.add(_LOAD, _low(0))
    body.add(_ANY_BIT, _CLONE_NAMESPACES, 2, 0)
    body.add(_ANY_BIT, _CLONE_THREAD, 0, 1)
    body.add(_RETURN, _ALLOW)
    body.add(_RETURN, _REFUSE)
    return body


def _own_limits(pid: int) -> _Program:
    body = _Program()
    reading = _reading_limits()
    body.add(_LOAD, _low(0))
    body.add(_EQUAL, 0, 2, 0)
    body.add(_EQUAL, pid, 1, 0)
    body.add(_RETURN, _REFUSE)
    body.code += reading.code
    return body


def _own_clocks() -> _Program:
    """The system's clocks and the caller's own; a negative number is another process's."""
    body = _Program()
    body.add(_LOAD, _low(0))
    body.add(_AT_LEAST, 16, 0, 1)
    body.add(_RETURN, _REFUSE)
    body.add(_RETURN, _ALLOW)
    return body


def _reading_limits() -> _Program:
    """prlimit64 with no new limit: both halves of that pointer are zero."""
    body = _Program()
    body.add(_LOAD, _low(2))
    body.add(_EQUAL, 0, 0, 3)
    body.add(_LOAD, _low(2) + 4)
    body.add(_EQUAL, 0, 0, 1)
    body.add(_RETURN, _ALLOW)
    body.add(_RETURN, _REFUSE)
    return body


def build_filter(
    pid: int, processor: str, refused: frozenset[str] = frozenset(), *, alone: bool = True
) -> bytes:
    """The filter for a process that may signal only itself, `pid`, and not make `refused` calls.

    Unless it is `alone` among the numbers of processes, it may not ask about others either.
    """
    numbers = {name: nr for name, nr in _TABLES[processor].items() if name not in refused}
    guarded = {
        "clone3": _answer(_ABSENT),  # its flags lie in memory, out of a filter's sight
        "clone": _threads_only(),
        "mmap": _counted_memory(),
        "kill": _one_of(0, (pid,)),
        "tgkill": _one_of(0, (pid,)),
        "prlimit64": _reading_limits(),
        "prctl": _one_of(0, _PRCTL),
        "ioctl": _one_of(1, _IOCTL),
        "fcntl": _pretended_locks(),
    }
    if not alone:
        guarded["prlimit64"] = _own_limits(pid)
        guarded |= {name: _one_of(0, (0, pid)) for name in _ASKING}
        guarded |= {name: _own_clocks() for name in _CLOCKS}
        guarded["getpriority"] = _one_of(1, (0, pid))
    program = _Program()
    program.add(_LOAD, _ARCH)
    program.add(_EQUAL, _ARCHITECTURE[processor], 1, 0)
    program.add(_RETURN, _KILL)
    program.add(_LOAD, _NUMBER)
    program.add(_AT_LEAST, 0x40000000, 0, 1)  # the x32 calls, which share an architecture
    program.add(_RETURN, _KILL)
    for name, body in guarded.items():
        program.when(numbers[name], body)
    for name, number in numbers.items():
        if name not in guarded:
            program.when(number, _answer(_ALLOW))
    program.add(_RETURN, _REFUSE)
    return program.packed()


class _SockFprog(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def install(pid: int, refused: frozenset[str], *, alone: bool) -> None:
    """Put the filter on every thread of this process, for good."""
    program = build_filter(pid, machine(), refused, alone=alone)
    memory = ctypes.create_string_buffer(program, len(program))
    described = _SockFprog(len(program) // 8, ctypes.cast(memory, ctypes.c_void_p))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    set_mode_filter, all_threads = 1, 1
    syscall("seccomp", set_mode_filter, all_threads, ctypes.byref(described))
