"""Processes of their own that start quickly: forks of one that has imported everything.

A Python that imports the whole house spends seconds before its first line, and hundreds of tests
start one. Here each worker of a run keeps a launcher, and a process is a fork of it: its own
process id, settings, folder and descriptors, ended and killed like any other. Tests about the
start itself use the interpreter (`tests.server.process.command`).

    async with serving(folder) …          one of these
    process = await forked("tests.gate.hammer", *arguments, stdout=PIPE)
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib
import os
import runpy
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from tests import zygotes
from tests.launcher import ROOT, Begun, ask, launch, started_launcher

BANCADA = "bancada.cli"
"""The command itself; any other name is a module that is run as `python -m` runs it."""

Stream = int | IO[bytes] | None


# ---------------------------------------------------------------------------- in the tests


class Forked:
    """As `asyncio.subprocess.Process` is, for what our tests do with one."""

    def __init__(
        self, begun: Begun, stdin: asyncio.StreamWriter | None, stdout: asyncio.StreamReader | None
    ) -> None:
        self._begun = begun
        self._ended = asyncio.create_task(self._end())
        self.pid = begun.pid
        self.stdin = stdin
        self.stdout = stdout
        self.returncode: int | None = None

    async def _end(self) -> int:
        self._begun.line.setblocking(False)
        try:
            said = await asyncio.get_running_loop().sock_recv(self._begun.line, 16)
        finally:
            self._begun.line.close()
        self.returncode = int(said)
        return self.returncode

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)

    def send_signal(self, number: int) -> None:
        self._begun.send_signal(number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    async def said(self) -> bytes:
        """All it says, and it has ended."""
        assert self.stdout is not None
        said = await self.stdout.read()
        await self.wait()
        return said


async def forked(
    program: str,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    cwd: Path = ROOT,
    stdin: Stream = subprocess.DEVNULL,
    stdout: Stream = None,
    stderr: Stream = None,
) -> Forked:
    """Start a module, or the command `bancada`; streams are given as to `subprocess`."""
    loop = asyncio.get_running_loop()
    writer = reader = None
    with contextlib.ExitStack() as ours:
        if stdin == subprocess.PIPE:
            theirs, mine = os.pipe()
            stdin = ours.enter_context(open(theirs, "rb", 0))
            transport, protocol = await loop.connect_write_pipe(
                asyncio.streams.FlowControlMixin, os.fdopen(mine, "wb", 0)
            )
            writer = asyncio.StreamWriter(transport, protocol, None, loop)
        if stdout == subprocess.PIPE:
            mine, theirs = os.pipe()
            stdout = ours.enter_context(open(theirs, "wb", 0))
            reader = asyncio.StreamReader()
            await loop.connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(mine, "rb", 0)
            )
        begun = await asyncio.to_thread(
            begin, program, arguments, env, cwd, (stdin, stdout, stderr)
        )
    return Forked(begun, writer, reader)


def begin(
    program: str,
    arguments: tuple[str, ...],
    env: Mapping[str, str] | None,
    cwd: Path,
    streams: Sequence[Stream],
) -> Begun:
    """The same without a loop; the streams are open files."""
    asked = {
        "program": program,
        "arguments": arguments,
        "env": dict(os.environ if env is None else env),
        "cwd": str(cwd),
        "zygotes": zygotes.launcher(),
    }
    with contextlib.ExitStack() as opened:
        numbers = []
        for usual, stream in enumerate(streams):
            if stream is None:
                stream = usual
            elif stream == subprocess.DEVNULL:
                stream = opened.enter_context(open(os.devnull, "r+b", 0))
            elif stream == subprocess.STDOUT:
                stream = streams[1]
            numbers.append(stream if isinstance(stream, int) else stream.fileno())
        return ask(launcher(), asked, numbers)


@functools.cache
def launcher() -> str:
    """This worker's launcher, by its address; it ends with the worker."""
    kept = ("PATH", "HOME", "TMPDIR", "LANG")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    return started_launcher([sys.executable, "-m", "tests.forks"], env)


# ---------------------------------------------------------------------------- in the launcher


def warm_up() -> None:
    """Whatever a server imports and works out only when it starts, done once for all forks."""
    from bancada.engine.packs import chosen
    from bancada.engine.sandboxes import SandboxService
    from bancada.server.app import create_app
    from bancada.settings import load_settings

    for name in ("anyio._backends._asyncio", "bancada.cli", "bancada.jobs", "bancada.testing"):
        importlib.import_module(name)
    importlib.import_module("bancada.server.serving")
    for pack in chosen(None):
        pack.load()
    create_app(load_settings(environment={}))
    SandboxService(Path())
    assert threading.active_count() == 1, "a fork would lose the other threads"


def become(asked: dict[str, object], streams: list[int]) -> None:
    """The program that was asked for, as if the interpreter had just been started for it."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    line = 1
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    buffered = line if os.isatty(1) else -1
    sys.stdout = os.fdopen(1, "w", buffered, encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", line, "utf-8", "backslashreplace", closefd=False)
    env = dict(asked["env"])  # type: ignore[call-overload]
    os.environ.clear()
    os.environ.update(env)
    os.chdir(str(asked["cwd"]))
    sys.path[:0] = [place for place in env.get("PYTHONPATH", "").split(os.pathsep) if place]
    importlib.invalidate_caches()
    zygotes.come_from(str(asked["zygotes"]))
    program, arguments = str(asked["program"]), list(asked["arguments"])  # type: ignore[call-overload]
    sys.argv = ["bancada", *arguments]
    if program == BANCADA:
        importlib.import_module(BANCADA).main()
    else:
        runpy.run_module(program, run_name="__main__", alter_sys=True)
        sys.stdout.flush()
        # As the command ends: taking the interpreter apart takes longer than the program did.
        os._exit(0)


if __name__ == "__main__":
    warm_up()
    launch(become)
