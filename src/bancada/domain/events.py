"""Everything a turn tells its readers. One dataclass each, one union, no second vocabulary.

An event is stored and sent as `{"type": …, **fields}`. Numbers are not part of the event:
the record gives them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from bancada.domain.json import JSON, JSONObject


@dataclass(frozen=True, kw_only=True)
class TurnBegan:
    """First of every turn."""

    type: Literal["turn"] = "turn"
    turn_id: str
    agent: str
    model: str


@dataclass(frozen=True, kw_only=True)
class Text:
    """A piece of the answer."""

    type: Literal["text"] = "text"
    content: str


@dataclass(frozen=True, kw_only=True)
class Thinking:
    """A piece of visible thinking."""

    type: Literal["thinking"] = "thinking"
    content: str


@dataclass(frozen=True, kw_only=True)
class Outside:
    """Text from outside is in what the model reads; what it writes from here on may repeat it."""

    type: Literal["outside"] = "outside"


@dataclass(frozen=True, kw_only=True)
class ToolStart:
    """A call passed the gate and starts."""

    type: Literal["tool_start"] = "tool_start"
    id: str
    name: str
    input: JSON
    caller: JSONObject


@dataclass(frozen=True, kw_only=True)
class ToolUse:
    """A call ended; `result` is what the model will read."""

    type: Literal["tool_use"] = "tool_use"
    id: str
    name: str
    input: JSON
    result: JSON
    is_error: bool
    duration_ms: float
    cached: bool
    caller: JSONObject


@dataclass(frozen=True, kw_only=True)
class Chart:
    type: Literal["chart"] = "chart"
    data: JSONObject


@dataclass(frozen=True, kw_only=True)
class Table:
    type: Literal["table"] = "table"
    data: JSONObject


@dataclass(frozen=True, kw_only=True)
class Kpi:
    type: Literal["kpi"] = "kpi"
    data: JSONObject


@dataclass(frozen=True, kw_only=True)
class Graph:
    type: Literal["graph"] = "graph"
    data: JSONObject


@dataclass(frozen=True, kw_only=True)
class DashboardKept:
    """A dashboard was kept and can be opened at `url`."""

    type: Literal["dashboard"] = "dashboard"
    id: str
    url: str
    titulo: str


@dataclass(frozen=True, kw_only=True)
class Code:
    """Code ended; its inner calls came as `tool_start`/`tool_use` with its id in `caller.tool_id`."""

    type: Literal["code"] = "code"
    id: str
    container: str
    stdout: str
    stderr: str
    return_code: int
    files: list[JSONObject] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class ConfirmationAsked:
    """A call waits for a person."""

    type: Literal["confirmation"] = "confirmation"
    id: str
    tool_use_id: str
    name: str
    input: JSON
    caller: JSONObject
    reason: str
    expires_at: str
    title: str = ""
    """What the call will do, in words."""
    question: JSONObject | None = None
    """What the tool asks the person: `inquiries`, each with `key`, `message`, `schema` and `url`. The
    answer is `input` by key. None: it is the call itself that is decided."""


@dataclass(frozen=True, kw_only=True)
class Decided:
    """A waiting call was decided."""

    type: Literal["decision"] = "decision"
    id: str
    tool_use_id: str
    decision: Literal["approve", "reject", "expired"]
    by: str
    input: JSON = None
    """The arguments it runs with, where whoever approved it changed them."""
    reason: str | None = None
    """Why it was rejected, in their words."""


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What one reply cost."""

    type: Literal["usage"] = "usage"
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost_usd: float | None
    estimated: bool = False
    context_limit: int | None = None
    """How many tokens the model can read and write at once; none when nobody knows."""
    seen_from: str | None = None
    """Where what the model saw begins: the turn of a question, or the message of a file. None: it saw
    the whole conversation."""


@dataclass(frozen=True, kw_only=True)
class AnswersInstead:
    """A provider did not answer, or may not be asked; another does from here on."""

    type: Literal["provider"] = "provider"
    provider: str
    model: str
    instead_of: str
    content: str
    """Who, and why, in words."""


@dataclass(frozen=True, kw_only=True)
class Again:
    """The reply starts over: forget the text and thinking shown since the last `usage`."""

    type: Literal["again"] = "again"
    reason: str


ErrorCode: TypeAlias = Literal[
    "invalid_api_key",
    "rate_limited",
    "overloaded",
    "budget_exceeded",
    "context_exceeded",
    "refused",
    "internal",
]


@dataclass(frozen=True, kw_only=True)
class Error:
    """Something went wrong, in words a person can act on."""

    type: Literal["error"] = "error"
    content: str
    code: ErrorCode
    retryable: bool


@dataclass(frozen=True, kw_only=True)
class Done:
    """Last of every turn. `waiting` is sent but not stored."""

    type: Literal["done"] = "done"
    turn_id: str
    status: Literal["done", "waiting", "stopped", "failed"]
    iterations: int


Event: TypeAlias = (
    TurnBegan
    | Text
    | Thinking
    | Outside
    | ToolStart
    | ToolUse
    | Chart
    | Table
    | Kpi
    | Graph
    | DashboardKept
    | Code
    | ConfirmationAsked
    | Decided
    | Usage
    | AnswersInstead
    | Again
    | Error
    | Done
)

EVENTS: dict[str, type[Any]] = {
    str(kind.__dataclass_fields__["type"].default): kind
    for kind in (
        TurnBegan,
        Text,
        Thinking,
        Outside,
        ToolStart,
        ToolUse,
        Chart,
        Table,
        Kpi,
        Graph,
        DashboardKept,
        Code,
        ConfirmationAsked,
        Decided,
        Usage,
        AnswersInstead,
        Again,
        Error,
        Done,
    )
}
"""Every event by the name it has on the wire."""


def as_json(event: Event) -> JSONObject:
    """The event as it is stored and sent."""
    return {"type": event.type, **{f.name: getattr(event, f.name) for f in fields(event)}}
