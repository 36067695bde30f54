"""What came back from the data, told."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from bancada import JSON, JSONObject, Language
from bancada.packs.tables.questions.question import Measure, TableQuestion
from bancada.packs.tables.questions.sql import MOST_COLUMNS
from bancada.packs.tables.questions.wording import (
    EMPTY,
    article,
    as_number,
    condition_told,
    figure,
    group_label,
    heading,
    label,
    listed,
    share,
    value_label,
    where,
)

MOST_LINES = 15
"""Groups that are written out; a chart or a table shows more."""

Row = Sequence[JSON]

_RUNNING: dict[Language, str] = {
    "pt": "Entre parênteses, a parte de cada um e a acumulada.",
    "en": "In brackets, each one's share and the running share.",
}


def figures_told(question: TableQuestion, found: JSONObject, language: Language) -> str:
    rows: list[Row] = found["rows"]
    if question.versus:
        return _set_against(question, rows, language)
    if question.part:
        return _parts(question, rows, language)
    if not question.groups:
        return _single(question, rows[0], language)
    if not rows and question.rank is not None and question.rank.place > 1:
        place = question.rank.place
        return f"Não há {place}.º lugar." if language == "pt" else f"There is no place {place}."
    if not rows:
        return _none(question, language)
    if question.rank is not None and question.rank.limit is None:
        return _first(question, rows, language)
    return _lines(question, rows, found, language)


def empty_told(question: TableQuestion, rows: Sequence[Row], language: Language) -> str:
    asked = [one.column for one in question.measures if one.column is not None]
    columns = asked or list(question.table.columns)
    counts = {int(str(at)): int(str(count)) for at, count in rows}
    total, pt = counts.pop(0), language == "pt"
    holes = [(columns[at - 1].name, count) for at, count in counts.items() if count]
    holes.sort(key=lambda hole: -hole[1])
    whole = sum(count for _, count in holes)
    among = f"{figure(total, language)} {question.table.noun(language, total)}"
    here = _here(question, language)
    if len(columns) > MOST_COLUMNS:
        here += (
            f" nas primeiras {MOST_COLUMNS} colunas"
            if pt
            else f" in its first {MOST_COLUMNS} columns"
        )
    several = "s" * (whole != 1)
    cells = figure(whole, language)
    cells += f" célula{several} vazia{several}" if pt else f" empty cell{several}"
    if len(asked) == 1:
        name, of = asked[0].name, question.table.title + where(question, language)
        if pt:
            return f"A coluna {name} tem {cells} em {among} de {of}."
        return f"The column {name} has {cells} in {among} of {of}."
    if not holes:
        nothing = "Não há células vazias" if pt else "There are no empty cells"
        return f"{nothing}{here} ({among})."
    told = [f"{name} {figure(count, language)}" for name, count in holes[:MOST_LINES]]
    if len(holes) > MOST_LINES:
        told.append(f"mais {len(holes) - MOST_LINES}" if pt else f"{len(holes) - MOST_LINES} more")
    return f"{_there_is(whole, language)} {cells}{here}: {listed(told, language)}."


def sample_told(question: TableQuestion, rows: Sequence[Row], language: Language) -> str:
    count, of = len(rows), question.table.title + where(question, language)
    if not count:
        return _none(question, language)
    noun, pt = question.table.noun(language, count), language == "pt"
    if count == 1:
        return f"{'Uma' if pt else 'One'} {noun} {'de' if pt else 'of'} {of}."
    first = "As primeiras" if noun.endswith("as") else "Os primeiros"
    return f"{first} {count} {noun} de {of}." if pt else f"The first {count} {noun} of {of}."


# ---------------------------------------------------------------------- figures

ONE_VALUE: dict[Language, tuple[str, str]] = {
    "pt": ("valores diferentes", "valor"),
    "en": ("different values", "value"),
}


def _here(question: TableQuestion, language: Language) -> str:
    """Where the rows are from, and what they were limited to."""
    return question.table.place(language) + where(question, language)


def _there_is(count: JSON, language: Language) -> str:
    return "Há" if language == "pt" else "There is" if count == 1 else "There are"


def _single(question: TableQuestion, row: Row, language: Language) -> str:
    """Measures of all rows. After them come the filled cells of each column, then the rows."""
    measures, pt = question.measures, language == "pt"
    total = int(str(row[-1]))
    if not total and question.conditions:
        return _none(question, language)
    columns = list(dict.fromkeys(one.column for one in measures if one.column is not None))
    filled = dict(zip(columns, row[len(measures) : -1], strict=True))
    if len(measures) == 1 and measures[0].column is None:
        return _rows_told(total, question, language)
    if len(measures) == 1:
        said = _one(measures[0], row[0], question, language)
    else:
        parts = [
            f"{label(one, question.table, language)} {figure(value, language)}"
            for one, value in zip(measures, row, strict=False)
        ]
        of = question.table.title + where(question, language)
        said = f"{'Em' if pt else 'In'} {of}: {listed(parts, language)}."
    for column, count in filled.items():
        missing = total - int(str(count))
        if missing and any(one.operation != "distinct" for one in measures if one.column is column):
            empty, name = figure(missing, language), column.label(language)
            several = missing != 1
            said += (
                f" {empty} célula{'s' * several} vazia{'s' * several} de {name} não conta{'m' * several}."
                if pt
                else f" {empty} empty cell{'s' * several} of {name} {'do' if several else 'does'} not count."
            )
    return said


def _one(measure: Measure, value: JSON, question: TableQuestion, language: Language) -> str:
    written, name = figure(value, language), label(measure, question.table, language)
    here = _here(question, language)
    if measure.operation == "distinct":
        if value == 1:
            name = name.replace(*ONE_VALUE[language], 1)
        return f"{_there_is(value, language)} {written} {name}{here}."
    if language == "pt":
        return f"{article(measure).upper()} {name}{here} é {written}."
    return f"The {name}{here} is {written}."


def _rows_told(total: int, question: TableQuestion, language: Language) -> str:
    table, limited = question.table, where(question, language)
    count = f"{figure(total, language)} {table.noun(language, total)}"
    if limited or not table.place(language):
        said = f"{_there_is(total, language)} {count}{_here(question, language)}."
    else:
        said = f"{table.title} {'tem' if language == 'pt' else 'has'} {count}."
    return said + _hint(question, language)


def _hint(question: TableQuestion, language: Language) -> str:
    """Rows were counted; a sum can be had by naming its column."""
    numbers = [one.label(language) for one in question.table.columns if one.adds_up][:3]
    if not question.loosely or not numbers:
        return ""
    named = [f"«soma de {name}»" if language == "pt" else f"“sum of {name}”" for name in numbers]
    if language == "pt":
        return f" Contei linhas; para somar diga a coluna, por exemplo {' ou '.join(named)}."
    return f" I counted rows; for a total name the column, for example {' or '.join(named)}."


def _none(question: TableQuestion, language: Language) -> str:
    """Nothing fits; where a period was asked for, between which days there is anything."""
    table, pt = question.table, language == "pt"
    here = f"{table.noun(language)}{_here(question, language)}"
    said = f"Não há {here}." if pt else f"There are no {here}."
    if table.first and table.last and any(one.sign == "period" for one in question.conditions):
        said += (
            f" As datas vão de {table.first} a {table.last}."
            if pt
            else f" Its dates run from {table.first} to {table.last}."
        )
    return said


def _first(question: TableQuestion, rows: Sequence[Row], language: Language) -> str:
    """The one that was asked for, those that share its place, and who comes next."""
    assert question.rank is not None
    measure, pt, at = question.measures[0], language == "pt", len(question.groups)
    place = question.rank.place
    if question.rank.of_values:
        at = 0
    tied = [row for row in rows if str(row[at]) == str(rows[0][at])]
    rest = [row for row in rows if row not in tied][: 0 if len(tied) > 2 else 2]
    told = [_name(row, question, language) for row in tied[:MOST_LINES]]
    if len(tied) > MOST_LINES:
        more = figure(len(tied) - MOST_LINES, language)
        told.append(f"mais {more}" if pt else f"{more} more")
    names = listed(told, language)
    if question.rank.of_values:
        title = heading(question, language)
        nth = f"{place}.º: " if pt else f"no. {place}: "
        return f"{title}{_here(question, language)}, {nth}{names}."
    what = _superlative(measure, question, language)
    several = len(tied) > 1
    has = ("têm" if several else "tem") if pt else ("have" if several else "has")
    each = (" cada" if pt else " each") if several else ""
    if place > 1:
        nth = (
            f"{'estão' if several else 'está'} em {place}.º lugar por"
            if pt
            else f"{'are' if several else 'is'} number {place} by"
        )
        said = f"{names} {nth} {label(measure, question.table, language)}: {figure(tied[0][at], language)}{each}"
    else:
        said = f"{names} {has} {what}: {figure(tied[0][at], language)}{each}"
    by = listed([group_label(group, language) for group in question.groups], language)
    here = f"{question.table.place(language)}{where(question, language)}"
    said += f" ({'por' if pt else 'by'} {by}{',' if here else ''}{here})."
    if rest:
        next_ones = [
            f"{_name(row, question, language)} ({figure(row[at], language)})" for row in rest
        ]
        opening = "Segue-se" if len(rest) == 1 else "Seguem-se"
        said += (
            f" {opening} {listed(next_ones, language)}."
            if pt
            else f" Next: {listed(next_ones, language)}."
        )
    return said + _hint(question, language)


def _superlative(measure: Measure, question: TableQuestion, language: Language) -> str:
    least = question.rank is not None and question.rank.order == "least"
    pt, name = language == "pt", label(measure, question.table, language)
    if measure.column is None or measure.operation == "distinct":
        more = ("menos" if least else "mais") if pt else ("fewest" if least else "most")
        return f"{more} {name}"
    if pt:
        return f"{article(measure)} {'menor' if least else 'maior'} {name}"
    return f"the {'lowest' if least else 'highest'} {name}"


def _lines(
    question: TableQuestion, rows: Sequence[Row], found: JSONObject, language: Language
) -> str:
    """A line a group; what is not written out is counted."""
    pt = language == "pt"
    ranked = question.rank is not None
    shown = rows if ranked and len(rows) <= 50 else rows[:MOST_LINES]
    lines = [
        f"{f'{number}.' if ranked else '-'} {_line(row, question, language)}"
        for number, row in enumerate(_with_running(question, shown), start=1)
    ]
    total = found.get("total_rows")
    groups = total if isinstance(total, int) else len(rows)
    if groups > len(shown):
        more = figure(groups - len(shown), language)
        lines.append(f"- … e mais {more}" if pt else f"- … and {more} more")
    opening = f"{heading(question, language)}{_here(question, language)}:"
    parts = ["\n".join([opening, "", *lines])]
    if question.running:
        parts.append(_RUNNING[language])
    if whole := _total(question, rows, groups, language):
        parts.append(whole)
    if hint := _hint(question, language).strip():
        parts.append(hint)
    return "\n\n".join(parts)


def _total(question: TableQuestion, rows: Sequence[Row], groups: int, language: Language) -> str:
    """The sum of all groups, where they are all here and can be added."""
    additive = len(question.measures) == 1 and question.measures[0].operation in ("count", "sum")
    if not additive or question.rank is not None or groups > len(rows) or len(rows) < 2:
        return ""
    values = [as_number(row[len(question.groups)]) for row in rows]
    known = [value for value in values if value is not None]
    whole: int | float = (
        sum(known) if all(isinstance(one, int) for one in known) else math.fsum(known)
    )
    return f"Total: {figure(whole, language)}."


def _line(row: Row, question: TableQuestion, language: Language) -> str:
    at = len(question.groups)
    values = [
        figure(value, language) for _, value in zip(question.measures, row[at:], strict=False)
    ]
    if len(values) > 1:
        values = [
            f"{label(measure, question.table, language)} {value}"
            for measure, value in zip(question.measures, values, strict=True)
        ]
    if question.rank is not None and question.rank.of_values:
        again = as_number(row[at])
        return _name(row, question, language) + (f" (×{again})" if again != 1 else "")
    part = row[at + len(question.measures) :]
    said = f" ({', '.join(share(one, language) for one in part)})" if part else ""
    return f"{_name(row, question, language)}: {'; '.join(values)}{said}"


def _with_running(question: TableQuestion, rows: Sequence[Row]) -> Sequence[Row]:
    """Rows with the sum of their shares so far, where that is wanted: what a Pareto is read by."""
    width = len(question.groups) + len(question.measures)
    if not question.running or any(len(row) <= width for row in rows):
        return rows
    parts = [as_number(row[width]) or 0 for row in rows]
    return [[*row, so_far] for row, so_far in zip(rows, accumulate(parts), strict=True)]


# ---------------------------------------------------------------------- parts and periods


def _parts(question: TableQuestion, rows: Sequence[Row], language: Language) -> str:
    """What part some rows are of all: the share, and both counts behind it."""
    what = listed(
        [condition_told(one, question.table, language) for one in question.part], language
    )
    at, pt = len(question.groups), language == "pt"
    unit = label(question.measures[0], question.table, language)
    if not question.groups:
        some, whole = rows[0][at], rows[0][at + 1]
        if not as_number(whole):
            return _none(question, language)
        return (
            f"{_share(some, whole, language)}: {figure(some, language)} {'de' if pt else 'of'} "
            f"{figure(whole, language)} ({unit}{_here(question, language)}), {'com' if pt else 'with'} {what}."
        )
    opening = f"{'Parte com' if pt else 'Share with'} {what}, {unit}{_here(question, language)}:"
    lines = [
        f"- {_name(row, question, language)}: {_share(row[at], row[at + 1], language)} "
        f"({figure(row[at], language)} {'de' if pt else 'of'} {figure(row[at + 1], language)})"
        for row in rows[:MOST_LINES]
    ]
    if len(rows) > MOST_LINES:
        rest = len(rows) - MOST_LINES
        lines.append(f"- … e mais {rest}" if pt else f"- … and {rest} more")
    return "\n".join([opening, "", *lines])


def _share(some: JSON, whole: JSON, language: Language) -> str:
    part, all = as_number(some) or 0, as_number(whole)
    return share(100 * part / all if all else None, language)


def _set_against(question: TableQuestion, rows: Sequence[Row], language: Language) -> str:
    """Two periods, the difference, and how much that is of the first."""
    names = [condition_told(one, question.table, language) for one in question.versus]
    at = len(question.groups)
    opening = f"{heading(question, language)}{_here(question, language)}"
    lines = [
        (f"- {_name(row, question, language)}: " if at else "")
        + _difference(row[at], row[at + 1], names, language, brief=bool(at))
        for row in rows[:MOST_LINES]
    ]
    if not at:
        return f"{opening}: {lines[0]}."
    against = f" ({names[0]} → {names[1]})"
    if len(rows) > MOST_LINES:
        rest = len(rows) - MOST_LINES
        lines.append(f"- … e mais {rest}" if language == "pt" else f"- … and {rest} more")
    return "\n".join([f"{opening}{against}:", "", *lines])


def _difference(
    first: JSON, second: JSON, names: Sequence[str], language: Language, *, brief: bool
) -> str:
    one, other = as_number(first), as_number(second)
    said = [figure(first, language), figure(second, language)]
    if not brief:
        said = [f"{name}: {value}" for name, value in zip(names, said, strict=True)]
    text = (" → " if brief else "; ").join(said)
    if one is None or other is None:
        return text
    gap = other - one
    signed = f"{'+' if gap > 0 else ''}{figure(gap, language)}"
    change = f", {'+' if gap > 0 else ''}{share(100 * gap / one, language)}" if one else ""
    word = "" if brief else ("diferença " if language == "pt" else "difference ")
    return f"{text} ({word}{signed}{change})"


def _name(row: Row, question: TableQuestion, language: Language) -> str:
    names = [
        EMPTY[language]
        if value is None
        else question.table.value_label(value_label(value, group, language), language)
        for value, group in zip(row, question.groups, strict=False)
    ]
    return " · ".join(names)
