"""A small upstream that answers what a test tells it to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest
from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Upstream:
    """Answers with `handler`; keeps what it was sent."""

    url: str = ""
    handler: Handler | None = None
    received: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    connections: set[Any] = field(default_factory=set)

    def answers(
        self, body: Any, *, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        """The same answer to everything: JSON for an object, plain text for a string."""

        async def handler(_: web.Request) -> web.Response:
            if isinstance(body, str):
                return web.Response(
                    text=body, status=status, headers=headers, content_type="text/html"
                )
            return web.json_response(body, status=status, headers=headers)

        self.handler = handler

    def refuses(self, status: int, kind: str, message: str, **headers: str) -> None:
        error = {"type": "error", "error": {"type": kind, "message": message}}
        self.answers(
            error, status=status, headers={k.replace("_", "-"): v for k, v in headers.items()}
        )

    def streams(self, body: bytes) -> None:
        async def handler(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"content-type": "text/event-stream"})
            await response.prepare(request)
            await response.write(body)
            await response.write_eof()
            return response

        self.handler = handler

    async def answer(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        self.bodies.append(raw)
        self.received.append(orjson.loads(raw))
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        self.paths.append(request.path)
        self.connections.add(request.transport)
        assert self.handler is not None
        return await self.handler(request)


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    upstream = Upstream()
    app = web.Application()
    app.router.add_post("/{path:.*}", upstream.answer)
    runner = web.AppRunner(app, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    upstream.url = f"http://127.0.0.1:{port}"
    yield upstream
    await runner.cleanup()
