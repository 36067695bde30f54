"""Time that can be stopped: a cell's own running, and its patience with tools."""

from __future__ import annotations

import time


class Stopwatch:
    """Seconds spent running; stops may nest."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._since = time.monotonic()
        self._stops = 0

    @property
    def running(self) -> bool:
        return self._stops == 0

    @property
    def spent(self) -> float:
        return self._spent + (time.monotonic() - self._since if self.running else 0.0)

    def stop(self) -> None:
        if self.running:
            self._spent = self.spent
        self._stops += 1

    def go(self) -> None:
        self._stops -= 1
        if self.running:
            self._since = time.monotonic()


class OwnTime:
    """What a cell has used of its seconds.

    While the watch stands, because the cell awaits an answer or a person, processor time still
    counts: code that computes beside an awaited call is running, not waiting.
    """

    def __init__(self, pid: int) -> None:
        self._watch = Stopwatch()
        self._clock = _processor_clock(pid)
        self._computed = 0.0
        self._mark = 0.0

    @property
    def running(self) -> bool:
        return self._watch.running

    @property
    def spent(self) -> float:
        beside = 0.0 if self.running else self._processor() - self._mark
        return self._watch.spent + self._computed + max(0.0, beside)

    def stop(self) -> None:
        if self.running:
            self._mark = self._processor()
        self._watch.stop()

    def go(self) -> None:
        self._watch.go()
        if self.running:
            self._computed += max(0.0, self._processor() - self._mark)

    def _processor(self) -> float:
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return self._mark  # the process is gone, and so is the question


def _processor_clock(pid: int) -> int:
    """The kernel's id for the processor time of another process (see clock_getcpuclockid)."""
    scheduled = 2
    return (~pid << 3) | scheduled
