"""`POST /ag-ui/{agent}`: an agent of ours, for clients that speak the AG-UI protocol.

The record is the truth: of the messages a client sends along, the last one of the person's is the
question. A thread is a conversation of that person's; nobody else's thread of that name is reached.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError
from starlette.responses import Response

from bancada.domain.errors import Conflict, Invalid, NotFound
from bancada.domain.json import JSONObject, dumps, loads
from bancada.domain.people import Person
from bancada.domain.shapes import AnyJSON
from bancada.engine.live import EventFrame
from bancada.engine.variants import agent_of
from bancada.engine.workbench import Workbench
from bancada.gate.reasons import why_asked
from bancada.server import sse
from bancada.server.agui import Translator, interrupt
from bancada.server.auth import Admission, Bench, CurrentAccess
from bancada.server.problems import documented
from bancada.server.routes.conversations import STREAM, new_conversation
from bancada.server.shapes import isoformat
from bancada.store import confirmations, conversations, events, turns
from bancada.store.confirmations import Confirmation
from bancada.store.conversations import Conversation
from bancada.store.turns import TurnRow

router = APIRouter(tags=["AG-UI"])

Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class _Wire(BaseModel):
    """Names as the protocol writes them; fields that we do not know are let through."""

    model_config = ConfigDict(extra="allow", alias_generator=to_camel, populate_by_name=True)


class ResumeIn(_Wire):
    """The answer to one interrupt: `{"approved": true}`, or what the tool asked for."""

    interrupt_id: Name
    status: Literal["resolved", "cancelled"]
    payload: AnyJSON = None


class MessageIn(_Wire):
    id: str
    role: str
    content: AnyJSON = None


class RunIn(_Wire):
    """A request to run the agent."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "threadId": "thread-1",
                    "runId": "run-1",
                    "messages": [{"id": "1", "role": "user", "content": "Quantos defeitos há?"}],
                }
            ]
        }
    )

    thread_id: Name
    run_id: Name
    messages: list[MessageIn] = Field(max_length=10_000)
    resume: list[ResumeIn] | None = Field(None, max_length=100)


NO_EFFECT = ("tools", "state", "context", "forwardedProps")
"""Parts of a request that the agent does not take up: its tools and its record are its own."""


@router.post(
    "/ag-ui/{agent}",
    response_class=Response,
    responses={**STREAM, **documented(400, 401, 403, 404, 409, 410, 422, 429)},
)
async def run(
    agent: Annotated[str, Path(min_length=1, max_length=200)],
    body: RunIn,
    access: CurrentAccess,
    bench: Bench,
) -> Response:
    """Ask an agent, or answer what it waits for, and stream its events in AG-UI's terms."""
    person = access.person
    if body.resume:
        conversation = await bench.database.read(_thread, access, body.thread_id)
        turn, after, pending = await _resumed(bench, person, conversation, body.resume)
    else:
        question = _question(body)
        conversation = await _conversation(bench, access, agent, body.thread_id)
        turn_id = await bench.conversations.ask(person, conversation.id, question)
        turn, after, pending = await bench.database.read(_begun, turn_id), -1, []
    whose = await bench.database.read(agent_of, conversation)
    extra = body.model_extra or {}
    translator = Translator(
        thread_id=body.thread_id,
        run_id=body.run_id,
        conversation_id=conversation.id,
        agent=whose.name,
        model=turn.model,
        history=[one.model_dump(by_alias=True, exclude_none=True) for one in body.messages],
        interrupts={one.id: _interrupt(one, person) for one in pending},
        notices=[name for name in NO_EFFECT if extra.get(name)],
    )

    def encode(frame: EventFrame, _: str) -> bytes | None:
        told = translator.told(loads(frame.data))
        return "".join(f"data: {dumps(one)}\n\n" for one in told).encode() or None

    return sse.stream(bench, person, turn, after=after, encode=encode)


def _question(body: RunIn) -> str:
    """What the person says: the text of the last message, which must be theirs."""
    last = body.messages[-1] if body.messages else None
    if last is None or last.role != "user":
        raise Invalid("agui_no_question")
    content = last.content
    if isinstance(content, str):
        return content
    parts: list[Any] = content if isinstance(content, list) else [None]
    if any(not isinstance(part, dict) or part.get("type") != "text" for part in parts):
        raise Invalid("agui_text_only")
    return "\n".join(str(part.get("text") or "") for part in parts)


def _begun(db: Connection, turn_id: str) -> TurnRow:
    found = turns.find(db, turn_id)
    assert found is not None
    return found


# ---------------------------------------------------------------------------- threads


async def _conversation(
    bench: Workbench, access: Admission, agent: str, thread_id: str
) -> Conversation:
    try:
        return await bench.database.run(_thread_or_new, access, agent, thread_id)
    except IntegrityError:
        # Two first runs of one thread race to begin it, and the other one was first.
        return await bench.database.read(_thread, access, thread_id)


def _thread(db: Connection, access: Admission, thread_id: str) -> Conversation:
    """The person's conversation of this name: one of ours by its id, or the thread's own."""
    person = access.person
    found = conversations.find(db, _id(person, thread_id)) or conversations.find(db, thread_id)
    if found is None or found.user_id != person.id:
        raise NotFound("no_conversation")
    access.check_agent(found.agent_id)
    return found


def _thread_or_new(db: Connection, access: Admission, agent: str, thread_id: str) -> Conversation:
    """The thread's conversation; its first run begins it.

    Its id is made from the person and the name that the client gave: two people with threads of one
    name have two conversations, and a name that is somebody else's conversation reaches nothing.
    """
    try:
        found = _thread(db, access, thread_id)
    except NotFound:
        if conversations.find(db, thread_id) is not None:
            raise
        return new_conversation(db, access, agent, id=_id(access.person, thread_id))[0]
    whose = agent_of(db, found)
    if agent.casefold() not in (whose.name.casefold(), str(whose.id)):
        raise Conflict("agui_other_agent", name=whose.name)
    return found


def _id(person: Person, thread_id: str) -> str:
    return hashlib.sha256(f"ag-ui:{person.id}:{thread_id}".encode()).hexdigest()[:16]


# ---------------------------------------------------------------------------- interrupts


async def _resumed(
    bench: Workbench, person: Person, conversation: Conversation, answers: list[ResumeIn]
) -> tuple[TurnRow, int, list[Confirmation]]:
    """Decide what is answered; the turn, what of it was told before, and what still waits."""
    turn, after, waiting = await bench.database.read(_waiting, conversation.id)
    by_id = {one.id: one for one in waiting}
    if any(answer.interrupt_id not in by_id for answer in answers):
        raise NotFound("no_confirmation")
    for answer in answers:
        found = by_id.pop(answer.interrupt_id)
        approve, input, reason = _decision(answer, found)
        await bench.confirmations.decide(
            person, found.id, "approve" if approve else "reject", input=input, reason=reason
        )
    return turn, after, list(by_id.values())


def _waiting(db: Connection, conversation_id: str) -> tuple[TurnRow, int, list[Confirmation]]:
    turn = turns.last_of(db, conversation_id)
    if turn is None:
        raise NotFound("no_confirmation")
    pending = [one for one in confirmations.of_turn(db, turn.id) if one.status == "pending"]
    return turn, events.highest(db, turn.id), pending


def _decision(answer: ResumeIn, found: Confirmation) -> tuple[bool, Any, str | None]:
    """Whether it is a yes, with which input, and why not."""
    if answer.status == "cancelled":
        return False, None, None
    given = answer.payload
    if found.question is not None:
        return True, given, None
    if isinstance(given, bool):
        return given, None, None
    if not isinstance(given, dict) or not isinstance(given.get("approved"), bool):
        raise Invalid("agui_answer")
    reason = given.get("reason")
    return given["approved"], given.get("input"), reason if isinstance(reason, str) else None


def _interrupt(found: Confirmation, person: Person) -> JSONObject:
    reason = why_asked(found.reason, found.tool, person.language)
    return interrupt(found.id, found.call_id, reason, isoformat(found.expires_at), found.question)
