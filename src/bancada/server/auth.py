"""Who is asking: a token or an API key, checked, and the person read fresh from the database.

The token only says who; what they may do is read from their row at every request.
"""

from __future__ import annotations

import secrets
import time
from typing import Annotated, Any

import jwt
from fastapi import Depends, Request
from fastapi.security import APIKeyHeader, HTTPBearer
from sqlalchemy import Connection

from bancada.domain.errors import Forbidden, NotSignedIn, SettingsError
from bancada.domain.people import Person
from bancada.engine.workbench import Workbench
from bancada.server.parameters import HIGHEST
from bancada.server.signins import note_stranger
from bancada.settings import Settings
from bancada.store import keys, people
from bancada.store.keyfile import kept

ALGORITHM = "HS256"
SECRET_FILE = "jwt-secret"  # noqa: S105 - the name of a file
KEY_USE_SECONDS = 60.0

bearer = HTTPBearer(auto_error=False, description="A token from `POST /auth/login`, or an API key.")
api_key = APIKeyHeader(name="x-api-key", auto_error=False, description="An API key.")


def jwt_secret(settings: Settings) -> str:
    """The secret that signs tokens: configured, or made on the first start and kept."""
    if settings.jwt_secret:
        return settings.jwt_secret
    path = settings.data / SECRET_FILE
    try:
        return kept(path, lambda: secrets.token_urlsafe(48).encode()).decode().strip()
    except OSError as error:
        raise SettingsError(f"{path} cannot be read or written: {error.strerror}.") from error


def issue_token(person: Person, secret: str, hours: float) -> str:
    claims = {
        "user_id": person.id,
        "nome": person.name,
        "role": person.role,
        "exp": int(time.time() + hours * 3600),
    }
    return jwt.encode(claims, secret, ALGORITHM)


async def current_person(
    request: Request,
    token: Annotated[Any, Depends(bearer)] = None,
    key: Annotated[str | None, Depends(api_key)] = None,
) -> Person:
    """The person who makes this request, as the database has them now."""
    bench: Workbench = request.app.state.bench
    given = key or (token.credentials if token is not None else None)
    if not given:
        raise NotSignedIn("sign_in_first")
    if given.startswith(keys.PREFIX):
        return _here(request, await _holder(request, bench, given))
    user_id = await _user_id(request, given)
    person_now = await bench.database.read(people.person_now, user_id)
    if person_now is None or not person_now.person.is_active:
        raise NotSignedIn("no_account_here")
    return _here(request, person_now.person)


def _here(request: Request, person: Person) -> Person:
    """Remembered for this request: what goes wrong is said in their language."""
    request.state.person = person
    return person


async def _user_id(request: Request, token: str) -> int:
    secret = request.app.state.secret
    try:
        claims = jwt.decode(token, secret, [ALGORITHM], options={"require": ["exp", "user_id"]})
        user_id = claims["user_id"]
    except jwt.ExpiredSignatureError:
        raise NotSignedIn("sign_in_expired") from None
    except jwt.InvalidTokenError:
        user_id = None
    if not isinstance(user_id, int) or isinstance(user_id, bool) or not 0 < user_id <= HIGHEST:
        await note_stranger(request, "bad_token")
        raise NotSignedIn("bad_token")
    return user_id


async def _holder(request: Request, bench: Workbench, key: str) -> Person:
    """Whose key it is; that it was used is noted now and then, not at every request."""
    found = await bench.database.read(_key_and_person, key)
    if found is None:
        await note_stranger(request, "bad_key")
        raise NotSignedIn("bad_key")
    row, person = found
    if row.last_used_at is None or row.last_used_at < time.time() - KEY_USE_SECONDS:
        await bench.database.run(keys.used_key, row.id)
    return person


def _key_and_person(db: Connection, key: str) -> tuple[Any, Person] | None:
    row = keys.find_key(db, key)
    person_now = None if row is None else people.person_now(db, row.user_id)
    if person_now is None or not person_now.person.is_active:
        return None
    return row, person_now.person


CurrentPerson = Annotated[Person, Depends(current_person)]
"""For a route: whoever sent the request, read now; without a valid token it is refused."""


async def administrator(person: CurrentPerson) -> Person:
    if person.role != "admin":
        raise Forbidden("for_administrators")
    return person


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
    """Streams of this person look at once whether they may go on."""
    request.app.state.readers.look_again(person_id)
