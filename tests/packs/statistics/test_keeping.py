"""Limits and studies kept by name: set from a period, used for later data, made again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import duckdb
import pytest

from bancada import Outcome, Pack, PackTable, Services
from bancada.domain.studies import StudyCall
from bancada.packs.statistics.pack import build
from bancada.packs.tables import build as tables
from bancada.testing import Workshop, open_workshop

PERIOD = {"ordem": "dia", "desde": "2026-01-01", "ate": "2026-01-30"}
COLUMN = {"tipo": "i-mr", "tabela": "medidas", "coluna": "peso"}


class Line:
    """A paint line's table: thirty steady days, then whatever is added."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.version = 0
        self.write()

    def write(self, *more: float) -> None:
        """The table anew, with these days more; a pack's table has a file for each version."""
        self.version += 1
        with duckdb.connect(str(self.file())) as db:
            db.execute(
                "CREATE TABLE medidas AS SELECT TIMESTAMP '2026-01-01 09:30' + INTERVAL (i) DAY AS dia, "
                "10 + sin(i * 1.7) AS peso FROM range(30) AS t(i)"
            )
            for n, value in enumerate(more):
                db.execute(
                    "INSERT INTO medidas VALUES (TIMESTAMP '2026-01-31 09:30' + INTERVAL (?) DAY, ?)",
                    [n, value],
                )

    def file(self) -> Path:
        return self.folder / f"medidas-{self.version}.duckdb"


@pytest.fixture
def line(tmp_path: Path) -> Line:
    return Line(tmp_path)


@pytest.fixture
async def workshop(line: Line) -> AsyncIterator[Workshop]:
    def own(services: Services) -> Pack:
        return Pack(name="own", tables=[PackTable(name="medidas", file=line.file)])

    async with open_workshop(tables, build, own) as opened:
        yield opened


def ok(outcome: Outcome) -> Outcome:
    assert not outcome.is_error, outcome.content
    return outcome


async def test_limits_set_from_a_period_judge_later_data_and_say_whose_they_are(
    workshop: Workshop, line: Line
) -> None:
    rui = workshop.rui
    asked = {**COLUMN, **PERIOD, "nome": "Linha 1"}
    assert (await workshop.result("congelar_limites", asked)).code == "forbidden"
    kept = ok(await workshop.result("congelar_limites", asked, by=rui)).value
    # A day is in the period to its end: its last measurement was at half past nine.
    assert (kept["pontos"], kept["sob_controlo"], kept["fixados_por"]) == (30, True, "Rui")
    assert (kept["de"], kept["ate"]) == ("2026-01-01 09:30:00", "2026-01-30 09:30:00")

    use = {**COLUMN, "ordem": "dia", "limites": "Linha 1"}
    before = ok(await workshop.result("carta_controlo", use)).value
    line.write(30.0, 31.0)
    shown = ok(await workshop.result("carta_controlo", use))
    after = shown.value
    assert after["cartas"][0]["lsc"] == before["cartas"][0]["lsc"] == kept["cartas"][0]["lsc"]
    assert before["sob_controlo"] is True
    signals = {one["regra"]: one["vezes"] for one in after["cartas"][0]["sinais"]}
    assert signals[1] == 2
    # Of its own data the limits would be others.
    own = ok(await workshop.result("carta_controlo", {**COLUMN, "ordem": "dia"})).value
    assert own["cartas"][0]["lsc"] > after["cartas"][0]["lsc"]
    assert before["versao_dados"]["medidas"] != after["versao_dados"]["medidas"]
    told = "Frozen limits “Linha 1”: of 30 points of peso (medidas), from 2026-01-01 09:30:00"
    assert told in after["leitura"]
    assert "set by Rui on 20" in after["leitura"]
    assert shown.widgets[0].data["nota"].startswith(told)


async def test_frozen_limits_are_replaced_by_a_decision_only_and_fit_their_chart_only(
    workshop: Workshop,
) -> None:
    rui = workshop.rui
    asked = {**COLUMN, "nome": "Linha 1", "desde": "1", "ate": "20"}
    first = ok(await workshop.result("congelar_limites", asked, by=rui)).value
    assert (first["pontos"], first["de"], first["ate"]) == (20, "1", "20")
    taken = await workshop.result("congelar_limites", {**asked, "ate": "30"}, by=rui)
    assert taken.is_error
    assert "kept already" in str(taken.content)
    again = {**asked, "ate": "30", "substituir": True}
    waiting = await workshop.waits("congelar_limites", again, by=rui)
    assert waiting.title == "Freeze the limits of the i-mr chart as “Linha 1”"
    assert (await workshop.approve(waiting, by=rui)).value["pontos"] == 30
    other = {**COLUMN, "tipo": "ewma", "limites": "Linha 1"}
    wrong = await workshop.result("carta_controlo", other)
    assert "are of a chart I-MR, and this is EWMA" in str(wrong.content)
    unknown = await workshop.result("carta_controlo", {**COLUMN, "limites": "Linha 2"})
    assert "no frozen limits called “Linha 2”" in str(unknown.content)
    period = await workshop.result("congelar_limites", {**asked, "desde": "January"}, by=rui)
    assert "row numbers" in str(period.content)
    actions = [line["tool"] for line in await workshop.audit()]
    assert actions.count("congelar_limites") >= 3


async def test_a_saved_study_is_made_again_with_the_data_of_now(
    workshop: Workshop, line: Line
) -> None:
    rui = workshop.rui
    frozen = {**COLUMN, **PERIOD, "nome": "Linha 1"}
    ok(await workshop.result("congelar_limites", frozen, by=rui))
    study = {**COLUMN, "ordem": "dia", "limites": "Linha 1", "regras": "nelson"}
    save = {"nome": "Peso", "ferramenta": "carta_controlo", "argumentos": study}
    ok(await workshop.result("guardar_estudo", save, by=rui))
    ran = await workshop.bench.studies.run(rui, "Peso")
    assert (ran.error, ran.in_control, ran.broken) == (None, True, ())
    line.write(30.0)
    again = ok(await workshop.result("correr_estudo", {"nome": "Peso"}, by=rui))
    assert (again.value["estudo"], again.value["sob_controlo"]) == ("Peso", False)
    ran = await workshop.bench.studies.run(rui, "Peso")
    (beyond, *_) = [one for one in ran.broken if one.rule == 1]
    assert (beyond.chart, beyond.times, beyond.points[0]) == ("I", 1, ("2026-01-31 09:30:00",))
    assert "rule 1 (a point beyond the limits) at 2026-01-31" in ran.reading
    refused = await workshop.result("correr_estudo", {"nome": "Peso"})
    assert "no saved study called “Peso”" in str(refused.content)
    listed = ok(await workshop.result("estudos_guardados", by=rui)).value
    assert [one["nome"] for one in listed["estudos"]] == ["Peso"]
    assert [one["carta"] for one in listed["limites"]] == ["I-MR"]
    assert ok(await workshop.result("estudos_guardados")).value["estudos"] == []


async def test_a_study_cannot_run_itself(workshop: Workshop) -> None:
    loop = StudyCall(tool="correr_estudo", input={"nome": "Loop"})
    await workshop.bench.studies.save(workshop.rui, "Loop", loop)
    ran = await workshop.bench.studies.run(workshop.rui, "Loop")
    assert "would run itself" in str(ran.error)
