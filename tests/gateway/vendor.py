"""A model's server of our own: speaks the Messages API in both forms, and says what it is told to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Message = dict[str, Any]
USAGE = {"input_tokens": 10, "output_tokens": 7}


def says(*blocks: Any, stop_reason: str | None = None, **more: Any) -> Message:
    """A reply: strings are text, everything else is a block."""
    content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
    asks = any(block["type"] == "tool_use" for block in content)
    return {
        "id": "msg_of_the_vendor",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": content,
        "stop_reason": stop_reason or ("tool_use" if asks else "end_turn"),
        "stop_sequence": None,
        "usage": dict(USAGE),
        **more,
    }


def calls(name: str, id: str, **input: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": input}


def runs(code: str, id: str = "toolu_code1") -> dict[str, Any]:
    """The model runs code: to it, that is a tool like any other."""
    return calls("code_execution", id, code=code)


@dataclass(frozen=True)
class Fails:
    """An answer that is an error."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Slow:
    """A stream that says its first piece and then takes its time."""

    first: str
    rest: str
    seconds: float = 30.0


Says = Message | Fails | Slow | Callable[[dict[str, Any]], Message]
"""An answer, or what makes one from the request."""


@dataclass
class Vendor:
    """Answers request n with answer n; the last one answers all that follow."""

    answers: list[Says]
    address: str = ""
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    @property
    def requests(self) -> list[dict[str, Any]]:
        return [json.loads(body) for body in self.bodies]

    async def _answer(self, http: web.Request) -> web.StreamResponse:
        body = await http.read()
        answer = self.answers[min(len(self.bodies), len(self.answers) - 1)]
        if callable(answer):
            answer = answer(json.loads(body))
        self.bodies.append(body)
        self.headers.append({name.lower(): value for name, value in http.headers.items()})
        self.paths.append(http.path_qs)
        known = {"request-id": f"req_vendor_{len(self.bodies)}"}
        if isinstance(answer, Fails):
            return web.json_response(
                answer.body, status=answer.status, headers=known | answer.headers
            )
        if isinstance(answer, Slow):
            return await self._slowly(http, answer)
        if http.path.endswith("count_tokens"):
            return web.json_response({"input_tokens": 42}, headers=known)
        if not json.loads(body).get("stream"):
            return web.json_response(answer, headers=known)
        response = web.StreamResponse(headers={"content-type": "text/event-stream", **known})
        await response.prepare(http)
        for event in events(answer):
            data = json.dumps(event)
            await response.write(f"event: {event['type']}\ndata: {data}\n\n".encode())
        return response

    async def _elsewhere(self, http: web.Request) -> web.Response:
        self.paths.append(http.raw_path)
        return web.json_response({"type": "error", "error": {}}, status=404)

    async def _slowly(self, http: web.Request, answer: Slow) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(http)
        *said, _, _, _ = events(says(answer.first))
        for event in said:
            await response.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        await asyncio.sleep(answer.seconds)
        return response

    async def _models(self, http: web.Request) -> web.Response:
        model = {
            "type": "model",
            "id": "claude-sonnet-5-5",
            "display_name": "Sonnet",
            "created_at": "2026-01-01T00:00:00Z",
        }
        data = {"data": [model], "has_more": False, "first_id": model["id"], "last_id": model["id"]}
        return web.json_response(data)


def events(message: Message) -> list[dict[str, Any]]:
    """The message in pieces, as the vendor streams it."""
    begun = {**message, "content": [], "stop_reason": None}
    said: list[dict[str, Any]] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
    for index, block in enumerate(message["content"]):
        start, deltas = _pieces(block)
        said.append({"type": "content_block_start", "index": index, "content_block": start})
        said += [{"type": "content_block_delta", "index": index, "delta": d} for d in deltas]
        said.append({"type": "content_block_stop", "index": index})
    delta = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [
        *said,
        {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    ]


def _pieces(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    if block["type"] == "text":
        words = block["text"].split(" ")
        parts = [word if at == 0 else f" {word}" for at, word in enumerate(words)]
        return {**block, "text": ""}, [{"type": "text_delta", "text": part} for part in parts]
    if block["type"] == "tool_use":
        written = json.dumps(block["input"])
        half = len(written) // 2
        parts = ["", written[:half], written[half:]]
        return {**block, "input": {}}, [
            {"type": "input_json_delta", "partial_json": part} for part in parts
        ]
    return block, []


@asynccontextmanager
async def vendor(*answers: Says) -> AsyncIterator[Vendor]:
    """Serve these answers for as long as the block lasts."""
    served = Vendor(list(answers))
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/v1/messages", served._answer)
    app.router.add_post("/v1/messages/count_tokens", served._answer)
    app.router.add_get("/v1/models", served._models)
    app.router.add_get("/{other:.*}", served._elsewhere)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    served.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield served
    finally:
        await runner.cleanup()
