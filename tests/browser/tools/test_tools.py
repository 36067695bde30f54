"""An administrator changes a tool, and the agents obey; the test panel runs through the gate."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from playwright.sync_api import expect

from bancada.model.scripted import calls, says
from tests.browser.acts import ask, conversation, finished, settled
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
    expect(finished(page).locator(".call")).to_contain_text("não executada")
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
    line = page.locator(".audit-line")
    expect(line.first).to_contain_text("Admin executou: Contar defeitos")
    expect(page.locator(".audit-line", has_text="sessão")).to_have_count(0)
    today = date.today()
    page.get_by_label("Até").fill((today - timedelta(days=2)).isoformat())
    expect(page.get_by_text("Nada aqui")).to_be_visible()
    page.get_by_label("Até").fill(today.isoformat())
    page.get_by_label("Desde").fill(today.isoformat())
    expect(page.locator(".audit-line").first).to_be_visible()
    page.get_by_role("button", name="Verificar a cadeia").click()
    expect(page.get_by_text("A cadeia está inteira")).to_be_visible()


def test_the_audit_shows_what_was_changed_from_what_to_what(
    stage: Stage, open_page: OpenPage
) -> None:
    stage.call("PATCH", "/admin/users/2", {"monthly_budget_usd": 77}, by=ADMIN)
    page = open_page(stage, "#/admin/audit")
    page.get_by_label("O quê").select_option("people")
    line = page.locator(".audit-line").first
    expect(line).to_contain_text("Admin alterou a pessoa rui@demo.com")
    line.get_by_role("button").first.click()
    changed = line.get_by_role("row", name="monthly_budget_usd")
    expect(changed.get_by_role("cell")).to_have_text(["—", "77"])
    expect(page.locator(".audit-line", has_text="Contar defeitos")).to_have_count(0)


def test_a_person_is_added_and_sets_a_password_by_their_link(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, "#/admin/users")
    page.get_by_role("button", name="Nova pessoa").click()
    form = page.get_by_role("dialog")
    form.get_by_label("E-mail").fill("eva@demo.com")
    form.get_by_label("Nome").fill("Eva")
    expect(form.get_by_label("Qualidade")).to_be_checked()
    form.get_by_label("Ativos").uncheck()
    form.get_by_role("button", name="Guardar").click()
    link = page.get_by_role("textbox", name="Link para definir").input_value()
    visitor = open_page(stage, by=None)
    visitor.goto(link)
    visitor.locator("input[type=password]").first.fill("uma palavra longa")
    visitor.get_by_label("Repita").fill("outra")
    expect(visitor.get_by_role("button", name="Guardar e entrar")).to_be_disabled()
    visitor.get_by_label("Repita").fill("uma palavra longa")
    visitor.get_by_role("button", name="Guardar e entrar").click()
    expect(visitor.get_by_role("heading", name="Olá, Eva")).to_be_visible()


def test_an_agent_is_made_and_answers(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, "#/admin/agents/new")
    page.get_by_role("textbox", name="Nome").fill("Turnos")
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


def test_a_custom_tool_is_made_checked_tried_and_retired(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, "#/admin/tools/new")
    page.get_by_label("Nome").fill("dobro")
    page.get_by_label("Tipo", exact=True).select_option("composed")
    page.get_by_label("Descrição", exact=False).first.fill("Conta defeitos de um turno.")
    page.get_by_role("button", name="Acrescentar parâmetro").click()
    row = page.locator("fieldset.row-form").first
    row.get_by_label("Nome").fill("turno")
    steps = '[{"name": "conta", "tool": "contar_defeitos", "input": {"turno": "{turno}"}}]'
    page.get_by_label("Passos (JSON)").fill(steps)
    page.get_by_label("Resultado").fill('{"total": "{nada.total}"}')
    page.get_by_role("button", name="Verificar").click()
    expect(page.get_by_role("alert").first).to_contain_text("nada")
    page.get_by_label("Resultado").fill('{"total": "{conta.total}"}')
    page.get_by_role("button", name="Verificar").click()
    expect(page.get_by_text("A definição está boa.")).to_be_visible()
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_role("heading", name="dobro", level=1)).to_be_visible()
    panel = page.locator(".panel", has=page.get_by_role("heading", name="Experimentar"))
    panel.get_by_label("turno").fill("manha")
    panel.get_by_role("button", name="Experimentar").click()
    expect(panel.locator(".test-result")).to_contain_text("73")
    page.get_by_role("link", name="Editar definição").click()
    page.get_by_role("button", name="Retirar de uso").click()
    page.get_by_role("dialog").get_by_role("button", name="Retirar de uso").click()
    expect(page.get_by_role("heading", name="Ferramentas", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="dobro")).to_have_count(0)


def test_a_person_makes_a_tool_of_their_own_and_changes_it(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, "#/settings", by="rui@demo.com")
    expect(page.get_by_role("switch", name="contar_defeitos")).to_be_visible()
    expect(page.get_by_role("link", name="Nova ferramenta")).to_have_count(0)
    settings = {"settings": {"custom_tools": "users"}}
    stage.call("PATCH", "/admin/organisation", settings, by=ADMIN)
    page.reload()
    # What stands above is loaded and moves the link no more.
    expect(page.get_by_role("switch", name="contar_defeitos")).to_be_visible()
    settled(page)
    page.get_by_role("link", name="Nova ferramenta").click()
    page.get_by_label("Nome").fill("dobro")
    page.get_by_label("Tipo", exact=True).select_option("composed")
    page.get_by_label("Descrição", exact=False).first.fill("Conta os defeitos.")
    steps = '[{"name": "conta", "tool": "contar_defeitos", "input": {}}]'
    page.get_by_label("Passos (JSON)").fill(steps)
    page.get_by_label("Resultado").fill('"{conta.total}"')
    page.get_by_role("button", name="Verificar").click()
    expect(page.get_by_text("A definição está boa.")).to_be_visible()
    page.get_by_role("button", name="Guardar").click()
    page.get_by_role("link", name="Editar definição: dobro").click()
    expect(page.get_by_role("heading", name="dobro", level=1)).to_be_visible()
    expect(page.get_by_label("Descrição").first).to_have_value("Conta os defeitos.")
    page.get_by_role("button", name="Retirar de uso").click()
    page.get_by_role("dialog").get_by_role("button", name="Retirar de uso").click()
    expect(page.get_by_role("switch", name="contar_defeitos")).to_be_visible()
    expect(page.get_by_role("switch", name="dobro")).to_have_count(0)


def test_an_experiment_says_honestly_that_there_is_not_enough_yet(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, "#/admin/experiments")
    page.get_by_role("button", name="Nova experiência").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Nome").fill("Com ou sem código")
    form.get_by_label("Agente").select_option(label="Ativos")
    form.get_by_role("button", name="Começar").click()
    card = page.locator(".panel", has_text="Com ou sem código")
    card.get_by_role("button", name="Resultados").click()
    expect(card).to_contain_text("faltam 30 conversas")
    card.get_by_role("button", name="Terminar").click()
    expect(page.locator(".panel", has_text="Com ou sem código")).to_contain_text("terminada")


def test_usage_is_shown_by_tool_and_exported(stage: Stage, open_page: OpenPage) -> None:
    stage.call("POST", "/admin/tools/contar_defeitos/run", {"input": {}}, by=ADMIN)
    page = open_page(stage, "#/admin/usage")
    page.get_by_label("Ver por").select_option("tool")
    expect(page.locator(".rows").last).to_contain_text("contar_defeitos")
    with page.expect_download() as download:
        page.get_by_role("button", name="Exportar CSV").first.click()
    assert "contar_defeitos" in download.value.path().read_text(encoding="utf-8")


def test_a_key_is_shown_once_and_revoked(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, "#/admin/keys")
    page.get_by_role("button", name="Nova chave").click()
    page.get_by_role("dialog").get_by_label("Nome").fill("importação")
    page.get_by_role("button", name="Criar chave").click()
    made = page.get_by_role("dialog").get_by_label("Nova chave").last.input_value()
    assert len(made) > 20
    page.get_by_role("button", name="Fechar").click()
    expect(page.locator("tr", has_text="importação")).to_be_visible()
    assert made not in page.content()
    page.locator("tr", has_text="importação").get_by_role("button", name="Revogar").click()
    page.get_by_role("dialog").get_by_role("button", name="Revogar").click()
    expect(page.locator("tr", has_text="importação").get_by_role("button")).to_have_count(0)
