from __future__ import annotations

import csv
import io
import statistics
from collections import Counter
from datetime import date

from bancada.packs.quality import DEMO
from tests.packs.quality.bench import BY_TYPE


def rows() -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(DEMO.read_text("utf-8"))))


def counted(column: str) -> dict[str, int]:
    return dict(Counter(row[column] for row in rows()))


def test_the_log_has_the_columns_and_first_rows_that_the_guide_prints() -> None:
    lines = DEMO.read_text("utf-8").splitlines()
    assert lines[:3] == [
        "id,data,turno,operador,tipo_defeito,material,rack,posicao",
        "1,2026-02-11,manha,Julia,gordura,ABS_Cinza,R11,3",
        "2,2026-02-12,manha,Julia,escorrido,PP_Negro,R10,2",
    ]
    assert [row["id"] for row in rows()] == [str(n) for n in range(1, 201)]


def test_every_total_is_the_printed_one() -> None:
    assert counted("tipo_defeito") == BY_TYPE
    assert counted("turno") == {"manha": 73, "tarde": 68, "noite": 59}
    assert counted("operador") == {"Julia": 55, "Carlos": 52, "Pedro": 49, "Margareta": 44}
    assert counted("material") == {
        "ABS_Cinza": 58,
        "PP_Negro": 54,
        "PP_Vermelho": 47,
        "PA_Branco": 41,
    }


def test_five_racks_have_the_printed_totals_and_no_other_comes_near() -> None:
    racks = counted("rack")
    assert {name: racks.pop(name) for name in ("R12", "R11", "R13", "R10", "R14")} == {
        "R12": 38,
        "R11": 37,
        "R13": 36,
        "R10": 33,
        "R14": 29,
    }
    assert sum(racks.values()) == 27
    assert max(racks.values()) <= 28


def test_positions_have_the_printed_mean_and_the_nearest_deviation_whole_numbers_allow() -> None:
    positions = [int(row["posicao"]) for row in rows()]
    assert set(positions) == set(range(1, 9))
    assert statistics.mean(positions) == 4.59
    # 2.305 itself would need an odd sum of squares beside an even sum.
    assert abs(statistics.stdev(positions) - 2.305) < 0.001


def test_days_are_working_days_of_early_2026_in_order() -> None:
    days = [date.fromisoformat(row["data"]) for row in rows()]
    assert days == sorted(days)
    assert days[-1] <= date(2026, 3, 31)
    assert all(day.weekday() < 5 for day in days)
