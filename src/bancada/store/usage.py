"""How the workbench is used: calls from the audit, tokens and money from replies.

Everything is counted in the database, by day, tool, agent, user, model, caller or key. A call is
counted once it is over: it ended, or it was refused. Days are UTC.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, get_args

from sqlalchemy import Connection, Integer, Select, and_, case, cast, func, literal, select

from bancada.domain.errors import Invalid
from bancada.store.tables import agents, api_keys, audit_entries, audit_heads, replies, users

By: TypeAlias = Literal["day", "tool", "agent", "user", "model", "caller", "key"]
BY: tuple[By, ...] = get_args(By)

DAY = 86_400.0
EARLIEST = datetime.min.replace(tzinfo=UTC).timestamp()
LATEST = datetime.max.replace(tzinfo=UTC, microsecond=0).timestamp()
"""The calendar's ends: a window reaches no further, since no day beyond them can be written."""
CHARS_PER_TOKEN = 4
"""A rule of thumb, for what was never counted by a model: saved tokens are an estimate."""
SLACK = 3600.0
"""Entries of the same hour may be a little out of order; the search for the first looks further."""
PERCENTILES = (50, 95, 99)


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
    """How long calls took that ran; an answer from the cache took nothing."""
    saved_tokens: int = 0
    """An estimate: results that code read in the model's place."""
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


def usage(db: Connection, window: Window, by: By) -> list[UsageRow]:
    """One row a day, tool, agent, … : days in order, all else by how much it was used."""
    rows: dict[str, UsageRow] = {}
    # A tool and a caller have no replies of their own, a model and a key no calls.
    if by not in ("model", "key") and window.model is None:
        for key, counts in _calls(db, window, by):
            rows[key] = replace(rows.get(key, UsageRow(key=key, label=key)), **counts)
    if by not in ("tool", "caller") and window.tool is None and window.caller is None:
        for key, counts in _replies(db, window, by):
            rows[key] = replace(rows.get(key, UsageRow(key=key, label=key)), **counts)
    named = _labelled(db, window.organisation_id, by, list(rows.values()))
    if by == "day":
        return sorted(named, key=lambda row: row.key)
    return sorted(named, key=lambda row: (-row.calls, -row.replies, row.key))


def total(db: Connection, window: Window) -> UsageRow:
    """Everything in the window on one line."""
    counts: dict[str, Any] = {}
    if window.model is None:
        for _, found in _calls(db, window, None):
            counts |= found
    if window.tool is None and window.caller is None:
        for _, found in _replies(db, window, None):
            counts |= found
    return UsageRow(key="total", label="total", **counts)


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
    """From one day to another, both included; the last thirty days where nothing is said."""
    try:
        until = min(_midnight(last) + DAY, LATEST) if last else now
        since = _midnight(first) if first else max(until - 30 * DAY, EARLIEST)
    except ValueError:
        raise Invalid("bad_day") from None
    if since >= until:
        raise Invalid("days_reversed")
    return Window(organisation_id=organisation_id, since=since, until=until, **only)


def _midnight(day: str) -> float:
    """Raises `ValueError` where there is no such day."""
    return datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()


# ---------------------------------------------------------------------------- calls


def _calls(db: Connection, window: Window, by: By | None) -> list[tuple[str, dict[str, Any]]]:
    entries = audit_entries.c
    column = {
        None: literal("total"),
        "day": _day(db, entries.at),
        "tool": entries.tool,
        "agent": entries.agent_id,
        "user": entries.person_id,
        "caller": entries.caller,
    }[by]
    over = _over(db, window, column)
    ended = over.c.kind == "ended"
    ran = and_(ended, ~func.coalesce(over.c.cached, False))
    by_code = and_(ended, over.c.caller == "code", over.c.outcome == "ok")
    query = select(
        over.c.key,
        func.count().label("calls"),
        _count(and_(ended, over.c.outcome != "ok")).label("failures"),
        _count(over.c.kind == "refused").label("refusals"),
        _count(and_(ended, func.coalesce(over.c.cached, False))).label("cache_hits"),
        func.coalesce(func.sum(case((by_code, over.c.size), else_=0)), 0).label("saved"),
    ).group_by(over.c.key)
    speeds = _percentiles(
        db,
        select(over.c.key, over.c.duration_ms.label("ms")).where(ran),
        ("p50_ms", "p95_ms", "p99_ms"),
    )
    found = []
    for row in db.execute(query):
        key = _key(row.key, by)
        counts = {
            "calls": row.calls,
            "failures": row.failures,
            "refusals": row.refusals,
            "cache_hits": row.cache_hits,
            "saved_tokens": int(row.saved) // CHARS_PER_TOKEN,
        }
        found.append((key, {**counts, **speeds.get(row.key, {})}))
    return found


def _over(db: Connection, window: Window, column: Any) -> Any:
    """The last entry of every call that is over, with what it is grouped by as `key`."""
    entries = audit_entries.c
    query = select(
        column.label("key"),
        entries.kind,
        entries.outcome,
        entries.cached,
        entries.caller,
        entries.duration_ms,
        entries.size,
    ).where(
        entries.organisation_id == window.organisation_id,
        entries.number >= _first_number(db, window.organisation_id, window.since),
        entries.at >= window.since,
        entries.at < window.until,
        entries.kind.in_(("ended", "refused")),
    )
    for name, value in (
        ("tool", window.tool),
        ("person_id", window.person_id),
        ("agent_id", window.agent_id),
        ("caller", window.caller),
    ):
        if value is not None:
            query = query.where(entries[name] == value)
    return query.cte("over")


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


# ---------------------------------------------------------------------------- replies


def _replies(db: Connection, window: Window, by: By | None) -> list[tuple[str, dict[str, Any]]]:
    said = replies.c
    column: Any = {
        None: literal("total"),
        "day": _day(db, said.at),
        "agent": said.agent_id,
        "user": said.user_id,
        "model": said.model,
        "key": said.key_id,
    }[by]
    chosen = select(
        column.label("key"),
        said.input_tokens,
        said.output_tokens,
        said.cache_read_tokens,
        said.cache_write_tokens,
        said.cost_usd,
        said.duration_ms,
    ).where(
        said.organisation_id == window.organisation_id,
        said.at >= window.since,
        said.at < window.until,
    )
    for name, value in (
        ("user_id", window.person_id),
        ("agent_id", window.agent_id),
        ("model", window.model),
    ):
        if value is not None:
            chosen = chosen.where(said[name] == value)
    made = chosen.cte("made")
    sums = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost_usd")
    query = select(
        made.c.key,
        func.count().label("replies"),
        *(func.coalesce(func.sum(made.c[name]), 0).label(name) for name in sums),
    ).group_by(made.c.key)
    speeds = _percentiles(
        db,
        select(made.c.key, made.c.duration_ms.label("ms")),
        ("reply_p50_ms", "reply_p95_ms", "reply_p99_ms"),
    )
    found = []
    for row in db.execute(query):
        counts: dict[str, Any] = {name: int(row._mapping[name]) for name in sums[:-1]}
        counts |= {"replies": row.replies, "cost_usd": float(row.cost_usd)}
        found.append((_key(row.key, by), {**counts, **speeds.get(row.key, {})}))
    return found


# ---------------------------------------------------------------------------- both


def _percentiles(
    db: Connection, values: Select[Any], names: Sequence[str]
) -> dict[Any, dict[str, float | None]]:
    """The value that so many of a hundred do not exceed, by key: nearest rank, on both databases."""
    raw = values.subquery("raw")
    ranked = (
        select(
            raw.c.key,
            raw.c.ms,
            func.row_number().over(partition_by=raw.c.key, order_by=raw.c.ms).label("rank"),
            func.count().over(partition_by=raw.c.key).label("n"),
        )
        .where(raw.c.ms.is_not(None))
        .subquery("ranked")
    )
    query = select(
        ranked.c.key,
        *(
            func.min(case((ranked.c.rank * 100 >= ranked.c.n * share, ranked.c.ms))).label(name)
            for share, name in zip(PERCENTILES, names, strict=True)
        ),
    ).group_by(ranked.c.key)
    return {
        row.key: {name: _tenths(row._mapping[name]) for name in names} for row in db.execute(query)
    }


def _tenths(value: float | None) -> float | None:
    return None if value is None else round(float(value), 1)


def _count(condition: Any) -> Any:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


def _day(db: Connection, at: Any) -> Any:
    """The number of days since 1970: SQLite's cast cuts, Postgres' rounds."""
    days = at / DAY
    return cast(days if db.dialect.name == "sqlite" else func.floor(days), Integer)


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
