"""Whether values look normal: Anderson and Darling's test, mean and spread not known."""

from __future__ import annotations

import math

import numpy as np
import scipy

from bancada.packs.statistics.arithmetic.arrays import Floats

FEWEST = 8


def anderson_darling(values: Floats) -> tuple[float, float]:
    """The statistic, and how often chance alone gives one as large (D'Agostino and Stephens, 1986)."""
    scores = (np.sort(values) - np.mean(values)) / np.std(values, ddof=1)
    return statistic(scipy.special.log_ndtr(scores), scipy.special.log_ndtr(-scores))


def statistic(log_below: Floats, log_above: Floats) -> tuple[float, float]:
    """From the logarithms of the shares below and above each value, the values in rising order."""
    count = len(log_below)
    odd = 2 * np.arange(1, count + 1) - 1
    found = -count - float(np.sum(odd * (log_below + log_above[::-1]))) / count
    return found, _chance(found * (1 + 0.75 / count + 2.25 / count**2))


def _chance(adjusted: float) -> float:
    if adjusted < 0.2:
        return 1 - math.exp(-13.436 + 101.14 * adjusted - 223.73 * adjusted**2)
    if adjusted < 0.34:
        return 1 - math.exp(-8.318 + 42.796 * adjusted - 59.938 * adjusted**2)
    if adjusted < 0.6:
        return math.exp(0.9177 - 4.279 * adjusted - 1.38 * adjusted**2)
    if adjusted <= 13:
        return math.exp(1.2937 - 5.709 * adjusted + 0.0186 * adjusted**2)
    return 0.0
