"""A capability study of a table's column, in the jail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from bancada.packs.statistics.arithmetic import capability, normality, shapes
from bancada.packs.statistics.arithmetic.arrays import Floats, NoStudy, varies
from bancada.packs.statistics.arithmetic.capability import Indices, SpecLimits, WithinSpread
from bancada.packs.statistics.arithmetic.constants import LARGEST_RANGE
from bancada.packs.statistics.arithmetic.johnson import johnson
from bancada.packs.statistics.studies.charting import ReadSamples, read_values
from bancada.packs.statistics.studies.reading import StudySource

FEWEST = normality.FEWEST
CLASSES = 30


def capacity(source: StudySource, job: Mapping[str, Any]) -> dict[str, Any]:
    """Indices within and overall, parts per million, normality, and a shape where one was asked for."""
    read, groups = read_values(source, job)
    values = read.samples.values
    limits = SpecLimits(lower=job["lower"], upper=job["upper"], target=job["target"])
    if len(values) < FEWEST:
        raise NoStudy("too_few_values", has=len(values), needs=FEWEST)
    mean, overall = float(np.mean(values)), float(np.std(values, ddof=1))
    if not varies(overall, mean):
        raise NoStudy("constant")
    count, confidence = len(values), job["confidence"]
    inside, method = _within(values, groups, job["method"])
    whole = WithinSpread(overall, count - 1)
    statistic, chance = normality.anderson_darling(values)
    found: dict[str, Any] = {
        "count": count,
        "missing": read.missing,
        "dropped": read.dropped,
        "mean": mean,
        "within": inside.sigma,
        "overall": overall,
        "method": method,
        "cp": _told(capability.indices(mean, inside, count, limits, confidence)),
        "pp": _told(capability.indices(mean, whole, count, limits, confidence)),
        "cpm": capability.about_target(mean, overall, limits),
        "observed": _observed(values, limits),
        "ppm_within": capability.expected_ppm(mean, inside.sigma, limits),
        "ppm_overall": capability.expected_ppm(mean, overall, limits),
        "statistic": statistic,
        "chance": chance,
        "histogram": _histogram(values),
        "shape": None,
    }
    if job["shape"] != "normal":
        found["shape"] = _shaped(values, job["shape"], limits)
    return found


def _within(values: Floats, groups: ReadSamples | None, method: str) -> tuple[WithinSpread, str]:
    """The spread inside subgroups, as asked for; of single values between neighbours."""
    if groups is None:
        found, method = capability.by_moving_range(values), "moving_range"
    else:
        samples = groups.samples
        assert samples.sizes is not None and samples.spread is not None  # noqa: PT018
        sizes = np.unique(samples.sizes)
        if method == "pooled":
            found = capability.pooled(samples.spread, samples.sizes)
        elif len(sizes) > 1:
            raise NoStudy("unequal_for_method")
        elif method == "deviations":
            found = capability.by_deviations(samples.spread, int(sizes[0]))
        else:
            if sizes[0] > LARGEST_RANGE:
                raise NoStudy("group_too_large", has=int(sizes[0]), most=LARGEST_RANGE)
            found = capability.by_ranges(samples.spread, int(sizes[0]))
    if not varies(found.sigma, float(np.mean(values))):
        raise NoStudy("constant_within")
    return found, method


def _told(found: Indices) -> dict[str, Any]:
    return {name: None if one is None else one for name, one in asdict(found).items()}


def _observed(values: Floats, limits: SpecLimits) -> int:
    outside = np.zeros(len(values), dtype=bool)
    if limits.lower is not None:
        outside |= values < limits.lower
    if limits.upper is not None:
        outside |= values > limits.upper
    return int(np.sum(outside))


def _histogram(values: Floats) -> dict[str, list[float]]:
    counts, edges = np.histogram(values, bins=min(CLASSES, int(np.ceil(np.log2(len(values)))) + 1))
    return {"counts": [int(one) for one in counts], "edges": [float(one) for one in edges]}


def _shaped(values: Floats, name: str, limits: SpecLimits) -> dict[str, Any]:
    if name == "johnson":
        shape = johnson(values)
    else:
        shape = shapes.box_cox(values) if name == "box-cox" else shapes.fitted(values, name)
    both, worst = shapes.by_points(shape, limits)
    return {
        "name": shape.name,
        "parameters": dict(shape.parameters),
        "points": [shape.low, shape.middle, shape.high],
        "pp": both,
        "ppk": worst,
        "ppm": shapes.ppm(shape, limits),
        "statistic": shape.statistic,
        "chance": shape.chance,
    }
