"""Dashboards: kept, pinned, refreshed, shared."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from sqlalchemy import Connection

from bancada.dashboards import DashboardDesk, Pinned
from bancada.domain.errors import NotFound, NotSignedIn
from bancada.domain.people import Person
from bancada.gate.administration import note
from bancada.server import pages
from bancada.server.auth import Bench, CurrentPerson, identify
from bancada.server.boards import (
    BoardChange,
    BoardColumn,
    ColumnName,
    ColumnValues,
    DashboardOut,
    Pin,
    PinnedEvent,
    PinnedItem,
    Shared,
)
from bancada.server.once import IdempotencyKey, once
from bancada.server.problems import documented
from bancada.store import dashboards, people
from bancada.store.dashboards import DashboardRow
from bancada.store.idempotency import Claim

router = APIRouter(tags=["dashboards"])

DashboardId = Annotated[str, Path(min_length=1, max_length=40)]
HTML = {"text/html": {"schema": {"type": "string"}}}


@router.get("/dashboards", responses=documented(401))
async def gallery(person: CurrentPerson, bench: Bench) -> list[DashboardOut]:
    """Your dashboards, the last changed first."""
    return await bench.database.read(_gallery, bench.dashboards, person)


def _gallery(db: Connection, desk: DashboardDesk, person: Person) -> list[DashboardOut]:
    return [_shown(db, desk, row, person) for row in dashboards.of_person(db, person.id)]


@router.post("/dashboards", status_code=201, responses=documented(401, 404, 422))
async def pin(
    body: Pin,
    person: CurrentPerson,
    bench: Bench,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> DashboardOut:
    """Pin widgets of a chat to a new dashboard, or to one of yours; or begin an empty one."""

    async def pinned(claim: Claim) -> DashboardOut:
        items = [await _pinned(item, person, bench.dashboards) for item in body.items]
        row = await bench.dashboards.pin(
            person,
            titulo=body.titulo,
            items=items,
            dashboard_id=body.dashboard_id,
            mark=claim.subject,
        )
        return await bench.database.read(_one, bench.dashboards, row.id, person)

    return await once(request, idempotency_key, body.model_dump(), pinned, DashboardOut)


async def _pinned(item: PinnedEvent | PinnedItem, person: Person, desk: DashboardDesk) -> Pinned:
    if isinstance(item, PinnedEvent):
        return await desk.shown(person, item.event)
    return await desk.brought(
        person, type=item.type, data=item.data, tool=item.tool, input=item.input
    )


@router.get(
    "/dashboards/{id}",
    response_model=DashboardOut,
    responses={
        **documented(401, 404, 422),
        200: {"description": "The dashboard, or the app's page for browsers.", "content": HTML},
    },
)
async def one(id: DashboardId, request: Request, bench: Bench) -> Response:
    """A dashboard as JSON; a browser that asks for HTML gets the app, which then asks for it."""
    if pages.wants_html(request):
        return pages.shell(request)
    person = (await identify(request)).person
    found = await bench.database.read(_one, bench.dashboards, id, person)
    return JSONResponse(found.model_dump(mode="json"))


def _one(db: Connection, desk: DashboardDesk, id: str, person: Person) -> DashboardOut:
    return _shown(db, desk, dashboards.owned(db, id, person.id), person)


def _shown(db: Connection, desk: DashboardDesk, row: DashboardRow, person: Person) -> DashboardOut:
    shared = dashboards.is_shared(db, row.id)
    live = desk.live(person, row)
    return DashboardOut.to_owner(row, live=live, shared=shared, language=person.language)


@router.post("/dashboards/{id}/refresh", responses=documented(401, 404, 422))
async def refresh(id: DashboardId, person: CurrentPerson, bench: Bench) -> DashboardOut:
    """Run the calls behind the items again, as you; no model is asked."""
    await bench.dashboards.refresh(person, id)
    return await bench.database.read(_one, bench.dashboards, id, person)


@router.patch("/dashboards/{id}", responses=documented(401, 404, 422))
async def arrange(
    id: DashboardId, body: BoardChange, person: CurrentPerson, bench: Bench
) -> DashboardOut:
    """Rename a dashboard, arrange its tiles, write texts, set its filter: all of it or nothing."""
    await bench.dashboards.arrange(person, id, body.as_arrangement())
    return await bench.database.read(_one, bench.dashboards, id, person)


@router.get("/dashboards/{id}/columns", responses=documented(401, 404, 422))
async def columns(id: DashboardId, person: CurrentPerson, bench: Bench) -> list[BoardColumn]:
    """What the dashboard can be filtered by: the columns that its queries read."""
    tables: dict[tuple[str, bool], list[str]] = {}
    for one in await bench.dashboards.columns(person, id):
        tables.setdefault((one.name, one.is_dates), []).append(one.table)
    return [
        BoardColumn(name=name, is_dates=is_dates, tables=sorted(set(found)))
        for (name, is_dates), found in sorted(tables.items())
    ]


@router.get("/dashboards/{id}/values", responses=documented(401, 404, 422))
async def values(
    id: DashboardId, column: Annotated[ColumnName, Query()], person: CurrentPerson, bench: Bench
) -> ColumnValues:
    """What stands in a column that the dashboard can be filtered by."""
    found, more = await bench.dashboards.values(person, id, column)
    return ColumnValues(values=found, more=more)


@router.delete("/dashboards/{id}", status_code=204, responses=documented(401, 404, 422))
async def remove(id: DashboardId, person: CurrentPerson, bench: Bench) -> None:
    """Delete a dashboard; its shared links end."""
    await bench.database.run(_remove, id, person)


def _remove(db: Connection, id: str, person: Person) -> None:
    _unshare(db, id, person)
    dashboards.remove(db, id)


@router.post("/dashboards/{id}/share", status_code=201, responses=documented(401, 404, 422))
async def share(id: DashboardId, person: CurrentPerson, bench: Bench) -> Shared:
    """A link that anybody can read the dashboard by, until it is revoked."""
    return Shared(url=f"/d/{await bench.database.run(_share, id, person)}")


def _share(db: Connection, id: str, person: Person) -> str:
    # An account that is being disabled ends its links for good: none may come after.
    if not people.hold(db, person.id).is_active:
        raise NotSignedIn("sign_in_first")
    row = dashboards.owned(db, id, person.id)
    note(db, person, "share_made", row.titulo, id=id)
    return dashboards.share(db, id, person.id)


@router.delete("/dashboards/{id}/share", status_code=204, responses=documented(401, 404, 422))
async def unshare(id: DashboardId, person: CurrentPerson, bench: Bench) -> None:
    """Revoke every link to the dashboard."""
    await bench.database.run(_unshare, id, person)


def _unshare(db: Connection, id: str, person: Person) -> None:
    row = dashboards.owned(db, id, person.id)
    if dashboards.revoke(db, id):
        note(db, person, "share_revoked", row.titulo, id=id)


@router.get(
    "/d/{token}",
    response_model=DashboardOut,
    responses={
        **documented(404, 422),
        200: {"description": "The dashboard, or the app's page for browsers.", "content": HTML},
    },
)
async def shared(
    token: Annotated[str, Path(min_length=1, max_length=200)], request: Request, bench: Bench
) -> Response:
    """A shared dashboard, readable without an account until the link is revoked."""
    try:
        row = await bench.database.read(dashboards.by_token, token)
    except NotFound:
        if pages.wants_html(request):  # the page says so in words
            return pages.shell(request, 404)
        raise
    if pages.wants_html(request):
        return pages.shell(request)
    owner = await bench.database.read(people.person, row.user_id)
    live = bench.dashboards.live(owner, row)
    seen = DashboardOut.by_link(row, f"/d/{token}", live=live, language=owner.language)
    return JSONResponse(seen.model_dump(mode="json"))
