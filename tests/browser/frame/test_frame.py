"""A page that may carry a stranger's words reaches nobody, not even to ask for a name."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bancada.model.scripted import calls, says
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage, chromium_program, firefox_program
from tests.browser.frame.listening import ATTEMPTS
from tests.browser.stage import Stage

ALONE = ["unshare", "--user", "--map-root-user", "--mount", "--net"]
SALES = "produto,valor\ncaneta,10\n"
CHART = '{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[3]}]}}'
PAGE = (
    f"<style>h1{{color:teal}}</style><h1>Vendas</h1><canvas data-chart='{CHART}'></canvas>"
    '<p id="out">parado</p><script>document.getElementById("out").textContent = "correu"</script>'
)
PATIENT = pytest.mark.timeout(600)
"""Every attempt is waited for, twice."""
SOME = ("frame", "location", "meta-refresh", "form")
"""Enough to see the walls stand; all of them are tried with the long tests."""
WHY = "O modelo tinha lido texto de fora"


def noticed(folder: Path, browser: str, kinds: Sequence[str]) -> dict[str, Any]:
    """What a resolver and sockets noticed of these attempts, in a network of its own."""
    {"chromium": chromium_program, "firefox": firefox_program}[browser]()
    assert shutil.which("unshare"), "the proof needs a network of its own"
    program = [sys.executable, "-m", "tests.browser.frame.listening", str(folder), browser, *kinds]
    ran = subprocess.run(
        [*ALONE, *program],
        capture_output=True,
        text=True,
        timeout=580,
        cwd=Path(__file__).parents[3],
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    told: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return told


@PATIENT
@pytest.mark.parametrize(
    "kinds", [SOME, pytest.param(tuple(ATTEMPTS), marks=pytest.mark.long)], ids=["some", "all"]
)
@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_nothing_is_looked_up_or_asked_for(
    tmp_path: Path, browser: str, kinds: Sequence[str]
) -> None:
    """One test, and not one an attempt: each run of the listener is a browser and a server."""
    told = noticed(tmp_path, browser, kinds)
    assert [kind for kind in kinds if not told["control"][kind]] == [], "seen on a bare page"
    assert {kind: told["chat"][kind] for kind in kinds if told["chat"][kind]} == {}
    assert {kind: told["board"][kind] for kind in kinds if told["board"][kind]} == {}
    assert told["silent"] == []
    seen = ["packet"] if "webrtc" in kinds else []
    assert told["stun"] == seen, "from a bare page a packet arrives"


def upload(page: Page, stage: Stage) -> None:
    conversation(page, stage, "Análise")
    page.locator("input[type=file]").set_input_files(
        {"name": "vendas.csv", "mimeType": "text/csv", "buffer": SALES.encode()}
    )
    expect(page.locator(".messages")).to_contain_text("vendas.csv")


def drawn(page: Page) -> Any:
    """Whether the chart of the last frame has any ink."""
    canvas = page.frame_locator("iframe.frame").last.locator("canvas")
    expect(canvas).to_be_visible()
    page.wait_for_timeout(600)
    return canvas.evaluate(
        "c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v > 0)"
    )


def test_with_an_upload_in_view_the_owner_decides_whether_script_runs(
    stage: Stage, open_page: OpenPage
) -> None:
    stage.script(f"Aqui:\n\n```html\n{PAGE}\n```\n\nFim.")
    page = open_page(stage)
    upload(page, stage)
    ask(page, "mostra")
    answer = finished(page)
    out = answer.frame_locator("iframe.frame").locator("#out")
    expect(out).to_have_text("parado")
    expect(answer).to_contain_text(WHY)
    assert drawn(page)

    page.reload()
    expect(answer).to_contain_text(WHY)
    expect(out).to_have_text("parado")

    answer.get_by_role("button", name="Executar mesmo assim").click()
    expect(out).to_have_text("correu")
    expect(answer).not_to_contain_text(WHY)
    assert drawn(page)


def test_without_anything_from_outside_script_runs_at_once(
    stage: Stage, open_page: OpenPage
) -> None:
    stage.script(f"Aqui:\n\n```html\n{PAGE}\n```\n\nFim.")
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "mostra")
    expect(finished(page).frame_locator("iframe.frame").locator("#out")).to_have_text("correu")
    expect(page.locator(".messages")).not_to_contain_text(WHY)
    assert drawn(page)


def test_a_shared_page_never_runs_what_may_be_a_strangers(
    stage: Stage, open_page: OpenPage
) -> None:
    stage.script(calls("gerar_dashboard", titulo="Vendas", html=PAGE), says("Guardado."))
    page = open_page(stage)
    upload(page, stage)
    ask(page, "painel")
    finished(page).get_by_role("link", name="Abrir painel").click()
    expect(page.get_by_role("button", name="Executar mesmo assim")).to_be_visible()
    page.get_by_role("button", name="Partilhar").click()
    page.get_by_role("button", name="Criar link").click()
    link = page.get_by_label("Link partilhado").input_value()

    other = open_page(stage, by=None)
    other.goto(link)
    expect(other.frame_locator("iframe.frame").locator("#out")).to_have_text("parado")
    expect(other.locator("main")).to_contain_text("Só o dono o pode executar.")
    expect(other.get_by_role("button", name="Executar mesmo assim")).to_have_count(0)
    assert drawn(other)
