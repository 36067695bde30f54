"""The audit chain: what happened, in an order nobody can quietly change.

Each organisation has its own chain. An entry's hash covers its body and the hash before it;
the head row (number, hash) moves in the same transaction, so a missing tail is seen too.

The body holds what happened, and of what was said only a salted hash: the words themselves (who,
arguments, before and after) stand beside it and can be erased, and the chain still verifies. An
erasure is an entry of the chain itself, which names what it erased. Entries of earlier versions
hold their words in the body; what is left of one that was erased is vouched for by that entry.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, Select, bindparam, func, insert, select, text, update

from bancada.domain.json import JSONObject, dumps, loads
from bancada.store.columns import clean
from bancada.store.endings import at_the_end, kept
from bancada.store.entries import CONTENT, apart, caller_name, digest, said
from bancada.store.erasures import of_chain
from bancada.store.hot import Hot
from bancada.store.tables import audit_entries, audit_heads, confirmations, tool_calls

EntryKind: TypeAlias = Literal["asked", "started", "ended", "refused", "changed", "sign_in"]
"""The first four are of calls, the others of administration."""

GENESIS = "0" * 64
CALL = "call"
ADMINISTRATION = "administration"

_HEAD = Hot(
    select(audit_heads.c.number, audit_heads.c.hash)
    .where(audit_heads.c.organisation_id == bindparam("org"))
    .with_for_update(),
    ["org"],
)
_FIRST_HEAD = text(
    "INSERT INTO audit_heads (organisation_id, number, hash) VALUES (:org, 0, :hash) "
    "ON CONFLICT DO NOTHING"
)
_ADVANCE = Hot(
    update(audit_heads)
    .where(audit_heads.c.organisation_id == bindparam("org"))
    .values(number=bindparam("n"), hash=bindparam("h")),
    ["org", "n", "h"],
)
_COLUMNS = (
    "organisation_id",
    "number",
    "ref",
    "kind",
    "at",
    "person_id",
    "conversation_id",
    "turn_id",
    "call_id",
    "tool",
    "agent_id",
    "caller",
    "outcome",
    "duration_ms",
    "size",
    "cached",
    "category",
    "body",
    "hash",
    "content",
)
_INSERT = Hot(insert(audit_entries).values({c: bindparam(c) for c in _COLUMNS}), _COLUMNS)


def append(
    db: Connection,
    organisation_id: int,
    kind: EntryKind,
    *,
    at: float,
    person_id: int | None,
    conversation_id: str | None,
    turn_id: str | None,
    call_id: str,
    tool: str,
    ref: int | None = None,
    says: JSONObject,
) -> int:
    """Add an entry to the organisation's chain; returns its number.

    `ref` is the number of the call's first entry (its own, when it is the first). `says` is
    the rest of the entry: arguments, caller, decision, outcome.
    """
    last, previous = hold(db, organisation_id)
    number = last + 1
    call_id, tool = clean(call_id), clean(tool)
    ref = number if ref is None else ref
    facts, content = apart(says)
    body = dumps(
        {
            "organisation_id": organisation_id,
            "number": number,
            "ref": ref,
            "kind": kind,
            "at": at,
            "person_id": person_id,
            "conversation_id": conversation_id,
            "turn_id": turn_id,
            "call_id": call_id,
            "tool": tool,
            **facts,
        }
    )
    hashed = chained(previous, body)
    _INSERT(
        db,
        organisation_id,
        number,
        ref,
        kind,
        at,
        person_id,
        conversation_id,
        turn_id,
        call_id,
        tool,
        says.get("agent_id"),
        facts.get("caller"),
        says.get("outcome"),
        says.get("duration_ms"),
        says.get("size"),
        says.get("cached"),
        says.get("category"),
        body,
        hashed,
        content,
    )
    kept(db)[_HEAD, organisation_id] = (number, hashed)
    at_the_end(db, _advance, organisation_id)
    return number


def _advance(db: Connection, organisations: list[int]) -> None:
    """Move the heads to where the chains end: once, however many entries were added."""
    for organisation_id in sorted(set(organisations)):
        _ADVANCE(db, organisation_id, *kept(db)[_HEAD, organisation_id])


def hold(db: Connection, organisation_id: int) -> tuple[int, str]:
    """The chain's head, `(number, hash)`; whoever else wants it waits for this transaction."""
    known: tuple[int, str] | None = kept(db).get((_HEAD, organisation_id))
    if known is not None:
        return known
    head = _HEAD(db, organisation_id).first()
    if head is None:
        # Of two first calls at once, one makes the head; the other waits for it, then finds it.
        db.execute(_FIRST_HEAD, {"org": organisation_id, "hash": GENESIS})
        head = _HEAD(db, organisation_id).one()
    return head.number, head.hash


def chained(previous: str, body: str) -> str:
    return hashlib.sha256(previous.encode() + b"\n" + body.encode()).hexdigest()


# ---------------------------------------------------------------------------- reading


@dataclass(frozen=True)
class Verdict:
    """Whether a chain is whole, and the first entry that is not."""

    organisation_id: int
    ok: bool
    checked: int
    first_bad: int | None = None
    what: str | None = None


@dataclass(frozen=True)
class Signed:
    """An entry that was the last of its chain when it was signed."""

    number: int
    hash: str
    at: float

    @property
    def day(self) -> str:
        return datetime.fromtimestamp(self.at, UTC).isoformat(" ", "seconds")


def verify(
    db: Connection,
    organisation_id: int,
    signed: Mapping[int, Signed] | None = None,
    *,
    recent: bool = False,
) -> Verdict:
    """Walk the chain from its first entry to the head; name the first entry that does not fit.

    `signed` are heads of this chain, by number, that were signed before: the entries must be there
    still, and be the same. `recent` begins at the newest of them, and says nothing of what is older.
    """
    signed = signed or {}
    expected, previous, checked, fits = 1, GENESIS, 0, 0
    if recent and signed:
        expected = max(signed)
        previous = _hash_of(db, organisation_id, expected - 1) or GENESIS
    erasures = of_chain(db, organisation_id)

    def bad(number: int, what: str) -> Verdict:
        return Verdict(organisation_id, False, checked, number, what)

    for row in _entries(db, organisation_id, expected):
        if row.number != expected:
            return bad(expected, f"entry {expected} is missing")
        whole = chained(previous, row.body) == row.hash
        if not (whole or erasures.vouch_for(row.number, digest(row.body))):
            return bad(row.number, f"entry {row.number} was changed, or entries were reordered")
        if not whole and row.number in erasures.entries:
            return bad(row.number, f"entry {row.number}, which tells of an erasure, was changed")
        body = loads(row.body)
        if row.content is None:
            if CONTENT in body and not erasures.took(row.number):
                return bad(row.number, f"what entry {row.number} said was taken away")
        elif digest(row.content) != body.get(CONTENT):
            return bad(row.number, f"what entry {row.number} said was changed")
        if isinstance(body.get("caller"), dict):
            body["caller"] = caller_name(body["caller"])
        for column in _COLUMNS[:-3]:
            if body.get(column) != getattr(row, column):
                return bad(row.number, f"entry {row.number}: {column} was changed")
        head = signed.get(row.number)
        if head is not None:
            if head.hash != row.hash:
                return bad(
                    row.number,
                    f"entry {row.number} is not the one that was signed on {head.day}: "
                    f"entries after {fits} were written anew",
                )
            fits = row.number
        previous, expected, checked = row.hash, expected + 1, checked + 1
    end = db.execute(
        select(audit_heads).where(audit_heads.c.organisation_id == organisation_id)
    ).first()
    last = expected - 1
    newest = signed[max(signed)] if signed else None
    if newest is not None and newest.number > last:
        return bad(
            expected,
            f"entry {expected} and what follows it are missing: "
            f"{newest.number} entries were signed on {newest.day}",
        )
    # Calls and confirmations name their entries: a chain that was cut together with its head
    # still leaves them pointing into the void.
    if _named_elsewhere(db, organisation_id) > last:
        return bad(expected, f"entry {expected} and what follows it are missing")
    if end is None:
        return Verdict(organisation_id, True, 0) if last == 0 else bad(last, "the head is missing")
    if end.number > last:
        return bad(expected, f"entry {expected} and what follows it are missing")
    if end.number < last or end.hash != previous:
        return bad(last, f"entry {last} does not fit the chain's head")
    return Verdict(organisation_id, True, checked)


def _named_elsewhere(db: Connection, organisation_id: int) -> int:
    """The highest entry that another table refers to."""
    highest = 0
    for table in (tool_calls, confirmations):
        query = select(func.max(table.c.audit_ref)).where(
            table.c.organisation_id == organisation_id
        )
        highest = max(highest, db.execute(query).scalar() or 0)
    return highest


def heads(db: Connection) -> dict[int, tuple[int, str]]:
    """Where every chain ends now: number and hash, by organisation."""
    rows = db.execute(select(audit_heads).where(audit_heads.c.number > 0))
    return {row.organisation_id: (row.number, row.hash) for row in rows}


def has_chain(db: Connection, organisation_id: int) -> bool:
    head = select(audit_heads.c.number).where(audit_heads.c.organisation_id == organisation_id)
    return db.execute(head).first() is not None


def organisations_with_entries(db: Connection) -> list[int]:
    """Every organisation that has a chain, or whose calls say that it had one."""
    found: set[int] = set()
    for table in (audit_heads, audit_entries, tool_calls, confirmations):
        found |= {row[0] for row in db.execute(select(table.c.organisation_id).distinct())}
    return sorted(found)


def entry(db: Connection, organisation_id: int, number: int) -> JSONObject | None:
    """What one entry says."""
    query = select(audit_entries.c.body, audit_entries.c.content).where(
        audit_entries.c.organisation_id == organisation_id, audit_entries.c.number == number
    )
    row = db.execute(query).first()
    return None if row is None else said(row.body, row.content)


def last_kind(db: Connection, organisation_id: int, ref: int) -> str | None:
    """What the last entry of a call is."""
    query = select(audit_entries.c.kind).where(
        audit_entries.c.organisation_id == organisation_id, audit_entries.c.ref == ref
    )
    return db.execute(query.order_by(audit_entries.c.number.desc()).limit(1)).scalar()


def export(db: Connection, organisation_id: int) -> list[JSONObject]:
    """One line a call or change, in the order they began."""
    lines: dict[int, JSONObject] = {}
    for row in _entries(db, organisation_id):
        join(lines, said(row.body, row.content), row.hash)
    return list(lines.values())


def calls(
    db: Connection,
    organisation_id: int,
    *,
    before: int | None = None,
    limit: int = 50,
    tool: str | None = None,
    person_id: int | None = None,
    turn_id: str | None = None,
    since: float | None = None,
    until: float | None = None,
    outcome: str | None = None,
    category: str | None = None,
) -> list[JSONObject]:
    """The newest calls and changes first, one line each.

    `category` is one of administration, or `call`, or `administration` for all but calls.
    """
    first = select(audit_entries.c.ref).where(
        audit_entries.c.organisation_id == organisation_id,
        audit_entries.c.number == audit_entries.c.ref,
    )
    for column, value in (("tool", tool), ("person_id", person_id), ("turn_id", turn_id)):
        if value is not None:
            first = first.where(audit_entries.c[column] == value)
    if category == CALL:
        first = first.where(audit_entries.c.category.is_(None))
    elif category == ADMINISTRATION:
        first = first.where(audit_entries.c.category.is_not(None))
    elif category is not None:
        first = first.where(audit_entries.c.category == category)
    if since is not None:
        first = first.where(audit_entries.c.at >= since)
    if until is not None:
        first = first.where(audit_entries.c.at < until)
    if outcome is not None:
        first = first.where(audit_entries.c.ref.in_(_with_outcome(organisation_id, outcome)))
    found: list[JSONObject] = []
    while len(found) < limit:
        page = first if before is None else first.where(audit_entries.c.ref < before)
        page = page.order_by(audit_entries.c.ref.desc()).limit(limit - len(found))
        refs = [row.ref for row in db.execute(page)]
        if not refs:
            break
        lines = _lines(db, organisation_id, refs)
        found += [line for line in lines if outcome in (None, line.get("outcome"))]
        before = refs[-1]
    return found


def _with_outcome(organisation_id: int, outcome: str) -> Select[tuple[int]]:
    """Calls one of whose entries says so; a later entry may say otherwise."""
    return select(audit_entries.c.ref).where(
        audit_entries.c.organisation_id == organisation_id,
        audit_entries.c.outcome == outcome,
    )


def _lines(db: Connection, organisation_id: int, refs: list[int]) -> list[JSONObject]:
    query = (
        select(audit_entries.c.body, audit_entries.c.content, audit_entries.c.hash)
        .where(audit_entries.c.organisation_id == organisation_id, audit_entries.c.ref.in_(refs))
        .order_by(audit_entries.c.number)
    )
    lines: dict[int, JSONObject] = {}
    for row in db.execute(query):
        join(lines, said(row.body, row.content), row.hash)
    return [lines[ref] for ref in refs]


def join(lines: dict[int, JSONObject], body: JSONObject, hashed: str) -> None:
    """Fold one entry into its call's line; later entries add what they know."""
    kind, ref = body.pop("kind"), body["ref"]
    at, number = body.pop("at"), body.pop("number")
    line = lines.setdefault(ref, {"id": ref, "at": at, "entries": []})
    line["entries"].append({"number": number, "kind": kind, "at": at, "hash": hashed})
    line["state"] = kind
    line["category"] = CALL
    line.update({key: value for key, value in body.items() if value is not None or key not in line})
    line.pop("ref", None)


def count_since(
    db: Connection, organisation_id: int, tool: str, since: float, person_id: int | None
) -> int:
    """How often the tool was started since then, by this person or by everybody."""
    query = select(func.count()).where(
        audit_entries.c.organisation_id == organisation_id,
        audit_entries.c.tool == tool,
        audit_entries.c.kind == "started",
        audit_entries.c.at >= since,
    )
    if person_id is not None:
        query = query.where(audit_entries.c.person_id == person_id)
    return int(db.execute(query).scalar_one())


def _hash_of(db: Connection, organisation_id: int, number: int) -> str | None:
    query = select(audit_entries.c.hash).where(
        audit_entries.c.organisation_id == organisation_id, audit_entries.c.number == number
    )
    return db.execute(query).scalar()


def _entries(db: Connection, organisation_id: int, first: int = 1) -> Iterator[Any]:
    query = (
        select(audit_entries)
        .where(audit_entries.c.organisation_id == organisation_id)
        .where(audit_entries.c.number >= first)
        .order_by(audit_entries.c.number)
        .execution_options(yield_per=1000)
    )
    yield from db.execute(query)
