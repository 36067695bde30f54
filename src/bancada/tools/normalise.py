"""Schemas from elsewhere, made into JSON Schema 2020-12 that models and validators both take.

MCP servers, custom tools and imported collections bring older drafts, OpenAPI's variations and
the type names of several languages. What 2020-12 can say is said in it; the rest is refused
with `BadDefinition`, whose text tells the author why. Nothing is ever fetched.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

import jsonschema_rs

from bancada.domain.errors import BadDefinition
from bancada.domain.json import JSON, JSONObject, dumps, loads
from bancada.tools.validation import Validator

MAX_DEPTH = 48
"""Levels of a schema; a model loses its way long before."""
MAX_PARTS = 5_000
MAX_BYTES = 200_000

_SCHEMA = frozenset((
    "items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames",
    "unevaluatedProperties", "unevaluatedItems", "contentSchema", "additionalItems",
))  # fmt: skip
"""Keywords whose value is a schema."""
_SCHEMAS = frozenset(("anyOf", "oneOf", "allOf", "prefixItems"))
"""Keywords whose value is a list of schemas."""
_NAMED_SCHEMAS = frozenset(("properties", "patternProperties", "dependentSchemas", "dependencies"))
"""Keywords whose value holds schemas by name."""
_DEFINITIONS = frozenset(("$defs", "definitions", "components"))
_NUMBERS = frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"))
_COUNTS = frozenset((
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
    "minContains", "maxContains",
))  # fmt: skip
_TEXTS = frozenset((
    "description", "title", "format", "pattern", "contentEncoding", "contentMediaType",
))  # fmt: skip
_FLAGS = frozenset(("uniqueItems", "deprecated", "readOnly", "writeOnly"))
_SAYS = frozenset(("description", "title", "default", "examples", "deprecated"))
"""Keywords that only tell, and may stand beside a `$ref` without changing what it allows."""

_ORDER = {
    key: place
    for place, key in enumerate((
        "type", "description", "enum", "const", "format", "properties", "required",
        "additionalProperties", "items", "prefixItems", "anyOf", "oneOf", "allOf", "default",
    ))
}  # fmt: skip

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


def each_subschema(schema: JSONObject, change: Callable[[Any], Any]) -> JSONObject:
    """The schema with `change` applied to each schema directly inside it; data stays as it is."""
    changed: JSONObject = {}
    for key, value in schema.items():
        if key in _NAMED_SCHEMAS and isinstance(value, dict):
            changed[key] = {name: change(inner) for name, inner in value.items()}
        elif (key in _SCHEMAS or key == "items") and isinstance(value, list):
            changed[key] = [change(inner) for inner in value]
        elif key in _SCHEMA and isinstance(value, dict):
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
    asks = {key: value for key, value in beside.items() if key not in _SAYS}
    if not asks.keys() & target.keys():
        return {**target, **beside}
    says = {key: value for key, value in beside.items() if key in _SAYS}
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
        if not isinstance(part, dict) or part.keys() - {"type", "properties", "required", *_SAYS}:
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
    if "$ref" in schema:
        raise BadDefinition(f"The reference {schema['$ref']!r} stands where it cannot be followed.")
    made = _older_words(schema)
    typed = _typed(made.pop("type", None), name)
    said = typed.pop("description", None)
    if said and not made.get("description"):
        made["description"] = said
    out: JSONObject = dict(typed)
    for key, value in made.items():
        if key in ("const", "default"):  # here null is a value
            out[key] = value
        elif (kept := _keyword(key, value, name)) is not None:
            out[key] = kept
    _require_flagged(out, schema.get("properties"))
    if schema.get("nullable") is True:
        _allow_null(out)
    _fit_enum(out)
    _fit_default(out)
    return out


def _older_words(schema: JSONObject) -> JSONObject:
    """What drafts 3 to 7 and OpenAPI said differently."""
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
    if isinstance(made.get("properties"), list):
        named = [one for one in made["properties"] if isinstance(one, dict) and "name" in one]
        made["properties"] = {
            str(one["name"]): {k: v for k, v in one.items() if k != "name"} for one in named
        }
    for old, new in (("divisibleBy", "multipleOf"), ("extends", "allOf")):
        if old in made:
            made.setdefault(new, made.pop(old))
    if isinstance(made.get("allOf"), dict):
        made["allOf"] = [made["allOf"]]
    for key, value in _mapping(made.pop("dependencies", None)).items():
        word = "dependentRequired" if isinstance(value, list) else "dependentSchemas"
        made.setdefault(word, {})[key] = value
    if "example" in made:
        made.setdefault("examples", [made.pop("example")])
    return made


def _keyword(key: str, value: Any, name: str | None) -> Any:
    """A keyword's value as 2020-12 takes it; None leaves the keyword out."""
    if key in _NAMED_SCHEMAS:
        return {inner: _convert(one, inner) for inner, one in _mapping(value).items()}
    if key in _SCHEMAS:
        return [_convert(one, name) for one in value] if isinstance(value, list) and value else None
    if key in _SCHEMA:
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
    """A `type` of any language: a name, a list of names, or an expression such as `List[int]`."""
    if kind is None:
        return {}
    if isinstance(kind, list):
        return _union(
            [_typed(one, name) if isinstance(one, str) else _convert(one, name) for one in kind]
        )
    if isinstance(kind, str):
        return _type_expression(kind.strip()[:300])
    where = "" if name is None else f" of {name!r}"
    raise BadDefinition(f"The type{where} must be a word, not {kind!r}.")


def _type_expression(text: str) -> JSONObject:
    low = text.lower().rsplit(".", 1)[-1]
    if low in _TYPES:
        found = {} if _TYPES[low] == "any" else {"type": _TYPES[low]}
        return {**found, "format": _FORMATS[low]} if low in _FORMATS else found
    choices = _split(text, "|") if "|" in text else re.split(r"\s+or\s+", text)
    if len(choices) > 1:
        return _union([_type_expression(one) for one in choices])
    if text.endswith("?"):
        return _union([_type_expression(text[:-1]), {"type": "null"}])
    if text.endswith("[]"):
        return {"type": "array", "items": _type_expression(text[:-2])}
    listed = re.fullmatch(r"(?i)(?:array|list|set)\s+of\s+(\w+?)s?", text)
    if listed:
        return {"type": "array", "items": _type_expression(listed[1])}
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
        return _union([_type_expression(inner[0]), {"type": "null"}])
    if base in ("union", "annotated"):
        return _union(
            [_type_expression(one) for one in (inner[:1] if base == "annotated" else inner)]
        )
    if kind == "array":
        if base == "tuple" and len(inner) > 1 and inner[-1] != "...":
            places = [_type_expression(one) for one in inner]
            return {
                "type": kind,
                "prefixItems": places,
                "minItems": len(inner),
                "maxItems": len(inner),
            }
        return {"type": kind, "items": _type_expression(inner[0])}
    if kind == "object":
        values = _type_expression(inner[1]) if len(inner) > 1 else {}
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


def _union(choices: list[Any]) -> JSONObject:
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


def _require_flagged(out: JSONObject, raw: Any) -> None:
    """Draft 3 said `required: true` inside each property; since draft 4 the object lists them."""
    if isinstance(raw, list):
        raw = {one["name"]: one for one in raw if isinstance(one, dict) and "name" in one}
    flagged = [
        name
        for name, inner in _mapping(raw).items()
        if isinstance(inner, dict) and _flag(inner.get("required")) is True
    ]
    if flagged:
        out["required"] = list(dict.fromkeys([*out.get("required", ()), *flagged]))


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
