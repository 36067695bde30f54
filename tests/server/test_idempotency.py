"""`Idempotency-Key`: what is sent twice is done once, also where the process died in between."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, func, null, select, update

from bancada import tool
from bancada.store import confirmations, idempotency
from bancada.store.tables import idempotency_keys, tool_calls
from bancada.tools.tool import Tool
from tests.server.process import install_pack, serving
from tests.server.site import Event, Frames, Reader, Site, on_one, served

CSV = b"linha,valor\nA,1\nB,2\n"


@pytest.fixture
async def rui(site: Site) -> Reader:
    reader = await site.signs_in("rui")
    await reader.begins()
    return reader


def with_key(key: str = "k-1") -> dict[str, Any]:
    return {"headers": {"Idempotency-Key": key}}


async def asked(reader: Reader, content: str, key: str = "k-1") -> list[Event] | httpx.Response:
    path = f"/conversations/{reader.conversation}/messages"
    async with reader.client.stream(
        "POST", path, json={"content": content}, **with_key(key)
    ) as answer:
        if answer.status_code != 200:
            await answer.aread()
            return answer
        return [event async for event in Frames(answer)]


async def uploaded(reader: Reader, content: bytes = CSV, key: str = "k-1") -> httpx.Response:
    return await reader.client.post(
        f"/conversations/{reader.conversation}/upload",
        files={"file": ("peças.csv", content)},
        **with_key(key),
    )


def questions(whole: dict[str, Any]) -> list[str]:
    blocks = [b for m in whole["messages"] if m["role"] == "user" for b in m["content"]]
    return [block["text"] for block in blocks if block["type"] == "text"]


def counting(runs: list[str]) -> Tool:
    @tool(effect="write")
    async def marcar(valor: str) -> dict[str, str]:
        """Mark something."""
        runs.append(valor)
        await asyncio.sleep(0.05)
        return {"marcado": valor}

    return marcar


def dies_before_the_answer_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is done and in the record; nothing after it happens."""

    def dies(*_: Any) -> None:
        monkeypatch.undo()
        raise RuntimeError("the process is gone")

    monkeypatch.setattr(idempotency, "keep", dies)


async def test_a_question_sent_twice_is_asked_once_and_both_read_the_same_turn(
    rui: Reader,
) -> None:
    first = await asked(rui, "quantos defeitos há?")
    second = await asked(rui, "quantos defeitos há?")
    assert isinstance(first, list)
    assert isinstance(second, list)
    assert [(e.id, e.data) for e in first] == [(e.id, e.data) for e in second]
    whole = (await rui.get(f"/conversations/{rui.conversation}")).json()
    assert questions(whole) == ["quantos defeitos há?"]


async def test_a_question_sent_twice_at_once_is_one_turn(rui: Reader) -> None:
    both = await asyncio.gather(*(asked(rui, "quantos defeitos há?") for _ in range(2)))
    ids = [[event.id for event in one] for one in both if isinstance(one, list)]
    assert len(ids) == 2
    assert ids[0] == ids[1]


async def test_the_key_with_another_body_is_422_in_the_persons_language(
    site: Site, rui: Reader
) -> None:
    await asked(rui, "quantos defeitos há?")
    other = await asked(rui, "e ontem?")
    assert isinstance(other, httpx.Response)
    assert other.status_code == 422
    assert other.headers["content-type"] == "application/problem+json"
    assert other.json()["detail"].startswith("Esta Idempotency-Key já veio com outro pedido")
    await rui.patch("/me", {"language": "en"})
    elsewhere = await rui.post("/tools/contar_defeitos/run", {"input": {}}, **with_key())
    assert elsewhere.status_code == 422
    assert elsewhere.json()["detail"].startswith("This Idempotency-Key came with another request")


async def test_keys_are_each_persons_own(site: Site) -> None:
    runs: list[str] = []
    await site.has_tools(counting(runs))
    for person in ("rui", "ana", "rui"):
        reader = await site.signs_in(person)
        body = {"input": {"valor": "x"}, "agent": "Teste"}
        ran = await reader.post("/tools/marcar/run", body, **with_key())
        assert ran.json()["result"] == {"marcado": "x"}
    assert runs == ["x", "x"]


@pytest.mark.parametrize("path", ["/tools/marcar/run", "/admin/tools/marcar/run"])
async def test_a_tool_run_that_is_sent_twice_runs_once(site: Site, path: str) -> None:
    runs: list[str] = []
    await site.has_tools(counting(runs))
    admin = await site.signs_in("admin")
    body = {"input": {"valor": "x"}}
    sent = [admin.post(path, body, **with_key()) for _ in range(3)]
    first, *others = await asyncio.gather(*sent)
    again = await admin.post(path, body, **with_key())
    assert first.json()["result"] == {"marcado": "x"}
    assert {answer.text for answer in (*others, again)} == {first.text}
    assert runs == ["x"]
    await admin.post(path, body, **with_key("k-2"))
    assert runs == ["x", "x"]


async def test_an_upload_that_is_sent_twice_is_one_table(rui: Reader) -> None:
    first, second = await asyncio.gather(uploaded(rui), uploaded(rui))
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    assert (await uploaded(rui, CSV + b"C,3\n")).status_code == 422
    whole = (await rui.get(f"/conversations/{rui.conversation}")).json()
    assert len(whole["datasets"]) == 1


async def test_a_dashboard_that_is_sent_twice_is_made_once_and_holds_each_widget_once(
    site: Site, rui: Reader
) -> None:
    body: dict[str, Any] = {
        "titulo": "Turno",
        "items": [{"type": "kpi", "data": {"widget": "kpi", "titulo": "Um", "valor": 1}}],
    }
    made = [await rui.post("/dashboards", body, **with_key()) for _ in range(2)]
    assert [answer.status_code for answer in made] == [201, 201]
    assert made[0].json() == made[1].json()
    more = {**body, "dashboard_id": made[0].json()["id"]}
    # As after a crash between what was done and its answer: the same claim is worked on again.
    for _ in range(2):
        added = await rui.post("/dashboards", more, **with_key("k-2"))
        assert len(added.json()["items"]) == 2, added.text
        await site.bench.database.run(forget_answers)
    assert len((await rui.get("/dashboards")).json()) == 1


def forget_answers(db: Connection) -> None:
    db.execute(update(idempotency_keys).values(answer=null(), owner="a process that died"))


async def test_a_decision_that_is_sent_twice_counts_once_and_says_the_same(site: Site) -> None:
    rui = await site.signs_in("rui")
    waits = await rui.post("/tools/createTask/run", {"input": {"title": "Rever"}}, **with_key())
    again = await rui.post("/tools/createTask/run", {"input": {"title": "Rever"}}, **with_key())
    assert waits.json()["confirmation_id"] == again.json()["confirmation_id"]
    path = f"/confirmations/{waits.json()['confirmation_id']}"
    first = await rui.post(path, {"decision": "approve"}, **with_key("yes"))
    second = await rui.post(path, {"decision": "approve"}, **with_key("yes"))
    assert (first.status_code, second.json()) == (200, first.json())
    assert first.json()["result"]["result"]["title"] == "Rever"
    assert (await rui.post(path, {"decision": "approve"})).status_code == 409


async def test_a_request_that_was_refused_may_be_mended_under_its_key(rui: Reader) -> None:
    refused = await uploaded(rui, b"\x00\x01")
    assert refused.status_code in (400, 422)
    assert (await uploaded(rui)).status_code == 201


async def test_what_was_done_when_the_process_died_is_found_and_not_done_again(
    site: Site, rui: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []
    await site.has_tools(counting(runs))
    marking = {"input": {"valor": "x"}, "agent": "Teste"}
    task = {"input": {"title": "Rever"}}

    async def decision() -> httpx.Response:
        return await rui.post(path, {"decision": "approve"}, **with_key("yes"))

    async def twice(send: Any) -> Any:
        dies_before_the_answer_is_kept(monkeypatch)
        died = await send()
        assert died.status_code == 500, died.text
        return await send()

    answer = await twice(lambda: rui.post("/tools/marcar/run", marking, **with_key("run")))
    assert (answer.json()["result"], runs) == ({"marcado": "x"}, ["x"])
    answer = await twice(lambda: rui.post("/tools/createTask/run", task, **with_key("task")))
    [waits] = (await rui.get("/confirmations")).json()
    assert answer.json()["confirmation_id"] == waits["id"]
    path = f"/confirmations/{waits['id']}"
    answer = await twice(decision)
    assert answer.json()["result"]["result"]["title"] == "Rever"
    answer = await twice(lambda: uploaded(rui, key="file"))
    whole = (await rui.get(f"/conversations/{rui.conversation}")).json()
    assert [one["id"] for one in whole["datasets"]] == [answer.json()["dataset"]["id"]]
    told = [m for m in whole["messages"] if m["id"] == answer.json()["message_id"]]
    assert told[0]["content"][0]["text"] == answer.json()["summary"]


async def test_a_question_whose_process_died_after_it_was_written_is_not_asked_again(
    rui: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    dies_before_the_answer_is_kept(monkeypatch)
    died = await asked(rui, "quantos defeitos há?")
    assert isinstance(died, httpx.Response)
    assert died.status_code == 500
    events = await asked(rui, "quantos defeitos há?")
    assert isinstance(events, list)
    assert events[-1].data["status"] == "done"
    whole = (await rui.get(f"/conversations/{rui.conversation}")).json()
    assert questions(whole) == ["quantos defeitos há?"]


async def test_killed_during_a_write_the_key_says_unknown_and_it_never_runs_again(
    folder: Path,
) -> None:
    env = {"PYTHONPATH": str(install_pack(folder)), "BANCADA_MODEL": "offline"}
    ran = folder / "data" / "packs" / "provas" / "runs"
    async with serving(folder, env=env) as server:
        admin = await server.signs_in("admin")
        sent = asyncio.create_task(admin.post("/tools/escrever/run", {"input": {}}, **with_key()))
        async with asyncio.timeout(30):
            while not ran.exists():
                await asyncio.sleep(0.02)
        await server.kill()
        await asyncio.wait({sent})
    async with serving(folder, env=env) as server:
        admin = server.again(admin)
        first = await admin.post("/tools/escrever/run", {"input": {}}, **with_key())
        second = await admin.post("/tools/escrever/run", {"input": {}}, **with_key())
    assert (first.json()["code"], first.json()["is_error"]) == ("unknown", True)
    assert first.json() == second.json()
    assert ran.read_text().split() == ["escrever"]


async def test_what_was_approved_when_the_process_died_runs_at_the_next_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(folder) as site:
        rui = await site.signs_in("rui")
        waits = await rui.post("/tools/createTask/run", {"input": {"title": "Rever"}})
        path = f"/confirmations/{waits.json()['confirmation_id']}"
        with monkeypatch.context() as dying:

            def dies(*_: Any) -> None:
                raise RuntimeError("the process is gone")

            dying.setattr(site.bench.gate, "call", dies)
            assert (await rui.post(path, {"decision": "approve"})).status_code == 500
        assert await site.bench.database.read(confirmations.unfinished)
    async with served(folder) as site:
        rui = await site.signs_in("rui")
        async with asyncio.timeout(10):
            while (found := (await rui.get(path)).json())["result"] is None:
                await asyncio.sleep(0.02)
    assert found["result"]["result"]["title"] == "Rever"


async def test_a_key_that_comes_again_after_its_day_is_a_new_one_and_leaves_nothing_behind(
    site: Site,
) -> None:
    runs: list[str] = []
    await site.has_tools(counting(runs))
    admin = await site.signs_in("admin")

    def a_day_passes(db: Any) -> None:
        at = idempotency_keys.c.created_at
        db.execute(update(idempotency_keys).values({at: at - idempotency.KEPT_SECONDS}))

    def kept(db: Any) -> int:
        mine = tool_calls.c.owner_id.startswith(idempotency.CALLS)
        return int(db.execute(select(func.count()).select_from(tool_calls).where(mine)).scalar())

    for value in ("x", "y"):
        ran = await admin.post("/tools/marcar/run", {"input": {"valor": value}}, **with_key())
        assert ran.json()["result"] == {"marcado": value}
        assert await site.bench.database.read(kept) == 1
        await site.bench.database.run(a_day_passes)
    assert runs == ["x", "y"]


async def test_while_another_process_is_at_it_the_answer_is_409_and_when_to_come_back(
    tmp_path: Path, postgres_url: str
) -> None:
    begun, go = asyncio.Event(), asyncio.Event()
    runs: list[str] = []

    @tool(effect="write")
    async def marcar() -> str:
        """Mark something, when told."""
        runs.append("x")
        begun.set()
        await go.wait()
        return "marcado"

    shared = on_one(postgres_url)
    async with (
        served(tmp_path / "a", **shared) as one,
        served(tmp_path / "b", **shared) as other,
    ):
        await one.has_tools(marcar)
        other.bench.registry.add(marcar)
        admin = await one.signs_in("admin")
        token = admin.client.headers["authorization"].removeprefix("Bearer ")
        elsewhere = other.with_token(token, "admin")
        first = asyncio.create_task(admin.post("/tools/marcar/run", {}, **with_key()))
        await begun.wait()
        busy = await elsewhere.post("/tools/marcar/run", {}, **with_key())
        assert busy.status_code == 409
        assert int(busy.headers["retry-after"]) > 0
        go.set()
        done = await elsewhere.post("/tools/marcar/run", {}, **with_key())
        while done.status_code == 409:
            await asyncio.sleep(0.05)
            done = await elsewhere.post("/tools/marcar/run", {}, **with_key())
        assert done.json() == (await first).json()
        assert runs == ["x"]
