"""Questions without a model are read against the graph's own words, and no word is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada import Language, Sentence
from bancada.packs.graph.importer import Source, import_graph
from tests.packs.graph.kit import ANA, HOME, Kit
from tests.packs.graph.planned import Planned, answer
from tests.packs.graph.test_other_graphs import SAMPLES, hospital

Asked = tuple[Planned, Kit]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    kit, _ = hospital().imported(tmp_path_factory.mktemp("hospital"))
    return Planned(kit), kit


def starters(kit: Kit, language: Language) -> list[str]:
    offered = kit.pack.starters
    assert offered is not None
    person = type(ANA)(**{**ANA.__dict__, "language": language})
    return list(offered(person, sorted(kit.tools)))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many beds are in Ward w0?", "There are 8 nodes of kind Bed in Ward w0 (w0)."),
        ("Quantas bed há na Ward w0?", "Há 8 nós do tipo Bed em Ward w0 (w0)."),
        ("How many nurses does the Hospital h have?", "There are 8 nodes of kind Nurse in Hospital h (h)."),
        ("How many doctors are there?", "There are 4 nodes of kind Doctor in total."),
        ("Do we have any nurses?", "Yes: 8 nodes whose name contains “nurse” (Nurse 8)."),
        ("Where is Bed b0?", "Bed b0 (b0), Bed: in Room r0 (r0), in Ward w0 (w0), in Hospital h (h)."),
        ("Onde está a Bed b0?", "Bed b0 (b0), Bed: em Room r0 (r0), em Ward w0 (w0), em Hospital h (h)."),
        ("Onde está o Hospital h?", "Hospital h (h), Hospital: nenhuma relação de pertença diz em que está."),
    ],
)  # fmt: skip
async def test_a_graph_of_other_words_is_asked_in_its_own(
    asked: Asked, question: str, told: str
) -> None:
    assert (await answer(*asked, question))[0] == told


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many broken beds are in Ward w0?", "“broken”"),
        ("How many beds are in Ward w0 without patients?", "“without”, “patients”"),
        ("How many beds are not in Ward w0?", "“not”"),
        ("Quantas bed livres há na Ward w0?", "“livres”"),
        ("Quantas bed há na Ward w0 desde 2024?", "“desde”, “2024”"),
        ("How many beds are there per colour?", "“colour”"),
        ("Where is Bed b0 since Monday?", "“since”, “Monday”"),
        ("List the free beds in Ward w0", "“free”"),
        ("Break down Ward w0 by age", "“age”"),
        ("Which red categories are there?", "“red”"),
        ("How is Ward w0 connected except rooms?", "“except”"),
        ("Should Ward w0 be painted?", "“Should”, “painted”"),
    ],
)  # fmt: skip
async def test_a_word_that_was_not_understood_is_named_and_nothing_is_counted(
    asked: Asked, question: str, words: str
) -> None:
    told, done = await answer(*asked, question)
    assert done == []
    assert words in told
    assert "Ward" in told


async def test_two_questions_in_one_are_both_answered(asked: Asked) -> None:
    model, _ = asked
    text = "How many beds are in Ward w0 and where is Bed b1?"
    found = model.offline.planner.detect_all(
        Sentence(text, "en", organisation_id=ANA.organisation_id)
    )
    assert [one.intent.name for one in found] == ["count_in", "find_node"]


@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize("name", SAMPLES)
async def test_starters_come_from_the_graph_and_are_answered(
    tmp_path: Path, name: str, language: Language
) -> None:
    kit, _ = SAMPLES[name].imported(tmp_path)
    questions = starters(kit, language)
    assert len(questions) >= 5
    assert not any("Biofilter" in question for question in questions)
    model = Planned(kit)
    for question in questions:
        found = model.detect(question)
        assert found is not None, question
        assert found.sentence.language == language, question
        told, done = await answer(model, kit, question)
        assert done, (question, told)
        assert not any(one.is_error for one in done), (question, done)
    asked = Sentence("", language, organisation_id=ANA.organisation_id)
    examples = model.offline.planner.answerable(asked, sorted(kit.tools))
    assert examples[: len(questions)] == questions


def test_an_agent_with_other_tools_gets_no_questions_about_the_graph(asked: Asked) -> None:
    _, kit = asked
    assert kit.pack.starters is not None
    assert kit.pack.starters(ANA, ["createTask"]) == ()
    assert asked[0].detect("How many beds are in Ward w0?", ["createTask"]) is None


async def test_an_organisation_without_a_graph_is_told_so(asked: Asked) -> None:
    _, kit = asked
    other = Planned(kit, organisation_id=9)
    told, done = await answer(other, kit, "Onde está a Bed b0?")
    assert done == []
    assert told.startswith("A sua organização ainda não tem um grafo.")
    told, _ = await answer(other, kit, "Where is Bed b0?")
    assert told.startswith("Your organisation has no graph yet.")


async def test_words_for_labels_come_with_the_import(tmp_path: Path) -> None:
    hospital().imported(tmp_path)
    (tmp_path / "words.csv").write_text(
        "word,language,singular,plural\nBed,pt,cama,camas\nBed,en,berth,berths\nWard,pt,ala,alas\n"
    )
    files = {name: tmp_path / f"{name}.csv" for name in ("nodes", "edges", "words")}
    import_graph(Source(**files), tmp_path / "graph" / HOME)
    kit = Kit.of(tmp_path / "graph")
    told, _ = await answer(Planned(kit), kit, "Quantas camas há na Ward w0?")
    assert told == "Há 8 camas em Ward w0 (w0)."
    told, _ = await answer(Planned(kit), kit, "How many berths are in Ward w0?")
    assert told == "There are 8 berths in Ward w0 (w0)."
    assert (await kit.run("count_by_label", label="alas"))["count"] == 3


async def test_a_count_over_guessed_relations_is_told_with_them(tmp_path: Path) -> None:
    kit, _ = SAMPLES["library"].imported(tmp_path)
    told, _ = await answer(Planned(kit), kit, "How many books are in Shelf s0?")
    assert told == (
        "There are 5 nodes of kind Book in Shelf s0 (s0)"
        " (counted by SHELVED: containment was proposed from the data)."
    )
    told, _ = await answer(Planned(kit), kit, "Qual é o esquema do grafo?")
    assert "SHELVED (proposta a partir dos dados)" in told
