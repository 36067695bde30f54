"""Published data with published results, equal to the printed digits. Sources stand beside them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bancada.packs.statistics.arithmetic import attributes, constants, rules, variables, weighted
from bancada.packs.statistics.arithmetic.chart import ControlLine, Parameters, Samples, signals
from tests.packs.statistics import qcc


def printed(value: float, digits: str) -> bool:
    """Whether a value, written with as many digits as were printed, is what was printed."""
    _, _, decimals = digits.partition(".")
    return f"{value:.{len(decimals)}f}" == digits


def limits(line: ControlLine, at: int = 0) -> tuple[float, float, float]:
    return float(line.centre[at]), float(line.lower[at]), float(line.upper[at])


def grouped(values: list[float], size: int, spread: str) -> Samples:
    groups = np.array(values).reshape(-1, size)
    found = np.ptp(groups, axis=1) if spread == "range" else groups.std(axis=1, ddof=1)
    return Samples(
        values=groups.mean(axis=1), spread=found, sizes=np.full(len(groups), float(size))
    )


def counted(values: list[int], size: float) -> Samples:
    return Samples(values=np.array(values, dtype=float), sizes=np.full(len(values), size))


QCC_D2 = {2: 1.128, 5: 2.326}
"""qcc 3.0 printed with d2 rounded to three decimals; where that shows in its digits, the test uses
its sigma and checks the rest."""


def test_piston_rings_as_means_have_the_printed_centre_and_limits() -> None:
    samples = grouped(qcc.TRIAL, 5, "range")
    found = variables.by_range(samples)
    centre, lower, upper = limits(variables.range_lines(samples, found)[0])
    assert printed(centre, "74.00118")
    assert printed(lower, "73.98805")
    assert printed(upper, "74.0143")


def test_piston_rings_as_ranges_have_the_printed_centre_and_limits() -> None:
    samples = grouped(qcc.TRIAL, 5, "range")
    means, ranges = variables.range_lines(samples, variables.by_range(samples))
    centre, lower, upper = limits(ranges)
    assert printed(centre, "0.02276")
    assert lower == 0.0
    assert printed(centre / QCC_D2[5], "0.009785039")
    # Printed is 0.04812533; from the sixth decimal on, that is the rounding of its constants.
    assert printed(upper, "0.04813")
    assert means.name == "X̄"


def test_piston_rings_as_deviations_have_the_printed_figures() -> None:
    samples = grouped(qcc.TRIAL, 5, "sd")
    found = variables.by_deviation(samples)
    centre, lower, upper = limits(variables.deviation_lines(samples, found)[1])
    assert printed(centre, "0.009240037")
    assert printed(found.sigma, "0.009829977")
    assert lower == 0.0
    assert printed(upper, "0.01930242")


def test_viscosity_has_the_printed_centre_and_with_its_sigma_the_printed_limits() -> None:
    samples = Samples(values=np.array(qcc.VISCOSITY, dtype=float))
    found = variables.individuals(samples)
    assert printed(found.centre, "33.52333")
    sigma = found.sigma * constants.d2(2) / QCC_D2[2]
    assert printed(sigma, "0.4261651")
    line = variables.individuals_lines(samples, Parameters(centre=found.centre, sigma=sigma))[0]
    _, lower, upper = limits(line)
    assert printed(lower, "32.24484")
    assert printed(upper, "34.80183")


def test_orange_juice_has_the_printed_p_and_np_limits() -> None:
    samples = counted(qcc.ORANGEJUICE[:30], 50)
    (p,) = attributes.p_lines(samples, attributes.proportion(samples))
    centre, lower, upper = limits(p)
    assert printed(centre, "0.2313333")
    assert printed(lower, "0.05242755")
    assert printed(upper, "0.4102391")
    (np_line,) = attributes.np_lines(samples, attributes.np_proportion(samples))
    centre, lower, upper = limits(np_line)
    assert printed(centre, "11.56667")
    assert printed(lower, "2.621377")
    assert printed(upper, "20.51196")


def test_orange_juice_without_two_samples_has_the_printed_limits() -> None:
    kept = [count for at, count in enumerate(qcc.ORANGEJUICE[:30], 1) if at not in (15, 23)]
    samples = counted(kept, 50)
    (line,) = attributes.p_lines(samples, attributes.proportion(samples))
    centre, lower, upper = limits(line)
    assert printed(centre, "0.215")
    assert printed(lower, "0.04070284")
    assert printed(upper, "0.3892972")


def test_a_lower_limit_that_would_be_negative_is_zero_as_printed() -> None:
    samples = counted(qcc.ORANGEJUICE[30:], 50)
    (line,) = attributes.p_lines(samples, attributes.proportion(samples))
    centre, lower, upper = limits(line)
    assert printed(centre, "0.1108333")
    assert lower == 0.0
    assert printed(upper, "0.2440207")


def test_circuit_boards_have_the_printed_c_and_u_limits() -> None:
    samples = counted(qcc.CIRCUIT[:26], 100)
    centre, lower, upper = limits(attributes.c_lines(samples, attributes.c_mean(samples))[0])
    assert printed(centre, "19.84615")
    assert printed(lower, "6.481447")
    assert printed(upper, "33.21086")
    kept = [count for at, count in enumerate(qcc.CIRCUIT[:26], 1) if at not in (6, 20)]
    samples = counted(kept, 100)
    centre, lower, upper = limits(attributes.c_lines(samples, attributes.c_mean(samples))[0])
    assert printed(centre, "19.66667")
    assert printed(lower, "6.362532")
    assert printed(upper, "32.9708")
    centre, lower, upper = limits(attributes.u_lines(samples, attributes.rate(samples))[0])
    assert printed(centre, "0.1966667")
    assert printed(lower, "0.06362532")
    assert printed(upper, "0.329708")


def test_computers_have_the_printed_u_limits() -> None:
    samples = counted(qcc.PCMANUFACT, 5)
    centre, lower, upper = limits(attributes.u_lines(samples, attributes.rate(samples))[0])
    assert printed(centre, "1.93")
    assert printed(lower, "0.06613305")
    assert printed(upper, "3.793867")


@pytest.mark.parametrize(
    ("at", "lower", "upper"),
    [(0, "73.99855", "74.00380"), (1, "73.99781", "74.00454"), (24, "73.99680", "74.00555")],
)
def test_the_weighted_mean_of_piston_rings_has_the_printed_limits(
    at: int, lower: str, upper: str
) -> None:
    samples = grouped(qcc.TRIAL, 5, "range")
    (line,) = weighted.ewma_lines(samples, variables.by_range(samples), weight=0.2)
    assert printed(float(line.lower[at]), lower)
    assert printed(float(line.upper[at]), upper)


@pytest.mark.parametrize(
    ("at", "lower", "upper"),
    [(0, "33.29320", "33.75346"), (1, "33.22862", "33.81804"), (14, "33.14002", "33.90664")],
)
def test_the_weighted_mean_of_viscosity_has_the_printed_limits(
    at: int, lower: str, upper: str
) -> None:
    samples = Samples(values=np.array(qcc.VISCOSITY, dtype=float))
    known = Parameters(centre=float(np.mean(qcc.VISCOSITY)), sigma=0.4261651)
    (line,) = weighted.ewma_lines(samples, known, weight=0.2, width=2.7)
    assert printed(float(line.lower[at]), lower)
    assert printed(float(line.upper[at]), upper)


def test_the_constants_are_those_of_their_analytic_solutions() -> None:
    """Closed forms: Wardell (2025), doi 10.3390/math13091537, as qcc's tests/testthat/test-constants.R has them."""
    pi, root = math.pi, math.sqrt
    assert constants.d2(2) == pytest.approx(2 / root(pi), abs=1e-12)
    assert constants.d2(3) == pytest.approx(3 / root(pi), abs=1e-12)
    assert constants.d2(4) == pytest.approx(12 / (pi * root(pi)) * math.atan(root(2)), abs=1e-12)
    five = 30 / pi**1.5 * math.atan(root(2)) - 5 / root(pi)
    assert constants.d2(5) == pytest.approx(five, abs=1e-12)
    assert constants.d3(2) == pytest.approx(root(2 - 4 / pi), abs=1e-10)
    assert constants.d3(3) == pytest.approx(root((2 * pi + 3 * root(3) - 9) / pi), abs=1e-10)
    four = root((2 * pi + 2 * root(3) + 6) / pi - constants.d2(4) ** 2)
    assert constants.d3(4) == pytest.approx(four, abs=1e-10)


def test_the_constants_are_the_tabulated_ones() -> None:
    """Tables of qcc, from tests/testthat/test-constants.R."""
    d2 = (1.128, 1.693, 2.059, 2.326, 2.534, 2.704, 2.847, 2.970, 3.078, 3.173, 3.258, 3.336, 3.407,
          3.472, 3.532, 3.588, 3.640, 3.689, 3.735, 3.778, 3.819, 3.858, 3.895, 3.931)  # fmt: skip
    assert [round(constants.d2(size), 3) for size in range(2, 26)] == list(d2)
    c4 = ("0.7978846", "0.8862269", "0.9213177", "0.9399856", "0.9515329", "0.9593688", "0.9650305",
          "0.9693107", "0.9726593")  # fmt: skip
    assert all(printed(constants.c4(size), one) for size, one in enumerate(c4, 2))
    assert printed(constants.c4(50), "0.9949113")


NELSON = {
    1: ([0, 3.2, -3.4, 3], [2, 3]),
    2: ([0.5] * 10 + [-0.5] * 10, [9, 10, 19, 20]),
    3: ([1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1], [6, 7, 13, 14]),
    4: ([1, 3, 2, 4, 3, 5, 4, 6, 5, 7, 6, 8, 7, 9, 8], [14, 15]),
    5: ([0, 2.3, 0.4, 2.2, -2.4, -0.2, -2.5], [4, 7]),
    6: ([1.2, 1.3, 0.2, 1.4, 1.5, -1.2, -1.3, -0.1, -1.4, -1.5], [5, 10]),
    7: ([0.3] * 16 + [1.2], [15, 16]),
    8: ([1.2, -1.3, 1.1, -1.4, 1.5, -1.2, 1.3, -1.1, 0.2], [8]),
}
WESTERN = {
    1: ([0, 3.2, -3.5, 2.9], [2, 3]),
    2: ([0, 2.5, 1.0, 2.6, 0], [4]),
    3: ([0, 1.2, 1.3, 0.2, 1.4, 1.5], [6]),
    4: ([-1] * 8 + [1], [8]),
}


@pytest.mark.parametrize("rule", NELSON)
def test_nelsons_rules_are_broken_at_the_published_points(rule: int) -> None:
    """Points and results of qcc's tests/testthat/test-rules.R."""
    points, at = NELSON[rule]
    (found,) = rules.broken([np.array(points, dtype=float)], "nelson", [rule])
    assert [int(end) + 1 for end in found.ends] == at


@pytest.mark.parametrize("rule", WESTERN)
def test_the_western_electric_rules_are_broken_at_the_published_points(rule: int) -> None:
    points, at = WESTERN[rule]
    (found,) = rules.broken([np.array(points, dtype=float)], "western_electric", [rule])
    assert [int(end) + 1 for end in found.ends] == at


def test_eight_points_beyond_one_sigma_on_one_side_do_not_break_nelsons_eighth() -> None:
    assert rules.broken([np.full(8, 1.2)], "nelson", [8]) == []


def test_the_cumulated_sums_are_the_published_ones_and_a_limit_is_not_beyond_itself() -> None:
    """Points and results of qcc's tests/testthat/test-cusum.R."""
    samples = Samples(values=np.array([1.5, 0.5, 0.6, -1.5, -0.5, -0.8]))
    known = Parameters(centre=0.0, sigma=1.0)
    high, low = weighted.cusum_lines(samples, known, slack=0.5, decision=1.0)
    assert high.points == pytest.approx([1.0, 1.0, 1.1, 0.0, 0.0, 0.0])
    assert low.points == pytest.approx([0.0, 0.0, 0.0, -1.0, -1.0, -1.3])
    for line, at in ((high, 2), (low, 5)):
        (found,) = signals(line, [0], "western_electric", [1])
        assert list(found.ends) == [at]
