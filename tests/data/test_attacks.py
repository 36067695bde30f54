"""Hostile SQL: each attempt is refused with a sentence, or bounded, and the next query works."""

from __future__ import annotations

import pytest

from bancada.domain.errors import ToolFailed
from tests.data.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")

REFUSED = {
    # files
    "read a csv": "SELECT * FROM read_csv('/etc/passwd', columns = {'a': 'VARCHAR'})",
    "read a csv, detecting": "SELECT * FROM read_csv_auto('/etc/passwd')",
    "read text": "SELECT * FROM read_text('/etc/passwd')",
    "read a blob": "SELECT * FROM read_blob('/proc/self/environ')",
    "read json": "SELECT * FROM read_json('/etc/hostname')",
    "read parquet": "SELECT * FROM read_parquet('/tmp/*.parquet')",
    "read another duckdb file": "SELECT * FROM read_duckdb('/data/x.duckdb')",
    "list files": "SELECT * FROM glob('/**')",
    "list the data folder": "SELECT * FROM glob('/data/*')",
    "a file as a table": "SELECT * FROM '/etc/passwd'",
    "a csv as a table": "SELECT * FROM '/tmp/x.csv'",
    "sniff a file": "SELECT * FROM sniff_csv('/etc/passwd')",
    "parquet metadata": "SELECT * FROM parquet_metadata('/tmp/x.parquet')",
    "copy out": "COPY (SELECT 1) TO '/tmp/out.csv'",
    "copy in": "COPY defeitos FROM '/etc/passwd'",
    "copy a database": "COPY FROM DATABASE file_0 TO memory",
    "export": "EXPORT DATABASE '/tmp/out'",
    "import": "IMPORT DATABASE '/tmp/out'",
    "attach a file": "ATTACH '/data/other.duckdb'",
    "attach over the network": "ATTACH 'https://example.org/x.duckdb'",
    "detach": "DETACH file_0",
    "use": "USE file_0",
    # network and extensions
    "http": "SELECT * FROM read_csv('http://169.254.169.254/latest/meta-data')",
    "s3": "SELECT * FROM 's3://bucket/x.parquet'",
    "install": "INSTALL httpfs",
    "load": "LOAD httpfs",
    "load a library": "LOAD '/tmp/evil.duckdb_extension'",
    "force install": "FORCE INSTALL spatial FROM 'http://example.org'",
    "update extensions": "UPDATE EXTENSIONS",
    # settings
    "open external access": "SET enable_external_access = true",
    "raise the memory": "SET memory_limit = '100GB'",
    "reset the memory": "RESET memory_limit",
    "unlock": "SET lock_configuration = false",
    "pragma": "PRAGMA database_list",
    "pragma that sets": "PRAGMA memory_limit = '100GB'",
    "call": "CALL pragma_version()",
    "create a secret": "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
    "list secrets": "SELECT * FROM duckdb_secrets()",
    "set a variable": "SET VARIABLE x = 1",
    "checkpoint": "CHECKPOINT",
    "force checkpoint": "FORCE CHECKPOINT file_0",
    "vacuum": "VACUUM",
    "log to a file": "CALL enable_logging(storage = 'file', storage_path = '/tmp/log')",
    # writing
    "create": "CREATE TABLE t (i INT)",
    "create a temporary table": "CREATE TEMP TABLE t AS SELECT 1",
    "create a view": "CREATE VIEW v AS SELECT 1",
    "create a macro": "CREATE MACRO f(x) AS x + 1",
    "insert": "INSERT INTO defeitos VALUES (4, 'x')",
    "insert into the file": "INSERT INTO file_0.main.defeitos VALUES (4, 'x')",
    "insert within a with": "WITH x AS (INSERT INTO file_0.main.defeitos VALUES (4, 'x') RETURNING *) SELECT * FROM x",
    "delete within a with": "WITH x AS (DELETE FROM file_0.main.defeitos RETURNING *) SELECT * FROM x",
    "explain and run an insert": "EXPLAIN ANALYZE INSERT INTO file_0.main.defeitos VALUES (4, 'x')",
    "explain and run a copy": "EXPLAIN ANALYZE COPY (SELECT 1) TO '/tmp/out.csv'",
    "explain, comment, insert": "EXPLAIN /* ANALYZE */ ANALYZE INSERT INTO file_0.main.defeitos VALUES (4, 'x')",
    "update": "UPDATE defeitos SET tipo = 'x'",
    "delete": "DELETE FROM defeitos",
    "truncate": "TRUNCATE file_0.main.defeitos",
    "drop the view": "DROP VIEW defeitos",
    "drop the table": "DROP TABLE file_0.main.defeitos",
    "alter": "ALTER TABLE file_0.main.defeitos ADD COLUMN x INT",
    "merge": "MERGE INTO file_0.main.defeitos USING defeitos ON true WHEN MATCHED THEN DELETE",
    # more than one statement, and hidden ones
    "two statements": "SELECT 1; SELECT 2",
    "a drop behind a select": "SELECT 1; DROP VIEW defeitos",
    "a comment that hides": "SELECT 1 /* ; */ ; COPY (SELECT 1) TO '/tmp/x'",
    "a line comment that ends": "-- SELECT 1\nDROP VIEW defeitos",
    "out of a parenthesis": "SELECT 1) TO '/tmp/x'; --",
    "nothing": "   ",
    "only a comment": "-- SELECT 1",
    "prepare": "PREPARE p AS SELECT 1",
    "execute": "EXECUTE p",
    "begin": "BEGIN TRANSACTION",
    "commit": "COMMIT",
    # functions that run text or reach out
    "query function on a file": "SELECT * FROM query('FROM read_text(''/etc/passwd'')')",
    "query function that writes": "SELECT * FROM query('DROP VIEW defeitos')",
    "query_table on a file": "SELECT * FROM query_table('/etc/passwd')",
    "environment": "SELECT getenv('PATH')",
    "python variables": "SELECT * FROM job",
    "python modules": "SELECT * FROM kept",
    # other people's tables
    "another conversation's table": "SELECT * FROM segredos",
    "another file by number": "SELECT * FROM file_1.main.segredos",
}  # fmt: skip

BOUNDED = {
    "endless recursion": "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
    "recursion that grows": "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT a.n FROM r a, r b) SELECT count(*) FROM r",
    "a series that never ends": "SELECT sum(i % 7) FROM generate_series(1, 900000000000) t(i)",
    "a product of series": "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE sin(a.range) < cos(b.range)",
    "a sort of everything": "SELECT * FROM range(5000000000) ORDER BY hash(range) DESC",
    "a text of two gigabytes": "SELECT length(repeat('x', 2000000000))",
    "texts that double": "SELECT length(list_aggregate(list_transform(range(4000), lambda x: repeat('x', 1000000)), 'string_agg', ''))",
    "a list of everything": "SELECT list(range) FROM range(4000000000)",
    "a wide aggregate": "SELECT count(*) FROM (SELECT md5(range::VARCHAR) AS h FROM range(3000000000) GROUP BY ALL)",
    "a slow pattern": "SELECT count(*) FROM range(100000000) WHERE regexp_matches(repeat('a', 200) || range, '(a|aa)+$')",
    "deep nesting": "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
    "a very long query": "SELECT " + "1 + " * 10_000 + "1",
}  # fmt: skip


@pytest.mark.parametrize("attempt", REFUSED)
async def test_it_is_refused(besieged: Desk, attempt: str) -> None:
    with pytest.raises(ToolFailed) as refusal:
        await besieged.ask(REFUSED[attempt])
    assert "root:" not in str(refusal.value)
    assert (await besieged.ask("SELECT count(*) FROM defeitos"))["rows"] == [[3]]


@pytest.mark.parametrize("attempt", BOUNDED)
async def test_it_is_bounded(besieged: Desk, attempt: str) -> None:
    with pytest.raises(ToolFailed):
        await besieged.ask(BOUNDED[attempt])
    assert (await besieged.ask("SELECT count(*) FROM defeitos"))["rows"] == [[3]]


async def test_a_huge_result_is_cut_without_being_made(besieged: Desk) -> None:
    answer = await besieged.ask("SELECT range, repeat('x', 100) FROM range(100000000000)", limit=5)
    assert len(answer["rows"]) == 5
    assert answer["truncated"] is True


async def test_the_locks_are_seen_to_be_in_place(besieged: Desk) -> None:
    settings = await besieged.ask(
        "SELECT name, value FROM duckdb_settings() WHERE name IN "
        "('enable_external_access', 'lock_configuration', 'python_enable_replacements') ORDER BY name"
    )
    assert settings["rows"] == [
        ["enable_external_access", "false"],
        ["lock_configuration", "true"],
        ["python_enable_replacements", "false"],
    ]


async def test_no_trace_of_another_conversation_is_visible(besieged: Desk) -> None:
    theirs = await besieged.ask("SELECT nome FROM segredos", conversation="theirs")
    assert theirs["rows"] == [["Rui"]]
    seen = await besieged.ask(
        "SELECT database_name, table_name FROM duckdb_tables() "
        "UNION ALL SELECT database_name, view_name FROM duckdb_views() WHERE NOT internal"
    )
    assert sorted(seen["rows"]) == [["file_0", "defeitos"], ["memory", "defeitos"]]
