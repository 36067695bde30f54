"""What the installation runs on, and what is missing: what `bancada doctor` says."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

import bancada
from bancada.engine.doctor import Finding, examine
from bancada.server.auth import Administrator, Bench
from bancada.server.pages import STATIC
from bancada.server.problems import documented
from bancada.store import people

router = APIRouter(tags=["administration"])


class FindingOut(BaseModel):
    name: str
    status: Literal["ok", "note", "missing"]
    says: str


class System(BaseModel):
    """What the first organisation's administrators see; others learn nothing of the host."""

    version: str | None
    model: str
    offline: bool
    database: str | None
    sandbox: str | None
    """Why code is switched off; null when it is not."""
    findings: list[FindingOut]


@router.get("/system", responses=documented(401, 403))
async def system(admin: Administrator, bench: Bench) -> System:
    """Which model, database, sandbox and data folder are in use, and what is missing.

    Of these an administrator of another organisation than the first is told the model's name, and
    whether code can run.
    """
    host = admin.organisation_id == people.FIRST_ORGANISATION
    model = bench.models.offline.name if bench.models.is_offline else bench.models.default
    if host:
        found = await examine(bench, page_built=(STATIC / "index.html").is_file())
    else:
        off = bench.jail.missing is not None
        found = [
            Finding("model", "note" if bench.models.is_offline else "ok", model),
            Finding("sandbox", "missing" if off else "ok", "off" if off else "on"),
        ]
    return System(
        version=bancada.__version__ if host else None,
        model=model,
        offline=bench.models.is_offline,
        database=bench.database.kind if host else None,
        sandbox=bench.jail.missing,
        findings=[
            FindingOut(name=f.name, status=f.status, says=f.told(admin.language)) for f in found
        ],
    )
