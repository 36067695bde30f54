"""Stopping an answer, and going on with it."""

from __future__ import annotations

from playwright.sync_api import expect

from bancada.model.scripted import Hold, says
from tests.browser.acts import answer, ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage


def test_stop_ends_the_answer_and_continue_takes_it_up(stage: Stage, open_page: OpenPage) -> None:
    gate = Hold()
    stage.script(says("uma resposta muito longa que ninguém quer"), gate=gate)
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    stage.do(gate.let, 2)
    ask(page, "fala")
    expect(answer(page)).to_contain_text("uma resposta")
    page.get_by_role("button", name="Parar").click()
    expect(answer(page)).to_contain_text("Parado.")
    expect(page.get_by_role("button", name="Enviar")).to_be_visible()
    stage.script("Agora a resposta certa.")
    page.get_by_role("button", name="Continuar").click()
    expect(finished(page)).to_contain_text("Agora a resposta certa.")
    expect(answer(page)).not_to_contain_text("Parado.")
    page.reload()
    expect(finished(page)).to_contain_text("Agora a resposta certa.")


def test_a_stopped_answer_is_still_stopped_after_a_reload(
    stage: Stage, open_page: OpenPage
) -> None:
    gate = Hold()
    stage.script("palavra outra palavra", gate=gate)
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    stage.do(gate.let, 1)
    ask(page, "fala")
    expect(answer(page)).to_contain_text("palavra")
    page.get_by_role("button", name="Parar").click()
    expect(answer(page)).to_contain_text("Parado.")
    page.reload()
    expect(answer(page)).to_contain_text("Parado.")
