"""The offline planner understands questions about the graph, in both languages, and answers them."""

from __future__ import annotations

import pytest

from bancada import Results, Step
from tests.packs.graph.kit import Kit
from tests.packs.graph.oracle import Oracle
from tests.packs.graph.planned import Planned, answer

TYPED = {
    "find_node", "count_nodes", "count_by_label", "list_categories", "get_node_connections",
    "count_by_category", "count_related", "count_related_by_name", "list_related",
    "list_related_by_name", "count_breakdown", "get_schema", "shortest_path", "search_nodes",
}  # fmt: skip


PHRASES: dict[str, dict[str, tuple[str, ...]]] = {
    "count_under_id": {
        "pt": ("Quantos ativos há até 2 níveis de BF-11?", "Quantas bombas tem o id BF-11?"),
        "en": ("How many assets are within 2 levels of BF-11?", "How many pumps are in id BF-11?"),
    },
    "count_by_category": {
        "pt": ("Quantos ativos há por sistema?", "Quantas bombas há por localização?", "Conta os ativos por categoria"),
        "en": ("How many assets are there per system?", "Count pumps by location", "How many assets per category?"),
    },
    "count_breakdown": {
        "pt": ("Mostra a distribuição do Biofilter 11 por localização, sistema e contexto", "De que é feito o Biofilter 11?", "Composição do Biofilter 11"),
        "en": ("Show the breakdown of Biofilter 11 by location, system and context", "Break down Biofilter 11", "What is Biofilter 11 made of?"),
    },
    "count_in": {
        "pt": ("Quantos ativos há no Biofilter 11?", "Quantas bombas existem na Casa das Bombas?", "Quantos sensores tem o Sistema de Ozonização?"),
        "en": ("How many assets are in Biofilter 11?", "How many sensors does the Ozone System have?", "How many systems are inside the Filtration Building?"),
    },
    "count_by_label": {
        "pt": ("Quantas bombas existem?", "Qual é o total de ativos?", "Quantos documentos existem?"),
        "en": ("How many pumps are there?", "Total number of assets", "How many documents are there?"),
    },
    "count_nodes": {
        "pt": ("Temos algum gerador de ozono?", "Há alguma bomba de lavagem?"),
        "en": ("Do we have any ozone generator?", "Is there any backwash pump?"),
    },
    "list_under_id": {"pt": ("Lista tudo o que há no id BF-11",), "en": ("List everything in id BF-11",)},
    "list_categories": {
        "pt": ("Que categorias de localização existem?", "Mostra a hierarquia de categorias", "Quais são as categorias de contexto?"),
        "en": ("Which location categories are there?", "Show the category hierarchy", "List the system categories"),
    },
    "list_in": {
        "pt": ("Lista as bombas do Biofilter 11", "Que sensores há no Biofilter 11?", "Lista os equipamentos do Sistema de Captação"),
        "en": ("List the pumps in Biofilter 11", "Which sensors are in Biofilter 11?", "What are the assets of the Ozone System?"),
    },
    "get_schema": {
        "pt": ("Qual é o esquema do grafo?", "Que tipos de nós e relações existem?"),
        "en": ("What is the schema of the graph?", "Which labels and relationship types are there?"),
    },
    "search_nodes": {"pt": ("Procura biofliter 11",), "en": ("Search for biofliter 11",)},
    "find_node": {
        "pt": ("Encontra o Biofilter 11", "Onde está o Biofilter 11?", "Qual é o id do Biofilter 11?"),
        "en": ("Find Biofilter 11", "Where is Biofilter 11?", "What is the id of Biofilter 11?"),
    },
    "shortest_path": {
        "pt": ("Qual é o caminho entre Biofilter 1 e Biofilter 3?",),
        "en": ("What is the shortest path between Biofilter 1 and Biofilter 3?",),
    },
    "get_node_connections": {
        "pt": ("A que está ligado o Biofilter 11?", "Mostra as ligações do Biofilter 11"),
        "en": ("How is Biofilter 11 connected?", "Show the connections of Biofilter 11"),
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def model(kit: Kit) -> Planned:
    return Planned(kit)


@pytest.mark.parametrize(
    ("intent", "language", "phrase"),
    [
        (intent, language, phrase)
        for intent, languages in PHRASES.items()
        for language, phrases in languages.items()
        for phrase in phrases
    ],
)
async def test_every_phrase_is_understood_and_answered(
    model: Planned, kit: Kit, intent: str, language: str, phrase: str
) -> None:
    detected = model.detect(phrase)
    assert detected is not None
    assert (detected.intent.name, detected.sentence.language) == (intent, language)
    told, done = await answer(model, kit, phrase)
    assert told
    assert not any(one.is_error for one in done), done


async def test_every_typed_tool_can_be_reached_in_both_languages(model: Planned, kit: Kit) -> None:
    reached: dict[str, set[str]] = {"pt": set(), "en": set()}
    for languages in PHRASES.values():
        for language, phrases in languages.items():
            for phrase in phrases:
                _, done = await answer(model, kit, phrase)
                reached[language] |= {one.step.tool for one in done}
    assert reached == {"pt": TYPED, "en": TYPED}


@pytest.mark.parametrize(
    ("question", "step"),
    [
        ("How many assets in Biofilter 11?", Step(tool="count_related_by_name", input={"name": "Biofilter 11", "label": "Asset"})),
        ("how many assets are there in biofilter 11", Step(tool="count_related_by_name", input={"name": "biofilter 11", "label": "Asset"})),
        ("Please tell me how many valves are in the Edifício Químico?", Step(tool="count_related_by_name", input={"name": "Edifício Químico", "label": "Valve"})),
        ("Quantos ativos existem no Biofiltro 11?", Step(tool="count_related_by_name", input={"name": "Biofiltro 11", "label": "Asset"})),
        ("Quantas coisas há na Casa das Bombas?", Step(tool="count_related_by_name", input={"name": "Casa das Bombas"})),
        ("Quantos sensores tem a Estação de Tratamento de Água do Vale?", Step(tool="count_related_by_name", input={"name": "Estação de Tratamento de Água do Vale", "label": "Sensor"})),
        ("Quantas bombas há?", Step(tool="count_by_label", input={"label": "Pump"})),
        ("How many biofilters do we have?", Step(tool="count_by_label", input={"label": "Biofilter"})),
        ("Quantas válvulas há por localização?", Step(tool="count_by_category", input={"label": "Valve", "dimension": "location"})),
        ("How many pumps per system?", Step(tool="count_by_category", input={"label": "Pump", "dimension": "system"})),
        ("List the sensors in Clarifier 3", Step(tool="list_related_by_name", input={"name": "Clarifier 3", "label": "Sensor"})),
        ("Lista os equipamentos do Decantador 3", Step(tool="list_related_by_name", input={"name": "Decantador 3", "label": "Asset"})),
        ("Do we have any compressors?", Step(tool="count_nodes", input={"name": "compressor"})),
        ("Existe alguma prensa de lamas?", Step(tool="count_nodes", input={"name": "prensa de lama"})),
        ("Where is Ozone generator 2?", Step(tool="find_node", input={"name": "Ozone generator 2"})),
        ("Procura edificio quimco", Step(tool="search_nodes", input={"text": "edificio quimco"})),
        ("How many assets are within 1 levels of BF-11?", Step(tool="count_related", input={"node_id": "BF-11", "label": "Asset", "depth": 1})),
    ],
)  # fmt: skip
def test_questions_in_other_words_are_read_too(model: Planned, question: str, step: Step) -> None:
    detected = model.detect(question)
    assert detected is not None
    assert list(detected.steps) == [step]


@pytest.mark.parametrize(
    "question", ["How many assets in Biofilter 11?", "Quantos ativos há no Biofiltro 11?"]
)
async def test_biofilter_11_is_told_with_number_and_id(
    model: Planned, kit: Kit, oracle: Oracle, question: str
) -> None:
    told, _ = await answer(model, kit, question)
    expected = len(oracle.inside("BF-11", "Asset"))
    assert told in (
        f"There are {expected} assets in Biofilter 11 (BF-11).",
        f"Há {expected} ativos em Biofilter 11 (BF-11).",
    )


async def test_an_ambiguous_name_is_answered_with_a_question(model: Planned, kit: Kit) -> None:
    told, _ = await answer(model, kit, "Quantos sensores há na bomba de lavagem?")
    assert "Qual deles?" in told
    assert "BF-11-P01" in told or "…" in told
    told, _ = await answer(model, kit, "How is backwash pump connected?")
    assert "Which one?" in told


async def test_an_unknown_name_is_told_with_similar_ones(model: Planned, kit: Kit) -> None:
    told, _ = await answer(model, kit, "Onde está o Biofliter 11?")
    assert "Biofilter 11 (BF-11)" in told
    told, _ = await answer(model, kit, "What is the shortest path between Biofilter 1 and Narnia?")
    assert "There is no node called “Narnia”" in told


async def test_connections_follow_from_the_name(model: Planned, kit: Kit, oracle: Oracle) -> None:
    told, done = await answer(model, kit, "A que está ligado o Biofilter 11?")
    assert [one.step.tool for one in done] == ["find_node", "get_node_connections"]
    out, into = oracle.out("BF-11").total(), oracle.into("BF-11").total()
    assert f"tem {out} ligações que saem e {into} que entram" in told


async def test_a_path_is_told_step_by_step(model: Planned, kit: Kit, oracle: Oracle) -> None:
    told, _ = await answer(model, kit, "Qual é o caminho entre Biofilter 1 e Biofilter 3?")
    assert told.startswith(f"O caminho mais curto tem {oracle.distance('BF-01', 'BF-03')} passos: ")
    assert told.endswith("Biofilter 3 (BF-03)")


@pytest.mark.parametrize("question", ["Olá", "Qual é o defeito mais frequente?", "2 + 2?"])
def test_other_questions_are_left_to_others(model: Planned, question: str) -> None:
    assert model.detect(question) is None


def test_what_would_delete_calls_nothing_and_is_named(model: Planned) -> None:
    found = model.detect("Delete Biofilter 11")
    assert found is not None
    assert list(found.steps) == []
    assert "Delete" in found.intent.tell(found.sentence, Results())
