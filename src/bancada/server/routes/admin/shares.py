"""Links by which others read a dashboard or a conversation of the organisation."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from sqlalchemy import Connection

from bancada.domain.errors import NotFound
from bancada.domain.people import Person
from bancada.gate.administration import note
from bancada.server.auth import Administrator, Bench
from bancada.server.problems import documented
from bancada.server.shapes import Moment, Out
from bancada.store import conversation_shares, dashboards

router = APIRouter(tags=["administration"])


class ShareOut(Out):
    kind: Literal["dashboard", "conversation"]
    """A dashboard is read by anybody with the link, a conversation by colleagues only."""
    id: str
    titulo: str
    owner: str
    email: str
    outside: bool | None = None
    """The page may carry words from outside: by the link it runs no script. Nothing that is said in a
    conversation runs by its link, so of those it is not told."""
    created_at: Moment


@router.get("/admin/shares", responses=documented(401, 403))
async def all_shares(admin: Administrator, bench: Bench) -> list[ShareOut]:
    """Every link of your organisation that counts, the newest first; the links themselves are
    known to nobody but who made them."""
    return await bench.database.read(_all, admin.organisation_id)


def _all(db: Connection, organisation_id: int) -> list[ShareOut]:
    links = [
        *(("dashboard", row) for row in dashboards.shared_in(db, organisation_id)),
        *(("conversation", row) for row in conversation_shares.shared_in(db, organisation_id)),
    ]
    links.sort(key=lambda link: -link[1].created_at)
    return [ShareOut.of(row, kind=kind, owner=row.name) for kind, row in links]


@router.delete("/admin/shares/{id}", status_code=204, responses=documented(401, 403, 404, 422))
async def end(
    id: Annotated[str, Path(min_length=1, max_length=40)],
    admin: Administrator,
    bench: Bench,
) -> None:
    """End every link to a dashboard or a conversation of somebody in your organisation."""
    await bench.database.run(_end, admin, id)


def _end(db: Connection, admin: Person, id: str) -> None:
    boards = dashboards.shared_in(db, admin.organisation_id)
    talks = conversation_shares.shared_in(db, admin.organisation_id)
    if board := next((row for row in boards if row.id == id), None):
        dashboards.revoke(db, id)
        note(db, admin, "share_revoked", board.titulo, id=id, of_person=board.user_id)
    elif talk := next((row for row in talks if row.id == id), None):
        conversation_shares.end(db, id)
        note(db, admin, "conversation_unshared", talk.titulo, id=id, of_person=talk.user_id)
    else:
        raise NotFound("dead_link")
