"""Intents for Pareto, control charts and capability."""

from __future__ import annotations

import re

from bancada import Intent, JSONObject, Language, Results, Sentence
from bancada.packs.quality.intents.counts import NOTHING
from bancada.packs.quality.intents.reading import (
    PERIOD,
    figure,
    filters,
    listed,
    percent,
    scope,
)

COLUMNS = {
    "turno": ("turno", "turnos", "shift", "shifts"),
    "operador": ("operador", "operadores", "operator", "operators"),
    "material": ("material", "materiais", "materials"),
    "rack": ("rack", "racks"),
}


def read_pareto(sentence: Sentence) -> JSONObject:
    given = filters(sentence)
    by = next(
        (name for name, words in COLUMNS.items() if name not in given and sentence.has(*words)),
        "tipo_defeito",
    )
    return {"por": by, **given}


def tell_pareto(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.value
    language = sentence.language
    given = {key: value for key, value in results[-1].step.input.items() if key != "por"}
    where = scope(given, language)
    if not found["total"]:
        return sentence.say(*NOTHING)
    vital = found["vitais"]
    reached = percent(found["pareto"][len(vital) - 1]["acumulada"], language)
    parts = [
        f"{row['categoria']} {row['total']} ({percent(row['acumulada'], language)})"
        for row in found["pareto"][: len(vital)]
    ]
    if language == "en":
        return (
            f"Pareto of {found['total']} defects{where}: {len(vital)} of {len(found['pareto'])} "
            f"categories make {reached} of them. Running shares: {listed(parts, language)}."
        )
    return (
        f"Pareto de {found['total']} defeitos{where}: {len(vital)} de {len(found['pareto'])} "
        f"categorias somam {reached}. Acumulado: {listed(parts, language)}."
    )


def read_p_chart(sentence: Sentence) -> JSONObject:
    return filters(sentence, keys=("tipo_defeito", *PERIOD))


def tell_p_chart(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.value
    language = sentence.language
    mean = percent(100 * found["p_medio"], language)
    opening = sentence.say(
        "Carta p ({dados}): proporção média {mean} em {amostras} amostras.",
        "p chart ({dados}): mean share {mean} over {amostras} samples.",
        mean=mean,
        **found,
    )
    return f"{opening} {verdict(found, language)}"


def read_xr_chart(sentence: Sentence) -> JSONObject:
    groups = _groups(sentence.text)
    return {"subgrupos": groups} if groups else filters(sentence, keys=PERIOD)


def tell_xr_chart(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.value
    language = sentence.language

    def limits(chart: JSONObject) -> str:
        values = [figure(chart[key], language, 3) for key in ("media", "lic", "lsc")]
        if language == "en":
            return f"mean {values[0]}, limits {values[1]} to {values[2]}"
        return f"média {values[0]}, limites {values[1]} a {values[2]}"

    opening = {
        "pt": f"Carta X̄-R de {found['subgrupos']} subgrupos ({found['dados']}). ",
        "en": f"X̄-R chart of {found['subgrupos']} subgroups ({found['dados']}). ",
    }[language]
    return f"{opening}X̄: {limits(found['xbarra'])}; R: {limits(found['r'])}. {verdict(found, language)}"


def verdict(found: JSONObject, language: Language) -> str:
    if found["sob_controlo"]:
        return {
            "pt": "O processo está sob controlo: nenhuma regra Western Electric foi quebrada.",
            "en": "The process is in control: no Western Electric rule was broken.",
        }[language]
    rules = sorted({signal["regra"] for signal in found["sinais"]})
    count = len(found["sinais"])
    names = listed([str(rule) for rule in rules], language)
    first = found["sinais"][0]["pontos"][-1]
    if language == "en":
        return f"Not in control: {count} signal{'s' if count > 1 else ''} (rule{'s' if len(rules) > 1 else ''} {names}), the first at {first}."
    return f"Fora de controlo: {count} sina{'is' if count > 1 else 'l'} (regra{'s' if len(rules) > 1 else ''} {names}), o primeiro em {first}."


def read_capability(sentence: Sentence) -> JSONObject | None:
    """Limits are the numbers after "limites"; the numbers before them are the measurements."""
    said = re.split(
        r"\b(?:limites?|limits?|especificac[a-z]*|specifications?|entre|between)\b",
        sentence.plain,
        maxsplit=1,
    )
    if len(said) < 2:
        return None
    limits = _numbers(said[1])
    given: JSONObject = {}
    if len(limits) >= 2:
        given |= {"limite_inferior": min(limits[:2]), "limite_superior": max(limits[:2])}
    elif limits:
        lowest = sentence.has("inferior", "mínimo", "lower", "minimum")
        given["limite_inferior" if lowest else "limite_superior"] = limits[0]
    else:
        return None
    values = _numbers(said[0]) or limits[2:]
    if values:
        given["valores"] = values
    return given


def tell_capability(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.value
    language = sentence.language
    indices = [
        f"{name} = {figure(found[key], language, 3)}"
        for name, key in (("Cp", "cp"), ("Cpk", "cpk"))
        if found[key] is not None
    ]
    mean, spread = (figure(found[key], language, 4) for key in ("media", "desvio_padrao"))
    told = listed(indices, language)
    if language == "en":
        words = {"capaz": "capable", "marginal": "marginal", "não capaz": "not capable"}
        return (
            f"{told}, from {found['n']} values (mean {mean}, standard deviation {spread}): the "
            f"process is {words[found['avaliacao']]}. Outside the limits: {found['fora_de_especificacao']}."
        )
    return (
        f"{told}, de {found['n']} valores (média {mean}, desvio-padrão {spread}): o processo é "
        f"{found['avaliacao']}. Fora dos limites: {found['fora_de_especificacao']}."
    )


def _numbers(text: str) -> list[float]:
    """A comma between digits is a decimal comma only where points are not used as such."""
    pattern = r"-?\d+(?:\.\d+)?" if re.search(r"\d\.\d", text) else r"-?\d+(?:,\d+)?"
    return [float(found.replace(",", ".")) for found in re.findall(pattern, text)]


def _groups(text: str) -> list[list[float]]:
    """Subgroups written as lists: `[10, 11, 9] [9, 10, 12]`."""
    return [_numbers(group) for group in re.findall(r"\[([^\[\]]+)\]", text)]


PROCESS_INTENTS: tuple[Intent, ...] = (
    Intent(
        name="pareto",
        phrases={
            "pt": ("Faz o Pareto dos defeitos", "Pareto por operador", "Análise de Pareto"),
            "en": ("Make a Pareto of the defects", "Pareto by operator", "Pareto analysis"),
        },
        keywords=("pareto",),
        tool="pareto_defeitos",
        arguments=read_pareto,
        tell=tell_pareto,
    ),
    Intent(
        name="control_chart_xr",
        phrases={
            "pt": (
                "Carta de controlo X-R",
                "Carta de controlo das médias",
                "Carta de controlo X-barra R",
            ),
            "en": ("X-R control chart", "Control chart of the means", "X-bar R control chart"),
        },
        keywords=("carta|controlo|control", "r|xr|x̄|medias|amplitudes|means|ranges|xbar|barra|bar"),
        tool="carta_controlo_xr",
        arguments=read_xr_chart,
        tell=tell_xr_chart,
    ),
    Intent(
        name="control_chart_p",
        phrases={
            "pt": ("Carta de controlo p do lixo", "Carta de controlo dos defeitos", "Carta p"),
            "en": ("p control chart of dirt", "Control chart of the defects", "p chart"),
        },
        keywords=("carta|controlo|control|chart", "carta|controlo|control|p"),
        tool="carta_controlo_p",
        arguments=read_p_chart,
        tell=tell_p_chart,
    ),
    Intent(
        name="capability",
        phrases={
            "pt": (
                "Capacidade de 9.9 10.1 10.0 9.8 10.2 com limites 9.5 e 10.5",
                "Calcula o Cpk dos defeitos por dia com limite superior 15",
            ),
            "en": (
                "Capability of 9.9 10.1 10.0 9.8 10.2 with limits 9.5 and 10.5",
                "Cpk of the defects per day with upper limit 15",
            ),
        },
        keywords=("capacidade|capability|cpk|cp",),
        tool="capacidade",
        arguments=read_capability,
        tell=tell_capability,
    ),
)
