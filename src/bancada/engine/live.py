"""A turn's events while it runs: numbered, kept in order, followed by any number of readers.

Readers share one list and hold only their place in it: a slow reader costs nothing, and a
reader that comes back finds its place by number.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from bancada.domain.events import Event, as_json
from bancada.domain.json import JSONObject, dumps


@dataclass(slots=True)
class EventFrame:
    """One event on its way out. Without a number it is sent to those who follow now, once."""

    n: int | None
    type: str
    data: str
    ready: bool = True

    @staticmethod
    def of(n: int | None, event: Event, *, ready: bool = True) -> EventFrame:
        return EventFrame(n, event.type, dumps(as_json(event)), ready)

    @staticmethod
    def stored(n: int, event: JSONObject) -> EventFrame:
        return EventFrame(n, event["type"], dumps(event))

    def encode(self, turn_id: str) -> bytes:
        """The event as an SSE frame."""
        number = "" if self.n is None else f"id: {turn_id}-{self.n}\n"
        return f"{number}data: {self.data}\n\n".encode()


class Live:
    """The events of one turn, from its first to its last or until it waits."""

    def __init__(self, turn_id: str, stored: list[tuple[int, JSONObject]], floor: int) -> None:
        self.turn_id = turn_id
        self._frames = [EventFrame.stored(n, event) for n, event in stored]
        self._numbers = [n for n, _ in stored]
        self._next = max(floor, (self._numbers[-1] + 1) if self._numbers else 0)
        self._outbox: deque[EventFrame] = deque()
        self._waiters: list[asyncio.Future[None]] = []
        self.closed = False

    def number(self) -> int:
        """The next number: they only grow."""
        n = self._next
        self._next += 1
        return n

    def post(self, frame: EventFrame) -> None:
        """Queue a frame; it goes out once it and all before it are ready."""
        self._outbox.append(frame)
        if frame.n is not None and frame.n >= self._next:
            self._next = frame.n + 1  # numbered elsewhere
        if frame.ready:
            self.deliver()

    def deliver(self) -> None:
        """Let readers see whatever is ready, in order."""
        moved = False
        while self._outbox and self._outbox[0].ready:
            frame = self._outbox.popleft()
            self._frames.append(frame)
            # A frame without a number stands above everything before it: whoever comes with the
            # last number has not seen it.
            self._numbers.append(frame.n if frame.n is not None else self._next)
            moved = True
        if moved:
            self._wake()

    def drop(self, frame: EventFrame) -> None:
        """What could not be stored is not sent, and does not hold up the rest."""
        self._outbox.remove(frame)
        self.deliver()
        self._wake()

    def close(self) -> None:
        """Nothing more will come: readers end after the last frame."""
        self.closed = True
        self._wake()

    @property
    def ended(self) -> bool:
        """Closed, and nothing that was sent before is still being stored."""
        return self.closed and not self._outbox

    def reopened(self) -> Live:
        """The same turn, going on after a wait: what was only told and not stored is left out."""
        again = Live(self.turn_id, [], self._next)
        again._frames = [frame for frame in self._frames if frame.n is not None]
        again._numbers = [frame.n for frame in again._frames if frame.n is not None]
        again._outbox, self._outbox = self._outbox, deque()
        self._wake()  # whoever still waits here for what is sent there now
        return again

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)


class EventReader:
    """One reader's place among a turn's frames.

    Nothing is made per frame but the future that is waited for: a thousand readers and a
    frame every few milliseconds are the ordinary case.
    """

    __slots__ = ("_at", "_live", "_waiter", "left")

    def __init__(self, live: Live, after: int = -1) -> None:
        self._live = live
        self._at = bisect_right(live._numbers, after)
        self._waiter: asyncio.Future[None] | None = None
        self.left: Callable[[], None] | None = None
        """Told when the reader is gone, where the turn runs elsewhere."""

    def take(self) -> list[EventFrame]:
        """Every frame that is ready and was not taken yet."""
        frames = self._live._frames[self._at :]
        self._at += len(frames)
        return frames

    @property
    def over(self) -> bool:
        """Whether all was taken and nothing more will come."""
        return self._live.ended and self._at >= len(self._live._frames)

    async def more(self) -> None:
        """Wait until there is something to take, or nothing will come, or somebody wakes us."""
        if self._at < len(self._live._frames) or self._live.ended:
            return
        self._waiter = asyncio.get_running_loop().create_future()
        self._live._waiters.append(self._waiter)
        await self._waiter

    def wake(self) -> None:
        """Let whoever waits here look up."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def leave(self) -> None:
        """This reader is gone."""
        if self.left is not None:
            self.left()
            self.left = None
