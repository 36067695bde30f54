"""The benchmark's three ways agree, on a graph small enough for every run of the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_benchmark_runs_and_all_three_ways_agree() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.graph", "--nodes", "300", "900"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert "900 nodes, 4,500 edges; ms, all three agree" in done.stdout
