"""The control chart tool: what it reads, what it shows and says, and what it does not compute."""

from __future__ import annotations

from itertools import pairwise
from statistics import fmean

import pytest

from bancada.domain.calls import Outcome
from tests.packs.statistics import qcc
from tests.packs.statistics.bench import Bench

STEADY = [10.0, 10.2, 9.9, 10.1, 9.8, 10.0, 10.3, 9.9, 10.1, 10.0, 9.7, 10.2, 10.0, 9.9, 10.1, 10.0, 9.8,
          10.2, 10.1, 9.9, 10.0, 10.2]  # fmt: skip
JUMPED = [*STEADY, 12.0]


async def test_a_column_in_control_is_said_to_be_on_this_chart_by_these_rules(
    bench: Bench,
) -> None:
    bench.table("medidas", peso=STEADY)
    found = await bench.call("carta_controlo", tipo="i-mr", tabela="medidas", coluna="peso")
    assert found["sob_controlo"] is True
    assert found["leitura"].startswith("Carta I-MR de peso (medidas): 22 pontos.")
    assert (
        "Nesta carta e com as regras Western Electric 1, 2, 3 e 4, o processo está sob controlo"
        in found["leitura"]
    )
    assert bench.queries == [
        'SELECT count(*) AS linhas, count("peso") FROM (\nSELECT * FROM "medidas"\n)'
    ]


async def test_a_broken_rule_names_its_points_what_it_means_and_no_cause(bench: Bench) -> None:
    bench.table("medidas", peso=JUMPED, peca=[f"P{n}" for n in range(1, 24)])
    bench.language = "en"
    found = await bench.call(
        "carta_controlo", tipo="i-mr", tabela="medidas", coluna="peso", ordem="peca"
    )
    assert found["sob_controlo"] is False
    assert "rule 1 (a point beyond the limits) at P" in found["leitura"]
    assert "The chart says when; the cause is to be looked for in the process." in found["leitura"]


async def test_limits_are_told_apart_and_broken_points_are_red(bench: Bench) -> None:
    bench.table("medidas", peso=JUMPED)
    await bench.call("carta_controlo", tipo="i-mr", tabela="medidas", coluna="peso")
    individual, moving, signals = bench.result.widgets
    labels = [one["label"] for one in individual.data["datasets"]]
    assert labels == ["I", "LSC", "LC", "LIC"]
    dashes = [one.get("borderDash") for one in individual.data["datasets"]]
    assert dashes == [None, [7, 4], [2, 3], [7, 4]]
    colours = individual.data["datasets"][0]["pointBackgroundColor"]
    assert colours[-1] != colours[0]
    assert moving.data["datasets"][0]["data"][0] is None
    assert signals.kind == "table"
    assert signals.data["linhas"][0][:2] == ["I", 1]


async def test_subgroups_come_from_a_column_or_from_a_size(bench: Bench) -> None:
    samples = [number // 5 + 1 for number in range(125)]
    bench.table("aneis", diametro=qcc.TRIAL, amostra=samples)
    asked = {"tipo": "xbarra-r", "tabela": "aneis", "coluna": "diametro"}
    by_column = await bench.call("carta_controlo", **asked, subgrupo="amostra")
    by_size = await bench.call("carta_controlo", **asked, tamanho=5)
    assert by_column["cartas"] == by_size["cartas"]
    assert by_column["pontos"] == 25
    assert by_column["cartas"][0]["centro"] == pytest.approx(74.00118, abs=5e-6)


async def test_rows_are_put_in_the_order_of_a_column_ties_as_they_came(bench: Bench) -> None:
    bench.table("m", v=[3, 1, 2, *range(4, 12), 2.5], quando=[2, 1, 2, *range(4, 12), 2])
    await bench.call("carta_controlo", tipo="i-mr", tabela="m", coluna="v", ordem="quando")
    assert bench.result.widgets[0].data["datasets"][0]["data"][:4] == [1, 3, 2, 2.5]


async def test_each_stage_has_its_own_limits_and_no_run_crosses_into_the_next(
    bench: Bench,
) -> None:
    bench.table(
        "m",
        v=[*STEADY, *(value + 5 for value in STEADY)],
        fase=["antes"] * 22 + ["depois"] * 22,
    )
    asked = {"tipo": "i-mr", "tabela": "m", "coluna": "v", "regras": "nelson"}
    whole = await bench.call("carta_controlo", **asked)
    assert whole["sob_controlo"] is False
    staged = await bench.call("carta_controlo", **asked, etapa="fase")
    assert staged["sob_controlo"] is True
    assert [one["nome"] for one in staged["etapas"]] == ["antes", "depois"]
    centres = [one["centro"] for one in staged["etapas"]]
    assert centres[1] - centres[0] == pytest.approx(5)
    drawn = bench.result.widgets[0].data["datasets"][2]["data"]
    assert drawn[0] != drawn[-1]


async def test_limits_of_an_earlier_period_judge_later_points(bench: Bench) -> None:
    bench.table("antes", v=STEADY)
    bench.table("depois", v=[10.1, 12.0, 9.9])
    asked = {"tipo": "i-mr", "coluna": "v"}
    before = await bench.call("carta_controlo", **asked, tabela="antes")
    stage = before["etapas"][0]
    fixed = {name: stage[name] for name in ("centro", "sigma", "tamanho", "fator")}
    later = await bench.call("carta_controlo", **asked, tabela="depois", limites_fixos=fixed)
    assert later["cartas"][0]["lsc"] == pytest.approx(before["cartas"][0]["lsc"])
    assert next(one["pontos"] for one in later["cartas"][0]["sinais"]) == [["2"]]
    assert "Os limites são fixos" in later["leitura"]
    said = await bench.refused(
        "carta_controlo", **asked, tabela="depois", limites_fixos={"centro": 1}
    )
    assert "falta 'sigma'" in said
    said = await bench.refused(
        "carta_controlo",
        tipo="p",
        coluna="v",
        tabela="depois",
        tamanho=20,
        limites_fixos={"centro": 2},
    )
    assert "não é possível" in said


async def test_pieces_of_each_day_are_counted_from_a_column_of_yes_and_no(bench: Bench) -> None:
    days = [f"2026-01-{day:02}" for day in range(1, 11) for _ in range(20)]
    bench.table("pecas", defeituosa=[at % 9 == 0 for at in range(200)], dia=days)
    found = await bench.call(
        "carta_controlo", tipo="p", tabela="pecas", coluna="defeituosa", subgrupo="dia"
    )
    assert found["pontos"] == 10
    assert found["cartas"][0]["centro"] == pytest.approx(23 / 200)


async def test_a_query_gives_the_data_and_typed_numbers_still_do(bench: Bench) -> None:
    bench.table("medidas", peso=JUMPED)
    by_query = await bench.call(
        "carta_controlo", tipo="i-mr", sql="SELECT peso FROM medidas;", coluna="peso"
    )
    typed = await bench.call("carta_controlo", tipo="i-mr", valores=JUMPED)
    assert by_query["cartas"] == typed["cartas"]
    assert len(bench.queries) == 1, "typed numbers ask nothing of the tables"


async def test_rules_are_chosen_for_each_chart(bench: Bench) -> None:
    bench.table("m", v=[float(value) for value in range(30)])
    asked = {"tipo": "i-mr", "tabela": "m", "coluna": "v"}
    some = await bench.call("carta_controlo", **asked, regras="nelson", numeros_regras=[3])
    assert [one["regra"] for one in some["cartas"][0]["sinais"]] == [3]
    only = await bench.call("carta_controlo", **asked, regras="limites")
    assert only["numeros_regras"] == [1]
    assert "1 a 4" in await bench.refused("carta_controlo", **asked, numeros_regras=[7])


async def test_who_may_not_query_makes_no_study(bench: Bench) -> None:
    bench.table("medidas", peso=STEADY)
    bench.refusal = Outcome(content="Not yours.", is_error=True, code="forbidden")
    said = await bench.refused("carta_controlo", tipo="i-mr", tabela="medidas", coluna="peso")
    assert said == "Not yours."


async def test_a_query_that_the_model_wrote_needs_the_query_tool_in_its_agent(
    bench: Bench,
) -> None:
    tool = bench.pack.tools[0]
    assert tool.calls is not None
    (written,) = tool.calls({"tipo": "i-mr", "sql": "SELECT 1 AS v", "coluna": "v"})
    assert (written.tool, written.of_agent) == ("consultar_dados", True)
    (ours,) = tool.calls({"tipo": "i-mr", "tabela": "m", "coluna": "v"})
    assert ours.of_agent is False
    assert tool.calls({"tipo": "i-mr", "valores": [1, 2]}) == []


async def test_what_was_guessed_of_a_column_is_told_with_the_chart(bench: Bench) -> None:
    bench.table("medidas", peso=STEADY)
    bench.notes = [{"text": "peso foi lido com vírgula decimal"}]
    found = await bench.call("carta_controlo", tipo="i-mr", tabela="medidas", coluna="peso")
    assert found["leitura"].endswith("Atenção: peso foi lido com vírgula decimal.")


async def test_more_points_than_can_be_drawn_are_all_computed_and_it_is_said(bench: Bench) -> None:
    bench.table("m", v=[float(at * 37 % 11) for at in range(700)])
    found = await bench.call("carta_controlo", tipo="i-mr", tabela="m", coluna="v")
    assert (found["pontos"], found["mostrados"]) == (700, 600)
    assert (
        "O gráfico mostra os últimos 600 pontos; limites e regras são de todos." in found["leitura"]
    )


async def test_limits_of_large_figures_keep_what_is_small_beside_them(bench: Bench) -> None:
    values = [10.0**9 + at for at in (1, 2, 3, 1, 2, 3, 1, 2, 9, 3)]
    bench.table("m", v=values)
    found = await bench.call("carta_controlo", tipo="i-mr", tabela="m", coluna="v")
    sigma = fmean(abs(b - a) for a, b in pairwise(values)) / 1.1283791671
    assert found["cartas"][0]["centro"] == 10.0**9 + 2.7
    assert found["cartas"][0]["lsc"] - 10.0**9 == pytest.approx(2.7 + 3 * sigma, abs=1e-4)


# ---------------------------------------------------------------------------- said, not computed

PROBLEMS = [
    ("too few", {"v": [1.0, 2.0, 3.0]}, {}, "Há 3 pontos"),
    ("constant", {"v": [5.0] * 12}, {}, "Os valores são todos iguais"),
    ("missing", {"v": [*STEADY, None]}, {}, "Faltam valores em 1 de 23 linhas"),
    ("no rows", {"v": []}, {}, "Não há nenhuma linha"),
    ("text", {"v": ["a", "b"]}, {}, "não é numérica"),
    ("no column", {"v": STEADY}, {"coluna": "w"}, "Não há a coluna «w». Colunas: v."),
    ("too fine", {"v": [1e15 + at % 3 for at in range(12)]}, {}, "ou diferem tão pouco"),
    ("infinite", {"v": [*STEADY, float("inf")]}, {}, "não é um número finito"),
    ("subgroups of I-MR", {"v": STEADY}, {"tamanho": 2}, "valores individuais"),
    ("no subgroups", {"v": STEADY}, {"tipo": "xbarra-r"}, "precisa de subgrupos"),
    (
        "unequal groups",
        {"v": STEADY, "g": [at // 2 for at in range(21)] + [9]},
        {"tipo": "xbarra-r", "subgrupo": "g"},
        "não têm todos o mesmo tamanho",
    ),
    ("no sizes", {"v": [1, 2, 3, 1, 2, 3, 1, 2]}, {"tipo": "p"}, "quantos foram inspecionados"),
    (
        "impossible",
        {"v": [1, 2, 3, 1, 2, 3, 1, 60]},
        {"tipo": "p", "tamanho": 50},
        "A amostra 8 não é possível: 60 em 50 inspecionados.",
    ),
    ("halves", {"v": [1, 2, 0.5, 1, 2, 3, 1, 6]}, {"tipo": "c"}, "A amostra 3 não é possível"),
    ("negative", {"v": [1, 2, -1, 1, 2, 3, 1, 6]}, {"tipo": "c"}, "A amostra 3 não é possível"),
    ("nothing found", {"v": [0] * 9}, {"tipo": "c"}, "a proporção é 0"),
]


@pytest.mark.parametrize(
    ("name", "columns", "asked", "said"), PROBLEMS, ids=lambda one: str(one)[:20]
)
async def test_what_cannot_be_studied_is_said_and_nothing_is_computed(
    bench: Bench, name: str, columns: dict[str, list[float]], asked: dict[str, object], said: str
) -> None:
    bench.table("m", **columns)
    given = {"tipo": "i-mr", "tabela": "m", "coluna": "v", **asked}
    assert said in await bench.refused("carta_controlo", **given)


async def test_missing_values_are_left_out_where_that_was_asked_and_it_is_said(
    bench: Bench,
) -> None:
    bench.table("m", v=[*STEADY, None, None])
    found = await bench.call(
        "carta_controlo", tipo="i-mr", tabela="m", coluna="v", omitir_vazios=True
    )
    assert found["pontos"] == 22
    assert "Ficaram de fora 2 linhas com valores em falta." in found["leitura"]


async def test_a_last_subgroup_that_is_not_full_is_left_out_and_it_is_said(bench: Bench) -> None:
    bench.table("m", v=STEADY)
    found = await bench.call("carta_controlo", tipo="xbarra-s", tabela="m", coluna="v", tamanho=2)
    assert found["fora_do_ultimo_subgrupo"] == 0
    bench.table("m", v=[*STEADY, 10.0])
    found = await bench.call("carta_controlo", tipo="xbarra-s", tabela="m", coluna="v", tamanho=2)
    assert "Valores do fim que não enchem um subgrupo e ficaram de fora: 1." in found["leitura"]


@pytest.mark.parametrize(
    "sql",
    ["SELECT 1 AS v; SELECT 2", "DROP TABLE m", "SELECT 1 AS v) --", "INSERT INTO m VALUES (1)"],
)
async def test_a_query_that_is_not_one_select_is_refused(bench: Bench, sql: str) -> None:
    bench.table("m", v=STEADY)
    bench.refusal = Outcome(content="", value={})
    await bench.refused("carta_controlo", tipo="i-mr", sql=sql, coluna="v")
    assert bench.services.datasets.db.execute("SELECT count(*) FROM m").fetchall() == [(22,)]
