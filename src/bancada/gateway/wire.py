"""A message as it travels: JSON, or the events that a client folds back into the same message.

Blocks that a model writes come in pieces. What a server made (results, calls that code makes)
comes whole, in the event that opens the block.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from bancada.domain.calls import Caller
from bancada.domain.json import JSONObject, dumps
from bancada.domain.messages import Block
from bancada.model.model import Reply, Tokens

_WRITTEN = ("tool_use", "server_tool_use", "mcp_tool_use")


def frame(event: JSONObject) -> bytes:
    """One server-sent event."""
    return f"event: {event['type']}\ndata: {dumps(event)}\n\n".encode()


def new_id(prefix: str) -> str:
    return f"{prefix}_{secrets.token_hex(12)}"


def usage_of(tokens: Tokens) -> JSONObject:
    return {
        "input_tokens": tokens.input,
        "output_tokens": tokens.output,
        "cache_creation_input_tokens": tokens.cache_write,
        "cache_read_input_tokens": tokens.cache_read,
    }


def message_of(reply: Reply) -> JSONObject:
    """A reply of any model as the Messages API would give it."""
    known = {k: v for k, v in reply.raw.items() if k in ("id", "stop_sequence")}
    return {
        "id": new_id("msg"),
        "type": "message",
        "role": "assistant",
        "model": reply.model,
        "content": reply.content,
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "usage": usage_of(reply.usage),
        **known,
    }


def opening(message: JSONObject) -> JSONObject:
    """The event a stream begins with: the message without what is still to come."""
    begun = {key: value for key, value in message.items() if key != "container"}
    empty: JSONObject = {"content": [], "stop_reason": None, "stop_sequence": None}
    return {"type": "message_start", "message": {**begun, **empty}}


def block_events(index: int, block: Block) -> Iterator[JSONObject]:
    """A block from its start to its stop."""
    start, deltas = _in_pieces(block)
    yield {"type": "content_block_start", "index": index, "content_block": start}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def closing(message: JSONObject) -> Iterator[JSONObject]:
    """How a stream ends: why, what it used, and in which container."""
    delta = {name: message.get(name) for name in ("stop_reason", "stop_sequence")}
    if message.get("container") is not None:
        delta["container"] = message["container"]
    yield {"type": "message_delta", "delta": delta, "usage": message.get("usage") or {}}
    yield {"type": "message_stop"}


def message_events(message: JSONObject) -> Iterator[JSONObject]:
    """A whole message as a stream of events."""
    yield opening(message)
    for index, block in enumerate(message["content"]):
        yield from block_events(index, block)
    yield from closing(message)


def _in_pieces(block: Block) -> tuple[Block, list[JSONObject]]:
    kind = block.get("type")
    if kind == "text":
        return {**block, "text": ""}, [{"type": "text_delta", "text": block.get("text") or ""}]
    if kind == "thinking":
        thinking = {"type": "thinking_delta", "thinking": block.get("thinking") or ""}
        signature = {"type": "signature_delta", "signature": block.get("signature") or ""}
        return {**block, "thinking": "", "signature": ""}, [thinking, signature]
    if kind in _WRITTEN and not Caller.of(block.get("caller")).is_code:
        written = {"type": "input_json_delta", "partial_json": dumps(block.get("input") or {})}
        return {**block, "input": {}}, [written]
    return block, []
