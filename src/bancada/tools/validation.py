"""Check a call's arguments against its tool's schema, and say in one sentence what is wrong.

The verdict is jsonschema-rs's; the sentence is ours, because the model that reads it has to
find the field and mend it. Some values pass a schema but are not JSON that can be stored and
sent on (NaN, lone surrogates, integers without end, endless nesting): they are problems too.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias

import jsonschema_rs
from jsonschema_rs import ValidationError, ValidationErrorKind

from bancada.domain.json import JSON, JSONObject, dumps
from bancada.domain.wording import Either, Wording
from bancada.tools.patterns import IN_SCHEMAS

MAX_DEPTH = 128
"""Nesting beyond this is refused: the JSON writer stops at 254, and envelopes need some of it."""
_MAX_INTEGER_BITS = 14_000
"""Python reads and writes integers of up to 4,300 digits as text."""
_MAX_ERRORS = 50

_Path = tuple[str | int, ...]


class _Odd(Exception):
    """A value that is not storable JSON: where it is, and what is the matter."""

    def __init__(self, path: _Path, key: str, /, **parts: Any) -> None:
        reason = Wording(key, **parts)
        super().__init__(reason)
        self.path = path
        self.reason = reason


class Validator:
    """One schema, compiled when first needed; safe to share between threads."""

    def __init__(self, schema: JSONObject, literal: Sequence[str] = ()) -> None:
        """`literal`: fields that name values of the data; there only an empty text is nothing."""
        self.schema = schema
        self.literal = literal

    @cached_property
    def _compiled(self) -> jsonschema_rs.Validator:
        return jsonschema_rs.Draft202012Validator(
            self.schema, validate_formats=True, offline=True, pattern_options=IN_SCHEMAS
        )

    def without_blanks(self, input: JSON, *, filters: bool = False) -> JSON:
        """The input without optional fields that hold `""` or `"null"`, which stand for nothing.

        Small models fill in every field they are shown. Where the schema names such a text as a
        choice, it is one. `filters`: the optional fields of a tool that only reads narrow down what
        is read, so `"all"` in one of them stands for nothing too.
        """
        filled = _filled(input, self.schema, BLANKS | EVERYTHING if filters else BLANKS)
        if filled is input or not isinstance(input, dict):
            return filled
        said = {name: input[name] for name in self.literal if str(input.get(name) or "").strip()}
        return {**filled, **said}

    def problem(self, input: JSON) -> Wording | None:
        """None when the input fits, else one sentence for the model. Never raises."""
        if not isinstance(input, dict):
            return Wording("arguments_no_object", got=described(input))
        try:
            _refuse_odd(input, (), MAX_DEPTH)
        except _Odd as odd:
            where = _subject(path_text(odd.path))
            return Wording("one_wrong", problem=Wording("odd", where=where, reason=odd.reason))
        try:
            if self._compiled.is_valid(input):
                return None
            errors = list(islice(self._compiled.iter_errors(input), _MAX_ERRORS))
            return explained(errors, input, self.schema)
        except Exception as error:
            reason = str(error).partition("\n")[0][:200]
            return Wording("not_checked", reason=reason)


BLANKS = frozenset(("", "null", "none", "nil", "nulo", "nenhum", "nenhuma", "undefined", "n/a"))
EVERYTHING = frozenset(("all", "any", "*", "todos", "todas", "tudo", "qualquer"))
"""What models write where they mean that nothing is to be left out."""


def stands_for_nothing(text: str) -> bool:
    """Whether a text is one of those that models write for no value, or for every one."""
    return text.strip().lower() in BLANKS | EVERYTHING


NO_VALUE = "</parameter>"
"""The end of an argument in the markup of some templates: where it comes first, nothing stood before it."""
PLACEHOLDER = "value_"
"""Before a value in the examples of some servers' templates, which small models repeat."""


def _filled(value: JSON, schema: Any, blanks: frozenset[str]) -> JSON:
    """Shares what did not change with the value it was given."""
    if not isinstance(schema, dict):
        return value
    if isinstance(value, list):
        items = [_filled(each, schema.get("items"), blanks) for each in value]
        return (
            items if any(new is not old for new, old in zip(items, value, strict=True)) else value
        )
    if not isinstance(value, dict):
        return value
    known, required = schema.get("properties") or {}, schema.get("required") or ()
    kept = {
        name: _filled(each, known.get(name), blanks)
        for name, each in value.items()
        if name in required or name not in known or not _is_blank(each, known[name], blanks)
    }
    same = len(kept) == len(value) and all(kept[name] is value[name] for name in kept)
    return value if same else kept


def _is_blank(value: JSON, schema: Any, blanks: frozenset[str]) -> bool:
    if not isinstance(schema, dict) or not isinstance(value, str):
        return False
    said = value.strip().lower()
    if not said.startswith(NO_VALUE) and said.removeprefix(PLACEHOLDER) not in blanks:
        return False
    return value not in (schema.get("enum") or ()) and schema.get("const") != value


def _refuse_odd(value: Any, path: _Path, depth: int) -> None:
    """Raise `_Odd` at the first value that cannot be stored as JSON and read back the same."""
    kind = type(value)
    if kind is str:
        if not value.isascii():
            _refuse_surrogates(value, path)
    elif kind is int:
        if value.bit_length() > _MAX_INTEGER_BITS:
            raise _Odd(path, "too_many_digits")
    elif kind is float:
        if value - value != 0:
            raise _Odd(path, "not_finite", got=described(value))
    elif kind is dict:
        if depth == 0:
            raise _Odd(path[:4], "nested_too_deep", levels=MAX_DEPTH)
        for key, inner in value.items():
            if type(key) is not str:
                raise _Odd(path, "names_are_strings", got=described(key))
            if not key.isascii():
                _refuse_surrogates(key, path)
            _refuse_odd(inner, (*path, key), depth - 1)
    elif kind is list:
        if depth == 0:
            raise _Odd(path[:4], "nested_too_deep", levels=MAX_DEPTH)
        for place, inner in enumerate(value):
            _refuse_odd(inner, (*path, place), depth - 1)
    elif not (value is None or kind is bool):
        raise _Odd(path, "not_json", kind=kind.__name__)


def _refuse_surrogates(text: str, path: _Path) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _Odd(path, "half_a_pair") from None


Kind: TypeAlias = ValidationErrorKind

_MAX_VALUE = 60
_MAX_NAMES = 20
_FORMATS = frozenset(("date", "date-time", "email", "uri", "uuid"))
_TYPES = frozenset(("integer", "number", "string", "boolean", "array", "object", "null"))


def path_text(path: Iterable[str | int]) -> str:
    """`items[2].price`: how a path is written in a sentence."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else str(part)
    return text if len(text) <= 200 else text[:199] + "…"


def described(value: JSON) -> Wording:
    """A value in a few words: its type, and the value itself when it is short."""
    if value is None or value is True or value is False:
        return Wording("as_said", text={None: "null", True: "true", False: "false"}[value])
    if isinstance(value, str):
        return Wording("the_string", value=_shown(value)) if value else Wording("empty_string")
    if isinstance(value, int):
        return Wording("the_integer", value=_shown(value))
    if isinstance(value, float):
        return Wording("the_number", value=_shown(value))
    if isinstance(value, list):
        items = _counted(len(value), "item")
        return Wording("array_of", items=items) if value else Wording("empty_array")
    if isinstance(value, dict):
        return Wording("object_with", names=_names(value)) if value else Wording("empty_object")
    return Wording("as_said", text=f"a Python {type(value).__name__}")


def explained(errors: Sequence[ValidationError], input: JSONObject, schema: JSONObject) -> Wording:
    """One sentence: the most telling error in full, the fields of the others by name."""
    found = [_most_telling(error, input) for error in errors]
    found.sort(key=_urgency)
    first = found[0]
    sentence = _sentence(first, input, schema)
    named = {_field(first)}
    others: list[str] = []
    for error in found[1:]:
        field = _field(error)
        if field and field not in named:
            named.add(field)
            others.append(f"'{field}'")
    if not others:
        return Wording("one_wrong", problem=sentence)
    more = ", ".join(others[:5]) + (", …" if len(others) > 5 else "")
    return Wording("several_wrong", problem=sentence, others=more)


def _urgency(error: ValidationError) -> int:
    return {"required": 0, "additionalProperties": 1}.get(error.kind.name, 2)


def _most_telling(error: ValidationError, input: JSON) -> ValidationError:
    """Of a union's branches, the one that was most likely meant, down to its own error."""
    kind = error.kind
    if not isinstance(kind, Kind.AnyOf | Kind.OneOfNotValid):
        return error
    branches = [branch for branch in kind.context if branch]
    here = error.instance_path

    def misfit(branch: Sequence[ValidationError]) -> tuple[bool, bool, int]:
        wrong_type = any(e.kind.name == "type" and e.instance_path == here for e in branch)
        other_variant = any(e.kind.name in ("const", "enum") for e in branch)
        return wrong_type, other_variant, len(branch)

    fitting = [branch for branch in branches if not misfit(branch)[0]]
    if not fitting:
        return error
    best = min(fitting, key=misfit)
    best = sorted(best, key=_urgency)
    if (
        len(fitting) > 1
        and best[0].instance_path == here
        and best[0].kind.name in ("enum", "const")
    ):
        return error
    return _most_telling(best[0], input)


def _field(error: ValidationError) -> str:
    """The field a sentence about this error is about."""
    path = list(error.instance_path)
    match error.kind:
        case Kind.Required(name):
            path.append(name)
        case Kind.AdditionalProperties(names) | Kind.UnevaluatedProperties(names) if names:
            path.append(names[0])
    return path_text(path)


def _subject(field: str) -> Wording:
    return Wording("field_named", field=field) if field else Wording("the_arguments")


def _sentence(error: ValidationError, input: JSON, schema: JSONObject) -> Wording:
    field, value = _field(error), _at(input, error.instance_path)
    where = _subject(field)
    match error.kind:
        case Kind.Required():
            return Wording("field_missing", field=field, given=_given(value))
        case Kind.AdditionalProperties(names) | Kind.UnevaluatedProperties(names):
            known = _known(error, schema, names, value)
            return Wording("field_unknown", field=field, known=known)
        case Kind.AdditionalItems(limit):
            most = Wording("at_most", limit=_counted(limit, "item"))
            return Wording("field_expected", where=where, expected=most, got=described(value))
        case Kind.FalseSchema():
            return Wording("field_forbidden", where=where)
        case Kind.OneOfMultipleValid():
            return Wording("fits_several", where=where, got=described(value))
        case Kind.PropertyNames(inner):
            name, expected = _shown(inner.instance), _expected(inner.kind)
            return Wording("name_not_allowed", where=where, name=name, expected=expected)
        case kind:
            expected = _expected(kind)
            return Wording("field_expected", where=where, expected=expected, got=described(value))


def _expected(kind: ValidationErrorKind) -> Wording | Either:
    match kind:
        case Kind.Type(types):
            return Either(_type(one) for one in types)
        case Kind.Enum(options):
            return Wording("one_of", options=_list(options))
        case Kind.Constant(expected):
            return Wording("as_said", text=_shown(expected))
        case Kind.Minimum(limit):
            return Wording("at_least", limit=limit)
        case Kind.Maximum(limit):
            return Wording("at_most", limit=limit)
        case Kind.ExclusiveMinimum(limit):
            return Wording("more_than", limit=limit)
        case Kind.ExclusiveMaximum(limit):
            return Wording("less_than", limit=limit)
        case Kind.MultipleOf(step):
            return Wording("multiple_of", step=step)
        case Kind.MinLength(limit):
            return Wording("at_least", limit=_counted(limit, "character"))
        case Kind.MaxLength(limit):
            return Wording("at_most", limit=_counted(limit, "character"))
        case Kind.MinItems(limit):
            return Wording("at_least", limit=_counted(limit, "item"))
        case Kind.MaxItems(limit):
            return Wording("at_most", limit=_counted(limit, "item"))
        case Kind.MinProperties(limit):
            return Wording("at_least", limit=_counted(limit, "field"))
        case Kind.MaxProperties(limit):
            return Wording("at_most", limit=_counted(limit, "field"))
        case Kind.UniqueItems():
            return Wording("all_different")
        case Kind.Pattern(pattern):
            return Wording("text_matching", pattern=_shown(pattern))
        case Kind.Format(name):
            key = f"format_{name.replace('-', '_')}"
            return Wording(key) if name in _FORMATS else Wording("as_said", text=f"a {name}")
        case Kind.Contains():
            return Wording("array_with_item")
        case Kind.AnyOf(context) | Kind.OneOfNotValid(context):
            return Either(dict.fromkeys(_expected(errors[0].kind) for errors in context if errors))
        case _:
            return Wording("value_meeting", what=kind.name)


def _type(name: str) -> Wording:
    return Wording(f"a_{name}") if name in _TYPES else Wording("as_said", text=name)


def _given(value: JSON) -> Wording:
    if not isinstance(value, dict) or not value:
        return Wording("nothing_given")
    return Wording("given", names=_names(value))


def _known(
    error: ValidationError, schema: JSONObject, names: Sequence[str], value: JSON
) -> Wording:
    known = _properties(schema, error.schema_path)
    if not known:
        return Wording("no_fields")
    close = difflib.get_close_matches(names[0], known, 1) if names else []
    missing = [name for name in close if not (isinstance(value, dict) and name in value)]
    if missing:
        return Wording("did_you_mean", name=missing[0], names=_names(known))
    return Wording("fields_are", names=_names(known))


def _properties(schema: Any, path: Sequence[str | int]) -> list[str]:
    """The fields that exist beside the keyword at this place in the schema."""
    place = schema
    for part in path[:-1]:
        try:
            place = place[part]
        except (KeyError, IndexError, TypeError):
            return []
    return list(place.get("properties", ())) if isinstance(place, dict) else []


def _at(input: JSON, path: Iterable[str | int]) -> JSON:
    for part in path:
        input = input[part]
    return input


def _shown(value: JSON) -> str:
    """A value as JSON, cut to a readable length."""
    if isinstance(value, str) and len(value) > _MAX_VALUE:
        value = value[: _MAX_VALUE - 1] + "…"
    if isinstance(value, int) and value.bit_length() > _MAX_INTEGER_BITS:
        text = "with thousands of digits"  # Python refuses to write it out
    elif isinstance(value, float | int) and not isinstance(value, bool):
        text = repr(value)
    else:
        text = dumps(value)
    return text if len(text) <= 2 * _MAX_VALUE else text[: 2 * _MAX_VALUE] + "…"


def _names(names: Iterable[str]) -> str:
    known = [name if len(name) <= _MAX_VALUE else name[:_MAX_VALUE] + "…" for name in names]
    more = f" and {len(known) - _MAX_NAMES} more" if len(known) > _MAX_NAMES else ""
    return ", ".join(known[:_MAX_NAMES]) + more


def _list(options: Sequence[JSON]) -> str:
    more = f", … ({len(options)} in all)" if len(options) > _MAX_NAMES else ""
    return ", ".join(_shown(option) for option in options[:_MAX_NAMES]) + more


def _counted(number: int, noun: str) -> Wording:
    return Wording(f"one_{noun}" if number == 1 else f"many_{noun}s", number=number)
