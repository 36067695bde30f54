"""What a transaction does last: write what must come after everything else, and tell people of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, bindparam, func, select

from bancada.store.hot import Hot

T = TypeVar("T")

_LAST = "bancada.last"
_KEPT = "bancada.kept"
_TOLD = "bancada.told"
CHANNEL = "bancada_people"
"""What is said there: the number of a person whose account changed; with `NEWS` before it, of one
who has something to read."""
NEWS = "+"
"""A sign: processes from before read a number all the same, and look at everything."""
TURNS = "bancada_turns"
"""What is said there: turns that have new events; with `TAKEN` before it, one that changed hands."""
TAKEN = "!"
MOST_TOLD = 300
"""Turns that one message names: it may not be longer than 8,000 bytes."""


_NOTIFY = Hot(
    select(func.pg_notify(bindparam("channel"), bindparam("said")).label("told")),
    ["channel", "said"],
)


def at_the_end(db: Connection, write: Callable[[Connection, list[Any]], None], item: Any) -> None:
    """Let `write` have this item, with all others given to it, right before the commit."""
    db.info.setdefault(_LAST, {}).setdefault(write, []).append(item)


def tell(db: Connection, person_id: int) -> None:
    """Whoever listens looks what there is for this person, once this is committed."""
    if db.dialect.name == "postgresql":
        _NOTIFY(db, CHANNEL, f"{NEWS}{person_id}")
    else:
        db.info.setdefault(_TOLD, set()).add(person_id)


def tell_of_change(db: Connection, person_id: int) -> None:
    """Other processes look whether this person may still read what they read."""
    if db.dialect.name == "postgresql":
        _NOTIFY(db, CHANNEL, str(person_id))


def announce(db: Connection, turn_id: str) -> None:
    """Whoever follows this turn elsewhere looks what is new, once this is committed."""
    if db.dialect.name == "postgresql":
        at_the_end(db, _announce, turn_id)


def announce_owner(db: Connection, turn_id: str) -> None:
    """Whoever had this turn looks whether they still have, once this is committed."""
    announce(db, TAKEN + turn_id)


def _announce(db: Connection, said: list[str]) -> None:
    found = list(dict.fromkeys(said))
    for at in range(0, len(found), MOST_TOLD):
        _NOTIFY(db, TURNS, ",".join(found[at : at + MOST_TOLD]))


def kept(db: Connection) -> dict[Any, Any]:
    """What this transaction knows already; gone with it."""
    found: dict[Any, Any] = db.info.setdefault(_KEPT, {})
    return found


def to_its_end(db: Connection, call: Callable[[Connection], T]) -> T:
    """Run a query, and what it left for the end."""
    # The dictionary outlives the transaction; what a failed one left must not reach the next.
    db.info.pop(_LAST, None)
    db.info.pop(_KEPT, None)
    result = call(db)
    for write, items in db.info.pop(_LAST, {}).items():
        write(db, items)
    db.info.pop(_KEPT, None)
    return result


def told(db: Connection) -> set[int]:
    """Whom the transaction that just ended has told something; asked once."""
    found: set[int] = db.info.pop(_TOLD, set())
    return found
