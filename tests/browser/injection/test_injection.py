"""Text from a model, a tool, a file or a person is text: nothing in it runs, nothing leaves."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bancada.model.scripted import calls, calls_many, says
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

ATTACKS = {
    "script": "<script>window.pwned = 1</script>",
    "handler": '<img src=x onerror="window.pwned = 1">',
    "svg": '<svg onload="window.pwned = 1"><a xlink:href="javascript:window.pwned=1">x</a></svg>',
    "javascript link": "[x](javascript:window.pwned=1) <a href='javascript:window.pwned=1'>y</a>",
    "image": "![x](http://evil.example/leak.png) <img src='http://evil.example/leak2.png'>",
    "style": "<style>body{background:url(http://evil.example/a)}</style><p style='background:url(http://evil.example/b)'>x</p>",
    "frame": "<iframe src='http://evil.example/'></iframe><object data='http://evil.example/'></object>",
    "form": "<form action='http://evil.example/'><button>x</button></form>",
    "base": "<base href='http://evil.example/'><link rel=stylesheet href=http://evil.example/a.css>",
    "refresh": "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    "mutation": '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
    "closing": "</code></pre></div></script><script>window.pwned=1</script>",
    "details": "<details open ontoggle='window.pwned=1'><summary>x</summary></details>",
    "template": "{{constructor.constructor('window.pwned=1')()}} ${window.pwned=1}",
}


def unharmed(page: Page) -> None:
    page.wait_for_timeout(150)
    assert page.evaluate("window.pwned") is None
    foreign = "a[href^='javascript'], iframe[src^='http'], img[src^='http'], form[action^='http'], [onerror], [onload]"
    expect(page.locator(f".messages :is({foreign})")).to_have_count(0)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_in_an_answer(stage: Stage, open_page: OpenPage, attack: str) -> None:
    stage.script(f"Antes {attack} depois.\n\n{attack}\n\n| {attack} |\n|---|\n| {attack} |\n\nFim.")
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, attack)
    expect(finished(page)).to_contain_text("Fim.")
    unharmed(page)
    for link in page.locator(".answer a[href]").all():
        assert not str(link.get_attribute("href")).lower().startswith(("javascript", "data", "vbs"))


def test_in_widgets_tool_input_and_results(stage: Stage, open_page: OpenPage) -> None:
    every = " ".join(ATTACKS.values())[:190]
    stage.script(
        calls_many(
            (
                "gerar_tabela",
                {
                    "titulo": every,
                    "colunas": [every],
                    "linhas": [[one] for one in ATTACKS.values()],
                },
            ),
            ("gerar_kpi", {"titulo": every, "valor": every, "unidade": every, "tendencia": every}),
            (
                "gerar_grafico",
                {"tipo": "bar", "titulo": every, "labels": [every], "valores": [1]},
            ),
            ("top_defeitos", {"n": every}),
        ),
        says("Fim."),
    )
    page = open_page(stage)
    conversation(page, stage, "Qualidade")
    ask(page, "mostra")
    done = finished(page)
    expect(done.locator(".table-widget")).to_be_visible()
    done.locator(".calls > .call-line").click()
    for call in done.locator(".call-list .call-line").all():
        call.click()
    unharmed(page)


def test_in_titles_and_file_names(stage: Stage, open_page: OpenPage, tmp_path: Path) -> None:
    name = "<img src=x onerror=window.pwned=1>.csv"
    path = tmp_path / name.replace("/", "")
    path.write_text("<script>window.pwned=1</script>,b\n<svg onload=window.pwned=1>,2\n")
    stage.script(calls("gerar_dashboard", titulo=ATTACKS["handler"], html="<p>x</p>"), says("Fim."))
    page = open_page(stage)
    id = conversation(page, stage, "Qualidade")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Carregar ficheiro").click()
    chooser.value.set_files(path)
    expect(page.locator(".data-card")).to_contain_text("onerror")
    expect(page.locator(".data-card td").first).to_contain_text("<svg onload")
    stage.call("PATCH", f"/conversations/{id}", {"title": ATTACKS["script"]}, by="admin@demo.com")
    ask(page, "painel")
    finished(page)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_contain_text("<script>")
    unharmed(page)
    page.goto(f"{stage.url}/#/dashboards")
    expect(page.locator(".tile", has_text="onerror")).to_be_visible()
    assert page.evaluate("window.pwned") is None


def test_the_app_allows_no_script_in_its_own_page(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    expect(page.locator(".agents")).to_be_visible()
    page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.pwned = 1'; document.body.append(s) }"
    )
    assert page.evaluate("window.pwned") is None
