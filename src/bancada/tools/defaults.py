"""Arguments as a tool will see them: what was left out has the default that the schema says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bancada.domain.json import JSON, JSONObject


def filled_in(schema: JSONObject, input: JSON) -> JSON:
    """The input with every default of the schema, at any depth; the input itself is not changed."""
    if isinstance(input, list) and isinstance(schema.get("items"), dict):
        return [filled_in(schema["items"], item) for item in input]
    if not isinstance(input, dict):
        return input
    filled = dict(input)
    for part in _parts(schema, input):
        for name, shape in (part.get("properties") or {}).items():
            if not isinstance(shape, dict):
                continue
            if name in filled:
                filled[name] = filled_in(shape, filled[name])
            elif "default" in shape:
                filled[name] = filled_in(shape, shape["default"])
    return filled


def _parts(schema: JSONObject, input: JSONObject) -> Iterator[JSONObject]:
    """The schema, all that it joins, and the one alternative that an object can mean."""
    yield schema
    for one in schema.get("allOf") or ():
        if isinstance(one, dict):
            yield from _parts(one, input)
    for word in ("anyOf", "oneOf"):
        objects = [one for one in schema.get(word) or () if _is_object(one)]
        if len(objects) == 1:
            yield from _parts(objects[0], input)


def _is_object(schema: JSON) -> bool:
    return isinstance(schema, dict) and (schema.get("type") == "object" or "properties" in schema)


def has_field(schema: JSON, path: str) -> bool:
    """Whether arguments of this schema can have something at `a.b.c`."""
    return _has(schema, path.split("."))


def _has(schema: JSON, path: list[str]) -> bool:
    if not path:
        return True
    if not isinstance(schema, Mapping):
        return schema is True
    name, *rest = path
    branches = [one for word in ("allOf", "anyOf", "oneOf") for one in schema.get(word) or ()]
    if any(_has(branch, path) for branch in branches):
        return True
    properties = schema.get("properties")
    if isinstance(properties, dict) and name in properties:
        return _has(properties[name], rest)
    others = schema.get("additionalProperties")
    if isinstance(others, dict) or others is True:
        return _has(others, rest)
    # An object that says nothing of its fields may have any; one that lists them has those.
    kinds = schema.get("type", "object")
    open_object = "object" in (kinds if isinstance(kinds, list) else [kinds])
    return open_object and properties is None and others is not False and not branches
