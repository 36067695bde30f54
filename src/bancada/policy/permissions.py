"""May this person call this tool now, and why (not): one function, one answer.

The steps are those of the gate, in its order. Whatever is shown elsewhere (the tool list sent
to the model, the administrator's "who may use this") comes from the same functions.
"""

from __future__ import annotations

from collections.abc import Iterable

from bancada.domain.access import Allow, Ask, Decision, Deny
from bancada.domain.agents import Agent
from bancada.domain.calls import CODE_CALLERS, Caller
from bancada.domain.people import ROLES, Person, reaches
from bancada.domain.wording import Wording
from bancada.policy.rules import AskRule, Rules
from bancada.tools.tool import Tool


def enabled(
    tool: Tool, rules: Rules, agent: Agent | None, caller: Caller, *, of_agent: bool = False
) -> Deny | None:
    """Step 1: the tool is on, at every level."""
    if tool.switched_off is not None:
        return Deny("disabled", f"{tool.name} is switched off: {tool.switched_off}")
    if not rules.is_enabled:
        where = Wording(f"off_{rules.disabled_at or 'global'}")
        return Deny("disabled", f"{tool.name} is switched off {where}. Answer without it.")
    # A composed tool's steps were chosen by whoever defined it, unless it says the model did.
    composed = caller.via == "composed" and not of_agent
    anywhere = composed or tool.core or tool.own
    if agent is not None and not (anywhere or agent.has(tool.name, tool.group)):
        return Deny("disabled", f"{tool.name} is not among the tools of {agent.name}.")
    return None


def permitted(person: Person, tool: Tool, rules: Rules) -> Deny | None:
    """Step 2: the person's role, as it is now, reaches the tool's level."""
    if not person.is_active:
        return Deny("forbidden", f"The account of {person.name} is disabled.")
    if not reaches(person.role, rules.permission_level):
        return Deny(
            "forbidden",
            f"{person.name} may not use {tool.name}: it needs the role {rules.permission_level}, "
            f"and theirs is {person.role}. Tell them; do not try again.",
        )
    return None


def caller_allowed(tool: Tool, rules: Rules, caller: Caller) -> Deny | None:
    """Step 3: the tool may be called from where this call comes."""
    if allows_caller(rules.allowed_callers, caller):
        return None
    how = "from code" if caller.is_code else "directly"
    other = "directly, outside code" if caller.is_code else "from code, with code_execution"
    return Deny("tool_not_allowed", f"{tool.name} cannot be called {how}; call it {other}.")


def allows_caller(allowed: tuple[str, ...], caller: Caller) -> bool:
    """The versions of the code caller mean the same to us."""
    if not caller.is_code:
        return "direct" in allowed
    return caller.type in CODE_CALLERS and any(name in CODE_CALLERS for name in allowed)


def valid(tool: Tool, problem: Wording | None) -> Deny | None:
    """Step 4: the arguments fit the schema; `problem` is what the validator said."""
    if problem is None:
        return None
    return Deny("invalid_tool_input", f"{tool.name}: {problem}")


def asks(reasons: Iterable[tuple[Tool, AskRule]]) -> Ask | None:
    """Step 5, one question for all the reasons: the first's words, the strictest approver."""
    found = list(reasons)
    if not found:
        return None
    roles = [rule.approver_role for _, rule in found if rule.approver_role is not None]
    return Ask(
        reason=_why(found),
        approver_role=max(roles, key=ROLES.index) if roles else None,
        approver="other" if any(rule.approver == "other" for _, rule in found) else None,
    )


def _why(reasons: list[tuple[Tool, AskRule]]) -> str:
    """Why a person is asked: the code of each reason, for whoever puts it into words."""
    if any(rule.level == "outside_content" for _, rule in reasons):
        return "outside_content"
    tool, first = reasons[0]
    if first.level == "tool":
        return tool.confirm_reason or "tool"
    if first.lost_field(tool) is not None:
        return "lost_field"
    return first.level if first.when is None else f"{first.level}_condition"


def may_see(person: Person, tool: Tool, rules: Rules, agent: Agent | None) -> bool:
    """Whether the tool belongs in the list this person's model is given."""
    return enabled(tool, rules, agent, Caller()) is None and permitted(person, tool, rules) is None


def decide(
    person: Person, tool: Tool, rules: Rules, caller: Caller, agent: Agent | None = None
) -> Decision:
    """Steps 1 to 3 and 5, for those who only want the answer, before there are arguments."""
    return (
        enabled(tool, rules, agent, caller)
        or permitted(person, tool, rules)
        or caller_allowed(tool, rules, caller)
        or asks((tool, rule) for rule in rules.always_asks(tool))
        or Allow()
    )
