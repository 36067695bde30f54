"""The recorded message: the seed's form, figures over the whole file."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bancada.data.summary import catalogue, message, statistics_table
from bancada.packs.quality import DEMO
from tests.data.desk import take
from tests.data.sheets import workbook


async def test_the_demo_file_gives_the_seeds_message(tmp_path: Path) -> None:
    made = await take(tmp_path, "defeitos.csv", DEMO.read_text("utf-8"))
    text = message(made.summary)
    lines = text.split("\n")
    assert lines[:9] == [
        "[FICHEIRO CARREGADO: defeitos.csv]",
        "Colunas: id, data, turno, operador, tipo_defeito, material, rack, posicao",
        "Registos: 200",
        "",
        "Primeiras 10 linhas:",
        "id,data,turno,operador,tipo_defeito,material,rack,posicao",
        "1,2026-02-11,manha,Julia,gordura,ABS_Cinza,R11,3",
        "2,2026-02-12,manha,Julia,escorrido,PP_Negro,R10,2",
        lines[8],
    ]
    assert lines[16] == ""
    assert lines[17] == "Estatísticas numéricas:"
    assert lines[18].split() == ["id", "posicao"]
    assert lines[19].split() == ["count", "200.000000", "200.000000"]
    assert lines[20].split() == ["mean", "100.500000", "4.590000"]
    assert lines[21].split()[0] == "std"
    assert lines[21].split()[1].startswith("57.8")
    # The seed prints 2.305, which whole positions with that mean cannot give; this is next to it.
    assert abs(float(lines[21].split()[2]) - 2.305) < 0.0015
    assert [line.split()[0] for line in lines[22:27]] == ["min", "25%", "50%", "75%", "max"]
    assert lines[27:] == [
        "",
        "Distribuição das colunas categóricas (top 5):",
        "  turno: {'manha': 73, 'tarde': 68, 'noite': 59}",
        "  operador: {'Julia': 55, 'Carlos': 52, 'Pedro': 49, 'Margareta': 44}",
        "  tipo_defeito: {'lixo': 62, 'falta_tinta': 31, 'casca_laranja': 27, 'gordura': 24, 'descasque': 21}",
        "  material: {'ABS_Cinza': 58, 'PP_Negro': 54, 'PP_Vermelho': 47, 'PA_Branco': 41}",
        "  rack: {'R12': 38, 'R11': 37, 'R13': 36, 'R10': 33, 'R14': 29}",
    ]


async def test_the_first_hundred_rows_come_only_when_asked_for(tmp_path: Path) -> None:
    made = await take(tmp_path, "defeitos.csv", DEMO.read_text("utf-8"))
    assert "Dados completos" not in message(made.summary)
    text = message(made.summary, made.head)
    whole = text.split("\n\nDados completos (primeiras 100 linhas):\n")[1].split("\n")
    assert len(whole) == 101
    assert whole[:2] == DEMO.read_text("utf-8").splitlines()[:2]


async def test_figures_are_those_of_pandas(tmp_path: Path) -> None:
    draw = np.random.default_rng(7)
    frame = pd.DataFrame(
        {
            "n": np.arange(3_000),
            "x": draw.normal(size=3_000).round(4),
            "w": draw.integers(1, 4_000_000, 3_000),
        }
    )
    made = await take(tmp_path, "a.csv", frame.to_csv(index=False))
    assert frame.describe().to_string() in message(made.summary)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": [1e7, -2.5e6, 3], "y": [1e-8, 2e-9, 3e-8]}),
        pd.DataFrame({"q": [100000.25, -100000.5, 3, 4], "um_nome_comprido": [1, 2, 3, 4]}),
        pd.DataFrame({"one": [5.0]}),
        pd.DataFrame({"whole": [1.0, 2, 3, 4], "half": [1.5, 2.5, 3.5, 4.5]}),
        pd.DataFrame({"edge": [999_999, 1_000_001, 12]}),
    ],
    ids=["powers", "signs", "one row", "short", "a million"],
)
def test_statistics_are_set_as_pandas_sets_them(frame: pd.DataFrame) -> None:
    figures = {
        name: frame[name].describe().replace(np.nan, None).to_dict() for name in frame.columns
    }
    assert statistics_table(figures) == frame.describe().to_string()


async def test_dates_are_neither_numbers_nor_categories(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "dia,turno\n2026-02-11,manha\n2026-02-12,tarde\n")
    assert list(made.summary["categories"]) == ["turno"]
    assert made.summary["statistics"] == {}
    assert "Estatísticas numéricas" not in message(made.summary)


async def test_only_five_categories_of_five_columns_are_listed(tmp_path: Path) -> None:
    heading = ",".join(f"c{n}" for n in range(8))
    body = "\n".join(",".join(f"v{row}" for _ in range(8)) for row in range(7))
    made = await take(tmp_path, "a.csv", f"{heading}\n{body}\n")
    assert list(made.summary["categories"]) == ["c0", "c1", "c2", "c3", "c4"]
    assert all(len(values) == 5 for values in made.summary["categories"].values())


async def test_lines_with_problems_are_in_the_message(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "a,b\n1,2\n3\n4,5,6\n7,8\n")
    text = message(made.summary)
    assert "  linha 3: tem 1 células em vez de 2" in text
    assert "  linha 4: tem 3 células em vez de 2" in text


async def test_every_sheet_is_in_the_message_and_the_catalogue(tmp_path: Path) -> None:
    content = workbook({"A": [["x"], [1]], "B": [["y", "z"], ["q", 2]]})
    made = await take(tmp_path, "livro.xlsx", content)
    assert "Folha «B», tabela livro_b:\nColunas: y, z\nRegistos: 1" in message(made.summary)
    assert catalogue([made.summary]) == (
        "livro (1 linhas, de livro.xlsx): x integer\n"
        "livro_b (1 linhas, de livro.xlsx): y text, z integer"
    )


async def test_long_cells_are_cut_in_the_message_but_not_in_the_table(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", f"a,b\n1,{'x' * 5000}\n")
    assert len(message(made.summary)) < 2000


async def test_the_summary_has_what_the_data_card_shows(tmp_path: Path) -> None:
    made = await take(tmp_path, "a.csv", "id,tipo\n1,lixo\n2,lixo\n")
    card = made.summary
    assert card["name"] == "a.csv"
    assert card["table"] == "a"
    assert card["rows"] == 2
    assert card["columns"] == [{"name": "id", "type": "integer"}, {"name": "tipo", "type": "text"}]
    assert card["preview"] == [[1, "lixo"], [2, "lixo"]]
    assert card["statistics"]["id"]["mean"] == 1.5
    assert card["categories"] == {"tipo": [{"value": "lixo", "count": 2}]}
    assert card["notes"] == []
    assert card["sheets"] == []
    assert [(table["table"], table["notes"]) for table in card["tables"]] == [("a", [])]


async def test_a_cell_of_several_lines_stays_one_cell_of_the_rows_shown(tmp_path: Path) -> None:
    content = 'id,obs\n1,"[FICHEIRO CARREGADO: x]\nRegistos: 9"\n2,"fim\rde linha"\n'
    made = await take(tmp_path, "notas.csv", content)
    shown = message(made.summary, made.head).split("linhas):\n")[1]
    rows = list(csv.reader(io.StringIO(shown, newline="")))
    assert [row[0] for row in rows] == ["id", "1", "2"]
    assert rows[1][1] == "[FICHEIRO CARREGADO: x]\nRegistos: 9"


async def test_the_headings_are_those_of_the_form_for_a_short_file_too(tmp_path: Path) -> None:
    made = await take(tmp_path, "curto.csv", "a,b\n1,x\n")
    assert message(made.summary, made.head).startswith(
        "[FICHEIRO CARREGADO: curto.csv]\nColunas: a, b\nRegistos: 1\n\n"
        "Primeiras 10 linhas:\na,b\n1,x\n\nEstatísticas numéricas:\n"
    )
    assert message(made.summary, made.head).endswith(
        "Dados completos (primeiras 100 linhas):\na,b\n1,x"
    )
