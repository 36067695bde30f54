"""Conversations: asking, following, stopping."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request, Response
from pydantic import BaseModel
from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.domain.errors import Forbidden, NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.domain.said import Utterance
from bancada.engine.conversations import new_id
from bancada.engine.variants import begin_conversation
from bancada.server import sse, transcript
from bancada.server.auth import Admission, Bench, CurrentAccess, CurrentPerson
from bancada.server.once import IdempotencyKey, once
from bancada.server.papers import exported
from bancada.server.parameters import ConversationId, MessageId
from bancada.server.problems import documented
from bancada.server.routes.sharing import unshare
from bancada.server.shapes import (
    Branch,
    ConversationChange,
    ConversationOut,
    FeedbackIn,
    FoundConversation,
    NewConversation,
    PassageOut,
    PieceOut,
    Question,
    Retry,
    Stopped,
    WholeConversation,
)
from bancada.store import agents, conversations, events, feedback, messages, turns
from bancada.store.conversations import Conversation, Listed
from bancada.store.feedback import Thumb
from bancada.store.idempotency import Claim
from bancada.store.turns import TurnRow

router = APIRouter(tags=["conversations"])

STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The turn's events, one SSE frame each.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@router.post("/conversations", status_code=201, responses=documented(401, 403, 404, 422))
async def begin(body: NewConversation, access: CurrentAccess, bench: Bench) -> ConversationOut:
    """Start a conversation with an agent, named by name or id."""
    row, agent = await bench.database.run(new_conversation, access, body.agent)
    return ConversationOut.told(row, agent.name, None)


def new_conversation(
    db: Connection,
    access: Admission,
    wanted: int | str,
    *,
    is_listed: bool = True,
    id: str | None = None,
) -> tuple[Conversation, Agent]:
    """A conversation with an agent this person may use; 404 when there is none, 403 when not theirs."""
    person = access.person
    ours = agents.agents_of(db, person.organisation_id)
    found = next((agent for agent in ours if wanted in (agent.id, agent.name)), None)
    if found is None and isinstance(wanted, str):
        folded = wanted.strip().casefold()
        found = next((agent for agent in ours if agent.name.casefold() == folded), None)
        if found is None and folded.isdigit():
            found = next((agent for agent in ours if agent.id == int(folded)), None)
    if found is None or found.id is None:
        raise NotFound("no_agent")
    if not agents.may_use(db, person.id, found.id):
        raise Forbidden("agent_not_yours", name=found.name)
    access.check_agent(found.id)
    return begin_conversation(db, person, found.id, is_listed=is_listed, id=id), found


@router.get("/conversations", responses=documented(401, 422))
async def listed(
    access: CurrentAccess,
    bench: Bench,
    q: Annotated[
        str | None, Query(max_length=200, description="Search in titles and texts.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    before: Annotated[
        float | None, Query(description="Only those used before this moment.")
    ] = None,
    pinned: Annotated[bool | None, Query(description="Only pinned ones, or only others.")] = None,
    archived: Annotated[
        bool | None,
        Query(description="Only archived ones, or only others; a search finds both unless told."),
    ] = None,
) -> list[FoundConversation]:
    """Your conversations, the last used first."""
    if archived is None and not q:
        archived = False
    found = await bench.database.read(
        conversations.of_person,
        access.person.id,
        agent_id=access.agent_id,
        search=q,
        limit=limit,
        before=before,
        pinned=pinned,
        archived=archived,
    )
    return [_found(each) for each in found]


def _found(each: Listed) -> FoundConversation:
    at = each.passage
    passage = at and PassageOut.of(at, pieces=[PieceOut.of(piece) for piece in at.pieces])
    return FoundConversation.told(each.conversation, each.agent_name, each.status, passage=passage)


@router.get("/conversations/{id}", responses=documented(401, 404, 422))
async def whole(id: ConversationId, person: CurrentPerson, bench: Bench) -> WholeConversation:
    """A conversation with all its messages."""
    return await bench.database.read(transcript.whole, id, person, bench.models)


@router.patch("/conversations/{id}", responses=documented(401, 404, 422))
async def change(
    id: ConversationId, body: ConversationChange, person: CurrentPerson, bench: Bench
) -> ConversationOut:
    """Rename a conversation, pin or archive it, or switch between the model and keyword mode."""
    return await bench.database.run(_change, id, person, body.model_dump(exclude_none=True))


def _change(db: Connection, id: str, person: Person, changes: JSONObject) -> ConversationOut:
    conversations.owned(db, id, person.id)
    now = time.time()
    for name in ("pinned", "archived"):
        if name in changes:
            changes[f"{name}_at"] = now if changes.pop(name) else None
    conversations.change(db, id, **changes)
    row = conversations.owned(db, id, person.id)
    last = turns.last_of(db, id)
    name = agents.name_of(db, row.agent_id)
    return ConversationOut.told(row, name, last.status if last else None)


@router.delete("/conversations/{id}", status_code=204, responses=documented(401, 404, 409, 422))
async def remove(id: ConversationId, person: CurrentPerson, bench: Bench) -> None:
    """Delete a conversation and its data sets; what it did stays in the audit."""
    await bench.database.run(unshare, id, person)
    last = await bench.database.read(_last_turn, id, person.id)
    if last is not None and last.status in ("running", "waiting"):
        await bench.conversations.stop(person, id)
    await bench.forget(id)


@router.get(
    "/conversations/{id}/export",
    responses={
        **documented(401, 404, 422, 502),
        200: {
            "description": "The conversation as a file.",
            "content": {
                "application/json": {"schema": {"type": "object"}},
                "text/markdown": {"schema": {"type": "string"}},
                "application/pdf": {"schema": {"type": "string", "format": "binary"}},
            },
        },
    },
)
async def export(
    id: ConversationId,
    person: CurrentPerson,
    bench: Bench,
    format: Annotated[Literal["json", "md", "pdf"], Query()] = "json",
) -> Response:
    """The whole conversation as JSON; or what was asked, said and shown, as Markdown or PDF."""
    if format == "json":
        found = await bench.database.read(transcript.whole, id, person, bench.models)
        headers = {"Content-Disposition": f'attachment; filename="bancada-{id}.json"'}
        return Response(found.model_dump_json(indent=1), 200, headers, "application/json")
    title, agent, said = await bench.database.read(_read, id, person)
    return await exported(title, agent, said, person, format)


def _read(db: Connection, id: str, person: Person) -> tuple[str, str, list[Utterance]]:
    row = conversations.owned(db, id, person.id)
    agent = agents.name_of(db, row.agent_id)
    return row.title or id, agent, transcript.read(db, messages.of_conversation(db, id))


# ---------------------------------------------------------------------------- turns


@router.post(
    "/conversations/{id}/messages",
    response_class=Response,
    responses={**STREAM, **documented(401, 403, 404, 409, 422)},
)
async def ask(
    id: ConversationId,
    body: Question,
    access: CurrentAccess,
    bench: Bench,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Ask; the answer streams. The turn goes on even if you stop reading."""
    person = access.person

    async def started(claim: Claim) -> Begun:
        turn_id = new_id(claim.subject)
        known = await bench.database.read(turns.find, turn_id) if claim.again else None
        if known is None:
            await bench.conversations.ask(person, id, body.content, turn_id, body.attachments)
        return Begun(turn_id=turn_id)

    asked = [body.content, body.attachments] if body.attachments else body.content
    begun = await once(request, idempotency_key, asked, started, Begun)
    if idempotency_key is not None:
        # It may have been a while since the key was first used.
        await bench.database.read(conversations.owned, id, person.id)
    return sse.stream(bench, person, sse.BegunTurn(begun.turn_id, id))


class Begun(BaseModel):
    """The turn that a question started."""

    turn_id: str


@router.get(
    "/conversations/{id}/events",
    response_class=Response,
    responses={
        **STREAM,
        204: {"description": "Nothing is left to tell."},
        **documented(401, 404, 422),
    },
)
async def follow(
    id: ConversationId,
    person: CurrentPerson,
    bench: Bench,
    last_event_id: Annotated[str | None, Header(max_length=100)] = None,
) -> Response:
    """Follow the turn named in `Last-Event-ID`, else the running or last one, exactly from there."""
    seen = sse.last_event(last_event_id)
    turn = await bench.database.read(_turn_to_follow, id, person.id, seen[0] if seen else None)
    if turn is None:
        return Response(status_code=204)
    after = seen[1] if seen else -1
    if turn.status != "running" and not await bench.database.read(_is_left, turn.id, after):
        return Response(status_code=204)
    return sse.stream(bench, person, turn, after=after)


def _turn_to_follow(db: Connection, id: str, person_id: int, turn_id: str | None) -> TurnRow | None:
    conversations.owned(db, id, person_id)
    if turn_id is None:
        return turns.last_of(db, id)
    turn = turns.find(db, turn_id)
    if turn is None or turn.conversation_id != id:
        raise NotFound("no_turn_here")
    return turn


def _is_left(db: Connection, turn_id: str, after: int) -> bool:
    return events.highest(db, turn_id) > after


@router.post("/conversations/{id}/stop", responses=documented(401, 404, 409, 422))
async def stop(id: ConversationId, person: CurrentPerson, bench: Bench) -> Stopped:
    """Stop what runs or waits; every open call is answered with an error."""
    return Stopped(status=await bench.conversations.stop(person, id))


@router.post(
    "/conversations/{id}/retry",
    response_class=Response,
    responses={**STREAM, **documented(401, 403, 404, 409, 422)},
)
async def retry(
    id: ConversationId, access: CurrentAccess, bench: Bench, body: Retry | None = None
) -> Response:
    """Continue a failed or stopped turn, or ask again: with an edited last question, or the question
    of `turn_id`, edited or not. What stood there stays in the record as another version."""
    person = access.person
    last = await bench.database.read(_last_turn, id, person.id)
    before = -1
    content = body.content if body is not None else None
    again = body.turn_id if body is not None else None
    if last is not None and content is None and again is None:
        before = await bench.database.read(events.highest, last.id)
    turn_id = await bench.conversations.retry(person, id, content, again)
    after = before if last is not None and turn_id == last.id else -1
    return sse.stream(bench, person, sse.BegunTurn(turn_id, id), after=after)


@router.post("/conversations/{id}/branch", responses=documented(401, 404, 409, 422))
async def choose(
    id: ConversationId, body: Branch, person: CurrentPerson, bench: Bench
) -> WholeConversation:
    """Go on from another version of a question: it is shown, and it is what the model sees."""
    await bench.conversations.choose(person, id, body.turn_id)
    return await bench.database.read(transcript.whole, id, person, bench.models)


def _last_turn(db: Connection, id: str, person_id: int) -> TurnRow | None:
    conversations.owned(db, id, person_id)
    return turns.last_of(db, id)


# ---------------------------------------------------------------------------- feedback


@router.post("/messages/{id}/feedback", status_code=204, responses=documented(401, 404, 422))
async def rate(
    id: MessageId,
    body: FeedbackIn,
    access: CurrentAccess,
    bench: Bench,
) -> None:
    """Thumbs up (1), down (-1), or taken back (0); with a thumb down, why."""
    await bench.database.run(_rate, id, body, access)


def _rate(db: Connection, id: str, body: FeedbackIn, access: Admission) -> None:
    person = access.person
    message = messages.find(db, id)
    whose = None if message is None else conversations.find(db, message.conversation_id)
    if whose is None or whose.user_id != person.id:
        raise NotFound("no_message")
    access.check_agent(whose.agent_id)
    reasons = tuple(dict.fromkeys(body.reasons))
    feedback.rate(db, id, person.id, Thumb(body.value, reasons, body.comment or None))
