"""Arguments that code passes and JSON has no word for: numbers, dates and tables of its libraries."""

from __future__ import annotations

import datetime as dates
import decimal
import os
from collections.abc import KeysView, Mapping, ValuesView
from typing import Any


def plain(value: Any) -> Any:
    """The JSON form of one such value; what stands inside it is asked about in its turn."""
    if isinstance(value, decimal.Decimal):
        return _number(value)
    if value is not None and _is_missing(value):
        return None
    if isinstance(value, (dates.date, dates.time)):
        return value.isoformat()
    if isinstance(value, dates.timedelta):
        return f"PT{value.total_seconds():.6f}".rstrip("0").rstrip(".") + "S"
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)  # the same order every time
    if isinstance(value, (tuple, range, KeysView, ValuesView)):
        return list(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "columns") and hasattr(value, "to_dict"):
        return value.to_dict(orient="records")
    for method in ("tolist", "item", "to_dict"):
        if hasattr(value, method):
            return getattr(value, method)()
    if type(value).__name__ == "Period":
        return str(value)
    raise TypeError  # orjson says of which type it was


def with_plain_keys(value: Any) -> Any:
    """The same with keys that JSON can write: a library's own numbers and dates can be keys too."""
    if isinstance(value, dict):
        return {
            key if isinstance(key, str) else str(_key(key)): with_plain_keys(inner)
            for key, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [with_plain_keys(inner) for inner in value]
    return value


def _key(key: Any) -> Any:
    try:
        return plain(key)
    except TypeError:
        return key


def _number(value: decimal.Decimal) -> int | float | None:
    if not value.is_finite():
        return None
    return int(value) if value == value.to_integral_value() else float(value)


def _is_missing(value: Any) -> bool:
    """pandas' own words for nothing; both compare like nothing else does."""
    return type(value).__name__ in ("NaTType", "NAType")
