"""Questions and results in words, in the person's language, with figures as it writes them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from bancada import JSON, Language
from bancada.packs.tables.questions.common import listed
from bancada.packs.tables.questions.question import (
    ROWS,
    Condition,
    Group,
    Measure,
    Operation,
    Question,
    Trouble,
    Unit,
)
from bancada.packs.tables.questions.tables import Column, Table

EMPTY: dict[Language, str] = {"pt": "(vazio)", "en": "(empty)"}
PLACES = 6
"""Decimals of a figure: averages may have no end."""
MOST_NAMES = 40
"""Columns that are listed; a wider table has its width told."""

_OPERATIONS: dict[Language, dict[Operation, str]] = {
    "pt": {
        "count": "células preenchidas de", "distinct": "valores diferentes de", "sum": "soma de",
        "avg": "média de", "min": "mínimo de", "max": "máximo de", "median": "mediana de",
        "deviation": "desvio-padrão de",
    },
    "en": {
        "count": "filled cells of", "distinct": "different values of", "sum": "sum of",
        "avg": "average of", "min": "minimum of", "max": "maximum of", "median": "median of",
        "deviation": "standard deviation of",
    },
}  # fmt: skip
_UNITS: dict[Language, dict[Unit, str]] = {
    "pt": {
        "hour": "hora", "day": "dia", "weekday": "dia da semana", "week": "semana", "month": "mês",
        "quarter": "trimestre", "year": "ano",
    },
    "en": {
        "hour": "hour", "day": "day", "weekday": "weekday", "week": "week", "month": "month",
        "quarter": "quarter", "year": "year",
    },
}  # fmt: skip
_MONTHS: dict[Language, tuple[str, ...]] = {
    "pt": (
        "janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro",
        "outubro", "novembro", "dezembro",
    ),
    "en": (
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ),
}  # fmt: skip
WEEKDAYS: dict[Language, tuple[str, ...]] = {
    "pt": ("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}
_FAMILIES: dict[Language, dict[str, str]] = {
    "pt": {
        "boolean": "sim/não", "integer": "número inteiro", "number": "número", "date": "data",
        "datetime": "data e hora", "time": "hora", "text": "texto",
    },
    "en": {
        "boolean": "yes/no", "integer": "whole number", "number": "number", "date": "date",
        "datetime": "date and time", "time": "time", "text": "text",
    },
}  # fmt: skip


def figure(value: JSON, language: Language) -> str:
    """A number as the language writes it, to six places; what is no number as it is."""
    if isinstance(value, str) and re.fullmatch(r"-?\d{19,}", value):
        value = int(value)
    if isinstance(value, bool):
        return {"pt": ("não", "sim"), "en": ("no", "yes")}[language][value]
    if value is None:
        return "—"
    if not isinstance(value, int | float):
        return str(value)
    text = f"{value:,}" if isinstance(value, int) else _decimal(value, PLACES)
    if language == "en":
        return text
    # The space between thousands must not break the line.
    return text.replace(",", "\N{NO-BREAK SPACE}").replace(".", ",")


def _decimal(value: float, places: int) -> str:
    if value and abs(value) < 10**-places:
        return f"{value:.3g}"
    text = f"{value:,.{places}f}"
    whole, _, fraction = text.partition(".")
    fraction = fraction.rstrip("0")
    # Doubles hold some 15 digits: places beyond them are noise.
    digits = len(whole.replace(",", "").lstrip("-"))
    if fraction and digits + len(fraction) > 15:
        return _decimal(round(value, max(0, 15 - digits)), max(0, 15 - digits))
    text = f"{whole}.{fraction}" if fraction else whole
    return "0" if text == "-0" else text


def share(value: JSON, language: Language) -> str:
    text = f"{value:.1f}%" if isinstance(value, int | float) else "—"
    return text.replace(".", ",") if language == "pt" else text


def label(measure: Measure, language: Language) -> str:
    """`soma de valor`; rows that are counted are `linhas`."""
    if measure.column is None:
        return {"pt": "linhas", "en": "rows"}[language]
    if measure.column.is_date and measure.operation in ("min", "max"):
        which = {
            "pt": ("primeira data de", "última data de"),
            "en": ("first date of", "last date of"),
        }
        return f"{which[language][measure.operation == 'max']} {measure.column.name}"
    return f"{_OPERATIONS[language][measure.operation]} {measure.column.name}"


def article(measure: Measure) -> str:
    """Portuguese: `o máximo`, `a soma`."""
    timely = measure.column is not None and measure.column.is_date
    return "o" if measure.operation in ("min", "max", "deviation") and not timely else "a"


def group_label(group: Group, language: Language) -> str:
    """`produto`, `mês de data`."""
    if group.unit is None:
        return group.column.name
    of = {"pt": "de", "en": "of"}[language]
    return f"{_UNITS[language][group.unit]} {of} {group.column.name}"


def value_label(value: JSON, group: Group, language: Language) -> str:
    """A group's value as a person writes it: `2026-03` is March."""
    text = str(value)
    if group.unit == "month" and (found := re.fullmatch(r"(\d{4,})-(\d\d)", text)):
        month = _MONTHS[language][int(found[2]) - 1]
        return f"{month} de {found[1]}" if language == "pt" else f"{month} {found[1]}"
    if group.unit is None and group.column.family == "number" and re.fullmatch(r"-?[\d.]+", text):
        return figure(float(text), language)
    return text


def title(question: Question, language: Language) -> str:
    """What is shown, as a heading: `Soma de valor por produto`."""
    if question.kind == "sample":
        return question.table.file
    return heading(question, language) + where(question, language)


def heading(question: Question, language: Language) -> str:
    """The measures and the groups they are for."""
    groups = listed([group_label(one, language) for one in question.groups], language)
    if question.rank is not None and question.measures == (ROWS,) and question.groups:
        least = question.rank.order == "least"
        if question.rank.of_values:
            end = {"pt": ("Maiores", "Menores"), "en": ("Highest", "Lowest")}[language][least]
            return f"{end} {'valores de' if language == 'pt' else 'values of'} {groups}"
        if language == "pt":
            return f"Valores {'menos' if least else 'mais'} frequentes de {groups}"
        return f"{'Least' if least else 'Most'} frequent values of {groups}"
    measured = listed([label(one, language) for one in question.measures], language)
    by = {"pt": " por ", "en": " by "}[language]
    text = f"{measured}{by + groups if groups else ''}"
    return text[:1].upper() + text[1:]


def where(question: Question, language: Language) -> str:
    """What the rows were limited to, in words that can follow; empty when to nothing."""
    if not question.conditions:
        return ""
    of = {"pt": " de ", "en": " "}[language]
    years = {one.column: one for one in question.conditions if one.sign == "year"}
    said = []
    for one in question.conditions:
        monthly = any(
            other.column == one.column and other.sign == "month" for other in question.conditions
        )
        if one.sign == "year" and monthly:
            continue
        year = years.get(one.column) if one.sign == "month" else None
        said.append(_condition(one, language) + (f"{of}{year.values[0]}" if year else ""))
    return {"pt": " com ", "en": " with "}[language] + listed(said, language)


def _condition(condition: Condition, language: Language) -> str:
    column = condition.column.name
    values = [_value(value, condition, language) for value in dict.fromkeys(condition.values)]
    match condition.sign:
        case "between":
            join = {"pt": "entre {} e {}", "en": "between {} and {}"}[language]
            return f"{column} {join.format(*values)}"
        case "in":
            return f"{column} = {_either(values, language)}"
        case "not in":
            return f"{column} ≠ {_either(values, language)}"
        case "month":
            months = [_MONTHS[language][int(value) - 1] for value in condition.values]
            span = months if len(months) < 3 else [f"{months[0]}–{months[-1]}"]
            return f"{column} {'em' if language == 'pt' else 'in'} {listed(span, language)}"
        case "year":
            return f"{column} {'em' if language == 'pt' else 'in'} {condition.values[0]}"
        case "empty" | "filled":
            words = {"pt": ("vazio", "preenchido"), "en": ("empty", "filled")}[language]
            return f"{column} {words[condition.sign == 'filled']}"
        case _:
            return f"{column} {condition.sign.replace('>=', '≥').replace('<=', '≤')} {values[0]}"


def _value(value: JSON, condition: Condition, language: Language) -> str:
    return value if isinstance(value, str) else figure(value, language)


def _either(values: Sequence[str], language: Language) -> str:
    return f" {'ou' if language == 'pt' else 'or'} ".join(values)


# ---------------------------------------------------------------------- trouble


def trouble_in_words(trouble: Trouble, table: Table, language: Language) -> str:
    """Why there is no figure, and what could be asked instead."""
    pt = language == "pt"
    names = [column.name for column in trouble.columns]
    match trouble.kind:
        case "ambiguous":
            either = _either([f"«{name}»" if pt else f"“{name}”" for name in names], language)
            return (
                f"«{trouble.words}» pode ser {either}. Qual delas?"
                if pt
                else f"“{trouble.words}” may mean {either}. Which one?"
            )
        case "needs_number" if names:
            all_names = listed(names, language)
            return (
                f"De que coluna? As colunas numéricas de {table.file} são: {all_names}."
                if pt
                else f"Of which column? The numeric columns of {table.file} are: {all_names}."
            )
        case "needs_number":
            opening = (
                f"{table.file} não tem colunas numéricas."
                if pt
                else f"{table.file} has no numeric columns."
            )
        case "needs_date":
            opening = (
                f"{table.file} não tem uma coluna de datas."
                if pt
                else f"{table.file} has no column of dates."
            )
        case "needs_column":
            opening = "De que coluna?" if pt else "Of which column?"
        case "unknown":
            opening = (
                f"Não encontro «{trouble.words}» nas colunas nem nos valores de {table.file}."
                if pt
                else f"I find “{trouble.words}” neither in the columns nor in the values of {table.file}."
            )
    if trouble.elsewhere:
        opening += (
            f" Há uma coluna assim em {trouble.elsewhere}: diga o nome do ficheiro na pergunta."
            if pt
            else f" {trouble.elsewhere} has such a column: name that file in the question."
        )
    return f"{opening} {columns_in_words(table.columns, language)}"


def columns_in_words(columns: Sequence[Column], language: Language) -> str:
    shown = [column.name for column in columns[:MOST_NAMES]]
    more = len(columns) - len(shown)
    if more:
        shown.append(f"mais {more}" if language == "pt" else f"{more} more")
    names = listed(shown, language)
    return f"As colunas são: {names}." if language == "pt" else f"The columns are: {names}."


def columns_told(table: Table, found: Sequence[Sequence[JSON]], language: Language) -> str:
    """Every column with its kind, a line each."""
    families = {column.name: _FAMILIES[language][column.family] for column in table.columns}
    names = [str(row[0]) for row in found]
    lines = [
        f"- {name}: {families[name]}" if name in families else f"- {name}"
        for name in names[:MOST_NAMES]
    ]
    if len(names) > MOST_NAMES:
        rest = len(names) - MOST_NAMES
        lines.append(f"- … e mais {rest}" if language == "pt" else f"- … and {rest} more")
    columns, rows = figure(len(names), language), figure(table.rows, language)
    opening = {
        "pt": f"{table.file} tem {columns} coluna{'s' * (len(names) != 1)} e {rows} linha"
        f"{'s' * (table.rows != 1)}:",
        "en": f"{table.file} has {columns} column{'s' * (len(names) != 1)} and {rows} row"
        f"{'s' * (table.rows != 1)}:",
    }[language]
    return "\n".join([opening, "", *lines])


def as_number(value: JSON) -> float | int | None:
    """A figure of a result; sums beyond 64 bits come as text."""
    if isinstance(value, str) and re.fullmatch(r"-?\d+", value):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value
