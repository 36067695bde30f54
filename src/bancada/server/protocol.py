"""Connections that begin a request and do not end its head are closed.

A body has its own time, in the middleware; a connection that only rests between two requests has
the server's keep-alive. What lies between, a head that never comes to its end, is closed here.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 15.0


class Impatient(HttpToolsProtocol):
    """Waits so long for the head of a request, and no longer."""

    _clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._start()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._start()

    def on_headers_complete(self) -> None:
        self._stop()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _start(self) -> None:
        self._stop()
        self._clock = self.loop.call_later(HEAD_SECONDS, self._too_slow)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _too_slow(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
