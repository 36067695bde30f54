"""Capability, gage and Pareto tools: what they answer, what they say, what they do not compute."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api
import statsmodels.formula.api

from bancada.packs.statistics.arithmetic import capability
from tests.packs.statistics import qcc
from tests.packs.statistics.bench import Bench

VALUES = [float(value) for value in np.random.default_rng(7).normal(10, 0.2, 60)]
SKEWED = [float(value) for value in np.random.default_rng(7).weibull(1.3, 200) * 4]


async def test_a_column_has_indices_intervals_and_a_verdict(bench: Bench) -> None:
    bench.table("medidas", peso=VALUES)
    asked = {"tabela": "medidas", "coluna": "peso", "limite_inferior": 9, "limite_superior": 11}
    found = await bench.call("estudo_capacidade", **asked)
    assert found["pp"]["valor"] == pytest.approx(2 / (6 * np.std(VALUES, ddof=1)))
    assert found["cpk"]["de"] < found["cpk"]["valor"] < found["cpk"]["a"]
    assert found["avaliacao"] == "capaz"
    assert found["leitura"].startswith("Capacidade de peso (medidas): 60 valores, média")
    assert "nada contra a normalidade" in found["leitura"]
    assert "Os índices supõem um processo sob controlo: veja a carta." in found["leitura"]
    histogram, table = bench.result.widgets
    assert sum(histogram.data["datasets"][0]["data"]) == 60
    assert [row[0] for row in table.data["linhas"]] == ["Cp", "Cpk", "Pp", "Ppk"]


async def test_one_limit_gives_only_the_indices_of_its_side(bench: Bench) -> None:
    found = await bench.call("estudo_capacidade", valores=VALUES, limite_superior=10.4)
    assert found["cp"] is None
    assert found["pp"] is None
    assert found["cpk"] is not None


async def test_values_that_are_not_normal_are_said_to_be_and_a_shape_is_used(bench: Bench) -> None:
    bench.table("m", v=SKEWED)
    asked = {"tabela": "m", "coluna": "v", "limite_superior": 20}
    plain = await bench.call("estudo_capacidade", **asked)
    assert plain["parece_normal"] is False
    assert "estes índices supõem que o são" in plain["leitura"]
    for shape in ("weibull", "lognormal", "gama", "box-cox"):
        found = await bench.call("estudo_capacidade", **asked, distribuicao=shape)
        assert found["distribuicao"]["nome"] == shape
        assert found["distribuicao"]["percentis"] == sorted(found["distribuicao"]["percentis"])
        assert f"Com a distribuição {shape}" in found["leitura"]


async def test_subgroups_give_the_spread_within_by_the_way_that_was_asked(bench: Bench) -> None:
    bench.table("aneis", d=qcc.TRIAL)
    asked = {"tabela": "aneis", "coluna": "d", "limite_inferior": 73.95, "limite_superior": 74.05}
    by = {
        way: (await bench.call("estudo_capacidade", **asked, tamanho=5, sigma=way))["sigma_dentro"]
        for way in ("amplitudes", "desvios", "combinado")
    }
    assert by["amplitudes"] == pytest.approx(0.02276 / 2.3259289)
    assert by["desvios"] == pytest.approx(0.009829977, abs=5e-10)
    groups = np.array(qcc.TRIAL).reshape(25, 5)
    pooled = float(np.sqrt(groups.var(axis=1, ddof=1).mean())) / capability.c4(101)
    assert by["combinado"] == pytest.approx(pooled)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"valores": [5.0] * 12, "limite_superior": 9}, "Os valores são todos iguais"),
        ({"valores": [1.0, 2.0, 3.0], "limite_superior": 9}, "Há 3 valores"),
        ({"valores": VALUES}, "Indique limite_inferior"),
        ({"valores": VALUES, "limite_inferior": 3, "limite_superior": 2}, "menor do que"),
        (
            {"valores": [-1.0, *VALUES], "limite_superior": 20, "distribuicao": "weibull"},
            "só de valores acima de zero, e há -1",
        ),
    ],
)
async def test_a_capability_that_cannot_be_told_is_not(
    bench: Bench, asked: dict[str, object], said: str
) -> None:
    assert said in await bench.refused("estudo_capacidade", **asked)


# ---------------------------------------------------------------------------- gage


def gage_table(bench: Bench, noise: float) -> None:
    rng = np.random.default_rng(3)
    rows = [
        (f"P{part}", f"O{operator}", 10 + part + 0.05 * operator + noise * rng.normal())
        for part in range(8)
        for operator in range(3)
        for _ in range(2)
    ]
    parts, operators, values = zip(*rows, strict=True)
    bench.table("rr", peca=parts, operador=operators, valor=values)


GAGE = {"tabela": "rr", "coluna": "valor", "peca": "peca", "operador": "operador"}


@pytest.mark.parametrize(
    ("noise", "verdict"), [(0.05, "aceitável"), (0.5, "condicional"), (3.0, "inaceitável")]
)
async def test_a_gage_has_the_usual_verdict(bench: Bench, noise: float, verdict: str) -> None:
    gage_table(bench, noise)
    found = await bench.call("estudo_rr", **GAGE, tolerancia=6)
    assert found["avaliacao"] == verdict
    assert "8 peças, 3 operadores, 2 repetições" in found["leitura"]
    components = found["componentes"]
    assert components["total"]["variancia"] == pytest.approx(
        components["gage"]["variancia"] + components["parts"]["variancia"]
    )


async def test_the_analysis_of_variance_is_statsmodels(bench: Bench) -> None:
    gage_table(bench, 0.5)
    found = await bench.call("estudo_rr", **GAGE)
    frame = bench.services.datasets.db.execute("FROM rr").df()
    model = statsmodels.formula.api.ols("valor ~ C(peca) + C(operador)", frame).fit()
    table = statsmodels.api.stats.anova_lm(model)
    assert found["interacao"] is False
    for ours, theirs in zip(found["anova"], table.itertuples(), strict=True):
        assert ours[1] == theirs.df
        assert ours[2] == pytest.approx(theirs.sum_sq)
    assert found["anova"][0][5] == pytest.approx(table["PR(>F)"].iloc[0])


async def test_a_study_that_is_not_balanced_is_said_and_not_computed(bench: Bench) -> None:
    gage_table(bench, 0.5)
    sql = "SELECT * FROM rr LIMIT 47"
    said = await bench.refused(
        "estudo_rr", sql=sql, coluna="valor", peca="peca", operador="operador"
    )
    assert "não é cruzado e equilibrado (8 peças, 3 operadores)" in said


# ---------------------------------------------------------------------------- Pareto


async def test_a_pareto_has_a_second_level(bench: Bench) -> None:
    bench.table(
        "d",
        tipo=["lixo"] * 6 + ["gordura"] * 3 + ["outros"],
        turno=["manhã", "tarde"] * 5,
        custo=[1, 1, 1, 1, 1, 1, 9, 9, 9, 1],
    )
    found = await bench.call("pareto_tabela", tabela="d", coluna="tipo", segundo="turno")
    assert [(row["categoria"], row["total"], row["acumulada"]) for row in found["pareto"]] == [
        ("lixo", 6, 60),
        ("gordura", 3, 90),
        ("outros", 1, 100),
    ]
    assert found["vitais"] == ["lixo", "gordura"]
    first, second = bench.result.widgets
    assert [one["label"] for one in second.data["datasets"]] == ["manhã", "tarde"]
    assert [one["data"] for one in second.data["datasets"]] == [[3, 2, 0], [3, 1, 1]]
    by_cost = await bench.call("pareto_tabela", tabela="d", coluna="tipo", somar="custo")
    assert by_cost["vitais"] == ["gordura", "lixo"]
    assert first.kind == "chart"


async def test_a_pareto_of_missing_or_negative_values_is_said(bench: Bench) -> None:
    bench.table("d", tipo=["a", None, "b"], custo=[1, 2, -3])
    assert "Faltam valores em 1 de 3" in await bench.refused(
        "pareto_tabela", tabela="d", coluna="tipo"
    )
    found = await bench.call("pareto_tabela", tabela="d", coluna="tipo", omitir_vazios=True)
    assert found["total"] == 2
    assert "negativos" in await bench.refused(
        "pareto_tabela", tabela="d", coluna="tipo", somar="custo", omitir_vazios=True
    )
