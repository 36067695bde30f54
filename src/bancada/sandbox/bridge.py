"""The guest's end of the line: awaited functions out, answers in.

One line of JSON a message. Answers are read by whichever event loop is running, so that
`asyncio.run` in a cell, nested or in a thread, gets its own answers and everybody else's.
"""

from __future__ import annotations

import asyncio
import datetime as dates
import itertools
import os
import socket
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import orjson

_CHUNK = 1 << 18
_OPTIONS = orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_APPEND_NEWLINE


class ToolError(Exception):
    """A tool answered with an error; the text says which."""


ToolError.__module__ = "builtins"  # tracebacks name it as the code may: it is a global of cells


def _plain(value: Any) -> Any:
    """What code often passes and JSON has no word for: numpy scalars, dates, sets, frames."""
    if isinstance(value, (dates.date, dates.time)):
        return value.isoformat()
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    for method in ("tolist", "item", "to_dict"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError  # orjson says of which type it was


def encode(message: dict[str, Any]) -> bytes:
    return orjson.dumps(message, default=_plain, option=_OPTIONS)


class Bridge:
    """One socket, shared by every loop and thread of the container."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[str]] = {}
        self._orders: deque[dict[str, Any]] = deque()
        self._rest = b""
        self._reading = threading.Lock()
        self._sending = threading.Lock()
        self._loops: set[int] = set()

    def send(self, message: dict[str, Any]) -> None:
        self.send_line(encode(message))

    def send_line(self, data: bytes) -> None:
        with self._sending:
            self._line.sendall(data)

    def next_order(self) -> dict[str, Any] | None:
        """The host's next cell, or None when the host has gone."""
        while not self._orders:
            if not self._receive(0):
                return None
        return self._orders.popleft()

    def function(self, name: str, parameters: tuple[str, ...]) -> Callable[..., Any]:
        """The async function that code calls for one tool."""

        async def call(*values: Any, **named: Any) -> str:
            return await self._ask(name, _arguments(name, parameters, values, named))

        call.__name__ = call.__qualname__ = name
        return call

    def _ask(self, name: str, input: dict[str, Any]) -> asyncio.Future[str]:
        loop = asyncio.get_running_loop()
        if id(loop) not in self._loops:
            self._attend(loop)
        number = next(self._ids)
        answer = loop.create_future()
        data = encode({"call": number, "name": name, "input": input})
        self._waiting[number] = answer
        with self._sending:
            self._line.sendall(data)
        return answer

    def _attend(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read the line in this loop for as long as it lives."""
        loop.add_reader(self._line.fileno(), self._answered)
        self._loops.add(id(loop))
        close = loop.close

        def forget_and_close() -> None:
            self._loops.discard(id(loop))
            close()

        loop.close = forget_and_close  # type: ignore[method-assign]

    def _answered(self) -> None:
        if not self._receive(socket.MSG_DONTWAIT):
            os._exit(0)

    def _receive(self, flags: int) -> bool:
        """Take what has arrived and hand it out; False when the host has gone."""
        with self._reading:
            try:
                data = self._line.recv(_CHUNK, flags)
            except BlockingIOError:
                return True  # another loop was faster
            if not data:
                return False
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                message = orjson.loads(line)
                if "answer" in message:
                    self._hand_over(message)
                else:
                    self._orders.append(message)
        return True

    def _hand_over(self, message: dict[str, Any]) -> None:
        future = self._waiting.pop(message["answer"], None)
        if future is None:
            return
        loop = future.get_loop()
        if loop is asyncio._get_running_loop():
            _settle(future, message)
        elif not loop.is_closed():
            loop.call_soon_threadsafe(_settle, future, message)


def _settle(future: asyncio.Future[str], message: dict[str, Any]) -> None:
    if future.done():
        return
    if "timeout" in message:
        future.set_exception(TimeoutError(message["timeout"]))
    elif message["is_error"]:
        future.set_exception(ToolError(message["text"]))
    else:
        future.set_result(message["text"])


def _arguments(
    name: str, parameters: tuple[str, ...], values: tuple[Any, ...], named: dict[str, Any]
) -> dict[str, Any]:
    """One dict, keyword arguments, or positional ones in the schema's order."""
    if len(values) == 1 and isinstance(values[0], dict):
        return {**values[0], **named}
    if len(values) > len(parameters):
        expected = ", ".join(parameters) or "none"
        raise TypeError(f"{name}() takes {len(parameters)} arguments ({expected})")
    placed = dict(zip(parameters, values, strict=False))
    for key in named:
        if key in placed:
            raise TypeError(f"{name}() got two values for {key!r}")
    return {**placed, **named}
