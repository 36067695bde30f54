"""The journal: what a program asked and was told, in order, so that it can be run again.

A live interpreter cannot be stored. To go on after a restart the same cells run in a fresh
container, and their calls are answered from the journal; where it ends, calls are live. Answers
are handed over in the journal's order, each once every ask before it was seen, so that code which
awaits several at once finds them in the order it found them the first time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bancada.domain.json import JSON
from bancada.sandbox.sandbox import CallTool, CodeAnswer, CodeCall, EndCode


@dataclass(frozen=True)
class JournalAsk:
    """Code called a tool."""

    id: int
    name: str
    input: dict[str, JSON]


@dataclass(frozen=True)
class JournalAnswer:
    """Code was told the answer to the ask of the same id."""

    id: int
    text: str
    is_error: bool = False
    timed_out: bool = False
    note: str = ""


Entry: TypeAlias = JournalAsk | JournalAnswer
Write: TypeAlias = Callable[[Entry], Awaitable[None]]


class Diverged(EndCode):
    """The code did not repeat itself. Nothing was run again."""


class Replay:
    """A `CallTool` that answers from a journal and, past its end, from the live tools.

    An ask that the journal leaves unanswered was cut short: it goes live in its place. Whoever
    must not repeat such a call adds its `JournalAnswer` before the replay.
    """

    def __init__(self, entries: Sequence[Entry], live: CallTool, write: Write) -> None:
        self._entries = tuple(entries)
        self._live = live
        self._write = write
        self._next = 0
        self._answers: dict[int, asyncio.Future[CodeAnswer]] = {}
        self._told = {entry.id for entry in entries if isinstance(entry, JournalAnswer)}
        self._diverged: Diverged | None = None
        self._used_up = asyncio.Event()
        _check(self._entries)

    @property
    def live(self) -> bool:
        """Whether the journal is used up."""
        return self._next >= len(self._entries)

    async def __call__(self, call: CodeCall) -> CodeAnswer:
        self._advance()
        if self._diverged is not None:
            raise self._diverged
        if self.live:
            await self._write(JournalAsk(call.id, call.name, call.input))
            return await self._answer_live(call)
        self._match(call)
        loop = asyncio.get_running_loop()
        # Not at once: an answer that is there before this asker waits for it would overtake those
        # that others wait for already, and the order of the journal would be lost.
        loop.call_soon(self._advance)
        if call.id in self._told:
            answer: asyncio.Future[CodeAnswer] = loop.create_future()
            self._answers[call.id] = answer
            return await answer
        # Cut short the first time. Its answer comes after all that is written, so it waits for
        # that, and a code that does not repeat itself is found out before anything runs.
        await self._used_up.wait()
        if self._diverged is not None:
            raise self._diverged
        return await self._answer_live(call)

    def finish(self) -> None:
        """The code has ended: anything the journal still holds is a divergence."""
        self._advance()
        if self._diverged is not None:
            raise self._diverged
        if not self.live:
            left = len(self._entries) - self._next
            raise self._diverge(f"it ended with {left} journal entries unused")

    async def _answer_live(self, call: CodeCall) -> CodeAnswer:
        try:
            answer = await self._live(call)
        except asyncio.CancelledError as cancelled:
            # The code was told that the tool is silent, and went on: that is its answer.
            if cancelled.args and isinstance(cancelled.args[0], CodeAnswer):
                await self._write(_answered(call, cancelled.args[0]))
            raise
        await self._write(_answered(call, answer))
        return answer

    def _match(self, call: CodeCall) -> None:
        expected = self._entries[self._next]
        assert isinstance(expected, JournalAsk)  # answers before it were handed over by _advance
        if expected != JournalAsk(call.id, call.name, call.input):
            difference = "other arguments" if expected.name == call.name else f"not {call.name}"
            raise self._diverge(f"call {expected.id} was {expected.name} with {difference}")
        self._next += 1

    def _advance(self) -> None:
        """Hand over, in order, the answers that come before the next ask."""
        while not self.live and self._diverged is None:
            entry = self._entries[self._next]
            if isinstance(entry, JournalAsk):
                return
            self._next += 1
            answer = self._answers.pop(entry.id)
            if not answer.done():  # cancelled: the code gave up on it, as it did the first time
                answer.set_result(
                    CodeAnswer(entry.text, entry.is_error, entry.timed_out, entry.note)
                )
        self._used_up.set()

    def _diverge(self, how: str) -> Diverged:
        self._diverged = Diverged(
            f"The code did not repeat itself when it was continued: {how}. "
            "No tool was run again; write the rest as new code."
        )
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(self._diverged)
        self._used_up.set()
        return self._diverged


def _answered(call: CodeCall, answer: CodeAnswer) -> JournalAnswer:
    return JournalAnswer(call.id, answer.text, answer.is_error, answer.timed_out, answer.note)


def _check(entries: Sequence[Entry]) -> None:
    """A journal tells of each call once, and answers only what was asked."""
    open_asks: set[int] = set()
    seen: set[int] = set()
    for entry in entries:
        if isinstance(entry, JournalAsk):
            if entry.id in seen:
                raise ValueError(f"call {entry.id} is in the journal twice")
            seen.add(entry.id)
            open_asks.add(entry.id)
        elif entry.id not in open_asks:
            raise ValueError(f"an answer without its question: call {entry.id}")
        else:
            open_asks.remove(entry.id)
