"""Statements sent straight to the driver answer, and fail, like any other."""

from __future__ import annotations

import pytest
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError, NoResultFound

from bancada.store.database import Database
from bancada.store.hot import Hot
from bancada.store.tables import login_failures, organisations

ADD = Hot(
    insert(login_failures).values(subject=bindparam("who"), at=bindparam("when")), ["when", "who"]
)
FIND = Hot(
    select(login_failures.c.subject, login_failures.c.at)
    .where(login_failures.c.subject == bindparam("who"))
    .order_by(login_failures.c.at),
    ["who"],
)
MOVE = Hot(
    update(login_failures).where(login_failures.c.subject == bindparam("who")).values(at=9.0),
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
        await database.run(ADD, at, "ana")

    found = await database.run(lambda db: FIND(db, "ana").all())

    assert [(row.subject, row.at) for row in found] == [("ana", 1.0), ("ana", 2.0)]
    assert (await database.run(lambda db: FIND(db, "ana").first())) == found[0]
    assert await database.run(lambda db: FIND(db, "ana").scalar()) == "ana"
    assert await database.run(lambda db: FIND(db, "ana").mappings()) == [
        {"subject": "ana", "at": 1.0},
        {"subject": "ana", "at": 2.0},
    ]


async def test_nothing_found_is_nothing(database: Database) -> None:
    assert await database.run(lambda db: FIND(db, "rui").first()) is None
    assert await database.run(lambda db: FIND(db, "rui").scalar()) is None
    assert await database.run(lambda db: FIND(db, "rui").all()) == []
    with pytest.raises(NoResultFound):
        await database.run(lambda db: FIND(db, "rui").one())


async def test_a_value_that_the_statement_itself_holds_is_sent_along(database: Database) -> None:
    await database.run(ADD, 1.0, "ana")

    await database.run(MOVE, "ana")

    assert (await database.run(lambda db: FIND(db, "ana").one())).at == 9.0


async def test_a_clash_is_the_error_that_any_statement_would_raise(database: Database) -> None:
    await database.run(CLASH, 1, "A", "{}", 1.0)

    with pytest.raises(IntegrityError):
        await database.run(CLASH, 1, "B", "{}", 1.0)
