"""A few connections shared by many threads.

Tools run in whatever thread is free; a database connection serves one of them at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

Connection = TypeVar("Connection")


class Pool(Generic[Connection]):
    """Opens connections as they are needed, at most `size`; who comes later waits."""

    def __init__(self, open: Callable[[], Connection], size: int) -> None:
        self._open = open
        self._seats = threading.BoundedSemaphore(size)
        self._idle: list[Connection] = []

    @contextmanager
    def lease(self) -> Iterator[Connection]:
        with self._seats:
            # `list.pop` and `append` are atomic; the semaphore bounds how many are out.
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = self._open()
            try:
                yield connection
            finally:
                self._idle.append(connection)

    def close(self, close: Callable[[Connection], None]) -> None:
        """Close what is idle; nobody may be using the pool any more."""
        while self._idle:
            close(self._idle.pop())
