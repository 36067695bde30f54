"""A call that waits for a person: approve, change, reject, reload, and only one decision counts."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect
from sqlalchemy import Connection, update

from bancada.model.scripted import ScriptedModel, calls, calls_many, says
from bancada.store.tables import confirmations
from tests.browser.acts import answer, ask, conversation
from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage


def waiting(page: Page) -> Locator:
    return page.locator(".approval:not(.resolved)")


def task(title: str) -> tuple[str, dict[str, Any]]:
    return ("createTask", {"title": title})


def begin(stage: Stage, page: Page, *lines: Any, agent: str = "Assistente") -> ScriptedModel:
    model = stage.script(*lines)
    conversation(page, stage, agent)
    ask(page, "cria")
    return model


def results(model: ScriptedModel) -> str:
    return str(model.last_results)


def test_approving_runs_the_call_and_the_turn_goes_on(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    begin(stage, page, calls("createTask", title="Rever a linha 2"), says("Criada."))
    card = waiting(page)
    expect(card).to_contain_text("Rever a linha 2")
    expect(card).to_contain_text("dias para decidir")
    expect(card).to_contain_text("Porque pergunta")
    card.get_by_role("button", name="Aprovar", exact=True).click()
    expect(answer(page)).to_contain_text("Criada.")
    expect(page.locator(".approval.resolved")).to_contain_text("Aprovada")
    page.reload()
    expect(page.locator(".approval.resolved")).to_contain_text("Aprovada")
    expect(answer(page)).to_contain_text("Criada.")


def test_rejecting_with_a_reason_tells_the_model_why(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    model = begin(stage, page, calls("createTask", title="X"), says("Não criei."))
    card = waiting(page)
    card.get_by_role("button", name="Rejeitar").click()
    card.get_by_label("Motivo da rejeição").fill("já existe uma igual")
    card.get_by_role("button", name="Rejeitar").click()
    expect(answer(page)).to_contain_text("Não criei.")
    expect(page.locator(".approval.resolved")).to_contain_text("Rejeitada")
    assert "já existe uma igual" in results(model)


def test_arguments_are_changed_in_a_form_before_approving(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage)
    begin(stage, page, calls("createTask", title="Rever"), says("Criada."))
    card = waiting(page)
    card.get_by_role("button", name="Alterar argumentos").click()
    card.get_by_label("title").fill("Rever a linha 7")
    card.get_by_role("button", name="Aprovar com alterações").click()
    expect(answer(page)).to_contain_text("Criada.")
    expect(page.locator(".composer textarea")).to_be_focused()
    page.reload()
    changed = page.locator(".approval.resolved .edits")
    expect(changed.locator("del")).to_have_text("Pedido: Rever")
    expect(changed.locator("ins")).to_have_text("Executado, com alterações: Rever a linha 7")
    page.locator(".call", has_text="Criar tarefa").get_by_role("button").click()
    expect(page.locator(".call-detail")).to_contain_text("Rever a linha 7")
    expect(page.locator(".call-detail")).to_contain_text("createTask")


def test_arguments_that_do_not_fit_are_refused_and_the_call_still_waits(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage)
    begin(stage, page, calls("createTask", title="Rever"), says("Criada."))
    card = waiting(page)
    card.get_by_role("button", name="Alterar argumentos").click()
    card.get_by_role("button", name="Ver como JSON").click()
    card.get_by_label("Argumentos (JSON)").fill('{"title": 7}')
    card.get_by_role("button", name="Aprovar com alterações").click()
    expect(card.get_by_role("alert")).to_contain_text("title")
    card.get_by_label("Argumentos (JSON)").fill('{"title": ')
    expect(card.get_by_role("button", name="Aprovar com alterações")).to_be_disabled()


def test_calls_of_one_reply_are_one_card_with_a_tick_each(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage)
    three = calls_many(task("Primeira"), task("Segunda"), task("Terceira"))
    model = begin(stage, page, three, says("Feito."))
    expect(waiting(page)).to_have_count(1)
    items = page.locator(".approval-item")
    expect(items).to_have_count(3)
    expect(items.first).to_contain_text("Criar tarefa: Primeira")
    second = items.filter(has_text="Segunda")
    second.get_by_role("button", name="Rejeitar").click()
    second.get_by_role("button", name="Rejeitar").click()
    expect(items).to_have_count(2)
    page.get_by_role("checkbox", name="Criar tarefa: Terceira").uncheck()
    page.get_by_role("button", name="Aprovar a marcada").click()
    expect(items).to_have_count(0)
    expect(waiting(page)).to_contain_text("Criar tarefa: Terceira")
    waiting(page).get_by_role("button", name="Aprovar", exact=True).click()
    expect(answer(page)).to_contain_text("Feito.")
    assert len(model.last_results) == 3


def test_always_approving_a_tool_lets_its_siblings_go_too(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage)
    begin(stage, page, calls_many(task("Uma"), task("Outra")), says("Feito."))
    first = page.locator(".approval-item").first
    first.get_by_label("Aprovar sempre").check()
    first.get_by_role("button", name="Aprovar", exact=True).click()
    expect(answer(page)).to_contain_text("Feito.")
    expect(waiting(page)).to_have_count(0)
    page.goto(f"{stage.url}/#/confirmations")
    expect(page.locator(".resolved", has_text="Criar tarefa: Outra")).to_contain_text("Aprovada")
    page.get_by_label("Resultado").select_option("rejected")
    expect(page.locator(".resolved", has_text="Criar tarefa: Outra")).to_have_count(0)


def test_a_reload_while_it_waits_loses_nothing(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    begin(
        stage, page, calls("createTask", title="Rever").saying("Vou criar."), says("Criada agora.")
    )
    expect(waiting(page)).to_be_visible()
    page.reload()
    expect(answer(page)).to_contain_text("Vou criar.")
    expect(waiting(page)).to_contain_text("Rever")
    waiting(page).get_by_role("button", name="Aprovar", exact=True).click()
    expect(answer(page)).to_contain_text("Criada agora.")
    expect(page.locator(".bubble")).to_have_count(1)


def test_a_double_click_decides_once(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    begin(stage, page, calls("createTask", title="Uma vez"), says("Criada."))
    sent: list[str] = []
    page.on(
        "request",
        lambda request: (
            sent.append(request.url)
            if request.method == "POST" and "/confirmations/" in request.url
            else None
        ),
    )
    waiting(page).get_by_role("button", name="Aprovar", exact=True).dblclick()
    expect(answer(page)).to_contain_text("Criada.")
    assert len(sent) == 1


def test_a_decision_in_another_tab_is_seen_and_a_second_one_explained(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage)
    begin(stage, page, calls("createTask", title="Dois separadores"), says("Criada."))
    expect(waiting(page)).to_be_visible()
    other = open_page(stage, "#/confirmations")
    card = other.locator(".approval", has_text="Dois separadores")
    card.get_by_role("button", name="Aprovar", exact=True).click()
    expect(other.locator(".toast")).to_contain_text("Aprovada")
    # The first tab is told, and goes on by itself.
    expect(answer(page)).to_contain_text("Criada.")
    expect(page.locator(".approval.resolved")).to_contain_text("Aprovada")


def test_badge_dots_queue_and_tabs_agree_within_a_second(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    queue = page.context.new_page()
    queue.goto(f"{stage.url}/#/confirmations")
    expect(queue.get_by_role("heading", name="Aprovações")).to_be_visible()
    other = open_page(stage)
    begin(stage, page, calls("createTask", title="Em todo o lado"), says("Criada."))
    expect(waiting(page)).to_be_visible()
    id = page.url.rsplit("/", 1)[-1]
    other.goto(f"{stage.url}/#/c/{id}")
    soon = {"timeout": 1_000}
    for tab in (page, queue, other):
        mine = tab.locator(f".conversations a[href='#/c/{id}']")
        expect(mine.locator(".dot.warn")).to_be_visible(**soon)
    # Once decided it stands below, among what was decided before.
    card = queue.locator(".approval:not(.resolved)", has_text="Em todo o lado")
    expect(card).to_be_visible(**soon)
    expect(waiting(other)).to_be_visible()
    before = int(page.locator(".nav-badge").inner_text().split()[0])
    assert {tab.locator(".nav-badge").inner_text().split()[0] for tab in (queue, other)} == {
        str(before)
    }
    stage.call(
        "POST", f"/confirmations/{_id(stage, id)}", {"decision": "approve"}, by="admin@demo.com"
    )
    expect(card).to_have_count(0, **soon)
    for tab in (page, other):
        expect(answer(tab)).to_contain_text("Criada.", **soon)
    for tab in (page, queue, other):
        mine = tab.locator(f".conversations a[href='#/c/{id}']")
        expect(mine.locator(".dot")).to_have_count(0, **soon)
        badge = tab.locator(".nav-badge")
        if before == 1:
            expect(badge).to_have_count(0, **soon)
        else:
            expect(badge).to_contain_text(str(before - 1), **soon)


def _id(stage: Stage, conversation: str) -> str:
    """The confirmation that waits in this conversation."""
    queue = stage.call("GET", "/confirmations", by="admin@demo.com")
    [found] = [one["id"] for one in queue if one["conversation_id"] == conversation]
    return str(found)


def test_an_expired_call_says_so_and_was_not_made(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    begin(stage, page, calls("createTask", title="Tarde demais"), says("Não deu tempo."))
    expect(waiting(page)).to_be_visible()
    id = page.url.rsplit("/", 1)[-1]

    def age(db: Connection) -> None:
        ours = confirmations.c.conversation_id == id
        db.execute(update(confirmations).where(ours).values(expires_at=1.0))

    stage.wait(stage.app.state.bench.database.run(age))
    expect(answer(page)).to_contain_text("Não deu tempo.", timeout=25_000)
    expect(page.locator(".approval.resolved")).to_contain_text("Expirou")


def test_a_new_question_while_one_waits_goes_on_without_it(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage)
    begin(stage, page, calls("createTask", title="Esquecida"), says("Outra coisa."))
    expect(waiting(page)).to_be_visible()
    expect(page.get_by_text("Há uma decisão à espera")).to_be_visible()
    ask(page, "outra coisa")
    expect(answer(page)).to_contain_text("Outra coisa.")
    page.reload()
    expect(page.locator(".approval.resolved")).to_contain_text("Rejeitada")


def test_an_approval_is_announced(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage)
    begin(stage, page, calls("createTask", title="Ouvir"), says("Criada."))
    expect(page.locator("[aria-live=assertive]")).to_contain_text("Criar tarefa: Ouvir: espera")
