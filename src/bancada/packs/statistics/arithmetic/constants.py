"""Unbiasing constants of control charts, computed from what they are rather than looked up.

`c4` relates the mean standard deviation of samples of n normal values to sigma; `d2` and `d3` are
the mean and the standard deviation of their range.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from bancada.packs.statistics.arithmetic.arrays import Floats

LARGEST_RANGE = 25
"""Values of a subgroup beyond which a range says too little of the spread to be used."""

_EDGE = 9.0
"""Sigmas: what lies beyond adds less than the last digit of a double."""
_NODES = 200


@lru_cache
def c4(size: int) -> float:
    """The mean standard deviation of `size` standard normal values."""
    if size < 2:
        raise ValueError("a standard deviation needs two values")
    half = math.lgamma(size / 2) - math.lgamma((size - 1) / 2)
    return math.sqrt(2 / (size - 1)) * math.exp(half)


@lru_cache
def d2(size: int) -> float:
    """The mean range of `size` standard normal values: ∫ 1 - Φⁿ - (1 - Φ)ⁿ."""
    nodes, weights = _between(-_EDGE, _EDGE)
    below = _phi(nodes)
    return float(np.sum(weights * (1 - below**size - (1 - below) ** size)))


@lru_cache
def d3(size: int) -> float:
    """The standard deviation of the range of `size` standard normal values.

    Its square has the mean 2∬ 1 - Φ(y)ⁿ - (1 - Φ(x))ⁿ + (Φ(y) - Φ(x))ⁿ over all x < y; with
    x = y - t both integrals have smooth integrands.
    """
    high, high_weights = _between(-_EDGE, _EDGE)
    gap, gap_weights = _between(0.0, 2 * _EDGE)
    upper = _phi(high)[:, None]
    lower = _phi(high[:, None] - gap[None, :])
    inner = 1 - upper**size - (1 - lower) ** size + (upper - lower) ** size
    square = 2 * float(high_weights @ inner @ gap_weights)
    return math.sqrt(square - d2(size) ** 2)


@lru_cache
def _gauss() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights


def _between(start: float, end: float) -> tuple[Floats, Floats]:
    nodes, weights = _gauss()
    half = (end - start) / 2
    return start + half * (nodes + 1), half * weights


def _phi(values: Floats) -> Floats:
    """The share of normal values below each of these."""
    flat = [math.erfc(-value / math.sqrt(2)) / 2 for value in values.ravel().tolist()]
    return np.array(flat).reshape(values.shape)
