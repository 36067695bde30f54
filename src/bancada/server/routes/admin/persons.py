"""A person's data: handed over whole, and erased."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from bancada.domain.errors import Invalid
from bancada.domain.people import Person
from bancada.domain.shapes import Email, Shape
from bancada.engine.erasure import erase, export, would_erase
from bancada.engine.workbench import Workbench
from bancada.server.auth import Administrator, Bench, CurrentPerson, account_changed
from bancada.server.parameters import RowId
from bancada.server.problems import documented
from bancada.server.routes.admin.users import account, removable
from bancada.server.shapes import Out

router = APIRouter(tags=["administration"])


class Erasure(Shape):
    """Whose data is erased, said once more: it does not come back."""

    email: Email
    dry_run: bool = False
    """Only tell what would go."""


class ErasedOut(Out):
    """What went, or would go."""

    rows: dict[str, int]
    files: int
    audit_entries: int
    compacted: bool


@router.post("/admin/users/{id}/erase", responses=documented(401, 403, 404, 409, 422))
async def erase_data(
    id: RowId, body: Erasure, admin: Administrator, bench: Bench, request: Request
) -> ErasedOut:
    """Erase somebody: everything they said and kept, and what the audit says of them. That
    something happened stays in the chain, with its hash; what it cost stays in usage."""
    person = await bench.database.read(removable, admin, id)
    if body.email.strip().lower() != person.email:
        raise Invalid("erase_other_address", email=person.email)
    if body.dry_run:
        return ErasedOut.of(await would_erase(bench, person))
    erased = await erase(bench, person, by=admin, via="web")
    account_changed(request, id)
    return ErasedOut.of(erased)


@router.post(
    "/admin/users/{id}/export",
    response_class=FileResponse,
    responses=documented(401, 403, 404, 422),
)
async def export_data(id: RowId, admin: Administrator, bench: Bench) -> FileResponse:
    """Everything that is kept of somebody, as a zip file: rows as JSON, files, a manifest."""
    person = await bench.database.read(account, admin, id)
    return await exported(bench, person, by=admin)


async def exported(bench: Workbench, person: Person, *, by: Person) -> FileResponse:
    """The file is made aside, and goes when it was sent."""
    folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="bancada-export-")
    path = Path(folder) / "export.zip"
    try:
        await export(bench, person, path, by=by, via="web")
    except BaseException:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        raise
    return FileResponse(
        path,
        media_type="application/zip",
        filename=f"bancada-{person.id}.zip",
        background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True),
    )


@router.post("/me/export", tags=["account"], response_class=FileResponse, responses=documented(401))
async def export_mine(person: CurrentPerson, bench: Bench) -> FileResponse:
    """Everything that is kept of you, as a zip file: rows as JSON, files, a manifest."""
    return await exported(bench, person, by=person)
