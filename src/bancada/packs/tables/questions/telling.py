"""What came back from the data, told."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from bancada import JSON, JSONObject, Language
from bancada.packs.tables.questions.common import listed
from bancada.packs.tables.questions.question import Measure, Question
from bancada.packs.tables.questions.sql import MOST_COLUMNS
from bancada.packs.tables.questions.wording import (
    EMPTY,
    article,
    as_number,
    figure,
    group_label,
    heading,
    label,
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


def figures_told(question: Question, found: JSONObject, language: Language) -> str:
    rows: list[Row] = found["rows"]
    if not question.groups:
        return _single(question, rows[0], language)
    if not rows:
        return _none(question, language)
    if question.rank is not None and question.rank.limit is None:
        return _first(question, rows, language)
    return _lines(question, rows, found, language)


def empty_told(question: Question, rows: Sequence[Row], language: Language) -> str:
    asked = [one.column for one in question.measures if one.column is not None]
    columns = asked or list(question.table.columns)
    counts = {int(at): int(count) for at, count in rows}
    total, file = counts.pop(0), question.table.file
    holes = [(columns[at - 1].name, count) for at, count in counts.items() if count]
    whole = sum(count for _, count in holes)
    among = figure(total, language)
    limited = where(question, language)
    pt = language == "pt"
    if len(columns) > MOST_COLUMNS:
        limited += (
            f" nas primeiras {MOST_COLUMNS} colunas"
            if pt
            else f" in its first {MOST_COLUMNS} columns"
        )
    if len(asked) == 1:
        name = asked[0].name
        cells = figure(whole, language)
        if pt:
            said = f"{cells} célula{'s' * (whole != 1)} vazia{'s' * (whole != 1)}"
            return f"A coluna {name} tem {said} em {among} linhas de {file}{limited}."
        said = f"{cells} empty cell{'s' * (whole != 1)}"
        return f"The column {name} has {said} in {among} rows of {file}{limited}."
    if not holes:
        return (
            f"Não há células vazias em {file}{limited} ({among} linhas)."
            if pt
            else f"There are no empty cells in {file}{limited} ({among} rows)."
        )
    holes.sort(key=lambda hole: -hole[1])
    told = [f"{name} {figure(count, language)}" for name, count in holes[:MOST_LINES]]
    if len(holes) > MOST_LINES:
        told.append(f"mais {len(holes) - MOST_LINES}" if pt else f"{len(holes) - MOST_LINES} more")
    cells = figure(whole, language)
    if pt:
        opening = f"Há {cells} célula{'s' * (whole != 1)} vazia{'s' * (whole != 1)}"
        return f"{opening} em {file}{limited}: {listed(told, 'pt')}."
    opening = f"There {'is' if whole == 1 else 'are'} {cells} empty cell{'s' * (whole != 1)}"
    return f"{opening} in {file}{limited}: {listed(told, 'en')}."


def sample_told(question: Question, rows: Sequence[Row], language: Language) -> str:
    count, file, limited = len(rows), question.table.file, where(question, language)
    if not count:
        return _none(question, language)
    if language == "pt":
        return (
            f"As primeiras {count} linhas de {file}{limited}."
            if count > 1
            else f"Uma linha de {file}{limited}."
        )
    return (
        f"The first {count} rows of {file}{limited}."
        if count > 1
        else f"One row of {file}{limited}."
    )


# ---------------------------------------------------------------------- figures


def _single(question: Question, row: Row, language: Language) -> str:
    """Measures of all rows. After them come the filled cells of each column, then the rows."""
    measures = question.measures
    total = int(str(row[-1]))
    pt, file, limited = language == "pt", question.table.file, where(question, language)
    if not total and question.conditions:
        return _none(question, language)
    columns = list(dict.fromkeys(one.column for one in measures if one.column is not None))
    filled = dict(zip(columns, row[len(measures) : -1], strict=True))
    if len(measures) == 1 and measures[0].column is None:
        return _rows_told(total, question, language)
    if len(measures) == 1:
        said = _one(measures[0], row[0], file, limited, language)
    else:
        parts = [
            f"{label(one, language)} {figure(value, language)}"
            for one, value in zip(measures, row, strict=False)
        ]
        said = f"{'Em' if pt else 'In'} {file}{limited}: {listed(parts, language)}."
    for column, count in filled.items():
        missing = total - int(str(count))
        if missing and any(one.operation != "distinct" for one in measures if one.column == column):
            empty = figure(missing, language)
            several = missing != 1
            said += (
                f" {empty} célula{'s' * several} vazia{'s' * several} de {column.name} não conta{'m' * several}."
                if pt
                else f" {empty} empty cell{'s' * several} of {column.name} {'do' if several else 'does'} not count."
            )
    return said


def _one(measure: Measure, value: JSON, file: str, limited: str, language: Language) -> str:
    written, name = figure(value, language), label(measure, language)
    if measure.operation == "distinct":
        return (
            f"Há {written} {name} em {file}{limited}."
            if language == "pt"
            else f"There are {written} {name} in {file}{limited}."
        )
    if language == "pt":
        return f"{article(measure).upper()} {name} em {file}{limited} é {written}."
    return f"The {name} in {file}{limited} is {written}."


def _rows_told(total: int, question: Question, language: Language) -> str:
    file, limited = question.table.file, where(question, language)
    count = figure(total, language)
    if language == "pt":
        rows = f"{count} linha{'s' * (total != 1)}"
        said = f"Há {rows} em {file}{limited}." if limited else f"{file} tem {rows}."
    else:
        rows = f"{count} row{'s' * (total != 1)}"
        verb = "is" if total == 1 else "are"
        said = f"There {verb} {rows} in {file}{limited}." if limited else f"{file} has {rows}."
    return said + _hint(question, language)


def _hint(question: Question, language: Language) -> str:
    """Rows were counted; a sum can be had by naming its column."""
    numbers = [column.name for column in question.table.columns if column.adds_up][:3]
    if not question.loosely or not numbers:
        return ""
    named = [f"«soma de {name}»" if language == "pt" else f"“sum of {name}”" for name in numbers]
    if language == "pt":
        return f" Contei linhas; para somar diga a coluna, por exemplo {' ou '.join(named)}."
    return f" I counted rows; for a total name the column, for example {' or '.join(named)}."


def _none(question: Question, language: Language) -> str:
    file, limited = question.table.file, where(question, language)
    if language == "pt":
        return f"Não há linhas em {file}{limited}."
    return f"There are no rows in {file}{limited}."


def _first(question: Question, rows: Sequence[Row], language: Language) -> str:
    """The one that was asked for, those that share its place, and who comes next."""
    measure = question.measures[0]
    at = len(question.groups)
    best = rows[0][at]
    tied = [row for row in rows if row[at] == best]
    rest = [row for row in rows if row[at] != best][: 0 if len(tied) > 2 else 2]
    names = listed([_name(row, question, language) for row in tied], language)
    pt = language == "pt"
    least = question.rank is not None and question.rank.order == "least"
    several = len(tied) > 1
    what = _superlative(measure, least, language)
    has = ("têm" if several else "tem") if pt else ("have" if several else "has")
    each = (" cada" if pt else " each") if several else ""
    said = f"{names} {has} {what}: {figure(best, language)}{each}"
    by = listed([group_label(group, language) for group in question.groups], language)
    said += f" ({'por' if pt else 'by'} {by}, {'em' if pt else 'in'} {question.table.file}{where(question, language)})."
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


def _superlative(measure: Measure, least: bool, language: Language) -> str:
    if language == "pt":
        if measure.column is None:
            return "menos linhas" if least else "mais linhas"
        if measure.operation == "distinct":
            return f"{'menos' if least else 'mais'} {label(measure, language)}"
        return f"{article(measure)} {'menor' if least else 'maior'} {label(measure, language)}"
    if measure.column is None:
        return "fewest rows" if least else "most rows"
    if measure.operation == "distinct":
        return f"{'fewest' if least else 'most'} {label(measure, language)}"
    return f"the {'lowest' if least else 'highest'} {label(measure, language)}"


def _lines(question: Question, rows: Sequence[Row], found: JSONObject, language: Language) -> str:
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
    at = {"pt": "em", "en": "in"}[language]
    opening = (
        f"{heading(question, language)} {at} {question.table.file}{where(question, language)}:"
    )
    parts = ["\n".join([opening, "", *lines])]
    if question.running:
        parts.append(_RUNNING[language])
    if whole := _total(question, rows, groups, language):
        parts.append(whole)
    if hint := _hint(question, language).strip():
        parts.append(hint)
    return "\n\n".join(parts)


def _total(question: Question, rows: Sequence[Row], groups: int, language: Language) -> str:
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


def _line(row: Row, question: Question, language: Language) -> str:
    at = len(question.groups)
    values = [
        figure(value, language) for measure, value in zip(question.measures, row[at:], strict=False)
    ]
    if len(values) > 1:
        values = [
            f"{label(measure, language)} {value}"
            for measure, value in zip(question.measures, values, strict=True)
        ]
    if question.rank is not None and question.rank.of_values:
        again = as_number(row[at])
        return _name(row, question, language) + (f" (×{again})" if again != 1 else "")
    part = row[at + len(question.measures) :]
    said = f" ({', '.join(share(one, language) for one in part)})" if part else ""
    return f"{_name(row, question, language)}: {'; '.join(values)}{said}"


def _with_running(question: Question, rows: Sequence[Row]) -> Sequence[Row]:
    """Rows with the sum of their shares so far, where that is wanted: what a Pareto is read by."""
    width = len(question.groups) + len(question.measures)
    if not question.running or any(len(row) <= width for row in rows):
        return rows
    parts = [as_number(row[width]) or 0 for row in rows]
    return [[*row, so_far] for row, so_far in zip(rows, accumulate(parts), strict=True)]


def _name(row: Row, question: Question, language: Language) -> str:
    names = [
        EMPTY[language] if value is None else value_label(value, group, language)
        for value, group in zip(row, question.groups, strict=False)
    ]
    return " · ".join(names)
