"""Finding a conversation again: by day, pinned, archived, and by what was said in it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from bancada.model.scripted import says
from tests.browser.accessibility.test_accessibility import findings
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

WHO = "ana@demo.com"


def _said(stage: Stage, page: Page, question: str, *answers: str) -> str:
    stage.script(*(says(text) for text in answers))
    id = conversation(page, stage, "Qualidade", by=WHO)
    for _ in answers:
        ask(page, question)
        finished(page)
    return id


def _row(page: Page, id: str) -> Locator:
    return page.locator(f".conversations li:has(a[href^='#/c/{id}'])")


def _does(page: Page, id: str, action: str) -> None:
    _row(page, id).get_by_role("button").click()
    page.get_by_role("menuitem", name=action, exact=True).click()


def test_words_of_a_message_lead_to_it(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, by=WHO)
    far = "\n\n".join(f"Parágrafo {n}." for n in range(60))
    id = _said(stage, page, "e a prensa?", f"A bigorna está à esquerda. {far}", far)

    page.get_by_role("searchbox", name="Procurar").fill("BIGORNA esq")
    passage = _row(page, id).locator(".list-passage")
    expect(passage).to_contain_text("A bigorna está à esquerda.")
    assert passage.locator("mark").all_inner_texts() == ["bigorna", "esquerda"]
    assert findings(page) == []

    _row(page, id).get_by_role("link").click()
    expect(page.get_by_text("A bigorna está à esquerda.").last).to_be_in_viewport()


def test_a_conversation_is_pinned_and_put_away(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, by=WHO)
    id = _said(stage, page, "uma pergunta", "Uma resposta.")
    expect(page.get_by_role("list", name="Hoje").locator(f"a[href='#/c/{id}']")).to_be_visible()

    _does(page, id, "Fixar")
    expect(page.get_by_role("list", name="Fixadas").locator(f"a[href='#/c/{id}']")).to_be_visible()
    _does(page, id, "Deixar de fixar")
    expect(page.get_by_role("list", name="Fixadas")).to_have_count(0)

    _does(page, id, "Arquivar")
    expect(_row(page, id)).to_have_count(0)
    page.get_by_role("button", name="Arquivo", exact=True).click()
    expect(_row(page, id)).to_be_visible()
    assert findings(page) == []
    _does(page, id, "Tirar do arquivo")
    expect(_row(page, id)).to_have_count(0)
    page.get_by_role("button", name="Voltar à lista").click()
    expect(_row(page, id)).to_be_visible()
