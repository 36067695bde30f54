"""Charts with a memory, for small shifts: the weighted mean (EWMA) and the cumulated sum (CUSUM).

Both stand on the centre and sigma of single values or of subgroups, as `variables` finds them.
"""

from __future__ import annotations

import math

import numpy as np

from bancada.packs.statistics.arithmetic.arrays import Floats
from bancada.packs.statistics.arithmetic.chart import ControlLine, Parameters, Samples

_BLOCK = 128
"""Values that are weighted at once."""


def ewma_lines(
    samples: Samples, known: Parameters, *, weight: float = 0.2, width: float = 3.0
) -> list[ControlLine]:
    """The weighted mean of all values so far; its limits widen to their final distance."""
    means = known.centre + _smoothed(samples.values - known.centre, weight)
    steps = np.arange(1, len(samples) + 1, dtype=np.float64)
    share = weight / (2 - weight) * (1 - (1 - weight) ** (2 * steps))
    half = width * known.sigma / math.sqrt(known.size) * np.sqrt(share)
    return [
        ControlLine(
            name="EWMA",
            points=means,
            centre=np.full(len(samples), known.centre),
            lower=known.centre - half,
            upper=known.centre + half,
        )
    ]


def cusum_lines(
    samples: Samples, known: Parameters, *, slack: float = 0.5, decision: float = 4.0
) -> list[ControlLine]:
    """How far values went beyond `slack` sigmas, added up on each side; a sum never passes zero."""
    sigma = known.sigma / math.sqrt(known.size)
    count = len(samples)
    distances = samples.values - known.centre
    high = _climbed(distances - slack * sigma)
    low = -_climbed(-distances - slack * sigma)
    limit = np.full(count, decision * sigma)
    nothing = np.zeros(count)
    return [
        ControlLine(name="C+", points=high, centre=nothing, lower=nothing, upper=limit),
        ControlLine(name="C-", points=low, centre=nothing, lower=-limit, upper=nothing),
    ]


def _smoothed(values: Floats, weight: float) -> Floats:
    """The weighted mean so far at each value, from nothing; a block of values at a time."""
    count = len(values)
    padded = np.zeros(-(-count // _BLOCK) * _BLOCK)
    padded[:count] = values
    ages = np.subtract.outer(np.arange(_BLOCK), np.arange(_BLOCK))
    shares = np.where(ages >= 0, weight * (1 - weight) ** np.maximum(ages, 0), 0.0)
    inside = padded.reshape(-1, _BLOCK) @ shares.T
    decay = (1 - weight) ** np.arange(1, _BLOCK + 1)
    before = np.empty(len(inside))
    carried = 0.0
    for number, end in enumerate(inside[:, -1].tolist()):
        before[number] = carried
        carried = end + float(decay[-1]) * carried
    found: Floats = (inside + before[:, None] * decay[None, :]).ravel()[:count]
    return found


def _climbed(steps: Floats) -> Floats:
    """The sum of steps, begun again wherever it would fall below zero."""
    walk = np.concatenate(([0.0], np.cumsum(steps)))
    found: Floats = (walk - np.minimum.accumulate(walk))[1:]
    return found
