"""How a process fits its specification limits: indices, their intervals, and parts per million.

Within (Cp, Cpk): by the spread inside subgroups, or between neighbours. Overall (Pp, Ppk): by the
spread of all values. Both suppose normal values; `shapes` is for those that are not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from bancada.packs.statistics.arithmetic.arrays import Floats, NoStudy, varies
from bancada.packs.statistics.arithmetic.constants import c4, d2, d3

MILLION = 1_000_000.0


@dataclass(frozen=True, kw_only=True)
class SpecLimits:
    """What was specified: one limit or both, and perhaps a target."""

    lower: float | None
    upper: float | None
    target: float | None = None


@dataclass(frozen=True)
class IndexEstimate:
    """An index with its confidence interval; the interval is none where it cannot be told."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, kw_only=True)
class Indices:
    """One family of indices. An index is none where its limit is not given."""

    both: IndexEstimate | None
    """Cp or Pp."""
    below: IndexEstimate | None
    above: IndexEstimate | None
    worst: IndexEstimate
    """Cpk or Ppk."""


@dataclass(frozen=True)
class WithinSpread:
    """The spread inside subgroups, and as how many degrees of freedom it counts for.

    An estimate whose relative variance is v knows as much as a standard deviation with 1 / 2v of
    them, so an interval is as wide as the way of estimating deserves.
    """

    sigma: float
    freedom: float


def by_moving_range(values: Floats) -> WithinSpread:
    """Of single values: from the mean distance of neighbours."""
    count = len(values) - 1
    sigma = float(np.mean(np.abs(np.diff(values)))) / d2(2)
    # Distances that share a value go together: of two differences of normal values, correlated by
    # minus a half, the absolute values have this covariance.
    alone = 2 - 4 / math.pi
    together = 4 / math.pi * (math.sqrt(3) / 2 + math.pi / 12 - 1)
    relative = (count * alone + 2 * (count - 1) * together) / count**2 / d2(2) ** 2
    return WithinSpread(sigma, 1 / (2 * relative))


def by_ranges(ranges: Floats, size: int) -> WithinSpread:
    """Of subgroups of one size: from their mean range."""
    relative = (d3(size) / d2(size)) ** 2 / len(ranges)
    return WithinSpread(float(np.mean(ranges)) / d2(size), 1 / (2 * relative))


def by_deviations(deviations: Floats, size: int) -> WithinSpread:
    """Of subgroups of one size: from their mean standard deviation."""
    relative = (1 - c4(size) ** 2) / c4(size) ** 2 / len(deviations)
    return WithinSpread(float(np.mean(deviations)) / c4(size), 1 / (2 * relative))


def pooled(deviations: Floats, sizes: Floats) -> WithinSpread:
    """Of subgroups of any sizes: from all squared distances from their own means."""
    free = float(np.sum(sizes - 1))
    sigma = math.sqrt(float(np.sum((sizes - 1) * deviations**2)) / free)
    return WithinSpread(sigma / c4(int(free) + 1), free)


def indices(
    mean: float, spread: WithinSpread, count: int, limits: SpecLimits, confidence: float = 0.95
) -> Indices:
    """The indices for this spread. Intervals: of Cp by chi-square, of the others as Bissell has them."""
    sigma, free = spread.sigma, spread.freedom
    if not varies(sigma, mean):
        raise NoStudy("constant")
    both = below = above = None
    if limits.lower is not None and limits.upper is not None:
        both = _ratio((limits.upper - limits.lower) / (6 * sigma), free, confidence)
    two_sided = float(scipy.special.ndtri(0.5 + confidence / 2))
    one_sided = float(scipy.special.ndtri(confidence))
    if limits.lower is not None:
        below = _bissell((mean - limits.lower) / (3 * sigma), count, free, one_sided)
    if limits.upper is not None:
        above = _bissell((limits.upper - mean) / (3 * sigma), count, free, one_sided)
    worst = min(one.value for one in (below, above) if one is not None)
    return Indices(
        both=both, below=below, above=above, worst=_bissell(worst, count, free, two_sided)
    )


def about_target(mean: float, overall: float, limits: SpecLimits) -> float | None:
    """Cpm: the spread around the target, where there is one and both limits."""
    if limits.target is None or limits.lower is None or limits.upper is None:
        return None
    around = math.sqrt(overall**2 + (mean - limits.target) ** 2)
    return (limits.upper - limits.lower) / (6 * around)


def expected_ppm(mean: float, sigma: float, limits: SpecLimits) -> float:
    """Of a million normal values, how many lie outside."""
    below = (
        0.0 if limits.lower is None else float(scipy.special.ndtr((limits.lower - mean) / sigma))
    )
    above = (
        0.0 if limits.upper is None else float(scipy.special.ndtr((mean - limits.upper) / sigma))
    )
    return MILLION * (below + above)


def _ratio(value: float, free: float, confidence: float) -> IndexEstimate:
    low = float(scipy.special.chdtri(free, 0.5 + confidence / 2))
    high = float(scipy.special.chdtri(free, 0.5 - confidence / 2))
    return IndexEstimate(value, value * math.sqrt(low / free), value * math.sqrt(high / free))


def _bissell(value: float, count: int, free: float, width: float) -> IndexEstimate:
    half = width * math.sqrt(1 / (9 * count) + value**2 / (2 * free))
    return IndexEstimate(value, value - half, value + half)
