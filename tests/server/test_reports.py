"""Studies and dashboards as PDF: what stands in them, and whose they are."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, get_args
from xml.etree import ElementTree

import pytest

from bancada.dashboards.picture import svg
from bancada.dashboards.pinned import ShownCall
from bancada.dashboards.printer import printed
from bancada.dashboards.report import MOST_ROWS, of_call
from bancada.domain.people import Person
from bancada.packs.tables.charts import Kind
from tests.server.site import Site

RUI = Person(
    id=2, organisation_id=1, email="rui@demo.com", name="Rui", role="responsavel", language="en"
)
LIMITS = {
    "nome": "Linha 1", "de": "a", "ate": "b", "pontos": 30, "fixados_por": "Eva",
    "fixados_em": "2026-01-01 09:00 UTC",
}  # fmt: skip


def _chart(count: int = 3, **more: Any) -> dict[str, Any]:
    line = {"label": "I", "data": [1.5] * count, "borderColor": "#3d7ebf"}
    limit = {"label": "UCL", "data": [2.0] * count, "borderDash": [7, 4], "pointRadius": 0}
    labels = [f"<p{n}>" for n in range(count)]
    return {
        "tipo": "line",
        "titulo": "#pagebreak() $x$",
        "labels": labels,
        "datasets": [line, limit],
        **more,
    }


def _call(**chart: Any) -> ShownCall:
    return ShownCall(
        tool="carta_controlo",
        input={"tipo": "i-mr", "sql": None},
        result={
            "dados": "peso (medidas)",
            "regras": "nelson",
            "numeros_regras": [1, 2],
            "limites": LIMITS,
            "leitura": "In control.",
            "versao_dados": {"medidas": {"version": "ab12", "file": "m.csv", "at": "2026"}},
        },
        widgets=[("chart", _chart(**chart))],
        place=0,
        conversation_id="c",
        made_at=0.0,
    )


def test_a_report_says_data_rules_limits_version_who_and_when() -> None:
    made = of_call(_call(nota="Frozen limits “Linha 1”"), RUI, "Control chart")
    facts = dict(made["facts"])
    assert facts["Study"] == "Control chart"
    assert facts["For"] == "Rui"
    assert facts["Made"] == "1970-01-01 00:00 UTC"
    assert facts["Data"] == "peso (medidas)"
    assert facts["Rules"] == "Nelson 1, 2"
    assert facts["Frozen limits"] == "Linha 1: a – b (30), Eva, 2026-01-01 09:00 UTC"
    assert facts["Data version"] == "medidas · m.csv · ab12 · 2026"
    assert made["reading"] == "In control."
    assert made["sections"][0]["note"] == "Frozen limits “Linha 1”"
    assert made["data"][0]["table"]["rows"][0] == ["<p0>", "1.5", "2"]
    long = of_call(_call(count=MOST_ROWS + 5), RUI, "Control chart")["data"][0]["table"]
    assert (len(long["rows"]), long["note"]) == (MOST_ROWS, f"{MOST_ROWS} of {MOST_ROWS + 5} rows.")


SHAPES = {
    "bar": "rect",
    "line": "circle",
    "scatter": "circle",
    "bubble": "circle",
    "radar": "circle",
}


def _of_kind(kind: str, values: list[Any]) -> dict[str, Any]:
    points = [{"x": n, "y": value, "r": 3 + n} for n, value in enumerate(values)]
    given = points if kind in ("scatter", "bubble") else values
    labels = [f"rótulo {n}" for n in range(len(values))]
    return {
        "tipo": kind,
        "titulo": kind,
        "labels": labels,
        "datasets": [{"label": "a", "data": given}],
    }


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_of_chart_is_drawn_and_its_figures_stand_below(kind: str) -> None:
    data = _of_kind(kind, [3, 1.5, 2])
    made = of_call(replace(_call(), widgets=[("chart", data)]), RUI, "Chart")
    drawn = ElementTree.fromstring(made["sections"][0]["svg"])
    shape = SHAPES.get(kind, "path")
    marks = list(drawn.iter(f"{{http://www.w3.org/2000/svg}}{shape}"))
    assert len([one for one in marks if one.get("fill") != "none"]) == 3
    assert made["sections"][0]["note"] == ""
    figures = made["data"][0]["table"]["rows"]
    assert [row[2 if kind in ("scatter", "bubble") else 1] for row in figures] == ["3", "1.5", "2"]


@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize(
    "values",
    [
        [1.7e308, -1.7e308, 10**400],
        [0, 0, 0],
        [5e-324, 0, 0],
        [1e16, 1e16 + 2],
        [-1, -2, -3],
        [7],
    ],
)
def test_numbers_of_any_size_can_be_drawn(kind: str, values: list[Any]) -> None:
    drawn = svg(_of_kind(kind, values), "pt")
    assert "nan" not in drawn
    assert "inf" not in drawn
    ElementTree.fromstring(drawn)


async def test_a_net_and_a_text_are_on_paper_too() -> None:
    nodes = [
        {"id": "a", "label": "Bomba", "name": "B <1>"},
        {"id": "b", "label": "Linha", "name": "L2"},
    ]
    net = {"nodes": nodes, "edges": [{"source": "a", "target": "b", "type": "ALIMENTA"}]}
    shown = [("graph", {"titulo": "Rede", **net}), ("text", {"text": "Ver *amanhã*"})]
    made = of_call(replace(_call(), widgets=shown), RUI, "Graph")
    assert "B &lt;1&gt;" in made["sections"][0]["svg"]
    assert made["data"][0]["table"]["rows"] == [["B <1>", "L2", "ALIMENTA"]]
    assert made["sections"][1]["note"] == "Ver *amanhã*"
    every = [("chart", _of_kind(kind, [3, 1.5, 2])) for kind in get_args(Kind)]
    whole = await printed(of_call(replace(_call(), widgets=[*shown, *every]), RUI, "All"))
    assert whole.startswith(b"%PDF")


async def test_what_people_wrote_is_text_on_paper_and_a_picture_of_it_cannot_be_broken() -> None:
    drawn = svg(
        _chart(datasets=[{"label": "<b>", "data": [1, 2, 3], "borderColor": 'red"/><x'}]), "en"
    )
    assert "<b>" not in drawn
    assert "<x" not in drawn
    assert "stroke-dasharray" in svg(_chart(), "en")
    made = of_call(_call(), RUI, "Control chart")
    pdf, page = await asyncio.gather(printed(made), printed(made, "png"))
    assert pdf.startswith(b"%PDF-")
    assert page.startswith(b"\x89PNG")


async def test_a_dashboard_a_study_and_what_a_chat_showed_are_had_as_pdf_by_their_owner(
    site: Site,
) -> None:
    rui, ana = await site.signs_in("rui"), await site.signs_in("ana")
    await rui.begins("Qualidade")
    events = await rui.asks("Mostra os 5 defeitos mais frequentes num gráfico")
    shown = next(event.id for event in events if event.type == "chart")
    board = (
        await rui.post("/dashboards", {"titulo": "Linha é", "items": [{"event": shown}]})
    ).json()
    study = (await rui.post("/studies", {"name": "Cinco", "event": shown})).json()
    for path in (
        f"/dashboards/{board['id']}/report",
        f"/studies/{study['id']}/report",
        f"/reports/{shown}",
    ):
        answer = await rui.get(path)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF-")
        assert (await ana.get(path)).status_code == 404
    assert (
        'filename="Linha-e.pdf"'
        in (await rui.get(f"/dashboards/{board['id']}/report")).headers["content-disposition"]
    )
