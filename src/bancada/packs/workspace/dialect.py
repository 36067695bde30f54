"""`POST /anthropic-proxy`: the assistant's old proxy, with its five modes.

The caller runs the loop here: a reply comes back with its tool calls not yet run. They are run
with `POST /tools/{name}/run`, in the caller's name, and the results handed back here.
Everything else (who may see which tool, what a call may do) is the product's.
"""

from __future__ import annotations

import json
import secrets
from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from bancada import Agent, CurrentPerson, Dialogue, JSONObject, documented, misfit
from bancada.packs.workspace.agents import ASSISTENTE

router = APIRouter(tags=["workspace"])

HISTORY = 10
"""Messages of history that are sent on."""


class ProxyRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"mode": "tool_enabled_chat", "message": "Find all financial documents from Q4"}
            ]
        },
    )

    mode: Literal[
        "tool_enabled_chat",
        "tool_continuation",
        "intent_detection",
        "generate_response",
        "analytics",
    ]
    message: Annotated[str, StringConstraints(max_length=100_000)] | None = None
    messages: Annotated[list[dict[str, Any]], Field(max_length=200)] | None = None
    tools: Annotated[list[dict[str, Any]], Field(max_length=200)] | None = None
    """Names to choose from the person's own tools; others are left out."""
    tool_results: Annotated[list[dict[str, Any]], Field(max_length=200)] | None = None
    session_id: Annotated[str, StringConstraints(max_length=200)] | None = None
    """The client's own; stands in the audit of what is called for it."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.message and self.message.strip()) and not self.messages:
            raise misfit("message_needed")
        return self


class ProxyReply(BaseModel):
    content: list[dict[str, Any]]
    stop_reason: str
    usage: dict[str, int]


class DetectedIntent(BaseModel):
    intent: str | None
    confidence: float
    parameters: dict[str, Any]


@router.post(
    "/anthropic-proxy",
    response_model=ProxyReply | DetectedIntent,
    responses=documented(401, 403, 404, 422, 429, 503),
)
async def proxy(
    body: ProxyRequest, dialogue: Dialogue, person: CurrentPerson
) -> ProxyReply | DetectedIntent:
    """One step of the assistant, in one of its five modes."""
    agent = await _assistant(dialogue)
    match body.mode:
        case "intent_detection":
            mine = [tool["name"] for tool in await dialogue.tool_definitions(agent)]
            return DetectedIntent(**dialogue.detect(body.message or "", mine))
        case "analytics":
            return await _analytics(body, dialogue)
        case "generate_response":
            messages = _conversation(body)
            # Providers refuse calls in the messages whose tools they are not shown.
            tools = await dialogue.tool_definitions(agent) if _holds_calls(messages) else []
            return await _reply(dialogue, agent, messages, tools, may_call=not tools)
        case "tool_enabled_chat" | "tool_continuation":
            tools = _chosen(await dialogue.tool_definitions(agent), body.tools)
            return await _reply(dialogue, agent, _conversation(body), tools)


async def _assistant(dialogue: Dialogue) -> Agent:
    """The assistant, if this person may use it: the error is that of any conversation."""
    found = next((a for a in await dialogue.agents() if a.name == ASSISTENTE.name), None)
    if found is None:
        await dialogue.begin(ASSISTENTE.name)
        raise AssertionError("unreachable")
    return found


def _conversation(body: ProxyRequest) -> list[JSONObject]:
    """The messages to send: history, then results for its last calls, then the new message."""
    messages: list[JSONObject] = [
        {"role": message.get("role", "user"), "content": message.get("content", "")}
        for message in (body.messages or [])[-HISTORY:]
    ]
    while messages and not _opens(messages[0]):
        messages.pop(0)
    said: list[JSONObject] = [_result(one) for one in body.tool_results or []]
    if body.message:
        said.append({"type": "text", "text": body.message})
    if said:
        messages.append({"role": "user", "content": said})
    return messages


def _opens(message: JSONObject) -> bool:
    """Whether a conversation may begin here: not with an answer, nor with results of what was cut."""
    content = message["content"]
    blocks = content if isinstance(content, list) else []
    results = [b for b in blocks if isinstance(b, dict) and b.get("type") == "tool_result"]
    return bool(message["role"] == "user" and not results)


def _holds_calls(messages: list[JSONObject]) -> bool:
    blocks = [b for m in messages if isinstance(m["content"], list) for b in m["content"]]
    return any(isinstance(b, dict) and b.get("type") == "tool_use" for b in blocks)


def _result(given: JSONObject) -> JSONObject:
    """A result as the API wants it; the old client said `toolUseId` and `result`."""
    if given.get("type") == "tool_result":
        return given
    content = given.get("content", given.get("result", ""))
    block: JSONObject = {
        "type": "tool_result",
        "tool_use_id": str(given.get("tool_use_id") or given.get("toolUseId") or ""),
        "content": content if isinstance(content, str) else json.dumps(content, ensure_ascii=False),
    }
    if given.get("is_error"):
        block["is_error"] = True
    return block


def _chosen(mine: list[JSONObject], wanted: list[JSONObject] | None) -> list[JSONObject]:
    if not wanted:
        return mine
    names = {one.get("name") for one in wanted}
    return [tool for tool in mine if tool["name"] in names]


async def _reply(
    dialogue: Dialogue,
    agent: Agent,
    messages: list[JSONObject],
    tools: list[JSONObject],
    *,
    may_call: bool = True,
) -> ProxyReply:
    reply = await dialogue.reply(agent, messages, tools, may_call=may_call)
    return ProxyReply(
        content=reply.content,
        stop_reason=reply.stop_reason,
        usage={"input_tokens": reply.usage.input, "output_tokens": reply.usage.output},
    )


async def _analytics(body: ProxyRequest, dialogue: Dialogue) -> ProxyReply:
    """Sales figures, from the tool that knows them, through the gate."""
    found = dialogue.detect(body.message or "", ["getSalesSummary"])
    input = found["parameters"] if found["intent"] == "sales_summary" else {}
    outcome = await dialogue.call(
        "getSalesSummary", input, f"proxy_{secrets.token_hex(10)}", session=body.session_id
    )
    content = outcome.content
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return ProxyReply(
        content=[{"type": "text", "text": text}],
        stop_reason="end_turn",
        usage={"input_tokens": 0, "output_tokens": 0},
    )
