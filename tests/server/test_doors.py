"""Every route, tried with no token, a bad one, an expired one, another's, a lower role and the right one.

A route that is added without a line in `DOORS` fails the first test.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
import jwt
import pytest

from bancada.domain.people import SCOPES
from bancada.server.app import create_app
from tests.data.pictures import png
from tests.server.site import Reader, Site, settings_for
from tests.server.world import LEAVING, ROOM, STUDY, World

Make = Callable[[World], Awaitable[object]]


@dataclass(frozen=True)
class Door:
    """One route: who may, what to send, and what each of them gets."""

    route: str
    who: Literal["anybody", "page", "person", "owner", "admin", "first", "directory"]
    """`page`: whoever sends the refresh cookie."""
    right: int = 200
    """What the right person gets."""
    body: Any = None
    query: dict[str, Any] = field(default_factory=dict)
    files: dict[str, Any] | None = None
    make: Make | None = None
    """Makes what the path names."""
    stranger: int = 404
    """What somebody else gets for a thing that is not theirs (another organisation's
    administrator, for administrators' routes); collections show them their own."""
    bodies: Callable[[World], Any] | None = None
    endless: bool = False
    """A stream that ends only when its reader goes."""


def _named(name: str) -> Make:
    async def make(world: World) -> object:
        return name

    return make


CONVERSATION: dict[str, Any] = {"who": "owner", "make": World.conversation}
PNG = {"file": ("a.png", png(), "image/png")}
CSV = {"file": ("dados.csv", b"a,b\n1,2\n", "text/csv")}
GRAPH = {
    "nodes": ("nodes.csv", b"id,label\na,Ward\n", "text/csv"),
    "edges": ("edges.csv", b"source,target,type\n", "text/csv"),
}
CONNECTION = {"name": "visits", "url": "https://mcp.example.com/mcp"}
MESSAGE = {"model": "offline", "messages": [{"role": "user", "content": "olá"}]}
RUN = {
    "threadId": "thread-of-rui",
    "runId": "run",
    "state": {},
    "messages": [{"id": "1", "role": "user", "content": "olá"}],
    "tools": [],
    "context": [],
    "forwardedProps": {},
}
DEFINITION = {
    "name": "soma",
    "kind": "python",
    "description": "Soma.",
    "parameters": [],
    "definition": {"code": "result = 1"},
}

SCHEDULE = {
    "title": "Manhã",
    "does": {"kind": "question", "agent": "Qualidade", "content": "quantos defeitos há?"},
    "cron": "0 8 * * mon-fri",
    "time_zone": "Europe/Lisbon",
}
EXPERIMENT = {
    "name": "Código",
    "agent": "Qualidade",
    "variants": [{"name": "a", "changes": {}}, {"name": "b", "changes": {"code": "local"}}],
}


async def _message(world: World) -> str:
    return str((await world.answered())["messages"][-1]["id"])


async def _answered(world: World) -> str:
    return str((await world.answered())["id"])


async def _waiting(world: World) -> str:
    await world.confirmation()
    return world.rui.conversation


async def _turn(world: World) -> str:
    return str((await world.answered())["turn_id"])


def _scim_body(method: str, path: str) -> dict[str, Any] | None:
    kind = path.split("/")[0].rstrip("s")
    named = {"schemas": [f"urn:ietf:params:scim:schemas:core:2.0:{kind}"], "displayName": "N"}
    match method:
        case "PATCH":
            change = {"op": "replace", "path": "displayName", "value": "N"}
            schema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
            return {"schemas": [schema], "Operations": [change]}
        case "POST" if path.endswith(".search"):
            return {"schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"]}
        case "POST" | "PUT":
            return {**named, "userName": "n@demo.com"} if kind == "User" else named
    return None


DOORS = [
    Door("GET /", "anybody"),
    Door("GET /frame", "anybody"),
    Door("GET /health", "anybody"),
    Door("GET /ready", "anybody"),
    Door("GET /metrics", "anybody"),
    Door("GET /.well-known/oauth-protected-resource", "anybody", 404),
    Door("GET /.well-known/oauth-protected-resource/mcp", "anybody", 404),
    Door("GET /d/{token}", "anybody", make=World.share),
    Door("POST /auth/login", "anybody", body={"email": "rui@demo.com", "password": "rui123"}),
    Door("POST /auth/refresh", "page", make=World.cookie),
    Door("POST /auth/logout", "page", 204, make=World.cookie),
    Door("GET /auth/providers", "anybody"),
    Door("GET /auth/oidc/{name}", "anybody", 404, make=_named("nenhum")),
    Door("GET /auth/oidc/{name}/callback", "anybody", 404, make=_named("nenhum")),
    Door("GET /auth/links/{token}", "anybody", make=World.link),
    Door("POST /auth/links/{token}", "anybody", body={"password": "another one"}, make=World.link),
    # ------------------------------------------------------------------ the directory's
    *(
        Door(f"{method} /scim/v2/{path}", "directory", body=_scim_body(method, path))
        for path, methods in {
            "ServiceProviderConfig": "GET",
            "ResourceTypes": "GET",
            "ResourceTypes/{id}": "GET",
            "Schemas": "GET",
            "Schemas/{id}": "GET",
            ".search": "POST",
            "Users": "GET POST",
            "Users/.search": "POST",
            "Users/{id}": "GET PUT PATCH DELETE",
            "Groups": "GET POST",
            "Groups/.search": "POST",
            "Groups/{id}": "GET PUT PATCH DELETE",
        }.items()
        for method in methods.split()
    ),
    Door("GET /connections/callback", "anybody", 303),
    Door("GET /connections/client.json", "anybody"),
    # ------------------------------------------------------------------ one's own
    Door("GET /me", "person"),
    Door("GET /me/events", "person", endless=True),
    Door("GET /connections", "person"),
    Door("POST /connections/came-back", "person", 404, {"state": "nothing begun"}),
    Door("POST /connections/{id}/sign-in", "person", 404, make=_named("nothing")),
    Door("DELETE /connections/{id}/sign-in", "person", 404, make=_named("nothing")),
    Door("PATCH /me", "person", body={"language": "pt"}),
    Door("POST /me/password", "person", 204, {"current": "rui123", "new": "rui123-new"}),
    Door("GET /me/sessions", "person"),
    Door("DELETE /me/sessions", "person", 204, query={"others": True}),
    Door("DELETE /me/sessions/{id}", "owner", 204, make=World.session),
    Door("GET /me/keys", "person"),
    Door("POST /me/keys", "person", 201, {"name": "n", "scopes": ["chat"]}),
    Door("POST /me/keys/{id}/rotate", "owner", 201, {}, make=World.key),
    Door("DELETE /me/keys/{id}", "owner", 204, make=World.key),
    Door("GET /me/tools", "person"),
    Door("PATCH /me/tools", "person", body={"name": "contar_defeitos", "is_enabled": True}),
    Door("POST /me/tools", "person", 201, {**DEFINITION, "name": "minha"}),
    Door("POST /me/tools/check", "person", body={**DEFINITION, "name": "minha"}),
    Door("GET /me/tools/{name}", "owner", make=World.own_tool),
    Door("PATCH /me/tools/{name}", "owner", body={"description": "S."}, make=World.own_tool),
    Door("DELETE /me/tools/{name}", "owner", 204, make=World.own_tool),
    Door("GET /me/stand-in", "person"),
    Door("PUT /me/stand-in", "person", body={"person": 1, "until": "2099-01-31T18:00:00Z"}),
    Door("DELETE /me/stand-in", "person", 204),
    Door("POST /me/export", "person"),
    Door("GET /me/notices", "person"),
    Door("POST /me/notices", "person", 201, {"channel": "chat", "address": ROOM}),
    Door("PATCH /me/notices/{id}", "owner", body={"kinds": ["turn"]}, make=World.notice_address),
    Door("DELETE /me/notices/{id}", "owner", 204, make=World.notice_address),
    Door("POST /me/notices/{id}/test", "owner", make=World.notice_address),
    Door("GET /tools", "person"),
    Door("POST /tools/{name}/run", "person", body={"input": {}}, make=_named("contar_defeitos")),
    Door("GET /agents", "person"),
    Door("GET /conversations", "person"),
    Door("POST /conversations", "person", 201, {"agent": "Qualidade"}),
    Door("GET /conversations/{id}", **CONVERSATION),
    Door("PATCH /conversations/{id}", body={"title": "x"}, **CONVERSATION),
    Door("DELETE /conversations/{id}", right=204, **CONVERSATION),
    Door("GET /conversations/{id}/export", **CONVERSATION),
    Door("GET /conversations/{id}/uploads", **CONVERSATION),
    Door("POST /conversations/{id}/messages", body={"content": "olá"}, **CONVERSATION),
    Door("GET /conversations/{id}/events", "owner", make=_answered),
    Door("POST /conversations/{id}/stop", "owner", make=_waiting),
    Door("POST /conversations/{id}/retry", "owner", make=World.stopped),
    Door("POST /conversations/{id}/branch", right=404, body={"turn_id": "t1"}, **CONVERSATION),
    Door("POST /conversations/{id}/upload", right=201, files=CSV, **CONVERSATION),
    Door("POST /conversations/{id}/attachments", right=201, files=PNG, **CONVERSATION),
    Door("POST /conversations/{id}/share", "owner", 201, make=_answered),
    Door("DELETE /conversations/{id}/share", "owner", 204, make=World.shared_conversation),
    Door("GET /shared/{id}", "person", make=World.conversation_link),
    Door("GET /shared/{id}/files/{file_id}", "person", 404, make=World.conversation_link),
    Door("POST /messages/{id}/feedback", "owner", 204, {"value": 1}, make=_message),
    Door("GET /confirmations", "person"),
    Door("GET /confirmations/{id}", "owner", make=World.confirmation),
    Door("POST /confirmations/{id}", "owner", body={"decision": "reject"}, make=World.confirmation),
    Door("GET /schedules", "person"),
    Door("GET /schedules/times", "person", query={"cron": "@daily", "time_zone": "UTC"}),
    Door("POST /schedules", "person", 201, SCHEDULE),
    Door("GET /schedules/{id}", "owner", make=World.schedule),
    Door("PATCH /schedules/{id}", "owner", body={"paused": True}, make=World.schedule),
    Door("DELETE /schedules/{id}", "owner", 204, make=World.schedule),
    Door("POST /schedules/{id}/run", "owner", 202, make=World.schedule),
    Door("GET /schedules/{id}/runs", "owner", make=World.schedule),
    Door("GET /dashboards", "person"),
    Door(
        "POST /dashboards",
        "person",
        201,
        {"items": [{"type": "kpi", "data": {"widget": "kpi", "titulo": "t", "valor": 1}}]},
    ),
    Door("GET /dashboards/{id}", "owner", make=World.dashboard),
    Door("PATCH /dashboards/{id}", "owner", body={"titulo": "Noite"}, make=World.dashboard),
    Door("GET /dashboards/{id}/columns", "owner", make=World.dashboard),
    Door("GET /dashboards/{id}/values", "owner", make=World.dashboard, query={"column": "data"}),
    Door("DELETE /dashboards/{id}", "owner", 204, make=World.dashboard),
    Door("POST /dashboards/{id}/refresh", "owner", make=World.dashboard),
    Door("POST /dashboards/{id}/share", "owner", 201, make=World.dashboard),
    Door("DELETE /dashboards/{id}/share", "owner", 204, make=World.dashboard),
    Door("GET /dashboards/{id}/report", "owner", make=World.dashboard),
    Door("GET /studies/{id}/report", "owner", make=World.study),
    Door("GET /reports/{id}", "owner", make=World.shown),
    Door("GET /studies", "person"),
    Door("POST /studies", "person", 201, {"name": "Do turno", **STUDY}),
    Door("GET /studies/{id}", "owner", make=World.study),
    Door("PATCH /studies/{id}", "owner", body={"shared": True}, make=World.study),
    Door("POST /studies/{id}/run", "owner", make=World.study),
    Door("DELETE /studies/{id}", "owner", 204, make=World.study),
    Door("GET /files/{id}", "owner", make=World.file),
    # ------------------------------------------------------------------ dialects
    Door("GET /agentes", "person"),
    Door("POST /conversas", "person", 201, {"agente": "Qualidade"}),
    Door("POST /conversas/{id}/mensagens", body={"content": "olá"}, **CONVERSATION),
    Door("POST /conversas/{id}/upload", right=201, files=CSV, **CONVERSATION),
    Door("POST /chat", "person", body={"query": "quantos ativos há?"}),
    Door("POST /anthropic-proxy", "person", body={"mode": "intent_detection", "message": "olá"}),
    # ------------------------------------------------------------------ clients of others
    Door("POST /v1/messages", "person", body={**MESSAGE, "max_tokens": 10}),
    Door("POST /v1/messages/count_tokens", "person", 404, MESSAGE),
    Door("GET /v1/models", "person"),
    Door("GET /v1/models/{id:path}", "person", make=_named("offline")),
    Door("GET /v1/files/{id}", "owner", make=World.clients_file),
    Door("GET /v1/files/{id}/content", "owner", make=World.clients_file),
    Door("POST /ag-ui/{agent}", "person", body=RUN, make=_named("Qualidade")),
    # ------------------------------------------------------------------ administrators
    Door("GET /system", "admin", stranger=200),
    Door("GET /admin/users", "admin", stranger=200),
    Door("POST /admin/users", "admin", 201, {"email": "nova@demo.com"}, stranger=409),
    Door("GET /admin/users/{id}", "admin", make=World.user),
    Door("PATCH /admin/users/{id}", "admin", body={"name": "N"}, make=World.user),
    Door("DELETE /admin/users/{id}", "admin", 204, make=World.user),
    Door("POST /admin/users/{id}/link", "admin", 201, make=World.user),
    Door("POST /admin/users/{id}/export", "admin", make=World.user),
    Door("POST /admin/users/{id}/erase", "admin", body={"email": LEAVING}, make=World.leaving),
    Door("GET /admin/users/{id}/sessions", "admin", make=World.user),
    Door("DELETE /admin/users/{id}/sessions", "admin", 204, make=World.user),
    Door("DELETE /admin/users/{id}/sessions/{session}", "admin", 204, make=World.their_session),
    Door("GET /admin/agents", "admin", stranger=200),
    Door("POST /admin/agents", "admin", 201, {"name": "Novo"}, stranger=201),
    Door("GET /admin/agents/{id}", "admin", make=World.agent),
    Door("PATCH /admin/agents/{id}", "admin", body={"description": "d"}, make=World.agent),
    Door("DELETE /admin/agents/{id}", "admin", 204, make=World.agent),
    Door("GET /admin/tools", "admin", stranger=200),
    Door("GET /admin/tools/{name}", "admin", make=_named("contar_defeitos"), stranger=200),
    Door(
        "PATCH /admin/tools/{name}",
        "admin",
        body={"permission_level": "responsavel"},
        make=_named("capacidade"),
        stranger=200,
    ),
    Door(
        "GET /admin/tools/{name}/settings",
        "admin",
        make=_named("contar_defeitos"),
        stranger=200,
    ),
    Door(
        "PATCH /admin/tools/{name}/settings",
        "admin",
        body={"is_enabled": False},
        query={"scope": "role", "subject": "operador"},
        make=_named("capacidade"),
        stranger=200,
    ),
    Door(
        "GET /admin/tools/{name}/access",
        "admin",
        query={"user": "rui@demo.com"},
        make=_named("contar_defeitos"),
    ),
    Door(
        "POST /admin/tools/{name}/run",
        "admin",
        body={"input": {}, "user": 2},
        make=_named("contar_defeitos"),
    ),
    Door("POST /admin/tools", "admin", 201, DEFINITION, stranger=201),
    Door("POST /admin/tools/check", "admin", body={**DEFINITION, "name": "outra"}, stranger=200),
    Door("DELETE /admin/tools/{name}", "admin", 204, make=World.custom_tool),
    Door("GET /admin/tools/{name}/versions", "admin", make=World.custom_tool),
    Door(
        "POST /admin/policy/try",
        "admin",
        body={"tool": "createTask", "is_enabled": False},
        stranger=200,
    ),
    Door("GET /admin/usage", "admin", query={"user": 2}),
    Door("GET /admin/feedback", "admin", stranger=200),
    Door("GET /admin/experiments", "admin", stranger=200),
    Door("POST /admin/experiments", "admin", 201, EXPERIMENT),
    Door("GET /admin/experiments/{id}", "admin", make=World.experiment),
    Door("PATCH /admin/experiments/{id}", "admin", body={"name": "E"}, make=World.experiment),
    Door("DELETE /admin/experiments/{id}", "admin", 204, make=World.experiment),
    Door("GET /admin/organisation", "admin", stranger=200),
    Door("PATCH /admin/organisation", "admin", body={"settings": {}}, stranger=200),
    Door("GET /admin/organisations", "first", stranger=403),
    Door("POST /admin/organisations", "first", 201, {"name": "Terceira"}, stranger=403),
    Door("GET /admin/organisations/{id}", "first", make=World.empty_organisation, stranger=403),
    Door(
        "PATCH /admin/organisations/{id}",
        "first",
        body={"name": "Quarta"},
        make=World.empty_organisation,
        stranger=403,
    ),
    Door(
        "DELETE /admin/organisations/{id}",
        "first",
        204,
        make=World.empty_organisation,
        stranger=403,
    ),
    Door("GET /admin/models", "first", stranger=403),
    Door("POST /admin/models/{name}/probe", "first", 404, make=_named("nenhum"), stranger=403),
    Door("GET /admin/connections", "admin", stranger=200),
    Door("POST /admin/connections", "admin", 201, CONNECTION, stranger=201),
    Door("GET /admin/connections/{id}", "admin", make=World.connection),
    Door(
        "PATCH /admin/connections/{id}", "admin", body={"is_enabled": False}, make=World.connection
    ),
    Door("DELETE /admin/connections/{id}", "admin", 204, make=World.connection),
    Door("POST /admin/connections/{id}/look", "admin", make=World.connection),
    Door(
        "POST /admin/connections/{id}/tools/{name}",
        "admin",
        404,
        {"seen": "x"},
        make=World.connection,
    ),
    Door("DELETE /admin/connections/{id}/tools/{name}", "admin", 404, make=World.connection),
    Door("GET /admin/sign-in", "admin", stranger=200),
    Door("POST /admin/sign-in/{name}/test", "admin", 404, make=_named("nenhum")),
    Door("GET /admin/shares", "admin", stranger=200),
    Door("DELETE /admin/shares/{id}", "admin", 204, make=World.shared_dashboard),
    Door("GET /admin/keys", "admin", stranger=200),
    Door("POST /admin/keys", "admin", 201, {"user": 2}),
    Door("GET /admin/keys/{id}", "admin", make=World.key),
    Door("PATCH /admin/keys/{id}", "admin", body={"name": "m"}, make=World.key),
    Door("POST /admin/keys/{id}/rotate", "admin", 201, {}, make=World.key),
    Door("DELETE /admin/keys/{id}", "admin", 204, make=World.key),
    Door("GET /admin/audit", "admin", query={"user": "rui@demo.com"}),
    Door("GET /admin/audit/verify", "admin", stranger=200),
    Door("GET /admin/audit/export", "admin", stranger=200),
    Door("GET /admin/containers", "first", stranger=403),
    Door("GET /admin/containers/{id}", "first", make=World.container, stranger=403),
    Door("DELETE /admin/containers/{id}", "first", 204, make=World.container, stranger=403),
    Door("GET /admin/turns/{id}/trace", "admin", make=_turn),
    Door("GET /admin/graph", "admin", stranger=200),
    Door("POST /admin/graph/upload", "admin", files=GRAPH, stranger=200),
    Door("PATCH /admin/graph", "admin", body={"containment": []}, stranger=200),
]


# ---------------------------------------------------------------------------- the table is whole


def routes_of(routes: Any) -> Iterator[str]:
    """`METHOD /path` of every route that a request can reach."""
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from routes_of(inner.routes)
        elif getattr(route, "methods", None):
            yield from (f"{method} {route.path}" for method in route.methods - {"HEAD"})


MCP = {"GET /mcp", "POST /mcp", "DELETE /mcp"}
"""Refuses in its protocol's own shape: `tests/mcp/test_doors.py` knocks there."""


def test_every_route_has_a_line_in_the_table(tmp_path: Any) -> None:
    app = create_app(settings_for(tmp_path))
    served = sorted(routes_of(app.routes))
    assert [door.route for door in DOORS if door.route not in served] == []
    walked = {door.route for door in DOORS} | MCP
    assert [route for route in served if route not in walked] == ["GET /openapi.json"]


# ---------------------------------------------------------------------------- the walk


async def knock(person: Reader, door: Door, named: object) -> httpx.Response:
    method, path = door.route.split()
    if "cookie" in str(named):
        person.client.cookies.set(*str(named).split("cookie ")[1].split("="))
    of, _, session = str(named).partition(" ")
    for part in ("{id}", "{id:path}", "{name}", "{token}", "{agent}"):
        path = path.replace(part, of)
    path = path.replace("{session}", session or of)
    return await person.client.request(
        method, path, json=door.body, params=door.query, files=door.files
    )


def _problem(answer: httpx.Response, status: int, route: str) -> None:
    assert answer.status_code == status, f"{route}: {answer.status_code} {answer.text[:300]}"
    if "/v1/" in route:
        said = answer.json()
        assert said["type"] == "error"
        assert said["error"]["message"].strip()
        return
    form = "scim" if "/scim/" in route else "problem"
    assert answer.headers["content-type"] == f"application/{form}+json", route
    assert int(answer.json()["status"]) == status
    assert answer.json()["detail"].strip()


@pytest.fixture
async def world(site: Site) -> World:
    return await World.of(site)


@pytest.mark.parametrize("token", ["none", "bad", "expired", "of another house", "of nobody"])
async def test_nobody_gets_in_without_a_token_that_counts(world: World, token: str) -> None:
    tokens = {
        "bad": "not.a.token",
        "expired": await world.expired_token(),
        "of another house": jwt.encode(
            {"user_id": 2, "exp": 4e9}, "another secret, long enough to sign with", "HS256"
        ),
        "of nobody": jwt.encode({"user_id": 999_999, "exp": 4e9}, world.site.app.state.secret),
    }
    if token == "none":
        person = Reader(world.site.client(), "nobody")
    else:
        person = world.site.with_token(tokens[token])
    for door in DOORS:
        answer = await knock(person, door, "17")
        if door.who == "anybody":
            assert answer.status_code != 401, door.route
        else:
            _problem(answer, 401, door.route)
            assert answer.headers["www-authenticate"] == "Bearer"


async def test_what_is_mine_does_not_exist_for_others(world: World) -> None:
    for door in DOORS:
        if door.who != "owner":
            continue
        assert door.make is not None
        named = await door.make(world)
        for other in (world.ana, world.admin, world.eva):
            answer = await knock(other, door, named)
            _problem(answer, 404, door.route)
        answer = await knock(world.rui, door, named)
        assert answer.status_code == door.right, f"{door.route}: {answer.text[:300]}"


async def test_what_is_everybodys_is_answered(world: World) -> None:
    for door in DOORS:
        if door.endless:
            continue  # tests/server/test_news.py reads it
        if door.who in ("anybody", "person") and door.route != "POST /auth/links/{token}":
            named = await door.make(world) if door.make else ""
            answer = await knock(world.rui, door, named)
            assert answer.status_code == door.right, f"{door.route}: {answer.text[:300]}"
    link = next(door for door in DOORS if door.route == "POST /auth/links/{token}")
    answer = await knock(Reader(world.site.client(), ""), link, await world.link())
    assert answer.status_code == link.right


async def test_lower_roles_are_refused_what_is_for_administrators(world: World) -> None:
    for door in DOORS:
        if door.who not in ("admin", "first"):
            continue
        named = await door.make(world) if door.make else ""
        for person in (world.rui, world.ana):
            _problem(await knock(person, door, named), 403, door.route)


async def test_administrators_act_within_their_organisation(world: World) -> None:
    for door in DOORS:
        if door.who not in ("admin", "first"):
            continue
        named = await door.make(world) if door.make else ""
        if door.stranger >= 400:
            right_first = door.stranger == 409
            if right_first:
                answer = await knock(world.admin, door, named)
                assert answer.status_code == door.right, f"{door.route}: {answer.text[:300]}"
            _problem(await knock(world.eva, door, named), door.stranger, door.route)
            if right_first:
                continue
        else:
            answer = await knock(world.eva, door, named)
            assert answer.status_code == door.stranger, f"{door.route}: {answer.text[:300]}"
        answer = await knock(world.admin, door, named)
        assert answer.status_code == door.right, f"{door.route}: {answer.text[:300]}"


async def test_a_directorys_doors_open_for_no_session_and_for_no_other_key(world: World) -> None:
    others = [world.rui, world.ana, world.admin, world.eva]
    for scopes in ([], *([scope] for scope in SCOPES if scope != "scim")):
        made = await world.admin.post("/me/keys", {"name": "k", "scopes": scopes})
        others.append(world.site.with_token(made.json()["key"]))
    for door in DOORS:
        if door.who == "directory":
            for person in others:
                _problem(await knock(person, door, "2"), 403, door.route)
