"""Tools that count defects: how many, which most, per shift, and the Pareto of any column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from bancada import JSONObject, Result, Tool, ToolContext, tool
from bancada.packs.quality import charts
from bancada.packs.quality.arguments import NAMES, READ, Day, Text, meant
from bancada.packs.quality.cube import Cube, Filters
from bancada.packs.quality.logs import Logs
from bancada.packs.quality.words import percentage

VITAL = 80.0
"""Per cent: the categories that together reach it are the vital few of a Pareto."""

By = Literal["tipo_defeito", "turno", "operador", "material", "rack"]


def counting_tools(log: Logs, *, switched_off: str | None = None) -> Sequence[Tool]:
    """The tools, over the log of whoever asks."""

    @tool(allowed_callers=READ, switched_off=switched_off, literal=NAMES)
    async def contar_defeitos(
        context: ToolContext,
        tipo_defeito: Text = None,
        turno: Text = None,
        operador: Text = None,
        material: Text = None,
        data_inicio: Day = None,
        data_fim: Day = None,
    ) -> JSONObject:
        """Conta o número de defeitos registados, no total e por tipo. Sem filtros conta todos.

        Args:
            tipo_defeito: Tipo de defeito para filtrar, ex.: lixo.
            turno: Só deste turno: manha, tarde ou noite.
        """
        where = Filters(tipo_defeito, turno, operador, material, data_inicio, data_fim)

        def count(cube: Cube) -> JSONObject:
            by_type = cube.totals("tipo_defeito", meant(cube, where))
            return {"total": sum(by_type.values()), "por_tipo": by_type}

        value, asked = await log.ask(context, count)
        return asked.beside(value)

    @tool(allowed_callers=READ, switched_off=switched_off, literal=NAMES)
    async def top_defeitos(
        context: ToolContext,
        n: Annotated[int, Field(ge=1, le=100)] = 5,
        turno: Text = None,
        operador: Text = None,
        material: Text = None,
        data_inicio: Day = None,
        data_fim: Day = None,
    ) -> JSONObject:
        """Devolve os N tipos de defeito mais frequentes com percentagens.

        Args:
            n: Quantos tipos devolver.
        """
        where = Filters(None, turno, operador, material, data_inicio, data_fim)

        def rank(cube: Cube) -> JSONObject:
            by_type = cube.totals("tipo_defeito", meant(cube, where))
            whole = sum(by_type.values())
            top = [
                {"tipo": kind, "total": count, "percentagem": percentage(count, whole)}
                for kind, count in list(by_type.items())[:n]
            ]
            return {"top": top}

        value, asked = await log.ask(context, rank)
        return asked.beside(value)

    @tool(allowed_callers=READ, switched_off=switched_off, literal=NAMES)
    async def defeitos_por_turno(
        context: ToolContext,
        tipo_defeito: Text = None,
        operador: Text = None,
        material: Text = None,
        data_inicio: Day = None,
        data_fim: Day = None,
    ) -> JSONObject:
        """Devolve o número de defeitos em cada turno (manhã, tarde, noite)."""
        where = Filters(tipo_defeito, None, operador, material, data_inicio, data_fim)

        def count(cube: Cube) -> JSONObject:
            return {"por_turno": cube.totals("turno", meant(cube, where))}

        value, asked = await log.ask(context, count)
        return asked.beside(value)

    @tool(allowed_callers=READ, switched_off=switched_off, literal=NAMES)
    async def pareto_defeitos(
        context: ToolContext,
        por: By = "tipo_defeito",
        tipo_defeito: Text = None,
        turno: Text = None,
        operador: Text = None,
        material: Text = None,
        data_inicio: Day = None,
        data_fim: Day = None,
    ) -> Result:
        """Análise de Pareto: totais, percentagens acumuladas, as causas vitais (80%) e o gráfico.

        Args:
            por: Coluna a analisar.
        """
        where = Filters(tipo_defeito, turno, operador, material, data_inicio, data_fim)

        def count(cube: Cube) -> dict[str, int]:
            return cube.totals(por, meant(cube, where))

        counts, asked = await log.ask(context, count)
        value = asked.beside(pareto(counts))
        title = f"Pareto de defeitos por {por.removesuffix('_defeito')}"
        widgets = asked.on([charts.pareto(title, value["pareto"])] if counts else [])
        return Result(value=value, widgets=widgets)

    return contar_defeitos, top_defeitos, defeitos_por_turno, pareto_defeitos


def pareto(counts: dict[str, int]) -> JSONObject:
    """Shares and running shares of counts that come largest first.

    A category is vital while the ones before it do not reach `VITAL`; sums are of counts, so
    the last running share is exactly 100.
    """
    whole = sum(counts.values())
    rows: list[JSONObject] = []
    vital: list[str] = []
    running = 0
    for category, count in counts.items():
        if 100 * running < VITAL * whole:
            vital.append(category)
        running += count
        rows.append(
            {
                "categoria": category,
                "total": count,
                "percentagem": percentage(count, whole),
                "acumulada": percentage(running, whole),
            }
        )
    return {"total": whole, "pareto": rows, "vitais": vital}
