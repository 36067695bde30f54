"""Calls of an organisation that wait at once share a transaction, and nothing else: not a failure."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import Connection, func, literal_column, select

from bancada import tool
from bancada.domain.calls import Outcome
from bancada.store import audit, people
from bancada.store.database import Database
from bancada.store.tables import audit_entries, organisations
from tests.house import House

MANY = 24


def entries_and_transactions(db: Connection) -> tuple[int, int]:
    """How many entries there are, and how many transactions wrote them, as Postgres knows."""
    wrote = func.count(literal_column("audit_entries.xmin::text").distinct())
    row = db.execute(select(func.count(), wrote).select_from(audit_entries)).one()
    return row[0], row[1]


async def test_many_calls_at_once_make_one_whole_chain_in_few_transactions(house: House) -> None:
    ran: list[int] = []

    @tool
    async def look(n: int) -> int:
        """Look."""
        ran.append(n)
        return n

    await house.add(look)
    ended = await asyncio.gather(*(house.call("look", {"n": n}) for n in range(MANY)))
    assert [one.value for one in ended if isinstance(one, Outcome)] == list(range(MANY))
    assert sorted(ran) == list(range(MANY))
    verdict = await house.verify()
    assert (verdict.ok, verdict.checked) == (True, 2 * MANY)
    if house.database.kind == "postgresql":
        entries, transactions = await house.database.read(entries_and_transactions)
        assert entries == 2 * MANY
        assert transactions < MANY / 2


async def test_a_call_whose_audit_cannot_be_written_does_not_run_and_the_others_do(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[int] = []

    @tool(effect="write")
    async def change(n: int) -> int:
        """Change."""
        ran.append(n)
        return n

    await house.add(change)
    append = audit.append

    def fails(*args: Any, **says: Any) -> int:
        if says["says"].get("arguments") == {"n": 5}:
            raise RuntimeError("the disk is full")
        return append(*args, **says)

    monkeypatch.setattr(audit, "append", fails)
    ended = await asyncio.gather(*(house.call("change", {"n": n}) for n in range(MANY)))
    failed = [n for n, one in enumerate(ended) if isinstance(one, Outcome) and one.is_error]
    assert failed == [5]
    assert sorted(ran) == [n for n in range(MANY) if n != 5]
    assert (await house.verify()).ok


async def test_what_fails_beside_others_undoes_only_itself(database: Database) -> None:
    def add(db: Connection, name: str) -> int:
        made = people.add_organisation(db, name)
        if name == "bad":
            raise ValueError(name)
        return made

    names = ["one", "bad", "two", "three"]
    found = await asyncio.gather(
        *(database.together(1, add, name) for name in names), return_exceptions=True
    )
    assert [isinstance(one, ValueError) for one in found] == [False, True, False, False]
    kept = await database.read(lambda db: set(db.execute(select(organisations.c.name)).scalars()))
    assert kept & set(names) == {"one", "two", "three"}
