"""Code the model wrote: its source, its calls as a timeline, its output."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from bancada.model.scripted import calls, says
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

CODE = """
import json
for turno in ("manha", "tarde"):
    conta = json.loads(await contar_defeitos({"turno": turno}))
    print(turno, conta["total"])
"""


@pytest.fixture(autouse=True)
def _with_a_sandbox(stage: Stage) -> None:
    if stage.app.state.bench.jail.missing:
        pytest.skip(f"no sandbox here: {stage.app.state.bench.jail.missing}")


def test_code_shows_its_calls_output_and_source(stage: Stage, open_page: OpenPage) -> None:
    stage.script(calls("code_execution", code=CODE), says("Contado."))
    page = open_page(stage)
    conversation(page, stage, "Análise")
    ask(page, "compara com código")
    for _ in range(2):
        card = finished(page).locator(".code-card")
        expect(card.locator(".timeline li")).to_have_count(2)
        expect(card).to_contain_text("manha 73")
        card.get_by_role("button", name="Ver código").click()
        expect(card.locator("code", has_text="import json")).to_contain_text("contar_defeitos")
        expect(finished(page)).to_contain_text("Contado.")
        page.reload()


def test_code_that_fails_says_so(stage: Stage, open_page: OpenPage) -> None:
    stage.script(calls("code_execution", code="1 / 0"), says("Correu mal."))
    page = open_page(stage)
    conversation(page, stage, "Análise")
    ask(page, "código com erro")
    card = finished(page).locator(".code-card")
    expect(card).to_contain_text("O código terminou com erro")
    expect(card).to_contain_text("ZeroDivisionError")


def test_an_approval_inside_code_pauses_it_and_it_goes_on(
    stage: Stage, open_page: OpenPage
) -> None:
    code = 'print(await createTask({"title": "Do código"}))'
    stage.script(calls("code_execution", code=code), says("Feito."))
    page = open_page(stage)
    conversation(page, stage, "Assistente")
    ask(page, "cria com código")
    card = page.locator(".approval:not(.resolved)")
    expect(card).to_contain_text("chamada pelo código")
    card.get_by_role("button", name="Aprovar", exact=True).click()
    expect(finished(page)).to_contain_text("Feito.")
    expect(page.locator(".code-card .timeline li")).to_have_count(1)


def test_a_picture_that_code_made_is_shown_and_can_be_saved(
    stage: Stage, open_page: OpenPage
) -> None:
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
    code = f"import base64\nopen('ponto.png', 'wb').write(base64.b64decode('{pixel}'))"
    stage.script(calls("code_execution", code=code), says("Desenhado."))
    page = open_page(stage)
    conversation(page, stage, "Análise")
    ask(page, "desenha um ponto")
    card = finished(page).locator(".file-card")
    expect(card.get_by_role("img", name="ponto.png")).to_be_visible()
    with page.expect_download() as download:
        card.get_by_role("button", name="Descarregar ponto.png").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


FIGURE = """
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
axes.bar(["manhã", "tarde", "noite"], [73, 68, 59], color="#2a6f77")
axes.set_title("Defeitos por turno — peças (nº)")
axes.set_ylabel("defeitos")
plt.show()
"""


def test_a_figure_that_code_shows_is_drawn_on_the_page(stage: Stage, open_page: OpenPage) -> None:
    stage.script(calls("code_execution", code=FIGURE), says("Está no gráfico."))
    page = open_page(stage)
    conversation(page, stage, "Análise")
    ask(page, "desenha os defeitos por turno")
    picture = finished(page).get_by_role("img", name="figure_1.png")
    expect(picture).to_be_visible()
    size = picture.evaluate(
        "async image => (await image.decode(), [image.naturalWidth, image.naturalHeight])"
    )
    assert size[0] > 400
    assert size[1] > 300
