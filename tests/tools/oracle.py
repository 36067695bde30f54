"""A second reading of JSON Schema 2020-12, written from the specification, to compare verdicts with.

Slow and plain on purpose: each keyword is one line that can be checked by eye. It knows the
keywords that `schemas.py` draws, no more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any


def fits(schema: Any, value: Any) -> bool:
    if isinstance(schema, bool):
        return schema
    return all(KEYWORDS[word](schema, value) for word in schema if word in KEYWORDS)


def is_type(value: Any, name: str) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {
        "null": value is None,
        "boolean": isinstance(value, bool),
        "integer": number and value == int(value),
        "number": number,
        "string": isinstance(value, str),
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }[name]


def same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return (type(one) is type(other) and one == other) or _numbers(one, other)


def _numbers(one: Any, other: Any) -> bool:
    return is_type(one, "number") and is_type(other, "number") and one == other


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else value


def _if(kind: type | tuple[type, ...], test: Callable[[dict[str, Any], Any], bool]) -> Any:
    """A keyword that says nothing about values of other kinds."""

    def check(schema: dict[str, Any], value: Any) -> bool:
        wanted = isinstance(value, kind) and not (kind is NUMBER and isinstance(value, bool))
        return test(schema, value) if wanted else True

    return check


def _others(schema: dict[str, Any], value: dict[str, Any]) -> list[Any]:
    known = schema.get("properties", {})
    return [inner for name, inner in value.items() if name not in known]


NUMBER = (int, float)

KEYWORDS: dict[str, Callable[[dict[str, Any], Any], bool]] = {
    "type": lambda s, v: any(is_type(v, one) for one in _listed(s["type"])),
    "enum": lambda s, v: any(same(v, one) for one in s["enum"]),
    "const": lambda s, v: same(v, s["const"]),
    "minimum": _if(NUMBER, lambda s, v: v >= s["minimum"]),
    "exclusiveMaximum": _if(NUMBER, lambda s, v: v < s["exclusiveMaximum"]),
    "multipleOf": _if(NUMBER, lambda s, v: v % s["multipleOf"] == 0),
    "minLength": _if(str, lambda s, v: len(v) >= s["minLength"]),
    "maxLength": _if(str, lambda s, v: len(v) <= s["maxLength"]),
    "pattern": _if(str, lambda s, v: re.search(s["pattern"], v) is not None),
    "minItems": _if(list, lambda s, v: len(v) >= s["minItems"]),
    "maxItems": _if(list, lambda s, v: len(v) <= s["maxItems"]),
    "uniqueItems": _if(
        list,
        lambda s, v: (
            not s["uniqueItems"]
            or not any(same(v[i], v[j]) for i in range(len(v)) for j in range(i))
        ),
    ),
    "prefixItems": _if(
        list,
        lambda s, v: all(fits(one, inner) for one, inner in zip(s["prefixItems"], v, strict=False)),
    ),
    "items": _if(
        list,
        lambda s, v: all(fits(s["items"], inner) for inner in v[len(s.get("prefixItems", ())) :]),
    ),
    "contains": _if(list, lambda s, v: any(fits(s["contains"], inner) for inner in v)),
    "required": _if(dict, lambda s, v: all(name in v for name in s["required"])),
    "properties": _if(
        dict,
        lambda s, v: all(fits(one, v[name]) for name, one in s["properties"].items() if name in v),
    ),
    "additionalProperties": _if(
        dict,
        lambda s, v: all(fits(s["additionalProperties"], inner) for inner in _others(s, v)),
    ),
    "propertyNames": _if(dict, lambda s, v: all(fits(s["propertyNames"], name) for name in v)),
    "minProperties": _if(dict, lambda s, v: len(v) >= s["minProperties"]),
    "maxProperties": _if(dict, lambda s, v: len(v) <= s["maxProperties"]),
    "anyOf": lambda s, v: any(fits(one, v) for one in s["anyOf"]),
    "oneOf": lambda s, v: sum(fits(one, v) for one in s["oneOf"]) == 1,
    "allOf": lambda s, v: all(fits(one, v) for one in s["allOf"]),
    "not": lambda s, v: not fits(s["not"], v),
    "if": lambda s, v: fits(s.get("then" if fits(s["if"], v) else "else", True), v),
}
