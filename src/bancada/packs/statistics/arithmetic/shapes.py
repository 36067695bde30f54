"""Values that are not normal: Box and Cox's transformation, and distributions fitted to them.

A capability index then compares the specification with the middle 99.73 % of the values: the
points that a normal distribution has at 3 sigma below and above its middle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from bancada.packs.statistics.arithmetic.arrays import Floats, NoStudy
from bancada.packs.statistics.arithmetic.capability import MILLION, SpecLimits
from bancada.packs.statistics.arithmetic.normality import anderson_darling

FAMILIES = {"weibull": "weibull_min", "lognormal": "lognorm", "gama": "gamma"}
"""Distributions that begin at zero, as scipy calls them."""
_TAIL = 0.5 * math.erfc(3 / math.sqrt(2))
"""The share of normal values more than 3 sigma below their middle."""


@dataclass(frozen=True, kw_only=True)
class FittedShape:
    """A distribution of the values: its points, its parameters, and how well it fits."""

    name: str
    parameters: Mapping[str, float]
    low: float
    middle: float
    high: float
    """The points with 0.135 %, 50 % and 99.865 % of the values below."""
    below: Callable[[float], float]
    """The share of values below a value."""
    above: Callable[[float], float]
    statistic: float
    """Anderson and Darling's, of this shape."""
    chance: float | None
    """Of a statistic as large by chance; none where no table tells."""


def box_cox(values: Floats) -> FittedShape:
    """Normal after raising to a power, the one that makes the values likeliest."""
    _positive(values)
    # Divided by their geometric mean, values of any size can be raised to any power in question.
    scale = float(np.exp(np.mean(np.log(values))))
    logs = np.log(values / scale)

    def unlikeliness(power: float) -> float:
        return float(np.log(np.var(_raised(logs, power)))) / 2

    power = float(scipy.optimize.minimize_scalar(unlikeliness, bounds=(-5, 5), method="bounded").x)
    raised = _raised(logs, power)
    mean, sigma = float(np.mean(raised)), float(np.std(raised, ddof=1))
    statistic, chance = anderson_darling(raised)

    def score(value: float) -> float:
        if value <= 0:
            return -np.inf
        return (float(_raised(np.array([np.log(value / scale)]), power)[0]) - mean) / sigma

    def point(at: float) -> float:
        return scale * _unraised(mean + at * sigma, power)

    return FittedShape(
        name="box-cox",
        parameters={"lambda": power},
        low=point(-3.0),
        middle=point(0.0),
        high=point(3.0),
        below=lambda value: float(scipy.special.ndtr(score(value))),
        above=lambda value: float(scipy.special.ndtr(-score(value))),
        statistic=statistic,
        chance=chance,
    )


def fitted(values: Floats, name: str) -> FittedShape:
    """The likeliest distribution of a family that begins at zero."""
    _positive(values)
    family = getattr(scipy.stats, FAMILIES[name])
    # In units of their mean: a fit must not depend on whether lengths are in metres or microns.
    unit = float(np.mean(values))
    parameters = family.fit(values / unit, floc=0)
    found = family(*parameters)
    ordered = np.sort(values / unit)
    count = len(values)
    odd = 2 * np.arange(1, count + 1) - 1
    logs = found.logcdf(ordered) + found.logsf(ordered)[::-1]
    statistic = -count - float(np.sum(odd * logs)) / count
    shape, _, scale = parameters
    return FittedShape(
        name=name,
        parameters={"forma": float(shape), "escala": float(scale) * unit},
        low=float(found.ppf(_TAIL)) * unit,
        middle=float(found.ppf(0.5)) * unit,
        high=float(found.isf(_TAIL)) * unit,
        below=lambda value: float(found.cdf(value / unit)),
        above=lambda value: float(found.sf(value / unit)),
        statistic=statistic,
        chance=None,
    )


def by_points(shape: FittedShape, limits: SpecLimits) -> tuple[float | None, float]:
    """Pp and Ppk from the shape's points instead of sigmas."""
    sides = []
    if limits.lower is not None:
        sides.append((shape.middle - limits.lower) / (shape.middle - shape.low))
    if limits.upper is not None:
        sides.append((limits.upper - shape.middle) / (shape.high - shape.middle))
    both = None
    if limits.lower is not None and limits.upper is not None:
        both = (limits.upper - limits.lower) / (shape.high - shape.low)
    return both, min(sides)


def ppm(shape: FittedShape, limits: SpecLimits) -> float:
    """Of a million values of this shape, how many lie outside."""
    below = 0.0 if limits.lower is None else shape.below(limits.lower)
    above = 0.0 if limits.upper is None else shape.above(limits.upper)
    return MILLION * (below + above)


def _positive(values: Floats) -> None:
    if not float(np.min(values)) > 0:
        raise NoStudy("not_positive", least=float(np.min(values)))


def _raised(logs: Floats, power: float) -> Floats:
    return logs if abs(power) < 1e-9 else np.expm1(power * logs) / power


def _unraised(value: float, power: float) -> float:
    if abs(power) < 1e-9:
        return float(np.exp(value))
    inside = 1 + power * value
    # Beyond the end of what a power can be: the values end there.
    if inside <= 0:
        return 0.0 if power > 0 else float("inf")
    return float(inside ** (1 / power))
