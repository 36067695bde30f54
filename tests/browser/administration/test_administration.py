"""Administration: its areas beside the page or behind a button, usage that leads with what matters."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from bancada.model.scripted import says
from tests.browser.accessibility.test_accessibility import findings
from tests.browser.acts import ask, conversation, finished
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage


def test_on_a_phone_the_areas_are_behind_a_button_that_says_where_one_is(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, "#/admin/usage", viewport={"width": 390, "height": 844})
    areas = page.get_by_role("button", name="Administração: Utilização")
    audit = page.get_by_role("link", name="Registo")
    expect(audit).to_be_hidden()
    areas.focus()
    page.keyboard.press("Enter")
    expect(areas).to_have_attribute("aria-expanded", "true")
    assert findings(page) == []
    for _ in range(2):  # usage, then the audit
        page.keyboard.press("Tab")
    expect(audit).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Administração: Registo")).to_be_visible()
    expect(audit).to_be_hidden()


def test_on_a_desk_the_areas_stand_beside_the_page_in_groups(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, "#/admin/agents")
    rail = page.get_by_role("navigation", name="Administração")
    expect(rail.get_by_role("heading", name="Agentes e ferramentas")).to_be_visible()
    expect(rail.get_by_role("link", name="Agentes", exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    expect(page.get_by_role("button", name="Administração: Agentes")).to_be_hidden()


def test_usage_leads_with_cost_questions_and_failures_of_a_period(
    stage: Stage, open_page: OpenPage
) -> None:
    stage.script(says("Olá."))
    page = open_page(stage)
    conversation(page, stage, "Assistente")
    ask(page, "Olá?")
    finished(page)
    page.goto(f"{stage.url}/#/admin/usage")
    cards = page.locator(".cards.leading h3")
    expect(cards).to_have_text(["Custo", "Perguntas", "Falhas"])
    asked = page.get_by_role("region", name="Perguntas", exact=True).locator(".kpi-value")
    assert int(asked.inner_text()) >= 1
    period = page.get_by_label("Período")
    period.select_option(label="Datas à escolha")
    page.get_by_label("Desde").fill("2001-01-01")
    page.get_by_label("Até").fill("2001-01-31")
    expect(page.get_by_text("Sem utilização neste período")).to_be_visible()
    page.get_by_label("Até").fill("2000-12-31")
    expect(page.get_by_text("Escolha um primeiro e um último dia")).to_be_visible()
    period.select_option(label="Últimos 7 dias")
    expect(asked).to_be_visible()
    page.get_by_label("Ver por").select_option(label="Agente")
    expect(page.get_by_role("cell", name="Assistente")).to_be_visible()


def test_a_new_agent_begins_with_a_template_and_what_is_missing_is_said(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, "#/admin/agents/new")
    templates = page.locator(".templates")
    expect(templates.get_by_role("button")).to_have_count(5)
    # Every tool that a template names is in one of our packs.
    expect(templates.locator(".badge")).to_have_count(0)
    assert findings(page) == []

    def without(route: Route) -> None:
        tools = route.fetch().json()
        for one in tools:
            one["is_enabled"] = one["name"] != "gerar_kpi" and one["pack"] != "graph"
        route.fulfill(json=tools)

    page.route("**/admin/tools", without)
    page.reload()
    expect(templates.get_by_role("button", name="Ativos e ligações")).to_be_disabled()
    expect(templates).to_contain_text("Não instaladas ou desligadas:")
    analyst = templates.get_by_role("button", name="Analista de dados")
    analyst.focus()
    page.keyboard.press("Enter")
    expect(analyst).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("textbox", name="Nome")).to_have_value("Analista de dados")
    expect(page.get_by_role("status").get_by_text("Ficaram de fora")).to_be_visible()
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Analista de dados")
    made = stage.call("GET", "/admin/agents", by="admin@demo.com")
    (agent,) = (one for one in made if one["name"] == "Analista de dados")
    stage.call("DELETE", f"/admin/agents/{agent['id']}", by="admin@demo.com")
    assert "consultar_dados" in agent["tools"]
    assert "gerar_kpi" not in agent["tools"]
    assert (agent["code"], len(agent["starters"])) == ("local", 3)


def test_a_second_page_of_opinions_that_fails_can_be_tried_again_and_doubles_nothing(
    stage: Stage, open_page: OpenPage
) -> None:
    def opinion(n: int) -> dict[str, object]:
        given = {"value": -1, "reasons": [], "comment": None, "at": "2026-11-16T12:00:00Z"}
        about = {"person": "Rui", "agent": {"id": 1, "name": "Qualidade"}, "model": "m"}
        return (
            {"message_id": f"m{n}", "turn_id": f"t{n}", "question": f"pergunta {n}"} | given | about
        )

    failing = [True]

    def answer(route: Route) -> None:
        if "before=" not in route.request.url:
            route.fulfill(json={"entries": [opinion(1)], "next": "1:m1:1"})
        elif failing and failing.pop():
            route.fulfill(status=500, body="")
        else:
            route.fulfill(json={"entries": [opinion(2)], "next": None})

    page = open_page(stage)
    page.route("**/admin/feedback?**", answer)
    page.goto(f"{stage.url}/#/admin/feedback")
    page.get_by_role("button", name="Mostrar mais").click()
    again = page.get_by_role("button", name="Tentar de novo")
    expect(again).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(1)
    again.click()
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(again).to_be_hidden()


def test_a_name_in_a_list_is_not_broken_inside_its_word(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, "#/admin/agents")
    name = page.locator("td.name").get_by_text("Assistente", exact=True)
    expect(name).to_be_visible()
    assert name.evaluate("one => one.getClientRects().length") == 1
