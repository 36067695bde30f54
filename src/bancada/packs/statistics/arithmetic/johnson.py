"""Johnson's transformation: the bounded, the unbounded or the lognormal family, by percentiles.

Four points of the values, evenly spaced on the normal scale, give each family's parameters in
closed form (Slifker and Shapiro). Which points is tried at many spacings; the transformation is
the one whose values look most normal to Anderson and Darling's test.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from bancada.packs.statistics.arithmetic.arrays import Floats, NoStudy
from bancada.packs.statistics.arithmetic.normality import anderson_darling
from bancada.packs.statistics.arithmetic.shapes import FittedShape

SPACINGS = np.arange(0.25, 1.2501, 0.01)
NORMAL_ENOUGH = 0.10
"""Chance from which transformed values pass for normal."""
MANY = 5_000
"""Values from which the test finds what does not matter; families are then compared on this many
of the values, evenly spread over them in their order."""


@dataclass(frozen=True, kw_only=True)
class JohnsonCurve:
    """One transformation to the normal scale."""

    family: str
    """`SB`: between two bounds; `SU`: without; `SL`: above one."""
    gamma: float
    eta: float
    epsilon: float
    scale: float = 1.0
    """The bounded family's width, the unbounded one's scale."""

    def score(self, values: Floats) -> Floats:
        """The values on the normal scale; infinite beyond a bound."""
        moved = values - self.epsilon
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.family == "SU":
                return np.asarray(self.gamma + self.eta * np.arcsinh(moved / self.scale))
            if self.family == "SL":
                return np.asarray(self.gamma + self.eta * np.log(np.maximum(moved, 0.0)))
            inside = np.clip(moved, 0.0, self.scale)
            return np.asarray(self.gamma + self.eta * np.log(inside / (self.scale - inside)))

    def value(self, score: float) -> float:
        """The value at a place of the normal scale."""
        at = (score - self.gamma) / self.eta
        if self.family == "SU":
            return self.epsilon + self.scale * math.sinh(at)
        if self.family == "SL":
            return self.epsilon + math.exp(at)
        return self.epsilon + self.scale * float(scipy.special.expit(at))


def johnson(values: Floats) -> FittedShape:
    """Normal after the transformation that makes the values look most normal."""
    ordered = np.sort(values)
    count = len(ordered)
    few = ordered
    if count > MANY:
        few = ordered[np.linspace(0, count - 1, MANY).round().astype(np.int64)]
    tried = [(_test(few, curve), curve) for curve in candidates(ordered)]
    fitting = [(statistic, curve) for statistic, curve in tried if statistic is not None]
    if not fitting:
        raise NoStudy("not_johnson", chance=0.0, needs=NORMAL_ENOUGH)
    _, best = min(fitting, key=lambda one: one[0])
    scores = best.score(ordered)
    statistic, chance = anderson_darling(scores)
    if chance < NORMAL_ENOUGH and count < MANY:
        raise NoStudy("not_johnson", chance=chance, needs=NORMAL_ENOUGH)
    mean, sigma = float(np.mean(scores)), float(np.std(scores, ddof=1))

    def place(value: float) -> float:
        return (float(best.score(np.array([value]))[0]) - mean) / sigma

    return FittedShape(
        name=f"johnson-{best.family.lower()}",
        parameters={
            "gama": best.gamma,
            "eta": best.eta,
            "epsilon": best.epsilon,
            **({} if best.family == "SL" else {"lambda": best.scale}),
        },
        low=best.value(mean - 3 * sigma),
        middle=best.value(mean),
        high=best.value(mean + 3 * sigma),
        below=lambda value: float(scipy.special.ndtr(place(value))),
        above=lambda value: float(scipy.special.ndtr(-place(value))),
        statistic=statistic,
        chance=chance,
    )


def candidates(ordered: Floats) -> Iterator[JohnsonCurve]:
    """The transformations that fit four points of the values, at each spacing."""
    for spacing in SPACINGS:
        shares = scipy.special.ndtr(np.array([-3.0, -1.0, 1.0, 3.0]) * spacing)
        points = np.quantile(ordered, shares, method="hazen")
        yield from through([float(one) for one in points], float(spacing))


def through(points: list[float], spacing: float) -> Iterator[JohnsonCurve]:
    """The curves through values at -3, -1, 1 and 3 spacings of the normal scale."""
    lowest, low, high, highest = points
    upper, lower, middle = highest - high, low - lowest, high - low
    if not (upper > 0 and lower > 0 and middle > 0):
        return
    centre = (high + low) / 2
    m, n = upper / middle, lower / middle
    curve = _bounded if m * n < 1 else _unbounded
    if m * n != 1 and (found := curve(m, n, middle, centre, spacing)) is not None:
        yield found
    if m > 1:
        eta = 2 * spacing / math.log(m)
        gamma = eta * math.log((m - 1) / (middle * math.sqrt(m)))
        epsilon = centre - middle / 2 * (m + 1) / (m - 1)
        yield JohnsonCurve(family="SL", gamma=gamma, eta=eta, epsilon=epsilon)


def _unbounded(
    m: float, n: float, middle: float, centre: float, spacing: float
) -> JohnsonCurve | None:
    both, root = m + n, math.sqrt(m * n - 1)
    if both <= 2:
        return None
    eta = 2 * spacing / math.acosh(both / 2)
    return JohnsonCurve(
        family="SU",
        gamma=eta * math.asinh((n - m) / (2 * root)),
        eta=eta,
        epsilon=centre + middle * (n - m) / (2 * (both - 2)),
        scale=2 * middle * root / ((both - 2) * math.sqrt(both + 2)),
    )


def _bounded(
    m: float, n: float, middle: float, centre: float, spacing: float
) -> JohnsonCurve | None:
    product, rest = (1 + 1 / m) * (1 + 1 / n), 1 / (m * n) - 1
    if product <= 4:
        return None
    eta = spacing / math.acosh(math.sqrt(product) / 2)
    scale = middle * math.sqrt((product - 2) ** 2 - 4) / rest
    skew = 1 / n - 1 / m
    return JohnsonCurve(
        family="SB",
        gamma=eta * math.asinh(skew * math.sqrt(product - 4) / (2 * rest)),
        eta=eta,
        epsilon=centre - scale / 2 + middle * skew / (2 * rest),
        scale=scale,
    )


def _test(values: Floats, curve: JohnsonCurve) -> float | None:
    """How far from normal the values are by this curve; none where some lie beyond its bounds."""
    scores = curve.score(values)
    if not np.all(np.isfinite(scores)) or not np.std(scores) > 0:
        return None
    return anderson_darling(scores)[0]
