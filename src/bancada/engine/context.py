"""What the model sees: the agent's prompt, the window of messages, the tools, the breakpoints.

Nothing in here looks at the clock or at anything but the record: the same record gives the
same bytes, and a longer record gives bytes that begin with them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bancada.domain.json import JSONObject
from bancada.domain.messages import Block, text_block, text_of
from bancada.domain.tables import TableShape
from bancada.engine.attachments import with_attachments_shown
from bancada.engine.codeblocks import as_local, without_unfinished
from bancada.model.honours import Feature, Honours
from bancada.model.model import Request
from bancada.model.providers import NOTHING_KNOWN
from bancada.store.messages import StoredMessage

ARTIFACT_HINT = (
    "ARTIFACTS INLINE: Quando precisares de mostrar uma visualização ou código HTML/SVG "
    "diretamente no chat (não como dashboard persistente), produz um bloco de código "
    "markdown com a linguagem 'html' ou 'svg'. Gráficos em HTML: <canvas "
    "data-chart='{configuração Chart.js em JSON}'></canvas>, que a página desenha; sem script."
)

MOST_REPEATED = 500
"""Characters of a question that is asked again."""
GO_ON = (
    "[The person stopped your answer and asks you to go on. Continue exactly where it ends; "
    "repeat nothing of it.]"
)

THINKING = ("thinking", "redacted_thinking")
NO_MORE_TOOLS = "[No more tools can be used. Answer the person now, in words, from what you have.]"
OPTIONAL: dict[str, Feature] = {"output_config": "effort", "thinking": "thinking"}
"""Fields that are left out where a server was found to refuse them."""
CACHED: JSONObject = {"type": "ephemeral"}


@dataclass(frozen=True, kw_only=True)
class RequestFrame:
    """What stays the same in every request of a turn."""

    model: str
    max_tokens: int
    system: str
    tools: list[JSONObject]
    code: str
    extra: JSONObject
    provider: str = ""
    """Who answers: thinking that another has signed is not sent there."""
    honours: Honours = NOTHING_KNOWN
    """What their server does with requests."""
    organisation_id: int | None = None
    tables: tuple[TableShape, ...] = ()
    """For the offline model, which reads questions against them; never sent."""


def system_text(prompt: str) -> str:
    """The agent's prompt and the artifact hint: fixed when the conversation begins."""
    return f"{prompt.rstrip()}\n\n{ARTIFACT_HINT}" if prompt.strip() else ARTIFACT_HINT


def request_for(
    frame: RequestFrame, messages: list[StoredMessage], *, last_answer: bool = False
) -> Request:
    """The next request, from the part of the record that the model sees."""
    seen = [
        _as_known_to(frame.provider, message)
        for message in messages
        if not message.metadata.get("refused")
    ]
    seen, tokens_shown = with_attachments_shown(seen, frame.honours)
    sent = wire_messages(prompted(seen), frame.code)
    tools = [dict(tool) for tool in frame.tools]
    choice: JSONObject | None = None
    if last_answer and tools:
        sent, tools, choice = without_tools(sent, tools, frame.honours)
    cached: JSONObject = {} if frame.honours.refuses("cache") else {"cache_control": CACHED}
    if tools:
        tools[-1] = {**tools[-1], **cached}
    refused = [field for field, name in OPTIONAL.items() if frame.honours.refuses(name)]
    return Request(
        model=frame.model,
        max_tokens=frame.max_tokens,
        system=[{**text_block(frame.system), **cached}],
        messages=with_breakpoint(sent) if cached else sent,
        tools=tools,
        tool_choice=choice,
        container=container_of(messages) if frame.code == "anthropic" else None,
        extra={name: value for name, value in frame.extra.items() if name not in refused},
        organisation_id=frame.organisation_id,
        tables=frame.tables,
        tokens_shown=tokens_shown,
    )


def without_tools(
    sent: list[JSONObject], tools: list[JSONObject], honours: Honours
) -> tuple[list[JSONObject], list[JSONObject], JSONObject | None]:
    """How the model is kept from calling any more: messages, tools and `tool_choice`."""
    if honours.does("tool_choice_none"):
        return sent, tools, {"type": "none"}
    return with_words(sent, NO_MORE_TOOLS), [] if honours.does("results") else tools, None


def _as_known_to(provider: str, message: StoredMessage) -> StoredMessage:
    """The message without what only the provider that wrote it can read back."""
    written_by = message.metadata.get("provider", provider)
    if message.kind != "reply" or written_by == provider:
        return message
    kept = [block for block in message.content if block.get("type") not in THINKING]
    return replace(message, content=kept)


def answer_now(question: str) -> str:
    """What a model is told that said nothing. The question stands in it: after a few results small
    models have lost sight of it."""
    asked = f" The question was: {question[:MOST_REPEATED].strip()}" if question.strip() else ""
    return f"[Your last reply held no answer. Answer the person now, in words.{asked}]"


def call_it_now(question: str) -> str:
    """What a model is told that wrote which tool it would use, and did not use it."""
    asked = f" The question was: {question[:MOST_REPEATED].strip()}" if question.strip() else ""
    return (
        "[You wrote about a tool, but did not call it. Call it now, as a tool call and without words, "
        f"or answer the person from what you know.{asked}]"
    )


def _question(messages: list[StoredMessage]) -> str:
    asked = [text_of(one.content) for one in messages if one.kind == "question"]
    return asked[-1] if asked else ""


def prompted(messages: list[StoredMessage]) -> list[StoredMessage]:
    """The record with what the model is told where it said nothing, or was stopped.

    Nothing but thinking or blanks is no reply to a provider: it would not take it back.
    """
    seen: list[StoredMessage] = []
    for at, message in enumerate(messages):
        metadata, following = message.metadata, messages[at + 1 : at + 2]
        if metadata.get("mute") and not any(map(_counts, message.content)):
            told = _told(message, answer_now(_question(messages[:at])))
            # Said once, however often nothing came of it: small models repeat what they read twice.
            if metadata["mute"] == "again" and not (seen and seen[-1].content == told.content):
                seen.append(told)
            continue
        seen.append(message)
        if metadata.get("described"):
            seen.append(_told(message, call_it_now(_question(messages[:at]))))
        if metadata.get("partial") and all(next.turn_id == message.turn_id for next in following):
            seen.append(_told(message, GO_ON))
    return seen


def _counts(block: Block) -> bool:
    """Whether a reply could consist of this block alone."""
    if block.get("type") == "text":
        return bool(str(block.get("text") or "").strip())
    return block.get("type") not in THINKING


def _told(instead: StoredMessage, text: str) -> StoredMessage:
    return replace(instead, role="user", content=[text_block(text)], metadata={})


def wire_messages(messages: list[StoredMessage], code: str) -> list[JSONObject]:
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


def with_words(messages: list[JSONObject], text: str) -> list[JSONObject]:
    """Something said to the model at the very end, in the last message of the person's side."""
    if not messages or messages[-1]["role"] != "user":
        return [*messages, {"role": "user", "content": [text_block(text)]}]
    *before, last = messages
    return [*before, {**last, "content": [*last["content"], text_block(text)]}]


def with_breakpoint(messages: list[JSONObject]) -> list[JSONObject]:
    """Mark the end of the last user message: all before it will be sent again."""
    for at in range(len(messages) - 1, -1, -1):
        message = messages[at]
        if message["role"] == "user" and message["content"]:
            *before, last = message["content"]
            marked = {**message, "content": [*before, {**last, "cache_control": CACHED}]}
            return [*messages[:at], marked, *messages[at + 1 :]]
    return messages


def container_of(messages: list[StoredMessage]) -> str | None:
    """The provider's container to go on in: the last one that a reply named.

    The last reply of a run may carry none; then the one before still counts.
    """
    for message in reversed(messages):
        container = message.metadata.get("container")
        if message.kind == "reply" and container:
            return str(container["id"])
    return None
