from __future__ import annotations

import math
from typing import Any

import pytest

from bancada import ToolFailed
from tests.packs.quality.bench import Bench, Services

GROUPS = [[8, 12, 10], [9, 13, 11]] * 6 + [[15, 19, 17]]
"""Twelve steady subgroups and one that is not."""


async def test_xr_chart_of_given_subgroups_names_the_points_that_signal(bench: Bench) -> None:
    answer = await bench.call("carta_controlo_xr", subgrupos=GROUPS, titulo="Espessura")
    assert (answer["subgrupos"], answer["tamanho"]) == (13, 3)
    assert answer["xbarra"]["media"] == pytest.approx(143 / 13)
    assert answer["r"]["media"] == 4
    assert answer["sob_controlo"] is False
    assert [(s["carta"], s["regra"], s["pontos"]) for s in answer["sinais"]] == [
        ("xbarra", 1, ["13"])
    ]
    means, ranges = bench.widgets
    assert means.data["titulo"] == "Espessura — médias"
    assert [one["label"] for one in means.data["datasets"]] == ["Valor", "LSC", "LC", "LIC"]
    colours = means.data["datasets"][0]["pointBackgroundColor"]
    assert len(set(colours[:12])) == 1
    assert colours[12] not in colours[:12]
    assert len(ranges.data["labels"]) == 13


async def test_xr_chart_without_subgroups_takes_the_shifts_of_each_day(bench: Bench) -> None:
    answer = await bench.call("carta_controlo_xr")
    assert answer["tamanho"] == 3
    assert answer["xbarra"]["media"] == pytest.approx(200 / answer["subgrupos"] / 3)
    assert "manha, tarde, noite" in answer["dados"]
    assert bench.widgets[0].data["labels"][0] == "2026-02-11"


async def test_p_chart_of_given_samples(bench: Bench) -> None:
    answer = await bench.call(
        "carta_controlo_p", defeituosos=[5, 4, 30], inspecionados=[100, 100, 100]
    )
    assert answer["p_medio"] == 0.13
    assert answer["p"] == [0.05, 0.04, 0.3]
    assert {"carta": "p", "regra": 1, "descricao": "um ponto além de 3 sigma", "pontos": ["3"]} in (
        answer["sinais"]
    )


async def test_p_chart_of_the_log_is_of_the_most_frequent_type_unless_named(bench: Bench) -> None:
    answer = await bench.call("carta_controlo_p")
    assert "'lixo'" in answer["dados"]
    assert answer["p_medio"] == 0.31
    named = await bench.call("carta_controlo_p", tipo_defeito="Gordura")
    assert named["p_medio"] == 0.12


async def test_capability_of_values_against_two_limits(bench: Bench) -> None:
    answer = await bench.call(
        "capacidade",
        valores=[9.9, 10.1, 10.0, 9.8, 10.2],
        limite_inferior=9.5,
        limite_superior=10.5,
    )
    assert answer["media"] == 10.0
    assert answer["cp"] == pytest.approx(1.0540925534)
    assert answer["cpk"] == pytest.approx(1.0540925534)
    assert answer["avaliacao"] == "marginal"
    assert answer["fora_de_especificacao"] == 0
    (histogram,) = bench.widgets
    assert sum(histogram.data["datasets"][0]["data"]) == 5


async def test_capability_of_the_log_is_of_the_defects_of_each_day(bench: Bench) -> None:
    answer = await bench.call("capacidade", limite_superior=15)
    assert answer["dados"] == "defeitos por dia"
    assert answer["cp"] is None
    assert answer["cpk"] == pytest.approx((15 - answer["media"]) / (3 * answer["desvio_padrao"]))


@pytest.mark.parametrize(
    ("name", "input", "said"),
    [
        ("carta_controlo_xr", {"subgrupos": [[1, 2], [3]]}, "O subgrupo 2 tem 1 valores"),
        ("carta_controlo_xr", {"subgrupos": [[1], [3]]}, "de 2 a 25"),
        ("carta_controlo_xr", {"subgrupos": [[1, 2]]}, "dois subgrupos"),
        ("carta_controlo_xr", {"subgrupos": [[]]}, "dois subgrupos"),
        ("carta_controlo_xr", {"data_inicio": "2027-01-01"}, "dois dias"),
        ("carta_controlo_p", {"defeituosos": [1, 2], "inspecionados": [5]}, "tantos uns"),
        ("carta_controlo_p", {"defeituosos": [1, 6], "inspecionados": [5, 5]}, "Amostra 2"),
        ("carta_controlo_p", {"defeituosos": [0, 0], "inspecionados": [0, 5]}, "Amostra 1"),
        ("carta_controlo_p", {"tipo_defeito": "risco"}, "Conhecidos: lixo"),
        ("capacidade", {"valores": [1, 2]}, "Indique limite"),
        ("capacidade", {"valores": [1, 2], "limite_inferior": 5, "limite_superior": 4}, "menor"),
        ("capacidade", {"valores": [3, 3], "limite_superior": 4}, "todos iguais"),
        ("capacidade", {"valores": [3], "limite_superior": 4}, "dois valores"),
        ("capacidade", {"valores": [0, 5e-324], "limite_superior": 4}, "sem variação"),
        ("capacidade", {"valores": [1e308, -1e308], "limite_superior": 4}, "até 1e\\+100"),
        ("capacidade", {"valores": [1, 2], "limite_superior": 1e308}, "até 1e\\+100"),
        ("capacidade", {"subgrupos": [[1, 1], [2, 2]], "limite_superior": 4}, "em 'valores'"),
        ("carta_controlo_xr", {"subgrupos": [[1e308, -1e308]] * 2}, "O subgrupo 1"),
        ("carta_controlo_p", {"defeituosos": [1, 1], "inspecionados": [2, 10**400]}, "Amostra 2"),
    ],
)
async def test_what_cannot_be_computed_is_said_in_a_sentence(
    bench: Bench, name: str, input: dict[str, Any], said: str
) -> None:
    with pytest.raises(ToolFailed, match=said):
        await bench.call(name, **input)


async def test_a_process_that_only_varies_between_its_subgroups_can_be_given_as_values(
    bench: Bench,
) -> None:
    answer = await bench.call("capacidade", valores=[1, 1, 2, 2], limite_superior=4)
    assert answer["cpk"] == pytest.approx((4 - 1.5) / (3 * math.sqrt(1 / 3)))


async def test_without_a_log_given_data_still_works(tmp_path: Any) -> None:
    bench = Bench(Services(folder=tmp_path, demo=False))
    assert (await bench.call("carta_controlo_xr", subgrupos=GROUPS))["subgrupos"] == 13
    with pytest.raises(ToolFailed, match="indique os dados"):
        await bench.call("carta_controlo_xr")
