"""Experiments: the same variant always, and nothing claimed that the data does not show."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from pydantic import ValidationError

from bancada.domain.agents import Agent
from bancada.policy.experiments import (
    ENOUGH,
    Comparison,
    Sums,
    VariantOutcome,
    as_shapes,
    assigned,
    compare,
    estimate,
    outcomes,
    read_variants,
    varied,
)

AGENT = Agent(name="A", description="", system_prompt="p", tools=("x", "y"), code="local")
TWO: list[dict[str, Any]] = [
    {"name": "control", "changes": {}},
    {"name": "no tools", "changes": {"tools_off": True}},
]


def sums(values: list[float]) -> Sums:
    return Sums(len(values), sum(values), sum(value * value for value in values))


def outcome(name: str, **measures: list[float]) -> VariantOutcome:
    return VariantOutcome(
        variant=name,
        conversations=max(map(len, measures.values())),
        measures={measure: sums(values) for measure, values in measures.items()},  # type: ignore[misc]
    )


def verdict(measure: str, first: list[float], other: list[float]) -> Comparison:
    compared = compare([outcome("a", **{measure: first}), outcome("b", **{measure: other})])
    return next(one for one in compared if one.measure == measure)


# ---------------------------------------------------------------------------- assignment


def test_a_conversation_has_the_same_variant_wherever_it_is_asked() -> None:
    variants = read_variants(TWO)
    again = read_variants(as_shapes(variants))
    for n in range(200):
        assert assigned(7, f"c{n}", variants) == assigned(7, f"c{n}", again)
    # Pinned: a conversation must not change sides with a new release.
    assert [assigned(7, f"c{n}", variants).name for n in range(6)] == PINNED


PINNED = ["no tools", "no tools", "no tools", "control", "no tools", "no tools"]


def test_each_variant_comes_as_often_as_its_weight_says() -> None:
    shapes = [
        {"name": "a", "weight": 1, "changes": {}},
        {"name": "b", "weight": 3, "changes": {"model": "m"}},
    ]
    variants = read_variants(shapes)
    counts = Counter(assigned(1, f"conversation {n}", variants).name for n in range(8_000))
    assert 0.72 < counts["b"] / 8_000 < 0.78


def test_two_experiments_do_not_share_their_draw() -> None:
    variants = read_variants(TWO)
    same = sum(
        assigned(1, f"c{n}", variants) == assigned(2, f"c{n}", variants) for n in range(2_000)
    )
    assert 0.45 < same / 2_000 < 0.55


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"tools_off": True}, {"tools": (), "code": "direct"}),
        ({"tools": ["x"]}, {"tools": ("x",)}),
        ({"code": "direct"}, {"code": "direct"}),
        ({"model": "m", "system_prompt": "q", "effort": "low"},
         {"model": "m", "system_prompt": "q", "effort": "low"}),
        ({}, {}),
    ],
)  # fmt: skip
def test_a_variant_changes_what_it_says_and_nothing_else(
    changes: dict[str, Any], expected: dict[str, Any]
) -> None:
    variant = read_variants(
        [{"name": "v", "changes": changes}, {"name": "w", "changes": {"model": "z"}}]
    )[0]
    changed = varied(AGENT, variant)
    assert changed == Agent(**{**vars(AGENT), **expected})


@pytest.mark.parametrize(
    ("shapes", "why"),
    [
        ([], "at least 2"),
        (TWO[:1], "at least 2"),
        (TWO * 5, "at most 8"),
        ([TWO[0], {"name": "other", "changes": {}}], "nothing to compare"),
        ([TWO[0], {"name": "control", "changes": {"model": "m"}}], "its own name"),
        ([TWO[0], {"name": "", "changes": {"model": "m"}}], "string_pattern_mismatch"),
        ([TWO[0], {"name": "b", "changes": {"id": 1}}], "changes.id"),
        ([TWO[0], {"name": "b", "changes": {"mode": "loud"}}], "changes.mode"),
        ([TWO[0], {"name": "b", "changes": {"code": "magic"}}], "changes.code"),
        ([TWO[0], {"name": "b", "changes": {"tools": "x"}}], "changes.tools"),
        ([TWO[0], {"name": "b", "changes": {"model": ""}}], "at least 1 character"),
        ([TWO[0], {"name": "b", "changes": {"tools_off": True, "tools": ["x"]}}], "contradict"),
        ([TWO[0], {"name": "b", "weight": 0, "changes": {"model": "m"}}], "weight"),
        ([TWO[0], "b"], "model_type"),
        ("ab", "list_type"),
    ],
)
def test_variants_that_mean_nothing_are_refused(shapes: Any, why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        read_variants(shapes)


# ---------------------------------------------------------------------------- comparison


def test_with_few_conversations_nothing_is_said_however_large_the_difference() -> None:
    few = verdict("cost_usd", [1.0, 1.1] * 14, [9.0, 9.1] * 14)
    assert (few.verdict, few.needed) == ("not_enough_data", 2)
    assert few.difference == pytest.approx(8.0)
    none = verdict("thumbs_up", [], [1.0])
    assert (none.verdict, none.difference, none.low, none.needed) == (
        "not_enough_data", None, None, ENOUGH,
    )  # fmt: skip


def test_a_clear_difference_is_better_or_worse_by_what_is_measured() -> None:
    low, high = [0.9, 1.0, 1.1] * 20, [1.9, 2.0, 2.1] * 20
    assert verdict("cost_usd", low, high).verdict == "worse"
    assert verdict("latency_s", high, low).verdict == "better"
    assert verdict("turns", low, high).verdict == "different"
    assert (
        verdict("thumbs_up", [0.0] * 40 + [1.0] * 10, [1.0] * 40 + [0.0] * 10).verdict == "better"
    )
    assert verdict("errors", [0.0] * 50, [0.0] * 50).verdict == "no_difference"


def test_the_interval_is_students() -> None:
    # Ten values with mean 5 and variance 10: t(9) = 2.262.
    ten = estimate(Sums(10, 50.0, 250.0 + 90.0))
    assert ten.mean == 5.0
    assert ten.high is not None
    assert ten.high - 5.0 == pytest.approx(2.262 * 1.0, rel=0.005)
    two = estimate(sums([0.0, 2.0]))
    assert two.high is not None
    assert two.high - 1.0 == pytest.approx(12.706, rel=0.001)
    assert estimate(sums([3.0])).low is None
    assert estimate(Sums()).mean is None


def test_equal_variants_are_called_different_about_one_time_in_twenty() -> None:
    chance = random.Random(5)
    wrong = 0
    for _ in range(400):
        a = [chance.lognormvariate(0, 0.6) for _ in range(40)]
        b = [chance.lognormvariate(0, 0.6) for _ in range(40)]
        wrong += verdict("latency_s", a, b).verdict != "no_difference"
    assert 8 <= wrong <= 36


def test_many_variants_do_not_make_chance_findings_likelier() -> None:
    chance = random.Random(6)
    wrong = 0
    for _ in range(200):
        drawn = [
            outcome(f"v{n}", latency_s=[chance.gauss(1, 0.3) for _ in range(40)]) for n in range(6)
        ]
        compared = [one for one in compare(drawn) if one.measure == "latency_s"]
        wrong += any(one.verdict != "no_difference" for one in compared)
    assert wrong <= 20


def test_outcomes_keep_the_experiments_order_and_miss_nothing() -> None:
    variants = read_variants(TWO)
    found = outcomes(variants, {"no tools": 3}, [("no tools", "turns", Sums(3, 6.0, 14.0))])
    assert [one.variant for one in found] == ["control", "no tools"]
    assert [one.conversations for one in found] == [0, 3]
    assert found[1].measures["turns"].mean == 2.0
    assert found[0].measures["errors"].n == 0
    assert len(compare(found)) == 5
    assert compare([]) == []
