"""How a call ended, as an MCP client reads it."""

from __future__ import annotations

import logging
from typing import Any

from mcp import types

from bancada.domain.calls import Attachment, Outcome
from bancada.domain.json import JSON, JSONObject, dumps
from bancada.domain.messages import Block
from bancada.tools.tool import Tool
from bancada.tools.validation import Validator

log = logging.getLogger("bancada.mcp")

WIDGETS = "bancada/widgets"
"""Where a result carries what a client's app shows."""


def output_schema(tool: Tool, *, modern: bool) -> JSONObject | None:
    """What a client may rely on in structured results; before 2026 only objects could be promised."""
    schema = tool.output_schema
    if schema is None or (not modern and schema.get("type") != "object"):
        return None
    return schema


def result_of(outcome: Outcome, tool: Tool | None, *, modern: bool) -> types.CallToolResult:
    """Text and images as a model reads them, then what only clients can use."""
    content = [*_blocks(outcome.content), *(_attached(one) for one in outcome.attachments)]
    return types.CallToolResult(
        content=content or [types.TextContent(type="text", text="")],
        structured_content=None if tool is None else _structured(outcome, tool, modern=modern),
        is_error=outcome.is_error,
        _meta=_meta(outcome),
    )


def sentence(text: str, *, is_error: bool = True) -> types.CallToolResult:
    """A result that only says something."""
    content = [types.TextContent(type="text", text=text)]
    return types.CallToolResult(content=list(content), is_error=is_error)


def kept_outcome(result: JSONObject) -> Outcome:
    """What came of a call that was approved, from its confirmation."""
    shown: JSON = result.get("result")
    attached = tuple(Attachment(**one) for one in result.get("attachments") or ())
    is_error = bool(result.get("is_error"))
    if isinstance(shown, str) or _is_content(shown):
        return Outcome(content=shown, is_error=is_error, attachments=attached)
    return Outcome(content=dumps(shown), value=shown, is_error=is_error, attachments=attached)


def _is_content(shown: JSON) -> bool:
    return (
        isinstance(shown, list)
        and bool(shown)
        and all(isinstance(one, dict) and one.get("type") in ("text", "image") for one in shown)
    )


def _blocks(content: str | list[Block]) -> list[types.ContentBlock]:
    if isinstance(content, str):
        return [types.TextContent(type="text", text=content)] if content else []
    return [_block(one) for one in content]


def _block(block: Block) -> types.ContentBlock:
    if block["type"] == "image":
        source = block["source"]
        return types.ImageContent(type="image", data=source["data"], mime_type=source["media_type"])
    return types.TextContent(type="text", text=block["text"])


def _attached(one: Attachment) -> types.ContentBlock:
    if one.kind == "audio":
        return types.AudioContent(type="audio", data=one.data or "", mime_type=one.media_type)
    uri = one.uri or ""
    if one.kind == "link":
        return types.ResourceLink(
            type="resource_link", uri=uri, name=one.name or uri, mime_type=one.media_type
        )
    held: types.TextResourceContents | types.BlobResourceContents
    if one.text is not None:
        held = types.TextResourceContents(uri=uri, mime_type=one.media_type, text=one.text)
    else:
        held = types.BlobResourceContents(uri=uri, mime_type=one.media_type, blob=one.data or "")
    return types.EmbeddedResource(type="resource", resource=held)


def _structured(outcome: Outcome, tool: Tool, *, modern: bool) -> Any:
    """The value, where the tool promises one and this is it. A client that was promised a shape
    refuses another, so one that does not fit is left out, and told to the operator."""
    schema = output_schema(tool, modern=modern)
    if schema is None or outcome.is_error or outcome.value is None:
        return None
    value = outcome.value
    fits = (
        Validator(schema).problem(value) is None
        if isinstance(value, dict)
        else Validator(_wrapped(schema)).problem({"value": value}) is None
    )
    if not fits:
        log.warning("%s returned what its output schema does not allow", tool.name)
    return value if fits else None


def _wrapped(schema: JSONObject) -> JSONObject:
    """The same schema for a value that is no object, which is all our validator takes."""
    own = {key: value for key, value in schema.items() if key not in ("$defs", "$schema")}
    return {"properties": {"value": own}, "$defs": schema.get("$defs", {})}


def _meta(outcome: Outcome) -> dict[str, Any] | None:
    if not outcome.widgets:
        return None
    return {WIDGETS: [{"kind": one.kind, "data": one.data} for one in outcome.widgets]}
