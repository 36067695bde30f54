"""Sign-ins on record: who came in, and who did not.

What fails for an account we know is written each time: the throttle bounds it. What fails for
nobody we know (an address without an account, a key or token that is none) could fill the disk:
within an interval the first few are written singly, then one entry at every doubling, with the
count.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from fastapi import Request
from sqlalchemy import Connection

from bancada.domain.people import Person
from bancada.engine.workbench import Workbench
from bancada.gate.administration import note
from bancada.store import login, people

INTERVAL_SECONDS = 600.0
SINGLY = 10

Stranger: TypeAlias = Literal["unknown_address", "bad_key", "bad_token"]
How: TypeAlias = Literal["password", "link"]


@dataclass
class _Counted:
    interval: int = -1
    count: int = 0
    told: int = 0


@dataclass
class Strangers:
    """Failures of nobody we know, counted by kind; one of these per process."""

    _counted: defaultdict[Stranger, _Counted] = field(default_factory=lambda: defaultdict(_Counted))

    def seen(self, kind: Stranger, now: float) -> dict[str, int] | None:
        """Count one more; what to write of it, or none where an earlier entry is to do."""
        counted = self._counted[kind]
        untold = 0
        interval = int(now // INTERVAL_SECONDS)
        if interval != counted.interval:
            untold = counted.count - counted.told
            counted.interval, counted.count, counted.told = interval, 0, 0
        counted.count += 1
        tens, rest = divmod(counted.count, SINGLY)
        if counted.count > SINGLY and (rest or tens & (tens - 1)):
            return None
        counted.told = counted.count
        return {"count": counted.count, **({"untold_before": untold} if untold else {})}


async def note_stranger(request: Request, kind: Stranger, about: str = "") -> None:
    """Somebody tried to come in whom we do not know; on the first organisation's chain."""
    bench: Workbench = request.app.state.bench
    strangers: Strangers = request.app.state.strangers
    said = strangers.seen(kind, time.time())
    if said is not None:
        more: dict[str, Any] = {"reason": kind, "address": address_of(request), **said}
        await bench.database.run(_failed, about, None, more)


def note_failed(db: Connection, person_id: int, more: dict[str, Any]) -> None:
    """Somebody tried to come in as a person we know."""
    person = people.person(db, person_id)
    _failed(db, person.email, person, more)


def _failed(db: Connection, about: str, person: Person | None, more: dict[str, Any]) -> None:
    note(
        db,
        None,
        "sign_in_failed",
        about,
        id=None if person is None else person.id,
        organisation_id=None if person is None else person.organisation_id,
        outcome="failed",
        **more,
    )


def note_signed_in(db: Connection, person: Person, how: How, address: str) -> None:
    note(db, person, "signed_in", person.email, id=person.id, how=how, address=address)


def fails(
    db: Connection, person_id: int, subjects: tuple[str, ...], most: int, more: dict[str, Any]
) -> None:
    """Count a failure of an account, and write it down; the entry says when further ones wait."""
    login.failed(db, *subjects)
    if login.failures(db, subjects[0]) >= most:
        more = {**more, "throttled": True}
    note_failed(db, person_id, more)


def address_of(request: Request) -> str:
    """The network address the request came from."""
    return request.client.host if request.client else "?"


def as_address(typed: str) -> str:
    """What was typed as an address, where it looks like one: it may have been a password."""
    typed = typed.strip()
    before, at, after = typed.partition("@")
    return typed if before and at and "." in after and " " not in typed else ""
