"""May this person call this tool now, and why (not): one function, one answer.

The steps are those of the gate, in its order. Whatever is shown elsewhere (the tool list sent
to the model, the administrator's "who may use this") comes from the same functions.
"""

from __future__ import annotations

from dataclasses import replace

from bancada.domain.access import Allow, Ask, Decision, Deny
from bancada.domain.agents import Agent
from bancada.domain.calls import CODE_CALLERS, Caller, ToolCall
from bancada.domain.json import JSONObject
from bancada.domain.people import ROLES, Person, reaches
from bancada.domain.wording import Wording
from bancada.policy.rules import AskRule, Rules
from bancada.tools.tool import Tool

WHERE = {
    "global": "for everybody",
    "organisation": "for this organisation",
    "role": "for the role of this person",
    "agent": "for this agent",
    "user": "for this person",
    "own": "by this person",
}


def enabled(
    tool: Tool, rules: Rules, agent: Agent | None, caller: Caller, *, of_agent: bool = False
) -> Deny | None:
    """Step 1: the tool is on, at every level."""
    if tool.switched_off is not None:
        return Deny("disabled", f"{tool.name} is switched off: {tool.switched_off}")
    if not rules.is_enabled:
        where = WHERE[rules.disabled_at or "global"]
        return Deny("disabled", f"{tool.name} is switched off {where}. Answer without it.")
    # A composed tool's steps were chosen by whoever defined it, unless it says the model did.
    composed = caller.via == "composed" and not of_agent
    anywhere = composed or tool.core or tool.own
    if agent is not None and not (anywhere or agent.has(tool.name)):
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


def confirmation(
    tool: Tool, rules: Rules, call: ToolCall, *, tainted: bool, remembered: bool
) -> Ask | None:
    """Step 5: whether a person must say yes first, and who."""
    reasons = rules.reasons_to_ask(tool, call.input)
    if tainted and tool.effect == "write":
        reasons.append(AskRule("outside_content", remember=False))
    if remembered:
        reasons = [rule for rule in reasons if not rule.remember]
    if not reasons:
        return None
    roles = [rule.approver_role for rule in reasons if rule.approver_role is not None]
    return Ask(
        reason=_why(tool, reasons),
        approver_role=max(roles, key=ROLES.index) if roles else None,
    )


def confirmation_inside(
    tool: Tool, rules: Rules, input: JSONObject | None, *, tainted: bool, remembered: bool
) -> Ask | None:
    """Step 5 for a call that another tool will make; an input not known yet may ask for anything."""
    if input is None:
        rules = replace(rules, asks=tuple(replace(rule, when=None) for rule in rules.asks))
        tool = replace(tool, confirm="never" if tool.confirm == "never" else "always")
    call = ToolCall(id="", name=tool.name, input=input or {})
    return confirmation(tool, rules, call, tainted=tainted, remembered=remembered)


def strictest(*asks: Ask | None) -> Ask | None:
    """One question for several: the first reason, the highest role."""
    real = [ask for ask in asks if ask is not None]
    if not real:
        return None
    roles = [role for role in ROLES if any(ask.approver_role == role for ask in real)]
    return Ask(reason=real[0].reason, approver_role=roles[-1] if roles else None)


def _why(tool: Tool, reasons: list[AskRule]) -> str:
    """Why a person is asked: the code of each reason, for whoever puts it into words."""
    first = reasons[0]
    if any(rule.level == "outside_content" for rule in reasons):
        return "outside_content"
    if first.level == "tool":
        return tool.confirm_reason or "tool"
    return first.level if first.when is None else f"{first.level}_condition"


def may_see(person: Person, tool: Tool, rules: Rules, agent: Agent | None) -> bool:
    """Whether the tool belongs in the list this person's model is given."""
    return enabled(tool, rules, agent, Caller()) is None and permitted(person, tool, rules) is None


def decide(
    person: Person,
    tool: Tool,
    rules: Rules,
    call: ToolCall,
    *,
    agent: Agent | None = None,
    problem: Wording | None = None,
    tainted: bool = False,
    remembered: bool = False,
) -> Decision:
    """Steps 1 to 5, for those who only want the answer."""
    refused = (
        enabled(tool, rules, agent, call.caller)
        or permitted(person, tool, rules)
        or caller_allowed(tool, rules, call.caller)
        or valid(tool, problem)
    )
    if refused is not None:
        return refused
    asks = confirmation(tool, rules, call, tainted=tainted, remembered=remembered)
    return asks or Allow()
