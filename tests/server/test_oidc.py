"""Signing in with a provider: a real one, in a process of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from bancada.domain.errors import SettingsError
from bancada.settings import load_settings
from bancada.store import identities, people
from tests.provider import OpenProvider, comes_back, open_provider
from tests.server.site import Site, served

ROLES = {"chefes": "admin", "qualidade": "responsavel", "linha": "operador"}
EVA = {"email": "eva@fora.pt", "email_verified": True, "name": "Eva", "groups": ["qualidade"]}


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenProvider]:
    with open_provider("casa", "outra") as opened:
        yield opened


@pytest.fixture(autouse=True)
def _says_the_truth(provider: OpenProvider) -> None:
    provider.says(accounts={"eva": EVA}, wrong=None, claims=None)


@asynccontextmanager
async def site_with(folder: Path, provider: OpenProvider, **given: Any) -> AsyncIterator[Site]:
    """The demo, where people may sign in with the provider too."""
    others = {name: given.pop(name) for name in ("local_passwords", "break_glass") if name in given}
    table = provider.settings(**{"roles": ROLES, **given})
    async with served(folder, oidc={"casa": table}, **others) as site:
        yield site


@pytest.fixture
async def with_provider(folder: Path, provider: OpenProvider) -> AsyncIterator[Site]:
    async with site_with(folder, provider) as site:
        yield site


async def back_to(site: Site, login: str = "eva", name: str = "casa") -> tuple[Any, str]:
    """A browser that the provider sends back, and where to."""
    browser = site.client()
    return browser, await comes_back(browser, f"/auth/oidc/{name}", login)


async def sign_in(site: Site, login: str = "eva") -> httpx.Response:
    browser, target = await back_to(site, login)
    answer: httpx.Response = await browser.get(target)
    answer.extensions["browser"] = browser
    return answer


async def token_of(answer: httpx.Response) -> str:
    """What the page does when it has arrived."""
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"] == "/#/arrived"
    renewed = await answer.extensions["browser"].post("/auth/refresh")
    assert renewed.status_code == 200, renewed.text
    return str(renewed.json()["token"])


async def me(site: Site, token: str) -> Any:
    return (await site.with_token(token).get("/me")).json()


# ---------------------------------------------------------------------------- the whole way


async def test_a_first_sign_in_makes_the_account_with_the_role_of_its_groups(
    with_provider: Site,
) -> None:
    token = await token_of(await sign_in(with_provider))
    who = await me(with_provider, token)
    assert (who["email"], who["name"], who["role"]) == ("eva@fora.pt", "Eva", "responsavel")
    assert who["organisation"]["id"] == 1
    sessions = (await with_provider.with_token(token).get("/me/sessions")).json()
    assert [one["how"] for one in sessions] == ["provider"]


async def test_a_second_sign_in_is_the_same_person(with_provider: Site) -> None:
    first = await me(with_provider, await token_of(await sign_in(with_provider)))
    second = await me(with_provider, await token_of(await sign_in(with_provider)))
    assert first["id"] == second["id"]


async def test_the_request_to_the_provider_has_pkce_a_state_and_a_nonce(
    with_provider: Site,
) -> None:
    answer = await with_provider.client().get("/auth/oidc/casa")
    asked = {
        name: one[0] for name, one in parse_qs(urlsplit(answer.headers["location"]).query).items()
    }
    assert asked["code_challenge_method"] == "S256"
    assert len(asked["code_challenge"]) == 43
    assert len({asked["state"], asked["nonce"], asked["code_challenge"]}) == 3
    assert asked["redirect_uri"] == f"{with_provider.address}/auth/oidc/casa/callback"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Path=/auth/oidc" in cookie


async def test_another_group_is_another_role_and_ends_what_the_old_one_opened(
    with_provider: Site, provider: OpenProvider
) -> None:
    before = await token_of(await sign_in(with_provider))
    provider.says(accounts={"eva": {**EVA, "groups": ["linha"]}})
    after = await token_of(await sign_in(with_provider))
    assert (await me(with_provider, after))["role"] == "operador"
    assert (await with_provider.with_token(before).get("/me")).status_code == 401
    provider.says(accounts={"eva": {**EVA, "groups": ["linha", "chefes"]}})
    assert (await me(with_provider, await token_of(await sign_in(with_provider))))[
        "role"
    ] == "admin"


async def test_who_is_in_no_group_any_more_is_out_everywhere(
    with_provider: Site, provider: OpenProvider
) -> None:
    before = await token_of(await sign_in(with_provider))
    provider.says(accounts={"eva": {**EVA, "groups": ["cantina"]}})
    refused = await sign_in(with_provider)
    assert refused.status_code == 403
    assert "groups" in refused.json()["detail"]
    assert (await with_provider.with_token(before).get("/me")).status_code == 401


async def test_a_disabled_account_stays_out_whatever_the_provider_says(
    with_provider: Site,
) -> None:
    who = await me(with_provider, await token_of(await sign_in(with_provider)))
    admin = await with_provider.signs_in("admin")
    await admin.patch(f"/admin/users/{who['id']}", {"is_active": False})
    assert (await sign_in(with_provider)).status_code == 403


# ---------------------------------------------------------------------------- what is refused


WRONG: list[tuple[str, Any, str]] = [
    ("signature", None, "not signed by it"),
    ("expired", None, "has expired"),
    ("none", None, "not signed by it"),
    ("secret", None, "not signed by it"),
    ("claims", {"iss": "https://evil.example"}, "does not come from"),
    ("claims", {"aud": "another client"}, "(aud)"),
    ("claims", {"aud": ["bancada", "another"]}, "(azp)"),
    ("claims", {"aud": ["bancada", "another"], "azp": "another"}, "(azp)"),
    ("claims", {"nonce": "of another sign-in"}, "(nonce)"),
    ("claims", {"sub": ""}, "(sub)"),
]


async def test_a_token_that_is_not_the_providers_for_this_sign_in_is_refused(
    with_provider: Site, provider: OpenProvider
) -> None:
    for wrong, claims, said in WRONG:
        provider.says(wrong=wrong, claims=claims)
        refused = await sign_in(with_provider)
        assert refused.status_code == 401, wrong
        assert said in refused.json()["detail"]
        assert "bancada_refresh" not in refused.headers.get("set-cookie", "")


async def test_keys_that_the_provider_exchanged_are_asked_for_again(
    with_provider: Site, provider: OpenProvider
) -> None:
    await token_of(await sign_in(with_provider))
    provider.says(wrong="rotated")
    await token_of(await sign_in(with_provider))


async def test_a_code_works_once(with_provider: Site) -> None:
    browser, target = await back_to(with_provider)
    cookie = browser.cookies.get("bancada_oidc")
    assert (await browser.get(target)).status_code == 303
    # Whoever saw all of it, the browser's cookie too, comes too late.
    thief = with_provider.client(Cookie=f"bancada_oidc={cookie}")
    again = await thief.get(target)
    assert again.status_code == 401
    assert "used already" in again.json()["detail"]


async def test_an_answer_for_another_browser_is_refused(with_provider: Site) -> None:
    _, target = await back_to(with_provider)
    other = with_provider.client()
    await other.get("/auth/oidc/casa")
    for browser in (with_provider.client(), other):
        assert (await browser.get(target)).status_code == 401


async def test_an_answer_that_says_another_issuer_or_none_is_refused(with_provider: Site) -> None:
    for issuer in ("https://evil.example", ""):
        browser, target = await back_to(with_provider)
        url = httpx.URL(target)
        changed = url.copy_set_param("iss", issuer) if issuer else url.copy_remove_param("iss")
        refused = await browser.get(str(changed))
        assert refused.status_code == 401
        assert "does not come from" in refused.json()["detail"]


async def test_an_answer_for_one_provider_is_none_for_another(
    folder: Path, provider: OpenProvider
) -> None:
    two = {name: provider.settings(roles=ROLES) for name in ("casa", "outra")}
    async with served(folder, oidc=two) as site:
        browser, target = await back_to(site)
        mixed = await browser.get(target.replace("/casa/", "/outra/"))
        assert mixed.status_code == 401
        ways = (await site.client().get("/auth/providers")).json()
        assert [one["name"] for one in ways["providers"]] == ["casa", "outra"]


async def test_a_provider_that_says_no_is_told_and_one_that_is_off_is_not_there(
    folder: Path, provider: OpenProvider
) -> None:
    async with site_with(folder, provider) as site:
        browser, target = await back_to(site)
        url = httpx.URL(target).copy_remove_param("code").copy_set_param("error", "access_denied")
        refused = await browser.get(str(url))
        assert refused.status_code == 401
        assert "access_denied" in refused.json()["detail"]
    async with site_with(folder, provider, enabled=False) as site:
        assert (await site.client().get("/auth/oidc/casa")).status_code == 404
        assert (await site.client().get("/auth/providers")).json()["providers"] == []


async def test_a_provider_that_describes_another_issuer_is_not_asked_anything(
    folder: Path, provider: OpenProvider
) -> None:
    table = provider.settings(issuer=f"{provider.issuer}/")
    async with served(folder, oidc={"casa": table}) as site:
        answer = await site.client().get("/auth/oidc/casa")
        assert answer.status_code == 502
        assert "another issuer" in answer.json()["detail"]


async def test_a_browser_that_is_refused_is_led_to_the_page_and_told_why(
    with_provider: Site, provider: OpenProvider
) -> None:
    provider.says(wrong="expired")
    browser, target = await back_to(with_provider)
    led = await browser.get(target, headers={"Accept": "text/html"})
    assert (led.status_code, led.headers["location"]) == (303, "/#/login")
    assert "has%20expired" in led.headers["set-cookie"]


# ---------------------------------------------------------------------------- whose account


@pytest.mark.parametrize(
    ("account", "settings", "status"),
    [
        ({"email": "rui@demo.com"}, {}, 303),
        ({"email": "rui@demo.com", "email_verified": False}, {}, 403),
        ({"email": "rui@demo.com", "email_verified": "true"}, {}, 403),
        ({"email": "rui@demo.com", "email_verified": False}, {"trust_email": True}, 303),
        ({"email": "rui@demo.com"}, {"join": False}, 403),
        ({"email": "rui@demo.com"}, {"organisation": "Segunda"}, 403),
        ({"email": "rui@demo.com"}, {"break_glass": "rui@demo.com"}, 403),
        ({"email": "nova@fora.pt"}, {"create": False}, 403),
        ({"email": "nova@fora.pt", "email_verified": False}, {}, 403),
        ({"email": ""}, {}, 403),
    ],
)
async def test_an_account_is_joined_or_made_only_by_the_rule(
    folder: Path, provider: OpenProvider, account: Any, settings: Any, status: int
) -> None:
    async with site_with(folder, provider, **settings) as site:
        await site.bench.database.run(people.add_organisation, "Segunda")
        provider.says(accounts={"eva": {**EVA, **account}})
        answer = await sign_in(site)
        assert answer.status_code == status, answer.text
        tied = await site.bench.database.read(identities.holder, provider.issuer, "eva")
        assert (tied is not None) == (status == 303)


async def test_an_account_that_has_a_subject_is_not_joined_by_another(
    with_provider: Site, provider: OpenProvider
) -> None:
    rui = {**EVA, "email": "rui@demo.com"}
    provider.says(accounts={"first": rui, "second": rui})
    assert (await sign_in(with_provider, "first")).status_code == 303
    assert (await sign_in(with_provider, "second")).status_code == 403


async def test_groups_choose_the_organisation(folder: Path, provider: OpenProvider) -> None:
    places = {"f1": 1, "f2": "Segunda"}
    async with site_with(folder, provider, organisations=places) as site:
        second = await site.bench.database.run(people.add_organisation, "Segunda")
        provider.says(accounts={"eva": {**EVA, "groups": ["qualidade", "f2"]}})
        who = await me(site, await token_of(await sign_in(site)))
        assert who["organisation"]["id"] == second
        for groups in (["qualidade"], ["qualidade", "f1"]):
            provider.says(accounts={"eva": {**EVA, "groups": groups}})
            assert (await sign_in(site)).status_code == 403
        both = {**EVA, "email": "nova@fora.pt", "groups": ["qualidade", "f1", "f2"]}
        provider.says(accounts={"nova": both})
        assert (await sign_in(site, "nova")).status_code == 403


async def test_without_a_map_roles_stay_a_local_matter(
    folder: Path, provider: OpenProvider
) -> None:
    async with site_with(folder, provider, roles={}, default_role="responsavel") as site:
        who = await me(site, await token_of(await sign_in(site)))
        assert who["role"] == "responsavel"
        admin = await site.signs_in("admin")
        await admin.patch(f"/admin/users/{who['id']}", {"role": "operador"})
        assert (await me(site, await token_of(await sign_in(site))))["role"] == "operador"


# ---------------------------------------------------------------------------- going out


async def test_signing_out_leads_to_the_providers_own_end(
    with_provider: Site, provider: OpenProvider
) -> None:
    answer = await sign_in(with_provider)
    token = await token_of(answer)
    browser = answer.extensions["browser"]
    out = await browser.post("/auth/logout")
    assert out.status_code == 200
    url = httpx.URL(out.json()["provider"])
    assert str(url).startswith(f"{provider.issuer}/session/end?")
    assert url.params["client_id"] == "bancada"
    assert url.params["id_token_hint"].count(".") == 2
    assert (await with_provider.with_token(token).get("/me")).status_code == 401
    # The provider takes it: it asks whether to sign out, and knows where to lead back to.
    asked = await browser.get(str(url))
    assert asked.status_code == 200
    assert "logout" in asked.text
    plain = await with_provider.signs_in("rui")
    assert (await plain.post("/auth/logout")).status_code == 204


# ---------------------------------------------------------------------------- on record


async def test_what_a_provider_did_is_in_the_audit(
    with_provider: Site, provider: OpenProvider
) -> None:
    await token_of(await sign_in(with_provider))
    provider.says(accounts={"eva": {**EVA, "groups": ["linha"]}})
    await token_of(await sign_in(with_provider))
    provider.says(wrong="expired")
    await sign_in(with_provider)
    admin = await with_provider.signs_in("admin")
    asked = {"category": "administration", "limit": 100}
    entries = (await admin.get("/admin/audit", params=asked)).json()["entries"]
    did = [(one["action"], one.get("provider"), one["via"]) for one in entries]
    assert ("person_added", None, "provider") in did
    assert ("identity_tied", "casa", "provider") in did
    assert ("signed_in", "casa", "web") in did
    assert ("person_changed", None, "provider") in did
    assert ("session_ended", None, "provider") in did
    failed = next(one for one in entries if one["action"] == "sign_in_failed")
    assert failed["why"] == "provider_token_expired"
    assert not any("eyJ" in str(one) for one in entries)


# ---------------------------------------------------------------------------- passwords off


async def test_with_passwords_off_only_the_break_glass_account_has_one(
    folder: Path, provider: OpenProvider
) -> None:
    off = {"local_passwords": False, "break_glass": "Admin@demo.com"}
    async with site_with(folder, provider, **off) as site:
        said = set()
        for email, password in (
            ("rui@demo.com", "rui123"),
            ("admin@demo.com", "wrong"),
            ("nobody@demo.com", "wrong"),
        ):
            answer = await site.client().post(
                "/auth/login", json={"email": email, "password": password}
            )
            assert answer.status_code == 401
            said.add(answer.json()["detail"])
        assert len(said) == 1, "the words tell which account has a password"
        admin = await site.signs_in("admin")
        assert (await site.client().get("/auth/providers")).json()["passwords"] is False
        assert (await admin.post("/admin/users/2/link")).status_code == 409
        new = {"email": "nova@demo.com"}
        assert (await admin.post("/admin/users", new)).json()["link"] is None
        with_password = {"email": "outra@demo.com", "password": "correct horse battery"}
        assert (await admin.post("/admin/users", with_password)).status_code == 409
        eva = site.with_token(await token_of(await sign_in(site)))
        body = {"current": "any", "new": "correct horse battery"}
        assert (await eva.post("/me/password", body)).status_code == 409


async def test_a_link_that_was_sent_before_passwords_were_switched_off_does_nothing(
    folder: Path, provider: OpenProvider
) -> None:
    async with site_with(folder, provider) as site:
        admin = await site.signs_in("admin")
        link = (await admin.post("/admin/users/2/link")).json()["link"].split("/")[-1]
    off = {"local_passwords": False, "break_glass": "admin@demo.com"}
    async with site_with(folder, provider, **off) as site:
        body = {"password": "correct horse battery"}
        assert (await site.client().post(f"/auth/links/{link}", json=body)).status_code == 409


async def test_switching_passwords_off_ends_what_they_opened(
    folder: Path, provider: OpenProvider
) -> None:
    async with site_with(folder, provider) as site:
        tokens = {
            name: (await site.signs_in(name)).client.headers["Authorization"]
            for name in ("rui", "admin")
        }
        eva = await token_of(await sign_in(site))
    off = {"local_passwords": False, "break_glass": "admin@demo.com"}
    async with site_with(folder, provider, **off) as site:
        codes = {
            name: (await site.client(Authorization=token).get("/me")).status_code
            for name, token in (*tokens.items(), ("eva", f"Bearer {eva}"))
        }
        assert codes == {"rui": 401, "admin": 200, "eva": 200}


async def test_an_administrator_tests_a_provider_before_it_is_switched_on(
    folder: Path, provider: OpenProvider
) -> None:
    tables = {
        "casa": provider.settings(enabled=False, roles=ROLES),
        "segredo": provider.settings(client_secret="another one", organisation="Nenhuma"),
        "longe": provider.settings(issuer="http://127.0.0.1:9"),
    }
    async with served(folder, oidc=tables, break_glass="admin@demo.com") as site:
        admin = await site.signs_in("admin")
        ways = (await admin.get("/admin/sign-in")).json()
        assert [one["name"] for one in ways["providers"]] == ["casa", "segredo", "longe"]
        assert ways["break_glass"]["status"] == "ok"
        assert ways["scim"] == f"{site.address}/scim/v2"
        system = (await admin.get("/system")).json()["findings"]
        looked = {one["name"]: one["status"] for one in system}
        assert (looked["sign-in casa"], looked["sign-in longe"]) == ("note", "ok")
        assert looked["break glass"] == "ok"
        assert "another one" not in str(ways)

        async def findings(name: str, state: str) -> str:
            answer = await admin.post(f"/admin/sign-in/{name}/test")
            assert answer.status_code == 200, answer.text
            found = answer.json()["findings"]
            return " ".join(one["says"] for one in found if one["status"] == state)

        assert await findings("casa", "missing") == ""
        assert "aceita o seu segredo" in await findings("casa", "ok")
        assert "enabled = true" in await findings("casa", "note")
        wrong = await findings("segredo", "missing")
        assert "Nenhuma" in wrong
        assert "Não aceita o identificador do cliente" in wrong
        assert "127.0.0.1:9" in await findings("longe", "missing")


def test_passwords_cannot_be_switched_off_for_everybody(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="break_glass"):
        load_settings(data=tmp_path, environment={"BANCADA_LOCAL_PASSWORDS": "false"})


def test_a_providers_secret_may_stand_in_the_environment(tmp_path: Path) -> None:
    (tmp_path / "bancada.toml").write_text(
        '[oidc.a-casa]\nissuer = "https://id.example.com"\nclient_id = "b"\n'
    )
    env = {"BANCADA_OIDC_A_CASA_CLIENT_SECRET": "s", "BANCADA_ALLOWED_HOSTS": "a.pt, b.pt"}
    settings = load_settings(data=tmp_path, environment=env)
    assert settings.oidc["a-casa"].client_secret == "s"
    assert settings.allowed_hosts == ["a.pt", "b.pt"]
    assert "'s'" not in repr(settings)


@pytest.mark.parametrize(
    "line", ['issuer = "http://id.example.com"', 'issuer = "id.example.com"', 'issuer = ""']
)
def test_an_issuer_that_is_not_https_stops_the_start(tmp_path: Path, line: str) -> None:
    (tmp_path / "bancada.toml").write_text(f'[oidc.casa]\n{line}\nclient_id = "b"\n')
    with pytest.raises(SettingsError, match="https"):
        load_settings(data=tmp_path, environment={})
