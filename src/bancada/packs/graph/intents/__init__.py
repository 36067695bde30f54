"""What the offline planner understands of an organisation's graph, in Portuguese and English.

More specific intents come first: where two fit a sentence equally well, the first is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bancada import Intent, Sentence
from bancada.packs.graph.embedded import LadybugGraph
from bancada.packs.graph.intents.counts import count_intents
from bancada.packs.graph.intents.edges import edge_intents
from bancada.packs.graph.intents.lists import list_intents
from bancada.packs.graph.intents.reading import Reader
from bancada.packs.graph.intents.starters import starters


def graph_intents(graph_of: Callable[[int], LadybugGraph]) -> tuple[Intent, ...]:
    """The intents, for whichever organisation asks; `graph_of` raises `ToolFailed` for none."""
    reader = Reader(graph_of)

    def examples(sentence: Sentence) -> list[str]:
        graph = reader.graph(sentence)
        return [] if graph is None else starters(graph, sentence.language)

    return (
        *edge_intents(reader),
        *count_intents(reader),
        *list_intents(reader),
        replace(reader.unclear(), examples=examples),
        reader.missing(),
    )
