"""Streams: a turn's events as SSE frames, written by hand because it is the hot path.

A stream re-reads who reads, and by what session or key, at stored events other than text, at each
keep-alive and when their account is changed here, and closes when access is gone. A reader that
goes away changes nothing for the turn; one that reads slowly holds up nobody but itself, because
frames wait in the turn's one list.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bancada.domain.errors import DatabaseAway
from bancada.domain.people import Person
from bancada.engine.live import EventFrame, EventReader
from bancada.engine.workbench import Workbench
from bancada.server.auth import Admission, identify, still_in
from bancada.store import conversations
from bancada.store.endings import NEWS

STRAIGHT = "bancada.send"
"""Where the envelope leaves the server's own `send`."""
KEEP_ALIVE_SECONDS = 15.0
COMMENT = b": keep-alive\n\n"

HEADERS = {
    "Cache-Control": "no-cache, no-store, no-transform",
    "X-Accel-Buffering": "no",
    "Content-Encoding": "identity",
    "Connection": "keep-alive",
}

EVENT_ID = re.compile(r"^(t[0-9a-f]{16})-(\d{1,18})$")

PIECES = frozenset(("text", "thinking"))

Encode: TypeAlias = Callable[[EventFrame, str], bytes | None]
"""How a frame is written; nothing where it is left out."""


class Followed(Protocol):
    """A turn as far as its readers are concerned."""

    @property
    def id(self) -> str: ...
    @property
    def conversation_id(self) -> str: ...


@dataclass(frozen=True)
class BegunTurn:
    """A turn that was just begun: nothing more need be known to follow it."""

    id: str
    conversation_id: str


def last_event(header: str | None) -> tuple[str, int] | None:
    """The turn and number a reader saw last; nothing when it does not say."""
    found = EVENT_ID.match(header.strip()) if header else None
    return (found[1], int(found[2])) if found else None


def stream(
    bench: Workbench,
    person: Person,
    turn: Followed,
    *,
    after: int = -1,
    encode: Encode = EventFrame.encode,
) -> Response:
    """Follow a turn from just above `after` to its end, or to where it waits."""
    return TurnStream(bench, person, turn, after, encode)


class TurnStream(Response):
    """A response that lasts as long as the turn runs and the reader stays.

    Three things wake it: new frames, the keep-alive's clock, and the reader leaving. One task
    and one timer serve a whole stream; a frame costs a future and a write.
    """

    media_type = "text/event-stream"
    reads_news = False

    def __init__(
        self, bench: Workbench, person: Person, turn: Followed, after: int, encode: Encode
    ) -> None:
        self.status_code = 200
        self.background = None
        self.init_headers(HEADERS)
        self._bench = bench
        self._person = person
        self._turn = turn
        self._after = after
        self._encode = encode
        self._gone = False
        self._in_doubt = False
        self._place: EventReader | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        readers: Readers = scope["app"].state.readers
        self._access = await identify(Request(scope))
        place = self._place = await self._bench.runner.place(self._turn.id, self._after)
        leaving = asyncio.create_task(self._watch(receive, place))
        clock = KeepAlive(place)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            # What stands between us and the server has no word to say about frames.
            straight: Send = scope.get(STRAIGHT, send)
            with readers.reading(self._person.id, self):
                await self._write(place, clock, straight)
            if not self._gone:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            clock.stop()
            leaving.cancel()
            place.leave()

    async def _write(self, place: EventReader, clock: KeepAlive, send: Send) -> None:
        turn_id, encode = self._turn.id, self._encode
        while not (place.over or self._gone):
            frames = place.take()
            overdue = clock.due()
            if not (frames or self._in_doubt or overdue):
                await place.more()
                continue
            written = []
            for frame in frames:
                if frame.type not in PIECES:
                    self._in_doubt = True
                encoded = encode(frame, turn_id)
                if encoded is not None:
                    written.append(encoded)
            if self._in_doubt or overdue:
                self._in_doubt = False
                if not await self._may_read():
                    return
                if written or overdue:
                    clock.looked()
            # Looked at only because the account changed: nothing is said, the clock runs on.
            if written or overdue:
                chunk = b"".join(written) or COMMENT
                await send({"type": "http.response.body", "body": chunk, "more_body": True})

    def look_again(self) -> None:
        """The reader's account changed: see whether they may still read, before anything else."""
        self._in_doubt = True
        if self._place is not None:
            self._place.wake()

    def end(self) -> None:
        """The process stops; the turn's own end closes this."""

    async def _watch(self, receive: Receive, place: EventReader) -> None:
        """The connection's other direction: nothing comes but the end."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self._gone = True
        place.wake()

    async def _may_read(self) -> bool:
        try:
            return await self._bench.database.look(
                _may_read, self._access, self._turn.conversation_id
            )
        except DatabaseAway:
            # Nobody can tell: the reader comes back with the last number, and is asked again.
            return False


class KeepAlive:
    """Wakes a stream when the reader's access was not looked at for too long."""

    __slots__ = ("_last", "_loop", "_place", "_timer")

    def __init__(self, place: EventReader) -> None:
        self._place = place
        self._loop = asyncio.get_running_loop()
        self._last = self._loop.time()
        self._timer = self._loop.call_later(KEEP_ALIVE_SECONDS, self._ring)

    def looked(self) -> None:
        self._last = self._loop.time()

    def due(self) -> bool:
        return self._loop.time() - self._last >= KEEP_ALIVE_SECONDS

    def stop(self) -> None:
        self._timer.cancel()

    def _ring(self) -> None:
        left = self._last + KEEP_ALIVE_SECONDS - self._loop.time()
        if left <= 0:
            left = KEEP_ALIVE_SECONDS
            self._place.wake()
        self._timer = self._loop.call_later(left, self._ring)


class PersonsStream(Protocol):
    """What somebody reads, as far as their account and the process are concerned."""

    reads_news: bool
    """Whether it has something to look at when the person is told something."""

    def look_again(self) -> None: ...
    def end(self) -> None: ...


class Readers:
    """Who reads a stream of this process now, so that a lost access ends it at once."""

    def __init__(self) -> None:
        self._streams: dict[int, set[PersonsStream]] = {}

    @contextmanager
    def reading(self, person_id: int, stream: PersonsStream) -> Iterator[None]:
        self._streams.setdefault(person_id, set()).add(stream)
        try:
            yield
        finally:
            left = self._streams[person_id]
            left.discard(stream)
            if not left:
                del self._streams[person_id]

    def heard(self, said: str | None) -> None:
        """What the database says: who has news, or whose account changed; none: anybody's."""
        if said is None or not said.startswith(NEWS):
            self.look_again(None if said is None else int(said))
            return
        for stream in self._streams.get(int(said), ()):
            if stream.reads_news:
                stream.look_again()

    def look_again(self, person_id: int | None) -> None:
        """The account of this person changed; none: of anybody."""
        for id in list(self._streams) if person_id is None else (person_id,):
            for stream in self._streams.get(id, ()):
                stream.look_again()

    @property
    def people(self) -> set[int]:
        """Who has a page open here."""
        return set(self._streams)

    def end(self) -> None:
        """The process stops."""
        for streams in self._streams.values():
            for stream in streams:
                stream.end()

    def __len__(self) -> int:
        return sum(len(streams) for streams in self._streams.values())


def _may_read(db: Connection, access: Admission, conversation_id: str) -> bool:
    if not still_in(db, access):
        return False
    conversation = conversations.find(db, conversation_id)
    return conversation is not None and conversation.user_id == access.person.id
