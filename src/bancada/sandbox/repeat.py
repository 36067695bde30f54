"""Code that repeats itself: randomness and clocks that are the same at every replay.

A container that was given a seed and a start gives the same random numbers and the same times
each time the same code runs in it. Its clock does not follow the world's: each reading moves it
by a microsecond, sleeping moves it by what was slept, and awaiting a tool does not move it.
"""

from __future__ import annotations

import asyncio
import ctypes
import datetime as dates
import gc
import os
import random
import sys
import time
import uuid
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from types import ModuleType
from typing import Any

_real_monotonic = time.monotonic
_real_sleep = time.sleep
_real_async_sleep = asyncio.sleep
_real_run = asyncio.run

_TICK = 1_000
"""Nanoseconds between two readings."""


class GuestLoop(asyncio.SelectorEventLoop):
    """An event loop whose timers follow the world's clock, whatever code sees as the time.

    It is woken by a counter: a pair of sockets, as others use, has buffers that no limit counts.
    """

    _counter = -1
    _internal_fds: int

    def time(self) -> float:
        return _real_monotonic()

    def _make_self_pipe(self) -> None:
        self._counter = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._add_reader(self._counter, self._read_from_self)  # type: ignore[attr-defined]
        self._internal_fds += 1

    def _close_self_pipe(self) -> None:
        self._remove_reader(self._counter)  # type: ignore[attr-defined]
        os.close(self._counter)
        self._counter = -1
        self._internal_fds -= 1

    def _read_from_self(self) -> None:
        with suppress(BlockingIOError):
            os.eventfd_read(self._counter)

    def _write_to_self(self) -> None:
        # A thread may wake a loop that another has closed meanwhile.
        with suppress(OSError):
            os.eventfd_write(self._counter, 1)


class GuestPolicy(asyncio.DefaultEventLoopPolicy):
    """Makes `asyncio.run` and `new_event_loop` give such loops."""

    _loop_factory = GuestLoop


class Clock:
    """A clock that counts its readings."""

    def __init__(self, started_at: float) -> None:
        self._now = round(started_at * 1e9)
        self._start = self._now

    def nanoseconds(self) -> int:
        self._now += _TICK
        return self._now

    def seconds(self) -> float:
        return self.nanoseconds() / 1e9

    def since_start(self) -> int:
        return self.nanoseconds() - self._start

    def not_before(self, moment: float) -> None:
        self._now = max(self._now, round(moment * 1e9))

    def after(self, seconds: float) -> int:
        return self._now + round(max(0.0, seconds) * 1e9)

    def reach(self, moment: int) -> None:
        self._now = max(self._now, moment)


def arrange(seed: int | None, started_at: float | None) -> Clock | None:
    """Make randomness fresh for this container, or fixed; likewise the clock."""
    if seed is None:
        random.seed()
        _seed_numpy(None)
    else:
        _fix_randomness(seed)
    if started_at is None:
        return None
    clock = Clock(started_at)
    _fix_clock(clock)
    return clock


def _seed_numpy(seed: int | None) -> None:
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)


def _fix_randomness(seed: int) -> None:
    random.seed(seed)
    _seed_numpy(seed & 0xFFFFFFFF)
    source = random.Random(f"bytes of {seed}")  # noqa: S311 - it must repeat; it guards nothing

    def urandom(size: int, /) -> bytes:
        return source.randbytes(size)

    os.urandom = urandom
    random._urandom = urandom  # type: ignore[attr-defined]
    uuid._generate_time_safe = None  # type: ignore[attr-defined]
    uuid._node = source.getrandbits(48)  # type: ignore[attr-defined]


def _fix_clock(clock: Clock) -> None:
    def sleep(seconds: float, /) -> None:
        moment = clock.after(seconds)
        _real_sleep(seconds)
        clock.reach(moment)

    async def async_sleep(delay: float, result: Any = None) -> Any:
        moment = clock.after(delay)
        value = await _real_async_sleep(delay, result)
        clock.reach(moment)
        return value

    def shown(convert: Callable[..., Any]) -> Callable[..., Any]:
        return lambda value=None, /: convert(clock.seconds() if value is None else value)

    named: dict[str, Callable[..., Any]] = {
        "time": clock.seconds,
        "time_ns": clock.nanoseconds,
        "sleep": sleep,
        "localtime": shown(time.localtime),
        "gmtime": shown(time.gmtime),
    }
    for name in ("monotonic", "perf_counter", "process_time", "thread_time"):
        named[name] = lambda: clock.since_start() / 1e9
        named[f"{name}_ns"] = clock.since_start
    strftime, ctime = time.strftime, time.ctime
    gmtime = named["gmtime"]
    named["strftime"] = lambda form, when=None, /: strftime(form, when or gmtime())
    named["ctime"] = lambda seconds=None, /: ctime(clock.seconds() if seconds is None else seconds)
    for name, function in named.items():
        setattr(time, name, function)
    asyncio.sleep = async_sleep
    asyncio.tasks.sleep = async_sleep
    _fix_datetime(clock)


def _fix_datetime(clock: Clock) -> None:
    """`datetime.now` reads the system's clock in C, so the type itself must be changed.

    Replacing the class would break `isinstance` in every library that already imported it.
    """

    def now(cls: type[dates.datetime], tz: dates.tzinfo | None = None) -> dates.datetime:
        return cls.fromtimestamp(clock.seconds(), tz)

    def utcnow(cls: type[dates.datetime]) -> dates.datetime:
        return cls.fromtimestamp(clock.seconds(), dates.UTC).replace(tzinfo=None)

    members = gc.get_referents(dates.datetime.__dict__)[0]
    members["now"] = classmethod(now)
    members["utcnow"] = classmethod(utcnow)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(dates.datetime))


def allow_nested_run(module: ModuleType) -> None:
    """Let `asyncio.run(main())` work in a cell that also awaits at its top level."""

    def run(main: Coroutine[Any, Any, Any], **options: Any) -> Any:
        outer = asyncio._get_running_loop()
        if outer is None:
            return _real_run(main, **options)
        task = asyncio.current_task(outer)
        asyncio._set_running_loop(None)
        try:
            return _real_run(main, **options)
        finally:
            asyncio.set_event_loop(outer)
            asyncio._set_running_loop(outer)
            assert asyncio.current_task(outer) is task

    module.run = run  # type: ignore[attr-defined]


def start_in_order(module: ModuleType) -> None:
    """Let `as_completed` start what it is given in that order.

    It makes a set of it first, whose order follows from where things lie in memory.
    """
    real = module.as_completed

    def as_completed(fs: Iterable[Any], *, timeout: float | None = None) -> Any:
        return real([asyncio.ensure_future(one) for one in fs], timeout=timeout)

    module.as_completed = as_completed  # type: ignore[attr-defined]
