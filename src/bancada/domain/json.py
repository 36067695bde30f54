"""JSON values, and the one way we turn them into text."""

from __future__ import annotations

from typing import Any, TypeAlias

import orjson

JSON: TypeAlias = Any
"""Anything `json.loads` can return. Checked where it enters, not by the type checker."""

JSONObject: TypeAlias = dict[str, Any]


def dumps(value: JSON) -> str:
    """Compact UTF-8 JSON; keys keep the order they came in."""
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()


def canonical(value: JSON) -> bytes:
    """The same bytes for the same value, whatever order its keys came in: for hashes and cache keys."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)


def loads(text: str | bytes) -> JSON:
    return orjson.loads(text)
