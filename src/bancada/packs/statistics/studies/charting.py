"""A control chart of a table's columns: samples read by SQL, limits and rules by the arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bancada.packs.statistics.arithmetic import attributes, variables, weighted
from bancada.packs.statistics.arithmetic.arrays import Floats, NoStudy
from bancada.packs.statistics.arithmetic.chart import (
    ControlLine,
    Parameters,
    Samples,
    joined,
    signals,
)
from bancada.packs.statistics.arithmetic.constants import LARGEST_RANGE
from bancada.packs.statistics.arithmetic.rules import Broken
from bancada.packs.statistics.studies.reading import MOST_LABELS, StudySource, finite, rows_of

SHOWN = 600
"""Points that are drawn: the last of them, where there are more."""
FEWEST = 8
"""Points that limits can be computed from; below it they would say more of chance than of the process."""
MOST_STAGES = 50
MOST_SIGNALS = 20

Estimate = Callable[[Samples], Parameters]
Draw = Callable[[Samples, Parameters], list[ControlLine]]


@dataclass(frozen=True)
class Family:
    """How one kind of chart is made."""

    reads: str
    """`values`: measurements, single or in subgroups; `counts`: defects or defective pieces."""
    estimate: Estimate
    draw: Draw
    spread: str | None = None
    """What is read of each subgroup beside its mean; a chart without it takes single values too."""
    subgroups: bool = False
    """Whether it is made of subgroups only."""
    sizes: bool = False
    """Whether each count stands beside how many were inspected."""
    pieces: bool = False
    """Whether counts are of pieces, so never more than were inspected."""


FAMILIES: Mapping[str, Family] = {
    "i-mr": Family("values", variables.individuals, variables.individuals_lines),
    "xbarra-r": Family(
        "values", variables.by_range, variables.range_lines, spread="range", subgroups=True
    ),
    "xbarra-s": Family(
        "values", variables.by_deviation, variables.deviation_lines, spread="sd", subgroups=True
    ),
    "p": Family("counts", attributes.proportion, attributes.p_lines, sizes=True, pieces=True),
    "np": Family("counts", attributes.np_proportion, attributes.np_lines, sizes=True, pieces=True),
    "c": Family("counts", attributes.c_mean, attributes.c_lines),
    "u": Family("counts", attributes.rate, attributes.u_lines, sizes=True),
    "p-laney": Family(
        "counts", attributes.laney_proportion, attributes.laney_p_lines, sizes=True, pieces=True
    ),
    "u-laney": Family("counts", attributes.laney_rate, attributes.laney_u_lines, sizes=True),
    "ewma": Family("values", variables.individuals, weighted.ewma_lines, spread="range"),
    "cusum": Family("values", variables.individuals, weighted.cusum_lines, spread="range"),
}


@dataclass(frozen=True, kw_only=True)
class ReadSamples:
    """What was read for a chart."""

    samples: Samples
    labels: NDArray[Any] | None
    stages: NDArray[Any] | None
    missing: int
    dropped: int = 0
    """Values of a last subgroup that was not full."""


def chart(source: StudySource, job: Mapping[str, Any]) -> dict[str, Any]:
    """The chart `job["tipo"]` of the job's columns, as plain JSON."""
    family = FAMILIES[job["tipo"]]
    read = _counts if family.reads == "counts" else _values
    return drawn(read(source, family, job), job)


def drawn(read: ReadSamples, job: Mapping[str, Any]) -> dict[str, Any]:
    """The chart of what was read."""
    kind, samples = job["tipo"], read.samples
    family = FAMILIES[kind]
    starts = _starts(read.stages)
    known = job.get("known")
    estimate, draw = _made(family, kind, samples, job)
    parts = []
    parameters = []
    for start, end in zip(starts, [*starts[1:], len(samples)], strict=True):
        part = samples.part(start, end)
        if known is None and len(part) < FEWEST:
            raise NoStudy("too_few", has=len(part), needs=FEWEST, stages=len(starts))
        found = Parameters(**known) if known is not None else estimate(part)
        parameters.append(found)
        parts.append(draw(part, found))
    lines = [joined(each) for each in zip(*parts, strict=True)]
    return {
        "points": len(samples),
        "size": parameters[0].size,
        "missing": read.missing,
        "dropped": read.dropped,
        "first_shown": max(0, len(samples) - SHOWN),
        "ends": _labels(read, (0, len(samples) - 1)),
        "labels": _labels(read, range(max(0, len(samples) - SHOWN), len(samples))),
        "stages": [
            {
                "name": None if read.stages is None else str(read.stages[start]),
                "first": start,
                **asdict(found),
            }
            for start, found in zip(starts, parameters, strict=True)
        ],
        "charts": [_told(line, read, starts, job) for line in lines],
    }


def _made(
    family: Family, kind: str, samples: Samples, job: Mapping[str, Any]
) -> tuple[Estimate, Draw]:
    """The family's own, with what the job says of weights; subgroups have their own sigma."""
    estimate, draw = family.estimate, family.draw
    if kind in ("ewma", "cusum") and samples.sizes is not None:
        estimate = variables.by_range
    if kind == "ewma":
        draw = partial(weighted.ewma_lines, weight=job["weight"], width=job["width"])
    if kind == "cusum":
        draw = partial(weighted.cusum_lines, slack=job["slack"], decision=job["decision"])
    return estimate, draw


# ---------------------------------------------------------------------------- reading


def _values(source: StudySource, family: Family, job: Mapping[str, Any]) -> ReadSamples:
    value = source.number(job["value"])
    group, size = job.get("group"), int(job.get("size") or 1)
    grouped = bool(group) or size > 1
    if grouped and family.spread is None:
        raise NoStudy("single_values", kind=job["tipo"])
    if family.subgroups and not grouped:
        raise NoStudy("no_subgroups", kind=job["tipo"])
    columns = _columns(job)
    job, missing = _rows_seen(source, columns, job)
    if not grouped:
        rows = _rows(source, columns, job, f"{value} AS v")
        found = source.arrays(f"SELECT v{_extras(job)} FROM ({rows}) ORDER BY n")  # noqa: S608
        values = finite(_floats(found["v"]), job["value"])
        return _read(found, Samples(values=values), missing)
    key = f", CAST({source.column(group)} AS VARCHAR) AS g" if group else ""
    rows = _rows(source, columns, job, f"{value} AS v{key}")
    if not group:
        rows = f"SELECT *, (n - 1) // {size} AS g FROM ({rows})"  # noqa: S608
    found = source.arrays(
        "SELECT avg(v) AS v, max(v) - min(v) AS range, stddev_samp(v) AS sd, count(*) AS size, "  # noqa: S608
        f"max(abs(v)) AS most{_extras(job, grouped=True)} FROM ({rows}) GROUP BY g ORDER BY min(n)"
    )
    sizes = _floats(found["size"])
    dropped = 0
    if not group and len(sizes) > 1 and sizes[-1] < sizes[0]:
        dropped = int(sizes[-1])
        found = {name: each[:-1] for name, each in found.items()}
        sizes = sizes[:-1]
    finite(_floats(found["most"]), job["value"])
    if not np.any(sizes >= 2):
        raise NoStudy("groups_of_one")
    if family.spread == "range" and sizes.max() > LARGEST_RANGE:
        raise NoStudy("group_too_large", has=int(sizes.max()), most=LARGEST_RANGE)
    samples = Samples(
        values=_floats(found["v"]), spread=_floats(found[family.spread or "range"]), sizes=sizes
    )
    return _read(found, samples, missing, dropped)


def read_values(
    source: StudySource, job: Mapping[str, Any]
) -> tuple[ReadSamples, ReadSamples | None]:
    """All values in their order, and their subgroups where there are some: what a capability needs."""
    single = {**job, "group": None, "size": None, "tipo": "i-mr"}
    values = _values(source, FAMILIES["i-mr"], single)
    if not job.get("group") and int(job.get("size") or 1) < 2:
        return values, None
    spread = "xbarra-r" if job["method"] == "ranges" else "xbarra-s"
    groups = _values(source, FAMILIES[spread], {**job, "tipo": spread})
    return replace(values, missing=groups.missing, dropped=groups.dropped), groups


def _counts(source: StudySource, family: Family, job: Mapping[str, Any]) -> ReadSamples:
    """Counts of each row, or added up by a column; of a column of yes and no every row is one."""
    pieces = source.kind(job["value"]) == "boolean"
    value, group, inspected = source.number(job["value"]), job.get("group"), job.get("inspected")
    if family.sizes and not (inspected or job.get("size") or pieces):
        raise NoStudy("no_sizes", kind=job["tipo"])
    if pieces and not group:
        raise NoStudy("no_subgroups", kind=job["tipo"])
    columns = _columns(job)
    job, missing = _rows_seen(source, columns, job)
    size = source.number(inspected) if inspected else "1" if pieces else f"{job.get('size') or 1}"
    select = f"{value} AS v, CAST({size} AS DOUBLE) AS size"
    if group:
        select += f", CAST({source.column(group)} AS VARCHAR) AS g"
        rows = _rows(source, columns, job, select)
        found = source.arrays(
            "SELECT sum(v) AS v, sum(size) AS size, min(v) AS least, "  # noqa: S608
            f"bool_and(v = floor(v)) AS whole{_extras(job, grouped=True)} "
            f"FROM ({rows}) GROUP BY g ORDER BY min(n)"
        )
    else:
        rows = _rows(source, columns, job, select)
        found = source.arrays(
            f"SELECT v, size, v AS least, v = floor(v) AS whole{_extras(job)} "  # noqa: S608
            f"FROM ({rows}) ORDER BY n"
        )
    counts, sizes = finite(_floats(found["v"]), job["value"]), _floats(found["size"])
    finite(sizes, inspected or "")
    wrong = (_floats(found["least"]) < 0) | ~found["whole"].astype(bool)
    if family.sizes:
        wrong |= sizes <= 0
    if family.pieces:
        wrong |= counts > sizes
    if np.any(wrong):
        at = int(np.flatnonzero(wrong)[0])
        raise NoStudy(
            "impossible_counts", point=at + 1, count=float(counts[at]), size=float(sizes[at])
        )
    samples = Samples(values=counts, sizes=sizes if family.sizes else None)
    return _read(found, samples, missing)


def _rows_seen(
    source: StudySource, columns: Sequence[str], job: Mapping[str, Any]
) -> tuple[Mapping[str, Any], int]:
    """The job, knowing whether points are few enough to be told by name; and the rows left out."""
    total, missing = rows_of(source, *columns, leave_out=job["leave_out"])
    return {**job, "labelled": total <= MOST_LABELS}, missing


def _columns(job: Mapping[str, Any]) -> list[str]:
    """The columns in which no cell may be empty."""
    asked = (job.get(name) for name in ("value", "group", "inspected", "stage", "order"))
    return list(dict.fromkeys(one for one in asked if one))


def _rows(source: StudySource, columns: Sequence[str], job: Mapping[str, Any], select: str) -> str:
    """The rows that lack no cell, numbered in their order: the query's own, or a column's."""
    present = " AND ".join(f"{source.column(name)} IS NOT NULL" for name in columns)
    order = job.get("order")
    label = job.get("label") or job.get("group") or order
    parts = [select]
    if label:
        parts.append(f"CAST({source.column(label)} AS VARCHAR) AS label")
    if stage := job.get("stage"):
        parts.append(f"CAST({source.column(stage)} AS VARCHAR) AS stage")
    if not order:
        parts.append("row_number() OVER () AS n")
        return f"SELECT {', '.join(parts)} FROM source WHERE {present}"  # noqa: S608
    # Rows with one and the same moment stay in the order they came in.
    parts += [f"{source.column(order)} AS o", "row_number() OVER () AS r"]
    inner = f"SELECT {', '.join(parts)} FROM source WHERE {present}"  # noqa: S608
    return f"SELECT *, row_number() OVER (ORDER BY o, r) AS n FROM ({inner})"  # noqa: S608


def _extras(job: Mapping[str, Any], *, grouped: bool = False) -> str:
    """What is read beside the numbers: labels where they are few, stages as one number each."""
    found = []
    if (job.get("label") or job.get("group") or job.get("order")) and job["labelled"]:
        found.append("first(label ORDER BY n) AS label" if grouped else "label")
    if job.get("stage"):
        found.append("first(stage ORDER BY n) AS stage" if grouped else "stage")
    return "".join(f", {one}" for one in found)


def _read(
    found: Mapping[str, NDArray[Any]], samples: Samples, missing: int, dropped: int = 0
) -> ReadSamples:
    return ReadSamples(
        samples=samples,
        labels=found.get("label"),
        stages=found.get("stage"),
        missing=missing,
        dropped=dropped,
    )


def _floats(values: NDArray[Any]) -> Floats:
    return np.ascontiguousarray(values, dtype=np.float64)


def _starts(stages: NDArray[Any] | None) -> list[int]:
    """Where each stage begins: wherever its name is another than before."""
    if stages is None:
        return [0]
    starts = [0, *(int(one) + 1 for one in np.flatnonzero(stages[1:] != stages[:-1]))]
    if len(starts) > MOST_STAGES:
        raise NoStudy("too_many_stages", count=len(starts), most=MOST_STAGES)
    return starts


# ---------------------------------------------------------------------------- telling


def _told(
    line: ControlLine, read: ReadSamples, starts: Sequence[int], job: Mapping[str, Any]
) -> dict[str, Any]:
    found = signals(line, starts, job["rules"], job["numbers"])
    first = max(0, len(line.points) - SHOWN)
    broken = np.zeros(len(line.points), dtype=bool)
    for one in found:
        broken[one.ends] = True
        for points in one.points:
            broken[list(points)] = True
    return {
        "name": line.name,
        "points": _numbers(line.points[first:]),
        "centre": _numbers(line.centre[first:]),
        "lower": _numbers(line.lower[first:]),
        "upper": _numbers(line.upper[first:]),
        "broken": [int(one) for one in np.flatnonzero(broken[first:])],
        "signals": [_signal(one, read) for one in found],
    }


def _signal(found: Broken, read: ReadSamples) -> dict[str, Any]:
    return {
        "rule": found.rule,
        "count": len(found.ends),
        "times": [
            {"points": [point + 1 for point in points], "labels": _labels(read, points)}
            for points in found.points[:MOST_SIGNALS]
        ],
    }


def _labels(read: ReadSamples, points: Sequence[int]) -> list[str]:
    """What points are called: their label, or their number."""
    if read.labels is None:
        return [str(point + 1) for point in points]
    return [_short(str(read.labels[point])) for point in points]


def _short(text: str) -> str:
    text = text.removesuffix(" 00:00:00")
    return text if len(text) <= 60 else f"{text[:59]}…"


def _numbers(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]
