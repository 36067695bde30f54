"""Writing a figure down, so that `make bench` can make `docs/performance.md` of them all.

A figure is what we take and what a peer takes for the same work in the same run; run alone, a
benchmark prints its own table and nothing is written.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

FIGURES = "BENCH_FIGURES"
"""The variable that names the file, a JSON object a line."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One line of the table."""

    bench: str
    what: str
    peer: str
    unit: str
    ours: float
    theirs: float
    more_is_better: bool = False
    aim: float | None = None
    """The ratio that is at most (or, where more is better, at least) wanted."""

    @property
    def ratio(self) -> float:
        """Ours over theirs."""
        return self.ours / self.theirs

    @property
    def is_kept(self) -> bool:
        """Whether the aim is met; what has none is."""
        if self.aim is None:
            return True
        return self.ratio >= self.aim if self.more_is_better else self.ratio <= self.aim


def figure(
    what: str,
    ours: float,
    theirs: float,
    *,
    peer: str,
    unit: str,
    aim: float | None = None,
    more_is_better: bool = False,
) -> None:
    """Write one down, under the name of the program that runs."""
    if FIGURES not in os.environ:
        return
    one = Figure(
        bench=Path(sys.argv[0]).stem,
        what=what,
        peer=peer,
        unit=unit,
        ours=ours,
        theirs=theirs,
        aim=aim,
        more_is_better=more_is_better,
    )
    with Path(os.environ[FIGURES]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(one)) + "\n")


def written(path: Path) -> list[Figure]:
    """What was written down."""
    return [Figure(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]
