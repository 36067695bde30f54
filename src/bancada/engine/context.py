"""What the model sees: the agent's prompt, the window of messages, the tools, the breakpoints.

Nothing in here looks at the clock or at anything but the record: the same record gives the
same bytes, and a longer record gives bytes that begin with them.
"""

from __future__ import annotations

from dataclasses import dataclass

from bancada.domain.json import JSONObject
from bancada.domain.messages import text_block
from bancada.engine.codeblocks import as_local, without_unfinished
from bancada.engine.window import window
from bancada.model.model import Request
from bancada.store.messages import Stored

ARTIFACT_HINT = (
    "ARTIFACTS INLINE: Quando precisares de mostrar uma visualização ou código HTML/SVG "
    "diretamente no chat (não como dashboard persistente), produz um bloco de código "
    "markdown com a linguagem 'html' ou 'svg'."
)

CACHED: JSONObject = {"type": "ephemeral"}


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What stays the same in every request of a turn."""

    model: str
    max_tokens: int
    system: str
    tools: list[JSONObject]
    max_history: int
    code: str
    extra: JSONObject


def system_text(prompt: str) -> str:
    """The agent's prompt and the artifact hint: fixed when the conversation begins."""
    return f"{prompt.rstrip()}\n\n{ARTIFACT_HINT}" if prompt.strip() else ARTIFACT_HINT


def request_for(frame: Frame, messages: list[Stored], *, last_answer: bool = False) -> Request:
    """The next request, from the record."""
    seen = [m for m in window(messages, frame.max_history) if not m.metadata.get("refused")]
    sent = wire_messages(seen, frame.code)
    tools = [dict(tool) for tool in frame.tools]
    if tools:
        tools[-1] = {**tools[-1], "cache_control": CACHED}
    return Request(
        model=frame.model,
        max_tokens=frame.max_tokens,
        system=[{**text_block(frame.system), "cache_control": CACHED}],
        messages=with_breakpoint(sent),
        tools=tools,
        tool_choice={"type": "none"} if last_answer and tools else None,
        container=container_of(messages) if frame.code == "anthropic" else None,
        extra=frame.extra,
    )


def wire_messages(messages: list[Stored], code: str) -> list[JSONObject]:
    """Stored messages as the API wants them: roles alternate, code in the agent's own form."""
    messages = without_unfinished(messages)
    if code == "anthropic":
        pairs = [(message.role, message.content) for message in messages]
    else:
        pairs = as_local(messages)
    joined: list[JSONObject] = []
    for role, content in pairs:
        if not content:
            continue
        if joined and joined[-1]["role"] == role:
            joined[-1]["content"] = [*joined[-1]["content"], *content]
        else:
            joined.append({"role": role, "content": list(content)})
    return joined


def with_breakpoint(messages: list[JSONObject]) -> list[JSONObject]:
    """Mark the end of the last user message: all before it will be sent again."""
    for at in range(len(messages) - 1, -1, -1):
        message = messages[at]
        if message["role"] == "user" and message["content"]:
            *before, last = message["content"]
            marked = {**message, "content": [*before, {**last, "cache_control": CACHED}]}
            return [*messages[:at], marked, *messages[at + 1 :]]
    return messages


def container_of(messages: list[Stored]) -> str | None:
    """The provider's container to go on in: the last one that a reply named.

    The last reply of a run may carry none; then the one before still counts.
    """
    for message in reversed(messages):
        container = message.metadata.get("container")
        if message.kind == "reply" and container:
            return str(container["id"])
    return None
