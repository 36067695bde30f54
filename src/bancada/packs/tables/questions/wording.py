"""Questions and results in words, in the person's language, with figures as it writes them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date, timedelta

from bancada import JSON, Language
from bancada.packs.tables.questions.question import (
    ROWS,
    Condition,
    Group,
    Measure,
    Operation,
    TableQuestion,
    Trouble,
    Unit,
)
from bancada.packs.tables.questions.schema import AskedColumn, AskedTable

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


def listed(parts: Sequence[str], language: Language) -> str:
    """`a, b e c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {'e' if language == 'pt' else 'and'} {parts[-1]}"


def label(measure: Measure, table: AskedTable, language: Language) -> str:
    """`soma de valor`; rows that are counted are `linhas`, or what the table calls them."""
    if measure.column is None:
        return table.noun(language)
    column = measure.column.label(language)
    if measure.column.is_date and measure.operation in ("min", "max"):
        which = {
            "pt": ("primeira data de", "última data de"),
            "en": ("first date of", "last date of"),
        }
        return f"{which[language][measure.operation == 'max']} {column}"
    return f"{_OPERATIONS[language][measure.operation]} {column}"


def article(measure: Measure) -> str:
    """Portuguese: `o máximo`, `a soma`."""
    timely = measure.column is not None and measure.column.is_date
    return "o" if measure.operation in ("min", "max", "deviation") and not timely else "a"


def group_label(group: Group, language: Language) -> str:
    """`produto`, `mês de data`."""
    column = group.column.label(language)
    if group.unit is None:
        return column
    of = {"pt": "de", "en": "of"}[language]
    return f"{_UNITS[language][group.unit]} {of} {column}"


def value_label(value: JSON, group: Group, language: Language) -> str:
    """A group's value as a person writes it: `2026-03` is March."""
    text = str(value)
    if group.unit == "month" and (found := re.fullmatch(r"(\d{4,})-(\d\d)", text)):
        month = _MONTHS[language][int(found[2]) - 1]
        return f"{month} de {found[1]}" if language == "pt" else f"{month} {found[1]}"
    if group.unit is None and group.column.family == "number" and re.fullmatch(r"-?[\d.]+", text):
        return figure(float(text), language)
    return text


def title(question: TableQuestion, language: Language) -> str:
    """What is shown, as a heading: `Soma de valor por produto`."""
    if question.kind == "sample":
        return question.table.title
    return heading(question, language) + where(question, language)


def heading(question: TableQuestion, language: Language) -> str:
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
    measured = listed([label(one, question.table, language) for one in question.measures], language)
    by = {"pt": " por ", "en": " by "}[language]
    text = f"{measured}{by + groups if groups else ''}"
    return text[:1].upper() + text[1:]


def where(question: TableQuestion, language: Language) -> str:
    """What the rows were limited to, in words that can follow; empty when to nothing."""
    said = [condition_told(one, question.table, language) for one in question.conditions]
    if question.having is not None:
        having = question.having
        sign = having.sign.replace(">=", "≥").replace("<=", "≤")
        number = figure(having.number, language)
        said.append(f"{question.table.noun(language)} {sign} {number}")
    if not said:
        return ""
    return {"pt": " com ", "en": " with "}[language] + listed(said, language)


def condition_told(condition: Condition, table: AskedTable, language: Language) -> str:
    """`Região = Norte`, `data em fevereiro de 2026`."""
    column = condition.column.label(language)
    pt, but = language == "pt", condition.but
    not_ = ("não " if pt else "not ") if but else ""
    counted = not (condition.column.is_code or condition.column.is_year)
    values = [
        _value(value, table, language) if counted else str(value)
        for value in dict.fromkeys(condition.values)
    ]
    match condition.sign:
        case "between":
            join = {"pt": "entre {} e {}", "en": "between {} and {}"}[language]
            return f"{column} {not_}{join.format(*values)}"
        case "in" | "like":
            if but:
                return f"{column} ≠ {listed(values, language)}"
            return f"{column} = {_either(values, language)}"
        case "period":
            pairs = zip(condition.values[::2], condition.values[1::2], strict=True)
            spans = [period_told(str(start), str(end), language) for start, end in pairs]
            return f"{column} {not_}{_either(spans, language)}"
        case "months":
            months = [_MONTHS[language][int(value) - 1] for value in condition.values]
            years = " de qualquer ano" if pt else " of any year"
            return f"{column} {not_}{'em' if pt else 'in'} {_either(months, language)}{years}"
        case "weekdays":
            days = [WEEKDAYS[language][int(value) - 1] for value in condition.values]
            return f"{column} {not_}{'em' if pt else 'on'} {_either(days, language)}"
        case "empty":
            filled, empty = ("preenchido", "vazio") if pt else ("filled", "empty")
            zero = (f" {'ou' if pt else 'or'} {value}" for value in values)
            return f"{column} {filled if but else empty}{''.join(zero)}"
        case _:
            return f"{column} {condition.sign.replace('>=', '≥').replace('<=', '≤')} {values[0]}"


def period_told(start: str, end: str, language: Language) -> str:
    """A span of days as people say it; the whole month or year where it is one."""
    pt = language == "pt"
    at = "em" if pt else "in"
    if not end:
        return f"≥ {start}"
    last = date.fromisoformat(end) - timedelta(days=1)
    if not start:
        return f"≤ {last}"
    first = date.fromisoformat(start)
    if first == last:
        return f"{'em' if pt else 'on'} {first}"
    if first.day == 1 and (last + timedelta(days=1)).day == 1:
        if (first.year, first.month) == (last.year, last.month):
            month = _MONTHS[language][first.month - 1]
            return f"{at} {month}{' de' if pt else ''} {first.year}"
        if (first.month, last.month) == (1, 12) and first.year == last.year:
            return f"{at} {first.year}"
    return f"entre {first} e {last}" if pt else f"between {first} and {last}"


def _value(value: JSON, table: AskedTable, language: Language) -> str:
    if isinstance(value, str):
        return table.value_label(value, language)
    return figure(value, language)


def _either(values: Sequence[str], language: Language) -> str:
    return f" {'ou' if language == 'pt' else 'or'} ".join(values)


# ---------------------------------------------------------------------- trouble


def trouble_in_words(trouble: Trouble, table: AskedTable, language: Language) -> str:
    """Why there is no figure, and what could be asked instead."""
    pt = language == "pt"
    names = [column.label(language) for column in trouble.columns]
    title = table.title
    match trouble.kind:
        case "ambiguous":
            either = _either([f"«{name}»" if pt else f"“{name}”" for name in names], language)
            words = " ".join(trouble.words)
            return (
                f"«{words}» pode ser {either}. Qual delas?"
                if pt
                else f"“{words}” may mean {either}. Which one?"
            )
        case "needs_number" if names:
            all_names = listed(names, language)
            return (
                f"De que coluna? As colunas numéricas de {title} são: {all_names}."
                if pt
                else f"Of which column? The numeric columns of {title} are: {all_names}."
            )
        case "needs_number":
            opening = (
                f"{title} não tem colunas numéricas." if pt else f"{title} has no numeric columns."
            )
        case "needs_date":
            opening = (
                f"{title} não tem uma coluna de datas."
                if pt
                else f"{title} has no column of dates."
            )
        case "needs_column":
            opening = "De que coluna?" if pt else "Of which column?"
        case "unknown":
            words = listed([f"«{one}»" if pt else f"“{one}”" for one in trouble.words], language)
            opening = (
                f"Não encontro {words} nas colunas nem nos valores de {title}; sem isso não dou "
                "um número."
                if pt
                else f"I find {words} neither in the columns nor in the values of {title}; without "
                "that I give no number."
            )
    return f"{opening} {columns_in_words(table.columns, language)}"


def columns_in_words(columns: Sequence[AskedColumn], language: Language) -> str:
    shown = [column.label(language) for column in columns[:MOST_NAMES]]
    more = len(columns) - len(shown)
    if more:
        shown.append(f"mais {more}" if language == "pt" else f"{more} more")
    names = listed(shown, language)
    return f"As colunas são: {names}." if language == "pt" else f"The columns are: {names}."


def columns_told(table: AskedTable, language: Language) -> str:
    """Every column with its kind, a line each."""
    columns = table.columns
    lines = [f"- {one.name}: {_FAMILIES[language][one.family]}" for one in columns[:MOST_NAMES]]
    if len(columns) > MOST_NAMES:
        rest = len(columns) - MOST_NAMES
        lines.append(f"- … e mais {rest}" if language == "pt" else f"- … and {rest} more")
    count, rows = figure(len(columns), language), figure(table.rows, language)
    several = "s" * (len(columns) != 1)
    noun = table.noun(language, table.rows)
    opening = {
        "pt": f"{table.title} tem {count} coluna{several} e {rows} {noun}:",
        "en": f"{table.title} has {count} column{several} and {rows} {noun}:",
    }[language]
    return "\n".join([opening, "", *lines])


def as_number(value: JSON) -> float | int | None:
    """A figure of a result; sums beyond 64 bits come as text."""
    if isinstance(value, str) and re.fullmatch(r"-?\d+", value):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value
