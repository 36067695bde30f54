"""Charts, tables and key figures of what was found.

Each is given the query and not the numbers, so that one kept on a dashboard can be drawn again
from the data as they are then.
"""

from __future__ import annotations

from collections.abc import Sequence

from bancada import JSON, JSONObject, Language, Step
from bancada.packs.tables.questions import sql
from bancada.packs.tables.questions.question import Form, TableQuestion
from bancada.packs.tables.questions.wording import as_number, title, where

MOST_POINTS = 60
MOST_SERIES = 8
MOST_ROWS = 200
TOOLS = {"chart": "gerar_grafico", "table": "gerar_tabela", "kpi": "gerar_kpi"}
TITLE = 200


def shown(question: TableQuestion, found: JSONObject, language: Language) -> Step | None:
    """The call that shows a result in the form that was asked for."""
    rows: list[list[JSON]] = found["rows"]
    if not rows or (question.form is None and question.kind != "sample"):
        return None
    if question.kind == "sample":
        return _step("table", question, language, sql.sample(question))
    if question.form is None or question.kind != "figures":
        return None
    if not question.groups:
        return _single(question, question.form, rows[0], language)
    if question.form.widget == "chart" and _drawable(question, rows):
        return _chart(question, question.form, rows, language)
    return _step("table", question, language, sql.shown(question, language, limit=MOST_ROWS))


def _single(
    question: TableQuestion, form: Form, row: Sequence[JSON], language: Language
) -> Step | None:
    """One number has no bars: it is a key figure. Several are a small table."""
    if all(value is None for value in row[: len(question.measures)]):
        return None
    query = sql.shown(question, language, limit=None)
    if len(question.measures) > 1 or form.widget == "table":
        return _step("table", question, language, query)
    about = f"{question.table.title}{where(question, language)}"[:TITLE]
    return _step("kpi", question, language, query, descricao=about)


def _chart(
    question: TableQuestion, form: Form, rows: Sequence[Sequence[JSON]], language: Language
) -> Step:
    first = question.groups[0]
    kind = form.chart or ("line" if first.in_time and first.unit != "weekday" else "bar")
    if len(question.groups) == 1:
        query = sql.shown(question, language, limit=MOST_POINTS)
    else:
        kinds = sorted({str(row[1]) for row in rows})[:MOST_SERIES]
        query = sql.series(question, language, kinds, limit=MOST_POINTS)
    return _step("chart", question, language, query, tipo=kind)


def _drawable(question: TableQuestion, rows: Sequence[Sequence[JSON]]) -> bool:
    """Whether there are numbers to draw, in one or two dimensions."""
    at, several = len(question.groups), len(question.measures) > 1
    if at > 2 or (at == 2 and several):
        return False
    return any(as_number(row[at]) is not None for row in rows)


def _step(kind: str, question: TableQuestion, language: Language, query: str, **more: str) -> Step:
    input: JSONObject = {**more, "titulo": title(question, language)[:TITLE], "sql": query}
    return Step(tool=TOOLS[kind], input=input)
