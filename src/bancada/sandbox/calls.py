"""The calls of one cell: taken from the guest, run at the same time, answered or given up."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import orjson

from bancada.sandbox.clocks import Stopwatch
from bancada.sandbox.sandbox import CallTool, CodeAnswer, CodeCall, Limits
from bancada.sandbox.wire import Violation, Wire

_LARGEST_ID = 1 << 53
_LONG_TEXT = 1 << 16


class Calls:
    """Calls under way, and those that wait for their turn.

    A guest that sends more than may run at once, or does not take its answers, is not read from
    until there is room: what it can make the host remember is bounded.
    """

    def __init__(
        self,
        names: Iterable[str],
        call: CallTool | None,
        *,
        seconds: float,
        limits: Limits,
        seen: set[int],
        wire: Wire,
        awaiting: Callable[[bool], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._names = frozenset(names) if call is not None else frozenset()
        self._call = call
        self._seconds = seconds
        self._limits = limits
        self._seen = seen
        self._wire = wire
        self._awaiting = awaiting
        self._failed = failed
        self._loop = asyncio.get_running_loop()
        self._made = 0
        self._queued: dict[int, CodeCall] = {}
        self._running: dict[int, asyncio.Task[CodeAnswer]] = {}
        self._given_up: dict[int, CodeAnswer] = {}
        self._deadlines: deque[tuple[float, CodeCall]] = deque()
        self._sizes: dict[int, int] = {}
        self._bytes = 0
        self.patience = Stopwatch()
        wire.drained = self._proceed

    def take(self, message: dict[str, Any], size: int) -> None:
        """One call, as the guest sent it."""
        call = self._checked(message)
        self._made += 1
        if self._made > self._limits.calls:
            if self._made > 2 * self._limits.calls:
                raise Violation("too many calls")
            self._reply(call, CodeAnswer(f"More than {self._limits.calls} calls.", is_error=True))
            return
        if not self._sizes:
            self._awaiting(True)
        self._sizes[call.id] = size
        self._bytes += size
        if self._full:
            self._queued[call.id] = call
            self._wire.hold()
        else:
            self._start(call)

    def expire(self) -> float | None:
        """Give up the calls whose time has come; the seconds until the next one's does."""
        waited = self.patience.spent
        while self._deadlines:
            deadline, call = self._deadlines[0]
            if call.id in self._sizes and call.id not in self._given_up:
                if deadline > waited:
                    return deadline - waited
                self._give_up(call)
            self._deadlines.popleft()
        return None

    async def close(self, *, wait: bool) -> None:
        """Let calls that nobody awaits any more end (`wait`), or cancel them."""
        for id in list(self._queued):
            self._forget(id)
        self._wire.drained = None
        self._wire.release()
        tasks = list(self._running.values())
        if not wait:
            for task in tasks:
                task.cancel()
        if tasks:
            await asyncio.gather(*tasks, return_exceptions=True)

    def _checked(self, message: dict[str, Any]) -> CodeCall:
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
        return CodeCall(number, name, input)

    @property
    def _full(self) -> bool:
        limits = self._limits
        return (
            len(self._running) >= limits.calls_at_once
            or self._bytes > limits.inputs_bytes
            or self._wire.backlog > limits.answers_bytes
        )

    def _start(self, call: CodeCall) -> None:
        assert self._call is not None
        self._deadlines.append((self.patience.spent + self._seconds, call))
        task = self._loop.create_task(_awaited(self._call, call))
        self._running[call.id] = task
        task.add_done_callback(lambda task: self._settled(call, task))

    def _settled(self, call: CodeCall, task: asyncio.Task[CodeAnswer]) -> None:
        del self._running[call.id]
        if task.cancelled():
            # Told only now, when whoever keeps a journal has written it: what code was told, and
            # in which order, is what the journal says.
            if call.id in self._given_up:
                self._reply(call, self._given_up[call.id])
        elif (error := task.exception()) is not None:
            self._failed(error)
        else:
            self._reply(call, task.result())
        self._forget(call.id)
        self._proceed()

    def _forget(self, id: int) -> None:
        self._queued.pop(id, None)
        self._given_up.pop(id, None)
        self._bytes -= self._sizes.pop(id)
        if not self._sizes:
            self._awaiting(False)

    def _proceed(self) -> None:
        """Start what waited, as far as there is room, and then read on."""
        while self._queued and (not self._running or not self._full):
            if self._wire.backlog > self._limits.answers_bytes:
                return
            self._start(self._queued.pop(next(iter(self._queued))))
        if not self._queued:
            self._wire.release()

    def _give_up(self, call: CodeCall) -> None:
        """The tool was silent for too long: its call is cancelled, and the code hears why."""
        sentence = f"Calling tool ['{call.name}'] timed out (no response after {self._seconds:g}s)."
        answer = CodeAnswer(sentence, is_error=True, timed_out=True)
        self._given_up[call.id] = answer
        self._running[call.id].cancel(answer)

    def _reply(self, call: CodeCall, answer: CodeAnswer) -> None:
        line: dict[str, Any] = {"answer": call.id, "is_error": answer.is_error}
        body = b""
        if answer.timed_out:
            line["timeout"] = answer.text
        elif len(answer.text) < _LONG_TEXT:
            line["text"] = answer.text
        else:
            # As it is: reading it as JSON would take a multiple of its size, and ends the guest
            # where that is not there.
            body = answer.text.encode("utf-8", "replace")
            line["bytes"] = len(body)
        if answer.note:
            line["note"] = f"{call.name}: {answer.note}"
        self._wire.send(orjson.dumps(line) + b"\n" + body)


async def _awaited(call_tool: CallTool, call: CodeCall) -> CodeAnswer:
    return await call_tool(call)
