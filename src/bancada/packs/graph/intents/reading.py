"""Reading a question: which words name what, in Portuguese and English."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bancada import Sentence

_EDGE = " \t\n?!.,;:\"'“”«»"
_BEFORE = re.compile(
    r"^(?:(?:o|a|os|as|um|uma|the|an?)\s+)?(?:(?:categoria|category)\s+(?=\S))?", re.IGNORECASE
)
_PLURAL = re.compile(r"(?<=\w{3})(?:(?<=[rz])es|s)\b", re.IGNORECASE)


def matched(sentence: Sentence, patterns: Iterable[re.Pattern[str]]) -> dict[str, str] | None:
    """The named parts of the first pattern that fits the whole sentence, as the person wrote them.

    Patterns are written without accents and in lower case.
    """
    text, plain = sentence.text, sentence.plain
    # Where folding changed the length, positions do not line up; names compare folded anyway.
    source = text if len(text) == len(plain) else plain
    for pattern in patterns:
        found = pattern.search(plain)
        if found:
            spans = ((name, found.span(name)) for name in pattern.groupindex)
            return {name: tidy(source[a:b]) for name, (a, b) in spans if a >= 0}
    return None


def tidy(words: str) -> str:
    """A name without the marks around it and the article, or the word "category", before it."""
    return _BEFORE.sub("", words.strip(_EDGE)).strip(_EDGE)


def singular(words: str) -> str:
    """Each word without its plural ending: names are looked for as parts of longer ones."""
    return _PLURAL.sub("", words)


def patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    """Patterns for whole sentences; courtesies before and marks after are allowed for."""
    return tuple(
        re.compile(
            rf"^\s*[¿¡]?(?:(?:ola|por favor|podes|pode|diz-me|diga-me|hello|please|can you|tell me)[,:]?\s+)*"
            rf"(?:{text})\s*[?!.]*\s*$"
        )
        for text in texts
    )
