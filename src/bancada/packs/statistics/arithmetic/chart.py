"""A control chart: its points, its centre and limits at each point, and what it signals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from bancada.packs.statistics.arithmetic import rules
from bancada.packs.statistics.arithmetic.arrays import Floats


@dataclass(frozen=True, kw_only=True)
class Samples:
    """What a chart is made of, one entry a point. Which fields a family needs is its own to say."""

    values: Floats
    """Measurements, means of subgroups, or counts."""
    spread: Floats | None = None
    """Of each subgroup: its range or its standard deviation."""
    sizes: Floats | None = None
    """How many were measured or inspected for each point."""

    def part(self, start: int, end: int) -> Samples:
        """The samples of one stage."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return replace(
            self, **{name: each[start:end] for name, each in given.items() if each is not None}
        )

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """What limits come from: set from a period, they can be kept and used for later points."""

    centre: float
    sigma: float = 0.0
    """Of single values; a count's follows from its centre."""
    size: int = 1
    """Values of a subgroup, where limits depend on one."""
    factor: float = 1.0
    """Laney's: how much more than by chance alone the proportions vary."""


@dataclass(frozen=True, kw_only=True)
class ControlLine:
    """One of the (one or two) charts of a study."""

    name: str
    points: Floats
    """Not a number where there is no point: the first value has no moving range."""
    centre: Floats
    lower: Floats
    upper: Floats
    sigma: Floats | None = None
    """Of each point. None where zones say nothing (ranges, weighted sums): only the limits count."""


def signals(
    line: ControlLine, starts: Sequence[int], name: str, numbers: Sequence[int]
) -> list[rules.Broken]:
    """The rules a chart breaks; `starts` are where its stages begin."""
    if line.sigma is None:
        half = np.maximum(line.upper - line.centre, line.centre - line.lower)
        outside = np.where(line.points > line.upper, 1.0, -1.0)
        beyond = (line.points > line.upper + 1e-9 * half) | (line.points < line.lower - 1e-9 * half)
        deviations = np.where(beyond, 4.0 * outside, 0.0)
        numbers = [number for number in numbers if number == 1]
    else:
        deviations = (line.points - line.centre) / line.sigma
    segments = np.split(deviations, list(starts)[1:])
    return rules.broken(segments, name, numbers)


def joined(parts: Sequence[ControlLine]) -> ControlLine:
    """The lines of the stages, one after the other."""
    if len(parts) == 1:
        return parts[0]
    sigmas = [part.sigma for part in parts if part.sigma is not None]
    return ControlLine(
        name=parts[0].name,
        points=np.concatenate([part.points for part in parts]),
        centre=np.concatenate([part.centre for part in parts]),
        lower=np.concatenate([part.lower for part in parts]),
        upper=np.concatenate([part.upper for part in parts]),
        sigma=np.concatenate(sigmas) if len(sigmas) == len(parts) else None,
    )


def around(
    name: str,
    points: Floats,
    centre: float,
    sigma: Floats | float,
    *,
    least: float | None = None,
    most: float | None = None,
    zones: bool = True,
    width: float = 3.0,
) -> ControlLine:
    """Limits `width` sigmas around one centre, within what the points can be at all."""
    count = len(points)
    each = np.broadcast_to(np.asarray(sigma, dtype=np.float64), (count,))
    lower, upper = centre - width * each, centre + width * each
    return ControlLine(
        name=name,
        points=points,
        centre=np.full(count, centre),
        lower=lower if least is None else np.maximum(lower, least),
        upper=upper if most is None else np.minimum(upper, most),
        sigma=each if zones else None,
    )
