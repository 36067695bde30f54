"""Messages as the Messages API speaks them.

A block is kept as the plain dictionary that arrived: what we do not know (a new block type,
a signature, a citation) must go back to the model unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from bancada.domain.json import JSONObject

Role: TypeAlias = Literal["user", "assistant"]
Block: TypeAlias = JSONObject


def text_block(text: str) -> Block:
    return {"type": "text", "text": text}


def text_of(content: Iterable[Block]) -> str:
    """Every text block, joined: what a person read."""
    return "".join(block["text"] for block in content if block.get("type") == "text")
