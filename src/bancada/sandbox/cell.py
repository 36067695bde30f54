"""One cell under way, seen from the host: its calls, its clocks, its files, its end."""

from __future__ import annotations

import asyncio
import binascii
import mimetypes
from base64 import b64decode
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from bancada.sandbox.clocks import OwnTime, Stopwatch
from bancada.sandbox.sandbox import (
    CallTool,
    Clock,
    CodeAnswer,
    CodeCall,
    EndCode,
    Ended,
    Function,
    Limits,
    OutputFile,
)
from bancada.sandbox.wire import Violation, Wire

_CHECK_SECONDS = 1.0
"""How often a cell that awaits is looked at: it may be computing all the same."""
_LARGEST_ID = 1 << 53
_ERROR_CHARS = 4_000


@dataclass(frozen=True)
class Outcome:
    """How the cell ended, before its output is read."""

    return_code: int
    error: str
    ended: Ended | None = None


@dataclass(frozen=True)
class Budget:
    """The seconds of one cell."""

    seconds: float
    tool_seconds: float
    clock: Clock


def timed_out(name: str, seconds: float) -> CodeAnswer:
    sentence = f"Calling tool ['{name}'] timed out (no response after {seconds:g}s)."
    return CodeAnswer(sentence, is_error=True, timed_out=True)


class Cell:
    """Takes the guest's messages until one ends the cell."""

    def __init__(
        self,
        *,
        number: int,
        pid: int,
        functions: Sequence[Function],
        call: CallTool | None,
        budget: Budget,
        limits: Limits,
        seen: set[int],
        wire: Wire,
        out_of_time: Callable[[], None],
    ) -> None:
        self._number = number
        self._names = {function.name for function in functions} if call else set()
        self._call = call
        self._budget = budget
        self._limits = limits
        self._seen = seen
        self._wire = wire
        self._out_of_time = out_of_time
        self._loop = asyncio.get_running_loop()
        self.outcome: asyncio.Future[Outcome] = self._loop.create_future()
        self._own = OwnTime(pid)
        self._patience = Stopwatch()
        self._made = 0
        self._queued: deque[CodeCall] = deque()
        self._sizes: dict[int, int] = {}
        self._input_bytes = 0
        self._running: dict[int, asyncio.Task[None]] = {}
        self._deadlines: deque[tuple[float, CodeCall]] = deque()
        self._answered: set[int] = set()
        self._files: dict[str, OutputFile] = {}
        self._file_bytes = 0
        self._timer: asyncio.TimerHandle | None = None
        self._check()

    @property
    def files(self) -> tuple[OutputFile, ...]:
        return tuple(self._files.values())

    def message(self, message: dict[str, Any], size: int) -> None:
        """One message from the guest, believed in nothing."""
        if "call" in message:
            self._take_call(message, size)
        elif "file" in message:
            self._take_file(message)
        elif "done" in message:
            self._take_end(message)
        else:
            raise Violation("a message of no known kind")

    def finish(self, outcome: Outcome) -> None:
        if not self.outcome.done():
            self.outcome.set_result(outcome)

    def fail(self, error: BaseException) -> None:
        if not self.outcome.done():
            self.outcome.set_exception(error)

    def pause(self) -> None:
        """The host waits for a person: nobody's time is spent."""
        self._own.stop()
        self._patience.stop()

    def resume(self) -> None:
        self._own.go()
        self._patience.go()

    async def close(self, *, wait: bool) -> None:
        """Let calls that nobody awaits any more end (`wait`), or cancel them."""
        self._queued.clear()
        tasks = list(self._running.values())
        if not wait:
            for task in tasks:
                task.cancel()
        if tasks:
            await asyncio.gather(*tasks, return_exceptions=True)
        if self._timer is not None:
            self._timer.cancel()

    # --- calls

    def _take_call(self, message: dict[str, Any], size: int) -> None:
        number, name, input = message["call"], message.get("name"), message.get("input")
        if type(number) is not int or not 0 < number < _LARGEST_ID:
            raise Violation("a call without a proper id")
        if number in self._seen:
            raise Violation("an id was used twice")
        self._seen.add(number)
        if type(input) is not dict or type(name) is not str:
            raise Violation("a call without name or input")
        if name not in self._names:
            raise Violation("a call of a function that was not offered")
        self._made += 1
        if self._made > self._limits.calls:
            if self._made > 2 * self._limits.calls:
                raise Violation("too many calls")
            self._reply(number, CodeAnswer(f"More than {self._limits.calls} calls.", True))
            return
        if self._budget.clock == "own" and not self._awaited:
            self._own.stop()
        call = CodeCall(number, name, input)
        self._sizes[number] = size
        self._input_bytes += size
        if self._full:
            # What this read brought is kept; the guest waits before it can send more.
            self._queued.append(call)
            self._wire.hold()
        else:
            self._start(call)

    @property
    def _full(self) -> bool:
        limits = self._limits
        return len(self._running) >= limits.calls_at_once or self._input_bytes > limits.inputs_bytes

    @property
    def _awaited(self) -> bool:
        return bool(self._running or self._queued)

    def _start(self, call: CodeCall) -> None:
        deadline = self._patience.spent + self._budget.tool_seconds
        self._deadlines.append((deadline, call))
        if len(self._deadlines) == 1 and self._budget.tool_seconds < _CHECK_SECONDS:
            self._check()
        self._running[call.id] = self._loop.create_task(self._answer(call))

    async def _answer(self, call: CodeCall) -> None:
        assert self._call is not None
        try:
            answer = await self._call(call)
        except asyncio.CancelledError:
            if call.id not in self._answered:
                raise
        except EndCode as ending:
            self.finish(Outcome(1, f"{ending}\n", "stopped"))
        except Exception as error:
            self.fail(error)
        else:
            if call.id not in self._answered:
                self._reply(call.id, answer)
        finally:
            self._settled(call)

    def _settled(self, call: CodeCall) -> None:
        del self._running[call.id]
        self._input_bytes -= self._sizes.pop(call.id)
        self._answered.discard(call.id)
        while self._deadlines and self._deadlines[0][1].id not in self._running:
            self._deadlines.popleft()
        if self._queued and not self.outcome.done():
            self._start(self._queued.popleft())
            if not self._queued:
                self._wire.release()
        if self._budget.clock == "own" and not self._awaited:
            self._own.go()

    def _reply(self, number: int, answer: CodeAnswer) -> None:
        line = (
            {"answer": number, "timeout": answer.text}
            if answer.timed_out
            else {"answer": number, "text": answer.text, "is_error": answer.is_error}
        )
        self._wire.send(orjson.dumps(line) + b"\n")

    def _give_up(self, call: CodeCall) -> None:
        """The tool was silent for too long: the code hears so, the call is cancelled."""
        answer = timed_out(call.name, self._budget.tool_seconds)
        self._answered.add(call.id)
        self._reply(call.id, answer)
        self._running[call.id].cancel(answer)

    # --- clocks

    def _check(self) -> None:
        """Look at both clocks, and come back when the nearer one can have run out."""
        if self._timer is not None:
            self._timer.cancel()
        if self.outcome.done():
            return
        left = self._budget.seconds - self._own.spent
        if left <= 0:
            self._out_of_time()
            return
        waited = self._patience.spent
        while self._deadlines and self._deadlines[0][0] <= waited:
            _, call = self._deadlines.popleft()
            if call.id in self._running and call.id not in self._answered:
                self._give_up(call)
        if self._deadlines:
            left = min(left, self._deadlines[0][0] - waited)
        self._timer = self._loop.call_later(min(left, _CHECK_SECONDS) + 0.001, self._check)

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
        self.finish(Outcome(code, error[:_ERROR_CHARS]))


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
