"""Readers work in pieces: at the edge of one, no row is lost or read twice."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pandas
import pytest

from bancada.data.csvfile import SAMPLE_RECORDS
from tests.data.desk import rows, take
from tests.data.sheets import workbook

AROUND = sorted({1, 2, *(SAMPLE_RECORDS + step for step in (-2, -1, 0, 1, 2))})
"""Rows of data; the heading is one more record of those that are looked at first."""


def figures(frame: pandas.DataFrame) -> tuple[int, int, int, float]:
    return (
        len(frame),
        int(frame["n"].sum()),
        int(frame["n"].nunique()),
        round(float(frame["v"].sum()), 3),
    )


@pytest.mark.parametrize("count", AROUND)
@pytest.mark.parametrize("title", [False, True])
async def test_a_sheet_of_any_length_keeps_every_row(
    tmp_path: Path, count: int, title: bool
) -> None:
    cells: list[list[object]] = [["n", "v"], *([n, n / 8] for n in range(1, count + 1))]
    content = workbook({"F": [["Relatório"], [], *cells] if title else cells})
    made = await take(tmp_path, "a.xlsx", content)
    expected = pandas.read_excel(io.BytesIO(content), header=2 if title else 0, engine="openpyxl")
    found = rows(made, "SELECT count(*), sum(n), count(DISTINCT n), round(sum(v), 3) FROM a")
    assert found == [figures(expected)]
    values = openpyxl.load_workbook(io.BytesIO(content)).active
    assert values is not None
    assert [row[0] for row in rows(made)] == [
        row[0] for row in values.iter_rows(min_row=4 if title else 2, values_only=True)
    ]


@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize("count", AROUND)
async def test_a_csv_of_any_length_keeps_every_row(
    tmp_path: Path, count: int, broken: bool
) -> None:
    """A broken last row sends the file the careful way."""
    text = "n;v\n" + "".join(f"{n};{n / 8:.3f}\n" for n in range(1, count + 1))
    made = await take(tmp_path, "a.csv", text + "9;9;9\n" * broken)
    expected = pandas.read_csv(io.StringIO(text), sep=";")
    found = rows(made, "SELECT count(*), sum(n), count(DISTINCT n), round(sum(v), 3) FROM a")
    assert found == [figures(expected)]


async def test_a_quoted_cell_may_lie_across_the_edge(tmp_path: Path) -> None:
    text = "n,t\n" + "".join(f'{n},"a\nb"\n' for n in range(1, SAMPLE_RECORDS + 3))
    made = await take(tmp_path, "a.csv", text)
    expected = pandas.read_csv(io.StringIO(text))
    assert rows(made, "SELECT count(*), sum(n) FROM a WHERE t = 'a' || chr(10) || 'b'") == [
        (len(expected), int(expected["n"].sum()))
    ]
