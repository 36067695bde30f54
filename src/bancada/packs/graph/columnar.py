"""Parquet that was uploaded, as CSV: read inside the jail, since its reader is native code.

The command line's own import reads Parquet itself: there it is the operator's file.
"""

from __future__ import annotations

import asyncio
import csv
import itertools
from pathlib import Path

from bancada import Invalid, Jail, ToolFailed

_ROWS = 20_000
_BYTES = 64 << 20
_SECONDS = 60.0
_HARNESS = """
import datetime, duckdb

def text(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    return str(value)

kept = vars(duckdb).setdefault("_bancada_columnar", {})
try:
    page = kept.setdefault("page", 0)
    kept["page"] = page + 1
    if page != input["page"]:
        result = {"error": "it was interrupted; try again"}
    elif page == 0:
        kept["found"] = duckdb.connect().execute(
            "SELECT * FROM read_parquet(?)", [input["data_folder"] + "/file.parquet"]
        )
        result = [[str(column[0]) for column in kept["found"].description]]
    else:
        rows = kept["found"].fetchmany(input["rows"])
        result = [[text(value) for value in row] for row in rows]
except duckdb.Error as error:
    result = {"error": str(error).splitlines()[0][:300]}
"""


async def as_csv(jail: Jail, file: Path, *, called: str) -> Path:
    """Write the file's rows beside it as CSV; raises `Invalid` where it is no Parquet."""
    if jail.missing is not None:
        raise Invalid("graph_not_imported", problems=f"{called}: {jail.missing}")
    target = file.with_suffix(".csv")
    with target.open("w", encoding="utf-8", newline="") as out:
        lines = csv.writer(out)
        for page in itertools.count():
            rows = await _page(jail, file, page, called)
            if not rows:
                break
            await asyncio.to_thread(lines.writerows, rows)
    return target


async def _page(jail: Jail, file: Path, page: int, called: str) -> list[list[str]]:
    try:
        # A key of its own: the container holds the place in this file from page to page. One that
        # had to be opened anew would begin again; it is told which page it should be at.
        answer = await jail.evaluate(
            _HARNESS,
            {"rows": _ROWS, "page": page},
            key=f"columnar {file}",
            files={"file.parquet": file},
            seconds=_SECONDS,
            max_bytes=_BYTES,
        )
    except ToolFailed as failure:
        raise Invalid("graph_not_imported", problems=f"{called}: {failure}") from failure
    if isinstance(answer, dict):
        said = f"{called}: cannot be read as Parquet ({answer.get('error')})."
        raise Invalid("graph_not_imported", problems=said)
    if not isinstance(answer, list) or not all(_is_row(row) for row in answer):
        raise Invalid("graph_not_imported", problems=f"{called}: cannot be read as Parquet.")
    return answer


def _is_row(row: object) -> bool:
    return isinstance(row, list) and all(isinstance(cell, str) for cell in row)
