"""Sentences, and which intent they mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bancada.domain.intents import Intent, Sentence, Step
from bancada.domain.people import Language
from bancada.domain.tables import TableColumn, TableShape
from bancada.model.language import language_of, stem, words
from bancada.model.planner import Planner
from bancada.testing import misunderstood
from tests.model.workshop import INTENTS

PLANNER = Planner(INTENTS)


@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.name)
def test_every_phrase_means_its_own_intent(intent: Intent) -> None:
    for language, phrases in intent.phrases.items():
        for phrase in phrases:
            found = PLANNER.detect(Sentence(phrase, language))

            assert found is not None
            assert found.intent.name == intent.name
            assert found.confidence > 0.9


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("quantos defeitos temos?", "count"),
        ("QUANTOS DEFEITOS HA", "count"),
        ("quantos defetios há no turno da noite", "count"),
        ("diz-me quantos defeitos houve", "count"),
        ("how many defects did we have", "count"),
        ("mostra-me um gráfico dos defeitos", "chart"),
        ("draw a chart of defects", "chart"),
        ("o estado dos sistemas", "status"),
        ("system status?", "status"),
        ("which managers work in operations?", "people"),
        ('cria a tarefa "limpar a linha"', "task"),
    ],
)
def test_other_words_for_the_same_thing_are_understood(text: str, name: str) -> None:
    found = PLANNER.detect(Sentence(text, "pt"))

    assert found is not None
    assert found.intent.name == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "???",
        "qual é a capital de França?",
        "quantos habitantes tem Lisboa?",
        "how many people live in London?",
        "conta-me uma anedota",
        "what is the weather today?",
        "apaga todos os defeitos",
        "delete the defects",
        "cria uma tarefa",
    ],
)
def test_what_nobody_declared_is_not_understood(text: str) -> None:
    assert PLANNER.detect(Sentence(text, "pt")) is None


def test_the_first_of_equals_is_taken() -> None:
    def twin(name: str, tool: str) -> Intent:
        return Intent(
            name=name,
            phrases={"pt": ("Conta tudo",)},
            plan=lambda sentence: [Step(tool=tool, input={})],
            tell=lambda sentence, answered: "",
        )

    planner = Planner([twin("one", "a"), twin("two", "b")])

    first, second = (
        planner.detect(Sentence("Conta tudo", "pt")),
        planner.detect(Sentence("Conta tudo", "pt"), ["b"]),
    )

    assert first is not None
    assert second is not None
    assert (first.intent.name, second.intent.name) == ("one", "two")


def test_all_keywords_must_be_there() -> None:
    assert PLANNER.detect(Sentence("Mostra os defeitos num gráfico", "pt")).intent.name == "chart"  # type: ignore[union-attr]
    assert PLANNER.detect(Sentence("Mostra os defeitos num quadro", "pt")) is None


def test_what_was_read_from_the_sentence_is_shown() -> None:
    found = PLANNER.detect(Sentence("Quantos defeitos há no turno da noite?", "pt"))

    assert found is not None
    assert found.parameters == {"turno": "noite"}
    assert 0 < found.confidence <= 1


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Qual é o estado do sistema e quantos defeitos há?", ["status", "count"]),
        ("Check the system status; then show the defects in a chart", ["status", "chart"]),
        ("Quantos defeitos há de lixo e gordura?", []),
        ("Quantos defeitos há no turno e na noite?", ["count"]),
        ('Cria uma tarefa "ver o estado do sistema e quantos defeitos há"', ["task"]),
        ("nada e coisa nenhuma", []),
    ],
)
def test_joined_requests_are_told_from_joined_words(text: str, names: list[str]) -> None:
    assert [found.intent.name for found in PLANNER.detect_all(Sentence(text, "pt"))] == names


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Quantos defeitos há?", "pt"),
        ("qual o turno com mais defeitos", "pt"),
        ("produção", "pt"),
        ("obrigado", "pt"),
        ("How many defects are there?", "en"),
        ("show me a chart", "en"),
        ("thanks", "en"),
        ("average salary", "en"),
        ("average of Inês and of João", "en"),
        ("Biofilter 11", None),
        ("", None),
    ],
)
def test_the_language_is_told_from_the_words(text: str, language: Language | None) -> None:
    assert language_of(text) == language


def test_declared_words_tell_a_language_that_has_no_small_words() -> None:
    assert language_of("turno do defeito", vocabulary=PLANNER.vocabulary) == "pt"
    assert language_of("defeitos turno", vocabulary=PLANNER.vocabulary) == "pt"
    assert language_of("defects shift", vocabulary=PLANNER.vocabulary) == "en"


@pytest.mark.parametrize(
    "forms",
    [
        ("defeito", "defeitos"),
        ("mostra", "mostrar", "mostras", "mostram"),
        ("gráfico", "gráficos"),
        ("defect", "defects"),
        ("employee", "employees"),
        ("count", "counts", "counting", "counted"),
        ("operação", "operações"),
    ],
)
def test_forms_of_a_word_meet(forms: tuple[str, ...]) -> None:
    assert len({stem(words(form)[0]) for form in forms}) == 1


def test_a_pack_can_check_that_its_phrases_are_told_apart() -> None:
    thief = Intent(
        name="thief",
        phrases={"pt": ("Quantos defeitos temos?", "Xpto")},
        keywords=("nunca",),
        plan=lambda sentence: [],
        tell=lambda sentence, answered: "",
    )

    assert misunderstood(INTENTS) == {}
    assert misunderstood([*INTENTS, thief]) == {"Quantos defeitos temos?": "count", "Xpto": None}


def reading(fits: Callable[[Sentence], float]) -> Intent:
    """An intent that reads a sentence against the tables there are."""
    return Intent(
        name="file",
        phrases={"pt": ("Que colunas há?", "Quantas linhas há?")},
        fits=fits,
        tool="consulta",
        arguments=lambda sentence: {"tables": [table.name for table in sentence.tables]},
        tell=lambda sentence, results: "",
    )


VENDAS = TableShape(name="vendas", rows=1, columns=(TableColumn(name="valor", type="number"),))


def test_an_intent_may_say_itself_how_surely_it_is_meant() -> None:
    planner = Planner([*INTENTS, reading(lambda sentence: 1.5 if sentence.tables else 0.0)])
    asked = Sentence("Quantos defeitos há?", "pt")
    knowing = replace(asked, tables=(VENDAS,))

    with_data, without = planner.detect(knowing), planner.detect(asked)

    assert with_data is not None
    assert without is not None
    assert (with_data.intent.name, without.intent.name) == ("file", "count")
    assert with_data.parameters == {"tables": ["vendas"]}
    assert with_data.confidence == 1
    assert "Quantas linhas há?" in planner.answerable(knowing, ["consulta"])
    assert planner.answerable(asked, ["consulta"]) == []


def test_a_sentence_that_was_read_whole_is_not_cut_where_requests_may_be_joined() -> None:
    planner = Planner([*INTENTS, reading(lambda sentence: 1.5)])

    found = planner.detect_all(Sentence("Qual é o estado do sistema e quantos defeitos há?", "pt"))

    assert [one.intent.name for one in found] == ["file"]


def test_an_intent_that_cannot_read_a_sentence_leaves_it_to_others() -> None:
    def broken(sentence: Sentence) -> float:
        raise KeyError("columns")

    found = Planner([*INTENTS, reading(broken)]).detect(Sentence("Quantos defeitos há?", "pt"))

    assert found is not None
    assert found.intent.name == "count"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Quantos defeitos há no rack R12?", ["rack", "R12"]),
        ("Quantos defeitos há sem contar o lixo?", ["sem", "contar", "lixo"]),
        ("Quantos defeitos há em 20/02/2026?", ["20", "02", "2026"]),
        ("How many defects are not there?", ["not"]),
        ("Quantos defeitos há com mais de 20?", ["mais de 20"]),
        ("How many defects are at least 3?", ["at least 3"]),
        ("How many defects are there at 10?", ["10"]),
        ("Qual é o estado do sistema de faturação?", ["faturação"]),
    ],
)
def test_a_word_that_an_intent_has_no_use_for_is_never_passed_over(
    text: str, left: list[str]
) -> None:
    unexplained: list[str] = []

    assert PLANNER.detect(Sentence(text, "pt"), left=unexplained) is None
    assert unexplained == left


def test_a_word_that_reached_the_tool_or_was_looked_for_is_explained() -> None:
    found = PLANNER.detect(Sentence('Cria a tarefa "limpar a estufa"', "pt"))
    assert found is not None
    assert found.parameters == {"title": "limpar a estufa"}
