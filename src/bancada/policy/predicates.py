"""Conditions on a call's arguments, as an administrator writes them.

`{"field": "amount", "op": ">", "value": 100}`, or `{"all": […]}`, `{"any": […]}`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from bancada.domain.errors import Invalid, misfit
from bancada.domain.json import JSON, JSONObject
from bancada.domain.shapes import AnyJSON, Shape, passing
from bancada.tools.patterns import compiled, found_in

Operator = Literal["==", "!=", ">", ">=", "<", "<=", "in", "contains", "matches", "present"]
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "in": lambda found, value: found in value,
    "contains": lambda found, value: value in found,
    "matches": lambda found, value: found_in(value, str(found)),
    "present": lambda found, value: (found is not None) == bool(value),
}


_pattern = passing(compiled)


class FieldCondition(Shape):
    """One field of the arguments, compared with a value; `a.b` goes into an object."""

    field: str
    op: Operator
    value: AnyJSON = None

    @model_validator(mode="after")
    def _can_match(self) -> Self:
        if self.op == "matches":
            if not isinstance(self.value, str):
                raise misfit("misfit_string_type")
            _pattern(self.value)
        return self


class AllOf(Shape):
    """Every one of these holds."""

    all: Annotated[list[Condition], Field(min_length=1)]


class AnyOf(Shape):
    """One of these holds."""

    any: Annotated[list[Condition], Field(min_length=1)]


def _form(given: Any) -> str:
    for name, form in (("all", AllOf), ("any", AnyOf)):
        if isinstance(given, form) or (isinstance(given, dict) and name in given):
            return f"<{name}>"
    return "<field>"


Condition = Annotated[
    Annotated[FieldCondition, Tag("<field>")]
    | Annotated[AllOf, Tag("<all>")]
    | Annotated[AnyOf, Tag("<any>")],
    Discriminator(_form),
]
"""`{field, op, value}`, `{all: […]}` or `{any: […]}`."""


def fields_of(condition: JSONObject) -> Iterator[str]:
    """The fields that a condition names."""
    for word in ("all", "any"):
        if word in condition:
            for part in condition[word]:
                yield from fields_of(part)
            return
    yield condition["field"]


def holds(condition: JSONObject, input: JSON) -> bool:
    """Whether the condition is true of these arguments.

    What cannot be compared counts as true: where in doubt, a person is asked.
    """
    if "all" in condition:
        return all(holds(part, input) for part in condition["all"])
    if "any" in condition:
        return any(holds(part, input) for part in condition["any"])
    try:
        found = _at(input, condition["field"])
        if found is None and condition["op"] not in ("present", "==", "!="):
            return False
        return bool(OPERATORS[condition["op"]](found, condition.get("value")))
    except (TypeError, ValueError, Invalid):
        return True


def _at(input: JSON, path: str) -> JSON:
    for part in path.split("."):
        if isinstance(input, list):
            raise TypeError("which of them is meant is not known")
        if not isinstance(input, dict) or part not in input:
            return None
        input = input[part]
    return input
