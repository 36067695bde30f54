"""Running code as a tool among tools: it has a level, rules and an audit line like any other.

The cell itself runs in `programmatic`, between the gate's admission and its end; what stands
here is what administrators see and set, and whether a turn is offered code at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from bancada.domain.agents import CodeMode
from bancada.domain.calls import CODE_TOOL
from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSON, JSONObject
from bancada.domain.wording import in_each_language
from bancada.policy.narrowing import may_ask
from bancada.policy.rules import Rules
from bancada.tools.tool import Tool, ToolContext

CODE_SCHEMA: JSONObject = {
    "type": "object",
    "properties": {"code": {"type": "string", "description": "Python source to run."}},
    "required": ["code"],
    "additionalProperties": False,
}


def code_tool() -> Tool:
    """The permission to run code. Agents are given it by their `code`, not by name."""

    async def run(context: ToolContext, input: JSONObject) -> JSON:
        raise ToolFailed("Code runs within a conversation, with an agent that has it.")

    return Tool(
        name=CODE_TOOL,
        description="Run Python that the model wrote, in the sandbox; it may call tools.",
        input_schema=CODE_SCHEMA,
        run=run,
        names=in_each_language("tool_code"),
        category="code",
        permission_level="responsavel",
        parallel=False,
        core=True,
    )


def usable_code(code: CodeMode, tools: Sequence[tuple[Tool, Rules]]) -> CodeMode:
    """The agent's way of running code, where this person may; else none at all.

    A provider that runs code itself cannot be made to wait for a person: where a rule may ask,
    its code is not offered.
    """
    for tool, rules in tools:
        if tool.name == CODE_TOOL and "direct" in rules.allowed_callers:
            return "direct" if code == "anthropic" and may_ask(tool, rules) else code
    return "direct"
