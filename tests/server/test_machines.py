"""Two machines, two data folders, one Postgres: files, keys and graphs are the same on both."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bancada.testing import ScriptedModel, calls, says
from tests.server.process import serving
from tests.server.site import Reader, Site, served, upload
from tests.server.upstream import calling, saying, upstream

SUM = "import duckdb\nprint(duckdb.connect('/data/valores.duckdb', read_only=True).sql('select sum(valor) from valores').fetchall())"
SAVED = "open('soma.txt', 'w').write('42')"


def at(site: Site, reader: Reader) -> Reader:
    """The same person, with the same token, at the other machine."""
    token = reader.client.headers["authorization"].removeprefix("Bearer ")
    elsewhere = site.with_token(token, reader.person)
    elsewhere.conversation = reader.conversation
    return elsewhere


@asynccontextmanager
async def two_machines(
    folder: Path, url: str, *replies: Any, **settings: Any
) -> AsyncIterator[tuple[Site, Site]]:
    shared = {
        "database_url": url,
        "files": "postgres",
        "secret_key": ["one key for both, of at least thirty-two bytes"],
        **settings,
    }
    async with (
        served(folder / "one", **shared) as one,
        served(folder / "two", model=ScriptedModel(list(replies)), **shared) as two,
    ):
        yield one, two


async def test_what_one_machine_received_and_kept_the_other_reads(
    tmp_path: Path, postgres_url: str
) -> None:
    replies = (calls("code_execution", code=f"{SUM}\n{SAVED}"), says("42."))
    async with two_machines(tmp_path, postgres_url, *replies) as (one, two):
        rui = await one.signs_in("rui")
        await rui.begins("Análise")
        await upload(rui)
        # No secret is configured: the other machine takes the token because it signs alike.
        there = at(two, rui)
        events = await there.asks("soma?")
        [code] = [event.data for event in events if event.type == "code"]
        assert code["stdout"].strip() == "[(42,)]", code
        [file] = code["files"]
        sent = await rui.get(file["url"])
        assert (sent.status_code, sent.content) == (200, b"42")
        # Whatever a place is called, nobody reads it by that.
        places = [place async for place in one.bench.blobs.store.places()]
        assert len(places) == 2
        for place in places:
            for name in (place, place.partition("/")[2], place.replace("/", "%2F")):
                assert (await rui.get(f"/files/{name}")).status_code in (404, 422)
        assert (await rui.delete(f"/conversations/{rui.conversation}")).status_code == 204
        assert [place async for place in two.bench.blobs.store.places()] == []


async def test_a_graph_imported_on_one_machine_is_asked_on_the_other_without_a_restart(
    tmp_path: Path, postgres_url: str
) -> None:
    async with two_machines(tmp_path, postgres_url) as (one, two):
        admin = await one.signs_in("admin")
        there = at(two, admin)

        async def imports(label: str) -> None:
            files = {
                "nodes": ("nodes.csv", f"id,label\na,{label}\n".encode()),
                "edges": ("edges.csv", b"source,target,type\n"),
            }
            answer = await admin.client.post("/admin/graph/upload", files=files)
            assert answer.status_code == 200, answer.text

        for label in ("Ward", "Book"):
            await imports(label)
            shown = (await there.get("/admin/graph")).json()["graph"]
            assert [one["label"] for one in shown["labels"]] == [label]
            ran = (await there.post("/tools/get_schema/run", {"input": {}})).json()
            assert not ran["is_error"], ran
            assert label in str(ran["result"])


PACK = '''
from bancada import Agent, Pack, tool

CODE = "code_execution_20260120"


def build(services):
    @tool(effect="write", confirm="always", allowed_callers=("direct", CODE))
    async def pagar(valor: int) -> str:
        """Pay."""
        return f"pago {valor}"

    agent = Agent(name="Contas", description="", system_prompt="", tools=("pagar",), code="local")
    return Pack(name="contas", tools=[pagar], agents=[agent])
'''

PROGRAM = """
import duckdb
[(before,)] = duckdb.connect('/data/valores.duckdb', read_only=True).sql('select sum(valor) from valores').fetchall()
said = await pagar(valor=int(before))
[(after,)] = duckdb.connect('/data/valores.duckdb', read_only=True).sql('select count(*) from valores').fetchall()
print(said, after)
"""


def install(folder: Path) -> Path:
    place = folder / "site"
    info = place / "contas-1.0.dist-info"
    info.mkdir(parents=True)
    (place / "contas.py").write_text(PACK)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: contas\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[bancada.packs]\ncontas = contas:build\n")
    return place


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_code_that_waits_on_a_machine_that_dies_goes_on_on_another(
    tmp_path: Path, postgres_url: str
) -> None:
    async with upstream(
        calling("code_execution", "toolu_1", code=PROGRAM), saying("Feito.")
    ) as provider:
        env = {
            "PYTHONPATH": str(install(tmp_path)),
            "ANTHROPIC_BASE_URL": provider.address,
            "ANTHROPIC_API_KEY": "test-key",
            "BANCADA_DATABASE_URL": postgres_url,
            "BANCADA_FILES": "postgres",
        }
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
        async with serving(tmp_path / "one", env=env) as one:
            rui = await one.signs_in("rui")
            await rui.begins("Contas")
            await upload(rui)
            events = await rui.asks("paga a soma")
            assert events[-1].data["status"] == "waiting"
            [asked] = [event.data for event in events if event.type == "confirmation"]
            await one.kill()
        async with serving(tmp_path / "two", env=env) as two:
            there = two.again(rui)
            decided = await there.post(f"/confirmations/{asked['id']}", {"decision": "approve"})
            assert decided.status_code == 200, decided.text
            whole = await there.follows()
            [code] = [event.data for event in whole if event.type == "code"]
            assert (code["return_code"], code["stdout"].strip()) == (0, "pago 42 2"), code
            assert whole[-1].data["status"] == "done"
            paid = [
                event
                for event in whole
                if event.type == "tool_use" and event.data["name"] == "pagar"
            ]
            assert len(paid) == 1
            admin = await two.signs_in("admin")
            assert (await admin.get("/admin/audit/verify")).json()["ok"] is True
