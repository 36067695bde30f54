"""Statements sent straight to the driver answer, and fail, like any other."""

from __future__ import annotations

import pytest
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError, NoResultFound

from bancada.store.database import Database
from bancada.store.hot import Hot
from bancada.store.tables import one_time_links, organisations

ADD = Hot(
    insert(one_time_links).values(
        token_hash=bindparam("hash"), purpose=bindparam("who"), expires_at=bindparam("when")
    ),
    ["hash", "when", "who"],
)
FIND = Hot(
    select(one_time_links.c.purpose, one_time_links.c.expires_at)
    .where(one_time_links.c.purpose == bindparam("who"))
    .order_by(one_time_links.c.expires_at),
    ["who"],
)
MOVE = Hot(
    update(one_time_links)
    .where(one_time_links.c.purpose == bindparam("who"))
    .values(expires_at=9.0),
    ["who"],
)
CLASH = Hot(
    insert(organisations).values(
        {name: bindparam(name) for name in ("id", "name", "settings", "created_at")}
    ),
    ["id", "name", "settings", "created_at"],
)


async def test_rows_are_found_by_position_and_by_name(database: Database) -> None:
    for at in (2.0, 1.0):
        await database.run(ADD, str(at), at, "ana")

    found = await database.run(lambda db: FIND(db, "ana").all())

    assert [(row.purpose, row.expires_at) for row in found] == [("ana", 1.0), ("ana", 2.0)]
    assert (await database.run(lambda db: FIND(db, "ana").first())) == found[0]
    assert await database.run(lambda db: FIND(db, "ana").scalar()) == "ana"
    assert await database.run(lambda db: FIND(db, "ana").mappings()) == [
        {"purpose": "ana", "expires_at": 1.0},
        {"purpose": "ana", "expires_at": 2.0},
    ]


async def test_nothing_found_is_nothing(database: Database) -> None:
    assert await database.run(lambda db: FIND(db, "rui").first()) is None
    assert await database.run(lambda db: FIND(db, "rui").scalar()) is None
    assert await database.run(lambda db: FIND(db, "rui").all()) == []
    with pytest.raises(NoResultFound):
        await database.run(lambda db: FIND(db, "rui").one())


async def test_a_value_that_the_statement_itself_holds_is_sent_along(database: Database) -> None:
    await database.run(ADD, "1", 1.0, "ana")

    await database.run(MOVE, "ana")

    assert (await database.run(lambda db: FIND(db, "ana").one())).expires_at == 9.0


async def test_a_clash_is_the_error_that_any_statement_would_raise(database: Database) -> None:
    await database.run(CLASH, 1, "A", "{}", 1.0)

    with pytest.raises(IntegrityError):
        await database.run(CLASH, 1, "B", "{}", 1.0)
