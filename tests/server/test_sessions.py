"""Sessions: a sign-in is a row; whoever ends it ends what was signed for it, streams included."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx
import jwt
import pytest
from sqlalchemy import text

from bancada.server import tickets
from bancada.server.routes import account
from bancada.server.routes.sessions import device_of
from bancada.server.tickets import COOKIE
from bancada.testing import Hold, ScriptedModel, says
from tests.server.site import Reader, Site, served
from tests.server.world import World

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


async def page(site: Site, person: str = "rui", **headers: str) -> httpx.AsyncClient:
    """A browser that has signed in: the cookie in its jar, the token in its header."""
    browser = site.client(**headers)
    body = {"email": f"{person}@demo.com", "password": f"{person}123", "cookie": True}
    answer = await browser.post("/auth/login", json=body)
    assert answer.status_code == 200, answer.text
    browser.headers["Authorization"] = f"Bearer {answer.json()['token']}"
    return browser


async def newest(site: Site, action: str) -> dict[str, Any]:
    admin = await site.signs_in("admin")
    lines = (await admin.get("/admin/audit", params={"category": "sign_in", "limit": 200})).json()
    return next(line for line in lines["entries"] if line["action"] == action)


async def test_a_session_is_listed_with_its_device_and_ended_by_its_owner(site: Site) -> None:
    browser = await page(site, **{"User-Agent": FIREFOX})
    other = await site.signs_in("rui")
    mine = (await browser.get("/me/sessions")).json()
    assert [one["current"] for one in mine].count(True) == 1
    this = next(one for one in mine if one["current"])
    assert (this["device"], this["how"], this["address"]) == (
        "Firefox · Linux",
        "password",
        "127.0.0.1",
    )
    assert (await other.delete(f"/me/sessions/{this['id']}")).status_code == 204
    assert (await browser.get("/me")).status_code == 401
    assert (await other.get("/me")).status_code == 200
    assert (await other.delete(f"/me/sessions/{this['id']}")).status_code == 404
    line = await newest(site, "session_ended")
    assert (line["about"], line["reason"], line["device"]) == (
        "rui@demo.com",
        "owner",
        "Firefox · Linux",
    )


async def test_all_sessions_are_ended_at_once_with_or_without_the_one_that_asks(
    site: Site,
) -> None:
    one, two = await site.signs_in("rui"), await site.signs_in("rui")
    assert (await one.delete("/me/sessions", params={"others": True})).status_code == 204
    assert (await two.get("/me")).status_code == 401
    assert (await one.get("/me")).status_code == 200
    assert (await one.delete("/me/sessions")).status_code == 204
    assert (await one.get("/me")).status_code == 401


async def test_an_administrator_sees_and_ends_the_sessions_of_their_own_people(site: Site) -> None:
    world = await World.of(site)
    path = "/admin/users/2/sessions"
    assert (await world.eva.get(path)).status_code == 404
    shown = (await world.admin.get(path)).json()
    assert len(shown) == 1
    assert (await world.admin.delete(f"{path}/{shown[0]['id']}")).status_code == 204
    assert (await world.rui.get("/me")).status_code == 401
    again = await site.signs_in("rui")
    assert (await world.admin.delete(path)).status_code == 204
    assert (await again.get("/me")).status_code == 401


async def test_a_new_password_ends_every_other_session(site: Site) -> None:
    here, there = await site.signs_in("rui"), await site.signs_in("rui")
    body = {"current": "rui123", "new": "a new secret"}
    assert (await here.post("/me/password", body)).status_code == 204
    assert (await here.get("/me")).status_code == 200
    assert (await there.get("/me")).status_code == 401


async def test_a_password_set_by_a_link_ends_every_session_and_a_newer_link_kills_the_older(
    site: Site,
) -> None:
    world = await World.of(site)
    older = (await world.admin.post("/admin/users/2/link")).json()["link"].rsplit("/", 1)[1]
    newer = (await world.admin.post("/admin/users/2/link")).json()["link"].rsplit("/", 1)[1]
    nobody = site.client()
    assert (await nobody.get(f"/auth/links/{older}")).status_code == 404
    used = await nobody.post(f"/auth/links/{newer}", json={"password": "another one"})
    assert used.status_code == 200
    assert (await world.rui.get("/me")).status_code == 401
    assert (await site.with_token(used.json()["token"]).get("/me")).status_code == 200


async def test_a_link_lives_an_hour_and_dies_with_the_account(site: Site) -> None:
    world = await World.of(site)
    token = (await world.admin.post("/admin/users/2/link")).json()["link"].rsplit("/", 1)[1]

    def left(db: Any) -> float:
        query = text("SELECT max(expires_at) FROM one_time_links WHERE user_id = 2")
        return float(db.execute(query).scalar()) - time.time()

    assert 3500 < await site.bench.database.read(left) <= 3600
    await world.admin.patch("/admin/users/2", {"is_active": False})
    assert (await site.client().get(f"/auth/links/{token}")).status_code == 404


async def test_an_ended_session_closes_its_open_streams_and_no_others(folder: Any) -> None:
    hold = Hold()
    async with served(folder, model=ScriptedModel([says("um dois")], gate=hold)) as site:
        here, there = await site.signs_in("rui"), await site.signs_in("rui")
        await here.begins("Qualidade")
        there.conversation = here.conversation
        ended = next(one["id"] for one in (await here.get("/me/sessions")).json() if one["current"])
        async with here.asking("olá") as frames, there.following() as others:
            assert (await frames.next()).type == "turn"
            assert (await others.next()).type == "turn"
            await there.delete(f"/me/sessions/{ended}")
            rest = [event async for event in frames]
            assert "done" not in [event.type for event in rest]
            hold.open()
            assert [event.type async for event in others][-1] == "done"


async def test_a_token_from_before_sessions_is_refused_with_a_sentence(site: Site) -> None:
    claims = {"user_id": 2, "nome": "Rui", "role": "responsavel", "exp": int(time.time()) + 600}
    answer = await site.with_token(jwt.encode(claims, site.app.state.secret, "HS256")).get("/me")
    assert answer.status_code == 401
    assert "before sessions" in answer.json()["detail"]


async def test_a_token_is_worth_nothing_with_another_session_than_its_own(site: Site) -> None:
    rui = await site.signs_in("rui")
    session = (await rui.get("/me/sessions")).json()[0]["id"]
    claims = {"user_id": 1, "exp": int(time.time()) + 600, "sid": session}
    forged = site.with_token(jwt.encode(claims, site.app.state.secret, "HS256"))
    assert (await forged.get("/me")).status_code == 401


# ---------------------------------------------------------------------------- the page's cookie


async def test_the_page_has_a_ten_minute_token_and_a_cookie_no_script_can_read(site: Site) -> None:
    answer = await site.client().post(
        "/auth/login", json={"email": "rui@demo.com", "password": "rui123", "cookie": True}
    )
    assert set(answer.json()) == {"token", "name", "nome", "role"}
    claims = jwt.decode(answer.json()["token"], site.app.state.secret, ["HS256"])
    assert 590 < claims["exp"] - time.time() <= 601
    cookie = answer.headers["set-cookie"].lower()
    assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/auth"))
    assert "secure" not in cookie
    behind_tls = await site.client(**{"X-Forwarded-Proto": "https"}).post(
        "/auth/login", json={"email": "rui@demo.com", "password": "rui123", "cookie": True}
    )
    assert "secure" in behind_tls.headers["set-cookie"].lower()


async def test_whoever_asks_for_no_cookie_gets_none(site: Site) -> None:
    body = {"email": "rui@demo.com", "password": "rui123"}
    answer = await site.client().post("/auth/login", json=body)
    assert "set-cookie" not in answer.headers
    assert (await site.client().post("/auth/refresh")).status_code == 401


async def test_a_cookie_is_exchanged_for_the_next_and_one_that_comes_back_ends_the_session(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await page(site)
    first = browser.cookies[COOKIE]
    renewed = await browser.post("/auth/refresh")
    assert renewed.status_code == 200
    second = browser.cookies[COOKIE]
    assert second != first
    # A second tab that asked at the same moment is answered with the same next one.
    tab = site.client()
    tab.cookies.set(COOKIE, first)
    assert (await tab.post("/auth/refresh")).status_code == 200
    assert second in [cookie.value for cookie in tab.cookies.jar]
    monkeypatch.setattr(tickets, "GRACE_SECONDS", 0.0)
    thief = site.client()
    thief.cookies.set(COOKIE, first)
    refused = await thief.post("/auth/refresh")
    assert refused.status_code == 401
    assert "somewhere else" in refused.json()["detail"]
    assert (await browser.get("/me")).status_code == 401
    assert (await browser.post("/auth/refresh")).status_code == 401
    line = await newest(site, "refresh_reused")
    assert (line["about"], line["outcome"]) == ("rui@demo.com", "failed")


@pytest.mark.parametrize("value", ["", "x", "0" * 32 + ".0." + "0" * 64])
async def test_a_cookie_that_is_none_of_ours_is_refused(site: Site, value: str) -> None:
    browser = site.client()
    browser.cookies.set(COOKIE, value)
    assert (await browser.post("/auth/refresh")).status_code == 401


async def test_another_page_of_the_same_site_cannot_use_the_cookie(site: Site) -> None:
    browser = await page(site)
    for path in ("/auth/refresh", "/auth/logout"):
        answer = await browser.post(path, headers={"Sec-Fetch-Site": "same-site"})
        assert answer.status_code == 403
    assert (await browser.get("/me")).status_code == 200


async def test_signing_out_ends_the_session_by_cookie_or_by_token(site: Site) -> None:
    browser = await page(site)
    del browser.headers["Authorization"]
    token = (await browser.post("/auth/refresh")).json()["token"]
    out = await browser.post("/auth/logout")
    assert out.status_code == 204
    assert COOKIE not in browser.cookies
    assert (await site.with_token(token).get("/me")).status_code == 401
    program: Reader = await site.signs_in("rui")
    assert (await program.post("/auth/logout")).status_code == 204
    assert (await program.get("/me")).status_code == 401
    assert (await newest(site, "signed_out"))["about"] == "rui@demo.com"


@pytest.mark.parametrize(
    ("said", "device"),
    [
        (FIREFOX, "Firefox · Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
            "Edge · Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 "
            "(KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
            "Safari · iPhone",
        ),
        ("curl/8.14.1", "curl"),
        ("", ""),
    ],
)
def test_a_device_is_named_by_browser_and_system(said: str, device: str) -> None:
    assert device_of(said) == device


async def test_who_knew_the_old_password_does_not_undo_that_it_was_changed(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, stolen = [await site.signs_in("rui") for _ in range(2)]
    hashing, changed = asyncio.Event(), asyncio.Event()
    hash_password = account.hash_password

    async def slowly(password: str, *, cost: int) -> str:
        if password == "frase-do-ladrao":
            hashing.set()
            await changed.wait()
        return await hash_password(password, cost=cost)

    monkeypatch.setattr(account, "hash_password", slowly)
    theirs = {"current": "rui123", "new": "frase-do-ladrao"}
    thief = asyncio.create_task(stolen.post("/me/password", theirs))
    await asyncio.wait_for(hashing.wait(), 10)
    mine = {"current": "rui123", "new": "outra-frase-longa"}
    assert (await own.post("/me/password", mine)).status_code == 204
    changed.set()

    assert (await thief).status_code == 403
    await site.signs_in("rui", "outra-frase-longa")
