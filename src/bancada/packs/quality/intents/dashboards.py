"""The intent that keeps a dashboard of the log."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from json import dumps

from bancada import Answered, Intent, JSONObject, Language, Results, Sentence, Step
from bancada.packs.quality.intents.counts import NOTHING
from bancada.packs.quality.intents.reading import (
    PERIOD,
    SHIFTS,
    filters,
    percent,
    scope,
    shift_name,
)

TAKEN = ("turno", "operador", "material", *PERIOD)
"""Filters that both of the tools behind it take."""


def plan_dashboard(sentence: Sentence) -> Sequence[Step]:
    """The total and the most frequent; each shift too, where shifts are asked for."""
    given = filters(sentence, keys=TAKEN)
    steps = [
        Step(tool="contar_defeitos", input=given),
        Step(tool="top_defeitos", input={"n": 5, **given}),
    ]
    if sentence.has("turno", "turnos", "shift", "shifts") and "turno" not in given:
        steps += [Step(tool="contar_defeitos", input={**given, "turno": one}) for one in SHIFTS]
    return steps


def then_dashboard(sentence: Sentence, answered: Sequence[Answered]) -> Sequence[Step]:
    results = Results(answered)
    first, *by_shift = results.all("contar_defeitos")
    found = first.result
    if results.of("gerar_dashboard") is not None or not found["total"]:
        return []
    pt = sentence.language == "pt"
    words = scope(first.step.input, sentence.language)
    input: JSONObject = {
        "titulo": ("Dashboard de defeitos" if pt else "Defects dashboard") + words,
        "html": dashboard_html(
            sentence.language,
            found,
            results.of("top_defeitos")["top"],
            {
                shift_name(one.step.input["turno"], sentence.language): one.result["total"]
                for one in by_shift
            },
        ),
    }
    return [Step(tool="gerar_dashboard", input=input)]


def dashboard_html(
    language: Language,
    found: JSONObject,
    top: Sequence[JSONObject],
    by_shift: dict[str, int],
) -> str:
    """A page body in the template's classes: a key figure, charts and a table."""
    pt = language == "pt"
    rows = "".join(
        f"<tr><td>{escape(str(row['tipo']))}</td><td>{row['total']}</td>"
        f"<td>{percent(row['percentagem'], language)}</td></tr>"
        for row in top
    )
    parts = [
        f'<div class="dashboard-row"><div class="kpi-card"><h3>{"Total de defeitos" if pt else "Total defects"}'
        f'</h3><div class="value">{found["total"]}<span class="unit">{"defeitos" if pt else "defects"}'
        "</span></div></div></div>",
        '<div class="dashboard-grid">',
        chart_html(
            "pie",
            "Distribuição por tipo" if pt else "Distribution by type",
            found["por_tipo"],
        ),
        chart_html("bar", "Por turno" if pt else "By shift", by_shift) if by_shift else "",
        "</div>",
        f'<h2 class="section-title">{"Mais frequentes" if pt else "Most frequent"}</h2>',
        f'<table class="data-table"><thead><tr><th>{"Tipo" if pt else "Type"}</th><th>Total</th>'
        f"<th>%</th></tr></thead><tbody>{rows}</tbody></table>",
    ]
    return "".join(parts)


def chart_html(kind: str, title: str, counts: dict[str, int]) -> str:
    config = {
        "type": kind,
        "data": {
            "labels": list(counts),
            "datasets": [{"label": "", "data": list(counts.values())}],
        },
    }
    chart = escape(dumps(config, ensure_ascii=False))
    return (
        f'<div class="chart-container"><h3>{escape(title)}</h3>'
        f'<canvas data-chart="{chart}"></canvas></div>'
    )


def tell_dashboard(sentence: Sentence, results: Results) -> str:
    kept = results.of("gerar_dashboard")
    if kept is None:
        return sentence.say(*NOTHING)
    total = results.all("contar_defeitos")[0].result["total"]
    if sentence.language == "en":
        return f"The dashboard is ready at {kept['url']}: {total} defects, by type, and the most frequent ones."
    return f"O dashboard está pronto em {kept['url']}: {total} defeitos, por tipo, e os mais frequentes."


DASHBOARD_INTENTS: tuple[Intent, ...] = (
    Intent(
        name="dashboard",
        phrases={
            "pt": (
                "Cria um dashboard de defeitos",
                "Gera um dashboard",
                "Faz um painel com os defeitos",
                "Cria um dashboard com os defeitos por turno",
            ),
            "en": (
                "Create a defects dashboard",
                "Make a dashboard",
                "Create a dashboard with the defects by shift",
            ),
        },
        keywords=("dashboard|painel",),
        plan=plan_dashboard,
        then=then_dashboard,
        tell=tell_dashboard,
    ),
)
