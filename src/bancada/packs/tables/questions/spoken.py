"""Words of a question that nobody knows: values, perhaps, and the columns named beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada import Language
from bancada.packs.tables.questions.marks import Mark
from bancada.packs.tables.questions.question import Spoken, Trouble
from bancada.packs.tables.questions.tables import Column
from bancada.packs.tables.questions.tokens import number_in, same_words, words_of
from bancada.packs.tables.questions.vocabulary import NUMBER_WORDS

MOST_WANTED = 100
"""The largest number that may say how many are wanted, and not be a value."""
_RANKING = frozenset(("rank", "superlative", "frequent", "sample"))


@dataclass
class Unknown:
    """Takes unknown words out of a question's marks; what is left says the rest."""

    language: Language
    left: list[Mark]
    trouble: Trouble | None = None

    def read(self) -> list[Spoken]:
        """Runs of words nobody knows: they may be values. Their marks are taken out."""
        found: list[Spoken] = []
        at = 0
        while at < len(self.left):
            if not self._unknown(at):
                at += 1
                continue
            end, last = at + 1, at
            while end < len(self.left) and (self._unknown(end) or self.left[end].tag == "filler"):
                last = end if self._unknown(end) else last
                end += 1
            run = self.left[at : last + 1]
            column, first, after = self._named_beside(at, last + 1)
            negation = self._negation(first)
            between = any(mark.tag == "not" for mark in self.left[first:at])
            found.append(_spoken(run, column, negated=between or negation is not None))
            del self.left[first:after]
            if negation is not None:
                del self.left[negation]
            at = 0
        unused = [mark.text for mark in self.left if mark.tag in ("not", "compare")]
        if unused and self.trouble is None:
            self.trouble = Trouble("unknown", unused[0])
        return found

    def _unknown(self, at: int) -> bool:
        mark = self.left[at]
        if mark.tag == "number":
            # A small number may say how many are wanted.
            ranked = any(one.tag in _RANKING for one in self.left)
            number = number_in(mark.text, self.language)
            wanted = isinstance(number, int) and 0 < number <= MOST_WANTED
            return not (ranked and wanted)
        if mark.tag == "word" and mark.value in NUMBER_WORDS:
            return not any(one.tag in _RANKING for one in self.left)
        return mark.tag in ("word", "quoted", "date", "sign", "month") and mark.value != "="

    def _named_beside(self, start: int, end: int) -> tuple[Column | None, int, int]:
        """The column a value is given for, and the marks that both take."""
        before = start - 1
        while before >= 0 and (
            self.left[before].tag in ("filler", "sign", "not")
            or (self.left[before].tag, self.left[before].value) == ("compare", "=")
        ):
            before -= 1
        if before >= 0 and self._singular(before):
            return self.left[before].columns[0], before, end
        if self.language == "en" and end < len(self.left) and self._singular(end):
            return self.left[end].columns[0], start, end + 1
        return None, start, end

    def _singular(self, at: int) -> bool:
        """A name that can have a value beside it: of text, said as it is written, not after `por`."""
        mark = self.left[at]
        if mark.tag != "name" or len(mark.columns) != 1 or mark.columns[0].family != "text":
            return False
        before = next((one for one in reversed(self.left[:at]) if one.tag != "filler"), None)
        if before is not None and before.tag in ("by", "which"):
            return False
        said, own = words_of(mark.text), words_of(mark.columns[0].name)
        plural = same_words(said, own) and said != own and len(" ".join(said)) > len(" ".join(own))
        return not plural

    def _negation(self, first: int) -> int | None:
        """Where the word is that turns a value into its opposite."""
        before = first - 1
        while before >= 0 and self.left[before].tag in ("filler", "only", "go_on"):
            before -= 1
        return before if before >= 0 and self.left[before].tag == "not" else None


def _spoken(run: Sequence[Mark], column: Column | None, *, negated: bool) -> Spoken:
    parts = [mark.value if mark.tag == "quoted" else mark.text for mark in run]
    text = ""
    spans: list[tuple[int, int]] = []
    for mark, part in zip(run, parts, strict=True):
        text += " " if text else ""
        if mark.tag != "filler":
            spans.append((len(text), len(text) + len(part)))
        text += part
    return Spoken(tuple(spans), text, column, negated)
