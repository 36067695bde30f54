"""What a session of 2025 was sent lately, for a client that comes back after its connection broke.

Each session has its own: an event's number means nothing in another's. It lives and ends with the
session, in one process. Of what is old or large nothing is kept, and the client asks again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from mcp.server.streamable_http import (
    EventCallback,
    EventId,
    EventMessage,
    EventStore,
    StreamId,
)
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import JSONRPCMessage

MOST_EVENTS = 256
MOST_BYTES = 1 << 20
RETRY_MS = 1_000
"""When a client whose stream was closed is to come back."""


@dataclass(frozen=True)
class _Sent:
    id: EventId
    stream: StreamId
    message: JSONRPCMessage | None
    """None: only a place to come back to."""
    size: int


@dataclass
class SessionEvents(EventStore):
    """The last events of one session."""

    _sent: deque[_Sent] = field(default_factory=deque)
    _size: int = 0
    _count: int = 0

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        self._count += 1
        size = 0 if message is None else len(message.model_dump_json())
        self._sent.append(_Sent(str(self._count), stream_id, message, size))
        self._size += size
        while len(self._sent) > MOST_EVENTS or self._size > MOST_BYTES:
            self._size -= self._sent.popleft().size
        return str(self._count)

    async def replay_events_after(
        self, last_event_id: EventId, send_callback: EventCallback
    ) -> StreamId | None:
        kept = list(self._sent)
        at = next((at for at, one in enumerate(kept) if one.id == last_event_id), None)
        if at is None:
            return None
        stream = kept[at].stream
        for one in kept[at + 1 :]:
            if one.stream == stream and one.message is not None:
                await send_callback(EventMessage(one.message, one.id))
        return stream


class ResumingManager(StreamableHTTPSessionManager):
    """The SDK's manager, with a store for each session: one for all would number them together,
    and hand one client what another was sent."""

    def __init__(self, app: Any, **says: Any) -> None:
        super().__init__(app, retry_interval=RETRY_MS, **says)

    @property
    def event_store(self) -> EventStore | None:
        """Read once for each session that is opened."""
        return SessionEvents()

    @event_store.setter
    def event_store(self, given: EventStore | None) -> None:
        """There is none to be shared."""
