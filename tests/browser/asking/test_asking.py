"""Asking: text as it streams, what was called, what was shown, and the same after a reload."""

from __future__ import annotations

import re
from pathlib import Path

import openpyxl
from playwright.sync_api import Request, Route, expect

from bancada.model.scripted import Hold, calls, calls_many, says
from tests.browser.acts import answer, ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

CHART = {
    "tipo": "bar",
    "titulo": "Defeitos por tipo",
    "labels": ["lixo", "gordura"],
    "valores": [62, 24],
}
TABLE = {
    "titulo": "Por operador",
    "colunas": ["Operador", "Defeitos"],
    "linhas": [[f"Op {n:02}", n] for n in range(25)],
}
KPI = {"titulo": "Total", "valor": 200, "unidade": "defeitos"}


def test_text_streams_and_markdown_is_drawn(stage: Stage, open_page: OpenPage) -> None:
    gate = Hold()
    stage.script("O mais frequente é **lixo**.\n\n- um\n- dois\n", gate=gate)
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    stage.do(gate.let, 3)
    ask(page, "qual é o defeito mais frequente?")
    expect(answer(page)).to_contain_text("O mais frequente")
    expect(answer(page)).not_to_contain_text("lixo")
    expect(answer(page)).to_have_attribute("aria-busy", "true")
    stage.do(gate.open)
    done = finished(page)
    expect(done.locator("strong")).to_have_text("lixo")
    expect(done.locator("li")).to_have_text(["um", "dois"])
    expect(page.get_by_role("heading", level=1)).to_have_text("qual é o defeito mais frequente?")


def test_chart_table_and_figure_are_drawn_and_survive_a_reload(
    stage: Stage, open_page: OpenPage
) -> None:
    stage.script(
        calls_many(("gerar_grafico", CHART), ("gerar_tabela", TABLE), ("gerar_kpi", KPI)),
        says("Está tudo acima."),
    )
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "mostra tudo")
    for _ in range(2):
        done = finished(page)
        expect(done.locator(".chart-widget canvas")).to_have_attribute(
            "aria-label", re.compile("lixo: 62")
        )
        expect(done.locator(".table-widget tbody tr")).to_have_count(10)
        expect(done.locator(".kpi-value")).to_have_text(re.compile("200 defeitos"))
        expect(done.locator(".calls")).to_contain_text("3 ferramentas usadas")
        page.reload()


def test_a_table_sorts_pages_and_exports(stage: Stage, open_page: OpenPage) -> None:
    stage.script(calls("gerar_tabela", **TABLE), says("Pronto."))
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "tabela")
    table = finished(page).locator(".table-widget")
    table.get_by_role("button", name="Defeitos").click()
    table.get_by_role("button", name="Defeitos").click()
    expect(table.locator("tbody tr").first).to_contain_text("Op 24")
    expect(table.locator("th").nth(1)).to_have_attribute("aria-sort", "descending")
    table.get_by_role("button", name="Página seguinte").click()
    expect(table.locator(".pager")).to_contain_text("11–20 de 25")
    table.get_by_role("searchbox").fill("op 2")
    expect(table.locator("tbody tr")).to_have_count(5)

    def saved(kind: str) -> Path:
        table.get_by_role("button", name="Descarregar").click()
        with page.expect_download() as download:
            table.get_by_role("menuitem", name=kind).click()
        return Path(download.value.path())

    text = saved("CSV").read_text(encoding="utf-8-sig")
    assert text.splitlines()[:2] == ["Operador,Defeitos", "Op 00,0"]
    with saved("Excel").open("rb") as workbook:
        sheet = openpyxl.load_workbook(workbook).active
    assert [[cell.value for cell in row] for row in sheet["A1:B3"]] == [
        ["Operador", "Defeitos"],
        ["Op 00", 0],
        ["Op 01", 1],
    ]


def test_formulas_and_diagrams_are_drawn_and_stay_pictures(
    stage: Stage, open_page: OpenPage
) -> None:
    said = (
        "A média é $\\bar{x}$ e custa $5 a $10.\n\n"
        '```mermaid\nflowchart LR\n  A["<img src=x onerror=alert(1)>"] --> B\n'
        '  click A "javascript:alert(1)"\n```\n\n'
        "$$\\href{javascript:alert(1)}{x}$$"
    )
    stage.script(says(said))
    page = open_page(stage)
    scripts: list[str] = []
    page.on("request", lambda request: scripts.append(request.url))
    assert not any("katex" in url or "mermaid" in url for url in scripts)
    conversation(page, stage, "Qualidade")
    ask(page, "fórmulas")
    text = finished(page)
    expect(text.locator(".katex").first).to_be_visible()
    expect(text).to_contain_text("custa $5 a $10.")
    expect(text.locator(".diagram img")).to_have_attribute("src", re.compile("^data:image/svg"))
    assert any("katex" in url for url in scripts)
    assert text.locator("a[href^='javascript']").count() == 0


def test_a_call_shows_its_input_and_result_on_demand(stage: Stage, open_page: OpenPage) -> None:
    stage.script(calls("top_defeitos", n=1), says("É lixo."))
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "qual?")
    call = finished(page).locator(".call")
    expect(call.locator(".call-detail")).to_have_count(0)
    call.get_by_role("button", name="Defeitos mais frequentes").click()
    expect(call.locator(".call-detail")).to_contain_text("lixo")


def test_a_dashboard_is_shown_where_it_was_made_and_opens(
    stage: Stage, open_page: OpenPage
) -> None:
    html = '<h2 class="section-title">Turnos</h2><div class="kpi-card"><h3>Total</h3></div>'
    stage.script(calls("gerar_dashboard", titulo="Turnos", html=html), says("Guardado."))
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "cria um painel")
    card = finished(page).locator(".dashboard-card")
    expect(card.frame_locator("iframe").locator(".section-title")).to_have_text("Turnos")
    card.get_by_role("link", name="Abrir painel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Turnos")
    page.get_by_role("button", name="Partilhar").click()
    page.get_by_role("button", name="Criar link").click()
    link = page.get_by_label("Link partilhado").input_value()

    visitor = open_page(stage, by=None)
    visitor.goto(link)
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Turnos")
    page.get_by_role("button", name="Revogar").click()
    expect(page.get_by_label("Link partilhado")).to_have_count(0)
    visitor.reload()
    expect(visitor.get_by_role("heading", name="Turnos")).to_have_count(0)


def test_a_chart_is_pinned_to_a_dashboard(stage: Stage, open_page: OpenPage) -> None:
    stage.script(calls("gerar_grafico", **CHART), says("Pronto."))
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "gráfico")
    finished(page).get_by_role("button", name="Guardar num painel").click()
    page.get_by_label("Nome do painel").fill("Fixados")
    page.get_by_role("dialog").get_by_role("button", name="Guardar").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.goto(f"{stage.url}/#/dashboards")
    page.get_by_role("link", name=re.compile("Fixados")).click()
    expect(page.locator(".chart-widget canvas")).to_be_visible()
    # Typed numbers cannot be drawn anew, so nothing offers to.
    expect(page.get_by_role("button", name="Atualizar")).to_have_count(0)


def test_conversations_are_searched_renamed_and_deleted(stage: Stage, open_page: OpenPage) -> None:
    stage.script("Sim.", "Não.")
    page = open_page(stage, by="rui@demo.com")
    for question in ("perguntas sobre racks", "perguntas sobre turnos"):
        conversation(page, stage, "Qualidade", by="rui@demo.com")
        ask(page, question)
        finished(page)
    listed = page.get_by_role("navigation", name="Conversas")
    page.get_by_label("Procurar conversas").fill("racks")
    expect(listed.locator("li")).to_have_count(1)
    page.get_by_label("Procurar conversas").fill("")
    expect(listed.locator("li")).to_have_count(2)

    def menu(title: str, item: str) -> None:
        listed.get_by_role("button", name=f"Ações de «{title}»").click()
        page.get_by_role("menuitem", name=item).click()

    menu("perguntas sobre racks", "Mudar o nome")
    page.get_by_role("dialog").get_by_label("Nome").fill("Racks")
    page.get_by_role("button", name="Guardar").click()
    expect(listed.get_by_role("link", name="Racks")).to_be_visible()
    with page.expect_download() as download:
        menu("Racks", "Exportar")
    assert "perguntas sobre racks" in download.value.path().read_text(encoding="utf-8")
    menu("Racks", "Eliminar")
    page.get_by_role("dialog").get_by_role("button", name="Eliminar").click()
    expect(listed.locator("li")).to_have_count(1)


def test_thumbs_are_kept(stage: Stage, open_page: OpenPage) -> None:
    stage.script("Boa.")
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "olá")
    thumb = finished(page).get_by_role("button", name="Boa resposta")
    with page.expect_response(lambda answer: "/feedback" in answer.url) as sent:
        thumb.click()
    assert sent.value.status == 204
    page.reload()
    expect(page.get_by_role("button", name="Boa resposta")).to_have_attribute(
        "aria-pressed", "true"
    )


def _tells_why(request: Request) -> bool:
    return request.url.endswith("/feedback") and "São 12." in (request.post_data or "")


def test_after_a_thumb_down_the_person_may_say_why(stage: Stage, open_page: OpenPage) -> None:
    stage.script(says("São 15."))
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "quantos são?")
    held: list[Route] = []
    overtook: list[str] = []

    def hold_the_bare_thumb(route: Route) -> None:
        if _tells_why(route.request):
            overtook.extend(one.request.url for one in held)
            route.continue_()
        else:
            held.append(route)

    page.route("**/feedback", hold_the_bare_thumb)
    with page.expect_request("**/feedback"):
        finished(page).get_by_role("button", name="Má resposta").click()
    form = page.get_by_role("form", name="O que correu mal na resposta?")
    expect(form.get_by_role("button", name="Enviar")).to_be_disabled()
    form.get_by_label("Factos ou números errados").check()
    form.get_by_label("Por palavras suas").fill("São 12.")
    with page.expect_response(lambda answer: _tells_why(answer.request)) as sent:
        form.get_by_role("button", name="Enviar").click()
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        held.pop().continue_()
    assert sent.value.status == 204
    assert not overtook, "the reason must not arrive before the thumb that would erase it"
    page.reload()
    said = page.locator(".why-said")
    expect(said).to_contain_text("Factos ou números errados")
    expect(said).to_contain_text("São 12.")
    page.goto(f"{stage.url}/#/admin/feedback")
    expect(page.get_by_role("row", name="quantos são?")).to_contain_text("São 12.")


def test_in_full_screen_a_table_keeps_its_head_and_what_happened_is_seen(
    stage: Stage, open_page: OpenPage
) -> None:
    stage.script(
        calls("gerar_tabela", **TABLE | {"linhas": [["Op", n] for n in range(90)]}), says("Pronto.")
    )
    page = open_page(stage, viewport={"width": 390, "height": 700})
    conversation(page, stage, "Qualidade")
    ask(page, "mostra")
    finished(page)
    table = page.locator(".table-widget")
    table.get_by_role("button", name="Ecrã inteiro").click()
    expect(table.get_by_role("button", name="Sair do ecrã inteiro")).to_be_focused()
    table.locator("tbody tr").last.scroll_into_view_if_needed()
    expect(table.get_by_role("columnheader", name="Operador")).to_be_in_viewport()
    table.get_by_role("button", name="Guardar num painel").click()
    dialog = page.get_by_role("dialog", name="Guardar num painel")
    expect(dialog.get_by_label("Onde guardar")).to_be_focused()
    dialog.get_by_role("button", name="Guardar").click()
    expect(dialog).to_have_count(0)
    expect(table.get_by_role("button", name="Guardar num painel")).to_be_focused()
    expect(page.locator(".toast")).to_be_visible()
    # What covers the whole screen covers all that is not above it, in the browser's top layer.
    assert page.evaluate("document.fullscreenElement !== null")
    expect(page.locator(".toasts:popover-open")).to_have_count(1)
