from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from bancada.tools.validation import Validator
from tests.tools import drawn
from tests.tools.oracle import fits

ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "base": {"type": "integer", "minimum": 1},
        "unit": {"type": "string", "enum": ["cm", "in"]},
        "ratio": {"type": "number", "exclusiveMaximum": 1},
        "address": {
            "type": "object",
            "properties": {"city": {"type": "string", "minLength": 2}, "zip": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
        "items": {
            "type": "array",
            "maxItems": 3,
            "items": {"type": "object", "properties": {"price": {"type": "number"}}},
        },
        "when": {"anyOf": [{"type": "string", "pattern": "^\\d{4}$"}, {"type": "null"}]},
        "free": {},
    },
    "required": ["base"],
    "additionalProperties": False,
}


def problem(input: Any, schema: dict[str, Any] = ORDER) -> str:
    found = Validator(schema).problem(input)
    found = None if found is None else str(found)
    assert found is not None
    assert "\n" not in found
    assert found.endswith(".")
    return found


@pytest.mark.parametrize(
    ("input", "sentence"),
    [
        ({"base": "abc"}, "Field 'base': expected an integer, got the string \"abc\"."),
        ({"base": 1.5}, "Field 'base': expected an integer, got the number 1.5."),
        ({"base": None}, "Field 'base': expected an integer, got null."),
        ({"base": True}, "Field 'base': expected an integer, got true."),
        ({"base": 0}, "Field 'base': expected at least 1, got the integer 0."),
        ({}, "Field 'base' is required but missing; nothing was given."),
        ({"unit": "cm"}, "Field 'base' is required but missing; given: unit."),
        (
            {"base": 1, "unit": "m"},
            'Field \'unit\': expected one of "cm", "in", got the string "m".',
        ),
        ({"base": 1, "ratio": 1}, "Field 'ratio': expected less than 1, got the integer 1."),
        (
            {"base": 1, "address": {"city": 5}},
            "Field 'address.city': expected a string, got the integer 5.",
        ),
        (
            {"base": 1, "address": {"city": "P"}},
            "Field 'address.city': expected at least 2 characters, got the string \"P\".",
        ),
        (
            {"base": 1, "address": {}},
            "Field 'address.city' is required but missing; nothing was given.",
        ),
        (
            {"base": 1, "items": [{}, {}, {"price": "9"}]},
            "Field 'items[2].price': expected a number, got the string \"9\".",
        ),
        (
            {"base": 1, "items": [1, {}, {}, {}]},
            "Field 'items': expected at most 3 items, got an array of 4 items; "
            "also wrong: 'items[0]'.",
        ),
        (
            {"base": 1, "when": "soon"},
            'Field \'when\': expected text that matches "^\\\\d{4}$", got the string "soon".',
        ),
        ({"base": 1, "when": 3}, "Field 'when': expected a string or null, got the integer 3."),
    ],
)
def test_a_wrong_argument_is_told_in_one_sentence_that_names_the_field(
    input: dict[str, Any], sentence: str
) -> None:
    assert problem(input) == sentence


def test_an_unknown_field_is_answered_with_the_fields_that_exist_and_the_likely_one() -> None:
    said = problem({"base": 1, "unitt": "cm"})
    assert said.startswith("Field 'unitt' is not known; did you mean 'unit'?")
    assert "base, unit, ratio, address, items, when, free" in said
    nested = problem({"base": 1, "address": {"city": "Porto", "street": "x"}})
    assert nested.startswith("Field 'address.street' is not known")
    assert "the fields are city, zip" in nested


def test_several_problems_stay_one_sentence_that_names_every_field() -> None:
    said = problem({"unit": 1, "ratio": "x"})
    assert said.startswith("Field 'base' is required")
    assert "also wrong: 'unit', 'ratio'" in said


def test_of_a_union_the_branch_that_was_meant_is_explained() -> None:
    schema = {
        "type": "object",
        "properties": {
            "shape": {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}},
                        "required": ["kind", "radius"],
                    },
                    {
                        "type": "object",
                        "properties": {"kind": {"const": "square"}, "side": {"type": "number"}},
                        "required": ["kind", "side"],
                    },
                    {"type": "null"},
                ]
            }
        },
    }
    said = problem({"shape": {"kind": "square", "side": "2"}}, schema)
    assert said == "Field 'shape.side': expected a number, got the string \"2\"."
    assert "'shape.side' is required" in problem({"shape": {"kind": "square"}}, schema)


@pytest.mark.parametrize("input", [None, [], "x", 5, 1.5, True, object()])
def test_arguments_that_are_not_an_object_are_a_problem(input: Any) -> None:
    assert problem(input).startswith("The arguments must be an object")


@pytest.mark.parametrize(
    "odd",
    [
        float("nan"),
        float("-inf"),
        10**6000,
        "\ud800",
        {"\udfff": 1},
        {1: 2},
        b"bytes",
        (1, 2),
        object(),
        {"deep": [float("nan")]},
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_kept_as_json_is_a_problem_even_where_the_schema_allows_anything(
    odd: Any,
) -> None:
    assert "'free" in problem({"base": 1, "free": odd})


def test_nesting_without_end_is_a_problem_and_not_an_exception() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert "nested more than" in problem({"base": 1, "free": deep})
    circle: dict[str, Any] = {"base": 1}
    circle["free"] = circle
    assert "nested more than" in problem(circle)


def test_large_but_honest_input_is_accepted() -> None:
    validator = Validator(ORDER)
    nested: Any = 1
    for _ in range(100):
        nested = [nested]
    assert validator.problem({"base": 10**400, "free": nested}) is None
    assert validator.problem({"base": 1, "free": ["x" * 100_000] * 100}) is None


def test_whole_numbers_written_with_a_point_are_integers() -> None:
    assert Validator(ORDER).problem({"base": 1.0}) is None
    assert Validator(ORDER).problem({"base": 1e300}) is None


def test_long_values_are_shortened_in_the_sentence() -> None:
    assert len(problem({"base": "x" * 1_000_000})) < 300
    assert len(problem({"base": 1, "x" * 1_000_000: 1})) < 1_000
    assert len(problem({"base": 1, "items": [{"price": "x"}] * 100_000})) < 500


def test_a_schema_that_cannot_be_compiled_or_would_be_fetched_is_a_sentence_too() -> None:
    assert "could not be checked" in problem({"a": "x"}, {"properties": {"a": {"pattern": "["}}})
    assert "could not be checked" in problem({}, {"$ref": "http://127.0.0.1:9/schema.json"})


def test_formats_are_checked_and_unknown_ones_are_not() -> None:
    schema = {
        "type": "object",
        "properties": {"d": {"type": "string", "format": "date"}, "n": {"format": "uint32"}},
    }
    assert Validator(schema).problem({"d": "2026-01-31", "n": 7}) is None
    assert str(Validator(schema).problem({"d": "the day after tomorrow"})) == (
        "Field 'd': expected a date such as 2026-01-31, got the string \"the day after tomorrow\"."
    )


def test_one_validator_serves_many_threads() -> None:
    validator = Validator(ORDER)
    verdicts: list[bool] = []

    def check() -> None:
        verdicts.extend(
            validator.problem({"base": n if n % 2 else "x"}) is None for n in range(200)
        )

    threads = [threading.Thread(target=check) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts.count(True) == verdicts.count(False) == 800


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(drawn.schemas, drawn.inputs)
def test_the_verdict_is_that_of_the_specification(
    schema: dict[str, Any], input: dict[str, Any]
) -> None:
    found = Validator(schema).problem(input)
    found = None if found is None else str(found)
    assert (found is None) == fits(schema, input), found
    assert found is None or (found.endswith(".") and "could not be checked" not in found)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(drawn.schemas, drawn.anything)
def test_no_input_makes_it_raise(schema: dict[str, Any], input: Any) -> None:
    found = Validator(schema).problem(input)
    found = None if found is None else str(found)
    assert found is None or found.endswith(".")
