"""The trace of a turn: what was asked, sent, called and told, rebuilt from the record.

Nothing extra is kept for it: the record holds messages, replies with what they cost, calls and
events, and the requests follow from those.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel
from sqlalchemy import Connection

from bancada.domain.errors import NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.domain.tables import TableShape
from bancada.engine.context import request_for
from bancada.engine.live import Live
from bancada.engine.record import LoadedTurn, Record, load
from bancada.engine.workbench import Workbench
from bancada.model.offline import OfflineModel
from bancada.server.auth import Administrator, Bench
from bancada.server.parameters import TurnId
from bancada.server.problems import documented
from bancada.server.shapes import AgentRef, MessageOut, Moment, Out, PersonRef
from bancada.store import audit, events, replies, turns
from bancada.store.turns import TurnRow

router = APIRouter(tags=["administration"])

MOST_CALLS = 1000


class ReplyTrace(BaseModel):
    """What one reply used, cost and took."""

    model: str
    stop_reason: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost_usd: float | None
    is_estimated: bool
    duration_ms: float | None
    at: Moment


class IntentTrace(BaseModel):
    """What the offline planner makes of the question."""

    intent: str
    confidence: float
    parameters: dict[str, Any]
    steps: list[dict[str, Any]]


class Trace(Out):
    turn_id: str
    conversation_id: str
    person: PersonRef
    agent: AgentRef
    model: str
    status: str
    iterations: int
    started_at: Moment
    ended_at: Moment | None
    owner: str | None
    """The process that is or was at work on it."""
    intent: IntentTrace | None
    messages: list[MessageOut]
    replies: list[ReplyTrace]
    calls: list[dict[str, Any]]
    """The audit's lines, in the order the calls began."""
    events: list[dict[str, Any]]
    """Every stored event with its number `n`."""
    requests: list[dict[str, Any]]
    """The requests, one for each reply, as the record and the agent of today make them."""


@router.get("/admin/turns/{id}/trace", responses=documented(401, 403, 404, 422))
async def trace(
    id: TurnId,
    admin: Administrator,
    bench: Bench,
    requests: Annotated[bool, Query(description="Rebuild the requests, too.")] = True,
) -> Trace:
    """Everything that is known of a turn."""
    row = await bench.database.read(_ours, admin, id)
    loaded, numbered, used, calls = await bench.database.read(_recorded, row)
    sent = await _requests(bench, row, loaded) if requests else []
    shapes = await bench.tables.shapes(row.conversation_id, row.organisation_id)
    return Trace.of(
        row,
        turn_id=row.id,
        person=PersonRef.of(loaded.person),
        agent=AgentRef(id=row.agent_id, name=loaded.agent.name),
        # A pack that reads a question may look into its files: from a thread, as in a turn.
        intent=await asyncio.to_thread(_intent, bench, loaded, shapes),
        messages=[
            MessageOut.of(message, metadata={**message.metadata, "kind": message.kind})
            for message in loaded.own
        ],
        replies=[ReplyTrace(**reply) for reply in used],
        calls=calls,
        events=[{**event, "n": n} for n, event in numbered],
        requests=sent,
    )


def _ours(db: Connection, admin: Person, id: str) -> TurnRow:
    row = turns.find(db, id)
    if row is None or row.organisation_id != admin.organisation_id:
        raise NotFound("no_turn")
    return row


def _recorded(
    db: Connection, row: TurnRow
) -> tuple[LoadedTurn, list[tuple[int, JSONObject]], list[JSONObject], list[JSONObject]]:
    lines = audit.calls(db, row.organisation_id, turn_id=row.id, limit=MOST_CALLS)
    return load(db, row.id), events.of_turn(db, row.id), replies.of_turn(db, row.id), lines[::-1]


async def _requests(bench: Workbench, row: TurnRow, loaded: LoadedTurn) -> list[JSONObject]:
    record = Record(row, bench.runner.scribe, Live(row.id, [], 0))
    turn = await bench.turns.build(record)
    frame = replace(turn.frame, model=row.model)
    sent = []
    for at, message in enumerate(loaded.own):
        if message.kind != "reply":
            continue
        before = [*loaded.history, *loaded.own[:at]]
        last = bool(message.metadata.get("last_answer"))
        sent.append(request_for(frame, before, last_answer=last).body())
    return sent


def _intent(
    bench: Workbench, loaded: LoadedTurn, tables: Sequence[TableShape]
) -> IntentTrace | None:
    """How keyword mode reads the question, with the agent's tools."""
    offline = bench.models.offline
    asked = [message for message in loaded.own if message.kind == "question"]
    if not isinstance(offline, OfflineModel) or not asked:
        return None
    said: list[JSONObject] = [
        {"role": message.role, "content": message.content}
        for message in (*loaded.history, *asked[:1])
    ]
    known = bench.registry.for_person(loaded.person)
    found = offline.understood(
        said,
        [tool.name for tool in known if loaded.agent.has(tool.name, tool.group)],
        tables,
        organisation_id=loaded.turn.organisation_id,
    )
    if found is None:
        return None
    return IntentTrace(
        intent=found.intent.name,
        confidence=found.confidence,
        parameters=found.parameters,
        steps=[{"tool": step.tool, "input": step.input} for step in found.steps],
    )
