"""The benchmarks of the engine do what they say, at a small size."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.sandbox import probe
from tests.shared import bench


async def test_both_sides_of_the_turn_benchmark_see_every_piece() -> None:
    found = await bench("turn").measure(rounds=1, turns=2)

    assert all(theirs > 0 and ours > 0 for theirs, ours in found.values())


@pytest.mark.skipif(not any(r.available for r in probe()), reason="this machine has no sandbox")
async def test_code_finds_the_same_people_and_the_model_reads_less(tmp_path: Path) -> None:
    tokens = bench("tokens")
    company = tokens.Company(people=6, rows=80)

    direct, code = await tokens.measure(company, tmp_path)

    assert direct.answer == code.answer == company.over_budget()
    assert direct.answer
    assert code.sent < 0.15 * direct.sent
