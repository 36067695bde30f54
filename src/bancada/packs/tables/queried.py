"""Figures that come from a query: the SELECT behind a chart, a table or a key figure.

The model names the query and never types the numbers. `consultar_dados` runs it, through the
gate, so who may ask, what is recorded and what is bounded are that tool's own; and a pinned
widget can be drawn again from the data as they are then.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from bancada import JSON, InnerCall, JSONObject, ToolContext, ToolFailed
from bancada.packs.tables import charts

QUERY = "consultar_dados"
REFUSED = ("disabled", "forbidden", "unknown_tool", "tool_not_allowed")

MAX_READ = 1_200
"""Characters of figures that the model reads back whole; of more it reads a summary."""
SUMMARY_ROWS = 3
SUMMARY_COLUMNS = 8
SUMMARY_TEXT = 60

EMPTY = "(vazio)"
MIDNIGHT = " 00:00:00"
_DAY = re.compile(r"\d{4}-\d{2}(-\d{2}|$)")
"""How a moment is written so that its text sorts as it does: `2026-02`, `2026-02-11 08:00`."""


def calls(input: JSONObject) -> Sequence[InnerCall]:
    """The query that a render tool is about to run: written by the model, so the agent needs it."""
    sql = input.get("sql")
    return [InnerCall(QUERY, {"sql": sql}, of_agent=True)] if sql else []


@dataclass(frozen=True)
class QueryAnswer:
    """What a query gave: at least one row."""

    columns: list[str]
    rows: list[list[JSON]]
    notes: tuple[str, ...] = ()
    """What was guessed of the columns behind the figures."""

    def numbers(self, index: int) -> list[float | None]:
        """A column of numbers, gaps included; `ToolFailed` where it holds anything else."""
        found = [row[index] for row in self.rows]
        for cell in found:
            if not (cell is None or _is_number(cell)):
                raise ToolFailed(
                    f"A coluna '{self.columns[index][:60]}' não é numérica (tem "
                    f"{_written(cell)[:60]!r}): a 1.ª coluna dá as etiquetas, as outras os valores."
                )
        return found


async def ask(context: ToolContext, sql: str, *, instead: str) -> QueryAnswer:
    """Run the query as the person who asks; `instead` says what to do where they may not."""
    outcome = await context.call(QUERY, {"sql": sql})
    if outcome.is_error:
        way_out = f" Sem 'sql', {instead}." if outcome.code in REFUSED else ""
        raise ToolFailed(f"{outcome.content}{way_out}")
    value = outcome.value
    if not isinstance(value, dict):
        raise ToolFailed("A consulta dá dados a mais: escolha menos colunas, ou agregue no SQL.")
    columns, rows = value["columns"], value["rows"]
    if value["truncated"]:
        total = value["total_rows"]
        many = f"mais de {len(rows)}" if total is None else str(total)
        raise ToolFailed(
            f"A consulta dá {many} linhas e cabem {len(rows)}: agregue no SQL, "
            "ou escolha as que contam com ORDER BY e LIMIT."
        )
    if not rows:
        raise ToolFailed("A consulta não deu nenhuma linha: reveja os filtros.")
    notes = tuple(note["text"] for note in value.get("notes", ()))
    return QueryAnswer(columns, [[_flat(cell) for cell in row] for row in rows], notes)


# ---------------------------------------------------------------------------- as a widget


def chart_data(kind: str, answer: QueryAnswer) -> tuple[list[str], list[JSONObject]]:
    """Labels and series: the first column names the points, every other one is a series."""
    if len(answer.columns) < 2:
        raise ToolFailed(
            "O gráfico precisa de pelo menos duas colunas, as etiquetas e os valores; "
            "a consulta dá uma."
        )
    if kind in charts.POINTS:
        return [], _points(kind, answer)
    series: list[JSONObject] = [
        {"label": _short(name), "data": answer.numbers(index)}
        for index, name in enumerate(answer.columns)
        if index > 0
    ]
    if all(value is None for one in series for value in one["data"]):
        raise ToolFailed("A consulta só dá valores vazios (NULL): não há nada para desenhar.")
    return _labels(answer), series


def figure(answer: QueryAnswer) -> tuple[JSON, list[float | int] | None]:
    """A key figure: the one cell; or of a row a moment, the last value, and all of them."""
    size = len(answer.rows), len(answer.columns)
    if size[1] == 2 and size[0] > 1:
        series = _in_time(answer)
        return series[-1], series
    if size != (1, 1):
        raise ToolFailed(
            f"Um KPI precisa de uma só célula; a consulta dá {size[0]} linhas e {size[1]} colunas. "
            "Com evolução: duas colunas, o momento e o valor, do mais antigo para o mais recente."
        )
    if answer.rows[0][0] is None:
        raise ToolFailed("A consulta deu um valor vazio (NULL): reveja os filtros.")
    return answer.rows[0][0], None


def _in_time(answer: QueryAnswer) -> list[float | int]:
    """The values in the order of their moments. In another order, the last would not be today's."""
    moments = [row[0] for row in answer.rows]
    numbers = all(_is_number(one) for one in moments)
    days = all(isinstance(one, str) and _DAY.match(one) for one in moments)
    ordered = (numbers or days) and all(before < after for before, after in pairwise(moments))
    if not ordered:
        raise ToolFailed(
            "Um KPI com evolução precisa de uma linha por momento (data ou número, sem repetir), "
            "do mais antigo para o mais recente: ORDER BY a 1.ª coluna."
        )
    found = answer.numbers(1)
    if any(one is None for one in found):
        raise ToolFailed("A evolução tem valores vazios (NULL): exclua-os, ou preencha-os no SQL.")
    return [one for one in found if one is not None]


def _points(kind: str, answer: QueryAnswer) -> list[JSONObject]:
    """Scatter: x, then a series of y for each column. Bubble: x, y and the radius."""
    columns = [answer.numbers(index) for index in range(len(answer.columns))]
    wanted: list[tuple[str, tuple[str, ...], list[list[float | None]]]]
    if kind == "bubble":
        if len(columns) != 3:
            raise ToolFailed(
                f"Um gráfico bubble precisa de três colunas, x, y e r; a consulta dá {len(columns)}."
            )
        wanted = [(answer.columns[1], ("x", "y", "r"), columns)]
    else:
        wanted = [
            (name, ("x", "y"), [columns[0], values])
            for name, values in zip(answer.columns[1:], columns[1:], strict=True)
        ]
    series: list[JSONObject] = [
        {
            "label": _short(name),
            # A point without one of its coordinates is nowhere.
            "data": [
                dict(zip(axes, point, strict=True))
                for point in zip(*values, strict=True)
                if None not in point
            ],
        }
        for name, axes, values in wanted
    ]
    if not all(one["data"] for one in series):
        raise ToolFailed("A consulta só dá valores vazios (NULL): não há nada para desenhar.")
    return series


def _labels(answer: QueryAnswer) -> list[str]:
    labels = [_written(row[0]) for row in answer.rows]
    if all(label.endswith(MIDNIGHT) for label in labels):  # days, which the engine calls moments
        labels = [label.removesuffix(MIDNIGHT) for label in labels]
    return [_short(label) for label in labels]


# ---------------------------------------------------------------------------- as the model reads it


def warnings(answer: QueryAnswer) -> JSONObject:
    """What the model must tell with the figures."""
    return {"avisos": list(answer.notes)} if answer.notes else {}


def read_back(answer: QueryAnswer) -> JSONObject:
    """The figures, which the model has not seen: all of a few, what matters of many."""
    whole: JSONObject = {"colunas": answer.columns, "dados": answer.rows}
    told = warnings(answer)
    if len(json.dumps(whole, ensure_ascii=False)) <= MAX_READ:
        return {**whole, **told}
    columns = answer.columns[:SUMMARY_COLUMNS]
    summary: JSONObject = {
        "linhas": len(answer.rows),
        "colunas": [_brief(name) for name in columns],
        "primeiras": [_brief_row(row) for row in answer.rows[:SUMMARY_ROWS]],
        "ultima": _brief_row(answer.rows[-1]),
    }
    if left := len(answer.columns) - len(columns):
        summary["mais_colunas"] = left
    numeric = {_brief(name): _extremes(answer, i) for i, name in enumerate(columns) if i > 0}
    summary["numeros"] = {name: found for name, found in numeric.items() if found}
    return {"resumo": summary, **told}


def _extremes(answer: QueryAnswer, index: int) -> JSONObject | None:
    """The sum of a column, and where it is lowest and highest; none where it is not of numbers."""
    known = [(row[index], row[0]) for row in answer.rows if row[index] is not None]
    if not known or not all(_is_number(value) for value, _ in known):
        return None
    (low, low_at), (high, high_at) = min(known, key=itemgetter(0)), max(known, key=itemgetter(0))
    return {
        "soma": float(f"{math.fsum(value for value, _ in known):.12g}"),
        "minimo": [low, _brief(low_at)],
        "maximo": [high, _brief(high_at)],
    }


def _brief_row(row: Sequence[JSON]) -> list[JSON]:
    return [_brief(cell) for cell in row[:SUMMARY_COLUMNS]]


def _brief(cell: JSON) -> JSON:
    return cell[:SUMMARY_TEXT] if isinstance(cell, str) else cell


# ---------------------------------------------------------------------------- cells


def _is_number(cell: JSON) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _flat(cell: JSON) -> JSON:
    """A cell that can be shown: a list or a struct of the engine as its text."""
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, list | dict) else cell


def _written(cell: JSON) -> str:
    if cell is None or cell == "":
        return EMPTY
    if isinstance(cell, bool):
        return "sim" if cell else "não"
    return f"{cell:.12g}" if isinstance(cell, float) else str(cell)


def _short(text: str) -> str:
    return text if len(text) <= charts.MAX_TEXT else f"{text[: charts.MAX_TEXT - 1]}…"
