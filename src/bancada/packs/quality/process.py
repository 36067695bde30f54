"""Process control tools: X̄-R and p charts, and capability.

Each takes measurements from its arguments; without any, it uses the defect log by day.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, WithJsonSchema

from bancada import BrokenRule, JSONObject, Result, Tool, ToolContext, ToolFailed, tool
from bancada.packs.quality import charts, control
from bancada.packs.quality.arguments import READ, Day, Number, Text
from bancada.packs.quality.cube import Dimension, Filters
from bancada.packs.quality.days import Days, days_of
from bancada.packs.quality.logs import GIVEN, CountedFrom, Logs, NoLog
from bancada.packs.quality.words import tidy

MOST_VALUES = 5_000
MOST_GROUPS = 500
LARGEST = 1e100
"""Of a measurement: far beyond it the squares of differences are no numbers any more."""
MOST_INSPECTED = 10**15
CAPABLE, SHORT = 1.33, 1.0
"""Cpk from which a process is usually called capable, and below which it is not."""

Values = Annotated[
    list[float] | None,
    WithJsonSchema(
        {"type": ["array", "null"], "items": {"type": "number"}, "maxItems": MOST_VALUES}
    ),
]
Groups = Annotated[
    list[list[float]] | None,
    WithJsonSchema(
        {
            "type": ["array", "null"],
            "items": {"type": "array", "items": {"type": "number"}},
            "maxItems": MOST_GROUPS,
        }
    ),
]
Counts = Annotated[
    list[int] | None,
    WithJsonSchema(
        {
            "type": ["array", "null"],
            "items": {"type": "integer", "minimum": 0},
            "maxItems": MOST_GROUPS,
        }
    ),
]
Heading = Annotated[str, Field(max_length=150)]

ALL_EQUAL = "Os valores são todos iguais: sem variação não há índice de capacidade."


def process_tools(log: Logs) -> Sequence[Tool]:
    """The tools; without a log they work on what they are given."""

    async def by_day(
        context: ToolContext, column: Dimension, data_inicio: Day, data_fim: Day
    ) -> tuple[Days, CountedFrom]:
        where = Filters(data_inicio=data_inicio, data_fim=data_fim)
        try:
            return await log.ask(context, lambda cube: days_of(cube, column, where))
        except NoLog:
            raise ToolFailed(
                "Não há registo de defeitos: indique os dados nos argumentos."
            ) from None

    @tool(allowed_callers=READ)
    async def carta_controlo_xr(
        context: ToolContext,
        subgrupos: Groups = None,
        titulo: Heading = "Carta de controlo X̄-R",
        data_inicio: Day = None,
        data_fim: Day = None,
    ) -> Result:
        """Carta de controlo X̄-R: limites, regras Western Electric e gráficos.

        Args:
            subgrupos: Medições por subgrupo, todos do mesmo tamanho (2 a 25). Sem eles usa os defeitos por dia (subgrupo: turnos).
        """
        asked = GIVEN
        if subgrupos:
            source, groups = "subgrupos indicados", subgrupos
            labels = _numbers(groups)
        else:
            days, asked = await by_day(context, "turno", data_inicio, data_fim)
            source = f"defeitos por dia; subgrupo: turnos ({', '.join(days.columns)})"
            labels, groups = days.names, [[float(count) for count in row] for row in days.rows]
        _check_groups(groups)
        x_chart, r_chart = control.xbar_r(groups)
        value: JSONObject = {
            "dados": source,
            "subgrupos": len(groups),
            "tamanho": len(groups[0]),
            "xbarra": _limits(x_chart),
            "r": _limits(r_chart),
            "sinais": [*_signals("xbarra", x_chart, labels), *_signals("r", r_chart, labels)],
            "sob_controlo": not (x_chart.signals or r_chart.signals),
        }
        return Result(
            value=asked.beside(value),
            widgets=asked.on(
                [
                    charts.control_chart(f"{titulo} — médias", labels, x_chart),
                    charts.control_chart(f"{titulo} — amplitudes", labels, r_chart),
                ]
            ),
            broken=[*_broken("X̄", x_chart, labels), *_broken("R", r_chart, labels)],
        )

    @tool(allowed_callers=READ)
    async def carta_controlo_p(
        context: ToolContext,
        defeituosos: Counts = None,
        inspecionados: Counts = None,
        tipo_defeito: Text = None,
        titulo: Heading = "Carta de controlo p",
        data_inicio: Day = None,
        data_fim: Day = None,
    ) -> Result:
        """Carta de controlo p (proporção): limites, regras Western Electric e gráfico.

        Args:
            defeituosos: Defeituosos em cada amostra.
            inspecionados: Inspecionados em cada amostra.
            tipo_defeito: Sem amostras, a proporção deste tipo nos defeitos de cada dia; por omissão o mais frequente.
        """
        asked = GIVEN
        if defeituosos or inspecionados:
            source = "amostras indicadas"
            some, of = defeituosos or [], inspecionados or []
            labels = _numbers(of)
        else:
            days, asked = await by_day(context, "tipo_defeito", data_inicio, data_fim)
            kind = tipo_defeito or days.columns[0]
            source = f"proporção de '{kind}' nos defeitos de cada dia"
            labels, some, of = days.names, days.counts_of(kind), days.totals()
        _check_samples(some, of)
        found = control.p_chart(some, of)
        value: JSONObject = {
            "dados": source,
            "amostras": len(of),
            "p_medio": tidy(found.centre),
            "p": [tidy(point) for point in found.points],
            "lsc": [tidy(limit) for limit in found.upper],
            "lic": [tidy(limit) for limit in found.lower],
            "sinais": _signals("p", found, labels),
            "sob_controlo": not found.signals,
        }
        return Result(
            value=asked.beside(value),
            widgets=asked.on([charts.control_chart(titulo, labels, found)]),
            broken=_broken("p", found, labels),
        )

    @tool(allowed_callers=READ)
    async def capacidade(
        context: ToolContext,
        limite_inferior: Number = None,
        limite_superior: Number = None,
        valores: Values = None,
        subgrupos: Groups = None,
        titulo: Heading = "Capacidade do processo",
        data_inicio: Day = None,
        data_fim: Day = None,
    ) -> Result:
        """Capacidade do processo (Cp, Cpk, Pp, Ppk) face a um ou dois limites de especificação, e histograma.

        Args:
            valores: Medições individuais. Sem valores nem subgrupos usa o total de defeitos por dia.
            subgrupos: Medições por subgrupo; Cp e Cpk usam então a variação dentro dos subgrupos.
        """
        _check_limits(limite_inferior, limite_superior)
        asked = GIVEN
        if subgrupos:
            source, groups = "subgrupos indicados", subgrupos
            _check_groups(groups)
        elif valores:
            source, groups = "valores indicados", [[value] for value in valores]
        else:
            days, asked = await by_day(context, "turno", data_inicio, data_fim)
            source, groups = "defeitos por dia", [[float(total)] for total in days.totals()]
        values = [value for group in groups for value in group]
        _check_values(values)
        try:
            found = control.capability(groups, limite_inferior, limite_superior)
        except control.NoSpread as error:
            raise ToolFailed(
                "Dentro dos subgrupos não há variação: sem ela não há Cp nem Cpk. "
                "Indique as mesmas medições em 'valores'."
                if subgrupos
                else ALL_EQUAL
            ) from error
        return Result(
            value=asked.beside(_capability(source, found)),
            widgets=asked.on([charts.histogram(titulo, values, limite_inferior, limite_superior)]),
        )

    return carta_controlo_xr, carta_controlo_p, capacidade


def _numbers(samples: Sequence[object]) -> list[str]:
    return [str(number) for number in range(1, len(samples) + 1)]


def _limits(chart: control.ControlChart) -> JSONObject:
    return {
        "media": tidy(chart.centre),
        "lsc": tidy(chart.upper[0]),
        "lic": tidy(chart.lower[0]),
        "pontos": [tidy(point) for point in chart.points],
    }


def _signals(name: str, chart: control.ControlChart, labels: Sequence[str]) -> list[JSONObject]:
    return [
        {
            "carta": name,
            "regra": signal.rule,
            "descricao": control.RULES[signal.rule],
            "pontos": [labels[number - 1] for number in signal.points],
        }
        for signal in chart.signals
    ]


def _broken(name: str, chart: control.ControlChart, labels: Sequence[str]) -> list[BrokenRule]:
    return [
        BrokenRule(
            chart=name,
            rule=signal.rule,
            times=1,
            points=(tuple(labels[number - 1] for number in signal.points),),
        )
        for signal in chart.signals
    ]


def _capability(source: str, found: control.Capability) -> JSONObject:
    def index(value: float | None) -> float | None:
        return None if value is None else tidy(value)

    return {
        "dados": source,
        "n": found.count,
        "media": tidy(found.mean),
        "desvio_padrao": tidy(found.overall),
        "sigma": tidy(found.sigma),
        "cp": index(found.cp),
        "cpk": index(found.cpk),
        "pp": index(found.pp),
        "ppk": index(found.ppk),
        "fora_de_especificacao": found.outside,
        "ppm_esperado": tidy(found.expected_ppm),
        "avaliacao": _verdict(found.cpk),
    }


def _verdict(cpk: float) -> str:
    if cpk >= CAPABLE:
        return "capaz"
    return "marginal" if cpk >= SHORT else "não capaz"


def _measurable(value: float) -> bool:
    return math.isfinite(value) and abs(value) <= LARGEST


def _check_groups(groups: Sequence[Sequence[float]]) -> None:
    size = len(groups[0])
    if len(groups) < 2:
        raise ToolFailed("São precisos pelo menos dois subgrupos.")
    if len(groups) > MOST_GROUPS:
        raise ToolFailed(f"Demasiados subgrupos: {len(groups)}; o máximo é {MOST_GROUPS}.")
    if not 2 <= size <= control.LARGEST_SUBGROUP:
        raise ToolFailed(
            f"O subgrupo 1 tem {size} valores; o tamanho vai de 2 a {control.LARGEST_SUBGROUP}."
        )
    for number, group in enumerate(groups, start=1):
        if len(group) != size:
            raise ToolFailed(
                f"O subgrupo {number} tem {len(group)} valores e o primeiro tem {size}; "
                "devem ser todos do mesmo tamanho."
            )
        if not all(map(_measurable, group)):
            raise ToolFailed(
                f"O subgrupo {number} tem um valor que não é um número finito até {LARGEST:g}."
            )


def _check_samples(defective: Sequence[int], inspected: Sequence[int]) -> None:
    if len(defective) != len(inspected):
        raise ToolFailed(
            f"Há {len(defective)} valores em 'defeituosos' e {len(inspected)} em 'inspecionados'; "
            "devem ser tantos uns como outros."
        )
    if len(inspected) < 2:
        raise ToolFailed("São precisas pelo menos duas amostras.")
    for number, (some, of) in enumerate(zip(defective, inspected, strict=True), start=1):
        if of > MOST_INSPECTED:
            raise ToolFailed(f"Amostra {number}: o máximo é {MOST_INSPECTED:.0e} inspecionados.")
        if of < 1 or not 0 <= some <= of:
            raise ToolFailed(
                f"Amostra {number}: {some} defeituosos em {of} inspecionados não é possível."
            )


def _check_limits(lower: float | None, upper: float | None) -> None:
    if lower is None and upper is None:
        raise ToolFailed("Indique limite_inferior, limite_superior ou ambos.")
    if not all(_measurable(limit) for limit in (lower, upper) if limit is not None):
        raise ToolFailed(f"Os limites são números até {LARGEST:g}.")
    if lower is not None and upper is not None and lower >= upper:
        raise ToolFailed(
            f"limite_inferior ({lower:g}) tem de ser menor do que limite_superior ({upper:g})."
        )


def _check_values(values: Sequence[float]) -> None:
    if len(values) < 2 or not all(map(_measurable, values)):
        raise ToolFailed(
            f"São precisos pelo menos dois valores, todos números finitos até {LARGEST:g}."
        )
    if len(values) > MOST_VALUES:
        raise ToolFailed(f"Demasiados valores: {len(values)}; o máximo é {MOST_VALUES}.")
    if max(values) - min(values) < 1 / LARGEST:
        raise ToolFailed(ALL_EQUAL)
