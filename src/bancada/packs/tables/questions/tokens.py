"""A question cut into words, numbers, dates, signs and quoted names."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from bancada import Language, plain

Kind: TypeAlias = Literal["word", "number", "ordinal", "date", "sign", "quoted", "comma"]

_TOKEN = re.compile(
    r"(?P<quoted>\"[^\"]+\"|“[^”]+”|«[^»]+»|`[^`]+`|(?<!\w)'[^']+'(?!\w))"
    r"|(?P<date>\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{4}\b"
    r"|\b(?:19|20)\d\d-(?:0[1-9]|1[0-2])\b|\b\d{1,2}/(?:(?:19|20)\d\d|(?:0[1-9]|1[0-2]))\b)"
    r"|(?P<ordinal>\b\d{1,3}(?:\.?[ºª]|st|nd|rd|th)(?!\w))"
    r"|(?P<number>(?<![\w.,])-?\d+(?:[.,]\d+)*(?!\w))"
    r"|(?P<sign><>|[<>!]=|[<>=≥≤≠])"
    r"|(?P<comma>[,;])"
    r"|(?P<word>[^\W_]+)"
)
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])")
_STOP = frozenset(
    (
        "a", "as", "o", "os", "e", "de", "do", "da", "dos", "das", "em", "no", "na", "nos", "nas",
        "um", "uma", "ao", "aos", "the", "an", "of", "in", "on", "at", "to", "and", "or", "for",
        "by", "per", "from", "with", "por", "para", "com", "que", "is", "are", "me", "my",
    )
)  # fmt: skip
"""Small words, which may stand in a name or be left out of it."""


@dataclass(frozen=True)
class Token:
    """A piece of the question, as written and as it is compared."""

    kind: Kind
    text: str
    plain: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The pieces in their order. `unitPrice` and `unit_price` are two words each."""
    found: list[Token] = []
    for match in _TOKEN.finditer(unicodedata.normalize("NFC", text)):
        kind: Kind = match.lastgroup  # type: ignore[assignment]
        if kind != "word":
            inner = match[0][1:-1] if kind == "quoted" else match[0]
            found.append(Token(kind, inner, plain(inner), match.start(), match.end()))
            continue
        start = match.start()
        for part in _CAMEL.split(match[0]):
            found.append(Token("word", part, plain(part), start, start + len(part)))
            start += len(part)
    return found


def words_of(name: str) -> list[str]:
    """The words of a column's or a file's name."""
    spaced = _CAMEL.sub(" ", unicodedata.normalize("NFC", name))
    return re.findall(r"[^\W_]+", plain(spaced))


def stop_word(word: str) -> bool:
    return word in _STOP


_PLURALS = (
    ("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ois", "ol"), ("uis", "ul"), ("ns", "m"),
    ("ies", "y"), ("ses", "s"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("res", "r"),
    ("zes", "z"), ("s", ""),
)  # fmt: skip


@lru_cache(maxsize=4096)
def singulars(word: str) -> frozenset[str]:
    """A word and what it may be the plural of."""
    found = {word}
    if len(word) >= 3 and not word.isdigit():
        found.update(
            word.removesuffix(end) + single
            for end, single in _PLURALS
            if word.endswith(end) and len(word) - len(end) + len(single) >= 2
        )
    return frozenset(found)


def number_in(text: str, language: Language) -> float | int | None:
    """A number as the language writes it; `10.5` is one everywhere."""
    group, mark = (r"\.", ",") if language == "pt" else (",", r"\.")
    if re.fullmatch(rf"-?\d{{1,3}}(?:{group}\d{{3}})+(?:{mark}\d+)?", text):
        text = re.sub(group, "", text)
    text = text.replace(",", ".")
    if text.count(".") > 1:
        return None
    return float(text) if "." in text else int(text)
