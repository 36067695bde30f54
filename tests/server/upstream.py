"""A provider of our own: speaks the Messages API over SSE, and waits wherever a test wants it to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from aiohttp import web

Say: TypeAlias = Callable[[str, dict[str, Any]], Awaitable[None]]
Script: TypeAlias = Callable[["Stream"], Awaitable[None]]


@dataclass
class Stream:
    """One reply on its way out."""

    request: dict[str, Any]
    response: web.StreamResponse
    cut: Callable[[], None]
    """End the connection in mid-sentence."""
    _blocks: int = 0

    async def send(self, type: str, **fields: Any) -> None:
        data = json.dumps({"type": type, **fields})
        await self.response.write(f"event: {type}\ndata: {data}\n\n".encode())

    async def begin(self) -> None:
        usage = {"input_tokens": 10, "output_tokens": 1}
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": self.request["model"],
            "content": [],
            "stop_reason": None,
            "usage": usage,
        }
        await self.send("message_start", message=message)

    async def text(self, *pieces: str, then: asyncio.Event | None = None) -> None:
        """A text block piece by piece; with `then`, it waits before it ends."""
        index = self._next()
        block = {"type": "text", "text": ""}
        await self.send("content_block_start", index=index, content_block=block)
        for piece in pieces:
            delta = {"type": "text_delta", "text": piece}
            await self.send("content_block_delta", index=index, delta=delta)
        if then is not None:
            await then.wait()
        await self.send("content_block_stop", index=index)

    async def tool(self, name: str, input: dict[str, Any], id: str) -> None:
        index = self._next()
        block = {"type": "tool_use", "id": id, "name": name, "input": {}}
        await self.send("content_block_start", index=index, content_block=block)
        delta = {"type": "input_json_delta", "partial_json": json.dumps(input)}
        await self.send("content_block_delta", index=index, delta=delta)
        await self.send("content_block_stop", index=index)

    async def end(self, stop_reason: str = "end_turn") -> None:
        delta = {"stop_reason": stop_reason, "stop_sequence": None}
        await self.send("message_delta", delta=delta, usage={"output_tokens": 7})
        await self.send("message_stop")

    def _next(self) -> int:
        self._blocks += 1
        return self._blocks - 1


@dataclass
class Upstream:
    """Answers request n with script n; the last one answers all that follow."""

    scripts: list[Script]
    address: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    arrived: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    """Released once for each request."""

    async def _answer(self, http: web.Request) -> web.StreamResponse:
        request = await http.json()
        script = self.scripts[min(len(self.requests), len(self.scripts) - 1)]
        self.requests.append(request)
        self.arrived.release()
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(http)
        stream = Stream(request, response, _cutting(http))
        try:
            await stream.begin()
            await script(stream)
        except ConnectionError:
            pass  # the server was killed, which is what the test is about
        return response


def _cutting(http: web.Request) -> Callable[[], None]:
    def cut() -> None:
        assert http.transport is not None
        http.transport.abort()

    return cut


@asynccontextmanager
async def upstream(*scripts: Script) -> AsyncIterator[Upstream]:
    provider = Upstream(list(scripts))
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/v1/messages", provider._answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    provider.address = f"http://127.0.0.1:{port}"
    try:
        yield provider
    finally:
        await runner.cleanup()


def saying(*pieces: str) -> Script:
    async def script(stream: Stream) -> None:
        await stream.text(*pieces)
        await stream.end()

    return script


def calling(name: str, id: str, **input: Any) -> Script:
    async def script(stream: Stream) -> None:
        await stream.tool(name, input, id)
        await stream.end("tool_use")

    return script


def hanging(*pieces: str) -> Script:
    """Say this much, and then nothing more, ever."""

    async def script(stream: Stream) -> None:
        await stream.text(*pieces, then=asyncio.Event())

    return script


def cutting(*pieces: str) -> Script:
    """Say this much, and be gone."""

    async def script(stream: Stream) -> None:
        await stream.text(*pieces)
        stream.cut()

    return script
