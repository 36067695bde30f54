"""Intents that show: a chart, a table, a key figure, a dashboard — each after a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from json import dumps

from bancada import Answered, Intent, JSONObject, Language, Sentence, Step
from bancada.packs.quality.intents.counts import (
    plan_count,
    plan_shifts,
    plan_shifts_one_by_one,
    plan_top,
    tell_count,
    tell_shifts,
    tell_shifts_one_by_one,
    tell_top,
)
from bancada.packs.quality.intents.reading import (
    failure,
    filters,
    percent,
    result_of,
    scope,
    shift_name,
)

KINDS = {
    "bar": ("barras", "colunas", "bar", "bars", "column"),
    "line": ("linhas", "linha", "line"),
    "doughnut": ("donut", "doughnut", "rosca"),
    "pie": ("pizza", "circular", "queijo", "tarte", "pie"),
    "radar": ("radar",),
    "polarArea": ("polar",),
}

Then = Callable[[Sentence, Sequence[Answered]], Sequence[Step]]


def kind_of(sentence: Sentence, default: str) -> str:
    return next((kind for kind, words in KINDS.items() if sentence.has(*words)), default)


def asked(answered: Sequence[Answered], tool: str) -> bool:
    return any(one.step.tool == tool for one in answered)


def counts_in(answered: Sequence[Answered], language: Language) -> dict[str, int]:
    """Label and count, from whichever query was made."""
    by_shift = result_of(answered, "defeitos_por_turno")
    if isinstance(by_shift, dict):
        return {shift_name(s, language): n for s, n in by_shift.get("por_turno", {}).items()}
    top = result_of(answered, "top_defeitos")
    if isinstance(top, dict):
        return {row["tipo"]: row["total"] for row in top.get("top", ())}
    counted = [one for one in answered if one.step.tool == "contar_defeitos"]
    if len(counted) > 1:
        found = ((one, result_of([one], "contar_defeitos")) for one in counted)
        return {
            shift_name(one.step.input["turno"], language): result["total"]
            for one, result in found
            if isinstance(result, dict)
        }
    result = result_of(counted, "contar_defeitos")
    return dict(result.get("por_tipo", {})) if isinstance(result, dict) else {}


def title_of(sentence: Sentence, answered: Sequence[Answered]) -> str:
    first = answered[0].step
    pt = sentence.language == "pt"
    several = sum(one.step.tool == "contar_defeitos" for one in answered) > 1
    if first.tool == "defeitos_por_turno" or several:
        title = "Defeitos por turno" if pt else "Defects by shift"
    elif first.tool == "top_defeitos":
        title = "Defeitos mais frequentes" if pt else "Most frequent defects"
    else:
        title = "Defeitos por tipo" if pt else "Defects by type"
    limited = {k: v for k, v in first.input.items() if not (several and k == "turno")}
    return title + scope(limited, sentence.language)


def then_chart(default: str) -> Then:
    def then(sentence: Sentence, answered: Sequence[Answered]) -> Sequence[Step]:
        counts = counts_in(answered, sentence.language)
        if not counts or asked(answered, "gerar_grafico"):
            return []
        chart: JSONObject = {
            "tipo": kind_of(sentence, default),
            "titulo": title_of(sentence, answered),
            "labels": list(counts),
            "valores": list(counts.values()),
        }
        return [Step(tool="gerar_grafico", input=chart)]

    return then


def then_table(sentence: Sentence, answered: Sequence[Answered]) -> Sequence[Step]:
    counts = counts_in(answered, sentence.language)
    if not counts or asked(answered, "gerar_tabela"):
        return []
    whole = sum(counts.values())
    what = title_of(sentence, answered)
    by_shift = answered[0].step.tool == "defeitos_por_turno"
    names = {
        "pt": ["Turno" if by_shift else "Tipo", "Total", "Percentagem"],
        "en": ["Shift" if by_shift else "Type", "Total", "Share"],
    }
    rows = [
        [name, count, percent(100 * count / whole if whole else 0, sentence.language)]
        for name, count in counts.items()
    ]
    table: JSONObject = {"titulo": what, "colunas": names[sentence.language], "linhas": rows}
    return [Step(tool="gerar_tabela", input=table)]


def then_kpi(sentence: Sentence, answered: Sequence[Answered]) -> Sequence[Step]:
    found = result_of(answered, "contar_defeitos")
    if not isinstance(found, dict) or asked(answered, "gerar_kpi"):
        return []
    where = scope(answered[0].step.input, sentence.language)
    pt = sentence.language == "pt"
    kpi: JSONObject = {
        "titulo": ("Total de defeitos" if pt else "Total defects") + where,
        "valor": found["total"],
        "unidade": "defeitos" if pt else "defects",
    }
    return [Step(tool="gerar_kpi", input=kpi)]


def plan_dashboard(sentence: Sentence) -> Sequence[Step] | None:
    """The total and the most frequent; each shift too, where shifts are asked for."""
    counted = plan_count(sentence)
    if counted is None:
        return None
    top = Step(tool="top_defeitos", input={"n": 5, **filters(sentence, without=["tipo_defeito"])})
    by_shift = sentence.has("turno", "turnos", "shift", "shifts")
    wanted = by_shift and "turno" not in counted[0].input
    return [*counted, top, *(plan_shifts_one_by_one(sentence) if wanted else ())]


def then_dashboard(sentence: Sentence, answered: Sequence[Answered]) -> Sequence[Step]:
    first, ranked, *by_shift = answered
    found = result_of([first], "contar_defeitos")
    if asked(answered, "gerar_dashboard") or not isinstance(found, dict) or not found["total"]:
        return []
    top = result_of([ranked], "top_defeitos")
    pt = sentence.language == "pt"
    words = scope(first.step.input, sentence.language)
    input: JSONObject = {
        "titulo": ("Dashboard de defeitos" if pt else "Defects dashboard") + words,
        "html": dashboard_html(
            sentence.language,
            found,
            top["top"] if isinstance(top, dict) else [],
            counts_in(by_shift, sentence.language),
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
            "tipos",
            "pie",
            "Distribuição por tipo" if pt else "Distribution by type",
            found["por_tipo"],
        ),
        chart_html("turnos", "bar", "Por turno" if pt else "By shift", by_shift)
        if by_shift
        else "",
        "</div>",
        f'<h2 class="section-title">{"Mais frequentes" if pt else "Most frequent"}</h2>',
        f'<table class="data-table"><thead><tr><th>{"Tipo" if pt else "Type"}</th><th>Total</th>'
        f"<th>%</th></tr></thead><tbody>{rows}</tbody></table>",
    ]
    return "".join(parts)


def chart_html(id: str, kind: str, title: str, counts: dict[str, int]) -> str:
    # `<` inside a script would end it early if a name held `</script>`.
    labels = dumps(list(counts), ensure_ascii=False).replace("<", "\\u003c")
    config = (
        f"{{type: '{kind}', data: {{labels: {labels}, "
        f"datasets: [{{label: '', data: {dumps(list(counts.values()))}}}]}}}}"
    )
    return (
        f'<div class="chart-container"><h3>{escape(title)}</h3><canvas id="{id}"></canvas>'
        f"<script>new Chart(document.getElementById('{id}'), {config});</script></div>"
    )


def tell_dashboard(sentence: Sentence, answered: Sequence[Answered]) -> str:
    kept = result_of(answered, "gerar_dashboard")
    if not isinstance(kept, dict):
        return failure(answered, sentence.language) or tell_count(sentence, answered[:1])
    total = result_of(answered[:1], "contar_defeitos")["total"]
    if sentence.language == "en":
        return f"The dashboard is ready at {kept['url']}: {total} defects, by type, and the most frequent ones."
    return f"O dashboard está pronto em {kept['url']}: {total} defeitos, por tipo, e os mais frequentes."


def after_showing(
    tool: str, tell: Callable[[Sentence, Sequence[Answered]], str], shown: dict[Language, str]
) -> Callable[[Sentence, Sequence[Answered]], str]:
    """Tell the query's answer, then point at what is shown, or say why nothing is."""

    def telling(sentence: Sentence, answered: Sequence[Answered]) -> str:
        queries = [one for one in answered if one.step.tool != tool]
        said = tell(sentence, queries)
        if not asked(answered, tool):
            return said
        problem = failure(answered, sentence.language)
        # After a list a new paragraph, or the sentence would belong to its last line.
        joint = "\n\n" if "\n" in said else " "
        return f"{said}{joint}{problem or shown[sentence.language]}"

    return telling


CHART_SHOWN: dict[Language, str] = {
    "pt": "Pode vê-lo no gráfico acima.",
    "en": "The chart above shows it.",
}
CHART_WORDS = "grafico|chart|graph|plot|visualiza|diagrama"

PICTURE_INTENTS: tuple[Intent, ...] = (
    Intent(
        name="dashboard",
        phrases={
            "pt": (
                "Cria um dashboard de defeitos",
                "Gera um dashboard",
                "Faz um painel com os defeitos",
            ),
            "en": ("Create a defects dashboard", "Make a dashboard"),
        },
        keywords=("dashboard|painel",),
        plan=plan_dashboard,
        then=then_dashboard,
        tell=tell_dashboard,
    ),
    Intent(
        name="kpi",
        phrases={
            "pt": ("Mostra um KPI com o total de defeitos", "Indicador do total de defeitos"),
            "en": ("Show a KPI with the total of defects",),
        },
        keywords=("kpi|indicador|indicator",),
        plan=plan_count,
        then=then_kpi,
        tell=after_showing(
            "gerar_kpi",
            tell_count,
            {"pt": "Está no indicador acima.", "en": "The card above shows it."},
        ),
    ),
    Intent(
        name="chart_by_shift",
        phrases={
            "pt": ("Mostra os defeitos por turno num gráfico", "Gráfico por turno"),
            "en": ("Show the defects by shift in a chart", "Chart by shift"),
        },
        keywords=(CHART_WORDS, "turno|turnos|shift|shifts"),
        plan=plan_shifts,
        then=then_chart("bar"),
        tell=after_showing("gerar_grafico", tell_shifts, CHART_SHOWN),
    ),
    Intent(
        name="chart_by_shift_counted",
        phrases={
            "pt": ("Mostra os defeitos por turno num gráfico", "Gráfico por turno"),
            "en": ("Show the defects by shift in a chart", "Chart by shift"),
        },
        keywords=(CHART_WORDS, "turno|turnos|shift|shifts", "por|cada|by|per|each"),
        plan=plan_shifts_one_by_one,
        then=then_chart("bar"),
        tell=after_showing("gerar_grafico", tell_shifts_one_by_one, CHART_SHOWN),
    ),
    Intent(
        name="chart_top_defects",
        phrases={
            "pt": ("Mostra os 5 defeitos mais frequentes num gráfico",),
            "en": ("Show the 5 most frequent defects in a chart",),
        },
        keywords=(CHART_WORDS, "mais|top|principais|most|main"),
        plan=plan_top,
        then=then_chart("bar"),
        tell=after_showing("gerar_grafico", tell_top, CHART_SHOWN),
    ),
    Intent(
        name="chart_defects",
        phrases={
            "pt": (
                "Mostra num gráfico",
                "Gráfico dos defeitos por tipo",
                "Faz um gráfico de barras dos defeitos",
            ),
            "en": (
                "Show it in a chart",
                "Chart of the defects by type",
                "Draw a bar chart of the defects",
            ),
        },
        keywords=(CHART_WORDS,),
        plan=plan_count,
        then=then_chart("pie"),
        tell=after_showing("gerar_grafico", tell_count, CHART_SHOWN),
    ),
    Intent(
        name="table_defects",
        phrases={
            "pt": ("Mostra uma tabela dos defeitos por tipo", "Mostra numa tabela"),
            "en": ("Show a table of the defects by type", "Show it in a table"),
        },
        keywords=("tabela|table", "mostra|mostrar|faz|gera|cria|numa|show|make|create|in"),
        plan=plan_count,
        then=then_table,
        tell=after_showing(
            "gerar_tabela",
            tell_count,
            {"pt": "A tabela acima tem as percentagens.", "en": "The table above has the shares."},
        ),
    ),
)
