"""What a control chart says, in sentences."""

from __future__ import annotations

from bancada import JSONObject, Language
from bancada.packs.statistics.figures import listed, number
from bancada.packs.statistics.names import RULES, SETS

FEW_POINTS = 20
"""Points below which limits are called provisional."""


def chart_told(found: JSONObject, language: Language) -> str:
    """The chart, its limits, its verdict and what to mind, from the tool's own answer."""
    pt = language == "pt"
    opening = (
        f"Carta {found['carta']} de {found['dados']}: {found['pontos']} pontos"
        if pt
        else f"{found['carta']} chart of {found['dados']}: {found['pontos']} points"
    )
    limits = "; ".join(_limits(one, language) for one in found["cartas"])
    parts = [f"{opening}. {limits}.", verdict(found, language), *cautions(found, language)]
    return " ".join(part for part in parts if part)


def verdict(found: JSONObject, language: Language) -> str:
    """Whether this chart, by these rules, shows a process in control; and what broke which rule."""
    pt = language == "pt"
    rules = rules_named(found["regras"], found["numeros_regras"], language)
    if found["sob_controlo"]:
        return (
            f"Nesta carta e com {rules}, o processo está sob controlo: nenhuma regra foi quebrada."
            if pt
            else f"On this chart and by {rules}, the process is in control: no rule was broken."
        )
    told = [
        _signal(chart, signal, found["regras"], language)
        for chart in found["cartas"]
        for signal in chart["sinais"]
    ]
    opening = (
        f"Nesta carta e com {rules}, o processo não está sob controlo"
        if pt
        else f"On this chart and by {rules}, the process is not in control"
    )
    ending = (
        "A carta diz quando; a causa procura-se no processo."
        if pt
        else "The chart says when; the cause is to be looked for in the process."
    )
    return f"{opening}: {'; '.join(told)}. {ending}"


def rules_named(name: str, numbers: list[int], language: Language) -> str:
    """`as regras Western Electric 1, 2, 3 e 4`; the limits alone where only they count."""
    if numbers == [1]:
        return "os limites de 3 sigma" if language == "pt" else "the limits of 3 sigma"
    which = listed([str(one) for one in numbers], language)
    if language == "pt":
        return f"as regras {SETS[name]} {which}"
    return f"the {SETS[name]} rules {which}"


def limits_told(limits: JSONObject, language: Language) -> str:
    """Which frozen limits a chart was drawn with: their name, of what, set by whom and when."""
    if language == "pt":
        return (
            f"Limites congelados «{limits['nome']}»: de {limits['pontos']} pontos de "
            f"{limits['dados']}, de {limits['de']} a {limits['ate']}, fixados por "
            f"{limits['fixados_por']} em {limits['fixados_em']}; não vêm destes dados."
        )
    return (
        f"Frozen limits “{limits['nome']}”: of {limits['pontos']} points of {limits['dados']}, from "
        f"{limits['de']} to {limits['ate']}, set by {limits['fixados_por']} on "
        f"{limits['fixados_em']}; they do not come from these data."
    )


def _limits(chart: JSONObject, language: Language) -> str:
    pt = language == "pt"
    centre, lower, upper = (number(chart[key], language) for key in ("centro", "lic", "lsc"))
    vary = ""
    if chart["variam"]:
        vary = " (no último ponto)" if pt else " (at the last point)"
    if pt:
        return f"{chart['nome']}: centro {centre}, limites {lower} a {upper}{vary}"
    return f"{chart['nome']}: centre {centre}, limits {lower} to {upper}{vary}"


def _signal(chart: JSONObject, signal: JSONObject, rules: str, language: Language) -> str:
    said, means = RULES[rules][signal["regra"]]
    first = signal["pontos"][0][-1]
    count = signal["vezes"]
    if language == "pt":
        often = f"em {first}" if count == 1 else f"{count} vezes, a primeira em {first}"
        return (
            f"{chart['nome']}, regra {signal['regra']} ({said['pt']}) {often}, o que {means['pt']}"
        )
    often = f"at {first}" if count == 1 else f"{count} times, first at {first}"
    return f"{chart['nome']}, rule {signal['regra']} ({said['en']}) {often}, which is {means['en']}"


def cautions(found: JSONObject, language: Language) -> list[str]:
    """What was left out, cut or provisional: never silently."""
    pt = language == "pt"
    told = []
    if found["limites"]:
        told.append(limits_told(found["limites"], language))
    elif found["limites_fixos"]:
        told.append(
            "Os limites são fixos, indicados no pedido; não vêm destes dados."
            if pt
            else "The limits are fixed, given in the call; they do not come from these data."
        )
    elif found["pontos"] < FEW_POINTS:
        told.append(
            f"Com menos de {FEW_POINTS} pontos os limites são provisórios."
            if pt
            else f"With fewer than {FEW_POINTS} points the limits are provisional."
        )
    if missing := found["em_falta"]:
        told.append(
            f"Ficaram de fora {missing} linhas com valores em falta."
            if pt
            else f"{missing} rows with missing values were left out."
        )
    if dropped := found["fora_do_ultimo_subgrupo"]:
        told.append(
            f"Valores do fim que não enchem um subgrupo e ficaram de fora: {dropped}."
            if pt
            else f"Values at the end that do not fill a subgroup and were left out: {dropped}."
        )
    if found["mostrados"] < found["pontos"]:
        told.append(
            f"O gráfico mostra os últimos {found['mostrados']} pontos; limites e regras são de todos."
            if pt
            else f"The chart shows the last {found['mostrados']} points; limits and rules are of all."
        )
    return [*told, *(f"{'Atenção' if pt else 'Note'}: {note}." for note in found["avisos"])]
