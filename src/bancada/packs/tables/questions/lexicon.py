"""Every word that means something for a table: its columns and values, and the vocabulary.

Words are kept in a tree, singular and plural alike; small words may stand inside a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from bancada.packs.tables.questions.schema import AskedColumn, AskedTable
from bancada.packs.tables.questions.tokens import Token, singulars, words_of
from bancada.packs.tables.questions.vocabulary import PHRASES, SYNONYMS, THINGS, Tag

FULL, CALLED, PART = 3, 2, 1
"""How surely words name a column: its whole name, a word for it, a part of its name."""
NONE: frozenset[str] = frozenset()
PASSING = frozenset(
    ["a", "o", "as", "os", "de", "do", "da", "dos", "das", "em", "no", "na", "of", "the", "in"]
)
"""Small words that may stand in a name and be left out of it."""
MOST_WORDS = 8
"""Words of a value; longer ones are text, and are asked for in quotes."""


@dataclass
class Entry:
    """What a group of words may mean."""

    vocabulary: list[tuple[Tag, str]] = field(default_factory=list)
    columns: dict[AskedColumn, int] = field(default_factory=dict)
    values: dict[tuple[AskedColumn, str], None] = field(default_factory=dict)
    row: bool = False

    def plus(self, other: Entry) -> Entry:
        return Entry(
            [*self.vocabulary, *other.vocabulary],
            {**self.columns, **other.columns},
            {**self.values, **other.values},
            self.row or other.row,
        )


@dataclass(eq=False)
class LexiconNode:
    """A place in the tree."""

    next: dict[str, LexiconNode] = field(default_factory=dict)
    exact: dict[str, LexiconNode] = field(default_factory=dict)
    entry: Entry | None = None


class Lexicon:
    """The words of one table, over the vocabulary of all."""

    def __init__(self, table: AskedTable) -> None:
        self._root = LexiconNode()
        names: dict[tuple[str, ...], dict[AskedColumn, int]] = {}
        for column in table.columns:
            for words, surely in _names(column):
                if words:
                    found = names.setdefault(words, {})
                    found[column] = max(surely, found.get(column, 0))
        for words, columns in names.items():
            best = max(columns.values())
            entry = self._entry(words)
            entry.columns.update({one: sure for one, sure in columns.items() if sure == best})
        for column in table.columns:
            for value in column.shape.values:
                called = table.shape.value_words.get(value, {})
                for said in (value, *(word for each in called.values() for word in each)):
                    words = tuple(words_of(said))
                    if 0 < len(words) <= MOST_WORDS:
                        self._entry(words).values[column, value] = None
        for word in _row_words(table):
            self._entry((word,)).row = True

    def longest(self, tokens: Sequence[Token], at: int) -> tuple[Entry, int] | None:
        """What the words from here on mean, and how many of them; the longest group counts."""
        best: tuple[Entry, int] | None = None
        for root, passing in ((VOCABULARY, NONE), (self._root, PASSING)):
            found = _longest(root, tokens, at, passing)
            if found is None:
                continue
            if best is None or found[1] > best[1]:
                best = found
            elif found[1] == best[1]:
                best = best[0].plus(found[0]), found[1]
        return best

    def _entry(self, words: Sequence[str]) -> Entry:
        return _grown(self._root, words)


def _grown(root: LexiconNode, words: Sequence[str]) -> Entry:
    node = root
    for word in words:
        child = node.exact.get(word)
        if child is None:
            child = node.exact[word] = LexiconNode()
        node = child
    if node.entry is None:
        node.entry = Entry()
    return node.entry


def _longest(
    root: LexiconNode, tokens: Sequence[Token], at: int, passing: frozenset[str]
) -> tuple[Entry, int] | None:
    """The longest group of the tree that stands here; small words inside a name may be `passing`."""
    best: tuple[Entry, int] | None = None
    nodes = [root]
    for length, token in enumerate(tokens[at:], start=1):
        if token.kind in ("sign", "comma", "quoted"):
            break
        forms = [token.plain, *sorted(singulars(token.plain) - {token.plain})]
        further = list(dict.fromkeys(child for node in nodes for child in _children(node, forms)))
        entry = next((node.entry for node in further if node.entry is not None), None)
        if entry is not None:
            best = entry, length
        if token.plain in passing:
            further += [node for node in nodes if node is not root]
        if not further:
            break
        nodes = further
    return best


def _children(node: LexiconNode, forms: Sequence[str]) -> list[LexiconNode]:
    found = [node.exact[form] for form in forms if form in node.exact]
    if found and forms[0] in node.exact:
        return found[:1]
    if not node.next and node.exact:
        for word, child in node.exact.items():
            for form in singulars(word):
                node.next.setdefault(form, child)
    found += [node.next[form] for form in forms if form in node.next]
    return list(dict.fromkeys(found))


def _names(column: AskedColumn) -> Iterable[tuple[tuple[str, ...], int]]:
    """The word groups that may mean a column, and how surely."""
    yield tuple(words_of(column.name)), FULL
    yield column.words, FULL
    for each in column.shape.words.values():
        for said in each:
            yield tuple(words_of(said)), CALLED
    if column.counted is not None:
        for word in next((group for group in THINGS if column.counted in group), [column.counted]):
            yield (word,), CALLED
    for word in column.words:
        if len(column.words) > 1:
            yield (word,), PART
        for form in singulars(word):
            for other in SYNONYMS.get(form, ()):
                yield (other,), CALLED if len(column.words) == 1 else PART
    if len(column.words) > 2:
        for at in range(len(column.words) - 1):
            yield column.words[at : at + 2], PART
    translated = tuple(next(iter(SYNONYMS.get(word, ())), word) for word in column.words)
    if translated != column.words:
        yield translated, CALLED


def _row_words(table: AskedTable) -> Iterable[str]:
    """What its rows are called: as declared, as the file is called, or as a column lets know."""
    for one, several in table.shape.row.values():
        yield from (one, several)
    known = {form for word in table.stem for form in singulars(word)}
    # Where a column says how many of a thing a row has, a row is not one of them.
    naming = [column for column in table.columns if column.counted is None]
    known |= {form for column in naming for word in column.words for form in singulars(word)}
    if len(table.stem) == 1 and table.file:
        yield table.stem[0]
    for group in THINGS:
        if known.intersection(form for word in group for form in singulars(word)):
            yield from group


VOCABULARY = LexiconNode()
for _words, _meanings in PHRASES.items():
    _grown(VOCABULARY, _words).vocabulary.extend(_meanings)

_LEXICONS: WeakKeyDictionary[AskedTable, Lexicon] = WeakKeyDictionary()


def lexicon_of(table: AskedTable) -> Lexicon:
    """Made once a table: it may have thousands of values."""
    found = _LEXICONS.get(table)
    if found is None:
        found = _LEXICONS[table] = Lexicon(table)
    return found
