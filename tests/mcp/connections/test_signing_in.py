"""Sign-ins: sealed, each to its person and its connection, used by nobody else and renewed once."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from bancada.domain.errors import Conflict, Invalid, NotFound
from bancada.domain.people import Person
from bancada.mcp.connections.signin import OurAddress
from bancada.store import connections
from bancada.store.connections import ServerConnection
from bancada.store.vault import Vault, seal_all
from tests.house import House
from tests.mcp.connections.booth import Booth, offers, says, serve

OURS = OurAddress(origin="http://localhost:3000")


@dataclass
class Provider:
    """A server and who signs people in to it, in one. It remembers every token it was shown."""

    scope: str = "read"
    seconds: int = 3600
    given: int = 0
    shown: list[str] = field(default_factory=list)
    renewed: list[str] = field(default_factory=list)
    scopes: list[str] = field(default_factory=list)
    origin: str = ""

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/mcp", self.mcp, methods=["GET", "POST", "DELETE"]),
                Route("/.well-known/oauth-protected-resource/mcp", self.resource),
                Route("/.well-known/oauth-authorization-server", self.metadata),
                Route("/register", self.register, methods=["POST"]),
                Route("/authorize", self.authorize),
                Route("/token", self.token, methods=["POST"]),
            ]
        )

    async def resource(self, request: Request) -> Response:
        return JSONResponse(
            {"resource": f"{self.origin}/mcp", "authorization_servers": [self.origin]}
        )

    async def metadata(self, request: Request) -> Response:
        at = self.origin
        return JSONResponse(
            {
                "issuer": at,
                "authorization_endpoint": f"{at}/authorize",
                "token_endpoint": f"{at}/token",
                "registration_endpoint": f"{at}/register",
                "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": True,
            }
        )

    async def register(self, request: Request) -> Response:
        asked = await request.json()
        return JSONResponse({**asked, "client_id": "us", "token_endpoint_auth_method": "none"}, 201)

    async def authorize(self, request: Request) -> Response:
        query = request.query_params
        self.scopes.append(query.get("scope", ""))
        back = f"{query['redirect_uri']}?code=c&state={query['state']}&iss={self.origin}"
        return RedirectResponse(back)

    async def token(self, request: Request) -> Response:
        form = await request.form()
        if form["grant_type"] == "refresh_token":
            if str(form["refresh_token"]) in self.renewed:
                return JSONResponse({"error": "invalid_grant"}, 400)
            self.renewed.append(str(form["refresh_token"]))
        self.given += 1
        number = self.given
        return JSONResponse(
            {
                "access_token": f"token-{number}",
                "refresh_token": f"refresh-{number}",
                "token_type": "Bearer",
                "expires_in": self.seconds,
            }
        )

    async def mcp(self, request: Request) -> Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        where = f'resource_metadata="{self.origin}/.well-known/oauth-protected-resource/mcp"'
        if not token.startswith("token-"):
            told = {"WWW-Authenticate": f'Bearer {where}, scope="{self.scope}"'}
            return Response(status_code=401, headers=told)
        self.shown.append(token)
        if request.method != "POST":
            return Response(status_code=405)
        message: Any = await request.json()
        if "id" not in message:
            return Response(status_code=202)
        results = {
            "initialize": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "guarded", "version": "1"},
            },
            "tools/list": {"tools": [offers("who")]},
            "tools/call": says(token),
        }
        found = results.get(message["method"])
        told = {"jsonrpc": "2.0", "id": message["id"]}
        if found is None:
            return JSONResponse({**told, "error": {"code": -32601, "message": "no"}})
        return JSONResponse({**told, "result": found})


@asynccontextmanager
async def provider(made: Provider | None = None) -> AsyncIterator[Provider]:
    made = made or Provider()
    async with serve(made.app()) as origin:
        made.origin = origin
        yield made


async def signs_in(booth: Booth, person: Person, connection: ServerConnection) -> str:
    door = await booth.desk.begin_sign_in(person, connection.id, OURS)
    return await booth.desk.came_back(person, *await through(door))


async def through(door: str) -> tuple[str, dict[str, str]]:
    """As a browser would: what the other server sends a person back with."""
    async with httpx2.AsyncClient() as browser:
        found = await browser.get(door, follow_redirects=False)
    given = {
        name: one[0] for name, one in parse_qs(urlsplit(found.headers["location"]).query).items()
    }
    return given["state"], given


async def connected(booth: Booth, guarded: Provider, credentials: str) -> ServerConnection:
    """A connection that its administrator is signed in to, with its tool enabled."""
    eva = booth.house.eva
    connection = await booth.connect(f"{guarded.origin}/mcp", credentials=credentials)
    assert connection.status == "sign_in"
    assert await signs_in(booth, eva, connection) == "ok"
    connection = await booth.desk.look(eva, connection.id)
    assert connection.status == "ok", connection.detail
    await booth.enable(connection, "who")
    return connection


async def test_one_sign_in_serves_everybody_where_it_is_shared(booth: Booth, house: House) -> None:
    async with provider() as guarded:
        await connected(booth, guarded, "shared")

        assert (await house.result("who")).content == "token-1"
        assert (await house.result("who", by=house.rui)).content == "token-1"
        await booth.close()


async def test_a_token_is_never_used_for_somebody_else(booth: Booth, house: House) -> None:
    async with provider() as guarded:
        crm = await connected(booth, guarded, "person")
        assert (await house.result("who", by=house.eva)).content == "token-1"

        waiting = await house.waits("who", id="c1", turn_id="t1")
        assert waiting.question is not None
        (asked,) = waiting.question["inquiries"]
        assert asked["url"] == f"/#/connections/{crm.id}/sign-in"
        assert guarded.shown[-1] == "token-1"
        used = len(guarded.shown)

        assert await signs_in(booth, house.ana, crm) == "ok"
        await house.decide(waiting, "approved", edited_input={asked["key"]: {}})
        outcome = await house.result("who", id="c1", turn_id="t1")

        assert outcome.content == "token-2"
        assert set(guarded.shown[used:]) == {"token-2"}
        await booth.close()


async def test_only_who_began_a_sign_in_can_end_it_and_once(booth: Booth, house: House) -> None:
    async with provider() as guarded:
        crm = await booth.connect(f"{guarded.origin}/mcp", credentials="person")
        door = await booth.desk.begin_sign_in(house.ana, crm.id, OURS)
        state, given = await through(door)

        with pytest.raises(NotFound):
            await booth.desk.came_back(house.rui, state, given)
        assert await booth.desk.came_back(house.ana, state, given) == "ok"
        with pytest.raises(Conflict):
            await booth.desk.came_back(house.ana, state, given)
        await booth.close()


async def test_an_answer_of_another_issuer_is_refused(booth: Booth, house: House) -> None:
    async with provider() as guarded:
        crm = await booth.connect(f"{guarded.origin}/mcp", credentials="shared")
        door = await booth.desk.begin_sign_in(house.eva, crm.id, OURS)
        state, given = await through(door)

        outcome = await booth.desk.came_back(house.eva, state, {**given, "iss": "https://evil"})

        assert "iss" in outcome
        assert guarded.given == 0, "no token was asked for"
        await booth.close()


async def test_a_shared_sign_in_is_an_administrators_to_make(booth: Booth, house: House) -> None:
    async with provider() as guarded:
        crm = await booth.connect(f"{guarded.origin}/mcp", credentials="shared")

        with pytest.raises(NotFound):
            await booth.desk.begin_sign_in(house.rui, crm.id, OURS)
        await booth.close()


async def test_tokens_are_sealed_and_open_nowhere_else(booth: Booth, house: House) -> None:
    async with provider() as guarded:
        crm = await connected(booth, guarded, "person")
        sealed = await house.database.read(connections.credential, crm.id, house.eva.id)
        assert sealed is not None
        assert "token-1" not in sealed

        await house.database.run(connections.keep_credential, crm.id, house.ana.id, sealed)
        with pytest.raises(Invalid):
            await booth.board.storage(crm, house.ana.id).get_tokens()
        await booth.close()


async def test_tokens_are_sealed_again_when_the_key_is_exchanged(
    booth: Booth, house: House
) -> None:
    async with provider() as guarded:
        crm = await connected(booth, guarded, "shared")
        keys = ["n" * 40, "k" * 40]
        assert (
            await house.database.run(lambda db: seal_all(db, Vault(lambda: keys), anew=True)) == 1
        )

        booth.board.vault = Vault(lambda: keys[:1])
        tokens = await booth.board.storage(crm, None).get_tokens()
        assert tokens is not None
        assert tokens.access_token == "token-1"
        await booth.close()


async def test_a_token_that_ran_out_is_renewed_after_a_restart_and_in_one_process_only(
    booth: Booth, house: House
) -> None:
    async with provider(Provider(seconds=1)) as guarded:
        await connected(booth, guarded, "shared")
        await booth.close()
        time.sleep(1.1)
        guarded.seconds = 3600
        others = [
            Booth(House(house.database, house.organisation_id, house.ana, house.rui, house.eva))
            for _ in range(2)
        ]

        said = [(await other.house.result("who")).content for other in others]

        assert said == ["token-2", "token-2"]
        assert guarded.renewed == ["refresh-1"]
        for other in others:
            await other.close()


async def test_signing_out_is_signing_out_everywhere(booth: Booth, house: House) -> None:
    other = Booth(House(house.database, house.organisation_id, house.ana, house.rui, house.eva))
    async with provider() as guarded:
        crm = await connected(booth, guarded, "shared")
        assert (await other.house.result("who")).content == "token-1"

        await booth.desk.sign_out(house.eva, crm.id)

        outcome = await other.house.result("who")
        assert outcome.is_error
        assert "sign in first" in str(outcome.content)
        await booth.close()
        await other.close()
