"""Conversations that colleagues may read: shared by their person, read-only, until that is ended."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel
from sqlalchemy import Connection

from bancada.domain.errors import NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.engine.attachments import attached_to
from bancada.gate.administration import note
from bancada.server import transcript
from bancada.server.auth import Admission, Bench, CurrentAccess, CurrentPerson
from bancada.server.parameters import ConversationId, KeptFileId
from bancada.server.problems import documented
from bancada.server.routes.files import FILE, kept_file
from bancada.server.shapes import AttachmentOut, ConversationShareOut, Moment, Out
from bancada.store import agents, conversation_shares, conversations, files, people
from bancada.store.conversation_shares import ConversationShare
from bancada.store.conversations import Conversation

router = APIRouter(tags=["conversations"])

ShareId = Annotated[str, Path(min_length=1, max_length=100)]


@router.post("/conversations/{id}/share", status_code=201, responses=documented(401, 404, 409, 422))
async def share(id: ConversationId, person: CurrentPerson, bench: Bench) -> ConversationShareOut:
    """Let everybody of your organisation who has the link read the conversation as it is now. What is
    said later is not shared until you share it again; the link stays the same."""
    return await bench.database.run(_share, id, person)


def _share(db: Connection, id: str, person: Person) -> ConversationShareOut:
    row = conversations.owned(db, id, person.id)
    made = conversation_shares.share(db, id, row.title)
    note(db, person, "conversation_shared", row.title, id=id)
    return ConversationShareOut.told(made)


@router.delete("/conversations/{id}/share", status_code=204, responses=documented(401, 404, 422))
async def end(id: ConversationId, person: CurrentPerson, bench: Bench) -> None:
    """End the link: from now on nobody else reads the conversation."""
    await bench.database.run(unshare, id, person)


def unshare(db: Connection, id: str, person: Person) -> None:
    """End the link to a conversation of theirs, if there is one."""
    row = conversations.owned(db, id, person.id)
    if conversation_shares.end(db, id):
        note(db, person, "conversation_unshared", row.title, id=id)


class SaidOut(Out):
    """A question or a file in words, or an answer as the events that a reader sees of it."""

    kind: Literal["question", "upload", "answer"]
    at: Moment
    text: str
    attachments: list[AttachmentOut]
    """Of a question; `url` is for readers of the link."""
    parts: list[dict[str, Any]]


class SharedConversation(BaseModel):
    """A colleague's conversation, up to where it was shared."""

    title: str
    agent: str
    person: str
    """Whose it is."""
    mine: bool
    shared_at: Moment
    said: list[SaidOut]


@router.get("/shared/{id}", responses=documented(401, 403, 404, 422))
async def shared(id: ShareId, access: CurrentAccess, bench: Bench) -> SharedConversation:
    """What a colleague shared, to read: questions, answers, charts and tables; not what tools were
    given and returned. `id` is the last part of the link."""
    return await bench.database.read(_shared, id, access)


def _opened(
    db: Connection, token: str, access: Admission
) -> tuple[ConversationShare, Conversation]:
    """What a link leads to, for somebody who may read it now."""
    link = conversation_shares.by_token(db, token, access.person.organisation_id)
    row = conversations.find(db, link.conversation_id)
    if row is None:
        raise NotFound("dead_link")
    access.check_agent(row.agent_id)
    return link, row


def _shared(db: Connection, token: str, access: Admission) -> SharedConversation:
    link, row = _opened(db, token, access)
    end = None if link.last_event is None else (link.turn_id, link.last_event)
    said = transcript.read(db, conversation_shares.shared_messages(db, link), end)
    return SharedConversation(
        title=row.title if link.title is None else link.title,
        agent=agents.name_of(db, row.agent_id),
        person=people.person(db, row.user_id).name,
        mine=row.user_id == access.person.id,
        shared_at=link.at,  # type: ignore[arg-type]  # a Moment is made of it
        said=[
            SaidOut.of(
                one,
                parts=list(one.parts),
                attachments=[_read_by_link(token, a) for a in one.attachments],
            )
            for one in said
        ],
    )


def _read_by_link(token: str, attached: JSONObject) -> AttachmentOut:
    return AttachmentOut(**{**attached, "url": f"/shared/{token}/files/{attached['id']}"})


@router.get(
    "/shared/{id}/files/{file_id}",
    response_class=Response,
    responses={**documented(401, 403, 404, 422), **FILE},
)
async def shared_file(
    id: ShareId, file_id: KeptFileId, access: CurrentAccess, bench: Bench
) -> Response:
    """An image or document that went with a question which a colleague shared."""
    return await kept_file(bench, await bench.database.read(_shared_file, id, file_id, access))


def _shared_file(db: Connection, token: str, file_id: str, access: Admission) -> Any:
    link, _ = _opened(db, token, access)
    read = conversation_shares.shared_messages(db, link)
    if not any(one.id == file_id for message in read for one in attached_to(message)):
        raise NotFound("no_file")
    row = files.find(db, file_id)
    if row is None:
        raise NotFound("file_gone")
    return row
