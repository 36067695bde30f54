"""Run every benchmark of `bench/`, or those that are named: `make bench ARGS=gate`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1] / "bench"


def main(names: list[str]) -> int:
    known = {path.stem: path for path in sorted(BENCH.glob("*.py")) if path.stem[0] != "_"}
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"No benchmark called {', '.join(unknown)}; there are: {', '.join(known)}.")
        return 2
    failed = 0
    for name in names or known:
        print(f"\n== {name}", flush=True)
        failed += (
            subprocess.run(
                [sys.executable, "-m", f"bench.{name}"], cwd=BENCH.parent, check=False
            ).returncode
            != 0
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
