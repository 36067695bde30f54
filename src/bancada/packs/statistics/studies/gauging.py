"""A gage study of a table's columns, and a Pareto of its values, in the jail."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from bancada.packs.statistics.arithmetic import gage
from bancada.packs.statistics.arithmetic.arrays import NoStudy
from bancada.packs.statistics.studies.reading import StudySource, finite, rows_of

MOST_ROWS = 100_000
SHOWN = 25
"""Categories of a Pareto that are told by name."""
PARTS = 8
"""Values of the second level that are told by name."""


def gauge(source: StudySource, job: Mapping[str, Any]) -> dict[str, Any]:
    """Repeatability and reproducibility of `value` by `part` and `operator`."""
    value = source.number(job["value"])
    part, operator = source.column(job["part"]), source.column(job["operator"])
    columns = (job["value"], job["part"], job["operator"])
    total, missing = rows_of(source, *columns, leave_out=job["leave_out"])
    if total > MOST_ROWS:
        raise NoStudy("too_many", count=total, most=MOST_ROWS)
    present = f"{source.column(job['value'])} IS NOT NULL AND {part} IS NOT NULL AND {operator} IS NOT NULL"
    rows = source.rows(
        f"SELECT CAST({part} AS VARCHAR), CAST({operator} AS VARCHAR), list({value}) "  # noqa: S608
        f"FROM source WHERE {present} GROUP BY 1, 2 ORDER BY 1, 2"
    )
    cells = {(one, other): found for one, other, found in rows}
    parts = sorted({one for one, _ in cells}, key=_counted)
    operators = sorted({one for _, one in cells}, key=_counted)
    trials = {len(found) for found in cells.values()}
    if len(cells) < len(parts) * len(operators) or len(trials) > 1:
        raise NoStudy("not_balanced", parts=len(parts), operators=len(operators))
    if len(parts) < 2 or len(operators) < 2 or min(trials) < 2:
        raise NoStudy(
            "gage_too_small", parts=len(parts), operators=len(operators), trials=min(trials)
        )
    values = np.array(
        [[cells[one, other] for other in operators] for one in parts], dtype=np.float64
    )
    finite(values.ravel(), job["value"])
    found = gage.crossed(values)
    if not found.total > 0:
        raise NoStudy("constant")
    return {
        "parts": len(parts),
        "operators": len(operators),
        "trials": min(trials),
        "missing": missing,
        "interaction": found.interaction,
        "table": [
            [row.name, row.freedom, row.squares, row.mean, row.ratio, row.chance]
            for row in found.table
        ],
        "variances": {
            "gage": found.gage,
            "repeatability": found.repeatability,
            "reproducibility": found.reproducibility,
            "operators": found.operators,
            "crossed": found.crossed,
            "parts": found.parts,
            "total": found.total,
        },
        "categories": found.categories,
        "means": [[float(one) for one in row] for row in values.mean(axis=2).T],
        "part_names": [one[:60] for one in parts],
        "operator_names": [one[:60] for one in operators],
    }


def pareto(source: StudySource, job: Mapping[str, Any]) -> dict[str, Any]:
    """How often each value occurs, the most frequent first, and each by a second column."""
    column = source.column(job["value"])
    weight, second = job.get("weight_column"), job.get("second")
    names = [one for one in (job["value"], weight, second) if one]
    _, missing = rows_of(source, *names, leave_out=job["leave_out"])
    measure = f"sum({source.number(weight)})" if weight else "count(*)"
    present = " AND ".join(f"{source.column(name)} IS NOT NULL" for name in names)
    rows = source.rows(
        f"SELECT CAST({column} AS VARCHAR) AS k, {measure} AS n, "  # noqa: S608
        f"{f'min({source.number(weight)})' if weight else '0'} "
        f"FROM source WHERE {present} GROUP BY 1 ORDER BY n DESC, k"
    )
    if not rows:
        raise NoStudy("no_rows")
    if any(least is None or least < 0 or not math.isfinite(n) for _, n, least in rows):
        raise NoStudy("negative_weights", name=str(weight)[:100])
    total = math.fsum(n for _, n, _ in rows)
    if total <= 0:
        raise NoStudy("no_rows")
    found: dict[str, Any] = {
        "total": total,
        "missing": missing,
        "categories": len(rows),
        "rows": [[str(k)[:60], n] for k, n, _ in rows[:SHOWN]],
        "others": math.fsum(n for _, n, _ in rows[SHOWN:]),
        "second": None,
    }
    if second:
        inner = source.column(second)
        pairs = source.rows(
            f"SELECT CAST({column} AS VARCHAR), CAST({inner} AS VARCHAR), {measure} AS n "  # noqa: S608
            f"FROM source WHERE {present} GROUP BY 1, 2 ORDER BY n DESC, 1, 2"
        )
        found["second"] = _second(pairs, [k for k, _, _ in rows[:SHOWN]])
    return found


def _second(pairs: list[tuple[Any, ...]], shown: list[str]) -> dict[str, Any]:
    """The second level of the shown categories: its largest values, and the others together."""
    totals: dict[str, float] = {}
    for first, second, n in pairs:
        if first in shown:
            totals[second] = totals.get(second, 0) + n
    names = sorted(totals, key=lambda one: (-totals[one], one))[:PARTS]
    table = {first: [0.0] * (len(names) + 1) for first in shown}
    for first, second, n in pairs:
        if first in table:
            table[first][names.index(second) if second in names else -1] += n
    rest = sum(row[-1] for row in table.values())
    return {
        "names": [one[:60] for one in names],
        "rows": [table[first][: None if rest else -1] for first in shown],
        "rest": bool(rest),
    }


def _counted(name: str) -> list[tuple[int, str]]:
    """Names in the order people count: P2 comes before P10."""
    parts = re.findall(r"\d+|\D+", name)
    return [(int(one), "") if one.isdecimal() else (-1, one) for one in parts]
