"""A chart that knows its query: pinned, refreshed from new data, and honest when it cannot be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from bancada.model.scripted import calls, calls_many, says
from bancada.sandbox import probe
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

pytestmark = pytest.mark.skipif(
    not any(report.available for report in probe()), reason="queries need a sandbox"
)

CHART = {
    "tipo": "bar",
    "titulo": "Defeitos por tipo",
    "sql": "SELECT tipo_defeito, count(*) AS total FROM defeitos GROUP BY ALL ORDER BY total DESC",
}
KPI = {"titulo": "Total", "unidade": "defeitos", "sql": "SELECT count(*) FROM defeitos"}
TABLE = {"titulo": "Por turno", "sql": "SELECT turno, count(*) AS n FROM defeitos GROUP BY ALL"}

CARDS = (".kpi-widget", ".chart-widget")


@pytest.fixture
def defect_log(stage: Stage) -> Iterator[Path]:
    """The demo's log, which a test may add to."""
    log = Path(stage.app.state.bench.settings.data) / "packs" / "quality" / "defeitos.csv"
    before = log.read_text(encoding="utf-8")
    yield log
    log.write_text(before, encoding="utf-8")


def pin(page: Page, card: Locator, name: str, *, onto: str | None = None) -> None:
    card.get_by_role("button", name="Guardar num painel").click()
    dialog = page.get_by_role("dialog")
    if onto is None:
        dialog.get_by_label("Nome do painel").fill(name)
    else:
        dialog.get_by_role("combobox").select_option(label=onto)
    dialog.get_by_role("button", name="Guardar").click()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_pinned_chart_follows_the_data(
    stage: Stage, open_page: OpenPage, defect_log: Path, scheme: str
) -> None:
    board = f"Turno {scheme}"
    stage.script(
        calls_many(("gerar_grafico", CHART), ("gerar_kpi", KPI), ("gerar_tabela", TABLE)),
        says("Está tudo acima."),
    )
    page = open_page(stage, color_scheme=scheme)
    id = conversation(page, stage, "Análise")
    ask(page, "mostra")
    done = finished(page)
    drawn = re.compile("lixo: 62")
    expect(done.locator(".chart-widget canvas")).to_have_attribute("aria-label", drawn)
    expect(done.locator(".kpi-value")).to_have_text(re.compile("200 defeitos"))
    pin(page, done.locator(".chart-widget"), board)
    page.reload()
    pin(page, finished(page).locator(".kpi-widget"), board, onto=board)
    pin(page, finished(page).locator(".table-widget"), board, onto=board)

    lines = defect_log.read_text(encoding="utf-8").splitlines()
    added = ",".join(["9999", *lines[-1].split(",")[1:4], "lixo", *lines[-1].split(",")[5:]])
    defect_log.write_text("\n".join([*lines, added, ""]), encoding="utf-8")
    stage.call("DELETE", f"/conversations/{id}", by="admin@demo.com")

    page.goto(f"{stage.url}/#/dashboards")
    page.get_by_role("link", name=re.compile(board)).click()
    chart = page.locator(".chart-widget canvas")
    expect(chart).to_have_attribute("aria-label", drawn)
    page.get_by_role("button", name="Atualizar").click()
    expect(chart).to_have_attribute("aria-label", re.compile("lixo: 63"))
    expect(page.locator(".kpi-value")).to_have_text(re.compile("201 defeitos"))
    expect(page.locator(".note")).to_have_count(0)
    figure, picture = (page.locator(f".card-slot:has({of})").bounding_box() for of in CARDS)
    assert figure is not None
    assert picture is not None
    assert figure["width"] < picture["width"], "a figure takes less room than a chart"


def test_an_item_whose_file_is_gone_keeps_its_picture_and_says_why(
    stage: Stage, open_page: OpenPage, tmp_path: Path
) -> None:
    sales = tmp_path / "vendas.csv"
    sales.write_text("produto,valor\ncaneta,10\nlivro,32\n", encoding="utf-8")
    page = open_page(stage)
    id = conversation(page, stage, "Análise")
    page.locator("input[type=file]").set_input_files(sales)
    expect(page.get_by_role("region", name="vendas.csv")).to_contain_text("2 registos")
    stage.script(
        calls("gerar_kpi", titulo="Vendas", sql="SELECT sum(valor) FROM vendas"), says("Pronto.")
    )
    ask(page, "total?")
    done = finished(page)
    expect(done.locator(".kpi-value")).to_have_text("42")
    pin(page, done.locator(".kpi-widget"), "Loja")
    page.goto(f"{stage.url}/#/dashboards")
    page.get_by_role("link", name=re.compile("Loja")).click()
    page.get_by_role("button", name="Atualizar").click()
    expect(page.locator(".toast").last).to_contain_text("Painel atualizado")
    expect(page.locator(".kpi-value")).to_have_text("42")
    expect(page.locator(".note")).to_have_count(0)
    stage.call("DELETE", f"/conversations/{id}", by="admin@demo.com")
    page.get_by_role("button", name="Atualizar").click()
    expect(page.locator(".note")).to_contain_text("A conversa de onde isto veio foi apagada")
    expect(page.locator(".kpi-value")).to_have_text("42")
