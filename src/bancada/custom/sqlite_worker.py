"""One read-only query on an SQLite file, in a process that can be killed.

Run as a script, with nothing of ours imported: a query that a progress handler does not see (one
endless comparison, say) ends when the process does.
"""

from __future__ import annotations

import json
import resource
import sqlite3
import sys
import time
from contextlib import closing
from typing import Any
from urllib.parse import quote

MAX_VALUE_BYTES = 10_000_000
MEMORY = 512 << 20

_ALLOWED = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
_NO_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"})


def _only_reads(action: int, first: str | None, second: str | None, *_: Any) -> int:
    """SQLite asks before each thing a statement would do."""
    if action not in _ALLOWED:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _NO_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def select(job: dict[str, Any]) -> dict[str, Any]:
    end = time.monotonic() + job["seconds"]
    try:
        with closing(
            sqlite3.connect(f"file:{quote(job['path'])}?mode=ro", uri=True, timeout=job["seconds"])
        ) as db:
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
            db.execute("PRAGMA query_only=ON")
            db.set_authorizer(_only_reads)
            db.set_progress_handler(lambda: time.monotonic() > end, 10_000)
            cursor = db.execute(job["sql"], job["values"])
            columns = [name for name, *_ in cursor.description or ()]
            found = cursor.fetchmany(job["rows"] + 1)
    except sqlite3.Error as error:
        if time.monotonic() > end:
            return {"late": True}
        return {"error": str(error)}
    except OverflowError:
        return {"error": "A number is too large for the database"}
    except MemoryError:
        return {"error": "The query needs more memory than it may use"}
    return {"columns": columns, "rows": [[_cell(value) for value in row] for row in found]}


def _cell(value: Any) -> Any:
    return f"[{len(value):,} bytes]" if isinstance(value, bytes) else value


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    json.dump(select(json.load(sys.stdin)), sys.stdout)
