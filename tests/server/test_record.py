"""The record of administration: every change leaves its line, with before and after."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from bancada.server.signins import INTERVAL_SECONDS, MOST_PER_PAIR, SINGLY, Strangers
from bancada.store import audit
from tests.server.site import Reader, Site
from tests.server.test_doors import DOORS, Door, knock
from tests.server.world import World

CHANGE_NOTHING = {
    # Conversations and calls have records of their own.
    "POST /me/tools/check", "POST /admin/tools/check", "POST /tools/{name}/run",
    "POST /admin/tools/{name}/run", "POST /conversations", "POST /confirmations/{id}",
    "PATCH /conversations/{id}", "DELETE /conversations/{id}", "POST /conversas",
    "POST /messages/{id}/feedback", "POST /chat", "POST /anthropic-proxy", "POST /dashboards",
    "POST /v1/messages", "POST /v1/messages/count_tokens", "POST /ag-ui/{agent}",
    "POST /dashboards/{id}/refresh", "PATCH /dashboards/{id}", "POST /studies/{id}/run", "POST /auth/refresh", "POST /admin/policy/try",
    "POST /admin/sign-in/{name}/test", "POST /me/notices/{id}/test", "POST /admin/connections/{id}/look",
    # The small graph that was imported has nothing to declare.
    "PATCH /admin/graph",
}  # fmt: skip
OTHER_BODY: dict[str, Any] = {
    # A link has set another one by then.
    "POST /me/password": {"current": "another one", "new": "rui123-new"},
    "PATCH /me": {"language": "en"},
    "PATCH /me/tools": {"name": "contar_defeitos", "is_enabled": False},
    "PATCH /admin/organisation": {"settings": {"outside_content_writes": "allow"}},
}


@pytest.fixture
async def world(site: Site) -> World:
    return await World.of(site)


async def lines(world: World, **filters: Any) -> list[dict[str, Any]]:
    """The first organisation's administration, the newest first."""
    params = {"category": "administration", "limit": 500, **filters}
    answer = await world.admin.get("/admin/audit", params=params)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["entries"]
    return found


async def newest(world: World, **filters: Any) -> dict[str, Any]:
    return (await lines(world, **filters))[0]


def _changing() -> list[Door]:
    apart = ("GET ", "POST /conversations/{id}/", "POST /conversas/{id}/")
    return [
        replace(door, body=OTHER_BODY.get(door.route, door.body))
        for door in DOORS
        if not door.route.startswith(apart)
        and door.route not in CHANGE_NOTHING
        and door.who != "directory"
        and door.right != 404  # nothing was there to be changed
    ]


async def _shared(world: World) -> str:
    board = await world.dashboard()
    await world.rui.post(f"/dashboards/{board}/share")
    return board


async def test_every_route_that_administrates_leaves_a_line(world: World) -> None:
    def entries(db: Any) -> int:
        return int(
            db.execute(
                text("SELECT count(*) FROM audit_entries WHERE category IS NOT NULL")
            ).scalar()
        )

    read = world.site.bench.database.read
    last = ("POST /auth/links/{token}", "POST /me/password")
    for door in sorted(_changing(), key=lambda door: door.route in last):
        make = _shared if "dashboards" in door.route and "DELETE" in door.route else door.make
        named = await make(world) if make else ""
        person = world.admin if door.who in ("admin", "first") else world.rui
        if door.who in ("anybody", "page"):
            person = Reader(world.site.client(), "")
        before = await read(entries)
        answer = await knock(person, door, named)
        assert answer.status_code == door.right, f"{door.route}: {answer.text[:300]}"
        assert await read(entries) > before, door.route
        if door.route == "POST /auth/links/{token}":
            # A password set by a link ended his sessions.
            world.rui = await world.site.signs_in("rui@demo.com", "another one")
    for organisation_id in (1, world.second):
        verdict = await read(audit.verify, organisation_id)
        assert verdict.ok, verdict


async def test_a_change_says_who_what_before_and_after(world: World) -> None:
    await world.admin.patch("/admin/users/2", {"role": "operador", "name": "Rui"})
    line = await newest(world, category="people")
    assert (line["action"], line["about"], line["about_id"]) == (
        "person_changed",
        "rui@demo.com",
        2,
    )
    assert (line["person"], line["role"], line["via"]) == ("admin@demo.com", "admin", "web")
    assert (line["before"], line["after"]) == ({"role": "responsavel"}, {"role": "operador"})

    await world.admin.patch("/admin/tools/capacidade", {"permission_level": "admin"})
    line = await newest(world, tool="capacidade")
    assert (line["category"], line["action"], line["scope"]) == ("rules", "rule_changed", "global")
    assert line["before"] == {"permission_level": None}
    assert line["after"] == {"permission_level": "admin"}


async def test_what_changes_nothing_leaves_no_line(world: World) -> None:
    count = len(await lines(world))
    await world.admin.patch("/admin/users/2", {"name": "Rui"})
    await world.admin.patch("/admin/organisation", {"settings": {}})
    assert len(await lines(world)) == count


async def test_secrets_are_on_record_by_name_and_never_by_value(world: World) -> None:
    change = world.admin.patch
    await change("/admin/organisation", {"settings": {"secrets": {"CRM": "s3cret-one"}}})
    await change("/admin/organisation", {"settings": {"secrets": {"CRM": "s3cret-two"}}})
    await change("/admin/organisation", {"settings": {"secrets": {"CRM": None}}})
    made = await world.admin.post("/admin/keys", {"user": 2, "name": "report"})
    await world.admin.post("/admin/users", {"email": "nova@demo.com", "password": "pass-word-1"})
    await world.rui.post("/me/password", {"current": "rui123", "new": "pass-word-2"})
    link = (await world.admin.post("/admin/users/2/link")).json()["link"]
    await world.admin.post(
        "/admin/tools",
        {
            "name": "crm",
            "kind": "http",
            "description": "Asks.",
            "definition": {
                "method": "GET",
                "url": "https://api.example.com/",
                "headers": {"Authorization": "Bearer t0ken"},
            },
        },
    )

    told = [
        (line["action"], line["about"], line.get("how"))
        for line in await lines(world, category="secrets")
    ]
    assert told == [
        ("secret_removed", "secrets.CRM", None),
        ("secret_set", "secrets.CRM", "replaced"),
        ("secret_set", "secrets.CRM", "new"),
    ]
    exported = (await world.admin.get("/admin/audit/export")).text
    for never in (
        "s3cret",
        "pass-word",
        "argon2",
        "t0ken",
        made.json()["key"],
        link.split("/")[-1],
    ):
        assert never not in exported


async def test_without_the_record_nothing_changes(world: World) -> None:
    database = world.site.bench.database
    await database.run(
        lambda db: db.execute(text("ALTER TABLE audit_entries RENAME TO away")) and None
    )
    for method, path, body in (
        ("PATCH", "/admin/users/2", {"role": "admin"}),
        ("PATCH", "/admin/tools/capacidade", {"is_enabled": False}),
        ("PATCH", "/admin/organisation", {"settings": {"outside_content_writes": "allow"}}),
        ("POST", "/admin/keys", {"user": 2}),
    ):
        answer = await world.admin.client.request(method, path, json=body)
        assert answer.status_code == 500, path
    await database.run(
        lambda db: db.execute(text("ALTER TABLE away RENAME TO audit_entries")) and None
    )

    assert (await world.admin.get("/admin/users/2")).json()["role"] == "responsavel"
    assert (await world.admin.get("/admin/tools/capacidade")).json()["is_enabled"] is True
    assert (
        "outside_content_writes"
        not in (await world.admin.get("/admin/organisation")).json()["settings"]
    )
    assert (await world.admin.get("/admin/keys")).json() == []


async def test_sign_ins_and_failures_are_on_record(world: World) -> None:
    async def sign_in(email: str, password: str) -> None:
        await world.site.client().post("/auth/login", json={"email": email, "password": password})

    await sign_in("ana@demo.com", "ana123")
    line = await newest(world, category="sign_in", user="ana@demo.com")
    assert (line["action"], line["how"], line["outcome"]) == ("signed_in", "password", "ok")

    for _ in range(MOST_PER_PAIR + 5):
        await sign_in("ana@demo.com", "wrong-pass")
    failed = [each for each in await lines(world, outcome="failed") if each["about_id"] == 3]
    assert len(failed) == MOST_PER_PAIR
    assert failed[0]["throttled"] is True
    assert "throttled" not in failed[1]

    await sign_in("nobody@nowhere.pt", "wrong-pass")
    await sign_in("my password, typed in the wrong field", "x")
    typed, unknown = (await lines(world, outcome="failed"))[:2]
    assert (unknown["about"], unknown["reason"]) == ("nobody@nowhere.pt", "unknown_address")
    assert typed["about"] == ""
    assert "wrong-pass" not in (await world.admin.get("/admin/audit/export")).text


async def test_a_flood_of_bad_keys_fills_no_disk(world: World) -> None:
    for n in range(100):
        await world.site.client(**{"X-API-Key": f"bk_{n}"}).get("/me")
    told = [each["count"] for each in await lines(world, outcome="failed")]
    assert told == [80, 40, 20, *range(10, 0, -1)]


def test_what_was_counted_and_not_told_is_told_in_the_next_interval() -> None:
    strangers = Strangers()
    told = [strangers.seen("bad_key", 0.0) for _ in range(SINGLY + 3)]
    assert told[-3:] == [None, None, None]
    assert strangers.seen("bad_key", INTERVAL_SECONDS) == {"count": 1, "untold_before": 3}


async def test_somebody_of_another_organisation_sees_their_own_record_only(world: World) -> None:
    await world.admin.patch("/admin/users/2", {"name": "Rui Novo"})
    await world.admin.patch(f"/admin/organisations/{world.second}", {"name": "Segunda SA"})
    theirs = (await world.eva.get("/admin/audit")).json()["entries"]
    assert [line["action"] for line in theirs] == ["settings_changed", "signed_in", "person_added"]
    assert theirs[0]["person"] == "admin@demo.com"
    assert theirs[0]["after"] == {"name": "Segunda SA"}


async def test_an_organisation_with_a_record_is_kept(world: World) -> None:
    empty = await world.empty_organisation()
    await world.admin.patch(f"/admin/organisations/{empty}", {"name": "Outra"})
    refused = await world.admin.delete(f"/admin/organisations/{empty}")
    assert refused.status_code == 409
