"""Write every local `$ref` out in place, and put a schema's keys in one order.

Works on JSON Schema whoever made it: pydantic's for our own tools, anybody's for others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from bancada.domain.json import JSON, JSONObject

SCHEMA = ("items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames",
          "unevaluatedProperties", "unevaluatedItems", "contentSchema", "additionalItems")  # fmt: skip
"""Keywords whose value is a schema."""
SCHEMAS = ("anyOf", "oneOf", "allOf", "prefixItems")
"""Keywords whose value is a list of schemas."""
NAMED_SCHEMAS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
"""Keywords whose value holds schemas by name."""

MAX_DEPTH = 64
MAX_NODES = 20_000

_ORDER = {
    key: place
    for place, key in enumerate(
        ("type", "description", "enum", "const", "format", "properties", "required",
         "additionalProperties", "items", "prefixItems", "anyOf", "oneOf", "allOf", "default")
    )
}  # fmt: skip


class TooTangled(ValueError):
    """References that cannot be written out; the text says why."""


def each_subschema(schema: JSONObject, change: Callable[[Any], Any]) -> JSONObject:
    """The schema with `change` applied to each schema directly inside it; data stays as it is."""
    changed: JSONObject = {}
    for key, value in schema.items():
        if key in NAMED_SCHEMAS and isinstance(value, dict):
            changed[key] = {name: change(inner) for name, inner in value.items()}
        elif key in (*SCHEMAS, "items") and isinstance(value, list):
            changed[key] = [change(inner) for inner in value]
        elif key in SCHEMA and isinstance(value, dict):
            changed[key] = change(value)
        else:
            changed[key] = value
    return changed


def inlined(root: JSONObject) -> JSONObject:
    """The schema without `$ref`, `$defs` and `definitions`.

    Raises `TooTangled` for a type that contains itself, a reference that leads nowhere or to
    another document, and for schemas that grow beyond reason when written out.
    """
    nodes = 0

    def walk(schema: Any, open_refs: tuple[str, ...], depth: int) -> Any:
        nonlocal nodes
        nodes += 1
        if nodes > MAX_NODES:
            raise TooTangled(f"the schema has more than {MAX_NODES} parts when written out.")
        if depth > MAX_DEPTH:
            raise TooTangled(f"the schema is nested more than {MAX_DEPTH} levels deep.")
        if not isinstance(schema, dict):
            return schema
        reference = schema.get("$ref")
        if isinstance(reference, str):
            if reference in open_refs:
                raise TooTangled(
                    f"the type {_last(reference)!r} contains itself, and a schema without end cannot be "
                    "written out; give the nesting a fixed depth."
                )
            target = walk(_target(root, reference), (*open_refs, reference), depth + 1)
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            if not beside:
                return target
            rest = walk(beside, open_refs, depth)
            return _merged(target, rest)
        kept = {k: v for k, v in schema.items() if k not in ("$defs", "definitions")}
        return each_subschema(kept, lambda inner: walk(inner, open_refs, depth + 1))

    found = walk(root, (), 0)
    assert isinstance(found, dict)
    return found


def _merged(target: Any, beside: JSONObject) -> Any:
    """A reference's target with what stands beside the reference: both must hold."""
    if target is True:
        return beside
    if not isinstance(target, dict):
        return target
    spoken = {"description", "title", "default", "examples", "deprecated", "readOnly", "writeOnly"}
    if beside.keys() <= spoken or not (beside.keys() - spoken) & target.keys():
        return {**target, **beside}
    says = {key: value for key, value in beside.items() if key in spoken}
    asks = {key: value for key, value in beside.items() if key not in spoken}
    return {**says, "allOf": [target, asks]}


def _target(root: JSONObject, reference: str) -> JSON:
    if not reference.startswith("#"):
        raise TooTangled(f"the reference {reference!r} leads to another document.")
    place: Any = root
    for part in reference[1:].split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(place, dict) and key in place:
            place = place[key]
        elif isinstance(place, list) and key.isdigit() and int(key) < len(place):
            place = place[int(key)]
        else:
            raise TooTangled(f"the reference {reference!r} leads nowhere.")
    if not isinstance(place, dict | bool):
        raise TooTangled(f"the reference {reference!r} does not lead to a schema.")
    return place


def _last(reference: str) -> str:
    return reference.rsplit("/", 1)[-1] if "/" in reference else "the schema itself"


def tidy(schema: Any) -> Any:
    """Without titles and OpenAPI's discriminator, keys in one order: the same bytes every time."""
    if not isinstance(schema, dict):
        return schema
    kept = {k: v for k, v in schema.items() if k not in ("title", "discriminator")}
    kept = each_subschema(kept, tidy)
    return dict(sorted(kept.items(), key=lambda item: (_ORDER.get(item[0], 50), item[0])))
