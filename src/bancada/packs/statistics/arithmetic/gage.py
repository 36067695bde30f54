"""A measurement system: repeatability and reproducibility of a crossed study, by analysis of variance."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from bancada.packs.statistics.arithmetic.arrays import Floats, NoStudy

ALPHA = 0.05
"""Above this chance an interaction is put together with repeatability."""


@dataclass(frozen=True)
class SourceRow:
    """One source of variation. F and its chance are none where nothing stands against it."""

    name: str
    freedom: int
    squares: float
    ratio: float | None = None
    chance: float | None = None

    @property
    def mean(self) -> float:
        return self.squares / self.freedom


@dataclass(frozen=True, kw_only=True)
class GageStudy:
    """Variances by where they come from; none is below zero."""

    table: tuple[SourceRow, ...]
    interaction: bool
    """Whether the interaction of parts and operators is a source of its own."""
    repeatability: float
    operators: float
    crossed: float
    parts: float

    @property
    def reproducibility(self) -> float:
        return self.operators + self.crossed

    @property
    def gage(self) -> float:
        return self.repeatability + self.reproducibility

    @property
    def total(self) -> float:
        return self.gage + self.parts

    @property
    def categories(self) -> int:
        """How many kinds of part the measurement can tell apart."""
        if self.gage == 0:
            raise NoStudy("constant")
        return max(1, int(math.sqrt(2 * self.parts / self.gage)))


def crossed(values: Floats, interaction: bool | None = None) -> GageStudy:
    """The study of `values[part, operator, trial]`; whether there is an interaction is tested."""
    parts, operators, trials = values.shape
    grand = float(np.mean(values))
    by_part, by_operator = values.mean(axis=(1, 2)), values.mean(axis=(0, 2))
    cells = values.mean(axis=2)
    squares_parts = operators * trials * float(np.sum((by_part - grand) ** 2))
    squares_operators = parts * trials * float(np.sum((by_operator - grand) ** 2))
    mixed = cells - by_part[:, None] - by_operator[None, :] + grand
    squares_mixed = trials * float(np.sum(mixed**2))
    squares_error = float(np.sum((values - cells[:, :, None]) ** 2))
    free_mixed = (parts - 1) * (operators - 1)
    free_error = parts * operators * (trials - 1)
    if not squares_error > 1e-24 * max(1.0, grand**2):
        raise NoStudy("no_repeat_variation")
    mixed_row = _row("mixed", free_mixed, squares_mixed, squares_error / free_error, free_error)
    if interaction is None:
        interaction = mixed_row.chance is not None and mixed_row.chance < ALPHA
    if interaction:
        error = SourceRow("error", free_error, squares_error)
        against = mixed_row
    else:
        error = SourceRow("error", free_mixed + free_error, squares_mixed + squares_error)
        against = error
    part_row = _row("parts", parts - 1, squares_parts, against.mean, against.freedom)
    operator_row = _row(
        "operators", operators - 1, squares_operators, against.mean, against.freedom
    )
    middle = (mixed_row,) if interaction else ()
    return GageStudy(
        table=(part_row, operator_row, *middle, error),
        interaction=interaction,
        repeatability=error.mean,
        operators=max(0.0, (operator_row.mean - against.mean) / (parts * trials)),
        crossed=max(0.0, (mixed_row.mean - error.mean) / trials) if interaction else 0.0,
        parts=max(0.0, (part_row.mean - against.mean) / (operators * trials)),
    )


def _row(name: str, freedom: int, squares: float, against: float, other: int) -> SourceRow:
    if not against > 0:
        return SourceRow(name, freedom, squares)
    ratio = squares / freedom / against
    return SourceRow(
        name, freedom, squares, ratio, float(scipy.special.fdtrc(freedom, other, ratio))
    )
