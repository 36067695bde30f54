"""Queries over a conversation's tables, through the jail."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

import duckdb
import pytest

from bancada.data.hints import TableFilter, columns_read, filtered
from bancada.domain.errors import ToolFailed
from bancada.sandbox import Sandbox
from tests.data.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")

DEFECTS = "id,data,tipo,peso\n1,2026-02-11,lixo,1.5\n2,2026-02-12,gordura,2.25\n3,,lixo,\n"


async def test_a_query_answers_with_columns_rows_and_their_number(desk: Desk) -> None:
    await desk.upload("ours", "defeitos.csv", DEFECTS)
    answer = await desk.ask(
        "SELECT tipo, count(*) AS n FROM defeitos GROUP BY tipo ORDER BY n DESC"
    )
    assert answer == {
        "columns": ["tipo", "n"],
        "rows": [["lixo", 2], ["gordura", 1]],
        "total_rows": 2,
        "truncated": False,
    }


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("DATE '2026-02-11'", "2026-02-11"),
        ("TIMESTAMP '2026-02-11 10:30:00'", "2026-02-11 10:30:00"),
        ("TIME '10:30:00'", "10:30:00"),
        ("1.25::DECIMAL(9,2)", 1.25),
        ("3::DECIMAL(9,2)", 3),
        ("'nan'::DOUBLE", None),
        ("'inf'::DOUBLE", None),
        ("NULL", None),
        ("true", True),
        ("170141183460469231731687303715884105727::HUGEINT", "170141183460469231731687303715884105727"),
        ("sum(5)", 5),
        ("[1, 2]", [1, 2]),
        ("{'a': DATE '2026-01-01'}", {"a": "2026-01-01"}),
        ("'abc'::BLOB", "<3 bytes>"),
        ("INTERVAL 90 MINUTE", "1:30:00"),
        ("repeat('x', 600)", "x" * 500 + "… (600 characters)"),
    ],
)  # fmt: skip
async def test_every_value_arrives_as_json(besieged: Desk, expression: str, value: object) -> None:
    answer = await besieged.ask(f"SELECT {expression} AS v")
    assert answer["rows"] == [[value]]


async def test_rows_over_the_limit_are_cut_and_counted(besieged: Desk) -> None:
    answer = await besieged.ask("SELECT * FROM range(1000) ORDER BY 1 DESC -- all of them", limit=3)
    assert answer["rows"] == [[999], [998], [997]]
    assert answer["total_rows"] == 1000
    assert answer["truncated"] is True


async def test_an_answer_that_is_too_large_is_cut(besieged: Desk) -> None:
    answer = await besieged.ask("SELECT repeat('y', 499) AS a, repeat('z', 499) AS b FROM range(900)", limit=900)  # fmt: skip
    assert answer["truncated"] is True
    assert 0 < len(answer["rows"]) < 900
    assert answer["total_rows"] == 900


@pytest.mark.parametrize(
    "sql",
    [
        "WITH x AS (SELECT 1 AS a) SELECT a FROM x",
        "VALUES (1), (2)",
        "FROM defeitos",
        "DESCRIBE defeitos",
        "DESCRIBE SELECT 1",
        "SHOW TABLES",
        "SUMMARIZE defeitos",
        "EXPLAIN SELECT * FROM defeitos",
        "EXPLAIN ANALYZE SELECT * FROM defeitos",
        "SELECT * FROM (PIVOT defeitos ON tipo IN ('lixo', 'gordura') USING count(*))",
        "/* hello */ SELECT 1;",
    ],
)
async def test_every_way_of_reading_is_open(besieged: Desk, sql: str) -> None:
    assert (await besieged.ask(sql))["rows"]


async def test_show_tables_lists_the_conversations_tables_and_the_packs(
    desk: Desk, tmp_path: Path
) -> None:
    pack = tmp_path / "pack.duckdb"
    with duckdb.connect(str(pack)) as db:
        db.execute("CREATE TABLE pecas AS SELECT 7 AS n")
    await desk.upload("ours", "defeitos.csv", DEFECTS)
    answer = await desk.ask("SHOW TABLES", tables={"pecas": pack})
    assert answer["rows"] == [["defeitos"], ["pecas"]]
    joined = await desk.ask("SELECT max(n) + count(*) FROM pecas, defeitos", tables={"pecas": pack})
    assert joined["rows"] == [[10]]


async def test_a_new_upload_is_seen_by_the_next_query(desk: Desk) -> None:
    await desk.upload("ours", "a.csv", "x\n1\n")
    assert (await desk.ask("SELECT * FROM a"))["rows"] == [[1]]
    await desk.upload("ours", "b.csv", "x\n2\n")
    assert (await desk.ask("SELECT a.x + b.x FROM a, b"))["rows"] == [[3]]


async def test_a_conversation_keeps_one_warm_container(desk: Desk, sandbox: Sandbox) -> None:
    await desk.upload("ours", "a.csv", "x\n1\n")
    for _ in range(3):
        await desk.ask("SELECT * FROM a")
    assert len(sandbox.containers()) == 1


async def test_an_ended_container_is_replaced_without_a_word(desk: Desk, sandbox: Sandbox) -> None:
    await desk.upload("ours", "a.csv", "x\n1\n")
    await desk.ask("SELECT * FROM a")
    for container in sandbox.containers():
        await sandbox.end(container.id)
    assert (await desk.ask("SELECT * FROM a"))["rows"] == [[1]]


async def test_queries_of_one_conversation_may_come_together(desk: Desk) -> None:
    await desk.upload("ours", "a.csv", "x\n1\n2\n")
    answers = await asyncio.gather(*(desk.ask(f"SELECT sum(x) + {n} FROM a") for n in range(8)))
    assert [answer["rows"][0][0] for answer in answers] == [3 + n for n in range(8)]


async def test_an_unknown_table_is_answered_with_the_known_ones(besieged: Desk) -> None:
    with pytest.raises(ToolFailed, match=r"Known tables: defeitos \(id, tipo\)"):
        await besieged.ask("SELECT * FROM defeito")


async def test_an_unknown_column_is_answered_with_the_known_ones(besieged: Desk) -> None:
    with pytest.raises(ToolFailed, match=r"(?s)\"cor\".*Known tables: defeitos \(id, tipo\)"):
        await besieged.ask("SELECT cor FROM defeitos")


async def test_names_that_need_quotes_are_shown_with_them(desk: Desk) -> None:
    await desk.upload("ours", "a.csv", "Nº peça,valor\n1,2\n")
    with pytest.raises(ToolFailed, match='"Nº peça", valor'):
        await desk.ask("SELECT peca FROM a")
    assert (await desk.ask('SELECT "Nº peça" FROM a'))["rows"] == [[1]]


async def test_a_syntax_error_is_told_in_a_line(besieged: Desk) -> None:
    with pytest.raises(ToolFailed) as failure:
        await besieged.ask("SELEC 1")
    assert "syntax error" in str(failure.value)
    assert "\n" not in str(failure.value)


async def test_without_tables_the_model_is_told_so(desk: Desk) -> None:
    with pytest.raises(ToolFailed, match="no tables yet"):
        await desk.ask("SELECT 1")


async def test_outside_a_conversation_the_packs_tables_can_be_queried(
    desk: Desk, tmp_path: Path
) -> None:
    pack = tmp_path / "pack.duckdb"
    with duckdb.connect(str(pack)) as db:
        db.execute("CREATE TABLE anything AS SELECT 7 AS n")
    answer = await desk.ask("SELECT n FROM pecas", conversation=None, tables={"pecas": pack})
    assert answer["rows"] == [[7]]


async def test_a_query_that_is_stopped_leaves_the_next_one_unharmed(besieged: Desk) -> None:
    with pytest.raises(ToolFailed, match="took longer than"):
        await besieged.ask("SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE sin(a.range) < cos(b.range)")  # fmt: skip
    assert (await besieged.ask("SELECT count(*) FROM defeitos"))["rows"] == [[3]]


GUESSED = "Qtd total;linha\n1.234;L1\n12.000;L2\n"


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ('SELECT sum("Qtd total") FROM pecas', True),
        ('SELECT "linha", avg("qtd total") AS m FROM pecas GROUP BY linha', True),
        ("SELECT * FROM pecas", True),
        ("SELECT count(*) FROM pecas", False),
        ("SELECT linha FROM pecas", False),
        ("SELECT sum(peso) FROM defeitos", False),
    ],
)
async def test_a_figure_from_a_guessed_column_comes_with_the_guess(
    desk: Desk, sql: str, told: bool
) -> None:
    await desk.upload("ours", "pecas.csv", GUESSED)
    await desk.upload("ours", "defeitos.csv", DEFECTS)
    notes = (await desk.ask(sql)).get("notes", [])
    assert [note["code"] for note in notes] == ["thousands"] * told
    if told:
        assert notes[0]["parts"] == {"column": "Qtd total", "text": "1.234", "read": 1.234}
        assert "«1.234» foi lido como 1,234" in notes[0]["text"]


async def test_a_warm_container_ends_with_its_conversation(desk: Desk, sandbox: Sandbox) -> None:
    await desk.upload("ours", "a.csv", "id\n1\n")
    await desk.upload("theirs", "a.csv", "id\n1\n2\n")
    for conversation in ("ours", "theirs"):
        await desk.ask("SELECT count(*) FROM a", conversation=conversation)
    assert len(sandbox.containers()) == 2
    await sandbox.end_of("ours")
    assert len(sandbox.containers()) == 1
    theirs = await desk.ask("SELECT count(*) FROM a", conversation="theirs")
    assert theirs["rows"] == [[2]]


# ---------------------------------------------------------------------------- filtered


MACHINES = "maquina,linha\nM1,A\nM2,B\n"


async def test_a_filtered_query_sees_only_the_rows_that_pass_and_the_next_one_all(
    desk: Desk,
) -> None:
    await desk.upload("ours", "defeitos.csv", DEFECTS)
    count = "SELECT count(*) FROM defeitos, (SELECT 'file' AS defeitos) -- no end"
    days = TableFilter(table="defeitos", column="data", since=date(2026, 2, 12))
    kind = TableFilter(table="defeitos", column="tipo", values=("lixo", "a '*/ b"))
    empty = TableFilter(table="defeitos", column="data", values=(None,))
    for filters, found in (([days], 1), ([kind], 2), ([days, kind], 0), ([empty], 1), ([], 3)):
        assert (await desk.ask(filtered(count, filters)))["rows"] == [[found]]
    assert (await desk.ask(count))["rows"] == [[3]]


async def test_what_a_query_reads_is_told_by_the_engine_not_by_its_text(desk: Desk) -> None:
    await desk.upload("ours", "defeitos.csv", DEFECTS)
    await desk.upload("ours", "maquinas.csv", MACHINES)
    for sql, tables in (
        ("WITH t AS (FROM Defeitos) SELECT count(*) AS maquinas FROM t", ["defeitos"]),
        ('SELECT * FROM main."defeitos" d JOIN maquinas ON true', ["defeitos", "maquinas"]),
        ("SELECT (SELECT max(id) FROM query_table('defeitos')) FROM range(2)", ["defeitos"]),
        ("SELECT 1 AS defeitos", []),
    ):
        answer = await desk.ask(columns_read(sql))
        assert sorted({row[0] for row in answer["rows"]}) == tables, sql
        assert (["defeitos", "data", "DATE"] in answer["rows"]) is ("defeitos" in tables)


async def test_a_filter_that_cannot_hold_is_refused(desk: Desk) -> None:
    await desk.upload("ours", "defeitos.csv", DEFECTS)
    count = "SELECT count(*) FROM defeitos"
    for sql in (
        columns_read("SELECT * FROM file_0.main.defeitos AS maquinas"),
        filtered(count, [TableFilter(table="gone", column="data", values=("x",))]),
        filtered(count, [TableFilter(table="defeitos", column="gone", values=("x",))]),
        filtered(count, [TableFilter(table="defeitos", column="tipo", since=date.min)]),
        f"/*+ bancada {{no json}} */ {count}",
        f'/*+ bancada {{"filters": [3]}} */ {count}',
        filtered(f"{count}; {count}", []),
        filtered("CREATE TABLE t (a INT)", []),
    ):
        with pytest.raises(ToolFailed):
            await desk.ask(sql)
    assert (await desk.ask(count))["rows"] == [[3]]
