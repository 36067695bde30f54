"""Requests of the same moment, on Postgres: each of two that meet finds what the other left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bancada.engine import notices, schedules
from bancada.store.database import PostgresDatabase
from tests.meeting import meet
from tests.server.site import Reader, Site, served
from tests.server.test_scim import CASA, add_group, add_user, keeper, new_user, patch

ROOM = "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"


async def statuses(site: Site, table: str, first: Any, second: Any) -> list[int]:
    """What two requests are answered with, of which the first holds what it wrote to a table."""
    assert isinstance(site.bench.database, PostgresDatabase)
    both: Any = await meet(site.bench.database, table, first, second)
    return [answer.status_code for answer in both]


async def _last_administrators(site: Site, admin: Reader) -> None:
    await admin.patch("/admin/users/2", {"role": "admin"})
    rui = await site.signs_in("rui")
    found = await statuses(
        site,
        "users",
        lambda: admin.patch("/admin/users/2", {"role": "operador"}),
        lambda: rui.delete("/admin/users/1"),
    )
    assert found == [200, 409]


async def _settings(site: Site, admin: Reader) -> None:
    async def change(**settings: Any) -> Any:
        return await admin.patch("/admin/organisation", {"settings": settings})

    await statuses(
        site,
        "organisations",
        lambda: change(custom_tools="users"),
        lambda: change(secrets={"erp": "a"}),
    )
    kept = (await admin.get("/admin/organisation")).json()["settings"]
    assert kept["custom_tools"] == "users"
    assert "erp" in kept["secrets"]


async def _groups(site: Site, admin: Reader) -> None:
    """Somebody whom one request takes out of a group is not put back by another."""
    scim = await keeper(site, admin)
    eva, ivo = [await add_user(scim, f"{name}@fora.pt") for name in ("eva", "ivo")]
    group = await add_group(scim, "chefes", eva["id"])
    where = f"/scim/v2/Groups/{group['id']}"
    gone = {"op": "remove", "path": f'members[value eq "{eva["id"]}"]'}
    come = {"op": "add", "path": "members", "value": [{"value": ivo["id"]}]}
    await statuses(
        site,
        "directory_members",
        lambda: scim.patch(where, patch(gone)),
        lambda: scim.patch(where, patch(come)),
    )
    members = (await scim.get(where)).json()["members"]
    assert [one["value"] for one in members] == [ivo["id"]]
    roles = [(await admin.get(f"/admin/users/{one['id']}")).json()["role"] for one in (eva, ivo)]
    assert roles == ["operador", "admin"]


async def _user_names(site: Site, admin: Reader) -> None:
    scim = await keeper(site, admin)

    def new(address: str) -> Any:
        body = new_user("um.nome", emails=[{"value": address, "primary": True}])
        return lambda: scim.post("/scim/v2/Users", body)

    assert await statuses(site, "users", new("a@fora.pt"), new("b@fora.pt")) == [201, 409]


async def _passwords(site: Site, admin: Reader) -> None:
    """A password that is being changed opens nothing that outlives it."""
    ana = await site.signs_in("ana")
    signed_in: list[Any] = []

    async def old() -> Any:
        body = {"email": "ana@demo.com", "password": "ana123"}
        signed_in.append(await site.client().post("/auth/login", json=body))
        return signed_in[-1]

    new = {"current": "ana123", "new": "outra-frase-longa"}
    await statuses(site, "users", lambda: ana.post("/me/password", new), old)
    if signed_in[0].status_code == 200:
        stale = site.with_token(signed_in[0].json()["token"])
        assert (await stale.get("/me")).status_code == 401


async def _limits(site: Site, admin: Reader) -> None:
    does = {"kind": "question", "agent": "Qualidade", "content": "quantos defeitos há?"}
    body = {"title": "M", "does": does, "cron": "0 8 * * *", "time_zone": "Europe/Lisbon"}

    def another() -> Any:
        return admin.post("/schedules", body)

    assert await statuses(site, "schedules", another, another) == [201, 409]
    address = {"channel": "chat", "address": ROOM, "kinds": ["approval"]}

    def room() -> Any:
        return admin.post("/me/notices", address)

    assert await statuses(site, "notice_addresses", room, room) == [201, 409]


async def _turns(site: Site, admin: Reader) -> None:
    """Of a person's questions at once, no more run than may."""
    site.bench.conversations.per_person = 1
    mine = [site.with_token(admin.client.headers["Authorization"][7:]) for _ in range(2)]
    for one in mine:
        await one.begins("Qualidade")

    def ask(one: Reader) -> Any:
        body = {"content": "olá"}
        return lambda: one.post(f"/conversations/{one.conversation}/messages", body)

    assert await statuses(site, "conversations", ask(mine[0]), ask(mine[1])) == [200, 429]


async def test_of_two_requests_that_meet_the_second_finds_what_the_first_left(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedules, "MOST_SCHEDULES", 1)
    monkeypatch.setattr(notices, "MOST_ADDRESSES", 1)
    given = {"database_url": postgres_url, "oidc": {"casa": CASA}, "break_glass": "admin@demo.com"}
    async with served(tmp_path, **given) as site:
        admin = await site.signs_in("admin")
        for part in (
            _last_administrators,
            _settings,
            _groups,
            _user_names,
            _passwords,
            _limits,
            _turns,
        ):
            await part(site, admin)
