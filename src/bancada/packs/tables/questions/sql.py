"""A read question as one SELECT. Names and values are always quoted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from bancada import Language
from bancada.packs.tables.questions.question import (
    Condition,
    Group,
    Measure,
    Question,
    Scalar,
    Unit,
)
from bancada.packs.tables.questions.tables import Column, Table
from bancada.packs.tables.questions.wording import EMPTY, PLACES, WEEKDAYS, figure, label

FOLLOWERS = 5
"""Rows asked for where one is wanted: ties and who comes next are worth telling."""
MOST_COLUMNS = 150
"""Columns whose empty cells, or whose values, are looked at in one query."""

_UNITS: dict[Unit, str] = {
    "hour": "strftime({c}, '%H:00')",
    "day": "strftime({c}, '%Y-%m-%d')",
    "weekday": "isodow({c})",
    "week": "strftime({c}, '%G-W%V')",
    "month": "strftime({c}, '%Y-%m')",
    "quarter": "strftime({c}, '%Y') || '-' || quarter({c})",
    "year": "strftime({c}, '%Y')",
}
"""What sorts as time does; `_label` makes of it what a person reads."""


def name(text: str) -> str:
    """An identifier, whatever it holds."""
    return '"' + text.replace('"', '""') + '"'


def literal(value: Scalar) -> str:
    """A value as SQL writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value) if math.isfinite(value) else "NULL"
    printable = "".join(c if c.isprintable() else " " for c in value)
    return "'" + printable.replace("'", "''") + "'"


def figures(question: Question, language: Language, *, shares: bool = False) -> str:
    """The measures, by group where there are groups, in the order that was asked for.

    `shares` adds what part of the whole the first measure of a group is. Without groups the
    filled cells of each column follow, and the number of rows.
    """
    values = [_named(_measure(one), label(one, language)) for one in question.measures]
    if shares and question.groups:
        first = _measure(question.measures[0])
        values.append(f'100.0 * {first} / sum({first}) OVER () AS "%"')
    if not question.groups:
        values += [f"count({_cell(one)})" for one in _measured(question)]
        values.append("count(*)")
    limit = (question.rank.limit or FOLLOWERS) if question.rank is not None else None
    return _select(question, language, question.groups, values, limit)


def shown(question: Question, language: Language, *, limit: int | None) -> str:
    """The same to be looked at: figures rounded, nothing beside them, no more than fits."""
    values = [_named(_rounded(one), label(one, language)) for one in question.measures]
    charted = question.form is not None and question.form.widget == "chart"
    if question.shares and question.groups and not charted:
        first = _measure(question.measures[0])
        values.append(f'round(100.0 * {first} / sum({first}) OVER (), 1) AS "%"')
    if question.rank is not None:
        limit = min(limit or FOLLOWERS, question.rank.limit or FOLLOWERS)
    return _select(question, language, question.groups, values, limit)


def series(question: Question, language: Language, kinds: Sequence[str], *, limit: int) -> str:
    """Two groups as a chart draws them: a row for each value of one, a column for each of the other."""
    first, second = question.groups
    key, measure = _label(second, language), question.measures[0]
    values = [_named(_rounded(measure, where=f"{key} = {literal(kind)}"), kind) for kind in kinds]
    by_time = replace(question, groups=(first,), rank=None)
    return _select(by_time, language, (first,), values, limit)


def _select(
    question: Question,
    language: Language,
    groups: Sequence[Group],
    values: Sequence[str],
    limit: int | None,
) -> str:
    labels = [_named(_label(group, language), group.column.name) for group in groups]
    parts = [f"SELECT {', '.join([*labels, *values])} FROM {_rows(question)}"]  # noqa: S608
    if groups:
        keys = ", ".join(map(_key, groups))
        parts.append(f"GROUP BY {keys} ORDER BY {_order(question)}")
        if limit is not None:
            parts.append(f"LIMIT {limit}")
    return " ".join(parts)


def columns(table: Table) -> str:
    return f"SELECT column_name, column_type FROM (DESCRIBE {name(table.name)})"  # noqa: S608


def empty_cells(question: Question) -> str:
    """How many cells are empty, a row for each column; the first row is the table's size."""
    asked = [measure.column for measure in question.measures if measure.column is not None]
    looked_at = (asked or list(question.table.columns))[:MOST_COLUMNS]
    counted = ", ".join(
        f"{{'place': {at}, 'n': count(*) - count({_cell(column)})}}"
        for at, column in enumerate(looked_at, start=1)
    )
    rows = f"[{{'place': 0, 'n': count(*)}}, {counted}]"
    return f"SELECT u.place, u.n FROM (SELECT unnest({rows}) AS u FROM {_rows(question)})"  # noqa: S608


def sample(question: Question) -> str:
    return f"SELECT * FROM {_rows(question)} LIMIT {question.rows}"  # noqa: S608


def values_like(table: Table, spoken: Sequence[str]) -> str:
    """Where words occur as values: the number of the text column, and the value as it is written.

    Case, accents and punctuation aside. Each column is reduced to its distinct values first.
    """
    each = " UNION ALL ".join(
        f"SELECT {at}, v FROM (SELECT DISTINCT {_cell(column)} AS v FROM {name(table.name)} AS t)"  # noqa: S608
        for at, column in enumerate(table.texts[:MOST_COLUMNS])
    )
    wanted = ", ".join(literal(text) for text in spoken)
    sizes = [len(text) for text in spoken]
    shortest, longest = min(sizes), 2 * max(sizes) + 4
    flat = "trim(regexp_replace(strip_accents(lower(v)), '[^\\p{L}\\p{N}]+', ' ', 'g'))"
    return (
        f"WITH found(place, v) AS ({each}) SELECT place, v, {flat} AS said FROM found "  # noqa: S608
        # Most values are told apart by their length, which costs nothing.
        f"WHERE length(v) BETWEEN {shortest} AND {longest} AND {flat} IN ({wanted}) "
        "ORDER BY place, v"
    )


# ---------------------------------------------------------------------- parts


def _rows(question: Question) -> str:
    """The table, and which of its rows count."""
    table = f"{name(question.table.name)} AS t"
    if not question.conditions:
        return table
    return f"{table} WHERE {' AND '.join(map(_condition, question.conditions))}"


def _cell(column: Column) -> str:
    return f"t.{name(column.name)}"


def _measured(question: Question) -> list[Column]:
    """The columns of the measures, each once: how many of their cells hold something."""
    return list(dict.fromkeys(one.column for one in question.measures if one.column is not None))


def _measure(measure: Measure) -> str:
    if measure.column is None:
        return "count(*)"
    cell = _cell(measure.column)
    # Sums of fractions are kept exact: no noise of binary numbers in the last places.
    exact = measure.column.family == "number"
    return {
        "count": f"count({cell})",
        "distinct": f"count(DISTINCT {cell})",
        "sum": f"{'fsum' if exact else 'sum'}({cell})",
        "avg": f"{'favg' if exact else 'avg'}({cell})",
        "min": f"min({cell})",
        "max": f"max({cell})",
        "median": f"median({cell})",
        "deviation": f"stddev_samp({cell})",
    }[measure.operation]


def _key(group: Group) -> str:
    cell = _cell(group.column)
    return _UNITS[group.unit].replace("{c}", cell) if group.unit else cell


def _label(group: Group, language: Language) -> str:
    """A group's value as text."""
    key = _key(group)
    if group.unit == "weekday":
        key = f"[{', '.join(map(literal, WEEKDAYS[language]))}][{key}]"
    elif group.unit == "quarter":
        key = f"replace({key}, '-', {literal('-T' if language == 'pt' else '-Q')})"
    elif group.column.family == "boolean":
        yes, no = (literal(figure(value, language)) for value in (True, False))
        key = f"CASE WHEN {key} THEN {yes} WHEN NOT {key} THEN {no} END"
    return f"coalesce(CAST({key} AS VARCHAR), {literal(EMPTY[language])})"


def _named(expression: str, text: str) -> str:
    return f"{expression} AS {name(text)}"


def _rounded(measure: Measure, where: str | None = None) -> str:
    """A figure to look at; `where` limits it to some rows."""
    value = _measure(measure) + (f" FILTER (WHERE {where})" if where else "")
    of_dates = measure.column is not None and measure.column.is_date
    whole = measure.operation in ("count", "distinct")
    return value if of_dates or whole else f"round({value}, {PLACES})"


def _order(question: Question) -> str:
    keys = [f"{_key(group)} NULLS LAST" for group in question.groups]
    first = len(question.groups) + 1
    if question.rank is not None:
        way = "ASC" if question.rank.order == "least" else "DESC"
        if question.rank.of_values:
            return f"{_key(question.groups[0])} {way} NULLS LAST"
        return ", ".join([f"{first} {way} NULLS LAST", *keys])
    plain = question.groups[0]
    if plain.in_time or plain.column.family == "integer" or len(question.groups) > 1:
        return ", ".join(keys)
    return ", ".join([f"{first} DESC NULLS LAST", *keys])


def _condition(condition: Condition) -> str:
    cell = _cell(condition.column)
    values = [literal(value) for value in condition.values]
    day = condition.column.is_date and condition.sign not in ("month", "year")
    if day:
        cell, values = f"CAST({cell} AS DATE)", [f"DATE {value}" for value in values]
    match condition.sign:
        case "between":
            return f"{cell} BETWEEN {values[0]} AND {values[1]}"
        case "in":
            return f"{cell} IN ({', '.join(values)})"
        case "not in":
            return f"({cell} NOT IN ({', '.join(values)}) OR {cell} IS NULL)"
        case "month" | "year":
            return f"{condition.sign}({cell}) IN ({', '.join(values)})"
        case "empty":
            return f"{cell} IS NULL"
        case "filled":
            return f"{cell} IS NOT NULL"
        case _:
            return f"{cell} {condition.sign} {values[0]}"
