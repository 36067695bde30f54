"""The vendor's own routes, for clients that know nothing of us. Errors are in the vendor's shape."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.types import Receive, Scope, Send

from bancada.gateway.asked import Asked, read
from bancada.gateway.client import GatewayClient
from bancada.gateway.desk import GatewayDesk
from bancada.gateway.upstream import GatewayAnswer
from bancada.server.auth import Admission, CurrentAccess
from bancada.server.logs import request_id
from bancada.server.sse import HEADERS, STRAIGHT

router = APIRouter(tags=["gateway"])

_ERROR = {"application/json": {"schema": {"$ref": "#/components/schemas/VendorError"}}}
_DESCRIBED: dict[int | str, dict[str, Any]] = {
    status: {"description": said, "content": _ERROR}
    for status, said in {
        400: "A request that is not taken",
        401: "No key, or one that does not count",
        403: "Not in the key's scope",
        404: "No such model",
        408: "Too slow",
        413: "Too large",
        429: "Too many requests",
        502: "The model's server gave no answer",
    }.items()
}
_ANY = {"schema": {"type": "object"}}
_BODY = {"requestBody": {"required": True, "content": {"application/json": _ANY}}}
_MESSAGE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The model's answer, as its server gave it.",
        "content": {
            "application/json": _ANY,
            "text/event-stream": {"schema": {"type": "string"}},
        },
    },
    **_DESCRIBED,
}


@router.post("/v1/messages", responses=_MESSAGE, openapi_extra=_BODY, response_class=Response)
async def messages(request: Request, access: CurrentAccess) -> Response:
    """Ask a model, as the vendor's API is asked."""
    asked = read(await request.body(), _handed_on(request), request.url.query)
    answer = await _desk(request).messages(_client(access), asked)
    return await _answered(answer, asked)


@router.post(
    "/v1/messages/count_tokens", responses=_DESCRIBED, openapi_extra=_BODY, response_class=Response
)
async def count_tokens(request: Request, access: CurrentAccess) -> Response:
    """How many tokens a request holds, as the model's server counts."""
    asked = read(await request.body(), _handed_on(request), request.url.query)
    return await _answered(await _desk(request).count_tokens(_client(access), asked))


@router.get("/v1/models", responses=_DESCRIBED, response_class=Response)
async def models(request: Request, access: CurrentAccess) -> Response:
    """The models that can be asked for by name."""
    return await _answered(await _desk(request).models(_client(access), "", request.url.query))


@router.get("/v1/models/{id:path}", responses=_DESCRIBED, response_class=Response)
async def model(id: str, request: Request, access: CurrentAccess) -> Response:
    """One model."""
    return await _answered(await _desk(request).models(_client(access), id, ""))


def _desk(request: Request) -> GatewayDesk:
    desk: GatewayDesk = request.app.state.gateway
    return desk


def _client(access: Admission) -> GatewayClient:
    return GatewayClient(access.person, access.key_id, access.agent_id, access.key_limits)


def _handed_on(request: Request) -> dict[str, str]:
    """Versions and betas; who asks is ours to know, and the model's server has its own key."""
    return {name: value for name, value in request.headers.items() if name.startswith("anthropic-")}


async def _answered(answer: GatewayAnswer, asked: Asked | None = None) -> Response:
    is_stream = "event-stream" in answer.headers.get("content-type", "")
    if asked is not None and is_stream:
        return GatewayStream(answer)
    headers = {"request-id": vendor_request_id(), **answer.headers}
    return Response(await answer.read(), answer.status, headers)


def vendor_request_id() -> str:
    return f"req_{request_id.get()}"


class GatewayStream(Response):
    """Bytes as they come; a client that goes away ends the question."""

    def __init__(self, answer: GatewayAnswer) -> None:
        self.status_code = answer.status
        self.background = None
        self.media_type = None
        self.init_headers({**HEADERS, "request-id": vendor_request_id(), **answer.headers})
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": self.status_code}
        await send({**start, "headers": self.raw_headers})
        straight: Send = scope.get(STRAIGHT, send)
        writing = asyncio.create_task(self._write(straight))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait((writing, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            if not writing.done():
                writing.cancel()
        if not writing.cancelled() and writing.done():
            writing.result()
        else:
            await asyncio.wait((writing,))

    async def _write(self, send: Send) -> None:
        chunks = self._answer.chunks
        try:
            async for chunk in chunks:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            await chunks.aclose()  # type: ignore[attr-defined]


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
