"""The demo plant, imported once, beside an independent reading of the same files."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from bancada.packs.graph.importer import import_graph
from bancada.packs.graph.plant import PLANT
from tests.packs.graph.kit import HOME, Kit
from tests.packs.graph.oracle import Oracle


@pytest.fixture(scope="session")
def plant_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plant")
    for name in ("nodes", "edges"):
        rows = duckdb.read_parquet(str(getattr(PLANT, name)))
        rows.write_csv(str(folder / f"{name}.csv"))
    import_graph(PLANT, folder / "graph" / HOME)
    return folder


@pytest.fixture(scope="session")
def kit(plant_folder: Path) -> Kit:
    return Kit.of(plant_folder / "graph")


@pytest.fixture(scope="session")
def oracle(plant_folder: Path) -> Oracle:
    return Oracle.read(plant_folder / "nodes.csv", plant_folder / "edges.csv")
