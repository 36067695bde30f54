"""The offline planner understands questions about the graph, in both languages, and answers them."""

from __future__ import annotations

from typing import Any

import pytest

from bancada import Answered, Sentence, Step, ToolFailed
from bancada.model.offline import OfflineModel
from bancada.packs.graph.intents import INTENTS
from tests.packs.graph.kit import Kit
from tests.packs.graph.oracle import Oracle

TYPED = {
    "find_node", "count_nodes", "count_by_label", "list_categories", "get_node_connections",
    "count_by_category", "count_related", "count_related_by_name", "list_related",
    "list_related_by_name", "count_breakdown", "get_schema", "shortest_path", "search_nodes",
}  # fmt: skip


@pytest.fixture(scope="module")
def model() -> OfflineModel:
    return OfflineModel(INTENTS, sentence=Sentence, answered=Answered)


async def answer(model: OfflineModel, kit: Kit, question: str) -> tuple[str, list[Answered]]:
    """Plan, call, go on and tell, as a turn does."""
    detected = model.detect(question, sorted(kit.tools))
    assert detected is not None, question
    done: list[Answered] = []
    steps: list[Any] = list(detected.steps)
    while steps:
        for step in steps:
            try:
                done.append(Answered(step=step, result=await kit.run(step.tool, **step.input)))
            except ToolFailed as failed:
                done.append(Answered(step=step, result=str(failed), is_error=True))
        more = detected.intent.then
        steps = list(more(detected.sentence, done)) if more else []
    return detected.intent.tell(detected.sentence, done), done


@pytest.mark.parametrize(
    ("intent", "language", "phrase"),
    [
        (intent.name, language, phrase)
        for intent in INTENTS
        for language, phrases in intent.phrases.items()
        for phrase in phrases
    ],
)
async def test_every_phrase_is_understood_and_answered(
    model: OfflineModel, kit: Kit, intent: str, language: str, phrase: str
) -> None:
    detected = model.detect(phrase)
    assert detected is not None
    assert (detected.intent.name, detected.sentence.language) == (intent, language)
    told, done = await answer(model, kit, phrase)
    assert told
    assert not any(one.is_error for one in done), done


def test_every_typed_tool_can_be_reached_in_both_languages(model: OfflineModel) -> None:
    reached: dict[str, set[str]] = {"pt": set(), "en": set()}
    for intent in INTENTS:
        for language, phrases in intent.phrases.items():
            for phrase in phrases:
                steps = intent.plan(Sentence(phrase, language)) or []
                reached[language] |= {step.tool for step in steps}
        if intent.then:
            # What follows a look-up is the tool the intent is named after.
            reached["pt"].add(intent.name)
            reached["en"].add(intent.name)
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
def test_questions_in_other_words_are_read_too(
    model: OfflineModel, question: str, step: Step
) -> None:
    detected = model.detect(question)
    assert detected is not None
    assert list(detected.steps) == [step]


@pytest.mark.parametrize(
    "question", ["How many assets in Biofilter 11?", "Quantos ativos há no Biofiltro 11?"]
)
async def test_biofilter_11_is_told_with_number_and_id(
    model: OfflineModel, kit: Kit, oracle: Oracle, question: str
) -> None:
    told, _ = await answer(model, kit, question)
    expected = len(oracle.inside("BF-11", "Asset"))
    assert told in (
        f"There are {expected} assets in Biofilter 11 (BF-11).",
        f"Há {expected} ativos em Biofilter 11 (BF-11).",
    )


async def test_an_ambiguous_name_is_answered_with_a_question(model: OfflineModel, kit: Kit) -> None:
    told, _ = await answer(model, kit, "Quantos sensores há na bomba de lavagem?")
    assert "Qual deles?" in told
    assert "BF-11-P01" in told or "…" in told
    told, _ = await answer(model, kit, "How is backwash pump connected?")
    assert "Which one?" in told


async def test_an_unknown_name_is_told_with_similar_ones(model: OfflineModel, kit: Kit) -> None:
    told, _ = await answer(model, kit, "Onde está o Biofliter 11?")
    assert "Biofilter 11 (BF-11)" in told
    told, _ = await answer(model, kit, "What is the shortest path between Biofilter 1 and Narnia?")
    assert "There is no node called “Narnia”" in told


async def test_connections_follow_from_the_name(
    model: OfflineModel, kit: Kit, oracle: Oracle
) -> None:
    told, done = await answer(model, kit, "A que está ligado o Biofilter 11?")
    assert [one.step.tool for one in done] == ["find_node", "get_node_connections"]
    out, into = oracle.out("BF-11").total(), oracle.into("BF-11").total()
    assert f"tem {out} ligações que saem e {into} que entram" in told


async def test_a_path_is_told_step_by_step(model: OfflineModel, kit: Kit, oracle: Oracle) -> None:
    told, _ = await answer(model, kit, "Qual é o caminho entre Biofilter 1 e Biofilter 3?")
    assert told.startswith(f"O caminho mais curto tem {oracle.distance('BF-01', 'BF-03')} passos: ")
    assert told.endswith("Biofilter 3 (BF-03)")


@pytest.mark.parametrize(
    "question", ["Olá", "Qual é o defeito mais frequente?", "Delete Biofilter 11", "2 + 2?"]
)
def test_other_questions_are_left_to_others(model: OfflineModel, question: str) -> None:
    assert model.detect(question) is None
