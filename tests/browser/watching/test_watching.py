"""A file, its chart, frozen limits, a board that watches by itself, and what it proposes: one story."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bancada.model.scripted import Script, calls, says
from bancada.sandbox import probe
from tests.browser.accessibility.test_accessibility import findings
from tests.browser.acts import answer, ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

pytestmark = pytest.mark.skipif(
    not any(report.available for report in probe()), reason="queries need a sandbox"
)

STEADY = [10.0, 10.2, 9.9, 10.1, 9.8, 10.0, 10.1, 9.9, 10.2, 9.8, 10.0, 10.1]
ADMIN = "admin@demo.com"
CHART = {"tipo": "i-mr", "tabela": "medidas", "coluna": "espessura"}


def file_of(folder: Path, name: str, values: list[float]) -> Path:
    """As a Portuguese spreadsheet saves it."""
    rows = "".join(f"{n};{value:.1f}\n".replace(".", ",") for n, value in enumerate(values, 1))
    path = folder / name
    path.write_text(f"peca;espessura\n{rows}", encoding="utf-8")
    return path


def said(stage: Stage, page: Page, line: Script, *, approve: bool = False) -> None:
    stage.script(line, says("Pronto."))
    ask(page, "faz")
    if approve:
        card = page.locator(".approval:not(.resolved)")
        card.get_by_role("button", name="Aprovar", exact=True).click()
    expect(finished(page)).to_contain_text("Pronto.")


def runs(stage: Stage, page: Page, ends: str) -> None:
    """Run it now; the newest of its history ends so."""
    page.get_by_role("button", name="Correr agora").click()
    expect(page.locator(".runs li").first).to_contain_text(ends)


def test_new_rows_break_a_rule_and_what_is_proposed_is_approved(
    stage: Stage, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(stage)
    talk = conversation(page, stage, "Análise")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Carregar ficheiro").click()
    chooser.value.set_files(file_of(tmp_path, "medidas.csv", STEADY))
    expect(page.locator(".data-card")).to_contain_text("12 registos")
    said(stage, page, calls("carta_controlo", **CHART))
    said(stage, page, calls("congelar_limites", nome="Linha 2", **CHART), approve=True)
    said(stage, page, calls("carta_controlo", limites="Linha 2", **CHART))
    chart = answer(page).locator(".chart-widget").first
    chart.get_by_role("button", name="Guardar num painel").click()
    page.get_by_label("Nome do painel").fill("Espessura")
    page.get_by_role("dialog").get_by_role("button", name="Guardar").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.goto(f"{stage.url}/#/dashboards")
    page.get_by_role("link", name=re.compile("Espessura")).click()
    page.get_by_role("button", name="Ações do painel").click()
    page.get_by_role("menuitem", name="Atualizar por agendamento").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Uma chamada").select_option("createTask")
    form.get_by_label("title").fill("Ver a linha 2")
    assert findings(page) == []
    form.get_by_role("button", name="Guardar").click()
    expect(form).to_have_count(0)
    runs(stage, page, "feito")

    page.goto(f"{stage.url}/#/c/{talk}")
    page.get_by_role("button", name="Substituir as linhas").click()
    warning = page.get_by_role("dialog")
    expect(warning).to_contain_text("medidas")
    expect(warning).to_contain_text("limites congelados ficam")
    assert findings(page) == []
    with page.expect_file_chooser() as chooser:
        warning.get_by_role("button", name="Escolher o ficheiro novo").click()
    chooser.value.set_files(file_of(tmp_path, "de hoje.csv", [*STEADY, 14.0]))
    warning.get_by_role("button", name="Substituir as linhas").click()
    expect(page.locator(".data-card").last).to_contain_text("12 registos antes, 13 registos agora")
    expect(page.locator(".data-card").first).to_contain_text("já não existem")
    expect(page.get_by_role("button", name="Substituir as linhas")).to_have_count(1)

    page.goto(f"{stage.url}/#/schedules")
    page.get_by_role("link", name=re.compile("Espessura")).click()
    runs(stage, page, "alarme")
    expect(page.locator(".runs li").first).to_contain_text("regra 1")
    assert findings(page) == []
    # The notice: who looks at any page sees that something waits.
    expect(page.get_by_role("link", name=re.compile("Aprovações.*à espera"))).to_be_visible()
    page.get_by_role("link", name="Ver a chamada proposta").click()
    waits = page.locator(".approval", has_text="Ver a linha 2").first
    waits.get_by_role("button", name="Aprovar", exact=True).click()
    expect(waits).to_contain_text("Aprovada")

    for schedule in stage.call("GET", "/schedules", by=ADMIN):
        stage.call("DELETE", f"/schedules/{schedule['id']}", by=ADMIN)


def reach(page: Page, name: str, key: str = "Tab") -> None:
    """Go on by keyboard until that is what has the focus."""
    for _ in range(60):
        page.keyboard.press(key)
        here = page.evaluate(
            """() => { const e = document.activeElement;
              return [e.labels?.[0]?.textContent, e.getAttribute('aria-label'), e.textContent].join('|') }"""
        )
        if name in here:
            return
    raise AssertionError(f"{name} is not reached by {key}")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_schedule_is_made_paused_and_deleted_by_keyboard_alone(
    stage: Stage, open_page: OpenPage, width: int
) -> None:
    page = open_page(
        stage, "#/schedules", viewport={"width": width, "height": 844}, color_scheme="dark"
    )
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("main").focus()
    reach(page, "Novo agendamento")
    page.keyboard.press("Enter")
    form = page.get_by_role("dialog")
    expect(form.get_by_label("O que se faz")).to_be_visible()
    reach(page, "O que se faz")
    page.keyboard.type("Faz")
    reach(page, "Pergunta")
    page.keyboard.type("quantos defeitos?")
    assert findings(page) == []
    reach(page, "Nome")
    page.keyboard.type("Ao teclado")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Ao teclado")).to_be_visible()
    page.get_by_role("main").focus()
    reach(page, "Pausar")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Retomar")).to_be_visible()
    reach(page, "Ações do agendamento")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    reach(page, "Eliminar agendamento", "ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    reach(page, "Eliminar agendamento")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Agendamentos")).to_be_visible()
    assert stage.call("GET", "/schedules", by=ADMIN) == []
