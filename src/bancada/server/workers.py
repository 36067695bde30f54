"""`bancada serve --workers N`: several processes on one port, and one that looks after them.

The socket is opened once and handed down: what waits to be accepted is nobody's in particular, so
a worker that dies or stops takes no connection with it. One that dies is started again; the whole
stops with status 0 when it is told to, each worker having drained.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType

from bancada.domain.errors import BancadaError, SettingsError
from bancada.settings import Settings

log = logging.getLogger("bancada.server")

QUICK_SECONDS = 5.0
"""A worker that did not live so long is not started again at once."""
PAUSE_SECONDS = 2.0
LOOK_SECONDS = 0.2


@dataclass(frozen=True)
class Place:
    """What a worker knows of the others: which it is, and where it says and hears things."""

    number: int
    ready: int
    """Written to once it serves."""
    leash: int
    """Ends when whoever looks after the workers is gone."""


def check_workers(settings: Settings) -> None:
    """One process serves a SQLite file."""
    if not settings.url.startswith("sqlite"):
        return
    if settings.workers > 1:
        raise SettingsError(
            f"--workers {settings.workers} needs Postgres: one process serves a SQLite file. "
            "Set BANCADA_DATABASE_URL, or leave --workers out."
        )
    if settings.runner == "cluster":
        raise SettingsError("BANCADA_RUNNER=cluster needs Postgres: set BANCADA_DATABASE_URL.")


@dataclass
class Workers:
    """Keeps so many processes of `work` going."""

    many: int
    work: Callable[[Place], None]
    _born: dict[int, tuple[int, float]] = field(default_factory=dict)
    """By process: its number, and when it was started."""
    _stopping: bool = False

    def run(self) -> int:
        """Until told to stop, or until the first cannot start; the exit status."""
        self._ends, self._leash = os.pipe()[::-1]
        for told in (signal.SIGTERM, signal.SIGINT):
            signal.signal(told, self._stop)
        # The first migrates and seeds alone; the others find that done.
        if not self._start(0, wait=True):
            return self._last_words()
        for number in range(1, self.many):
            self._start(number)
        while self._born:
            self._look()
        return 0

    def _stop(self, told: int, frame: FrameType | None) -> None:
        self._stopping = True
        for pid in self._born:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)

    def _start(self, number: int, *, wait: bool = False) -> bool:
        """Whether it serves, if that is waited for."""
        hears, says = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            os.close(self._ends)
            os.close(hears)
            self._live(Place(number, says, self._leash))
        os.close(says)
        self._born[pid] = (number, time.monotonic())
        if self._stopping:
            # Told to stop in between: it was not among those who heard.
            os.kill(pid, signal.SIGTERM)
        ready = bool(_read(hears)) if wait else True
        os.close(hears)
        return ready

    def _live(self, place: Place) -> None:
        """The whole life of a worker; nothing of the one that made it is run to its end here."""
        status = 1
        try:
            for told in (signal.SIGTERM, signal.SIGINT):
                signal.signal(told, signal.SIG_DFL)
            self.work(place)
            status = 0
        except BancadaError as error:
            print(error, file=sys.stderr, flush=True)
            status = 2
        except BaseException:
            log.exception("worker %d failed", place.number)
        finally:
            os._exit(status)

    def _look(self) -> None:
        """Wait for one to end, and start it again unless it was told to."""
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            self._born.clear()
            return
        if pid == 0:
            time.sleep(LOOK_SECONDS)
            return
        number, born = self._born.pop(pid, (0, 0.0))
        if self._stopping:
            return
        log.error(
            "worker %d (process %d) ended with %d; it is started again",
            number,
            pid,
            os.waitstatus_to_exitcode(status),
        )
        if time.monotonic() - born < QUICK_SECONDS:
            time.sleep(PAUSE_SECONDS)
        if not self._stopping:
            self._start(number)

    def _last_words(self) -> int:
        (pid,) = self._born
        _, status = os.waitpid(pid, 0)
        return 0 if self._stopping else max(1, os.waitstatus_to_exitcode(status))


def _read(fd: int) -> bytes:
    while True:
        try:
            return os.read(fd, 1)
        except InterruptedError:
            continue


def said_ready(place: Place) -> None:
    """Let whoever started this worker know that it serves."""
    with contextlib.suppress(OSError):
        os.write(place.ready, b"1")
        os.close(place.ready)
