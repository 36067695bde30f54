from __future__ import annotations

import json
from typing import Any

import pytest

from bancada import ToolFailed
from bancada.packs.tables.render import direction
from tests.packs.quality.bench import Bench

PIE = {"tipo": "pie", "titulo": "Defeitos por tipo", "labels": ["lixo", "gordura"]}


async def test_a_chart_comes_back_as_a_widget(bench: Bench) -> None:
    answer = await bench.call("gerar_grafico", **PIE, valores=[62, 24])
    assert answer == {
        "widget": "chart",
        "tipo": "pie",
        "titulo": "Defeitos por tipo",
        "labels": ["lixo", "gordura"],
        "datasets": [{"label": "Defeitos por tipo", "data": [62, 24]}],
    }
    (widget,) = bench.widgets
    assert (widget.kind, widget.data) == ("chart", answer)


async def test_the_model_reads_a_line_and_not_its_own_data_again(bench: Bench) -> None:
    many = list(range(500))
    await bench.call(
        "gerar_grafico", tipo="line", titulo="t", labels=list(map(str, many)), valores=many
    )
    assert bench.last is not None
    assert isinstance(bench.last.content, str)
    assert len(bench.last.content) < 120
    assert json.loads(bench.last.content)["widget"] == "chart"


async def test_mixed_series_points_and_options_pass(bench: Bench) -> None:
    answer = await bench.call(
        "gerar_grafico",
        tipo="bar",
        titulo="t",
        labels=["a", "b"],
        datasets=[
            {"label": "n", "data": [1, None], "backgroundColor": ["#ff0000", "rgb(1, 2, 3)"]},
            {"label": "m", "type": "line", "data": [1.5, 2], "borderDash": [4, 2], "fill": False},
        ],
        opcoes={"indexAxis": "y", "scales": {"x": {"stacked": True, "title": {"text": "N.º"}}}},
    )
    assert answer["opcoes"]["scales"]["x"]["stacked"] is True
    scatter = await bench.call(
        "gerar_grafico", tipo="scatter", titulo="t", datasets=[{"data": [{"x": 1, "y": 2.5}]}]
    )
    assert scatter["datasets"][0]["data"] == [{"x": 1, "y": 2.5}]


@pytest.mark.parametrize(
    ("input", "said"),
    [
        ({}, "não tem dados"),
        ({"valores": [1]}, "1 valores para 2 etiquetas"),
        ({"datasets": [{"data": []}]}, "falta 'data'"),
        ({"datasets": [{"data": ["a", 1]}]}, r"datasets\[0\].data\[0\]: espera-se um número"),
        ({"datasets": [{"data": [True, 1]}]}, "espera-se um número"),
        ({"datasets": [{"data": [1, 2], "onClick": "x"}]}, "campo 'onClick' não suportado"),
        ({"datasets": [{"data": [1, 2], "backgroundColor": "url(//evil)"}]}, "espera-se uma cor"),
        ({"datasets": [{"data": [1, 2], "label": "x" * 201}]}, "200 caracteres"),
        ({"datasets": [{"data": [1, 2]}] * 21}, "máximo é 20"),
        ({"valores": [1, 2], "opcoes": {"onClick": "x"}}, "secção 'onClick'"),
        ({"valores": [1, 2], "opcoes": {"plugins": {"__proto__": {}}}}, "__proto__"),
        ({"valores": [1, 2], "opcoes": {"plugins": {"constructor": {}}}}, "constructor"),
        ({"valores": [1, 2], "opcoes": {"plugins": {"a": "https://evil/x.png"}}}, "endereços"),
        ({"valores": [1, 2], "opcoes": {"plugins": {"a": " javascript:x"}}}, "endereços"),
        ({"valores": [1, 2], "opcoes": {"scales": {"y": {"type": "nada"}}}}, "opcoes.scales.y"),
        ({"valores": [1, 2], "opcoes": {"scales": {"y": "nada"}}}, "opcoes.scales.y"),
        (
            {"valores": [1, 2], "opcoes": {"scales": {"x": {"ticks": [0] * 400}}}},
            "demasiado grandes",
        ),
    ],
)
async def test_a_chart_that_is_not_sound_is_refused_with_the_reason(
    bench: Bench, input: dict[str, Any], said: str
) -> None:
    with pytest.raises(ToolFailed, match=said):
        await bench.call("gerar_grafico", **PIE, **input)


async def test_decoration_and_programs_are_left_out_and_the_rest_is_drawn(bench: Bench) -> None:
    drawn = await bench.call(
        "gerar_grafico",
        tipo="bar",
        titulo="t",
        labels=[2025, "2026"],
        datasets=[{"label": "n", "data": [1, 2], "hoverOffset": 4, "borderRadius": 3}],
        opcoes={
            "responsive": True,
            "maintainAspectRatio": False,
            "scales": {"y": {"beginAtZero": True, "ticks": {"callback": "v => v", "color": "red"}}},
            "plugins": {"legend": {"onClick": "x"}},
        },
    )
    assert drawn["labels"] == ["2025", "2026"]
    assert drawn["datasets"] == [{"label": "n", "data": [1, 2], "borderRadius": 3}]
    assert drawn["opcoes"] == {
        "scales": {"y": {"beginAtZero": True, "ticks": {"color": "red"}}},
        "plugins": {"legend": {}},
    }


async def test_whole_numbers_stay_whole(bench: Bench) -> None:
    drawn = await bench.call("gerar_grafico", **PIE, valores=[62, 1.5])
    assert repr(drawn["datasets"][0]["data"]) == "[62, 1.5]"


async def test_charts_are_bounded(bench: Bench) -> None:
    labels = [str(n) for n in range(1001)]
    with pytest.raises(ToolFailed, match="1001 etiquetas"):
        await bench.call("gerar_grafico", tipo="bar", titulo="t", labels=labels, valores=[1] * 1001)
    with pytest.raises(ToolFailed, match="6000 pontos"):
        await bench.call(
            "gerar_grafico",
            tipo="line",
            titulo="t",
            labels=labels[:1000],
            datasets=[{"data": [1] * 1000}] * 6,
        )


async def test_deep_options_are_refused_without_harm(bench: Bench) -> None:
    deep: dict[str, Any] = {}
    for _ in range(50):
        deep = {"a": deep}
    with pytest.raises(ToolFailed, match="demasiado grandes"):
        await bench.call("gerar_grafico", **PIE, valores=[1, 2], opcoes={"plugins": deep})


async def test_a_table_takes_rows_as_lists_or_by_column(bench: Bench) -> None:
    answer = await bench.call(
        "gerar_tabela",
        titulo="Top",
        colunas=["tipo", "total"],
        linhas=[["lixo", 62], {"total": 31, "tipo": "falta_tinta"}, {"tipo": "outros"}],
    )
    assert answer == {
        "widget": "table",
        "titulo": "Top",
        "colunas": ["tipo", "total"],
        "linhas": [["lixo", 62], ["falta_tinta", 31], ["outros", None]],
    }
    assert bench.widgets[0].kind == "table"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"colunas": ["a"], "linhas": [[1], [1, 2]]}, "A linha 2 tem 2 células para 1 colunas"),
        ({"colunas": ["a"], "linhas": [{"b": 1}]}, "coluna 'b' não existe"),
        ({"colunas": ["a"], "linhas": [[{"x": 1}]]}, "Linha 1: uma célula"),
        ({"colunas": [], "linhas": []}, "0 colunas"),
        ({"colunas": ["a"] * 51, "linhas": []}, "51 colunas"),
        ({"colunas": ["a"], "linhas": [[1]] * 1001}, "1001 linhas"),
    ],
)
async def test_a_table_that_is_not_sound_is_refused_with_the_reason(
    bench: Bench, table: dict[str, Any], said: str
) -> None:
    with pytest.raises(ToolFailed, match=said):
        await bench.call("gerar_tabela", titulo="t", **table)


async def test_a_key_figure_keeps_only_what_was_said(bench: Bench) -> None:
    assert await bench.call("gerar_kpi", titulo="Total", valor=200) == {
        "widget": "kpi",
        "titulo": "Total",
        "valor": 200,
    }
    answer = await bench.call(
        "gerar_kpi", titulo="Total", valor="2,3", unidade="%", tendencia="-5% face a ontem"
    )
    assert answer["direcao"] == "descida"
    assert bench.widgets[0].kind == "kpi"


async def test_a_series_ends_in_the_figure_and_says_its_direction(bench: Bench) -> None:
    answer = await bench.call("gerar_kpi", titulo="Total", valor=3, serie=[5, 4, 3])
    assert (answer["serie"], answer["direcao"]) == ([5, 4, 3], "descida")
    with pytest.raises(ToolFailed, match="acaba em 4 e o valor é 3"):
        await bench.call("gerar_kpi", titulo="Total", valor=3, serie=[5, 4])


@pytest.mark.parametrize(
    ("trend", "way"),
    [
        ("+3%", "subida"),
        ("Subida", "subida"),
        ("down 2", "descida"),
        ("−1", "descida"),
        ("igual", "estavel"),
    ],
)
def test_a_trend_points_somewhere(trend: str, way: str) -> None:
    assert direction(trend) == way


async def test_a_dashboard_is_kept_and_the_model_reads_its_address(bench: Bench) -> None:
    answer = await bench.call("gerar_dashboard", titulo="Turnos", html="<div>1</div>")
    assert answer == {"status": "ok", "url": "/dashboards/a3f2c8e1b047"}
    assert bench.services.dashboards.kept == [{"titulo": "Turnos", "html": "<div>1</div>"}]
    (widget,) = bench.widgets
    assert widget.kind == "dashboard"
    assert {key: widget.data[key] for key in ("id", "url", "titulo")} == {
        "id": "a3f2c8e1b047",
        "url": "/dashboards/a3f2c8e1b047",
        "titulo": "Turnos",
    }
