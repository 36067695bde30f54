"""Charts of measurements: single values with their moving ranges, and subgroups (X̄-R, X̄-S)."""

from __future__ import annotations

import math

import numpy as np

from bancada.packs.statistics.arithmetic.arrays import Floats, NoStudy, varies
from bancada.packs.statistics.arithmetic.chart import ControlLine, Parameters, Samples, around
from bancada.packs.statistics.arithmetic.constants import c4, d2, d3


def moving_ranges(values: Floats) -> Floats:
    """The distance of each value from the one before; the first has none."""
    return np.concatenate(([np.nan], np.abs(np.diff(values))))


def individuals(samples: Samples) -> Parameters:
    """Centre and sigma of single values, from the mean of their moving ranges of two."""
    values = samples.values
    sigma = float(np.mean(np.abs(np.diff(values)))) / d2(2)
    return _varying(Parameters(centre=float(np.mean(values)), sigma=sigma))


def individuals_lines(samples: Samples, known: Parameters) -> list[ControlLine]:
    return [
        around("I", samples.values, known.centre, known.sigma),
        around(
            "MR",
            moving_ranges(samples.values),
            d2(2) * known.sigma,
            d3(2) * known.sigma,
            least=0.0,
            zones=False,
        ),
    ]


def by_range(samples: Samples) -> Parameters:
    """Centre and sigma of subgroups, from the mean of their ranges."""
    size = one_size(samples)
    return _subgroups(samples, size, float(np.mean(_spread(samples))) / d2(size))


def by_deviation(samples: Samples) -> Parameters:
    """Centre and sigma of subgroups, from the mean of their standard deviations."""
    size = one_size(samples)
    return _subgroups(samples, size, float(np.mean(_spread(samples))) / c4(size))


def range_lines(samples: Samples, known: Parameters) -> list[ControlLine]:
    size = _same_size(samples, known)
    spread = around(
        "R",
        _spread(samples),
        d2(size) * known.sigma,
        d3(size) * known.sigma,
        least=0.0,
        zones=False,
    )
    return [means_line(samples, known), spread]


def deviation_lines(samples: Samples, known: Parameters) -> list[ControlLine]:
    size = _same_size(samples, known)
    spread = around(
        "S",
        _spread(samples),
        c4(size) * known.sigma,
        math.sqrt(1 - c4(size) ** 2) * known.sigma,
        least=0.0,
        zones=False,
    )
    return [means_line(samples, known), spread]


def means_line(samples: Samples, known: Parameters) -> ControlLine:
    return around("X̄", samples.values, known.centre, known.sigma / math.sqrt(known.size))


def one_size(samples: Samples) -> int:
    """The size that all subgroups have."""
    if samples.sizes is None:
        return 1
    sizes = np.unique(samples.sizes)
    if len(sizes) > 1:
        usual = float(np.median(samples.sizes))
        odd = int(np.flatnonzero(samples.sizes != usual)[0])
        raise NoStudy("unequal_groups", point=odd, has=int(samples.sizes[odd]), others=int(usual))
    return int(sizes[0])


def _same_size(samples: Samples, known: Parameters) -> int:
    size = one_size(samples)
    if size != known.size:
        raise NoStudy("other_size", has=size, kept=known.size)
    return size


def _spread(samples: Samples) -> Floats:
    assert samples.spread is not None
    return samples.spread


def _subgroups(samples: Samples, size: int, sigma: float) -> Parameters:
    centre = float(np.mean(samples.values))
    return _varying(Parameters(centre=centre, sigma=sigma, size=size))


def _varying(found: Parameters) -> Parameters:
    if not varies(found.sigma, found.centre):
        raise NoStudy("constant")
    return found
