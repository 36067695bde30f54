"""SQL tools: values are bound, nothing is written, time and rows are bounded."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from bancada.custom.databases import NOBODY, Databases, House, named_database
from bancada.custom.statements import statement
from bancada.domain.errors import Invalid, SettingsError, ToolFailed
from bancada.domain.shares import Holder, Shares
from bancada.store import people
from bancada.store.database import open_database
from bancada.store.postgres import identity
from tests.custom.workshop import Workshop, parameter
from tests.house import House as House_
from tests.postgres import Postgres

ROWS = "CREATE TABLE items (id INTEGER, name TEXT, day DATE, price NUMERIC)"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "the log.db"
    with sqlite3.connect(path) as db:
        db.execute(ROWS)
        db.executemany(
            "INSERT INTO items VALUES (?, ?, '2026-01-02', ?)",
            [(n, f"item {n}", n * 1.5) for n in range(1, 301)],
        )
    db.close()
    return path


@asynccontextmanager
async def items_in(url: str) -> AsyncIterator[str]:
    """The table in a Postgres database that other tests use too."""
    there = Postgres(url)
    await there.execute(ROWS)
    await there.execute(
        "INSERT INTO items SELECT n, 'item ' || n, '2026-01-02', n * 1.5 FROM generate_series(1, 300) n"
    )
    yield url
    await there.execute("DROP TABLE items")


@pytest.fixture
async def source(database_url: str, log: Path) -> AsyncIterator[str]:
    """The same table in each kind of database."""
    if database_url.startswith("sqlite"):
        yield f"sqlite:///{log}"
    else:
        async with items_in(database_url) as url:
            yield url


ANA = Holder(1, 1)


async def run(
    url: str,
    sql: str,
    values: dict[str, object] | None = None,
    *,
    rows: int = 200,
    seconds: float = 5,
    house: House = NOBODY,
) -> dict[str, Any]:
    databases = Databases(house=house)
    try:
        return await databases.select(
            named_database("log", url, 1),
            sql,
            values or {},
            holder=ANA,
            rows=rows,
            seconds=seconds,
        )
    finally:
        await databases.close()


async def select(url: str, sql: str, **values: object) -> list[list[object]]:
    got = await run(url, sql, values)
    rows: list[list[object]] = got["rows"]
    return rows


async def test_values_are_bound_and_never_part_of_the_statement(source: str) -> None:
    sql = "SELECT id, name FROM items WHERE name = :name OR id = :id ORDER BY id"
    assert await select(source, sql, name="item 7", id=9) == [[7, "item 7"], [9, "item 9"]]
    assert await select(source, sql, name="' OR 1=1 --", id=None) == []


async def test_what_looks_like_a_value_inside_texts_and_comments_is_none(source: str) -> None:
    sql = "SELECT ':no' AS a, /* :no */ name -- :no\nFROM items WHERE id = :id"
    assert await select(source, sql, id=1) == [[":no", "item 1"]]


def test_the_names_of_a_statements_values() -> None:
    sql = "SELECT a::int, 'x :b', \":c\", $$ :d $$, :e FROM t WHERE f = :g AND h = :e -- :i"
    assert statement(sql).names == ["e", "g"]
    assert statement(sql).numbered().endswith("$1 FROM t WHERE f = $2 AND h = $1 -- :i")


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO items VALUES (1, 'x', NULL, 1)",
        "UPDATE items SET name = 'x'",
        "DELETE FROM items",
        "DROP TABLE items",
        "CREATE TABLE other (a INTEGER)",
        "WITH gone AS (DELETE FROM items RETURNING id) SELECT * FROM gone",
        "SELECT 1; DELETE FROM items",
    ],
)
async def test_nothing_is_written_whatever_the_statement_says(source: str, sql: str) -> None:
    with pytest.raises(ToolFailed):
        await select(source, sql)
    assert await select(source, "SELECT count(*) FROM items") == [[300]]


@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH DATABASE '/etc/passwd' AS other",
        "PRAGMA query_only=OFF",
        "SELECT load_extension('x')",
        "SELECT readfile('/etc/passwd')",
        "VACUUM INTO '/tmp/copy.db'",
    ],
)
async def test_sqlite_opens_no_other_file(log: Path, sql: str) -> None:
    with pytest.raises(ToolFailed):
        await select(f"sqlite:///{log}", sql)


async def test_rows_beyond_the_limit_are_cut_and_said(source: str) -> None:
    got = await run(source, "SELECT id FROM items ORDER BY id", rows=5)
    assert got == {"columns": ["id"], "rows": [[1], [2], [3], [4], [5]], "truncated": True}
    whole = await run(source, "SELECT id FROM items", rows=300)
    assert whole["truncated"] is False


async def test_a_query_without_end_is_stopped(source: str) -> None:
    began = time.monotonic()
    endless = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i * 1.0) FROM n"
    )
    with pytest.raises(ToolFailed, match=r"longer than 0\.3 s"):
        await run(source, endless, rows=5, seconds=0.3)
    assert time.monotonic() - began < 5


async def test_huge_and_binary_cells_are_not_carried_along(log: Path) -> None:
    url = f"sqlite:///{log}"
    with pytest.raises(ToolFailed):
        await select(url, "SELECT zeroblob(1000000000)")
    assert await select(url, "SELECT zeroblob(1000)") == [["[1,000 bytes]"]]
    assert len(str((await select(url, "SELECT hex(zeroblob(5000))"))[0][0])) < 2_100


async def test_text_becomes_the_type_that_postgres_wants(source: str) -> None:
    sql = "SELECT count(*) FROM items WHERE day = :day AND price > :price"
    assert await select(source, sql, day="2026-01-02", price=300) == [[100]]


async def test_a_value_of_the_wrong_kind_is_told(postgres_url: str) -> None:
    async with items_in(postgres_url) as url:
        with pytest.raises(ToolFailed, match=r"'day'.*not a date"):
            await select(url, "SELECT 1 FROM items WHERE day = :day", day="yesterday")


async def test_neither_password_nor_path_is_told(tmp_path: Path) -> None:
    for url in (
        f"sqlite:///{tmp_path}/k-123/nothing.db",
        "postgresql://me:k-123@127.0.0.1:1/nothing",
    ):
        with pytest.raises(ToolFailed) as failed:
            await select(url, "SELECT 1")
        assert "k-123" not in str(failed.value)


async def test_our_own_sqlite_is_closed_however_it_is_spelt(tmp_path: Path, log: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "link.db").symlink_to(log)
    (elsewhere / "folder").symlink_to(tmp_path)
    (elsewhere / "hard.db").hardlink_to(log)
    (tmp_path / "ours").mkdir()
    other = tmp_path / "ours" / "pack.db"
    other.write_bytes(log.read_bytes())
    house = House(folders=(tmp_path / "ours",), files=(log,))
    for name in (
        log,
        elsewhere / "link.db",
        elsewhere / "hard.db",
        elsewhere / ".." / log.name,
        elsewhere / "folder" / log.name,
        other,
    ):
        with pytest.raises(ToolFailed, match="part of the installation"):
            await run(f"sqlite:///{name}", "SELECT 1", house=house)
    for spelt in (f"sqlite:///file:{log}?uri=true", "sqlite:///:memory:", "sqlite://"):
        with pytest.raises(SettingsError):
            named_database("log", spelt, 1)


async def test_our_own_postgres_is_closed_however_it_is_spelt(
    postgres: Postgres, postgres_url: str
) -> None:
    ours = open_database(postgres_url)
    house = House(identity=lambda: ours.read(identity))
    await postgres.execute("DROP ROLE IF EXISTS reader")
    await postgres.execute("CREATE ROLE reader LOGIN")
    try:
        here = make_url(postgres_url)
        folder = str(here.query["host"])
        # Another name for the socket's folder, and somebody who may do little.
        with tempfile.TemporaryDirectory() as place:
            alias = Path(place) / "alias"
            alias.symlink_to(folder)
            Path(place).chmod(0o755)
            for spelt in (
                here,
                here.set(query={"host": str(alias)}),
                here.set(username="reader"),
                here.set(query={"host": folder, "port": "5432"}),
            ):
                url = spelt.render_as_string(hide_password=False)
                with pytest.raises(ToolFailed, match="part of the installation"):
                    await run(url, "SELECT 1", house=house)
        async with postgres.empty_database() as another:
            assert (await run(another, "SELECT 1 AS a", house=house))["rows"] == [[1]]
    finally:
        await ours.close()
        await postgres.execute("DROP ROLE reader")


async def test_a_query_that_no_handler_sees_is_ended_with_its_process(log: Path) -> None:
    # One comparison without end: SQLite asks nobody while it runs.
    endless = "SELECT instr(hex(zeroblob(4500000)), hex(zeroblob(2000000)) || '1')"
    began = time.monotonic()
    with pytest.raises(ToolFailed, match="was stopped"):
        await run(f"sqlite:///{log}", endless, seconds=0.3)
    assert time.monotonic() - began < 10


async def test_a_query_over_its_time_is_ended_on_the_server_too(
    postgres: Postgres, postgres_url: str
) -> None:
    # The statement takes its own limit away first: the next one must have it again.
    sly = "SELECT set_config('statement_timeout', '0', false), pg_sleep(:seconds)"
    databases = Databases()
    name = make_url(postgres_url).database
    try:
        for _ in range(2):
            with pytest.raises(ToolFailed, match="was stopped"):
                await databases.select(
                    named_database("log", postgres_url, 1),
                    sly,
                    {"seconds": 60},
                    holder=ANA,
                    rows=1,
                    seconds=0.3,
                )
        left = await run(
            postgres.url,
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = :name AND state = 'active' AND query LIKE '%pg_sleep%'",
            {"name": name},
        )
        assert left["rows"] == [[0]]
    finally:
        await databases.close()


async def test_nobody_takes_all_the_database_work(log: Path) -> None:
    database = named_database("log", f"sqlite:///{log}", 1)
    databases = Databases(shares=Shares(4, per_organisation=2, per_person=1))
    slow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"

    async def ask(holder: Holder) -> str:
        try:
            await databases.select(database, slow, {}, holder=holder, rows=1, seconds=8)
        except ToolFailed as failed:
            return str(failed)
        raise AssertionError("it never ends by itself")

    first = asyncio.create_task(ask(ANA))
    await asyncio.sleep(0.2)
    assert "as one person may" in await ask(ANA)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    got = await databases.select(database, "SELECT 1", {}, holder=ANA, rows=1, seconds=5)
    assert got["rows"] == [[1]]


async def test_a_database_is_its_organisations_alone(
    house: House_, workshop: Workshop, log: Path
) -> None:
    other = await house.database.run(people.add_organisation, "Other")
    workshop.name_database("log", f"sqlite:///{log}", other)
    definition = {"database": "log", "sql": "SELECT name FROM items"}
    with pytest.raises(Invalid, match="databases: none"):
        await workshop.define("q", "sql", definition)
    for raw in (f"sqlite:///{log}", str(log)):
        with pytest.raises(Invalid, match="databases: none"):
            await workshop.define("q", "sql", {**definition, "database": raw})
    stolen = named_database("log", f"sqlite:///{log}", other)
    with pytest.raises(ToolFailed, match="another organisation"):
        await Databases().select(stolen, "SELECT 1", {}, holder=ANA, rows=1, seconds=1)


async def test_a_database_of_the_organisations_own_settings_is_told_and_not_used(
    house: House_, workshop: Workshop, log: Path
) -> None:
    workshop.name_database("log", f"sqlite:///{log}")
    await workshop.define("q", "sql", {"database": "log", "sql": "SELECT name FROM items"})
    workshop.databases.named = ()
    await workshop.settings(databases={"log": f"sqlite:///{log}"})
    got = await house.result("q", {})
    assert got.code == "disabled"
    assert "The operator must name the database log" in str(got.content)


async def test_an_sql_tool_answers_through_the_gate(
    house: House_, workshop: Workshop, log: Path
) -> None:
    workshop.name_database("log", f"sqlite:///{log}")
    await workshop.define(
        "cheap_items",
        "sql",
        {"database": "log", "sql": "SELECT name FROM items WHERE price < :most", "max_rows": 2},
        parameter("most", "number", constraints={"minimum": 0}),
    )
    got = await house.result("cheap_items", {"most": 100})
    assert got.value == {"columns": ["name"], "rows": [["item 1"], ["item 2"]], "truncated": True}
    wrong = await house.result("cheap_items", {"most": -1})
    assert wrong.code == "invalid_tool_input"
    assert "'most'" in str(wrong.content)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"sql": "DELETE FROM items"}, "SELECT"),
        ({"sql": "SELECT 1; SELECT 2"}, "one statement"),
        ({"sql": "SELECT :other"}, ":other is not a parameter"),
        ({"sql": "SELECT 1"}, "most is not used"),
        ({"sql": ""}, r"^definition\.sql: must be one SELECT"),
        ({"database": "nowhere"}, "database"),
        ({"max_rows": 0}, "max_rows"),
        ({"max_rows": True}, "max_rows"),
        ({"timeout": 1000}, "timeout"),
        ({"more": 1}, r"^definition\.more: is not known"),
    ],
)
async def test_a_query_that_could_not_work_is_refused_with_the_reason(
    workshop: Workshop, log: Path, change: dict[str, object], why: str
) -> None:
    workshop.name_database("log", f"sqlite:///{log}")
    definition = {"database": "log", "sql": "SELECT name FROM items WHERE id = :most", **change}
    with pytest.raises(Invalid, match=why):
        await workshop.define("q", "sql", definition, parameter("most", "integer"))
