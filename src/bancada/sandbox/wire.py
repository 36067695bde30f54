"""The host's ends of a container's socket and pipes, read by the event loop.

Whatever arrives is hostile. A wire keeps at most one message of the size allowed; an output
keeps what may be shown and counts the rest.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
from collections.abc import Callable
from typing import Any

import orjson

from bancada.sandbox.excerpt import excerpt, joined

_CHUNK = 1 << 18
_CONTINUATION = bytes(range(0x80, 0xC0))
"""Bytes within a character; all others begin one."""
_FILE = re.compile(rb'\{"file":"[^\n]{0,4096}","data":"[A-Za-z0-9+/]*={0,2}"\}')


class Violation(Exception):
    """A message no honest guest would send."""


class Wire:
    """Lines of JSON over one socket."""

    def __init__(
        self,
        line: socket.socket,
        received: Callable[[dict[str, Any], int], None],
        ended: Callable[[Violation | None], None],
    ) -> None:
        line.setblocking(False)
        self._line = line
        self._received = received
        self._ended = ended
        self._rest = bytearray()
        self._unsent = bytearray()
        self._loop = asyncio.get_running_loop()
        self.limit = 1 << 16
        self.file_limit = 0
        self._held = False
        self.drained: Callable[[], None] | None = None
        self._loop.add_reader(line, self._read)

    def send(self, message: bytes) -> None:
        """Queue one line; what the guest does not take yet waits here."""
        if self._unsent:
            self._unsent += message
            return
        try:
            sent = self._line.send(message)
        except BlockingIOError:
            sent = 0
        except OSError:
            return  # it has gone; the reader will see that too
        if sent < len(message):
            self._unsent += message[sent:]
            self._loop.add_writer(self._line, self._write)

    @property
    def backlog(self) -> int:
        """Bytes the guest has not taken yet."""
        return len(self._unsent)

    def hold(self) -> None:
        """Stop reading until `release`: the guest's next message has to wait."""
        if not self._held and self._line.fileno() >= 0:
            self._held = True
            self._loop.remove_reader(self._line)

    def release(self) -> None:
        if self._held and self._line.fileno() >= 0:
            self._held = False
            self._loop.add_reader(self._line, self._read)

    def _write(self) -> None:
        try:
            sent = self._line.send(self._unsent)
        except BlockingIOError:
            return
        except OSError:
            sent = len(self._unsent)
        del self._unsent[:sent]
        if not self._unsent:
            self._loop.remove_writer(self._line)
            if self.drained is not None:
                self.drained()

    def _read(self) -> None:
        try:
            data = self._line.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._stop(None)
            return
        try:
            self._split(data)
        except Violation as violation:
            self._stop(violation)

    def _split(self, data: bytes) -> None:
        if b"\n" not in data:
            self._rest += data
            if len(self._rest) > max(self.limit, self.file_limit):
                raise Violation("a message was too long")
            return
        *lines, rest = data.split(b"\n")
        if self._rest:
            lines[0] = bytes(self._rest) + lines[0]
        self._rest = bytearray(rest)
        for line in lines:
            if len(line) > self.limit and not self._is_file(line):
                raise Violation("a message was too long")
            try:
                message = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise Violation("a message was not JSON") from error
            if type(message) is not dict:
                raise Violation("a message was not an object")
            self._received(message, len(line))
            if self._line.fileno() < 0:
                return

    def _is_file(self, line: bytes) -> bool:
        """Whether a long message is one long text: nested values would grow when they are read."""
        return len(line) <= self.file_limit and _FILE.fullmatch(line) is not None

    def _stop(self, violation: Violation | None) -> None:
        self._loop.remove_reader(self._line)
        self._ended(violation)

    def close(self) -> None:
        if self._line.fileno() >= 0:
            self._loop.remove_reader(self._line)
            self._loop.remove_writer(self._line)
            self._line.close()


class Output:
    """One pipe that code prints into."""

    def __init__(self, pipe: int, flooded: Callable[[], None]) -> None:
        os.set_blocking(pipe, False)
        self._pipe = pipe
        self._flooded = flooded
        self._loop = asyncio.get_running_loop()
        self._beginning = bytearray()
        self._end = bytearray()
        self._room = 0
        self._printed = 0
        self._bytes = 0
        self._left = 0
        self._loop.add_reader(pipe, self._read)

    def begin(self, characters: int, flood: int) -> None:
        """A new cell: keep this much of what it prints, and bear that much in all."""
        self._left = flood
        self.drain()  # what was printed since the last one belongs to nobody
        self._beginning.clear()
        self._end.clear()
        self._room = characters
        self._printed = 0
        self._bytes = 0

    def text(self) -> str:
        """What was printed: all of it, or its beginning and its end."""
        if self._bytes == len(self._beginning) + len(self._end):
            return excerpt((self._beginning + self._end).decode("utf-8", "replace"), self._room)
        beginning = self._beginning.decode("utf-8", "replace")
        end = self._end.lstrip(_CONTINUATION).decode("utf-8", "replace")
        return joined(beginning, end, max(self._printed, self._room + 1), self._room)

    def drain(self) -> None:
        """Take what is in the pipe now."""
        while self._pipe >= 0 and self._left > 0 and self._read():
            pass

    def _read(self) -> bool:
        try:
            data = os.read(self._pipe, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._loop.remove_reader(self._pipe)
            return False
        self._keep(data)
        self._left -= len(data)
        if self._left <= 0:
            self._loop.remove_reader(self._pipe)
            self._flooded()
        return True

    def _keep(self, data: bytes) -> None:
        """Both ends, each with as many bytes as its characters may take."""
        most = self._room * 4
        self._bytes += len(data)
        self._printed += len(data.translate(None, _CONTINUATION))
        first = max(0, most - len(self._beginning))
        self._beginning += data[:first]
        self._end += data[first:]
        if len(self._end) > 2 * most + _CHUNK:
            del self._end[:-most]

    def close(self) -> None:
        if self._pipe >= 0:
            self._loop.remove_reader(self._pipe)
            os.close(self._pipe)
            self._pipe = -1
