"""Sign-ins on record: who came in, and who did not.

What fails for an account we know is written each time: the throttle bounds it. What fails for
nobody we know (an address without an account, a key or token that is none) could fill the disk:
within an interval the first few are written singly, then one entry at every doubling, with the
count.
"""

from __future__ import annotations

import asyncio
import ipaddress
import math
import os
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from fastapi import Request
from sqlalchemy import Connection

from bancada.domain.errors import TooOften
from bancada.domain.people import Person
from bancada.engine.workbench import Workbench
from bancada.gate.administration import note
from bancada.settings import Settings
from bancada.store import login, people, sessions

INTERVAL_SECONDS = 600.0
SINGLY = 10

Stranger: TypeAlias = Literal["unknown_address", "bad_key", "bad_token", "provider"]
How: TypeAlias = Literal["password", "link", "provider"]


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


async def note_stranger(request: Request, kind: Stranger, about: str = "", **facts: str) -> None:
    """Somebody tried to come in whom we do not know; on the first organisation's chain."""
    bench: Workbench = request.app.state.bench
    strangers: Strangers = request.app.state.strangers
    said = strangers.seen(kind, time.time())
    if said is not None:
        more: dict[str, Any] = {"reason": kind, "address": address_of(request), **facts, **said}
        await bench.database.run(_failed, about, None, more)


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


def note_failed(db: Connection, person_id: int, more: dict[str, Any], *limits: login.Limit) -> None:
    """Somebody tried to come in as a person we know; the entry says when further ones wait."""
    if login.waits(db, *limits) > 0:
        more = {**more, "throttled": True}
    person = people.person(db, person_id)
    _failed(db, person.email, person, more)


def begin_session(
    db: Connection,
    person: Person,
    how: How,
    request: Request,
    *,
    cookie: bool,
    provider: str | None = None,
) -> Any:
    """Somebody came in: a session, and an entry that says how and from where."""
    facts: dict[str, Any] = {"how": how, "address": address_of(request)}
    if provider is not None:
        facts["provider"] = provider
    note(db, person, "signed_in", person, **facts)
    bench: Workbench = request.app.state.bench
    return sessions.begin(
        db,
        person.id,
        how=how,
        user_agent=request.headers.get("user-agent", ""),
        address=address_of(request),
        seconds=bench.settings.jwt_expiry_hours * 3600,
        refreshed=cookie,
        provider=provider,
    )


def end_password_sessions(db: Connection, settings: Settings) -> None:
    """Passwords were switched off: what they opened before ends, the break-glass account's aside."""
    for user_id in sessions.opened_by_password(db):
        person = people.person(db, user_id)
        if not settings.takes_password_of(person.email):
            count = sessions.end_by_password(db, user_id, by="passwords_off")
            note(
                db, None, "session_ended", person, via="start", reason="passwords_off", count=count
            )


# ---------------------------------------------------------------------------- limits

MOST_PER_PAIR = 10
MOST_PER_ADDRESS = 100
"""Failures before further ones must wait, and then how long for one more, in seconds."""
PAIR_SECONDS = 60.0
ADDRESS_SECONDS = 6.0


def limits_of(request: Request, email: str) -> tuple[login.Limit, login.Limit]:
    """What a guess counts toward: this account from this network address, and the address.

    Guesses from elsewhere count for neither, and whether there is such an account for nothing.
    """
    where = network_of(address_of(request))
    return (
        login.Limit(f"pair:{where} {login.account_mark(email)}", MOST_PER_PAIR, PAIR_SECONDS),
        address_limit(request),
    )


def address_limit(request: Request) -> login.Limit:
    """What everything that may fail from one network address counts toward."""
    where = network_of(address_of(request))
    return login.Limit(f"address:{where}", MOST_PER_ADDRESS, ADDRESS_SECONDS)


def too_often(wait: float) -> TooOften:
    seconds = max(1, min(60, math.ceil(wait)))
    return TooOften("too_many_sign_ins", seconds=seconds, wait=seconds)


def network_of(address: str) -> str:
    """What counts as one address: of IPv6 the network that one customer has."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return address
    return str(ipaddress.ip_network((known, 64), strict=False))


AT_ONCE = max(1, min(MOST_PER_PAIR - 2, (os.cpu_count() or 1) // 4))
"""Passwords that are looked at together in one lane: each keeps four threads busy."""


class SignInLanes:
    """Who waits for whom to have a password looked at; one of these per process.

    Whoever comes from where they signed in before has a lane of their own: a crowd of strangers
    does not stand before them. A guess is counted only when its turn has come, so that right
    ones, which count until they are found right, never use up each other's room.
    """

    def __init__(self) -> None:
        self._strangers = asyncio.Semaphore(AT_ONCE)
        self._regulars = asyncio.Semaphore(AT_ONCE)

    def of(self, has_been: bool) -> asyncio.Semaphore:
        return self._regulars if has_been else self._strangers


def address_of(request: Request) -> str:
    """The network address the request came from."""
    return request.client.host if request.client else "?"


def as_address(typed: str) -> str:
    """What was typed as an address, where it looks like one: it may have been a password."""
    typed = typed.strip()
    before, at, after = typed.partition("@")
    return typed if before and at and "." in after and " " not in typed else ""
