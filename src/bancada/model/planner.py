"""Which of the declared intents a sentence asks for.

A sentence is compared with the example phrases of both languages: how much of a phrase it
says, and how much of it the phrase explains. Words that many intents share count for less.
The shapes below are what this room needs of an intent; packs declare the real ones.
"""

from __future__ import annotations

import difflib
import logging
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol, TypeAlias

from bancada.domain.json import JSONObject
from bancada.domain.people import Language
from bancada.model.language import stem, weights, words

log = logging.getLogger(__name__)

SURE = 0.55
"""From here on a sentence is taken for what it resembles."""
READ = 1000
"""How far a text is read for what it asks; pasted pages follow their question."""
PARTS = 8
"""How many requests one text may join."""
KEYED = 0.3
"""Enough where all of an intent's own keywords are there."""
NAMED = 0.1
"""Enough where an intent names two things and both are there: the rest is free text."""


class StepLike(Protocol):
    """One tool call."""

    @property
    def tool(self) -> str: ...
    @property
    def input(self) -> JSONObject: ...


class IntentLike(Protocol):
    """One thing that can be asked for; its functions take the pack's own sentence type."""

    @property
    def name(self) -> str: ...
    @property
    def phrases(self) -> Mapping[Language, Sequence[str]]: ...
    @property
    def keywords(self) -> Sequence[str]: ...
    @property
    def plan(self) -> Callable[[Any], Sequence[Any] | None]: ...
    @property
    def then(self) -> Callable[[Any, Sequence[Any]], Sequence[Any]] | None: ...
    @property
    def tell(self) -> Callable[[Any, Sequence[Any]], str]: ...
    @property
    def fits(self) -> Callable[[Any], float] | None: ...
    @property
    def tools(self) -> Sequence[str]: ...
    @property
    def examples(self) -> Callable[[Any], Sequence[str]] | None: ...


class SentenceLike(Protocol):
    """What a person wrote, as intents read it."""

    def __init__(self, text: str, language: Language) -> None: ...
    @property
    def text(self) -> str: ...
    @property
    def language(self) -> Language: ...


MakeSentence: TypeAlias = Callable[..., Any]
"""Makes of a text and its language what intents read; by keyword, what the record has beside it."""


@dataclass(frozen=True, kw_only=True)
class Detected:
    """An intent found in a sentence, how surely, and the first calls it asks for."""

    intent: IntentLike
    confidence: float
    sentence: Any
    steps: Sequence[StepLike]

    @property
    def parameters(self) -> JSONObject:
        """What was read from the sentence: the arguments of the first call."""
        return dict(self.steps[0].input) if self.steps else {}


@dataclass(frozen=True)
class _Example:
    weights: dict[str, float]
    total: float


class Planner:
    """Knows the intents' phrases; made once, asked often."""

    def __init__(self, intents: Sequence[IntentLike], sentence: MakeSentence) -> None:
        self.intents = tuple(intents)
        self._sentence = sentence
        said = [
            [weights(unquoted(phrase)) for phrases in intent.phrases.values() for phrase in phrases]
            for intent in self.intents
        ]
        spread = Counter(word for examples in said for word in set().union(*examples, ()))
        self._rarity = {word: 1.0 / (1.0 + math.log(count)) for word, count in spread.items()}
        self._words = frozenset(
            word
            for intent in self.intents
            for text in (*intent.keywords, *(one for all in intent.phrases.values() for one in all))
            for word in words(text)
        )
        self._examples = [[self._example(words_of) for words_of in examples] for examples in said]
        self.vocabulary: dict[Language, frozenset[str]] = {
            language: frozenset(
                stem(word)
                for intent in self.intents
                for phrase in intent.phrases.get(language, ())
                for word in words(phrase)
            )
            for language in ("pt", "en")
        }

    def detect(
        self,
        text: str,
        language: Language,
        tools: Collection[str] | None = None,
        *,
        make: MakeSentence | None = None,
    ) -> Detected | None:
        """The intent that fits best and whose calls all use `tools`; the first of equals.

        `make` makes the sentence that intents read: with what the record has beside the text.
        """
        found = [self._spelled(word) for word in words(text[:READ])]
        wanted = words(" ".join(unquoted(text).split())[:READ])
        said = weights(" ".join(self._spelled(word) for word in wanted))
        sentence = (make or self._sentence)(text, language)
        ranked = sorted(
            (
                (
                    self._score(said, examples) if intent.fits is None else _fit(intent, sentence),
                    -at,
                )
                for at, (intent, examples) in enumerate(
                    zip(self.intents, self._examples, strict=True)
                )
                if _in_reach(intent, tools)
            ),
            reverse=True,
        )
        for score, place in ranked:
            if score < NAMED:
                return None
            intent = self.intents[-place]
            sure = (SURE, KEYED, NAMED)[min(2, len(intent.keywords))]
            if intent.fits is None and score < sure:
                continue
            if not _has_keywords(found, intent.keywords):
                continue
            if len(intent.keywords) < 2 and self._destroys(said, -place):
                continue
            steps = _plan(intent, sentence)
            if steps is not None and (tools is None or all(step.tool in tools for step in steps)):
                confidence = round(min(1.0, score), 3)
                return Detected(
                    intent=intent, confidence=confidence, sentence=sentence, steps=steps
                )
        return None

    def detect_all(
        self,
        text: str,
        language: Language,
        tools: Collection[str] | None = None,
        *,
        make: MakeSentence | None = None,
    ) -> list[Detected]:
        """Every request in a sentence that joins several; one or none otherwise."""
        whole = self.detect(text, language, tools, make=make)
        if whole is not None and whole.intent.fits is not None and whole.confidence >= SURE:
            # It has read every word; the joints in it are its own.
            return [whole]
        parts: list[str] = []
        pieces = _pieces(text) if len(text) <= READ else [text]
        for piece in pieces if len(pieces) <= PARTS else [text]:
            # A piece that means nothing by itself belongs to the one before it.
            if parts and self.detect(_JOINT.sub("", piece), language, tools, make=make) is None:
                parts[-1] += piece
            else:
                parts.append(piece)
        several = [self.detect(_JOINT.sub("", part), language, tools, make=make) for part in parts]
        found = [one for one in several if one is not None]
        if len(found) < 2 or len(found) < len(parts):
            return [whole] if whole else []
        phrased = [one.intent.name for one in found if one.intent.fits is None]
        if len(set(phrased)) < len(phrased):
            return [whole] if whole else []
        surer = whole is None or min(one.confidence for one in found) >= whole.confidence
        return found if surer else [whole] if whole else []

    def answerable(
        self,
        language: Language,
        tools: Collection[str],
        *,
        make: MakeSentence | None = None,
    ) -> list[str]:
        """One example a thing that can be asked with these tools, in this language.

        What the person brought along comes first, and with all its examples.
        """
        examples: list[str] = []
        for intent in sorted(self.intents, key=lambda one: one.fits is None):
            if intent.examples is not None and _in_reach(intent, tools):
                own = _examples(intent, (make or self._sentence)("", language))
                examples += [example for example in own if example not in examples]
            for phrase in intent.phrases.get(language, ()):
                sentence = (make or self._sentence)(phrase, language)
                if intent.fits is not None and _fit(intent, sentence) < 1:
                    continue
                steps = _plan(intent, sentence)
                if steps is not None and all(step.tool in tools for step in steps):
                    if phrase not in examples:
                        examples.append(phrase)
                    if intent.fits is None:
                        break
        return examples

    def _destroys(self, said: Collection[str], at: int) -> bool:
        """Whether something is to be deleted, and this intent is about no such thing.

        However alike the other words are, counting is no answer to "delete".
        """
        verbs = _DESTROYS.intersection(said)
        return bool(verbs) and not any(verbs & set(one.weights) for one in self._examples[at])

    def _example(self, said: dict[str, float]) -> _Example:
        weighed = {word: weight * self._rarity[word] for word, weight in said.items()}
        return _Example(weighed, sum(weighed.values()) or 1.0)

    def _spelled(self, word: str) -> str:
        """The word that was meant: a long one that no phrase knows may be misspelt."""
        if len(word) < 5 or word in self._words:
            return word
        close = difflib.get_close_matches(word, self._words, n=1, cutoff=0.84)
        return close[0] if close else word

    def _score(self, said: dict[str, float], examples: Sequence[_Example]) -> float:
        """How much of a phrase is said, and how much of what is said it explains."""
        best = 0.0
        # A word no phrase knows is most often a name or a value: it explains little.
        spoken = sum(weight * self._rarity.get(word, 0.35) for word, weight in said.items()) or 1.0
        for example in examples:
            shared = sum(weight for word, weight in example.weights.items() if word in said)
            if shared:
                best = max(best, (shared / example.total + min(1.0, shared / spoken)) / 2)
        return best


def detect(
    sentence: SentenceLike,
    intents: Sequence[IntentLike],
    tools: Collection[str] | None = None,
) -> Detected | None:
    """What a sentence asks for, if any of the intents is meant."""
    planner = Planner(intents, type(sentence))
    return planner.detect(sentence.text, sentence.language, tools)


_DESTROYS = frozenset(
    map(stem, words("apaga elimina remove remover destroi limpa delete erase destroy drop wipe"))
)
_JOINT = re.compile(
    r"^[\s,;.?!]*(?:(?:e|and)\s+)?(?:(?:depois|tamb[eé]m|then|also)\s+)?", re.IGNORECASE
)
_JOINED = re.compile(r"[;?!.]\s+(?=\w)|\s*,?\s+(?:e|and)\s+(?=\S)", re.IGNORECASE)


_QUOTED = re.compile(
    r"```.*?```|`[^`]*`|\"[^\"]*\"|“[^”]*”|«[^»]*»|(?<!\w)'[^']*'(?!\w)", re.DOTALL
)


def unquoted(text: str) -> str:
    """A text with blanks for what stands in quotes: values, not words that say what is wanted."""
    return _QUOTED.sub(lambda found: " " * len(found[0]), text)


def _pieces(text: str) -> list[str]:
    """A text cut where requests may be joined; each piece keeps the joint before it."""
    cuts = [found.start() for found in _JOINED.finditer(unquoted(text))]
    places = [0, *(cut for cut in cuts if cut), len(text)]
    return [text[one:next] for one, next in pairwise(places) if text[one:next].strip()]


def _has_keywords(found: Sequence[str], keywords: Sequence[str]) -> bool:
    """Whether each group is there: any of its alternatives, accents aside."""
    said = f" {' '.join(found)} "
    return all(
        any(f" {' '.join(words(one))} " in said for one in group.split("|")) for group in keywords
    )


def _in_reach(intent: IntentLike, tools: Collection[str] | None) -> bool:
    """Whether an intent could call anything that is offered; one that does not say could."""
    return tools is None or not intent.tools or any(tool in tools for tool in intent.tools)


def _examples(intent: IntentLike, sentence: Any) -> Sequence[str]:
    try:
        return () if intent.examples is None else intent.examples(sentence)
    except Exception:
        log.exception("The intent %s has no examples", intent.name)
        return ()


def _fit(intent: IntentLike, sentence: Any) -> float:
    """How surely an intent says a sentence is its own; one that fails says no."""
    try:
        return intent.fits(sentence) if intent.fits is not None else 0.0
    except Exception:
        log.exception("The intent %s could not read a sentence", intent.name)
        return 0.0


def _plan(intent: IntentLike, sentence: Any) -> Sequence[StepLike] | None:
    """The intent's first calls; a plan that fails is a plan that does not fit."""
    try:
        return intent.plan(sentence)
    except Exception:
        log.exception("The intent %s could not plan", intent.name)
        return None
