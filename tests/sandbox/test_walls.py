"""The walls one by one, each tested by itself."""

from __future__ import annotations

import os
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bancada.sandbox import landlock, seccomp
from bancada.sandbox.clocks import OwnTime, Stopwatch
from bancada.sandbox.linux import SYSCALLS
from bancada.sandbox.privileges import closed_folders

_ALLOW, _KILL, _REFUSE, _ABSENT = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
_PRETEND = 0x00050000
STRANGER = os.getuid() + 12_345
_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def decide(program: bytes, arch: int, number: int, *arguments: int) -> int:
    """What the kernel would answer: a small interpreter of the filter language."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number & 0xFFFFFFFF, arch, 0, *padded)
    code = [struct.unpack_from("HBBI", program, at) for at in range(0, len(program), 8)]
    loaded = index = 0
    while True:
        operation, yes, no, value = code[index]
        index += 1
        if operation == 0x06:
            return int(value)
        if operation == 0x20:
            loaded = struct.unpack_from("<I", data, value)[0]
            continue
        taken = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}
        index += yes if taken[operation] else no


@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("read", (), _ALLOW),
        ("openat", (), _ALLOW),
        ("clone", (0x003D0F00,), _ALLOW),  # a thread, as the C library asks for one
        ("clone", (17,), _REFUSE),  # a process
        ("clone", (0x10010000,), _REFUSE),  # a thread in a new user namespace
        ("clone3", (), _ABSENT),
        ("kill", (77, 9), _ALLOW),
        ("kill", (78, 9), _REFUSE),
        ("kill", (0xFFFFFFFFFFFFFFFF, 9), _REFUSE),
        ("tgkill", (78, 78, 9), _REFUSE),
        ("mmap", (0, 4096, 3, 0x22), _ALLOW),  # private and anonymous: counted
        ("mmap", (0, 4096, 1, 0x01), _ALLOW),  # a file's own pages
        ("mmap", (0, 4096, 3, 0x21), _REFUSE),  # shared and anonymous: outlives its address space
        ("mmap", (0, 4096, 3, 0x23), _REFUSE),
        ("mmap", (0, 4096, 3, 0x40022), _REFUSE),  # huge pages
        ("prlimit64", (0, 7, 0, 1), _ALLOW),
        ("prlimit64", (0, 7, 0x7F0000000000, 1), _REFUSE),
        ("prlimit64", (0, 7, 4096, 1), _REFUSE),
        ("prctl", (15,), _ALLOW),
        ("prctl", (4, 1), _REFUSE),
        ("prctl", (1, 0), _REFUSE),
        ("ioctl", (1, 0x5401), _ALLOW),
        ("ioctl", (1, 0x5412), _REFUSE),  # typing into a terminal
        ("fcntl", (1, 3), _ALLOW),
        ("fcntl", (1, 8), _REFUSE),  # having signals sent
        ("fcntl", (1, 10), _REFUSE),
        ("fcntl", (1, 5), _ALLOW),  # asking about a lock
        ("fcntl", (1, 6), _PRETEND),  # taking one
        ("fcntl", (1, 7), _PRETEND),
        ("fcntl", (1, 37), _REFUSE),
        ("fcntl", (1, 38), _REFUSE),
        ("fcntl", (1, 1031), _REFUSE),  # a larger pipe
    ],
)
def test_the_filter_answers(
    processor: str, name: str, arguments: tuple[int, ...], expected: int
) -> None:
    program = seccomp.build_filter(77, processor)
    number = seccomp._TABLES[processor][name]

    assert decide(program, _ARCH[processor], number, *arguments) == expected


@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
def test_the_filter_refuses_what_it_does_not_name(processor: str) -> None:
    program = seccomp.build_filter(77, processor)
    known = set(seccomp._TABLES[processor].values())

    for number in set(range(480)) - known:
        assert decide(program, _ARCH[processor], number) == _REFUSE
    for name, number in SYSCALLS[processor].items():
        if name not in ("clone", "close_range"):
            assert decide(program, _ARCH[processor], number) == _REFUSE, name


@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
def test_without_a_disk_of_its_own_no_file_can_be_changed(processor: str) -> None:
    shared = seccomp.build_filter(77, processor, seccomp.CHANGING_FILES)
    own = seccomp.build_filter(77, processor)
    for name in ("fchmod", "fchmodat", "utimensat", "unlinkat", "renameat2", "truncate"):
        number = seccomp._TABLES[processor][name]
        assert decide(shared, _ARCH[processor], number) == _REFUSE, name
        assert decide(own, _ARCH[processor], number) == _ALLOW, name


def test_the_filter_kills_foreign_calling_conventions() -> None:
    program = seccomp.build_filter(77, "x86_64")

    assert decide(program, 0x40000003, 1) == _KILL
    assert decide(program, _ARCH["x86_64"], 0x40000000 + 39) == _KILL
    assert decide(seccomp.build_filter(77, "aarch64"), _ARCH["x86_64"], 0) == _KILL


def test_both_tables_name_the_same_modern_calls() -> None:
    only_x86 = set(seccomp._X86_64) - set(seccomp._AARCH64)
    forms_replaced = {
        "open", "stat", "lstat", "poll", "access", "pipe", "select", "dup2", "alarm", "getdents",
        "rename", "mkdir", "rmdir", "creat", "link", "unlink", "symlink", "readlink", "chmod",
        "getpgrp", "arch_prctl", "time", "epoll_create", "epoll_wait", "eventfd",
    }  # fmt: skip
    assert only_x86 == forms_replaced
    assert set(seccomp._AARCH64) <= set(seccomp._X86_64)


def test_a_processor_without_a_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from bancada.sandbox import linux

    monkeypatch.setattr("platform.machine", lambda: "riscv64")

    with pytest.raises(OSError, match="no system call table for 'riscv64'"):
        linux.machine()


@pytest.mark.parametrize(
    ("version", "bits"), [(1, 13), (2, 14), (3, 15), (4, 15), (5, 16), (7, 16)]
)
def test_landlock_takes_every_right_its_version_knows(version: int, bits: int) -> None:
    assert landlock._handled(version) == (1 << bits) - 1


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that anybody may enter; pytest's own are private."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).resolve()
        path.chmod(0o755)
        yield path


def test_a_private_folder_is_found_once_with_all_it_holds(public: Path) -> None:
    home, other = public / "home", public / "other"
    for folder in (home / "python", home / "run", other):
        folder.mkdir(parents=True)
        folder.chmod(0o755)
    home.chmod(0o700)
    paths = [str(home / "python"), str(home / "run"), str(other)]

    assert closed_folders(paths, STRANGER) == {str(home): paths[:2]}


def test_what_cannot_be_shown_is_named(public: Path) -> None:
    run = public / "run"
    run.mkdir(mode=0o700)

    with pytest.raises(PermissionError, match=f"cannot be read by user {STRANGER}"):
        closed_folders([str(run)], STRANGER)


def test_a_stopwatch_counts_only_while_nothing_stops_it() -> None:
    watch = Stopwatch()
    watch.stop()
    watch.stop()
    watch.go()
    stood = watch.spent
    assert watch.spent == stood
    assert not watch.running
    watch.go()

    assert watch.running
    assert watch.spent >= stood


def test_processor_time_counts_while_the_watch_stands() -> None:
    own = OwnTime(os.getpid())
    own.stop()
    before = own.spent
    while own.spent - before < 0.02:
        sum(range(1000))
    own.go()

    assert own.spent >= before + 0.02
