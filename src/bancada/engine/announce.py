"""Telling a turn's readers what happened to its calls, each thing once.

After a crash a call may have ended without anybody having been told; what was announced is
read from the record, and what was not is announced then.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from bancada.domain.calls import Outcome, ToolCall, Waiting, Widget
from bancada.domain.events import (
    Chart,
    ConfirmationAsked,
    DashboardKept,
    Decided,
    Event,
    Graph,
    Kpi,
    Table,
    ToolStart,
    ToolUse,
)
from bancada.engine.owner import CodeOwner
from bancada.gate.reasons import why_asked
from bancada.tools.result import as_read

DECISIONS: dict[str, Literal["approve", "reject", "expired"]] = {
    "approved": "approve",
    "rejected": "reject",
    "expired": "expired",
}


def started(owner: CodeOwner, call: ToolCall) -> None:
    """The call passed the gate; nobody has to wait for the news to be stored."""
    if owner.first_time("tool_start", call.id):
        owner.record.emit_soon(
            ToolStart(id=call.id, name=call.name, input=call.input, caller=call.caller.as_json())
        )


def ended(owner: CodeOwner, call: ToolCall, outcome: Outcome) -> None:
    """The call is over; its widgets follow directly. What is written next is written after it."""
    outcome = as_read(outcome, owner.result_chars)
    if outcome.cached:
        started(owner, call)
    if not owner.first_time("tool_use", call.id):
        return
    owner.record.emit_soon(
        ToolUse(
            id=call.id,
            name=call.name,
            input=call.input if outcome.ran_with is None else outcome.ran_with,
            result=outcome.shown,
            is_error=outcome.is_error,
            duration_ms=round(outcome.duration_ms, 3),
            cached=outcome.cached,
            caller=call.caller.as_json(),
        )
    )
    for widget in outcome.widgets:
        owner.record.emit_soon(shown(widget))


def shown(widget: Widget) -> Event:
    """The event that shows a widget."""
    match widget.kind:
        case "chart":
            return Chart(data=widget.data)
        case "table":
            return Table(data=widget.data)
        case "kpi":
            return Kpi(data=widget.data)
        case "graph":
            return Graph(data=widget.data)
        case "dashboard":
            data = widget.data
            return DashboardKept(id=data["id"], url=data["url"], titulo=data["titulo"])


async def waits(owner: CodeOwner, call: ToolCall, waiting: Waiting) -> None:
    """The call needs a person."""
    if not owner.first_time("confirmation", waiting.confirmation_id):
        return
    expires = datetime.fromtimestamp(waiting.expires_at, UTC)
    await owner.record.emit(
        ConfirmationAsked(
            id=waiting.confirmation_id,
            tool_use_id=call.id,
            name=call.name,
            input=waiting.input,
            caller=call.caller.as_json(),
            reason=why_asked(waiting.reason, call.name, owner.language),
            expires_at=expires.isoformat(timespec="seconds"),
            title=waiting.title,
            question=waiting.question,
        )
    )


async def decisions(owner: CodeOwner) -> None:
    """Whatever was decided since the turn was last looked at."""
    for decided in owner.confirmations:
        if decided.status == "pending" or not owner.first_time("decision", decided.id):
            continue
        await owner.record.emit(
            Decided(
                id=decided.id,
                tool_use_id=decided.call_id,
                decision=DECISIONS[decided.status],
                by=await owner.record.name_of(decided.decided_by),
                input=None if decided.question is not None else decided.edited_input,
                reason=decided.decision_reason,
            )
        )
