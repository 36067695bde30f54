"""The control chart tool: any of eleven charts, of a table's column, a query's or typed numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from bancada import (
    BrokenRule,
    FrozenLimits,
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
from bancada.packs.statistics import drawing, words
from bancada.packs.statistics.asked import (
    READ,
    CusumDecision,
    CusumSlack,
    EwmaWeight,
    Fixed,
    Heading,
    Numbers,
    Rules,
    Size,
    Studies,
    Text,
    Values,
    calls,
    column,
    given,
    memory,
)
from bancada.packs.statistics.figures import moment, tidy
from bancada.packs.statistics.names import CHARTS, NUMBERS, RULES

Kind: TypeAlias = Literal[
    "i-mr", "xbarra-r", "xbarra-s", "p", "np", "c", "u", "p-laney", "u-laney", "ewma", "cusum"
]
MOST_ROWS = 20
"""Rows of the table of signals."""


def chart_tools(services: Services) -> Sequence[Tool]:
    """The tool; without a jail it is switched off, with the reason."""
    studies = Studies(services)
    missing = services.jail.missing

    @tool(
        allowed_callers=READ,
        outside_content=True,
        reads_files=True,
        calls=calls,
        switched_off=f"carta_controlo está desligada nesta máquina: {missing}" if missing else None,
    )
    async def carta_controlo(
        context: ToolContext,
        tipo: Kind,
        tabela: Text = None,
        coluna: Text = None,
        ordem: Text = None,
        subgrupo: Text = None,
        tamanho: Size = None,
        inspecionados: Text = None,
        etapa: Text = None,
        limites: Text = None,
        limites_fixos: Fixed = None,
        sql: Text = None,
        valores: Values = None,
        regras: Rules = "western_electric",
        numeros_regras: Numbers = None,
        omitir_vazios: bool = False,
        lambda_ewma: EwmaWeight = 0.2,
        h_cusum: CusumDecision = 4.0,
        k_cusum: CusumSlack = 0.5,
        titulo: Heading = None,
    ) -> Result:
        """Carta de controlo de uma coluna de uma tabela, com limites, regras e leitura.

        Args:
            tipo: i-mr para valores individuais; xbarra-r ou xbarra-s para subgrupos; p, np (peças) e c, u (defeitos) para contagens.
            coluna: A coluna das medições, ou das contagens.
            ordem: Coluna pela qual as linhas se ordenam; sem ela, a ordem do ficheiro.
            subgrupo: Coluna que diz a que subgrupo ou amostra pertence cada linha.
            tamanho: Valores seguidos por subgrupo, ou inspecionados por amostra.
            inspecionados: Coluna com quantos foram inspecionados (p, np, u).
            etapa: Coluna que separa etapas; cada uma tem os seus limites.
            limites: Nome de limites congelados (congelar_limites), em vez de limites destes dados.
            limites_fixos: Os da resposta de um período anterior (um de 'etapas'), em vez de limites destes dados.
            sql: SELECT (de consultar_dados) em vez de tabela.
            numeros_regras: Só estas regras do conjunto.
        """
        source = given(context, tabela, sql, valores)
        name = column(context, source, coluna)
        rules, numbers = chosen_rules(context, regras, numeros_regras)
        kept = await frozen(services, context, tipo, limites, limites_fixos, etapa)
        asked: JSONObject = {
            "tipo": tipo,
            "value": name,
            "order": ordem,
            "group": subgrupo,
            "size": tamanho,
            "inspected": inspecionados,
            "stage": etapa,
            "rules": rules,
            "numbers": numbers,
            "leave_out": omitir_vazios,
            **memory(lambda_ewma, h_cusum, k_cusum),
            "known": _known(context, tipo, limites_fixos, etapa),
        }
        if kept is not None:
            asked |= kept_options(kept)
        found, notes = await studies.make(context, "chart", source, asked)
        value = {
            **chart_value(found, tipo, source.told(name), rules, numbers, notes),
            "limites_fixos": limites_fixos is not None,
            "limites": None if kept is None else told_limits(kept),
        }
        value["leitura"] = words.chart_told(value, context.language)
        heading = titulo or f"{CHARTS[tipo]}: {source.told(name)}"
        return Result(
            value=value,
            widgets=chart_widgets(heading, found, value, context.language),
            broken=broken_rules(found),
        )

    return (carta_controlo,)


def chart_value(
    found: JSONObject, kind: str, data: str, rules: str, numbers: list[int], notes: list[str]
) -> JSONObject:
    """A chart as its tool answers."""
    return {
        "carta": CHARTS[kind],
        "dados": data,
        "pontos": found["points"],
        "mostrados": len(found["labels"]),
        "tamanho": found["size"],
        "regras": rules,
        "numeros_regras": numbers,
        "etapas": [_stage(one) for one in found["stages"]],
        "cartas": [_chart(one) for one in found["charts"]],
        "sob_controlo": not any(one["signals"] for one in found["charts"]),
        "limites_fixos": False,
        "limites": None,
        "em_falta": found["missing"],
        "fora_do_ultimo_subgrupo": found["dropped"],
        "versao_dados": found["versions"],
        "avisos": notes,
    }


async def frozen(
    services: Services,
    context: ToolContext,
    kind: str,
    name: str | None,
    fixed: object,
    stage: str | None,
) -> FrozenLimits | None:
    """The limits of this name, if they are of such a chart."""
    if name is None:
        return None
    pt = context.language == "pt"
    if fixed is not None or stage:
        raise ToolFailed(
            "Com 'limites' não se indica 'limites_fixos' nem 'etapa'."
            if pt
            else "With 'limites' give neither 'limites_fixos' nor 'etapa'."
        )
    kept = await services.studies.limits(context, name)
    if kept.chart != kind:
        of, this = CHARTS.get(kept.chart, kept.chart), CHARTS[kind]
        raise ToolFailed(
            f"Os limites «{name}» são de uma carta {of}, e esta é {this}."
            if pt
            else f"The limits “{name}” are of a chart {of}, and this is {this}."
        )
    return kept


def kept_options(kept: FrozenLimits) -> JSONObject:
    """What a study is asked with where limits were kept: all that they depend on is theirs."""
    parameters = kept.parameters
    known = {name: parameters[name] for name in ("centre", "sigma", "size", "factor")}
    beside = {name: parameters[name] for name in ("weight", "width", "slack", "decision")}
    return {"known": known, **beside}


def told_limits(kept: FrozenLimits) -> JSONObject:
    """Limits as answers name them: of which period, set by whom and when."""
    origin = kept.origin
    return {
        "nome": kept.name,
        "dados": origin["dados"],
        "de": origin["de"],
        "ate": origin["ate"],
        "pontos": origin["pontos"],
        "fixados_por": kept.set_by,
        "fixados_em": moment(kept.set_at),
    }


def chosen_rules(
    context: ToolContext, name: str, numbers: Sequence[int] | None
) -> tuple[str, list[int]]:
    """The set of rules, and which of it."""
    if name == "limites":
        return "western_electric", [1]
    known = NUMBERS[name]
    wanted = sorted(set(numbers or known))
    if unknown := [one for one in wanted if one not in known]:
        last = known[-1]
        raise ToolFailed(
            f"Não há regra {unknown[0]} em {name}: vão de 1 a {last}."
            if context.language == "pt"
            else f"There is no rule {unknown[0]} in {name}: they go from 1 to {last}."
        )
    return name, wanted


def _known(
    context: ToolContext, kind: str, fixed: dict[str, float] | None, stage: str | None
) -> JSONObject | None:
    """What limits are computed from where they were set before."""
    if fixed is None:
        return None
    pt = context.language == "pt"
    if stage:
        raise ToolFailed(
            "Indique 'etapa' ou 'limites_fixos', não ambos."
            if pt
            else "Give 'etapa' or 'limites_fixos', not both."
        )
    if kind in ("i-mr", "xbarra-r", "xbarra-s", "ewma", "cusum") and not fixed.get("sigma"):
        raise ToolFailed(
            "Em 'limites_fixos' falta 'sigma'." if pt else "'limites_fixos' lacks 'sigma'."
        )
    centre = fixed["centro"]
    if kind not in ("i-mr", "xbarra-r", "xbarra-s", "ewma", "cusum") and not (
        centre > 0 and (centre < 1 or kind in ("c", "u", "u-laney"))
    ):
        raise ToolFailed(
            "O 'centro' de 'limites_fixos' não é possível nesta carta."
            if pt
            else "The 'centro' of 'limites_fixos' is not possible on this chart."
        )
    return {
        "centre": centre,
        "sigma": fixed.get("sigma", 0.0),
        "size": int(fixed.get("tamanho", 1)),
        "factor": fixed.get("fator", 1.0),
    }


def _stage(found: JSONObject) -> JSONObject:
    return {
        "nome": found["name"],
        "primeiro": found["first"] + 1,
        "centro": tidy(found["centre"]),
        "sigma": tidy(found["sigma"]),
        "tamanho": found["size"],
        "fator": tidy(found["factor"]),
    }


def _chart(found: JSONObject) -> JSONObject:
    """The limits as they are at the last point, and what was signalled."""
    return {
        "nome": found["name"],
        "centro": tidy(found["centre"][-1]),
        "lsc": tidy(found["upper"][-1]),
        "lic": tidy(found["lower"][-1]),
        "variam": len({*found["upper"]}) > 1 or len({*found["lower"]}) > 1,
        "sinais": [
            {
                "regra": one["rule"],
                "vezes": one["count"],
                "pontos": [time["labels"] for time in one["times"]],
            }
            for one in found["signals"]
        ],
    }


def broken_rules(found: JSONObject) -> list[BrokenRule]:
    """What a schedule that watches the charts is told."""
    return [
        BrokenRule(
            chart=chart["name"],
            rule=signal["rule"],
            times=signal["count"],
            points=tuple(tuple(time["labels"]) for time in signal["times"]),
        )
        for chart in found["charts"]
        for signal in chart["signals"]
    ]


def chart_widgets(
    title: str, found: JSONObject, value: JSONObject, language: Language
) -> list[Widget]:
    """The charts, and a table of what they signal."""
    limits = value["limites"]
    note = None if limits is None else words.limits_told(limits, language)
    shown = [
        drawing.control(title, found["labels"], one, language, note) for one in found["charts"]
    ]
    rows = [
        [chart["nome"], signal["regra"], RULES[value["regras"]][signal["regra"]][0][language],
         ", ".join(points)]
        for chart in value["cartas"]
        for signal in chart["sinais"]
        for points in signal["pontos"]
    ]  # fmt: skip
    if rows:
        total = sum(one["vezes"] for chart in value["cartas"] for one in chart["sinais"])
        heading, columns = (
            ("Sinais", ("Carta", "Regra", "O que diz", "Pontos"))
            if language == "pt"
            else ("Signals", ("Chart", "Rule", "What it says", "Points"))
        )
        cut = f" ({min(len(rows), MOST_ROWS)}/{total})" if total > MOST_ROWS else ""
        shown.append(Widget.table(f"{heading}{cut}", columns, rows[:MOST_ROWS]))
    return drawing.versioned(shown, found["versions"])
