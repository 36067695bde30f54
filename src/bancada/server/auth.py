"""Who is asking: a token or an API key, checked, and the person read fresh from the database.

The token only says who; what they may do is read from their row at every request.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from dataclasses import dataclass, field
from typing import Annotated, Any

import jwt
from fastapi import Depends, Request
from fastapi.security import APIKeyHeader, HTTPBearer
from sqlalchemy import Connection

from bancada.domain.errors import Forbidden, NotSignedIn
from bancada.domain.people import Person, Scope
from bancada.engine.workbench import Workbench
from bancada.server.parameters import HIGHEST
from bancada.server.scopes import check_scope
from bancada.server.signins import note_stranger
from bancada.store import conversations, keys, people, sessions
from bancada.store.endings import tell_of_change
from bancada.store.keys import KeyLimits

log = logging.getLogger("bancada.server")

ALGORITHM = "HS256"
USE_SECONDS = 60.0
"""How often it is written down that a session or a key is in use."""

bearer = HTTPBearer(auto_error=False, description="A token from `POST /auth/login`, or an API key.")
CONVERSATION = re.compile(r"/(?:conversations|conversas)/([^/]+)")
"""Addresses that name a conversation."""

api_key = APIKeyHeader(name="x-api-key", auto_error=False, description="An API key.")


def issue_token(person: Person, session_id: str, secret: str, until: float) -> str:
    claims = {
        "user_id": person.id,
        "nome": person.name,
        "role": person.role,
        "exp": int(until),
        "sid": session_id,
    }
    return jwt.encode(claims, secret, ALGORITHM)


@dataclass(frozen=True)
class Admission:
    """By what a request was let in: a session or a key, as they are now."""

    person: Person
    session_id: str | None = None
    key_id: int | None = None
    key_until: float | None = None
    agent_id: int | None = None
    """The one agent a key is for."""
    scopes: tuple[Scope, ...] = ()
    """What a key was narrowed to."""
    key_limits: KeyLimits = field(default_factory=KeyLimits)

    @property
    def is_narrow(self) -> bool:
        """Whether it is a key with an agent, scopes or limits: it makes nothing that outlives it."""
        return self.agent_id is not None or bool(self.scopes) or not self.key_limits.are_none

    def check_agent(self, agent_id: int | None) -> None:
        """A key that is for one agent is for no other."""
        if not self.is_for(agent_id):
            raise Forbidden("agent_not_keys")

    def is_for(self, agent_id: int | None) -> bool:
        """Whether what is this agent's is open."""
        return self.agent_id in (None, agent_id)


async def current_person(
    request: Request,
    token: Annotated[Any, Depends(bearer)] = None,
    key: Annotated[str | None, Depends(api_key)] = None,
) -> Person:
    """The person who makes this request, as the database has them now."""
    return (await identify(request)).person


async def identify(request: Request) -> Admission:
    """Who asks, looked up once a request: before its body is read, where it has one."""
    known: Admission | None = getattr(request.state, "access", None)
    if known is not None:
        return known
    given = _given(request)
    if not given:
        raise NotSignedIn("sign_in_first")
    is_key = given.startswith(keys.PREFIX)
    access = await (_by_key(request, given) if is_key else _by_token(request, given))
    request.state.access = access
    # Remembered for this request: what goes wrong is said in their language.
    request.state.person = access.person
    return access


def _given(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return request.headers.get("x-api-key") or (
        token.strip() if scheme.lower() == "bearer" else None
    )


async def _by_token(request: Request, token: str) -> Admission:
    user_id, session_id = await _claims(request, token)
    bench: Workbench = request.app.state.bench
    row = await bench.database.look(sessions.holder, session_id)
    if row is None or row.id != user_id or not row.is_active:
        raise NotSignedIn("no_account_here")
    if not is_open(row):
        raise NotSignedIn("session_over")
    if row.last_seen_at < time.time() - USE_SECONDS:
        await bench.database.run(sessions.seen, session_id)
    return Admission(people.person_from(row), session_id=session_id)


def is_open(row: Any) -> bool:
    """Whether a session still counts."""
    return row.ended_at is None and row.expires_at > time.time()


async def _claims(request: Request, token: str) -> tuple[int, str]:
    """Whose token it is, and of which session."""
    secret = request.app.state.secret
    try:
        claims = jwt.decode(token, secret, [ALGORITHM], options={"require": ["exp", "user_id"]})
        user_id, session_id = claims["user_id"], claims.get("sid")
    except jwt.ExpiredSignatureError:
        raise NotSignedIn("sign_in_expired") from None
    except jwt.InvalidTokenError:
        user_id, session_id = None, None
    if not isinstance(user_id, int) or isinstance(user_id, bool) or not 0 < user_id <= HIGHEST:
        await note_stranger(request, "bad_token")
        raise NotSignedIn("bad_token")
    if not isinstance(session_id, str):
        raise NotSignedIn("token_without_session")
    return user_id, session_id


async def _by_key(request: Request, key: str) -> Admission:
    """Whose key it is; that it was used is noted now and then, not at every request."""
    bench: Workbench = request.app.state.bench
    row = await bench.database.look(keys.holder, key)
    if row is None:
        await note_stranger(request, "bad_key")
        raise NotSignedIn("bad_key")
    request.state.person = people.person_from(row)
    path = request.scope["path"]
    limits = KeyLimits.of(row)
    check_scope(
        row.scopes,
        request.method,
        path,
        for_one_agent=row.agent_id is not None,
        has_limits=not limits.are_none,
    )
    if row.last_used_at is None or row.last_used_at < time.time() - USE_SECONDS:
        await bench.database.run(keys.used_key, row.key_id)
    access = Admission(
        people.person_from(row),
        key_id=row.key_id,
        key_until=row.expires_at,
        agent_id=row.agent_id,
        scopes=tuple(row.scopes),
        key_limits=limits,
    )
    if access.agent_id is not None and (named := CONVERSATION.match(path)):
        await bench.database.look(_check_conversation, access, named[1])
    return access


def _check_conversation(db: Connection, access: Admission, id: str) -> None:
    """A key for one agent comes to no other agent's conversation, by whichever route."""
    found = conversations.find(db, id)
    if found is not None and found.user_id == access.person.id:
        access.check_agent(found.agent_id)


def still_in(db: Connection, access: Admission) -> bool:
    """Whether what let somebody in counts now, as it must at every request."""
    if access.session_id is None:
        return access.key_id is not None and keys.holder_of(db, access.key_id) is not None
    row = sessions.holder(db, access.session_id)
    return row is not None and bool(row.is_active) and is_open(row)


CurrentPerson = Annotated[Person, Depends(current_person)]
"""For a route: whoever sent the request, read now; without a valid token it is refused."""


async def administrator(person: CurrentPerson) -> Person:
    if person.role != "admin":
        raise Forbidden("for_administrators")
    return person


async def current_access(request: Request, person: CurrentPerson) -> Admission:
    return await identify(request)


CurrentAccess = Annotated[Admission, Depends(current_access)]

Administrator = Annotated[Person, Depends(administrator)]
"""For a route: the same, where they are an administrator; others are refused."""


async def installation_administrator(person: Administrator) -> Person:
    """Administrators of the first organisation manage the others."""
    if person.organisation_id != people.FIRST_ORGANISATION:
        raise Forbidden("for_first_administrators")
    return person


InstallationAdministrator = Annotated[Person, Depends(installation_administrator)]


async def workbench(request: Request) -> Workbench:
    # A coroutine, although it waits for nothing: a plain function would be sent to a thread.
    bench: Workbench = request.app.state.bench
    return bench


Bench = Annotated[Workbench, Depends(workbench)]


def account_changed(request: Request, person_id: int) -> None:
    """Streams of this person look at once whether they may go on, in other processes too."""
    request.app.state.readers.look_again(person_id)
    bench: Workbench = request.app.state.bench
    if bench.database.kind == "postgresql":
        telling = bench.database.start(tell_of_change, person_id)
        telling.add_done_callback(_not_told)


def _not_told(telling: asyncio.Future[None]) -> None:
    if not telling.cancelled() and telling.exception() is not None:
        log.warning("other processes were not told of a changed account: %s", telling.exception())
