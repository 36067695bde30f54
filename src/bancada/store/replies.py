"""What replies used and cost."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, func, insert, select

from bancada.domain.json import JSONObject
from bancada.store.hot import Hot
from bancada.store.tables import organisations, replies, users

_NAMES = tuple(c.name for c in replies.c if c.name not in ("id", "batch"))
_INSERT = Hot(insert(replies).values({name: bindparam(name) for name in _NAMES}), _NAMES)


@dataclass(frozen=True, kw_only=True)
class ReplyRow:
    """One reply's use of tokens and money."""

    organisation_id: int
    user_id: int
    agent_id: int
    conversation_id: str
    turn_id: str
    model: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost_usd: float | None
    is_estimated: bool
    stop_reason: str
    duration_ms: float
    key_id: int | None = None


def add(db: Connection, row: ReplyRow) -> None:
    values = {**vars(row), "at": time.time()}
    _INSERT(db, *(values[name] for name in _NAMES))


@dataclass(frozen=True)
class Spending:
    """What was spent since the month began, and what may be."""

    by_person: float
    person_limit: float | None
    by_organisation: float
    organisation_limit: float | None

    @property
    def is_limited(self) -> bool:
        return self.person_limit is not None or self.organisation_limit is not None


_LIMITS = Hot(
    select(users.c.monthly_budget_usd, organisations.c.monthly_budget_usd.label("organisations"))
    .select_from(users)
    .join(organisations, organisations.c.id == bindparam("organisation"))
    .where(users.c.id == bindparam("person")),
    ["person", "organisation"],
)


def spending(db: Connection, user_id: int, organisation_id: int, since: float) -> Spending:
    """What the person and their organisation have spent since then; sums only where a limit is set."""
    limits = _LIMITS(db, user_id, organisation_id).first()
    person_limit, organisation_limit = (None, None) if limits is None else limits
    by_person = by_organisation = 0.0
    if person_limit is not None:
        mine = select(func.sum(replies.c.cost_usd)).where(
            replies.c.user_id == user_id, replies.c.at >= since
        )
        by_person = float(db.execute(mine).scalar() or 0.0)
    if organisation_limit is not None:
        ours = select(func.sum(replies.c.cost_usd)).where(
            replies.c.organisation_id == organisation_id, replies.c.at >= since
        )
        by_organisation = float(db.execute(ours).scalar() or 0.0)
    return Spending(by_person, person_limit, by_organisation, organisation_limit)


@dataclass(frozen=True)
class KeyUse:
    """What a key has used: in the last minute, and of money since the month began."""

    requests: int
    tokens: int
    oldest: float | None
    """When the first of that minute's requests ended."""
    spent_usd: float


def used_by_key(db: Connection, key_id: int, *, minute: float, month: float) -> KeyUse:
    mine = replies.c.key_id == key_id
    tokens = replies.c.input_tokens + replies.c.output_tokens + replies.c.cache_write_tokens
    recent = select(func.count(), func.coalesce(func.sum(tokens), 0), func.min(replies.c.at)).where(
        mine, replies.c.at >= minute
    )
    requests, used, oldest = db.execute(recent).one()
    spent = select(func.sum(replies.c.cost_usd)).where(mine, replies.c.at >= month)
    return KeyUse(requests, int(used), oldest, float(db.execute(spent).scalar() or 0.0))


@dataclass(frozen=True)
class Totals:
    """Tokens and money of a conversation."""

    replies: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost_usd: float
    last_context: int
    """Tokens the last request held: how full the model's window is."""


def totals(db: Connection, conversation_id: str) -> Totals:
    where = replies.c.conversation_id == conversation_id
    row = db.execute(
        select(
            func.count(),
            func.coalesce(func.sum(replies.c.input_tokens), 0),
            func.coalesce(func.sum(replies.c.output_tokens), 0),
            func.coalesce(func.sum(replies.c.cache_read_tokens), 0),
            func.coalesce(func.sum(replies.c.cache_write_tokens), 0),
            func.coalesce(func.sum(replies.c.cost_usd), 0.0),
        ).where(where)
    ).one()
    context = replies.c.input_tokens + replies.c.cache_read_tokens + replies.c.cache_write_tokens
    last = db.execute(select(context).where(where).order_by(replies.c.id.desc()).limit(1)).scalar()
    return Totals(row[0], row[1], row[2], row[3], row[4], float(row[5]), int(last or 0))


def of_turn(db: Connection, turn_id: str) -> list[JSONObject]:
    """What each reply of the turn used, in order."""
    query = select(replies).where(replies.c.turn_id == turn_id).order_by(replies.c.id)
    return [dict(row) for row in db.execute(query).mappings()]
