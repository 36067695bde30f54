"""Schemas from elsewhere, made into JSON Schema 2020-12 that models and validators both take.

MCP servers, custom tools and imported collections bring older drafts, OpenAPI's variations and
type names such as `dict` and `float`. What 2020-12 can say is said in it; the rest is refused
with `BadDefinition`, whose text tells the author why. Nothing is ever fetched.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

import jsonschema_rs

from bancada.domain.errors import BadDefinition
from bancada.domain.json import JSON, JSONObject, dumps, loads
from bancada.tools.references import (
    LISTS_OF_SCHEMAS,
    NAMED_SCHEMAS,
    ONE_SCHEMA,
    SAYS,
    inlined,
)
from bancada.tools.validation import Validator

MAX_BYTES = 200_000

_TYPES = {
    name: type
    for type, names in {
        "object": "object dict map mapping hashmap hashtable",
        "array": "array list arraylist tuple set queue stack",
        "string": "string str text char",
        "integer": "integer int long short byte bigint",
        "number": "number float double decimal",
        "boolean": "boolean bool",
        "null": "null none",
    }.items()
    for name in names.split()
}
"""Names of types that collections of functions use instead of JSON Schema's; `any` is no type."""
_NUMBERS = frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"))
_COUNTS = frozenset((
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
    "minContains", "maxContains",
))  # fmt: skip
_TEXTS = frozenset((
    "description", "title", "format", "pattern", "contentEncoding", "contentMediaType",
))  # fmt: skip
_FLAGS = frozenset(("uniqueItems", "deprecated", "readOnly", "writeOnly"))


def normalise(raw: JSON) -> JSONObject:
    """The schema in JSON Schema 2020-12, an object at the root, without references.

    Raises `BadDefinition` with the reason when there is no such schema.
    """
    schema = _convert(inlined(_own_copy(raw)), None)
    if not isinstance(schema, dict):
        raise BadDefinition("The schema must be an object that describes the tool's arguments.")
    schema = _object_root(schema)
    try:
        jsonschema_rs.meta.validate(schema)
        jsonschema_rs.Draft202012Validator(schema, offline=True)
    except Exception as error:
        reason = str(error).partition("\n")[0][:200]
        raise BadDefinition(f"The schema is not valid JSON Schema 2020-12: {reason}.") from error
    return schema


def normalise_name(name: str) -> str:
    """A name that fits `^[a-zA-Z0-9_-]{1,64}$`, the same every time.

    Where letters would be lost or the name must be cut, a short hash of the whole name keeps
    two different names different.
    """
    folded = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in folded if not unicodedata.combining(c))
    fit = re.sub(r"[^a-zA-Z0-9_-]", "_", plain)
    lossy = any(c.isalnum() and not c.isascii() for c in plain) or not fit
    if not lossy and len(fit) <= 64:
        return fit
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{fit[:55] or 'tool'}_{digest}"


def _own_copy(raw: JSON) -> JSONObject:
    """A private copy of what is really JSON, within bounds."""
    if raw is None:
        raw = {}
    if not isinstance(raw, Mapping):
        raise BadDefinition("The schema must be an object that describes the tool's arguments.")
    try:
        text = dumps(raw if isinstance(raw, dict) else dict(raw))
        if len(text) > MAX_BYTES:
            raise BadDefinition(f"The schema is larger than {MAX_BYTES:,} bytes.")
        copy: JSONObject = loads(text)
    except ValueError as error:
        reason = "it is nested too deeply" if "ecursion" in str(error) else str(error)
        raise BadDefinition(f"The schema is not JSON: {reason}.") from error
    odd = Validator({}).problem(copy)
    if odd is not None:
        raise BadDefinition(f"The schema is not JSON that can be kept. {odd}")
    return copy


def _object_root(schema: JSONObject) -> JSONObject:
    """Arguments are named, so the root is one object; models are not offered a choice there."""
    schema = _folded(schema)
    for union in ("anyOf", "oneOf", "allOf", "not", "if"):
        if union in schema:
            raise BadDefinition(
                f"The schema has {union!r} at its root, which models do not take; "
                "put the choice into a property."
            )
    kind = schema.get("type", "object")
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        raise BadDefinition(f"The root of the schema must be an object, not {kind!r}.")
    rest = {key: value for key, value in schema.items() if key not in ("type", "properties")}
    return {"type": "object", "properties": schema.get("properties", {}), **rest}


def _folded(schema: JSONObject) -> JSONObject:
    """A root `allOf` of plain objects, as one object."""
    parts = schema.get("allOf")
    if not isinstance(parts, list):
        return schema
    whole = {key: value for key, value in schema.items() if key != "allOf"}
    for part in parts:
        if not isinstance(part, dict) or part.keys() - {"type", "properties", "required", *SAYS}:
            return schema
        properties = whole.setdefault("properties", {})
        for name, inner in part.get("properties", {}).items():
            if properties.setdefault(name, inner) != inner:
                return schema
        if part.get("type", "object") != whole.setdefault("type", "object"):
            return schema
        required = [*whole.get("required", ()), *part.get("required", ())]
        if required:
            whole["required"] = list(dict.fromkeys(required))
    return whole


def _convert(schema: Any, name: str | None) -> Any:
    """One schema of any dialect, in the words of 2020-12; unknown keywords are left behind."""
    if isinstance(schema, bool):
        return schema
    if isinstance(schema, str | list) or schema is None:
        schema = {"type": schema} if schema else {}
    if not isinstance(schema, dict):
        where = "" if name is None else f" of {name!r}"
        raise BadDefinition(f"The schema{where} must be an object, not {schema!r}.")
    made = _older_words(schema)
    out: JSONObject = _typed(made.pop("type", None), name)
    for key, value in made.items():
        if key in ("const", "default"):  # here null is a value
            out[key] = value
        elif (kept := _keyword(key, value, name)) is not None:
            out[key] = kept
    if schema.get("nullable") is True:
        _allow_null(out)
    _fit_enum(out)
    _fit_default(out)
    return out


def _older_words(schema: JSONObject) -> JSONObject:
    """What drafts 4 to 7 and OpenAPI said differently."""
    made = dict(schema)
    for limit, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(made.get(exclusive), bool) and made.pop(exclusive) and limit in made:
            made[exclusive] = made.pop(limit)
    if isinstance(made.get("items"), list):
        first, rest = made.pop("items"), made.get("additionalItems")
        if first:
            made["prefixItems"] = first
        if rest is not None:
            made["items"] = rest
    made.pop("additionalItems", None)
    for key, value in _mapping(made.pop("dependencies", None)).items():
        word = "dependentRequired" if isinstance(value, list) else "dependentSchemas"
        made.setdefault(word, {})[key] = value
    if "example" in made:
        made.setdefault("examples", [made.pop("example")])
    return made


def _keyword(key: str, value: Any, name: str | None) -> Any:
    """A keyword's value as 2020-12 takes it; None leaves the keyword out."""
    if key in NAMED_SCHEMAS:
        if not isinstance(value, dict):
            raise BadDefinition(f"{key!r} in the schema must be an object, not {value!r}.")
        return {inner: _convert(one, inner) for inner, one in value.items()}
    if key in LISTS_OF_SCHEMAS:
        return [_convert(one, name) for one in value] if isinstance(value, list) and value else None
    if key in ONE_SCHEMA:
        flag = _flag(value)
        return _convert(value, name) if flag is None else flag
    if key == "required":
        wanted = value if isinstance(value, list) else ()
        return list(dict.fromkeys(one for one in wanted if isinstance(one, str))) or None
    if key == "dependentRequired":
        return {k: v for k, v in _mapping(value).items() if isinstance(v, list)} or None
    if key in _NUMBERS or key in _COUNTS:
        number = _coerced(value, "integer" if key in _COUNTS else "number")
        positive = key not in _COUNTS and (key != "multipleOf" or (number or 0) > 0)
        return number if positive or (key in _COUNTS and (number or 0) >= 0) else None
    if key == "title":
        return value if isinstance(value, str) and not _repeats(value, name) else None
    if key == "pattern":
        return value if isinstance(value, str) and _is_pattern(value) else None
    if key in _TEXTS:
        return value if isinstance(value, str) else None
    if key in _FLAGS:
        return _flag(value)
    if key in ("enum", "examples"):
        return value if isinstance(value, list) and value else None
    return None


def _typed(kind: Any, name: str | None) -> JSONObject:
    """A `type`: a word or a list of words."""
    words = kind if isinstance(kind, list) else [kind]
    if kind is None or any(isinstance(word, str) and word.lower() == "any" for word in words):
        return {}
    if not all(isinstance(word, str) for word in words):
        where = "" if name is None else f" of {name!r}"
        raise BadDefinition(f"The type{where} must be a word, not {kind!r}.")
    known = list(dict.fromkeys(_TYPES.get(word.lower(), word) for word in words))
    return {"type": known[0] if len(known) == 1 else known}


def _allow_null(out: JSONObject) -> None:
    """OpenAPI's `nullable: true`."""
    kind = out.get("type")
    if kind is not None and kind != "null":
        kinds = kind if isinstance(kind, list) else [kind]
        out["type"] = [*kinds, *(() if "null" in kinds else ("null",))]
    for union in ("anyOf", "oneOf"):
        if union in out and {"type": "null"} not in out[union]:
            out[union] = [*out[union], {"type": "null"}]
    if "enum" in out and None not in out["enum"]:
        out["enum"] = [*out["enum"], None]


def _fit_enum(out: JSONObject) -> None:
    """Choices that the type rules out are dropped; when it rules out all, the choices are right."""
    options, kind = out.get("enum"), out.get("type")
    if not options or kind is None:
        return
    options = [one for place, one in enumerate(options) if not _among(one, options[:place])]
    kinds = kind if isinstance(kind, list) else [kind]
    fitting = [one for one in options if any(_is(one, each) for each in kinds)]
    if not fitting:
        mended = [_coerced(one, kinds[0]) for one in options]
        fitting = [] if None in mended else mended
    if fitting:
        out["enum"] = fitting
    elif "array" in kinds:
        out["items"] = {**(out.get("items") or {}), "enum": out.pop("enum")}
        _fit_enum(out["items"])
    else:
        del out["type"]


def _fit_default(out: JSONObject) -> None:
    """A default that does not fit is mended where that is plain, else left out."""
    if "default" not in out:
        return
    value, kind = out.pop("default"), out.get("type")
    try:
        fits = jsonschema_rs.Draft202012Validator(out, offline=True).is_valid
    except Exception:  # the schema itself is refused later, with its own reason
        return
    for candidate in (value, _coerced(value, kind) if isinstance(kind, str) else None):
        if (candidate is not None or value is None) and fits(candidate):
            out["default"] = candidate
            return


def _is(value: JSON, kind: str) -> bool:
    match value:
        case None:
            return kind == "null"
        case bool():
            return kind == "boolean"
        case int():
            return kind in ("integer", "number")
        case float():
            return kind == "number" or (kind == "integer" and value.is_integer())
        case str():
            return kind == "string"
        case list():
            return kind == "array"
        case _:
            return kind == "object"


def _coerced(value: JSON, kind: str) -> JSON:
    """The value as `kind`, where the text says it plainly (`"5"`, `"false"`); None otherwise."""
    if _is(value, kind):
        return value
    if kind == "string" and isinstance(value, int | float):
        return dumps(value)
    if not isinstance(value, str) or kind == "string":
        return None
    try:
        read = loads(value.strip().lower() if kind == "boolean" else value)
    except ValueError:
        return None
    return read if _is(read, kind) else None


def _among(value: JSON, others: list[JSON]) -> bool:
    """Whether the same JSON value occurs; `true` and `1` are two values."""
    return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in others)


def _flag(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.lower()) if isinstance(value, str) else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _repeats(title: str, name: str | None) -> bool:
    """Whether a title says no more than the property's name does."""
    bare = re.compile(r"[\W_]+")
    return name is not None and bare.sub("", title).lower() == bare.sub("", name).lower()


def _is_pattern(pattern: str) -> bool:
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True)
    except Exception:  # a dialect of regular expressions that the validator does not know
        return False
    return True
