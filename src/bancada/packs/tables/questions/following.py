"""Which table a question is about, and what it takes over from the question before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bancada import Sentence, plain
from bancada.packs.tables.questions.dates import Calendar
from bancada.packs.tables.questions.question import (
    ROWS,
    Condition,
    Measure,
    Operation,
    Rank,
    TableQuestion,
    Trouble,
)
from bancada.packs.tables.questions.reading import read_words
from bancada.packs.tables.questions.said import SaidQuestion, asked
from bancada.packs.tables.questions.schema import AskedTable, latest, table_of
from bancada.packs.tables.questions.tokens import words_of

MOST_CHARS = 1_000
"""A longer text is no question about a table."""
MOST_TABLES = 8
"""Tables that one question is tried on."""
MOST_BEFORE = 6
"""Questions before this one that are read for what it leans on."""
NAMED_BY = frozenset(("ficheiro", "file", "tabela", "table", "folha", "sheet"))


@dataclass(frozen=True, eq=False)
class ReadQuestion:
    """A question as it was read."""

    question: TableQuestion
    said: SaidQuestion
    follows: bool = False
    shared: bool = False
    """A pack's own table could answer it as well."""


def read(sentence: Sentence) -> ReadQuestion | None:
    """The question that a sentence asks of some table; none where it asks nothing of any."""
    return _read(sentence, MOST_BEFORE)


@lru_cache(maxsize=256)
def _read(sentence: Sentence, before: int) -> ReadQuestion | None:
    tables = [table_of(shape) for shape in sentence.tables]
    if not tables or len(sentence.text) > MOST_CHARS:
        return None
    previous = None
    leans = any(_leans(_said(sentence, table)) for table in tables)
    if before and leans and sentence.before is not None:
        earlier = replace(sentence.before, tables=sentence.tables)
        previous = _read(earlier, before - 1)
    if previous is not None and previous.question.trouble is None:
        followed = _followed(previous.question, _said(sentence, previous.question.table))
        if followed is not None:
            return followed
    tried = [_said(sentence, table) for table in _candidates(sentence, tables)[:MOST_TABLES]]
    whole = [
        ReadQuestion(asked(said), said)
        for said in tried
        if said.asks or said.unknown or said.trouble
    ]
    with_files = any(table.file for table in tables)
    good = [
        one
        for one in whole
        if one.question.trouble is None
        # Plain rows are those of a file, where there is one.
        and (one.said.touches or one.question.table.file or not with_files)
    ]
    if good:
        best = max(good, key=lambda one: one.said.touches)
        packs = any(one.said.touches and not one.question.table.file for one in good)
        return replace(best, shared=packs)
    touching = [
        one
        for one in whole
        if one.said.touches or one.said.asks or (one.said.operations and one.question.table.file)
    ]
    return min(touching, key=lambda one: len(one.said.unknown), default=None)


@lru_cache(maxsize=256)
def _said(sentence: Sentence, table: AskedTable) -> SaidQuestion:
    calendar = Calendar(sentence.today, sentence.language, table.first, table.last)
    return read_words(sentence.text, table, calendar)


def _candidates(sentence: Sentence, tables: Sequence[AskedTable]) -> list[AskedTable]:
    """The tables in the order they are likely to be meant; only the named one where one is."""
    files = [table for table in tables if table.file]
    named = [table for table in reversed(tables) if _is_named(sentence, table)]
    if named:
        return latest([table for table in files if table.file == named[0].file]) or named[:1]
    newest = latest(files)
    packs = [table for table in tables if not table.file]
    older = [table for table in reversed(files) if table not in newest]
    return [*newest, *packs, *older]


def _is_named(sentence: Sentence, table: AskedTable) -> bool:
    if table.file and plain(table.file) in plain(sentence.text):
        return True
    words = words_of(sentence.text)
    stem = list(table.stem)
    return any(
        words[at] in NAMED_BY and words[at + 1 : at + 1 + len(stem)] == stem
        for at in range(len(words))
    )


# ---------------------------------------------------------------------- follow-ups


def _followed(question: TableQuestion, said: SaidQuestion) -> ReadQuestion | None:
    """The question before with what this one changes; none where it is a question of its own."""
    merged = merge(question, said) if _leans(said) else None
    return None if merged is None else ReadQuestion(merged, said, follows=True)


def _leans(said: SaidQuestion) -> bool:
    """Whether what was said could change the question before; where not, none is read for it."""
    if said.unknown or said.trouble is not None or said.kind != "figures":
        return False
    own = bool(said.counts or said.part or said.having) or (
        bool(said.measures) and said.measures != [ROWS]
    )
    if own and not (said.goes_on and not _names_rows(said)):
        return False
    changes = (
        said.groups or said.conditions or said.form or said.operations or said.superlative
        or said.rank or said.versus or said.shares or own
    )  # fmt: skip
    return bool(changes) and not (said.rank and said.groups and not said.goes_on)


def _names_rows(said: SaidQuestion) -> bool:
    return any(atom.tag in ("row", "rows") for atom in said.atoms)


def merge(question: TableQuestion, said: SaidQuestion) -> TableQuestion | None:
    """What was asked, but for what was said anew."""
    measures = question.measures
    if said.measures and said.measures != [ROWS]:
        measures = tuple(said.measures)
    elif said.operations:
        columns = [one.column for one in measures if one.column is not None]
        measures = tuple(
            Measure(operation, column)
            for operation in _known(said.operations)
            for column in columns
        )
        if not measures:
            numbers = tuple(one for one in question.table.columns if one.is_number)
            return replace(question, trouble=Trouble("needs_number", (), numbers))
    rank = said.rank if said.groups else question.rank
    if said.rank is not None and not said.groups and question.groups:
        limit = question.rank.limit if question.rank else None
        rank = replace(said.rank, limit=said.rank.limit or limit)
    if said.superlative is not None:
        if question.rank is not None:
            rank = replace(question.rank, order=said.superlative)
        elif len(measures) == 1 and measures[0].operation in ("min", "max"):
            flipped: Operation = "max" if said.superlative == "most" else "min"
            measures = (replace(measures[0], operation=flipped),)
        elif question.groups:
            rank = Rank(said.superlative)
        else:
            return None
    part, conditions = question.part, question.conditions
    for condition in said.conditions:
        if any(one.column is condition.column for one in part):
            part = (condition,)
        else:
            conditions = (*_without(conditions, condition), condition)
    versus = tuple(said.versus) or question.versus
    if any(one.sign in ("period", "months") for one in said.conditions):
        versus = ()
    if said.versus:
        conditions = tuple(one for one in conditions if one.sign not in ("period", "months"))
    return replace(
        question,
        measures=measures,
        groups=tuple(said.groups) or question.groups,
        rank=rank,
        conditions=conditions,
        part=part,
        versus=versus,
        shares=said.shares or (question.shares and not said.groups) or bool(said.running),
        running=said.running or question.running,
        form=said.form,
    )


def _known(operations: Iterable[Operation]) -> list[Operation]:
    return list(dict.fromkeys(operations))


def _without(conditions: Sequence[Condition], new: Condition) -> list[Condition]:
    """What stays beside a new condition: those on other columns, or of another kind of time."""
    days = new.sign == "weekdays"
    return [
        one
        for one in conditions
        if one.column is not new.column or (one.sign == "weekdays") != days
    ]
