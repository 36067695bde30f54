"""Two hundred files made by chance: every figure is pandas', or the difference is told."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas
import pytest

from bancada.data.process import Ingested
from tests.data.desk import rows, take, types
from tests.data.generated import SMALL, Column, File, made

ALL = 200
FEW = 24
NUMBERS = ("id", "whole", "decimal", "percent", "money")


@pytest.mark.parametrize("seed", range(FEW))
async def test_a_file_has_the_figures_that_pandas_finds_in_it(tmp_path: Path, seed: int) -> None:
    sizes = (5_001,) if seed in (4, 5) else SMALL
    await compare(tmp_path, made(seed, sizes=sizes))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(ALL))
async def test_two_hundred_files_have_the_figures_that_pandas_finds(
    tmp_path: Path, seed: int
) -> None:
    await compare(tmp_path, made(seed))


async def compare(folder: Path, file: File) -> None:
    taken = await take(folder, file.name, file.content)
    frame, notes = file.frame, taken.summary["tables"][0]["notes"]
    left_out = [note["line"] for note in notes if note["code"] == "totals"]
    assert len(left_out) == file.totals, notes
    if file.totals:
        # The difference is told with its line; pandas counts the row.
        frame = frame.iloc[:-1]
    assert taken.summary["rows"] == len(frame)
    assert list(types(taken)) == [column.name for column in file.columns]
    for column in file.columns:
        told = {note["code"] for note in notes if note["parts"].get("column") == column.name}
        if column.sort in NUMBERS:
            same_numbers(taken, file, column, frame[column.name], told)
        else:
            same_texts(taken, column, frame[column.name], told)


def same_numbers(taken: Ingested, file: File, column: Column, cells: Any, told: set[str]) -> None:
    expected = [n for cell in cells if (n := file.number(cell)) is not None]
    if not expected:
        return
    assert types(taken)[column.name] in ("integer", "number"), (column.name, told)
    (found,) = rows(taken, f'SELECT count("{column.name}"), sum("{column.name}") FROM f{_no(file)}')
    assert found[0] == len(expected)
    total = float(pandas.Series(expected).sum())
    if "thousands" in told and not math.isclose(found[1], total, rel_tol=1e-9):
        # Nothing in the file says what the point of 1.234 is: the sum is told with the guess.
        every = rows(taken, f'SELECT "{column.name}" FROM f{_no(file)}')
        read = [value for (value,) in every if value is not None]
        assert all(a in (b, b / 1000) for a, b in zip(read, expected, strict=True))
    else:
        assert math.isclose(found[1], total, rel_tol=1e-9, abs_tol=1e-9)
    if column.sort in ("percent", "money"):
        assert {"percent": "percent", "money": "currency"}[column.sort] in told


def same_texts(taken: Ingested, column: Column, cells: Any, told: set[str]) -> None:
    written = [cell for cell in cells if cell is not None and cell == cell]
    found = [
        value
        for (value,) in rows(taken, f'SELECT "{column.name}" FROM "{taken.tables[0]}"')
        if value is not None
    ]
    if not written:
        return
    if column.sort == "date":
        days = pandas.to_datetime(pandas.Series(written), dayfirst=True)
        assert [value.isoformat() for value in found] == [f"{day:%Y-%m-%d}" for day in days]
        if max(days.dt.day) <= 12 and any(days.dt.day != days.dt.month) and _typed(written):
            assert "day_first" in told
    else:
        assert found == [str(cell).strip() for cell in written]


def _typed(cells: list[Any]) -> bool:
    return isinstance(cells[0], str)


def _no(file: File) -> str:
    return file.name[1:].partition(".")[0]
