"""Tables that organisations keep in databases of their own, in place of a pack's.

An administrator chooses one of the databases that the operator named for the organisation, and a table
of it. It is read by the same client as query tools read with: read-only, within time, rows and shares.
Nothing tells us when somebody else's table changes, so it is read again at the first question
after `FRESH_SECONDS`, and what was read is known by a hash of its rows.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection

from bancada.custom.databases import Databases, NamedDatabase
from bancada.custom.organisation import TableSource
from bancada.domain.errors import Invalid, ToolFailed
from bancada.domain.json import JSON, JSONObject, canonical
from bancada.domain.people import Person
from bancada.domain.shares import Holder
from bancada.domain.tables import ColumnType
from bancada.domain.wording import Wording
from bancada.store import people
from bancada.store.database import Database
from bancada.tools.pack import TableReading

log = logging.getLogger("bancada.engine")

FRESH_SECONDS = 10.0
"""How old a reading may be, and how long a failed one is not tried again."""
READ_SECONDS = 10.0
MOST_ROWS = 200_000
MOST_NAMED = 30
"""Tables or columns in one sentence."""
NOBODY = 0
"""Who reads where no person asks: a turn that begins, code that is given its files."""
_TABLES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name",
    "postgresql": (
        "SELECT CASE WHEN table_schema = ANY (current_schemas(false)) THEN table_name "
        "ELSE table_schema || '.' || table_name END FROM information_schema.tables "
        "WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1"
    ),
}


class _Unread(Exception):
    """The table cannot be read: why, for who can mend it."""

    def __init__(self, key: str, /, **parts: Any) -> None:
        super().__init__(key)
        self.wording = Wording(key, **parts)


@dataclass(frozen=True)
class _Wanted:
    """What a pack wants of a table."""

    columns: Sequence[str]
    needs: str
    newest: str


@dataclass
class OwnTables:
    """`OrganisationTables`, as this installation has them."""

    database: Database
    databases: Databases
    clock: Callable[[], float] = time.time
    _failed: dict[tuple[int, str], tuple[float, TableSource, Wording]] = field(default_factory=dict)
    _wanted: dict[str, _Wanted] = field(default_factory=dict)

    @property
    def possible(self) -> bool:
        return bool(self.databases.named)

    @property
    def names(self) -> list[str]:
        """What may be chosen."""
        return sorted(self._wanted)

    def offer(self, name: str, *, columns: Sequence[str], needs: str, newest: str) -> None:
        self._wanted[name] = _Wanted(columns, needs, newest)

    async def read(
        self,
        organisation_id: int,
        name: str,
        *,
        last: TableReading | None = None,
        person: Person | None = None,
    ) -> TableReading | None:
        source = await self.database.read(_chosen, organisation_id, name)
        if source is None:
            return None
        now = self.clock()
        # A clock that was set back must not make a reading young for hours.
        if (
            last is not None
            and last.source == source.model_dump()
            and 0 <= now - last.read_at < FRESH_SECONDS
        ):
            return last
        key = (organisation_id, name)
        failed = self._failed.get(key)
        if failed and failed[1] == source and 0 <= now - failed[0] < FRESH_SECONDS:
            raise ToolFailed(_told(failed[2], name, person))
        try:
            reading = await self._read(organisation_id, source, self._wanted[name], person)
        except _Unread as problem:
            self._failed[key] = (self.clock(), source, problem.wording)
            log.warning("organisation %d, table %s: %s", organisation_id, name, problem.wording)
            raise ToolFailed(_told(problem.wording, name, person)) from None
        self._failed.pop(key, None)
        return reading

    async def check(self, admin: Person, organisation_id: int, tables: JSONObject) -> None:
        """Raises `Invalid` where a table that an administrator chooses could not be read now."""
        for name, chosen in tables.items():
            if chosen is None:
                continue
            if (wanted := self._wanted.get(name)) is None:
                raise Invalid("own_table_unknown", name=name, known=_listed(self._wanted))
            try:
                await self._read(organisation_id, TableSource.model_validate(chosen), wanted, admin)
            except _Unread as problem:
                raise Invalid("own_table_unread", name=name, why=problem.wording) from None

    async def _read(
        self,
        organisation_id: int,
        source: TableSource,
        wanted: _Wanted,
        person: Person | None,
    ) -> TableReading:
        known = self.databases.of(organisation_id)
        if (database := known.get(source.database)) is None:
            names = _listed(known) or Wording("no_databases")
            raise _Unread("own_table_database", name=source.database, known=names)
        # Another organisation's administrator of the installation may look; the place is the owner's.
        ours = person is not None and person.organisation_id == organisation_id
        holder = Holder(organisation_id, person.id if person is not None and ours else NOBODY)
        table = ".".join(_quoted(part) for part in source.table.split("."))

        async def select(sql: str, rows: int) -> JSONObject:
            return await self.databases.select(
                database, sql, {}, holder=holder, rows=rows, seconds=READ_SECONDS
            )

        try:
            there = (await select(f"SELECT * FROM {table}", 1))["columns"]  # noqa: S608 - quoted
        except ToolFailed as failure:
            raise await _why(database, source, select, failure) from None
        columns = _columns(source, wanted, there)
        try:
            answer = await select(_statement(columns, table, wanted.newest), MOST_ROWS)
            if moments := _with_zone(columns, answer["rows"]):
                # As the database's own clock shows them, not as that of Greenwich does.
                sql = _statement(columns, table, wanted.newest, moments)
                answer = await select(sql, MOST_ROWS)
        except ToolFailed as failure:
            raise _Unread("own_table_failed", table=source.table, why=str(failure)) from None
        # In a thread: two hundred thousand rows are sorted and hashed, and everybody else goes on.
        return await asyncio.to_thread(self._reading, source, wanted, list(columns), answer)

    def _reading(
        self, source: TableSource, wanted: _Wanted, columns: list[str], answer: JSONObject
    ) -> TableReading:
        rows = list(reversed(answer["rows"]))
        kinds: list[ColumnType] = []
        for at, column in enumerate(columns):
            values = [row[at] for row in rows if row[at] is not None]
            kind = _kind(values)
            if column == wanted.newest and kind == "text":
                kind = _day_kind(values)
            kinds.append(kind)
        if answer["truncated"] and (
            wanted.newest not in columns
            or kinds[columns.index(wanted.newest)] not in ("date", "datetime")
        ):
            raise _Unread("own_table_long", table=source.table, most=MOST_ROWS, day=wanted.newest)
        plain = [
            [_plain(value, kind) for value, kind in zip(row, kinds, strict=True)] for row in rows
        ]
        # Rows come in no order of their own: the same rows in another are the same contents.
        each = sorted(canonical(row) for row in plain)
        content = hashlib.sha256(b"\n".join([canonical([columns, kinds]), *each]))
        return TableReading(
            source=source.model_dump(),
            columns=tuple(columns),
            kinds=tuple(kinds),
            rows=plain,
            version=content.hexdigest(),
            read_at=self.clock(),
            cut=answer["truncated"],
        )


def _chosen(db: Connection, organisation_id: int, name: str) -> TableSource | None:
    kept = (people.organisation(db, organisation_id).settings.get("tables") or {}).get(name)
    return None if kept is None else TableSource.model_validate(kept)


def _told(why: Wording, name: str, person: Person | None) -> str:
    """Who can mend it is told what is wrong; others whom to tell."""
    if person is not None and person.role == "admin":
        return Wording("own_table_unread", name=name, why=why).told(person.language)
    return Wording("own_table_away", name=name).told("pt" if person is None else person.language)


async def _why(
    database: NamedDatabase, source: TableSource, select: Any, failure: ToolFailed
) -> _Unread:
    """Whether the database is away or the table is not in it."""
    sqlite = database.url.get_backend_name() == "sqlite"
    try:
        found = await select(_TABLES["sqlite" if sqlite else "postgresql"], 1_000)
    except ToolFailed as away:
        return _Unread("own_table_no_answer", name=database.name, why=str(away))
    tables = [str(row[0]) for row in found["rows"]]
    if source.table in tables:
        return _Unread("own_table_failed", table=source.table, why=str(failure))
    known = _listed(tables) or Wording("no_databases")
    return _Unread("own_table_missing", table=source.table, name=database.name, known=known)


def _columns(source: TableSource, wanted: _Wanted, there: Sequence[str]) -> dict[str, str]:
    """Which column of the table each of ours is."""
    for theirs in source.columns.values():
        if theirs not in there:
            raise _Unread(
                "own_table_column", table=source.table, column=theirs, known=_listed(there)
            )
    columns = source.columns or {name: name for name in wanted.columns if name in there}
    if wanted.needs not in columns:
        raise _Unread(
            "own_table_needs", table=source.table, column=wanted.needs, known=_listed(there)
        )
    return columns


def _statement(
    columns: Mapping[str, str], table: str, newest: str, moments: Iterable[str] = ()
) -> str:
    def read(name: str) -> str:
        quoted = _quoted(columns[name])
        return f"CAST({quoted} AS timestamp)" if name in moments else quoted

    picked = ", ".join(f"{read(name)} AS {_quoted(name)}" for name in columns)
    by = [name for name in (newest, "id") if name in columns]
    order = ", ".join(f"{read(name)} DESC NULLS LAST" for name in by)
    sorted_by = f" ORDER BY {order}" if by else ""
    return f"SELECT {picked} FROM {table}{sorted_by} LIMIT {MOST_ROWS + 1}"  # noqa: S608 - quoted


def _with_zone(columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> set[str]:
    return {
        name
        for at, name in enumerate(columns)
        if any(isinstance(row[at], datetime) and row[at].tzinfo is not None for row in rows)
    }


def _kind(values: Sequence[Any]) -> ColumnType:
    found = {type(value) for value in values}
    if found == {bool}:
        return "boolean"
    if found == {int} and all(abs(value) < 2**63 for value in values):
        return "integer"
    if found and found <= {int, float, Decimal}:
        return "number"
    if found == {date}:
        return "date"
    return "datetime" if found == {datetime} else "text"


def _day_kind(values: Sequence[Any]) -> ColumnType:
    """Text that is days or moments, as SQLite keeps them: all of it, or it stays text."""
    try:
        moments = [datetime.fromisoformat(value) for value in values]
    except (TypeError, ValueError):
        return "text"
    if not moments or any(moment.tzinfo is not None for moment in moments):
        return "text"
    return "date" if all(len(value) == 10 for value in values) else "datetime"


def _plain(value: Any, kind: ColumnType) -> JSON:
    if value is None or (kind in ("boolean", "integer") and isinstance(value, bool | int)):
        return value
    if kind == "number":
        number = float(value)
        return number if math.isfinite(number) else str(number)
    return value.isoformat() if isinstance(value, date | datetime) else str(value)


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = ", …" if len(every) > MOST_NAMED else ""
    return ", ".join(every[:MOST_NAMED]) + more


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
