"""What the page may weigh and how soon it is there; and that long conversations stay quick."""

from __future__ import annotations

import gzip
import time

from playwright.sync_api import expect
from sqlalchemy import Connection

from bancada.domain.messages import text_block
from bancada.server.pages import STATIC
from bancada.store import messages
from tests.browser.budget.talk import opened
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

MOST_SCRIPT = 120_000
MOST_PAINT_MS = 1_000


def test_the_first_script_is_small_and_charts_are_not_in_it(
    stage: Stage, open_page: OpenPage
) -> None:
    loaded: list[str] = []
    page = open_page(stage)
    page.on("request", lambda request: loaded.append(request.url))
    page.reload()
    expect(page.locator(".agents")).to_be_visible()
    scripts = [url for url in loaded if url.endswith(".js")]
    weight = 0
    for url in scripts:
        path = STATIC / url.removeprefix(f"{stage.url}/")
        weight += len(gzip.compress(path.read_bytes()))
    assert not any("chart" in url or "Admin" in url for url in scripts)
    assert 0 < weight <= MOST_SCRIPT


def test_the_first_paint_comes_within_a_second(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    times = []
    for _ in range(3):
        page.reload()
        expect(page.locator(".agents")).to_be_visible()
        times.append(
            page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        )
    assert min(times) < MOST_PAINT_MS


def test_a_conversation_of_two_thousand_messages_opens_quickly_and_scrolls_up(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage)
    id = stage.conversation("Qualidade")

    def fill(db: Connection) -> None:
        for n in range(1000):
            for role, kind, text in (
                ("user", "question", f"pergunta {n}"),
                ("assistant", "reply", f"Resposta **{n}**\n\n- um\n- dois\n"),
            ):
                messages.append(db, id, role=role, kind=kind, content=[text_block(text)])

    stage.wait(stage.app.state.bench.database.run(fill), 60)
    seen = opened(page, id, "pergunta 999")
    assert seen.milliseconds < 3_000
    assert seen.entries < 200
    page.locator(".messages").evaluate("box => { box.scrollTop = 0 }")
    expect(page.locator(".entry")).not_to_have_count(seen.entries)
    box = page.locator(".composer textarea")
    began = time.perf_counter()
    box.press_sequentially("escrever continua rápido")
    assert time.perf_counter() - began < 2
