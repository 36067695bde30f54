"""Run every benchmark of `bench/`, or those that are named: `make bench ARGS=gate`.

The figures of a whole run, with the machine and the versions, go to `build/bench.json`;
`make bench ARGS=--write` also makes `docs/performance.md` of them. `--page` makes the page
of the figures that are there.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench._figures import FIGURES, Figure, written
from bench._page import page

ROOT = Path(__file__).resolve().parents[1]
BENCH, KEPT = ROOT / "bench", ROOT / "build" / "bench.json"
PEERS = ("peers",)
"""What needs environments of its own: `make bench-peers`."""
VERSIONS = ("anthropic", "mcp", "fastapi", "duckdb", "pandas", "networkx", "sqlalchemy")


def machine() -> dict[str, Any]:
    """Where it was measured, and with what."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines() if os.name == "posix" else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "measured": datetime.now(UTC).date().isoformat(),
        "cores": os.cpu_count(),
        "processor": named[0] if named else platform.machine(),
        "load_before": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in VERSIONS},
    }


def run(names: list[str], arguments: list[str]) -> tuple[list[Figure], list[str]]:
    """The figures of these benchmarks, and which of them failed or missed their own aim."""
    notes = KEPT.with_suffix(".lines")
    notes.parent.mkdir(exist_ok=True)
    notes.write_text("", "utf-8")
    failed: list[str] = []
    for name in names:
        print(f"\n== {name}", flush=True)
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", f"bench.{name}", *arguments],
            cwd=ROOT,
            env={**os.environ, FIGURES: str(notes)},
            check=False,
        )
        print(f"({time.monotonic() - began:.0f} s)", flush=True)
        if done.returncode != 0:
            failed.append(name)
    return written(notes), failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true", help="make docs/performance.md")
    parser.add_argument("--page", action="store_true", help="measure nothing, make the page")
    given = parser.parse_args()
    known = [path.stem for path in sorted(BENCH.glob("*.py")) if path.stem[0] != "_"]
    unknown = [name for name in given.names if name not in known]
    if unknown:
        print(f"No benchmark called {', '.join(unknown)}; there are: {', '.join(known)}.")
        return 2
    failed: list[str] = []
    if not given.page:
        here = machine()
        names = given.names or [name for name in known if name not in PEERS]
        figures, failed = run(names, [])
        before = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {"figures": []}
        # A benchmark that ran replaces its own figures and leaves the others'.
        others = [one for one in before["figures"] if one["bench"] not in names]
        told = [*others, *map(asdict, figures)]
        KEPT.write_text(json.dumps({"machine": here, "figures": told}, indent=1) + "\n", "utf-8")
    if given.write or given.page:
        page(json.loads(KEPT.read_text("utf-8")), ROOT / "docs")
    if failed:
        print(f"\nFailed, or missed an aim: {', '.join(failed)}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
