"""What a server's tool returns, as a result of ours: every kind of content, each within bounds."""

from __future__ import annotations

from collections.abc import Iterable

from mcp.types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from bancada.domain.calls import Attachment
from bancada.domain.json import JSON, dumps, loads
from bancada.domain.messages import Block, text_block
from bancada.tools.result import IMAGES
from bancada.tools.tool import Result

MOST_PARTS = 100
MOST_NAME = 300


def result_of(answer: CallToolResult) -> Result:
    """Text and images for the model, the structured value for code, the rest beside them."""
    parts = answer.content[:MOST_PARTS]
    blocks = [block for part in parts if (block := _block(part)) is not None]
    left_out = len(answer.content) - len(parts)
    if left_out:
        blocks.append(text_block(f"[{left_out:,} further parts of the result were left out]"))
    value: JSON = answer.structured_content
    if value is not None and _only_says(blocks, value):
        blocks = []
    return Result(
        value=value,
        content=_content(blocks, value, answer.is_error),
        attachments=tuple(_attachments(parts)),
        is_error=answer.is_error,
    )


def _content(blocks: list[Block], value: JSON, is_error: bool) -> str | list[Block] | None:
    if all(block["type"] == "text" for block in blocks):
        text = "\n".join(block["text"] for block in blocks)
        if text or value is None:
            return text or ("The tool failed and did not say why." if is_error else "")
        return None
    return blocks


def _only_says(blocks: list[Block], value: JSON) -> bool:
    """Whether the text is the structured value once more, for clients that know no other."""
    if len(blocks) != 1 or blocks[0]["type"] != "text":
        return False
    try:
        return bool(loads(blocks[0]["text"]) == value)
    except ValueError:
        return False


def _block(part: ContentBlock) -> Block | None:
    """What a model reads of one part; none for what it cannot."""
    match part:
        case TextContent():
            return text_block(part.text)
        case ImageContent() if part.mime_type in IMAGES:
            return _image(part.mime_type, part.data)
        case EmbeddedResource(resource=TextResourceContents() as inside):
            return text_block(f"[{str(inside.uri)[:MOST_NAME]}]\n{inside.text}")
        case EmbeddedResource(resource=BlobResourceContents() as inside) if (
            inside.mime_type in IMAGES
        ):
            return _image(str(inside.mime_type), inside.blob)
    return None


def _image(media_type: str, data: str) -> Block:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def _attachments(parts: Iterable[ContentBlock]) -> Iterable[Attachment]:
    for part in parts:
        match part:
            case AudioContent():
                yield Attachment(kind="audio", media_type=part.mime_type, data=part.data)
            case ImageContent() if part.mime_type not in IMAGES:
                yield Attachment(kind="resource", media_type=part.mime_type, data=part.data)
            case ResourceLink():
                yield Attachment(
                    kind="link",
                    media_type=part.mime_type or "application/octet-stream",
                    uri=str(part.uri)[:2000],
                    name=part.name[:MOST_NAME],
                )
            case EmbeddedResource(resource=BlobResourceContents() as inside) if (
                inside.mime_type not in IMAGES
            ):
                yield Attachment(
                    kind="resource",
                    media_type=inside.mime_type or "application/octet-stream",
                    uri=str(inside.uri)[:2000],
                    data=inside.blob,
                )


def error_text(message: str, data: JSON) -> str:
    """What a server said instead of a result."""
    more = "" if data is None else f" {dumps(data)[:500]}"
    return f"{message[:2000]}{more}"
