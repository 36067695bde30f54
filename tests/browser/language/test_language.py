"""Portuguese and English, light and dark, kept for the next visit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.stage import Stage


@pytest.fixture
def in_portuguese(stage: Stage) -> Iterator[None]:
    yield
    stage.call("PATCH", "/me", {"language": "pt"}, by="rui@demo.com")


@pytest.mark.usefixtures("in_portuguese")
def test_switching_the_language_changes_the_page_and_the_servers_sentences(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, by="rui@demo.com")
    expect(page.get_by_role("heading", name="Olá, Rui")).to_be_visible()
    page.get_by_role("button", name="Conta de Rui").click()
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_role("menuitemradio", name="English").click()
    expect(page.get_by_role("heading", name="Hello, Rui")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "en"
    assert stage.call("GET", "/me", by="rui@demo.com")["language"] == "en"
    page.reload()
    expect(page.get_by_role("heading", name="Hello, Rui")).to_be_visible()


@pytest.mark.usefixtures("in_portuguese")
def test_a_language_chosen_before_signing_in_is_kept(stage: Stage, open_page: OpenPage) -> None:
    page = open_page(stage, by=None)
    page.get_by_role("button", name="English").click()
    page.get_by_label("Email").fill("rui@demo.com")
    page.get_by_label("Password").fill("rui123")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Hello, Rui")).to_be_visible()
    assert stage.call("GET", "/me", by="rui@demo.com")["language"] == "en"


def test_a_chosen_theme_outlives_a_reload_and_the_systems_is_followed_otherwise(
    stage: Stage, open_page: OpenPage
) -> None:
    page = open_page(stage, color_scheme="dark")
    background = "getComputedStyle(document.body).backgroundColor"
    expect(page.locator(".agents")).to_be_visible()
    dark = page.evaluate(background)
    page.get_by_role("button", name="Conta de").click()
    page.get_by_role("menuitemradio", name="Claro").click()
    light = page.evaluate(background)
    assert light != dark
    page.reload()
    assert page.evaluate(background) == light
