"""Where somebody is signed in: seen and ended by themselves, or by an administrator."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from sqlalchemy import Connection

from bancada.domain.people import Person
from bancada.engine.accounts import end_sessions
from bancada.gate.administration import note
from bancada.server.auth import Administrator, Bench, CurrentAccess, account_changed
from bancada.server.parameters import RowId
from bancada.server.problems import documented
from bancada.server.routes.admin.users import account
from bancada.server.shapes import Moment, Out
from bancada.store import sessions

router = APIRouter(tags=["account"])

SessionId = Annotated[str, Path(min_length=1, max_length=64)]

BROWSERS = {
    "Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox",
    "FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari",
}  # fmt: skip
"""By the name they sign with; the first that is found counts, because the rest is courtesy."""
SYSTEMS = {
    "Windows": "Windows", "Android": "Android", "iPhone": "iPhone", "iPad": "iPad",
    "Mac OS X": "macOS", "CrOS": "ChromeOS", "Linux": "Linux",
}  # fmt: skip


def device_of(user_agent: str) -> str:
    """`Firefox · Linux`; a program by its own name; empty where nothing was said."""
    if not user_agent.startswith("Mozilla/"):
        return re.split(r"[/\s]", user_agent, maxsplit=1)[0][:60]
    browser = [said for sign, said in BROWSERS.items() if f"{sign}/" in user_agent]
    system = [said for sign, said in SYSTEMS.items() if sign in user_agent]
    return " · ".join([*browser[:1], *system[:1]])


class SessionOut(Out):
    """A sign-in that counts."""

    id: str
    device: str
    """Browser and system, as far as they said; a program's name otherwise."""
    address: str
    """The network address it was signed in from."""
    how: str
    """`password`, or `link` for a one-time link."""
    current: bool
    """The one that asks."""
    created_at: Moment
    last_seen_at: Moment
    expires_at: Moment

    @staticmethod
    def seen_from(row: Any, current: str | None) -> SessionOut:
        return SessionOut.of(row, device=device_of(row.user_agent), current=row.id == current)


@router.get("/me/sessions", responses=documented(401))
async def mine(access: CurrentAccess, bench: Bench) -> list[SessionOut]:
    """Where you are signed in, the last used first."""
    rows = await bench.database.read(sessions.open_sessions, access.person.id)
    return [SessionOut.seen_from(row, access.session_id) for row in rows]


@router.delete("/me/sessions", status_code=204, responses=documented(401, 422))
async def end_mine(
    access: CurrentAccess,
    request: Request,
    bench: Bench,
    others: Annotated[bool, Query(description="All but the one that asks.")] = False,
) -> None:
    """End all your sessions, this one too unless you say otherwise."""
    person, but = access.person, access.session_id if others else None
    await bench.database.run(end_sessions, person, "owner", by=person, but=but)
    account_changed(request, person.id)


@router.delete("/me/sessions/{id}", status_code=204, responses=documented(401, 404, 422))
async def end_one_of_mine(
    id: SessionId, access: CurrentAccess, request: Request, bench: Bench
) -> None:
    """End one of your sessions."""
    await bench.database.run(_end, access.person, id, access.person, "owner")
    account_changed(request, access.person.id)


def _end(db: Connection, person: Person, id: str, by: Person, why: str) -> None:
    row = sessions.end(db, person.id, id, by=why)
    note(
        db,
        by,
        "session_ended",
        person,
        reason=why,
        device=device_of(row.user_agent),
        address=row.address,
        count=1,
    )


# ---------------------------------------------------------------------------- administrators


@router.get(
    "/admin/users/{id}/sessions",
    tags=["administration"],
    responses=documented(401, 403, 404, 422),
)
async def theirs(id: RowId, admin: Administrator, bench: Bench) -> list[SessionOut]:
    """Where somebody is signed in."""
    person = await bench.database.read(account, admin, id)
    rows = await bench.database.read(sessions.open_sessions, person.id)
    return [SessionOut.seen_from(row, None) for row in rows]


@router.delete(
    "/admin/users/{id}/sessions",
    status_code=204,
    tags=["administration"],
    responses=documented(401, 403, 404, 422),
)
async def end_theirs(id: RowId, admin: Administrator, request: Request, bench: Bench) -> None:
    """End all sessions of somebody."""
    person = await bench.database.read(account, admin, id)
    await bench.database.run(end_sessions, person, "administrator", by=admin)
    account_changed(request, person.id)


@router.delete(
    "/admin/users/{id}/sessions/{session}",
    status_code=204,
    tags=["administration"],
    responses=documented(401, 403, 404, 422),
)
async def end_one_of_theirs(
    id: RowId, session: SessionId, admin: Administrator, request: Request, bench: Bench
) -> None:
    """End one session of somebody."""
    person = await bench.database.read(account, admin, id)
    await bench.database.run(_end, person, session, admin, "administrator")
    account_changed(request, person.id)
