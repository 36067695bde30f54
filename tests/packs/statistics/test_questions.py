"""Questions read without a model: which chart of which column, and what is left to others."""

from __future__ import annotations

from typing import Any

import pytest

from bancada import Answered, Language, Results, Sentence, Step, TableColumn, TableShape
from bancada.model.planner import Planner
from bancada.packs.quality.intents import INTENTS as QUALITY
from bancada.packs.statistics.questions import STATISTICS_INTENTS
from bancada.packs.tables.questions import TABLE_INTENTS
from tests.packs.statistics.bench import Bench

FILE = TableShape(
    name="medidas",
    rows=40,
    file="Medidas.csv",
    columns=(
        TableColumn(name="id", type="integer"),
        TableColumn(name="peso", type="number"),
        TableColumn(name="peso_bruto", type="number"),
        TableColumn(name="dia", type="date"),
        TableColumn(name="lote", type="text"),
        TableColumn(name="fase", type="text"),
        TableColumn(name="defeituosos", type="integer"),
        TableColumn(name="inspecionados", type="integer"),
    ),
)
ONE = TableShape(
    name="um",
    rows=40,
    file="um.csv",
    columns=(TableColumn(name="id", type="integer"), TableColumn(name="valor", type="number")),
)
PLANNER = Planner([*STATISTICS_INTENTS, *QUALITY, *TABLE_INTENTS])

ASKED: list[tuple[Language, str, dict[str, Any]]] = [
    ("pt", "Carta I-MR da coluna peso do ficheiro Medidas.csv", {"tipo": "i-mr", "coluna": "peso"}),
    ("en", "I-MR chart of peso", {"tipo": "i-mr", "coluna": "peso"}),
    ("pt", "Faz a carta X̄-R de peso bruto por lote",
     {"tipo": "xbarra-r", "coluna": "peso_bruto", "subgrupo": "lote"}),
    ("en", "X-bar S chart of peso_bruto with subgroups of 5 and Nelson rules",
     {"tipo": "xbarra-s", "regras": "nelson", "tamanho": 5, "coluna": "peso_bruto"}),
    ("pt", "carta p de defeituosos em inspecionados por dia",
     {"tipo": "p", "coluna": "defeituosos", "subgrupo": "dia", "inspecionados": "inspecionados"}),
    ("en", "Laney p chart of defeituosos out of inspecionados",
     {"tipo": "p-laney", "coluna": "defeituosos", "inspecionados": "inspecionados"}),
    ("pt", "carta np de defeituosos com amostras de 50",
     {"tipo": "np", "tamanho": 50, "coluna": "defeituosos"}),
    ("pt", "EWMA de peso ordenado por dia", {"tipo": "ewma", "coluna": "peso", "ordem": "dia"}),
    ("pt", "Carta I-MR de peso, etapas fase", {"tipo": "i-mr", "coluna": "peso", "etapa": "fase"}),
    ("pt", "O peso está sob controlo?", {"tipo": "i-mr", "coluna": "peso"}),
]  # fmt: skip


def planned(text: str, language: Language, *tables: TableShape, **more: Any) -> Any:
    found = PLANNER.detect(Sentence(text, language, tables, **more))
    return None if found is None else (found.intent.name, found.steps)


@pytest.mark.parametrize(("language", "text", "asked"), ASKED, ids=lambda one: str(one)[:40])
def test_a_chart_of_a_column_is_read_from_a_sentence(
    language: Language, text: str, asked: dict[str, Any]
) -> None:
    name, (step,) = planned(text, language, FILE)
    assert name == "control_chart_of_column"
    assert step == Step(tool="carta_controlo", input={"tabela": "medidas", **asked})


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("pt", "média de peso por lote"),
        ("en", "chart of peso by lote"),
        ("pt", "gráfico de peso por dia"),
        ("pt", "Carta de controlo p do lixo"),
        ("pt", "Capacidade de 9.9 10.1 10.0 9.8 10.2 com limites 9.5 e 10.5"),
        ("pt", "Carta de controlo X-R"),
    ],
)
def test_what_is_no_chart_of_a_column_is_left_to_others(language: Language, text: str) -> None:
    found = planned(text, language, FILE)
    assert found is not None
    assert found[0] != "control_chart_of_column"


def test_a_word_that_was_not_understood_is_never_passed_over() -> None:
    assert planned("Carta I-MR de peso depois de maio", "pt", FILE) is None


@pytest.mark.parametrize(
    ("language", "text"),
    [("pt", "O processo está sob controlo?"), ("en", "Is the process in control?")],
)
def test_whether_a_process_is_in_control_uses_the_only_column_or_asks_which(
    language: Language, text: str
) -> None:
    _, (step,) = planned(text, language, ONE)
    assert step.input == {"tipo": "i-mr", "tabela": "um", "coluna": "valor"}
    name, steps = planned(text, language, FILE)
    assert (name, list(steps)) == ("control_chart_of_column", [])
    told = STATISTICS_INTENTS[0].tell(Sentence(text, language, (FILE,)), Results())
    assert "peso" in told
    assert "defeituosos" in told


def test_asked_after_a_chart_it_is_the_same_chart() -> None:
    before = Sentence("EWMA de peso", "pt", (FILE,), tools=("carta_controlo",))
    _, (step,) = planned("O processo está sob controlo?", "pt", FILE, before=before)
    assert step.input == {"tipo": "ewma", "tabela": "medidas", "coluna": "peso"}


async def test_the_answer_is_told_in_the_language_of_the_question(bench: Bench) -> None:
    bench.table("um", valor=[float(at * 7 % 5) for at in range(25)])
    value = await bench.call("carta_controlo", tipo="i-mr", tabela="um", coluna="valor")
    step = Step(tool="carta_controlo", input={})
    results = Results((Answered(step=step, result=value),))
    intent = STATISTICS_INTENTS[0]
    told = intent.tell(Sentence("Is the process in control?", "en", (ONE,)), results)
    assert told.startswith("I-MR chart of valor (um): 25 points.")
    assert "On this chart and by the Western Electric rules 1, 2, 3 and 4" in told


@pytest.mark.parametrize(
    ("language", "text", "asked"),
    [
        ("pt", "Capacidade de peso com limites 9 e 11",
         {"limite_inferior": 9.0, "limite_superior": 11.0, "coluna": "peso"}),
        ("en", "Cpk of peso_bruto between 9.5 and 10.5 with subgroups of 5",
         {"limite_inferior": 9.5, "limite_superior": 10.5, "tamanho": 5, "coluna": "peso_bruto"}),
        ("pt", "Cpk de peso com limite superior 11,5 por lote",
         {"limite_superior": 11.5, "coluna": "peso", "subgrupo": "lote"}),
    ],
)  # fmt: skip
def test_a_capability_of_a_column_is_read_from_a_sentence(
    language: Language, text: str, asked: dict[str, Any]
) -> None:
    name, (step,) = planned(text, language, FILE)
    assert name == "capability_of_column"
    assert step == Step(tool="estudo_capacidade", input={"tabela": "medidas", **asked})


async def test_a_capability_is_told_in_the_language_of_the_question(bench: Bench) -> None:
    values = [float(at * 7 % 5) for at in range(25)]
    value = await bench.call("estudo_capacidade", valores=values, limite_superior=9)
    results = Results((Answered(step=Step(tool="estudo_capacidade", input={}), result=value),))
    told = STATISTICS_INTENTS[1].tell(Sentence("Cpk?", "en", (ONE,)), results)
    assert told.startswith("Capability of valores indicados: 25 values, mean 2.")
    assert "By Cpk the process is" in told
