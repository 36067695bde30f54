"""Words that nobody knows: which of them are values, and of which column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from bancada import JSON
from bancada.packs.tables.questions.question import Condition, Question, Spoken, Trouble
from bancada.packs.tables.questions.tables import Column
from bancada.packs.tables.questions.tokens import folded, singulars

MOST_PLURALS = 2
MOST_WORDS = 6
"""How many words one value may have."""


def flat(text: str) -> str:
    """As the query compares values: letters and digits."""
    return " ".join(re.findall(r"[^\W_]+", folded(text)))


def candidates(spoken: Sequence[Spoken]) -> list[str]:
    """Every run of the words that may be one value."""
    found = (form for one in spoken for _, _, text in _runs(one) for form in _forms_of(text))
    return [text for text in dict.fromkeys(found) if text]


def settled(question: Question, rows: Sequence[Sequence[JSON]]) -> Question:
    """The question with its unknown words made conditions, or the trouble with them."""
    texts = question.table.texts
    known: dict[str, dict[Column, list[str]]] = {}
    for at, value, said in rows:
        known.setdefault(str(said), {}).setdefault(texts[int(at)], []).append(str(value))
    new: dict[Column, Condition] = {}
    old: dict[Column, Condition] = {}
    for one in question.spoken:
        found = _settle(one, known)
        if isinstance(found, Trouble):
            if one.old:
                continue
            return replace(question, spoken=(), trouble=found)
        kept = old if one.old else new
        for condition in found:
            before = kept.get(condition.column)
            values = (*before.values, *condition.values) if before else condition.values
            kept[condition.column] = replace(condition, values=tuple(dict.fromkeys(values)))
    both = {**old, **new}
    return replace(
        question,
        spoken=(),
        conditions=(
            *(one for one in question.conditions if one.column not in both),
            *both.values(),
        ),
    )


def _settle(spoken: Spoken, known: dict[str, dict[Column, list[str]]]) -> list[Condition] | Trouble:
    sign = "not in" if spoken.negated else "in"
    left = set(range(len(spoken.spans)))
    found: list[Condition] = []
    for first, last, text in _runs(spoken):
        covered = set(range(first, last + 1))
        if not covered <= left:
            continue
        columns = next((known[form] for form in _forms_of(text) if form in known), {})
        if spoken.column is not None:
            columns = {k: v for k, v in columns.items() if k == spoken.column}
        if not columns:
            continue
        if len(columns) > 1:
            return Trouble("ambiguous", text, tuple(columns))
        ((column, values),) = columns.items()
        found.append(Condition(column, sign, tuple(values)))  # type: ignore[arg-type]
        left -= covered
    if left and spoken.column is not None and not found:
        return [Condition(spoken.column, sign, (spoken.text,))]  # type: ignore[arg-type]
    if left:
        at, end = spoken.spans[min(left)]
        return Trouble("unknown", spoken.text[at:end])
    return found


def _forms_of(text: str) -> list[str]:
    """The words as said, then as singulars: "operadores" may be the value `Operador`."""
    said = flat(text)
    words = said.split()
    if len(words) > MOST_PLURALS:
        return [said]
    singles = {" ".join(single) for single in product(*map(singulars, words))} - {said}
    return [said, *sorted(singles)]


def _runs(spoken: Spoken) -> list[tuple[int, int, str]]:
    """First word, last word and text of every run, the longest first."""
    count = len(spoken.spans)
    return [
        (
            first,
            first + length - 1,
            spoken.text[spoken.spans[first][0] : spoken.spans[first + length - 1][1]],
        )
        for length in range(min(count, MOST_WORDS), 0, -1)
        for first in range(count - length + 1)
    ]
