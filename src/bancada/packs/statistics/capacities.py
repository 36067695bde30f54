"""The capability tool: how a column's values fit their specification."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

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
from bancada.packs.statistics import drawing
from bancada.packs.statistics.asked import (
    READ,
    Heading,
    Number,
    Size,
    Studies,
    Text,
    Values,
    calls,
    column,
    given,
)
from bancada.packs.statistics.figures import number, tidy

CAPABLE, SHORT = 1.33, 1.0
"""Index from which a process is usually called capable, and below which it is not."""
DOUBT = 0.05
"""Chance below which values are said not to look normal."""
MANY = 5_000
"""Values from which a normality test finds what does not matter."""

Distribution: TypeAlias = Literal["normal", "box-cox", "johnson", "weibull", "lognormal", "gama"]
Spread: TypeAlias = Literal["amplitudes", "desvios", "combinado"]
_METHODS = {"amplitudes": "ranges", "desvios": "deviations", "combinado": "pooled"}
_VERDICT: dict[str, dict[Language, str]] = {
    "capaz": {"pt": "capaz", "en": "capable"},
    "marginal": {"pt": "marginal", "en": "marginal"},
    "não capaz": {"pt": "não capaz", "en": "not capable"},
}
_TITLE: dict[Language, str] = {"pt": "Capacidade", "en": "Capability"}
_SPREAD: dict[str, dict[Language, str]] = {
    "moving_range": {"pt": "amplitude móvel", "en": "moving range"},
    "ranges": {"pt": "amplitudes dos subgrupos", "en": "ranges of the subgroups"},
    "deviations": {
        "pt": "desvios-padrão dos subgrupos",
        "en": "standard deviations of the subgroups",
    },
    "pooled": {"pt": "variância combinada dos subgrupos", "en": "pooled variance of the subgroups"},
}


def capability_tools(services: Services) -> Sequence[Tool]:
    """The tool; without a jail it is switched off, with the reason."""
    studies = Studies(services)
    missing = services.jail.missing

    @tool(
        allowed_callers=READ,
        outside_content=True,
        reads_files=True,
        calls=calls,
        switched_off=f"estudo_capacidade está desligado nesta máquina: {missing}"
        if missing
        else None,
    )
    async def estudo_capacidade(
        context: ToolContext,
        tabela: Text = None,
        coluna: Text = None,
        limite_inferior: Number = None,
        limite_superior: Number = None,
        alvo: Number = None,
        subgrupo: Text = None,
        tamanho: Size = None,
        ordem: Text = None,
        sql: Text = None,
        valores: Values = None,
        distribuicao: Distribution = "normal",
        sigma: Spread = "amplitudes",
        confianca: Annotated[float, Field(gt=0.5, lt=1)] = 0.95,
        omitir_vazios: bool = False,
        titulo: Heading = None,
    ) -> Result:
        """Capacidade de uma coluna de uma tabela: Cp, Cpk, Pp, Ppk com intervalos, PPM, normalidade e histograma.

        Args:
            coluna: A coluna das medições.
            limite_inferior: De especificação; basta um dos dois.
            subgrupo: Coluna que diz a que subgrupo pertence cada linha; sem subgrupos usa a amplitude móvel.
            tamanho: Valores seguidos por subgrupo.
            sql: SELECT (de consultar_dados) em vez de tabela.
            distribuicao: Para valores que não são normais: os índices vêm então dos percentis.
            sigma: De onde vem a variação dentro dos subgrupos.
        """
        _check(context, limite_inferior, limite_superior)
        source = given(context, tabela, sql, valores)
        name = column(context, source, coluna)
        asked: JSONObject = {
            "value": name,
            "group": subgrupo,
            "size": tamanho,
            "order": ordem,
            "lower": limite_inferior,
            "upper": limite_superior,
            "target": alvo,
            "shape": distribuicao,
            "method": _METHODS[sigma],
            "confidence": confianca,
            "leave_out": omitir_vazios,
        }
        found, notes = await studies.make(context, "capacity", source, asked)
        value: JSONObject = {
            "dados": source.told(name),
            "limite_inferior": limite_inferior,
            "limite_superior": limite_superior,
            "n": found["count"],
            "media": tidy(found["mean"]),
            "sigma_dentro": tidy(found["within"]),
            "sigma_total": tidy(found["overall"]),
            "sigma_de": found["method"],
            "confianca": confianca,
            "cp": _index(found["cp"]["both"]),
            "cpk": _index(found["cp"]["worst"]),
            "pp": _index(found["pp"]["both"]),
            "ppk": _index(found["pp"]["worst"]),
            "cpm": None if found["cpm"] is None else tidy(found["cpm"]),
            "fora_de_especificacao": found["observed"],
            "ppm_observado": tidy(1e6 * found["observed"] / found["count"]),
            "ppm_dentro": tidy(found["ppm_within"]),
            "ppm_total": tidy(found["ppm_overall"]),
            "anderson_darling": {"a2": tidy(found["statistic"]), "p": tidy(found["chance"])},
            "parece_normal": found["chance"] >= DOUBT,
            "distribuicao": _shape(found["shape"]),
            "em_falta": found["missing"],
            "fora_do_ultimo_subgrupo": found["dropped"],
            "versao_dados": found["versions"],
            "avisos": notes,
        }
        shape = value["distribuicao"]
        value["avaliacao"] = verdict(shape["ppk"] if shape else value["cpk"]["valor"])
        value["leitura"] = capability_told(value, context.language)
        return Result(
            value=value,
            widgets=_widgets(
                titulo or f"{_TITLE[context.language]}: {source.told(name)}",
                found,
                value,
                context.language,
            ),
        )

    return (estudo_capacidade,)


def verdict(index: float) -> str:
    """The usual word for an index."""
    if index >= CAPABLE:
        return "capaz"
    return "marginal" if index >= SHORT else "não capaz"


def capability_told(found: JSONObject, language: Language) -> str:
    """The study in sentences, from the tool's own answer."""
    pt = language == "pt"

    def said(value: float) -> str:
        return number(value, language, 4)

    opening = (
        f"Capacidade de {found['dados']}: {found['n']} valores, média {said(found['media'])}"
        if pt
        else f"Capability of {found['dados']}: {found['n']} values, mean {said(found['media'])}"
    )
    indices = (
        "; ".join(
            f"{name} = {said(one['valor'])} ({said(one['de'])} {'a' if pt else 'to'} {said(one['a'])})"
            for name in ("cp", "cpk", "pp", "ppk")
            if (one := found[name]) is not None
        )
        .replace("cp", "Cp")
        .replace("pp", "Pp")
    )
    percent = said(100 * found["confianca"])
    spread = _SPREAD[found["sigma_de"]][language]
    inside = (
        f"Intervalos de {percent} %; Cp e Cpk pela {spread}."
        if pt
        else f"Intervals of {percent}%; Cp and Cpk by the {spread}."
    )
    word = _VERDICT[found["avaliacao"]][language]
    shape = found["distribuicao"]
    if shape:
        judged = (
            f"Com a distribuição {shape['nome']}, Ppk = {said(shape['ppk'])}: o processo é {word}; "
            f"esperam-se {said(shape['ppm'])} ppm fora."
            if pt
            else f"With the {shape['nome']} distribution, Ppk = {said(shape['ppk'])}: the process is "
            f"{word}; {said(shape['ppm'])} ppm are expected outside."
        )
        if shape["p"] is not None:
            judged += (
                f" Transformados: A² = {said(shape['a2'])}, p = {said(shape['p'])}."
                if pt
                else f" Transformed: A² = {said(shape['a2'])}, p = {said(shape['p'])}."
            )
    else:
        judged = (
            f"Pelo Cpk o processo é {word}; esperam-se {said(found['ppm_total'])} ppm fora, e há "
            f"{found['fora_de_especificacao']} valores fora."
            if pt
            else f"By Cpk the process is {word}; {said(found['ppm_total'])} ppm are expected outside, "
            f"and {found['fora_de_especificacao']} values are."
        )
    stable = (
        "Os índices supõem um processo sob controlo: veja a carta."
        if pt
        else "The indices suppose a process in control: see its chart."
    )
    parts = [f"{opening}. {indices}.", inside, judged, _normal_told(found, language), stable]
    return " ".join([*parts, *_cautions(found, language)])


def _normal_told(found: JSONObject, language: Language) -> str:
    pt = language == "pt"
    test = found["anderson_darling"]
    told = f"Anderson–Darling: A² = {number(test['a2'], language, 4)}, p = {number(test['p'], language, 3)}"
    if found["parece_normal"]:
        return f"{told}: {'nada contra a normalidade' if pt else 'nothing against normality'}."
    if found["n"] >= MANY:
        return told + (
            ": com tantos valores o teste acusa desvios que podem não importar."
            if pt
            else ": with so many values the test finds deviations that may not matter."
        )
    if found["distribuicao"]:
        return told + (
            ": os valores não parecem normais." if pt else ": the values do not look normal."
        )
    return told + (
        ": os valores não parecem normais, e estes índices supõem que o são; experimente 'distribuicao'."
        if pt
        else ": the values do not look normal, and these indices suppose it; try 'distribuicao'."
    )


def _cautions(found: JSONObject, language: Language) -> list[str]:
    pt = language == "pt"
    told = []
    if missing := found["em_falta"]:
        told.append(
            f"Linhas com valores em falta deixadas de fora: {missing}."
            if pt
            else f"Rows with missing values left out: {missing}."
        )
    if dropped := found["fora_do_ultimo_subgrupo"]:
        told.append(
            f"Valores que não enchem um subgrupo, contados só em Pp e Ppk: {dropped}."
            if pt
            else f"Values that do not fill a subgroup, counted in Pp and Ppk only: {dropped}."
        )
    return [*told, *(f"{'Atenção' if pt else 'Note'}: {note}." for note in found["avisos"])]


def _check(context: ToolContext, lower: float | None, upper: float | None) -> None:
    pt = context.language == "pt"
    if lower is None and upper is None:
        raise ToolFailed(
            "Indique limite_inferior, limite_superior ou ambos."
            if pt
            else "Give limite_inferior, limite_superior or both."
        )
    if not all(math.isfinite(one) for one in (lower, upper) if one is not None) or (
        lower is not None and upper is not None and lower >= upper
    ):
        raise ToolFailed(
            "limite_inferior tem de ser menor do que limite_superior."
            if pt
            else "limite_inferior must be below limite_superior."
        )


def _index(found: JSONObject | None) -> JSONObject | None:
    if found is None:
        return None
    return {"valor": tidy(found["value"]), "de": tidy(found["low"]), "a": tidy(found["high"])}


def _shape(found: JSONObject | None) -> JSONObject | None:
    if found is None:
        return None
    return {
        "nome": found["name"],
        "parametros": {name: tidy(one) for name, one in found["parameters"].items()},
        "percentis": [tidy(one) for one in found["points"]],
        "pp": None if found["pp"] is None else tidy(found["pp"]),
        "ppk": tidy(found["ppk"]),
        "ppm": tidy(found["ppm"]),
        "a2": tidy(found["statistic"]),
        "p": None if found["chance"] is None else tidy(found["chance"]),
    }


def _widgets(title: str, found: JSONObject, value: JSONObject, language: Language) -> list[Widget]:
    lower, upper = value["limite_inferior"], value["limite_superior"]
    edges = found["histogram"]["edges"]
    outside = [
        (lower is not None and end <= lower) or (upper is not None and start >= upper)
        for start, end in pairwise(edges)
    ]
    pt = language == "pt"
    shown = [number(one, language, 4) for one in (lower, upper) if one is not None]
    label = f"{'Frequência; limites' if pt else 'Frequency; limits'} {' – '.join(shown)}"
    bars: JSONObject = {
        "label": label,
        "data": found["histogram"]["counts"],
        "backgroundColor": [drawing.RED if one else drawing.BLUE for one in outside],
    }
    labels = [
        f"{number(start, language, 4)} – {number(end, language, 4)}"
        for start, end in pairwise(edges)
    ]
    rows = [
        [name, one["valor"], one["de"], one["a"]]
        for name, one in (("Cp", value["cp"]), ("Cpk", value["cpk"]), ("Pp", value["pp"]), ("Ppk", value["ppk"]))
        if one is not None
    ]  # fmt: skip
    columns = ("Índice", "Valor", "De", "A") if pt else ("Index", "Value", "From", "To")
    widgets = [
        Widget.chart("bar", title, labels, [bars]),
        Widget.table(f"{title} — {'índices' if pt else 'indices'}", columns, rows),
    ]
    return drawing.versioned(widgets, found["versions"])
