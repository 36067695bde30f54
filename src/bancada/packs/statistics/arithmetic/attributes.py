"""Charts of counts: defective pieces (p, np), defects (c, u), and Laney's p′ and u′."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from bancada.packs.statistics.arithmetic.arrays import Floats, NoStudy
from bancada.packs.statistics.arithmetic.chart import ControlLine, Parameters, Samples, around
from bancada.packs.statistics.arithmetic.constants import d2
from bancada.packs.statistics.arithmetic.variables import one_size

_Sigma: TypeAlias = Callable[[Samples, float], Floats]


def proportion(samples: Samples) -> Parameters:
    """The share of defective pieces in all that was inspected."""
    centre = float(np.sum(samples.values) / np.sum(_sizes(samples)))
    if centre in (0.0, 1.0):
        raise NoStudy("all_alike", share=int(centre))
    return Parameters(centre=centre)


def rate(samples: Samples) -> Parameters:
    """Defects for each unit inspected."""
    centre = float(np.sum(samples.values) / np.sum(_sizes(samples)))
    if centre == 0.0:
        raise NoStudy("all_alike", share=0)
    return Parameters(centre=centre)


def p_lines(samples: Samples, known: Parameters) -> list[ControlLine]:
    return [_p("p", samples, known)]


def np_proportion(samples: Samples) -> Parameters:
    """As `proportion`, and the size that all samples must have."""
    found = proportion(samples)
    return Parameters(centre=found.centre, size=one_size(samples))


def np_lines(samples: Samples, known: Parameters) -> list[ControlLine]:
    size = one_size(samples)
    if size != known.size:
        raise NoStudy("other_size", has=size, kept=known.size)
    mean = size * known.centre
    sigma = float(np.sqrt(mean * (1 - known.centre)))
    return [around("np", samples.values, mean, sigma, least=0.0, most=float(size))]


def c_mean(samples: Samples) -> Parameters:
    """Defects of a sample, where all samples are alike."""
    centre = float(np.mean(samples.values))
    if centre == 0.0:
        raise NoStudy("all_alike", share=0)
    return Parameters(centre=centre)


def c_lines(samples: Samples, known: Parameters) -> list[ControlLine]:
    return [around("c", samples.values, known.centre, float(np.sqrt(known.centre)), least=0.0)]


def u_lines(samples: Samples, known: Parameters) -> list[ControlLine]:
    return [_u("u", samples, known)]


def laney_proportion(samples: Samples) -> Parameters:
    """As `proportion`, with the factor by which proportions vary more than by chance alone."""
    return _with_factor(samples, proportion(samples), _p_sigma)


def laney_rate(samples: Samples) -> Parameters:
    """As `rate`, with Laney's factor."""
    return _with_factor(samples, rate(samples), _u_sigma)


def laney_p_lines(samples: Samples, known: Parameters) -> list[ControlLine]:
    return [_p("p′", samples, known)]


def laney_u_lines(samples: Samples, known: Parameters) -> list[ControlLine]:
    return [_u("u′", samples, known)]


def _p(name: str, samples: Samples, known: Parameters) -> ControlLine:
    sigma = known.factor * _p_sigma(samples, known.centre)
    return around(name, samples.values / _sizes(samples), known.centre, sigma, least=0.0, most=1.0)


def _u(name: str, samples: Samples, known: Parameters) -> ControlLine:
    sigma = known.factor * _u_sigma(samples, known.centre)
    return around(name, samples.values / _sizes(samples), known.centre, sigma, least=0.0)


def _p_sigma(samples: Samples, centre: float) -> Floats:
    return np.sqrt(centre * (1 - centre) / _sizes(samples))


def _u_sigma(samples: Samples, centre: float) -> Floats:
    return np.sqrt(centre / _sizes(samples))


def _with_factor(samples: Samples, found: Parameters, sigma: _Sigma) -> Parameters:
    """Laney's factor: sigma of the standardised points, from their moving ranges."""
    shares = samples.values / _sizes(samples)
    scores = (shares - found.centre) / sigma(samples, found.centre)
    factor = float(np.mean(np.abs(np.diff(scores)))) / d2(2)
    if factor < 1e-9:
        raise NoStudy("constant")
    return Parameters(centre=found.centre, factor=factor)


def _sizes(samples: Samples) -> Floats:
    assert samples.sizes is not None
    return samples.sizes
