"""The type names of several languages, as JSON Schema says them."""

from __future__ import annotations

import re
from typing import Any

from bancada.domain.json import JSONObject

_TYPE_NAMES = {
    "string": "string str text char character varchar charsequence symbol bytes binary file "
    "password path url uri email uuid guid date datetime date-time time timestamp duration "
    "localdate localdatetime",
    "integer": "integer int long short byte bigint biginteger int8 int16 int32 int64 uint uint8 "
    "uint16 uint32 uint64 size_t usize atomicinteger atomiclong",
    "number": "number float double decimal numeric real bigdecimal float32 float64 complex",
    "boolean": "boolean bool atomicboolean",
    "array": "array list tuple set frozenset arraylist linkedlist queue deque stack vector "
    "sequence iterable collection hashset treeset linkedhashset priorityqueue arraydeque",
    "object": "object dict dictionary map hashmap hashtable treemap linkedhashmap "
    "concurrenthashmap mapping struct record typeddict namedtuple",
    "null": "null none nil void undefined nonetype",
    "any": "any mixed variant unknown dynamic json * anything",
}
_TYPES = {name: type for type, names in _TYPE_NAMES.items() for name in names.split()}
_FORMATS = {
    "date": "date", "localdate": "date", "datetime": "date-time", "date-time": "date-time",
    "localdatetime": "date-time", "time": "time", "duration": "duration", "uuid": "uuid",
    "guid": "uuid", "email": "email", "uri": "uri", "url": "uri",
}  # fmt: skip


def type_expression(text: str) -> JSONObject:
    low = text.lower().rsplit(".", 1)[-1]
    if low in _TYPES:
        found = {} if _TYPES[low] == "any" else {"type": _TYPES[low]}
        return {**found, "format": _FORMATS[low]} if low in _FORMATS else found
    choices = _split(text, "|") if "|" in text else re.split(r"\s+or\s+", text)
    if len(choices) > 1:
        return any_of([type_expression(one) for one in choices])
    if text.endswith("?"):
        return any_of([type_expression(text[:-1]), {"type": "null"}])
    if text.endswith("[]"):
        return {"type": "array", "items": type_expression(text[:-2])}
    listed = re.fullmatch(r"(?i)(?:array|list|set)\s+of\s+(\w+?)s?", text)
    if listed:
        return {"type": "array", "items": type_expression(listed[1])}
    generic = re.fullmatch(r"([\w.]+)\s*[\[<(](.*)[\]>)]", text)
    if generic:
        return _generic(generic[1].lower().rsplit(".", 1)[-1], _split(generic[2], ","))
    return {"description": f"Type: {text}."} if text else {}


def _generic(base: str, inner: list[str]) -> JSONObject:
    """`base` with type arguments: `Optional[str]`, `Map<String, Integer>`, `tuple[int, ...]`."""
    kind = _TYPES.get(base)
    if base == "literal":
        return {"enum": [one.strip("'\"") for one in inner]}
    if base in ("optional", "nullable"):
        return any_of([type_expression(inner[0]), {"type": "null"}])
    if base in ("union", "annotated"):
        return any_of(
            [type_expression(one) for one in (inner[:1] if base == "annotated" else inner)]
        )
    if kind == "array":
        if base == "tuple" and len(inner) > 1 and inner[-1] != "...":
            places = [type_expression(one) for one in inner]
            return {
                "type": kind,
                "prefixItems": places,
                "minItems": len(inner),
                "maxItems": len(inner),
            }
        return {"type": kind, "items": type_expression(inner[0])}
    if kind == "object":
        values = type_expression(inner[1]) if len(inner) > 1 else {}
        return {"type": kind, "additionalProperties": values} if values else {"type": kind}
    return {"type": kind} if kind and kind != "any" else {}


def _split(text: str, mark: str) -> list[str]:
    """Split where `mark` stands outside brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "[<(") - (character in "]>)")
        if character == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def any_of(choices: list[Any]) -> JSONObject:
    distinct = [one for place, one in enumerate(choices) if one not in choices[:place]]
    if len(distinct) == 1 and isinstance(distinct[0], dict):
        return distinct[0]
    if not distinct or any(_says_nothing(one) for one in distinct):
        return {}
    if all(one.keys() == {"type"} and isinstance(one["type"], str) for one in distinct):
        return {"type": [one["type"] for one in distinct]}
    return {"anyOf": distinct}


def _says_nothing(schema: Any) -> bool:
    return not isinstance(schema, dict) or schema.keys() <= {"description"}
