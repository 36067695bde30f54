"""Three processes on one Postgres: any of them takes a question, runs it, and tells how it goes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import httpx
import psutil
import pytest

from tests.server.cluster import Cluster, asks_until_done, cluster, port_of
from tests.server.process import run_bancada, serving
from tests.server.site import Event, Reader, text_shown
from tests.server.test_crashes import runs
from tests.server.upstream import Script, Stream, upstream

ANSWER = ("Está ", "tudo ", "feito.")

pytestmark = pytest.mark.timeout(600)  # several servers start, each of which takes its time


def working(released: asyncio.Event) -> Script:
    """Call a tool that takes its time, or speak slowly; then answer."""

    async def script(stream: Stream) -> None:
        last = stream.request["messages"][-1]["content"]
        if isinstance(last, list) and any(block["type"] == "tool_result" for block in last):
            await stream.text(*ANSWER)
            await stream.end()
        elif "ferramenta" in str(last):
            await stream.tool("ler", {}, "toolu_1")
            await stream.end("tool_use")
        else:
            await stream.text(*ANSWER, then=released)
            await stream.end()

    return script


async def asked(site: Cluster, many: int) -> tuple[list[list[Event]], list[asyncio.Task[None]]]:
    """So many turns under way, half of them in a tool and half in a reply."""
    rui = await site.signs_in("rui")
    told: list[list[Event]] = [[] for _ in range(many)]
    asking = []
    for n, events in enumerate(told):
        reader = site.another(rui)
        await reader.begins("Provas")
        content = "com ferramenta" if n % 2 else "sem"
        asking.append(asyncio.create_task(asks_until_done(reader, content, events, f"key-{n}")))
    async with asyncio.timeout(60):
        while not all(
            [event.type for event in events].count("tool_start" if n % 2 else "text")
            for n, events in enumerate(told)
        ):
            await asyncio.sleep(0.05)
    return told, asking


def are_whole(told: list[list[Event]]) -> None:
    for events in told:
        assert events[-1].data["status"] == "done"
        assert text_shown(events) == "".join(ANSWER)
        numbers = [event.n for event in events]
        assert numbers == sorted(set(numbers))


async def survive_a_kill(folder: Path, database_url: str, many: int, **env: str) -> None:
    released = asyncio.Event()
    async with upstream(working(released)) as provider:
        async with cluster(folder, database_url, provider, 3, **env) as site:
            told, asking = await asked(site, many)
            await site.killed(site.servers[0])
            released.set()
            (folder / "data" / "packs" / "provas" / "go").touch()
            async with asyncio.timeout(30 + many):
                await asyncio.gather(*asking)
            admin = await site.signs_in("admin")
            verdict = (await admin.get("/admin/audit/verify")).json()
        assert verdict["ok"] is True
        are_whole(told)
        # What the killed one was reading was read again; nothing else was.
        assert many // 2 <= len(runs(folder)) < many
        again = sum(any(event.type == "again" for event in events) for events in told)
        assert 0 < again < many


async def test_one_of_three_is_killed_and_every_turn_goes_on(
    tmp_path: Path, postgres_url: str
) -> None:
    await survive_a_kill(tmp_path, postgres_url, 6)


@pytest.mark.long
async def test_one_of_three_is_killed_under_a_hundred_turns(
    tmp_path: Path, postgres_url: str
) -> None:
    await survive_a_kill(tmp_path, postgres_url, 100)


@pytest.mark.long
@pytest.mark.parametrize("runner", ["local", "cluster"])
async def test_a_rolling_restart_under_load_loses_nothing(
    tmp_path: Path, postgres_url: str, runner: str
) -> None:
    released = asyncio.Event()
    released.set()
    over = asyncio.Event()
    told: list[list[Event]] = []
    async with (
        upstream(working(released)) as provider,
        cluster(tmp_path, postgres_url, provider, 3, BANCADA_RUNNER=runner) as site,
    ):
        (tmp_path / "data" / "packs" / "provas" / "go").touch()
        rui = await site.signs_in("rui")

        async def asker(number: int) -> None:
            at = 0
            while not over.is_set():
                reader = site.another(rui)
                await begun(reader)
                events: list[Event] = []
                told.append(events)
                content = "com ferramenta" if at % 2 else "sem"
                await asks_until_done(reader, content, events, f"key-{number}-{at}")
                at += 1

        asking = [asyncio.create_task(asker(number)) for number in range(6)]
        for server in list(site.servers):
            site.proxy.ports.remove(port_of(server))  # told by /ready, in life
            assert await server.terminate() == 0
            site.servers.remove(server)
            await site.starts()
        over.set()
        async with asyncio.timeout(60):
            await asyncio.gather(*asking)
    assert len(told) >= 12
    are_whole(told)


@pytest.mark.long
async def test_the_queue_of_a_cluster_brings_a_killed_ones_turns_to_the_others(
    tmp_path: Path, postgres_url: str
) -> None:
    await survive_a_kill(tmp_path, postgres_url, 12, BANCADA_RUNNER="cluster")


async def begun(reader: Reader) -> None:
    while not reader.conversation:
        try:
            await reader.begins("Provas")
        except httpx.TransportError:
            await asyncio.sleep(0.05)


async def taken_from_the_queue(database_url: str) -> list[str]:
    """How the turns that a queue handed out ended, as the library says it."""
    connection = await asyncpg.connect(database_url)
    try:
        while "PENDING" in (
            found := [
                row["status"]
                for row in await connection.fetch("SELECT status FROM dbos.workflow_status")
            ]
        ):
            await asyncio.sleep(0.05)
        return found
    finally:
        await connection.close()


async def test_workers_share_a_port_and_a_queue_and_one_that_dies_is_started_again(
    tmp_path: Path, postgres_url: str
) -> None:
    env = {
        "BANCADA_RUNNER": "cluster",
        "BANCADA_DATABASE_URL": postgres_url,
        "BANCADA_PACKS": "tables,quality",
        "BANCADA_SANDBOX_TIER": "none",
        "BANCADA_MODEL": "offline",
    }
    async with serving(tmp_path, "--workers", "2", env=env) as server:
        parent = psutil.Process(server.process.pid)
        async with asyncio.timeout(60):
            while len(parent.children()) < 2:
                await asyncio.sleep(0.05)
            rui = await server.signs_in("rui")
            first, second = (child.pid for child in parent.children())
            psutil.Process(first).kill()
            rui = server.again(rui)
            await rui.begins()
            assert (await rui.asks("olá"))[-1].data["status"] == "done"
            assert await taken_from_the_queue(postgres_url) == ["SUCCESS"]
            while len(alive := {child.pid for child in parent.children()} - {first}) < 2:
                await asyncio.sleep(0.05)
        assert second in alive
        assert await server.terminate() == 0
        assert not any(psutil.pid_exists(pid) for pid in alive)


async def test_several_workers_on_sqlite_are_refused_in_a_sentence(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    status, said = await run_bancada("serve", "--workers", "2", "--data", data)
    assert status == 2
    assert "--workers 2 needs Postgres" in said
    assert "Traceback" not in said
    env = {"BANCADA_RUNNER": "cluster"}
    status, said = await run_bancada("serve", "--data", data, "--port", "0", env=env)
    assert status == 2
    assert "BANCADA_RUNNER=cluster needs Postgres" in said
