"""Coming in and going out: passwords, one-time links, the page's refresh cookie."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from sqlalchemy import Connection

from bancada.domain.errors import BadAnswer, Conflict, Gone, Invalid, NotFound, NotSignedIn
from bancada.domain.people import Language, Person
from bancada.domain.shapes import Email, Shape
from bancada.engine.accounts import note_added, open_account, set_password
from bancada.engine.passwords import check_password, hash_password, matches
from bancada.engine.workbench import Workbench
from bancada.gate.administration import note
from bancada.server.auth import Bench, account_changed, identify
from bancada.server.oidc.flow import leaving
from bancada.server.problems import documented
from bancada.server.routes.oidc import home_of, providers_of
from bancada.server.shapes import Credentials, Name, Password, SignedIn
from bancada.server.signins import (
    SignInLanes,
    address_of,
    as_address,
    begin_session,
    limits_of,
    note_failed,
    note_stranger,
    too_often,
)
from bancada.server.tickets import (
    Reused,
    check_own_page,
    drop_cookie,
    hand_over,
    renew,
    ticket_in,
)
from bancada.store import keys, login, people, sessions

log = logging.getLogger("bancada.server")

router = APIRouter(tags=["account"])


@router.post("/auth/login", responses=documented(401, 422, 429))
async def sign_in(
    body: Credentials, request: Request, response: Response, bench: Bench
) -> SignedIn:
    """Exchange an address and a password for a token.

    With `cookie` the token is good for ten minutes, and a refresh cookie comes with it.
    """
    limits = limits_of(request, body.email)
    settings = bench.settings
    known = await bench.database.read(_known, body.email, address_of(request), limits)
    if not settings.takes_password_of(body.email):
        known = replace(known, hash=None)
    if known.wait > 0:
        raise too_often(known.wait)
    lanes: SignInLanes = request.app.state.lanes
    async with lanes.of(known.has_been):
        wait = await bench.database.run(login.reserve, *limits)
        if wait > 0:
            raise too_often(wait)
        fits = await matches(body.password, known.hash, cost=settings.password_cost)
        if not fits:
            await _refused(request, bench, body.email, known, limits)
            # The same words for everybody: they do not tell which account has a password still.
            raise NotSignedIn("wrong_password" if settings.local_passwords else "passwords_off")
        assert known.person_id is not None
        row = await bench.database.run(_come_in, known, limits, request, body.cookie)
    return _signed_in(request, response, row)


@dataclass(frozen=True)
class SignInCase:
    """What is known of an address that somebody wants to sign in with."""

    wait: float
    person_id: int | None = None
    hash: str | None = None
    """None for nobody, and for who is disabled or never set one: no password fits."""
    is_active: bool = False
    has_been: bool = False


def _known(db: Connection, email: str, address: str, limits: tuple[login.Limit, ...]) -> SignInCase:
    wait = login.waits(db, *limits)
    found = people.password_hash(db, email)
    if found is None:
        return SignInCase(wait)
    person_id, hashed, is_active = found
    has_been = sessions.has_been(db, person_id, address)
    return SignInCase(wait, person_id, hashed if is_active else None, is_active, has_been)


async def _refused(
    request: Request,
    bench: Workbench,
    email: str,
    known: SignInCase,
    limits: tuple[login.Limit, ...],
) -> None:
    if known.person_id is None:
        await note_stranger(request, "unknown_address", as_address(email))
        return
    reason = "wrong_password" if known.is_active else "disabled"
    if known.is_active and not bench.settings.takes_password_of(email):
        reason = "passwords_off"
    more = {"reason": reason, "address": address_of(request)}
    await bench.database.run(note_failed, known.person_id, more, *limits)


def _come_in(
    db: Connection,
    known: SignInCase,
    limits: tuple[login.Limit, login.Limit],
    request: Request,
    cookie: bool,
) -> Any:
    pair, address = limits
    login.forget(db, pair)
    login.release(db, address)
    assert known.person_id is not None
    # Read again: hashing takes a while, and what was known may have been changed meanwhile. Held:
    # whoever sets another password ends this session too.
    person = people.hold(db, known.person_id)
    now = people.password_hash(db, person.email)
    if now is None or not now[2] or now[1] != known.hash:
        raise NotSignedIn("wrong_password")
    return begin_session(db, person, "password", request, cookie=cookie)


def _signed_in(request: Request, response: Response, row: Any) -> SignedIn:
    token = hand_over(request, response, row)
    return SignedIn(token=token, name=row.name, nome=row.name, role=row.role)


# ---------------------------------------------------------------------------- the page's session


@router.post("/auth/refresh", responses=documented(401, 403))
async def refresh(request: Request, response: Response, bench: Bench) -> SignedIn:
    """Exchange the refresh cookie for a new one and a token; one that comes back ends its session."""
    check_own_page(request)
    ticket = ticket_in(request)
    if ticket is None:
        raise NotSignedIn("sign_in_first")
    row = await bench.database.run(renew, ticket, request)
    if row is None:
        raise NotSignedIn("session_over")
    if isinstance(row, Reused):
        account_changed(request, row.person.id)
        raise NotSignedIn("refresh_reused")
    return _signed_in(request, response, row)


class SignedOut(BaseModel):
    """It ended here, and somebody signed in with a provider."""

    provider: str
    """Where the browser goes so that it ends there too."""


LEAVING: dict[int | str, dict[str, Any]] = {
    200: {"model": SignedOut, "description": "Over here; the provider has a session too"}
}


@router.post(
    "/auth/logout",
    status_code=204,
    response_class=Response,
    responses={**LEAVING, **documented(401, 403)},
)
async def sign_out(request: Request, bench: Bench) -> Response:
    """End the session of the refresh cookie, or of the token, and its open streams."""
    ticket = ticket_in(request)
    if ticket is None:
        id = (await identify(request)).session_id or ""
    else:
        check_own_page(request)
        id = ticket.session_id
    row = await bench.database.run(_sign_out, id)
    where = None
    if row is not None:
        account_changed(request, row.user_id)
        where = await _at_the_provider(request, row)
    response = Response(status_code=204) if where is None else JSONResponse({"provider": where})
    drop_cookie(request, response)
    return response


def _sign_out(db: Connection, id: str) -> Any | None:
    row = sessions.holder(db, id)
    if row is None:
        return None
    person = people.person_from(row)
    try:
        ended = sessions.end(db, person.id, id, by="sign_out")
    except NotFound:
        return None
    note(db, person, "signed_out", person)
    return ended


async def _at_the_provider(request: Request, ended: Any) -> str | None:
    """Where the session of an ended one ends at its provider; none where that cannot be."""
    provider = providers_of(request).get(ended.provider)
    if provider is None:
        return None
    try:
        metadata = await provider.metadata()
    except BadAnswer as problem:
        log.warning("signed out here only: %s", problem)
        return None
    bench: Workbench = request.app.state.bench
    person = await bench.database.read(people.person, ended.user_id)
    try:
        place = (person.organisation_id, f"session {ended.id}")
        id_token = bench.vault.open(ended.id_token, *place) if ended.id_token else None
    except Invalid:  # the key that sealed it has been exchanged since
        id_token = None
    return leaving(provider, metadata, id_token, home_of(request), person.language)


# ---------------------------------------------------------------------------- one-time links

Token = Annotated[str, Path(min_length=1, max_length=200)]


class LinkOut(BaseModel):
    """What a one-time link does: create the administrator, or set a password."""

    purpose: str
    email: str | None


class UseLink(Shape):
    """Name and address are for the first administrator only."""

    password: Password
    email: Email | None = None
    name: Name | None = None
    language: Language = "pt"
    cookie: bool = False
    """A short token and a refresh cookie, as `POST /auth/login` gives them."""


@router.get("/auth/links/{token}", responses=documented(404, 422))
async def look_at_link(token: Token, bench: Bench) -> LinkOut:
    """What a one-time link is for, while it still works."""
    return await bench.database.read(_link, token)


def _link(db: Connection, token: str) -> LinkOut:
    found = keys.link(db, token)
    if found is None:
        raise NotFound("dead_link")
    email = None if found.user_id is None else people.person(db, found.user_id).email
    return LinkOut(purpose=found.purpose, email=email)


@router.post("/auth/links/{token}", responses=documented(404, 409, 410, 422))
async def use_link(
    token: Token, body: UseLink, request: Request, response: Response, bench: Bench
) -> SignedIn:
    """Create the first administrator, or set a password; the link is spent."""
    found = await bench.database.read(_link, token)
    if not bench.settings.takes_password_of(found.email or body.email or ""):
        raise Conflict("passwords_off")
    check_password(body.password, found.email or body.email, demo=bench.settings.demo)
    hashed = await hash_password(body.password, cost=bench.settings.password_cost)
    row = await bench.database.run(_use_link, token, body, hashed, request)
    account_changed(request, row.id)
    return _signed_in(request, response, row)


def _use_link(db: Connection, token: str, body: UseLink, hashed: str, request: Request) -> Any:
    person = _set_by_link(db, token, body, hashed)
    return begin_session(db, person, "link", request, cookie=body.cookie)


def _set_by_link(db: Connection, token: str, body: UseLink, hashed: str) -> Person:
    found = keys.link(db, token)
    if found is None or not keys.use_link(db, token):
        raise Gone("used_link")
    if found.user_id is not None:
        person = people.person(db, found.user_id)
        return set_password(db, person, hashed, how="link", but=None)
    if people.count_people(db):
        raise Gone("administrator_exists")
    if body.email is None or body.name is None:
        raise Invalid("first_administrator_needs")
    first = open_account(
        db,
        organisation_id=people.first_organisation(db),
        email=body.email,
        name=body.name,
        role="admin",
        language=body.language,
        password_hash=hashed,
    )
    note_added(db, first, by=first)
    return first
