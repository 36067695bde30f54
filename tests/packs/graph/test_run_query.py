"""`run_query` on the demo plant, in the real jail: what it answers, and what it withstands.

Each attack is tried twice: through the tool, and past the check straight into the jail, because
each wall has to hold by itself.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio

from bancada import ToolFailed
from bancada.engine.sandboxes import SandboxService
from bancada.packs.graph import query as query_module
from bancada.packs.graph import shelf
from bancada.packs.graph.embedded import address_space
from bancada.packs.graph.keeper import Keeper
from bancada.packs.graph.query import GraphQueryLimits, query_tool
from bancada.sandbox import ContainerInfo, probe
from tests.packs.graph.kit import HOME, Kit, context
from tests.packs.graph.oracle import Oracle

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(
        not any(report.available for report in probe()), reason="no sandbox tier on this machine"
    ),
]

LIMITS = GraphQueryLimits(seconds=1.0, rows=50)

WRITES = {
    "create a node": "CREATE (n:Asset {id: 'evil'})",
    "create after match": "MATCH (n:Site) CREATE (m:Asset {id: 'evil'})",
    "create after with star": "MATCH (n:Site) WITH * CREATE (m:Asset {id: 'evil'}) RETURN m",
    "merge": "MERGE (n:Asset {id: 'evil'}) RETURN n",
    "set": "MATCH (n:Asset {id: 'BF-11'}) SET n.name = 'evil' RETURN n",
    "delete": "MATCH (n:Document) DELETE n",
    "detach delete": "MATCH (n) DETACH DELETE n",
    "delete an edge": "MATCH ()-[e:FEEDS]->() DELETE e",
    "create a table": "CREATE NODE TABLE Evil(id STRING PRIMARY KEY)",
    "create a rel table": "CREATE REL TABLE Evil(FROM Asset TO Asset)",
    "drop a table": "DROP TABLE Document",
    "alter a table": "ALTER TABLE Asset ADD evil STRING",
    "rename a table": "ALTER TABLE Asset RENAME TO Evil",
    "comment": "COMMENT ON TABLE Asset IS 'evil'",
    "create a sequence": "CREATE SEQUENCE evil",
    "create a macro": "CREATE MACRO evil(x) AS x + 1",
    "second statement": "MATCH (n:Site) RETURN n.id; CREATE (n:Asset {id: 'evil'})",
    "behind a comment": "MATCH (n:Site) RETURN n.id /* */ ; /* */ MATCH (n) DETACH DELETE n",
    "odd capitals": "mAtCh (n) dEtAcH dElEtE n",
    "after union": "MATCH (n:Site) RETURN n.id UNION CREATE (n:Asset {id: 'evil'}) RETURN n.id",
}
FILES = {
    "load a file": "LOAD FROM '/etc/passwd' RETURN *",
    "load a csv with options": "LOAD FROM '/etc/passwd' (file_format='csv', delim=':', header=false) RETURN *",
    "load with headers": "LOAD WITH HEADERS (line STRING) FROM '/etc/hostname' RETURN *",
    "load after match": "MATCH (n:Site) LOAD FROM '/etc/passwd' RETURN *",
    "load after with star": "WITH * LOAD FROM '/etc/passwd' RETURN *",
    "load by wildcard": "LOAD FROM '/etc/*' (file_format='csv') RETURN *",
    "load the environment": "LOAD FROM '/proc/self/environ' (file_format='csv') RETURN *",
    "load a python variable": "LOAD FROM asked RETURN *",
    "copy into the graph": "COPY Asset FROM '/etc/passwd'",
    "copy to a file": "COPY (MATCH (n) RETURN n.id) TO '/tmp/evil.csv'",
    "copy over the graph": "COPY (MATCH (n) RETURN n.id) TO '/data/graph.lbug'",
    "export the database": "EXPORT DATABASE '/tmp/evil'",
    "import a database": "IMPORT DATABASE '/tmp/evil'",
    "attach a database": "ATTACH '/etc/passwd' AS evil (dbtype sqlite)",
    "attach this one again": "ATTACH '/data/graph.lbug' AS evil (dbtype lbug)",
    "a file for a label": "MATCH (n:`/etc/passwd`) RETURN n",
}
EXTENSIONS = {
    "install": "INSTALL httpfs",
    "force install": "FORCE INSTALL httpfs FROM 'http://127.0.0.1/'",
    "load an extension": "LOAD EXTENSION httpfs",
    "load a library": "LOAD EXTENSION '/tmp/evil.so'",
    "load from the web": "LOAD FROM 'https://127.0.0.1/x.csv' RETURN *",
    "uninstall": "UNINSTALL json",
}
PROCEDURES = {
    "no timeout": "CALL timeout=0",
    "more threads": "CALL threads=64",
    "deeper walks": "CALL var_length_extend_max_depth=1000000",
    "a setting": "CALL current_setting('timeout') RETURN *",
    "functions": "CALL show_functions() RETURN *",
    "attached databases": "CALL show_attached_databases() RETURN *",
    "storage": "CALL storage_info('Asset') RETURN *",
    "project a graph": "CALL project_graph('evil', ['Asset'], ['FEEDS'])",
    "a quoted procedure": "CALL `show_tables`() RETURN *",
    "checkpoint": "CHECKPOINT",
    "begin": "BEGIN TRANSACTION",
    "explain": "EXPLAIN LOAD FROM '/etc/passwd' RETURN *",
}
ENDLESS = {
    "a long range": "UNWIND range(1, 2000000000) AS x RETURN count(x)",
    "ranges squared": "UNWIND range(1, 1000000) AS x UNWIND range(1, 1000000) AS y RETURN sum(x * y)",
    "every pair of pairs": "MATCH (a), (b), (c) WHERE a.name < b.name AND b.name < c.name RETURN count(*)",
    "all walks": "MATCH (a)-[*1..30]-(b) RETURN count(*)",
    "all trails, kept": "MATCH p = (a)-[*1..12]-(b) RETURN collect(p)",
    "sort the product": "MATCH (a), (b) RETURN a.name + b.name AS x ORDER BY x LIMIT 1",
    "collect the product": "MATCH (a), (b) RETURN collect(a.name + b.name)",
    "a growing text": "RETURN list_reduce(range(1, 60), (x, y) -> x + y), list_transform(range(1, 30000000), x -> 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')",
    "lists of lists": "UNWIND range(1, 100000) AS x RETURN collect(range(1, 100000))",
    "a slow pattern": "MATCH (a), (b) WHERE (a.name + b.name) =~ '(.*)*(.*)*(.*)*x' RETURN count(*)",
}
ATTACKS = WRITES | FILES | EXTENSIONS | PROCEDURES


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def jail(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SandboxService]:
    jail = SandboxService(tmp_path_factory.mktemp("jail") / "run")
    yield jail
    await jail.close()


def containers(jail: SandboxService) -> list[ContainerInfo]:
    assert jail.running is not None
    return jail.running.containers()


@pytest.fixture(scope="module")
def database(plant_folder: Path) -> Path:
    version = shelf.current(plant_folder / "graph" / HOME)
    assert version is not None
    return version.database


def checksum(database: Path) -> dict[str, str]:
    """Every file beside the graph: a log or lock left behind would show too."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in database.parent.iterdir()
    }


@pytest.fixture(autouse=True)
def unchanged(database: Path) -> Any:
    before = checksum(database)
    yield
    assert checksum(database) == before


@pytest.fixture
def ask(plant_folder: Path, jail: SandboxService) -> Any:
    keeper = Keeper(plant_folder / "graph")
    tool = query_tool(keeper, jail, False, limits=LIMITS)

    async def ask(query: str) -> Any:
        return await tool.run(context(), {"query": query})

    return ask


async def past_the_check(jail: SandboxService, database: Path, query: str) -> Any:
    return await jail.evaluate(
        query_module._GUEST,
        {
            "query": query,
            "file": "graph.lbug",
            "memory": LIMITS.memory,
            "address_space": address_space(database.stat().st_size),
            "seconds": LIMITS.seconds,
            "rows": LIMITS.rows,
            "bytes": LIMITS.bytes,
        },
        key="attack",
        files={"graph.lbug": database},
        seconds=LIMITS.seconds + 2,
    )


async def test_a_query_answers_what_networkx_counts(ask: Any, oracle: Oracle) -> None:
    answer = await ask("MATCH (n:Asset) RETURN n.kind AS kind, count(*) AS n")
    assert answer["columns"] == ["kind", "n"]
    assert dict(answer["rows"]) == oracle.by(oracle.labelled("Asset"), "kind")
    assert (answer["total_rows"], answer["truncated"]) == (len(answer["rows"]), False)


async def test_assets_in_biofilter_11_can_be_asked_in_cypher(ask: Any, oracle: Oracle) -> None:
    answer = await ask(
        "MATCH (x:Asset {id: 'BF-11'})<-[:PART_OF|LOCATED_IN* SHORTEST 1..9]-(n:Asset) RETURN n.id"
    )
    assert {id for (id,) in answer["rows"]} == oracle.inside("BF-11", "Asset")


async def test_nodes_edges_and_paths_are_plain_json(ask: Any) -> None:
    answer = await ask(
        "MATCH p = (a:Asset {id: 'BF-11'})-[e:FEEDS]->(b) RETURN a, e, p, a.installed"
    )
    [[node, edge, path, installed]] = answer["rows"]
    assert (node["label"], node["id"], node["name"]) == ("Asset", "BF-11", "Biofilter 11")
    assert node["installed"] == installed
    assert len(installed) == len("2026-01-01")
    assert edge == {"type": "FEEDS"}
    assert [step["id"] for step in path["nodes"]] == ["BF-11", "BF-12"]


async def test_rows_are_cut_and_the_total_is_said(ask: Any, oracle: Oracle) -> None:
    answer = await ask("MATCH (n:Asset) RETURN n.id")
    assert len(answer["rows"]) == LIMITS.rows
    assert answer["truncated"] is True
    assert answer["total_rows"] == len(oracle.labelled("Asset"))


async def test_cells_are_cut(ask: Any) -> None:
    answer = await ask("RETURN range(1, 100000) AS numbers")
    assert len(answer["rows"][0][0]) == 501
    answer = await ask("MATCH (n) RETURN list_to_string(',', collect(n.id))")
    assert len(answer["rows"][0][0]) == 2001


async def test_a_mistake_is_told_with_what_helps(ask: Any) -> None:
    with pytest.raises(ToolFailed, match=r"Dragon.*get_schema"):
        await ask("MATCH (n:Dragon) RETURN n")


async def test_a_container_stays_warm_for_its_conversation(ask: Any, jail: SandboxService) -> None:
    await ask("RETURN 1")
    before = {info.pid for info in containers(jail)}
    await ask("RETURN 2")
    assert {info.pid for info in containers(jail)} == before


@pytest.mark.parametrize("name", ATTACKS)
async def test_an_attack_is_refused_with_what_is_allowed(ask: Any, name: str) -> None:
    with pytest.raises(ToolFailed, match=r"Allowed is one reading statement|could not run"):
        await ask(ATTACKS[name])


@pytest.mark.parametrize("name", [*WRITES, *FILES, *EXTENSIONS])
async def test_past_the_check_the_jail_holds(
    jail: SandboxService, database: Path, name: str
) -> None:
    try:
        answer = await past_the_check(jail, database, ATTACKS[name])
    except ToolFailed:
        return
    assert "root:" not in str(answer)
    assert os.uname().nodename not in str(answer)
    assert not Path("/tmp/evil").exists()
    assert not Path("/tmp/evil.csv").exists()
    counted = await past_the_check(jail, database, "MATCH (n {id: 'evil'}) RETURN count(*)")
    assert counted["rows"] == [[0]]


async def test_past_the_check_settings_do_not_outlive_a_query(
    jail: SandboxService, database: Path
) -> None:
    await past_the_check(jail, database, "CALL timeout=0")
    found = await past_the_check(jail, database, "CALL current_setting('timeout') RETURN *")
    assert found["rows"] == [[str(int(LIMITS.seconds * 1000))]]


@pytest.mark.parametrize("name", ENDLESS)
async def test_what_would_not_end_is_bounded(ask: Any, jail: SandboxService, name: str) -> None:
    memory = psutil.Process().memory_info().rss
    async with asyncio.timeout(LIMITS.seconds + 6):
        with suppress(ToolFailed):
            answer = await ask(ENDLESS[name])
            assert len(str(answer)) < 4 * LIMITS.bytes
    assert psutil.Process().memory_info().rss < memory + (200 << 20)
    assert (await ask("RETURN 1"))["rows"] == [[1]]


async def test_a_cancelled_query_really_ends(ask: Any, jail: SandboxService) -> None:
    await ask("RETURN 1")
    pids = {info.pid for info in containers(jail)}
    task = asyncio.create_task(ask(ENDLESS["every pair of pairs"]))
    async with asyncio.timeout(5):
        while not any(info.busy for info in containers(jail)):
            await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(5):
        while all(psutil.pid_exists(pid) for pid in pids):
            await asyncio.sleep(0.01)


async def test_without_a_jail_the_tool_is_switched_off_and_says_why(plant_folder: Path) -> None:
    kit = Kit.of(plant_folder / "graph")
    assert kit.tools["run_query"].switched_off == "No sandbox on this machine."
    assert kit.tools["find_node"].switched_off is None


async def test_only_run_query_needs_more_than_an_operator(kit: Kit) -> None:
    levels = {name: tool.permission_level for name, tool in kit.tools.items()}
    assert levels.pop("run_query") == "responsavel"
    assert set(levels.values()) == {"operador"}
