"""Files that code or a tool produced."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from bancada.domain.errors import NotFound
from bancada.server.auth import Bench, CurrentAccess
from bancada.server.problems import documented
from bancada.store import conversations, files

router = APIRouter(tags=["files"])

SHOWN = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What a browser may show by itself; everything else is downloaded."""


@router.get(
    "/files/{id}",
    response_class=Response,
    responses={
        **documented(401, 404, 422),
        200: {
            "description": "The file.",
            "content": {"application/octet-stream": {"schema": {"type": "string"}}},
        },
    },
)
async def one(
    id: Annotated[str, Path(min_length=1, max_length=64)], access: CurrentAccess, bench: Bench
) -> Response:
    """A file of yours."""
    row = await bench.database.read(files.find, id)
    if row is None or row.user_id != access.person.id:
        raise NotFound("no_file")
    if access.agent_id is not None:
        made_in = await bench.database.read(conversations.find, row.conversation_id or "")
        access.check_agent(None if made_in is None else made_in.agent_id)
    held = await bench.files.file(row.path)
    if held is None:
        raise NotFound("file_gone")
    inline = row.media_type in SHOWN
    kind = row.media_type if inline else "application/octet-stream"
    disposition = f"{'inline' if inline else 'attachment'}; filename*=UTF-8''{quote(row.name)}"
    headers = {
        "Content-Disposition": disposition,
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    # Held until the last byte is sent.
    sent = BackgroundTask(held.release)
    return FileResponse(held.path, media_type=kind, headers=headers, background=sent)
