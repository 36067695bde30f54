"""Conditions on a call's arguments, as an administrator writes them.

`{"field": "amount", "op": ">", "value": 100}`, or `{"all": […]}`, `{"any": […]}`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from bancada.domain.errors import BadDefinition
from bancada.domain.json import JSON, JSONObject
from bancada.tools.patterns import check_pattern, found_in

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


def check_predicate(condition: JSON) -> None:
    """Refuse a condition that could never be evaluated, saying why."""
    if not isinstance(condition, dict):
        raise BadDefinition(
            "A condition is an object: {field, op, value}, {all: […]} or {any: […]}."
        )
    for word in ("all", "any"):
        if word in condition:
            parts = condition[word]
            if not isinstance(parts, list) or not parts:
                raise BadDefinition(f"'{word}' needs a list of conditions.")
            for part in parts:
                check_predicate(part)
            return
    field, op = condition.get("field"), condition.get("op")
    if not (isinstance(field, str) and isinstance(op, str) and op in OPERATORS):
        raise BadDefinition(f"A condition needs 'field' and 'op', one of {', '.join(OPERATORS)}.")
    if condition["op"] == "matches":
        check_pattern(condition.get("value"))


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
    except (TypeError, ValueError, BadDefinition):
        return True


def _at(input: JSON, path: str) -> JSON:
    for part in path.split("."):
        if isinstance(input, list):
            raise TypeError("which of them is meant is not known")
        if not isinstance(input, dict) or part not in input:
            return None
        input = input[part]
    return input
