"""API keys: narrowed to scopes, an agent and a time, renewed without a gap; every route, every scope."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from bancada.domain.people import SCOPES
from bancada.engine.costs import used as used_by
from bancada.model.model import Reply, Tokens
from bancada.store import replies
from tests.server.site import Reader, Site
from tests.server.test_doors import DOORS, knock
from tests.server.world import World

OPEN: dict[str, tuple[str, ...]] = {
    "chat": (
        "/conversations", "/messages", "/confirmations", "/dashboards", "/studies", "/reports", "/agents", "/agentes",
        "/files", "/conversas", "/shared", "/chat", "/anthropic-proxy", "/ag-ui", "GET /me/events",
    ),
    "tools": ("/tools", "GET /confirmations/{id}", "GET /files/{id}"),
    "gateway": ("/v1",),
    "mcp": (),
    "admin:read": ("GET /admin", "GET /system"),
    "scim": ("/scim/v2",),
}  # fmt: skip
"""What each scope opens, by the beginning of the path, written down a second time."""


def opened(scope: str, route: str) -> bool:
    method, path = route.split()
    if route == "GET /me":
        return True
    for start in OPEN[scope]:
        only, _, rest = start.rpartition(" ")
        if (not only or only == method) and (path == rest or path.startswith(f"{rest}/")):
            return True
    return False


@pytest.fixture
async def world(site: Site) -> World:
    return await World.of(site)


async def key_of(reader: Reader, **body: Any) -> str:
    made = await reader.post("/me/keys", {"name": "k", **body})
    assert made.status_code == 201, made.text
    return str(made.json()["key"])


def by(world: World, key: str) -> Reader:
    return Reader(world.site.client(**{"X-API-Key": key}), "key")


def _leak(answer: httpx.Response, route: str) -> None:
    if "/scim/" in route:
        assert set(answer.json()) <= {"schemas", "status", "detail", "scimType"}, route
        return
    if "/v1/" in route:
        assert set(answer.json()) <= {"type", "error", "request_id"}, route
        assert set(answer.json()["error"]) == {"type", "message"}, route
        return
    assert answer.headers["content-type"] == "application/problem+json", route
    assert set(answer.json()) == {"type", "title", "status", "detail"}, route


@pytest.mark.parametrize("scope", SCOPES)
async def test_every_route_is_shut_to_a_key_whose_scopes_do_not_open_it(
    world: World, scope: str
) -> None:
    # An administrator's key: whatever is refused is refused for its scope.
    key = by(world, await key_of(world.admin, scopes=[scope]))
    for door in DOORS:
        if door.who in ("anybody", "page"):
            continue
        is_open = opened(scope, door.route)
        if is_open and door.endless:
            continue  # tests/server/test_news.py reads it
        answer = await knock(key, door, "17 17")
        if is_open:
            assert answer.status_code != 403 or "serve só" not in answer.text, door.route
        else:
            assert answer.status_code == 403, f"{door.route}: {answer.status_code}"
            assert scope in answer.text
            _leak(answer, door.route)


@pytest.mark.parametrize("state", ["revoked", "ended", "disabled", "session ended"])
async def test_every_route_is_shut_to_what_no_longer_counts(world: World, state: str) -> None:
    reader = world.rui
    if state != "session ended":
        made = (await world.rui.post("/me/keys", {"name": "k"})).json()
        reader = by(world, made["key"])
        assert (await reader.get("/me")).status_code == 200
    if state == "revoked":
        await world.rui.delete(f"/me/keys/{made['id']}")
    elif state == "ended":
        past = text(f"UPDATE api_keys SET expires_at = {time.time() - 1}")
        await world.site.bench.database.run(lambda db: db.execute(past) and None)
    elif state == "disabled":
        await world.admin.patch("/admin/users/2", {"is_active": False})
    else:
        await world.admin.delete("/admin/users/2/sessions")
    for door in DOORS:
        if door.who not in ("anybody", "page"):
            answer = await knock(reader, door, "17 17")
            assert answer.status_code == 401, f"{door.route}: {answer.status_code}"
            _leak(answer, door.route)


async def test_a_key_without_scopes_may_do_what_its_person_may(world: World) -> None:
    key = by(world, await key_of(world.rui))
    assert (await key.get("/conversations")).status_code == 200
    assert (await key.get("/me/keys")).status_code == 200
    assert (await key.get("/admin/users")).status_code == 403


async def test_a_scope_gives_nobody_more_than_they_may(world: World) -> None:
    key = by(world, await key_of(world.rui, scopes=["admin:read"]))
    answer = await key.get("/admin/users")
    assert answer.status_code == 403
    assert "administra" in answer.json()["detail"]


async def test_a_key_is_renewed_without_a_gap(world: World) -> None:
    made = (await world.rui.post("/me/keys", {"name": "n", "scopes": ["chat"], "days": 30})).json()
    answer = await world.rui.post(f"/me/keys/{made['id']}/rotate", {"hours": 2})
    assert answer.status_code == 201
    new = answer.json()
    assert new["key"] != made["key"]
    assert (new["name"], new["scopes"]) == ("n", ["chat"])
    for one in (made, new):
        assert (await by(world, one["key"]).get("/conversations")).status_code == 200
    shown = {one["id"]: one for one in (await world.rui.get("/me/keys")).json()}
    assert shown[made["id"]]["expires_at"] < shown[new["id"]]["expires_at"]
    at_once = await world.rui.post(f"/me/keys/{new['id']}/rotate", {"hours": 0})
    assert at_once.status_code == 201
    assert (await by(world, new["key"]).get("/me")).status_code == 401
    lines = (await world.admin.get("/admin/audit", params={"category": "keys"})).json()["entries"]
    assert lines[1]["action"] == "key_added"
    assert lines[1]["replaces"] == new["id"]
    assert lines[0]["action"] == "key_changed"


async def test_a_key_made_with_a_key_does_not_outlive_it(world: World) -> None:
    short = by(world, await key_of(world.rui, days=1))
    made = (await short.post("/me/keys", {"name": "longer", "days": 365})).json()
    mine = {one["name"]: one["expires_at"] for one in (await world.rui.get("/me/keys")).json()}
    assert made["expires_at"] == mine["longer"] == mine["k"]


async def test_a_key_for_one_agent_is_for_no_other(world: World) -> None:
    await world.rui.begins("Assistente")
    key = by(world, await key_of(world.rui, agent="Qualidade"))
    assert (await key.post("/conversations", {"agent": "Qualidade"})).status_code == 201
    refused = await key.post("/conversations", {"agent": "Assistente"})
    assert refused.status_code == 403
    path = f"/conversations/{world.rui.conversation}/messages"
    assert (await key.post(path, {"content": "olá"})).status_code == 403
    assert (await key.post("/chat", {"query": "olá"})).status_code == 403
    run = await key.post("/tools/searchDocuments/run", {"input": {}})
    assert run.status_code == 403
    unknown = await world.rui.post("/me/keys", {"name": "k", "agent": "Nenhum"})
    assert unknown.status_code == 404


async def test_that_a_key_was_used_is_seen(world: World) -> None:
    key = await key_of(world.rui)
    assert (await world.rui.get("/me/keys")).json()[0]["last_used_at"] is None
    await by(world, key).get("/me")
    assert (await world.rui.get("/me/keys")).json()[0]["last_used_at"] is not None


@pytest.mark.parametrize("narrow", [{"agent": "Qualidade"}, {"monthly_budget_usd": 1}])
async def test_a_key_that_is_narrow_makes_no_wider_one(world: World, narrow: Any) -> None:
    made = (await world.rui.post("/me/keys", {"name": "narrow", **narrow})).json()
    holder = by(world, made["key"])

    for path, body in (("/me/keys", {"name": "wide"}), (f"/me/keys/{made['id']}/rotate", {})):
        answer = await holder.post(path, body)
        assert answer.status_code == 403, answer.text


async def test_a_list_of_keys_says_what_each_may_use_and_has_used_this_month(
    world: World,
) -> None:
    limits = {"requests_per_minute": 60, "monthly_budget_usd": 5}
    made = (await world.rui.post("/me/keys", {"name": "counted", **limits})).json()
    reply = Reply(content=[], stop_reason="end_turn", usage=Tokens(input=1, output=1), model="m")
    whose = {"organisation_id": 1, "user_id": 2, "agent_id": 0, "key_id": made["id"]}
    used = used_by(reply, 0.25, 1.0, **whose)
    await world.site.bench.database.run(replies.add, used)
    await world.site.bench.database.run(replies.add, used)

    listed = (await world.rui.get("/me/keys")).json()

    [mine] = [key for key in listed if key["id"] == made["id"]]
    assert (mine["requests_per_minute"], mine["monthly_budget_usd"]) == (60, 5)
    assert (mine["month_replies"], mine["month_cost_usd"]) == (2, 0.5)


async def test_a_key_for_one_agent_comes_to_nothing_of_another(world: World) -> None:
    rui = world.rui
    await rui.begins("Assistente")
    asked = await rui.post("/tools/createTask/run", {"input": {"title": "T"}})
    waits = asked.json()["confirmation_id"]
    key = by(world, await key_of(rui, agent="Qualidade"))
    there = f"/conversations/{rui.conversation}"

    assert (await key.get("/conversations")).json() == []
    assert (await key.get("/confirmations")).json() == []
    assert {tool["agent"]["name"] for tool in (await key.get("/tools")).json()} == {"Qualidade"}
    for method, path, body in (
        ("GET", there, None),
        ("GET", f"{there}/export?format=md", None),
        ("GET", f"{there}/events", None),
        ("PATCH", there, {"title": "mine"}),
        ("POST", f"{there}/share", {}),
        ("POST", f"{there}/stop", {}),
        ("DELETE", there, None),
        ("GET", f"/confirmations/{waits}", None),
        ("POST", f"/confirmations/{waits}", {"decision": "approve"}),
    ):
        answer = await key.client.request(method, path, json=body)
        assert answer.status_code == 403, f"{method} {path}: {answer.status_code}"
    assert (await rui.get(f"/confirmations/{waits}")).json()["status"] == "pending"


async def test_a_key_for_one_agent_administers_nothing(world: World) -> None:
    key = by(world, await key_of(world.admin, agent="Qualidade"))
    new = {"email": "eva@demo.com", "name": "Eva", "role": "admin", "password": "um-segredo-longo"}
    for method, path, body in (
        ("POST", "/admin/users", new),
        ("POST", "/admin/users/2/link", {}),
        ("POST", "/admin/tools/contar_defeitos/run", {"input": {}}),
        ("GET", "/dashboards", None),
        ("GET", "/me/keys", None),
    ):
        answer = await key.client.request(method, path, json=body)
        assert answer.status_code == 403, f"{method} {path}: {answer.status_code}"
    assert (await key.get("/me")).status_code == 200


@pytest.mark.parametrize("limit", [{"monthly_budget_usd": 1}, {"requests_per_minute": 5}])
async def test_a_key_with_limits_asks_no_model_where_they_are_not_counted(
    world: World, limit: Any
) -> None:
    await world.rui.begins("Qualidade")
    key = by(world, await key_of(world.rui, **limit))
    there = f"/conversations/{world.rui.conversation}"
    run = {"threadId": "t", "runId": "r", "messages": [{"id": "1", "role": "user", "content": "?"}]}
    for path, body in (
        (f"{there}/messages", {"content": "?"}),
        (f"{there}/retry", {"content": "?"}),
        (f"/conversas/{world.rui.conversation}/mensagens", {"content": "?"}),
        ("/chat", {"query": "?"}),
        ("/anthropic-proxy", {"mode": "tool_enabled_chat", "message": "?"}),
        ("/ag-ui/Qualidade", run),
    ):
        answer = await key.post(path, body)
        assert answer.status_code == 403, f"{path}: {answer.status_code}"
        assert "/v1/messages" in answer.text
    assert (await key.get(there)).status_code == 200
    assert (await key.post("/v1/messages", {})).status_code != 403
