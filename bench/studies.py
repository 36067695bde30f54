"""Charts of a million rows: our study, read by SQL, against pandas doing the same.

Run it with `python -m bench.studies [rows]`. Both compute centre, limits and the eight rules of
Nelson where the chart has zones; ours also answers with labels and the drawn points. Ratios are
of the same run; seconds are this machine's.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from threading import Event
from typing import Any

import duckdb
import numpy as np
import pandas as pd
from bench._figures import figure

from bancada.packs.statistics import guest

ASKED: dict[str, Any] = {
    "rules": "nelson",
    "numbers": list(range(1, 9)),
    "leave_out": False,
    "weight": 0.2,
    "width": 3.0,
    "slack": 0.5,
    "decision": 4.0,
    "lower": 9.0,
    "upper": 11.0,
    "target": None,
    "shape": "normal",
    "method": "ranges",
    "confidence": 0.95,
}
CHARTS: dict[str, dict[str, Any]] = {
    "i-mr": {"value": "peso"},
    "xbarra-r": {"value": "peso", "size": 5},
    "xbarra-s": {"value": "peso", "group": "lote"},
    "p": {"value": "maus", "size": 50},
    "np": {"value": "maus", "size": 50},
    "c": {"value": "maus"},
    "u": {"value": "maus", "size": 50},
    "p-laney": {"value": "maus", "size": 50},
    "u-laney": {"value": "maus", "size": 50},
    "ewma": {"value": "peso"},
    "cusum": {"value": "peso"},
}


def table(rows: int) -> duckdb.DuckDBPyConnection:
    """Measurements, the lot of each, and counts of defective pieces."""
    db = duckdb.connect(":memory:", config={"threads": 1, "memory_limit": "384MiB"})
    rng = np.random.default_rng(1)
    frame = {
        "peso": rng.normal(10, 0.2, rows),
        "lote": np.arange(rows) // 5,
        "maus": rng.binomial(50, 0.05, rows),
    }
    db.register("given", frame)
    db.execute("CREATE TABLE t AS SELECT * FROM given")
    db.unregister("given")
    return db


def ours(db: duckdb.DuckDBPyConnection, study: str, asked: dict[str, Any]) -> dict[str, Any]:
    job = {"study": study, "sql": "SELECT * FROM t", "seconds": 120, "asked": {**ASKED, **asked}}
    return guest.study(db, job, Event())


def by_pandas(db: duckdb.DuckDBPyConnection, kind: str, asked: dict[str, Any]) -> float:
    """The upper limit, by pandas, with the same rules looked for where there are zones."""
    frame = db.execute("SELECT * FROM t").df()
    values = frame[asked["value"]].astype(float)
    size = asked.get("size", 1)
    if kind.startswith("xbarra"):
        key = frame["lote"] if "group" in asked else pd.Series(np.arange(len(frame)) // size)
        groups = values.groupby(key)
        points = groups.mean()
        spread = (
            (groups.max() - groups.min()).mean() / 2.326
            if kind == "xbarra-r"
            else groups.std().mean() / 0.94
        )
        sigma = spread / 5**0.5
    elif kind in ("p", "p-laney", "u", "u-laney"):
        points = values / size
        share = points.mean()
        sigma = (share * (1 - share) / size if kind[0] == "p" else share / size) ** 0.5
        if "laney" in kind:
            sigma *= ((points - share) / sigma).diff().abs().mean() / 1.128
    elif kind in ("np", "c"):
        points = values
        sigma = points.mean() ** 0.5
    else:
        points = values
        sigma = values.diff().abs().mean() / 1.128
    if kind == "ewma":
        return float((points.ewm(alpha=0.2, adjust=False).mean() > points.mean() + sigma).sum())
    if kind == "cusum":
        walk = (points - points.mean() - 0.5 * sigma).cumsum()
        return float((walk - walk.cummin() > 4 * sigma).sum())
    _rules((points - points.mean()) / sigma)
    return float(points.mean() + 3 * sigma)


def _rules(deviations: pd.Series) -> None:
    for window, needed, line in ((1, 1, 3), (9, 9, 0), (3, 2, 2), (5, 4, 1)):
        for side in (1, -1):
            (((side * deviations) > line).rolling(window).sum() >= needed).sum()
    steps = deviations.diff()
    for side in (1, -1):
        (((side * steps) > 0).rolling(5).sum() >= 5).sum()
    ((steps * steps.shift() < 0).rolling(12).sum() >= 12).sum()
    ((deviations.abs() < 1).rolling(15).sum() >= 15).sum()
    ((deviations.abs() > 1).rolling(8).sum() >= 8).sum()


def timed(work: Callable[[], Any]) -> float:
    best = float("inf")
    for _ in range(2):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    db = table(rows)
    print(f"{rows:,} rows; seconds, and ours as a share of pandas")
    for kind, asked in CHARTS.items():
        found = ours(db, "chart", {**asked, "tipo": kind})
        assert "problem" not in found, found
        mine = timed(lambda: ours(db, "chart", {**asked, "tipo": kind}))  # noqa: B023
        theirs = timed(lambda: by_pandas(db, kind, asked))  # noqa: B023
        print(f"{kind:10} {mine:6.2f} {theirs:6.2f}   {mine / theirs:5.2f}")
        figure(f"{kind} chart, {rows:,} rows", mine, theirs, peer="pandas", unit="s")
    mine = timed(lambda: ours(db, "capacity", {"value": "peso", "size": 5}))
    print(f"{'capacity':10} {mine:6.2f}")


if __name__ == "__main__":
    main()
