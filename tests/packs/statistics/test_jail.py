"""A study through the gate and in the jail, and what the server loads for it: nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb

from bancada import Pack, PackTable, Services
from bancada.packs.statistics.pack import build
from bancada.packs.tables import build as tables
from bancada.testing import open_workshop

LOADED = """
import sys
import bancada.server.app, bancada.packs.statistics.pack
print(*sorted({name.partition('.')[0] for name in sys.modules} & {'scipy', 'statsmodels', 'pandas'}))
"""


async def test_a_study_runs_in_the_jail_and_both_calls_stand_in_the_audit(tmp_path: Path) -> None:
    file = tmp_path / "medidas.duckdb"
    with duckdb.connect(str(file)) as db:
        db.execute("CREATE TABLE medidas AS SELECT 10 + sin(i) AS peso FROM range(60) AS t(i)")

    def own(services: Services) -> Pack:
        return Pack(name="own", tables=[PackTable(name="medidas", file=lambda: file)])

    async with open_workshop(tables, build, own) as workshop:
        asked = {"tipo": "i-mr", "tabela": "medidas", "coluna": "peso"}
        found = await workshop.result("carta_controlo", asked)
        assert not found.is_error, found.content
        assert found.value["pontos"] == 60
        wrong = await workshop.result("carta_controlo", {**asked, "tabela": "medias"})
        assert "medidas (peso)" in str(wrong.content)
        typed = await workshop.result("carta_controlo", {"tipo": "i-mr", "valores": [1.0, 2.0] * 9})
        assert not typed.is_error, typed.content
        lines = await workshop.audit()
    assert [line["tool"] for line in lines[:2]] == ["carta_controlo", "consultar_dados"]


def test_the_server_loads_no_statistics_library_at_start() -> None:
    ran = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
