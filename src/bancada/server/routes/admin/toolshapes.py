"""A tool as administrators see and change it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, Field

from bancada.custom.definitions import CallerName, Description, Parameters, as_shape
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Language, RoleName
from bancada.domain.shapes import JSONMap, Shape, example
from bancada.domain.wording import Wording
from bancada.policy.narrowing import may_ask
from bancada.policy.rules import Budget, Confirmation, LevelSetting, Rules
from bancada.server.parameters import HIGHEST
from bancada.server.shapes import Out
from bancada.store.custom_tools import CustomTool
from bancada.store.tool_settings import CHOICES
from bancada.tools.tool import Category, Effect, Tool

Kind = Literal["http", "sql", "python", "composed"]
Scope = Literal["organisation", "role", "agent", "user"]

Owner = Annotated[
    int | None, Query(ge=1, le=HIGHEST, description="Whose own tool, where several have the name.")
]

CacheSeconds = Annotated[int, Field(ge=0, le=30 * 86_400)]


class AdminTool(Out):
    """A tool with the rules in force for the whole organisation."""

    name: str
    description: str
    category: str
    effect: Literal["read", "write"]
    pack: str | None
    custom: bool
    group: str | None
    """What it came with, `mcp:NAME` for a connection: an agent may be given the whole of it."""
    version: str
    is_enabled: bool
    permission_level: RoleName
    requires_confirmation: bool
    """Whether some call of it is put to a person first."""
    confirmation: Any
    """What was chosen: never, always, `{when, approver_role, approver, remember, tell}`; null: the tool's word."""
    allowed_callers: list[str]
    cache_seconds: int
    budget: dict[str, Any] | None
    """How often it may be called: `{calls, per, by}`."""
    timeout: float
    input_schema: dict[str, Any]
    output_description: str | None
    switched_off: str | None
    """Why this machine cannot run it."""
    kind: str | None = None
    """Of a custom tool: http, sql, python, composed."""
    parameters: list[dict[str, Any]] | None = None
    definition: dict[str, Any] | None = None
    """How a custom tool works."""
    owner_id: int | None = None
    """Whose own tool it is; null: the whole organisation's."""
    lost_fields: list[str] = Field(default_factory=list)
    """Fields that rules name and the tool no longer has: those rules ask always."""

    @staticmethod
    def told(
        tool: Tool,
        rules: Rules,
        chosen: LevelSetting,
        *,
        pack: str | None,
        row: CustomTool | None,
        lost_fields: list[str],
        language: Language,
    ) -> AdminTool:
        off = tool.switched_off
        shape = {} if row is None else as_shape(row)
        return AdminTool.of(
            tool,
            pack=pack,
            custom=row is not None,
            is_enabled=rules.is_enabled and tool.switched_off is None,
            permission_level=rules.permission_level,
            requires_confirmation=may_ask(tool, rules),
            confirmation=chosen.confirmation,
            allowed_callers=list(rules.allowed_callers),
            cache_seconds=rules.cache_seconds,
            budget=chosen.budget,
            switched_off=off.told(language) if isinstance(off, Wording) else off,
            kind=shape.get("kind"),
            parameters=shape.get("parameters"),
            definition=shape.get("definition"),
            owner_id=None if row is None else row.owner_id,
            lost_fields=lost_fields,
        )


class ToolChoices(Shape):
    """What a level says of a tool. Absent: unchanged. Null: nothing, the wider level's word holds."""

    model_config = example(is_enabled=True, permission_level="responsavel")

    is_enabled: bool | None = None
    permission_level: RoleName | None = None
    requires_confirmation: bool | None = None
    """Always, or never."""
    confirmation: Confirmation | None = None
    """`never`, `always`, or `{when: a condition, approver_role, approver, remember, tell}`."""
    allowed_callers: Annotated[list[CallerName], Field(max_length=8)] | None = None
    cache_seconds: CacheSeconds | None = None
    budget: Budget | None = None
    """`{calls, per: minute|hour|day|month, by: person|organisation}`."""

    def choices(self) -> JSONObject:
        """The choices that were made."""
        sent = self.model_dump(exclude_unset=True)
        made: JSONObject = {name: sent[name] for name in CHOICES if name in sent}
        if "requires_confirmation" in self.model_fields_set and "confirmation" not in made:
            words = {True: "always", False: "never", None: None}
            made["confirmation"] = words[self.requires_confirmation]
        return made


class Redefined(Shape):
    """What makes a custom tool what it is; what is absent stays."""

    kind: Kind | None = None
    description: Description | None = None
    definition: JSONMap | None = None
    """Checked whole, by the tool's kind."""
    parameters: Parameters | None = None
    category: Category | None = None
    effect: Effect | None = None

    def redefined(self) -> JSONObject:
        """The parts of a definition that were sent."""
        return self.model_dump(exclude_none=True, include=set(Redefined.model_fields))


class ToolChange(ToolChoices, Redefined):
    """Choices, and for a custom tool what it is."""


class ToolSetting(BaseModel):
    """One level's word on one tool; null where it is silent."""

    tool: str
    scope: Literal["global", "organisation", "role", "agent", "user"]
    subject: str
    """A role's name, an agent's or a person's id; empty for the wider levels."""
    is_enabled: bool | None = None
    permission_level: RoleName | None = None
    confirmation: Any = None
    allowed_callers: list[str] | None = None
    cache_seconds: int | None = None
    budget: dict[str, Any] | None = None

    @staticmethod
    def of(tool: str, word: LevelSetting, subject: str) -> ToolSetting:
        assert word.level != "own", "a person's preference is not an administrator's word"
        return ToolSetting(tool=tool, scope=word.level, subject=subject, **said(word))


def said(word: LevelSetting) -> JSONObject:
    """What a word says, by choice."""
    shape: dict[str, JSON] = {name: getattr(word, name) for name in CHOICES}
    if word.allowed_callers is not None:
        shape["allowed_callers"] = list(word.allowed_callers)
    return shape
