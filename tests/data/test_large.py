"""Two million rows: every one of them counted, in bounded memory."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bancada.data.limits import DEFAULT_LIMITS
from bancada.data.process import ingest_file
from bancada.sandbox import Sandbox
from tests.data.desk import given, take

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(300),
    pytest.mark.asyncio(loop_scope="session"),
]

ROWS = 2_000_000


@pytest.mark.parametrize("broken", [False, True], ids=["clean", "with broken rows"])
async def test_two_million_rows_become_a_data_set(
    tmp_path: Path, broken: bool, sandbox: Sandbox
) -> None:
    source = tmp_path / "grande.csv"
    shifts = ("manha", "tarde", "noite")
    with source.open("w") as file:
        file.write("id,data,turno,peso\n")
        for n in range(ROWS):
            file.write(f"{n},2026-{n % 12 + 1:02}-{n % 28 + 1:02},{shifts[n % 3]},{n % 1000 / 8}\n")
        if broken:
            file.write("1,2026-01-01\n2,2026-01-01,manha,3,4\n")
    told: list[float] = []
    made = await ingest_file(
        given(sandbox), source, "grande.csv", tmp_path, name="made", progress=told.append
    )
    summary = made.summary
    assert summary["rows"] == ROWS + broken
    assert [column["type"] for column in summary["columns"]] == [
        "integer",
        "date",
        "text",
        "number",
    ]
    assert summary["categories"]["turno"][0] == {"value": "manha", "count": 666_667}
    assert [note["line"] for note in summary["tables"][0]["notes"]] == (
        [ROWS + 2, ROWS + 3] if broken else []
    )
    assert len(told) > 10
    assert made.peak_memory < DEFAULT_LIMITS.memory + 256 * 1024 * 1024


@pytest.mark.long
async def test_wide_files_take_about_as_long_as_long_ones_of_as_many_cells(tmp_path: Path) -> None:
    """Ten times the columns and a tenth of the rows; planning must not grow with their square."""
    spent: dict[int, float] = {}
    for columns, count in ((60, 3_000), (600, 300)):
        folder = tmp_path / str(columns)
        folder.mkdir()
        row = ";".join("12,5" if n % 3 else f"t{n}" for n in range(columns))
        heading = ";".join(f"c{n}" for n in range(columns))
        begun = time.process_time()
        made = await take(folder, "a.csv", f"{heading}\n" + f"{row}\n" * count)
        spent[columns] = time.process_time() - begun
        assert made.summary["rows"] == count
    assert spent[600] < 5 * spent[60]
