"""What every request passes: a request id, a size limit, security headers, one line in the log.

Plain ASGI: streams go through untouched, and nothing is buffered.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bancada.server.meters import Meters
from bancada.server.problems import problem

log = logging.getLogger("bancada.http")

REQUEST_ID = re.compile(r"^[A-Za-z0-9._-]{1,64}$")
UPLOAD = re.compile(r"/upload$")

SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "SAMEORIGIN",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
API_POLICY = "default-src 'none'; frame-ancestors 'none'"


class TooLarge(Exception):
    """The body passed its limit while it was read."""


class Envelope:
    """Wraps every request of the app."""

    def __init__(self, app: ASGIApp, *, meters: Meters, body_mb: float, upload_mb: float) -> None:
        self.app = app
        self.meters = meters
        self.body_bytes = int(body_mb * 1_048_576)
        self.upload_bytes = int(upload_mb * 1_048_576) + 65_536

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        request_id = _request_id(scope)
        limit = self.upload_bytes if UPLOAD.search(scope["path"]) else self.body_bytes
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = request_id
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
                headers.setdefault("Content-Security-Policy", API_POLICY)
                self._count(scope, status, time.perf_counter() - began)
            await send(message)

        if _declared(scope) > limit:
            await _refuse(limit)(scope, receive, send_with_headers)
        else:
            try:
                await self.app(scope, _bounded(receive, limit), send_with_headers)
            except TooLarge:
                await _refuse(limit)(scope, receive, send_with_headers)
        elapsed = (time.perf_counter() - began) * 1000
        log.info(
            "%s %s %d %.1f ms",
            scope["method"],
            scope["path"],
            status,
            elapsed,
            extra={"request_id": request_id},
        )

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "other")
        self.meters.requests.labels(route, scope["method"], str(status)).inc()
        self.meters.seconds.labels(route).observe(seconds)


def _request_id(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"x-request-id":
            given = value.decode("latin-1")
            if REQUEST_ID.match(given):
                return str(given)
    return secrets.token_hex(8)


def _declared(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


def _bounded(receive: Receive, limit: int) -> Receive:
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > limit:
                raise TooLarge
        return message

    return bounded


def _refuse(limit: int) -> Any:
    return problem(413, f"This is larger than {limit / 1_048_576:.0f} MB.")
