"""What every request passes: a request id, a size limit, security headers, one line in the log.

Plain ASGI: streams go through untouched, and nothing is buffered.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bancada.domain.errors import Misdirected, TooLarge, TooSlow
from bancada.domain.wording import Wording
from bancada.server.auth import administrator, current_person, identify
from bancada.server.hosts import OPEN, Hosts, named
from bancada.server.logs import request_id
from bancada.server.meters import Meters
from bancada.server.problems import GATEWAY, language_of, problem_for, told
from bancada.server.sse import STRAIGHT
from bancada.server.uploads import may_attach, may_upload
from bancada.telemetry import arriving

log = logging.getLogger("bancada.http")

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
REQUEST_ID = re.compile(r"^[A-Za-z0-9._-]{1,64}$")
UPLOAD = re.compile(r"/(upload|attachments)$")

SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "SAMEORIGIN",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
OVER_TLS = "max-age=31536000"
"""A browser that came by TLS once does not come without it for a year."""
PIECE_SECONDS = 20.0
"""How long the next piece of a body may take."""
BODY_SECONDS = 60.0
"""How long a whole body may take; an upload has an hour."""
UPLOAD_SECONDS = 3600.0
API_POLICY = "default-src 'none'; frame-ancestors 'none'"


class Envelope:
    """Wraps every request of the app."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        meters: Meters,
        body_mb: float,
        gateway_mb: float,
        upload_mb: float,
    ) -> None:
        self.app = app
        self.meters = meters
        self.body_bytes = int(body_mb * 1_048_576)
        self.gateway_bytes = int(gateway_mb * 1_048_576)
        self.upload_bytes = int(upload_mb * 1_048_576) + 65_536

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        id = _request_id(scope)
        marked = request_id.set(id)
        is_upload = UPLOAD.search(scope["path"]) is not None
        limit = self.upload_bytes if is_upload else self.body_bytes
        if scope["path"].startswith(GATEWAY):
            limit = self.gateway_bytes
        seconds = UPLOAD_SECONDS if is_upload else BODY_SECONDS
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = id
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
                headers.setdefault("Content-Security-Policy", API_POLICY)
                if scope["scheme"] == "https":
                    headers.setdefault("Strict-Transport-Security", OVER_TLS)
                self._count(scope, status, time.perf_counter() - began)
            await send(message)

        scope[STRAIGHT] = send
        try:
            if _declared(scope) > limit:
                refused = told(_too_large(limit), Request(scope))
                await refused(scope, receive, send_with_headers)
            else:
                with arriving(_trace(scope)):
                    await self.app(scope, _bounded(receive, limit, seconds), send_with_headers)
        except ClientDisconnect:
            log.info("%s %s: the client went away", scope["method"], scope["path"])
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            if status == 0:
                await _failed(scope, id)(scope, receive, send_with_headers)
        finally:
            elapsed = (time.perf_counter() - began) * 1000
            log.info("%s %s %d %.1f ms", scope["method"], scope["path"], status, elapsed)
            request_id.reset(marked)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "other")
        method = scope["method"] if scope["method"] in METHODS else "other"
        self.meters.requests.labels(route, method, str(status)).inc()
        self.meters.seconds.labels(route).observe(seconds)


def _trace(scope: Scope) -> dict[str, str]:
    """What the caller says of the trace that this request is part of."""
    return {
        name.decode(): value.decode("latin-1")
        for name, value in scope["headers"]
        if name in (b"traceparent", b"tracestate")
    }


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


def _bounded(receive: Receive, limit: int, seconds: float) -> Receive:
    """The body, as far as it is neither too large nor too slow."""
    seen = 0
    complete = False
    due = asyncio.get_running_loop().time() + seconds

    async def bounded() -> Message:
        nonlocal seen, complete
        if complete:
            return await receive()  # only that the reader leaves can still come
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout_at(min(due, loop.time() + PIECE_SECONDS)):
                message = await receive()
        except TimeoutError:
            raise TooSlow("body_too_slow") from None
        if message["type"] == "http.request":
            complete = not message.get("more_body", False)
            seen += len(message.get("body", b""))
            if seen > limit:
                raise _too_large(limit)
        return message

    return bounded


def _too_large(limit: int) -> TooLarge:
    return TooLarge("body_too_large", megabytes=round(limit / 1_048_576))


def _failed(scope: Scope, id: str) -> Response:
    request = Request(scope)
    return problem_for(request, 500, Wording("our_fault", id=id).told(language_of(request)))


class Door:
    """What is refused before a body is read: a name that is not ours, somebody we do not know.

    The framework reads a body before it asks who sends it. Here the asking comes first, at the
    moment the body is first wanted: a file of a stranger's stays on the wire.
    """

    def __init__(self, app: ASGIApp, *, hosts: Hosts) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        # Made here, so that every later view of this request shares it.
        scope.setdefault("state", {})
        host = request.headers.get("host", "")
        if scope["path"] not in OPEN and not self.hosts.allow(host):
            refused = told(Misdirected("name_not_ours", host=named(host)), request)
            await refused(scope, receive, send)
            return
        asked = False

        async def after_asking() -> Message:
            nonlocal asked
            if not asked:
                asked = True
                await _let_in(request, scope.get("route"))
            return await receive()

        await self.app(scope, after_asking, send)


async def _let_in(request: Request, route: Any) -> None:
    """Whoever a route is for; raised here, the problem is told as one of the body's."""
    asks = _asks(getattr(route, "dependant", None))
    if current_person in asks:
        access = await identify(request)
        if administrator in asks:
            await administrator(access.person)
    if may_upload in asks:
        await may_upload(request)
    if may_attach in asks:
        await may_attach(request)


def _asks(dependant: Any) -> set[Any]:
    if dependant is None:
        return set()
    found = {inner.call for inner in dependant.dependencies}
    return found.union(*(_asks(inner) for inner in dependant.dependencies))
