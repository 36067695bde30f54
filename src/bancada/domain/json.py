"""JSON values, and the one way we turn them into text."""

from __future__ import annotations

import json
import re
from typing import Any, TypeAlias

import orjson

JSON: TypeAlias = Any
"""Anything `json.loads` can return. Checked where it enters, not by the type checker."""

JSONObject: TypeAlias = dict[str, Any]
"""A JSON object: arguments of a tool, the data of an event."""

_COMPACT = (",", ":")
_LONG_DIGITS = re.compile(r"\d{19}")
_LONG_DIGITS_BYTES = re.compile(rb"\d{19}")


def dumps(value: JSON) -> str:
    """Compact JSON; keys keep the order they came in. NaN becomes null.

    Raises `ValueError` for what JSON cannot hold (objects, endless nesting).
    """
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return _slow_dumps(value, sort_keys=False)


def canonical(value: JSON) -> bytes:
    """The same bytes for the same value, whatever order its keys came in: for hashes and keys."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return _slow_dumps(value, sort_keys=True).encode()


def loads(text: str | bytes) -> JSON:
    """Read JSON. Integers beyond 64 bits stay exact, lone surrogates stay themselves."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return _slow_loads(text)
    # orjson reads an integer beyond 64 bits as a float; such numbers are rare enough to look for.
    if _may_hold_big_integer(text):
        return _slow_loads(text)
    return value


def _slow_dumps(value: JSON, *, sort_keys: bool) -> str:
    """For what orjson refuses: integers beyond 64 bits, lone surrogates, deep nesting."""
    try:
        text = json.dumps(value, separators=_COMPACT, sort_keys=sort_keys)
    except (TypeError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from error
    if "NaN" in text or "Infinity" in text:
        text = json.dumps(_without_nan(value), separators=_COMPACT, sort_keys=sort_keys)
    return text


def _without_nan(value: JSON) -> JSON:
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(inner) for inner in value]
    return value


def _slow_loads(text: str | bytes) -> JSON:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("not JSON: nested too deeply") from error


def _may_hold_big_integer(text: str | bytes) -> bool:
    if isinstance(text, bytes):
        return _LONG_DIGITS_BYTES.search(text) is not None
    return _LONG_DIGITS.search(text) is not None
