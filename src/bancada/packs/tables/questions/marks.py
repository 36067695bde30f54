"""The words of a question, each with what it means beside this table.

One walk from left to right, the longest meaning first. A name of a column is told from the
same word in its ordinary sense by where it stands: "total por produto" beside a column `total`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from bancada import Language
from bancada.packs.tables.questions.tables import Column, Table
from bancada.packs.tables.questions.tokens import (
    Token,
    alike,
    folded,
    same_words,
    stop_word,
    tokens_of,
    words_of,
)
from bancada.packs.tables.questions.vocabulary import LONGEST, PHRASES, SYNONYMS, Tag

FIRM: frozenset[Tag] = frozenset(
    (
        "operation", "count", "much", "rank", "superlative", "rows", "by", "which", "go_on",
        "columns", "column", "empty", "not", "compare", "since", "until", "between", "distinct",
        "file", "list", "show", "only",
    )
)  # fmt: skip
"""Meanings that a word keeps though a column has its name, unless it is asked for as one."""
NAMING: frozenset[Tag] = frozenset(("by", "column"))
"""After these a name is expected."""


@dataclass(frozen=True)
class Mark:
    """One or more tokens and their meaning."""

    tag: Tag | str
    """A meaning; or `name`, `quoted`, `number`, `date`, `sign`, and `word` for what is unknown."""
    value: str
    start: int
    end: int
    """The first token, and the one after the last."""
    columns: tuple[Column, ...] = ()
    """What a name may mean; or, of an ordinary word, the column called the same."""
    text: str = ""


def marks_of(text: str, table: Table, language: Language) -> list[Mark]:
    """Every token of the text in a mark, in order."""
    text = unicodedata.normalize("NFC", text)
    tokens = tokens_of(text)
    marks: list[Mark] = []
    at = 0
    while at < len(tokens):
        mark = _mark(tokens, at, table, marks, language)
        marks.append(replace(mark, text=text[tokens[at].start : tokens[mark.end - 1].end]))
        at = mark.end
    return list(_loose_names(marks, tokens, table))


def _mark(
    tokens: Sequence[Token], at: int, table: Table, before: Sequence[Mark], language: Language
) -> Mark:
    token = tokens[at]
    if token.kind == "quoted":
        named = [one for one in table.columns if words_of(one.name) == words_of(token.text)]
        same = [one for one in named if one.name == token.text] or [
            one for one in table.columns if folded(one.name) == token.plain
        ]
        found = tuple(same or named)
        return Mark("name" if found else "quoted", token.text, at, at + 1, found)
    tag = _last_tag(before)
    name = _name(tokens, at, table, expected=tag in NAMING)
    phrase = _phrase(tokens, at, table, tag)
    if name is not None and phrase is not None:
        longer = name.end - phrase.end
        if longer < 0 or (longer == 0 and phrase.tag in FIRM and tag not in NAMING):
            return replace(phrase, columns=name.columns if longer == 0 else ())
        return name
    stem = _stem(tokens, at, table) if name is None else None
    if stem is not None and (phrase is None or phrase.end < stem.end or phrase.tag == "thing"):
        return stem
    if token.kind == "sign" and token.text in ("≠", "!=", "<>"):
        return Mark("not", "", at, at + 1)
    return name or phrase or Mark(token.kind, token.plain, at, at + 1)


def _last_tag(marks: Sequence[Mark]) -> str:
    """The meaning of what came last, small words aside."""
    return next((mark.tag for mark in reversed(marks) if mark.tag != "filler"), "")


def _name(tokens: Sequence[Token], at: int, table: Table, *, expected: bool) -> Mark | None:
    """The longest column that is named in full from here on."""
    best = at
    found: list[Column] = []
    for column in table.columns:
        bare = all(stop_word(word) or word.isdigit() for word in column.words)
        end = None if bare and not expected else _says(tokens, at, column.words)
        if end is not None and end > best:
            best, found = end, [column]
        elif end is not None and end == best:
            found.append(column)
    if not found:
        return None
    spelt = [one for one in found if one.words == tuple(_plain(tokens[at:best]))]
    return Mark("name", "", at, best, tuple(spelt or found))


def _plain(tokens: Sequence[Token]) -> list[str]:
    said = [token.plain for token in tokens]
    return [word for word in said if not stop_word(word)] or said


def _says(tokens: Sequence[Token], at: int, words: Sequence[str]) -> int | None:
    """Where the tokens end that say these words; small words may stand between them."""
    for number, word in enumerate(words):
        while number and at < len(tokens) and stop_word(tokens[at].plain):
            at += 1
        if at >= len(tokens) or tokens[at].kind in ("quoted", "sign"):
            return None
        if not alike(tokens[at].plain, word):
            return None
        at += 1
    return at if words else None


def _phrase(tokens: Sequence[Token], at: int, table: Table, before: str) -> Mark | None:
    for length in range(min(LONGEST, len(tokens) - at), 0, -1):
        said = tokens[at : at + length]
        if any(token.kind != "word" for token in said):
            continue
        follows = tokens[at + length] if at + length < len(tokens) else None
        for tag, value in PHRASES.get(tuple(token.plain for token in said), ()):
            if _belongs(tag, said, tokens[at + length :], follows, table, before):
                return Mark(tag, value, at, at + length)
    return None


def _belongs(
    tag: Tag,
    said: Sequence[Token],
    rest: Sequence[Token],
    follows: Token | None,
    table: Table,
    before: str,
) -> bool:
    """Whether a meaning is possible in this place."""
    after = next((token for token in rest if not stop_word(token.plain)), None)
    if tag == "compare":
        # "maior que a média" compares too, with what cannot be read here.
        return (follows is not None and follows.kind == "number") or (
            len(said) > 1 and said[-1].plain in ("que", "than")
        )
    if tag in ("since", "until", "between"):
        return after is not None and (after.kind in ("date", "number") or _is_month(after))
    if tag == "month":
        # "may" and "march" are also verbs.
        return bool(table.dates) and (said[0].plain not in ("may", "march") or before != "which")
    if tag == "unit":
        # "40 anos" is an age, and "ano 2025" a year: neither divides time.
        timely = after is not None and (after.kind in ("date", "number") or _is_month(after))
        return before != "number" and not timely
    if tag == "go_on":
        return before == ""
    return True


def _is_month(token: Token) -> bool:
    return any(tag == "month" for tag, _ in PHRASES.get((token.plain,), ()))


def _stem(tokens: Sequence[Token], at: int, table: Table) -> Mark | None:
    """A word of the file's name: what one row of it is, or the file itself."""
    stem = [word for word in table.stem if len(word) > 2 and not word.isdigit()]
    end = _says(tokens, at, table.stem)
    if end is None and tokens[at].kind == "word":
        token = tokens[at]
        said = any(alike(token.plain, word) for word in stem) and not _is_month(token)
        end = at + 1 if said and not stop_word(token.plain) else None
    if end is None:
        return None
    known = PHRASES.get((tokens[at].plain,), ())
    return Mark("thing", "sales" if ("thing", "sales") in known else "one", at, end)


def _loose_names(marks: Sequence[Mark], tokens: Sequence[Token], table: Table) -> Iterator[Mark]:
    """Unknown words that are part of one column's name, or another word for it."""
    longest = max((len(words_of(column.name)) for column in table.columns), default=0)
    at = 0
    while at < len(marks):
        if marks[at].tag not in ("word", "soft", "thing"):
            yield marks[at]
            at += 1
            continue
        run = list(takewhile(lambda mark: mark.tag in ("word", "soft", "thing"), marks[at:]))
        for length in range(min(len(run), longest), 0, -1):
            said = run[:length]
            found = _partly(tokens[said[0].start : said[-1].end], table)
            # A word for rows may also be part of a column; it is, where that can be added up.
            if all(mark.tag == "thing" for mark in said):
                found = [one for one in found if one.adds_up]
                found = found if len(found) == 1 else []
            if found:
                text = " ".join(mark.text for mark in said)
                yield Mark("name", "", said[0].start, said[-1].end, tuple(found), text)
                at += length
                break
        else:
            yield marks[at] if marks[at].tag != "soft" else replace(marks[at], tag="filler")
            at += 1


def _partly(said: Sequence[Token], table: Table) -> list[Column]:
    words = [token.plain for token in said if not stop_word(token.plain)]
    if not words or any(token.kind != "word" for token in said):
        return []
    partly = [
        column
        for column in table.columns
        if all(any(alike(word, own) for own in column.words) for word in words)
    ]
    if partly:
        return partly
    meant = [_synonym(word) for word in words]
    whole = [
        column
        for column in table.columns
        if same_words(meant, [_synonym(word) for word in column.words])
    ]
    return whole or [
        column
        for column in table.columns
        if all(word in {_synonym(own) for own in column.words} for word in meant)
    ]


@lru_cache(maxsize=4096)
def _synonym(word: str) -> str:
    return next((group for known, group in SYNONYMS.items() if alike(known, word)), word)
