"""The calls of a turn: which began, which ended, and with what. How a turn knows after a crash."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from bancada.domain.json import JSONObject, dumps, loads
from bancada.store.columns import clean
from bancada.store.hot import Hot
from bancada.store.tables import tool_calls

_FIND = Hot(
    select(
        tool_calls.c.state,
        tool_calls.c.effect,
        tool_calls.c.outcome,
        tool_calls.c.audit_ref,
        tool_calls.c.started_at,
    ).where(tool_calls.c.owner_id == bindparam("turn"), tool_calls.c.call_id == bindparam("call")),
    ["turn", "call"],
)
_NAMES = (
    "owner_id",
    "call_id",
    "organisation_id",
    "tool",
    "caller",
    "effect",
    "state",
    "outcome",
    "audit_ref",
    "started_at",
    "ended_at",
    "outside",
)
_INSERT = Hot(insert(tool_calls).values({name: bindparam(name) for name in _NAMES}), _NAMES)
_END = Hot(
    update(tool_calls)
    .where(tool_calls.c.owner_id == bindparam("turn"), tool_calls.c.call_id == bindparam("call"))
    .values(
        state="ended",
        outcome=bindparam("outcome"),
        ended_at=bindparam("at"),
        outside=bindparam("outside"),
    ),
    ["turn", "call", "outcome", "at", "outside"],
)


@dataclass(frozen=True)
class StoredCall:
    """What the record knows of a call."""

    state: str
    effect: str
    outcome: JSONObject | None
    audit_ref: int
    started_at: float


def find(db: Connection, owner_id: str, call_id: str) -> StoredCall | None:
    row = _FIND(db, owner_id, clean(call_id)).first()
    if row is None:
        return None
    outcome = None if row.outcome is None else loads(row.outcome)
    return StoredCall(row.state, row.effect, outcome, row.audit_ref, row.started_at)


def begin(
    db: Connection,
    *,
    owner_id: str,
    call_id: str,
    organisation_id: int,
    tool: str,
    caller: JSONObject,
    effect: str,
    audit_ref: int,
    at: float,
    outcome: JSONObject | None = None,
) -> None:
    """Note that the call starts now; with an `outcome`, that it was over at once."""
    _INSERT(
        db,
        owner_id,
        clean(call_id),
        organisation_id,
        clean(tool),
        dumps(caller),
        effect,
        "started" if outcome is None else "ended",
        None if outcome is None else dumps(outcome),
        audit_ref,
        at,
        None if outcome is None else at,
        False,
    )


def end(db: Connection, owner_id: str, call_id: str, outcome: JSONObject, at: float) -> None:
    _END(db, owner_id, clean(call_id), dumps(outcome), at, bool(outcome.get("outside")))


def forget(db: Connection, owner_id: str, call_id: str) -> None:
    """A read that was cut short runs again as if it had never begun."""
    db.execute(
        delete(tool_calls).where(
            tool_calls.c.owner_id == owner_id, tool_calls.c.call_id == clean(call_id)
        )
    )


# Calls from before it was noted do not say: then they count as from outside.
_OUTSIDE = Hot(
    select(tool_calls.c.call_id)
    .where(
        tool_calls.c.owner_id == bindparam("turn"),
        tool_calls.c.state == "ended",
        or_(tool_calls.c.outside.is_(None), tool_calls.c.outside.is_(True)),
    )
    .limit(1),
    ["turn"],
)


def outside_entered(db: Connection, owner_id: str) -> bool:
    """Whether a call of this turn has brought text from outside."""
    return _OUTSIDE(db, owner_id).first() is not None
