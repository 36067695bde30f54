"""Kill −9 in the middle of a turn, through a real `bancada serve`: after a restart it goes on by itself."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.server.process import Served, install_pack, serving
from tests.server.site import Event, Reader, text_shown
from tests.server.upstream import Upstream, calling, hanging, saying, upstream

ANSWER = ("Está ", "tudo ", "feito.")


def env_for(folder: Path, provider: Upstream) -> dict[str, str]:
    return {
        "PYTHONPATH": str(install_pack(folder)),
        "ANTHROPIC_BASE_URL": provider.address,
        "ANTHROPIC_API_KEY": "test-key",
    }


async def begin(server: Served) -> Reader:
    rui = await server.signs_in("rui")
    await rui.begins("Provas")
    return rui


async def read_until(reader: Reader, type: str, many: int = 1) -> list[Event]:
    """Ask, and read until so many events of that type have come."""
    told: list[Event] = []
    async with reader.asking("faz") as frames:
        async for event in frames:
            told.append(event)
            if sum(each.type == type for each in told) == many:
                return told
    raise AssertionError([event.data for event in told])


def runs(folder: Path) -> list[str]:
    path = folder / "data" / "packs" / "provas" / "runs"
    return path.read_text().split() if path.exists() else []


async def wait_for_run(folder: Path, name: str) -> None:
    async with asyncio.timeout(30):
        while name not in runs(folder):
            await asyncio.sleep(0.02)


def let_tools_end(folder: Path) -> None:
    (folder / "data" / "packs" / "provas" / "go").touch()


async def is_exactly_the_rest(reader: Reader, told: list[Event]) -> list[Event]:
    """What a reader with its last event id gets; joined, it is the whole that a new reader gets."""
    rest = await reader.follows(told[-1].id)
    seen = {event.id for event in told}
    assert not seen & {event.id for event in rest}
    assert [event.n for event in rest] == sorted(event.n for event in rest)
    assert rest[0].n > told[-1].n
    whole = await reader.follows()
    assert [e.id for e in whole if e.n > told[-1].n] == [e.id for e in rest]
    # What was stored is replayed as it was told.
    by_id = {event.id: event.data for event in told}
    assert all(by_id[e.id] == e.data for e in whole if e.id in by_id)
    return rest


async def test_killed_during_a_reply_it_is_asked_again(folder: Path) -> None:
    async with upstream(hanging("Está ", "quase "), saying(*ANSWER)) as provider:
        env = env_for(folder, provider)
        async with serving(folder, env=env) as server:
            rui = await begin(server)
            told = await read_until(rui, "text", 2)
            await server.kill()
        async with serving(folder, env=env) as server:
            rest = await is_exactly_the_rest(server.again(rui), told)
        assert rest[0].type == "again"
        assert rest[-1].data["status"] == "done"
        assert text_shown([*told, *rest]) == "".join(ANSWER)
        assert len(provider.requests) == 2
        assert provider.requests[0]["messages"] == provider.requests[1]["messages"]


async def test_killed_during_a_read_it_runs_again_and_what_was_finished_does_not(
    folder: Path,
) -> None:
    steps = (calling("pronta", "toolu_1"), calling("ler", "toolu_2"), saying(*ANSWER))
    async with upstream(*steps) as provider:
        env = env_for(folder, provider)
        async with serving(folder, env=env) as server:
            rui = await begin(server)
            told = await read_until(rui, "tool_start", 2)
            await wait_for_run(folder, "ler")
            await server.kill()
        let_tools_end(folder)
        async with serving(folder, env=env) as server:
            rest = await is_exactly_the_rest(server.again(rui), told)
        assert runs(folder) == ["pronta", "ler", "ler"]
        assert "again" not in [event.type for event in rest]
        used = next(event for event in rest if event.type == "tool_use")
        assert (used.data["id"], used.data["result"]) == ("toolu_2", "lido")
        assert text_shown([*told, *rest]) == "".join(ANSWER)
        assert len(provider.requests) == 3


async def test_killed_during_a_write_it_is_reported_as_unknown_and_never_runs_again(
    folder: Path,
) -> None:
    async with upstream(calling("escrever", "toolu_1"), saying(*ANSWER)) as provider:
        env = env_for(folder, provider)
        async with serving(folder, env=env) as server:
            rui = await begin(server)
            told = await read_until(rui, "tool_start")
            await wait_for_run(folder, "escrever")
            await server.kill()
        let_tools_end(folder)
        async with serving(folder, env=env) as server:
            again = server.again(rui)
            rest = await is_exactly_the_rest(again, told)
            admin = await server.signs_in("admin")
            audit = (await admin.get("/admin/audit?outcome=unknown")).json()
            verdict = (await admin.get("/admin/audit/verify")).json()
        assert runs(folder) == ["escrever"]
        used = next(event for event in rest if event.type == "tool_use")
        assert used.data["is_error"] is True
        assert "may or may not have happened" in used.data["result"]
        answered = provider.requests[1]["messages"][-1]["content"][0]
        assert answered["is_error"] is True
        assert [line["tool"] for line in audit["entries"]] == ["escrever"]
        assert verdict["ok"] is True
        assert rest[-1].data["status"] == "done"


async def test_killed_between_a_result_and_the_next_reply_nothing_is_lost(folder: Path) -> None:
    async with upstream(calling("pronta", "toolu_1"), hanging(), saying(*ANSWER)) as provider:
        env = env_for(folder, provider)
        async with serving(folder, env=env) as server:
            rui = await begin(server)
            told = await read_until(rui, "tool_use")
            async with asyncio.timeout(30):
                await provider.arrived.acquire()
                await provider.arrived.acquire()
            await server.kill()
        async with serving(folder, env=env) as server:
            rest = await is_exactly_the_rest(server.again(rui), told)
        assert runs(folder) == ["pronta"]
        assert text_shown([*told, *rest]) == "".join(ANSWER)
        assert provider.requests[1]["messages"] == provider.requests[2]["messages"]


async def test_told_to_stop_it_ends_soon_and_goes_on_at_the_next_start(folder: Path) -> None:
    async with upstream(hanging("Está ", "quase "), saying(*ANSWER)) as provider:
        env = env_for(folder, provider)
        async with serving(folder, env=env) as server:
            rui = await begin(server)
            told: list[Event] = []
            async with rui.asking("faz") as frames:
                async for event in frames:
                    told.append(event)
                    if [each.type for each in told].count("text") == 2:
                        ended = asyncio.create_task(server.terminate())
            # The stream ended without an end of the turn: the reader knows that more will come.
            assert told[-1].type == "text"
            assert await ended == 0
        async with serving(folder, env=env) as server:
            rest = await is_exactly_the_rest(server.again(rui), told)
        assert text_shown([*told, *rest]) == "".join(ANSWER)


@pytest.mark.long
@pytest.mark.parametrize("kills", [3])
async def test_killed_again_and_again_numbers_only_grow(folder: Path, kills: int) -> None:
    replies = [hanging("Está ", f"{n} ") for n in range(kills)]
    async with upstream(*replies, saying(*ANSWER)) as provider:
        env = env_for(folder, provider)
        seen: list[Event] = []
        rui: Reader | None = None
        for _ in range(kills):
            async with serving(folder, env=env) as server:
                if rui is None:
                    rui = await begin(server)
                    seen = await read_until(rui, "text", 2)
                else:
                    async with server.again(rui).following(seen[-1].id) as frames:
                        new = 0
                        async for event in frames:
                            seen.append(event)
                            new += event.type == "text"
                            if new == 2:
                                break
                await server.kill()
        assert rui is not None
        async with serving(folder, env=env) as server:
            seen += await server.again(rui).follows(seen[-1].id)
        assert text_shown(seen) == "".join(ANSWER)
        assert [event.n for event in seen] == sorted({event.n for event in seen})
