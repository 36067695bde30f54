"""Charts with a memory, for small shifts: the weighted mean (EWMA) and the cumulated sum (CUSUM).

Both stand on the centre and sigma of single values or of subgroups, as `variables` finds them.
"""

from __future__ import annotations

import math

import numpy as np

from bancada.packs.statistics.arithmetic.chart import ControlLine, Parameters, Samples


def ewma_lines(
    samples: Samples, known: Parameters, *, weight: float = 0.2, width: float = 3.0
) -> list[ControlLine]:
    """The weighted mean of all values so far; its limits widen to their final distance."""
    means = np.empty(len(samples))
    mean = known.centre
    for number, value in enumerate(samples.values.tolist()):
        mean += weight * (value - mean)
        means[number] = mean
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
    high, low = np.empty(count), np.empty(count)
    above = below = 0.0
    allowed = slack * sigma
    for number, value in enumerate((samples.values - known.centre).tolist()):
        above = max(0.0, above + value - allowed)
        below = min(0.0, below + value + allowed)
        high[number], low[number] = above, below
    limit = np.full(count, decision * sigma)
    nothing = np.zeros(count)
    return [
        ControlLine(name="C+", points=high, centre=nothing, lower=nothing, upper=limit),
        ControlLine(name="C-", points=low, centre=nothing, lower=-limit, upper=nothing),
    ]
