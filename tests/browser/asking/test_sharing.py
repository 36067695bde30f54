"""A conversation that a colleague reads, and that leaves as a file."""

from __future__ import annotations

from playwright.sync_api import expect

from bancada.model.scripted import calls, says
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

CHART = {"tipo": "bar", "titulo": "Por tipo", "labels": ["lixo"], "valores": [62]}


def test_a_conversation_is_shared_read_by_a_colleague_and_ended(
    stage: Stage, open_page: OpenPage
) -> None:
    stage.script(calls("gerar_grafico", **CHART), says("São **62**."), says("Só para mim."))
    mine = open_page(stage)
    conversation(mine, stage, "Qualidade")
    ask(mine, "quantos são?")
    finished(mine)
    menu = mine.get_by_role("button", name="Ações da conversa")
    for kind, start in (("Markdown", b"# quantos"), ("PDF", b"%PDF-")):
        menu.click()
        with mine.expect_download() as download:
            mine.get_by_role("menuitem", name=f"Exportar em {kind}").click()
        assert download.value.path().read_bytes().startswith(start)
    menu.click()
    mine.get_by_role("menuitem", name="Partilhar…").click()
    dialog = mine.get_by_role("dialog", name="Partilhar a conversa")
    dialog.get_by_role("button", name="Criar a ligação").click()
    link = dialog.get_by_label("Ligação").input_value()
    expect(dialog).to_contain_text("O que vier depois não é partilhado")
    mine.keyboard.press("Escape")
    ask(mine, "e o resto?")
    finished(mine)

    theirs = open_page(stage, link.removeprefix(f"{stage.url}/"), by="ana@demo.com")
    expect(theirs.locator(".answer")).to_contain_text("São 62.")
    expect(theirs.locator(".answer canvas")).to_be_visible()
    expect(theirs.get_by_text("Partilhada por Admin")).to_be_visible()
    expect(theirs.get_by_text("e o resto?")).to_have_count(0)
    expect(theirs.locator("textarea, .turn-footer")).to_have_count(0)

    menu.click()
    mine.get_by_role("menuitem", name="Partilhar…").click()
    expect(dialog).to_contain_text("que mais ninguém vê: 1")
    dialog.get_by_role("button", name="Deixar de partilhar").click()
    expect(dialog).to_contain_text("A ligação deixou de funcionar.")
    theirs.reload()
    expect(theirs.get_by_role("heading", name="Esta ligação não mostra nada")).to_be_visible()
