"""Queries asked in another way: with their tables filtered, or only for the columns they read.

What is asked beside the query travels in front of it, as a comment: so it stands in the call's
arguments, and with them in the rules that judge it, the audit and the cache. Only our reader in the
jail knows it; it can take rows away from a query, never give it any.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from bancada.domain.json import JSONObject


@dataclass(frozen=True, kw_only=True)
class TableFilter:
    """Which rows of one table a query sees: of some days, or with one of some values."""

    table: str
    column: str
    since: date | None = None
    until: date | None = None
    values: tuple[str | None, ...] | None = None
    """Compared as text; none among them is an empty cell."""

    def as_json(self) -> JSONObject:
        shape: JSONObject = {"table": self.table, "column": self.column}
        if self.since is not None:
            shape["since"] = self.since.isoformat()
        if self.until is not None:
            shape["until"] = self.until.isoformat()
        if self.values is not None:
            shape["values"] = list(self.values)
        return shape


def filtered(sql: str, filters: Sequence[TableFilter]) -> str:
    """The query over the rows that pass."""
    return _hinted({"filters": [one.as_json() for one in filters]}, sql)


def columns_read(sql: str) -> str:
    """Instead of its rows: table, column and type of everything it could be filtered by."""
    return _hinted({"columns": True}, sql)


def _hinted(hint: JSONObject, sql: str) -> str:
    # A comment ends at the first `*/`, and a value may hold one.
    text = json.dumps(hint, ensure_ascii=False).replace("*/", "*\\/")
    return f"/*+ bancada {text} */ {sql}"
