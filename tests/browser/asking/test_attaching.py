"""Images and PDF with a question: by button, by drop and by paste; seen before and after, and taken back."""

from __future__ import annotations

import base64

from playwright.sync_api import Page, expect

from bancada.model.scripted import says
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage
from tests.data.pictures import pdf, png

HAND_OVER = """([kind, name, type, data]) => {
  const given = new DataTransfer();
  given.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name, { type }));
  const target = document.querySelector(kind === 'paste' ? '.composer textarea' : '.messages');
  if (kind === 'paste') {
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: given, bubbles: true, cancelable: true }));
  } else {
    for (const type of ['dragenter', 'dragover', 'drop'])
      target.dispatchEvent(new DragEvent(type, { dataTransfer: given, bubbles: true, cancelable: true }));
  }
}"""


def hand_over(page: Page, way: str, name: str, type: str, content: bytes) -> None:
    page.evaluate(HAND_OVER, [way, name, type, base64.b64encode(content).decode()])


def is_drawn(page: Page, name: str) -> None:
    picture = page.locator(".question").get_by_role("img", name=f"Imagem {name}")
    expect(picture).to_have_js_property("naturalWidth", 320)


def test_what_goes_with_a_question_is_seen_before_and_after_it_is_asked(
    stage: Stage, open_page: OpenPage
) -> None:
    model = stage.script(says("Um parafuso."), says("Azul."))
    page = open_page(stage)
    id = conversation(page, stage, "Qualidade")
    chips = page.locator(".composer .attached")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Carregar ficheiro (.csv, .xlsx, imagem, PDF)").click()
    chooser.value.set_files(
        [
            {"name": "norma.pdf", "mimeType": "application/pdf", "buffer": pdf(2)},
            {"name": "engano.png", "mimeType": "image/png", "buffer": b"<svg/>"},
        ]
    )
    hand_over(page, "paste", "peça.png", "image/png", png(320, 200))
    expect(chips).to_have_count(3)

    # What the server refuses comes back with the question, and nothing was asked.
    ask(page, "que peça é?")
    expect(page.locator(".note.error")).to_contain_text("«engano.png» não é uma imagem")
    expect(page.locator(".composer textarea")).to_have_value("que peça é?")
    expect(chips).to_have_count(3)
    assert model.requests == []
    page.get_by_role("button", name="Retirar engano.png").click()
    expect(chips).to_have_count(2)
    ask(page, "que peça é?")
    expect(finished(page)).to_contain_text("Um parafuso.")
    expect(chips).to_have_count(0)
    is_drawn(page, "peça.png")

    page.reload()
    is_drawn(page, "peça.png")
    expect(page.locator(".question")).to_contain_text("norma.pdf")
    with page.expect_download() as download:
        page.locator(".question").get_by_role("button", name="norma.pdf").click()
    assert download.value.path().read_bytes() == pdf(2)

    # Asked in other words, it brings the same.
    page.locator(".question").hover()
    page.get_by_role("button", name="Editar a pergunta").click()
    page.locator(".question textarea").fill("e de que cor?")
    page.locator(".question textarea").press("Enter")
    expect(finished(page)).to_contain_text("Azul.")
    is_drawn(page, "peça.png")
    kinds = [block["type"] for block in model.requests[-1].messages[0]["content"]]
    assert kinds == ["document", "image", "text"]

    # Where nobody would look at it, it is not taken, and that is said.
    with page.expect_response(lambda one: one.request.method == "GET" and one.url.endswith(id)):
        page.get_by_role("button", name="Ações da conversa").click()
        page.get_by_role("menuitemradio", name="Responder por palavras-chave").click()
    expect(page.get_by_role("button", name="Carregar ficheiro (.csv, .xlsx)")).to_be_visible()
    hand_over(page, "drop", "outra.png", "image/png", png())
    expect(page.locator(".composer")).to_contain_text("outra.png não foi anexado")
    expect(chips).to_have_count(0)
