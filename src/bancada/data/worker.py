"""What runs inside the wall when a file was uploaded: our reader, on somebody's bytes.

Nothing it says is believed outside: `process.py` looks at the file it leaves and at its answer as
at anything else a stranger sends.
"""

from __future__ import annotations

import resource
import threading
from collections.abc import Callable
from pathlib import Path

import duckdb

from bancada.data.ingest import build
from bancada.data.limits import IngestLimits
from bancada.data.problems import DataProblem
from bancada.data.shapes import profile
from bancada.domain.json import JSONObject, dumps


def read(job: JSONObject, tell: Callable[[float], None]) -> str:
    """Build the data set in the current folder; JSON of `{"done": …}` or `{"problem": …}`."""
    try:
        made = build(
            Path(job["source"]),
            job["filename"],
            taken=job["taken"],
            limits=IngestLimits(**job["limits"]),
            sheet=job["sheet"],
            progress=_Growing(tell),
        )
    except DataProblem as problem:
        return dumps({"problem": problem.as_json()})
    except (MemoryError, duckdb.OutOfMemoryException):
        return _too_heavy(job)
    except RuntimeError as error:
        if "can't start new thread" not in str(error):  # how Python says that a stack has no room
            raise
        return _too_heavy(job)
    except duckdb.IOException as error:
        if "File too large" not in str(error) and "temp" not in str(error).lower():
            raise
        return _too_heavy(job)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return dumps({"done": {"summary": made.summary, "head": made.head, "peak_memory": peak}})


def profiles(job: JSONObject) -> str:
    """What a kept file says of its tables, as JSON."""
    found = [profile(Path(job["source"]), table) for table in job["tables"]]
    return dumps([each.as_json() for each in found])


def _too_heavy(job: JSONObject) -> str:
    return dumps({"problem": DataProblem("too_heavy", name=job["filename"]).as_json()})


class _Growing:
    """Progress, told only when it moved, from whichever thread noticed."""

    def __init__(self, tell: Callable[[float], None]) -> None:
        # The reader and the watcher of its progress both speak: neither may go back.
        self._lock = threading.Lock()
        self._tell = tell
        self._told = 0.0

    def __call__(self, share: float) -> None:
        with self._lock:
            share = round(min(share, 1.0), 2)
            if share > self._told:
                self._told = share
                self._tell(share)
