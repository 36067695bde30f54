"""Runs one Cypher query where it can do no harm; this file's text is sent into the jail.

It therefore stands alone: the standard library and the engine, nothing of ours. The check of the
query (`cypher.py`) came before; here are the engine's own locks, and the limits on the answer.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ladybug import Database

_KEPT = "bancada_graph_guest"
_SHOWN_AS = {"_NODES": "nodes", "_RELS": "edges"}
_LONGEST_TEXT = 2_000
_LONGEST_LIST = 500


def plain_value(value: Any) -> Any:
    """What an answer shows of an engine's value: dates as text, finite numbers, no internal ids."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return _plain_mapping(value)
    if isinstance(value, list | tuple | set):
        return [plain_value(item) for item in value]
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return str(value)


def _plain_mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    """A node with its label, an edge with its type, a path with both; or just a map."""
    if "_LABEL" in value:
        word = "type" if "_SRC" in value else "label"
        properties = {
            key: plain_value(item)
            for key, item in value.items()
            if item is not None and not key.startswith("_")
        }
        return {word: value["_LABEL"], **properties}
    return {_SHOWN_AS.get(key, str(key)): plain_value(item) for key, item in value.items()}


def answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """`{columns, rows, total_rows, truncated}`, or `{error}` with what the engine says."""
    # Imported where it is used: the server reads this file too, perhaps without the engine.
    import ladybug

    file = f"{asked.get('data_folder', '/data')}/{asked['file']}"
    database = _database(file, asked["memory"], asked["address_space"])
    # A connection of its own: nothing a query may have set outlives it.
    with ladybug.Connection(database, num_threads=1) as connection:
        connection.set_query_timeout(int(asked["seconds"] * 1000))
        try:
            result = connection.execute(asked["query"])
        except RuntimeError as error:
            return {"error": str(error)[:1_000]}
        if not isinstance(result, ladybug.QueryResult):
            return {"error": "Only one statement may be run."}
        with result:
            rows: list[Any] = []
            size = 0
            while result.has_next() and len(rows) < asked["rows"] and size < asked["bytes"]:
                row = [_cut(plain_value(cell)) for cell in result.get_next()]
                size += len(repr(row))
                rows.append(row)
            total = result.get_num_tuples()
            return {
                "columns": result.get_column_names(),
                "rows": rows,
                "total_rows": total,
                "truncated": len(rows) < total,
            }


def _cut(value: Any) -> Any:
    """No text is longer than a page, and no list than a few."""
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        return value[:_LONGEST_TEXT] + "…"
    if isinstance(value, list):
        more = ["…"] if len(value) > _LONGEST_LIST else []
        return [_cut(item) for item in value[:_LONGEST_LIST]] + more
    if isinstance(value, dict):
        return {key: _cut(item) for key, item in value.items()}
    return value


def _database(file: str, memory: int, address_space: int) -> Database:
    """Opened once in a container's life: the file in it never changes."""
    import ladybug

    kept = sys.modules.setdefault(_KEPT, ModuleType(_KEPT))
    database: Database | None = kept.__dict__.get(file)
    if database is None:
        database = ladybug.Database(
            file,
            read_only=True,
            buffer_pool_size=memory,
            max_db_size=address_space,
            max_num_threads=1,
        )
        kept.__dict__[file] = database
    return database


if __name__ == "evaluation":
    result = answer(globals()["input"])
