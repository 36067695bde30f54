"""Tools that show something: charts, tables, key figures and kept dashboards.

What the person sees travels as a widget. The model reads one short line: it wrote the data
itself a moment ago, and would pay for it again with every later request. Of data that a query
gave, which it has not seen, it reads what it needs to speak about them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from bancada import (
    JSON,
    JSONObject,
    Result,
    Services,
    Tool,
    ToolContext,
    ToolFailed,
    Widget,
    plain,
    tool,
)
from bancada.packs.tables import charts, queried
from bancada.packs.tables.arguments import Text, Title

MAX_COLUMNS = 50
MAX_ROWS = 1_000
MAX_CELL = 500
MAX_SERIES = 400
"""Values behind a key figure: a year of days."""
MAX_HTML = 500_000
"""Characters. A dashboard that needs more holds data it should query."""

Labels = Annotated[
    list[str | int | float],
    WithJsonSchema({"type": "array", "items": {"type": ["string", "number"]}}),
]
Figures = Annotated[
    list[int | float | None] | None,
    WithJsonSchema({"type": ["array", "null"], "items": {"type": ["number", "null"]}}),
]
Datasets = Annotated[
    list[dict[str, Any]] | None,
    WithJsonSchema({"type": ["array", "null"], "items": {"type": "object"}}),
]
Options = Annotated[dict[str, Any] | None, WithJsonSchema({"type": ["object", "null"]})]
Columns = Annotated[
    list[str] | None, WithJsonSchema({"type": ["array", "null"], "items": {"type": "string"}})
]
Rows = Annotated[
    list[list[Any] | dict[str, Any]] | None,
    WithJsonSchema({"type": ["array", "null"], "items": {"type": ["array", "object"]}}),
]
Good = Annotated[
    Literal["subida", "descida"] | None, WithJsonSchema({"enum": ["subida", "descida", None]})
]
Series = Annotated[
    list[float | int] | None,
    WithJsonSchema({"type": ["array", "null"], "items": {"type": "number"}}),
]
Value = Annotated[float | int | str | None, WithJsonSchema({"type": ["number", "string", "null"]})]


def render_tools(services: Services) -> Sequence[Tool]:
    """The tools; dashboards are kept by the installation."""

    @tool(category="dashboard", effect="write", own_shelf=True)
    async def gerar_dashboard(
        context: ToolContext,
        titulo: Title,
        html: Annotated[str, Field(min_length=1, max_length=MAX_HTML)],
    ) -> Result:
        """Guarda um dashboard HTML persistente e devolve o seu endereço.

        Args:
            html: Só o conteúdo do body, sem script. Gráficos: <canvas data-chart='{configuração Chart.js em JSON}'></canvas>. Classes: kpi-card, chart-container, data-table, dashboard-grid, dashboard-row, section-title.
        """
        kept = await services.dashboards.keep(context, titulo=titulo, html=html)
        return Result(
            value={"status": "ok", "url": kept["url"]},
            widgets=[
                Widget(
                    kind="dashboard",
                    data={"widget": "dashboard", **{k: kept[k] for k in ("id", "url", "titulo")}},
                )
            ],
        )

    return gerar_grafico, gerar_tabela, gerar_kpi, gerar_dashboard


@tool(category="render", calls=queried.calls)
async def gerar_grafico(
    context: ToolContext,
    tipo: charts.Kind,
    titulo: Title,
    labels: Labels = [],  # noqa: B006 - read only, and the schema shows it
    valores: Figures = None,
    datasets: Datasets = None,
    opcoes: Options = None,
    sql: Text = None,
) -> Result:
    """Mostra um gráfico Chart.js no chat.

    Args:
        labels: Etiquetas, uma por valor.
        valores: Os valores, quando há uma só série.
        datasets: Várias séries do Chart.js: [{label, data}].
        opcoes: Opções do Chart.js, ex.: {"indexAxis": "y"}.
        sql: SELECT (de consultar_dados) em vez de números: etiquetas e séries.
    """
    if not sql:
        series = list(datasets or [])
        if valores is not None:
            series.insert(0, {"label": titulo, "data": valores})
        widget = charts.chart(tipo, titulo, labels, series, opcoes)
        return _shown(widget, tipo=tipo, titulo=titulo)
    _only_sql(labels=labels, valores=valores, datasets=datasets)
    found = await queried.ask(context, sql, instead="indique 'labels' e 'valores'")
    widget = charts.chart(tipo, titulo, *queried.chart_data(tipo, found), opcoes)
    return _shown(widget, tipo=tipo, titulo=titulo, **queried.read_back(found))


@tool(category="render", calls=queried.calls)
async def gerar_tabela(
    context: ToolContext,
    titulo: Title,
    colunas: Columns = None,
    linhas: Rows = None,
    sql: Text = None,
) -> Result:
    """Mostra uma tabela no chat.

    Args:
        linhas: Uma lista de células por linha, na ordem das colunas.
        sql: SELECT (de consultar_dados) em vez de linhas.
    """
    if not sql:
        if colunas is None or linhas is None:
            raise ToolFailed("A tabela não tem dados: indique 'colunas' e 'linhas', ou 'sql'.")
        return _shown(_table(titulo, colunas, linhas), titulo=titulo, linhas=len(linhas))
    _only_sql(colunas=colunas, linhas=linhas)
    found = await queried.ask(context, sql, instead="indique 'colunas' e 'linhas'")
    widget = _table(titulo, found.columns, found.rows)
    return _shown(widget, titulo=titulo, linhas=len(found.rows), **queried.read_back(found))


@tool(category="render", calls=queried.calls)
async def gerar_kpi(
    context: ToolContext,
    titulo: Title,
    valor: Value = None,
    unidade: Text = None,
    tendencia: Text = None,
    descricao: Text = None,
    melhor: Good = None,
    serie: Series = None,
    sql: Text = None,
) -> Result:
    """Mostra um indicador (KPI) em destaque no chat.

    Args:
        tendencia: Variação, ex.: +5% ou descida.
        melhor: O sentido que é bom.
        serie: Evolução até ao valor, do mais antigo ao mais recente.
        sql: SELECT (de consultar_dados) em vez de valor: uma célula, ou momento e valor por ordem.
    """
    told: JSONObject = {}
    if sql:
        _only_sql(valor=valor, serie=serie)
        found = await queried.ask(context, sql, instead="indique 'valor'")
        (valor, serie), told = queried.figure(found), queried.warnings(found)
    elif valor is None:
        raise ToolFailed("O KPI não tem valor: indique 'valor' ou 'sql'.")
    widget = _kpi(titulo, valor, unidade, tendencia, descricao, melhor, serie)
    return _shown(widget, titulo=titulo, valor=widget.data["valor"], **told)


def _kpi(
    titulo: str,
    valor: JSON,
    unidade: str | None = None,
    tendencia: str | None = None,
    descricao: str | None = None,
    melhor: str | None = None,
    serie: Sequence[float | int] | None = None,
) -> Widget:
    data: JSONObject = {"widget": "kpi", "titulo": titulo, "valor": _cell(valor, "valor")}
    for name, text in (("unidade", unidade), ("tendencia", tendencia), ("descricao", descricao)):
        if text:
            data[name] = text[:MAX_CELL]
    if tendencia:
        data["direcao"] = direction(tendencia)
    if melhor:
        data["melhor"] = melhor
    if serie:
        data["serie"] = _series(serie, data["valor"])
    if serie and not tendencia:
        data["direcao"] = _way(data["serie"])
    return Widget(kind="kpi", data=data)


def _series(values: Sequence[float | int], value: JSON) -> list[JSON]:
    if not 2 <= len(values) <= MAX_SERIES or not all(math.isfinite(one) for one in values):
        raise ToolFailed(f"A 'serie' tem de 2 a {MAX_SERIES} números; tem {len(values)}.")
    if isinstance(value, int | float) and value != values[-1]:
        raise ToolFailed(
            f"A 'serie' acaba em {values[-1]} e o valor é {value}: o último da série é o valor."
        )
    return list(values)


def _way(series: Sequence[Any]) -> str:
    before, now = series[-2:]
    return "subida" if now > before else "descida" if now < before else "estavel"


def _only_sql(**constants: JSON) -> None:
    """The data come from one place; an empty list beside a query is nothing said."""
    given = [name for name, value in constants.items() if value not in (None, [], "")]
    if given:
        raise ToolFailed(f"Indique 'sql' ou '{given[0]}', não ambos: os dados vêm de um só lado.")


def _table(
    titulo: str, columns: Sequence[str], rows: Sequence[list[Any] | dict[str, Any]]
) -> Widget:
    if not 1 <= len(columns) <= MAX_COLUMNS:
        raise ToolFailed(f"A tabela tem {len(columns)} colunas; pode ter de 1 a {MAX_COLUMNS}.")
    if len(rows) > MAX_ROWS:
        raise ToolFailed(
            f"A tabela tem {len(rows)} linhas; o máximo é {MAX_ROWS}. Mostre as mais relevantes."
        )
    lines = [_row(row, columns, number) for number, row in enumerate(rows, start=1)]
    return Widget.table(titulo, [name[:MAX_CELL] for name in columns], lines)


def direction(trend: str) -> str:
    """Which way a trend points: `subida`, `descida` or `estavel`."""
    words = set(re.findall(r"[^\W_]+", plain(trend)))
    if trend.lstrip()[:1] in ("-", "−", "↓", "▼") or words & {"descida", "desce", "baixa", "down"}:
        return "descida"
    if trend.lstrip()[:1] in ("+", "↑", "▲") or words & {"subida", "sobe", "alta", "up"}:
        return "subida"
    return "estavel"


def _shown(widget: Widget, **said: JSON) -> Result:
    """The whole widget for the person and for events; a line of it for the model."""
    brief = {"widget": widget.kind, **said, "mostrado": True}
    return Result(
        value=widget.data,
        content=json.dumps(brief, ensure_ascii=False),
        widgets=[widget],
    )


def _row(row: list[Any] | dict[str, Any], columns: Sequence[str], number: int) -> list[JSON]:
    cells = [row.get(name) for name in columns] if isinstance(row, dict) else row
    if isinstance(row, dict) and (unknown := set(row) - set(columns)):
        raise ToolFailed(f"Linha {number}: a coluna '{min(unknown)[:40]}' não existe na tabela.")
    if len(cells) != len(columns):
        raise ToolFailed(f"A linha {number} tem {len(cells)} células para {len(columns)} colunas.")
    return [_cell(cell, f"Linha {number}") for cell in cells]


def _cell(cell: JSON, where: str) -> JSON:
    if isinstance(cell, str):
        return re.sub(r"\s+", " ", cell)[:MAX_CELL]
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    if cell is None or isinstance(cell, bool | int | float):
        return cell
    raise ToolFailed(f"{where}: uma célula é um texto, um número ou vazia.")


# ---------------------------------------------------------------------------- data from outside


def _given(kind: str, data: JSONObject, tool: Tool, *fields: str) -> JSONObject:
    """A widget's fields in the form the tool's own schema asks for."""
    if data.get("widget") != kind:
        raise ToolFailed(f"widget: espera-se '{kind}'.")
    if unknown := sorted(set(data) - {"widget", *fields}):
        raise ToolFailed(f"O campo '{unknown[0][:40]}' não é conhecido.")
    given = {name: data[name] for name in fields if name in data and name in tool.parameters}
    if problem := tool.validator.problem(given):
        raise ToolFailed(str(problem))
    return given


def _given_chart(data: JSONObject) -> JSONObject:
    given = _given("chart", data, gerar_grafico, "tipo", "titulo", "labels", "datasets", "opcoes")
    return charts.chart(
        given["tipo"],
        given["titulo"],
        given.get("labels", ()),
        given.get("datasets") or (),
        given.get("opcoes"),
    ).data


def _given_table(data: JSONObject) -> JSONObject:
    given = _given("table", data, gerar_tabela, "titulo", "colunas", "linhas")
    return _table(given["titulo"], given.get("colunas") or (), given.get("linhas") or ()).data


def _given_kpi(data: JSONObject) -> JSONObject:
    fields = ("titulo", "valor", "unidade", "tendencia", "descricao", "direcao", "melhor", "serie")
    given = _given("kpi", data, gerar_kpi, *fields)
    if given.get("valor") is None:
        raise ToolFailed("O KPI não tem valor.")
    return _kpi(**given).data


WIDGETS: Mapping[str, Callable[[JSONObject], JSONObject]] = {
    "chart": _given_chart,
    "table": _given_table,
    "kpi": _given_kpi,
}
"""What a client may pin, checked as if one of the tools had drawn it."""
