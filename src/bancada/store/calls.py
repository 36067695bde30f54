"""The calls of a turn: which began, which ended, and with what. How a turn knows after a crash.

Calls outside a turn leave a row while they run, by the name of their process: whoever finds that
the process is gone ends them.
"""

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


_FORGET = Hot(
    delete(tool_calls).where(
        tool_calls.c.owner_id == bindparam("turn"), tool_calls.c.call_id == bindparam("call")
    ),
    ["turn", "call"],
)


def forget(db: Connection, owner_id: str, call_id: str) -> None:
    """A read that was cut short runs again as if it had never begun."""
    _FORGET(db, owner_id, clean(call_id))


# ---------------------------------------------------------------------------- outside turns

OUTSIDE = "outside a turn"
"""Whose they are, in the place of a turn: few at a time, and found together."""


@dataclass(frozen=True, kw_only=True)
class UnderWay:
    """A call outside a turn, for as long as its process is at it."""

    process: str
    organisation_id: int
    audit_ref: int
    kept_as: str | None
    tool: str
    caller: JSONObject
    effect: str
    started_at: float

    @property
    def key(self) -> tuple[str, str]:
        """What its row is found by; the ids that callers give may be used twice.

        Not by the process: a call that waits for its caller may go on and end in another.
        """
        return OUTSIDE, f"{self.organisation_id}:{self.audit_ref}"


def note_under_way(db: Connection, call: UnderWay) -> None:
    """Its process is at it from now on, whoever was before."""
    owner_id, call_id = call.key
    forget(db, owner_id, call_id)
    begin(
        db,
        owner_id=owner_id,
        call_id=call_id,
        organisation_id=call.organisation_id,
        tool=call.tool,
        caller={"caller": call.caller, "kept_as": call.kept_as, "process": call.process},
        effect=call.effect,
        audit_ref=call.audit_ref,
        at=call.started_at,
    )


def under_way(db: Connection) -> list[UnderWay]:
    """Every call outside a turn that has begun and not ended, whosever it is."""
    query = select(tool_calls).where(tool_calls.c.owner_id == OUTSIDE)
    return [
        UnderWay(
            process=row.caller["process"],
            organisation_id=row.organisation_id,
            audit_ref=row.audit_ref,
            kept_as=row.caller["kept_as"],
            tool=row.tool,
            caller=row.caller["caller"],
            effect=row.effect,
            started_at=row.started_at,
        )
        for row in db.execute(query)
    ]


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
