"""Studies and dashboards on paper."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from bancada.dashboards import report
from bancada.dashboards.pinned import call_shown
from bancada.domain.people import Person
from bancada.engine.workbench import Workbench
from bancada.server.auth import Bench, CurrentPerson
from bancada.server.papers import pdf
from bancada.server.problems import documented
from bancada.server.routes.dashboards import DashboardId
from bancada.server.routes.studies import StudyId
from bancada.store import dashboards

router = APIRouter(tags=["reports"])

EventId = Annotated[str, Path(min_length=3, max_length=80)]
PDF: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The report.",
        "content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.get(
    "/dashboards/{id}/report",
    response_class=Response,
    responses={**documented(401, 404, 422, 502), **PDF},
)
async def of_dashboard(id: DashboardId, person: CurrentPerson, bench: Bench) -> Response:
    """One of your dashboards as a PDF, as it is kept: nothing is made anew."""
    row = await bench.database.read(dashboards.owned, id, person.id)
    tools = {
        tool.name: tool.names.get(person.language, tool.name)
        for tool in bench.registry.for_person(person)
    }
    return await pdf(report.of_dashboard(row, person, tools))


@router.get(
    "/studies/{id}/report",
    response_class=Response,
    responses={**documented(401, 404, 409, 422, 502), **PDF},
)
async def of_study(id: StudyId, person: CurrentPerson, bench: Bench) -> Response:
    """A study that you see as a PDF: made again now, with your rights."""
    ran = await bench.studies.run(person, id)
    return await pdf(report.of_study(ran, person, _tool(bench, person, ran.study.tool)))


@router.get(
    "/reports/{id}",
    response_class=Response,
    responses={**documented(401, 404, 422, 502), **PDF},
)
async def of_event(id: EventId, person: CurrentPerson, bench: Bench) -> Response:
    """What a call of one of your conversations showed, as a PDF; `id` is the event of one of its widgets."""
    shown = await bench.database.read(call_shown, person, id)
    return await pdf(report.of_call(shown, person, _tool(bench, person, shown.tool or "")))


def _tool(bench: Workbench, person: Person, name: str) -> str:
    found = bench.registry.find(name, person)
    return name if found is None else found.names.get(person.language, name)
