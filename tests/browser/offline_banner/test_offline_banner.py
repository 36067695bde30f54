"""Without a model, every page says so; with one, none does."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

BANNER = "Responde o modelo offline"


@pytest.mark.parametrize("path", ["", "#/dashboards", "#/confirmations", "#/settings", "#/admin"])
def test_every_page_says_that_the_offline_model_answers(
    offline: Stage, open_page: OpenPage, path: str
) -> None:
    page = open_page(offline, path)
    expect(page.get_by_text(BANNER)).to_be_visible()


def test_no_banner_where_a_model_answers(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    expect(page.locator(".agents")).to_be_visible()
    expect(page.get_by_text(BANNER)).to_have_count(0)


def test_a_starter_question_is_answered_offline(offline: Stage, open_page: OpenPage) -> None:
    page = open_page(offline)
    page.get_by_role("button", name="Qual é o defeito mais frequente?").click()
    expect(finished(page)).to_contain_text("lixo")


def test_an_offline_conversation_draws_a_chart(offline: Stage, open_page: OpenPage) -> None:
    page = open_page(offline)
    conversation(page, offline, "Qualidade")
    ask(page, "Mostra os 5 defeitos mais frequentes num gráfico")
    expect(finished(page).locator(".chart-widget")).to_have_count(1)
