"""What a client may read and begin with: its person's own, and nobody else's."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from bancada.mcp.serving.apps import WIDGET_URI
from bancada.sandbox import OutputFile
from bancada.store import people
from tests.mcp.speaking import Speaker
from tests.server.site import Site

CSV = b"linha,defeitos\nA,3\nB,5\n"


async def with_documents(site: Site) -> tuple[Speaker, dict[str, str]]:
    """Rui's client, and the addresses of a data set, a dashboard and a file of his."""
    rui = await site.signs_in("rui")
    await rui.begins("Qualidade")
    upload = await rui.client.post(
        f"/conversations/{rui.conversation}/upload", files={"file": ("linhas.csv", CSV)}
    )
    assert upload.status_code in (200, 201), upload.text
    item = {"type": "kpi", "data": {"widget": "kpi", "titulo": "Defeitos", "valor": 8}}
    pinned = await rui.post("/dashboards", {"titulo": "Painel", "items": [item]})
    assert pinned.status_code in (200, 201), pinned.text
    found = (await Speaker(rui.client).asks("resources/list"))["resources"]
    return Speaker(rui.client), {one["uri"].split("/")[2]: one["uri"] for one in found}


async def test_a_table_is_read_with_its_columns_and_first_rows(site: Site) -> None:
    rui, uris = await with_documents(site)

    about, preview = (await rui.asks("resources/read", {"uri": uris["datasets"]}))["contents"]

    assert "linha" in about["text"]
    assert preview["text"].splitlines() == ["linha,defeitos", "A,3", "B,5"]
    assert preview["mimeType"] == "text/csv"


async def test_a_dashboard_is_read_as_it_was_kept(site: Site) -> None:
    rui, uris = await with_documents(site)

    (held,) = (await rui.asks("resources/read", {"uri": uris["dashboards"]}))["contents"]

    assert json.loads(held["text"])["titulo"] == "Painel"


async def test_what_is_somebody_elses_is_not_there(site: Site) -> None:
    _, uris = await with_documents(site)
    admin = Speaker((await site.signs_in("admin")).client)

    listed = {one["uri"] for one in (await admin.asks("resources/list"))["resources"]}

    assert not listed & set(uris.values())
    for uri in uris.values():
        theirs = await admin.is_refused("resources/read", {"uri": uri})
        nothing = await admin.is_refused("resources/read", {"uri": f"{uri}0"})
        assert (theirs["code"], theirs["message"]) == (nothing["code"], nothing["message"])


async def test_an_address_is_completed_from_what_is_theirs(site: Site) -> None:
    rui, uris = await with_documents(site)
    id = uris["dashboards"].rpartition("/")[2]
    asked = {
        "ref": {"type": "ref/resource", "uri": "bancada://dashboards/{id}"},
        "argument": {"name": "id", "value": id[:3]},
    }

    assert (await rui.asks("completion/complete", asked))["completion"]["values"] == [id]
    admin = Speaker((await site.signs_in("admin")).client)
    assert (await admin.asks("completion/complete", asked))["completion"]["values"] == []


async def test_agents_and_their_starters_are_prompts(site: Site) -> None:
    ana = Speaker((await site.signs_in("ana")).client)

    names = {one["name"] for one in (await ana.asks("prompts/list"))["prompts"]}
    told = await ana.asks(
        "prompts/get", {"name": "agent_qualidade", "arguments": {"question": "?"}}
    )
    begun = await ana.asks("prompts/get", {"name": "qualidade_1"})

    assert "agent_assistente" not in names
    assert told["messages"][-1]["content"]["text"] == "?"
    assert begun["messages"][0]["content"]["text"]
    error = await ana.is_refused("prompts/get", {"name": "agent_assistente"})
    assert error["code"] == -32602


async def test_a_prompt_names_no_tool_that_the_person_may_not_use(site: Site) -> None:
    admin = Speaker((await site.signs_in("admin")).client)
    rui = Speaker((await site.signs_in("rui")).client)

    said = [
        (await one.asks("prompts/get", {"name": "agent_assistente"}))["messages"][0]["content"][
            "text"
        ]
        for one in (admin, rui)
    ]

    assert "sendAnnouncement" not in said[1]
    assert len(said[1]) <= len(said[0])


async def test_what_shows_something_names_the_page_that_shows_it(site: Site) -> None:
    rui = Speaker((await site.signs_in("rui")).client)

    tools = {one["name"]: one for one in (await rui.asks("tools/list"))["tools"]}
    shown = await rui.calls("gerar_kpi", {"titulo": "Defeitos", "valor": 8})
    (page,) = (await rui.asks("resources/read", {"uri": WIDGET_URI}))["contents"]

    assert tools["gerar_kpi"]["_meta"]["ui"] == {"resourceUri": WIDGET_URI}
    (widget,) = shown["_meta"]["bancada/widgets"]
    assert widget["kind"] == "kpi"
    assert page["mimeType"] == "text/html;profile=mcp-app"


async def test_a_listener_is_told_of_what_it_asked_for(site: Site) -> None:
    rui = await site.signs_in("rui")
    admin = await site.signs_in("admin")
    heard: list[dict[str, Any]] = []
    acknowledged, changed = asyncio.Event(), asyncio.Event()

    async def listen() -> None:
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        body = {
            "jsonrpc": "2.0",
            "id": "s1",
            "method": "subscriptions/listen",
            "params": {"notifications": {"toolsListChanged": True}, "_meta": meta},
        }
        headers = {
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": "subscriptions/listen",
        }
        async with rui.client.stream("POST", "/mcp", json=body, headers=headers) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data:"):
                    heard.append(json.loads(line[5:]))
                    acknowledged.set()
                    if heard[-1]["method"] == "notifications/tools/list_changed":
                        changed.set()

    listening = asyncio.create_task(listen())
    await asyncio.wait_for(acknowledged.wait(), 20)
    answer = await admin.patch("/admin/tools/createTask", {"is_enabled": False})
    assert answer.status_code == 200, answer.text
    await asyncio.wait_for(changed.wait(), 20)
    listening.cancel()

    assert [one["method"].rpartition("/")[2] for one in heard] == ["acknowledged", "list_changed"]


async def test_a_kept_file_is_read_by_its_owner_as_it_is(site: Site) -> None:
    rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
    me = (await rui.get("/me")).json()
    await site.bench.files.keep(
        OutputFile("figura.png", "image/png", b"\x89PNG\r\n\x1a\n\x00"),
        organisation_id=people.FIRST_ORGANISATION,
        user_id=me["id"],
        conversation_id=None,
    )
    listed = (await Speaker(rui.client).asks("resources/list"))["resources"]
    (uri,) = [one["uri"] for one in listed if one["name"] == "figura.png"]

    (held,) = (await Speaker(rui.client).asks("resources/read", {"uri": uri}))["contents"]
    error = await Speaker(admin.client).is_refused("resources/read", {"uri": uri})

    assert (held["mimeType"], held["blob"]) == ("image/png", "iVBORw0KGgoA")
    assert error["code"] == -32602
