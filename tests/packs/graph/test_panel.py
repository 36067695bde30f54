"""The panel's graph page: an organisation's administrator imports and declares, for itself alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pytest

from bancada.packs.graph import columnar, rows
from bancada.store import people
from tests.server.site import Reader, served
from tests.server.world import World

NODES = "id,label,name\nw,Ward,Ward A\nr1,Room,Room 1\nr2,Room,Room 2\nd,Doctor,Dr. Reis\n"
EDGES = "source,target,type\nw,r1,HAS_ROOM\nw,r2,HAS_ROOM\nd,r1,VISITS\nd,r2,VISITS\n"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with served(tmp_path) as site:
        yield await World.of(site)


async def uploads(
    reader: Reader, nodes: str = NODES, edges: str = EDGES, **fields: str
) -> httpx.Response:
    files = {"nodes": ("my nodes.csv", nodes, "text/csv"), "edges": ("e.csv", edges, "text/csv")}
    return await reader.client.post("/admin/graph/upload", files=files, data=fields)


def relation(state: dict[str, Any], type: str) -> dict[str, Any]:
    return next(one for one in state["graph"]["relations"] if one["type"] == type)


async def test_an_uploaded_graph_is_asked_at_once_by_its_organisation_alone(world: World) -> None:
    eva, admin = world.eva, world.admin
    assert (await eva.get("/admin/graph")).json() == {"graph": None, "missing": False}

    imported = await uploads(eva, name="Clínica")
    assert imported.status_code == 200, imported.text
    state = imported.json()
    assert (state["graph"]["name"], state["graph"]["nodes"], state["graph"]["edges"]) == (
        "Clínica",
        4,
        4,
    )
    assert relation(state, "HAS_ROOM") == {
        "type": "HAS_ROOM", "count": 2, "containment": True, "direction": "down",
        "reason": "name_down", "guessed": False,
    }  # fmt: skip
    assert relation(state, "VISITS")["containment"] is False

    agent = (await eva.post("/admin/agents", {"name": "Tudo", "tools": ["*"]})).json()["id"]
    me = (await eva.get("/me")).json()["id"]
    assert (await eva.patch(f"/admin/users/{me}", {"agents": [agent]})).status_code == 200
    [seen] = (await eva.get("/agents")).json()
    assert "Quantos Rooms há em Ward A?" in seen["starters"]
    await eva.begins(agent)
    events = await eva.asks("How many rooms are in Ward A?")
    said = "".join(event.data["content"] for event in events if event.type == "text")
    assert said == "There are 2 nodes of kind Room in Ward A (w)."
    events = await eva.asks("Onde está o Biofilter 11?")
    said = "".join(event.data["content"] for event in events if event.type == "text")
    assert "Não há nenhum nó chamado “Biofilter 11”" in said
    assert "BF-11" not in said

    await admin.begins("Ativos")
    events = await admin.asks("Onde está a Ward A?")
    said = "".join(event.data["content"] for event in events if event.type == "text")
    assert "Não há nenhum nó chamado “Ward A”" in said
    shown = (await admin.get("/admin/graph")).json()
    assert shown["graph"]["demo"] is True
    assert "Ward" not in {one["label"] for one in shown["graph"]["labels"]}


async def test_text_of_an_imported_graph_makes_writing_tools_ask(world: World) -> None:
    eva = world.eva
    await uploads(eva)
    found = world.site.bench.registry.find("find_node", await _person(world, "eva@segunda.pt"))
    assert found is not None
    assert found.brings_outside_content(await _person(world, "eva@segunda.pt"))
    assert not found.brings_outside_content(await _person(world, "rui@demo.com"))


async def _person(world: World, email: str) -> Any:
    return await world.site.bench.database.read(people.person_by_email, email)


async def test_a_mistake_in_the_files_is_told_with_its_line_and_changes_nothing(
    world: World,
) -> None:
    eva = world.eva
    await uploads(eva)
    before = (await eva.get("/admin/graph")).json()
    refused = await uploads(eva, edges="source,target,type\nw,nowhere,HAS_ROOM\n")
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith("Nada foi importado.")
    assert "edges.csv:2: target 'nowhere' is not a node." in refused.json()["detail"]
    assert (await eva.get("/admin/graph")).json() == before


async def test_an_administrator_declares_what_is_in_what(world: World) -> None:
    eva = world.eva
    assert (await eva.patch("/admin/graph", {"containment": []})).status_code == 404
    await uploads(eva, containment="VISITS:down")
    changed = await eva.patch("/admin/graph", {"containment": ["HAS_ROOM", "VISITS:up"]})
    assert relation(changed.json(), "VISITS")["direction"] == "up"
    assert relation(changed.json(), "HAS_ROOM")["direction"] == "down"
    unknown = await eva.patch("/admin/graph", {"containment": ["OWNS"]})
    assert unknown.status_code == 422
    assert "Relations: HAS_ROOM, VISITS." in unknown.json()["detail"]
    again = await eva.patch("/admin/graph", {"containment": []})
    assert relation(again.json(), "VISITS")["reason"] == "second_place"


async def test_imports_and_what_is_declared_are_on_record(world: World) -> None:
    assert (await uploads(world.eva)).status_code == 200
    body = {"containment": ["VISITS:down"]}
    assert (await world.eva.patch("/admin/graph", body)).status_code == 200

    answer = await world.eva.get("/admin/audit", params={"category": "packs"})

    declared, imported = [one for one in answer.json()["entries"] if one["about"] == "graph"]
    assert (imported["action"], imported["before"]) == ("data_changed", {})
    assert (imported["after"]["nodes"], imported["after"]["edges"]) == (4, 4)
    assert declared["before"]["containment"] == ["HAS_ROOM:down"]
    assert declared["after"]["containment"] == ["VISITS:down"]
    assert declared["person"] == "eva@segunda.pt"


async def test_only_administrators_see_or_import_a_graph(world: World) -> None:
    for reader in (world.rui, world.ana):
        assert (await reader.get("/admin/graph")).status_code == 403
        assert (await uploads(reader)).status_code == 403
        assert (await reader.patch("/admin/graph", {"containment": []})).status_code == 403


def _parquet(text: str, folder: Path) -> bytes:
    source, made = folder / "rows.csv", folder / "rows.parquet"
    source.write_text(text)
    duckdb.sql(f"COPY (FROM read_csv('{source}', all_varchar = true)) TO '{made}' (FORMAT parquet)")
    return made.read_bytes()


async def test_uploaded_parquet_is_read_inside_the_wall(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def outside(*_: object) -> None:
        raise AssertionError("the server read it itself")

    monkeypatch.setattr(rows, "_parquet", outside)
    monkeypatch.setattr(columnar, "_ROWS", 3)
    files = {
        "nodes": ("n.parquet", _parquet(NODES, tmp_path)),
        "edges": ("e.parquet", _parquet(EDGES, tmp_path)),
    }
    answer = await world.eva.client.post("/admin/graph/upload", files=files)
    assert answer.status_code == 200, answer.text
    graph = answer.json()["graph"]
    assert (graph["nodes"], graph["edges"]) == (4, 4)


async def test_parquet_that_is_none_is_told(world: World) -> None:
    files = {"nodes": ("n.parquet", b"not parquet"), "edges": ("e.csv", EDGES.encode())}
    answer = await world.eva.client.post("/admin/graph/upload", files=files)
    assert answer.status_code == 422
    assert "nodes.parquet: cannot be read as Parquet" in answer.json()["detail"]
