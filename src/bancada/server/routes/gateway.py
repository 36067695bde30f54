"""The vendor's own routes, for clients that know nothing of us. Errors are in the vendor's shape."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from starlette.background import BackgroundTask
from starlette.types import Receive, Scope, Send

from bancada.engine.workbench import Workbench
from bancada.gateway.asked import read
from bancada.gateway.client import GatewayClient
from bancada.gateway.desk import GatewayDesk, no_file
from bancada.gateway.errors import error_body
from bancada.gateway.upstream import GatewayAnswer
from bancada.gateway.wire import frame
from bancada.server.auth import Admission, Bench, CurrentAccess, still_in
from bancada.server.logs import request_id
from bancada.server.sse import HEADERS, STRAIGHT, Readers

router = APIRouter(tags=["gateway"])

NO_MORE = "This API key or session does not count any more."
FileId = Annotated[str, Path(min_length=1, max_length=64)]

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
    if "event-stream" in answer.headers.get("content-type", ""):
        return GatewayStream(answer, access, request.app.state.bench)
    return await _answered(answer)


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


@router.get("/v1/files/{id}", responses=_DESCRIBED, response_class=Response)
async def file(id: FileId, request: Request, access: CurrentAccess) -> Response:
    """What is known of a file that a client's code wrote here."""
    row = await _desk(request).file(_client(access), id)
    at = datetime.fromtimestamp(row.created_at, UTC).isoformat(timespec="seconds")
    about = {
        "type": "file",
        "id": row.id,
        "filename": row.name,
        "mime_type": row.media_type,
        "size_bytes": row.size,
        "created_at": at.replace("+00:00", "Z"),
        "downloadable": True,
    }
    return JSONResponse(about, headers={"request-id": vendor_request_id()})


@router.get("/v1/files/{id}/content", responses=_DESCRIBED, response_class=Response)
async def file_content(
    id: FileId, request: Request, access: CurrentAccess, bench: Bench
) -> Response:
    """The file itself."""
    row = await _desk(request).file(_client(access), id)
    held = await bench.files.file(row.path)
    if held is None:
        raise no_file(id)
    headers = {"request-id": vendor_request_id(), "Content-Disposition": "attachment"}
    sent = BackgroundTask(held.release)
    kind = "application/octet-stream"
    return FileResponse(held.path, media_type=kind, headers=headers, background=sent)


def _desk(request: Request) -> GatewayDesk:
    desk: GatewayDesk = request.app.state.gateway
    return desk


def _client(access: Admission) -> GatewayClient:
    return GatewayClient(access.person, access.key_id, access.agent_id, access.key_limits)


def _handed_on(request: Request) -> dict[str, str]:
    """Versions and betas; who asks is ours to know, and the model's server has its own key."""
    return {name: value for name, value in request.headers.items() if name.startswith("anthropic-")}


async def _answered(answer: GatewayAnswer) -> Response:
    headers = {"request-id": vendor_request_id(), **answer.headers}
    return Response(await answer.read(), answer.status, headers)


def vendor_request_id() -> str:
    return f"req_{request_id.get()}"


class GatewayStream(Response):
    """Bytes as they come; a client that goes away ends the question, and so does the end of its key."""

    def __init__(self, answer: GatewayAnswer, access: Admission, bench: Workbench) -> None:
        self.status_code = answer.status
        self.background = None
        self.media_type = None
        self.reads_news = False
        self.init_headers({**HEADERS, "request-id": vendor_request_id(), **answer.headers})
        self._answer, self._access, self._bench = answer, access, bench
        self._in_doubt = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": self.status_code}
        await send({**start, "headers": self.raw_headers})
        straight: Send = scope.get(STRAIGHT, send)
        readers: Readers = scope["app"].state.readers
        writing = asyncio.create_task(self._write(straight))
        leaving = asyncio.create_task(_gone(receive))
        losing = asyncio.create_task(self._access_is_lost())
        try:
            with readers.reading(self._access.person.id, self):
                ends = (writing, leaving, losing)
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            losing.cancel()
            if not writing.done():
                writing.cancel()
        if not writing.cancelled() and writing.done():
            writing.result()
        else:
            await asyncio.wait((writing,))
            if losing.done() and not losing.cancelled():
                said = frame(error_body(401, NO_MORE))
                await straight({"type": "http.response.body", "body": said, "more_body": False})

    def look_again(self) -> None:
        self._in_doubt.set()

    def end(self) -> None:
        """The process stops; the server's own end closes this."""

    async def _access_is_lost(self) -> None:
        """Until the session or key does not count any more: it was revoked, or its time is over."""
        counts, until = True, self._access.key_until
        while counts:
            with suppress(TimeoutError):
                left = None if until is None else max(0.1, until - time.time())
                await asyncio.wait_for(self._in_doubt.wait(), left)
            self._in_doubt.clear()
            counts = await self._bench.database.look(still_in, self._access)

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
