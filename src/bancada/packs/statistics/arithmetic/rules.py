"""Rules that a control chart can break, over points told in sigmas from their centre.

Two sets: the Western Electric zone rules and Nelson's eight. A point on a line is not beyond it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bancada.packs.statistics.arithmetic.arrays import Floats, Places, Truths

_SLACK = 1e-9
"""Sigmas. What the last binary digits say is no signal."""


@dataclass(frozen=True)
class Run:
    """Where one rule is completed: at each of `ends`, by points among the last `window`."""

    window: int
    ends: Truths
    """At which points the pattern is complete."""
    members: Truths
    """Which points can be part of it."""


def _beyond(line: float, needed: int, window: int) -> Callable[[Floats], list[Run]]:
    """`needed` of `window` points beyond a line, all on one side, the last one among them."""

    def find(deviations: Floats) -> list[Run]:
        return [
            Run(window, members & (_last(members, window) >= needed), members)
            for members in (deviations > line + _SLACK, -deviations > line + _SLACK)
        ]

    return find


def _every(member: Callable[[Floats], Truths], window: int) -> Callable[[Floats], list[Run]]:
    """`window` points in a row that all have one property."""

    def find(deviations: Floats) -> list[Run]:
        members = member(deviations)
        return [Run(window, _last(members, window) >= window, members)]

    return find


def _both_sides(deviations: Floats) -> list[Run]:
    """Eight points in a row beyond one sigma, some above and some below."""
    above, below = deviations > 1 + _SLACK, deviations < -1 - _SLACK
    members = above | below
    mixed = (_last(above, 8) > 0) & (_last(below, 8) > 0)
    return [Run(8, mixed & (_last(members, 8) >= 8), members)]


def _rising(deviations: Floats) -> list[Run]:
    """Six points in a row that all rise, or all fall: five steps of one direction."""
    steps = np.diff(deviations)
    return [_steps(step, 5) for step in (steps > _SLACK, steps < -_SLACK)]


def _alternating(deviations: Floats) -> list[Run]:
    """Fourteen points in a row, each step against the one before: twelve turns."""
    steps = np.diff(deviations)
    turns = (steps[1:] * steps[:-1] < 0) & (np.minimum(abs(steps[1:]), abs(steps[:-1])) > _SLACK)
    complete = np.zeros(len(deviations), dtype=bool)
    complete[2:] = _last(turns, 12) >= 12
    return [Run(14, complete, np.ones(len(deviations), dtype=bool))]


def _steps(step: Truths, needed: int) -> Run:
    complete = np.zeros(len(step) + 1, dtype=bool)
    complete[1:] = _last(step, needed) >= needed
    return Run(needed + 1, complete, np.ones(len(complete), dtype=bool))


def _last(members: Truths, window: int) -> Places:
    """Of the last `window` points, how many are members, at each point."""
    total = np.cumsum(members)
    before = np.zeros_like(total)
    before[window:] = total[:-window] if len(total) > window else total[:0]
    return total - before


WESTERN_ELECTRIC: Mapping[int, Callable[[Floats], list[Run]]] = {
    1: _beyond(3, 1, 1),
    2: _beyond(2, 2, 3),
    3: _beyond(1, 4, 5),
    4: _beyond(0, 8, 8),
}
NELSON: Mapping[int, Callable[[Floats], list[Run]]] = {
    1: _beyond(3, 1, 1),
    2: _beyond(0, 9, 9),
    3: _rising,
    4: _alternating,
    5: _beyond(2, 2, 3),
    6: _beyond(1, 4, 5),
    7: _every(lambda deviations: abs(deviations) < 1 - _SLACK, 15),
    8: _both_sides,
}
SETS = {"western_electric": WESTERN_ELECTRIC, "nelson": NELSON}


@dataclass(frozen=True)
class Broken:
    """One rule over a whole chart: every time it was completed, and the points of the first."""

    rule: int
    ends: Places
    """The points that complete it, counted from 0."""
    points: tuple[tuple[int, ...], ...]
    """For each of the first completions, all its points."""


def broken(
    segments: Sequence[Floats], name: str, numbers: Sequence[int], *, most: int = 20
) -> list[Broken]:
    """The rules that were broken. No pattern reaches from one segment into the next."""
    found = []
    for number in numbers:
        ends: list[Places] = []
        points: list[tuple[int, ...]] = []
        start = 0
        for deviations in segments:
            runs = SETS[name][number](deviations)
            ends += [start + np.flatnonzero(run.ends) for run in runs]
            points += _first(runs, start, most - len(points))
            start += len(deviations)
        complete = np.sort(np.concatenate(ends)) if ends else np.zeros(0, dtype=np.int64)
        if len(complete):
            found.append(Broken(number, complete, tuple(points)))
    return found


def _first(runs: Sequence[Run], start: int, most: int) -> list[tuple[int, ...]]:
    """The points of the first completions of a segment, in their order."""
    complete = sorted(
        ((int(end), run) for run in runs for end in np.flatnonzero(run.ends)[:most]),
        key=lambda one: one[0],
    )
    found = []
    for end, run in complete[:most]:
        first = max(0, end - run.window + 1)
        inside = first + np.flatnonzero(run.members[first : end + 1])
        found.append(tuple(int(start + one) for one in inside))
    return found
