"""What a person does on the page, in one line each."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.stage import Stage


def conversation(page: Page, stage: Stage, agent: str, *, by: str = "admin@demo.com") -> str:
    """Open a new conversation with an agent."""
    id = stage.conversation(agent, by=by)
    page.goto(f"{stage.url}/#/c/{id}")
    expect(page.locator(".composer textarea")).to_be_visible()
    return id


def ask(page: Page, question: str) -> None:
    """Type a question and send it."""
    box = page.locator(".composer textarea")
    box.fill(question)
    box.press("Enter")


def answer(page: Page) -> Locator:
    """The last answer."""
    return page.locator(".answer").last


def finished(page: Page) -> Locator:
    """The last answer, once its turn is over or waits."""
    last = answer(page)
    expect(last).to_have_attribute("aria-busy", "false")
    return last


def settled(page: Page) -> None:
    """What the page shows is loaded; the network is never quiet, for one stream stays open."""
    page.wait_for_load_state("load")
    expect(page.locator(".loading, .spinner")).to_have_count(0)
    page.wait_for_timeout(300)
