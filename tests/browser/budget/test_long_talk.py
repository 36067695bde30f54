"""A conversation of 500 messages with 100 charts is opened, scrolled, left and written on."""

from __future__ import annotations

from statistics import median

import pytest
from playwright.sync_api import Page, expect

from bancada.model.scripted import says
from tests.browser.acts import ask, conversation
from tests.browser.budget.talk import long_talk, opened
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

MOST_OPEN_MS, MOST_FRAME_MS, MOST_KEPT_MB = 500, 20, 1.0

SCROLL = """async (step) => {
  const box = document.querySelector('.messages');
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  box.scrollTop = 0;
  for (let n = 0; n < 60; n++) await frame();
  const times = [];
  let before = await frame();
  while (box.scrollTop + box.clientHeight < box.scrollHeight - 2) {
    box.scrollTop += step;
    const now = await frame();
    times.push(now - before);
    before = now;
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)];
}"""


def heap(page: Page) -> float:
    """What the page's scripts hold once everything that can go is gone, in megabytes."""
    devtools = page.context.new_cdp_session(page)
    for _ in range(3):
        devtools.send("HeapProfiler.collectGarbage")
        page.wait_for_timeout(100)
    used = float(devtools.send("Runtime.getHeapUsage")["usedSize"])
    devtools.detach()
    return used / 1e6


@pytest.mark.long
def test_five_hundred_messages_with_a_hundred_charts_open_and_scroll_without_a_wait(
    stage: Stage, open_page: OpenPage
) -> None:
    id = long_talk(stage, 250, 100)
    page = open_page(stage)
    took: list[float] = []
    kept: list[float] = []
    for _ in range(12):
        expect(page.locator(".agents")).to_be_visible()
        took.append(opened(page, id, "pergunta 249").milliseconds)
        expect(page.locator(".entry")).to_have_count(500)
        page.evaluate("location.hash = '#/'")
        kept.append(heap(page))
    opened(page, id, "pergunta 249")
    expect(page.locator(".entry")).to_have_count(500)
    frames = [page.evaluate(SCROLL, 120) for _ in range(3)]
    print(f"opened {sorted(took)} ms, p95 {frames} ms, heap {kept} MB")
    assert page.locator("canvas[style*=px]").count() < 20
    assert kept[-1] - kept[3] < MOST_KEPT_MB
    assert median(took) < MOST_OPEN_MS
    assert median(frames) <= MOST_FRAME_MS


@pytest.mark.long
def test_an_hour_of_words_leaves_nothing_behind_but_what_is_on_the_screen(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    kept: list[float] = []
    for n in range(20):
        stage.script(says(f"Versão {n}.\n\n" + "palavra e mais outra\n\n" * 750))
        if n == 0:
            ask(page, "conta")
        else:
            page.get_by_role("button", name="Tentar de novo").click()
        expect(page.locator(".answer")).to_contain_text(f"Versão {n}.")
        expect(page.locator(".answer")).to_have_attribute("aria-busy", "false", timeout=120_000)
        kept.append(heap(page))
    print(f"heap {kept} MB")
    assert kept[-1] - kept[3] < MOST_KEPT_MB


def test_a_chart_is_drawn_near_the_view_and_for_printing_and_its_place_is_kept(
    stage: Stage, open_page: OpenPage
) -> None:
    id = long_talk(stage, 40, 10)
    page = open_page(stage, f"#/c/{id}")
    # The last entries stand at once; the rest comes by itself, for whoever searches in the page.
    expect(page.locator(".entry")).to_have_count(80)
    charts = page.locator(".chart-widget")
    last, first = charts.last.locator(".chart-place"), charts.first.locator(".chart-place")
    expect(last.locator("canvas[style*=px]")).to_have_count(1)
    expect(first.locator("canvas:not([style*=px])")).to_have_count(1)
    page.locator(".messages").evaluate("box => { box.scrollTop = 0 }")
    expect(first.locator("canvas[style*=px]")).to_have_count(1)
    expect(last.locator("canvas:not([style*=px])")).to_have_count(1)
    for place in (first, last):
        assert place.evaluate("one => one.clientHeight") == 300
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("canvas[style*=px]")).to_have_count(10)
    expect(page.locator(".composer")).to_be_hidden()
    assert page.locator(".messages").evaluate("box => box.scrollHeight <= box.clientHeight")
