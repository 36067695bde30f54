"""Reloading, losing the network, leaving and coming back: the answer goes on where it was."""

from __future__ import annotations

from playwright.sync_api import expect

from bancada.model.scripted import Hold, calls, says
from tests.browser.acts import answer, ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

TEXT = "um dois três quatro cinco seis sete oito nove dez"


def test_a_reload_in_the_middle_of_an_answer_misses_nothing(
    stage: Stage, open_page: OpenPage
) -> None:
    gate = Hold()
    stage.script(TEXT, gate=gate)
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    stage.do(gate.let, 4)
    ask(page, "conta")
    expect(answer(page)).to_contain_text("um dois três quatro")
    page.reload()
    expect(answer(page)).to_contain_text("um dois três quatro")
    expect(answer(page)).to_have_attribute("aria-busy", "true")
    expect(page.locator(".bubble")).to_have_text(["conta"])
    stage.do(gate.open)
    expect(finished(page).locator(".markdown")).to_have_text(TEXT)
    expect(page.locator(".answer")).to_have_count(1)


def test_a_lost_network_is_said_and_the_answer_goes_on(stage: Stage, open_page: OpenPage) -> None:
    gate = Hold()
    stage.script(TEXT, gate=gate)
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    # The first stream is cut after a few pieces, as a bad network would.
    page.evaluate(
        """() => {
          const real = window.fetch;
          let cut = false;
          window.fetch = async (...request) => {
            const response = await real(...request);
            if (cut || !String(request[0]).endsWith('/messages')) return response;
            cut = true;
            const reader = response.body.getReader();
            let pieces = 0;
            const body = new ReadableStream({
              async pull(controller) {
                const { value, done } = await reader.read();
                if (done) return controller.close();
                controller.enqueue(value);
                pieces += 1;
                if (pieces === 3) { reader.cancel(); controller.error(new TypeError('network')); }
              },
            });
            window.blocked = true;
            return new Response(body, { status: 200, headers: response.headers });
          };
        }"""
    )
    stage.do(gate.let, 5)
    ask(page, "conta")
    expect(answer(page)).to_contain_text("um dois três")
    stage.do(gate.open)
    expect(finished(page).locator(".markdown")).to_have_text(TEXT)


def test_going_elsewhere_and_coming_back_shows_the_whole_answer(
    stage: Stage, open_page: OpenPage
) -> None:
    gate = Hold()
    stage.script(TEXT, gate=gate)
    page = open_page(stage)
    id = conversation(page, stage, "Qualidade")
    stage.do(gate.let, 3)
    ask(page, "conta")
    expect(answer(page)).to_contain_text("um dois três")
    page.goto(f"{stage.url}/#/dashboards")
    stage.do(gate.open)
    page.goto(f"{stage.url}/#/c/{id}")
    expect(finished(page).locator(".markdown")).to_have_text(TEXT)


def test_two_windows_follow_one_turn(stage: Stage, open_page: OpenPage) -> None:
    gate = Hold()
    stage.script(calls("contar_defeitos"), says(TEXT), gate=gate)
    page = open_page(stage)
    id = conversation(page, stage, "Qualidade")
    stage.do(gate.let, 3)
    ask(page, "conta")
    expect(answer(page)).to_contain_text("um dois")
    other = open_page(stage, f"#/c/{id}")
    expect(answer(other)).to_contain_text("um dois")
    stage.do(gate.open)
    for window in (page, other):
        expect(finished(window).locator(".markdown")).to_have_text(TEXT)
        expect(window.locator(".call", has_text="Contar defeitos")).to_have_count(1)


def test_an_answer_that_starts_over_shows_only_the_new_words(
    stage: Stage, open_page: OpenPage
) -> None:
    from bancada.model.model import ModelFailed
    from bancada.model.scripted import fails

    failure = ModelFailed("overloaded", "busy", retryable=True)
    stage.script(fails(failure, after="metade errada"), says("A resposta inteira."))
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "tenta")
    expect(finished(page)).to_contain_text("A resposta inteira.")
    expect(answer(page)).not_to_contain_text("metade errada")
