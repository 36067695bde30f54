"""`/mcp`: who asks, under which name and from where, before the protocol begins; and the same
server over standard input, for one person."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from mcp import types
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.stdio import stdio_server
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

import bancada
from bancada.domain.agents import Agent
from bancada.domain.errors import Forbidden, NotFound, NotSignedIn, Problem
from bancada.domain.json import JSONObject, dumps
from bancada.domain.people import Person
from bancada.engine.prompts import fitted
from bancada.engine.workbench import Workbench
from bancada.gate.scope import CallScope
from bancada.mcp.serving.desk import Context, Guest, McpDesk
from bancada.mcp.serving.resuming import ResumingManager
from bancada.mcp.serving.server import McpServer, build
from bancada.server.auth import identify
from bancada.server.hosts import Hosts
from bancada.server.oidc.bearer import Bearers
from bancada.server.oidc.provider import IdentityProviders
from bancada.server.pages import MISSING, STATIC
from bancada.server.problems import language_of
from bancada.server.signins import note_stranger
from bancada.settings import Settings
from bancada.store import identities, people

PATH = "/mcp"
METADATA = "/.well-known/oauth-protected-resource"
IDLE_SECONDS = 1800.0
MOST_SESSIONS = 1_000
"""Of clients of before 2026, which have sessions; newer ones leave nothing behind."""

_asking: ContextVar[Person | None] = ContextVar("mcp_person", default=None)
"""Who makes the request that is read now: a header is checked against their own tools."""

router = APIRouter(include_in_schema=False)


class McpDoor:
    """The protocol's place in the app. It opens and closes with it."""

    def __init__(self, settings: Settings) -> None:
        self._hosts = Hosts(settings)
        self._origins = frozenset(settings.cors_origins)
        self._stopping = asyncio.Event()
        self._seen: dict[str, float] = {}
        self._bearers = Bearers(IdentityProviders(settings.oidc), "mcp")
        self._manager: ResumingManager | None = None

    @asynccontextmanager
    async def open(self, bench: Workbench) -> AsyncIterator[None]:
        desk = desk_of(bench, who=_who, principal=_principal, address=_address)
        server = build(
            desk, bancada.__version__, schema_of=_schema_of(bench), is_open=self._is_open
        )
        self._manager = ResumingManager(
            server.sdk,
            session_idle_timeout=IDLE_SECONDS,
            max_sessions=MOST_SESSIONS,
            max_request_body_size=int(bench.settings.max_body_mb * 1_048_576),
        )
        # A task of its own: what the SDK opens must be closed by whoever opened it, and an app may
        # be started by one task and stopped by another.
        ready, over = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(_run(self._manager, ready, over))
        await ready.wait()
        try:
            yield
        finally:
            await server.close()
            over.set()
            await running

    def leave(self) -> None:
        """The process stops: streams that only listen end, so that connections can close."""
        self._stopping.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            self._check_origin(request)
            guest = await self._admitted(request)
        except Problem as problem:
            await _refused(request, problem)(scope, receive, send)
            return
        # The space around a value is not part of it; the server's parser leaves what follows.
        scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        scope["state"]["mcp_guest"] = guest
        # A session belongs to whom it was opened for: to others it does not exist.
        scope["user"] = AuthenticatedUser(
            AccessToken(token="", client_id="bancada", scopes=[], subject=str(guest.person.id))
        )
        self._note(request)
        marked = _asking.set(guest.person)
        assert self._manager is not None
        try:
            await self._manager.handle_request(scope, self._until_stopped(request, receive), send)
        finally:
            _asking.reset(marked)

    async def _admitted(self, request: Request) -> Guest:
        """By a key, by a sign-in of ours, or by a token that a provider issued for this address."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        provider = self._bearers.provider_of(token) if scheme.lower() == "bearer" else None
        if provider is None:
            access = await identify(request)
            return Guest(person=access.person, agent_id=access.agent_id)
        try:
            bearer = await self._bearers.read(provider, token.strip(), _resource(request))
        except NotSignedIn:
            await note_stranger(request, "bad_token")
            raise
        bench: Workbench = request.app.state.bench
        person = await bench.database.read(identities.holder, bearer.issuer, bearer.subject)
        if person is None or not person.is_active:
            raise NotSignedIn("no_account_here")
        request.state.person = person
        return Guest(person=person)

    def described(self, request: Request) -> JSONObject | None:
        """What clients read to find out where tokens come from; none where no provider is known."""
        issuers = [one.settings.issuer for one in self._bearers.providers.enabled]
        if not issuers:
            return None
        return {
            "resource": _resource(request),
            "authorization_servers": issuers,
            "scopes_supported": ["mcp"],
            "bearer_methods_supported": ["header"],
            "resource_name": "Bancada",
        }

    def _check_origin(self, request: Request) -> None:
        """A page elsewhere that found our address is not answered."""
        origin = request.headers.get("origin")
        if origin is None or origin in self._origins:
            return
        if not self._hosts.allow(urlsplit(origin).netloc):
            raise Forbidden("name_not_ours", host=origin)

    def _until_stopped(self, request: Request, receive: Receive) -> Receive:
        """Streams that only listen are told that their reader left when the process stops."""
        listens = request.headers.get("mcp-method") == "subscriptions/listen"
        if request.method != "GET" and not listens:
            return receive
        read = False

        async def until_stopped() -> Message:
            nonlocal read
            if not read:
                read = True
                return await receive()
            coming = asyncio.ensure_future(receive())
            stopping = asyncio.ensure_future(self._stopping.wait())
            try:
                await asyncio.wait({coming, stopping}, return_when=asyncio.FIRST_COMPLETED)
                return coming.result() if coming.done() else {"type": "http.disconnect"}
            finally:
                coming.cancel()
                stopping.cancel()

        return until_stopped

    def _note(self, request: Request) -> None:
        session = request.headers.get("mcp-session-id")
        now = time.monotonic()
        if session is not None and request.method == "DELETE":
            self._seen.pop(session, None)
        elif session is not None:
            self._seen[session] = now
        if len(self._seen) > 2 * MOST_SESSIONS:
            self._seen = {id: at for id, at in self._seen.items() if at > now - IDLE_SECONDS}

    def _is_open(self, session: str | None) -> bool:
        return session is not None and (
            self._seen.get(session, float("-inf")) > time.monotonic() - IDLE_SECONDS
        )


async def _run(manager: ResumingManager, ready: asyncio.Event, over: asyncio.Event) -> None:
    async with manager.run():
        ready.set()
        await over.wait()


def _refused(request: Request, problem: Problem) -> Response:
    """A refusal before the protocol began, in its shape; what to do about it is in the header."""
    error = types.ErrorData(
        code=types.INVALID_REQUEST, message=problem.wording.told(language_of(request))
    )
    body = {"jsonrpc": "2.0", "id": None, "error": error.model_dump(exclude_none=True)}
    headers = dict(problem.headers)
    where = f'resource_metadata="{_base(request)}{METADATA}{PATH}"'
    if isinstance(problem, NotSignedIn):
        headers["WWW-Authenticate"] = f'Bearer scope="mcp", {where}'
    elif isinstance(problem, Forbidden) and problem.wording.key == "not_in_scope":
        headers["WWW-Authenticate"] = f'Bearer error="insufficient_scope", scope="mcp", {where}'
    return Response(dumps(body), problem.status, headers=headers, media_type="application/json")


@router.get(METADATA)
@router.get(f"{METADATA}{PATH}")
async def metadata(request: Request) -> Response:
    """The protected resource's description (RFC 9728)."""
    door: McpDoor = request.app.state.mcp
    said = door.described(request)
    if said is None:
        raise NotFound("nothing_here")
    return Response(dumps(said), media_type="application/json")


def _resource(request: Request) -> str:
    return f"{_base(request)}{PATH}"


def _base(request: Request) -> str:
    return str(request.base_url).rstrip("/")


def _request(ctx: Context) -> Request:
    assert ctx.request is not None
    request: Request = ctx.request
    return request


async def _who(ctx: Context) -> Guest:
    guest: Guest = _request(ctx).state.mcp_guest
    return guest


def _principal(ctx: Context) -> str:
    return str(_request(ctx).state.mcp_guest.person.id)


def _address(ctx: Context) -> str:
    return _base(_request(ctx))


def _schema_of(bench: Workbench) -> Callable[[str], JSONObject | None]:
    def schema_of(name: str) -> JSONObject | None:
        person = _asking.get()
        tool = None if person is None else bench.registry.find(name, person)
        return None if tool is None else tool.input_schema

    return schema_of


def desk_of(
    bench: Workbench,
    *,
    who: Callable[[Context], Awaitable[Guest]],
    principal: Callable[[Context], str],
    address: Callable[[Context], str],
) -> McpDesk:
    """The rooms of an open workbench, as the protocol's server needs them."""

    async def prompt(agent: Agent, person: Person) -> str:
        within = CallScope(person_id=person.id, organisation_id=person.organisation_id, agent=agent)
        offered = {tool.name for tool, _ in await bench.gate.visible(within)}
        known = {tool.name for tool in bench.registry.for_person(person)} | set(agent.tools)
        return fitted(agent.system_prompt, known=known, offered=offered)

    async def read_file(path: str) -> bytes | None:
        held = await bench.files.file(path)
        return None if held is None else await asyncio.to_thread(held.path.read_bytes)

    return McpDesk(
        gate=bench.gate,
        decide=bench.confirmations.decide,
        starters=bench.starters,
        prompt=prompt,
        read_file=read_file,
        packs=bench.packs,
        app_page=app_page,
        who=who,
        principal=principal,
        address=address,
        secret=bench.keys.tokens(),
    )


def app_page() -> str:
    """The page that shows widgets, whole: a client shows it where nothing can be fetched."""

    def built(name: str) -> str:
        path = STATIC / "static" / name
        return path.read_text() if path.is_file() else ""

    if not built("mcp-app.js"):
        return MISSING
    script = f"{built('chart.js')}\n{built('mcp-app.js')}".replace("</script", "<\\/script")
    return (
        '<!doctype html><html><head><meta charset="utf-8"><title>Bancada</title>'
        f"<style>{built('mcp-app.css')}#mcp-app{{display:grid;gap:12px}}</style></head>"
        f'<body><div id="mcp-app"></div><script>{script}</script></body></html>'
    )


async def serve_stdio(bench: Workbench, person: Person) -> None:
    """The same server for one person, over standard input and output, until the client leaves."""

    async def who(ctx: Context) -> Guest:
        now = await bench.database.read(people.person_now, person.id)
        if now is None or not now.person.is_active:
            raise NotSignedIn("no_account_here")
        return Guest(person=now.person)

    def schema_of(name: str) -> JSONObject | None:
        tool = bench.registry.find(name, person)
        return None if tool is None else tool.input_schema

    settings = bench.settings
    desk = desk_of(
        bench,
        who=who,
        principal=lambda ctx: str(person.id),
        address=lambda ctx: f"http://{settings.host}:{settings.port}",
    )
    server: McpServer = build(desk, bancada.__version__, schema_of=schema_of)
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.sdk.run(incoming, outgoing, server.sdk.create_initialization_options())
    finally:
        await server.close()
