"""Signing in with a provider: out to it, and back with its word on who it is."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from bancada.domain.errors import NotFound, NotSignedIn, Problem
from bancada.domain.people import Language
from bancada.engine.accounts import end_sessions
from bancada.engine.identities import VouchedIdentity, come_in
from bancada.engine.workbench import Workbench
from bancada.server.auth import Bench, account_changed
from bancada.server.oidc.flow import (
    BEGUN_SECONDS,
    BegunSignIn,
    Exchanged,
    asking,
    code_in,
    exchange,
)
from bancada.server.oidc.provider import IdentityProvider, IdentityProviders
from bancada.server.pages import wants_html
from bancada.server.problems import documented, language_of
from bancada.server.signins import (
    address_limit,
    address_of,
    begin_session,
    note_failed,
    note_stranger,
    too_often,
)
from bancada.server.tickets import hand_over
from bancada.store import identities, login, sessions
from bancada.store.keys import fingerprint
from bancada.store.login import Limit

router = APIRouter(tags=["account"])

COOKIE = "bancada_oidc"
COOKIE_PATH = "/auth/oidc"
REFUSED = "bancada_refused"
"""Why somebody was sent back to the sign-in page; read there once. Its words are ours."""
ARRIVED = "/#/arrived"

ProviderName = Annotated[str, Path(pattern="^[a-z0-9][a-z0-9-]{0,39}$")]


class WayIn(BaseModel):
    name: str
    label: str


class WaysIn(BaseModel):
    """How people sign in here."""

    passwords: bool
    """Whether passwords are kept here; if not, one account has one still."""
    providers: list[WayIn]


@router.get("/auth/providers")
async def ways_in(request: Request, bench: Bench) -> WaysIn:
    """The providers that people sign in with, and whether there are passwords."""
    return WaysIn(
        passwords=bench.settings.local_passwords,
        providers=[WayIn(name=one.name, label=one.label) for one in providers_of(request).enabled],
    )


def providers_of(request: Request) -> IdentityProviders:
    found: IdentityProviders = request.app.state.identity_providers
    return found


def home_of(request: Request) -> str:
    """Our own address as the browser knows it; its name was checked at the door."""
    return str(request.base_url)


def callback_of(request: Request, name: str) -> str:
    return f"{home_of(request)}auth/oidc/{name}/callback"


@router.get(
    "/auth/oidc/{name}", status_code=303, response_class=Response, responses=documented(404, 502)
)
async def begin(
    name: ProviderName,
    request: Request,
    language: Annotated[Language | None, Query(description="For who signs in first.")] = None,
) -> Response:
    """Send the browser to the provider."""
    language = language or language_of(request)
    try:
        provider = _provider(request, name)
        begun = BegunSignIn.now(name, language)
        url = asking(provider, await provider.metadata(), begun, callback_of(request, name))
    except Problem as problem:
        return _back(request, problem, language)
    response = RedirectResponse(url, 303)
    response.set_cookie(
        COOKIE,
        begun.sealed(request.app.state.secret),
        max_age=int(BEGUN_SECONDS),
        path=COOKIE_PATH,
        secure=request.url.scheme == "https",
        httponly=True,
        # Not strict: it must come along when the provider sends the browser back.
        samesite="lax",
    )
    return response


def _provider(request: Request, name: str) -> IdentityProvider:
    found = providers_of(request).get(name)
    if found is None or not found.settings.enabled:
        raise NotFound("no_provider", name=name)
    return found


@router.get(
    "/auth/oidc/{name}/callback",
    status_code=303,
    response_class=Response,
    responses=documented(401, 403, 404, 429, 502),
)
async def come_back(name: ProviderName, request: Request, bench: Bench) -> Response:
    """The provider sent the browser back: exchange the code, and begin a session."""
    begun = BegunSignIn.read(request.cookies.get(COOKIE, ""), request.app.state.secret)
    language = begun.language if begun else language_of(request)
    try:
        row = await _sign_in(name, request, bench, begun)
    except Problem as problem:
        return _back(request, problem, language)
    response = RedirectResponse(ARRIVED, 303)
    hand_over(request, response, row)
    response.delete_cookie(COOKIE, path=COOKIE_PATH)
    return response


async def _sign_in(name: str, request: Request, bench: Workbench, begun: BegunSignIn | None) -> Any:
    provider = _provider(request, name)
    per_address = address_limit(request)
    # A state is tried once, whatever comes of it: who brings it again has it from elsewhere.
    states = [Limit(f"state:{fingerprint(begun.state)}", 1, BEGUN_SECONDS)] if begun else []
    if (wait := await bench.database.run(login.reserve, per_address)) > 0:
        raise too_often(wait)
    try:
        code = code_in(request.query_params, begun, provider, await provider.metadata())
        assert begun is not None
        if await bench.database.run(login.reserve, *states) > 0:
            raise NotSignedIn("provider_not_begun")
        exchanged = await exchange(provider, code, begun, callback_of(request, name))
    except Problem as problem:
        more = {"provider": name, "why": problem.wording.key}
        await note_stranger(request, "provider", **more)
        raise
    try:
        return await _begun(request, bench, exchanged, begun)
    except Problem as problem:
        person_id = await bench.database.run(_refused, request, exchanged.vouched, problem)
        if person_id is None:
            more = {"provider": name, "why": problem.wording.key}
            about = exchanged.vouched.email or ""
            await note_stranger(request, "provider", about, **more)
        else:
            account_changed(request, person_id)
        raise


async def _begun(
    request: Request, bench: Workbench, exchanged: Exchanged, begun: BegunSignIn
) -> Any:
    try:
        row = await bench.database.run(_come_in, request, exchanged, begun)
    except IntegrityError:
        # Two first sign-ins of one person at once: the other one has made the account.
        row = await bench.database.run(_come_in, request, exchanged, begun)
    account_changed(request, row.id)
    return row


def _come_in(db: Connection, request: Request, exchanged: Exchanged, begun: BegunSignIn) -> Any:
    bench: Workbench = request.app.state.bench
    who = exchanged.vouched
    person = come_in(db, bench.settings, who, begun.language)
    login.release(db, address_limit(request))
    row = begin_session(db, person, "provider", request, cookie=True, provider=who.provider)
    place = (person.organisation_id, f"session {row.session_id}")
    sessions.keep_id_token(db, row.session_id, bench.vault.seal(exchanged.id_token, *place))
    return row


def _refused(
    db: Connection, request: Request, who: VouchedIdentity, problem: Problem
) -> int | None:
    """Somebody we know may not come in any more: what they opened before ends too."""
    person = identities.holder(db, who.issuer, who.subject)
    if person is None:
        return None
    more = {"reason": problem.wording.key, "provider": who.provider, "address": address_of(request)}
    note_failed(db, person.id, more)
    end_sessions(db, person, "provider", by=None, via="provider")
    return person.id


def _back(request: Request, problem: Problem, language: Language) -> Response:
    """A browser is led to the sign-in page, which says why; a program is told so."""
    if not wants_html(request):
        raise problem
    response = RedirectResponse("/#/login", 303)
    response.set_cookie(
        REFUSED,
        quote(problem.wording.told(language)),
        max_age=60,
        path="/",
        secure=request.url.scheme == "https",
        samesite="lax",
    )
    response.delete_cookie(COOKIE, path=COOKIE_PATH)
    return response
