"""News: numbered without a gap, written with what they tell of, and heard in every process."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import Connection, text

from bancada.domain.news import TurnNews
from bancada.store import endings, news
from bancada.store.database import Database, open_database
from tests.house import House


def told(db: Connection, user_id: int, turn: str = "t", *, fails: bool = False) -> None:
    news.add(db, user_id, TurnNews(turn_id=turn, conversation_id="c", status="running"))
    if fails:
        raise ValueError("what it tells of did not happen")


async def heard_of(heard: list[str | None], whom: str | None) -> None:
    async with asyncio.timeout(10):
        while whom not in heard:
            await asyncio.sleep(0.02)


async def test_many_at_once_are_numbered_without_a_gap_and_in_order(house: House) -> None:
    people = (house.ana.id, house.rui.id)
    await asyncio.gather(*(house.database.run(told, id) for id in people for _ in range(20)))
    for id in people:
        found = await house.database.read(news.since, id, 0)
        assert [number for number, _ in found] == list(range(1, 21))
        assert await house.database.read(news.head, id) == 20


async def test_what_did_not_happen_is_not_told(house: House) -> None:
    heard: list[str | None] = []
    house.database.listen(endings.CHANNEL, heard.append)
    if house.database.kind == "postgresql":
        await heard_of(heard, None)  # it listens from then on
    with pytest.raises(ValueError, match="did not happen"):
        await house.database.run(told, house.ana.id, fails=True)
    await house.database.run(told, house.rui.id)
    await heard_of(heard, f"{endings.NEWS}{house.rui.id}")
    assert f"{endings.NEWS}{house.ana.id}" not in heard
    assert await house.database.read(news.since, house.ana.id, 0) == []


async def test_a_listener_whose_connection_was_cut_looks_at_everything_and_hears_again(
    postgres_url: str,
) -> None:
    listening, other = open_database(postgres_url), open_database(postgres_url)
    heard: list[str | None] = []
    listening.listen(endings.CHANNEL, heard.append)
    try:
        await heard_of(heard, None)
        heard.clear()
        await other.run(_cut)
        await heard_of(heard, None)
        await other.run(endings.tell, 7)
        await heard_of(heard, f"{endings.NEWS}7")
    finally:
        await _closed(listening, other)


def _cut(db: Connection) -> None:
    """End whoever listens, as a restart of Postgres would."""
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query = 'SELECT 1'"
    db.execute(text(cut))


async def _closed(*databases: Database) -> None:
    for database in databases:
        await database.close()
