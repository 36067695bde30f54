"""Uploading by button, by drop and by paste; being told what is wrong."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
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


def book() -> bytes:
    """A workbook with a total, amounts typed as text, and a hidden sheet."""
    made = openpyxl.Workbook()
    sheet = made.active
    assert sheet is not None
    sheet.title = "Março"
    for row in (
        ["linha", "peças", "valor"],
        ["L1", 12, "€ 1.200,50"],
        ["L2", 9, "€ 300,00"],
        ["Total", 21, "€ 1.500,50"],
    ):
        sheet.append(row)
    hidden = made.create_sheet("Custos")
    hidden.append(["mês", "custo"])
    hidden.append(["março", 77])
    hidden.sheet_state = "hidden"
    kept = io.BytesIO()
    made.save(kept)
    return kept.getvalue()


def test_the_card_tells_what_was_read_guessed_and_left_out_in_the_persons_language(
    stage: Stage, open_page: OpenPage, tmp_path: Path
) -> None:
    path = tmp_path / "Fábrica.xlsx"
    path.write_bytes(book())
    page = open_page(stage)
    conversation(page, stage, "Análise")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Carregar ficheiro").click()
    chooser.value.set_files(path)
    card = page.locator(".data-card")
    expect(card).to_contain_text("2 registos")
    expect(card.locator(".chips li")).to_have_text(
        ["linha texto", "peças número inteiro", "valor número"]
    )
    expect(card.locator("tbody tr")).to_have_text(["L1121200,5", "L29300"])
    expect(card.locator(".data-notes li")).to_have_text(
        [
            "as folhas escondidas ficaram de fora; podem pedir-se pelo nome: Custos",
            "na coluna «valor», «€ 1.200,50» foi lido como 1200,5: os valores são em €",
            "linha 4: é uma linha de totais («Total») e ficou de fora: as somas contam só as "
            "linhas de dados",
        ]
    )
    expect(card).not_to_contain_text("FICHEIRO CARREGADO")
    # The same notes, stored as they are, for somebody who reads English.
    page.evaluate("localStorage.setItem('bancada.language', 'en')")
    stage.call("PATCH", "/me", {"language": "en"}, by="admin@demo.com")
    page.reload()
    expect(page.locator(".data-card .data-notes li").nth(1)).to_have_text(
        "in column “valor”, “€ 1.200,50” was read as 1200.5: the values are in €"
    )
    stage.call("PATCH", "/me", {"language": "pt"}, by="admin@demo.com")


def test_a_sheet_that_was_left_out_can_be_read_from_the_card(
    stage: Stage, open_page: OpenPage, tmp_path: Path
) -> None:
    path = tmp_path / "Fábrica.xlsx"
    path.write_bytes(book())
    page = open_page(stage)
    conversation(page, stage, "Análise")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Carregar ficheiro").click()
    chooser.value.set_files(path)
    page.locator(".data-card").get_by_role("button", name="Custos").click()
    second = page.locator(".data-card").nth(1)
    expect(second.locator("tbody tr")).to_have_text(["março77"])
    expect(second).to_contain_text("fabrica_custos")
    # After a reload the page has no file any more, and asks for it.
    page.reload()
    with page.expect_file_chooser() as chooser:
        page.locator(".data-card").nth(0).get_by_role("button", name="Custos").click()
    chooser.value.set_files(path)
    expect(page.locator(".data-card")).to_have_count(3)
