"""Ctrl+K: everything by its name, with the keys alone."""

from __future__ import annotations

from playwright.sync_api import expect

from bancada.model.scripted import says
from tests.browser.accessibility.test_accessibility import findings
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage


def test_everything_is_reached_with_the_keys_alone(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    stage.script(says("O torno verde parou."))
    conversation(page, stage, "Qualidade")
    ask(page, "o que parou ontem?")
    finished(page)
    page.goto(f"{stage.url}/#/dashboards")
    box = page.get_by_role("combobox", name="Procurar e ir")

    page.keyboard.press("Control+k")
    expect(box).to_be_focused()
    page.keyboard.type("TORNO verde")
    expect(page.get_by_role("option", selected=True)).to_contain_text("O torno verde parou.")
    assert findings(page) == []
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("o que parou ontem?")
    expect(page.get_by_role("dialog")).to_have_count(0)

    for words, heading in (
        ("registo", "Registo"),
        ("opinioes", "Opiniões"),
        ("agendamentos", "Agendamentos"),
        ("paineis", "Painéis"),
    ):
        page.keyboard.press("Control+k")
        expect(box).to_be_focused()
        page.keyboard.type(words)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)

    page.keyboard.press("Control+k")
    expect(box).to_be_focused()
    page.keyboard.type("perguntar analise")
    expect(page.get_by_role("option", selected=True)).to_have_text("Perguntar a Análise")
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="Análise")).to_be_checked()

    page.keyboard.press("Control+k")
    expect(box).to_be_focused()
    page.keyboard.type("cores")
    expect(page.get_by_role("option")).to_have_count(3)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    page.keyboard.press("Control+k")
    expect(box).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
