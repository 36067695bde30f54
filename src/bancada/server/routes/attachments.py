"""Images and documents that go with a question: sent first, and named by the question."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, File, Request, UploadFile

from bancada.data.names import shown
from bancada.data.pictures import MOST_BYTES, look
from bancada.domain.people import Person
from bancada.engine.attachments import AttachedFile
from bancada.engine.workbench import Workbench
from bancada.server.auth import Bench, CurrentPerson
from bancada.server.once import IdempotencyKey, once
from bancada.server.parameters import ConversationId
from bancada.server.problems import documented
from bancada.server.routes.uploads import hash_of, save
from bancada.server.shapes import AttachmentOut
from bancada.server.uploads import may_attach
from bancada.store.idempotency import Claim

router = APIRouter(tags=["conversations"])


@router.post(
    "/conversations/{id}/attachments",
    status_code=201,
    responses=documented(400, 401, 404, 409, 413, 422),
    dependencies=[Depends(may_attach)],
)
async def attach(
    id: ConversationId,
    person: CurrentPerson,
    bench: Bench,
    request: Request,
    file: Annotated[
        UploadFile, File(description="A PNG, JPEG, GIF or WebP image, or a PDF document.")
    ],
    idempotency_key: IdempotencyKey = None,
) -> AttachmentOut:
    """Keep an image or a document for your next question, which names it by its `id`. One that no
    question has named within the hour is removed."""

    async def kept(claim: Claim) -> AttachmentOut:
        file_id = f"file_{(claim.subject or secrets.token_hex(10))[:20]}"
        made = await bench.attachments.find(id, file_id) if claim.again else None
        return AttachmentOut.of(made or await _received(bench, person, id, file, file_id))

    what = None if idempotency_key is None else [file.filename, await hash_of(file)]
    return await once(request, idempotency_key, what, kept, AttachmentOut)


async def _received(
    bench: Workbench, person: Person, id: str, file: UploadFile, file_id: str
) -> AttachedFile:
    name = shown(file.filename or "")
    with tempfile.TemporaryDirectory(dir=bench.uploads.scratch.folder) as folder:
        source = Path(folder) / "received"
        await save(file, source, name, MOST_BYTES / 1_048_576)
        looked = await asyncio.to_thread(lambda: look(source.read_bytes(), name))
        return await bench.attachments.keep(person, id, source, name, looked, file_id)
