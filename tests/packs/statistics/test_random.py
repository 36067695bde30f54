"""Random columns: our figures against formulas written another way, and rules read point by point."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import fmean, stdev
from threading import Event
from typing import Any

import duckdb
import numpy as np
import pytest

from bancada.packs.statistics import guest
from bancada.packs.statistics.arithmetic.arrays import NoStudy
from bancada.packs.statistics.arithmetic.chart import Samples
from bancada.packs.statistics.studies import charting

JOB = {"leave_out": False, "weight": 0.2, "width": 3.0, "slack": 0.5, "decision": 4.0}
D2 = {2: 1.1283791670955126, 3: 1.692568750643269, 4: 2.058750746007943, 5: 2.3259289472810353}
D3 = {2: 0.8525024664274213, 3: 0.8883680040471634, 4: 0.8798082028194103, 5: 0.8640819411000000}


def column(seed: int) -> list[float]:
    """Values of many kinds: normal, skewed, with a shift, a trend, ties or a far point."""
    rng = random.Random(seed)
    count = rng.randint(8, 60)
    centre, sigma = rng.uniform(-1e4, 1e4), 10 ** rng.uniform(-3, 3)
    values = [rng.gauss(centre, sigma) for _ in range(count)]
    match seed % 6:
        case 1:
            values = [centre + sigma * rng.expovariate(1) for _ in range(count)]
        case 2:
            at = rng.randrange(count)
            values = [one + (2 * sigma if i >= at else 0) for i, one in enumerate(values)]
        case 3:
            values = [one + 0.3 * sigma * i for i, one in enumerate(values)]
        case 4:
            values = [round(one / sigma) * sigma for one in values]
            values[0] += sigma  # never all alike
        case 5:
            values[rng.randrange(count)] += rng.choice((-1, 1)) * 6 * sigma
    return values


class Table:
    """One column, studied as the jail does it: read by SQL, or handed over as it is."""

    def __init__(self, *, by_sql: bool) -> None:
        self.db = duckdb.connect(":memory:", config={"threads": 1}) if by_sql else None

    def study(self, kind: str, values: Sequence[float], **asked: Any) -> dict[str, Any]:
        job = {
            **JOB,
            "tipo": kind,
            "value": "v",
            "rules": "nelson",
            "numbers": range(1, 9),
            **asked,
        }
        column = np.array(values, dtype=float)
        if self.db is not None:
            self.db.register("t", {"v": column})
            wanted = {"study": "chart", "sql": "FROM t", "seconds": 60, "asked": job}
            return guest.study(self.db, wanted, Event())
        try:
            return charting.drawn(_read(column, kind, asked.get("size", 1)), job)
        except NoStudy as problem:
            return {"problem": problem.code}


def _read(column: Any, kind: str, size: int) -> charting.ReadSamples:
    if not kind.startswith("xbarra"):
        sizes = np.full(len(column), float(size)) if kind not in ("i-mr", "ewma", "cusum") else None
        samples = Samples(values=column, sizes=sizes)
        return charting.ReadSamples(samples=samples, labels=None, stages=None, missing=0)
    count = len(column) // size
    groups = column[: count * size].reshape(count, size)
    spread = np.ptp(groups, axis=1) if kind == "xbarra-r" else groups.std(axis=1, ddof=1)
    samples = Samples(values=groups.mean(axis=1), spread=spread, sizes=np.full(count, float(size)))
    dropped = len(column) - count * size
    return charting.ReadSamples(
        samples=samples, labels=None, stages=None, missing=0, dropped=dropped
    )


def same(found: dict[str, Any], centre: float, half: float, least: float = -math.inf) -> None:
    """The figures of one chart; what is too near to call on a million-fold larger mean is let go."""
    slack = 1e-9 * (abs(centre) + half)
    assert found["centre"][-1] == pytest.approx(centre, abs=slack)
    assert found["upper"][-1] == pytest.approx(centre + half, abs=slack)
    assert found["lower"][-1] == pytest.approx(max(least, centre - half), abs=slack)


def check_individuals(table: Table, values: list[float]) -> None:
    found = table.study("i-mr", values)
    gaps = [abs(b - a) for a, b in pairwise(values)]
    mean_gap = math.fsum(gaps) / len(gaps)
    sigma = mean_gap * math.sqrt(math.pi) / 2
    same(found["charts"][0], fmean(values), 3 * sigma)
    same(found["charts"][1], mean_gap, 3 * D3[2] * sigma, 0.0)
    ends = {one["rule"]: one["count"] for one in found["charts"][0]["signals"]}
    deviations = [(value - fmean(values)) / sigma for value in values]
    if _clear(deviations):
        assert ends == {rule: n for rule, test in SLOW.items() if (n := _count(deviations, test))}


def check_subgroups(table: Table, values: list[float]) -> None:
    size = 2 + len(values) % 4
    groups = [values[at : at + size] for at in range(0, len(values) - size + 1, size)]
    by_range = table.study("xbarra-r", values, size=size)
    by_deviation = table.study("xbarra-s", values, size=size)
    means = [math.fsum(group) / size for group in groups]
    if len(groups) < 8:
        assert by_range["problem"] == by_deviation["problem"] == "too_few"
        return
    ranges = [sorted(group)[-1] - sorted(group)[0] for group in groups]
    spread = fmean(ranges)
    same(by_range["charts"][0], fmean(means), 3 * spread / (D2[size] * math.sqrt(size)))
    same(by_range["charts"][1], spread, 3 * D3[size] * spread / D2[size], 0.0)
    bias = math.sqrt(2 / (size - 1)) * math.gamma(size / 2) / math.gamma((size - 1) / 2)
    deviation = fmean(stdev(group) for group in groups)
    same(by_deviation["charts"][0], fmean(means), 3 * deviation / (bias * math.sqrt(size)))
    half = 3 * deviation / bias * math.sqrt(1 - bias**2)
    same(by_deviation["charts"][1], deviation, half, 0.0)
    assert by_range["dropped"] == len(values) - size * len(groups)


def check_counts(table: Table, values: list[float]) -> None:
    rng = random.Random(str(values[:3]))
    size = rng.randint(20, 400)
    counts = [rng.randint(0, size // 3) for _ in values]
    if not any(counts):
        return
    share = sum(counts) / (size * len(counts))
    spread = math.sqrt(share * (1 - share) / size)
    same(table.study("p", counts, size=size)["charts"][0], share, 3 * spread, 0.0)
    found = table.study("np", counts, size=size)["charts"][0]
    same(found, size * share, 3 * size * spread, 0.0)
    same(table.study("c", counts)["charts"][0], fmean(counts), 3 * math.sqrt(fmean(counts)), 0.0)
    found = table.study("u", counts, size=size)["charts"][0]
    same(found, share, 3 * math.sqrt(share / size), 0.0)
    scores = [(count / size - share) / spread for count in counts]
    gaps = [abs(b - a) for a, b in pairwise(scores)]
    factor = fmean(gaps) * math.sqrt(math.pi) / 2
    if factor > 0:
        found = table.study("p-laney", counts, size=size)["charts"][0]
        half = min(3 * spread * factor, 1 - share)
        assert found["upper"][-1] == pytest.approx(share + half)
        assert found["lower"][-1] == pytest.approx(max(0.0, share - 3 * spread * factor))


def check_weighted(table: Table, values: list[float]) -> None:
    found = table.study("ewma", values)["charts"][0]
    centre = fmean(values)
    sigma = fmean(abs(b - a) for a, b in pairwise(values)) / D2[2]
    last = len(values)
    expected = 0.8**last * centre + math.fsum(
        0.2 * 0.8 ** (last - 1 - at) * value for at, value in enumerate(values)
    )
    slack = 1e-9 * (abs(centre) + sigma)
    assert found["points"][-1] == pytest.approx(expected, abs=slack)
    half = 3 * sigma * math.sqrt(math.fsum((0.2 * 0.8**at) ** 2 for at in range(last)))
    assert found["upper"][-1] == pytest.approx(centre + half, abs=slack)
    high = table.study("cusum", values)["charts"][0]
    walk = [0.0]
    for value in values:
        walk.append(walk[-1] + value - centre - 0.5 * sigma)
    expected = walk[-1] - min(walk)
    assert high["points"][-1] == pytest.approx(expected, abs=1e-8 * (abs(centre) + sigma) * last)
    assert high["upper"][-1] == pytest.approx(4 * sigma)


# ---------------------------------------------------------------------------- rules, read slowly

SLOW: dict[int, Callable[[Sequence[float]], bool]] = {
    1: lambda past: abs(past[-1]) > 3,
    2: lambda past: _one_side(past, 9, 9, 0),
    3: lambda past: len(past) >= 6 and _monotone(past[-6:]),
    4: lambda past: len(past) >= 14 and _zigzag(past[-14:]),
    5: lambda past: _one_side(past, 3, 2, 2),
    6: lambda past: _one_side(past, 5, 4, 1),
    7: lambda past: len(past) >= 15 and max(map(abs, past[-15:])) < 1,
    8: lambda past: (
        len(past) >= 8 and min(map(abs, past[-8:])) > 1 and min(past[-8:]) < 0 < max(past[-8:])
    ),
}


def _one_side(past: Sequence[float], window: int, needed: int, line: float) -> bool:
    side = 1 if past[-1] > 0 else -1
    recent = [side * one for one in past[-window:]]
    return recent[-1] > line and sum(one > line for one in recent) >= needed


def _monotone(points: Sequence[float]) -> bool:
    return list(points) in (
        sorted(set(points)), sorted(set(points), reverse=True)
    )  # fmt: skip


def _zigzag(points: Sequence[float]) -> bool:
    ups = [b > a for a, b in pairwise(points)]
    level = any(a == b for a, b in pairwise(points))
    return not level and all(a != b for a, b in pairwise(ups))


def _count(deviations: Sequence[float], broken: Callable[[Sequence[float]], bool]) -> int:
    return sum(broken(deviations[: end + 1]) for end in range(len(deviations)))


def _clear(deviations: Sequence[float]) -> bool:
    """Whether no point lies so near a line, or a neighbour, that the last digits would decide."""
    near = any(abs(abs(one) - line) < 1e-6 for one in deviations for line in (0, 1, 2, 3))
    return not near and all(a == b or abs(a - b) > 1e-6 for a, b in pairwise(deviations))


CHECKS = (check_individuals, check_subgroups, check_counts, check_weighted)


def compare(seeds: range, *, by_sql: bool) -> None:
    table = Table(by_sql=by_sql)
    for seed in seeds:
        CHECKS[seed // 6 % len(CHECKS)](table, column(seed))


def test_random_columns_agree_with_formulas_written_another_way() -> None:
    compare(range(500), by_sql=False)


def test_random_columns_of_a_table_agree_too() -> None:
    compare(range(500, 548), by_sql=True)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_hundred_thousand_random_columns_agree() -> None:
    compare(range(1_000, 101_000), by_sql=False)
    compare(range(101_000, 104_000), by_sql=True)
