"""What is pinned: a widget, and the call that makes it anew.

A widget is taken from the record of the person's own conversation wherever there is one: then
both it and its call are what the server made and let run. Data that a client brings are checked
as the tool that draws such a widget checks them.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import Connection

from bancada.domain.errors import Invalid, NotFound, ToolFailed
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Person
from bancada.store import calls, conversations, events, turns

KINDS = ("chart", "table", "kpi", "graph")

Checks: TypeAlias = Mapping[str, Callable[[JSONObject], JSONObject]]
"""By kind of widget: data from outside as they may be kept, or `ToolFailed`."""


@dataclass(frozen=True, kw_only=True)
class Pinned:
    """One item of a dashboard: what is shown, and the call that makes it anew."""

    type: str
    data: JSONObject
    tool: str | None = None
    input: JSONObject | None = None
    widget: int = 0
    """Which of the widgets of this kind that the call shows."""
    conversation_id: str | None = None
    """Whose data sets the call reads."""
    made_at: float | None = None
    """When its figures were made; none: now."""

    def as_json(self) -> JSONObject:
        return {
            "id": secrets.token_hex(4),
            "type": self.type,
            "data": self.data,
            "call": None if self.tool is None else self._call(),
            "refreshed_at": time.time() if self.made_at is None else self.made_at,
            "error": None,
        }

    def _call(self) -> JSONObject:
        return {
            "name": self.tool,
            "input": self.input or {},
            "widget": self.widget,
            "conversation_id": self.conversation_id,
        }


@dataclass(frozen=True, kw_only=True)
class ShownCall:
    """A call of a conversation and everything it showed."""

    tool: str | None
    input: JSONObject
    result: JSON
    widgets: list[tuple[str, JSONObject]]
    place: int
    """Which of them was asked for."""
    conversation_id: str
    made_at: float


def call_shown(db: Connection, person: Person, event_id: str) -> ShownCall:
    """The call behind a widget that an event of the person's own conversation showed."""
    missing = NotFound("no_widget")
    turn_id, _, number = event_id.rpartition("-")
    turn = turns.find(db, turn_id)
    if turn is None or turn.user_id != person.id or not number.isdecimal():
        raise missing
    conversations.owned(db, turn.conversation_id, person.id)
    told = events.of_turn(db, turn.id)
    place = next((i for i, (n, _) in enumerate(told) if n == int(number)), None)
    if place is None or told[place][1]["type"] not in KINDS:
        raise missing
    # A call's widgets follow its end directly.
    first = last = place
    while first > 0 and told[first - 1][1]["type"] in KINDS:
        first -= 1
    while last + 1 < len(told) and told[last + 1][1]["type"] in KINDS:
        last += 1
    call = told[first - 1][1] if first > 0 else {}
    made = call if call.get("type") == "tool_use" and isinstance(call["input"], dict) else None
    ran = None if made is None else calls.find(db, turn.id, made["id"])
    return ShownCall(
        tool=None if made is None else made["name"],
        input={} if made is None else made["input"],
        result=None if made is None else made["result"],
        widgets=[(event["type"], event["data"]) for _, event in told[first : last + 1]],
        place=place - first,
        conversation_id=turn.conversation_id,
        made_at=turn.started_at if ran is None else ran.started_at,
    )


def from_event(db: Connection, person: Person, event_id: str) -> Pinned:
    """The widget that an event of the person's own conversation showed, with its call."""
    shown = call_shown(db, person, event_id)
    kind, data = shown.widgets[shown.place]
    return Pinned(
        type=kind,
        data=data,
        tool=shown.tool,
        input=None if shown.tool is None else shown.input,
        widget=sum(1 for type, _ in shown.widgets[: shown.place] if type == kind),
        conversation_id=shown.conversation_id,
        made_at=shown.made_at,
    )


def checked(checks: Checks, type: str, data: JSONObject) -> JSONObject:
    """A client's data, as the tool that draws such a widget would have let them through."""
    check = checks.get(type)
    if check is None:
        raise Invalid("pin_from_conversation", kind=type)
    try:
        return check(data)
    except ToolFailed as failure:
        raise Invalid("cannot_keep", kind=type, reason=failure) from None
