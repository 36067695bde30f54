"""Uploading by button, by drop and by paste; being told what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bancada.model.scripted import says
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

CSV = "turno;peças\nmanhã;12\ntarde;9\n"

HAND_OVER = """async ([kind, name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: 'text/csv' }));
  const target = document.querySelector(kind === 'paste' ? '.composer textarea' : '.messages');
  if (kind === 'paste') {
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  } else {
    for (const type of ['dragenter', 'dragover', 'drop'])
      target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}"""


def hand_over(page: Page, way: str, folder: Path) -> None:
    if way == "button":
        path = folder / "produção.csv"
        path.write_text(CSV, encoding="utf-8")
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Carregar ficheiro").click()
        chooser.value.set_files(path)
    else:
        page.evaluate(HAND_OVER, [way, "produção.csv", CSV])


@pytest.mark.parametrize("way", ["button", "drop", "paste"])
def test_a_file_becomes_a_data_card_and_a_question_may_follow(
    stage: Stage, open_page: OpenPage, tmp_path: Path, way: str
) -> None:
    model = stage.script(says("São 21 peças."))
    page = open_page(stage)
    conversation(page, stage, "Análise")
    hand_over(page, way, tmp_path)
    card = page.locator(".data-card")
    expect(card).to_contain_text("produção.csv")
    expect(card).to_contain_text("2 registos")
    expect(card).to_contain_text("«producao»")
    assert model.requests == []
    ask(page, "quantas peças?")
    expect(finished(page)).to_contain_text("21")
    page.reload()
    expect(page.locator(".data-card")).to_contain_text("2 colunas")
    expect(page.locator(".bubble")).to_have_text(["quantas peças?"])


def test_a_file_of_another_kind_is_refused_in_words(
    stage: Stage, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(stage)
    conversation(page, stage, "Análise")
    page.evaluate(HAND_OVER, ["drop", "notas.txt", "olá"])
    expect(page.get_by_role("alert").filter(has_text=".csv")).to_be_visible()
    expect(page.locator(".data-card")).to_have_count(0)


def test_a_new_conversation_may_begin_with_a_file(
    stage: Stage, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(stage)
    expect(page.locator(".agents")).to_be_visible()
    page.locator(".agent", has_text="Análise").click()
    hand_over(page, "button", tmp_path)
    expect(page.locator(".data-card")).to_contain_text("produção.csv")
