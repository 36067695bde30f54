"""Streams: cut anywhere and resumed, read by several, refused and ended as the contract says."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from bancada.server import sse
from bancada.store import people
from bancada.testing import Hold, ModelFailed, ScriptedModel, calls, calls_many, fails, says
from bancada.tools.tool import ToolContext, tool
from tests.server.site import Event, Reader, Site, served

LONG = "Uma resposta com várias palavras, para que haja onde cortar."


def script() -> list[Any]:
    """A turn with everything in it: words, thinking, two tools at once, words again."""
    return [
        calls_many(("contar_defeitos", {}), ("top_defeitos", {"n": 1})).saying("Vou ver. "),
        says(LONG).thinking("Então são estes."),
    ]


def same(one: list[Event], other: list[Event]) -> bool:
    return [(e.id, e.data) for e in one] == [(e.id, e.data) for e in other]


async def reader(site: Site, agent: str = "Qualidade") -> Reader:
    rui = await site.signs_in("rui")
    await rui.begins(agent)
    return rui


# ---------------------------------------------------------------------------- cutting and resuming


async def test_a_finished_turn_resumed_after_any_event_gives_exactly_the_rest(
    folder: Path,
) -> None:
    async with served(folder, model=ScriptedModel(script())) as site:
        rui = await reader(site)
        whole = await rui.asks("quantos?")
        assert [e.type for e in whole][:2] == ["turn", "text"]
        assert whole[-1].data["status"] == "done"
        assert same(await rui.follows(), whole)
        for at, seen in enumerate(whole[:-1]):
            assert same(await rui.follows(seen.id), whole[at + 1 :])


async def test_a_running_turn_cut_at_every_event_and_resumed_misses_and_repeats_nothing(
    folder: Path,
) -> None:
    gate = Hold()
    async with served(folder, model=ScriptedModel(script(), gate=gate)) as site:
        rui = await reader(site)
        pieced: list[Event] = []
        # Each connection reads one event and is dropped, while the model waits for the next piece.
        gate.let(1)
        async with rui.asking("quantos?") as frames:
            pieced.append(await frames.next())
        while pieced[-1].type != "done":
            gate.let(1)
            async with rui.following(pieced[-1].id) as frames:
                pieced.append(await frames.next())
        assert same(pieced, await rui.follows())
        assert "".join(e.data["content"] for e in pieced if e.type == "text") == f"Vou ver. {LONG}"
        assert [e.n for e in pieced] == sorted({e.n for e in pieced})


async def test_several_readers_of_one_turn_all_get_all_of_it(folder: Path) -> None:
    gate = Hold()
    async with served(folder, model=ScriptedModel(script(), gate=gate)) as site:
        rui = await reader(site)

        async def late(events: int) -> list[Event]:
            """Come when some events have been told already."""
            async with rui.following() as frames:
                return [event async for event in frames]

        asked = asyncio.create_task(rui.asks("quantos?"))
        await gate.arrived()
        readers = [asyncio.create_task(late(n)) for n in range(3)]
        gate.let(2)
        await gate.arrived()
        readers.append(asyncio.create_task(late(3)))
        gate.open()
        whole = await asked
        for found in await asyncio.gather(*readers):
            assert same(found, whole)


async def test_a_reader_that_goes_away_changes_nothing(folder: Path) -> None:
    gate = Hold()
    async with served(folder, model=ScriptedModel(script(), gate=gate)) as site:
        rui = await reader(site)
        gate.let(1)
        async with rui.asking("quantos?") as frames:
            first = await frames.next()
        gate.open()
        rest = await rui.follows(first.id)
        assert rest[-1].data["status"] == "done"
        assert same([first, *rest], await rui.follows())


async def test_a_waiting_turn_closes_with_waiting_and_its_replay_shows_one_end(
    folder: Path,
) -> None:
    @tool(effect="write", confirm="always")
    async def gravar(ctx: ToolContext, nota: str) -> str:
        """Keep a note."""
        return f"gravado: {nota}"

    model = ScriptedModel([calls("gravar", nota="a"), says("Feito.")])
    async with served(folder, model=model) as site:
        await site.has_tools(gravar)
        rui = await reader(site, "Teste")
        told = await rui.asks("grava")
        assert told[-1].data == {**told[-1].data, "type": "done", "status": "waiting"}
        assert told[-1].id is None
        waits = next(e for e in told if e.type == "confirmation")
        last = told[-2].id
        # Nothing is left above the confirmation while it waits, but whoever asks is told so.
        decided = await rui.post(f"/confirmations/{waits.data['id']}", {"decision": "approve"})
        assert decided.status_code == 200
        rest = await rui.follows(last)
        assert [e.type for e in rest][:3] == ["decision", "tool_start", "tool_use"]
        replay = await rui.follows()
        assert same(replay, [*told[:-1], *rest])
        assert [e.data["status"] for e in replay if e.type == "done"] == ["done"]


async def test_nothing_left_is_204_and_an_unknown_turn_404(site: Site) -> None:
    rui = await reader(site)
    path = f"/conversations/{rui.conversation}/events"
    assert (await rui.get(path)).status_code == 204
    whole = await rui.asks("quantos defeitos?")
    assert (await rui.get(path, headers={"Last-Event-ID": str(whole[-1].id)})).status_code == 204
    unknown = await rui.get(path, headers={"Last-Event-ID": "t0123456789abcdef-3"})
    assert unknown.status_code == 404
    # What cannot be read as an id counts as none: a browser may send its own.
    for odd in ("", "17", "t-1", "x" * 90):
        assert same(await rui.follows(odd), whole)
    other = await site.signs_in("rui")
    await other.begins()
    answer = await other.get(
        f"/conversations/{other.conversation}/events",
        headers={"Last-Event-ID": str(whole[0].id)},
    )
    assert answer.status_code == 404


async def test_a_second_question_while_one_runs_is_refused(folder: Path) -> None:
    gate = Hold()
    async with served(folder, model=ScriptedModel([says(LONG), says("2")], gate=gate)) as site:
        rui = await reader(site)
        gate.let(1)
        async with rui.asking("um") as frames:
            await frames.next()
            path = f"/conversations/{rui.conversation}"
            for refused in (
                await rui.post(f"{path}/messages", {"content": "dois"}),
                await rui.post(f"{path}/retry"),
            ):
                assert refused.status_code == 409
                assert refused.headers["content-type"] == "application/problem+json"
            gate.open()
            rest = [event async for event in frames]
        assert rest[-1].data["status"] == "done"
        assert (await rui.post(f"{path}/stop")).status_code == 409


async def test_stop_ends_the_stream_and_retry_goes_on_above_it(folder: Path) -> None:
    gate = Hold()
    model = ScriptedModel([says(LONG), says("Outra vez, inteira.")], gate=gate)
    async with served(folder, model=model) as site:
        rui = await reader(site)
        gate.let(3)
        asked = asyncio.create_task(rui.asks("um"))
        await gate.arrived()
        stopped = await rui.post(f"/conversations/{rui.conversation}/stop")
        assert stopped.json() == {"status": "stopped"}
        told = await asked
        assert told[-1].data["status"] == "stopped"
        gate.open()
        async with rui.client.stream(
            "POST", f"/conversations/{rui.conversation}/retry"
        ) as response:
            text = (await response.aread()).decode()
        assert f"id: {told[-1].id}\n" not in text
        assert "inteira." in text
        replayed = await rui.follows()
        numbers = [e.n for e in replayed]
        assert numbers == sorted(set(numbers))
        assert min(n for n in numbers if n not in {e.n for e in told}) > told[-1].n
        assert [e.data["status"] for e in replayed if e.type == "done"] == ["done"]
        rest = await rui.follows(told[-1].id)
        # It goes on after what was said; nothing of that is taken back.
        assert "again" not in [e.type for e in rest]
        assert rest[0].type == "text"
        assert rest == replayed[-len(rest) :]


async def test_a_failed_reply_shows_again_and_the_words_of_the_error(folder: Path) -> None:
    overloaded = ModelFailed("overloaded", "529", retryable=True)
    async with served(folder, model=ScriptedModel([fails(overloaded, after="Ol")])) as site:
        rui = await reader(site)
        told = await rui.asks("um")
        error = next(e for e in told if e.type == "error")
        assert error.data["code"] == "overloaded"
        assert error.data["retryable"] is True
        assert "modelo" in error.data["content"]
        assert told[-1].data["status"] == "failed"


# ---------------------------------------------------------------------------- the connection


async def test_streams_are_not_buffered_compressed_or_stored(site: Site) -> None:
    rui = await reader(site)
    async with rui.client.stream(
        "POST",
        f"/conversations/{rui.conversation}/messages",
        json={"content": "olá"},
        headers={"Accept-Encoding": "gzip"},
    ) as response:
        await response.aread()
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-cache, no-store, no-transform"
    assert response.headers["x-accel-buffering"] == "no"
    assert response.headers.get("content-encoding", "identity") == "identity"


async def test_a_silent_stream_is_kept_alive(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "KEEP_ALIVE_SECONDS", 0.05)
    gate = Hold()
    async with served(folder, model=ScriptedModel([says("a b")], gate=gate)) as site:
        rui = await reader(site)
        async with rui.client.stream(
            "POST", f"/conversations/{rui.conversation}/messages", json={"content": "x"}
        ) as response:
            seen = ""
            async for text in response.aiter_text():
                seen += text
                if seen.count(": keep-alive\n\n") == 3:
                    gate.open()
            assert '"status":"done"' in seen


async def _access_ends(site: Site, frames: Any, admin: Reader, change: dict[str, Any]) -> None:
    changed = await admin.patch("/admin/users/2", change)
    assert changed.status_code == 200, changed.text
    left = [event async for event in frames]
    assert "done" not in [event.type for event in left]


async def test_a_disabled_person_loses_a_running_stream_at_once(folder: Path) -> None:
    gate = Hold()
    async with served(folder, model=ScriptedModel([says(LONG)], gate=gate)) as site:
        admin, rui = await site.signs_in("admin"), await reader(site)
        gate.let(2)
        async with rui.asking("um") as frames:
            while (await frames.next()).type != "text":
                pass
            async with asyncio.timeout(5):
                await _access_ends(site, frames, admin, {"is_active": False})
        answer = await rui.get("/me")
        assert answer.status_code == 401
        gate.open()


def test_news_of_a_person_wakes_only_what_shows_news() -> None:
    class Open:
        def __init__(self, *, reads_news: bool) -> None:
            self.reads_news = reads_news
            self.looked = 0

        def look_again(self) -> None:
            self.looked += 1

        def end(self) -> None: ...

    readers = sse.Readers()
    turn, page, anothers = Open(reads_news=False), Open(reads_news=True), Open(reads_news=True)
    with readers.reading(7, turn), readers.reading(7, page), readers.reading(8, anothers):
        readers.heard("+7")  # there is something to read
        assert [turn.looked, page.looked, anothers.looked] == [0, 1, 0]
        readers.heard("7")  # the account changed
        assert [turn.looked, page.looked, anothers.looked] == [1, 2, 0]
        readers.heard(None)  # something may have been missed
        assert [turn.looked, page.looked, anothers.looked] == [2, 3, 1]


async def test_a_person_disabled_behind_our_back_loses_it_at_the_next_event_or_keep_alive(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "KEEP_ALIVE_SECONDS", 0.05)
    gate = Hold()
    async with served(folder, model=ScriptedModel([says(LONG)], gate=gate)) as site:
        rui = await reader(site)
        gate.let(2)
        async with rui.asking("um") as frames:
            await frames.next()
            await site.bench.database.run(lambda db: people.change_person(db, 2, is_active=False))
            async with asyncio.timeout(5):
                left = [event async for event in frames]
        assert "done" not in [event.type for event in left]
        gate.open()


async def test_a_demoted_person_loses_the_tool_and_the_sign_in(folder: Path) -> None:
    gate = Hold()
    model = ScriptedModel(
        [calls("run_query", query="MATCH (n) RETURN n"), says("Não posso.")], gate=gate
    )
    async with served(folder, model=model) as site:
        admin, rui = await site.signs_in("admin"), await reader(site, "Ativos")
        asked = asyncio.create_task(rui.asks("um"))
        await gate.arrived()
        await admin.patch("/admin/users/2", {"role": "operador"})
        gate.open()
        await asked
        assert (await rui.get("/me")).status_code == 401
        again = await site.signs_in("rui")
        again.conversation = rui.conversation
        told = await again.follows()
        used = next(e for e in told if e.type == "tool_use")
        assert used.data["is_error"] is True
        assert "operador" in used.data["result"]
        assert told[-1].data["status"] == "done"


# ---------------------------------------------------------------------------- bad readers


async def _raw(site: Site, size: int = 4096) -> socket.socket:
    """A connection whose reading is ours to do, with little room in the kernel."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", site.port))
    return raw


async def test_readers_that_never_read_read_slowly_or_vanish_hold_up_nobody(
    folder: Path,
) -> None:
    gate = Hold()
    words = " ".join(f"palavra{n:05d}" for n in range(20_000))
    async with served(folder, model=ScriptedModel([says(words)], gate=gate)) as site:
        rui = await reader(site)
        loop = asyncio.get_running_loop()
        gate.let(1)
        async with rui.asking("um") as frames:
            first = await frames.next()
            request = (
                f"GET /conversations/{rui.conversation}/events HTTP/1.1\r\nHost: x\r\n"
                f"Authorization: {rui.client.headers['authorization']}\r\n\r\n"
            ).encode()
            never, slow, gone = [await _raw(site) for _ in range(3)]
            for raw in (never, slow, gone):
                await loop.sock_sendall(raw, request)
            assert await loop.sock_recv(gone, 10)
            gone.close()

            async def drip() -> None:
                while await loop.sock_recv(slow, 1):
                    await asyncio.sleep(0.01)

            dripping = asyncio.create_task(drip())
            gate.open()
            async with asyncio.timeout(60):
                rest = [event async for event in frames]
            assert rest[-1].data["status"] == "done"
            told = "".join(e.data["content"] for e in rest if e.type == "text")
            assert told == words
            assert first.type == "turn"
            # What waits for the two that do not read is one list, not a copy for each.
            waiting = [transport.get_write_buffer_size() for transport in _server_transports(site)]
            assert max(waiting, default=0) < 1_000_000
            dripping.cancel()
            never.close()
            slow.close()


def _server_transports(site: Site) -> list[asyncio.Transport]:
    return [connection.transport for connection in site.server.server_state.connections]


async def test_a_hundred_streams_at_once_are_each_whole(folder: Path) -> None:
    class Slowly:
        """Everybody's answer at once, a word every few milliseconds."""

        name = "slow"

        async def stream(self, request: Any) -> Any:
            async for event in ScriptedModel([says(LONG)]).stream(request):
                await asyncio.sleep(0.005)
                yield event

    async with served(folder, model=Slowly(), max_turns_per_person=100) as site:
        rui = await site.signs_in("rui")
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(
            base_url=site.address, headers=rui.client.headers, limits=limits, timeout=60
        ) as client:

            async def one() -> list[Event]:
                each = Reader(client, "rui")
                await each.begins()
                return await each.asks("um")

            found = await asyncio.gather(*(one() for _ in range(100)))
        for events in found:
            assert "".join(e.data["content"] for e in events if e.type == "text") == LONG
            assert events[-1].data["status"] == "done"
