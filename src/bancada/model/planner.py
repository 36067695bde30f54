"""Which of the declared intents a sentence asks for.

A sentence is compared with the example phrases of both languages: how much of a phrase it
says, and how much of it the phrase explains. Words that many intents share count for less.
A sentence may only be taken for an intent that explains every word of it which carries meaning.
"""

from __future__ import annotations

import difflib
import logging
import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from bancada.domain.intents import Intent, Sentence, Step, plain
from bancada.domain.json import JSONObject, dumps
from bancada.domain.people import Language
from bancada.model.language import is_filler, stem, weights, words

log = logging.getLogger(__name__)

SURE = 0.55
"""From here on a sentence is taken for what it resembles."""
READ = 1000
"""How far a text is read for what it asks; pasted pages follow their question."""
PARTS = 8
"""How many requests one text may join."""
TOLD = 0.5
"""Below this, an intent that reads every word only knows why it has no answer."""
KEYED = 0.3
"""Enough where all of an intent's own keywords are there."""
COMPARISON = re.compile(
    r"\b(?:(?:mais|menos|maior(?:es)?|menor(?:es)?|superior(?:es)?|inferior(?:es)?|more|less|fewer"
    r"|greater|higher|lower)\s+(?:de|do\s+que|que|than|a|ao)|(?:acima|abaixo)\s+d[eoa]"
    r"|over|under|above|below|pelo\s+menos|no\s+maximo|at\s+(?:least|most))\s+\d+(?:[.,]\d+)*"
)
"""A limit: `mais de 2`, `at least 5`. Its words are not those that rank: `os 2 mais frequentes`."""
NAMED = 0.1
"""Enough where an intent names two things and both are there: the rest is free text."""


@dataclass(frozen=True, kw_only=True)
class Detected:
    """An intent found in a sentence, how surely, and the first calls it asks for."""

    intent: Intent
    confidence: float
    sentence: Sentence
    steps: Sequence[Step]

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

    def __init__(self, intents: Sequence[Intent]) -> None:
        self.intents = tuple(intents)
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
        self._said = [
            frozenset(
                stem(word)
                for text in (
                    *(one for group in intent.keywords for one in group.split("|")),
                    *(one for all in intent.phrases.values() for one in all),
                )
                for word in words(text)
                if not word.isdigit()
            )
            for intent in self.intents
        ]
        self._compares = [
            any(COMPARISON.search(plain(one)) for all in intent.phrases.values() for one in all)
            for intent in self.intents
        ]
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
        sentence: Sentence,
        tools: Collection[str] | None = None,
        *,
        left: list[str] | None = None,
    ) -> Detected | None:
        """The intent that fits best and whose calls all use `tools`; the first of equals.

        Where none does because of a few words that nobody knows, `left` is given those.
        """
        text = sentence.text
        found = [self._spelled(word) for word in words(text[:READ])]
        wanted = words(" ".join(unquoted(text).split())[:READ])
        said = weights(" ".join(self._spelled(word) for word in wanted))
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
        specific = False
        for score, place in ranked:
            if score < NAMED:
                return None
            intent = self.intents[-place]
            sure = (SURE, KEYED, NAMED)[min(2, len(intent.keywords))]
            if intent.fits is None and score < sure:
                continue
            if not _has_keywords(found, intent.keywords):
                continue
            own = replace(sentence)
            steps = _plan(intent, own)
            if steps is None or (tools is not None and any(s.tool not in tools for s in steps)):
                continue
            if intent.fits is not None and score < TOLD and specific:
                return None  # what another intent had no use for says more
            unexplained = [] if intent.fits is not None else self._unexplained(-place, own, steps)
            if not unexplained:
                confidence = round(min(1.0, score), 3)
                return Detected(intent=intent, confidence=confidence, sentence=own, steps=steps)
            specific |= len(intent.keywords) > 1
            if left is not None and not left:
                left.extend(unexplained)
        return None

    def _unexplained(self, at: int, sentence: Sentence, steps: Sequence[Step]) -> list[str]:
        """Words of a sentence that an intent has no use for: no phrase of it says them, and they
        were neither looked for nor given to a tool."""
        given = {word for step in steps for word in words(dumps(step.input))}
        known = self._said[at]
        limits = [] if self._compares[at] else COMPARISON.findall(sentence.plain)
        if limited := [one for one in limits if not sentence.used.issuperset(words(one))]:
            return limited
        written = {
            word: text for text in re.findall(r"[\w%]+", sentence.text) for word in words(text)
        }
        # `más` is a name where a column has it, accent and all, and not the filler `mas`.
        named = {
            said
            for table in sentence.tables
            for column in table.columns
            for said in re.findall(r"\w+", column.name.casefold())
            if said != plain(said)
        }
        return [
            written.get(word, word)
            for word in dict.fromkeys(words(sentence.text))
            if not (
                word in sentence.used
                or word in given
                or (is_filler(word) and written.get(word, word).casefold() not in named)
                or (not word.isdigit() and stem(self._spelled(word)) in known)
                or (word.isdigit() and word.lstrip("0") in given)
            )
        ]

    def detect_all(
        self,
        sentence: Sentence,
        tools: Collection[str] | None = None,
        *,
        left: list[str] | None = None,
    ) -> list[Detected]:
        """Every request in a sentence that joins several; one or none otherwise."""
        text = sentence.text
        whole = self.detect(sentence, tools, left=left)
        if whole is not None and whole.intent.fits is not None and whole.confidence > TOLD:
            # It has read every word; the joints in it are its own.
            return [whole]

        def of(part: str) -> Detected | None:
            return self.detect(replace(sentence, text=_JOINT.sub("", part)), tools)

        parts: list[str] = []
        pieces = _pieces(text) if len(text) <= READ else [text]
        for piece in pieces if len(pieces) <= PARTS else [text]:
            # A piece that means nothing by itself belongs to the one before it.
            if parts and of(piece) is None:
                parts[-1] += piece
            else:
                parts.append(piece)
        several = [of(part) for part in parts]
        found = [one for one in several if one is not None]
        if len(found) < 2 or len(found) < len(parts):
            return [whole] if whole else []
        if any(one.intent.fits is not None and one.confidence <= TOLD for one in found):
            return [whole] if whole else []
        phrased = [one.intent.name for one in found if one.intent.fits is None]
        if len(set(phrased)) < len(phrased):
            return [whole] if whole else []
        surer = whole is None or min(one.confidence for one in found) >= whole.confidence
        return found if surer else [whole] if whole else []

    def answerable(self, sentence: Sentence, tools: Collection[str]) -> list[str]:
        """One example a thing that can be asked with these tools, in the sentence's language.

        What the person brought along comes first, and with all its examples.
        """
        examples: list[str] = []
        for intent in sorted(self.intents, key=lambda one: one.fits is None):
            if intent.examples is not None and _in_reach(intent, tools):
                own_ones = _examples(intent, replace(sentence, text="", before=None))
                examples += [example for example in own_ones if example not in examples]
            for phrase in intent.phrases.get(sentence.language, ()):
                own = replace(sentence, text=phrase, before=None)
                if intent.fits is not None and _fit(intent, own) < 1:
                    continue
                steps = _plan(intent, own)
                if steps is not None and all(step.tool in tools for step in steps):
                    if phrase not in examples:
                        examples.append(phrase)
                    if intent.fits is None:
                        break
        return examples

    def _example(self, said: dict[str, float]) -> _Example:
        weighed = {word: weight * self._rarity[word] for word, weight in said.items()}
        return _Example(weighed, sum(weighed.values()) or 1.0)

    def _spelled(self, word: str) -> str:
        """The word that was meant: a long one that no phrase knows may be misspelt."""
        if len(word) < 5 or word in self._words:
            return word
        # Most words are told apart by their first letter and length, which costs nothing.
        alike = [one for one in self._words if one[0] == word[0] and abs(len(one) - len(word)) < 2]
        close = difflib.get_close_matches(word, alike, n=1, cutoff=0.84)
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


def _in_reach(intent: Intent, tools: Collection[str] | None) -> bool:
    """Whether an intent could call anything that is offered; one that does not say could."""
    return tools is None or not intent.tools or any(tool in tools for tool in intent.tools)


def _examples(intent: Intent, sentence: Sentence) -> Sequence[str]:
    try:
        return () if intent.examples is None else intent.examples(sentence)
    except Exception:
        log.exception("The intent %s has no examples", intent.name)
        return ()


def _fit(intent: Intent, sentence: Sentence) -> float:
    """How surely an intent says a sentence is its own; one that fails says no."""
    try:
        return intent.fits(sentence) if intent.fits is not None else 0.0
    except Exception:
        log.exception("The intent %s could not read a sentence", intent.name)
        return 0.0


def _plan(intent: Intent, sentence: Sentence) -> Sequence[Step] | None:
    """The intent's first calls; a plan that fails is a plan that does not fit."""
    try:
        return intent.steps(sentence)
    except Exception:
        log.exception("The intent %s could not plan", intent.name)
        return None
