"""How the workbench is used: calls, replies, tokens and money, as JSON or as a file."""

from __future__ import annotations

import time
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel
from sqlalchemy import Connection

from bancada.domain.people import Person
from bancada.server.auth import Administrator, Bench
from bancada.server.parameters import HIGHEST, person_key
from bancada.server.problems import documented
from bancada.server.routes.admin.users import somebody
from bancada.server.shapes import isoformat
from bancada.store import usage
from bancada.store.usage import By, UsageRow, Window

router = APIRouter(tags=["administration"])

Day = Annotated[str | None, Query(pattern=r"^\d{4}-\d{2}-\d{2}$", description="A day, in UTC.")]


class UsageOut(BaseModel):
    by: By
    since: str
    until: str
    rows: list[UsageRow]
    total: UsageRow


@router.get(
    "/admin/usage",
    response_model=UsageOut,
    responses={
        200: {
            "description": "One row a day, tool, agent, … ; as CSV where that was asked for.",
            "content": {"text/csv": {"schema": {"type": "string"}}},
        },
        **documented(401, 403, 404, 422),
    },
)
async def used(
    admin: Administrator,
    bench: Bench,
    by: By = "day",
    first: Annotated[Day, Query(alias="from")] = None,
    last: Annotated[Day, Query(alias="to")] = None,
    tool: Annotated[str | None, Query(max_length=64)] = None,
    user: Annotated[str | None, Query(max_length=254, description="An id or an address.")] = None,
    agent: Annotated[int | None, Query(ge=1, le=HIGHEST)] = None,
    model: Annotated[str | None, Query(max_length=120)] = None,
    format: Literal["json", "csv"] = "json",
) -> UsageOut | Response:
    """Calls, failures, times, cost, tokens, cache hits: the last thirty days unless told otherwise."""
    found = await bench.database.read(_used, admin, by, first, last, tool, user, agent, model)
    if format == "json":
        return found
    headers = {"Content-Disposition": f'attachment; filename="usage-by-{by}.csv"'}
    return Response(usage.as_csv(found.rows, by), 200, headers, "text/csv; charset=utf-8")


def _used(
    db: Connection,
    admin: Person,
    by: By,
    first: str | None,
    last: str | None,
    tool: str | None,
    user: str | None,
    agent: int | None,
    model: str | None,
) -> UsageOut:
    person_id = None if user is None else somebody(db, admin, person_key(user)).id
    window: Window = usage.window_of(
        admin.organisation_id,
        first,
        last,
        time.time(),
        tool=tool,
        person_id=person_id,
        agent_id=agent,
        model=model,
    )
    return UsageOut(
        by=by,
        since=isoformat(window.since),
        until=isoformat(window.until),
        rows=usage.usage(db, window, by),
        total=usage.total(db, window),
    )
