"""The host's handle on the zygote: start it, ask it for containers, see it go."""

from __future__ import annotations

import array
import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from bancada.sandbox.orders import Spawn, write_order
from bancada.sandbox.sandbox import SandboxError

_STANDARD = (
    "array", "base64", "bisect", "calendar", "collections", "contextlib", "csv", "dataclasses",
    "datetime", "decimal", "enum", "fractions", "functools", "hashlib", "heapq", "io",
    "itertools", "json", "math", "mimetypes", "operator", "pathlib", "pickle", "random", "re",
    "secrets", "statistics", "string", "struct", "tempfile", "textwrap", "threading", "time",
    "timeit", "typing", "unicodedata", "uuid", "zipfile", "zoneinfo",
)  # fmt: skip
_OURS = ("bancada.data.worker", "bancada.packs.statistics.guest")
"""What reads uploads, and what makes studies. Named and not imported: they have rooms of their own,
and only run inside."""
LIBRARIES = (*_STANDARD, "numpy", "pandas", "duckdb", "ladybug", "matplotlib", "openpyxl", *_OURS)
"""Loaded once, before any container: a cell's `import pandas` costs nothing."""

FLAGS = ("-s", "-P", "-B")
"""Of its interpreter: nothing of the person's or of the folder it stands in, and it leaves no files."""
_HOME = str(Path(__file__).resolve().parents[2])
"""The folder our package lies in."""
_START_SECONDS = 60
_SPAWN_SECONDS = 15
_MESSAGE_BYTES = 1 << 16


class ZygoteDied(SandboxError):
    """The zygote ended, or never began."""


def _needed() -> list[str]:
    """What the zygote's user must be able to read."""
    paths = sysconfig.get_paths()
    found = {
        sys.prefix,
        sys.base_prefix,
        *(paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")),
        _HOME,
    }
    return sorted(str(Path(path).resolve()) for path in found if os.path.exists(path))


def environment() -> dict[str, str]:
    """Nothing of the server's own environment but where its libraries are."""
    clean = {
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": _HOME,
        # Threads do not survive a fork, and each would take address space in every container.
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
        "TZ": "UTC",
    }
    if "LD_LIBRARY_PATH" in os.environ:
        clean["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
    return clean


def launch(told: list[str], line: socket.socket, errors: IO[bytes]) -> subprocess.Popen[bytes]:
    """A zygote's process, which speaks on `line`; what it was told, as `zygote.main` takes it."""
    return subprocess.Popen(  # noqa: S603 - a few ms, once
        [sys.executable, *FLAGS, "-m", "bancada.sandbox.zygote", str(line.fileno()), *told],
        pass_fds=[line.fileno()],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=errors,
        stderr=errors,
        cwd="/",
    )


class Zygote:
    """A running zygote."""

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket) -> None:
        self._process = process
        self._control = control
        self._asking = asyncio.Lock()
        self._dead = False
        self.hides = False
        """Whether its containers see no path and no process of the machine but their own."""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return not self._dead and self._process.poll() is None

    @classmethod
    async def start(
        cls, tier: str, run_folder: Path, libraries: Sequence[str] = LIBRARIES
    ) -> Zygote:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        told = [tier, ",".join(libraries), str(run_folder), *_needed()]
        with tempfile.TemporaryFile() as errors:
            with theirs:
                process = launch(told, theirs, errors)
            zygote = cls(process, ours)
            try:
                message, _ = await zygote._receive_within(_START_SECONDS)
            except (TimeoutError, OSError):
                message = b""
            except BaseException:
                zygote.close()
                raise
            if not message:
                zygote.close()
                errors.seek(0)
                said = errors.read().decode(errors="replace").strip().splitlines()
                raise ZygoteDied(said[-1] if said else "the zygote did not start")
            zygote.hides = bool(json.loads(message).get("hides"))
        return zygote

    async def spawn(self, order: Spawn, descriptors: Sequence[int]) -> tuple[int, int]:
        """Fork one container: its process id, and a handle that never names another process."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
        await self._asking.acquire()
        try:
            self._control.sendmsg([write_order(order)], rights)
        except OSError as error:
            self._asking.release()
            self.close()
            raise ZygoteDied(f"the zygote does not listen: {error}") from error
        # Whoever asked may be cancelled; the answer must be taken from the line all the same.
        answering = asyncio.create_task(self._receive_within(_SPAWN_SECONDS))
        answering.add_done_callback(lambda _: self._asking.release())
        try:
            message, handles = await asyncio.shield(answering)
        except asyncio.CancelledError:
            answering.add_done_callback(_discard)
            raise
        except (OSError, TimeoutError) as error:
            self.close()
            raise ZygoteDied(f"the zygote does not answer: {error}") from error
        if not message:
            self.close()
            raise ZygoteDied("the zygote ended")
        answer = json.loads(message)
        if "error" in answer or not handles:
            raise SandboxError(f"the container did not start: {answer.get('error')}")
        return int(answer["pid"]), handles[0]

    async def _receive_within(self, seconds: float) -> tuple[bytes, list[int]]:
        async with asyncio.timeout(seconds):
            return await self._receive()

    async def _receive(self) -> tuple[bytes, list[int]]:
        """The next message and the descriptors that came with it; empty at the end."""
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[None] = loop.create_future()

        def readable() -> None:
            if not arrived.done():
                arrived.set_result(None)

        loop.add_reader(self._control, readable)
        try:
            await arrived
        finally:
            loop.remove_reader(self._control)
        message, ancillary, _, _ = self._control.recvmsg(_MESSAGE_BYTES, socket.CMSG_SPACE(4))
        handles = array.array("i")
        for level, kind, data in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                handles.frombytes(data)
        return message, handles.tolist()

    def close(self) -> None:
        """End the zygote, and with it every container it forked."""
        if self._dead:
            return
        self._dead = True
        self._control.close()
        self._process.kill()
        self._process.wait()


def _discard(answering: asyncio.Task[tuple[bytes, list[int]]]) -> None:
    """End a container that nobody waits for any more."""
    if answering.cancelled() or answering.exception() is not None:
        return
    for handle in answering.result()[1]:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        os.close(handle)
