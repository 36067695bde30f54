"""The guest's end of the line: awaited functions out, answers in.

One line of JSON a message. Answers are read by whichever event loop is running, so that
`asyncio.run` in a cell, nested or in a thread, gets its own answers and everybody else's.

An answer is handed over when nothing that the one before it set going is left to run. So what
code does follows from the order of its answers alone, not from how many of them the line held
when it was read, and a replay that gives the same order comes to the same state.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import orjson

from bancada.sandbox.plain import plain, with_plain_keys

_CHUNK = 1 << 18
_OPTIONS = orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_APPEND_NEWLINE
_MOST_ROUNDS = 1_000
"""Rounds of the loop after which a task that never rests is not waited for any more."""


class ToolError(Exception):
    """A tool answered with an error; the text says which."""


ToolError.__module__ = "builtins"  # tracebacks name it as the code may: it is a global of cells


def encode(message: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(message, default=plain, option=_OPTIONS)
    except TypeError:
        return orjson.dumps(with_plain_keys(message), default=plain, option=_OPTIONS)


class Bridge:
    """One socket, shared by every loop and thread of the container."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[str]] = {}
        self._orders: deque[dict[str, Any]] = deque()
        self._answers: deque[dict[str, Any]] = deque()
        self._settling: asyncio.AbstractEventLoop | None = None
        self._rest: list[bytes] = []
        self._heading: dict[str, Any] = {}
        self._body = bytearray()
        self._missing = 0
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

    def function(self, name: str, tool: str, parameters: tuple[str, ...]) -> Callable[..., Any]:
        """The async function that code calls, by `name`, for one tool."""

        async def call(*values: Any, **named: Any) -> str:
            return await self._ask(tool, _arguments(name, parameters, values, named))

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
            self._feed(data)
        self._hand_over()
        return True

    def _feed(self, data: bytes) -> None:
        """Lines of JSON; after one that says so, that many bytes of plain text."""
        while data:
            if self._missing:
                data = self._fill(data)
                continue
            line, ended, data = data.partition(b"\n")
            self._rest.append(line)
            if ended:
                message = orjson.loads(b"".join(self._rest))
                self._rest = []
                self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        if "answer" not in message:
            self._orders.append(message)
        elif "bytes" not in message:
            self._answers.append(message)
        else:
            self._heading, self._missing = message, message["bytes"]
            try:
                self._body = bytearray(self._missing)
            except MemoryError:
                self._body = bytearray()  # what does not fit is passed over, and told

    def _fill(self, data: bytes) -> bytes:
        """Put into the text what belongs to it; the rest is the next line's."""
        size, taken = self._heading["bytes"], data[: self._missing]
        if self._body:
            self._body[size - self._missing : size - self._missing + len(taken)] = taken
        self._missing -= len(taken)
        if not self._missing:
            try:
                text = self._body.decode() if self._body else None
            except MemoryError:
                text = None
            self._body = bytearray()
            self._answers.append(self._heading if text is None else {**self._heading, "text": text})
        return data[len(taken) :]

    def _hand_over(self) -> None:
        """Hand over the next answer; `_watch` goes on when what it set going has come to rest."""
        running = asyncio._get_running_loop()
        # Another loop that settles has stopped, or waits for this one: it must not hold it up.
        while self._answers and not (running and self._settling is running):
            message = self._answers.popleft()
            future = self._waiting.pop(message["answer"], None)
            if future is None:
                continue
            loop = future.get_loop()
            if loop is running:
                self._settling = running
                _settle(future, message)
                running.call_soon(self._watch, running, 0)
            elif not loop.is_closed():
                loop.call_soon_threadsafe(_settle, future, message)

    def _watch(self, loop: asyncio.AbstractEventLoop, rounds: int) -> None:
        if loop._ready and rounds < _MOST_ROUNDS:  # type: ignore[attr-defined]
            loop.call_soon(self._watch, loop, rounds + 1)
            return
        self._settling = None
        self._hand_over()


def _settle(future: asyncio.Future[str], message: dict[str, Any]) -> None:
    if future.done():
        return
    if "note" in message:
        with suppress(OSError, ValueError, AttributeError):  # closed or replaced by the cell
            sys.stderr.write(f"{message['note']}\n")
    if "timeout" in message:
        future.set_exception(TimeoutError(message["timeout"]))
    elif "text" not in message:
        size = message["bytes"]
        future.set_exception(MemoryError(f"an answer of {size:,} bytes does not fit any more"))
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
