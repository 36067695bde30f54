"""The process that turns one upload into a data set, and ends.

It reads one JSON job from standard input and writes JSON lines: `{"progress": 0.4}` while it
works, then `{"done": …}` or `{"problem": …}`. What it may use is bounded by the kernel before
the file is touched.
"""

from __future__ import annotations

import os
import resource
import sys
import threading
from pathlib import Path
from typing import Any

import duckdb

from bancada.data.ingest import ingest
from bancada.data.limits import IngestLimits
from bancada.data.problems import DataProblem
from bancada.domain.json import dumps, loads


def main() -> int:
    job = loads(sys.stdin.buffer.read())
    limits = IngestLimits(**job["limits"])
    _bound(limits)
    paths = {key: Path(job[key]).resolve() for key in ("source", "target_folder", "scraps")}
    os.chdir(paths["scraps"])
    speak = _Speaker()
    try:
        made = ingest(
            paths["source"],
            job["filename"],
            paths["target_folder"],
            name=job["name"],
            taken=job["taken"],
            limits=limits,
            sheet=job["sheet"],
            progress=lambda part: speak(progress=round(part, 2)),
        )
    except DataProblem as problem:
        speak(problem=problem.as_json())
    except (MemoryError, duckdb.OutOfMemoryException):
        speak(problem=DataProblem("too_heavy", name=job["filename"]).as_json())
    except duckdb.IOException as error:
        if "File too large" not in str(error) and "temp" not in str(error).lower():
            raise
        speak(problem=DataProblem("too_heavy", name=job["filename"]).as_json())
    else:
        speak(
            done={
                "path": str(made.path),
                "sha256": made.sha256,
                "bytes": made.bytes,
                "summary": made.summary,
                "head": made.head,
                "peak_memory": _peak_memory(),
            }
        )
    return 0


class _Speaker:
    """Lines to the server; progress only when it moved, from whichever thread noticed."""

    def __init__(self) -> None:
        # The reader and the watcher of its progress both speak: their lines must not mix.
        self._lock = threading.Lock()
        self._told = 0.0

    def __call__(self, **line: Any) -> None:
        with self._lock:
            if "progress" in line:
                if line["progress"] <= self._told:
                    return
                self._told = line["progress"]
            sys.stdout.write(dumps(line) + "\n")
            sys.stdout.flush()


def _peak_memory() -> int:
    """Bytes resident at most. `ru_maxrss` would count the server this process was forked from."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    return next(
        (int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0
    )


def _bound(limits: IngestLimits) -> None:
    """Memory, file size and processor time, by the kernel. Chats come first: be nice."""
    os.nice(5)
    seconds = int(limits.seconds * limits.threads) + 5
    for what, value in (
        (resource.RLIMIT_AS, limits.process_memory),
        (resource.RLIMIT_FSIZE, limits.disk),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 256),
    ):
        _, most = resource.getrlimit(what)
        bound = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(what, (bound, bound))


if __name__ == "__main__":
    sys.exit(main())
