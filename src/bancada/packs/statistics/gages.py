"""The tools for a measurement system (gage R&R) and for Pareto's order of any column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from bancada import (
    JSONObject,
    Language,
    Result,
    Services,
    Tool,
    ToolContext,
    ToolFailed,
    Widget,
    tool,
)
from bancada.packs.statistics.asked import (
    READ,
    Heading,
    Number,
    Studies,
    Text,
    calls,
    column,
    given,
)
from bancada.packs.statistics.drawing import versioned
from bancada.packs.statistics.figures import listed, number, tidy

GOOD, POOR = 10.0, 30.0
"""Percent of the study variation up to which a gage is usually accepted, and beyond which it is not."""
ENOUGH = 5
"""Distinct categories a gage should tell apart."""
VITAL = 80.0
_SOURCES: dict[str, dict[Language, str]] = {
    "gage": {"pt": "R&R total", "en": "Total gage R&R"},
    "repeatability": {"pt": "Repetibilidade", "en": "Repeatability"},
    "reproducibility": {"pt": "Reprodutibilidade", "en": "Reproducibility"},
    "operators": {"pt": "  Operador", "en": "  Operator"},
    "crossed": {"pt": "  Operador × peça", "en": "  Operator × part"},
    "parts": {"pt": "Peça a peça", "en": "Part to part"},
    "total": {"pt": "Variação total", "en": "Total variation"},
}
_ROWS: dict[str, dict[Language, str]] = {
    "parts": {"pt": "Peça", "en": "Part"},
    "operators": {"pt": "Operador", "en": "Operator"},
    "mixed": {"pt": "Peça × operador", "en": "Part × operator"},
    "error": {"pt": "Repetibilidade", "en": "Repeatability"},
}
_VERDICT: dict[str, dict[Language, str]] = {
    "aceitável": {"pt": "aceitável", "en": "acceptable"},
    "condicional": {"pt": "aceitável conforme o uso", "en": "acceptable depending on its use"},
    "inaceitável": {"pt": "não aceitável", "en": "not acceptable"},
}


def gage_tools(services: Services) -> Sequence[Tool]:
    """The tools; without a jail they are switched off, with the reason."""
    studies = Studies(services)
    missing = services.jail.missing
    off = f"estudos desligados nesta máquina: {missing}" if missing else None

    @tool(
        allowed_callers=READ, outside_content=True, reads_files=True, calls=calls, switched_off=off
    )
    async def estudo_rr(
        context: ToolContext,
        coluna: str,
        peca: str,
        operador: str,
        tabela: Text = None,
        sql: Text = None,
        tolerancia: Number = None,
        omitir_vazios: bool = False,
        titulo: Heading = None,
    ) -> Result:
        """Estudo R&R do sistema de medição (cruzado, ANOVA): repetibilidade, reprodutibilidade e veredito.

        Args:
            coluna: A coluna das medições.
            peca: Coluna que diz a peça medida.
            operador: Coluna que diz quem mediu.
            tolerancia: Limite superior menos inferior, para a percentagem da tolerância.
            sql: SELECT (de consultar_dados) em vez de tabela.
        """
        source = given(context, tabela, sql)
        if tolerancia is not None and not (math.isfinite(tolerancia) and tolerancia > 0):
            raise ToolFailed("tolerancia > 0.")
        asked: JSONObject = {
            "value": coluna,
            "part": peca,
            "operator": operador,
            "leave_out": omitir_vazios,
        }
        found, notes = await studies.make(context, "gage", source, asked)
        variances = found["variances"]
        total = math.sqrt(variances["total"])
        components: dict[str, JSONObject] = {
            name: {
                "variancia": tidy(one),
                "contribuicao": tidy(100 * one / variances["total"]),
                "desvio_padrao": tidy(math.sqrt(one)),
                "variacao_estudo": tidy(6 * math.sqrt(one)),
                "percent_estudo": tidy(100 * math.sqrt(one) / total),
                "percent_tolerancia": tidy(600 * math.sqrt(one) / tolerancia)
                if tolerancia
                else None,
            }
            for name, one in variances.items()
        }
        share = components["gage"]["percent_estudo"]
        value: JSONObject = {
            "dados": source.told(coluna),
            "pecas": found["parts"],
            "operadores": found["operators"],
            "repeticoes": found["trials"],
            "interacao": found["interaction"],
            "anova": found["table"],
            "componentes": components,
            "categorias_distintas": found["categories"],
            "avaliacao": "aceitável"
            if share < GOOD
            else "condicional"
            if share <= POOR
            else "inaceitável",
            "em_falta": found["missing"],
            "versao_dados": found["versions"],
            "avisos": notes,
        }
        value["leitura"] = gage_told(value, context.language)
        language = context.language
        heading = titulo or f"R&R: {source.told(coluna)}"
        return Result(
            value=value,
            widgets=versioned(_gage_widgets(heading, found, value, language), found["versions"]),
        )

    @tool(
        allowed_callers=READ, outside_content=True, reads_files=True, calls=calls, switched_off=off
    )
    async def pareto_tabela(
        context: ToolContext,
        coluna: Text = None,
        tabela: Text = None,
        sql: Text = None,
        somar: Text = None,
        segundo: Text = None,
        omitir_vazios: bool = False,
        titulo: Heading = None,
    ) -> Result:
        """Pareto dos valores de uma coluna de uma tabela, com um segundo nível.

        Args:
            coluna: A coluna das categorias.
            somar: Coluna a somar por categoria; sem ela conta linhas.
            segundo: Coluna pela qual cada categoria se divide.
            sql: SELECT (de consultar_dados) em vez de tabela.
        """
        source = given(context, tabela, sql)
        name = column(context, source, coluna)
        asked: JSONObject = {
            "value": name,
            "weight_column": somar,
            "second": segundo,
            "leave_out": omitir_vazios,
        }
        found, notes = await studies.make(context, "pareto", source, asked)
        total = found["total"]
        running = list(accumulate(n for _, n in found["rows"]))
        rows: list[JSONObject] = [
            {"categoria": k, "total": tidy(n), "acumulada": tidy(round(100 * so_far / total, 4))}
            for (k, n), so_far in zip(found["rows"], running, strict=True)
        ]
        vital = sum(row["acumulada"] < VITAL for row in rows) + 1
        value: JSONObject = {
            "dados": source.told(name),
            "total": tidy(total),
            "categorias": found["categories"],
            "outras": tidy(found["others"]),
            "pareto": rows,
            "vitais": [row["categoria"] for row in rows[:vital]],
            "segundo": segundo,
            "divisao": found["second"],
            "em_falta": found["missing"],
            "versao_dados": found["versions"],
            "avisos": notes,
        }
        value["leitura"] = pareto_told(value, context.language)
        heading = titulo or f"Pareto: {source.told(name)}"
        return Result(
            value=value,
            widgets=versioned(_pareto_widgets(heading, value, context.language), found["versions"]),
        )

    return estudo_rr, pareto_tabela


def gage_told(found: JSONObject, language: Language) -> str:
    """The study in sentences, with the usual verdict."""
    pt = language == "pt"
    share = number(found["componentes"]["gage"]["percent_estudo"], language, 4)
    word = _VERDICT[found["avaliacao"]][language]
    count = found["categorias_distintas"]
    enough = count >= ENOUGH
    if pt:
        model = "com" if found["interacao"] else "sem"
        told = (
            f"Estudo R&R de {found['dados']}: {found['pecas']} peças, {found['operadores']} operadores, "
            f"{found['repeticoes']} repetições, ANOVA {model} interação. O sistema de medição explica "
            f"{share} % da variação do estudo: é {word} (até 10 % aceitável, acima de 30 % não). "
            f"Distingue {count} categorias; {'chega' if enough else 'devem ser pelo menos 5'}."
        )
    else:
        model = "with" if found["interacao"] else "without"
        told = (
            f"Gage R&R of {found['dados']}: {found['pecas']} parts, {found['operadores']} operators, "
            f"{found['repeticoes']} trials, ANOVA {model} interaction. The measurement system makes "
            f"{share}% of the study variation: it is {word} (up to 10% acceptable, above 30% not). "
            f"It tells {count} categories apart; {'enough' if enough else 'they should be at least 5'}."
        )
    return told + _left_out(found, language)


def pareto_told(found: JSONObject, language: Language) -> str:
    vital = found["vitais"]
    reached = number(found["pareto"][len(vital) - 1]["acumulada"], language, 4)
    names = listed(vital, language)
    if language == "pt":
        told = (
            f"Pareto de {found['dados']}: {len(vital)} de {found['categorias']} categorias somam "
            f"{reached} % de {number(found['total'], language)} ({names})."
        )
    else:
        told = (
            f"Pareto of {found['dados']}: {len(vital)} of {found['categorias']} categories make "
            f"{reached}% of {number(found['total'], language)} ({names})."
        )
    return told + _left_out(found, language)


def _left_out(found: JSONObject, language: Language) -> str:
    pt = language == "pt"
    told = ""
    if missing := found["em_falta"]:
        told += (
            f" Linhas com valores em falta deixadas de fora: {missing}."
            if pt
            else f" Rows with missing values left out: {missing}."
        )
    return told + "".join(f" {'Atenção' if pt else 'Note'}: {note}." for note in found["avisos"])


def _gage_widgets(
    title: str, found: JSONObject, value: JSONObject, language: Language
) -> list[Widget]:
    pt = language == "pt"
    columns = (
        ("Fonte", "% contribuição", "Desvio-padrão", "% estudo")
        if pt
        else ("Source", "% contribution", "Standard deviation", "% study")
    )
    rows = [
        [_SOURCES[name][language], one["contribuicao"], one["desvio_padrao"], one["percent_estudo"]]
        for name, one in value["componentes"].items()
    ]
    anova = [[_ROWS[row[0]][language], *row[1:]] for row in value["anova"]]
    return [
        Widget.chart(
            "line",
            f"{title} — {'médias por operador' if pt else 'means by operator'}",
            found["part_names"],
            [
                {"label": name, "data": means, "tension": 0}
                for name, means in zip(found["operator_names"][:20], found["means"], strict=False)
            ],
        ),
        Widget.table(title, columns, rows),
        Widget.table(
            f"{title} — ANOVA",
            ("Fonte", "GL", "SQ", "QM", "F", "p") if pt else ("Source", "DF", "SS", "MS", "F", "p"),
            anova,
        ),
    ]


def _pareto_widgets(title: str, value: JSONObject, language: Language) -> list[Widget]:
    pt = language == "pt"
    rows = value["pareto"]
    labels = [row["categoria"] for row in rows]
    axes: JSONObject = {
        "scales": {
            "y": {"beginAtZero": True},
            "y1": {"position": "right", "min": 0, "max": 100, "grid": {"drawOnChartArea": False}},
        }
    }
    share: JSONObject = {
        "label": "% acumulada" if pt else "% running",
        "type": "line",
        "yAxisID": "y1",
        "data": [row["acumulada"] for row in rows],
    }
    total: JSONObject = {"label": "Total", "data": [row["total"] for row in rows]}
    shown = [Widget.chart("bar", title, labels, [total, share], axes)]
    division = value["divisao"]
    if division:
        names = [*division["names"], *(["outros" if pt else "others"] if division["rest"] else [])]
        stacked: JSONObject = {"scales": {"x": {"stacked": True}, "y": {"stacked": True}}}
        series: list[JSONObject] = [
            {"label": name, "data": [row[at] for row in division["rows"]]}
            for at, name in enumerate(names)
        ]
        by = "por" if pt else "by"
        shown.append(
            Widget.chart("bar", f"{title} {by} {value['segundo']}", labels, series, stacked)
        )
    return shown
