"""Whole turns with the offline model: a question in, tools of the agent, an answer out."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest

from bancada import JSONObject, ToolFailed
from bancada.model.model import Reply, Request
from bancada.model.offline import OfflineModel
from tests.packs.quality.bench import Bench, tool_result


class Conversation:
    """One agent and the offline model, without an engine: calls run where they are asked for."""

    def __init__(self, bench: Bench, agent: str) -> None:
        self.bench = bench
        bench.services.datasets.file = bench.pack.tables[0].file
        self.agent = next(one for one in bench.pack.agents if one.name == agent)
        self.model = OfflineModel(
            [*bench.pack.intents, *bench.tables.intents, *bench.studies.intents]
        )
        self.messages: list[JSONObject] = []
        self.called: list[str] = []

    async def ask(self, question: str) -> str:
        self.messages.append({"role": "user", "content": [{"type": "text", "text": question}]})
        self.called = []
        while True:
            reply = await self._reply()
            self.messages.append({"role": "assistant", "content": reply.content})
            calls = [block for block in reply.content if block["type"] == "tool_use"]
            if not calls:
                return "".join(block["text"] for block in reply.content)
            results = [await self._run(call) for call in calls]
            self.messages.append({"role": "user", "content": results})

    async def _reply(self) -> Reply:
        tools = [self.bench.tool(name) for name in self.agent.tools]
        request = Request(
            model="offline",
            max_tokens=self.agent.max_tokens,
            system=[{"type": "text", "text": self.agent.system_prompt}],
            messages=self.messages,
            tools=[
                {"name": t.name, "description": t.description, "input_schema": t.input_schema}
                for t in tools
            ],
            tables=self.bench.shapes,
        )
        async for event in self.model.stream(request):
            if isinstance(event, Reply):
                return event
        raise AssertionError("a stream ends with its reply")

    async def _run(self, call: JSONObject) -> JSONObject:
        self.called.append(call["name"])

        async def value() -> Any:
            answer = await self.bench.call(call["name"], **call["input"])
            return self.bench.last or answer

        return await tool_result(call, value())


@pytest.fixture
def quality(bench: Bench) -> Conversation:
    return Conversation(bench, "Qualidade")


@pytest.fixture
def analysis(bench: Bench) -> Conversation:
    return Conversation(bench, "Análise")


async def test_the_guides_own_conversation(analysis: Conversation) -> None:
    assert "'lixo', com 62 ocorrências" in await analysis.ask("qual é o defeito mais frequente?")
    assert "manhã registaram-se 73 defeitos" in await analysis.ask("e por turno?")
    assert analysis.called == ["defeitos_por_turno"]
    await analysis.ask("mostra num gráfico")
    assert analysis.called[-1] == "gerar_grafico"
    assert analysis.bench.widgets[0].kind == "chart"


async def test_the_line_agent_answers_shifts_with_the_tools_it_has(quality: Conversation) -> None:
    said = await quality.ask("e por turno?")
    assert quality.called == ["consultar_dados"]
    assert "- manhã: 73 (36,5%)\n- tarde: 68 (34,0%)\n- noite: 59 (29,5%)" in said


async def test_two_requests_in_one_sentence_are_both_answered(quality: Conversation) -> None:
    said = await quality.ask("How many defects are there and what is the most frequent defect?")
    assert "There are 200 recorded defects" in said
    assert "The most frequent defect is 'lixo'" in said


async def test_a_dashboard_by_shift_has_a_chart_of_the_shifts(quality: Conversation) -> None:
    said = await quality.ask("Cria um dashboard com os defeitos por turno")
    (kept,) = quality.bench.services.dashboards.kept
    assert "/dashboards/a3f2c8e1b047: 200 defeitos" in said
    html = unescape(kept["html"])
    assert '["manhã", "tarde", "noite"]' in html
    assert "[73, 68, 59]" in html


async def test_what_an_agent_has_no_tool_for_is_not_answered_with_something_else(
    quality: Conversation,
) -> None:
    for question in ("Carta de controlo p do lixo", "Control chart of the defects"):
        await quality.ask(question)
        assert quality.called == []


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("Pareto dos defeitos por operador", "pareto_defeitos"),
        ("Carta de controlo p do lixo", "carta_controlo_p"),
        ("Faz uma carta de controlo X-R", "carta_controlo_xr"),
        ("Calcula o Cpk dos defeitos por dia com limite superior 15", "capacidade"),
        ("Calcula a raiz quadrada de 144 em python", "executar_python"),
        ("What is the square root of 144 in python?", "executar_python"),
        ("Quantas linhas tem a tabela defeitos?", "consultar_dados"),
        ("Mostra-me uma tabela com os defeitos por tipo", "gerar_tabela"),
        ("Show a KPI with the total of defects", "gerar_kpi"),
        ("Top 5 defeitos", "top_defeitos"),
        ("Top 5 racks", "consultar_dados"),
    ],
)
async def test_every_kind_of_question_reaches_its_tool(
    analysis: Conversation, question: str, tool: str
) -> None:
    said = await analysis.ask(question)
    assert tool in analysis.called
    assert said
    assert "Não consegui" not in said


async def test_every_starter_is_answered_with_tools(bench: Bench) -> None:
    for agent in bench.pack.agents:
        talk = Conversation(bench, agent.name)
        for starter in agent.starters:
            if "código" in starter:  # needs the engine's own code tool
                continue
            await talk.ask(starter)
            assert talk.called, starter


def test_code_is_asked_for_only_where_there_is_code(
    bench: Bench,
) -> None:
    model = OfflineModel(bench.pack.intents)
    tools = list(bench.pack.agents[1].tools)
    found = model.detect("Compara os turnos com código", [*tools, "code_execution"])
    assert found is not None
    assert found.steps[0].tool == "code_execution"
    # Counting the shifts some other way would pass over "com código".
    assert model.detect("Compara os turnos com código", tools) is None


async def test_a_chart_of_nothing_said_is_of_what_was_asked_before(
    analysis: Conversation,
) -> None:
    await analysis.ask("e por turno?")
    assert "73" in await analysis.ask("mostra num gráfico")
    assert analysis.called == ["consultar_dados", "gerar_grafico"]

    await analysis.ask("Quantos defeitos há por tipo?")
    await analysis.ask("mostra num gráfico de barras")
    assert analysis.called == ["consultar_dados", "gerar_grafico"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("quantos defeitos no rack R12?", "Há 38 defeitos com rack = R12."),
        ("quantos defeitos sem contar o lixo?", "Há 138 defeitos com tipo ≠ lixo."),
        ("quantos defeitos em 20/02/2026?", "Há 14 defeitos com data em 2026-02-20."),
        ("top 5 racks", "1. R12: 38 (19,0%)\n2. R11: 37 (18,5%)\n3. R13: 36 (18,0%)"),
        (
            "qual é o segundo operador com mais defeitos?",
            "Carlos está em 2.º lugar por defeitos: 52",
        ),
        ("que percentagem dos defeitos é lixo?", "31,0%: 62 de 200 (defeitos), com tipo = lixo."),
        ("compara fevereiro com março", "67; data em março de 2026: 133 (diferença +66, +98,5%)."),
        ("quantos defeitos na semana 8?", "Há 30 defeitos com data entre 2026-02-16 e 2026-02-22."),
        ("quantos defeitos entre 10 e 20 de fevereiro?", "Há 42 defeitos"),
        ("quantos defeitos da Julia sem lixo em fevereiro?", "Há 12 defeitos"),
        ("how many defects on rack R12?", "There are 38 defects with rack = R12."),
        ("how many defects in the night shift excluding dirt?", "There are 41 defects with"),
        ("which shift has the fewest defects?", "night has fewest defects: 59 (by shift)."),
        ("what share of the night defects is orange peel?", "13.6%: 8 of 59"),
    ],
)
async def test_no_condition_is_dropped(quality: Conversation, question: str, answer: str) -> None:
    assert answer in await quality.ask(question)
    assert quality.called == ["consultar_dados"]


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("quantos defeitos no rack R99?", "«R99»"),
        ("quantos defeitos em Marte?", "«Marte»"),
        ("qual a capacidade da posição?", "«capacidade»"),
        ("quantos defeitos graves há?", "«graves»"),
        ("how many defects on Mars?", "“Mars”"),
        ("quantos defeitos na primeira semana de março?", "«primeira»"),
        ("quantos defeitos nos primeiros 10 dias de março?", "«primeiros»"),
        ("quantos defeitos a mais teve a Julia do que o Carlos?", "«mais»"),
        ("carta de controlo p do lixo no rack R12", "«rack»"),
    ],
)
async def test_what_is_not_understood_is_named_and_no_figure_is_given(
    analysis: Conversation, question: str, unknown: str
) -> None:
    said = await analysis.ask(question)
    assert analysis.called == []
    assert unknown in said
    assert "](#ask)" in said


async def test_an_average_of_rows_is_not_made_up(analysis: Conversation) -> None:
    assert "«média»" in await analysis.ask("média de defeitos por dia")
    assert analysis.called == []


async def test_a_follow_up_keeps_what_was_asked(quality: Conversation) -> None:
    await quality.ask("quantos defeitos há no turno da noite?")
    assert "turno = noite e operador = Julia" in await quality.ask("e só da Julia?")
    assert "operador = Carlos" in await quality.ask("e do Carlos?")
    assert "Defeitos por rack com turno = noite e operador = Carlos:" in await quality.ask(
        "e por rack?"
    )
    await quality.ask("qual é o defeito mais frequente?")
    assert quality.called == ["top_defeitos"]
    assert "com operador = Julia" in await quality.ask("e só da Julia?")


async def test_charts_tables_and_key_figures_of_the_log_are_drawn_from_queries(
    quality: Conversation,
) -> None:
    said = await quality.ask("Mostra os 5 defeitos mais frequentes num gráfico")
    assert quality.called == ["consultar_dados", "gerar_grafico"]
    assert said.endswith("Pode vê-lo no gráfico acima.")
    assert quality.bench.widgets[0].data["datasets"][0]["data"] == [62, 31, 27, 24, 21]

    await quality.ask("show a table of the defects by type")
    table = quality.bench.widgets[0].data
    assert (table["colunas"], table["linhas"][0]) == (["type", "defects"], ["lixo", 62])

    await quality.ask("mostra um KPI com o total de defeitos do turno da noite")
    kpi = quality.bench.widgets[0].data
    assert (kpi["valor"], kpi["titulo"]) == (59, "Defeitos com turno = noite")


async def test_a_failed_call_is_told_honestly(quality: Conversation) -> None:
    quality.bench.services.datasets.answer = ToolFailed("A consulta demorou demais.")
    said = await quality.ask("quantos defeitos no rack R12?")
    assert said == "Não foi possível. `consultar_dados`: A consulta demorou demais."


async def test_nothing_found_is_an_answer_and_says_what_days_there_are(
    quality: Conversation,
) -> None:
    assert await quality.ask("how many defects since 2030-01-01?") == (
        "There are no defects with date ≥ 2030-01-01. Its dates run from 2026-02-11 to 2026-03-31."
    )
