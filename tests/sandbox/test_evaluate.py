"""Code of ours on hostile data: a value back, bounded in time and size."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import duckdb
import ladybug
import pytest
import pytest_asyncio

from bancada.sandbox import (
    Container,
    ContainerEnded,
    EvaluationFailed,
    EvaluationTimedOut,
    ReadOnlyFile,
    Sandbox,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> list[ReadOnlyFile]:
    folder = tmp_path_factory.mktemp("engines")
    with duckdb.connect(str(folder / "x.duckdb")) as tables:
        tables.execute("create table sales as select i, i % 3 as region from range(30000) r(i)")
    database = ladybug.Database(str(folder / "g.lbdb"))
    graph = ladybug.Connection(database)
    graph.execute("CREATE NODE TABLE Person(name STRING, PRIMARY KEY(name))")
    graph.execute("CREATE (:Person {name: 'ana'}), (:Person {name: 'rui'})")
    graph.execute("CHECKPOINT")
    graph.close()
    database.close()
    for file in folder.iterdir():
        file.chmod(0o600)
    return [ReadOnlyFile(file, file.name) for file in folder.iterdir()]


@pytest_asyncio.fixture(loop_scope="session")
async def reader(sandbox: Sandbox, engines: list[ReadOnlyFile]) -> AsyncIterator[Container]:
    container = await sandbox.open(engines)
    yield container
    await container.end()


DUCKDB = """
import duckdb
with duckdb.connect("/data/x.duckdb", read_only=True) as connection:
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    result = [list(row) for row in connection.execute(input).fetchall()]
"""

LADYBUG = """
import ladybug
database = ladybug.Database(
    "/data/g.lbdb", read_only=True, max_db_size=1 << 28, buffer_pool_size=64 << 20
)
rows = ladybug.Connection(database).execute(input)
result = []
while rows.has_next():
    result.append(rows.get_next())
"""


async def test_input_goes_in_and_result_comes_back(container: Container) -> None:
    input = {"text": "ação", "list": [1, 2.5, None, True], "deep": {"a": []}}

    value = await container.evaluate("result = {'got': input}", input, seconds=5, max_bytes=1000)

    assert value == {"got": input}


async def test_evaluations_share_nothing_with_each_other_or_with_cells(
    container: Container,
) -> None:
    await container.evaluate("x = 1", None, seconds=5, max_bytes=100)
    await container.run("y = 1")

    code = "result = 'x' in globals() or 'y' in globals()"
    assert await container.evaluate(code, None, seconds=5, max_bytes=100) is False


@pytest.mark.parametrize(
    ("code", "type", "message"),
    [
        ("raise KeyError('k')", "KeyError", "'k'"),
        ("result = object()", "TypeError", "not JSON serializable: object"),
        ("x = = 1", "SyntaxError", "invalid syntax"),
        ("import sys; sys.exit(1)", "SystemExit", "1"),
        ("result = 'x' * 2000", "ResultTooLarge", "larger than 1000 bytes"),
        ("result = 'x' * (3 << 30)", "MemoryError", ""),
    ],
)
async def test_what_goes_wrong_comes_back_by_name(
    code: str, type: str, message: str, container: Container
) -> None:
    with pytest.raises(EvaluationFailed) as failed:
        await container.evaluate(code, None, seconds=10, max_bytes=1000)

    assert failed.value.type == type
    assert message in failed.value.message
    assert await container.evaluate("result = 1", None, seconds=5, max_bytes=100) == 1


async def test_out_of_time_is_killed(container: Container) -> None:
    with pytest.raises(EvaluationTimedOut):
        await container.evaluate("while True: pass", None, seconds=0.3, max_bytes=100)
    with pytest.raises(ContainerEnded):
        await container.evaluate("result = 1", None, seconds=1, max_bytes=100)


async def test_a_process_that_dies_says_so(container: Container) -> None:
    with pytest.raises(ContainerEnded):
        await container.evaluate("import os; os.abort()", None, seconds=5, max_bytes=100)


async def test_what_it_prints_goes_nowhere(container: Container) -> None:
    code = "print('x' * 100000)\nresult = 1"

    assert await container.evaluate(code, None, seconds=5, max_bytes=100) == 1
    assert (await container.run("print('y')")).stdout == "y\n"


async def test_duckdb_reads_a_file_bound_read_only(reader: Container) -> None:
    query = "select region, count(*) from sales group by region order by region"

    value = await reader.evaluate(DUCKDB, query, seconds=20, max_bytes=10_000)

    assert value == [[0, 10000], [1, 10000], [2, 10000]]


@pytest.mark.parametrize(
    "query",
    [
        "insert into sales values (1, 1)",
        "create table t(x int)",
        "copy sales to 'out.csv'",
        "select * from read_csv('/etc/passwd')",
        "set enable_external_access = true",
        "attach 'other.duckdb'",
    ],
)
async def test_duckdb_cannot_leave_its_file(query: str, reader: Container) -> None:
    with pytest.raises(EvaluationFailed):
        await reader.evaluate(DUCKDB, query, seconds=20, max_bytes=10_000)


async def test_a_query_without_end_is_killed(reader: Container) -> None:
    query = "select count(*) from range(100000000000) t(i) where hash(i) % 7 = 3"

    with pytest.raises(EvaluationTimedOut):
        await reader.evaluate(DUCKDB, query, seconds=0.5, max_bytes=1000)


async def test_ladybug_reads_a_file_bound_read_only(reader: Container) -> None:
    query = "MATCH (p:Person) RETURN p.name ORDER BY p.name"

    value = await reader.evaluate(LADYBUG, query, seconds=20, max_bytes=10_000)

    assert value == [["ana"], ["rui"]]


async def test_ladybug_cannot_write(reader: Container) -> None:
    with pytest.raises(EvaluationFailed):
        await reader.evaluate(LADYBUG, "CREATE (:Person {name: 'eva'})", seconds=20, max_bytes=1000)


async def test_one_container_answers_query_after_query(reader: Container) -> None:
    for number in range(5):
        query = f"select {number}"
        assert await reader.evaluate(DUCKDB, query, seconds=20, max_bytes=100) == [[number]]


async def test_engines_work_beside_each_other_on_one_file(
    sandbox: Sandbox, engines: list[ReadOnlyFile]
) -> None:
    one, two = await sandbox.open(engines), await sandbox.open(engines)
    for container in (one, two):
        value = await container.evaluate(DUCKDB, "select 1", seconds=20, max_bytes=100)
        assert value == [[1]]
        await container.end()


async def test_the_file_itself_is_unchanged(reader: Container, engines: list[ReadOnlyFile]) -> None:
    before = {file.name: Path(file.source).read_bytes() for file in engines}
    await reader.evaluate(DUCKDB, "select count(*) from sales", seconds=20, max_bytes=100)
    await reader.evaluate(LADYBUG, "MATCH (p) RETURN count(p)", seconds=20, max_bytes=100)

    assert {file.name: Path(file.source).read_bytes() for file in engines} == before
