"""The audit: what happened, whether the chain is whole, and all of it as lines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel
from sqlalchemy import Connection

import bancada
from bancada.domain.errors import Invalid
from bancada.domain.json import dumps
from bancada.domain.people import Person
from bancada.gate.administration import Category
from bancada.gate.ocsf import event
from bancada.server.audited import Audited
from bancada.server.auth import Administrator, Bench
from bancada.server.parameters import HIGHEST, person_key
from bancada.server.problems import documented
from bancada.server.routes.admin.users import somebody
from bancada.store import audit
from bancada.tools.tool import Tool

router = APIRouter(tags=["administration"])

MOMENT = r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?)?$"
Moment = Annotated[
    str | None,
    Query(pattern=MOMENT, description="A date or a moment, as ISO 8601; UTC if it is bare."),
]


class AuditPage(BaseModel):
    entries: list[dict[str, Any]]
    """One line a call or change, the newest first; `category` tells which, and `sentence` what
    happened, in the reader's language."""
    next: int | None
    """Give it as `before` for the page after this one."""


class VerdictOut(BaseModel):
    ok: bool
    checked: int
    first_bad: int | None
    what: str | None


@router.get("/admin/audit", responses=documented(401, 403, 404, 422))
async def page(
    admin: Administrator,
    bench: Bench,
    tool: Annotated[str | None, Query(max_length=64)] = None,
    user: Annotated[str | None, Query(max_length=254, description="An id or an address.")] = None,
    outcome: Annotated[
        str | None, Query(max_length=40, description="`ok`, `failed`, or a refusal's code.")
    ] = None,
    turn: Annotated[str | None, Query(max_length=64)] = None,
    category: Annotated[
        Literal["call", "administration"] | Category | None,
        Query(description="`call`; `administration` for all else; or one kind of change."),
    ] = None,
    since: Moment = None,
    until: Moment = None,
    before: Annotated[int | None, Query(ge=1, le=HIGHEST)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> AuditPage:
    """The organisation's calls and every change of its administration, the newest first."""
    return await bench.database.read(
        _page,
        admin,
        partial(bench.registry.find, person=admin),
        tool=tool,
        user=user,
        outcome=outcome,
        turn=turn,
        category=category,
        since=moment(since),
        until=moment(until),
        before=before,
        limit=limit,
    )


def _page(
    db: Connection,
    admin: Person,
    find: Callable[[str], Tool | None],
    *,
    tool: str | None,
    user: str | None,
    outcome: str | None,
    turn: str | None,
    category: str | None,
    since: float | None,
    until: float | None,
    before: int | None,
    limit: int,
) -> AuditPage:
    person_id = None if user is None else somebody(db, admin, person_key(user)).id
    lines = audit.calls(
        db,
        admin.organisation_id,
        before=before,
        limit=limit + 1,
        tool=tool,
        person_id=person_id,
        turn_id=turn,
        category=category,
        since=since,
        until=until,
        outcome=outcome,
    )
    more = len(lines) > limit
    lines = lines[:limit]
    audited = Audited.of(db, admin.organisation_id, lines, admin.language, find)
    entries = [{**line, "sentence": audited.told(line)} for line in lines]
    return AuditPage(entries=entries, next=lines[-1]["id"] if more else None)


@router.get("/admin/audit/verify", responses=documented(401, 403))
async def verify(admin: Administrator, bench: Bench) -> VerdictOut:
    """Walk the organisation's chain from its first entry to its head, and to the signed heads."""
    heads = await asyncio.to_thread(bench.heads.read)
    id = admin.organisation_id
    verdict = await bench.database.read(audit.verify, id, heads.of(id))
    if verdict.ok and heads.problems:
        what = f"signed heads: {heads.problems[0].removeprefix(f'{bench.settings.data}/')}"
        return VerdictOut(ok=False, checked=verdict.checked, first_bad=None, what=what)
    return VerdictOut(
        ok=verdict.ok, checked=verdict.checked, first_bad=verdict.first_bad, what=verdict.what
    )


@router.get(
    "/admin/audit/export",
    response_class=Response,
    responses={
        200: {
            "description": "One JSON object a line, one line a call or change.",
            "content": {"application/jsonl": {"schema": {"type": "string"}}},
        },
        **documented(401, 403, 422),
    },
)
async def export(
    admin: Administrator,
    bench: Bench,
    ocsf: Annotated[bool, Query(description="As events of the OCSF schema.")] = False,
) -> Response:
    """Every call and change of the organisation, in the order they began."""
    lines = await bench.database.read(audit.export, admin.organisation_id)
    if ocsf:
        lines = [event(line, bancada.__version__) for line in lines]
    headers = {"Content-Disposition": 'attachment; filename="audit.jsonl"'}
    return StreamingResponse(_jsonl(lines), media_type="application/jsonl", headers=headers)


def _jsonl(lines: list[dict[str, Any]]) -> Iterator[str]:
    for line in lines:
        yield dumps(line) + "\n"


def moment(text: str | None) -> float | None:
    """A moment in seconds since 1970; raises when it cannot be read."""
    if text is None or not text.strip():
        return None
    try:
        read = datetime.fromisoformat(text.strip())
        # A bare date or time is meant in UTC, whatever clock the server's machine shows.
        return (
            read if read.tzinfo else datetime.fromisoformat(f"{read.isoformat()}+00:00")
        ).timestamp()
    except (ValueError, OverflowError, OSError):
        raise Invalid("bad_moment", text=text) from None
