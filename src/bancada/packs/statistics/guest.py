"""What runs in the jail: one study of the tables that are open there.

Loaded once, before any container, with numpy; nothing of the server is imported here.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

import duckdb

from bancada.packs.statistics.arithmetic.arrays import NoStudy
from bancada.packs.statistics.studies import capacity, charting, gauging
from bancada.packs.statistics.studies.reading import StudySource

STUDIES: Mapping[str, Callable[[StudySource, Mapping[str, Any]], dict[str, Any]]] = {
    "chart": charting.chart,
    "capacity": capacity.capacity,
    "gage": gauging.gauge,
    "pareto": gauging.pareto,
}


def study(
    db: duckdb.DuckDBPyConnection, job: Mapping[str, Any], too_late: threading.Event
) -> dict[str, Any]:
    """The study's figures, or `{"problem", "parts"}` where it cannot be made; its clock is set by
    whoever runs it."""
    db.execute("BEGIN TRANSACTION READ ONLY")
    try:
        asked = job["asked"]
        source = StudySource.of(db, job["sql"])
        source = source.within(asked.get("order"), asked.get("since"), asked.get("until"))
        found = STUDIES[job["study"]](source, asked)
        return {**found, "versions": _versions(job)}
    except NoStudy as problem:
        return {"problem": problem.code, "parts": problem.parts}
    except (MemoryError, duckdb.OutOfMemoryException):
        return {"problem": "too_much", "parts": {}, "out_of_memory": True}
    except duckdb.Error as error:
        if too_late.is_set():
            return {"problem": "too_long", "parts": {"seconds": job["seconds"]}}
        return {"problem": "query", "parts": {"text": str(error).split("\n\n")[0][:500]}}
    finally:
        db.execute("ROLLBACK")


def _versions(job: Mapping[str, Any]) -> dict[str, Any]:
    """Which contents the tables had that the query names.

    By the query's words: asking the engine for a query's tables spoils the views of its connection.
    """
    known, sql = job.get("versions", {}), job["sql"]
    return {
        name: one
        for name, one in known.items()
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sql, re.IGNORECASE)
    }
