"""What the installation runs on, and what is missing: what `bancada doctor` says."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

import bancada
from bancada.engine.doctor import examine
from bancada.server.auth import Administrator, Bench
from bancada.server.pages import STATIC
from bancada.server.problems import documented

router = APIRouter(tags=["administration"])


class FindingOut(BaseModel):
    name: str
    status: Literal["ok", "note", "missing"]
    says: str


class System(BaseModel):
    version: str
    model: str
    offline: bool
    database: str
    sandbox: str | None
    """Why code is switched off; null when it is not."""
    findings: list[FindingOut]


@router.get("/system", responses=documented(401, 403))
async def system(admin: Administrator, bench: Bench) -> System:
    """Which model, database, sandbox and data folder are in use, and what is missing."""
    findings = await examine(bench, page_built=(STATIC / "index.html").is_file())
    return System(
        version=bancada.__version__,
        model=bench.models.offline.name if bench.models.is_offline else bench.models.default,
        offline=bench.models.is_offline,
        database=bench.database.kind,
        sandbox=bench.jail.missing,
        findings=[FindingOut(name=f.name, status=f.status, says=f.says) for f in findings],
    )
