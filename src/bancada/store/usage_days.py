"""Usage added up by day, so that looking at it takes no longer the more there is.

What is counted never changes: entries of the audit and replies are added, and stay. So each is added
to its day once, by a chore, and what was not added yet is counted from the rows; both come from the
same queries. Which ones were added does not go by the clock, which may be wrong, nor by ids, which
Postgres does not commit in order: of the audit it is all entries up to a number of the chain, and
a reply is marked in the transaction that adds it.

How long something took is kept to two digits, which the slowest of a hundred can be found from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, get_args

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Integer,
    Select,
    Table,
    Text,
    and_,
    case,
    cast,
    exists,
    func,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from bancada.store.database import Database
from bancada.store.tables import (
    audit_entries,
    audit_heads,
    organisations,
    replies,
    usage_days,
    usage_heads,
    usage_times,
)

By: TypeAlias = Literal["day", "tool", "agent", "user", "model", "caller", "key"]
BY: tuple[By, ...] = get_args(By)

DAY = 86_400.0
MOST = 5_000
"""Entries, and replies, that are added in one transaction: others wait for it meanwhile."""
KEY = tuple(column.name for column in usage_days.primary_key if column.name != "organisation_id")


@dataclass(frozen=True)
class AddedUpTo:
    """How far the days reach: the last entry of the audit, and the last step."""

    number: int = 0
    batch: int = 0


@dataclass(frozen=True, eq=False)
class CountedTable:
    """What is counted of a table, by what, and what of it took a while."""

    what: Literal["call", "reply"]
    table: Table
    by: Mapping[By, ColumnElement[Any]]
    always: ColumnElement[bool]
    sums: Mapping[str, ColumnElement[Any]]
    timed: ColumnElement[bool]

    def rows(self, db: Connection, by: By, where: ColumnElement[bool]) -> Any:
        """The rows that count, with the day and what they are grouped by."""
        return self._chosen(by, db.dialect.name).where(self.always, where).cte("counted")

    @cache  # noqa: B019 - there are two of them, for ever
    def _chosen(self, by: By, database: str) -> Select[Any]:
        value = func.coalesce(cast(self.by[by], Text), literal_column("''"))
        return select(
            _day(self.table.c.at, database).label("day"),
            value.label("value"),
            *(each.label(name) for name, each in self.sums.items()),
            case((self.timed, _tenths(self.table.c.duration_ms, database))).label("tenths"),
        )

    def days(self, db: Connection, by: By, where: ColumnElement[bool]) -> Select[Any]:
        """Day, value and every sum."""
        rows = self.rows(db, by, where)
        sums = (func.coalesce(func.sum(rows.c[name]), 0).label(name) for name in self.sums)
        return select(rows.c.day, rows.c.value, *sums).group_by(rows.c.day, rows.c.value)

    def times(self, db: Connection, by: By, where: ColumnElement[bool]) -> Select[Any]:
        """Day, value, and how many took how long."""
        rows = self.rows(db, by, where)
        key = (rows.c.day, rows.c.value, rows.c.tenths)
        counted = select(*key, func.count().label("count"))
        return counted.where(rows.c.tenths.is_not(None)).group_by(*key)


def _if(condition: ColumnElement[bool]) -> ColumnElement[Any]:
    return case((condition, 1), else_=0)


_entry, _said, _sooner = audit_entries.c, replies.c, replies.alias("sooner")
_ended = _entry.kind == "ended"
_cached = func.coalesce(_entry.cached, False)
_everything: ColumnElement[Any] = literal_column("''")

CALLS = CountedTable(
    what="call",
    table=audit_entries,
    by={
        "day": _everything,
        "tool": _entry.tool,
        "agent": _entry.agent_id,
        "user": _entry.person_id,
        "caller": _entry.caller,
    },
    # The last entry of every call that is over.
    always=_entry.kind.in_(("ended", "refused")),
    sums={
        "calls": literal_column("1"),
        "failures": _if(and_(_ended, _entry.outcome != "ok")),
        "refusals": _if(_entry.kind == "refused"),
        "cache_hits": _if(and_(_ended, _cached)),
        "saved": case(
            (and_(_ended, _entry.caller == "code", _entry.outcome == "ok"), _entry.size), else_=0
        ),
    },
    timed=and_(_ended, ~_cached),
)
REPLIES = CountedTable(
    what="reply",
    table=replies,
    by={
        "day": _everything,
        "agent": _said.agent_id,
        "user": _said.user_id,
        "model": _said.model,
        "key": _said.key_id,
    },
    always=_said.id.is_not(None),
    sums={
        "replies": literal_column("1"),
        # The first reply of a turn is a question answered; what belongs to no turn is none.
        "questions": case(
            (_said.turn_id == "", 0),
            (exists().where(_sooner.c.turn_id == _said.turn_id, _sooner.c.id < _said.id), 0),
            else_=1,
        ),
        "input_tokens": _said.input_tokens,
        "output_tokens": _said.output_tokens,
        "cache_read_tokens": _said.cache_read_tokens,
        "cache_write_tokens": _said.cache_write_tokens,
        "cost_usd": func.coalesce(_said.cost_usd, 0.0),
    },
    timed=_said.duration_ms.is_not(None),
)
SUMS = (*CALLS.sums, *REPLIES.sums)


def added(db: Connection, organisation_id: int) -> AddedUpTo:
    query = select(usage_heads.c.number, usage_heads.c.batch)
    row = db.execute(query.where(usage_heads.c.organisation_id == organisation_id)).first()
    return AddedUpTo() if row is None else AddedUpTo(*row)


def not_yet(counted: CountedTable, organisation_id: int, so_far: AddedUpTo) -> ColumnElement[bool]:
    """Which rows are not in the days."""
    mine = counted.table.c.organisation_id == organisation_id
    if counted is CALLS:
        return and_(mine, _entry.number > so_far.number)
    return and_(mine, _said.batch.is_(None))


async def keep_up(database: Database) -> None:
    """Add what was not added yet; a chore of every process, of which one at a time adds."""
    for organisation_id in await database.read(behind):
        while await database.run(add, organisation_id):
            pass


def behind(db: Connection) -> list[int]:
    """Organisations of which something was not added yet."""
    waiting = exists().where(_said.organisation_id == organisations.c.id, _said.batch.is_(None))
    query = (
        select(organisations.c.id)
        .outerjoin(audit_heads, audit_heads.c.organisation_id == organisations.c.id)
        .outerjoin(usage_heads, usage_heads.c.organisation_id == organisations.c.id)
        .where(
            or_(
                func.coalesce(audit_heads.c.number, 0) > func.coalesce(usage_heads.c.number, 0),
                waiting,
            )
        )
        .order_by(organisations.c.id)
    )
    return list(db.execute(query).scalars())


def add(db: Connection, organisation_id: int, most: int = MOST) -> bool:
    """Add what is next to the days; whether there may be more."""
    before = _hold(db, organisation_id)
    # Whoever moves the head has written every entry up to it in the same transaction.
    head = select(audit_heads.c.number).where(audit_heads.c.organisation_id == organisation_id)
    end = max(before.number, min(db.execute(head).scalar() or 0, before.number + most))
    mine = _entry.organisation_id == organisation_id
    if end > before.number:
        part = and_(mine, _entry.number > before.number, _entry.number <= end)
        _add(db, organisation_id, CALLS, part)
    batch = before.batch + 1
    next_ones = (
        select(_said.id)
        .where(not_yet(REPLIES, organisation_id, before))
        .order_by(_said.id)
        .limit(most)
    )
    marked = db.execute(update(replies).where(_said.id.in_(next_ones)).values(batch=batch)).rowcount
    if marked:
        ours = and_(_said.organisation_id == organisation_id, _said.batch == batch)
        _add(db, organisation_id, REPLIES, ours)
    db.execute(
        update(usage_heads)
        .where(usage_heads.c.organisation_id == organisation_id)
        .values(number=end, batch=batch)
    )
    return end == before.number + most or marked == most


def _hold(db: Connection, organisation_id: int) -> AddedUpTo:
    """How far the days reach; whoever else would add to them waits for this transaction."""
    first = _insert(db, usage_heads).values(organisation_id=organisation_id, number=0, batch=0)
    db.execute(first.on_conflict_do_nothing())
    query = select(usage_heads.c.number, usage_heads.c.batch).where(
        usage_heads.c.organisation_id == organisation_id
    )
    return AddedUpTo(*db.execute(query.with_for_update()).one())


def _add(
    db: Connection, organisation_id: int, counted: CountedTable, where: ColumnElement[bool]
) -> None:
    others = [name for name in SUMS if name not in counted.sums]
    for by in counted.by:
        start: tuple[ColumnElement[Any], ...] = (
            literal_column(str(organisation_id)),
            literal_column(f"'{by}'"),
        )
        days = counted.days(db, by, where).subquery()
        more = select(*start, *days.c, *(literal_column("0") for _ in others))
        names = ["organisation_id", *KEY, *counted.sums, *others]
        _upsert(db, usage_days, names, more, list(counted.sums))
        times = counted.times(db, by, where).subquery()
        took = select(
            *start,
            times.c.day,
            times.c.value,
            literal_column(f"'{counted.what}'"),
            times.c.tenths,
            times.c.count,
        )
        _upsert(
            db, usage_times, ["organisation_id", *KEY, "what", "tenths", "count"], took, ["count"]
        )


def _upsert(
    db: Connection, table: Table, names: list[str], rows: Select[Any], sums: list[str]
) -> None:
    # Without a condition SQLite takes the ON of ON CONFLICT for a join's.
    made = _insert(db, table).from_select(names, rows.where(literal_column("1 = 1")))
    more = {name: table.c[name] + made.excluded[name] for name in sums}
    db.execute(made.on_conflict_do_update(index_elements=table.primary_key.columns, set_=more))


def _insert(db: Connection, table: Table) -> Any:
    return (postgresql if db.dialect.name == "postgresql" else sqlite).insert(table)


def _day(at: Any, database: str) -> Any:
    """The number of days since 1970."""
    return cast(_floor(at / DAY, database), Integer)


def _tenths(ms: Any, database: str) -> Any:
    """Tenths of a millisecond, to two digits: 0.4 ms, 37 ms, 1,200 ms."""

    def nearest(unit: int) -> Any:
        return cast(_floor(ms * 10.0 / unit + 0.5, database), BigInteger) * unit

    units = [(10.0 * unit, unit) for unit in (1, 10, 100, 1_000, 10_000, 100_000)]
    return case(*((ms < below, nearest(unit)) for below, unit in units), else_=nearest(1_000_000))


def _floor(value: Any, database: str) -> Any:
    """SQLite's cast cuts, Postgres' rounds."""
    return value if database == "sqlite" else func.floor(value)
