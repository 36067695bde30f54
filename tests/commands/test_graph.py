"""`bancada graph`: each organisation's graph is imported, shown and declared at a terminal."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.commands.test_commands import BAD_USAGE, REFUSED, Terminal

NODES = "id,label,name\nw,Ward,Ward A\nr1,Room,Room 1\nr2,Room,Room 2\nd,Doctor,Dr. Reis\n"
EDGES = "source,target,type\nw,r1,HAS_ROOM\nw,r2,HAS_ROOM\nd,r1,VISITS\nd,r2,VISITS\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    folder = tmp_path_factory.mktemp("graph-command")
    terminal = Terminal(folder / "data")
    made = terminal.run("db", "upgrade", "--demo")
    assert made.returncode == 0, made.stderr
    with sqlite3.connect(terminal.data / "bancada.db") as db:
        db.execute(
            "INSERT INTO organisations (name, settings, created_at) VALUES ('Clinic', '{}', 0)"
        )
    (folder / "nodes.csv").write_text(NODES)
    (folder / "edges.csv").write_text(EDGES)
    return terminal


def test_an_import_says_what_counts_as_containment_and_it_can_be_declared(house: Terminal) -> None:
    files = [str(house.data.parent / f"{name}.csv") for name in ("nodes", "edges")]
    imported = house.run("graph", "import", *files, "--name", "Hospital")
    assert imported.returncode == 0, imported.stderr
    assert "4 nodes and 4 edges." in imported.stdout
    assert "HAS_ROOM:down  its name says that the target is inside" in imported.stdout
    assert "not VISITS: " in imported.stdout

    ask = ("tools", "run", "count_related_by_name", '{"name": "Ward A"}')
    assert json.loads(house.run(*ask).stdout)["count"] == 2

    declared = house.run("graph", "containment", "HAS_ROOM", "VISITS:down")
    assert "VISITS:down  declared" in declared.stdout
    shown = house.run("graph", "show")
    assert "Hospital: 4 nodes and 4 edges." in shown.stdout
    assert "VISITS:down  declared" in shown.stdout
    refused = house.run("graph", "containment", "OWNS")
    assert refused.returncode == REFUSED
    assert "Relations: HAS_ROOM, VISITS." in refused.stderr


def test_an_organisation_that_is_not_there_or_has_no_graph_is_told(house: Terminal) -> None:
    files = [str(house.data.parent / f"{name}.csv") for name in ("nodes", "edges")]
    nobody = house.run("graph", "import", *files, "--organisation", "Nowhere")
    assert nobody.returncode == BAD_USAGE
    assert "Organisations: Bancada, Clinic." in nobody.stderr
    assert house.run("graph", "show", "--organisation", "Clinic").returncode == REFUSED


def test_a_graph_goes_to_the_organisation_that_is_named(house: Terminal) -> None:
    files = [str(house.data.parent / f"{name}.csv") for name in ("nodes", "edges")]
    assert house.run("graph", "import", *files, "--organisation", "Clinic").returncode == 0
    assert "Ward (1)" in house.run("graph", "show", "--organisation", "Clinic").stdout
    kept = house.data / "packs" / "graph" / "2" / "current"
    assert kept.is_file()


def test_only_an_administrator_imports(house: Terminal) -> None:
    files = [str(house.data.parent / f"{name}.csv") for name in ("nodes", "edges")]
    refused = house.run("graph", "import", *files, "--user", "rui@demo.com")
    assert refused.returncode == REFUSED
    assert "no administrator" in refused.stderr


def test_a_graph_without_containment_says_how_to_declare_it(
    house: Terminal, tmp_path: Path
) -> None:
    (tmp_path / "nodes.csv").write_text(NODES)
    (tmp_path / "edges.csv").write_text("source,target,type\nd,r1,KNOWS\nw,r1,KNOWS\n")
    imported = house.run(
        "graph", "import", str(tmp_path / "nodes.csv"), str(tmp_path / "edges.csv")
    )
    assert "No relation counts as containment" in imported.stdout
    assert "bancada graph containment" in imported.stdout
