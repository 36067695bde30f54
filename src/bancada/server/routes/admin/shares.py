"""Links by which anybody can read a dashboard of the organisation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from sqlalchemy import Connection

from bancada.domain.errors import NotFound
from bancada.domain.people import Person
from bancada.gate.administration import note
from bancada.server.auth import Administrator, Bench
from bancada.server.problems import documented
from bancada.server.shapes import Moment, Out
from bancada.store import dashboards

router = APIRouter(tags=["administration"])


class ShareOut(Out):
    dashboard_id: str
    titulo: str
    owner: str
    email: str
    outside: bool
    """The page may carry words from outside; by the link it runs no script."""
    created_at: Moment


@router.get("/admin/shares", responses=documented(401, 403))
async def all_shares(admin: Administrator, bench: Bench) -> list[ShareOut]:
    """Every link of your organisation that counts, the newest first; the links themselves are
    known to nobody but who made them."""
    rows = await bench.database.read(dashboards.shared_in, admin.organisation_id)
    return [ShareOut.of(row, dashboard_id=row.id, owner=row.name) for row in rows]


@router.delete("/admin/shares/{id}", status_code=204, responses=documented(401, 403, 404, 422))
async def end(
    id: Annotated[str, Path(min_length=1, max_length=40)],
    admin: Administrator,
    bench: Bench,
) -> None:
    """End every link to a dashboard of somebody in your organisation."""
    await bench.database.run(_end, admin, id)


def _end(db: Connection, admin: Person, dashboard_id: str) -> None:
    rows = dashboards.shared_in(db, admin.organisation_id)
    found = next((row for row in rows if row.id == dashboard_id), None)
    if found is None:
        raise NotFound("no_dashboard")
    dashboards.revoke(db, dashboard_id)
    note(db, admin, "share_revoked", found.titulo, id=dashboard_id, of_person=found.user_id)
