"""CSV files as people have them: encodings, separators, numbers, dates, headings, broken rows."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from tests.data.desk import rows, take, told, types


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
async def test_the_separator_is_found(tmp_path: Path, separator: str) -> None:
    text = "nome,turno,total\nJulia,manha,3\nPedro,noite,4\n".replace(",", separator)
    made = await take(tmp_path, "a.csv", text)
    assert rows(made) == [("Julia", "manha", 3), ("Pedro", "noite", 4)]


async def test_excel_may_say_its_separator_in_the_first_line(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "sep=|\na|b\n1|x,y\n2|z,w\n")
    assert rows(made) == [(1, "x,y"), (2, "z,w")]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"]
)
async def test_the_encoding_is_found(tmp_path: Path, encoding: str) -> None:
    text = "operação;preço\npintura às três;1,5 €\nsecção;2 €\n"
    made = await take(tmp_path, "a.csv", text.encode(encoding))
    assert list(types(made)) == ["operação", "preço"]
    assert rows(made) == [("pintura às três", 1.5), ("secção", 2)]


async def test_one_windows_accent_late_in_the_file_is_enough(tmp_path: Path) -> None:
    content = b"id,nome\n" + b"1,abc\n" * 300_000 + "2,José\n".encode("cp1252")
    made = await take(tmp_path, "a.csv", content)
    assert rows(made, "SELECT nome FROM a WHERE id = 2") == [("José",)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
async def test_line_ends_of_every_system_are_read(tmp_path: Path, end: str) -> None:
    made = await take(tmp_path, "a.csv", end.join(["a,b", "1,x", "2,y"]))
    assert rows(made) == [(1, "x"), (2, "y")]


async def test_mixed_line_ends_are_read(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "a,b\r\n1,x\n2,y\r\n")
    assert rows(made) == [(1, "x"), (2, "y")]


DAY = dt.date(2026, 2, 11)


@pytest.mark.parametrize(
    ("cells", "type", "first"),
    [
        (["12", "-3", "0"], "integer", 12),
        (["1.5", "2", "-0.25"], "number", 1.5),
        (["1e3", "2.5E-1"], "number", 1000.0),
        (["1,5", "2,25"], "number", 1.5),
        (["1.234,5", "2,25"], "number", 1234.5),
        (["1.234.567", "12"], "integer", 1234567),
        (["1,234.5", "2.25"], "number", 1234.5),
        (["1 234,5", "12,0"], "number", 1234.5),
        (["1\u00a0234", "12"], "integer", 1234),
        (["2026-02-11", "2026-12-01"], "date", DAY),
        (["2026/02/11", "2026/12/01"], "date", DAY),
        (["11/02/2026", "01/12/2026"], "date", DAY),
        (["11-02-2026", "31-12-2026"], "date", DAY),
        (["11.02.2026", "31.12.2026"], "date", DAY),
        (["11/02/26", "31/12/26"], "date", DAY),
        (["02/11/2026", "12/31/2026"], "date", DAY),
        (["2026-02-11 10:30", "2026-02-12 11:00:05"], "datetime", dt.datetime(2026, 2, 11, 10, 30)),
        (["2026-02-11T10:30:00+01:00"] * 2, "datetime", dt.datetime(2026, 2, 11, 9, 30)),
        (["11/02/2026 10:30", "12/02/2026 11:00:05"], "datetime", dt.datetime(2026, 2, 11, 10, 30)),
        (["10:30", "23:59:59"], "time", dt.time(10, 30)),
        (["true", "FALSE"], "boolean", True),
        (["Sim", "não"], "boolean", True),
        (["verdadeiro", "falso"], "boolean", True),
        (["0012", "4400"], "text", "0012"),
        (["12345678901234567890", "1"], "text", "12345678901234567890"),
        (["0x1F", "12"], "text", "0x1F"),
        (["1_000", "12"], "text", "1_000"),
        (["infinity", "12"], "text", "infinity"),
        (["2026-02-30", "2026-02-11"], "text", "2026-02-30"),
        (["R11", "12"], "text", "R11"),
        (["3", "NaN", "-", "4"], "integer", 3),
        (["lixo", "-"], "text", "lixo"),
    ],
)
async def test_a_column_gets_the_type_of_all_its_cells(
    tmp_path: Path, cells: list[str], type: str, first: Any
) -> None:
    made = await take(tmp_path, "a.csv", "nome;v\n" + "".join(f"x;{cell}\n" for cell in cells))
    assert types(made)["v"] == type
    assert rows(made)[0][1] == first


async def test_a_point_is_for_thousands_where_another_column_has_decimal_commas(
    tmp_path: Path,
) -> None:
    made = await take(tmp_path, "a.csv", "unidades;preco\n1.234;1,5\n2.500;2,75\n")
    assert rows(made) == [(1234, 1.5), (2500, 2.75)]


async def test_a_point_is_for_decimals_otherwise(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "peso;nome\n1.234;x\n2.500;y\n")
    assert rows(made) == [(1.234, "x"), (2.5, "y")]


@pytest.mark.parametrize(
    ("text", "guessed"),
    [
        ("q;n\n1.234;x\n999;y\n12.000;z\n", True),
        ("q;n\n1.234;x\n999;y;w\n12.000;z\n", True),
        ("q;n\n1.234;x\n0.500;y\n", False),
        ("q;n\n1.234;x\n1.5;y\n", False),
        ("q;n\n1;x\n2;y\n", False),
        ("q;p\n1.234;1,5\n2.000;2,5\n", False),
        ("q,n\n1.234,x\n2.000,y\n", False),
    ],
)
async def test_a_point_that_may_part_thousands_is_told(
    tmp_path: Path, text: str, guessed: bool
) -> None:
    made = await take(tmp_path, "a.csv", text)
    said = [sentence for sentence in told(made) if "1000" in sentence]
    assert bool(said) is guessed
    if guessed:
        assert said == [
            "na coluna «q», «1.234» foi lido como 1,234 (três casas decimais); "
            "se o sinal separa milhares, multiplique por 1000"
        ]


@pytest.mark.parametrize("late", ["7.5", "abc", "11/02/2026", "1,5"])
async def test_a_type_is_decided_over_the_whole_file_not_its_beginning(
    tmp_path: Path, late: str
) -> None:
    body = "".join(f"{n};x\n" for n in range(1, 20_001))
    made = await take(tmp_path, "a.csv", f"v;nome\n{body}{late};y\n")
    assert made.summary["rows"] == 20_001
    number = {"7.5": 7.5, "1,5": 1.5}.get(late)
    assert types(made)["v"] == ("number" if number else "text")
    assert rows(made, "SELECT v FROM a WHERE nome = 'y'") == [(number or late,)]


async def test_a_value_that_spoils_a_column_is_named_with_its_line(tmp_path: Path) -> None:
    body = "".join(f"{n},x\n" for n in range(2, 30))
    made = await take(tmp_path, "a.csv", f"v,nome\n{body}abc,y\n")
    (said,) = told(made)
    assert said.startswith("linha 30: ")
    assert "«v»" in said
    assert "«abc»" in said


async def test_a_column_that_is_empty_at_first_still_gets_its_type(tmp_path: Path) -> None:
    body = "".join(f"{n},\n" for n in range(10_000))
    made = await take(tmp_path, "a.csv", f"id,v\n{body}10000,2.5\n")
    assert types(made)["v"] == "number"


async def test_rows_keep_the_order_of_the_file(tmp_path: Path) -> None:
    made = await take(
        tmp_path, "a.csv", "n,x\n" + "".join(f"{n},{n % 7}\n" for n in range(600_000))
    )
    assert rows(made, "SELECT count(*) FROM a WHERE n <> rowid") == [(0,)]
    assert [row[0] for row in made.summary["preview"]] == list(range(10))


async def test_a_file_without_a_heading_keeps_its_first_row(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "1,manha,3.5\n2,tarde,4.5\n")
    assert list(types(made)) == ["coluna_1", "coluna_2", "coluna_3"]
    assert rows(made) == [(1, "manha", 3.5), (2, "tarde", 4.5)]


async def test_years_can_be_headings(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "produto;2024;2025\nA;10;20\nB;30;40\n")
    assert list(types(made)) == ["produto", "2024", "2025"]
    assert rows(made) == [("A", 10, 20), ("B", 30, 40)]


async def test_repeated_and_empty_headings_are_repaired(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "id,valor,,Valor,valor_2\n1,2,3,4,5\n")
    assert list(types(made)) == ["id", "valor", "coluna_3", "Valor_2", "valor_2_2"]


async def test_columns_without_heading_and_content_are_dropped(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "a;b;;\n1;2;;\n3;4;;\n")
    assert rows(made) == [(1, 2), (3, 4)]


async def test_an_empty_column_with_a_heading_stays(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "a,notas,b\n1,,2\n3,,4\n")
    assert rows(made) == [(1, None, 2), (3, None, 4)]


async def test_empty_rows_are_no_rows(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "\na;b\n\n1;2\n;\n\n3;4\n\n")
    assert rows(made) == [(1, 2), (3, 4)]
    assert told(made) == []


async def test_a_title_above_the_table_is_set_apart_and_told(tmp_path: Path) -> None:
    made = await take(
        tmp_path, "a.csv", "Relatório de defeitos;;\n\nid;tipo;total\n1;lixo;3\n2;x;4\n"
    )
    assert rows(made) == [(1, "lixo", 3), (2, "x", 4)]
    (said,) = told(made)
    assert said.startswith("linha 1: ")
    assert "Relatório de defeitos" in said


async def test_quoted_cells_may_hold_separators_quotes_and_line_breaks(tmp_path: Path) -> None:
    text = 'id,nota\n1,"a, b"\n2,"diz ""sim"""\n3,"duas\nlinhas"\n'
    made = await take(tmp_path, "a.csv", text)
    assert rows(made) == [(1, "a, b"), (2, 'diz "sim"'), (3, "duas\nlinhas")]


async def test_a_stray_quote_is_a_character(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", 'id,nota\n1,tubo de 5" azul\n2,y\n')
    assert rows(made) == [(1, 'tubo de 5" azul'), (2, "y")]


async def test_a_quote_that_never_closes_costs_one_line_not_the_file(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", 'id,nota\n1,a\n2,"aberta\n3,b\n4,"c"\n')
    assert rows(made) == [(1, "a"), (2, '"aberta'), (3, "b"), (4, "c")]
    (said,) = told(made)
    assert said.startswith("linha 3: ")
    assert "aspas" in said


async def test_a_short_row_is_filled_up_and_told_with_its_line(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "a,b,c\n1,2,3\n4,5\n6,7,8\n")
    assert rows(made) == [(1, 2, 3), (4, 5, None), (6, 7, 8)]
    (said,) = told(made)
    assert said.startswith("linha 3: ")
    assert "2 células em vez de 3" in said


async def test_a_long_row_is_set_aside_whole_and_told_with_its_line(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", 'a,b\n1,2\n3,"x\ny"\n5,6,"s, t"\n7,8\n')
    assert rows(made) == [(1, "2"), (3, "x\ny"), (7, "8")]
    assert rows(made, "SELECT * FROM a_rejected") == [(5, 3, '5,6,"s, t"')]
    (said,) = told(made)
    assert said.startswith("linha 5: ")
    assert "a_rejected" in said


async def test_trailing_separators_do_not_make_a_row_long(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "a;b\n1;2\n3;4;;\n5;6\n")
    assert rows(made) == [(1, 2), (3, 4), (5, 6)]
    assert told(made) == []


async def test_many_broken_rows_are_told_one_by_one_and_then_counted(tmp_path: Path) -> None:
    text = "a,b,c\n" + "1,2,3\n" * 2_000 + "1,2\n" * 900
    made = await take(tmp_path, "a.csv", text)
    assert made.summary["rows"] == 2_900
    said = told(made)
    assert [sentence.split(":")[0] for sentence in said[:2]] == ["linha 2002", "linha 2003"]
    assert said[-1] == "… e mais 850 linhas com o mesmo problema"


async def test_problems_are_told_in_the_persons_language(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "a,b,c\n1,2,3\n4,5\n")
    assert "linha 3: tem 2 células em vez de 3" in told(made, "pt")[0]
    assert "line 3: has 2 cells instead of 3" in told(made, "en")[0]


async def test_spaces_around_cells_do_not_matter(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "id , turno\n 1 , manha \n2,manha\n")
    assert rows(made) == [(1, "manha"), (2, "manha")]
    assert list(types(made)) == ["id", "turno"]


async def test_one_column_with_commas_in_its_text_is_one_column(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "nota\ntudo bem\nmal, muito mal\nassim assim\n")
    assert rows(made) == [("tudo bem",), ("mal, muito mal",), ("assim assim",)]


@pytest.mark.parametrize(
    ("filename", "table"),
    [
        ("produção.csv", "producao"),
        ("Defeitos 2026-02.csv", "defeitos_2026_02"),
        ("2026.csv", "t_2026"),
        ("select.csv", "select_"),
        ("日本.csv", "tabela"),
        ("C:\\pasta\\Relatório.CSV", "relatorio"),
        ("../../etc/passwd.csv", "passwd"),
        ('a"; DROP TABLE x; --.csv', "a___drop_table_x____"),
    ],
)
async def test_the_table_is_named_after_the_file(tmp_path: Path, filename: str, table: str) -> None:
    made = await take(tmp_path, filename, "a,b\n1,2\n")
    assert made.tables == (table,)
    assert rows(made, f"SELECT * FROM {table}") == [(1, 2)]


async def test_a_taken_name_gets_a_number(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "x\n1\n", taken={"a", "A_2"})
    assert made.tables == ("a_3",)


async def test_headings_may_hold_anything(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "a\"b|SELECT|x'); DROP TABLE a; --\n1|2|3\n")
    assert list(types(made)) == ['a"b', "SELECT", "x'); DROP TABLE a; --"]
    assert rows(made) == [(1, 2, 3)]


async def test_cells_may_hold_anything(tmp_path: Path) -> None:
    nasty = "=cmd|' /C calc'!A0"
    made = await take(tmp_path, "a.csv", f"a;b\n1;{nasty}\n2;<script>alert(1)</script>\n")
    assert rows(made) == [(1, nasty), (2, "<script>alert(1)</script>")]


@pytest.mark.parametrize(
    ("text", "names", "above"),
    [
        ("Relatório\n\nlinha;qtd\nA;1\nB;2\n", ["linha", "qtd"], ["Relatório"]),
        ("Fábrica\nMarço\nlinha;qtd\nA;1\nB;x\n", ["linha", "qtd"], ["Fábrica", "Março"]),
        ("linha\nA;1\nB;2\n", ["linha", "coluna_2"], []),
        ("tipo\nlixo;grave\ngordura;leve\n", ["tipo", "coluna_2"], []),
        ("linha;qtd\nA;1\n", ["linha", "qtd"], []),
    ],
)
async def test_a_title_above_a_table_of_two_columns_is_no_heading(
    tmp_path: Path, text: str, names: list[str], above: list[str]
) -> None:
    made = await take(tmp_path, "a.csv", text)
    assert list(types(made)) == names
    said = [sentence for sentence in told(made) if "por cima" in sentence]
    assert [sentence.split("«")[1].rstrip("»") for sentence in said] == above
