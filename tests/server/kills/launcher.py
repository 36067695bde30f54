"""Starts `bancada serve` again and again, quickly, and kills it at the moment it was told.

    python -m tests.server.kills.launcher

Everything is imported once; each server is a fork. What a process leaves behind can only change
where it commits, changes a file or starts a program, so those are its *moments*: before a commit,
after it, before a file is opened for writing, renamed, linked, removed. They are counted from
when the test arms the countdown, and at the last one the process kills itself with SIGKILL.

One JSON line in starts a server; the lines out say `{"started": pid}` and `{"ended": pid}`. As
the reaper of its descendants the launcher is also where orphans can be found.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import select
import signal
import sqlite3
import struct
import sys
import threading
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import Engine, event

from bancada.cli import main
from tests.forks import warm_up

PR_SET_CHILD_SUBREAPER = 36

FILES = {"os.rename", "os.link", "os.symlink", "os.remove", "os.mkdir", "os.rmdir", "os.truncate"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
NOT_LEFT = ("/dev/", "/proc/", "/sys/")


class Countdown:
    """How many moments the process still has; shared with the test through a file."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._left = mmap.mmap(file.fileno(), 8)
        # Opened now: opening it then would itself be a moment.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._note = os.open(path.with_suffix(".at"), flags, 0o600)
        self._pid = os.getpid()
        self._lock = threading.Lock()

    def moment(self, name: str) -> None:
        if os.getpid() != self._pid:
            return
        with self._lock:
            (left,) = struct.unpack("q", self._left[:8])
            if left <= 0:
                return
            self._left[:8] = struct.pack("q", left - 1)
            if left == 1:
                os.write(self._note, name.encode())
                os.kill(self._pid, signal.SIGKILL)
                signal.pause()


def watch(countdown: Countdown) -> None:
    """Count every commit and every change of a file in this process."""

    class CountedSqlite(sqlite3.Connection):
        changes_before = 0

        def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
            if sql != "COMMIT" or self.total_changes == self.changes_before:
                return super().execute(sql, *given)
            self.changes_before = self.total_changes
            countdown.moment("before a commit")
            done = super().execute(sql, *given)
            countdown.moment("after a commit")
            return done

    class CountedAsyncpg(asyncpg.Connection):  # type: ignore[misc]
        async def execute(self, query: str, *given: Any, **how: Any) -> Any:
            if query != "COMMIT;":
                return await super().execute(query, *given, **how)
            countdown.moment("before a commit")
            done = await super().execute(query, *given, **how)
            countdown.moment("after a commit")
            return done

    @event.listens_for(Engine, "do_connect")
    def counted(dialect: Any, record: Any, cargs: Any, cparams: dict[str, Any]) -> None:
        if dialect.name == "sqlite":
            cparams["factory"] = CountedSqlite
        elif dialect.driver == "asyncpg":
            cparams["connection_class"] = CountedAsyncpg

    def heard(name: str, given: tuple[Any, ...]) -> None:
        if name == "open":
            path, _, flags = given
            if flags & WRITING and not str(path).startswith(NOT_LEFT):
                countdown.moment(f"before {path} is written")
        elif name in FILES:
            countdown.moment(f"before {name} {given[0]}")

    sys.addaudithook(heard)


def serve(arguments: list[str], env: dict[str, str], folder: Path, countdown: str) -> None:
    """Become the server: in a fork, with output and settings of its own."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    for descriptor, name in ((1, "serve.out"), (2, "serve.log")):
        file = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(file, descriptor)
        os.close(file)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    watch(Countdown(Path(countdown)))
    sys.argv = ["bancada", *arguments]
    main()


def told(**what: Any) -> None:
    print(json.dumps(what), flush=True)


def reaped() -> None:
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        told(ended=pid)


def launch() -> None:
    warm_up()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    told(ready=True)
    while True:
        if select.select([sys.stdin], [], [], 0.02)[0]:
            line = sys.stdin.readline()
            if not line:
                return
            asked = json.loads(line)
            pid = os.fork()
            if pid == 0:
                serve(asked["arguments"], asked["env"], Path(asked["folder"]), asked["countdown"])
                return
            told(started=pid)
        reaped()


if __name__ == "__main__":
    launch()
