"""Processes that are forks of one that is ready: the line to it, and its side of the line.

A launcher is a process that has done once what each of many would do again. Whoever asks hands it
what the fork shall know, and its streams; signals and the news of its end pass on the same line.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 1 << 20


# ---------------------------------------------------------------------------- in the tests


@dataclass(eq=False)
class Begun:
    """A process that was asked for, and the line on which its end is told."""

    pid: int
    line: socket.socket

    def send_signal(self, number: int) -> None:
        # It is not our child, so its number may already be another's: the launcher looks.
        with contextlib.suppress(OSError):
            self.line.sendall(b"%d\n" % number)

    def wait(self, seconds: float) -> int:
        """Its exit status, or the signal that ended it as a negative number."""
        self.line.settimeout(seconds)
        with self.line:
            return int(self.line.recv(16))


def ask(address: str, asked: Mapping[str, object], streams: Sequence[int]) -> Begun:
    """A fork of the launcher at this address, which knows what was asked and has these streams."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(address)
    socket.send_fds(line, [json.dumps(asked).encode()], streams)
    return Begun(int(line.recv(16)), line)


def started_launcher(command: list[str], env: dict[str, str]) -> str:
    """Start one; whoever asks before it is ready waits in its line."""
    folder = tempfile.mkdtemp(prefix="bancada-forks-")
    address = f"{folder}/line"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as line:
        line.bind(address)
        line.listen(64)
        started = subprocess.Popen(
            [*command, str(line.fileno())],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            env=env,
            pass_fds=[line.fileno()],
        )

    def end() -> None:
        assert started.stdin is not None
        started.stdin.close()
        started.wait()
        shutil.rmtree(folder)

    atexit.register(end)
    return address


# ---------------------------------------------------------------------------- in the launcher


class Launcher:
    """Forks what it is asked for, passes signals on, and tells of each end."""

    def __init__(self, here: int, become: Callable[..., None]) -> None:
        self._become = become
        self._here = socket.socket(fileno=here)
        self._selector = selectors.DefaultSelector()
        self._lines: dict[int, socket.socket] = {}
        """Whom to tell, by process."""
        self._handles: dict[int, int] = {}

    def run(self) -> Callable[[], None] | None:
        """Returns in a fork, with what it shall do, and at the end of the tests."""
        self._selector.register(self._here, selectors.EVENT_READ, self._asked)
        self._selector.register(sys.stdin, selectors.EVENT_READ, None)
        while True:
            for key, _ in self._selector.select():
                if key.data is None:
                    return None
                if program := key.data():
                    return program

    def _asked(self) -> Callable[[], None] | None:
        line, _ = self._here.accept()
        said, streams, _, _ = socket.recv_fds(line, LONGEST, 3)
        pid = os.fork()
        if pid == 0:
            line.close()
            self._leave()
            return functools.partial(self._become, json.loads(said), streams)
        for stream in streams:
            os.close(stream)
        handle = os.pidfd_open(pid)
        self._lines[pid], self._handles[pid] = line, handle
        self._selector.register(handle, selectors.EVENT_READ, functools.partial(self._ended, pid))
        self._selector.register(line, selectors.EVENT_READ, functools.partial(self._told, pid))
        line.sendall(b"%d" % pid)
        return None

    def _told(self, pid: int) -> None:
        """A signal for the process; nothing: nobody waits for it any more."""
        line = self._lines.get(pid)
        if line is None:  # it ended in the same moment
            return
        try:
            said = line.recv(16)
        except OSError:
            said = b""
        if said:
            signal.pidfd_send_signal(self._handles[pid], int(said))
        else:
            self._selector.unregister(line)

    def _ended(self, pid: int) -> None:
        _, status = os.waitpid(pid, 0)
        handle, line = self._handles.pop(pid), self._lines.pop(pid)
        self._selector.unregister(handle)
        os.close(handle)
        with contextlib.suppress(KeyError):
            self._selector.unregister(line)
        with contextlib.suppress(OSError):
            line.sendall(b"%d" % os.waitstatus_to_exitcode(status))
        line.close()

    def _leave(self) -> None:
        """What is the launcher's is not the fork's."""
        self._selector.close()
        self._here.close()
        for line in self._lines.values():
            line.close()
        for handle in self._handles.values():
            os.close(handle)


def launch(become: Callable[..., None]) -> None:
    """The launcher's life, and that of each fork: the line it listens on was its last argument."""
    begun = Launcher(int(sys.argv[-1]), become).run()
    if begun is not None:
        begun()
