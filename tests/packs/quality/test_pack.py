from __future__ import annotations

from bancada import Tool
from tests.packs.quality.bench import Bench

QUALIDADE = (
    "contar_defeitos",
    "top_defeitos",
    "gerar_grafico",
    "gerar_tabela",
    "gerar_kpi",
    "gerar_dashboard",
)
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
        "consultar_dados",
        *NEW,
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
    }
    assert all("direct" in tool.allowed_callers for tool in bench.tools)


def test_only_keeping_a_dashboard_changes_anything(bench: Bench) -> None:
    assert [tool.name for tool in bench.tools if tool.effect == "write"] == ["gerar_dashboard"]


def test_starters_are_questions_the_offline_model_knows(bench: Bench) -> None:
    known = {phrase for intent in bench.pack.intents for phrase in intent.phrases["pt"]}
    for agent in bench.pack.agents:
        assert len(agent.starters) >= 3
        missing = [one for one in agent.starters if one not in known]
        assert missing == []
