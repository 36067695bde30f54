"""Zygotes that start quickly: forks of one that has loaded the libraries.

A sandbox's zygote spends more than a second on pandas and matplotlib before its first container,
and hundreds of tests start one. Here each worker of a run loads them once. What comes after the
loading is the product's own: the fork leaves root, builds its walls and serves as any zygote does.
`tests/sandbox` has real ones, whose whole start is what it tests.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import socket
import sys
import tempfile
from typing import IO, Any

from bancada.sandbox import process
from tests.launcher import ROOT, Begun, ask, launch, started_launcher

cold = process.launch
"""As the product starts one."""


class WarmZygote:
    """As `subprocess.Popen` is, for what the host does with a zygote."""

    def __init__(self, begun: Begun) -> None:
        self._begun = begun
        self._status: int | None = None
        self.pid = begun.pid

    def poll(self) -> int | None:
        if self._status is None:
            with contextlib.suppress(BlockingIOError):
                self._end(self._begun.line.recv(16, socket.MSG_DONTWAIT))
        return self._status

    def kill(self) -> None:
        if self._status is None:
            self._begun.send_signal(9)

    def wait(self) -> int:
        if self._status is None:
            self._end(self._begun.line.recv(16))
        assert self._status is not None
        return self._status

    def _end(self, said: bytes) -> None:
        self._status = int(said or b"-9")  # nothing: the launcher went, and it with it
        self._begun.line.close()


@functools.cache
def launcher() -> str:
    """This worker's, by its address."""
    env = process.environment()
    env["PYTHONPATH"] += f"{os.pathsep}{ROOT}"
    return started_launcher([sys.executable, *process.FLAGS, "-m", "tests.zygotes"], env)


def warm(address: str | None, told: list[str], line: socket.socket, errors: IO[bytes]) -> Any:
    """In the place of `process.launch`."""
    tier, libraries, *rest = told
    if libraries != ",".join(process.LIBRARIES):
        return cold(told, line, errors)
    streams = [line.fileno(), errors.fileno()]
    return WarmZygote(ask(address or launcher(), {"told": [tier, *rest]}, streams))


def come_from(address: str | None = None) -> None:
    """Zygotes of this process are warm from now on: from a launcher at this address, or its own."""
    process.launch = functools.partial(warm, address)


# ---------------------------------------------------------------------------- in the launcher


def load() -> None:
    from bancada.sandbox import guest, zygote

    os.chdir("/")
    sys.path.remove(str(ROOT))
    zygote.load_libraries(process.LIBRARIES)
    guest.warm()
    tempfile.tempdir = None  # where it may write is for each to find
    gc.collect()
    gc.freeze()


def become(asked: dict[str, Any], streams: list[int]) -> None:
    from bancada.sandbox import zygote

    control, errors = streams
    nothing = os.open(os.devnull, os.O_RDONLY)
    for usual, stream in enumerate((nothing, errors, errors)):
        os.dup2(stream, usual)
    os.close(errors)
    os.close(nothing)
    tier, run_folder, *needed = asked["told"]
    try:
        zygote.main(control, tier, (), run_folder, needed)
    except OSError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    load()
    launch(become)
