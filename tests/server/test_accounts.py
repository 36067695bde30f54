"""Signing in, losing access, keys and one-time links."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
import jwt

from bancada.server.signins import MOST_PER_PAIR
from bancada.store import keys
from tests.server.site import Site, served
from tests.server.world import World


async def sign_in(site: Site, email: str, password: str) -> httpx.Response:
    return await site.client().post("/auth/login", json={"email": email, "password": password})


# ---------------------------------------------------------------------------- signing in


async def test_a_token_says_who_for_eight_hours(site: Site) -> None:
    answer = await sign_in(site, "Rui@Demo.com ", "rui123")
    assert answer.status_code == 200
    body = answer.json()
    assert set(body) == {"token", "name", "nome", "role"}
    assert (body["name"], body["nome"], body["role"]) == ("Rui", "Rui", "responsavel")
    claims = jwt.decode(body["token"], site.app.state.secret, ["HS256"])
    assert set(claims) == {"user_id", "nome", "role", "exp", "sid"}
    assert claims["user_id"] == 2
    left = claims["exp"] - time.time()
    assert 7.9 * 3600 < left <= 8 * 3600


async def test_a_wrong_password_and_an_unknown_address_are_told_alike(site: Site) -> None:
    wrong = await sign_in(site, "rui@demo.com", "rui124")
    unknown = await sign_in(site, "nobody@demo.com", "rui123")
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()


async def test_only_failed_sign_ins_count_toward_the_throttle(site: Site) -> None:
    for _ in range(3 * MOST_PER_PAIR):
        assert (await sign_in(site, "rui@demo.com", "rui123")).status_code == 200
    for _ in range(MOST_PER_PAIR - 1):
        assert (await sign_in(site, "rui@demo.com", "wrong")).status_code == 401
    # The right one still counts, and wipes the slate.
    assert (await sign_in(site, "rui@demo.com", "rui123")).status_code == 200
    for _ in range(MOST_PER_PAIR):
        assert (await sign_in(site, "rui@demo.com", "wrong")).status_code == 401
    refused = await sign_in(site, "rui@demo.com", "rui123")
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    # Others may still sign in from the same place.
    assert (await sign_in(site, "ana@demo.com", "ana123")).status_code == 200


async def test_tokens_live_as_long_as_the_settings_say_and_survive_a_restart(
    folder: Path,
) -> None:
    async with served(folder) as site:
        token = (await sign_in(site, "rui@demo.com", "rui123")).json()["token"]
        secret = folder / "data" / "jwt-secret"
        assert secret.stat().st_mode & 0o777 == 0o600
        assert len(secret.read_text()) >= 43
    async with served(folder) as site:
        assert (await site.with_token(token).get("/me")).status_code == 200
    async with served(folder, jwt_secret="x" * 40) as site:
        assert (await site.with_token(token).get("/me")).status_code == 401


async def test_a_token_without_an_end_or_with_another_algorithm_is_none(site: Site) -> None:
    secret = site.app.state.secret
    for forged in (
        jwt.encode({"user_id": 1}, secret, "HS256"),
        jwt.encode({"user_id": 1, "exp": 4e9}, "", "none"),
        jwt.encode({"user_id": "1", "exp": 4e9}, secret, "HS256"),
        jwt.encode({"user_id": True, "exp": 4e9}, secret, "HS256"),
        jwt.encode({"exp": 4e9}, secret, "HS256"),
        jwt.encode({"user_id": 2**70, "exp": 4e9}, secret, "HS256"),
    ):
        assert (await site.with_token(forged).get("/me")).status_code == 401, forged


# ---------------------------------------------------------------------------- losing access


async def test_a_disabled_person_is_out_at_once_with_token_key_and_password(site: Site) -> None:
    world = await World.of(site)
    key = (await world.admin.post("/admin/keys", {"user": "rui@demo.com"})).json()["key"]
    by_key = site.client(**{"X-API-Key": key})
    assert (await by_key.get("/me")).status_code == 200
    await world.admin.patch("/admin/users/2", {"is_active": False})
    assert (await world.rui.get("/me")).status_code == 401
    assert (await by_key.get("/me")).status_code == 401
    assert (await sign_in(site, "rui@demo.com", "rui123")).status_code == 401
    await world.admin.patch("/admin/users/2", {"is_active": True})
    # What was ended stays ended; the key is theirs again.
    assert (await world.rui.get("/me")).status_code == 401
    assert (await by_key.get("/me")).status_code == 200


async def test_another_role_ends_every_session_and_holds_for_keys_at_once(site: Site) -> None:
    world = await World.of(site)
    key = (await world.admin.post("/admin/keys", {"user": "rui@demo.com"})).json()["key"]
    by_key = site.client(**{"X-API-Key": key})
    assert (await by_key.get("/admin/users")).status_code == 403
    await world.admin.patch("/admin/users/2", {"role": "admin"})
    assert (await world.rui.get("/me")).status_code == 401
    assert (await by_key.get("/admin/users")).status_code == 200
    again = await site.signs_in("rui")
    assert (await again.get("/admin/users")).status_code == 200
    await world.admin.patch("/admin/users/2", {"role": "operador"})
    assert (await again.get("/admin/users")).status_code == 401
    assert (await by_key.get("/admin/users")).status_code == 403


async def test_an_agent_taken_away_is_gone_for_the_next_question(site: Site) -> None:
    world = await World.of(site)
    await world.conversation()
    await world.admin.patch("/admin/users/2", {"agents": ["Análise"]})
    agents = (await world.rui.get("/agents")).json()
    assert [agent["name"] for agent in agents] == ["Análise"]
    path = f"/conversations/{world.rui.conversation}"
    assert (await world.rui.post(f"{path}/messages", {"content": "olá"})).status_code == 403
    assert (await world.rui.get(path)).status_code == 200
    refused = await world.rui.post("/conversations", {"agent": "Qualidade"})
    assert refused.status_code == 403
    assert (await world.rui.post("/conversations", {"agent": "Nenhum"})).status_code == 404


# ---------------------------------------------------------------------------- keys


async def test_a_key_is_shown_once_kept_as_a_hash_and_revoked_at_once(site: Site) -> None:
    admin = await site.signs_in("admin")
    made = (await admin.post("/admin/keys", {"user": 2, "name": "noite"})).json()
    key = made["key"]
    assert key.startswith(made["prefix"])
    listed = (await admin.get("/admin/keys")).json()
    assert [k["name"] for k in listed] == ["noite"]
    assert key not in (await admin.get("/admin/keys")).text
    database = Path(site.bench.settings.data / "bancada.db").read_bytes()
    assert key.encode() not in database
    for headers in ({"X-API-Key": key}, {"Authorization": f"Bearer {key}"}):
        answer = await site.client(**headers).get("/me")
        assert answer.json()["email"] == "rui@demo.com"
    used = (await admin.get(f"/admin/keys/{made['id']}")).json()
    assert used["last_used_at"] is not None
    assert (await admin.delete(f"/admin/keys/{made['id']}")).status_code == 204
    assert (await site.client(**{"X-API-Key": key}).get("/me")).status_code == 401
    assert (await admin.get(f"/admin/keys/{made['id']}")).status_code == 404
    kept = (await admin.get("/admin/keys", params={"revoked": True})).json()
    assert kept[0]["revoked_at"] is not None


# ---------------------------------------------------------------------------- one-time links


async def test_a_new_person_sets_a_password_by_a_link_once(site: Site) -> None:
    admin = await site.signs_in("admin")
    made = (await admin.post("/admin/users", {"email": "nova@demo.com"})).json()
    token = made["link"].removeprefix("/#/setup/")
    nobody = site.client()
    path = f"/auth/links/{token}"
    assert (await nobody.get(path)).json() == {"purpose": "password", "email": "nova@demo.com"}
    assert (await nobody.post(path, json={"password": "short"})).status_code == 422
    used = await nobody.post(path, json={"password": "long enough"})
    assert used.status_code == 200
    assert (await site.with_token(used.json()["token"]).get("/me")).status_code == 200
    for again in (
        await nobody.get(path),
        await nobody.post(path, json={"password": "another one"}),
    ):
        assert again.status_code == 404
    assert (await sign_in(site, "nova@demo.com", "long enough")).status_code == 200
    assert (
        "link" not in (await admin.get(f"/admin/users/{made['id']}")).json()
        or (await admin.get(f"/admin/users/{made['id']}")).json()["link"] is None
    )


async def test_a_link_runs_out(site: Site) -> None:
    token = await site.bench.database.run(keys.add_link, "password", user_id=2, seconds=-1.0)
    assert (await site.client().get(f"/auth/links/{token}")).status_code == 404


async def test_the_first_administrator_is_made_by_a_link_and_only_the_first(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, demo=False) as site:
        database = site.bench.database
        older = await database.run(keys.add_link, "administrator", user_id=None, seconds=60.0)
        first = await database.run(keys.add_link, "administrator", user_id=None, seconds=60.0)
        nobody = site.client()
        assert (await nobody.get(f"/auth/links/{older}")).status_code == 404
        without = await nobody.post(f"/auth/links/{first}", json={"password": "long enough"})
        assert without.status_code == 422
        body = {"password": "long enough", "email": "eva@example.com", "name": "Eva"}
        made = await nobody.post(f"/auth/links/{first}", json=body)
        assert made.status_code == 200
        me = (await site.with_token(made.json()["token"]).get("/me")).json()
        assert (me["role"], me["email"]) == ("admin", "eva@example.com")
        second = await database.run(keys.add_link, "administrator", user_id=None, seconds=60.0)
        late = await nobody.post(
            f"/auth/links/{second}", json={**body, "email": "mallory@example.com"}
        )
        assert late.status_code == 410


async def test_a_password_is_changed_by_who_knows_the_old_one(site: Site) -> None:
    rui = await site.signs_in("rui")
    wrong = await rui.post("/me/password", {"current": "nope", "new": "a new secret"})
    assert wrong.status_code == 403
    assert (
        await rui.post("/me/password", {"current": "rui123", "new": "a new secret"})
    ).status_code == 204
    assert (await sign_in(site, "rui@demo.com", "rui123")).status_code == 401
    assert (await sign_in(site, "rui@demo.com", "a new secret")).status_code == 200


async def test_links_of_a_disabled_account_stay_dead_when_it_is_let_in_again(site: Site) -> None:
    admin, rui = await site.signs_in("admin"), await site.signs_in("rui")
    item = {"type": "kpi", "data": {"widget": "kpi", "titulo": "t", "valor": 1}}
    board = (await rui.post("/dashboards", {"titulo": "Turno", "items": [item]})).json()
    url = (await rui.post(f"/dashboards/{board['id']}/share")).json()["url"]
    assert (await site.client().get(url)).status_code == 200
    for state in (False, True):
        await admin.patch("/admin/users/2", {"is_active": state})
        assert (await site.client().get(url)).status_code == 404
    assert (await admin.get("/admin/shares")).json() == []
    asked = {"category": "shares"}
    newest = (await admin.get("/admin/audit", params=asked)).json()["entries"][0]
    assert (newest["action"], newest["reason"]) == ("share_revoked", "disabled")
    again = (await (await site.signs_in("rui")).post(f"/dashboards/{board['id']}/share")).json()
    assert (await site.client().get(again["url"])).status_code == 200


async def test_a_language_is_the_browsers_until_somebody_chooses_one(site: Site) -> None:
    rui = await site.signs_in("rui")
    me = (await rui.get("/me")).json()
    assert (me["language"], me["language_chosen"]) == ("pt", False)

    chosen = (await rui.patch("/me", {"language": "pt"})).json()

    assert (chosen["language"], chosen["language_chosen"]) == ("pt", True)
    assert (await rui.patch("/me", {"name": "Rui"})).json()["language_chosen"] is True
