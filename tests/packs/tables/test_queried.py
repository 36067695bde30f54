"""Charts, tables and key figures drawn from a query instead of from numbers a model typed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bancada import ToolFailed
from bancada.domain.calls import Outcome
from tests.packs.quality.bench import Bench

SQL = "SELECT tipo_defeito, count(*) AS total FROM defeitos GROUP BY ALL"
BARS = {"tipo": "bar", "titulo": "Defeitos", "sql": SQL}


def read(bench: Bench) -> dict[str, Any]:
    """What the model read of the last call."""
    assert bench.last is not None
    assert isinstance(bench.last.content, str)
    found: dict[str, Any] = json.loads(bench.last.content)
    return found


# ---------------------------------------------------------------------------- what is drawn


async def test_the_first_column_labels_the_series_of_the_others(bench: Bench) -> None:
    bench.services.datasets.answers(
        ["lixo", 62, 0.31], ["gordura", 24, None], columns="tipo total quota"
    )
    answer = await bench.call("gerar_grafico", **BARS, opcoes={"indexAxis": "y"})
    assert answer == {
        "widget": "chart",
        "tipo": "bar",
        "titulo": "Defeitos",
        "labels": ["lixo", "gordura"],
        "datasets": [
            {"label": "total", "data": [62, 24]},
            {"label": "quota", "data": [0.31, None]},
        ],
        "opcoes": {"indexAxis": "y"},
    }
    assert [(widget.kind, widget.data) for widget in bench.widgets] == [("chart", answer)]
    assert bench.services.datasets.asked == [SQL]


async def test_anything_can_be_a_label(bench: Bench) -> None:
    bench.services.datasets.answers(
        [None, 1], [True, 2], [2024.0, 3], [["a", 1], 4], ["x" * 300, 5], columns="k n"
    )
    answer = await bench.call("gerar_grafico", **BARS)
    assert answer["labels"][:4] == ["(vazio)", "sim", "2024", '["a", 1]']
    assert len(answer["labels"][4]) == 200


async def test_days_that_the_engine_calls_moments_are_days(bench: Bench) -> None:
    bench.services.datasets.answers(
        ["2026-01-01 00:00:00", 1], ["2026-02-01 00:00:00", 2], columns="mes n"
    )
    answer = await bench.call("gerar_grafico", **BARS)
    assert answer["labels"] == ["2026-01-01", "2026-02-01"]


async def test_points_take_their_coordinates_from_the_columns(bench: Bench) -> None:
    bench.services.datasets.answers([1, 2.5, 3], [None, 4, 5], [2, 4, None], columns="x a b")
    scatter = await bench.call("gerar_grafico", tipo="scatter", titulo="t", sql=SQL)
    assert scatter["labels"] == []
    assert scatter["datasets"] == [
        {"label": "a", "data": [{"x": 1, "y": 2.5}, {"x": 2, "y": 4}]},
        {"label": "b", "data": [{"x": 1, "y": 3}]},
    ]
    bubble = await bench.call("gerar_grafico", tipo="bubble", titulo="t", sql=SQL)
    assert bubble["datasets"] == [{"label": "a", "data": [{"x": 1, "y": 2.5, "r": 3}]}]


async def test_a_table_shows_the_columns_and_rows_of_the_query(bench: Bench) -> None:
    bench.services.datasets.answers(
        ["lixo", 62, None], ["gordura", 24, {"a": 1}], columns="tipo total nota"
    )
    answer = await bench.call("gerar_tabela", titulo="Top", sql=SQL)
    assert answer == {
        "widget": "table",
        "titulo": "Top",
        "colunas": ["tipo", "total", "nota"],
        "linhas": [["lixo", 62, None], ["gordura", 24, '{"a": 1}']],
    }


async def test_a_key_figure_is_the_one_cell(bench: Bench) -> None:
    answer = await bench.call("gerar_kpi", titulo="Total", unidade="defeitos", sql="SELECT 200")
    assert answer == {"widget": "kpi", "titulo": "Total", "valor": 200, "unidade": "defeitos"}
    assert read(bench)["valor"] == 200


# ---------------------------------------------------------------------------- what the model reads


@pytest.mark.parametrize(
    ("tool", "input"),
    [
        ("gerar_grafico", BARS),
        ("gerar_tabela", {"titulo": "t", "sql": SQL}),
        ("gerar_kpi", {"titulo": "t", "sql": "SELECT 1"}),
    ],
)
async def test_what_was_guessed_of_the_columns_reaches_the_model_with_the_figures(
    bench: Bench, tool: str, input: dict[str, Any]
) -> None:
    rows = [[1.234]] if tool == "gerar_kpi" else [["L1", 1.234]]
    bench.services.datasets.answers(*rows, columns="total" if tool == "gerar_kpi" else "l total")
    bench.services.datasets.answer["notes"] = [{"code": "thousands", "text": "um palpite"}]
    await bench.call(tool, **input)
    assert read(bench)["avisos"] == ["um palpite"]


async def test_the_model_reads_a_few_figures_whole(bench: Bench) -> None:
    bench.services.datasets.answers(["lixo", 62], ["gordura", 24], columns="tipo total")
    await bench.call("gerar_grafico", **BARS)
    assert read(bench) == {
        "widget": "chart",
        "tipo": "bar",
        "titulo": "Defeitos",
        "mostrado": True,
        "colunas": ["tipo", "total"],
        "dados": [["lixo", 62], ["gordura", 24]],
    }


async def test_the_model_reads_what_matters_of_many(bench: Bench) -> None:
    days = [[f"2026-01-{n:03}", n * 0.1, "texto"] for n in range(1, 201)]
    bench.services.datasets.answers(*days, columns="dia media nota")
    await bench.call("gerar_tabela", titulo="t", sql=SQL)
    said = read(bench)
    assert (said["linhas"], "dados" in said) == (200, False)
    assert said["resumo"]["primeiras"][0] == ["2026-01-001", 0.1, "texto"]
    assert said["resumo"]["ultima"] == ["2026-01-200", 20.0, "texto"]
    assert said["resumo"]["numeros"] == {
        "media": {
            "soma": 2010.0,
            "minimo": [0.1, "2026-01-001"],
            "maximo": [20.0, "2026-01-200"],
        }
    }


async def test_what_the_model_reads_is_bounded_however_wide_the_answer(bench: Bench) -> None:
    names = " ".join(f"{n:02}{'c' * 100}" for n in range(40))
    bench.services.datasets.answers(*[["x" * 400] * 40] * 2, columns=names)
    with pytest.raises(ToolFailed, match="dados a mais"):
        await bench.call("gerar_tabela", titulo="t", sql=SQL)
    bench.services.datasets.answers(["x" * 400] * 40, columns=names)
    await bench.call("gerar_tabela", titulo="t", sql=SQL)
    assert bench.last is not None
    assert len(str(bench.last.content)) < 3_000
    assert read(bench)["resumo"]["mais_colunas"] == 32


# ---------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("name", "input", "said"),
    [
        ("gerar_grafico", {"tipo": "pie", "labels": ["a"]}, "'sql' ou 'labels', não ambos"),
        ("gerar_grafico", {"tipo": "pie", "valores": [1]}, "'sql' ou 'valores', não ambos"),
        ("gerar_grafico", {"tipo": "pie", "datasets": [{"data": [1]}]}, "'datasets', não ambos"),
        ("gerar_tabela", {"colunas": ["a"]}, "'sql' ou 'colunas', não ambos"),
        ("gerar_tabela", {"linhas": [[1]]}, "'sql' ou 'linhas', não ambos"),
        ("gerar_kpi", {"valor": 0}, "'sql' ou 'valor', não ambos"),
    ],
)
async def test_data_come_from_one_side(
    bench: Bench, name: str, input: dict[str, Any], said: str
) -> None:
    with pytest.raises(ToolFailed, match=said):
        await bench.call(name, titulo="t", sql=SQL, **input)
    assert bench.services.datasets.asked == []


async def test_an_empty_list_beside_a_query_is_nothing_said(bench: Bench) -> None:
    empty: dict[str, Any] = {"labels": [], "valores": None, "datasets": []}
    bench.services.datasets.answers(["lixo", 62], columns="tipo total")
    assert (await bench.call("gerar_grafico", **BARS, **empty))["labels"] == ["lixo"]
    chart = {"tipo": "pie", "titulo": "t", "labels": ["a"], "valores": [1]}
    assert (await bench.call("gerar_grafico", **chart, sql=""))["labels"] == ["a"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gerar_tabela", "indique 'colunas' e 'linhas', ou 'sql'"),
        ("gerar_kpi", "indique 'valor' ou 'sql'"),
    ],
)
async def test_no_data_at_all_is_said(bench: Bench, name: str, said: str) -> None:
    with pytest.raises(ToolFailed, match=said):
        await bench.call(name, titulo="t")


@pytest.mark.parametrize("name", ["gerar_grafico", "gerar_tabela", "gerar_kpi"])
async def test_an_empty_answer_and_a_part_of_one_are_not_shown(bench: Bench, name: str) -> None:
    kind = {"tipo": "bar"} if name == "gerar_grafico" else {}
    bench.services.datasets.answers(columns="tipo total")
    with pytest.raises(ToolFailed, match="nenhuma linha"):
        await bench.call(name, titulo="t", sql=SQL, **kind)
    bench.services.datasets.answers(*[["a", 1]] * 200, columns="tipo total", total=5000)
    with pytest.raises(ToolFailed, match="5000 linhas e cabem 200"):
        await bench.call(name, titulo="t", sql=SQL, **kind)


@pytest.mark.parametrize(
    ("kind", "columns", "row", "said"),
    [
        ("bar", "a", ["x"], "pelo menos duas colunas"),
        ("bar", "a b", ["x", "y"], "A coluna 'b' não é numérica .tem 'y'"),
        ("bar", "a b", ["x", True], "não é numérica"),
        ("bar", "a b", ["x", None], "só dá valores vazios"),
        ("bar", "a " + "b " * 21, ["x", *[1] * 21], "21 séries; o máximo é 20"),
        ("scatter", "a b", ["x", 1], "A coluna 'a' não é numérica"),
        ("scatter", "a b", [1, None], "só dá valores vazios"),
        ("bubble", "a b", [1, 2], "três colunas"),
    ],
)
async def test_what_cannot_be_drawn_is_refused_with_the_reason(
    bench: Bench, kind: str, columns: str, row: list[Any], said: str
) -> None:
    bench.services.datasets.answers(row, columns=columns)
    with pytest.raises(ToolFailed, match=said):
        await bench.call("gerar_grafico", tipo=kind, titulo="t", sql=SQL)


async def test_a_key_figure_is_one_cell_and_not_nothing(bench: Bench) -> None:
    bench.services.datasets.answers([1, 2], columns="a b")
    with pytest.raises(ToolFailed, match="1 linhas e 2 colunas"):
        await bench.call("gerar_kpi", titulo="t", sql=SQL)
    bench.services.datasets.answers([None], columns="a")
    with pytest.raises(ToolFailed, match="valor vazio"):
        await bench.call("gerar_kpi", titulo="t", sql=SQL)


async def test_a_key_figure_with_its_moments_is_the_last_of_them(bench: Bench) -> None:
    bench.services.datasets.answers(
        ["2026-01-09", 5], ["2026-01-10", 4], ["2026-01-11", 7], columns="d n"
    )
    answer = await bench.call("gerar_kpi", titulo="t", melhor="descida", sql=SQL)
    assert (answer["valor"], answer["serie"], answer["direcao"]) == (7, [5, 4, 7], "subida")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([["2026-01-10", 4], ["2026-01-09", 5]], "do mais antigo"),
        ([["2026-01-10", 4], ["2026-01-10", 5]], "sem repetir"),
        ([["jan", 4], ["fev", 5]], "data ou número"),
        ([[1, 4], [2, None]], "valores vazios"),
    ],
)
async def test_moments_out_of_order_make_no_key_figure(
    bench: Bench, rows: list[list[Any]], said: str
) -> None:
    bench.services.datasets.answers(*rows, columns="d n")
    with pytest.raises(ToolFailed, match=said):
        await bench.call("gerar_kpi", titulo="t", sql=SQL)


async def test_a_wrong_query_is_answered_in_the_query_tools_own_words(bench: Bench) -> None:
    bench.services.datasets.answer = ToolFailed("Table x does not exist. Known tables: defeitos.")
    with pytest.raises(ToolFailed, match=r"^Table x does not exist\. Known tables: defeitos\.$"):
        await bench.call("gerar_kpi", titulo="t", sql=SQL)


async def test_whoever_may_not_query_is_told_what_to_do_instead(bench: Bench) -> None:
    sentence = "consultar_dados is not among the tools of Qualidade."
    bench.refusal = Outcome(content=sentence, is_error=True, code="disabled")
    with pytest.raises(ToolFailed, match="Sem 'sql', indique 'labels' e 'valores'"):
        await bench.call("gerar_grafico", **BARS)
