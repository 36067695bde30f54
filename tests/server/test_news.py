"""`GET /me/events`: what waits and how turns are getting on, told to whom it concerns, once, in order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import update

from bancada.server import newsstream
from bancada.store import confirmations as stored
from bancada.store.tables import confirmations, news
from tests.server.site import Event, Frames, Reader, Site, on_one, served

CONFIRMED = {"confirmation": {"approver_role": "admin"}}


@asynccontextmanager
async def hearing(reader: Reader, last: str | None = None) -> AsyncIterator[Frames]:
    headers = {} if last is None else {"Last-Event-ID": last}
    async with reader.client.stream("GET", "/me/events", headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield Frames(answer)


async def next_of(frames: Frames, type: str) -> Event:
    async with asyncio.timeout(10):
        while True:
            event = await frames.next()
            if event.type == type:
                return event


async def asks_an_admin(site: Site, reader: Reader) -> str:
    """A call of theirs that waits for an administrator's word; its confirmation."""
    admin = await site.signs_in("admin")
    changed = await admin.patch("/admin/tools/createTask", CONFIRMED)
    assert changed.status_code == 200, changed.text
    ran = await reader.post("/tools/createTask/run", {"input": {"title": "Rever"}})
    id: str = ran.json()["confirmation_id"]
    return id


async def test_a_turn_is_told_from_its_start_to_its_end(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins()
    async with hearing(rui) as frames:
        first = await frames.next()
        assert (first.type, first.data["complete"]) == ("here", False)
        await rui.asks("quantos defeitos há?")
        told = [await next_of(frames, "turn") for _ in range(2)]
    assert [event.data["status"] for event in told] == ["running", "done"]
    assert {event.data["conversation_id"] for event in told} == {rui.conversation}


async def test_who_comes_back_hears_exactly_the_rest(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins()
    async with hearing(rui) as frames:
        await frames.next()
        await rui.asks("quantos defeitos há?")
        seen = await next_of(frames, "turn")
    await rui.asks("e por turno?")
    async with hearing(rui, seen.id) as frames:
        here = await frames.next()
        rest = [await frames.next() for _ in range(3)]
    assert (here.id, here.data["complete"]) == (seen.id, True)
    assert [int(event.id or 0) for event in rest] == [int(seen.id or 0) + n for n in (1, 2, 3)]
    assert [event.data["status"] for event in rest] == ["done", "running", "done"]


async def test_who_was_away_too_long_is_told_to_look_for_themselves(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins()
    await rui.asks("quantos defeitos há?")
    await rui.asks("e por turno?")
    await site.bench.database.run(lambda db: db.execute(news.delete().where(news.c.number < 3)))
    for last in ("1", "99", "no number"):
        async with hearing(rui, last) as frames:
            here = await frames.next()
            assert (here.id, here.data["complete"]) == ("4", False)


async def test_approvals_are_told_to_who_asked_and_who_decides_and_to_nobody_else(
    site: Site,
) -> None:
    rui, ana = await site.signs_in("rui"), await site.signs_in("ana")
    admin = await site.signs_in("admin")
    async with hearing(rui) as his, hearing(ana) as hers, hearing(admin) as admins:
        for frames in (his, hers, admins):
            await frames.next()
        id = await asks_an_admin(site, rui)
        for frames in (his, admins):
            asked = await next_of(frames, "approval")
            assert (asked.data["id"], asked.data["status"]) == (id, "asked")
        assert (await admin.post(f"/confirmations/{id}", {"decision": "reject"})).status_code == 200
        for frames in (his, admins):
            assert (await next_of(frames, "approval")).data["status"] == "rejected"
        await ana.begins()
        await ana.asks("quantos defeitos há?")
        assert (await hers.next()).type == "turn"


async def test_what_nobody_answered_and_what_waits_for_a_day_is_told(site: Site) -> None:
    rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
    async with hearing(rui) as his, hearing(admin) as admins:
        id = await asks_an_admin(site, rui)
        await next_of(admins, "approval")
        await site.bench.database.run(stored.remind, now=time.time() + 90_000, every=86_400.0)
        assert (await next_of(admins, "notice")).data["id"] == id
        over = update(confirmations).values(expires_at=time.time() - 1)
        await site.bench.database.run(lambda db: db.execute(over))
        await site.bench.confirmations.expire_overdue()
        told = [await next_of(his, "approval") for _ in range(2)]
        assert [event.data["status"] for event in told] == ["asked", "expired"]


async def test_the_stream_ends_at_once_with_the_session(site: Site) -> None:
    rui = await site.signs_in("rui")
    async with hearing(rui) as frames:
        await frames.next()
        assert (await rui.post("/auth/logout")).status_code == 204
        async with asyncio.timeout(2):
            assert [event async for event in frames] == []


async def test_a_comment_keeps_a_quiet_stream_alive(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newsstream, "KEEP_ALIVE_SECONDS", 0.05)
    rui = await site.signs_in("rui")
    async with hearing(rui) as frames:
        await frames.next()
        reading = asyncio.create_task(frames.next())
        async with asyncio.timeout(10):
            while frames.comments < 2:
                await asyncio.sleep(0.02)
        reading.cancel()


async def test_one_process_tells_what_happens_in_another_and_ends_what_ended_there(
    tmp_path: Path, postgres_url: str
) -> None:
    shared = on_one(postgres_url)
    async with (
        served(tmp_path / "a", **shared) as one,
        served(tmp_path / "b", **shared) as other,
    ):
        rui = await one.signs_in("rui")
        token = rui.client.headers["authorization"].removeprefix("Bearer ")
        elsewhere = other.with_token(token, "rui")
        await rui.begins()
        async with hearing(elsewhere) as frames:
            await frames.next()
            await rui.asks("quantos defeitos há?")
            began = time.monotonic()
            told = [await next_of(frames, "turn") for _ in range(2)]
            assert time.monotonic() - began < newsstream.KEEP_ALIVE_SECONDS / 3
            assert [event.data["status"] for event in told] == ["running", "done"]
            assert (await rui.post("/auth/logout")).status_code == 204
            async with asyncio.timeout(5):
                assert [event async for event in frames] == []
