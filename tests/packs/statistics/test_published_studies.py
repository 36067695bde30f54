"""Capability, normality, pooled spread and gage studies against published figures."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from bancada.packs.statistics.arithmetic import capability, gage, normality, shapes
from bancada.packs.statistics.arithmetic.capability import SpecLimits, WithinSpread
from tests.packs.statistics import qcc
from tests.packs.statistics.test_published import printed

GROUPED = np.array(
    [[10.00, 10.02, 9.98, 10.01], [10.03, 9.99, 10.01, 10.00], [9.97, 10.04, 10.02, 9.99]]
)
"""Of qcc's tests/testthat/test-capability.R, with the indices below (12 values, so 11 free)."""
LIMITS = SpecLimits(lower=9.9, upper=10.1, target=10.0)


def test_capability_within_has_the_published_indices_and_intervals() -> None:
    ranges = np.ptp(GROUPED, axis=1)
    assert capability.by_ranges(ranges, 4).sigma == pytest.approx(0.05 / 2.059, rel=2e-4)
    # The published figures are with d2 rounded to 2.059.
    sigma = float(ranges.mean()) / 2.059
    found = capability.indices(float(GROUPED.mean()), WithinSpread(sigma, 11), 12, LIMITS)
    assert found.both is not None
    assert found.below is not None
    assert found.above is not None
    assert (found.both.value, found.both.low, found.both.high) == pytest.approx(
        (1.372667, 0.808460, 1.937713), abs=1e-6
    )
    assert (found.below.value, found.below.low, found.below.high) == pytest.approx(
        (1.441300, 0.911657, 1.970943), abs=1e-6
    )
    assert (found.above.value, found.above.low, found.above.high) == pytest.approx(
        (1.304033, 0.820114, 1.787953), abs=1e-6
    )
    assert (found.worst.value, found.worst.low, found.worst.high) == pytest.approx(
        (1.304033, 0.727408, 1.880659), abs=1e-6
    )


def test_capability_overall_has_the_published_indices_and_intervals() -> None:
    overall = float(GROUPED.std(ddof=1))
    found = capability.indices(float(GROUPED.mean()), WithinSpread(overall, 11), 12, LIMITS)
    assert found.both is not None
    assert (found.both.value, found.both.low, found.both.high) == pytest.approx(
        (1.612598, 0.949773, 2.276410), abs=1e-6
    )
    assert (found.worst.value, found.worst.low, found.worst.high) == pytest.approx(
        (1.531968, 0.864608, 2.199329), abs=1e-6
    )
    mean = float(GROUPED.mean())
    assert capability.about_target(mean, overall, LIMITS) == pytest.approx(1.567395, abs=1e-6)
    off = SpecLimits(lower=9.9, upper=10.1, target=10.02)
    assert capability.about_target(mean, overall, off) == pytest.approx(1.305161, abs=1e-6)


@pytest.mark.parametrize(
    ("lower", "upper", "cp", "low", "high", "cpk"),
    [
        (73.95, 74.05, "1.703", "1.491", "1.915", "1.663"),
        (73.99, 74.01, "0.3407", "0.2983", "0.3830", "0.3006"),
        (73.99, 74.1, "1.8736", "1.6406", "2.1063", "0.3807"),
    ],
)
def test_piston_rings_have_the_printed_capability(
    lower: float, upper: float, cp: str, low: str, high: str, cpk: str
) -> None:
    """Printed in qcc's docs/articles/qcc_a_quick_tour.html, with its sigma and 124 degrees of freedom."""
    values = np.array(qcc.TRIAL)
    limits = SpecLimits(lower=lower, upper=upper)
    found = capability.indices(float(values.mean()), WithinSpread(0.009785039, 124), 125, limits)
    assert found.both is not None
    assert found.both.low is not None
    assert found.both.high is not None
    assert printed(found.both.value, cp)
    assert printed(found.both.low, low)
    assert printed(found.both.high, high)
    assert printed(found.worst.value, cpk)


RANDOM = np.array(
    [-0.1184, -1.3403, 0.0063, -0.612, -0.3869, -0.2313, -2.8485, -0.2167, 0.4153, 1.8492, -0.3706,
     0.9726, -0.1501, -0.0337, -1.4423, 1.2489, 0.9182, -0.2331, -0.6182, 0.183]
)  # fmt: skip
"""Of statsmodels 0.15, stats/tests/test_statstools.py, with results of R's fBasics."""


@pytest.mark.parametrize(
    ("values", "statistic", "chance"),
    [
        (RANDOM, 0.5867235358882148, 0.1115380760041617),
        (RANDOM**2, 2.976266267594575, 8.753003709960645e-08),
        (np.log(RANDOM**2), 0.4892557856308528, 0.1968040759316307),
        (np.exp(-(RANDOM**2)), 1.4599014654282669, 0.0006380009232897535),
    ],
)
def test_anderson_and_darlings_test_has_rs_results(
    values: np.ndarray, statistic: float, chance: float
) -> None:
    assert normality.anderson_darling(values) == pytest.approx((statistic, chance), abs=1e-11)


NIST = Path(scipy.stats.__file__).parent / "tests" / "data" / "nist_anova"


@pytest.mark.parametrize("name", ["SiRstv", "AtmWtAg", "SmLs01", "SmLs02", "SmLs04", "SmLs05"])
def test_the_pooled_spread_is_the_certified_one(name: str) -> None:
    """NIST's reference sets, as scipy carries them: their certified residual standard deviation."""
    text = (NIST / f"{name}.dat").read_text()
    found = re.search(r"Standard Deviation\s+(\S+)", text)
    assert found is not None
    rows = [line.split() for line in text.split("\nData:")[-1].splitlines()[1:] if line.strip()]
    groups: dict[str, list[float]] = {}
    for group, value in rows:
        groups.setdefault(group, []).append(float(value))
    sizes = np.array([float(len(group)) for group in groups.values()])
    deviations = np.array([np.std(group, ddof=1) for group in groups.values()])
    within = capability.pooled(deviations, sizes)
    biased = within.sigma * capability.c4(int(within.freedom) + 1)
    assert biased == pytest.approx(float(found[1]), rel=1e-8)


def test_a_gage_study_has_the_printed_sums_and_variances() -> None:
    """Data and results of the README of R's gageRR (github.com/warrenjonahb/gageRR)."""
    values = np.array([[[0.0172, 0.0177], [0.0174, 0.0181]], [[0.0155, 0.0159], [0.0152, 0.0176]]])
    found = gage.crossed(values, interaction=True)
    assert [row.squares for row in found.table] == pytest.approx(
        [4.805e-06, 5e-07, 8e-08, 3.33e-06]
    )
    assert found.repeatability == pytest.approx(8.325e-07)
    assert found.reproducibility == pytest.approx(1.05e-07)
    assert found.gage == pytest.approx(9.375e-07)
    assert found.parts == pytest.approx(1.18125e-06)
    assert found.total == pytest.approx(2.11875e-06)
    assert printed(100 * (found.gage / found.total) ** 0.5, "66.51901")
    assert printed(100 * 6 * found.gage**0.5 / 0.04, "14.523688")


@pytest.mark.parametrize("seed", range(6))
def test_the_power_and_the_fits_are_the_likeliest(seed: int) -> None:
    """Against scipy's own search; and every other parameter near by is less likely."""
    rng = np.random.default_rng(seed)
    values = 40 * rng.lognormal(0, 0.3 + seed / 10, 80)
    _, power = scipy.stats.boxcox(values)
    assert shapes.box_cox(values).parameters["lambda"] == pytest.approx(power, abs=1e-3)
    found = shapes.fitted(values, "weibull")
    shape, scale = found.parameters["forma"], found.parameters["escala"]
    best = scipy.stats.weibull_min.logpdf(values, shape, 0, scale).sum()
    for near in (0.98, 1.02):
        assert scipy.stats.weibull_min.logpdf(values, shape * near, 0, scale).sum() < best
        assert scipy.stats.weibull_min.logpdf(values, shape, 0, scale * near).sum() < best
    assert found.below(found.middle) == pytest.approx(0.5)
    assert found.below(found.low) == pytest.approx(0.001349898, rel=1e-5)
