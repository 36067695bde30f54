"""One transaction a query, on both kinds of database; on SQLite, waiting writes share one."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError
from sqlalchemy.util import await_only

from bancada.domain.errors import Conflict, SettingsError
from bancada.store import people
from bancada.store.database import Database, PostgresDatabase, SqliteDatabase, open_database
from bancada.store.tables import organisations, users
from bancada.store.upgrade import upgrade


def names(db: Connection) -> list[str]:
    return list(db.execute(select(organisations.c.name).order_by(organisations.c.name)).scalars())


def add_then_fail(db: Connection, name: str) -> None:
    people.add_organisation(db, name)
    raise RuntimeError(name)


async def test_a_query_that_fails_leaves_nothing_behind(database: Database) -> None:
    with pytest.raises(RuntimeError):
        await database.run(add_then_fail, "A")

    assert await database.read(names) == []


async def test_one_failing_query_does_not_undo_its_neighbours(database: Database) -> None:
    """Many writes wait together; some fail in Python, some in the database."""

    def twice(db: Connection, name: str) -> None:
        db.execute(text("INSERT INTO organisations (id, name) VALUES (NULL, NULL)"))

    async def one(place: int) -> object:
        name = f"{place:03}"
        query: Any = (people.add_organisation, add_then_fail, twice)[place % 3]
        return await database.run(query, name)

    results = await asyncio.gather(*(one(place) for place in range(60)), return_exceptions=True)

    for place, result in enumerate(results):
        expected = (int, RuntimeError, DatabaseError)[place % 3]
        assert isinstance(result, expected), (place, result)
    assert await database.read(names) == [f"{place:03}" for place in range(0, 60, 3)]


async def test_waiting_writes_share_a_transaction_and_each_hears_its_own_answer(
    sqlite_url: str,
) -> None:
    database = open_database(sqlite_url)
    began, let_go = threading.Event(), threading.Event()
    statements: list[str] = []

    def slow(db: Connection) -> None:
        driver: Any = db.connection.driver_connection
        driver.set_trace_callback(statements.append)
        began.set()
        let_go.wait(10)

    first = asyncio.create_task(database.run(slow))
    await asyncio.to_thread(began.wait)
    waiting = [
        asyncio.create_task(database.run(people.add_organisation, f"{n:02}")) for n in range(10)
    ]
    await asyncio.sleep(0)
    let_go.set()
    await first

    assert await asyncio.gather(*waiting) == list(range(1, 11))
    assert statements.count("BEGIN IMMEDIATE") == 1
    assert statements.count("COMMIT") == 2, "the slow one's, and one for all that waited"
    await database.close()


async def test_a_reader_does_not_wait_for_a_writer(database: Database) -> None:
    began, let_go = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()
    await database.run(people.add_organisation, "A")

    def slow(db: Connection) -> None:
        people.add_organisation(db, "B")
        loop.call_soon_threadsafe(began.set)
        let_go.wait(10)

    if isinstance(database, PostgresDatabase):
        # There a query runs on the loop itself: hold the transaction open around it.
        async with database.engine.begin() as connection:
            await connection.run_sync(people.add_organisation, "B")
            assert await database.read(names) == ["A"]
    else:
        writing = asyncio.create_task(database.run(slow))
        await began.wait()
        assert await database.read(names) == ["A"]
        let_go.set()
        await writing
    assert await database.read(names) == ["A", "B"]


async def test_a_reader_cannot_write(sqlite_url: str) -> None:
    database = open_database(sqlite_url)

    with pytest.raises(DatabaseError, match="readonly"):
        await database.read(people.add_organisation, "A")

    await database.close()


async def test_foreign_keys_are_kept(database: Database) -> None:
    def stray(db: Connection) -> None:
        people.add_person(db, organisation_id=77, email="a@b.c", name="A", role="admin")

    with pytest.raises(IntegrityError):
        await database.run(stray)


async def test_sqlite_writes_ahead_and_waits_for_other_processes(sqlite_url: str) -> None:
    database = open_database(sqlite_url)

    def pragma(db: Connection, name: str) -> Any:
        return db.execute(text(f"PRAGMA {name}")).scalar()

    assert await database.run(pragma, "journal_mode") == "wal"
    assert await database.run(pragma, "foreign_keys") == 1
    assert await database.run(pragma, "busy_timeout") >= 10_000
    await database.close()


async def test_a_transaction_that_clashed_is_tried_again(postgres_url: str) -> None:
    """Two transactions that lock the same rows in opposite order: Postgres ends one of them."""
    database = open_database(postgres_url)
    for name in "AB":
        await database.run(people.add_organisation, name)

    def both(db: Connection, first: str, second: str) -> None:
        for name in (first, second):
            db.execute(
                text(
                    "UPDATE organisations SET settings_version = settings_version + 1 "
                    "WHERE name = :name"
                ),
                {"name": name},
            )
            db.execute(text("SELECT pg_sleep(0.05)"))

    await asyncio.gather(*(database.run(both, *pair) for pair in ("AB", "BA")))

    versions = select(organisations.c.settings_version)
    assert await database.read(lambda db: list(db.execute(versions).scalars())) == [3, 3]
    await database.close()


async def test_postgres_is_asked_only_what_a_query_asks(postgres_url: str) -> None:
    database = open_database(postgres_url)
    asked: list[str] = []

    def listen(db: Connection) -> None:
        driver: Any = db.connection.driver_connection
        driver.add_query_logger(lambda record: asked.append(record.query))

    def one(db: Connection) -> None:
        db.execute(text("SELECT 1"))

    await database.run(listen)
    asked.clear()
    await database.run(one)
    # The logger does not hear prepared statements: all others are here.
    begun, *rest = asked
    assert begun.startswith("BEGIN")
    assert rest == ["COMMIT;"]
    asked.clear()
    await database.look(one)
    assert asked == []
    await database.close()


async def test_a_reader_on_postgres_sees_one_moment_and_cannot_write(postgres_url: str) -> None:
    database = open_database(postgres_url)
    await database.run(people.add_organisation, "A")

    def twice(db: Connection) -> tuple[list[str], list[str]]:
        before = names(db)
        await_only(database.run(people.add_organisation, "B"))
        return before, names(db)

    assert await database.read(twice) == (["A"], ["A"])
    assert await database.read(names) == ["A", "B"]
    with pytest.raises(DBAPIError, match="read-only"):
        await database.read(people.add_organisation, "C")
    await database.run(people.add_organisation, "D")
    await database.close()


async def test_a_connection_that_postgres_ended_is_made_anew(postgres_url: str) -> None:
    database = open_database(postgres_url)
    assert isinstance(database, PostgresDatabase)
    mine = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1"
    pid = await database.read(lambda db: db.execute(text("SELECT pg_backend_pid()")).scalar())
    beside = await database.session()
    await beside.execute(mine, pid)
    await beside.close()
    await asyncio.sleep(0.05)
    again = await database.read(lambda db: db.execute(text("SELECT pg_backend_pid()")).scalar())
    assert again != pid
    await database.close()


async def test_a_caller_that_goes_away_does_not_disturb_the_others(database: Database) -> None:
    tasks = [
        asyncio.create_task(database.run(people.add_organisation, f"{n:02}")) for n in range(20)
    ]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()

    results = await asyncio.gather(*tasks, return_exceptions=True)

    assert all(isinstance(result, int) for result in results[1::2])
    kept = await database.read(names)
    assert set(kept) >= {f"{n:02}" for n in range(1, 20, 2)}
    await database.run(people.add_organisation, "after")


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///:memory:", "mysql://localhost/x", "oracle://x"]
)
def test_a_database_that_cannot_be_used_is_refused_with_a_sentence(url: str) -> None:
    with pytest.raises(SettingsError):
        open_database(url)


def test_the_kind_follows_from_the_url(tmp_path: Path) -> None:
    assert isinstance(open_database(f"sqlite:///{tmp_path}/deep/down/a.db"), SqliteDatabase)
    assert isinstance(open_database("postgresql://u:p@localhost/x"), PostgresDatabase)


async def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/deep/down/a.db")
    await upgrade(database)

    await database.run(people.add_organisation, "A")

    assert await database.read(names) == ["A"]
    await database.close()


# ---------------------------------------------------------------------------- text from outside


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Fábrica ☕ 工場", "Fábrica ☕ 工場"),
        ("a\x00b", "a\ufffdb"),
        ("a\ud800b", "a?b"),
        ("\U0001f600", "\U0001f600"),
    ],
)
async def test_any_text_can_be_kept(database: Database, given: str, kept: str) -> None:
    await database.run(people.add_organisation, given)

    assert await database.read(names) == [kept]


async def test_json_keeps_the_order_of_its_keys_and_every_digit(database: Database) -> None:
    settings = {"z": 1, "a": {"y": 2**80, "b": [1.5, None, "\ud800\x00ç"]}}
    id = await database.run(people.add_organisation, "A", settings)

    found = (await database.read(people.organisation, id)).settings

    assert found == settings
    assert list(found) == ["z", "a"]


# ---------------------------------------------------------------------------- people


async def test_an_address_belongs_to_one_person_however_it_is_written(database: Database) -> None:
    organisation_id = await database.run(people.add_organisation, "A")

    def add(db: Connection, email: str) -> Any:
        return people.add_person(
            db, organisation_id=organisation_id, email=email, name="Ana", role="operador"
        )

    ana = await database.run(add, " Ana@Example.com ")

    assert ana.email == "ana@example.com"
    with pytest.raises(Conflict):
        await database.run(add, "ana@EXAMPLE.com")
    assert await database.read(people.person_by_email, "ANA@example.com") == ana
    assert await database.read(lambda db: len(db.execute(select(users)).all())) == 1


async def test_the_local_person_is_made_once_and_leaves_the_first_ids_free(
    database: Database,
) -> None:
    first = await database.run(people.local_person)
    again = await database.run(people.local_person)

    assert first == again
    assert (first.role, first.email) == ("admin", "local")
    assert first.id >= 1000


async def test_whoever_comes_at_the_same_moment_finds_the_same_first_rows(
    database: Database,
) -> None:
    found = await asyncio.gather(*(database.run(people.local_person) for _ in range(8)))

    assert len({person.id for person in found}) == 1
    assert len(await database.read(people.all_organisations)) == 1


async def test_two_that_add_the_same_at_the_same_moment_are_told_who_was_first(
    database: Database,
) -> None:
    added = await asyncio.gather(
        *(database.run(people.add_organisation, "A") for _ in range(6)), return_exceptions=True
    )

    assert sorted(type(one).__name__ for one in added) == ["Conflict"] * 5 + ["int"]


async def test_people_added_by_number_do_not_stand_in_the_way_of_the_next(
    database: Database,
) -> None:
    organisation_id = await database.run(people.add_organisation, "A")

    def add(db: Connection, email: str, id: int | None = None) -> int:
        return people.add_person(
            db, organisation_id=organisation_id, email=email, name="P", role="operador", id=id
        ).id

    for id in (1, 2, 1000):
        await database.run(add, f"{id}@example.com", id)
    ids = [await database.run(add, f"next{n}@example.com") for n in range(7)]

    assert len({1, 2, 1000, *ids}) == 10
