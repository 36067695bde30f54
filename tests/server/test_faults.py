"""Faults of the world around: words for whoever has to do with them, and no restart afterwards."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from sqlalchemy import Connection

from bancada import tool
from bancada.mcp.serving import tasks
from tests.mcp.speaking import TASKS, Speaker, text_of
from tests.server.site import Event, Frames, Reader, Site, served
from tests.server.upstream import Script, cutting, hanging, saying, upstream

HOUR = 3600.0


@pytest.mark.parametrize("fault", [cutting("Está "), hanging("Está ")], ids=["cuts", "hangs"])
async def test_a_provider_that_fails_every_stream_is_told_and_the_turn_goes_on_when_it_is_back(
    folder: Path, fault: Script
) -> None:
    async with upstream(fault) as provider:
        settings = {"anthropic_base_url": provider.address, "anthropic_api_key": "key"}
        quick = {"silence_seconds": 0.3, "retry_attempts": 2}
        async with served(folder, **settings, **quick) as site:
            rui = await site.signs_in("rui")
            await rui.begins()
            told = await rui.asks("Quantos?")
            assert len(provider.requests) == 2
            assert [event.type for event in told if event.type != "text"] == [
                "turn",
                "again",
                "error",
                "done",
            ]
            failure = told[-2].data
            assert failure["retryable"] is True
            assert failure["content"].startswith("O modelo não respondeu")
            assert told[-1].data["status"] == "failed"
            provider.scripts[:] = [saying("Três.")]
            rest = await retried(rui)
            assert rest[-1].data["status"] == "done"
            assert "".join(e.data["content"] for e in rest if e.type == "text") == "Três."


async def retried(reader: Reader) -> list[Event]:
    path = f"/conversations/{reader.conversation}/retry"
    async with reader.client.stream("POST", path) as answer:
        assert answer.status_code == 200
        return [event async for event in Frames(answer)]


async def test_a_clock_that_jumps_by_an_hour_loses_nothing_and_runs_nothing_twice(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, ahead = time.time, [0.0]
    ran: list[str] = []
    go = asyncio.Event()

    @tool(effect="write", background="may", own_shelf=True)
    async def gravar(n: str) -> str:
        """Write, when told."""
        ran.append(n)
        await go.wait()
        return f"gravado {n}"

    async with served(folder) as site:
        monkeypatch.setattr(time, "time", lambda: real() + ahead[0])
        site.bench.gate.clock = lambda: time.time()
        await site.has_tools(gravar)
        rui = await site.signs_in("rui")
        client = Speaker(rui.client, TASKS)
        waits = await rui.post("/tools/createTask/run", {"input": {"title": "Rever"}})
        running = asyncio.create_task(
            rui.post(
                "/tools/gravar/run",
                {"input": {"n": "1"}},
                headers={"Idempotency-Key": "k"},
            )
        )
        task = {"taskId": (await client.calls("gravar", {"n": "2"}))["taskId"]}
        for jump in (HOUR, -HOUR, HOUR):
            ahead[0] += jump
            assert (await client.asks("tasks/get", task))["status"] == "working"
        go.set()
        done = await client.asks("tasks/get", task)
        while done["status"] == "working":
            done = await client.asks("tasks/get", task)
        assert text_of(done["result"]) == "gravado 2"
        assert (await running).json()["result"] == "gravado 1"
        ahead[0] -= 2 * HOUR
        path = f"/confirmations/{waits.json()['confirmation_id']}"
        decided = await rui.post(path, {"decision": "approve"})
        assert decided.json()["result"]["result"]["title"] == "Rever"
        await rui.begins()
        assert (await rui.asks("quantos defeitos há?"))[-1].data["status"] == "done"
        admin = await site.signs_in("admin")
        assert (await admin.get("/admin/audit/verify")).json()["ok"] is True
    assert sorted(ran) == ["1", "2"]
    assert tasks.LOST_SECONDS < HOUR


async def test_a_full_disk_is_told_in_words_and_there_is_no_restart_when_it_has_room(
    site: Site,
) -> None:
    ana = await site.signs_in("ana")
    path = f"/conversations/{await ana.begins()}/messages"
    key = {"headers": {"Idempotency-Key": "k"}}
    await site.bench.database.run(pages_at_most, 1)
    refused = await ana.post(path, {"content": "y" * 30_000}, **key)
    assert refused.status_code == 503
    assert refused.json()["detail"].startswith("O disco do servidor está cheio")
    await site.bench.database.run(pages_at_most, 1_000_000)
    assert (await ana.post(path, {"content": "y" * 30_000}, **key)).status_code == 200
    whole = (await ana.get(f"/conversations/{ana.conversation}")).json()
    assert [one["role"] for one in whole["messages"]] == ["user", "assistant"]
    admin = await site.signs_in("admin")
    assert (await admin.get("/admin/audit/verify")).json()["ok"] is True


def pages_at_most(db: Connection, pages: int) -> None:
    """The database may not grow beyond this, nor beyond what it is: SQLite calls that full."""
    db.exec_driver_sql(f"PRAGMA max_page_count={pages}")
