"""Questions to begin with, made from what a graph holds."""

from __future__ import annotations

from collections import Counter

from bancada import Language
from bancada.packs.graph.embedded import LadybugGraph
from bancada.packs.graph.graph import CATEGORY
from bancada.packs.graph.schema import Schema, apart, plural

_IN: dict[Language, tuple[str, ...]] = {
    "pt": ("Quantos {label} há em {outer}?", "Lista os {label} em {outer}", "Onde está {inner}?"),
    "en": ("How many {label} are in {outer}?", "List the {label} in {outer}", "Where is {inner}?"),
}
_ANYWAY: dict[Language, tuple[str, ...]] = {
    "pt": ("A que está ligado {node}?", "Quantos {label} existem?", "Qual é o esquema do grafo?"),
    "en": (
        "How is {node} connected?",
        "How many {label} are there?",
        "What is the schema of the graph?",
    ),
}


def starters(graph: LadybugGraph, language: Language) -> list[str]:
    """A few questions that this graph answers, the ones about places first."""
    questions: list[str] = []
    outer = graph.busiest(contained=True)
    if outer is not None:
        inside = Counter[str]()
        for label, _, count in graph.breakdown(outer).by_label:
            inside[label] += count
        label = inside.most_common(1)[0][0]
        [(inner, _), *_] = graph.list_inside(outer, limit=1, offset=0)
        questions += [
            form.format(
                label=_said(graph.schema, label, language), outer=outer.name, inner=inner.name
            )
            for form in _IN[language]
        ]
    labels = graph.schema.labels
    largest = max(labels, key=lambda label: (label != CATEGORY, labels[label].count))
    node = outer or graph.busiest(contained=False)
    questions += [
        form.format(label=_said(graph.schema, largest, language), node=node.name if node else "")
        for form in _ANYWAY[language]
        if node is not None or "{node}" not in form
    ]
    return questions


def _said(schema: Schema, label: str, language: Language) -> str:
    """Several of a label, as one says it."""
    nouns = schema.noun(label, language)
    return plural(apart(label)) if nouns is None else nouns[1]
