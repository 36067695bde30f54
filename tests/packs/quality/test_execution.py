from __future__ import annotations

from pathlib import Path

from bancada.tools.pack import PythonRun
from tests.packs.quality.bench import Bench, Jail, Services

CODE = "import math\nprint(math.sqrt(144))"


async def test_python_answers_with_what_it_printed(bench: Bench) -> None:
    answer = await bench.call("executar_python", codigo=CODE, descricao="Raiz quadrada de 144")
    assert answer == {"output": "12.0\n", "sucesso": True}
    assert bench.services.jail.ran == [(CODE, 30)]


async def test_python_that_takes_too_long_is_told_in_the_printed_sentence(bench: Bench) -> None:
    bench.services.jail.answer = PythonRun(stdout="", stderr="", return_code=-9, timed_out=True)
    answer = await bench.call("executar_python", codigo="while True: pass")
    assert answer == {"erro": "Timeout: a execução excedeu 30 segundos."}
    assert bench.last is not None
    assert bench.last.is_error


async def test_python_that_fails_shows_the_end_of_its_traceback(bench: Bench) -> None:
    trace = "x" * 3000 + "\nZeroDivisionError: division by zero\n"
    bench.services.jail.answer = PythonRun(stdout="antes\n", stderr=trace, return_code=1)
    answer = await bench.call("executar_python", codigo="1/0")
    assert answer["erro"].endswith("ZeroDivisionError: division by zero")
    assert len(answer["erro"]) <= 2000
    assert answer["output"] == "antes\n"


async def test_output_is_cut_at_five_thousand_characters_and_says_so(bench: Bench) -> None:
    bench.services.jail.answer = PythonRun(stdout="ç" * 9000, stderr="", return_code=0)
    answer = await bench.call("executar_python", codigo="...")
    assert answer["output"] == "ç" * 5000
    assert "faltam 4000" in answer["nota"]
    bench.services.jail.answer = PythonRun(stdout="ç" * 5000, stderr="", return_code=0)
    assert "nota" not in await bench.call("executar_python", codigo="...")


def test_python_needs_a_responsavel_and_is_not_called_from_code(bench: Bench) -> None:
    python = bench.tool("executar_python")
    assert python.permission_level == "responsavel"
    assert python.allowed_callers == ("direct",)


def test_without_a_jail_code_and_queries_are_switched_off_with_the_reason(tmp_path: Path) -> None:
    bench = Bench(Services(folder=tmp_path, jail=Jail(missing="sem namespaces")))
    for name in ("executar_python", "consultar_dados"):
        assert "sem namespaces" in (bench.tool(name).switched_off or "")


def test_queries_see_the_log_as_it_is_now(bench: Bench) -> None:
    before = bench.log_table
    with (bench.services.folder / "defeitos.csv").open("a", encoding="utf-8") as log:
        log.write("201,2026-04-01,noite,Julia,lixo,PP_Negro,R10,4\n")
    after = bench.log_table
    assert before != after
