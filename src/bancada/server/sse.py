"""Streams: a turn's events as SSE frames, written by hand because it is the hot path.

A stream re-reads the person at stored events other than text and at each keep-alive, and
closes when access is gone. A reader that goes away changes nothing for the turn.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable

from sqlalchemy import Connection
from starlette.responses import StreamingResponse

from bancada.domain.people import Person
from bancada.engine.live import Frame
from bancada.engine.workbench import Workbench
from bancada.store import conversations, people
from bancada.store.turns import TurnRow

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


def last_event(header: str | None) -> tuple[str, int] | None:
    """The turn and number a reader saw last; nothing when it does not say."""
    found = EVENT_ID.match(header.strip()) if header else None
    return (found[1], int(found[2])) if found else None


def stream(
    bench: Workbench,
    person: Person,
    turn: TurnRow,
    *,
    after: int = -1,
    encode: Callable[[Frame, str], bytes | None] | None = None,
) -> StreamingResponse:
    """Follow a turn from just above `after` to its end, or to where it waits."""
    body = _frames(bench, person, turn, after, encode or _as_sse)
    return StreamingResponse(body, media_type="text/event-stream", headers=HEADERS)


def _as_sse(frame: Frame, turn_id: str) -> bytes:
    return frame.encode(turn_id)


async def _frames(
    bench: Workbench,
    person: Person,
    turn: TurnRow,
    after: int,
    encode: Callable[[Frame, str], bytes | None],
) -> AsyncIterator[bytes]:
    source = bench.runner.follow(turn.id, after)
    upcoming: asyncio.Task[list[Frame]] | None = None
    try:
        while True:
            if upcoming is None:
                upcoming = asyncio.create_task(_next(source))
            done, _ = await asyncio.wait({upcoming}, timeout=KEEP_ALIVE_SECONDS)
            if not done:
                if not await _has_access(bench, person, turn):
                    return
                yield COMMENT
                continue
            frames, upcoming = upcoming.result(), None
            if not frames:
                return
            if any(frame.type not in PIECES for frame in frames) and not await _has_access(
                bench, person, turn
            ):
                return
            chunk = b"".join(
                encoded for frame in frames if (encoded := encode(frame, turn.id)) is not None
            )
            if chunk:
                yield chunk
    finally:
        if upcoming is not None:
            upcoming.cancel()


async def _next(source: AsyncIterator[list[Frame]]) -> list[Frame]:
    """The next frames, none at the end."""
    return await anext(source, [])


async def _has_access(bench: Workbench, person: Person, turn: TurnRow) -> bool:
    return await bench.database.read(_may_read, person.id, turn.conversation_id)


def _may_read(db: Connection, person_id: int, conversation_id: str) -> bool:
    standing = people.standing(db, person_id)
    if standing is None or not standing.person.is_active:
        return False
    conversation = conversations.find(db, conversation_id)
    return conversation is not None and conversation.user_id == person_id
