"""Conditions on arguments, as an administrator writes them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from bancada import Invalid
from bancada.domain.shapes import fitted
from bancada.policy.predicates import OPERATORS, Condition, holds

INPUT = {
    "amount": 100,
    "name": "Linha 3",
    "tags": ["a", "b"],
    "who": {"role": "admin"},
    "lines": [{}],
}


CONDITION = TypeAdapter[Any](Condition)


def check_predicate(condition: Any) -> None:
    fitted(CONDITION, condition)


@pytest.mark.parametrize(
    ("field", "op", "value", "expected"),
    [
        ("amount", "==", 100, True),
        ("amount", "!=", 100, False),
        ("amount", ">", 99, True),
        ("amount", ">", 100, False),
        ("amount", ">=", 100, True),
        ("amount", "<", 100, False),
        ("amount", "<=", 100, True),
        ("amount", "in", [1, 100], True),
        ("amount", "in", [1], False),
        ("name", "contains", "Linha", True),
        ("tags", "contains", "b", True),
        ("tags", "contains", "c", False),
        ("name", "matches", r"^Linha \d$", True),
        ("name", "matches", r"^\d", False),
        ("amount", "matches", "^1", True),
        ("name", "present", True, True),
        ("name", "present", False, False),
        ("other", "present", True, False),
        ("other", "present", False, True),
        ("who.role", "==", "admin", True),
        ("who.name", "present", True, False),
        ("amount.role", "present", True, False),
        # What is not there is compared with nothing.
        ("other", ">", 1, False),
        ("other", "contains", "a", False),
        ("other", "==", None, True),
        ("other", "!=", 1, True),
        # What cannot be compared counts as true: a person is asked.
        ("name", ">", 3, True),
        ("amount", "contains", 1, True),
        ("amount", "in", 7, True),
        ("lines.amount", ">", 100, True),
        ("lines.amount", "present", True, True),
    ],
)
def test_a_condition_is_true_of_some_arguments(
    field: str, op: str, value: Any, expected: bool
) -> None:
    condition = {"field": field, "op": op, "value": value}

    check_predicate(condition)
    assert holds(condition, INPUT) is expected


YES = {"field": "amount", "op": ">", "value": 1}
NO = {"field": "amount", "op": "<", "value": 1}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"all": [YES, YES]}, True),
        ({"all": [YES, NO]}, False),
        ({"any": [NO, YES]}, True),
        ({"any": [NO, NO]}, False),
        ({"any": [{"all": [YES, NO]}, {"any": [YES]}]}, True),
    ],
)
def test_conditions_are_joined(condition: Any, expected: bool) -> None:
    check_predicate(condition)
    assert holds(condition, INPUT) is expected


@pytest.mark.parametrize(
    "condition",
    [
        None,
        [],
        "amount > 1",
        {},
        {"field": "a"},
        {"op": "=="},
        {"field": 1, "op": "=="},
        {"field": "a", "op": "~"},
        {"all": []},
        {"any": {}},
        {"all": [{"field": "a"}]},
        {"field": "a", "op": "matches", "value": "("},
        {"field": "a", "op": ["=="]},
    ],
)
def test_a_condition_that_could_never_be_evaluated_is_refused(condition: Any) -> None:
    with pytest.raises(Invalid):
        check_predicate(condition)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=5,
)


@given(op=st.sampled_from(sorted(OPERATORS)), value=anything, input=anything)
def test_a_condition_that_was_taken_always_has_an_answer(op: str, value: Any, input: Any) -> None:
    condition = {"field": "a", "op": op, "value": value}
    try:
        check_predicate(condition)
    except Invalid:
        return
    assert holds(condition, input) in (True, False)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ({"field": "a"}, "op: falta."),
        ({"all": [{"field": "a", "op": 1}]}, "all.0.op: tem de ser '==', "),
        ({"any": [{"all": []}]}, "any.0.all: tem elementos a menos"),
    ],
)
def test_what_is_wrong_with_a_condition_is_said_of_its_field(condition: Any, said: str) -> None:
    with pytest.raises(Invalid) as refused:
        check_predicate(condition)
    assert refused.value.wording.told("pt").startswith(said)
