"""A data set put into words: the message that is recorded when a file is uploaded.

Its form is fixed: people and prompts rely on it. The figures were computed over the whole file;
the rows shown are the first ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from bancada.data.names import quoted
from bancada.data.notes import Note, sentences
from bancada.data.regular import csv_line
from bancada.data.statistics import MEASURES
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Language
from bancada.domain.wording import Wording

# As the form has them, for shorter files too: how many rows there are is said above them.
_FIRST = "Primeiras 10 linhas:"
_AT_LENGTH = "Dados completos (primeiras 100 linhas):"
_MAX_COLUMNS = 30
"""Numeric columns in the table of statistics; every column is in the list of names."""
_MAX_LINE = 2_000
_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_EVERY_COLUMN = re.compile(r"(?:select|distinct|,|\.)\s*\*|columns\s*\(|summarize", re.IGNORECASE)
_MAX_WARNINGS = 20
_MAX_GUESSES = 10
CAVEATS = frozenset(
    (
        *("thousands", "parted", "day_first", "text_numbers", "formulas", "merged_numbers"),
        *("shown_percent", "totals_kept", "other_table"),
    )
)
"""Notes that a figure made from the column must be told with."""
_UNITS = frozenset(("percent", "currency", "brackets"))
_DIGITS = 6
_NAN = " NaN"


def message(
    summary: JSONObject, head: Sequence[Sequence[JSON]] | None = None, *, language: Language = "pt"
) -> str:
    """The recorded message. `head` adds the first rows at length, for an agent without queries."""
    parts = [f"[FICHEIRO CARREGADO: {summary['name']}]\n{_about(summary)}"]
    if summary["statistics"]:
        parts.append(f"Estatísticas numéricas:\n{statistics_table(summary['statistics'])}")
    if summary["categories"]:
        lines = "\n".join(_distribution(*each) for each in summary["categories"].items())
        parts.append(f"Distribuição das colunas categóricas (top 5):\n{lines}")
    for table in summary["tables"][1:]:
        parts.append(f"Folha «{table['sheet']}», tabela {table['table']}:\n{_about(table)}")
    if said := _warnings(summary, language):
        parts.append("Avisos de leitura:\n" + "\n".join(said))
    if head is not None:
        rows = csv_text(summary["columns"], head)
        parts.append(f"{_AT_LENGTH}\n{rows}")
    return "\n\n".join(parts)


def catalogue(summaries: Iterable[JSONObject], language: Language = "pt") -> str:
    """The tables that queries may use, one a line, with columns and types.

    Below a table stands what was guessed of its columns: it changes what a figure means.
    """
    lines = []
    for summary in summaries:
        for table in summary["tables"]:
            lines.append(_table_line(summary["name"], table))
            guessed = [note for note in notes_of(table) if note["code"] in CAVEATS | _UNITS]
            lines += [f"  {said}" for said in sentences(guessed[:_MAX_GUESSES], language)]
    return "\n".join(lines)


def notes_of(part: JSONObject) -> Sequence[JSONObject]:
    """The notes of a summary or of one of its tables; a file taken long ago has none."""
    notes: Sequence[JSONObject] = part.get("notes", ())
    return notes


def caveats(summary: JSONObject, sql: str) -> list[Note]:
    """What was guessed of the columns that a query names; it must reach whoever reads the figure."""
    plain = {word.casefold() for word in _WORD.findall(sql)}
    written = {name.replace('""', '"').casefold() for name in _QUOTED.findall(sql)}
    named = plain | written
    whole = _EVERY_COLUMN.search(sql) is not None
    return [
        note
        for table in summary["tables"]
        if table["table"].casefold() in named
        for note in map(Note.of, notes_of(table))
        if note.code in CAVEATS
        and (whole or note.column is None or note.column.casefold() in named)
    ]


def _table_line(filename: str, table: JSONObject) -> str:
    columns = ", ".join(
        f"{_in_sql(column['name'])} {column['type']}" for column in table["columns"]
    )
    aside = (
        table["rejected"] and f"; linhas postas à parte: {table['rejected']} (line, cells, text)"
    )
    return f"{table['table']} ({table['rows']} linhas, de {filename}): {columns}{aside or ''}"


def _in_sql(name: str) -> str:
    """A column as a query must write it: in quotes where it is no plain word."""
    return name if name.isidentifier() else quoted(name)


def csv_text(columns: Sequence[JSONObject], rows: Iterable[Sequence[JSON]]) -> str:
    """Rows as CSV with their heading."""
    lines = [csv_line([column["name"] for column in columns])]
    lines += [csv_line(["" if cell is None else cell for cell in row]) for row in rows]
    return "\n".join(_cut(line) for line in lines)


def statistics_table(statistics: JSONObject) -> str:
    """Columns of figures, set as pandas sets `describe()`."""
    shown = dict(list(statistics.items())[:_MAX_COLUMNS])
    blocks = [["", *MEASURES]]
    # A positive number keeps the place of its sign, and a heading stands over the digits.
    blocks += [[f" {name}", *_aligned([m[key] for key in MEASURES])] for name, m in shown.items()]
    widths = [max(map(len, block)) for block in blocks]
    lines = []
    for row in zip(*blocks, strict=True):
        first, *rest = row
        cells = [first.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append(" ".join(cells))
    if len(statistics) > _MAX_COLUMNS:
        lines.append(f"(e mais {len(statistics) - _MAX_COLUMNS} colunas numéricas)")
    return "\n".join(lines)


def _about(table: JSONObject) -> str:
    names = ", ".join(column["name"] for column in table["columns"])
    preview = csv_text(table["columns"], table["preview"])
    return f"Colunas: {names}\nRegistos: {table['rows']}\n\n{_FIRST}\n{preview}"


def _distribution(name: str, commonest: Sequence[JSONObject]) -> str:
    counts = {each["value"]: each["count"] for each in commonest}
    return f"  {name}: {counts}"


def _warnings(summary: JSONObject, language: Language) -> list[str]:
    said = [f"  {each}" for each in sentences(notes_of(summary), language)]
    several = len(summary["tables"]) > 1
    for table in summary["tables"]:
        sheet = f"{Wording('sheet').told(language)} «{table['sheet']}», " if several else ""
        said += [f"  {sheet}{each}" for each in sentences(notes_of(table), language)]
    if len(said) <= _MAX_WARNINGS:
        return said
    more = Wording("more_notes", count=len(said) - _MAX_WARNINGS)
    return [*said[:_MAX_WARNINGS], more.told(language)]


def _aligned(values: Sequence[float | None]) -> list[str]:
    """One column of numbers with the same number of decimals: as few as all of them need.

    Very large or very small ones turn the whole column to powers of ten.
    """
    numbers = [math.nan if value is None else float(value) for value in values]
    fixed = [_number(value, "f") for value in numbers]
    finite = [abs(value) for value in numbers if math.isfinite(value)]
    tiny = any(0 < value < 10**-_DIGITS for value in finite)
    huge = any(value > 1e6 for value in finite)
    if tiny or (huge and max(map(len, fixed)) > _DIGITS + 6):
        return [_number(value, "e") for value in numbers]
    while all(text.endswith("0") and not text.endswith(".0") for text in fixed if text != _NAN):
        fixed = [text if text == _NAN else text[:-1] for text in fixed]
    return fixed


def _number(value: float, style: str) -> str:
    return _NAN if math.isnan(value) else f"{value: .{_DIGITS}{style}}"


def _cut(line: str) -> str:
    return line if len(line) <= _MAX_LINE else line[: _MAX_LINE - 1] + "…"
