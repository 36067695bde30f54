"""Workbooks: typed cells, several sheets, and packages that should not be opened."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from pathlib import Path

import pytest

from bancada.data.limits import IngestLimits
from bancada.data.problems import DataProblem
from tests.data.desk import rows, take, told, types
from tests.data.sheets import packed, workbook

DAY = dt.date(2026, 2, 11)


async def test_cells_keep_their_types(tmp_path: Path) -> None:
    content = workbook(
        {
            "Folha1": [
                ["id", "data", "quando", "hora", "peso", "ok", "nota", "codigo"],
                [1, DAY, dt.datetime(2026, 2, 11, 10, 30), dt.time(8, 15), 1.5, True, "a", "007"],
                [2, DAY, dt.datetime(2026, 2, 12, 11, 0), dt.time(9, 0), 2, False, None, "008"],
            ]
        }
    )
    made = await take(tmp_path, "medidas.xlsx", content)
    assert types(made) == {
        "id": "integer",
        "data": "date",
        "quando": "datetime",
        "hora": "time",
        "peso": "number",
        "ok": "boolean",
        "nota": "text",
        "codigo": "text",
    }
    moment = dt.datetime(2026, 2, 11, 10, 30)
    assert rows(made)[0] == (1, DAY, moment, dt.time(8, 15), 1.5, True, "a", "007")


async def test_numbers_of_a_workbook_are_never_read_as_thousands(tmp_path: Path) -> None:
    content = workbook({"F": [["peso", "preco"], [1.234, "1,5"], [2.345, "2,5"]]})
    made = await take(tmp_path, "a.xlsx", content)
    assert rows(made) == [(1.234, 1.5), (2.345, 2.5)]


async def test_each_sheet_becomes_a_table(tmp_path: Path) -> None:
    content = workbook(
        {
            "Produção": [["a"], [1]],
            "Paragens 2026": [["b", "c"], ["x", 2], ["y", 3]],
            "Vazia": [],
            "Só títulos": [["d", "e"]],
        }
    )
    made = await take(tmp_path, "Fábrica.xlsx", content)
    assert made.tables == ("fabrica", "fabrica_paragens_2026")
    assert rows(made, "SELECT sum(c) FROM fabrica_paragens_2026") == [(5,)]
    assert told(made) == [
        "a folha «Vazia» está vazia e ficou de fora",
        "a folha «Só títulos» não tem linhas de dados, só «d e», e ficou de fora",
    ]


async def test_sheets_over_the_limit_are_named(tmp_path: Path) -> None:
    content = workbook({f"F{n}": [["a"], [n]] for n in range(4)})
    made = await take(tmp_path, "a.xlsx", content, limits=IngestLimits(sheets=2))
    assert made.tables == ("a", "a_f1")
    assert "F2, F3" in told(made)[0]


async def test_a_title_and_an_offset_are_seen_through(tmp_path: Path) -> None:
    content = workbook(
        {
            "F": [
                [None, None, None, None],
                [None, "Relatório mensal", None, None],
                [None, None, None, None],
                [None, "peça", "turno", "total"],
                [None, "A", "manha", 3],
                [None, "B", "tarde", 4],
            ]
        }
    )
    made = await take(tmp_path, "a.xlsx", content)
    assert rows(made) == [("A", "manha", 3), ("B", "tarde", 4)]
    assert told(made) == [
        "linha 2: está por cima da tabela e não faz parte dela: «Relatório mensal»"
    ]


async def test_a_value_that_spoils_a_column_is_named_with_its_row(tmp_path: Path) -> None:
    content = workbook({"F": [["v"], *([n] for n in range(20)), ["abc"]]})
    made = await take(tmp_path, "a.xlsx", content)
    assert told(made)[0].startswith("linha 22: ")


async def test_error_cells_are_missing_values(tmp_path: Path) -> None:
    content = workbook({"F": [["v", "w"], [1, 2], ["#DIV/0!", 3], [4, 5]]})
    made = await take(tmp_path, "a.xlsx", content)
    assert rows(made) == [(1, 2), (None, 3), (4, 5)]


async def refused(tmp_path: Path, content: bytes, **limits: int) -> DataProblem:
    with pytest.raises(DataProblem) as problem:
        await take(tmp_path, "a.xlsx", content, limits=IngestLimits(**limits))
    assert not list(tmp_path.glob("*.duckdb"))
    return problem.value


async def test_an_empty_workbook_is_refused(tmp_path: Path) -> None:
    assert (await refused(tmp_path, workbook({"F": []}))).code == "empty"


async def test_headings_alone_are_refused(tmp_path: Path) -> None:
    assert (await refused(tmp_path, workbook({"F": [["a", "b"]]}))).code == "only_header"


async def test_no_bytes_are_refused(tmp_path: Path) -> None:
    assert (await refused(tmp_path, b"")).code == "empty"


@pytest.mark.parametrize(
    "content",
    [
        b"id,nome\n1,Ana\n",
        b"PK\x03\x04 and then nothing",
        workbook({"F": [["a"], [1]]})[:-40],
        workbook({"F": [["a"], [1]]})[:200],
        packed({"hello.txt": "not a workbook"}),
        packed({"xl/workbook.xml": "<workbook"}),
        packed({"xl/workbook.xml": "<workbook/>", "[Content_Types].xml": "<Types/>"}),
    ],
    ids=["text", "stub", "no directory", "half", "other zip", "bad xml", "bare"],
)
async def test_a_damaged_workbook_is_refused(tmp_path: Path, content: bytes) -> None:
    assert (await refused(tmp_path, content)).code in ("corrupt", "empty")


async def test_a_sheet_with_broken_bytes_is_refused(tmp_path: Path) -> None:
    content = bytearray(workbook({"F": [["a", "b"], *([n, n] for n in range(500))]}))
    at = content.index(b"xl/worksheets/sheet1.xml") + 60
    content[at : at + 20] = b"\xff" * 20
    assert (await refused(tmp_path, bytes(content))).code == "corrupt"


async def test_a_workbook_with_a_password_is_refused_as_such(tmp_path: Path) -> None:
    stream = "EncryptedPackage".encode("utf-16-le")
    content = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000) + stream + bytes(1000)
    problem = await refused(tmp_path, content)
    assert problem.code == "encrypted"
    assert "palavra-passe" in problem.wording.told("pt")


async def test_the_old_format_is_refused_as_such(tmp_path: Path) -> None:
    content = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(3000)
    assert (await refused(tmp_path, content)).code == "old_workbook"


async def test_a_zip_bomb_is_refused_before_it_goes_off(tmp_path: Path) -> None:
    bomb = packed({"xl/workbook.xml": "<workbook/>", "xl/worksheets/sheet1.xml": b" " * 30_000_000})
    assert len(bomb) < 100_000
    problem = await refused(tmp_path, bomb, unpacked_bytes=10_000_000)
    assert problem.code == "bomb"
    assert problem.status == 413


async def test_a_bomb_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("xl/workbook.xml", "<workbook/>")
        package.writestr("xl/worksheets/sheet1.xml", b" " * 30_000_000)
    size = (30_000_000).to_bytes(4, "little")
    lie = file.getvalue().replace(size, (1000).to_bytes(4, "little"))
    assert (await refused(tmp_path, lie, unpacked_bytes=10_000_000)).code in ("bomb", "corrupt")
