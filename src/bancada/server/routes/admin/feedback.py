"""What people thought of answers, and why."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel
from sqlalchemy import Connection

from bancada.domain.people import Person
from bancada.server.auth import Administrator, Bench
from bancada.server.parameters import HIGHEST
from bancada.server.problems import documented
from bancada.server.shapes import AgentRef, Moment, Out, Reason
from bancada.store import feedback
from bancada.store.feedback import OpinionPlace

_PLACE = r"^\d{1,15}(\.\d{1,20})?:\w{1,60}:\d{1,9}$"

router = APIRouter(tags=["administration"])


class OpinionOut(Out):
    message_id: str
    turn_id: str
    """`GET /admin/turns/{id}/trace` has the answer it is about."""
    value: Literal[-1, 1]
    reasons: list[Reason]
    comment: str | None
    person: str
    agent: AgentRef
    model: str
    question: str
    at: Moment


class OpinionPage(BaseModel):
    entries: list[OpinionOut]
    next: str | None
    """Where the next page begins (`before`); none when this is the last."""


@router.get("/admin/feedback", responses=documented(401, 403, 422))
async def thumbs(
    admin: Administrator,
    bench: Bench,
    value: Annotated[
        Literal["-1", "1"] | None, Query(description="Only thumbs up or down.")
    ] = None,
    agent: Annotated[int | None, Query(ge=1, le=HIGHEST)] = None,
    before: Annotated[
        str | None,
        Query(description="What an earlier page says in `next`.", pattern=_PLACE, max_length=100),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> OpinionPage:
    """What your organisation's people thought of answers, the newest first."""
    wanted = None if value is None else int(value)
    after = None if before is None else _place(before)
    return await bench.database.read(_page, admin, wanted, agent, after, limit)


def _place(said: str) -> OpinionPlace:
    at, message_id, user_id = said.split(":")
    return OpinionPlace(float(at), message_id, int(user_id))


def _page(
    db: Connection,
    admin: Person,
    value: int | None,
    agent_id: int | None,
    before: OpinionPlace | None,
    limit: int,
) -> OpinionPage:
    found = feedback.in_organisation(
        db,
        admin.organisation_id,
        value=value,
        agent_id=agent_id,
        before=before,
        limit=limit + 1,
    )
    shown = found[:limit]
    return OpinionPage(
        entries=[
            OpinionOut.of(one, agent=AgentRef(id=one.agent_id, name=one.agent)) for one in shown
        ],
        next=":".join(map(str, shown[-1].place)) if len(found) > limit else None,
    )
