"""Whole turns with the offline model: a question in, tools of the agent, an answer out."""

from __future__ import annotations

import pytest

from bancada import Answered, JSONObject, Sentence, ToolFailed
from bancada.model.model import Reply, Request
from bancada.model.offline import OfflineModel
from bancada.tools.result import outcome_of
from tests.packs.quality.bench import Bench


class Conversation:
    """One agent and the offline model, without an engine: calls run where they are asked for."""

    def __init__(self, bench: Bench, agent: str) -> None:
        self.bench = bench
        self.agent = next(one for one in bench.pack.agents if one.name == agent)
        self.model = OfflineModel(bench.pack.intents, sentence=Sentence, answered=Answered)
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
        )
        async for event in self.model.stream(request):
            if isinstance(event, Reply):
                return event
        raise AssertionError("a stream ends with its reply")

    async def _run(self, call: JSONObject) -> JSONObject:
        self.called.append(call["name"])
        try:
            value = await self.bench.call(call["name"], **call["input"])
            outcome = outcome_of(self.bench.last or value, max_chars=20_000)
            content, is_error = outcome.content, outcome.is_error
        except ToolFailed as failed:
            content, is_error = str(failed), True
        return {
            "type": "tool_result",
            "tool_use_id": call["id"],
            "content": content,
            "is_error": is_error,
        }


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
    assert quality.called == ["contar_defeitos"] * 3
    assert said == "No turno da manhã registaram-se 73 defeitos, no da tarde 68 e no da noite 59."


async def test_two_requests_in_one_sentence_are_both_answered(quality: Conversation) -> None:
    said = await quality.ask("How many defects are there and show it in a chart")
    assert "There are 200 recorded defects" in said
    assert "gerar_grafico" in quality.called


async def test_a_dashboard_by_shift_has_a_chart_of_the_shifts(quality: Conversation) -> None:
    said = await quality.ask("Cria um dashboard com os defeitos por turno")
    (kept,) = quality.bench.services.dashboards.kept
    assert "/dashboards/a3f2c8e1b047: 200 defeitos" in said
    assert '["manhã", "tarde", "noite"]' in kept["html"]
    assert "[73, 68, 59]" in kept["html"]


async def test_what_an_agent_has_no_tool_for_is_not_answered_with_something_else(
    quality: Conversation,
) -> None:
    for question in ("Faz o Pareto dos defeitos", "Control chart of the defects"):
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
        ("Mostra-me uma tabela com os tipos de defeito", "gerar_tabela"),
        ("Show a KPI with the total of defects", "gerar_kpi"),
        ("Top 5", "top_defeitos"),
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


def test_code_awaits_tools_where_there_is_code_and_a_plain_call_serves_elsewhere(
    bench: Bench,
) -> None:
    model = OfflineModel(bench.pack.intents, sentence=Sentence, answered=Answered)
    tools = list(bench.pack.agents[1].tools)
    found = model.detect("Compara os turnos com código", [*tools, "code_execution"])
    assert found is not None
    assert found.steps[0].tool == "code_execution"
    without = model.detect("Compara os turnos com código", tools)
    assert without is not None
    assert without.steps[0].tool == "defeitos_por_turno"


async def test_a_chart_of_nothing_said_is_of_what_was_asked_before(
    analysis: Conversation,
) -> None:
    await analysis.ask("e por turno?")
    assert "73" in await analysis.ask("mostra num gráfico")
    assert analysis.called == ["defeitos_por_turno", "gerar_grafico"]

    await analysis.ask("Quantos defeitos há por tipo?")
    await analysis.ask("mostra num gráfico de barras")
    assert analysis.called == ["contar_defeitos", "gerar_grafico"]
