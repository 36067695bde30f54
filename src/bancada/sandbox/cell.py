"""One cell under way, seen from the host: its clocks, its files, its end."""

from __future__ import annotations

import asyncio
import binascii
import mimetypes
from base64 import b64decode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bancada.sandbox.calls import Calls
from bancada.sandbox.clocks import OwnTime
from bancada.sandbox.sandbox import (
    CallTool,
    Clock,
    EndCode,
    Ended,
    ErrorCode,
    Function,
    Limits,
    OutputFile,
)
from bancada.sandbox.wire import Violation, Wire

_CHECK_SECONDS = 1.0
"""How often a cell that awaits is looked at: it may be computing all the same."""
_ERROR_CHARS = 4_000


@dataclass(frozen=True)
class CellEnd:
    """How the cell ended, before its output is read."""

    return_code: int
    error: str
    ended: Ended | None = None


@dataclass(frozen=True)
class CellBudget:
    """The seconds of one cell."""

    seconds: float
    tool_seconds: float
    clock: Clock


class Cell:
    """Takes the guest's messages until one ends the cell."""

    def __init__(
        self,
        *,
        number: int,
        pid: int,
        functions: Sequence[Function],
        call: CallTool | None,
        budget: CellBudget,
        limits: Limits,
        seen: set[int],
        wire: Wire,
        out_of_time: Callable[[], None],
    ) -> None:
        self._number = number
        self._budget = budget
        self._limits = limits
        self._out_of_time = out_of_time
        self._loop = asyncio.get_running_loop()
        self.outcome: asyncio.Future[CellEnd] = self._loop.create_future()
        self._own = OwnTime(pid)
        self._files: dict[str, OutputFile] = {}
        self._file_bytes = 0
        self._timer: asyncio.TimerHandle | None = None
        self._calls = Calls(
            (function.name for function in functions),
            call,
            seconds=budget.tool_seconds,
            limits=limits,
            seen=seen,
            wire=wire,
            awaiting=self._awaiting,
            failed=self.fail,
        )

    def begin(self) -> None:
        """Start to watch its time."""
        self._check()

    @property
    def files(self) -> tuple[OutputFile, ...]:
        return tuple(self._files.values())

    def message(self, message: dict[str, Any], size: int) -> None:
        """One message from the guest, believed in nothing."""
        if "call" in message:
            self._calls.take(message, size)
            if self._budget.tool_seconds < _CHECK_SECONDS:
                self._check()
        elif "file" in message:
            self._take_file(message)
        elif "done" in message:
            self._take_end(message)
        else:
            raise Violation("a message of no known kind")

    def finish(self, outcome: CellEnd) -> None:
        if not self.outcome.done():
            self.outcome.set_result(outcome)

    def fail(self, error: BaseException) -> None:
        """A call raised: the sentence is for the model, or the fault is ours."""
        if isinstance(error, EndCode):
            self.finish(CellEnd(1, f"{error}\n", "stopped"))
        elif not self.outcome.done():
            self.outcome.set_exception(error)

    def pause(self) -> None:
        """The host waits for a person: nobody's time is spent."""
        self._own.stop()
        self._calls.patience.stop()

    def resume(self) -> None:
        self._own.go()
        self._calls.patience.go()

    async def close(self, *, wait: bool) -> None:
        """Let calls that nobody awaits any more end (`wait`), or cancel them."""
        await self._calls.close(wait=wait)
        if self._timer is not None:
            self._timer.cancel()

    def _awaiting(self, begins: bool) -> None:
        """The first of its calls begins, or the last has ended."""
        if self._budget.clock == "all":
            return
        if begins:
            self._own.stop()
        else:
            self._own.go()

    def _check(self) -> None:
        """Look at both clocks, and come back when the nearer one can have run out."""
        if self._timer is not None:
            self._timer.cancel()
        left = _CHECK_SECONDS
        if not self.outcome.done():
            left = self._budget.seconds - self._own.spent
            if left <= 0:
                self._out_of_time()
                return
        silent = self._calls.expire()
        left = min(left, _CHECK_SECONDS, _CHECK_SECONDS if silent is None else silent)
        self._timer = self._loop.call_later(left + 0.001, self._check)

    # --- files and the end

    def _take_file(self, message: dict[str, Any]) -> None:
        name, data = message["file"], message.get("data")
        if type(name) is not str or type(data) is not str:
            raise Violation("a file without name or content")
        try:
            content = b64decode(data, validate=True)
        except (binascii.Error, ValueError) as error:
            raise Violation("a file that is not base64") from error
        self._file_bytes += len(content)
        limits = self._limits
        if (
            len(self._files) >= limits.output_files
            or len(content) > limits.output_file_bytes
            or self._file_bytes > limits.output_total_bytes
        ):
            raise Violation("more files than allowed")
        clean = clean_name(name)
        self._files[clean] = OutputFile(clean, media_type(clean, content), content)

    def _take_end(self, message: dict[str, Any]) -> None:
        code, error = message["done"], message.get("error")
        if message.get("number") != self._number:
            raise Violation("the end of another cell")
        if type(code) is not int or type(error) is not str or not 0 <= code <= 255:
            raise Violation("an end without return code or text")
        self.finish(CellEnd(code, error[:_ERROR_CHARS]))


def clean_name(name: str) -> str:
    """A relative name that is safe to show, store and offer as a download."""
    kept = "".join(
        letter if letter.isprintable() and letter not in '\\:*?"<>|' else "_" for letter in name
    )
    parts = [part for part in kept.split("/") if part not in ("", ".", "..")]
    return "/".join(parts)[-200:].lstrip("/") or "file"


_SIGNATURES = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
}


def media_type(name: str, content: bytes) -> str:
    """By its name, unless it claims to be a picture and is not one."""
    guessed, _ = mimetypes.guess_type(name)
    if guessed in _SIGNATURES and not content.startswith(_SIGNATURES[guessed]):
        return "application/octet-stream"
    return guessed or "application/octet-stream"


def explained(
    ended: Ended | None, seconds: float, limits: Limits
) -> tuple[str | None, ErrorCode | None]:
    """The sentence the model reads about a container that is gone, and its error code."""
    match ended:
        case "time":
            sentence = f"The code was stopped: it ran for more than {seconds:g} s.\n"
            return sentence, "execution_time_exceeded"
        case "output":
            size = limits.output_bytes >> 20
            return f"The code was stopped: it printed more than {size} MB.\n", None
        case "threads":
            return f"The code was stopped: it had more than {limits.threads} threads.\n", None
        case "protocol":
            return "The code was stopped: it tampered with the line to its host.\n", None
        case "crash":
            return (
                "The code's process ended: it ran out of memory, crashed in a library, "
                "or ended itself.\n"
            ), None
        case "stopped":
            return "The container was ended.\n", "unavailable"
        case None:
            return None, None
