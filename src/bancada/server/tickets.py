"""What a session is carried by: a token in a header, and a cookie that renews it for the page.

The cookie names its session and which one in a row it is, signed. The current one is exchanged
for the next; an earlier one that comes back was copied by somebody, and ends the session.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from dataclasses import dataclass
from typing import Any

from fastapi import Request, Response
from sqlalchemy import Connection

from bancada.domain.errors import Forbidden
from bancada.domain.people import Person
from bancada.gate.administration import note
from bancada.server.auth import is_open, issue_token
from bancada.server.signins import address_of
from bancada.store import people, sessions

COOKIE = "bancada_refresh"
COOKIE_PATH = "/auth"
PAGE_SECONDS = 600.0
"""How long the page's own token is good for."""
GRACE_SECONDS = 10.0
"""How long the cookie before the current one is answered with the current one: two tabs ask at
once, or an answer is lost on its way."""

_VALUE = re.compile(r"^([0-9a-f]{32})\.(\d{1,9})\.([0-9a-f]{64})$")


@dataclass(frozen=True)
class Ticket:
    """A cookie as it was sent: of which session, and which one in a row."""

    session_id: str
    generation: int


def ticket_in(request: Request) -> Ticket | None:
    """The refresh cookie of a request, where it is one of ours."""
    found = _VALUE.match(request.cookies.get(COOKIE, ""))
    if found is None:
        return None
    ticket = Ticket(found[1], int(found[2]))
    secret = request.app.state.secret
    return ticket if hmac.compare_digest(_signature(ticket, secret), found[3]) else None


def _signature(ticket: Ticket, secret: str) -> str:
    said = f"refresh:{ticket.session_id}:{ticket.generation}"
    return hmac.new(secret.encode(), said.encode(), hashlib.sha256).hexdigest()


def check_own_page(request: Request) -> None:
    """A cookie is sent for whoever asks: another page of the same site may not use ours."""
    if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        raise Forbidden("from_another_page")


def hand_over(request: Request, response: Response, row: Any) -> str:
    """The token of a session; where it has a cookie, a short one, and the cookie beside it."""
    secret, person = request.app.state.secret, people.person_from(row)
    if row.generation is None:
        return issue_token(person, row.session_id, secret, row.expires_at)
    ticket = Ticket(row.session_id, row.generation)
    response.set_cookie(
        COOKIE,
        f"{ticket.session_id}.{ticket.generation}.{_signature(ticket, secret)}",
        max_age=max(1, int(row.expires_at - time.time())),
        path=COOKIE_PATH,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    until = min(row.expires_at, time.time() + PAGE_SECONDS)
    return issue_token(person, row.session_id, secret, until)


def drop_cookie(request: Request, response: Response) -> None:
    response.delete_cookie(
        COOKIE,
        path=COOKIE_PATH,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


# ---------------------------------------------------------------------------- queries


@dataclass(frozen=True)
class Reused:
    """A cookie came back after it was exchanged: the session was ended, on record."""

    person: Person


def renew(db: Connection, ticket: Ticket, request: Request) -> Any | Reused | None:
    """Exchange a cookie for the next one; none where its session is over."""
    rotated = sessions.rotate(db, ticket.session_id, ticket.generation)
    row = sessions.holder(db, ticket.session_id)
    if row is None or not row.is_active or not is_open(row) or row.generation is None:
        return None
    if rotated:
        return row
    before = row.generation == ticket.generation + 1
    if before and row.rotated_at > time.time() - GRACE_SECONDS:
        return row
    person = people.person_from(row)
    sessions.end(db, person.id, row.session_id, by="reuse")
    more: dict[str, Any] = {"reason": "reuse", "address": address_of(request)}
    note(db, person, "refresh_reused", person, outcome="failed", **more)
    return Reused(person)
