"""Erasing what entries of the audit say: the entries stay, and the chain tells what was taken.

Which entries an erasure took stands in an entry of the chain; without it, words that are missing
count as taken away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, or_, select, update

from bancada.domain.json import JSONObject, dumps, loads
from bancada.store.entries import digest, reduced
from bancada.store.tables import audit_entries

ACTION = "person_erased"
MOST = 500
"""Entries that one entry of an erasure tells of: it stays readable."""


@dataclass(frozen=True)
class Erasures:
    """What the chain itself says was erased."""

    entries: frozenset[int] = frozenset()
    """The entries that say so."""
    numbers: frozenset[int] = frozenset()
    rewritten: dict[int, set[str]] = field(default_factory=dict)
    """Hashes of what is left of older entries, by number."""

    def took(self, number: int) -> bool:
        return number in self.numbers

    def vouch_for(self, number: int, hashed: str) -> bool:
        return hashed in self.rewritten.get(number, ())


def of_chain(db: Connection, organisation_id: int) -> Erasures:
    """Read from entries that are themselves verified like any other."""
    query = select(audit_entries.c.number, audit_entries.c.body).where(
        audit_entries.c.organisation_id == organisation_id,
        audit_entries.c.category == "people",
        audit_entries.c.body.like(f'%"{ACTION}"%'),
    )
    entries, numbers = set(), set()
    rewritten: dict[int, set[str]] = {}
    for row in db.execute(query):
        body = loads(row.body)
        if body.get("action") != ACTION:
            continue
        entries.add(row.number)
        # An erasure tells of what was there before it.
        numbers |= {one for one in _listed(body.get("erased") or []) if one < row.number}
        for one, hashed in (body.get("rewritten") or {}).items():
            if int(one) < row.number:
                rewritten.setdefault(int(one), set()).add(hashed)
    return Erasures(frozenset(entries), frozenset(numbers), rewritten)


def erase(
    db: Connection, organisation_id: int, person_id: int, email: str
) -> Iterator[tuple[list[list[int]], dict[str, str]]]:
    """Take the words out of every entry of this person's, or that names their address.

    Yields what the chain has to be told, in parts: ranges of entries, and for older ones the
    hash of what is left of each. Nothing counts until it is written there.
    """
    found = _found(db, organisation_id, person_id, email)
    for start in range(0, len(found), MOST):
        part = found[start : start + MOST]
        left = {row.number: reduced(row.body) for row in part if row.content is None}
        for row in part:
            at = update(audit_entries).where(
                audit_entries.c.organisation_id == organisation_id,
                audit_entries.c.number == row.number,
            )
            if row.number in left:
                db.execute(at.values(body=left[row.number]))
            else:
                db.execute(at.values(content=None))
        taken = _ranges(row.number for row in part if row.number not in left)
        yield taken, {str(number): digest(body) for number, body in left.items()}


def count(db: Connection, organisation_id: int, person_id: int, email: str) -> int:
    """How many entries an erasure would take."""
    return len(_found(db, organisation_id, person_id, email))


def _found(db: Connection, organisation_id: int, person_id: int, email: str) -> list[Any]:
    names = f"%{_inside(email)}%"
    query = (
        select(audit_entries.c.number, audit_entries.c.body, audit_entries.c.content)
        .where(
            audit_entries.c.organisation_id == organisation_id,
            or_(
                audit_entries.c.person_id == person_id,
                audit_entries.c.content.like(names, escape="\\"),
                audit_entries.c.body.like(names, escape="\\"),
                # What others did about them, or with something of theirs.
                *(audit_entries.c.body.like(f'%"of_person":{person_id}{end}%') for end in ",}"),
            ),
        )
        .order_by(audit_entries.c.number)
    )
    return [row for row in db.execute(query) if not _is_bare(row.body, row.content)]


def _is_bare(body: str, content: str | None) -> bool:
    """Whether there are no words to be erased (any more)."""
    says: JSONObject = loads(body)
    return content is None and ("content" in says or says.get("reduced") or reduces_to(body))


def reduces_to(body: str) -> bool:
    """Whether an entry without words beside it has none inside either."""
    says: JSONObject = loads(reduced(body))
    del says["reduced"]
    return dumps(says) == body


def _inside(email: str) -> str:
    """As it stands in JSON, for a pattern."""
    text = dumps(email)[1:-1]
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _ranges(numbers: Iterable[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def _listed(ranges: Iterable[list[int]]) -> Iterator[int]:
    for first, last in ranges:
        yield from range(first, last + 1)
