"""An organisation's directory: its people and groups, and nobody else's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.server.process import serving
from tests.server.site import Reader, Site, served
from tests.server.world import World

USER = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
CASA = {
    "issuer": "https://id.example.com",
    "client_id": "b",
    "roles": {"chefes": "admin", "0b5e-qualidade": "responsavel"},
}


async def keeper(site: Site, by: Reader, **more: Any) -> Reader:
    """The directory: a key of this administrator's, with the scope and no other."""
    body = {"name": "directory", "scopes": ["scim"], **more}
    key = (await by.post("/me/keys", body)).json()["key"]
    return site.with_token(key)


@pytest.fixture
async def kept(folder: Path) -> AsyncIterator[tuple[Site, Reader]]:
    async with served(folder, oidc={"casa": CASA}, break_glass="admin@demo.com") as site:
        yield site, await keeper(site, await site.signs_in("admin"))


def new_user(name: str = "eva@fora.pt", **more: Any) -> dict[str, Any]:
    return {"schemas": [USER], "userName": name, **more}


def patch(*operations: dict[str, Any]) -> dict[str, Any]:
    return {"schemas": [PATCH], "Operations": list(operations)}


async def add_user(scim: Reader, *args: Any, **more: Any) -> dict[str, Any]:
    answer = await scim.post("/scim/v2/Users", new_user(*args, **more))
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def add_group(scim: Reader, name: str, *ids: str, **more: Any) -> dict[str, Any]:
    members = [{"value": id} for id in ids]
    body = {"schemas": [GROUP], "displayName": name, "members": members, **more}
    answer = await scim.post("/scim/v2/Groups", body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def role_of(site: Site, id: str) -> str:
    admin = await site.signs_in("admin")
    return str((await admin.get(f"/admin/users/{id}")).json()["role"])


# ---------------------------------------------------------------------------- the protocol


async def test_the_conformance_tester_passes_against_a_real_server(folder: Path) -> None:
    # Here, not above: loading them looks through every module there is, which takes seconds.
    from scim2_client.engines.httpx2 import SyncSCIMClient
    from scim2_tester import Status, check_server

    async with serving(folder) as served:
        admin = await served.signs_in("admin")
        body = {"name": "directory", "scopes": ["scim"]}
        key = (await admin.post("/me/keys", body)).json()["key"]

        def check() -> list[Any]:
            headers = {"Authorization": f"Bearer {key}"}
            where = f"{served.address}/scim/v2"
            with httpx2.Client(base_url=where, headers=headers, timeout=60) as client:
                return check_server(SyncSCIMClient(client))

        results = await asyncio.to_thread(check)
        bad = [one for one in results if one.status not in (Status.SUCCESS, Status.SKIPPED)]
        assert not bad, "\n".join(f"{one.title}: {one.reason}" for one in bad)
        done = [one for one in results if one.status == Status.SUCCESS]
        assert len(done) > 60
        assert "Traceback" not in (folder / "serve.log").read_text()


async def test_users_are_filtered_sorted_and_paged(kept: tuple[Site, Reader]) -> None:
    _, scim = kept
    for name in ("c@fora.pt", "A@fora.pt", "b@fora.pt"):
        await add_user(scim, name, externalId=f"x-{name}")

    async def found(**asked: Any) -> list[str]:
        answer = await scim.get("/scim/v2/Users", params=asked)
        assert answer.status_code == 200, answer.text
        return [one["userName"] for one in answer.json().get("Resources", [])]

    assert await found(filter='userName eq "a@fora.pt"') == ["A@fora.pt"]
    assert await found(filter='externalId eq "x-b@fora.pt"') == ["b@fora.pt"]
    assert await found(filter='externalId eq "X-b@fora.pt"') == []
    some = 'userName ew "@fora.pt" and not (userName sw "b")'
    assert await found(filter=some, sortBy="userName") == ["A@fora.pt", "c@fora.pt"]
    assert await found(filter='emails[value co "c@"]') == ["c@fora.pt"]
    fora = {"filter": 'userName ew "@fora.pt"', "sortBy": "userName"}
    assert await found(**fora, sortOrder="descending", count=1) == ["c@fora.pt"]
    assert await found(**fora, startIndex=2, count=1) == ["b@fora.pt"]
    for wrong in ("userName eq", 'nothing eq "x"', '(userName eq "x"'):
        refused = await scim.get("/scim/v2/Users", params={"filter": wrong})
        assert refused.status_code == 400
        assert refused.json()["scimType"] == "invalidFilter"
        assert refused.headers["content-type"].startswith("application/scim+json")


async def test_what_the_largest_directory_sends_is_understood(kept: tuple[Site, Reader]) -> None:
    _, scim = kept
    enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
    said = {
        "schemas": [USER, enterprise],
        "userName": "eva@fora.pt",
        "active": True,
        "title": "Chefe",
        "phoneNumbers": [{"value": "1", "type": "work"}],
        enterprise: {"department": "Norte"},
        "emails": [{"value": "Eva.M@fora.pt", "type": "work", "primary": True}],
    }
    made = (await scim.post("/scim/v2/Users", said)).json()
    assert "title" not in made
    assert made["emails"][0]["value"] == "Eva.M@fora.pt"
    changed = await scim.patch(
        f"/scim/v2/Users/{made['id']}",
        patch(
            {"op": "Replace", "path": "active", "value": "False"},
            {"op": "Add", "path": f"{enterprise}:department", "value": "Sul"},
            {"op": "Replace", "path": 'emails[type eq "home"].value', "value": "e@casa.pt"},
        ),
    )
    assert changed.status_code == 200, changed.text
    assert changed.json()["active"] is False
    assert len(changed.json()["emails"]) == 2
    group = await add_group(scim, "chefes", made["id"])
    gone = patch({"op": "Remove", "path": "members", "value": [{"value": made["id"]}]})
    after = await scim.patch(f"/scim/v2/Groups/{group['id']}", gone)
    assert "members" not in after.json()


# ---------------------------------------------------------------------------- out at once


async def test_a_disabled_user_is_out_at_once_open_streams_included(
    kept: tuple[Site, Reader],
) -> None:
    site, scim = kept
    rui = await site.signs_in("rui")
    wanted = {"filter": 'userName eq "rui@demo.com"'}
    id = (await scim.get("/scim/v2/Users", params=wanted)).json()["Resources"][0]["id"]
    off = patch({"op": "replace", "path": "active", "value": False})
    async with rui.client.stream("GET", "/me/events") as stream:
        assert stream.status_code == 200
        assert (await scim.patch(f"/scim/v2/Users/{id}", off)).json()["active"] is False
        async with asyncio.timeout(10):
            async for _ in stream.aiter_bytes():
                pass
    assert (await rui.get("/me")).status_code == 401
    assert (
        await site.client().post(
            "/auth/login", json={"email": "rui@demo.com", "password": "rui123"}
        )
    ).status_code == 401
    # A replacement that does not speak of it leaves it as it is.
    named = new_user("rui@demo.com", displayName="Rui")
    assert (await scim.put(f"/scim/v2/Users/{id}", named)).json()["active"] is False


async def test_a_deleted_user_is_gone_for_the_directory_and_kept_on_record(
    kept: tuple[Site, Reader],
) -> None:
    site, scim = kept
    rui = await site.signs_in("rui")
    key = (await rui.post("/me/keys", {"name": "k"})).json()["key"]
    await rui.begins()
    assert (await scim.delete("/scim/v2/Users/2")).status_code == 204
    assert (await rui.get("/me")).status_code == 401
    for method in ("get", "delete"):
        assert (await getattr(scim, method)("/scim/v2/Users/2")).status_code == 404
    admin = await site.signs_in("admin")
    kept_row = (await admin.get("/admin/users/2")).json()
    assert (kept_row["email"], kept_row["is_active"]) == ("rui@demo.com", False)
    # Who comes back has the account, with the least role; nothing that was ended lives again.
    back = await add_user(scim, "rui@demo.com")
    assert back["id"] == "2"
    assert await role_of(site, "2") == "operador"
    assert (await site.with_token(key).get("/me")).status_code == 401
    assert (
        await site.client().post(
            "/auth/login", json={"email": "rui@demo.com", "password": "rui123"}
        )
    ).status_code == 401


# ---------------------------------------------------------------------------- groups and roles


async def test_groups_give_roles_by_the_providers_map(kept: tuple[Site, Reader]) -> None:
    site, scim = kept
    id = (await add_user(scim))["id"]
    assert await role_of(site, id) == "operador"
    quality = await add_group(scim, "Qualidade", id, externalId="0b5e-qualidade")
    assert await role_of(site, id) == "responsavel"
    admin = await site.signs_in("admin")
    assert (await admin.get(f"/admin/users/{id}")).json()["agents"], "no agent, whatever the role"
    chiefs = await add_group(scim, "chefes")
    join = patch({"op": "add", "path": "members", "value": [{"value": id}]})
    await scim.patch(f"/scim/v2/Groups/{chiefs['id']}", join)
    assert await role_of(site, id) == "admin"
    shown = (await scim.get(f"/scim/v2/Users/{id}")).json()
    assert {one["display"] for one in shown["groups"]} == {"Qualidade", "chefes"}
    await scim.delete(f"/scim/v2/Groups/{chiefs['id']}")
    assert await role_of(site, id) == "responsavel"
    leave = patch({"op": "remove", "path": f'members[value eq "{id}"]'})
    await scim.patch(f"/scim/v2/Groups/{quality['id']}", leave)
    assert await role_of(site, id) == "operador"


async def test_a_lower_role_ends_the_sessions_of_the_higher_one(
    kept: tuple[Site, Reader],
) -> None:
    site, scim = kept
    group = await add_group(scim, "0b5e-qualidade", "2")
    rui = await site.signs_in("rui")
    await scim.delete(f"/scim/v2/Groups/{group['id']}")
    assert (await rui.get("/me")).status_code == 401


# ---------------------------------------------------------------------------- whose


async def test_a_directory_sees_its_own_organisation_only(site: Site) -> None:
    world = await World.of(site)
    first, second = await keeper(site, world.admin), await keeper(site, world.eva)
    mine = await add_user(first, "nova@fora.pt")
    group = await add_group(first, "chefes", mine["id"])
    for path in (f"Users/{mine['id']}", f"Groups/{group['id']}", "Users/2"):
        assert (await second.get(f"/scim/v2/{path}")).status_code == 404
        assert (await second.delete(f"/scim/v2/{path}")).status_code == 404
        change = patch({"op": "replace", "path": "displayName", "value": "x"})
        assert (await second.patch(f"/scim/v2/{path}", change)).status_code == 404
    stolen = {"schemas": [GROUP], "displayName": "x", "members": [{"value": mine["id"]}]}
    assert (await second.post("/scim/v2/Groups", stolen)).status_code == 400
    assert (await second.post("/scim/v2/Users", new_user("nova@fora.pt"))).status_code == 409
    listed = (await second.get("/scim/v2/Users")).json()["Resources"]
    assert {one["userName"] for one in listed} == {"eva@segunda.pt"}
    assert (await second.get("/scim/v2/Groups")).json()["totalResults"] == 0


async def test_only_an_administrators_key_with_the_scope_opens_it(site: Site) -> None:
    admin, rui = await site.signs_in("admin"), await site.signs_in("rui")

    async def with_key(by: Reader, *scopes: str) -> Reader:
        made = await by.post("/me/keys", {"name": "k", "scopes": list(scopes)})
        return site.with_token(made.json()["key"])

    whole, reading = await with_key(admin), await with_key(admin, "admin:read")
    lower = await with_key(rui, "scim")
    for other in (admin, rui, whole, reading, lower):
        refused = await other.get("/scim/v2/Users")
        assert refused.status_code == 403
        assert refused.json()["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
    directory = await with_key(admin, "scim")
    assert (await directory.get("/scim/v2/Users")).status_code == 200
    for path in ("/admin/users", "/conversations", "/me/keys", "/tools"):
        assert (await directory.get(path)).status_code == 403


async def test_the_break_glass_account_is_out_of_the_directorys_reach(
    kept: tuple[Site, Reader],
) -> None:
    site, scim = kept
    assert (await scim.get("/scim/v2/Users/1")).status_code == 404
    assert (await scim.delete("/scim/v2/Users/1")).status_code == 404
    listed = (await scim.get("/scim/v2/Users")).json()["Resources"]
    assert "admin@demo.com" not in {one["userName"] for one in listed}
    assert (await scim.post("/scim/v2/Users", new_user("admin@demo.com"))).status_code == 409
    await site.signs_in("admin")


@pytest.mark.parametrize("name", ["local", "LOCAL", "removed:2", " "])
async def test_names_that_are_ours_are_nobodys(kept: tuple[Site, Reader], name: str) -> None:
    _, scim = kept
    refused = await scim.post("/scim/v2/Users", new_user(name))
    assert refused.status_code == 400, refused.text


async def test_what_a_directory_did_is_in_the_audit(kept: tuple[Site, Reader]) -> None:
    site, scim = kept
    id = (await add_user(scim))["id"]
    group = await add_group(scim, "chefes", id)
    await scim.delete(f"/scim/v2/Groups/{group['id']}")
    await scim.delete(f"/scim/v2/Users/{id}")
    admin = await site.signs_in("admin")
    asked = {"category": "people", "limit": 50}
    entries = (await admin.get("/admin/audit", params=asked)).json()["entries"]
    did = [one["action"] for one in entries if one["via"] == "scim"]
    assert did == [
        "person_changed",
        "person_changed",
        "group_removed",
        "person_changed",
        "group_added",
        "person_added",
    ]


@pytest.mark.parametrize("name", ["a\0b", "\ud800x"])
async def test_a_text_that_cannot_be_kept_is_refused_and_the_list_stays_readable(
    kept: tuple[Site, Reader], name: str
) -> None:
    _, scim = kept
    eva = await add_user(scim)
    headers = {"content-type": "application/scim+json"}
    change = patch({"op": "replace", "path": "displayName", "value": name})

    async def send(method: str, path: str, body: Any) -> int:
        answer = await scim.client.request(
            method, f"/scim/v2/{path}", content=json.dumps(body), headers=headers
        )
        return answer.status_code

    assert await send("PATCH", f"Users/{eva['id']}", change) == 400
    assert await send("POST", "Users", new_user(name)) == 400
    group = {"schemas": [GROUP], "displayName": name}
    assert await send("POST", "Groups", group) == 400
    assert (await scim.get("/scim/v2/Users")).status_code == 200
