"""Intents: how the offline planner turns a sentence into tool calls, and results into words.

A pack declares them; the offline model and keyword mode use them. No model is involved: a
sentence is matched against the example phrases of both languages, the arguments are read from
it by a plain function, and the result is told by another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Language


def plain(text: str) -> str:
    """Lower case, accents removed: how sentences and names are compared."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c))


@dataclass(frozen=True)
class Sentence:
    """What a person wrote, ready to be read."""

    text: str
    language: Language = "pt"
    data: str = ""
    """The conversation's tables and their columns, as they were recorded with the question."""
    before: Sentence | None = None
    """The question before this one, for those that lean on it."""
    tools: tuple[str, ...] = ()
    """What was called to answer it; nothing yet for the question that is being asked."""
    organisation_id: int | None = None
    """Whose question it is: a pack may read it against what it keeps for that organisation."""

    @cached_property
    def plain(self) -> str:
        return plain(self.text)

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(re.findall(r"[\w%]+", self.plain))

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """Numbers as written, decimal comma or point."""
        return tuple(
            float(found.replace(",", ".")) for found in re.findall(r"-?\d+(?:[.,]\d+)?", self.text)
        )

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """What stands between quotation marks, of any kind."""
        return tuple(
            next(part for part in found if part)
            for found in re.findall(r"\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|'([^']+)'", self.text)
        )

    def has(self, *words: str) -> bool:
        """Whether any of these words, or word groups, occurs (accents and case aside)."""
        return any(
            re.search(rf"(?<!\w){re.escape(plain(word))}(?!\w)", self.plain) for word in words
        )

    def after(self, *words: str) -> str | None:
        """The text that follows the first of these words, as written."""
        for word in words:
            found = re.search(rf"(?<!\w){re.escape(plain(word))}(?!\w)\s*[:,]?\s*", self.plain)
            # `plain` may change lengths (ß, ligatures); then positions do not line up.
            if found and len(self.plain) == len(self.text):
                rest = self.text[found.end() :].strip(" \t?!.,;:")
                if rest:
                    return rest
        return None


@dataclass(frozen=True, kw_only=True)
class Step:
    """One tool call that the planner asks for."""

    tool: str
    input: JSONObject


@dataclass(frozen=True, kw_only=True)
class Answered:
    """A step and what came back."""

    step: Step
    result: JSON
    is_error: bool = False


@dataclass(frozen=True, kw_only=True)
class Intent:
    """One thing the planner can do.

    `plan` reads the sentence and says which calls to make first; `then` may add more once the
    results so far are known (a chart after a query) and returns nothing when it is finished;
    `tell` puts the results into words, in the sentence's language.
    """

    name: str
    phrases: Mapping[Language, Sequence[str]]
    """Example sentences. The offline model shows them when asked what it can do."""
    plan: Callable[[Sentence], Sequence[Step] | None]
    """The first calls, or none when the sentence does not fit after all."""
    tell: Callable[[Sentence, Sequence[Answered]], str]
    then: Callable[[Sentence, Sequence[Answered]], Sequence[Step]] | None = None
    keywords: Sequence[str] = ()
    """Words that must all be there (any of `a|b`), whatever the phrases say."""
    fits: Callable[[Sentence], float] | None = None
    """How surely a sentence means this (0 to 1), where no phrase can tell: what is asked about
    is known from the record alone. Above 1 it goes before every phrase."""
    tools: Sequence[str] = ()
    """What it may call. Where none of these is offered, the intent is not asked at all."""
    examples: Callable[[Sentence], Sequence[str]] | None = None
    """Example sentences for this organisation and language, where fixed ones would be about
    somebody else's data."""
