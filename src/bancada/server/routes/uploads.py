"""Uploads: a file becomes a data set of its conversation."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, File, Form, HTTPException, Request, UploadFile

from bancada.data.datasets import Uploaded
from bancada.data.problems import DataProblem, size_text
from bancada.domain.messages import text_of
from bancada.domain.people import Person
from bancada.engine.services import told_of
from bancada.engine.workbench import Workbench
from bancada.server.auth import Bench, CurrentPerson
from bancada.server.once import IdempotencyKey, once
from bancada.server.parameters import ConversationId
from bancada.server.problems import documented
from bancada.server.shapes import DatasetOut, ReadingOut, Upload
from bancada.server.uploads import may_upload
from bancada.store import conversations, messages
from bancada.store.idempotency import Claim

router = APIRouter(tags=["conversations"])

CHUNK = 1 << 20
CLIENT_LEFT = 499
"""Only the log reads it: there is nobody to answer."""

T = TypeVar("T")


@router.post(
    "/conversations/{id}/upload",
    status_code=201,
    responses=documented(400, 401, 404, 409, 413, 422, 503),
    dependencies=[Depends(may_upload)],
)
async def upload(
    id: ConversationId,
    person: CurrentPerson,
    bench: Bench,
    request: Request,
    file: Annotated[UploadFile, File(description="A .csv or .xlsx file.")],
    sheet: Annotated[
        str | None,
        Form(
            max_length=200,
            description="The one sheet of a workbook to read, by its name; a hidden one too. "
            "Left out, every visible sheet becomes a table.",
        ),
    ] = None,
    replace: Annotated[
        bool,
        Form(
            description="Put it in the place of the data set of the same file name, under the same "
            "tables' names: studies, dashboards and schedules over them read the new rows."
        ),
    ] = False,
    idempotency_key: IdempotencyKey = None,
) -> Upload:
    """Turn a file into a data set of the conversation; records a message, starts no turn."""

    async def read(claim: Claim) -> Upload:
        made = await _made(bench, person, id, claim.subject) if claim.again else None
        return made or await receive(
            bench,
            person,
            id,
            file,
            request,
            sheet=sheet or None,
            dataset_id=claim.subject,
            replace=replace,
        )

    what = None if idempotency_key is None else [file.filename, sheet, replace, await hash_of(file)]
    return await once(request, idempotency_key, what, read, Upload)


async def hash_of(file: UploadFile) -> str:
    """Of what was sent; it can be read again afterwards."""
    digest = hashlib.sha256()
    while chunk := await file.read(CHUNK):
        digest.update(chunk)
    await file.seek(0)
    return digest.hexdigest()


async def _made(bench: Workbench, person: Person, id: str, dataset_id: str) -> Upload | None:
    """The data set of that id, with the message that tells of it, if it was listed."""
    await bench.database.read(conversations.owned, id, person.id)
    message = await bench.database.read(messages.find, told_of(dataset_id))
    for dataset in await bench.uploads.of_conversation(id):
        if dataset.id == dataset_id and message is not None:
            told = text_of(message.content)
            return _shown(Uploaded(dataset=dataset, message=told, message_id=message.id))
    return None


@router.get("/conversations/{id}/uploads", responses=documented(401, 404, 422))
async def reading(id: ConversationId, person: CurrentPerson, bench: Bench) -> list[ReadingOut]:
    """The files of this conversation that are being read now, and how far each is."""
    await bench.database.read(conversations.owned, id, person.id)
    return [
        ReadingOut(name=one.name, share=round(one.share, 3)) for one in bench.uploads.reading(id)
    ]


async def receive(
    bench: Workbench,
    person: Person,
    id: str,
    file: UploadFile,
    request: Request,
    *,
    sheet: str | None = None,
    dataset_id: str | None = None,
    replace: bool = False,
) -> Upload:
    """Read the file that the request brought and record it, unless the client calls it off."""
    place = await may_upload(request)
    filename = Path(file.filename or "").name
    with tempfile.TemporaryDirectory(dir=bench.uploads.scratch.folder) as folder:
        source = Path(folder) / "received"
        await save(file, source, filename, bench.settings.max_upload_mb)
        reading = bench.uploads.receive(
            id,
            source,
            filename,
            language=person.language,
            with_rows=place.with_rows,
            sheet=sheet,
            id=dataset_id,
            replace=replace,
        )
        return _shown(await _unless_left(request, reading))


def _shown(uploaded: Uploaded) -> Upload:
    dataset = uploaded.dataset
    return Upload(
        message_id=uploaded.message_id,
        dataset=DatasetOut(
            id=dataset.id,
            name=dataset.filename,
            table=dataset.table,
            rows=dataset.rows,
            summary=dataset.summary,
        ),
        summary=uploaded.message,
    )


async def _unless_left(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What the work comes to; it is ended when whoever asked for it has hung up."""
    task, left = asyncio.create_task(work), asyncio.create_task(_hung_up(request))
    try:
        await asyncio.wait({task, left}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise HTTPException(status_code=CLIENT_LEFT)
        return await task
    finally:
        task.cancel()
        left.cancel()
        await asyncio.wait({task, left})


async def _hung_up(request: Request) -> None:
    """Returns when the client is gone; the body must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def save(file: UploadFile, path: Path, filename: str, most_mb: float) -> None:
    """Write the received file in pieces; one that is too large is refused."""
    size, most = 0, int(most_mb * 1_048_576)
    with path.open("wb") as out:
        # In a folder of ours alone; so that the jail's user can be shown it without a copy.
        os.fchmod(out.fileno(), 0o644)
        while chunk := await file.read(CHUNK):
            size += len(chunk)
            if size > most:
                raise DataProblem(
                    "too_large", name=filename, size=size_text(size), limit=size_text(most)
                )
            await asyncio.to_thread(out.write, chunk)
