"""Intents: how the offline planner turns a sentence into tool calls, and results into words.

A pack declares them; the offline model and keyword mode use them. No model is involved: a
sentence is matched against the example phrases of both languages, the arguments are read from
it by a plain function, and the result is told by another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Language
from bancada.domain.tables import TableShape


def plain(text: str) -> str:
    """Lower case, accents removed: how sentences and names are compared."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c))


@dataclass(frozen=True)
class Sentence:
    """What a person wrote, ready to be read.

    Words that were looked for and found are noted in `used`: an intent that leaves a word which
    carries meaning unused has not understood the sentence, and is not taken.
    """

    text: str
    language: Language = "pt"
    tables: tuple[TableShape, ...] = ()
    """What can be queried: the conversation's files, oldest first, and the packs' tables."""
    before: Sentence | None = None
    """The question before this one, for those that lean on it."""
    tools: tuple[str, ...] = ()
    """What was called to answer it; nothing yet for the question that is being asked."""
    organisation_id: int | None = None
    """Whose question it is: a pack may read it against what it keeps for that organisation."""
    today: date = field(default_factory=date.today)
    used: set[str] = field(default_factory=set, init=False, compare=False, repr=False)

    @cached_property
    def plain(self) -> str:
        """The text in lower case and without accents."""
        return plain(self.text)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the plain text, in their order."""
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
        found = [
            word
            for word in map(plain, words)
            if word in self.plain and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.plain)
        ]
        self.use(*found)
        return bool(found)

    def use(self, *texts: str) -> None:
        """Note that the words of these texts were understood."""
        for text in texts:
            self.used.update(re.findall(r"[\w%]+", plain(text)))

    def say(self, pt: str, en: str, *parts: object, **named: object) -> str:
        """One of two sentences, in the language of this one, with its parts filled in."""
        return (pt if self.language == "pt" else en).format(*parts, **named)

    def after(self, *words: str) -> str | None:
        """The text that follows the first of these words, as written."""
        for word in words:
            found = re.search(rf"(?<!\w){re.escape(plain(word))}(?!\w)\s*[:,]?\s*", self.plain)
            # `plain` may change lengths (ß, ligatures); then positions do not line up.
            if found and len(self.plain) == len(self.text):
                rest = self.text[found.end() :].strip(" \t?!.,;:")
                if rest:
                    self.use(word, rest)
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


class Results(tuple[Answered, ...]):
    """What came back from the calls that went well, in their order."""

    def of(self, tool: str) -> JSON:
        """The result of the last good call of a tool; none where there was none."""
        return next((one.result for one in reversed(self.all(tool))), None)

    def all(self, tool: str) -> list[Answered]:
        """The good calls of a tool, in their order."""
        return [one for one in self if one.step.tool == tool and not one.is_error]

    @property
    def value(self) -> JSON:
        """The result of the last good call."""
        return next((one.result for one in reversed(self) if not one.is_error), None)


@dataclass(frozen=True, kw_only=True)
class Intent:
    """One thing that can be asked for without a model.

    `arguments` reads from the sentence what `tool` is called with; `tell` puts what came back into
    words, in the sentence's language. A call that fails is told by the workbench, not here.
    """

    name: str
    phrases: Mapping[Language, Sequence[str]]
    """Example sentences. The offline model shows them when asked what it can do."""
    tell: Callable[[Sentence, Results], str]
    tool: str = ""
    arguments: Callable[[Sentence], JSONObject | None] | None = None
    """The tool's input, or none when the sentence does not fit after all; without it, no input."""
    plan: Callable[[Sentence], Sequence[Step] | None] | None = None
    """Instead of one tool: the first calls, where there are several or none."""
    then: Callable[[Sentence, Sequence[Answered]], Sequence[Step]] | None = None
    """More calls, once the results so far are known (a chart after a query); nothing when done."""
    keywords: Sequence[str] = ()
    """Words that must all be there (any of `a|b`), whatever the phrases say."""
    fits: Callable[[Sentence], float] | None = None
    """How surely a sentence means this (0 to 1), where no phrase can tell: what is asked about
    is known from the sentence's tables alone. Such an intent accounts for every word itself.
    Above 1 it goes before every phrase."""
    tools: Sequence[str] = ()
    """What it may call. Where none of these is offered, the intent is not asked at all."""
    examples: Callable[[Sentence], Sequence[str]] | None = None
    """Example sentences for this organisation and language, where fixed ones would be about
    somebody else's data."""

    def steps(self, sentence: Sentence) -> Sequence[Step] | None:
        """The first calls; none when the sentence does not fit."""
        if self.plan is not None:
            return self.plan(sentence)
        given = {} if self.arguments is None else self.arguments(sentence)
        return None if given is None else [Step(tool=self.tool, input=given)]
