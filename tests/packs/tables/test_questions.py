"""Made questions over four tables: no figure is wrong, and hardly any question unanswered."""

from __future__ import annotations

from collections import Counter

import pytest
from bench.questions import Told, run

from bancada import Sentence, TableColumn, TableShape
from bancada.domain.people import Language
from bancada.packs.tables.questions import following


def judged(told: list[Told], least: float) -> None:
    wrong = [
        (one.asked.text, one.asked.figures, one.answer) for one in told if one.outcome == "wrong"
    ]
    assert wrong == []
    count = Counter(one.outcome for one in told)
    assert count["right"] >= least * len(told), count
    for one in told:
        if one.outcome == "unanswered":
            assert "«" in one.answer or "“" in one.answer, one.asked.text


def test_a_few_made_questions_of_each_kind_are_answered_rightly() -> None:
    judged(run(per_table=16), 0.9)


@pytest.mark.long
@pytest.mark.parametrize("language", ["pt", "en"])
def test_two_hundred_made_questions_have_no_wrong_figure(language: Language) -> None:
    told = run([language])
    assert len(told) == 200
    judged(told, 0.9)


@pytest.mark.long
def test_two_thousand_more_have_none_either() -> None:
    judged(run(per_table=250), 0.9)


def test_only_a_question_that_leans_on_the_one_before_has_it_read_again() -> None:
    shape = TableShape(
        name="vendas",
        rows=3,
        columns=(
            TableColumn(name="região", type="text", values=("Norte", "Sul"), complete=True),
            TableColumn(name="valor", type="number"),
        ),
    )
    first = Sentence("soma de valor por região", "pt", tables=(shape,))
    own = Sentence("quantas linhas há?", "pt", tables=(shape,), before=first)
    leaning = Sentence("e só do Norte?", "pt", tables=(shape,), before=first)
    following._read.cache_clear()
    assert following.read(own) is not None
    assert following._read.cache_info().misses == 1
    found = following.read(leaning)
    assert found is not None
    assert found.follows
    assert following._read.cache_info().misses == 3
