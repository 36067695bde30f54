from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, Required, TypedDict

import annotated_types
import jsonschema_rs
import pytest
from pydantic import BaseModel, Field, field_validator

from bancada.domain.errors import BadDefinition, ToolFailed
from bancada.domain.json import JSONObject
from bancada.tools.schema import Arguments, signature_of
from bancada.tools.tool import Result
from bancada.tools.validation import Validator

if TYPE_CHECKING:
    from somewhere import Unreachable


class Context:
    """What a tool runs within."""


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Colourless(BaseModel):
    pass


class Address(BaseModel):
    """Where something is."""

    city: str = Field(description="The city.", min_length=2)
    title: str | None = None
    zip: Annotated[int, "Postal code."] = 1000


@dataclass
class Point:
    """A place on the plan.

    Attributes:
        y: Upwards.
    """

    x: Annotated[float, "To the right."]
    y: float = 0.0
    tags: list[str] = field(default_factory=list)


class Options(TypedDict, total=False):
    """How to draw it."""

    colour: Required[Colour]
    widths: list[Annotated[int, "In pixels."]]
    at: NotRequired[Point]


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    barks: bool


class Tree(BaseModel):
    children: list[Tree] = []


class Knot(TypedDict):
    next: Knot | None


def read(function: Callable[..., Any]) -> Arguments:
    """The signature, whose schema is always valid, complete in itself and the same again."""
    arguments = signature_of(function, context=Context)
    jsonschema_rs.meta.validate(arguments.schema)
    text = json.dumps(arguments.schema)
    assert "$ref" not in text
    assert "$defs" not in text
    assert json.dumps(signature_of(function, context=Context).schema) == text
    return arguments


def properties(function: Callable[..., Any]) -> dict[str, Any]:
    found: dict[str, Any] = read(function).schema["properties"]
    return found


def test_names_types_defaults_and_docstring_become_the_schema() -> None:
    async def contar(context: Context, linha: str, dias: int = 7, tudo: bool | None = None) -> int:
        """Count the defects of a line.

        Only finished pieces count.

        Args:
            linha: The line's name,
                as in `listar_linhas`.
            dias (int): How many days back: at most a year.

        Returns:
            How many.
        """
        return 0

    arguments = read(contar)
    assert arguments.schema == {
        "type": "object",
        "properties": {
            "linha": {"type": "string", "description": "The line's name, as in `listar_linhas`."},
            "dias": {
                "type": "integer",
                "description": "How many days back: at most a year.",
                "default": 7,
            },
            "tudo": {"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": None},
        },
        "required": ["linha"],
        "additionalProperties": False,
    }
    assert arguments.description == (
        "Count the defects of a line.\n\nOnly finished pieces count.\n\nReturns:\n    How many."
    )
    assert arguments.output_schema is None


def test_a_function_without_parameters_takes_an_empty_object() -> None:
    def now() -> str:
        return ""

    arguments = read(now)
    assert arguments.schema == {"type": "object", "properties": {}, "additionalProperties": False}
    assert arguments.description == ""
    assert arguments.bind(Context(), {}) == {}


def test_models_dataclasses_and_typed_dicts_are_written_out_with_their_texts() -> None:
    def draw(where: Address, at: Point, how: Options) -> None: ...

    found = properties(draw)
    assert found["where"] == {
        "type": "object",
        "description": "Where something is.",
        "properties": {
            "city": {"type": "string", "description": "The city.", "minLength": 2},
            "title": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
            "zip": {"type": "integer", "description": "Postal code.", "default": 1000},
        },
        "required": ["city"],
    }
    point = {
        "type": "object",
        "description": "A place on the plan.",
        "properties": {
            "x": {"type": "number", "description": "To the right."},
            "y": {"type": "number", "description": "Upwards.", "default": 0.0},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["x"],
    }
    assert found["at"] == point
    assert found["how"] == {
        "type": "object",
        "description": "How to draw it.",
        "properties": {
            "colour": {"type": "string", "enum": ["red", "blue"]},
            "widths": {"type": "array", "items": {"type": "integer", "description": "In pixels."}},
            "at": point,
        },
        "required": ["colour"],
    }


def test_a_title_is_dropped_but_a_field_called_title_is_not() -> None:
    def rename(title: str, where: Address) -> None: ...

    found = properties(rename)
    assert found["title"] == {"type": "string"}
    assert "title" in found["where"]["properties"]
    assert "title" not in found["where"]


def test_enums_literals_dates_and_containers() -> None:
    def many(
        colour: Colour,
        level: Level,
        size: Literal["s", "m"],
        day: date,
        moment: datetime,
        pair: tuple[int, str],
        by_name: dict[str, Point],
        anything: Any,
        object_: dict[str, Any],
        either: int | list[str],
        unique: set[str] = frozenset(),
    ) -> None: ...

    found = properties(many)
    assert found["colour"] == {"type": "string", "enum": ["red", "blue"]}
    assert found["level"] == {"type": "integer", "enum": [1, 2]}
    assert found["size"] == {"type": "string", "enum": ["s", "m"]}
    assert found["day"] == {"type": "string", "format": "date"}
    assert found["moment"] == {"type": "string", "format": "date-time"}
    assert [one["type"] for one in found["pair"]["prefixItems"]] == ["integer", "string"]
    assert found["by_name"]["additionalProperties"]["required"] == ["x"]
    assert found["anything"] == {}
    assert found["object_"] == {"type": "object"}
    assert [one["type"] for one in found["either"]["anyOf"]] == ["integer", "array"]
    assert found["unique"]["uniqueItems"] is True
    assert found["unique"]["default"] == []


def test_constraints_come_from_fields_and_annotated_types() -> None:
    def limit(
        a: Annotated[int, Field(ge=1, le=5, description="From one to five.")],
        b: Annotated[list[int], annotated_types.Len(1, 3)],
        c: Annotated[int, annotated_types.Gt(0), "How many."] = 1,
        d: int = Field(4, multiple_of=2, description="Even."),
        e: Annotated[str, Field(pattern="^x", alias="from")] = "x",
    ) -> None:
        """Limit.

        Args:
            a: Hidden by the field's own description.
        """

    found = properties(limit)
    assert found["a"] == {
        "type": "integer",
        "description": "From one to five.",
        "maximum": 5,
        "minimum": 1,
    }
    assert (found["b"]["minItems"], found["b"]["maxItems"]) == (1, 3)
    assert found["c"]["exclusiveMinimum"] == 0
    assert found["c"]["description"] == "How many."
    assert found["d"] == {"type": "integer", "description": "Even.", "default": 4, "multipleOf": 2}
    assert found["from"]["pattern"] == "^x"


def test_tagged_unions_keep_only_what_json_schema_knows() -> None:
    def feed(animal: Annotated[Cat | Dog, Field(discriminator="kind")]) -> None: ...

    found = properties(feed)["animal"]
    assert found.keys() == {"oneOf"}
    validator = Validator(read(feed).schema)
    assert validator.problem({"animal": {"kind": "dog", "barks": True}}) is None
    assert "'animal.barks' is required" in str(validator.problem({"animal": {"kind": "dog"}}))


def test_binding_builds_what_the_function_expects_and_leaves_defaults_to_python() -> None:
    def draw(
        context: Context,
        where: Address,
        at: Point,
        how: Options,
        day: date,
        level: Level,
        pair: tuple[int, str],
        count: int,
        unset: int = 3,
        field_default: int = Field(default=8),
        renamed: Annotated[str, Field(alias="from")] = "",
    ) -> None: ...

    context = Context()
    bound = read(draw).bind(
        context,
        {
            "where": {"city": "Porto"},
            "at": {"x": 1},
            "how": {"colour": "red", "at": {"x": 2, "y": 3}},
            "day": "2026-02-28",
            "level": 2,
            "pair": [1, "a"],
            "count": 4.0,
            "from": "here",
        },
    )
    assert bound == {
        "context": context,
        "where": Address(city="Porto"),
        "at": Point(1.0),
        "how": {"colour": Colour.RED, "at": Point(2.0, 3.0)},
        "day": date(2026, 2, 28),
        "level": Level.HIGH,
        "pair": (1, "a"),
        "count": 4,
        "field_default": 8,
        "renamed": "here",
    }
    assert type(bound["count"]) is int


def test_a_value_that_only_the_author_refuses_is_told_to_the_model_by_field() -> None:
    class Span(BaseModel):
        days: list[date]

        @field_validator("days")
        @classmethod
        def some(cls, days: list[date]) -> list[date]:
            if not days:
                raise ValueError("no day was given")
            return days

    def plan(span: Span) -> None: ...

    arguments = read(plan)
    with pytest.raises(ToolFailed, match=r"^Field 'span\.days': .*no day was given\.$"):
        arguments.bind(Context(), {"span": {"days": []}})
    with pytest.raises(ToolFailed, match=r"^Field 'span\.days\[1\]': .*date"):
        arguments.bind(Context(), {"span": {"days": ["2026-01-01", "tomorrow"]}})


def test_a_function_made_again_of_the_same_code_is_not_read_again() -> None:
    def made(closed_over: int) -> Callable[..., int]:
        def use(context: Context, many: int = 3) -> int:
            return many + closed_over

        return use

    first, second = (signature_of(made(n), context=Context) for n in (1, 2))
    assert first is second


def test_functions_of_the_same_code_with_other_types_or_defaults_are_each_read() -> None:
    def made(kind: Any, usual: Any) -> JSONObject:
        def use(value, flag=usual):  # type: ignore[no-untyped-def]
            return value, flag

        use.__annotations__ = {"value": kind, "flag": int | bool}
        return signature_of(use, context=Context).schema["properties"]

    def local(kind: type) -> str:
        class Local(kind):  # type: ignore[misc, valid-type]
            pass

        def use(value: Local) -> None:
            pass

        return str(signature_of(use, context=Context).schema["properties"])

    assert made(int, 1) == {**made(int, 1), "value": {"type": "integer"}}
    assert made(str, 1)["value"] == {"type": "string"}
    assert made(str, 1)["flag"]["default"] is not True
    assert made(str, True)["flag"]["default"] is True
    assert local(Address) != local(Colourless)


def test_types_that_are_local_to_a_function_are_found() -> None:
    class Local(BaseModel):
        a: int

    def use(local: Local) -> list[Local]:
        return [local]

    arguments = read(use)
    assert arguments.schema["properties"]["local"]["required"] == ["a"]
    assert arguments.bind(None, {"local": {"a": 1}}) == {"local": Local(a=1)}


def test_methods_are_read_without_self() -> None:
    class Tools:
        def count(self, line: str) -> int:
            return 0

    assert list(properties(Tools().count)) == ["line"]


def test_the_context_is_found_wherever_and_however_it_is_annotated() -> None:
    def last(a: int, context: Annotated[Context, "not shown"]) -> None: ...
    def maybe(context: Context | None, a: int) -> None: ...

    for function in (last, maybe):
        arguments = read(function)
        assert list(arguments.schema["properties"]) == ["a"]
        assert arguments.bind("it", {"a": 1}) == {"a": 1, "context": "it"}


def test_a_default_without_a_json_form_makes_the_parameter_optional_and_is_not_shown() -> None:
    def mark(a: int = object(), b: int = None, c: float = float("nan")) -> None: ...  # noqa: RUF013

    arguments = read(mark)
    assert "required" not in arguments.schema
    assert arguments.schema["properties"] == {
        "a": {"type": "integer"},
        "b": {"type": "integer"},
        "c": {"type": "number"},
    }


def test_a_structured_return_type_becomes_the_output_schema() -> None:
    def one() -> Point: ...
    def many() -> list[Address]: ...
    def maybe() -> Options | None: ...
    def money() -> dict[str, Decimal]: ...

    assert read(one).output_schema is not None
    assert read(one).output_schema["required"] == ["x"]
    assert read(many).output_schema["items"]["type"] == "object"
    assert len(read(maybe).output_schema["anyOf"]) == 2
    assert read(money).output_schema["additionalProperties"]["anyOf"]


def test_a_return_type_that_says_little_has_no_output_schema() -> None:
    def text() -> str: ...
    def nothing() -> None: ...
    def any_() -> Any: ...
    def object_() -> dict[str, Any]: ...
    def list_() -> list[Any]: ...
    def result() -> Result: ...
    def either() -> Result | Point: ...
    def endless() -> Tree: ...
    def unsaid(): ...

    for function in (text, nothing, any_, object_, list_, result, either, endless, unsaid):
        assert read(function).output_schema is None, function.__name__


def _star(*values: int) -> None: ...
def _stars(**values: int) -> None: ...
def _bare(value) -> None: ...
def _positional(value: int, /) -> None: ...
def _callback(value: Callable[[int], int]) -> None: ...
def _machine(value: range) -> None: ...
def _tree(value: Tree) -> None: ...
def _knot(value: Knot) -> None: ...
def _unreachable(value: Unreachable) -> None: ...
def _twice(a: Context, b: Context) -> None: ...
def _clash(a: Annotated[int, Field(alias="b")], b: int) -> None: ...


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (_star, r"\*values accepts anything"),
        (_stars, r"\*\*values accepts anything"),
        (_bare, "'value' has no annotation"),
        (_positional, "'value' is positional-only"),
        (_callback, "'value' has a type without a JSON form"),
        (_machine, "'value' has a type that cannot come from JSON"),
        (_tree, "'value': The type 'Tree' contains itself"),
        (_knot, "'value': The type 'Knot' contains itself"),
        (_unreachable, "'Unreachable' is not defined"),
        (_twice, "two parameters are annotated Context"),
        (_clash, "two parameters are called 'b'"),
    ],
)
def test_a_signature_that_cannot_be_told_to_a_model_is_refused_with_the_reason(
    function: Callable[..., Any], reason: str
) -> None:
    with pytest.raises(BadDefinition, match=rf"^{function.__name__}: .*{reason}"):
        signature_of(function, context=Context)
