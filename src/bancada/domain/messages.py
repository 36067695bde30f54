"""Messages as the Messages API speaks them.

A block is kept as the plain dictionary that arrived: what we do not know (a new block type,
a signature, a citation) must go back to the model unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from bancada.domain.json import JSONObject

Role: TypeAlias = Literal["user", "assistant"]
Block: TypeAlias = JSONObject


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message of a conversation, exactly as the model must see it again."""

    id: str
    role: Role
    content: list[Block]
    turn_id: str | None = None
    created_at: datetime | None = None
    metadata: JSONObject = field(default_factory=dict)


def text_block(text: str) -> Block:
    return {"type": "text", "text": text}


def text_of(content: Iterable[Block]) -> str:
    """Every text block, joined: what a person read."""
    return "".join(block["text"] for block in content if block.get("type") == "text")
