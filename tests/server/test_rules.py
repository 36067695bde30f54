"""Rules as administrators write them: what could not hold is refused, and a rule can be tried first."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bancada.store import audit, confirmations
from tests.server.site import Reader, Site
from tests.server.world import World

EXPLODES = r"(a|aa)+$"
LONG = "a" * 60 + "b"


@pytest.fixture
async def world(site: Site) -> World:
    return await World.of(site)


async def said(reader: Reader, tool: str, **choices: Any) -> tuple[int, str]:
    answer = await reader.patch(f"/admin/tools/{tool}", choices)
    return answer.status_code, answer.json().get("detail", "")


async def runs(reader: Reader, tool: str, input: Any, **how: Any) -> Any:
    answer = await reader.post(f"/admin/tools/{tool}/run", {"input": input, **how})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"confirmation": {"when": {"field": "colour", "op": "==", "value": 1}}}, "colour"),
        ({"confirmation": {"when": {"field": "title.x", "op": "==", "value": 1}}}, "title.x"),
        ({"confirmation": {"approver": "somebody"}}, ""),
        ({"cache_seconds": 60}, "createTask"),
        ({"confirmation": {"when": {"field": "title", "op": "matches", "value": "(?=a)"}}}, "(?="),
        ({"confirmation": {"when": {"field": "title", "op": "matches", "value": r"(a)\1"}}}, ""),
    ],
)
async def test_a_rule_that_could_not_hold_is_refused(
    world: World, choices: dict[str, Any], words: str
) -> None:
    status, detail = await said(world.admin, "createTask", **choices)

    assert status == 422
    assert words in detail


async def test_a_rule_that_nobody_could_satisfy_is_refused(world: World) -> None:
    four_eyes = {"confirmation": {"approver": "other", "approver_role": "admin"}}
    only_admin = {"scope": "user", "subject": "1"}
    path = "/admin/tools/createTask/settings"

    refused = await world.admin.patch(path, four_eyes, params=only_admin)
    taken = await world.admin.patch(path, four_eyes, params={"scope": "organisation"})

    assert (refused.status_code, taken.status_code) == (422, 200)
    assert "decidir" in refused.json()["detail"]


async def test_a_call_whose_rule_changes_while_it_waits_comes_to_whom_the_rule_names_now(
    world: World,
) -> None:
    ran = await world.rui.post("/tools/createTask/run", {"input": {"title": "T"}})
    waits = f"/confirmations/{ran.json()['confirmation_id']}"
    four_eyes = {"confirmation": {"approver": "other", "approver_role": "admin"}}
    path = "/admin/tools/createTask/settings?scope=organisation"
    assert (await world.admin.patch(path, four_eyes)).status_code == 200

    refused = await world.rui.post(waits, {"decision": "approve"})

    assert refused.status_code == 403
    assert [one["tool_use_id"] for one in (await world.admin.get("/confirmations")).json()]
    assert (await world.rui.get("/confirmations")).json() == []
    decided = await world.admin.post(waits, {"decision": "approve"})
    assert (decided.status_code, decided.json()["status"]) == (200, "approved")


async def test_an_administrator_sets_who_may_run_code(world: World) -> None:
    tools = {tool["name"]: tool for tool in (await world.admin.get("/admin/tools")).json()}
    assert tools["code_execution"]["permission_level"] == "responsavel"
    assert "search_tools" not in tools

    assert (await said(world.admin, "code_execution", permission_level="admin"))[0] == 200

    why = (await world.admin.get("/admin/tools/code_execution/access?user=2")).json()
    assert (why["allowed"], why["code"]) == (False, "forbidden")


async def test_a_regular_expression_that_would_explode_leaves_the_house_answering(
    world: World,
) -> None:
    when = {"field": "title", "op": "matches", "value": EXPLODES}
    assert (await said(world.admin, "createTask", confirmation={"when": when}))[0] == 200
    shape = {
        "name": "label",
        "kind": "http",
        "description": "Label.",
        "parameters": [{"name": "code", "type": "string", "constraints": {"pattern": EXPLODES}}],
        "definition": {"url": "https://example.com/{code}"},
    }
    await world.admin.patch(
        "/admin/organisation", {"settings": {"custom_tools": "admins", "egress": ["example.com"]}}
    )
    made = await world.admin.post("/admin/tools", shape)
    assert made.status_code == 201, made.text

    calls = [
        asyncio.create_task(runs(world.admin, "createTask", {"title": LONG * 1000})),
        asyncio.create_task(runs(world.admin, "label", {"code": LONG * 1000})),
    ]
    health = await asyncio.wait_for(world.admin.get("/health"), timeout=20)
    _, labelled = await asyncio.wait_for(asyncio.gather(*calls), timeout=60)

    assert health.status_code == 200
    assert labelled["code"] == "invalid_tool_input"


async def test_a_pattern_that_looks_around_is_refused_in_a_tools_schema(world: World) -> None:
    await world.admin.patch(
        "/admin/organisation", {"settings": {"custom_tools": "admins", "egress": ["example.com"]}}
    )
    shape = {
        "name": "label",
        "kind": "http",
        "description": "Label.",
        "parameters": [{"name": "code", "type": "string", "constraints": {"pattern": "(?!x)y"}}],
        "definition": {"url": "https://example.com/{code}"},
    }

    refused = await world.admin.post("/admin/tools", shape)

    assert refused.status_code == 422
    assert "look-around" in refused.json()["detail"]


# ---------------------------------------------------------------------------- trying a rule


async def test_a_rule_is_tried_on_what_was_called_before_it_is_switched_on(world: World) -> None:
    for user, operator in (("rui@demo.com", "A"), ("rui@demo.com", "B"), ("ana@demo.com", "B")):
        await runs(world.admin, "contar_defeitos", {"operador": operator}, user=user)
    rule = {
        "tool": "contar_defeitos",
        "confirmation": {
            "when": {"field": "operador", "op": "==", "value": "B"},
            "approver": "other",
        },
    }

    trial = (await world.admin.post("/admin/policy/try", rule)).json()
    stricter = {"tool": "contar_defeitos", "permission_level": "responsavel"}
    stopped = (await world.admin.post("/admin/policy/try", stricter)).json()
    after = (await world.admin.get("/admin/tools/contar_defeitos")).json()

    assert (trial["calls"], trial["asked"], trial["allowed"]) == (3, 2, 1)
    first = trial["examples"][0]
    assert (first["person"], first["now"], first["then"]) == ("ana@demo.com", "allowed", "asked")
    assert (first["arguments"], first["approver"]) == ({"operador": "B"}, "other")
    assert (stopped["stopped"], stopped["allowed"], stopped["changed"]) == (1, 2, 1)
    assert after["confirmation"] is None, "nothing was switched on"


async def test_a_rule_is_tried_on_the_calls_of_ones_own_organisation_alone(world: World) -> None:
    await runs(world.admin, "contar_defeitos", {"operador": "B"}, user="ana@demo.com")
    rule = {"tool": "contar_defeitos", "confirmation": "always"}
    assert (await world.admin.post("/admin/policy/try", rule)).json()["calls"] == 1

    for scope in ({}, {"scope": "global"}, {"scope": "role", "subject": "operador"}):
        tried = await world.eva.post("/admin/policy/try", {**rule, **scope})
        assert tried.status_code in (200, 403), tried.text
        if tried.status_code == 200:
            assert (tried.json()["calls"], tried.json()["examples"]) == (0, [])
        assert "ana@demo.com" not in tried.text


async def test_only_administrators_try_rules_and_only_real_ones(world: World) -> None:
    rule = {"tool": "contar_defeitos", "confirmation": "always"}

    assert (await world.ana.post("/admin/policy/try", rule)).status_code == 403
    for bad, status in (
        ({**rule, "tool": "nothing"}, 404),
        ({**rule, "since": "soon"}, 422),
        ({**rule, "confirmation": {"when": {"field": "x", "op": "==", "value": 1}}}, 422),
    ):
        assert (await world.admin.post("/admin/policy/try", bad)).status_code == status


# ---------------------------------------------------------------------------- while away


async def test_a_stand_in_sees_and_decides_what_waits_for_whoever_is_away(world: World) -> None:
    await world.admin.patch(
        "/admin/tools/contar_defeitos", {"confirmation": {"approver_role": "admin"}}
    )
    asked = await runs(world.admin, "contar_defeitos", {}, user="ana@demo.com")
    path = f"/confirmations/{asked['confirmation_id']}"
    assert (await world.rui.get(path)).status_code == 404
    until = (datetime.now(UTC) + timedelta(days=2)).isoformat()

    named = await world.admin.put("/me/stand-in", {"person": "rui@demo.com", "until": until})
    assert named.status_code == 200, named.text
    (waiting,) = (await world.rui.get("/confirmations")).json()
    decided = (await world.rui.post(path, {"decision": "approve"})).json()

    assert waiting["id"] == asked["confirmation_id"]
    assert (decided["decided_by"]["id"], decided["decided_for"]["id"]) == (2, 1)
    assert not decided["result"]["is_error"]
    await world.admin.delete("/me/stand-in")
    assert (await world.admin.get("/me/stand-in")).json() is None
    lines = await world.site.bench.database.read(audit.export, 1)
    told = [line["action"] for line in lines if str(line.get("action")).startswith("stand_in")]
    assert told == ["stand_in_named", "stand_in_ended"]


@pytest.mark.parametrize(
    ("person", "days", "status"),
    [("admin@demo.com", 2, 422), ("rui@demo.com", -1, 422), ("nobody@demo.com", 2, 404)],
)
async def test_a_stand_in_is_somebody_else_who_is_here_until_a_day_to_come(
    world: World, person: str, days: int, status: int
) -> None:
    until = (datetime.now(UTC) + timedelta(days=days)).isoformat()

    answer = await world.admin.put("/me/stand-in", {"person": person, "until": until})

    assert answer.status_code == status


async def test_whoever_does_not_decide_is_reminded(world: World) -> None:
    await world.admin.patch("/admin/tools/contar_defeitos", {"confirmation": "always"})
    await runs(world.admin, "contar_defeitos", {})
    (fresh,) = (await world.admin.get("/confirmations")).json()
    assert fresh["reminded_at"] is None

    now = datetime.now(UTC).timestamp()
    bench = world.site.bench
    for later in (25 * 3600.0, 26 * 3600.0):
        await bench.database.run(confirmations.remind, now=now + later, every=24 * 3600.0)

    (reminded,) = (await world.admin.get("/confirmations")).json()
    when = datetime.fromisoformat(reminded["reminded_at"]).timestamp()
    assert abs(when - (now + 25 * 3600.0)) < 2, "once a day, not each time somebody looks"


async def test_whoever_made_anothers_key_is_no_second_pair_of_eyes_for_their_calls(
    world: World,
) -> None:
    four_eyes = {"approver": "other", "approver_role": "responsavel"}
    assert (await said(world.admin, "createTask", confirmation=four_eyes))[0] == 200
    made = (await world.admin.post("/admin/keys", {"user": "rui@demo.com", "name": "k"})).json()
    key = world.site.with_token(made["key"])

    waits = (await key.post("/tools/createTask/run", {"input": {"title": "x"}})).json()
    path = f"/confirmations/{waits['confirmation_id']}"
    assert (await world.admin.delete(f"/admin/keys/{made['id']}")).status_code == 204
    refused = await world.admin.post(path, {"decision": "approve"})
    again = (await world.rui.post("/tools/createTask/run", {"input": {"title": "y"}})).json()
    taken = await world.admin.post(
        f"/confirmations/{again['confirmation_id']}", {"decision": "approve"}
    )

    assert (refused.status_code, taken.status_code) == (404, 200)
