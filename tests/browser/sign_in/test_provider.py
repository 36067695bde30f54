"""Signing in with the organisation's own provider, and out of it again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, staged
from tests.browser.stage import Stage
from tests.provider import OpenProvider, open_provider

EVA = {"email": "eva@fora.pt", "email_verified": True, "name": "Eva", "groups": ["qualidade"]}


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenProvider]:
    with open_provider("casa") as opened:
        yield opened


@pytest.fixture(scope="module")
def with_provider(
    tmp_path_factory: pytest.TempPathFactory, provider: OpenProvider
) -> Iterator[Stage]:
    table = provider.settings(label="Fábrica Norte", roles={"qualidade": "responsavel"})
    with staged(tmp_path_factory.mktemp("oidc"), scripted=False, oidc={"casa": table}) as stage:
        yield stage


def sign_in_there(page: Page) -> None:
    page.get_by_role("link", name="Entrar com Fábrica Norte").click()
    page.get_by_placeholder("Enter any login").fill("eva")
    page.get_by_placeholder("and password").fill("any")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()


def test_a_person_signs_in_with_their_provider_and_out_of_it(
    with_provider: Stage, provider: OpenProvider, open_page: OpenPage
) -> None:
    provider.says(accounts={"eva": EVA}, wrong=None)
    page = open_page(with_provider, "#/dashboards", by=None, beside=(provider.issuer,))
    sign_in_there(page)
    # Where they wanted to go is where they are, and the address shows nothing of the way.
    expect(page.get_by_role("heading", name="Painéis", exact=True)).to_be_visible()
    assert page.url == f"{with_provider.url}/#/dashboards"
    page.reload()
    expect(page.get_by_role("heading", name="Painéis", exact=True)).to_be_visible()

    page.get_by_role("button", name="Conta de").click()
    page.get_by_role("menuitem", name="Sair").click()
    page.get_by_role("button", name="Yes, sign me out").click()
    expect(page.get_by_role("link", name="Entrar com Fábrica Norte")).to_be_visible()
    assert page.url.startswith(with_provider.url)
    # The provider asks again who it is: its own session is over too.
    page.get_by_role("link", name="Entrar com Fábrica Norte").click()
    expect(page.get_by_placeholder("Enter any login")).to_be_visible()


def test_who_is_refused_is_told_why_on_the_sign_in_page(
    with_provider: Stage, provider: OpenProvider, open_page: OpenPage
) -> None:
    provider.says(accounts={"eva": {**EVA, "groups": ["cantina"]}})
    page = open_page(with_provider, by=None, beside=(provider.issuer,))
    sign_in_there(page)
    expect(page.get_by_text("Nenhum dos seus grupos pode usar isto.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="Entrar com Fábrica Norte")).to_be_visible()
    expect(page.get_by_text("Nenhum dos seus grupos pode usar isto.")).to_have_count(0)


def test_an_administrator_tests_the_provider_on_its_page(
    with_provider: Stage, open_page: OpenPage
) -> None:
    page = open_page(with_provider, "#/admin/sign-in")
    page.get_by_role("button", name="Testar: Fábrica Norte").click()
    expect(page.get_by_text("Conhece o cliente e aceita o seu segredo.")).to_be_visible()
    expect(page.get_by_label("Endereço do diretório")).to_have_value(f"{with_provider.url}/scim/v2")
