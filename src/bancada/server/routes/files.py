"""Files that code or a tool produced, and those that went with a question."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from bancada.domain.errors import NotFound
from bancada.engine.workbench import Workbench
from bancada.server.auth import Bench, CurrentAccess
from bancada.server.parameters import KeptFileId
from bancada.server.problems import documented
from bancada.store import conversations, files

router = APIRouter(tags=["files"])

SHOWN = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What a browser may show by itself; everything else is downloaded."""
FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file.",
        "content": {"application/octet-stream": {"schema": {"type": "string"}}},
    }
}


@router.get("/files/{id}", response_class=Response, responses={**documented(401, 404, 422), **FILE})
async def one(id: KeptFileId, access: CurrentAccess, bench: Bench) -> Response:
    """A file of yours."""
    row = await bench.database.read(files.find, id)
    if row is None or row.user_id != access.person.id:
        raise NotFound("no_file")
    if access.agent_id is not None:
        made_in = await bench.database.read(conversations.find, row.conversation_id or "")
        access.check_agent(None if made_in is None else made_in.agent_id)
    return await kept_file(bench, row)


async def kept_file(bench: Workbench, row: Any) -> Response:
    """What a row of `files` names, for somebody who may have it: nothing in it runs."""
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
