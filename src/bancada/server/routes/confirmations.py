"""Calls that wait for a person."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from sqlalchemy import Connection

from bancada.domain.people import Person
from bancada.engine.workbench import Workbench
from bancada.gate.inquiring import shown_question
from bancada.gate.reasons import why_asked
from bancada.server.auth import Bench, CurrentAccess
from bancada.server.once import IdempotencyKey, once
from bancada.server.problems import documented
from bancada.server.shapes import ConfirmationOut, Decision, PersonRef
from bancada.store import people
from bancada.store.confirmations import Confirmation
from bancada.store.idempotency import Claim
from bancada.tools.spoken import call_in_words, name_of

router = APIRouter(tags=["confirmations"])

ConfirmationId = Annotated[str, Path(min_length=1, max_length=64)]


@router.get("/confirmations", responses=documented(401))
async def queue(
    access: CurrentAccess,
    bench: Bench,
    show: Literal["waiting", "decided"] = "waiting",
    before: Annotated[float | None, Query(ge=0, le=1e11)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> list[ConfirmationOut]:
    """What waits for your decision, oldest first; or what you asked for or decided, newest first.

    `before` (seconds) and `limit` go through what was decided.
    """
    person = access.person
    if show == "decided":
        found = await bench.confirmations.history(person, before=before, limit=limit)
    else:
        found = await bench.confirmations.queue(person)
    return [await shown(bench, one, person) for one in found if access.is_for(one.agent_id)]


@router.get("/confirmations/{id}", responses=documented(401, 404, 422))
async def one(id: ConfirmationId, access: CurrentAccess, bench: Bench) -> ConfirmationOut:
    """A confirmation and, outside a turn, what came of it."""
    found = await bench.confirmations.find(access.person, id)
    access.check_agent(found.agent_id)
    return await shown(bench, found, access.person)


@router.post("/confirmations/{id}", responses=documented(401, 403, 404, 409, 410, 422))
async def decide(
    id: ConfirmationId,
    body: Decision,
    access: CurrentAccess,
    bench: Bench,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> ConfirmationOut:
    """Approve or reject a waiting call; its turn continues by itself."""
    person = access.person
    if access.agent_id is not None:
        access.check_agent((await bench.confirmations.find(person, id)).agent_id)

    async def said(claim: Claim) -> ConfirmationOut:
        decided = await bench.confirmations.decide(
            person,
            id,
            body.decision,
            input=body.input,
            reason=body.reason,
            remember=body.remember,
            again=claim.again,
        )
        return await shown(bench, decided, person)

    return await once(request, idempotency_key, body.model_dump(), said, ConfirmationOut)


async def shown(bench: Workbench, found: Confirmation, viewer: Person) -> ConfirmationOut:
    asker, decider, absent = await bench.database.read(_who, found)
    tool = bench.registry.find(found.tool, asker)
    return ConfirmationOut.of(
        found,
        tool_use_id=found.call_id,
        name=found.tool,
        title=found.tool if tool is None else call_in_words(tool, found.input, viewer.language),
        tool_name=found.tool if tool is None else name_of(tool, viewer.language),
        reason=why_asked(found.reason, found.tool, viewer.language),
        person=PersonRef.of(asker),
        steps=found.steps or [],
        question=shown_question(found),
        decided_by=None if decider is None else PersonRef.of(decider),
        decided_for=None if absent is None else PersonRef.of(absent),
        input_schema=None if tool is None else tool.input_schema,
    )


def _who(db: Connection, found: Confirmation) -> tuple[Person, Person | None, Person | None]:
    def maybe(id: int | None) -> Person | None:
        return None if id is None else people.person(db, id)

    return people.person(db, found.user_id), maybe(found.decided_by), maybe(found.decided_for)
