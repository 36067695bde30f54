"""Workbooks and exports as factories have them: each figure is right, or it is told."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from bancada.data.problems import DataProblem
from tests.data.desk import rows, take, told, types

DAY = dt.date(2026, 3, 1)


def book(*cells: list[Any], then: Callable[[Worksheet], None] = lambda _: None) -> bytes:
    """A workbook of one sheet, and what else is done to it."""
    made = openpyxl.Workbook()
    sheet = made.active
    assert isinstance(sheet, Worksheet)
    for row in cells:
        sheet.append(row)
    then(sheet)
    kept = io.BytesIO()
    made.save(kept)
    return kept.getvalue()


# ---------------------------------------------------------------------------- rows of totals


@pytest.mark.parametrize(
    "word", ["Total", "TOTAL:", "Total geral", "Totais", "Soma", "Grand total"]
)
async def test_a_row_of_totals_is_left_out_and_told(tmp_path: Path, word: str) -> None:
    made = await take(
        tmp_path, "a.csv", f"dia;qtd;preço\n01/02/2026;3;1,5\n13/02/2026;4;2,5\n{word};7;\n"
    )
    assert rows(made, "SELECT count(*), sum(qtd) FROM a") == [(2, 7)]
    assert types(made)["dia"] == "date"
    assert told(made)[0].startswith(f"linha 4: é uma linha de totais («{word}») e ficou de fora")


async def test_subtotals_are_left_out_wherever_they_stand(tmp_path: Path) -> None:
    made = await take(
        tmp_path,
        "a.xlsx",
        book(
            ["turno", "linha", "qtd"],
            *(["manhã", "L1", 3], ["manhã", "L2", 4], ["Subtotal manhã", None, 7]),
            *(["tarde", "L1", 5], ["tarde", "L2", 6], ["Subtotal tarde", None, 11]),
            ["Total", None, 18],
        ),
    )
    assert rows(made, "SELECT count(*), sum(qtd) FROM a") == [(4, 18)]
    assert [said.split(":")[0] for said in told(made)] == ["linha 4", "linha 7", "linha 8"]


async def test_sums_without_a_word_below_the_table_are_left_out_and_told(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "linha;qtd;custo\nL1;3;1,5\nL2;4;2,5\n;7;4,0\n")
    assert rows(made, "SELECT count(*), sum(qtd) FROM a") == [(2, 7)]
    assert "linha 4: é uma linha de totais («7 · 4,0»)" in told(made)[0]


async def test_a_row_that_is_only_called_total_stays_and_is_told(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "cliente;qtd\nTotal;30\nGalp;4\nRepsol;5\n")
    assert rows(made, "SELECT count(*), sum(qtd) FROM a") == [(3, 39)]
    assert "linha 2: parece uma linha de totais" in told(made)[0]
    (tmp_path / "scraps").rename(tmp_path / "before")
    other = await take(tmp_path, "b.csv", "cliente;qtd\nTotal Energies;30\nGalp;4\nRepsol;5\n")
    assert other.summary["rows"] == 3
    assert told(other) == []


async def test_a_last_row_without_its_first_cell_is_no_total(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "linha;qtd\nL1;3\nL2;4\n;9\n")
    assert rows(made, "SELECT count(*), sum(qtd) FROM a") == [(3, 16)]


async def test_a_long_clean_file_loses_its_total_too(tmp_path: Path) -> None:
    body = "".join(f"L{n % 7};{n}\n" for n in range(1, 6_001))
    made = await take(tmp_path, "a.csv", f"linha;qtd\n{body}Total;{sum(range(1, 6_001))}\n")
    assert rows(made, "SELECT count(*), sum(qtd) FROM a") == [(6_000, sum(range(1, 6_001)))]


# ---------------------------------------------------------------------------- headings, merged cells


def merged(*ranges: str) -> Callable[[Worksheet], None]:
    return lambda sheet: [sheet.merge_cells(one) for one in ranges] and None


async def test_a_heading_of_two_rows_names_each_column_by_both(tmp_path: Path) -> None:
    content = book(
        ["Linha", "Produção", None, "Defeitos", None],
        [None, "Plano", "Real", "Graves", "Leves"],
        ["L1", 100, 90, 1, 2],
        ["L2", 120, 110, 0, 3],
        then=merged("A1:A2", "B1:C1", "D1:E1"),
    )
    made = await take(tmp_path, "a.xlsx", content)
    assert list(types(made)) == [
        *("Linha", "Produção Plano", "Produção Real", "Defeitos Graves", "Defeitos Leves")
    ]
    assert rows(made) == [("L1", 100, 90, 1, 2), ("L2", 120, 110, 0, 3)]
    assert told(made) == [
        "linha 2: o cabeçalho ocupa 2 linhas; cada coluna tem o nome de todas elas, por exemplo "
        "«Defeitos Graves»"
    ]


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Peça;Peso;Altura\n;kg;mm", ["Peça", "Peso kg", "Altura mm"]),
        (";Medidas;\nPeça;Peso;Altura", ["Peça", "Peso", "Altura"]),
        (";Fábrica;;Armazém;\nPeça;a;b;a;b", ["Peça", "Fábrica a", "Fábrica b"]),
    ],
)
async def test_units_and_groups_are_headings_too(
    tmp_path: Path, heading: str, names: list[str]
) -> None:
    width = heading.split("\n")[0].count(";")
    body = "".join(f"P{n};" + ";".join(f"{n},{i}5" for i in range(width)) + "\n" for n in range(3))
    made = await take(tmp_path, "a.csv", f"{heading}\n{body}")
    assert list(types(made))[: len(names)] == names
    assert made.summary["rows"] == 3
    assert set(types(made).values()) == {"text", "number"}


async def test_a_slip_in_the_first_row_is_no_heading(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "linha;qtd\nL1;n/d\nL2;4\nL3;x\n")
    assert list(types(made)) == ["linha", "qtd"]
    assert made.summary["rows"] == 3


async def test_a_title_may_have_a_date_beside_it(tmp_path: Path) -> None:
    content = book(
        ["Relatório", None, None, "12/03/2026"],
        [],
        ["Linha", "Turno", "Qtd", "Data"],
        ["L1", "manhã", 3, DAY],
        ["L2", "tarde", 4, DAY],
    )
    made = await take(tmp_path, "a.xlsx", content)
    assert rows(made) == [("L1", "manhã", 3, DAY), ("L2", "tarde", 4, DAY)]
    assert told(made) == [
        "linha 1: está por cima da tabela e não faz parte dela: «Relatório 12/03/2026»"
    ]


async def test_a_merged_text_holds_for_each_of_its_rows_and_a_number_once(tmp_path: Path) -> None:
    content = book(
        ["linha", "operador", "lote"],
        ["L1", "Rui", 30],
        [None, "Ana", None],
        ["L2", "Eva", 40],
        then=merged("A2:A3", "C2:C3"),
    )
    made = await take(tmp_path, "a.xlsx", content)
    assert rows(made) == [("L1", "Rui", 30), ("L1", "Ana", None), ("L2", "Eva", 40)]
    assert [said.split(",")[0] for said in told(made)] == ["na coluna «linha»", "na coluna «lote»"]
    assert "contam uma vez" in told(made)[1]


async def test_a_heading_cell_of_two_lines_costs_no_row(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", '"qtd\nproduzida";linha\n1;L1\n2;L2\n')
    assert list(types(made)) == ["qtd produzida", "linha"]
    assert rows(made) == [(1, "L1"), (2, "L2")]


async def test_a_remark_below_the_table_is_no_row(tmp_path: Path) -> None:
    content = book(["linha", "qtd"], ["L1", 3], ["L2", 4], [], ["Fonte: SAP"])
    made = await take(tmp_path, "a.xlsx", content)
    assert made.summary["rows"] == 2
    assert told(made) == ["linha 5: está por baixo da tabela e não faz parte dela: «Fonte: SAP»"]


async def test_a_lonely_cell_with_rows_below_it_stays(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "linha;qtd\nL1;3\n\nL2;\nL3;5\n")
    assert rows(made) == [("L1", 3), ("L2", None), ("L3", 5)]
    (tmp_path / "scraps").rename(tmp_path / "before")
    one = await take(tmp_path, "b.csv", "v\n1\n\n2\n")
    assert rows(one) == [(1,), (2,)]


async def test_another_table_on_the_sheet_is_told(tmp_path: Path) -> None:
    content = book(["linha", "qtd"], ["L1", 3], [], ["defeito", "nº"], ["lixo", 1])
    made = await take(tmp_path, "a.xlsx", content)
    assert any("linha 4: parece o cabeçalho de outra tabela" in said for said in told(made))


# ---------------------------------------------------------------------------- cells


@pytest.mark.parametrize(
    ("cells", "type", "first", "said"),
    [
        (["12,5%", "50%"], "number", 12.5, "«12,5%» foi lido como 12,5: os valores são perc"),
        (["12.5 %", "50 %"], "number", 12.5, "percentagens"),
        (["€ 1.200,50", "€ 300,00"], "number", 1200.5, "foi lido como 1200,5: os valores são em €"),
        (["1.200,50 €", "-5,00 €"], "number", 1200.5, "são em €"),
        (["-€ 5,25", "€ 1,00"], "number", -5.25, "são em €"),
        (["EUR 10", "20"], "integer", 10, "são em €"),
        (["R$ 1.200,50", "R$ 3,00"], "number", 1200.5, "são em R$"),
        (["$1,200.50", "$3.00"], "number", 1200.5, "são em $"),
        (["€ 1.200", "€ 300"], "integer", 1200, "o sinal separa milhares"),
        (["(1.200,50)", "300,00"], "number", -1200.5, "«(1.200,50)» foi lido como -1200,5"),
        (["(12)", "7"], "text", "(12)", None),
        (["€ 10", "$ 20"], "text", "€ 10", "mistura moedas ($, €)"),
        (["1,234", "12,500"], "number", 1.234, "multiplique por 1000"),
        (["2026E5", "2026E6"], "text", "2026E5", None),
        (["1E5", "2E10"], "text", "1E5", None),
        (["1.5E+03", "2E-2"], "number", 1500.0, None),
        (["00123", "00124"], "text", "00123", None),
        (["12345678901234567890", "1"], "text", "12345678901234567890", None),
        (["01/02/2026", "03/04/2026"], "date", dt.date(2026, 2, 1), "com o dia primeiro"),
        (["01/02/2026", "13/04/2026"], "date", dt.date(2026, 2, 1), None),
        (["05/05/2026", "06/06/2026"], "date", dt.date(2026, 5, 5), None),
    ],
)
async def test_a_cell_is_read_for_what_it_says_and_a_guess_is_told(
    tmp_path: Path, cells: list[str], type: str, first: Any, said: str | None
) -> None:
    made = await take(tmp_path, "a.csv", "nome;v\n" + "".join(f"x;{cell}\n" for cell in cells))
    assert types(made)["v"] == type
    assert rows(made)[0][1] == first
    assert (told(made) == []) if said is None else any(said in one for one in told(made))


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([1.234, "1,5", 2.5], "1 valor(es) de 3 não são do tipo número, por exemplo «1,5»"),
        ([1.234, "1,5", "2,5"], "mistura números e textos como «1,5»"),
    ],
)
async def test_a_number_of_a_workbook_is_never_thousands_beside_a_typed_one(
    tmp_path: Path, cells: list[Any], said: str
) -> None:
    """Read with a decimal comma, the number 1.234 would become 1234."""
    content = book(["id", "v"], *([n, cell] for n, cell in enumerate(cells)))
    made = await take(tmp_path, "a.xlsx", content)
    assert [row[1] for row in rows(made)] == [str(cell) for cell in cells]
    (only,) = told(made)
    assert "a coluna «v» ficou como texto" in only
    assert said in only


async def test_numbers_typed_as_text_are_numbers_and_told(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.xlsx", book(["id", "v"], [1, "1.234"], [2, 2.5], [3, 4]))
    assert rows(made, "SELECT sum(v) FROM a") == [(7.734,)]
    assert (
        "1 célula(s) de texto foram lidas como números, por exemplo «1.234» como 1,234"
        in (told(made)[0])
    )


async def test_dates_beside_typed_dates_are_told(tmp_path: Path) -> None:
    content = book(["dia", "qtd"], [DAY, 1], [DAY, 2], ["02/03/2026", 3])
    made = await take(tmp_path, "a.xlsx", content)
    assert types(made)["dia"] == "text"
    assert told(made) == [
        "linha 4: a coluna «dia» ficou como texto: 1 valor(es) de 3 não são do tipo data, "
        "por exemplo «02/03/2026»"
    ]


async def test_formulas_without_values_are_told_with_their_column(tmp_path: Path) -> None:
    content = book(["linha", "a", "soma"], ["L1", 1, "=B2*2"], ["L2", 3, "=B3*2"])
    made = await take(tmp_path, "a.xlsx", content)
    assert rows(made) == [("L1", 1, None), ("L2", 3, None)]
    assert told(made) == [
        "na coluna «soma», 2 fórmula(s) não têm valor guardado e ficaram vazias, por exemplo "
        "C2 =B2*2; abra e guarde o livro no Excel para as ter"
    ]


async def test_formulas_far_into_a_large_sheet_are_found(tmp_path: Path) -> None:
    cells: list[list[Any]] = [["n", "t", "f"], *([n, "x" * 90, n] for n in range(40_000))]
    cells[-1][2] = "=A2"
    made = await take(tmp_path, "a.xlsx", book(*cells))
    assert made.summary["rows"] == 40_000
    assert [said for said in told(made) if "C40001 =A2" in said]


@pytest.mark.parametrize("shown", ["0%", "0.0%", '0.00" %"'])
async def test_numbers_that_are_only_shown_as_percentages_are_told(
    tmp_path: Path, shown: str
) -> None:
    made = openpyxl.load_workbook(io.BytesIO(book(["linha", "taxa", "x"], ["L1", 0.125, 3])))
    made.worksheets[0]["B2"].number_format = shown
    content = io.BytesIO()
    made.save(content)
    kept = await take(tmp_path, "a.xlsx", content.getvalue())
    assert rows(kept) == [("L1", 0.125, 3)]
    assert told(kept) == (
        []
        if '"' in shown
        else [
            "na coluna «taxa» a folha mostra percentagens e foram lidos os números por trás delas: "
            "0,125 são 12.5%"
        ]
    )


# ---------------------------------------------------------------------------- sheets


def several() -> bytes:
    made = openpyxl.Workbook()
    cover = made.active
    assert isinstance(cover, Worksheet)
    cover.title = "Capa"
    cover["B2"] = "Fábrica do Norte"
    for name, state, cells in (
        ("Dados", "visible", [["a"], [1], [2]]),
        ("Um", "visible", [[42]]),
        ("Custos", "hidden", [["custo"], [7]]),
        ("Base", "veryHidden", [["base"], [8]]),
    ):
        sheet = made.create_sheet(name)
        sheet.sheet_state = state
        for row in cells:
            sheet.append(row)
    kept = io.BytesIO()
    made.save(kept)
    return kept.getvalue()


async def test_hidden_sheets_and_sheets_without_rows_are_left_out_and_told(tmp_path: Path) -> None:
    made = await take(tmp_path, "livro.xlsx", several())
    assert made.tables == ("livro", "livro_um")
    assert rows(made, "SELECT * FROM livro_um") == [(42,)]
    assert told(made) == [
        "a folha «Capa» não tem linhas de dados, só «Fábrica do Norte», e ficou de fora",
        "as folhas escondidas ficaram de fora; podem pedir-se pelo nome: Custos, Base",
    ]
    assert made.summary["sheets"] == [
        {"name": "Capa", "hidden": False, "table": None},
        {"name": "Dados", "hidden": False, "table": "livro"},
        {"name": "Um", "hidden": False, "table": "livro_um"},
        {"name": "Custos", "hidden": True, "table": None},
        {"name": "Base", "hidden": True, "table": None},
    ]


@pytest.mark.parametrize(("wanted", "value"), [("Custos", 7), ("Base", 8), ("base", 8)])
async def test_a_hidden_sheet_can_be_asked_for(tmp_path: Path, wanted: str, value: int) -> None:
    made = await take(tmp_path, "livro.xlsx", several(), sheet=wanted)
    assert made.tables == (f"livro_{wanted.lower()}",)
    assert rows(made) == [(value,)]


@pytest.mark.parametrize(("wanted", "code"), [("Nada", "no_sheet"), ("Capa", "empty_sheet")])
async def test_a_sheet_that_has_no_rows_or_is_not_there_is_refused(
    tmp_path: Path, wanted: str, code: str
) -> None:
    with pytest.raises(DataProblem) as refused:
        await take(tmp_path, "livro.xlsx", several(), sheet=wanted)
    assert refused.value.code == code
    if code == "no_sheet":
        assert "Capa, Dados, Um, Custos, Base" in refused.value.wording.told("pt")
