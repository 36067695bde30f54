"""SQL tools: values are bound, nothing is written, time and rows are bounded."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bancada.custom.queries import Databases, statement
from bancada.domain.errors import BadDefinition, ToolFailed
from tests.custom.workshop import Workshop, parameter
from tests.house import House
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


async def select(url: str, sql: str, **values: object) -> list[list[object]]:
    got = await Databases().select(url, sql, values, rows=200, seconds=5)
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
    got = await Databases().select(
        source, "SELECT id FROM items ORDER BY id", {}, rows=5, seconds=5
    )
    assert got == {"columns": ["id"], "rows": [[1], [2], [3], [4], [5]], "truncated": True}
    whole = await Databases().select(source, "SELECT id FROM items", {}, rows=300, seconds=5)
    assert whole["truncated"] is False


async def test_a_query_without_end_is_stopped(source: str) -> None:
    began = time.monotonic()
    endless = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i * 1.0) FROM n"
    )
    with pytest.raises(ToolFailed, match=r"longer than 0\.3 s"):
        await Databases().select(source, endless, {}, rows=5, seconds=0.3)
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


async def test_our_own_data_folder_is_closed(tmp_path: Path, log: Path) -> None:
    (tmp_path / "link.db").symlink_to(log)
    for name in (log, tmp_path / "link.db", tmp_path / "x" / ".." / log.name):
        with pytest.raises(ToolFailed, match="part of the installation"):
            await Databases((tmp_path,)).select(
                f"sqlite:///{name}", "SELECT 1", {}, rows=1, seconds=1
            )


async def test_an_sql_tool_answers_through_the_gate(
    house: House, workshop: Workshop, log: Path
) -> None:
    await workshop.settings(databases={"log": f"sqlite:///{log}"})
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
        ({"sql": ""}, "sql is needed"),
        ({"database": "nowhere"}, "database"),
        ({"max_rows": 0}, "max_rows"),
        ({"max_rows": True}, "max_rows"),
        ({"timeout": 1000}, "timeout"),
        ({"more": 1}, "knows no more"),
    ],
)
async def test_a_query_that_could_not_work_is_refused_with_the_reason(
    workshop: Workshop, log: Path, change: dict[str, object], why: str
) -> None:
    await workshop.settings(databases={"log": f"sqlite:///{log}"})
    definition = {"database": "log", "sql": "SELECT name FROM items WHERE id = :most", **change}
    with pytest.raises(BadDefinition, match=why):
        await workshop.define("q", "sql", definition, parameter("most", "integer"))
