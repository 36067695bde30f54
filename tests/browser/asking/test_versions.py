"""Asking again: any question can be edited, any answer tried again, and nothing is lost."""

from __future__ import annotations

from playwright.sync_api import expect

from bancada.model.scripted import says
from tests.browser.accessibility.test_accessibility import findings
from tests.browser.acts import answer, ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage


def test_versions_of_a_question_are_kept_and_turned_over(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    script = stage.script(*(says(text) for text in ("Um.", "Dois.", "Três.", "Quatro.", "Cinco.")))
    conversation(page, stage, "Qualidade")
    ask(page, "primeira?")
    finished(page)
    ask(page, "segunda?")
    finished(page)

    first = page.locator(".question").first
    first.hover()
    first.get_by_role("button", name="Editar a pergunta").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("outra primeira?")
    page.keyboard.press("Enter")
    expect(answer(page)).to_contain_text("Três.")
    finished(page)
    expect(page.locator(".question")).to_have_count(1)
    assert [message["role"] for message in script.requests[-1].messages] == ["user"]

    finished(page).get_by_role("button", name="Tentar de novo").click()
    expect(answer(page)).to_contain_text("Quatro.")
    finished(page)
    versions = page.get_by_role("group", name="Versões da pergunta")
    expect(versions.get_by_role("img", name="Versão 3 de 3")).to_be_visible()
    assert findings(page) == []

    versions.get_by_role("button", name="Versão anterior").click()
    expect(answer(page)).to_contain_text("Três.")
    versions.get_by_role("button", name="Versão anterior").click()
    expect(page.locator(".question")).to_have_count(2)
    expect(answer(page)).to_contain_text("Dois.")
    page.reload()
    expect(answer(page)).to_contain_text("Dois.")
    ask(page, "terceira?")
    finished(page)
    assert len(script.requests[-1].messages) == 5
