"""A board of one's own: begun, arranged by mouse and keys, written on, filtered, printed, on a wall."""

from __future__ import annotations

import json
import re
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bancada.model.scripted import calls_many, says
from bancada.sandbox import probe
from tests.browser.accessibility.test_accessibility import findings
from tests.browser.acts import settled
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage

pytestmark = pytest.mark.skipif(
    not any(report.available for report in probe()), reason="queries need a sandbox"
)

ADMIN = "admin@demo.com"
WIDGETS = (
    ("gerar_kpi", {"titulo": "Total", "sql": "SELECT count(*) FROM defeitos"}),
    ("gerar_tabela", {"titulo": "Turnos", "sql": "SELECT turno, count(*) FROM defeitos GROUP BY ALL"}),
    ("gerar_kpi", {"titulo": "OEE", "valor": 81.5}),
)  # fmt: skip


def drawn(stage: Stage) -> list[str]:
    """The events of three widgets in a conversation of the administrator's."""
    stage.script(calls_many(*WIDGETS), says("Pronto."))
    request = urllib.request.Request(
        f"{stage.url}/conversations/{stage.conversation('Análise')}/messages",
        data=json.dumps({"content": "mostra"}).encode(),
        headers={
            "Content-Type": "application/json",
            "Authorization": f"Bearer {stage.token(ADMIN)}",
        },
    )
    with urllib.request.urlopen(request) as answer:
        said = answer.read().decode()
    return re.findall(r'id: (\S+)\ndata: \{"type":\s?"(?:kpi|table)"', said)


@pytest.fixture
def board(stage: Stage) -> dict[str, Any]:
    items = [{"event": event} for event in drawn(stage)]
    made: dict[str, Any] = stage.call(
        "POST", "/dashboards", {"titulo": "Turno da noite", "items": items}, by=ADMIN
    )
    return made


def put(stage: Stage, board: dict[str, Any], **where: tuple[int, int, int, int]) -> None:
    """Place the tiles by name: x, y, width, height."""
    known = {item["data"]["titulo"]: item["id"] for item in board["items"]}
    items = [
        {"id": known[name], "place": dict(zip("xywh", place, strict=True))}
        for name, place in where.items()
    ]
    stage.call("PATCH", f"/dashboards/{board['id']}", {"items": items}, by=ADMIN)


def places(stage: Stage, board: dict[str, Any]) -> dict[str, Any]:
    kept = stage.call("GET", f"/dashboards/{board['id']}", by=ADMIN)
    return {
        str(one["data"].get("titulo", "text")): tuple(one["place"].values())
        for one in kept["items"]
    }


def arrange(page: Page) -> None:
    page.get_by_role("button", name="Organizar").click()
    expect(page.locator(".arrange-bar")).to_be_visible()


def save(page: Page) -> None:
    page.get_by_role("button", name="Guardar").click()
    expect(page.locator(".arrange-bar")).to_have_count(0)


def test_a_board_is_begun_named_and_written_on(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, "#/dashboards")
    page.get_by_role("button", name="Novo painel").click()
    page.get_by_label("Nome do painel").fill("Reunião")
    page.get_by_role("button", name="Criar").click()
    expect(page.get_by_role("heading", name="Reunião")).to_be_visible()
    expect(page.get_by_text("Ainda não há nada aqui")).to_be_visible()
    arrange(page)
    page.get_by_role("button", name="Juntar um texto").click()
    page.get_by_label("O que diz").fill("## Hoje\nO que **conta**.")
    page.get_by_role("button", name="Concluir").click()
    save(page)
    expect(page.locator(".text-widget strong")).to_have_text("conta")
    page.get_by_role("button", name="Ações do painel").click()
    page.get_by_role("menuitem", name="Mudar o nome").click()
    page.get_by_label("Nome do painel").fill("Reunião diária")
    page.get_by_role("dialog").get_by_role("button", name="Guardar").click()
    expect(page.get_by_role("heading", name="Reunião diária")).to_be_visible()
    page.goto(f"{stage.url}/#/dashboards")
    tile = page.get_by_role("link", name=re.compile("Reunião diária"))
    expect(tile.locator(".preview-tile")).to_have_count(1)


def test_tiles_are_moved_resized_and_removed_by_mouse_and_by_keys(
    stage: Stage, open_page: OpenPage, board: dict[str, Any]
) -> None:
    before = {"Total": (0, 0, 3, 2), "OEE": (3, 0, 3, 2), "Turnos": (0, 2, 6, 4)}
    put(stage, board, **before)
    page = open_page(stage, f"#/dashboards/{board['id']}")
    arrange(page)
    assert findings(page) == []
    page.get_by_role("button", name="Mover: Total").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowRight")
    said = "Total: coluna 1, linha 7, 4 de largura, 2 de altura."
    expect(page.get_by_role("status").first).to_contain_text(said)
    handle = page.get_by_role("button", name="Mover: OEE").bounding_box()
    assert handle is not None
    page.mouse.move(handle["x"] + 20, handle["y"] + 10)
    page.mouse.down()
    page.mouse.move(handle["x"] + 420, handle["y"] + 10, steps=6)
    page.mouse.up()
    assert places(stage, board) == before, "nothing is kept before it is saved"
    page.get_by_role("button", name="Retirar: Turnos").click()
    save(page)
    after = places(stage, board)
    assert set(after) == {"Total", "OEE"}
    assert after["Total"][2] == 4
    assert after["OEE"][0] > 5
    arrange(page)
    page.get_by_role("button", name="Retirar: Total").click()
    page.get_by_role("button", name="Cancelar").click()
    assert places(stage, board) == after


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_filter_for_all_tiles_and_those_without_say_so(
    stage: Stage, open_page: OpenPage, board: dict[str, Any], scheme: str
) -> None:
    page = open_page(stage, f"#/dashboards/{board['id']}", color_scheme=scheme)
    page.get_by_role("button", name="Filtro").click()
    page.get_by_label("Coluna").select_option("turno")
    page.get_by_label("manha").check()
    page.get_by_label("De", exact=True).fill("2026-02-11")
    assert findings(page) == []
    page.locator(".filter-bar").get_by_role("button", name="Filtrar").click()
    total = page.locator(".kpi-widget", has_text="Total").locator(".kpi-value")
    expect(total).to_have_text("73")
    expect(page.locator(".filter-words")).to_contain_text("desde 11/02/2026 · turno: manha")
    expect(page.locator(".filter-note")).to_contain_text("Sem filtro: não vem de uma consulta.")
    expect(page.locator(".table-widget tbody tr")).to_have_count(1)
    settled(page)
    assert findings(page) == []
    link = stage.call("POST", f"/dashboards/{board['id']}/share", by=ADMIN)["url"]
    page.goto(f"{stage.url}{link}")
    expect(page.locator(".filter-words")).to_contain_text("turno: manha")
    page.emulate_media(media="print")
    expect(page.locator(".widget-actions").first).to_be_hidden()
    page.emulate_media(media="screen")
    page.goto(f"{stage.url}/#/dashboards/{board['id']}")
    page.get_by_role("button", name="Filtro").click()
    page.get_by_role("button", name="Tirar o filtro").click()
    expect(total).to_have_text("200")
    expect(page.locator(".filter-words")).to_have_count(0)


def test_a_board_refreshes_itself_as_often_as_it_is_told(
    stage: Stage, open_page: OpenPage, board: dict[str, Any]
) -> None:
    page = open_page(stage)
    page.clock.install()
    page.goto(f"{stage.url}/#/dashboards/{board['id']}")
    page.get_by_role("button", name="Ações do painel").click()
    page.get_by_role("menuitemradio", name="Atualizar a cada minuto").click()
    expect(page.locator(".page-head .hint")).to_contain_text("cada minuto")
    with page.expect_response(re.compile("/refresh$")):
        page.clock.run_for(61_000)
    kept = stage.call("GET", f"/dashboards/{board['id']}", by=ADMIN)
    assert kept["refresh_minutes"] == 1


def test_a_board_on_a_phone_is_one_column_in_the_order_it_is_read(
    stage: Stage, open_page: OpenPage, board: dict[str, Any]
) -> None:
    put(stage, board, Total=(0, 4, 6, 2), Turnos=(0, 0, 6, 2), OEE=(0, 2, 6, 2))
    phone = {"width": 390, "height": 844}
    page = open_page(stage, f"#/dashboards/{board['id']}", viewport=phone, locale="en-GB")
    expect(page.locator(".board h3")).to_have_text(["Turnos", "OEE", "Total"])
    assert findings(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
