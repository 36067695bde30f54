"""Signing in, being told why not, and coming back to where one was."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage


def sign_in(page: Page, email: str, password: str) -> None:
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Palavra-passe").fill(password)
    page.get_by_role("button", name="Entrar").click()


def test_a_person_signs_in_and_sees_the_agents_they_may_use(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, by=None)
    sign_in(page, "ana@demo.com", "ana123")
    expect(page.get_by_role("heading", name="Olá, Ana")).to_be_visible()
    expect(page.locator(".agent-name")).to_have_text(["Qualidade"])
    expect(page.get_by_role("link", name="Administração")).to_have_count(0)


def test_a_wrong_password_is_told_in_words_and_nothing_is_lost(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, by=None)
    sign_in(page, "rui@demo.com", "wrong")
    expect(page.get_by_role("alert").first).to_contain_text(".")
    expect(page.get_by_label("E-mail")).to_have_value("rui@demo.com")
    sign_in(page, "rui@demo.com", "rui123")
    expect(page.get_by_role("heading", name="Olá, Rui")).to_be_visible()


def test_signing_in_leads_to_the_page_that_was_asked_for(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, "#/dashboards", by=None)
    sign_in(page, "rui@demo.com", "rui123")
    expect(page.get_by_role("heading", name="Painéis", exact=True)).to_be_visible()


def test_signing_out_forgets_the_token(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    page.get_by_role("button", name="Conta de").click()
    page.get_by_role("menuitem", name="Sair").click()
    expect(page.get_by_role("button", name="Entrar")).to_be_visible()
    assert page.evaluate("localStorage.getItem('bancada.token')") is None


def test_a_session_the_server_ended_is_explained(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    expect(page.locator(".agents")).to_be_visible()
    page.evaluate("localStorage.setItem('bancada.token', 'not-a-token')")
    page.reload()
    expect(page.get_by_text("A sessão terminou")).to_be_visible()


def test_somebody_who_may_not_administrate_is_told_so(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, "#/admin/users", by="ana@demo.com")
    expect(page.get_by_text("Só para administradores")).to_be_visible()
