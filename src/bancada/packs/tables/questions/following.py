"""From words to a whole question: a follow-up takes from the one before what it leaves out.

All of it is read from the record: the questions, the tables listed beside them, and which of
them were answered by a query.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import get_args

from bancada import Sentence
from bancada.packs.tables.questions.question import (
    ROWS,
    Condition,
    Measure,
    Operation,
    Question,
    Rank,
    Sign,
    Trouble,
)
from bancada.packs.tables.questions.reading import Reader, Said
from bancada.packs.tables.questions.tables import Column, Table, latest, tables_in
from bancada.packs.tables.questions.tokens import same_words, tokens_of, words_of

QUERY = "consultar_dados"
MOST_CHARS = 1_000
"""Characters of a question; what is longer is a pasted page, and asks nothing of a table."""


@dataclass(frozen=True, kw_only=True)
class Read:
    """A sentence as it was understood."""

    said: Said
    question: Question | None
    follows: Question | None
    """The question it leans on."""


@lru_cache(maxsize=256)
def read(sentence: Sentence) -> Read | None:
    """What a sentence asks of the conversation's tables; none where there are none.

    Kept, since a reply asks several times and each time for all the questions before, too.
    """
    tables = tables_in(sentence.data)
    if not tables:
        return None
    before = _before(sentence)
    named = _named(sentence.text, tables)
    choice = [named] if named else latest(tables)
    if before is not None and named is None:
        leaning = Reader(sentence.text, before.table, sentence.language).read()
        if _leans(leaning, before):
            merged = _placed(_merged(leaning, before), tables)
            return Read(said=leaning, question=merged, follows=before)
    readings = [Reader(sentence.text, table, sentence.language).read() for table in choice]
    # Of a workbook's sheets, the first that knows every name.
    said = next((one for one in readings if not one.trouble and not one.spoken), readings[0])
    said = replace(said, names_file=said.names_file or named is not None)
    question = _whole(said)
    return Read(said=said, question=_placed(question, tables), follows=None)


def _before(sentence: Sentence) -> Question | None:
    """The last question that was answered from a table, if the one before this was."""
    before = sentence.before
    if before is None or QUERY not in before.tools or len(before.text) > MOST_CHARS:
        return None
    found = read(before)
    if found is None:
        return None
    answered = found.question is not None and found.question.trouble is None
    return found.question if answered else found.follows


def _named(text: str, tables: Sequence[Table]) -> Table | None:
    """The table that is named, by its own name or its file's; the later of two."""
    said = [token.plain for token in tokens_of(text) if token.kind != "quoted"]
    said += [
        word for token in tokens_of(text) if token.kind == "quoted" for word in words_of(token.text)
    ]
    several = len({table.name for table in tables}) > 1
    best: Table | None = None
    for table in tables:
        for words in (words_of(table.name), list(table.stem)):
            spans = range(len(said) - len(words) + 1)
            here = any(same_words(said[at : at + len(words)], words) for at in spans)
            if words and several and here and (best is None or len(words) >= len(best.stem)):
                best = table
    return best


def _leans(said: Said, before: Question) -> bool:
    """Whether a sentence says less than a question of its own."""
    something = (
        said.groups
        or said.form
        or said.conditions
        or said.spoken
        or said.rank
        or said.operations
        or said.shares
    )
    if not (something or said.measures) or said.kind is not None:
        return False
    if before.kind != "figures":
        return said.form is not None and not said.measures_something and not said.groups
    if said.goes_on:
        return True
    if said.measures_something or said.tags & {"file"}:
        return False
    parts = (said.groups, said.conditions or said.spoken, said.rank, said.operations)
    if sum(map(bool, parts)) > 1:
        return False
    # Words that nobody knows are a value only where they are all there is, or `só` says so.
    return not said.spoken or bool(said.tags & {"only", "quoted"}) or len(said.tags) <= 3


def _merged(said: Said, before: Question) -> Question:
    measures, rank, trouble = before.measures, said.rank or before.rank, said.trouble
    turned = said.operations in (("min",), ("max",)) and "superlative" in said.tags
    if turned and before.groups and not said.measures:
        limit = before.rank.limit if before.rank else None
        rank = Rank("least" if said.operations == ("min",) else "most", limit)
    elif said.measures:
        measures = said.measures
    elif said.counts:
        measures = (ROWS,)
    elif said.operations:
        columns = list(dict.fromkeys(one.column for one in measures if one.column is not None))
        numbers = [one for one in columns if one.is_number]
        measures, needs = _applied(said.operations, before.table, numbers)
        trouble = trouble or needs
    old = tuple(replace(one, old=True) for one in before.spoken)
    return replace(
        before,
        measures=measures,
        groups=said.groups or before.groups,
        conditions=_newest(said.conditions, before.conditions),
        spoken=(*said.spoken, *old),
        rank=rank,
        form=said.form or before.form,
        loosely=False,
        shares=bool(said.shares) or before.shares,
        running=said.running or before.running,
        trouble=trouble,
    )


def _newest(new: tuple[Condition, ...], old: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """New conditions replace old ones on the same column; "e em março?" keeps the year."""
    taken = {(one.column, other) for one in new for other in _REPLACED.get(one.sign, _ALL)}
    return (*(one for one in old if (one.column, one.sign) not in taken), *new)


_ALL: frozenset[str] = frozenset(get_args(Sign))
_REPLACED = {"month": _ALL - {"year"}, "year": _ALL - {"month"}}


def _whole(said: Said) -> Question | None:
    """The question a sentence asks by itself; none where it asks nothing of a table."""
    question = Question(
        table=said.table,
        kind=said.kind or "figures",
        measures=said.measures,
        groups=said.groups,
        conditions=said.conditions,
        spoken=said.spoken,
        rank=said.rank,
        form=said.form,
        rows=said.rows,
        loosely=said.loosely,
        shares=bool(said.shares),
        running=said.running,
        trouble=said.trouble,
    )
    if said.kind is not None:
        return question
    if said.shares and not said.groups:
        return replace(question, trouble=Trouble("unknown", said.shares))
    highest = "superlative" in said.tags and said.rank is not None and not said.rank.of_values
    if highest and not (said.measures or said.operations or "count" in said.tags):
        # "a maior venda de cada cliente": the largest of which column?
        numbers = tuple(one for one in said.table.numbers if not one.is_code)
        return replace(question, trouble=Trouble("needs_number", columns=numbers))
    if said.trouble is not None:
        return question if said.measures_something or said.tags & _ASKING else None
    if said.operations:
        measures, trouble = _applied(said.operations, said.table, [])
        return replace(question, measures=measures, trouble=trouble)
    if said.measures:
        return question
    if said.tags & {"frequent", "list"} and not said.groups and not said.counts:
        return (
            replace(question, trouble=Trouble("needs_column")) if "frequent" in said.tags else None
        )
    if said.counts or said.groups:
        unsaid = said.rank is not None and not said.counts
        return replace(question, measures=(ROWS,), loosely=said.loosely or unsaid)
    return None


_ASKING = frozenset(
    ("operation", "count", "much", "rank", "superlative", "frequent", "form", "unit", "by", "rows")
)


def _applied(
    operations: tuple[Operation, ...], table: Table, numbers: list[Column]
) -> tuple[tuple[Measure, ...], Trouble | None]:
    """Operations said without a column: on the one that can be meant, if there is only one."""
    whole = "sum" in operations
    fit = numbers or [one for one in table.numbers if (one.adds_up if whole else not one.is_code)]
    if len(fit) == 1 or (numbers and fit):
        return tuple(Measure(one, column) for column in fit for one in operations), None
    return (), Trouble(
        "needs_number", columns=tuple(one for one in table.numbers if not one.is_code)
    )


def _placed(question: Question | None, tables: Sequence[Table]) -> Question | None:
    """The question; a name that only another file knows is told so."""
    if question is None or question.trouble is None or question.trouble.kind != "unknown":
        return question
    return replace(question, trouble=elsewhere(question.trouble, question.table, tables))


def elsewhere(trouble: Trouble, table: Table, tables: Sequence[Table]) -> Trouble:
    """The same trouble, and the other file that has a column of that name."""
    words = words_of(trouble.words)
    for other in reversed(tables):
        if other.name != table.name and any(
            same_words(words, column.words) for column in other.columns
        ):
            return replace(trouble, elsewhere=other.file)
    return trouble
