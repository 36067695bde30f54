"""Dashboards over HTTP: pinned from a conversation, refreshed from the data as they are then."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import httpx
import pytest

from bancada.dashboards import Pinned
from bancada.sandbox import probe
from bancada.store import people
from bancada.testing import ScriptedModel, calls, calls_many, says
from tests.server.site import Event, Reader, Site

pytestmark = pytest.mark.skipif(
    not any(report.available for report in probe()), reason="queries need a sandbox"
)

BY_TYPE = "SELECT tipo_defeito, count(*) AS total FROM defeitos GROUP BY ALL ORDER BY total DESC"
BARS = {"tipo": "bar", "titulo": "Defeitos por tipo", "sql": BY_TYPE}
SALES = b"produto,valor\ncaneta,10\nlivro,32\n"
TOTAL = {"titulo": "Vendas", "sql": "SELECT sum(valor) FROM vendas"}


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel([])


def shown(events: list[Event]) -> list[Event]:
    return [event for event in events if event.type in ("chart", "table", "kpi", "graph")]


async def draws(reader: Reader, model: ScriptedModel, tool: str, **input: Any) -> Event:
    """Have the model call a render tool; the widget's event."""
    model.add(calls(tool, **input), says("Pronto."))
    (event,) = shown(await reader.asks("mostra"))
    return event


async def pins(reader: Reader, *events: Event, **body: Any) -> dict[str, Any]:
    answer = await reader.post("/dashboards", {"items": [{"event": e.id} for e in events], **body})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def refreshed(reader: Reader, board: dict[str, Any]) -> list[dict[str, Any]]:
    answer = await reader.post(f"/dashboards/{board['id']}/refresh")
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def detail(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    return str(answer.json()["detail"])


def one_more_defect(folder: Path) -> None:
    """The factory goes on: a line is added to the defect log."""
    log = folder / "data" / "packs" / "quality" / "defeitos.csv"
    rows = list(csv.reader(log.read_text(encoding="utf-8").splitlines()))
    added = [["9999", *rows[-1][1:4], "lixo", *rows[-1][5:]]]
    draft = log.with_suffix(".new")
    with draft.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows + added)
    draft.replace(log)


async def has_sales(reader: Reader) -> None:
    answer = await reader.client.post(
        f"/conversations/{reader.conversation}/upload", files={"file": ("vendas.csv", SALES)}
    )
    assert answer.status_code == 201, answer.text


# ---------------------------------------------------------------------------- a query behind a chart


async def test_a_chart_from_a_query_is_the_seeds_event_and_the_model_reads_the_figures(
    rui: Reader, model: ScriptedModel
) -> None:
    event = await draws(rui, model, "gerar_grafico", **BARS)
    assert event.data["type"] == "chart"
    data = event.data["data"]
    assert set(data) == {"widget", "tipo", "titulo", "labels", "datasets"}
    assert (data["labels"][0], data["datasets"][0]["data"][0]) == ("lixo", 62)
    (result,) = model.last_results
    assert '"dados": [["lixo", 62]' in str(result["content"])


async def takes_queries_from(admin: Reader, name: str) -> int:
    """An agent that draws but may not query; its id."""
    (agent,) = [each for each in (await admin.get("/admin/agents")).json() if each["name"] == name]
    tools = [tool for tool in agent["tools"] if tool != "consultar_dados"]
    await admin.patch(f"/admin/agents/{agent['id']}", {"tools": tools})
    return int(agent["id"])


async def test_an_agent_without_the_query_tool_is_told_to_give_the_numbers(
    site: Site, model: ScriptedModel
) -> None:
    await takes_queries_from(await site.signs_in("admin"), "Qualidade")
    ana = await site.signs_in("ana")
    await ana.begins("Qualidade")
    model.add(calls("gerar_grafico", **BARS), says("Não posso."))
    events = await ana.asks("mostra")
    (call,) = [event for event in events if event.type == "tool_use"]
    assert call.data["is_error"] is True
    assert "consultar_dados is not among the tools of Qualidade" in call.data["result"]
    assert "indique 'labels' e 'valores'" in call.data["result"]
    assert shown(events) == []


async def test_a_query_that_a_person_must_confirm_is_asked_about_before_the_chart(
    site: Site, rui: Reader, model: ScriptedModel
) -> None:
    admin = await site.signs_in("admin")
    change = {"requires_confirmation": True}
    assert (await admin.patch("/admin/tools/consultar_dados", change)).status_code == 200
    model.add(calls("gerar_grafico", **BARS), says("Aí está."))
    events = await rui.asks("mostra")
    (asked,) = [event for event in events if event.type == "confirmation"]
    assert asked.data["name"] == "gerar_grafico"
    await rui.post(f"/confirmations/{asked.data['id']}", {"decision": "approve"})
    assert [event.type for event in shown(await rui.follows())] == ["chart"]


# ---------------------------------------------------------------------------- refreshing


async def test_a_refresh_draws_the_data_as_they_are_now(
    site: Site, folder: Path, rui: Reader, model: ScriptedModel
) -> None:
    chart = await draws(rui, model, "gerar_grafico", **BARS)
    typed = await draws(rui, model, "gerar_kpi", titulo="Dito", valor=7)
    board = await pins(rui, chart, typed, titulo="Turno")
    assert board["items"][0]["data"] == chart.data["data"]
    one_more_defect(folder)
    drawn, constant = await refreshed(rui, board)
    assert drawn["data"]["datasets"][0]["data"][0] == 63
    assert {**drawn["data"], "datasets": []} == {**chart.data["data"], "datasets": []}
    assert (constant["data"]["valor"], drawn["error"], constant["error"]) == (7, None, None)
    kept = (await rui.get(f"/dashboards/{board['id']}")).json()
    assert kept["items"][0]["data"] == drawn["data"]


async def test_typed_figures_are_marked_with_their_day_and_are_not_refreshed(
    site: Site, rui: Reader, model: ScriptedModel
) -> None:
    typed = await draws(rui, model, "gerar_kpi", titulo="OEE", valor=81.5)
    live = await draws(rui, model, "gerar_kpi", titulo="Peças", sql="SELECT count(*) FROM defeitos")
    brought = {"type": "kpi", "data": {"widget": "kpi", "titulo": "Meta", "valor": 90}}
    events = [{"event": typed.id}, {"event": live.id}]
    board = (await rui.post("/dashboards", {"titulo": "Turno", "items": [*events, brought]})).json()
    before = [item["refreshed_at"] for item in board["items"]]

    after = await refreshed(rui, board)

    assert [item["is_live"] for item in after] == [False, True, False]
    moved = [item["refreshed_at"] != was for item, was in zip(after, before, strict=True)]
    assert moved == [False, True, False]
    link = (await rui.post(f"/dashboards/{board['id']}/share")).json()["url"]
    seen = (await site.client().get(link)).json()
    assert [item["is_live"] for item in seen["items"]] == [False, True, False]
    await rui.delete(f"/dashboards/{board['id']}/share")
    browser = await site.client(Accept="text/html").get(link)
    assert (browser.status_code, browser.headers["content-type"][:9]) == (404, "text/html")
    assert (await site.client().get(link)).headers["content-type"] == "application/problem+json"


async def test_a_dashboard_of_typed_figures_is_as_old_as_they_are(
    site: Site, rui: Reader, model: ScriptedModel
) -> None:
    typed = await draws(rui, model, "gerar_kpi", titulo="OEE", valor=81.5)
    said = (await rui.get(f"/conversations/{rui.conversation}")).json()["messages"][-1]
    board = await pins(rui, typed, titulo="Turno")

    await refreshed(rui, board)

    after = (await rui.get(f"/dashboards/{board['id']}")).json()
    assert after["updated_at"] == board["updated_at"]
    assert after["items"][0]["refreshed_at"] < said["created_at"]
    audit = await (await site.signs_in("admin")).get("/admin/audit")
    assert "refresh" not in audit.text


async def test_a_kpi_says_which_direction_is_good(rui: Reader, model: ScriptedModel) -> None:
    given = {"titulo": "Refugo", "valor": 2.1, "tendencia": "+0,4%", "melhor": "descida"}
    event = await draws(rui, model, "gerar_kpi", **given)

    assert (event.data["data"]["direcao"], event.data["data"]["melhor"]) == ("subida", "descida")
    brought = {"type": "kpi", "data": event.data["data"]}
    kept = await rui.post("/dashboards", {"titulo": "Turno", "items": [brought]})
    assert kept.json()["items"][0]["data"]["melhor"] == "descida"
    wrong = {**event.data["data"], "melhor": "esquerda"}
    assert "melhor" in detail(
        await rui.post("/dashboards", {"items": [{"type": "kpi", "data": wrong}]}), 422
    )


async def test_a_refresh_is_audited_as_one_and_so_is_the_query_inside_it(
    site: Site, rui: Reader, model: ScriptedModel
) -> None:
    await has_sales(rui)
    board = await pins(rui, await draws(rui, model, "gerar_kpi", **TOTAL))
    await refreshed(rui, board)
    admin = await site.signs_in("admin")
    calls = {"limit": 20, "category": "call"}
    lines = (await admin.get("/admin/audit", params=calls)).json()["entries"]
    by_door = {(line["tool"], line["caller"].get("via")): line for line in lines[:2]}
    outer = by_door["gerar_kpi", "refresh"]
    inner = by_door["consultar_dados", "composed"]
    assert inner["caller"] == {
        "type": "direct",
        "tool_id": outer["call_id"],
        "via": "composed",
    }
    assert inner["arguments"] == {"sql": TOTAL["sql"]}
    assert {line["conversation_id"] for line in (outer, inner)} == {rui.conversation}


async def test_an_item_goes_on_reading_the_file_of_its_conversation(
    rui: Reader, model: ScriptedModel
) -> None:
    await has_sales(rui)
    total = await draws(rui, model, "gerar_kpi", **TOTAL)
    board = await pins(rui, total)
    assert board["items"][0]["call"]["conversation_id"] == rui.conversation
    await rui.begins("Análise")
    other = await draws(rui, model, "gerar_grafico", **BARS)
    board = await pins(rui, other, dashboard_id=board["id"])
    first, second = await refreshed(rui, board)
    assert (first["data"]["valor"], first["error"], second["error"]) == (42, None, None)


async def test_a_deleted_conversation_takes_its_files_along_and_nothing_else(
    folder: Path, rui: Reader, model: ScriptedModel
) -> None:
    await has_sales(rui)
    total = await draws(rui, model, "gerar_kpi", **TOTAL)
    chart = await draws(rui, model, "gerar_grafico", **BARS)
    board = await pins(rui, total, chart)
    assert (await rui.delete(f"/conversations/{rui.conversation}")).status_code == 204
    one_more_defect(folder)
    lost, drawn = await refreshed(rui, board)
    assert lost["data"]["valor"] == 42
    assert lost["error"] == "The conversation behind this was deleted, and its files with it."
    assert (drawn["data"]["datasets"][0]["data"][0], drawn["error"]) == (63, None)
    await rui.patch("/me", {"language": "pt"})
    (again, _) = (await rui.get(f"/dashboards/{board['id']}")).json()["items"]
    assert again["error"] == "A conversa de onde isto veio foi apagada, e os ficheiros com ela."


async def test_somebody_elses_conversation_is_not_read_and_other_items_refresh(
    site: Site, folder: Path, rui: Reader, model: ScriptedModel
) -> None:
    await has_sales(rui)
    theirs = await draws(rui, model, "gerar_kpi", **TOTAL)
    admin = await site.signs_in("admin")
    await admin.begins("Análise")
    own = await draws(admin, model, "gerar_grafico", **BARS)
    board = await pins(admin, own)
    person_now = await site.bench.database.read(people.person_now, 1)
    assert person_now is not None
    item = Pinned(
        type="kpi",
        data=theirs.data["data"],
        tool="gerar_kpi",
        input=dict(TOTAL),
        conversation_id=rui.conversation,
    )
    desk = site.bench.dashboards
    await desk.pin(person_now.person, titulo="", items=[item], dashboard_id=board["id"])
    one_more_defect(folder)
    drawn, closed = await refreshed(admin, board)
    assert (drawn["data"]["datasets"][0]["data"][0], drawn["error"]) == (63, None)
    assert closed["data"] == theirs.data["data"]
    assert closed["error"] == "Isto foi feito numa conversa que não pode ler."


async def test_a_refresh_gives_nobody_a_tool_that_none_of_their_agents_has(
    site: Site, rui: Reader, model: ScriptedModel
) -> None:
    board = await pins(rui, await draws(rui, model, "gerar_grafico", **BARS))
    admin = await site.signs_in("admin")
    line = [await takes_queries_from(admin, "Qualidade")]
    assert (await admin.patch("/admin/users/2", {"agents": line})).status_code == 200
    (item,) = await refreshed(rui, board)
    assert item["error"] == "You may not use consultar_dados (any more)."
    assert item["data"]["datasets"][0]["data"][0] == 62
    assert (await admin.patch("/admin/users/2", {"agents": []})).status_code == 200
    (item,) = await refreshed(rui, board)
    assert item["error"] == "None of your agents has the tool gerar_grafico."


async def test_a_call_that_a_person_approves_is_still_the_agents_to_make(
    site: Site, rui: Reader, model: ScriptedModel
) -> None:
    board = await pins(rui, await draws(rui, model, "gerar_grafico", **BARS))
    admin = await site.signs_in("admin")
    await admin.patch("/admin/tools/gerar_grafico", {"requires_confirmation": True})
    (item,) = await refreshed(rui, board)
    assert item["error"] == "This call needs a confirmation and was not run."
    (waiting,) = (await rui.get("/confirmations")).json()
    await takes_queries_from(admin, "Análise")
    address = f"/confirmations/{waiting['id']}"
    assert (await rui.post(address, {"decision": "approve"})).status_code == 200
    result = (await rui.get(address)).json()["result"]
    assert result["is_error"] is True
    assert "consultar_dados is not among the tools of Análise" in result["result"]


async def test_a_call_that_its_tool_does_not_take_any_more_is_told_to_the_person(
    site: Site, rui: Reader
) -> None:
    person_now = await site.bench.database.read(people.person_now, 2)
    assert person_now is not None
    once = {"nome": "as it was", "sql": "SELECT 1"}
    item = Pinned(type="kpi", data={"valor": 1}, tool="gerar_kpi", input=once)
    row = await site.bench.dashboards.pin(person_now.person, titulo="", items=[item])
    await rui.patch("/me", {"language": "pt"})
    (kept,) = await refreshed(rui, {"id": row.id})
    assert kept["data"] == {"valor": 1}
    assert kept["error"] == "gerar_kpi mudou e já não aceita esta chamada; peça-a de novo."


async def test_a_call_with_two_charts_refreshes_each_as_itself(
    rui: Reader, model: ScriptedModel
) -> None:
    model.add(calls("carta_controlo_xr"), says("Pronto."))
    charts = shown(await rui.asks("carta"))
    assert len(charts) == 2, [event.data for event in charts]
    board = await pins(rui, *charts)
    first, second = await refreshed(rui, board)
    assert [first["data"], second["data"]] == [event.data["data"] for event in charts]
    assert first["data"] != second["data"]


async def test_what_is_pinned_while_a_refresh_runs_stays(
    site: Site, rui: Reader, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await draws(rui, model, "gerar_kpi", titulo="Um", sql="SELECT 1")
    second = await draws(rui, model, "gerar_kpi", titulo="Dois", valor=2)
    board = await pins(rui, first)
    call = site.bench.gate.call

    async def meanwhile(*given: Any, **how: Any) -> Any:
        monkeypatch.setattr(site.bench.gate, "call", call)
        await pins(rui, second, dashboard_id=board["id"])
        return await call(*given, **how)

    monkeypatch.setattr(site.bench.gate, "call", meanwhile)
    items = await refreshed(rui, board)
    assert [item["data"]["valor"] for item in items] == [1, 2]


# ---------------------------------------------------------------------------- pinning


async def test_a_widget_is_pinned_by_its_event_and_by_nobody_else(
    site: Site, rui: Reader, model: ScriptedModel
) -> None:
    model.add(
        calls_many(
            ("gerar_kpi", {"titulo": "Um", "valor": 1}),
            ("gerar_kpi", {"titulo": "Dois", "valor": 2}),
        ),
        says("Pronto."),
    )
    events = await rui.asks("mostra")
    for event in shown(events):
        (item,) = (await pins(rui, event))["items"]
        assert (item["type"], item["data"]) == ("kpi", event.data["data"])
        assert item["call"]["input"] == {
            key: event.data["data"][key] for key in ("titulo", "valor")
        }
    widget = shown(events)[0]
    assert widget.id is not None
    turn = widget.id.rsplit("-", 1)[0]
    text = next(event.id for event in events if event.type == "text")
    for id in (f"{turn}-999999", "t0000-1", text):
        assert "no such chart" in detail(
            await rui.post("/dashboards", {"items": [{"event": id}]}), 404
        )
    admin = await site.signs_in("admin")
    detail(await admin.post("/dashboards", {"items": [{"event": widget.id}]}), 404)


CHART = {
    "widget": "chart",
    "tipo": "bar",
    "titulo": "t",
    "labels": ["a"],
    "datasets": [{"data": [1]}],
}


@pytest.mark.parametrize(
    ("type", "data", "said"),
    [
        ("chart", {**CHART, "widget": "kpi"}, "widget: espera-se 'chart'"),
        ("chart", {**CHART, "onClick": "x"}, "O campo 'onClick' não é conhecido"),
        ("chart", {**CHART, "sql": "SELECT 1"}, "O campo 'sql' não é conhecido"),
        ("chart", {**CHART, "tipo": "gauge"}, "tipo"),
        ("chart", {**CHART, "titulo": "x" * 201}, "titulo"),
        ("chart", {**CHART, "labels": ["a"] * 1001}, "1001 etiquetas"),
        ("chart", {**CHART, "datasets": ["x"]}, "datasets"),
        ("chart", {**CHART, "datasets": [{"data": [10**400]}]}, "espera-se um número"),
        ("chart", {**CHART, "datasets": [{"data": [1], "onHover": 1}]}, "onHover"),
        ("chart", {**CHART, "opcoes": {"plugins": {"a": "javascript:x"}}}, "endereços"),
        ("chart", {"widget": "chart"}, "tipo"),
        ("table", {"widget": "table", "titulo": "t"}, "0 colunas"),
        (
            "table",
            {"widget": "table", "titulo": "t", "colunas": ["a"], "linhas": [[1, 2]]},
            "2 células",
        ),
        ("kpi", {"widget": "kpi", "titulo": "t"}, "não tem valor"),
        ("kpi", {"widget": {"valor": 1}}, "widget: espera-se 'kpi'"),
        ("kpi", {"widget": "kpi", "titulo": "t", "valor": {"a": 1}}, "valor"),
    ],
)
async def test_data_that_a_client_brings_are_checked_as_the_tool_would(
    rui: Reader, type: str, data: Any, said: str
) -> None:
    answer = await rui.post("/dashboards", {"items": [{"type": type, "data": data}]})
    sentence = detail(answer, 422)
    assert sentence.startswith(f"This {type} cannot be kept: ")
    assert said in sentence


async def test_sound_data_of_a_client_are_kept_with_a_call_they_may_make(rui: Reader) -> None:
    table = {"widget": "table", "titulo": "t", "colunas": ["a"], "linhas": [[1], [None]]}
    kpi = {"widget": "kpi", "titulo": "t", "valor": 2, "tendencia": "+1", "direcao": "descida"}
    three = {"titulo": "t", "sql": "SELECT 3"}
    items: list[Any] = [
        {"type": "chart", "data": CHART},
        {"type": "table", "data": table},
        {"type": "kpi", "data": kpi, "tool": "gerar_kpi", "input": three},
    ]
    made = (await rui.post("/dashboards", {"items": items})).json()
    kept = [item["data"] for item in made["items"]]
    # Which way a trend points is read from the trend.
    assert kept == [CHART, table, {**kpi, "direcao": "subida"}]
    assert (await refreshed(rui, made))[2]["data"]["valor"] == 3


@pytest.mark.parametrize(
    ("tool", "input", "said"),
    [
        ("nada", {}, "None of your agents has the tool nada."),
        ("createTask", {"title": "x"}, "Only tools that read are run by a refresh."),
        ("gerar_kpi", {"valor": 1}, "titulo"),
    ],
)
async def test_a_call_that_could_never_be_refreshed_is_not_kept(
    rui: Reader, tool: str, input: Any, said: str
) -> None:
    data = {"widget": "kpi", "titulo": "t", "valor": 1}
    item = {"type": "kpi", "data": data, "tool": tool, "input": input}
    assert said in detail(await rui.post("/dashboards", {"items": [item]}), 422)


async def test_a_call_that_draws_nothing_of_the_kind_leaves_the_picture_and_says_so(
    rui: Reader,
) -> None:
    table = {"widget": "table", "titulo": "t", "colunas": ["a"], "linhas": [[1]]}
    item = {"type": "table", "data": table, "tool": "top_defeitos", "input": {"n": 3}}
    board = (await rui.post("/dashboards", {"items": [item]})).json()
    (kept,) = await refreshed(rui, board)
    assert kept["data"] == table
    assert "top_defeitos" in kept["error"]


async def test_a_graph_is_pinned_from_its_conversation_only(rui: Reader) -> None:
    answer = await rui.post("/dashboards", {"items": [{"type": "graph", "data": {}}]})
    assert detail(answer, 422) == "A graph can be pinned from its conversation only."


async def test_whoever_follows_a_link_sees_pictures_and_no_queries(
    site: Site, rui: Reader, model: ScriptedModel
) -> None:
    await has_sales(rui)
    board = await pins(rui, await draws(rui, model, "gerar_kpi", **TOTAL))
    await rui.delete(f"/conversations/{rui.conversation}")
    await refreshed(rui, board)
    url = (await rui.post(f"/dashboards/{board['id']}/share")).json()["url"]
    answer = await site.client().get(url)
    (item,) = answer.json()["items"]
    assert (item["data"]["valor"], item["call"], item["error"]) == (42, None, None)
    assert "SELECT" not in answer.text


# ---------------------------------------------------------------------------- arranging


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "data": {"widget": "text", "text": words}}


async def test_a_board_is_made_empty_renamed_arranged_and_written_on(rui: Reader) -> None:
    board = (await rui.post("/dashboards", {"titulo": "Turno", "items": []})).json()
    path = f"/dashboards/{board['id']}"
    assert board["items"] == []
    kpi = {"type": "kpi", "data": {"widget": "kpi", "titulo": "Meta", "valor": 90}}
    added = {"dashboard_id": board["id"], "items": [kpi, text("**Nota**")]}
    first, second = (await rui.post("/dashboards", added)).json()["items"]
    place = {"x": 0, "y": 1, "w": 6, "h": 3}
    changes = [
        {"id": first["id"], "place": {**place, "x": 6}},
        {"id": second["id"], "text": "outra"},
        {"text": "nova", "place": place},
    ]
    answer = await rui.patch(path, {"titulo": " Noite ", "items": changes, "refresh_minutes": 5})
    assert answer.status_code == 200, answer.text
    after = answer.json()
    assert (after["titulo"], after["refresh_minutes"]) == ("Noite", 5)
    assert [item["place"] for item in after["items"]] == [{**place, "x": 6}, None, place]
    assert [item["data"].get("text") for item in after["items"]] == [None, "outra", "nova"]
    kept = (await rui.patch(path, {"removed": [first["id"]]})).json()
    assert [item["type"] for item in kept["items"]] == ["text", "text"]
    assert (kept["titulo"], kept["refresh_minutes"]) == ("Noite", 5)
    for wrong, status in (
        ({"items": [{"id": first["id"], "text": "gone"}]}, 404),
        ({"items": [{"id": "", "text": "nowhere"}]}, 404),
        ({"items": [{"text": "  "}]}, 422),
        ({"items": [{"id": second["id"], "place": {"x": 7, "y": 0, "w": 6, "h": 1}}]}, 422),
        ({"titulo": " "}, 422),
        ({"filter": {"since": "2026-02-02", "until": "2026-02-01"}}, 422),
    ):
        detail(await rui.patch(path, wrong), status)
    assert (await rui.get(path)).json() == kept


async def test_words_of_a_chart_are_not_to_be_changed(rui: Reader) -> None:
    kpi = {"type": "kpi", "data": {"widget": "kpi", "titulo": "Meta", "valor": 90}}
    board = (await rui.post("/dashboards", {"items": [kpi]})).json()
    change = {"items": [{"id": board["items"][0]["id"], "text": "100"}]}
    answer = await rui.patch(f"/dashboards/{board['id']}", change)
    assert "Only the words of a text" in detail(answer, 422)


# ---------------------------------------------------------------------------- filters


DAYS = "SELECT count(*) FROM defeitos WHERE data BETWEEN '2026-02-11' AND '2026-02-12'"


async def test_one_filter_holds_for_every_query_and_the_rest_say_that_it_does_not(
    site: Site, rui: Reader, model: ScriptedModel
) -> None:
    await has_sales(rui)
    both = "SELECT count(DISTINCT d.id) FROM defeitos d CROSS JOIN vendas v"
    tiles = [
        await draws(rui, model, "gerar_kpi", titulo="D", sql="SELECT count(*) FROM defeitos"),
        await draws(rui, model, "gerar_kpi", **TOTAL),
        await draws(rui, model, "gerar_kpi", titulo="B", sql=both),
        await draws(rui, model, "gerar_kpi", titulo="Dito", valor=7),
    ]
    asked = await draws(rui, model, "gerar_kpi", titulo="N", sql=DAYS)
    board = await pins(rui, *tiles, titulo="Turno")
    path = f"/dashboards/{board['id']}"
    assert asked.data["data"]["valor"] < 200

    columns = {one["name"]: one for one in (await rui.get(f"{path}/columns")).json()}
    assert columns["data"] == {"name": "data", "tables": ["defeitos"], "is_dates": True}
    assert columns["produto"]["tables"] == ["vendas"]
    shifts = (await rui.get(f"{path}/values", params={"column": "turno"})).json()
    assert (sorted(shifts["values"]), shifts["more"]) == (["manha", "noite", "tarde"], False)

    days = {"since": "2026-02-11", "until": "2026-02-12"}
    waiting = (await rui.patch(path, {"filter": days})).json()
    assert [item["stale"] for item in waiting["items"]] == [True, True, True, False]
    after = await refreshed(rui, board)
    assert [item["data"]["valor"] for item in after] == [asked.data["data"]["valor"], 42,
        asked.data["data"]["valor"], 7]  # fmt: skip
    assert [item["filter_note"] for item in after] == [
        None,
        "Not filtered by date: the data behind it have no column of dates.",
        "Filtered by data, except for vendas: no such column there.",
        "Not filtered: it does not come from a query.",
    ]
    assert not any(item["stale"] for item in after)
    link = (await rui.post(f"{path}/share")).json()["url"]
    seen = (await site.client().get(link)).json()
    assert seen["filter"]["since"] == "2026-02-11"
    assert seen["items"][2]["filter_note"] == after[2]["filter_note"]

    # What is asked is what the audit has, and a filter nobody meets leaves no old number standing.
    admin = await site.signs_in("admin")
    lines = (await admin.get("/admin/audit", params={"tool": "gerar_kpi", "limit": 50})).json()
    assert any('"since": "2026-02-11"' in str(line) for line in lines["entries"])
    never = {"column": "turno", "values": ["never"]}
    await rui.patch(path, {"filter": never})
    count, sales, *_ = await refreshed(rui, board)
    assert (count["data"]["valor"], count["filter_note"]) == (0, None)
    assert sales["filter_note"].startswith("Not filtered by turno")
    await rui.patch(path, {"filter": None})
    assert [item["filter_note"] for item in await refreshed(rui, board)] == [None] * 4


async def test_a_picture_of_another_filter_is_not_taken_for_this_ones(
    rui: Reader, model: ScriptedModel
) -> None:
    chart = await draws(rui, model, "gerar_grafico", **BARS)
    board = await pins(rui, chart)
    path = f"/dashboards/{board['id']}"
    await rui.patch(path, {"filter": {"column": "turno", "values": ["never"]}})
    (item,) = await refreshed(rui, board)
    assert item["error"] is not None
    assert item["stale"] is True
    await rui.patch(path, {"filter": None})
    assert (await refreshed(rui, board))[0]["stale"] is False
