"""A conversation as it is shown again: every message, and what each turn told its readers.

Widgets, tool results and code output are in the events, so a reload shows what was streamed.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from bancada.domain.events import Outside, as_json
from bancada.domain.json import JSONObject
from bancada.domain.messages import text_of
from bancada.domain.people import Person
from bancada.domain.said import Utterance, parts_of
from bancada.engine.attachments import attached_to
from bancada.engine.models import Models
from bancada.engine.variants import agent_of
from bancada.server.shapes import (
    ConversationShareOut,
    ConversationUsage,
    DatasetOut,
    MessageOut,
    WholeConversation,
)
from bancada.store import (
    agents,
    confirmations,
    conversation_shares,
    conversations,
    datasets,
    events,
    feedback,
    messages,
    replies,
    turns,
)
from bancada.store.messages import StoredMessage
from bancada.store.turns import TurnRow


def whole(db: Connection, id: str, person: Person, models: Models) -> WholeConversation:
    """The conversation, if it is this person's."""
    row = conversations.owned(db, id, person.id)
    told = turns.of_conversation(db, id)
    stored = messages.of_conversation(db, id)
    last = next((turn for turn in reversed(told) if not turn.aside), None)
    link = conversation_shares.of_conversation(db, id)
    models.refresh(db)
    return WholeConversation.told(
        row,
        agents.name_of(db, row.agent_id),
        last.status if last else None,
        turn_id=last.id if last else None,
        share=ConversationShareOut.told(link) if link else None,
        messages=_messages(db, stored, told, person, _versions(db, id, told)),
        usage=_usage(db, id),
        datasets=[
            DatasetOut(
                id=each.id,
                name=each.file_name,
                table=each.table_name,
                rows=int(each.summary.get("rows", 0)),
                summary=each.summary,
            )
            for each in datasets.of_conversation(db, id)
        ],
        shown=models.shown_to(agent_of(db, row), row.organisation_id, row),
    )


def _usage(db: Connection, id: str) -> ConversationUsage:
    totals = replies.totals(db, id)
    return ConversationUsage.of(totals, context_tokens=totals.last_context)


def _messages(
    db: Connection,
    stored: list[StoredMessage],
    told: list[TurnRow],
    person: Person,
    versions: dict[str, list[str]],
) -> list[MessageOut]:
    by_turn = {turn.id: turn for turn in told}
    carriers = _carriers(stored)
    marked = _marked(stored)
    thumbs = feedback.of_messages(db, [message.id for message in stored], person.id)
    shown: list[MessageOut] = []
    for message in stored:
        metadata: JSONObject = {
            key: value for key, value in message.metadata.items() if key not in ("raw", "text")
        }
        metadata["kind"] = message.kind
        turn = by_turn.get(message.turn_id or "")
        if turn is not None:
            metadata["turn_id"] = turn.id
            if message.kind == "question" and len(versions[turn.id]) > 1:
                metadata["versions"] = versions[turn.id]
            if carriers.get(turn.id) == message.id:
                metadata |= _turn_metadata(db, turn, outside=turn.id in marked)
        if thumb := thumbs.get(message.id):
            metadata["feedback"] = thumb.value
            metadata["feedback_why"] = {"reasons": list(thumb.reasons), "comment": thumb.comment}
        shown.append(MessageOut.of(message, metadata=metadata))
    return shown


def read(
    db: Connection, stored: list[StoredMessage], end: tuple[str, int] | None = None
) -> list[Utterance]:
    """These messages as somebody who only reads them sees them; of a turn that is named in `end` the
    events up to a number."""
    marked = _marked(stored)
    turn, last = end or (None, None)
    said: list[Utterance] = []
    for message in stored:
        at = message.created_at
        if message.kind == "upload":
            said.append(
                Utterance(kind="upload", at=at, text=str(message.metadata.get("file") or ""))
            )
        elif message.kind == "question":
            # What data sets there are is a block of its own, after what the person wrote.
            text = str(message.metadata.get("text") or text_of(message.content[:1]))
            attached = tuple(one.as_json() for one in attached_to(message))
            said.append(Utterance(kind="question", at=at, text=text, attachments=attached))
            if (id := message.turn_id) is not None:
                told = _told(db, id, outside=id in marked, until=last if id == turn else None)
                parts = parts_of(told)
                said.append(Utterance(kind="answer", at=at, parts=parts))
    return said


def _versions(db: Connection, id: str, told: list[TurnRow]) -> dict[str, list[str]]:
    """Of each turn, those that were asked in its place, itself among them, oldest first."""
    kept = messages.asked(db, id)
    following: dict[str | None, list[str]] = {}
    for turn in told:
        if turn.id in kept:
            following.setdefault(turn.parent_id, []).append(turn.id)
    return {turn.id: following.get(turn.parent_id, []) for turn in told}


def _marked(stored: list[StoredMessage]) -> set[str | None]:
    """The turns that wrote with text from outside in view."""
    return {
        message.turn_id
        for message in stored
        if message.kind == "reply" and message.metadata.get("outside")
    }


def _carriers(stored: list[StoredMessage]) -> dict[str, str]:
    """Which message of a turn carries its events: the last reply, else the question."""
    carriers: dict[str, str] = {}
    for message in stored:
        if message.turn_id is None:
            continue
        if message.kind == "reply" or message.turn_id not in carriers:
            carriers[message.turn_id] = message.id
    return carriers


def _told(
    db: Connection, turn_id: str, *, outside: bool, until: int | None = None
) -> list[dict[str, Any]]:
    every = events.of_turn(db, turn_id)
    told = joined([one for one in every if until is None or one[0] <= until])
    if outside and not any(event["type"] == "outside" for event in told):
        # Written before turns said so themselves: all of it counts.
        told.insert(0, as_json(Outside()))
    return told


def _turn_metadata(db: Connection, turn: TurnRow, *, outside: bool) -> JSONObject:
    told = _told(db, turn.id, outside=outside)
    pending = [c for c in confirmations.of_turn(db, turn.id) if c.status == "pending"]
    # A call that was refused has no start: what was asked for did not run.
    used = [event["name"] for event in told if event["type"] == "tool_start"]
    return {
        "status": turn.status,
        "model": turn.model,
        "tool_enabled": bool(used),
        "tools_used": list(dict.fromkeys(used)),
        "requires_confirmation": bool(pending),
        "pending_confirmations": [
            {"id": c.id, "toolUseId": c.call_id, "toolName": c.tool, "parameters": c.input}
            for c in pending
        ],
        "events": told,
    }


def joined(numbered: list[tuple[int, JSONObject]]) -> list[dict[str, Any]]:
    """Events with runs of text put together; each keeps the number of its last piece."""
    told: list[dict[str, Any]] = []
    for n, event in numbered:
        if told and event["type"] in events.PIECES and told[-1]["type"] == event["type"]:
            told[-1] = {**told[-1], "content": told[-1]["content"] + event["content"], "n": n}
        else:
            told.append({**event, "n": n})
    return told
