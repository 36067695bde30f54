"""A recording as a conversation: its questions, its tools, and what they answered.

Tools become `Tool`s that answer each call with what the recording says was answered, by the
call's id. Where a question begins and which conversation it belongs to is read from the
recorded requests.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSONObject
from bancada.domain.messages import text_of
from bancada.testing import Told
from bancada.tools.tool import Tool, ToolContext
from tests.engine.harness import Harness, working
from tests.shared import shared_tool

MANAGED = ("code_execution_20250825", "code_execution_20260120", "code_execution_20260521")


def message_of(pair: Any) -> JSONObject:
    """A recorded answer as one message, whichever form it was recorded in."""
    message: JSONObject = (
        shared_tool("replay_upstream").sse_to_message(pair.body) if pair.is_sse else pair.json
    )
    return message


@dataclass
class Tape:
    """One recording."""

    pairs: list[Any]
    results: dict[str, JSONObject] = field(default_factory=dict)
    """What each call was answered, by its id."""

    def __post_init__(self) -> None:
        for pair in self.pairs:
            for message in (pair.request or {}).get("messages", ()):
                for block in message["content"] if isinstance(message["content"], list) else ():
                    if block["type"] == "tool_result":
                        self.results[block["tool_use_id"]] = block

    @staticmethod
    def load(path: Path) -> Tape:
        pairs = shared_tool("replay_upstream").load(str(path))
        return Tape([pair for pair in pairs if pair.path == "/v1/messages"])

    @property
    def definitions(self) -> list[JSONObject]:
        """The tools as they were offered; those only a reply names, where no request is there."""
        for pair in self.pairs:
            if pair.request:
                return list(pair.request.get("tools") or ())
        uses = [b for pair in self.pairs for b in message_of(pair)["content"] if "input" in b]
        return [{"name": use["name"], "input_schema": {"type": "object"}} for use in uses]

    @property
    def container_tool(self) -> str | None:
        """The managed container's version, where one was offered."""
        return next((d["type"] for d in self.definitions if d.get("type") in MANAGED), None)

    def tools(self) -> list[Tool]:
        made = []
        for shape in self.definitions:
            if "input_schema" not in shape:
                continue
            made.append(
                Tool(
                    name=shape["name"],
                    description=shape.get("description", ""),
                    input_schema=shape["input_schema"],
                    run=self._answer,
                    allowed_callers=tuple(shape.get("allowed_callers", ("direct",))),
                    deferred=bool(shape.get("defer_loading")),
                )
            )
        return made

    async def _answer(self, context: ToolContext, input: JSONObject) -> str:
        block = self.results.get(context.call_id, {"content": "nothing was recorded"})
        content = block["content"]
        text = content if isinstance(content, str) else "".join(b["text"] for b in content)
        if block.get("is_error"):
            raise ToolFailed(text)
        return text

    @property
    def offers_something_else(self) -> bool:
        """Whether a tool was offered that is not ours to offer (web search, older containers)."""
        known = (*MANAGED, "tool_search_tool_bm25_20251119")
        return any(d.get("type", "custom") not in ("custom", *known) for d in self.definitions)

    async def play(self, agent: Harness) -> list[Told]:
        """Ask every question of the recording, each in its own conversation."""
        turns: list[Told] = []
        homes: dict[str, str] = {}
        for pair, text in zip(self.pairs, self._questions(), strict=True):
            if text is None:
                continue
            said = [m for m in (pair.request or {}).get("messages", ()) if m["role"] == "assistant"]
            if not said:
                await agent.new_conversation()
            else:
                agent.conversation_id = homes[text_of(said[-1]["content"])]
            turns.append(await agent.run(text))
            for message in await agent.messages():
                homes[text_of(message.content)] = agent.conversation_id
        return turns

    def _questions(self) -> list[str | None]:
        """The question each request begins a turn with; none where it goes on with one."""
        found: list[str | None] = []
        for pair in self.pairs:
            last = (pair.request or {"messages": [{"role": "user", "content": "?"}]})["messages"][
                -1
            ]
            content = last["content"]
            if isinstance(content, str):
                found.append(content)
            elif last["role"] == "user" and all(b["type"] == "text" for b in content):
                found.append("".join(b["text"] for b in content))
            else:
                found.append(None)
        return found


@asynccontextmanager
async def replaying(
    folder: Path,
    tape: Tape,
    *,
    settings: JSONObject | None = None,
    agent: JSONObject | None = None,
    **how: Any,
) -> AsyncIterator[tuple[Any, Harness]]:
    """The recording served, and an agent whose model is that server."""
    upstream = shared_tool("replay_upstream").ReplayUpstream(how.pop("pairs", tape.pairs), **how)
    upstream.start()
    model = next((pair.request["model"] for pair in tape.pairs if pair.request), None)
    deferred = any(d.get("defer_loading") for d in tape.definitions)
    chosen: JSONObject = {
        "anthropic_base_url": upstream.url,
        "retry_seconds": 0,
        "tool_search": "vendor",
        **({"deferred_tools_above": 0} if deferred else {}),
        **(settings or {}),
    }
    try:
        async with working(
            folder,
            *tape.tools(),
            provider=True,
            settings=chosen,
            model=model,
            code="anthropic" if tape.container_tool else "direct",
            **(agent or {}),
        ) as opened:
            yield upstream, opened
    finally:
        # Its server looks up twice a second; nobody needs to wait for that.
        threading.Thread(target=upstream.stop, daemon=True).start()
