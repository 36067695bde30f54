"""Containers in which code runs now. They belong to the process, so the first organisation sees them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from bancada.domain.errors import NotFound
from bancada.engine.workbench import Workbench
from bancada.gate.administration import note
from bancada.server.auth import Bench, InstallationAdministrator
from bancada.server.problems import documented
from bancada.server.shapes import Moment, Out

router = APIRouter(tags=["administration"])

ContainerId = Annotated[str, Path(min_length=1, max_length=100)]


class ContainerOut(Out):
    id: str
    created_at: Moment
    expires_at: Moment
    """When it ends if nobody uses it."""
    busy: bool
    pid: int


@router.get("/admin/containers", responses=documented(401, 403))
async def all_containers(admin: InstallationAdministrator, bench: Bench) -> list[ContainerOut]:
    """The live containers of this process."""
    return _all(bench)


def _all(bench: Workbench) -> list[ContainerOut]:
    sandbox = bench.jail.running
    return [] if sandbox is None else [ContainerOut.of(info) for info in sandbox.containers()]


@router.get("/admin/containers/{id}", responses=documented(401, 403, 404, 422))
async def one(id: ContainerId, admin: InstallationAdministrator, bench: Bench) -> ContainerOut:
    """One live container."""
    found = next((info for info in _all(bench) if info.id == id), None)
    if found is None:
        raise NotFound("no_container")
    return found


@router.delete("/admin/containers/{id}", status_code=204, responses=documented(401, 403, 404, 422))
async def end(id: ContainerId, admin: InstallationAdministrator, bench: Bench) -> None:
    """End a container; code that runs in it ends with an error."""
    sandbox = bench.jail.running
    if sandbox is None or all(info.id != id for info in _all(bench)):
        raise NotFound("no_container")
    await bench.database.run(lambda db: note(db, admin, "container_ended", id, id=id))
    await sandbox.end(id)
