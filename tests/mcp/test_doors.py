"""Who is let in at `/mcp`, and what everybody else is told."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bancada.store import identities, people
from tests.mcp.speaking import FORMS, Speaker
from tests.provider import OpenProvider, open_provider
from tests.server.site import Site, served

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
ACCEPT = {"accept": "application/json, text/event-stream"}


async def key_of(site: Site, person: str, **terms: Any) -> str:
    reader = await site.signs_in(person)
    answer = await reader.post("/me/keys", {"name": "t", **terms})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["key"])


async def test_a_stranger_is_told_in_the_protocols_shape(site: Site) -> None:
    answer = await Speaker(site.client()).sends("tools/list")

    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == -32600
    assert "resource_metadata=" in answer.headers["www-authenticate"]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_nobody_gets_in_without_a_token_that_counts(site: Site, method: str) -> None:
    for token in ("", "not.a.token", "bk_nothing"):
        client = site.client(**({"Authorization": f"Bearer {token}"} if token else {}))
        answer = await client.request(method, "/mcp", headers=ACCEPT)

        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith('Bearer scope="mcp"')


async def test_a_key_with_the_scope_opens_this_door_and_no_other(site: Site) -> None:
    key = await key_of(site, "rui", scopes=["mcp"])
    client = site.client(**{"x-api-key": key})

    assert (await Speaker(client).asks("tools/list"))["tools"]
    assert (await client.get("/tools")).status_code == 403


async def test_a_key_without_the_scope_is_told_which_it_needs(site: Site) -> None:
    key = await key_of(site, "rui", scopes=["chat"])

    answer = await Speaker(site.client(**{"x-api-key": key})).sends("tools/list")

    assert answer.status_code == 403
    assert 'error="insufficient_scope", scope="mcp"' in answer.headers["www-authenticate"]


async def test_a_key_for_one_agent_reaches_that_agents_tools_and_prompts_only(site: Site) -> None:
    rui = await site.signs_in("rui")
    agents = {one["name"]: one for one in (await rui.get("/agents")).json()}
    key = await key_of(site, "rui", scopes=["mcp"], agent="Ativos")
    client = Speaker(site.client(**{"x-api-key": key}))

    tools = {one["name"] for one in (await client.asks("tools/list"))["tools"]}
    prompts = {one["name"] for one in (await client.asks("prompts/list"))["prompts"]}
    result = await client.calls("createTask", {"title": "x"})

    assert tools
    assert tools <= set(agents["Ativos"]["tools"])
    assert "agent_ativos" in prompts
    assert "agent_assistente" not in prompts
    assert result["isError"] is True


@pytest.mark.parametrize(
    ("header", "value"),
    [("origin", "https://evil.example"), ("origin", "null"), ("host", "evil.example")],
)
async def test_a_page_elsewhere_is_not_answered(site: Site, header: str, value: str) -> None:
    rui = await site.signs_in("rui")
    rui.client.headers[header] = value

    answer = await Speaker(rui.client).sends("tools/list")

    assert answer.status_code in (403, 421)


async def test_a_page_of_ours_is(site: Site) -> None:
    rui = await site.signs_in("rui")
    rui.client.headers["origin"] = site.address

    assert (await Speaker(rui.client).sends("tools/list")).status_code == 200


async def test_a_body_that_is_too_large_is_not_read(folder: Path) -> None:
    async with served(folder, max_body_mb=0.01) as site:
        rui = await site.signs_in("rui")

        answer = await Speaker(rui.client).sends("tools/list", {"cursor": "9" * 20_000})

        assert answer.status_code == 413


async def _opened(client: httpx.AsyncClient) -> dict[str, str]:
    answer = await client.post("/mcp", json=HELLO, headers=ACCEPT)
    assert answer.status_code == 200, answer.text
    return {**ACCEPT, "mcp-session-id": answer.headers["mcp-session-id"]}


async def _ping(client: httpx.AsyncClient, session: dict[str, str]) -> int:
    body = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    return (await client.post("/mcp", json=body, headers=session)).status_code


async def test_a_session_is_its_persons_alone(site: Site) -> None:
    rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
    session = await _opened(rui.client)

    assert await _ping(rui.client, session) == 200
    assert await _ping(admin.client, session) == 404


async def test_another_process_does_not_know_a_session_and_says_so(folder: Path) -> None:
    async with served(folder) as first:
        rui = await first.signs_in("rui")
        token = rui.client.headers["authorization"].split()[1]
        session = await _opened(rui.client)
    async with served(folder) as second:
        again = second.with_token(token)

        assert await _ping(again.client, session) == 404
        assert await _ping(again.client, await _opened(again.client)) == 200


# ---------------------------------------------------------------------------- tokens of a provider


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenProvider]:
    with open_provider("casa") as opened:
        yield opened


@pytest.fixture
async def trusting(folder: Path, provider: OpenProvider) -> AsyncIterator[Site]:
    """The demo, where Rui is somebody the provider knows."""
    async with served(folder, oidc={"casa": provider.settings()}) as site:

        def join(db: Any) -> None:
            rui = people.person_by_email(db, "rui@demo.com")
            assert rui is not None
            identities.add(db, rui.id, issuer=provider.issuer, subject="rui", provider="casa")

        await site.bench.database.run(join)
        yield site


def claims(site: Site, **changed: Any) -> dict[str, Any]:
    now = int(time.time())
    usual = {"sub": "rui", "aud": f"{site.address}/mcp", "scope": "mcp", "exp": now + 300}
    return {name: value for name, value in {**usual, **changed}.items() if value is not None}


async def test_the_metadata_names_the_issuer(trusting: Site, provider: OpenProvider) -> None:
    for path in ("", "/mcp"):
        said = await trusting.client().get(f"/.well-known/oauth-protected-resource{path}")

        assert said.json()["resource"] == f"{trusting.address}/mcp"
        assert said.json()["authorization_servers"] == [provider.issuer]


async def test_without_a_provider_there_is_no_metadata(site: Site) -> None:
    said = await site.client().get("/.well-known/oauth-protected-resource/mcp")

    assert said.status_code == 404


async def test_a_token_for_us_is_its_person(trusting: Site, provider: OpenProvider) -> None:
    token = provider.access_token(**claims(trusting))
    client = Speaker(trusting.client(Authorization=f"Bearer {token}"), FORMS)

    names = {one["name"] for one in (await client.asks("tools/list"))["tools"]}

    assert "createTask" in names
    assert "sendAnnouncement" not in names


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"aud": "https://other.example/mcp"}, 401),
        ({"aud": None}, 401),
        ({"exp": int(time.time()) - 3600}, 401),
        ({"exp": None}, 401),
        ({"sub": "nobody"}, 401),
        ({"foreign": True}, 401),
        ({"scope": "openid"}, 403),
    ],
)
async def test_a_token_for_something_else_is_not_taken(
    trusting: Site, provider: OpenProvider, changed: dict[str, Any], status: int
) -> None:
    token = provider.access_token(**claims(trusting, **changed))

    answer = await Speaker(trusting.client(Authorization=f"Bearer {token}")).sends("tools/list")

    assert answer.status_code == status, answer.text
    assert "resource_metadata=" in answer.headers["www-authenticate"]


async def test_such_a_token_opens_nothing_else(trusting: Site, provider: OpenProvider) -> None:
    token = provider.access_token(**claims(trusting))

    assert (await trusting.with_token(token).get("/me")).status_code == 401
