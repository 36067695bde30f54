"""How the workbench is used: calls from the audit, tokens and money from replies.

Everything is counted in the database, by day, tool, agent, user, model, caller or key. A call is
counted once it is over: it ended, or it was refused. Days are UTC. Whole days of everything, or of
one thing, come from what was added up; two things at once are counted from the rows.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    Table,
    and_,
    case,
    func,
    literal_column,
    select,
    union_all,
)

from bancada.domain.errors import Invalid
from bancada.store.tables import (
    agents,
    api_keys,
    audit_entries,
    audit_heads,
    usage_days,
    usage_times,
    users,
)
from bancada.store.usage_days import BY, CALLS, DAY, REPLIES, By, CountedTable, added, not_yet

__all__ = ["BY", "By", "UsageRow", "Window", "as_csv", "total", "usage", "window_of"]

EARLIEST = datetime.min.replace(tzinfo=UTC).timestamp()
LATEST = datetime.max.replace(tzinfo=UTC, microsecond=0).timestamp()
"""The calendar's ends: a window reaches no further, since no day beyond them can be written."""
CHARS_PER_TOKEN = 4
"""A rule of thumb, for what was never counted by a model: saved tokens are an estimate."""
SLACK = 3600.0
"""Entries of the same hour may be a little out of order; the search for the first looks further."""
PERCENTILES = (50, 95, 99)
SPEED = {"call": "", "reply": "reply_"}


@dataclass(frozen=True, kw_only=True)
class UsageRow:
    """One line: what `key` stands for depends on what was grouped by; `label` is its name."""

    key: str
    label: str
    calls: int = 0
    failures: int = 0
    """Calls that ran and ended in an error."""
    refusals: int = 0
    """Calls that the gate did not let run."""
    cache_hits: int = 0
    p50_ms: float | None = None
    p95_ms: float | None = None
    p99_ms: float | None = None
    """How long calls took that ran, to two digits; an answer from the cache took nothing."""
    saved_tokens: int = 0
    """An estimate: results that code read in the model's place."""
    questions: int = 0
    """Turns of people's own that the model replied to, on the day it first did."""
    replies: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float = 0.0
    reply_p50_ms: float | None = None
    reply_p95_ms: float | None = None
    reply_p99_ms: float | None = None


@dataclass(frozen=True, kw_only=True)
class Window:
    """What is counted: one organisation, from one moment to another, perhaps of one thing only."""

    organisation_id: int
    since: float
    until: float
    tool: str | None = None
    person_id: int | None = None
    agent_id: int | None = None
    model: str | None = None
    caller: str | None = None

    def is_of(self, counted: CountedTable) -> bool:
        """Whether calls, or replies, can be what was asked for."""
        return all(name in counted.by for name in self.only)

    @property
    def only(self) -> dict[By, Any]:
        chosen: dict[By, Any] = {
            "tool": self.tool,
            "user": self.person_id,
            "agent": self.agent_id,
            "model": self.model,
            "caller": self.caller,
        }
        return {name: value for name, value in chosen.items() if value is not None}


def usage(db: Connection, window: Window, by: By) -> list[UsageRow]:
    """One row a day, tool, agent, … : days in order, all else by how much it was used."""
    rows: dict[str, UsageRow] = {}
    # A tool and a caller have no replies of their own, a model and a key no calls.
    for counted in (CALLS, REPLIES):
        if by in counted.by and window.is_of(counted):
            for key, counts in _told(db, window, counted, by):
                rows[key] = replace(rows.get(key, UsageRow(key=key, label=key)), **counts)
    named = _labelled(db, window.organisation_id, by, list(rows.values()))
    if by == "day":
        return sorted(named, key=lambda row: row.key)
    return sorted(named, key=lambda row: (-row.calls, -row.replies, row.key))


def total(db: Connection, window: Window) -> UsageRow:
    """Everything in the window on one line."""
    row = UsageRow(key="total", label="total")
    for counted in (CALLS, REPLIES):
        if window.is_of(counted):
            for _, counts in _told(db, window, counted, None):
                row = replace(row, **counts)
    return row


def _told(
    db: Connection, window: Window, counted: CountedTable, by: By | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What was counted, as a row tells it."""
    for key, (found, speeds) in _counts(db, window, counted, by).items():
        told: dict[str, Any] = {
            name: int(value) for name, value in found.items() if name != "cost_usd"
        }
        if "cost_usd" in found:
            told["cost_usd"] = float(found["cost_usd"])
        if "saved" in told:
            told["saved_tokens"] = told.pop("saved") // CHARS_PER_TOKEN
        names = (f"{SPEED[counted.what]}p{share}_ms" for share in PERCENTILES)
        yield _key(key, by), told | dict(zip(names, speeds, strict=False))


def as_csv(rows: Sequence[UsageRow], by: By) -> str:
    """The rows as a file for a spreadsheet; a text that could be a formula is quoted as text."""
    names = [field.name for field in fields(UsageRow)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([by if name == "key" else name for name in names])
    for row in rows:
        writer.writerow([_harmless(value) for value in asdict(row).values()])
    return out.getvalue()


def _harmless(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return value


def window_of(
    organisation_id: int, first: str | None, last: str | None, now: float, **only: Any
) -> Window:
    """From one day to another, both included; today and the 29 before where nothing is said."""
    try:
        until = min((_midnight(last) if last else now // DAY * DAY) + DAY, LATEST)
        since = _midnight(first) if first else max(until - 30 * DAY, EARLIEST)
    except ValueError:
        raise Invalid("bad_day") from None
    if since >= until:
        raise Invalid("days_reversed")
    return Window(organisation_id=organisation_id, since=since, until=until, **only)


def _midnight(day: str) -> float:
    """Raises `ValueError` where there is no such day."""
    return datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()


# ---------------------------------------------------------------------------- counting


def _counts(
    db: Connection, window: Window, counted: CountedTable, by: By | None
) -> dict[Any, tuple[dict[str, Any], list[float]]]:
    """Every sum and the slowest of a hundred, by what is grouped by."""
    days, times = _sources(db, window, counted, by)
    sums = [func.sum(days.c[name]).label(name) for name in counted.sums]
    speeds = _speeds(db, times, by)
    return {
        row.key: ({name: row._mapping[name] for name in counted.sums}, speeds.get(row.key, []))
        for row in db.execute(select(_grouped(days, by), *sums).group_by("key"))
    }


def _sources(
    db: Connection, window: Window, counted: CountedTable, by: By | None
) -> tuple[Any, Any]:
    """Where sums and times come from: the days and what is not in them yet, or all from the rows."""
    organisation_id, only = window.organisation_id, window.only
    inside = [counted.table.c.at >= window.since, counted.table.c.at < window.until]
    inside += [counted.by[name] == value for name, value in only.items()]
    over = _added_up_by(window, by, only)
    if over is None:
        inside.append(counted.table.c.organisation_id == organisation_id)
        if counted is CALLS:
            first = _first_number(db, organisation_id, window.since)
            inside.append(audit_entries.c.number >= first)
        chosen = and_(*inside)
        rows = by or "day"
        return (
            counted.days(db, rows, chosen).subquery("days"),
            counted.times(db, rows, chosen).subquery("times"),
        )
    rest = and_(not_yet(counted, organisation_id, added(db, organisation_id)), *inside)
    return (
        union_all(
            _kept(usage_days, window, over, only, *counted.sums), counted.days(db, over, rest)
        ).subquery("days"),
        union_all(
            _kept(usage_times, window, over, only, "tenths", "count").where(
                usage_times.c.what == counted.what
            ),
            counted.times(db, over, rest),
        ).subquery("times"),
    )


def _added_up_by(window: Window, by: By | None, only: dict[By, Any]) -> By | None:
    """Which of the kept sums answer; none where the window cuts a day, or it takes two at once."""
    if window.since % DAY or window.until % DAY or len(only) > 1:
        return None
    for name in only:
        return name if by in (None, "day", name) else None
    return by or "day"


def _kept(table: Table, window: Window, by: By, only: dict[By, Any], *names: str) -> Select[Any]:
    query = select(table.c.day, table.c.value, *(table.c[name] for name in names)).where(
        table.c.organisation_id == window.organisation_id,
        table.c.by == by,
        table.c.day >= int(window.since // DAY),
        table.c.day < int(window.until // DAY),
    )
    return query.where(*(table.c.value == str(value) for value in only.values()))


def _grouped(rows: Any, by: By | None) -> Any:
    if by is None:
        return literal_column("'total'").label("key")
    return (rows.c.day if by == "day" else rows.c.value).label("key")


def _speeds(db: Connection, times: Any, by: By | None) -> dict[Any, list[float]]:
    """The time that so many of a hundred do not exceed, by key: nearest rank, on both databases."""
    merged = (
        select(_grouped(times, by), times.c.tenths, func.sum(times.c.count).label("count"))
        .group_by("key", times.c.tenths)
        .subquery("merged")
    )
    ranked = select(
        merged.c.key,
        merged.c.tenths,
        func.sum(merged.c.count)
        .over(partition_by=merged.c.key, order_by=merged.c.tenths)
        .label("rank"),
        func.sum(merged.c.count).over(partition_by=merged.c.key).label("n"),
    ).subquery("ranked")
    query = select(
        ranked.c.key,
        *(
            func.min(case((ranked.c.rank * 100 >= ranked.c.n * share, ranked.c.tenths)))
            for share in PERCENTILES
        ),
    ).group_by(ranked.c.key)
    return {row.key: [int(tenths) / 10 for tenths in row[1:]] for row in db.execute(query)}


def _first_number(db: Connection, organisation_id: int, since: float) -> int:
    """Where in the chain a time begins, found by halving: no scan of the years before."""
    head = db.execute(
        select(audit_heads.c.number).where(audit_heads.c.organisation_id == organisation_id)
    ).scalar()
    low, high = 1, int(head or 0) + 1
    while low < high:
        middle = (low + high) // 2
        at = db.execute(
            select(audit_entries.c.at).where(
                audit_entries.c.organisation_id == organisation_id, audit_entries.c.number == middle
            )
        ).scalar()
        if at is not None and at < since - SLACK:
            low = middle + 1
        else:
            high = middle
    return low


def _key(value: Any, by: By | None) -> str:
    if by == "day":
        return datetime.fromtimestamp(value * DAY, UTC).date().isoformat()
    return "" if value is None else str(value)


def _labelled(db: Connection, organisation_id: int, by: By, rows: list[UsageRow]) -> list[UsageRow]:
    """Names in place of ids; what is gone keeps its id."""
    names: dict[str, str] = {}
    if by == "agent":
        query = select(agents.c.id, agents.c.name).where(
            agents.c.organisation_id == organisation_id
        )
        names = {str(row.id): row.name for row in db.execute(query)}
        names["0"] = "(gateway)"
    elif by == "key":
        made = select(api_keys.c.id, api_keys.c.name).join(users, users.c.id == api_keys.c.user_id)
        query = made.where(users.c.organisation_id == organisation_id)
        names = {str(row.id): row.name for row in db.execute(query)}
    elif by == "user":
        whose = users.c.organisation_id == organisation_id
        query = select(users.c.id, users.c.name).where(whose)
        names = {str(row.id): row.name for row in db.execute(query)}
    return [replace(row, label=names.get(row.key, row.key)) for row in rows]
