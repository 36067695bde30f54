"""A question cut into what its words mean for one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bancada import plain
from bancada.packs.tables.questions.dates import Calendar, Dates
from bancada.packs.tables.questions.lexicon import CALLED, FULL, Entry, Lexicon, lexicon_of
from bancada.packs.tables.questions.schema import AskedColumn, AskedTable
from bancada.packs.tables.questions.tokens import (
    Token,
    number_in,
    tokens_of,
)
from bancada.packs.tables.questions.vocabulary import NUMBER_WORDS, PHRASES

NAMING = frozenset(("by", "operation", "column", "distinct", "superlative", "count", "which"))
"""After these a word is rather the name of a column."""
YIELDING = frozenset(
    ("soft", "who", "unit", "rows", "list", "empty", "columns", "statistics", "place")
)
"""Words that a column may be called by as well."""
SIGNS = {"≥": ">=", "≤": "<="}


@dataclass(frozen=True)
class Atom:
    """One meaning: a tag of the vocabulary, or `col`, `value`, `row`, `period`, `number`, …"""

    tag: str
    value: Any = None
    text: str = ""
    columns: tuple[AskedColumn, ...] = ()
    values: tuple[tuple[AskedColumn, str], ...] = field(default=())


NOTHING = Atom("")
NAME = 4
"""Letters from which a word that says nothing is a name, where something is called so."""


def _says(token: Token, tag: str) -> bool:
    return any(one == tag for one, _ in PHRASES.get((token.plain,), ()))


def atoms_of(text: str, table: AskedTable, calendar: Calendar) -> list[Atom]:
    """The meanings in order, fillers aside."""
    tokens = tokens_of(text)
    cut = Cutter(tokens, table, calendar, text)
    found: list[Atom] = []
    at = 0
    while at < len(tokens):
        last = found[-1] if found else NOTHING
        atom, length = cut.at(at, last)
        at += length
        if atom.tag != "filler":
            found.append(atom)
    return found


class Cutter:
    """Reads one meaning at a time; what a word means may depend on the one before."""

    def __init__(
        self, tokens: Sequence[Token], table: AskedTable, calendar: Calendar, text: str
    ) -> None:
        self.tokens = tokens
        self.table = table
        self.text = text
        self.language = calendar.language
        self.lexicon: Lexicon = lexicon_of(table)
        self.dates = Dates(tokens, calendar)
        self.of_file = any(_says(token, "file") for token in tokens)

    def at(self, at: int, last: Atom) -> tuple[Atom, int]:
        token = self.tokens[at]
        if token.kind == "quoted":
            return self._quoted(token, last), 1
        known = self.lexicon.longest(self.tokens, at)
        period = self.dates.at(at)
        if period is not None:
            length = period[1] - at
            named = known is not None and bool(known[0].values) and known[1] >= length
            if not named and not (last.tag == "compare" and token.kind == "number"):
                return Atom("period", period[0], self._text(at, length)), length
        if token.kind == "sign":
            return self._sign(token), 1
        if token.kind == "comma":
            return Atom("and", ",", token.text), 1
        if token.kind == "ordinal":
            return Atom("place", int("".join(c for c in token.text if c.isdigit())), token.text), 1
        if known is not None:
            atom = self._meaning(known[0], at, known[1], last)
            if atom is not None:
                return atom, known[1]
        if token.kind == "number":
            number = number_in(token.text, self.language)
            if number is not None:
                return Atom("number", number, token.text), 1
        if token.plain in NUMBER_WORDS:
            return Atom("number", NUMBER_WORDS[token.plain], token.text), 1
        if token.text.casefold() == "é":
            return Atom("is", None, token.text), 1
        if token.kind == "date":
            return Atom("unknown", None, token.text), 1
        return self._whole_word(at)

    def _whole_word(self, at: int) -> tuple[Atom, int]:
        """A word nobody knows, with what is written together with it: `L-1024`, `a.b`."""
        end = at + 1
        while end < len(self.tokens) and self.tokens[end].start == self.tokens[end - 1].end:
            end += 1
        start, stop = self.tokens[at].start, self.tokens[end - 1].end
        while end < len(self.tokens) and (
            self.text[stop : self.tokens[end].start] in ("-", ".", "/", "_")
        ):
            stop = self.tokens[end].end
            end += 1
        return Atom("unknown", None, self.text[start:stop]), end - at

    def _text(self, at: int, length: int) -> str:
        return self.text[self.tokens[at].start : self.tokens[at + length - 1].end]

    def _sign(self, token: Token) -> Atom:
        if token.text in ("!=", "<>", "≠"):
            return Atom("not", None, token.text)
        return Atom("compare", SIGNS.get(token.text, token.text), token.text)

    def _quoted(self, token: Token, last: Atom) -> Atom:
        exact = tuple(one for one in self.table.columns if plain(one.name) == token.plain)
        if exact:
            return Atom("col", FULL, token.text, columns=exact)
        inner = tokens_of(token.text)
        known = self.lexicon.longest(inner, 0) if inner else None
        if known is not None and known[1] == len(inner):
            if known[0].values:
                return Atom("value", None, token.text, values=tuple(known[0].values))
            if known[0].columns and last.tag in NAMING:
                return Atom("col", CALLED, token.text, columns=tuple(known[0].columns))
        return Atom("quoted", token.text, token.text)

    def _meaning(self, entry: Entry, at: int, length: int, last: Atom) -> Atom | None:
        text = self._text(at, length)
        column = Atom(
            "col", max(entry.columns.values(), default=0), text, columns=tuple(entry.columns)
        )
        value = Atom("value", None, text, values=tuple(entry.values))
        row = Atom("row", None, text)
        expected = last.tag == "col" and any(of in last.columns for of, _ in entry.values)
        if entry.values and (expected or (last.tag == "compare" and last.value == "=")):
            return value
        if entry.columns and last.tag == "column":
            return column
        if text.casefold() == "é":
            return Atom("is", None, text)
        if self.tokens[at].kind == "number" and length == 1 and not entry.vocabulary:
            return None  # a number is a number, unless a column of text stands before it
        naming = last.tag in NAMING or (last.tag == "operation")
        if entry.vocabulary:
            return self._worded(entry, at, length, last, column, value, naming)
        numeric = [one for one in entry.columns if one.is_number]
        if entry.row and not (numeric and column.value >= CALLED):
            if naming and last.tag in ("by", "which", "operation") and column.value >= CALLED:
                return column
            return row
        if entry.columns and entry.values:
            prefer = naming or last.tag in ("rank", "number", "frequent") or column.value >= CALLED
            return column if prefer else value
        return column if entry.columns else value if entry.values else row

    def _names(self, after: int, last: Atom) -> bool:
        """Whether a word that counts is a name here: `qual a conta com menor saldo?`."""
        follows = self.tokens[after].plain if after < len(self.tokens) else ""
        return last.tag == "which" or (not last.tag and follows in ("com", "with"))

    def _worded(
        self,
        entry: Entry,
        at: int,
        length: int,
        last: Atom,
        column: Atom,
        value: Atom,
        naming: bool,
    ) -> Atom:
        """A word of the vocabulary that may be a name too."""
        tag, said = entry.vocabulary[0]
        text = self._text(at, length)
        if tag == "rows" and self.of_file and last.tag in ("", "count", "sample", "number"):
            return Atom(tag, said, text)  # "quantas linhas tem o ficheiro?", a column Linha or not
        if tag == "count" and column.value == FULL and self._names(at + length, last):
            return column
        accented = text.casefold() != plain(text)
        if accented and any(text.casefold() in one.name.casefold() for one in entry.columns):
            return column  # "das más": without its accent it would say "but"
        if tag == "filler" and (entry.columns or len(text) >= NAME):
            as_named = (
                at > 0 and not text.islower() and any(one.name == text for one in entry.columns)
            )
            if column.value == FULL and (as_named or len(text) >= NAME):
                return column  # of a column De, "soma de total" says nothing, "total por De" does
            if entry.values and len(text) >= NAME:
                return value
        elif entry.columns:
            if (naming and last.tag != "which") or (tag in YIELDING and column.value >= CALLED):
                return column
            if tag in ("soft", "rows") and column.value:
                return column
        # "linha A": a capital inside a sentence is no article.
        as_written = any(name == text for _, name in entry.values) and not text.islower()
        if entry.values and (tag in ("soft", "place", "list") or (as_written and at > 0)):
            return value
        tags = [one for one, _ in entry.vocabulary]
        if "since" in tags or "until" in tags:
            after = at + length
            while after < len(self.tokens) and self.tokens[after].plain in ("o", "a", "as", "the"):
                after += 1
            if after < len(self.tokens) and self.dates.at(after):
                return Atom("since" if "since" in tags else "until", None, text)
        if tag == "which" and "filler" in tags:
            ahead = self.lexicon.longest(self.tokens, at + length)
            heads = ahead is not None and (
                ahead[0].columns or any(one == "unit" for one, _ in ahead[0].vocabulary)
            )
            return Atom("which", None, text) if heads else Atom("filler")
        return Atom(tag, said, text)
