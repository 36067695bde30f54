"""The main way through the page in Debian's Firefox: sign in, ask, approve, keep on a board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bancada.model.scripted import calls, says
from tests.browser.accessibility.test_accessibility import AXE
from tests.browser.conftest import firefox_program
from tests.browser.frame.browsers import Firefox, firefox
from tests.browser.stage import PASSWORDS, Stage

CHART = {"tipo": "bar", "titulo": "Defeitos", "labels": ["a", "b"], "valores": [2, 1]}
SERIOUS = """
axe.run(document, { iframes: false }).then(({ violations }) =>
  violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) => one.id))
"""


def findings(page: Firefox) -> Any:
    page.run(AXE.read_text() + "; null")
    return page.run(SERIOUS)


@pytest.mark.long
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: run `make web`")
def test_a_person_signs_in_asks_approves_and_keeps_a_chart(stage: Stage, tmp_path: Path) -> None:
    firefox_program()
    email = "rui@demo.com"
    stage.script(
        calls("createTask", title="Rever a linha 2"),
        says("Criada."),
        calls("gerar_grafico", **CHART),
        says("Aqui está."),
    )
    with firefox(tmp_path) as page:
        page.go(stage.url)
        page.type("input[type=email]", email)
        page.type("input[type=password]", PASSWORDS[email])
        page.click("form button[type=submit]")
        page.wait(".composer textarea")
        assert findings(page) == []
        page.go(f"{stage.url}/#/c/{stage.conversation('Assistente', by=email)}")
        page.say("cria a tarefa")
        page.wait(".approval:not(.resolved)")
        assert "Rever a linha 2" in page.run("document.querySelector('.approval').innerText")
        assert findings(page) == []
        page.click(".approval:not(.resolved) .button.primary")
        page.wait(".approval.resolved")
        page.wait(".answer[aria-busy=false]")
        assert "Criada." in page.run("document.querySelector('.answer').innerText")
        page.go(f"{stage.url}/#/c/{stage.conversation('Qualidade', by=email)}")
        page.say("mostra num gráfico")
        page.wait(".chart-widget canvas")
        page.click('[aria-label="Guardar num painel"], [aria-label="Pin to a dashboard"]')
        page.click("dialog button[type=submit]")
        page.wait("body:not(:has(dialog))")
        (board,) = (
            one for one in stage.call("GET", "/dashboards", by=email) if one["titulo"] == "Defeitos"
        )
        page.go(f"{stage.url}/#/dashboards/{board['id']}")
        page.wait(".chart-widget canvas")
        assert findings(page) == []
    stage.call("DELETE", f"/dashboards/{board['id']}", by=email)
