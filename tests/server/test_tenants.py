"""Two organisations in one house: every route and every tool of one, tried by the other's people.

The routes come from the OpenAPI description, so that a new one is tried too; everything the first
organisation has carries a mark, and no answer to the second may hold one.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from bancada.sandbox import OutputFile
from bancada.testing import Hold, ScriptedModel, says
from tests.server.site import Reader, Site, served
from tests.server.test_doors import DOORS, Door
from tests.server.world import STUDY, clients_container, notice_address

MARK = "zebra"
"""Stands in everything that the first organisation's people made."""
OURS = (
    MARK, "Margareta", "ABS_Cinza", "falta_tinta", "John Doe", "Q4 Financial Report", "Plano de",
    "rui@demo.com", "Ativos", "OzoneGenerator", "Clorador", "SYS-OZO",
)  # fmt: skip
"""… and in its demo's data, people and agents. Not its administrator, who made the second
organisation's people and stands in its audit for it."""


@dataclass
class Two:
    """The first organisation with all it has, and the people of the second."""

    site: Site
    folder: Path
    admin: Reader
    rui: Reader
    eva: Reader
    olga: Reader
    things: dict[str, list[str]]
    """By the first part of a route's path (`/admin/users`): ids of what is there."""
    directory: Reader
    """The second organisation's directory: a key of eva's, which alone opens its routes."""


@pytest.fixture
async def two(tmp_path: Path, made_once: Path, database_url: str) -> AsyncIterator[Two]:
    shutil.copytree(made_once, tmp_path / "data")
    given = {} if database_url.startswith("sqlite") else {"database_url": database_url}
    async with served(tmp_path, **given) as site:
        yield await _settle(site, tmp_path / "data")


async def _made(reader: Reader, path: str, body: Any, status: int = 201) -> dict[str, Any]:
    answer = await reader.post(path, body)
    assert answer.status_code == status, f"{path}: {answer.text}"
    found: dict[str, Any] = answer.json()
    return found


async def _settle(site: Site, folder: Path) -> Two:
    admin, rui = await site.signs_in("admin"), await site.signs_in("rui")
    settings = {
        "custom_tools": "users",
        "egress": [f"{MARK}.example.com"],
        "secrets": {f"{MARK}_TOKEN": f"{MARK}-secret"},
    }
    await admin.patch("/admin/organisation", {"settings": settings})
    second = (await _made(admin, "/admin/organisations", {"name": "Segunda"}))["id"]
    people = {}
    for name, role in (("eva", "admin"), ("olga", "operador")):
        body = {
            "email": f"{name}@segunda.pt",
            "name": name.title(),
            "role": role,
            "password": "long enough",
            "organisation_id": second,
        }
        made = await _made(admin, "/admin/users", body)
        people[name] = (await site.signs_in(f"{name}@segunda.pt", "long enough"), made["id"])
    eva, olga = people["eva"][0], people["olga"][0]
    await eva.patch("/admin/organisation", {"settings": {"custom_tools": "users"}})
    # The second organisation's own agent has every tool there is.
    agent = await _made(eva, "/admin/agents", {"name": "Tudo", "tools": ["*"], "code": "local"})
    for _, id in people.values():
        granted = await eva.patch(f"/admin/users/{id}", {"agents": [agent["id"]]})
        assert granted.status_code == 200, granted.text
    two = Two(site, folder, admin, rui, eva, olga, {}, await _directory(site, eva))
    two.things = await _things(two)
    return two


async def _directory(site: Site, admin: Reader) -> Reader:
    key = (await _made(admin, "/me/keys", {"name": "directory", "scopes": ["scim"]}))["key"]
    return site.with_token(key, admin.person)


async def _things(two: Two) -> dict[str, list[str]]:
    """One of everything, marked."""
    admin, rui, site = two.admin, two.rui, two.site
    await rui.begins("Qualidade")
    told = await rui.asks("Mostra os 5 defeitos mais frequentes num gráfico")
    drawn = next(event.id for event in told if event.type == "chart")
    await rui.asks(f"quantos defeitos há? {MARK}")
    await rui.patch(f"/conversations/{rui.conversation}", {"title": f"title {MARK}"})
    csv = {"file": (f"{MARK}.csv", f"name,value\n{MARK},1\n".encode(), "text/csv")}
    uploaded = await rui.client.post(f"/conversations/{rui.conversation}/upload", files=csv)
    assert uploaded.status_code == 201, uploaded.text
    whole = (await rui.get(f"/conversations/{rui.conversation}")).json()
    conversation, turn = rui.conversation, whole["turn_id"]
    messages = [message["id"] for message in whole["messages"]]
    await rui.begins("Assistente")
    events = await rui.asks(f'cria uma tarefa "{MARK} task"')
    waits = next(event.data["id"] for event in events if event.type == "confirmation")
    asked = await rui.post("/tools/createTask/run", {"input": {"title": f"{MARK} done"}})
    path = f"/confirmations/{asked.json()['confirmation_id']}"
    assert (await rui.post(path, {"decision": "approve"})).status_code == 200
    item = {"type": "kpi", "data": {"widget": "kpi", "titulo": MARK, "valor": 3}}
    board = await _made(rui, "/dashboards", {"titulo": f"board {MARK}", "items": [item]})
    shared = {"name": f"study {MARK}", **STUDY, "shared": True}
    study = await _made(rui, "/studies", shared)
    asks = {"kind": "question", "agent": "Qualidade", "content": f"{MARK}?"}
    daily = {"cron": "0 8 * * *", "time_zone": "Europe/Lisbon"}
    schedule = await _made(rui, "/schedules", {"title": MARK, "does": asks, **daily})
    kept, written = [
        await site.bench.files.keep(
            OutputFile(name=f"{MARK}.txt", content=MARK.encode(), media_type="text/plain"),
            organisation_id=1,
            user_id=2,
            conversation_id=of,
        )
        for of in (None, await clients_container(site))
    ]
    person = await _made(admin, "/admin/users", {"email": f"{MARK}@demo.com", "name": MARK})
    agent = await _made(admin, "/admin/agents", {"name": f"Agent {MARK}", "system_prompt": MARK})
    key = await _made(admin, "/admin/keys", {"user": 2, "name": f"key {MARK}"})
    variants = [{"name": "a", "changes": {}}, {"name": MARK, "changes": {"code": "local"}}]
    experiment = await _made(
        admin,
        "/admin/experiments",
        {"name": f"test {MARK}", "agent": agent["id"], "variants": variants},
    )
    for maker, where, name in ((admin, "/admin/tools", "theirs"), (rui, "/me/tools", "own")):
        shape = {
            "name": f"ledger_{name}",
            "kind": "python",
            "description": MARK,
            "definition": {"code": f"result = '{MARK}'"},
        }
        await _made(maker, where, shape)
    connection = await _made(
        admin,
        "/admin/connections",
        {"name": f"{MARK}_server", "url": "https://127.0.0.1:9/mcp", "credentials": "person"},
    )
    sandbox = await site.bench.jail.sandbox()
    container = (await sandbox.open(())).id
    tools = ["ledger_theirs", "ledger_own"]
    group = await _made(
        await _directory(site, admin), "/scim/v2/Groups", {"displayName": f"group {MARK}"}
    )
    sessions = [str(one["id"]) for one in (await rui.get("/me/sessions")).json()]
    return {
        "/conversations": [conversation],
        "/conversas": [conversation],
        "/schedules": [schedule["id"]],
        "/messages": messages,
        "/shared": [
            str((await _made(rui, f"/conversations/{conversation}/share", None))["url"])[5:]
        ],
        "/confirmations": [str(waits), path.rsplit("/", 1)[1]],
        "/dashboards": [str(board["id"])],
        "/reports": [drawn],
        "/studies": [str(study["id"]), str(study["name"])],
        "/files": [str(kept["id"])],
        "/me/tools": tools,
        "/tools": tools,
        "/admin/users": [str(person["id"]), "1", "2"],
        "/admin/agents": [str(agent["id"]), "1"],
        "/admin/tools": tools,
        "/admin/organisations": ["1"],
        "/admin/keys": [str(key["id"])],
        "/admin/shares": [str(board["id"])],
        "/me/keys": [str(key["id"])],
        "/me/sessions": sessions,
        "/me/notices": [await notice_address(site)],
        "/admin/experiments": [str(experiment["id"])],
        "/admin/containers": [container],
        "/admin/turns": [str(turn)],
        "/scim/v2/Users": [str(person["id"]), "1", "2"],
        "/scim/v2/Groups": [str(group["id"])],
        "/admin/connections": [connection["id"]],
        "/connections": [connection["id"]],
        "/admin/models": [f"{MARK}-provider"],
        "/v1/models": [f"{MARK}-model"],
        "/v1/files": [str(written["id"])],
        "/ag-ui": [str(agent["id"])],
        "/auth/oidc": ["casa"],
        "/admin/sign-in": ["casa"],
    }


PUBLIC = (
    "/d/{token}", "/auth/links/{token}", "/scim/v2/Schemas/{id}", "/scim/v2/ResourceTypes/{id}",
)  # fmt: skip
"""Readable by whoever holds the link, which is what it is for; or the protocol's own, alike for all."""


APART = (("DELETE", "/me/sessions"), ("POST", "/auth/logout"), ("GET", "/me/events"))
"""Two end one's own sign-in, one is an endless stream; none names anything of anybody else's."""


def routes(two: Two) -> list[tuple[str, str]]:
    paths: dict[str, dict[str, Any]] = two.site.app.openapi()["paths"]
    every = [(method.upper(), path) for path in paths for method in paths[path]]
    return [route for route in every if route not in APART]


def named(two: Two, path: str) -> list[str]:
    """The first organisation's things that this path can name; a new kind must be added above."""
    if "{" not in path:
        return [""]
    start = path[: path.index("/{")]
    assert start in two.things, f"{path}: make one of these for the first organisation"
    return two.things[start]


def asking(two: Two, path: str) -> list[Reader]:
    """Those of the second organisation who may knock at a route at all."""
    return [two.directory] if path.startswith("/scim/") else [two.eva, two.olga]


def filled(path: str, id: str) -> str:
    return re.sub(r"\{[^}]+\}", id, path)


async def tried(reader: Reader, method: str, path: str, door: Door | None) -> httpx.Response:
    body = door.body if door is not None else None
    if path == "/admin/tools/{name}":
        body = {"description": "mine now"}
    return await reader.client.request(
        method,
        path,
        json=body,
        params=door.query if door else None,
        files=door.files if door else None,
    )


def leaked(two: Two, answer: httpx.Response, *said: str) -> list[str]:
    """What stands in an answer and should not; what the asker said themselves is no news."""
    text = answer.text
    for one in said:
        text = text.replace(one, "")
    return [word for word in (*OURS, str(two.folder)) if word in text]


async def test_every_route_tried_with_the_others_things_leaks_nothing(two: Two) -> None:
    doors = {door.route: door for door in DOORS}
    seen = 0
    for method, path in routes(two):
        if path in PUBLIC:
            continue
        door = doors.get(f"{method} {path}")
        for id in named(two, path):
            for person in asking(two, path):
                answer = await tried(person, method, filled(path, id), door)
                where = f"{method} {filled(path, id)} by {person.person}: {answer.status_code}"
                said = [str(value) for value in (door.query if door else {}).values()]
                said += re.findall(r"[\w.@-]+", str(door.body)) if door and door.body else []
                assert leaked(two, answer, id, *said) == [], f"{where} {answer.text[:500]}"
                assert answer.status_code < 500, f"{where} {answer.text[:300]}"
                if id and path.startswith("/tools/"):
                    assert answer.json()["code"] == "unknown_tool", where
                elif id:
                    assert answer.status_code in (403, 404), f"{where} {answer.text[:300]}"
                seen += 1
    assert seen > 150


async def test_what_is_the_others_is_refused_as_what_does_not_exist(two: Two) -> None:
    doors = {door.route: door for door in DOORS}
    for method, path in routes(two):
        if path in PUBLIC or "{" not in path:
            continue
        door = doors.get(f"{method} {path}")
        for id in named(two, path):
            nothing = "999999" if id.isdigit() else "f" * len(id)
            theirs = await tried(asking(two, path)[0], method, filled(path, id), door)
            none = await tried(asking(two, path)[0], method, filled(path, nothing), door)

            def told(answer: httpx.Response, named: str) -> tuple[int, str]:
                said = answer.json()
                return answer.status_code, str(said.get("detail", said.get("result"))).replace(
                    named, "…"
                )

            assert told(theirs, id) == told(none, nothing), f"{method} {path}"


INPUTS: dict[str, dict[str, Any]] = {
    "searchDocuments": {"query": "financial Q4"},
    "createTask": {"title": "Ours", "assignee": "John"},
    "sendAnnouncement": {"title": "Ours", "message": "Hello"},
    "consultar_dados": {"sql": "SELECT * FROM defeitos"},
    "executar_python": {
        "codigo": "import glob, os\nprint(glob.glob('/data/*'), os.environ, os.getcwd())"
    },
    "gerar_tabela": {"titulo": "t", "sql": "SELECT operador FROM defeitos"},
    "gerar_grafico": {"titulo": "g", "tipo": "bar", "sql": "SELECT turno, 1 FROM defeitos"},
    "gerar_kpi": {"titulo": "k", "sql": "SELECT count(*) FROM defeitos"},
}
WORDS = {"string": "a", "integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}


def plausible(schema: dict[str, Any]) -> dict[str, Any]:
    """The least that fits a tool's schema."""
    filled = {}
    for name in schema.get("required", ()):
        shape = schema["properties"][name]
        kind = shape.get("type", "string")
        choices = shape.get("enum") or shape.get("examples")
        filled[name] = choices[0] if choices else WORDS[kind if isinstance(kind, str) else kind[0]]
    return filled


async def test_no_tool_shows_one_organisations_data_to_another(two: Two) -> None:
    tools = (await two.eva.get("/admin/tools")).json()
    assert len(tools) > 20
    assert not [tool["name"] for tool in tools if tool["name"].startswith("ledger")]
    for tool in tools:
        input = INPUTS.get(tool["name"]) or plausible(tool["input_schema"])
        said = [str(value) for value in input.values() if isinstance(value, str)]
        for person, where in (
            (two.eva, "/admin/tools"),
            (two.eva, "/tools"),
            (two.olga, "/tools"),
        ):
            answer = await person.post(f"{where}/{tool['name']}/run", {"input": input})
            assert answer.status_code == 200, answer.text
            ran = answer.json()
            assert leaked(two, answer, *said) == [], f"{tool['name']}: {answer.text[:500]}"
            if ran["confirmation_id"]:
                path = f"/confirmations/{ran['confirmation_id']}"
                await person.post(path, {"decision": "approve"})
                done = await person.get(path)
                assert leaked(two, done, *said) == [], f"{tool['name']}: {done.text[:500]}"


QUESTIONS = (
    "quantos defeitos há?",
    "mostra os defeitos por turno num gráfico",
    "who are the managers in operations?",
    "find all financial documents from Q4",
    "sales summary for Q4 2024",
    "quantos ativos há?",
    "which tasks are there?",
    "is the system healthy?",
)


async def test_no_question_is_answered_from_the_others_data(two: Two) -> None:
    for person in (two.eva, two.olga):
        await person.begins("Tudo")
        for question in QUESTIONS:
            events = await person.asks(question)
            text = "\n".join(str(event.data) for event in events)
            found = [word for word in (*OURS, str(two.folder)) if word in text]
            assert found == [], f"{question}: {text[:800]}"
        whole = await person.get(f"/conversations/{person.conversation}/export")
        assert leaked(two, whole) == []


async def test_the_system_page_tells_another_organisation_nothing_of_the_host(two: Two) -> None:
    ours = (await two.admin.get("/system")).json()
    assert str(two.folder) in str(ours["findings"])
    theirs = (await two.eva.get("/system")).json()
    assert (theirs["version"], theirs["database"]) == (None, None)
    assert {one["name"] for one in theirs["findings"]} == {"model", "sandbox"}
    assert "revision" not in str(theirs)


async def test_nobody_takes_all_the_turns(tmp_path: Path) -> None:
    gate = Hold()
    model = ScriptedModel([says("Olá.")] * 4, gate=gate)
    limits = {"max_turns_per_person": 1, "max_turns_per_organisation": 2}
    async with served(tmp_path, model=model, **limits) as site:
        rui, ana, admin = [await site.signs_in(name) for name in ("rui", "ana", "admin")]
        await rui.begins()
        first = asyncio.create_task(rui.asks("olá"))
        await gate.arrived()
        running = rui.conversation
        await rui.begins()
        again = await rui.post(f"/conversations/{rui.conversation}/messages", {"content": "olá"})
        assert again.status_code == 429
        assert "1 perguntas em curso" in again.json()["detail"]
        assert again.headers["retry-after"] == "5"
        await ana.begins()
        second = asyncio.create_task(ana.asks("olá"))
        while site.bench.runner.running < 2:
            await asyncio.sleep(0.01)
        await admin.begins()
        third = await admin.post(
            f"/conversations/{admin.conversation}/messages", {"content": "olá"}
        )
        assert third.status_code == 429
        assert "organização" in third.json()["detail"]
        gate.open()
        await asyncio.gather(first, second)
        assert (await rui.asks("olá"))[-1].data["status"] == "done"
        assert running != rui.conversation
