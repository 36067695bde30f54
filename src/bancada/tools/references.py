"""The parts of a schema: walking them, writing references out in place, putting them in order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from bancada.domain.errors import BadDefinition
from bancada.domain.json import JSON, JSONObject

MAX_DEPTH = 48
"""Levels of a schema; a model loses its way long before."""
MAX_PARTS = 5_000

ONE_SCHEMA = frozenset((
    "items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames",
    "unevaluatedProperties", "unevaluatedItems", "contentSchema", "additionalItems",
))  # fmt: skip
"""Keywords whose value is a schema."""
LISTS_OF_SCHEMAS = frozenset(("anyOf", "oneOf", "allOf", "prefixItems"))
"""Keywords whose value is a list of schemas."""
NAMED_SCHEMAS = frozenset(("properties", "patternProperties", "dependentSchemas", "dependencies"))
"""Keywords whose value holds schemas by name."""
_DEFINITIONS = frozenset(("$defs", "definitions", "components"))
SAYS = frozenset(("description", "title", "default", "examples", "deprecated"))
"""Keywords that only tell, and may stand beside a `$ref` without changing what it allows."""

_ORDER = {
    key: place
    for place, key in enumerate((
        "type", "description", "enum", "const", "format", "properties", "required",
        "additionalProperties", "items", "prefixItems", "anyOf", "oneOf", "allOf", "default",
    ))
}  # fmt: skip


def each_subschema(schema: JSONObject, change: Callable[[Any], Any]) -> JSONObject:
    """The schema with `change` applied to each schema directly inside it; data stays as it is."""
    changed: JSONObject = {}
    for key, value in schema.items():
        if key in NAMED_SCHEMAS and isinstance(value, dict):
            changed[key] = {name: change(inner) for name, inner in value.items()}
        elif (key in LISTS_OF_SCHEMAS or key == "items") and isinstance(value, list):
            changed[key] = [change(inner) for inner in value]
        elif key in ONE_SCHEMA and isinstance(value, dict):
            changed[key] = change(value)
        else:
            changed[key] = value
    return changed


def inlined(root: JSONObject) -> JSONObject:
    """The schema with every local reference written out in place, and no definitions left.

    Raises `BadDefinition` for a type that contains itself, for a reference that leads nowhere or
    to another document, and for a schema that grows beyond reason when written out.
    """
    parts = 0

    def walk(schema: Any, open_refs: tuple[str, ...], depth: int) -> Any:
        nonlocal parts
        parts += 1
        if parts > MAX_PARTS:
            raise BadDefinition(f"The schema has more than {MAX_PARTS} parts when written out.")
        if depth > MAX_DEPTH:
            raise BadDefinition(f"The schema is nested more than {MAX_DEPTH} levels deep.")
        if not isinstance(schema, dict):
            return schema
        for word in ("$dynamicRef", "$recursiveRef"):
            if word in schema:
                raise BadDefinition(f"The schema uses {word}, which cannot be written out.")
        kept = {key: value for key, value in schema.items() if key not in _DEFINITIONS}
        reference = kept.pop("$ref", None)
        beside = each_subschema(kept, lambda inner: walk(inner, open_refs, depth + 1))
        if not isinstance(reference, str):
            return beside
        if reference in open_refs:
            raise BadDefinition(
                f"The type {_last_of(reference)} contains itself, and a schema without end cannot "
                "be written out; give the nesting a fixed depth."
            )
        target = walk(_target(root, reference), (*open_refs, reference), depth + 1)
        return _merged(target, beside)

    found: JSONObject = walk(root, (), 0)
    return found


def tidy(schema: Any) -> Any:
    """Without titles and discriminators, keys in one order: the same bytes every time."""
    if not isinstance(schema, dict):
        return schema
    kept = {k: v for k, v in schema.items() if k not in ("title", "discriminator")}
    if kept.get("additionalProperties") is True:
        del kept["additionalProperties"]
    changed = each_subschema(kept, tidy)
    return dict(sorted(changed.items(), key=lambda item: (_ORDER.get(item[0], 50), item[0])))


def _merged(target: Any, beside: JSONObject) -> Any:
    """A reference's target together with what stands beside the reference: both hold."""
    if not beside or target is False:
        return target
    if target is True:
        return beside
    asks = {key: value for key, value in beside.items() if key not in SAYS}
    if not asks.keys() & target.keys():
        return {**target, **beside}
    says = {key: value for key, value in beside.items() if key in SAYS}
    return {**says, "allOf": [target, asks]}


def _target(root: JSONObject, reference: str) -> JSON:
    if not reference.startswith("#"):
        raise BadDefinition(
            f"The reference {reference!r} leads to another document; nothing is fetched, "
            "so it must be part of the schema."
        )
    place: Any = root
    for part in reference[1:].split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(place, dict) and key in place:
            place = place[key]
        elif isinstance(place, list) and key.isdecimal() and int(key) < len(place):
            place = place[int(key)]
        else:
            raise BadDefinition(f"The reference {reference!r} leads nowhere.")
    if not isinstance(place, dict | bool) or not re.match(r"#(/|$)", reference):
        raise BadDefinition(f"The reference {reference!r} does not lead to a schema.")
    return place


def _last_of(reference: str) -> str:
    return repr(unquote(reference).rsplit("/", 1)[-1]) if "/" in reference else "at the root"
