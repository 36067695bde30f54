from __future__ import annotations

from collections.abc import Sequence
from html import unescape
from typing import Any

import pytest

from bancada import (
    Answered,
    Intent,
    Language,
    Results,
    Sentence,
    Step,
    TableColumn,
    TableShape,
    ToolFailed,
)
from tests.packs.quality.bench import Bench

VALUES = {
    "turno": ("manha", "tarde", "noite"),
    "operador": ("Julia", "Carlos", "Pedro", "Margareta"),
    "tipo_defeito": ("lixo", "falta_tinta", "casca_laranja", "gordura", "descasque", "outros"),
    "material": ("ABS_Cinza", "PP_Negro"),
}
LOG = TableShape(
    name="defeitos",
    rows=200,
    columns=tuple(
        TableColumn(name=name, type="text", values=values, complete=True)
        for name, values in VALUES.items()
    ),
)


class Talk:
    """Plays an intent against the real tools, as the offline model does."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.answered: list[Answered] = []

    async def ask(self, name: str, text: str, language: Language = "pt") -> str:
        intent = next(one for one in self.bench.pack.intents if one.name == name)
        sentence = Sentence(text, language, tables=(LOG,))
        self.answered = []
        steps: Sequence[Step] = intent.steps(sentence) or []
        while steps:
            self.answered += [await self._run(step) for step in steps]
            steps = intent.then(sentence, self.answered) if intent.then else []
        return intent.tell(sentence, Results(self.answered))

    async def _run(self, step: Step) -> Answered:
        try:
            result = await self.bench.call(step.tool, **step.input)
        except ToolFailed as failed:
            return Answered(step=step, result=str(failed), is_error=True)
        failed_softly = self.bench.last is not None and self.bench.last.is_error
        return Answered(step=step, result=result, is_error=failed_softly)

    @property
    def tools(self) -> list[str]:
        return [one.step.tool for one in self.answered]


@pytest.fixture
def talk(bench: Bench) -> Talk:
    return Talk(bench)


@pytest.mark.parametrize(
    ("intent", "language", "question", "answer"),
    [
        (
            "most_frequent_defect",
            "pt",
            "qual é o defeito mais frequente?",
            "O defeito mais frequente é 'lixo', com 62 ocorrências (31,0%).",
        ),
        (
            "most_frequent_defect",
            "en",
            "what is the most frequent defect?",
            "The most frequent defect is 'lixo', with 62 occurrences (31.0%).",
        ),
        (
            "count_defects",
            "pt",
            "quantos defeitos há?",
            "Há 200 defeitos registados: lixo 62, falta_tinta 31, casca_laranja 27, gordura 24, "
            "descasque 21, escorrido 19, crateras 12 e outros 4.",
        ),
        (
            "defects_by_shift",
            "pt",
            "e por turno?",
            "No turno da manhã registaram-se 73 defeitos, no da tarde 68 e no da noite 59.",
        ),
        (
            "top_defects",
            "pt",
            "top 3 defeitos",
            "Os 3 tipos de defeito mais frequentes:\n\n1. lixo: 62 (31,0%)\n"
            "2. falta_tinta: 31 (15,5%)\n3. casca_laranja: 27 (13,5%)",
        ),
        (
            "pareto",
            "en",
            "make a pareto of the defects",
            "Pareto of 200 defects: 5 of 8 categories make 82.5% of them. Running shares: lixo 62 "
            "(31.0%), falta_tinta 31 (46.5%), casca_laranja 27 (60.0%), gordura 24 (72.0%) and "
            "descasque 21 (82.5%).",
        ),
        (
            "capability",
            "pt",
            "capacidade de 9.9 10.1 10.0 9.8 10.2 com limites 9.5 e 10.5",
            "Cp = 1,054 e Cpk = 1,054, de 5 valores (média 10, desvio-padrão 0,1581): o processo é "
            "marginal. Fora dos limites: 0.",
        ),
        (
            "capability",
            "pt",
            "capacidade de 9,9; 10,1; 10,0; 9,8; 10,2 com limites 9,5 e 10,5",
            "Cp = 1,054 e Cpk = 1,054, de 5 valores (média 10, desvio-padrão 0,1581): o processo é "
            "marginal. Fora dos limites: 0.",
        ),
        ("python", "pt", "calcula a raiz quadrada de 144 em python", "O resultado é 12.0."),
        ("python", "en", "calculate the square root of 144 in python", "The result is 12.0."),
    ],
)
async def test_answers_hold_the_exact_figures(
    talk: Talk, intent: str, language: Language, question: str, answer: str
) -> None:
    assert await talk.ask(intent, question, language) == answer


async def test_a_dashboard_is_written_in_the_classes_of_the_template(talk: Talk) -> None:
    said = await talk.ask("dashboard", "cria um dashboard de defeitos")
    (kept,) = talk.bench.services.dashboards.kept
    assert talk.tools == ["contar_defeitos", "top_defeitos", "gerar_dashboard"]
    assert "/dashboards/a3f2c8e1b047" in said
    for name in ("kpi-card", "chart-container", "data-table", "section-title", "dashboard-row"):
        assert f'class="{name}"' in kept["html"]
    assert '"lixo", "falta_tinta"' in unescape(kept["html"])


async def test_a_filter_in_the_sentence_reaches_the_tool(talk: Talk) -> None:
    await talk.ask("pareto", "pareto por rack da Julia à noite em março com PP_Negro")
    assert talk.answered[0].step.input == {
        "por": "rack",
        "turno": "noite",
        "operador": "Julia",
        "material": "PP_Negro",
        "data_inicio": "2026-03-01",
        "data_fim": "2026-03-31",
    }


async def test_a_control_chart_says_whether_the_process_is_in_control(talk: Talk) -> None:
    said = await talk.ask("control_chart_p", "carta de controlo p do lixo")
    assert "proporção média 31,0%" in said
    assert ("sob controlo" in said) or ("Fora de controlo" in said)
    assert talk.answered[0].step.input == {"tipo_defeito": "lixo"}
    said = await talk.ask(
        "control_chart_xr", "X-R control chart of [10, 12] [11, 13] [9, 12]", "en"
    )
    assert talk.answered[0].step.input == {"subgrupos": [[10, 12], [11, 13], [9, 12]]}
    assert said.startswith("X̄-R chart of 3 subgroups")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("calcula a raiz quadrada de 144 em python", "import math\nprint(math.sqrt(144))"),
        ("factorial of 10 in python", "import math\nprint(math.factorial(10))"),
        (
            "média de 10, 25, 33 em Python",
            "import statistics\nprint(statistics.mean([10, 25, 33]))",
        ),
        ("quanto é 12*(7+1) em python", "print(12*(7+1))"),
        ("executa em python: `print(2 ** 10)`", "print(2 ** 10)"),
        ("corre\n```python\nx = 1\nprint(x)\n```", "x = 1\nprint(x)"),
    ],
)
def test_a_calculation_becomes_code(bench: Bench, text: str, code: str) -> None:
    python = next(one for one in bench.pack.intents if one.name == "python")
    (step,) = python.steps(Sentence(text)) or ()
    assert step.input["codigo"] == code


def test_what_cannot_be_calculated_is_not_guessed(bench: Bench) -> None:
    by_name = {one.name: one for one in bench.pack.intents}
    assert by_name["python"].steps(Sentence("escreve python")) is None
    assert by_name["capability"].steps(Sentence("qual é a capacidade?")) is None


def told(bench: Bench, result: Any) -> str:
    code = next(one for one in bench.pack.intents if one.name == "compare_shifts_in_code")
    (step,) = code.steps(Sentence("compara os turnos com código")) or ()
    compile(step.input["code"], "cell", "exec", flags=0x2000)  # top-level await
    answered = Results([Answered(step=step, result=result)])
    return code.tell(Sentence("compara os turnos com código"), answered)


def test_code_that_awaits_tools_is_told_from_what_it_printed(bench: Bench) -> None:
    printed = "manha: 73\ntarde: 68\nnoite: 59\ntotal: 200\n"
    expected = (
        "Contado em código, uma chamada por turno: manhã 73, tarde 68, noite 59; 200 no total."
    )
    assert told(bench, {"stdout": printed, "stderr": "", "return_code": 0}) == expected
    assert told(bench, printed) == expected
    assert "boom" in told(bench, {"stdout": "", "stderr": "boom", "return_code": 1})


def test_every_intent_has_phrases_in_both_languages_that_it_can_plan(bench: Bench) -> None:
    def plans(intent: Intent, text: str, language: Language) -> bool:
        return bool(intent.steps(Sentence(text, language)))

    for intent in bench.pack.intents:
        for language in ("pt", "en"):
            assert intent.phrases[language]
            unplanned = [p for p in intent.phrases[language] if not plans(intent, p, language)]
            assert unplanned == [], intent.name


def test_every_phrase_has_the_keywords_its_intent_asks_for(bench: Bench) -> None:
    for intent in bench.pack.intents:
        for phrases in intent.phrases.values():
            for phrase in phrases:
                for group in intent.keywords:
                    assert Sentence(phrase).has(*group.split("|")), (intent.name, phrase, group)


def test_every_tool_is_reached_by_some_intent(bench: Bench) -> None:
    """Plans and follow-ups together; the offline model must be able to show all of the pack."""
    planned = {
        step.tool
        for intent in bench.pack.intents
        for phrase in intent.phrases["pt"]
        for step in intent.steps(Sentence(phrase)) or ()
    }
    drawn = {"gerar_grafico", "gerar_tabela", "gerar_kpi", "gerar_dashboard"}
    assert {tool.name for tool in bench.pack.tools} <= planned | drawn


def test_two_shifts_are_not_read_as_none(bench: Bench) -> None:
    pareto = next(one for one in bench.pack.intents if one.name == "pareto")
    sentence = Sentence("pareto da manhã e da tarde", "pt", tables=(LOG,))
    (step,) = pareto.steps(sentence) or ()
    assert "turno" not in step.input
    assert not {"manha", "tarde"} & sentence.used
