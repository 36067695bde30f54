"""Words that say how something is asked, not what for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from bancada.packs.graph.schema import fold

EVERYTHING = frozenset(
    [
        "coisa",
        "coisas",
        "no",
        "nos",
        "entidade",
        "entidades",
        "elemento",
        "elementos",
        "item",
        "itens",
        "tudo",
        "node",
        "nodes",
        "thing",
        "things",
        "entity",
        "entities",
        "item",
        "items",
        "everything",
    ]
)
"""Words that ask for nodes of any label."""

WHOLE = frozenset({"grafo", "graph", "total", "tudo", "everything", "o grafo", "the graph"})
"""Words for all there is, where the name of a node could stand."""

_HOW = frozenset((Path(__file__).parent / "small_words.txt").read_text("utf-8").split())
"""Words without a condition in them. A negation, a comparison or a number is never one of these."""


def meaningful(words: Iterable[str]) -> tuple[str, ...]:
    """The words that carry meaning, as written, each once."""
    kept = (word.strip(" \t\n?!.,;:\"'“”«»()") for word in words)
    return tuple(dict.fromkeys(word for word in kept if word and fold(word) not in _HOW))


def listed(words: Sequence[str]) -> str:
    """`“broken”, “red”`"""
    return ", ".join(f"“{word}”" for word in words)
