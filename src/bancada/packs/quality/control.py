"""Statistical process control: limits, rules and indices, as plain arithmetic.

Nothing here knows of tools or charts. Constants of the range come from the distribution of
the range of n standard normal values: `D2` its mean, `D3` its standard deviation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

D2 = {
    2: 1.12838, 3: 1.69257, 4: 2.05875, 5: 2.32593, 6: 2.53441, 7: 2.70436, 8: 2.84720,
    9: 2.97003, 10: 3.07751, 11: 3.17287, 12: 3.25846, 13: 3.33598, 14: 3.40676, 15: 3.47183,
    16: 3.53198, 17: 3.58788, 18: 3.64006, 19: 3.68896, 20: 3.73495, 21: 3.77834, 22: 3.81938,
    23: 3.85832, 24: 3.89535, 25: 3.93063,
}  # fmt: skip
D3 = {
    2: 0.85250, 3: 0.88837, 4: 0.87981, 5: 0.86408, 6: 0.84804, 7: 0.83321, 8: 0.81983,
    9: 0.80783, 10: 0.79705, 11: 0.78731, 12: 0.77848, 13: 0.77042, 14: 0.76302, 15: 0.75621,
    16: 0.74991, 17: 0.74405, 18: 0.73859, 19: 0.73348, 20: 0.72869, 21: 0.72417, 22: 0.71991,
    23: 0.71589, 24: 0.71207, 25: 0.70844,
}  # fmt: skip
LARGEST_SUBGROUP = max(D2)

RULES = {
    1: "um ponto além de 3 sigma",
    2: "dois de três pontos seguidos além de 2 sigma, do mesmo lado",
    3: "quatro de cinco pontos seguidos além de 1 sigma, do mesmo lado",
    4: "oito pontos seguidos do mesmo lado da linha central",
}
"""The Western Electric rules, by number."""

_WINDOWS = {1: (1, 1, 3.0), 2: (3, 2, 2.0), 3: (5, 4, 1.0), 4: (8, 8, 0.0)}
"""For each rule: of how many points, how many, beyond how many sigma."""

_SLACK = 1e-9
"""Sigmas. A point on a limit is not beyond it, whatever the last binary digit says."""


class NoSpread(ValueError):
    """Values that do not vary: how they fit their limits cannot be told in spreads."""


@dataclass(frozen=True)
class Signal:
    """A rule that was broken; `points` are counted from 1 and the last one completes it."""

    rule: int
    points: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class ControlChart:
    """One control chart: its points, centre, limits for each point, and what it signals."""

    points: tuple[float, ...]
    centre: float
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    signals: tuple[Signal, ...]


@dataclass(frozen=True, kw_only=True)
class Capability:
    """How a process fits its limits. An index is none where its limit is not given."""

    count: int
    mean: float
    sigma: float
    overall: float
    cp: float | None
    cpk: float
    pp: float | None
    ppk: float
    outside: int
    expected_ppm: float


def xbar_r(subgroups: Sequence[Sequence[float]]) -> tuple[ControlChart, ControlChart]:
    """The X̄ and R charts of subgroups of one size (2 to 25)."""
    size = len(subgroups[0])
    means = tuple(fmean(group) for group in subgroups)
    ranges = tuple(max(group) - min(group) for group in subgroups)
    centre, spread = fmean(means), fmean(ranges)
    sigma = spread / D2[size] / math.sqrt(size)
    range_sigma = D3[size] * spread / D2[size]
    count = len(subgroups)
    x_chart = ControlChart(
        points=means,
        centre=centre,
        lower=(centre - 3 * sigma,) * count,
        upper=(centre + 3 * sigma,) * count,
        signals=western_electric([_deviation(mean, centre, sigma) for mean in means]),
    )
    # The zone rules assume a symmetric distribution; a range has none, so only its limits count.
    r_chart = ControlChart(
        points=ranges,
        centre=spread,
        lower=(max(0.0, spread - 3 * range_sigma),) * count,
        upper=(spread + 3 * range_sigma,) * count,
        signals=western_electric(
            [_deviation(one, spread, range_sigma) for one in ranges], rules=(1,)
        ),
    )
    return x_chart, r_chart


def p_chart(defective: Sequence[int], inspected: Sequence[int]) -> ControlChart:
    """The p chart; each point has its own limits, because samples differ in size."""
    centre = sum(defective) / sum(inspected)
    shares = tuple(d / n for d, n in zip(defective, inspected, strict=True))
    sigmas = [math.sqrt(centre * (1 - centre) / n) for n in inspected]
    return ControlChart(
        points=shares,
        centre=centre,
        lower=tuple(max(0.0, centre - 3 * sigma) for sigma in sigmas),
        upper=tuple(min(1.0, centre + 3 * sigma) for sigma in sigmas),
        signals=western_electric(
            [_deviation(p, centre, sigma) for p, sigma in zip(shares, sigmas, strict=True)]
        ),
    )


def western_electric(
    deviations: Sequence[float], rules: Sequence[int] = tuple(RULES)
) -> tuple[Signal, ...]:
    """Every time a rule is completed, by points given as sigmas from the centre.

    The completing point must itself be beyond the line, so one pattern is reported once.
    """
    signals: list[Signal] = []
    for rule in rules:
        window, needed, line = _WINDOWS[rule]
        for end in range(len(deviations)):
            side = math.copysign(1.0, deviations[end])
            start = max(0, end - window + 1)
            beyond = [
                number + 1
                for number in range(start, end + 1)
                if side * deviations[number] > line + _SLACK
            ]
            if len(beyond) >= needed and beyond[-1] == end + 1:
                signals.append(Signal(rule, tuple(beyond)))
    return tuple(sorted(signals, key=lambda signal: (signal.points[-1], signal.rule)))


def capability(
    subgroups: Sequence[Sequence[float]], lower: float | None, upper: float | None
) -> Capability:
    """Cp and Cpk from the spread within subgroups, Pp and Ppk from the overall spread.

    Values without subgroups (all groups of one) have only an overall spread; then the two
    pairs are the same. Raises `NoSpread` where one of the two spreads is none.
    """
    values = [value for group in subgroups for value in group]
    mean, overall = fmean(values), stdev(values)
    size = len(subgroups[0])
    within = overall
    if size > 1:
        within = fmean([max(group) - min(group) for group in subgroups]) / D2[size]
    if not (within > 0 and overall > 0):
        raise NoSpread
    return Capability(
        count=len(values),
        mean=mean,
        sigma=within,
        overall=overall,
        cp=_index(lower, upper, within),
        cpk=_one_sided(mean, lower, upper, within),
        pp=_index(lower, upper, overall),
        ppk=_one_sided(mean, lower, upper, overall),
        outside=sum(
            (lower is not None and v < lower) or (upper is not None and v > upper) for v in values
        ),
        expected_ppm=_expected_ppm(mean, overall, lower, upper),
    )


def _index(lower: float | None, upper: float | None, sigma: float) -> float | None:
    return None if lower is None or upper is None else (upper - lower) / (6 * sigma)


def _one_sided(mean: float, lower: float | None, upper: float | None, sigma: float) -> float:
    sides = []
    if lower is not None:
        sides.append((mean - lower) / (3 * sigma))
    if upper is not None:
        sides.append((upper - mean) / (3 * sigma))
    return min(sides)


def _expected_ppm(mean: float, sigma: float, lower: float | None, upper: float | None) -> float:
    normal = NormalDist(mean, sigma)
    below = normal.cdf(lower) if lower is not None else 0.0
    # The upper tail from its mirror image: 1 - cdf would lose every digit far out.
    above = NormalDist(-mean, sigma).cdf(-upper) if upper is not None else 0.0
    return 1_000_000 * (below + above)


def _deviation(value: float, centre: float, sigma: float) -> float:
    """Sigmas from the centre; a process that never varies is beyond every line once it does."""
    if sigma > 0:
        return (value - centre) / sigma
    if math.isclose(value, centre, rel_tol=1e-12, abs_tol=1e-12):
        return 0.0
    return math.copysign(math.inf, value - centre)
