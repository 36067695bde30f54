"""Function schemas and arguments of another collection, with known verdicts."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import jsonschema_rs
import orjson
import pytest

from bancada.tools.normalise import normalise, normalise_name
from bancada.tools.validation import Validator
from tests.shared import SHARED, needs_shared

pytestmark = needs_shared


@cache
def functions() -> dict[int, dict[str, Any]]:
    lines = (SHARED / "bfcl" / "functions.jsonl").read_bytes().splitlines()
    return {shape["i"]: shape for shape in map(orjson.loads, lines)}


@cache
def calls() -> list[dict[str, Any]]:
    return [
        orjson.loads(line) for line in (SHARED / "bfcl" / "args.jsonl").read_bytes().splitlines()
    ]


def field_of(why: str) -> str | None:
    """The field that a refusal must name, where the reason says which it is."""
    missing = re.match(r"required (\S+) missing", why)
    if missing:
        return missing[1]
    named = re.match(r"(?!gold)([^\s:]+): ", why)
    return named[1] if named else None


def test_every_foreign_schema_becomes_valid_2020_12_with_an_object_at_its_root() -> None:
    assert functions()
    for shape in functions().values():
        schema = normalise(shape["raw"])
        jsonschema_rs.meta.validate(
            {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
        )
        assert schema["type"] == "object"
        assert normalise(schema) == schema, "what is normal stays as it is"


def test_every_foreign_name_becomes_the_name_the_interface_takes() -> None:
    for shape in functions().values():
        assert normalise_name(shape["name"]) == shape["api_name"]


@pytest.mark.parametrize("source", ["raw", "input_schema"])
def test_every_known_verdict_is_ours_and_every_refusal_names_the_field(source: str) -> None:
    assert calls()
    validators = {
        number: Validator(normalise(shape["raw"]) if source == "raw" else shape["input_schema"])
        for number, shape in functions().items()
    }
    for call in calls():
        found = validators[call["fn"]].problem(call["args"])
        assert (found is None) == call["valid"], (call, found)
        field = field_of(call["why"])
        if found is not None and field is not None:
            assert str(found).startswith(f"Field '{field}'"), (call, found)
