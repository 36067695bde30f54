"""The browser's own notices: asked for by a click alone, shown to who looks elsewhere."""

from __future__ import annotations

from playwright.sync_api import expect

from bancada.model.scripted import says
from tests.browser.acts import ask, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

STAND_IN = """() => {
window.shown = []; window.asked = 0;
window.Notification = class {
  static permission = "default";
  static async requestPermission() { window.asked += 1; return (this.permission = "granted"); }
  constructor(title, options) { window.shown.push([title, options.body]); }
};
}"""
HIDE = "Object.defineProperty(document, 'visibilityState', {get: () => 'hidden'}); document.dispatchEvent(new Event('visibilitychange'))"


def test_an_answer_is_told_to_who_looks_elsewhere_and_asked_for_it(
    stage: Stage, open_page: OpenPage
) -> None:
    stage.script(says("Um."), says("Dois."))
    page = open_page(stage, "#/settings")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate(STAND_IN)
    switch = page.get_by_role("switch", name="Avisar-me quando estou noutro lado")
    expect(switch).not_to_be_checked()
    assert page.evaluate("window.asked") == 0
    page.locator("label.switch", has=switch).click()
    expect(switch).to_be_checked()
    assert page.evaluate("window.asked") == 1

    id = stage.conversation("Qualidade")
    page.evaluate(f"location.hash = '#/c/{id}'")
    ask(page, "primeira?")
    finished(page)
    assert page.evaluate("window.shown") == []

    page.evaluate(HIDE)
    ask(page, "segunda?")
    for _ in range(200):
        # The page's policy lets nobody evaluate strings in it, not even to wait for something.
        if page.evaluate("window.shown.length"):
            break
        page.wait_for_timeout(50)
    assert page.evaluate("window.shown") == [["A resposta está pronta", "primeira?"]]
