"""A tool call and how it ended.

`Caller` says from where a call came. On the wire it is `{"type": "direct"}` or
`{"type": "code_execution_20260120", "tool_id": …}`; `via` is our own note of which door was
used when nobody but us made the call (panel, refresh, schedule, keyword mode, a composed tool, the
person's own program, an MCP client of theirs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bancada.domain.json import JSON, JSONObject
from bancada.domain.messages import Block

CODE_TOOL = "code_execution"
"""The tool whose rules say who may run code."""
CODE_CALLER = "code_execution_20260120"
OLD_CODE_CALLER = "code_execution_20250825"
"""The version before, for models that know no other."""
CODE_CALLERS = (OLD_CODE_CALLER, CODE_CALLER, "code_execution_20260521")
"""Every name under which a tool may allow code to call it; they mean the same to us."""

Via: TypeAlias = Literal[
    "model", "code", "panel", "refresh", "keyword", "composed", "terminal", "api", "gateway", "mcp",
    "study",
    "schedule",
]  # fmt: skip

RefusalCode: TypeAlias = Literal[
    "unknown_tool",
    "disabled",
    "forbidden",
    "tool_not_allowed",
    "invalid_tool_input",
    "rejected",
    "expired",
    "budget_exceeded",
    "timeout",
]


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Who asked for a call: the model, code it wrote, or one of our own doors."""

    type: str = "direct"
    tool_id: str | None = None
    via: Via | None = None
    by: str | None = None
    """Who tried it out in somebody else's name: an administrator's address."""
    session: str | None = None
    """What a client of its own calls the session that the call belongs to."""

    @property
    def is_code(self) -> bool:
        """Whether code that a model wrote makes the call."""
        return self.type != "direct"

    @property
    def reads_whole(self) -> bool:
        """Whether results go to a program, which needs all of them, and not to a model."""
        return self.is_code or self.via == "composed"

    def as_json(self) -> JSONObject:
        """As blocks, events and the audit write it."""
        shape: JSONObject = {"type": self.type}
        if self.tool_id is not None:
            shape["tool_id"] = self.tool_id
        if self.via is not None:
            shape["via"] = self.via
        if self.by is not None:
            shape["by"] = self.by
        if self.session is not None:
            shape["session"] = self.session
        return shape

    @staticmethod
    def of(shape: JSONObject | None) -> Caller:
        """Read a block's `caller`; a block without one was called directly."""
        shape = shape or {}
        return Caller(
            type=str(shape.get("type") or "direct"),
            tool_id=shape.get("tool_id"),
            via=shape.get("via"),
            by=shape.get("by"),
            session=shape.get("session"),
        )


DIRECT = Caller()


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """One request to run one tool. `id` is the model's (or ours, for calls without a model)."""

    id: str
    name: str
    input: JSON
    caller: Caller = DIRECT
    as_asked: JSON = None
    """The arguments as they came, where it runs with others: a person changed them, or what
    stood for nothing was left out."""


WidgetKind: TypeAlias = Literal["chart", "table", "kpi", "graph", "dashboard"]


@dataclass(frozen=True, kw_only=True)
class Widget:
    """What a render tool shows the person; `data` carries `{"widget": …}`."""

    kind: WidgetKind
    data: JSONObject

    @staticmethod
    def chart(
        kind: str,
        title: str,
        labels: Sequence[str],
        datasets: Sequence[JSONObject],
        options: JSONObject | None = None,
        note: str | None = None,
    ) -> Widget:
        """A chart: the type, the data and the options of Chart.js, as plain data; a note stands
        below it."""
        data: JSONObject = {
            "widget": "chart",
            "tipo": kind,
            "titulo": title,
            "labels": list(labels),
            "datasets": list(datasets),
        }
        beside: JSONObject = {"opcoes": options, "nota": note}
        return Widget(kind="chart", data=data | {key: one for key, one in beside.items() if one})

    @staticmethod
    def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[JSON]]) -> Widget:
        """A table with its rows, as the page draws it."""
        data: JSONObject = {
            "widget": "table",
            "titulo": title,
            "colunas": list(columns),
            "linhas": [list(row) for row in rows],
        }
        return Widget(kind="table", data=data)


@dataclass(frozen=True, kw_only=True)
class BrokenRule:
    """A rule that a control chart shows broken."""

    chart: str
    rule: int
    times: int
    points: tuple[tuple[str, ...], ...]
    """The points of each time, by what they are called; the last of them completes the pattern.
    There may have been more times than are listed."""

    @staticmethod
    def of(stored: JSONObject) -> BrokenRule:
        """As it was kept."""
        return BrokenRule(**{**stored, "points": tuple(map(tuple, stored["points"]))})


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """A sound or a document in a result. A client that can use it is handed it; a model reads text
    and images only, and is told that it is there."""

    kind: Literal["audio", "resource", "link"]
    media_type: str
    uri: str | None = None
    """Its address: of a resource or a link."""
    name: str | None = None
    text: str | None = None
    data: str | None = None
    """Base64, where it is not text."""

    def __str__(self) -> str:
        size = len(self.text.encode()) if self.text is not None else len(self.data or "") * 3 // 4
        named = self.uri or self.name or self.kind
        return f"{named} ({self.media_type}" + (f", {size:,} bytes)" if size else ")")


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a call ended. `content` is what the model reads: text, or content blocks."""

    content: str | list[Block]
    is_error: bool = False
    code: RefusalCode | Literal["failed", "unknown", "cancelled", "asked"] | None = None
    """Why it is an error: a refusal, a failed tool, a write whose fate is not known, or a tool that
    asked its person something before it went on."""
    value: JSON = None
    """The structured result, where there is one: events show it, `content` is its text."""
    widgets: tuple[Widget, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    broken: tuple[BrokenRule, ...] | None = None
    """The rules that its control charts show broken; none: it has no such charts."""
    cached: bool = False
    duration_ms: float = 0.0
    audit_id: int | None = None
    ran_with: JSON = None
    """The arguments, where they were not the ones asked for."""
    edited: bool = False
    """Whether an approver changed the arguments."""
    meta: JSONObject = field(default_factory=dict)
    outside: bool = False
    """It holds text from outside: the tool brings such, or called one that does."""

    @property
    def shown(self) -> JSON:
        """What an event carries as `result`."""
        return self.value if self.value is not None else self.content


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """The call may go on only after a person said so."""

    confirmation_id: str
    reason: str
    expires_at: float
    audit_id: int | None = None
    input: JSON = None
    """The arguments as it would run, which is what the person is shown."""
    title: str = ""
    """What it would do, in words and in the language of whoever asked."""
    question: JSONObject | None = None
    """What the tool asks, where it is not the call itself that is decided."""
