"""Johnson's transformation against scipy's own distributions of the three families."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats as st

from bancada.packs.statistics.arithmetic.arrays import NoStudy
from bancada.packs.statistics.arithmetic.capability import SpecLimits
from bancada.packs.statistics.arithmetic.johnson import JohnsonCurve, johnson, through
from bancada.packs.statistics.arithmetic.shapes import by_points, ppm
from tests.packs.statistics.bench import Bench

CURVES = [
    (st.johnsonsu(1.3, 2.1, loc=5, scale=3), ("SU", 1.3, 2.1, 5.0, 3.0)),
    (st.johnsonsu(-0.4, 1.1, loc=-50, scale=20), ("SU", -0.4, 1.1, -50.0, 20.0)),
    (st.johnsonsb(-0.7, 1.4, loc=2, scale=9), ("SB", -0.7, 1.4, 2.0, 9.0)),
    (st.johnsonsb(1.6, 0.8, loc=0, scale=1e-3), ("SB", 1.6, 0.8, 0.0, 1e-3)),
    (st.lognorm(1 / 1.7, loc=4, scale=np.exp(-0.6 / 1.7)), ("SL", 0.6, 1.7, 4.0, 1.0)),
]


@pytest.mark.parametrize("spacing", [0.3, 0.7, 1.2])
@pytest.mark.parametrize(("known", "parameters"), CURVES)
def test_four_exact_points_give_back_the_parameters_of_scipys_distribution(
    known: st.rv_continuous, parameters: tuple[str, float, float, float, float], spacing: float
) -> None:
    points = [float(known.ppf(st.norm.cdf(k * spacing))) for k in (-3, -1, 1, 3)]
    found = {curve.family: curve for curve in through(points, spacing)}[parameters[0]]
    got = (found.gamma, found.eta, found.epsilon, found.scale)
    assert got == pytest.approx(parameters[1:], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("known", "parameters"), CURVES)
def test_a_curve_turns_scipys_shares_into_normal_scores_and_back(
    known: st.rv_continuous, parameters: tuple[str, float, float, float, float]
) -> None:
    family, gamma, eta, epsilon, scale = parameters
    curve = JohnsonCurve(family=family, gamma=gamma, eta=eta, epsilon=epsilon, scale=scale)
    shares = np.array([0.00135, 0.2, 0.5, 0.9, 0.99865])
    values = known.ppf(shares)
    assert st.norm.cdf(curve.score(values)) == pytest.approx(shares, rel=1e-9)
    back = [curve.value(float(one)) for one in st.norm.ppf(shares)]
    assert back == pytest.approx(values.tolist(), rel=1e-9)


def test_a_sample_of_each_family_is_made_normal_and_its_tails_are_near() -> None:
    for known, _ in CURVES:
        values = known.rvs(2000, random_state=11)
        found = johnson(values)
        assert found.chance is not None
        assert found.chance >= 0.10
        share = st.norm.cdf((found.middle - known.ppf(0.5)) / known.std())
        assert share == pytest.approx(0.5, abs=0.05)
        limits = SpecLimits(lower=float(known.ppf(0.01)), upper=float(known.ppf(0.99)), target=None)
        assert ppm(found, limits) == pytest.approx(20_000, rel=0.5)
        both, worst = by_points(found, limits)
        assert both is not None
        assert worst <= both < 1


def test_values_beyond_a_bound_are_certain_and_what_fits_no_curve_is_not_computed() -> None:
    bounded = johnson(st.johnsonsb(0.2, 0.9, loc=0, scale=1).rvs(400, random_state=2))
    assert bounded.below(-100.0) in (0.0, pytest.approx(0.0, abs=1e-6))
    assert bounded.above(100.0) == pytest.approx(0.0, abs=1e-6)
    with pytest.raises(NoStudy) as refused:
        johnson(np.array([1.0, 2.0, 3.0, 9.0] * 40))
    assert refused.value.code == "not_johnson"


async def test_the_capability_tool_tells_what_was_transformed(bench: Bench) -> None:
    bench.language = "en"
    values = st.johnsonsb(-0.7, 1.4, loc=2, scale=9).rvs(300, random_state=5)
    bench.table("medidas", brilho=[float(one) for one in values])
    found = await bench.call(
        "estudo_capacidade",
        tabela="medidas",
        coluna="brilho",
        limite_inferior=2.5,
        limite_superior=10.9,
        distribuicao="johnson",
    )
    shape = found["distribuicao"]
    assert shape["nome"].startswith("johnson-")
    assert shape["p"] >= 0.10
    assert "Transformed: A² = " in found["leitura"]
