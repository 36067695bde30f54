"""An administrator changes a tool, and the agents obey; the test panel runs through the gate."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from bancada.model.scripted import calls, says
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

ADMIN = "admin@demo.com"


@pytest.fixture
def untouched(stage: Stage) -> Iterator[None]:
    """The tools as they were, whatever the test chose."""
    yield
    silence = {"is_enabled": None, "permission_level": None, "confirmation": None}
    stage.call("PATCH", "/admin/tools/top_defeitos", silence, by=ADMIN)


@pytest.mark.usefixtures("untouched")
def test_a_tool_switched_off_is_refused_to_the_agent(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, "#/admin/tools")
    page.get_by_label("Filtrar").fill("top_def")
    page.get_by_role("switch", name="Ligar top_defeitos").click()
    expect(page.get_by_role("switch", name="Ligar top_defeitos")).not_to_be_checked()
    model = stage.script(calls("top_defeitos", n=1), says("Não posso."))
    conversation(page, stage, "Qualidade")
    ask(page, "qual é o mais frequente?")
    expect(finished(page).locator(".call")).to_contain_text("erro")
    assert model.last_results[0]["is_error"] is True


@pytest.mark.usefixtures("untouched")
def test_a_tool_that_must_be_confirmed_asks_from_then_on(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, "#/admin/tools/top_defeitos")
    rules = page.locator("form.panel").first
    rules.get_by_label("Pede aprovação").select_option("always")
    rules.get_by_role("button", name="Guardar").click()
    expect(page.locator(".toast")).to_contain_text("Guardado")
    stage.script(calls("top_defeitos", n=1), says("É lixo."))
    conversation(page, stage, "Qualidade")
    ask(page, "qual?")
    page.locator(".approval").get_by_role("button", name="Aprovar", exact=True).click()
    expect(finished(page)).to_contain_text("É lixo.")


def test_the_panel_runs_a_tool_and_shows_its_line_in_the_audit(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, "#/admin/tools/top_defeitos")
    panel = page.locator(".panel", has=page.get_by_role("heading", name="Experimentar"))
    panel.get_by_label("n", exact=True).fill("2")
    panel.get_by_role("button", name="Experimentar").click()
    result = panel.locator(".test-result")
    expect(result).to_contain_text("falta_tinta")
    expect(result).to_contain_text("panel")
    expect(result.locator("pre").last).to_contain_text("admin@demo.com")


def test_arguments_that_do_not_fit_come_back_with_the_field_named(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, "#/admin/tools/top_defeitos")
    panel = page.locator(".panel", has=page.get_by_role("heading", name="Experimentar"))
    panel.get_by_label("n", exact=True).fill("muitos")
    panel.get_by_role("button", name="Experimentar").click()
    expect(panel.locator(".test-result")).to_contain_text("Não correu")
    expect(panel.locator(".test-result pre").first).to_contain_text("n")


def test_who_may_use_a_tool_and_why(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, "#/admin/tools/createTask")
    panel = page.locator(".panel", has=page.get_by_role("heading", name="Quem a pode usar"))
    panel.get_by_label("Pessoa").select_option(label="Ana (ana@demo.com)")
    expect(panel.locator(".access")).to_contain_text("Não")
    expect(panel.locator(".access")).to_contain_text("responsavel")
    panel.get_by_label("Pessoa").select_option(label="Rui (rui@demo.com)")
    expect(panel.locator(".access")).to_contain_text("pergunta primeiro")


def test_the_audit_is_filtered_and_verified(stage: Stage, open_page: OpenPage) -> None:
    stage.call("POST", "/admin/tools/contar_defeitos/run", {"input": {}}, by=ADMIN)
    page = open_page(stage, "#/admin/audit")
    page.get_by_label("Ferramenta").select_option("contar_defeitos")
    expect(page.locator(".audit-line").first).to_contain_text("contar_defeitos")
    expect(page.locator(".audit-line", has_text="createTask")).to_have_count(0)
    page.get_by_role("button", name="Verificar a cadeia").click()
    expect(page.get_by_text("A cadeia está inteira")).to_be_visible()


def test_a_person_is_added_and_sets_a_password_by_their_link(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, "#/admin/users")
    page.get_by_role("button", name="Nova pessoa").click()
    form = page.get_by_role("dialog")
    form.get_by_label("E-mail").fill("eva@demo.com")
    form.get_by_label("Nome").fill("Eva")
    form.get_by_label("Qualidade").check()
    form.get_by_role("button", name="Guardar").click()
    link = page.get_by_label("Link para definir").input_value()
    visitor = open_page(stage, by=None)
    visitor.goto(link)
    visitor.get_by_label("Palavra-passe", exact=True).fill("uma palavra longa")
    visitor.get_by_label("Repita").fill("outra")
    expect(visitor.get_by_role("button", name="Guardar e entrar")).to_be_disabled()
    visitor.get_by_label("Repita").fill("uma palavra longa")
    visitor.get_by_role("button", name="Guardar e entrar").click()
    expect(visitor.get_by_role("heading", name="Olá, Eva")).to_be_visible()


def test_an_agent_is_made_and_answers(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, "#/admin/agents/new")
    page.get_by_label("Nome").fill("Turnos")
    page.get_by_label("Pedido de sistema").fill("Comparas turnos.")
    page.get_by_label("Filtrar").fill("defeitos_por")
    page.get_by_label("defeitos_por_turno").check()
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_role("heading", name="Turnos", level=1)).to_be_visible()
    stage.script(calls("defeitos_por_turno"), says("A manhã tem mais."))
    conversation(page, stage, "Turnos")
    ask(page, "qual tem mais?")
    expect(finished(page)).to_contain_text("A manhã tem mais.")


def test_the_developer_view_shows_what_is_behind_an_answer(
    stage: Stage, open_page: OpenPage
) -> None:
    stage.script(calls("top_defeitos", n=1), says("É lixo."))
    page = open_page(stage, "#/settings")
    page.get_by_role("switch", name="Mostrar o que está por trás").click()
    conversation(page, stage, "Qualidade")
    ask(page, "qual é o defeito mais frequente?")
    panel = finished(page).locator(".developer")
    panel.get_by_role("button", name="Vista de programador").click()
    expect(panel).to_contain_text("Intenção")
    panel.get_by_role("tab", name="Blocos").click()
    expect(panel.locator("pre").last).to_contain_text("tool_use")
