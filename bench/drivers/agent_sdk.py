"""The Claude Agent SDK: its command-line program in a process of its own, our tools as MCP.

A conversation has a program of its own, started with it and ended after it; what it uses of the
processor counts.
"""

from __future__ import annotations

import inspect
import os
import tempfile
from collections.abc import Callable
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, query, tool
from claude_agent_sdk.types import ResultMessage, StreamEvent
from clock import MODEL, QUESTION, SYSTEM, TOOLS, Turn, report

QUIET = ("DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "DISABLE_ERROR_REPORTING")


def offered(one: Callable[..., Any]) -> Any:
    shape = {
        name: parameter.annotation for name, parameter in inspect.signature(one).parameters.items()
    }
    types = {name: {"str": str, "int": int}[kind] for name, kind in shape.items()}

    async def call(arguments: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": await one(**arguments)}]}

    return tool(one.__name__, str(one.__doc__), types)(call)


def made(url: str) -> Turn:
    home = tempfile.mkdtemp()
    os.environ["HOME"] = home
    options = ClaudeAgentOptions(
        tools=[],
        mcp_servers={"g": create_sdk_mcp_server("g", "1.0.0", [offered(one) for one in TOOLS])},
        allowed_tools=[f"mcp__g__{one.__name__}" for one in TOOLS],
        system_prompt=SYSTEM,
        model=MODEL,
        include_partial_messages=True,
        setting_sources=[],
        strict_mcp_config=True,
        max_turns=6,
        cwd=home,
        env={
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "k",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            **dict.fromkeys(QUIET, "1"),
        },
    )

    async def turn() -> int:
        pieces = 0
        async for message in query(prompt=QUESTION, options=options):
            if isinstance(message, StreamEvent):
                pieces += message.event.get("delta", {}).get("type") == "text_delta"
            elif isinstance(message, ResultMessage):
                assert not message.is_error, message
        return pieces

    return turn


report(made)
