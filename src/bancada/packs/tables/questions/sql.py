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
    Scalar,
    TableQuestion,
    Unit,
)
from bancada.packs.tables.questions.schema import AskedColumn
from bancada.packs.tables.questions.tokens import words_of
from bancada.packs.tables.questions.wording import EMPTY, PLACES, WEEKDAYS, figure, label

FOLLOWERS = 2
"""Places told after the one that was asked for."""
MOST_SHOWN = 5
"""Groups drawn where one is asked for."""
MOST_COLUMNS = 150
"""Columns whose empty cells, or whose values, are looked at in one query."""

_UNITS: dict[Unit, str] = {
    "hour": "lpad(CAST(hour({c}) AS VARCHAR), 2, '0') || ':00'",
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


def query(question: TableQuestion, language: Language) -> str:
    """What has to be known to answer."""
    match question.kind:
        case "empty":
            return empty_cells(question)
        case "sample":
            return sample(question)
    if question.versus:
        return _set_against(question, language)
    if question.part:
        return _part(question, language)
    first = question.measures[0]
    adds_up = len(question.measures) == 1 and (
        first.column is None or (question.shares and first.operation == "sum")
    )
    shares = adds_up and len(question.groups) == 1 and question.having is None
    return figures(question, language, shares=shares)


def figures(question: TableQuestion, language: Language, *, shares: bool = False) -> str:
    """The measures, by group where there are groups, in the order that was asked for.

    `shares` adds what part of the whole the first measure of a group is. Without groups the
    filled cells of each column follow, and the number of rows.
    """
    values = [_named(_measure(one), _title(one, question, language)) for one in question.measures]
    if shares and question.groups:
        first = _measure(question.measures[0])
        values.append(f'100.0 * {first} / sum({first}) OVER () AS "%"')
    if not question.groups:
        values += [f"count({_cell(one)})" for one in _measured(question)]
        values.append("count(*)")
    limit = question.rank.limit if question.rank is not None else None
    return _select(question, language, question.groups, values, limit)


def _set_against(question: TableQuestion, language: Language) -> str:
    """One measure in two periods, side by side."""
    measure = _measure(question.measures[0])
    values = [
        f"{measure} FILTER (WHERE {_condition(one)}) AS {name(f'p{at}')}"
        for at, one in enumerate(question.versus, start=1)
    ]
    return _select(question, language, question.groups, values, None)


def _part(question: TableQuestion, language: Language) -> str:
    """What part of all rows, or of a sum, some of them have: the part, and the whole."""
    measure = _measure(question.measures[0])
    where = " AND ".join(map(_condition, question.part))
    values = [f"{measure} FILTER (WHERE {where}) AS some", f'{measure} AS "all"']
    return _select(question, language, question.groups, values, None)


def _title(measure: Measure, question: TableQuestion, language: Language) -> str:
    return label(measure, question.table, language)


def shown(question: TableQuestion, language: Language, *, limit: int | None) -> str:
    """The same to be looked at: figures rounded, nothing beside them, no more than fits."""
    values = [_named(_rounded(one), _title(one, question, language)) for one in question.measures]
    charted = question.form is not None and question.form.widget == "chart"
    if question.shares and question.groups and not charted:
        first = _measure(question.measures[0])
        values.append(f'round(100.0 * {first} / sum({first}) OVER (), 1) AS "%"')
    if question.rank is not None:
        limit = min(limit or MOST_SHOWN, question.rank.limit or MOST_SHOWN)
    return _select(question, language, question.groups, values, limit)


def series(question: TableQuestion, language: Language, kinds: Sequence[str], *, limit: int) -> str:
    """Two groups as a chart draws them: a row for each value of one, a column for each of the other."""
    first, second = question.groups
    key, measure = _label(second, language), question.measures[0]
    values = [_named(_rounded(measure, where=f"{key} = {literal(kind)}"), kind) for kind in kinds]
    by_time = replace(question, groups=(first,), rank=None)
    return _select(by_time, language, (first,), values, limit)


def _select(
    question: TableQuestion,
    language: Language,
    groups: Sequence[Group],
    values: Sequence[str],
    limit: int | None,
) -> str:
    labels = [_named(_label(group, language), group.column.label(language)) for group in groups]
    parts = [f"SELECT {', '.join([*labels, *values])} FROM {_rows(question)}"]  # noqa: S608
    if groups:
        keys = ", ".join(map(_key, groups))
        having = question.having
        kept = f" HAVING count(*) {having.sign} {literal(having.number)}" if having else ""
        parts.append(
            f"GROUP BY {keys}{kept}{_places(question, values)} ORDER BY {_order(question)}"
        )
        if limit is not None:
            parts.append(f"LIMIT {limit}")
    return " ".join(parts)


def _places(question: TableQuestion, values: Sequence[str]) -> str:
    """Where one is asked for: it, all that share its place, and who comes next."""
    rank = question.rank
    if rank is None or rank.limit is not None:
        return ""
    way = "ASC" if rank.order == "least" else "DESC"
    by = _key(question.groups[0]) if rank.of_values else _measure(question.measures[0])
    return (
        f" QUALIFY dense_rank() OVER (ORDER BY {by} {way} NULLS LAST)"
        f" BETWEEN {rank.place} AND {rank.place + FOLLOWERS}"
    )


def empty_cells(question: TableQuestion) -> str:
    """How many cells are empty, a row for each column; the first row is the table's size."""
    asked = [measure.column for measure in question.measures if measure.column is not None]
    looked_at = (asked or list(question.table.columns))[:MOST_COLUMNS]
    counted = ", ".join(
        f"{{'place': {at}, 'n': count(*) - count({_cell(column)})}}"
        for at, column in enumerate(looked_at, start=1)
    )
    rows = f"[{{'place': 0, 'n': count(*)}}, {counted}]"
    return f"SELECT u.place, u.n FROM (SELECT unnest({rows}) AS u FROM {_rows(question)})"  # noqa: S608


def sample(question: TableQuestion) -> str:
    return f"SELECT * FROM {_rows(question)} LIMIT {question.rows}"  # noqa: S608


# ---------------------------------------------------------------------- parts


def _rows(question: TableQuestion) -> str:
    """The table, and which of its rows count."""
    table = f"{name(question.table.name)} AS t"
    if not question.conditions:
        return table
    return f"{table} WHERE {' AND '.join(map(_condition, question.conditions))}"


def _cell(column: AskedColumn) -> str:
    return f"t.{name(column.name)}"


def _measured(question: TableQuestion) -> list[AskedColumn]:
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


def _order(question: TableQuestion) -> str:
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
    listed = ", ".join(values)
    match condition.sign:
        case "between":
            said = f"{cell} BETWEEN {values[0]} AND {values[1]}"
        case "in":
            said = f"{cell} IN ({listed})"
        case "like":
            flat = f"regexp_replace(strip_accents(lower({cell})), '[^\\p{{L}}\\p{{N}}]+', ' ', 'g')"
            said = f"trim({flat}) IN ({', '.join(literal(_flat(one)) for one in condition.values)})"
        case "period":
            pairs = zip(condition.values[::2], condition.values[1::2], strict=True)
            said = " OR ".join(_days(cell, start, end) for start, end in pairs)
        case "months":
            said = f"month({cell}) IN ({listed})"
        case "weekdays":
            said = f"isodow({cell}) IN ({listed})"
        case "empty":
            zero = "".join(f" OR {cell} = {value}" for value in values)
            said = f"{cell} IS NULL{zero}"
            return f"(NOT ({said}))" if condition.but else f"({said})"
        case _:
            said = f"{cell} {condition.sign} {values[0]}"
    # What is empty is none of the values that are left out.
    return f"(({said}) IS NOT TRUE)" if condition.but else f"({said})"


def _days(cell: str, start: Scalar, end: Scalar) -> str:
    ends = [f"{cell} >= DATE {literal(start)}"] if start else []
    ends += [f"{cell} < DATE {literal(end)}"] if end else []
    return f"({' AND '.join(ends)})"


def _flat(value: Scalar) -> str:
    """As the query writes a value down to compare it."""
    return " ".join(words_of(str(value)))
