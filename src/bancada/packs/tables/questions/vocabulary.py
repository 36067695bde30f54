"""What words of a question mean, in both languages: `words.toml`, ready to be looked up."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal, TypeAlias

Tag: TypeAlias = Literal[
    "operation", "count", "much", "distinct", "rank", "superlative", "frequent", "recent", "place",
    "empty", "columns", "column", "sample", "rows", "file", "by", "unit", "form", "which", "who", "list",
    "statistics", "not", "compare", "since", "until", "before", "after", "between", "only", "show",
    "go_on", "share", "pareto", "versus", "is", "and", "filler", "soft",
]  # fmt: skip

_WORDS = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))


def words_for(table: str) -> dict[str, str]:
    """What each word of a table stands for."""
    return {word: key for key, words in _WORDS[table].items() for word in words.split()}


def numbers_for(table: str) -> dict[str, int]:
    """What number each word of a table stands for."""
    return {word: int(key) for word, key in words_for(table).items()}


def words_in(name: str) -> frozenset[str]:
    """The words around dates that are of one kind."""
    return frozenset(_WORDS["around"][name].split())


PHRASES: dict[tuple[str, ...], list[tuple[Tag, str]]] = {}
"""What a word or a group of words may mean; the first meaning counts unless its place says else."""
for meaning, said in _WORDS["said"].items():
    tag, _, value = meaning.partition(" ")
    for phrase in said.split("|"):
        PHRASES.setdefault(tuple(phrase.split()), []).append((tag, value))

NUMBER_WORDS = numbers_for("numbers")

OPENS: dict[str, str] = _WORDS["opens"]

THINGS: list[list[str]] = [group.split() for group in _WORDS["groups"]["things"]]

SYNONYMS: dict[str, tuple[str, ...]] = {
    word: tuple(other for other in group.split() if other != word)
    for group in _WORDS["groups"]["synonyms"]
    for word in group.split()
}
