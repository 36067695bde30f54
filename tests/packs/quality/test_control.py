from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.packs.quality.control import D2, D3, capability, p_chart, western_electric, xbar_r


def range_moments(size: int, points: int) -> tuple[float, float]:
    """Mean and mean square of the range of `size` normal values, by the trapezium rule."""
    x = np.linspace(-8, 8, points)
    step = x[1] - x[0]
    below = np.array([0.5 * (1 + math.erf(v / math.sqrt(2))) for v in x])
    mean = float(np.sum(1 - (1 - below) ** size - below**size) * step)
    inside = np.clip(below[None, :] - below[:, None], 0, None)
    joint = 1 - below[None, :] ** size - (1 - below[:, None]) ** size + inside**size
    square = 2 * (np.triu(joint, 1).sum() + 0.5 * np.trace(joint)) * step * step
    return mean, float(square)


@pytest.mark.parametrize("size", sorted(D2))
def test_constants_are_the_moments_of_the_range(size: int) -> None:
    mean, fine = range_moments(size, 801)
    _, coarse = range_moments(size, 401)
    # Halving the step quarters the error of the diagonal: this removes it.
    square = (4 * fine - coarse) / 3
    assert D2[size] == pytest.approx(mean, abs=1e-5)
    assert D3[size] == pytest.approx(math.sqrt(square - mean**2), abs=1.5e-5)


def test_xbar_r_limits_are_those_of_the_textbook_factors() -> None:
    groups = [
        [10.0, 12.0, 11.0, 9.0, 10.0],
        [11.0, 13.0, 10.0, 12.0, 9.0],
        [9.0, 9.0, 12.0, 10.0, 11.0],
    ]
    x_chart, r_chart = xbar_r(groups)
    centre, spread = np.mean([np.mean(g) for g in groups]), np.mean([np.ptp(g) for g in groups])
    assert x_chart.centre == pytest.approx(centre)
    assert x_chart.upper[0] == pytest.approx(centre + 0.577 * spread, abs=1e-3)
    assert x_chart.lower[0] == pytest.approx(centre - 0.577 * spread, abs=1e-3)
    assert r_chart.upper[0] == pytest.approx(2.114 * spread, abs=2e-3)
    assert r_chart.lower[0] == 0


def test_large_subgroups_have_a_lower_limit_for_the_range() -> None:
    chance = random.Random(4)
    _, r_chart = xbar_r([[chance.gauss(0, 1) for _ in range(10)] for _ in range(5)])
    assert r_chart.lower[0] == pytest.approx(0.223 * r_chart.centre, rel=5e-3)


def test_p_chart_has_limits_of_its_own_for_each_sample() -> None:
    chart = p_chart([5, 10, 0], [100, 200, 50])
    centre = 15 / 350
    assert chart.centre == centre
    for n, upper, lower in zip([100, 200, 50], chart.upper, chart.lower, strict=True):
        sigma = math.sqrt(centre * (1 - centre) / n)
        assert upper == pytest.approx(centre + 3 * sigma)
        assert lower == pytest.approx(max(0, centre - 3 * sigma))


def test_p_limits_stay_between_nothing_and_everything() -> None:
    chart = p_chart([9, 10, 10], [10, 10, 10])
    assert max(chart.upper) == 1
    assert p_chart([0, 0], [10, 10]).signals == ()


def rules(deviations: list[float]) -> list[tuple[int, tuple[int, ...]]]:
    return [(signal.rule, signal.points) for signal in western_electric(deviations)]


def test_one_point_beyond_three_sigma_breaks_rule_one() -> None:
    assert rules([0, 3.1, 0]) == [(1, (2,))]
    assert rules([0, -3.1, 0]) == [(1, (2,))]
    assert rules([0, 3.0, -3.0]) == []


def test_two_of_three_beyond_two_sigma_break_rule_two() -> None:
    assert rules([2.1, 0, 2.2]) == [(2, (1, 3))]
    assert rules([2.1, -2.2, 0]) == []
    assert rules([2.1, 0, 0, 2.2]) == []


def test_four_of_five_beyond_one_sigma_break_rule_three() -> None:
    assert rules([1.1, 1.2, 0, 1.3, 1.4]) == [(3, (1, 2, 4, 5))]
    assert rules([1.1, 1.2, 0, 1.3, -1.4]) == []


def test_eight_on_one_side_break_rule_four() -> None:
    assert rules([0.1] * 8) == [(4, tuple(range(1, 9)))]
    assert rules([0.1] * 7 + [0.0] + [0.1]) == []
    assert rules([-0.1] * 9) == [(4, tuple(range(1, 9))), (4, tuple(range(2, 10)))]


@given(st.lists(st.floats(-4, 4), max_size=40))
def test_a_mirrored_process_signals_the_same(deviations: list[float]) -> None:
    assert rules(deviations) == rules([-one for one in deviations])


@given(st.lists(st.floats(-4, 4), max_size=40))
def test_rules_agree_with_a_plain_reading_of_them(deviations: list[float]) -> None:
    plain = set()
    for end in range(len(deviations)):
        for side in (1, -1):
            z = [side * one for one in deviations]
            if z[end] > 3 + 1e-9:
                plain.add((1, end + 1))
            if z[end] > 2 + 1e-9 and sum(v > 2 + 1e-9 for v in z[max(0, end - 2) : end + 1]) >= 2:
                plain.add((2, end + 1))
            if z[end] > 1 + 1e-9 and sum(v > 1 + 1e-9 for v in z[max(0, end - 4) : end + 1]) >= 4:
                plain.add((3, end + 1))
            if end >= 7 and all(v > 1e-9 for v in z[end - 7 : end + 1]):
                plain.add((4, end + 1))
    assert {(rule, points[-1]) for rule, points in rules(deviations)} == plain


def test_a_constant_process_is_in_control_and_one_step_is_not() -> None:
    steady = [[0.1 + 0.2] * 3] * 5
    assert xbar_r(steady)[0].signals == ()
    assert xbar_r([*steady, [0.9] * 3])[0].signals != ()


def test_capability_of_single_values_uses_their_own_deviation() -> None:
    values = [9.9, 10.1, 10.0, 9.8, 10.2]
    found = capability([[v] for v in values], 9.5, 10.5)
    deviation = float(np.std(values, ddof=1))
    assert found.cp == pytest.approx(1 / (6 * deviation))
    assert found.cpk == pytest.approx(0.5 / (3 * deviation))
    assert (found.pp, found.ppk) == (found.cp, found.cpk)


def test_capability_of_subgroups_uses_the_spread_within_them() -> None:
    groups = [[1.0, 3.0], [11.0, 13.0], [21.0, 23.0]]
    found = capability(groups, 0, 24)
    assert found.sigma == pytest.approx(2 / 1.12838)
    assert found.cp == pytest.approx(24 / (6 * 2 / 1.12838))
    assert found.pp is not None
    assert found.cp is not None
    assert found.pp < found.cp


def test_one_limit_gives_cpk_and_no_cp() -> None:
    found = capability([[1.0], [2.0], [3.0]], None, 5)
    assert found.cp is None
    assert found.cpk == pytest.approx(1.0)
    assert found.expected_ppm == pytest.approx(1349.898, abs=1e-3)
