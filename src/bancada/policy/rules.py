"""The rules in force for one tool and one person: all levels, resolved in one place.

Global, organisation, role, agent, user, and what the person chose for themselves: each may say
something or be silent. The global level replaces what the tool says of itself; every narrower
one may only restrict. So `enabled` is the AND of all, level and confirmation take the strictest,
callers what all allow, caching and budgets the smallest.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Discriminator, Field, Tag

from bancada.domain.errors import Invalid
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import RoleName, stricter
from bancada.domain.shapes import Email, Shape, keepable
from bancada.policy.predicates import Condition, fields_of, holds
from bancada.tools.defaults import has_field
from bancada.tools.tool import Tool

log = logging.getLogger("bancada.policy")

Level: TypeAlias = Literal["global", "organisation", "role", "agent", "user", "own"]
Approver: TypeAlias = Literal["other"]
LEVELS: tuple[Level, ...] = ("global", "organisation", "role", "agent", "user", "own")
"""Widest first. `user` is an administrator's word on a person, `own` that person's preference:
they are kept apart, so that nobody takes back what was decided about them."""


class ConfirmWhen(Shape):
    """Ask a person first: when a condition holds, somebody of a role, each time or once."""

    when: Annotated[Condition, BeforeValidator(keepable)] | None = None
    """`{field, op, value}`, `{all: […]}` or `{any: […]}`; none: always."""
    approver_role: RoleName | None = None
    """Who decides; none: the person who asked."""
    approver: Approver | None = None
    """`other`: never the person who asked (four eyes)."""
    remember: bool = True
    """Whether "always for this conversation" may be said."""
    tell: Annotated[list[Email], Field(max_length=50)] | None = None
    """Who is told of it where they are, of those who may decide it; none: all of them."""


Confirmation = Annotated[
    Annotated[Literal["never", "always"] | bool, Tag("word")] | Annotated[ConfirmWhen, Tag("rule")],
    Discriminator(lambda given: "rule" if isinstance(given, dict | ConfirmWhen) else "word"),
]


class Budget(Shape):
    """How often a tool may be called."""

    calls: Annotated[int, Field(ge=0, le=2**31 - 1)]
    per: Literal["minute", "hour", "day", "month"]
    by: Literal["person", "organisation"] = "person"


@dataclass(frozen=True, kw_only=True)
class LevelSetting:
    """What one level says of one tool; nothing where it is silent."""

    level: Level
    is_enabled: bool | None = None
    permission_level: RoleName | None = None
    confirmation: JSON = None
    allowed_callers: Sequence[str] | None = None
    cache_seconds: int | None = None
    budget: JSONObject | None = None

    @staticmethod
    def of(level: Level, row: Any) -> LevelSetting:
        return LevelSetting(
            level=level,
            is_enabled=None if row.is_enabled is None else bool(row.is_enabled),
            permission_level=row.permission_level,
            confirmation=row.confirmation,
            allowed_callers=row.allowed_callers,
            cache_seconds=row.cache_seconds,
            budget=row.budget,
        )


@dataclass(frozen=True)
class AskRule:
    """One reason to ask a person first."""

    level: str
    when: JSONObject | None = None
    """A condition on the arguments; none: always."""
    approver_role: RoleName | None = None
    """The role that decides; none: the person who asked."""
    approver: Approver | None = None
    """`other`: four eyes, the person who asked cannot decide."""
    remember: bool = True
    """Whether "always for this conversation" may be said."""
    tell: tuple[str, ...] = ()
    """Addresses of those who are told; none: whoever may decide."""

    def applies(self, tool: Tool, input: JSONObject | None) -> bool:
        """Whether it wants a word for these arguments; for what is not known, it does."""
        if self.when is None or input is None or self.lost_field(tool) is not None:
            return True
        return holds(self.when, input)

    def lost_field(self, tool: Tool) -> str | None:
        """A field the condition names that the tool does not have (any more): it asks always."""
        if self.when is None:
            return None
        schema = tool.input_schema
        return next((name for name in fields_of(self.when) if not has_field(schema, name)), None)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What holds for one tool and one person, all levels considered."""

    is_enabled: bool
    disabled_at: Level | None
    permission_level: RoleName
    own_confirmation: bool
    """Whether the tool's own word on confirmation still counts."""
    asks: tuple[AskRule, ...]
    allowed_callers: tuple[str, ...]
    cache_seconds: int
    budgets: tuple[JSONObject, ...]

    def under(self, other: Rules) -> Rules:
        """These, with another tool's as well. Its conditions are on other arguments: they count
        as met."""
        return replace(
            self,
            is_enabled=self.is_enabled and other.is_enabled,
            disabled_at=self.disabled_at or other.disabled_at,
            permission_level=stricter(self.permission_level, other.permission_level),
            asks=(*self.asks, *(replace(rule, when=None) for rule in other.asks)),
        )

    def reasons_to_ask(self, tool: Tool, input: JSONObject | None) -> list[AskRule]:
        """Every rule that wants a person's word for these arguments; all, where they are unknown."""
        rules = [rule for rule in self.asks if rule.applies(tool, input)]
        if self.own_confirmation and _tool_asks(tool, input):
            rules.insert(0, AskRule("tool"))
        return rules

    def always_asks(self, tool: Tool) -> list[AskRule]:
        """The rules that want a person's word whatever the arguments."""
        rules = [r for r in self.asks if r.when is None or r.lost_field(tool) is not None]
        if self.own_confirmation and tool.confirm == "always":
            rules.insert(0, AskRule("tool"))
        return rules


def _tool_asks(tool: Tool, input: JSONObject | None) -> bool:
    if input is None:
        return tool.confirm != "never"
    try:
        return tool.asks_for(input)
    except Exception:
        # Where in doubt, a person is asked.
        log.exception("the condition of %s for asking could not be evaluated", tool.name)
        return True


def resolve(tool: Tool, settings: Iterable[LevelSetting]) -> Rules:
    """Fold the levels, widest first, into the rules in force."""
    disabled_at: Level | None = None
    level = tool.permission_level
    own_confirmation = True
    asks: list[AskRule] = []
    callers = tuple(tool.allowed_callers)
    cache = tool.cache_seconds
    budgets: list[JSONObject] = []
    for setting in sorted(settings, key=lambda setting: LEVELS.index(setting.level)):
        widest = setting.level == "global"
        if setting.is_enabled is False and disabled_at is None:
            disabled_at = setting.level
        if setting.permission_level is not None:
            level = (
                setting.permission_level if widest else stricter(level, setting.permission_level)
            )
        if setting.confirmation is not None:
            if widest:
                own_confirmation = False
            rule = ask_rule(setting.confirmation, setting.level)
            if rule is not None:
                asks.append(rule)
        if setting.allowed_callers is not None:
            chosen = tuple(setting.allowed_callers)
            callers = chosen if widest else tuple(c for c in callers if c in chosen)
        if setting.cache_seconds is not None:
            cache = setting.cache_seconds if widest else min(cache, setting.cache_seconds)
        if setting.budget:
            budgets.append(setting.budget)
    return Rules(
        is_enabled=disabled_at is None,
        disabled_at=disabled_at,
        permission_level=level,
        own_confirmation=own_confirmation,
        asks=tuple(_with_role(rule, level) for rule in asks),
        allowed_callers=callers,
        # A write is done each time, whatever was chosen before that was refused.
        cache_seconds=cache if tool.effect == "read" else 0,
        budgets=tuple(budgets),
    )


def _with_role(rule: AskRule, level: RoleName) -> AskRule:
    """Another person decides who could make the call, where the rule names no role."""
    if rule.approver is None or rule.approver_role is not None:
        return rule
    return replace(rule, approver_role=level)


def ask_rule(confirmation: JSON, level: str) -> AskRule | None:
    """Read a stored confirmation choice; none where it says never."""
    if confirmation in (False, "never"):
        return None
    if confirmation in (True, "always"):
        return AskRule(level)
    return AskRule(
        level,
        when=confirmation.get("when"),
        approver_role=confirmation.get("approver_role"),
        approver=confirmation.get("approver"),
        remember=confirmation.get("remember", True),
        tell=tuple(confirmation.get("tell") or ()),
    )


def check_fields(confirmation: JSON, tool: Tool) -> None:
    """Refuse a condition on a field that the tool does not have, saying which it has."""
    rule = None if confirmation is None else ask_rule(confirmation, "")
    lost = None if rule is None else rule.lost_field(tool)
    if lost is not None:
        known = ", ".join(tool.parameters) or "—"
        raise Invalid("rule_no_field", tool=tool.name, field=lost, known=known)


def check_cache(cache_seconds: int | None, tool: Tool) -> None:
    """Refuse kept answers for a tool that changes something: the second call would do nothing."""
    if cache_seconds and tool.effect == "write":
        raise Invalid("write_not_cached", tool=tool.name)
