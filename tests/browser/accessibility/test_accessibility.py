"""axe-core on every page, in both themes: nothing serious, nothing critical. And the keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bancada.model.scripted import calls, calls_many, says
from tests.browser.acts import ask, conversation, finished, settled
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

AXE = Path(__file__).parents[3] / "web" / "node_modules" / "axe-core" / "axe.min.js"

pytestmark = pytest.mark.skipif(
    not AXE.is_file(), reason="axe-core is not installed: run `make web`"
)

PAGES = [
    "",
    "#/dashboards",
    "#/schedules",
    "#/confirmations",
    "#/settings",
    "#/admin/users",
    "#/admin/agents",
    "#/admin/agents/1",
    "#/admin/tools",
    "#/admin/tools/createTask",
    "#/admin/tools/new",
    "#/admin/audit",
    "#/admin/usage",
    "#/admin/feedback",
    "#/admin/models",
    "#/admin/experiments",
    "#/admin/keys",
    "#/admin/sign-in",
    "#/admin/shares",
    "#/admin/containers",
    "#/admin/organisations",
    "#/admin/system",
]


def findings(page: Page) -> list[str]:
    """What axe calls serious or critical, each in a line."""
    settled(page)
    # The page's own policy allows no foreign script; the test's hand does.
    page.evaluate(AXE.read_text())
    report: dict[str, Any] = page.evaluate("axe.run(document, { iframes: false })")
    return [
        f"{one['id']}: {one['help']} — {node['html'][:160]}"
        for one in report["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_serious_finding(
    stage: Stage, open_page: OpenPage, path: str, scheme: str
) -> None:
    page = open_page(stage, path, color_scheme=scheme)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_door_has_no_serious_finding(stage: Stage, open_page: OpenPage, scheme: str) -> None:
    page = open_page(stage, by=None, color_scheme=scheme)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_conversation_with_everything_in_it_has_no_serious_finding(
    stage: Stage, open_page: OpenPage, scheme: str
) -> None:
    text = "# Título\n\n- um\n- dois\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nprint(1)  # x\n```\n\n```html\n<p>olá</p>\n```\n"
    stage.script(
        calls_many(
            ("gerar_grafico", {"tipo": "bar", "titulo": "G", "labels": ["a"], "valores": [1]}),
            ("gerar_kpi", {"titulo": "K", "valor": 1}),
            ("gerar_tabela", {"titulo": "T", "colunas": ["a"], "linhas": [[1]]}),
        ).thinking("hmm"),
        says(text),
        calls("createTask", title="Rever"),
    )
    page = open_page(stage, color_scheme=scheme)
    conversation(page, stage, "Qualidade")
    ask(page, "mostra tudo")
    finished(page)
    page.locator(".calls > .call-line").click()
    page.locator(".call-list .call-line").first.click()
    assert findings(page) == []
    conversation(page, stage, "Assistente")
    ask(page, "cria")
    card = page.locator(".approval")
    expect(card).to_be_visible()
    card.get_by_role("button", name="Alterar argumentos").click()
    assert findings(page) == []


def test_everything_is_reached_by_keyboard_with_a_visible_focus(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage)
    expect(page.locator(".agents")).to_be_visible()
    page.locator("body").click(position={"x": 900, "y": 850})
    sought = {
        *("Saltar", "Nova conversa", "Painéis", "Administração"),
        *("Conta de", "A sua pergunta"),
    }
    # The list of conversations stands between them, as long as it is.
    for _ in range(400):
        if not sought:
            break
        page.keyboard.press("Tab")
        shown = page.evaluate(
            """() => {
              const e = document.activeElement;
              if (!e || e === document.body) return null;
              const ring = (n) => { const s = getComputedStyle(n); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 };
              const host = e.closest('.agent, .composer, .switch') || e;
              return [e.tagName + ':' + (e.getAttribute('aria-label') || e.textContent || '').trim().slice(0, 30), ring(e) || ring(host)];
            }"""
        )
        if shown is None:
            continue
        assert shown[1], f"no visible focus on {shown[0]}"
        sought = {name for name in sought if name not in shown[0]}
    assert sought == set()


def test_a_menu_is_used_with_arrows_and_escape(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    opener = page.get_by_role("button", name="Conta de")
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Preferências")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitemradio", name="Português")).to_be_focused()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    expect(page.get_by_role("menu")).to_have_count(0)


def test_an_answer_is_read_aloud(stage: Stage, open_page: OpenPage) -> None:
    sentence = "Uma frase inteira que tem mais do que quarenta caracteres para ser dita. "
    stage.script(sentence * 3)
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "fala")
    finished(page)
    expect(page.locator("[aria-live=polite]").first).to_contain_text("Resposta completa.")


@pytest.mark.parametrize("width", [360, 768, 1920])
@pytest.mark.parametrize("path", ["", "#/dashboards", "#/admin/tools", "#/admin/audit"])
def test_no_page_is_wider_than_its_window(
    stage: Stage, open_page: OpenPage, path: str, width: int
) -> None:
    page = open_page(stage, path, viewport={"width": width, "height": 800})
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
