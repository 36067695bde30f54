"""How long a request is, for estimates: its words by their characters, images and documents apart.

A picture in base64 is a million characters and a thousand tokens.
"""

from __future__ import annotations

from typing import Any

from bancada.domain.json import dumps
from bancada.model.model import Request

TOKENS_OF_PICTURE = 1600
"""Of one that stands in the request itself, about."""


def tokens_about(request: Request, characters: int) -> int:
    """About how many tokens a request is, with so many characters of text to one."""
    bare, pictures = _bare(request.messages)
    written = dumps({**request.body(), "messages": bare})
    return len(written) // characters + max(request.tokens_shown, pictures * TOKENS_OF_PICTURE)


def _bare(value: Any) -> tuple[Any, int]:
    """The value without the bytes in it, and how many there were."""
    if isinstance(value, dict):
        if value.get("type") == "base64" and isinstance(value.get("data"), str):
            return {**value, "data": ""}, 1
        found = {name: _bare(inner) for name, inner in value.items()}
        return {name: bare for name, (bare, _) in found.items()}, sum(n for _, n in found.values())
    if isinstance(value, list):
        each = [_bare(inner) for inner in value]
        return [bare for bare, _ in each], sum(n for _, n in each)
    return value, 0
