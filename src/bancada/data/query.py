"""Read-only SQL over a conversation's tables. A query that a model wrote runs in the jail."""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from bancada.data.datasets import Dataset, Uploads
from bancada.data.problems import DataProblem
from bancada.data.summary import caveats
from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Person
from bancada.tools.pack import Jail, table_version
from bancada.tools.tool import ToolContext

_GUEST = Path(__file__).with_name("guest.py").read_text(encoding="utf-8")
_HARNESS = f"{_GUEST}\n\nresult = run(input)\n"
_WRONG_NAME = ("CatalogException", "BinderException")
_SHOWN_COLUMNS = 40
_MAX_NOTES = 10


@dataclass(frozen=True, kw_only=True)
class QueryLimits:
    """Bounds of one query and its answer."""

    seconds: float = 10.0
    memory_mb: int = 384
    rows: int = 1_000
    cell: int = 500
    """Characters of one cell."""
    bytes: int = 200_000
    """Size of the rows in one answer."""
    sql: int = 20_000


PackFiles: TypeAlias = Mapping[str, Path | ToolFailed]
"""The packs' tables by name: their files, or why one cannot be read."""


async def _none(organisation_id: int, person: Person | None) -> PackFiles:
    return {}


class DatasetQuery:
    """What `Services.datasets` offers a pack."""

    def __init__(
        self,
        uploads: Uploads,
        jail: Jail,
        *,
        tables: Callable[[int, Person | None], Awaitable[PackFiles]] = _none,
        limits: QueryLimits | None = None,
    ) -> None:
        """`tables` are the packs' own for an organisation, as they are at the time of a query."""
        self._tables = tables
        self._uploads = uploads
        self._jail = jail
        self._limits = limits or QueryLimits()

    async def query(
        self,
        context: ToolContext,
        sql: str,
        *,
        tables: Mapping[str, Path] | None = None,
        limit: int = 200,
    ) -> JSONObject:
        """Run one statement over the conversation's data sets, the packs' tables and `tables`.

        Returns `{columns, rows, total_rows, truncated}`, and `notes` where the query names a
        column whose cells were read by a guess. Only these files are bound: a table of another
        conversation does not exist here. A data set hides a pack's table of the same name.
        """
        if len(sql) > self._limits.sql:
            raise ToolFailed(f"The query is longer than {self._limits.sql} characters.")
        async with self._bound(context, sql, tables or {}) as (uploaded, found):
            if not found:
                raise ToolFailed(
                    "There are no tables yet: no file was uploaded in this conversation."
                )
            limits = self._limits
            answer = await self._jail.evaluate(
                _HARNESS,
                {
                    "sql": sql,
                    "tables": {name: file for name, (file, _) in found.items()},
                    "limit": max(1, min(limit, limits.rows)),
                    "seconds": limits.seconds,
                    "memory_mb": limits.memory_mb,
                    "cell": limits.cell,
                    "bytes": limits.bytes,
                },
                key=_key(context),
                files=dict(found.values()),
                # The engine's own clock comes first: it leaves the container warm.
                seconds=limits.seconds + 2,
                max_bytes=4 * limits.bytes + 100_000,
                context=context,
            )
        result = _checked(answer, limits)
        notes = [note for each in uploaded for note in caveats(each.summary, sql)]
        if notes:
            told = context.person.language
            result["notes"] = [
                {**note.as_json(), "text": note.sentence(told)} for note in notes[:_MAX_NOTES]
            ]
        return result

    async def compute(
        self,
        context: ToolContext,
        harness: str,
        input: JSONObject,
        *,
        seconds: float = 30.0,
        max_bytes: int = 1_000_000,
    ) -> JSON:
        """Run our `harness` in the jail, where `opened(input)` gives a connection to the same tables
        that a query may read, `timed` a clock to read them by, and `input["versions"]` says which contents they have. Its `result`
        comes back, hostile until it is looked at."""
        async with self._bound(context, str(input.get("sql", "")), {}) as (uploaded, found):
            return await self._jail.evaluate(
                f"{_GUEST}\n\n{harness}\n",
                {
                    **input,
                    "versions": _versions(uploaded, found),
                    "tables": {name: file for name, (file, _) in found.items()},
                    "memory_mb": self._limits.memory_mb,
                    "seconds": seconds,
                },
                key=_key(context),
                files=dict(found.values()),
                seconds=seconds + 2,
                max_bytes=max_bytes,
                context=context,
            )

    @asynccontextmanager
    async def _bound(
        self, context: ToolContext, sql: str, tables: Mapping[str, Path]
    ) -> AsyncIterator[tuple[Sequence[Dataset], dict[str, tuple[str, Path]]]]:
        """The conversation's data sets, and each table with its file's name in the jail.

        The files stay for as long as this is open.
        """
        kept = await self._tables(context.person.organisation_id, context.person)
        found: dict[str, tuple[str, Path]] = {}
        for name, path in {**kept, **tables}.items():
            if isinstance(path, Path):
                found[name] = (_file_name(path), path)
            elif re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sql, re.IGNORECASE):
                raise path
        uploaded: Sequence[Dataset] = ()
        if context.conversation_id is not None:
            uploaded = await self._uploads.of_conversation(context.conversation_id)
        try:
            held = {each.file: await self._uploads.file(each) for each in uploaded}
        except DataProblem as problem:
            raise ToolFailed(str(problem)) from None
        for dataset in uploaded:
            for name in dataset.tables:
                found[name] = (dataset.file, held[dataset.file].path)
        try:
            yield uploaded, found
        finally:
            for one in held.values():
                one.release()


def _versions(
    uploaded: Sequence[Dataset], found: Mapping[str, tuple[str, Path]]
) -> dict[str, JSON]:
    """Which contents each table has: of a file that was uploaded its hash, of a pack's table what
    tells its file from another version of it; and since when."""
    versions: dict[str, JSON] = {}
    for name, (_, path) in found.items():
        versions[name] = table_version(path)
    for dataset in uploaded:
        at = dataset.created_at.isoformat(timespec="seconds")
        for name in dataset.tables:
            versions[name] = {"version": dataset.version[:12], "file": dataset.filename, "at": at}
    return versions


def _key(context: ToolContext) -> str:
    return context.conversation_id or f"person-{context.person.id}"


def _file_name(path: Path) -> str:
    """A pack's file as the jail knows it; two files of one name stay two."""
    return f"{hashlib.sha256(str(path).encode()).hexdigest()[:16]}.duckdb"


def _checked(answer: JSON, limits: QueryLimits) -> JSONObject:
    """The jail's answer is hostile until it has the shape that was asked for."""
    match answer:
        case {"error": str(kind), "message": str(message), **rest}:
            raise ToolFailed(_sentence(kind, message, rest.get("schema"), limits))
        case {
            "columns": list(columns),
            "rows": list(rows),
            "total_rows": int() | None as total,
            "truncated": bool(truncated),
        } if all(isinstance(row, list) and len(row) == len(columns) for row in rows):
            return {
                "columns": [str(column) for column in columns],
                "rows": rows,
                "total_rows": total,
                "truncated": truncated,
            }
    raise ToolFailed("The query gave no usable answer.")


def _sentence(kind: str, message: str, schema: JSON, limits: QueryLimits) -> str:
    if kind == "Refused":
        return message
    if kind == "Timeout":
        return f"The query took longer than {limits.seconds:g} s and was stopped. Ask for less."
    if kind in ("OutOfMemoryException", "MemoryError"):
        return (
            "The query needs more memory than it may use. Filter first, aggregate, or select "
            "fewer columns."
        )
    # DuckDB adds a drawing of the place; the first lines say it all.
    short = re.split(r"\n\s*\n|\nLINE ", message)[0].strip()[:500]
    if kind in _WRONG_NAME and isinstance(schema, dict):
        return f"{short}\nKnown tables: {_listed(schema)}."
    return short


def _listed(schema: dict[str, JSON]) -> str:
    """Tables with their columns, quoted as a query must write them."""
    return "; ".join(
        f"{_written(table)} ({', '.join(map(_written, columns[:_SHOWN_COLUMNS]))}"
        + (", …)" if len(columns) > _SHOWN_COLUMNS else ")")
        for table, columns in schema.items()
        if isinstance(columns, list)
    )


def _written(name: object) -> str:
    text = str(name)
    return text if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text) else f'"{text}"'
