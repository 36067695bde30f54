from __future__ import annotations

from pathlib import Path

import pytest

from bancada import Tool, ToolFailed
from bancada.packs.quality import DEMO
from tests.packs.quality.bench import Bench, Services

QUALIDADE = (
    "contar_defeitos",
    "top_defeitos",
    "gerar_grafico",
    "gerar_tabela",
    "gerar_kpi",
    "gerar_dashboard",
    "consultar_dados",
)
STUDIES = ("carta_controlo", "estudo_capacidade", "estudo_rr", "pareto_tabela", "correr_estudo")
NEW = ("pareto_defeitos", "carta_controlo_xr", "carta_controlo_p", "capacidade")


def test_the_agents_have_exactly_their_tools(bench: Bench) -> None:
    quality, analysis = bench.pack.agents
    assert (quality.name, quality.tools, quality.code) == ("Qualidade", QUALIDADE, "direct")
    assert analysis.name == "Análise"
    assert analysis.code == "local"
    assert set(analysis.tools) == {
        *QUALIDADE,
        "defeitos_por_turno",
        "executar_python",
        *NEW,
        *(tool.name for tool in bench.studies.tools),
    }


def test_every_tool_of_an_agent_comes_with_the_pack(bench: Bench) -> None:
    here = {tool.name for tool in bench.tools}
    assert all(set(agent.tools) <= here for agent in bench.pack.agents)


def test_prompts_open_as_the_guide_does(bench: Bench) -> None:
    for agent in bench.pack.agents:
        assert agent.system_prompt.startswith(
            "És um assistente de qualidade industrial numa fábrica de pintura de peças plásticas"
        )


def test_code_may_call_what_reads_and_not_what_shows(bench: Bench) -> None:
    def from_code(tool: Tool) -> bool:
        return "code_execution_20260120" in tool.allowed_callers

    assert {tool.name for tool in bench.tools if from_code(tool)} == {
        "contar_defeitos",
        "top_defeitos",
        "defeitos_por_turno",
        "consultar_dados",
        *NEW,
        *STUDIES,
    }
    assert all("direct" in tool.allowed_callers for tool in bench.tools)


def test_only_what_keeps_something_changes_anything(bench: Bench) -> None:
    assert {tool.name for tool in bench.tools if tool.effect == "write"} == {
        "gerar_dashboard",
        "congelar_limites",
        "remover_limites",
        "guardar_estudo",
        "remover_estudo",
    }


async def test_the_log_is_one_organisations_and_no_other_counts_in_it(bench: Bench) -> None:
    (table,) = bench.pack.tables
    assert table.organisation_id == 1
    bench.organisation = 2
    for name in ("contar_defeitos", "top_defeitos", "defeitos_por_turno", "pareto_defeitos"):
        with pytest.raises(ToolFailed, match="A sua organização não tem registo"):
            await bench.call(name)
    with pytest.raises(ToolFailed, match="indique os dados"):
        await bench.call("carta_controlo_xr")
    given = await bench.call("carta_controlo_xr", subgrupos=[[1, 2], [2, 3], [1, 3]])
    assert given["subgrupos"] == 3


async def test_a_configured_log_belongs_to_the_organisation_that_is_named(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text(DEMO.read_text("utf-8"), encoding="utf-8")
    settings = {"defeitos": str(log), "organisation": "2"}
    bench = Bench(Services(folder=tmp_path, demo=False, settings=settings))
    with pytest.raises(ToolFailed):
        await bench.call("contar_defeitos")
    bench.organisation = 2
    assert (await bench.call("contar_defeitos"))["total"] == 200


def test_without_the_pack_of_tables_it_says_what_is_missing(bench: Bench) -> None:
    assert bench.pack.needs == ("statistics", "tables")
