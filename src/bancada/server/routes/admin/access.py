"""One person, one tool: may they, and why (not), in words for an administrator."""

from __future__ import annotations

import time
from typing import Any, Literal

from pydantic import BaseModel
from sqlalchemy import Connection

from bancada.domain.access import Ask, Deny
from bancada.domain.agents import Agent
from bancada.domain.calls import CODE_CALLER, Caller
from bancada.domain.json import JSONObject
from bancada.domain.people import Language, RoleName
from bancada.domain.wording import Wording
from bancada.gate.reasons import why_asked
from bancada.policy import permissions
from bancada.policy.budgets import within_budget
from bancada.policy.rulebook import Rulebook
from bancada.policy.rules import Rules
from bancada.server.routes.admin.toolshapes import said
from bancada.store.people import PersonNow
from bancada.tools.tool import Tool


class Access(BaseModel):
    """The gate's answer for one person and one tool, before it knows the arguments."""

    allowed: bool
    asks: bool
    """Whether a person must say yes first, whatever the arguments."""
    reason: str
    code: str | None
    """The refusal's code, where it is one."""
    approver_role: str | None
    permission_level: RoleName
    role: RoleName
    conditions: list[dict[str, Any]]
    """Arguments with which a confirmation is asked for."""
    levels: list[dict[str, Any]]
    """What each level says, the widest first."""


def access(
    db: Connection,
    rulebook: Rulebook,
    person_now: PersonNow,
    tool: Tool,
    agent: Agent | None,
    *,
    caller: Literal["direct", "code"],
    language: Language,
) -> Access:
    """Ask the gate's own functions, and say what each level contributed."""
    person = person_now.person
    agent_id = None if agent is None else agent.id
    rules = rulebook.rules(db, person_now, tool, agent_id)
    made_by = Caller(type=CODE_CALLER) if caller == "code" else Caller()
    decision = permissions.decide(person, tool, rules, made_by, agent)
    if not isinstance(decision, Deny):
        decision = within_budget(db, person, tool, rules, time.time()) or decision
    conditions = [rule.when for rule in rules.asks if rule.when is not None]
    words = rulebook.settings(db, person_now, tool, agent_id)
    return Access(
        allowed=not isinstance(decision, Deny),
        asks=isinstance(decision, Ask),
        reason=_reason(decision, person_now, tool, rules, agent, bool(conditions), language),
        code=decision.code if isinstance(decision, Deny) else None,
        approver_role=decision.approver_role if isinstance(decision, Ask) else None,
        permission_level=rules.permission_level,
        role=person.role,
        conditions=conditions,
        levels=[_own_word(tool), *({"level": word.level, **said(word)} for word in words)],
    )


def _own_word(tool: Tool) -> JSONObject:
    """What the tool says of itself; the global level may replace it."""
    return {
        "level": "tool",
        "is_enabled": tool.switched_off is None,
        "permission_level": tool.permission_level,
        "confirmation": tool.confirm if isinstance(tool.confirm, str) else "by arguments",
        "allowed_callers": list(tool.allowed_callers),
        "cache_seconds": tool.cache_seconds,
        "budget": None,
    }


def _reason(
    decision: object,
    person_now: PersonNow,
    tool: Tool,
    rules: Rules,
    agent: Agent | None,
    conditions: bool,
    language: Language,
) -> str:
    person = person_now.person
    if isinstance(decision, Ask):
        return why_asked(decision.reason, tool.name, language)
    key = "may_use_asking" if conditions else "may_use"
    if isinstance(decision, Deny):
        key = _refusal(decision, person_now, tool, rules)
    said = Wording(
        key,
        person=person.name,
        tool=tool.name,
        why=tool.switched_off,
        agent="" if agent is None else agent.name,
        where=Wording(f"off_{rules.disabled_at or 'global'}"),
        level=rules.permission_level,
        role=person.role,
        callers=", ".join(rules.allowed_callers) or "—",
    )
    return said.told(language)


def _refusal(decision: Deny, person_now: PersonNow, tool: Tool, rules: Rules) -> str:
    if decision.code == "disabled":
        if tool.switched_off is not None:
            return "off_here"
        return "not_of_agent" if rules.is_enabled else "off_where"
    if decision.code == "forbidden":
        return "needs_role" if person_now.person.is_active else "account_disabled"
    return "limit_spent" if decision.code == "budget_exceeded" else "not_this_way"
