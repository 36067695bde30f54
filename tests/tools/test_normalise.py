from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bancada.domain.errors import BadDefinition
from bancada.tools.normalise import normalise, normalise_name
from bancada.tools.references import MAX_DEPTH
from bancada.tools.validation import Validator
from tests.tools import drawn


def of(inner: Any) -> Any:
    """What a single property becomes."""
    return normalise({"type": "object", "properties": {"x": inner}})["properties"]["x"]


@pytest.mark.parametrize(
    ("foreign", "ours"),
    [
        ("dict", "object"),
        ("HashMap", "object"),
        ("Hashtable", "object"),
        ("map", "object"),
        ("tuple", "array"),
        ("list", "array"),
        ("Array", "array"),
        ("ArrayList", "array"),
        ("Queue", "array"),
        ("Stack", "array"),
        ("Set", "array"),
        ("float", "number"),
        ("Double", "number"),
        ("decimal", "number"),
        ("int", "integer"),
        ("long", "integer"),
        ("short", "integer"),
        ("byte", "integer"),
        ("Bigint", "integer"),
        ("bool", "boolean"),
        ("Boolean", "boolean"),
        ("String", "string"),
        ("char", "string"),
        ("None", "null"),
        ("integer", "integer"),
    ],
)
def test_type_names_of_other_languages_are_understood(foreign: str, ours: str) -> None:
    assert of({"type": foreign}) == {"type": ours}


def test_any_is_no_type_and_several_types_stay_several() -> None:
    assert of({"type": "Any"}) == {}
    assert of({"type": ["dict", "any"]}) == {}
    assert of({"type": ["str", "null"]}) == {"type": ["string", "null"]}


def test_a_tuple_with_places_keeps_them() -> None:
    older = of({"type": "array", "items": [{"type": "str"}], "additionalItems": False})
    assert older == {"type": "array", "prefixItems": [{"type": "string"}], "items": False}


@pytest.mark.parametrize(
    ("raw", "default"),
    [
        ({"type": "boolean", "default": "false"}, False),
        ({"type": "boolean", "default": "True"}, True),
        ({"type": "int", "default": "5"}, 5),
        ({"type": "float", "default": "1.5"}, 1.5),
        ({"type": "string", "default": 5}, "5"),
        ({"type": "array", "default": "[]"}, []),
        ({"type": "integer", "default": 3}, 3),
    ],
)
def test_a_default_that_plainly_means_its_type_is_mended(raw: Any, default: Any) -> None:
    mended = of(raw)["default"]
    assert mended == default
    assert type(mended) is type(default)


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "array", "default": "all"},
        {"type": "string", "default": None},
        {"type": "integer", "default": "many"},
        {"type": "string", "enum": ["a"], "default": "b"},
    ],
)
def test_a_default_that_cannot_fit_is_left_out(raw: Any) -> None:
    assert "default" not in of(raw)


def test_choices_that_the_type_rules_out_are_dropped_or_believed() -> None:
    assert of({"type": "string", "enum": ["a", 1, None]})["enum"] == ["a"]
    assert of({"type": "integer", "enum": ["1", "2"]}) == {"type": "integer", "enum": [1, 2]}
    assert of({"type": "integer", "enum": ["low", "high"]}) == {"enum": ["low", "high"]}
    listed = of({"type": "array", "items": {"type": "string"}, "enum": ["a", "b"]})
    assert listed == {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}


def test_openapi_and_older_drafts_are_said_in_2020_12() -> None:
    assert of({"type": "string", "nullable": True, "enum": ["a"]}) == {
        "type": ["string", "null"],
        "enum": ["a", None],
    }
    assert of({"type": "number", "minimum": 0, "exclusiveMinimum": True}) == {
        "type": "number",
        "exclusiveMinimum": 0,
    }
    assert of({"type": "number", "maximum": 9, "exclusiveMaximum": False}) == {
        "type": "number",
        "maximum": 9,
    }
    assert of({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}) == {
        "dependentRequired": {"a": ["b"]},
        "dependentSchemas": {"c": {"required": ["d"]}},
    }
    assert of({"type": "string", "example": "x", "xml": {}, "x-order": 3}) == {
        "type": "string",
        "examples": ["x"],
    }
    assert of({"type": "string", "minLength": "2", "maxLength": -1, "pattern": "(?P<a"}) == {
        "type": "string",
        "minLength": 2,
    }


def test_references_in_older_words_are_written_out_too() -> None:
    raw = {
        "dependencies": {"a": {"$ref": "#/definitions/B"}},
        "definitions": {"B": {"type": "dict"}},
    }
    assert normalise(raw)["dependentSchemas"] == {"a": {"type": "object"}}


def test_a_property_may_be_called_like_a_keyword() -> None:
    raw = {"properties": {"type": {"type": "str"}, "properties": {"type": "dict"}, "$ref": {}}}
    assert normalise(raw)["properties"] == {
        "type": {"type": "string"},
        "properties": {"type": "object"},
        "$ref": {},
    }


def test_local_references_are_written_out() -> None:
    schema = normalise(
        {
            "$ref": "#/definitions/Order",
            "definitions": {
                "Order": {
                    "type": "object",
                    "properties": {
                        "to": {"$ref": "#/definitions/Place~1City", "description": "Where to."},
                        "from": {"$ref": "#/definitions/Place~1City"},
                        "small": {"$ref": "#/definitions/Count", "maximum": 5},
                        "tight": {"$ref": "#/definitions/Count", "minimum": 5},
                    },
                },
                "Place/City": {"type": "object", "properties": {"name": {"type": "String"}}},
                "Count": {"type": "int", "minimum": 0},
            },
        }
    )
    place = {"type": "object", "properties": {"name": {"type": "string"}}}
    assert schema["properties"]["to"] == {**place, "description": "Where to."}
    assert schema["properties"]["from"] == place
    assert schema["properties"]["small"] == {"type": "integer", "minimum": 0, "maximum": 5}
    check = Validator(schema)
    assert check.problem({"tight": 4}) is not None
    assert check.problem({"tight": 5}) is None
    assert "definitions" not in schema


def _laughs() -> dict[str, Any]:
    """Small to write, without end when written out."""
    defs: dict[str, Any] = {"n0": {"type": "string"}}
    for n in range(1, 15):
        defs[f"n{n}"] = {"type": "array", "prefixItems": [{"$ref": f"#/$defs/n{n - 1}"}] * 4}
    return {"type": "object", "properties": {"x": {"$ref": "#/$defs/n14"}}, "$defs": defs}


def _nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ({"properties": {"a": {"$ref": "#"}}}, "contains itself"),
        (
            {
                "properties": {"a": {"$ref": "#/$defs/Tree"}},
                "$defs": {"Tree": {"properties": {"kids": {"items": {"$ref": "#/$defs/Tree"}}}}},
            },
            "'Tree' contains itself",
        ),
        ({"properties": {"a": {"$ref": "https://example.com/a.json"}}}, "another document"),
        ({"properties": {"a": {"$ref": "other.json#/a"}}}, "another document"),
        ({"properties": {"a": {"$ref": "#/$defs/missing"}}}, "leads nowhere"),
        ({"properties": {"a": {"$ref": "#anchor"}}}, "does not lead to a schema"),
        ({"properties": {"a": {"$dynamicRef": "#a"}}}, "dynamicRef"),
        ({"properties": [{"name": "a"}]}, "'properties' in the schema must be an object"),
        ({"anyOf": [{"type": "object"}, {"type": "string"}]}, "'anyOf' at its root"),
        ({"type": "object", "oneOf": [{"required": ["a"]}]}, "'oneOf' at its root"),
        ({"type": "array", "items": {}}, "must be an object"),
        ({"type": "string"}, "must be an object"),
        ({"type": 5}, "must be a word"),
        ({"properties": {"a": {"type": {"x": 1}}}}, "type of 'a' must be a word"),
        ({"properties": {"a": 5}}, "schema of 'a' must be an object"),
        ([], "must be an object"),
        ("string", "must be an object"),
        (True, "must be an object"),
        ({"properties": {"a": {"default": object()}}}, "not JSON"),
        ({"description": "\ud800"}, "half of a surrogate pair"),
        ({"description": "x" * 300_000}, "larger than"),
        (_nested(MAX_DEPTH + 10), "levels deep"),
        (_nested(20_000), "too deeply"),
        (_laughs(), "parts when written out"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 60 else "",
)
def test_what_cannot_be_said_is_refused_with_the_reason(raw: Any, reason: str) -> None:
    with pytest.raises(BadDefinition, match=re.escape(reason)):
        normalise(raw)


def test_no_schema_means_no_arguments() -> None:
    empty = {"type": "object", "properties": {}}
    assert normalise(None) == normalise({}) == normalise({"type": "dict"}) == empty


def test_a_root_of_several_parts_becomes_one_object() -> None:
    schema = normalise(
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "int"}}, "required": ["a"]},
                {"properties": {"b": {"type": "str"}}},
            ]
        }
    )
    assert schema == {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
        "required": ["a"],
    }


def test_what_was_given_is_not_changed() -> None:
    raw = {"type": "dict", "properties": {"a": {"type": "float", "default": "1"}}}
    normalise(raw)
    assert raw == {"type": "dict", "properties": {"a": {"type": "float", "default": "1"}}}


def test_titles_that_only_repeat_the_name_are_dropped() -> None:
    assert of({"type": "string", "title": "X"}) == {"type": "string"}
    assert of({"type": "string", "title": "Postal code"})["title"] == "Postal code"


@pytest.mark.parametrize(
    ("name", "fit"),
    [
        ("math.factorial", "math_factorial"),
        ("get weather!", "get_weather_"),
        ("produção", "producao"),
        ("already_fine-1", "already_fine-1"),
        ("x" * 64, "x" * 64),
    ],
)
def test_names_are_made_to_fit(name: str, fit: str) -> None:
    assert normalise_name(name) == fit


def test_names_that_lose_letters_stay_apart() -> None:
    names = ["天気", "株価", "", "x" * 65, "x" * 66, "a" * 64 + ".b", "a" * 64 + ".c", "\ud800"]
    made = {normalise_name(name) for name in names}
    assert len(made) == len(names)


@given(st.text(st.characters(), max_size=100))
def test_every_name_fits_the_pattern_and_is_stable(name: str) -> None:
    made = normalise_name(name)
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", made)
    assert normalise_name(made) == made


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(drawn.schemas, drawn.inputs)
def test_a_schema_that_was_normal_keeps_its_verdicts(
    schema: dict[str, Any], input: dict[str, Any]
) -> None:
    """Except where nothing at all could fit: choices against their type are then believed."""
    wrapped = {"type": "object", "properties": {"x": schema}}
    made = normalise(wrapped)
    if Validator(wrapped).problem({"x": input}) is None:
        assert Validator(made).problem({"x": input}) is None
    elif not _believes(schema):
        assert Validator(made).problem({"x": input}) is not None


def _believes(schema: Any) -> bool:
    if isinstance(schema, dict):
        return "enum" in schema or any(_believes(inner) for inner in schema.values())
    return isinstance(schema, list) and any(_believes(inner) for inner in schema)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.recursive(
        drawn.anything,
        lambda inner: st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "required", "enum", "default", "anyOf", "$ref",
                 "minimum", "nullable", "pattern", "dependencies", "additionalProperties", "x"]
            ),
            inner | st.sampled_from(["string", "dict", "List[int]", "#", "#/properties", True, []]),
            max_size=4,
        ),
        max_leaves=8,
    )
)  # fmt: skip
def test_whatever_comes_is_made_valid_or_refused(raw: Any) -> None:
    try:
        schema = normalise(raw)
    except BadDefinition:
        return
    assert schema["type"] == "object"
    jsonschema_rs.meta.validate(schema)
    found = Validator(schema).problem({})
    assert found is None or "could not be checked" not in str(found)
