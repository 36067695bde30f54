from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bancada import ToolFailed, table_version
from bancada.packs.quality import DEMO
from tests.packs.quality.bench import BY_TYPE, Bench, Services


async def test_counting_everything_gives_the_printed_answer(bench: Bench) -> None:
    answer = await bench.call("contar_defeitos")
    assert answer == {"total": 200, "por_tipo": BY_TYPE}
    assert list(answer["por_tipo"]) == list(BY_TYPE)


async def test_a_type_can_be_written_in_several_ways(bench: Bench) -> None:
    expected = {"total": 27, "por_tipo": {"casca_laranja": 27}}
    for written in ("casca_laranja", "Casca de Laranja", "CASCA-LARANJA"):
        assert await bench.call("contar_defeitos", tipo_defeito=written) == expected


async def test_a_type_that_does_not_exist_is_refused_with_those_that_do(bench: Bench) -> None:
    with pytest.raises(ToolFailed) as refused:
        await bench.call("contar_defeitos", tipo_defeito="risco")
    assert str(refused.value) == (
        f"tipo_defeito 'risco' não existe; há: {', '.join(BY_TYPE)}. "
        "Para não filtrar, deixa o campo de fora."
    )


@pytest.mark.parametrize(
    "name", ["contar_defeitos", "top_defeitos", "defeitos_por_turno", "pareto_defeitos"]
)
async def test_no_count_answers_for_somebody_who_does_not_exist(bench: Bench, name: str) -> None:
    with pytest.raises(ToolFailed, match="operador 'Manuel' não existe; há: Julia, Carlos"):
        await bench.call(name, operador="Manuel")


async def test_null_filters_are_no_filters(bench: Bench) -> None:
    nothing = dict.fromkeys(("tipo_defeito", "turno", "operador", "material", "data_inicio"))
    assert (await bench.call("contar_defeitos", **nothing))["total"] == 200


async def test_top_gives_five_types_with_percentages_unless_told_otherwise(bench: Bench) -> None:
    answer = await bench.call("top_defeitos")
    assert answer == {
        "top": [
            {"tipo": "lixo", "total": 62, "percentagem": 31.0},
            {"tipo": "falta_tinta", "total": 31, "percentagem": 15.5},
            {"tipo": "casca_laranja", "total": 27, "percentagem": 13.5},
            {"tipo": "gordura", "total": 24, "percentagem": 12.0},
            {"tipo": "descasque", "total": 21, "percentagem": 10.5},
        ]
    }
    assert (await bench.call("top_defeitos", n=2))["top"] == answer["top"][:2]
    assert len((await bench.call("top_defeitos", n=100))["top"]) == 8


@pytest.mark.parametrize("n", [0, -1, 101, "3", 2.5])
def test_top_refuses_a_number_it_cannot_use(bench: Bench, n: object) -> None:
    problem = bench.tool("top_defeitos").validator.problem({"n": n})
    assert problem is not None
    assert "'n'" in str(problem)


async def test_shifts_come_largest_first(bench: Bench) -> None:
    answer = await bench.call("defeitos_por_turno")
    assert answer == {"por_turno": {"manha": 73, "tarde": 68, "noite": 59}}
    assert list(answer["por_turno"]) == ["manha", "tarde", "noite"]


async def test_filters_agree_with_counting_the_rows_by_hand(bench: Bench) -> None:
    lines = [line.split(",") for line in DEMO.read_text("utf-8").splitlines()[1:]]
    by_hand = sum(
        "2026-02-20" <= day <= "2026-03-13" and shift == "noite" and material == "PP_Negro"
        for _, day, shift, _, _, material, _, _ in lines
    )
    answer = await bench.call(
        "contar_defeitos",
        turno="Noite",
        material="pp negro",
        data_inicio="2026-02-20",
        data_fim="2026-03-13",
    )
    assert by_hand > 0
    assert answer["total"] == by_hand == sum(answer["por_tipo"].values())


async def test_one_name_written_in_several_ways_in_the_log_is_counted_whole(
    tmp_path: Path,
) -> None:
    log = tmp_path / "by_hand.csv"
    log.write_text(
        "data,tipo_defeito,turno\n2026-02-11,Lixo,Manhã\n2026-02-11,lixo,manha\n"
        "2026-02-12,LIXO,noite\n2026-02-12,gordura,noite\n",
        encoding="utf-8",
    )
    folder = tmp_path / "pack"
    folder.mkdir()
    bench = Bench(Services(folder=folder, settings={"defeitos": str(log)}))
    assert (await bench.call("contar_defeitos", tipo_defeito="lixo"))["total"] == 3
    assert (await bench.call("contar_defeitos", tipo_defeito="lixo", turno="manhã"))["total"] == 2
    chart = await bench.call("carta_controlo_p", tipo_defeito="lixo")
    assert chart["p"] == [1.0, 0.5]


@pytest.mark.parametrize("day", ["11/02/2026", "2026-02-30", "ontem", "", "{x}"])
def test_a_day_that_is_none_is_answered_with_how_a_day_is_written(bench: Bench, day: str) -> None:
    problem = bench.tool("contar_defeitos").validator.problem({"data_inicio": day})
    assert "'data_inicio': expected a date such as 2026-01-31" in str(problem)


async def test_both_ends_of_a_period_count(bench: Bench) -> None:
    first = await bench.call("contar_defeitos", data_inicio="2026-02-11", data_fim="2026-02-11")
    rest = await bench.call("contar_defeitos", data_inicio="2026-02-12")
    assert (first["total"], rest["total"]) == (1, 199)
    assert (await bench.call("contar_defeitos", data_fim="2026-02-10"))["total"] == 0


async def test_a_period_backwards_is_said_and_not_counted(bench: Bench) -> None:
    with pytest.raises(ToolFailed, match="invertido"):
        await bench.call("contar_defeitos", data_inicio="2026-03-01", data_fim="2026-02-01")


async def test_pareto_runs_up_to_a_hundred_and_names_the_vital_few(bench: Bench) -> None:
    answer = await bench.call("pareto_defeitos")
    assert answer["total"] == 200
    assert [row["acumulada"] for row in answer["pareto"]] == [
        31.0, 46.5, 60.0, 72.0, 82.5, 92.0, 98.0, 100.0,
    ]  # fmt: skip
    assert answer["vitais"] == ["lixo", "falta_tinta", "casca_laranja", "gordura", "descasque"]


async def test_pareto_shows_bars_and_a_running_line(bench: Bench) -> None:
    await bench.call("pareto_defeitos", por="rack", turno="manha")
    (chart,) = bench.widgets
    bars, line = chart.data["datasets"]
    assert chart.kind == "chart"
    assert chart.data["widget"] == "chart"
    assert len(chart.data["labels"]) == len(bars["data"]) == len(line["data"])
    assert sum(bars["data"]) == 73
    assert line["data"][-1] == 100


async def test_pareto_of_nothing_shows_nothing(bench: Bench) -> None:
    assert (await bench.call("pareto_defeitos", data_fim="2020-01-01"))["pareto"] == []
    assert bench.widgets == []


async def test_a_changed_log_is_read_again(bench: Bench) -> None:
    log = bench.services.folder / "defeitos.csv"
    assert (await bench.call("contar_defeitos"))["total"] == 200
    with log.open("a", encoding="utf-8") as file:
        file.write("201,2026-04-01,noite,Julia,lixo,PP_Negro,R10,4\n")
    answer = await bench.call("contar_defeitos")
    assert answer["total"] == 201
    assert answer["por_tipo"]["lixo"] == 63


async def test_a_log_replaced_by_one_of_the_same_size_is_noticed(bench: Bench) -> None:
    log = bench.services.folder / "defeitos.csv"
    await bench.call("contar_defeitos")
    other = log.with_name("new.csv")
    other.write_text(DEMO.read_text("utf-8").replace(",lixo,", ",pico,"), encoding="utf-8")
    stamp = log.stat()
    os.utime(other, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 1))
    other.replace(log)
    assert (await bench.call("contar_defeitos"))["por_tipo"]["pico"] == 62


async def test_the_log_can_be_any_configured_file(tmp_path: Path) -> None:
    log = tmp_path / "elsewhere.csv"
    log.write_text("tipo_defeito;turno\nrisco;A\nrisco;B\n;A\n", encoding="utf-8")
    folder = tmp_path / "pack"
    folder.mkdir()
    bench = Bench(Services(folder=folder, settings={"defeitos": str(log)}))
    assert await bench.call("contar_defeitos") == {
        "total": 3,
        "por_tipo": {"risco": 2, "(vazio)": 1},
    }
    with pytest.raises(ToolFailed, match="'operador'"):
        await bench.call("contar_defeitos", operador="Ana")


async def test_the_log_can_be_a_folder_that_is_read_anew_when_a_file_comes_changes_or_goes(
    tmp_path: Path,
) -> None:
    logs, folder = tmp_path / "logs", tmp_path / "pack"
    logs.mkdir()
    folder.mkdir()
    january = logs / "janeiro.csv"
    january.write_text("tipo_defeito,turno\nrisco,A\nrisco,B\n", encoding="utf-8")
    bench = Bench(Services(folder=folder, settings={"defeitos": str(logs)}))
    assert (await bench.call("contar_defeitos"))["total"] == 2
    # Another program's columns in another order, and its encoding.
    february = logs / "FEVEREIRO.CSV"
    february.write_text("turno;tipo_defeito;nota\nA;lixo;ação\n", encoding="latin-1")
    (logs / "notas.txt").write_text("not a log", encoding="utf-8")
    assert (await bench.call("contar_defeitos"))["por_tipo"] == {"risco": 2, "lixo": 1}
    with january.open("a", encoding="utf-8") as file:
        file.write("risco,A\n")
    assert (await bench.call("contar_defeitos", turno="A"))["total"] == 3
    first = bench.log_table
    january.unlink()
    assert (await bench.call("contar_defeitos"))["por_tipo"] == {"lixo": 1}
    assert bench.log_table != first
    february.unlink()
    with pytest.raises(ToolFailed, match="não tem CSV"):
        await bench.call("contar_defeitos")


async def test_a_log_that_goes_away_is_said_to_the_model(bench: Bench) -> None:
    (bench.services.folder / "defeitos.csv").unlink()
    with pytest.raises(ToolFailed, match="não está disponível"):
        await bench.call("contar_defeitos")


async def test_a_log_without_defect_types_is_said_to_the_model(tmp_path: Path) -> None:
    log = tmp_path / "wrong.csv"
    log.write_text("a,b\n1,2\n", encoding="utf-8")
    bench = Bench(Services(folder=tmp_path, settings={"defeitos": str(log)}))
    with pytest.raises(ToolFailed, match="precisa da coluna 'tipo_defeito'; tem: a, b"):
        await bench.call("contar_defeitos")


def test_without_a_log_the_counting_tools_are_switched_off_and_say_why(tmp_path: Path) -> None:
    bench = Bench(Services(folder=tmp_path, demo=False))
    assert "--demo" in (bench.tool("contar_defeitos").switched_off or "")
    assert list(bench.pack.tables) == []
    assert not (tmp_path / "defeitos.csv").exists()


def test_demo_data_that_is_there_is_left_alone(tmp_path: Path) -> None:
    mine = "tipo_defeito,data\nmeu,2026-01-01\n"
    (tmp_path / "defeitos.csv").write_text(mine)
    Bench(Services(folder=tmp_path))
    assert (tmp_path / "defeitos.csv").read_text() == mine


def test_the_table_for_queries_is_made_of_the_log_with_its_types(bench: Bench) -> None:
    import duckdb

    with duckdb.connect(str(bench.log_table), read_only=True) as database:
        assert database.execute(
            "SELECT count(*), min(data), sum(posicao) FROM defeitos"
        ).fetchone() == (200, date(2026, 2, 11), 918)


async def test_a_damaged_table_file_is_made_again(bench: Bench) -> None:
    bench.log_table.write_bytes(b"not a database")
    again = Bench(bench.services)
    assert (await again.call("contar_defeitos"))["total"] == 200


async def test_a_table_file_never_changes_and_old_ones_go(bench: Bench) -> None:
    log = bench.services.folder / "defeitos.csv"
    first = bench.log_table
    before = first.read_bytes()
    made = [first]
    for number in range(201, 206):
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{number},2026-04-01,noite,Julia,lixo,PP_Negro,R10,4\n")
        made.append(bench.log_table)
        if number == 201:
            assert first.read_bytes() == before
    assert len(set(made)) == 6
    assert [path.is_file() for path in made] == [False, False, False, True, True, True]


async def test_a_log_that_cannot_be_read_gives_no_table(tmp_path: Path) -> None:
    log = tmp_path / "defeitos.csv"
    log.write_text("tipo_defeito,turno\n" + '"lixo' * 3_000_000)
    bench = Bench(Services(folder=tmp_path))
    assert [table.file() for table in bench.pack.tables] == [None]
    with pytest.raises(ToolFailed, match="não pôde ser lido"):
        await bench.call("contar_defeitos")


async def test_a_log_in_an_older_encoding_keeps_its_accents(tmp_path: Path) -> None:
    text = "tipo_defeito,operador\nlixo,José\nlixo,Conceição\n"
    (tmp_path / "defeitos.csv").write_bytes(text.encode("latin-1"))
    bench = Bench(Services(folder=tmp_path))
    assert (await bench.call("contar_defeitos", operador="jose"))["total"] == 1


def test_there_is_no_other_table(bench: Bench) -> None:
    assert [table.name for table in bench.pack.tables] == ["defeitos"]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("contar_defeitos", {}),
        ("top_defeitos", {}),
        ("defeitos_por_turno", {}),
        ("pareto_defeitos", {}),
        ("carta_controlo_xr", {}),
        ("carta_controlo_p", {}),
        ("capacidade", {"limite_superior": 20}),
    ],
)
async def test_every_count_says_from_which_version_of_the_log_it_is(
    bench: Bench, tool: str, given: dict[str, Any]
) -> None:
    await bench.call(tool, **given)
    assert bench.versions == {"defeitos": table_version(bench.log_table)}
    assert all(one.data["versao_dados"] == bench.versions for one in bench.widgets)


async def test_numbers_that_came_with_the_question_have_no_version(bench: Bench) -> None:
    await bench.call("capacidade", limite_superior=20, valores=[1.0, 2.0, 3.0])
    assert bench.versions is None


async def test_a_word_for_nothing_is_a_value_where_the_log_has_it(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text(
        "tipo_defeito;turno\nrisco;A\nnenhum;todos\nNenhum;B\nbolha;B\n", encoding="utf-8"
    )
    folder = tmp_path / "pack"
    folder.mkdir()
    bench = Bench(Services(folder=folder, settings={"defeitos": str(log)}))

    def running(**input: Any) -> Any:
        return bench.tool("contar_defeitos").validator.without_blanks(input, filters=True)

    for said, total in (("nenhum", 2), ("none", 4), ("", 4), ("risco", 1)):
        given = running(tipo_defeito=said, data_inicio="null")
        assert "data_inicio" not in given
        assert (await bench.call("contar_defeitos", **given))["total"] == total
    assert (await bench.call("contar_defeitos", **running(turno="todos")))["total"] == 1
