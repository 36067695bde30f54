"""What administrators can do, and what they cannot."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bancada.store import people
from bancada.store.vault import opened_settings
from bancada.testing import ScriptedModel, calls_many, says
from tests.server.site import Site, served
from tests.server.world import World


@pytest.fixture
async def world(site: Site) -> World:
    return await World.of(site)


# ---------------------------------------------------------------------------- people


async def test_the_last_administrator_cannot_be_demoted_disabled_or_removed(world: World) -> None:
    admin = world.admin
    for refused in (
        await admin.patch("/admin/users/1", {"role": "responsavel"}),
        await admin.patch("/admin/users/1", {"is_active": False}),
        await admin.delete("/admin/users/1"),
    ):
        assert refused.status_code == 409
    await admin.patch("/admin/users/2", {"role": "admin"})
    assert (await admin.patch("/admin/users/1", {"role": "operador"})).status_code == 200
    # Another organisation has its own last one.
    eva = (await world.eva.get("/me")).json()["id"]
    assert (await world.eva.delete(f"/admin/users/{eva}")).status_code == 409


async def test_a_removed_person_takes_what_they_said_and_leaves_what_they_did(
    world: World,
) -> None:
    answered = await world.answered()
    waiting = await world.confirmation()
    key = (await world.admin.post("/admin/keys", {"user": 2})).json()["key"]
    before = (await world.admin.get("/admin/usage", params={"by": "user"})).json()["total"]
    assert (await world.admin.delete("/admin/users/2")).status_code == 204
    assert (await world.rui.get("/me")).status_code == 401
    assert (await world.site.client(**{"X-API-Key": key}).get("/me")).status_code == 401
    assert (await world.admin.get("/admin/users/2")).status_code == 404
    users = (await world.admin.get("/admin/users")).json()
    assert 2 not in [user["id"] for user in users]
    assert (await world.admin.get(f"/admin/turns/{answered['turn_id']}/trace")).status_code == 404
    entries = (await world.admin.get("/admin/audit")).json()["entries"]
    assert {"contar_defeitos", "createTask"} <= {entry["tool"] for entry in entries}
    asked = next(entry for entry in entries if entry.get("confirmation_id") == waiting)
    assert asked["outcome"] == "rejected"
    assert (await world.admin.get("/admin/audit/verify")).json()["ok"] is True
    after = (await world.admin.get("/admin/usage", params={"by": "user"})).json()["total"]
    assert after["replies"] >= before["replies"]
    # The address is free again.
    again = await world.admin.post("/admin/users", {"email": "rui@demo.com"})
    assert again.status_code == 201


async def test_an_address_is_one_account_and_agents_must_exist(world: World) -> None:
    twice = await world.admin.post("/admin/users", {"email": "RUI@demo.com"})
    assert twice.status_code == 409
    unknown = await world.admin.post("/admin/users", {"email": "x@y.z", "agents": ["Nenhum"]})
    assert unknown.status_code == 422
    users = (await world.admin.get("/admin/users")).json()
    assert "x@y.z" not in [user["email"] for user in users]


async def test_a_limit_on_spending_is_set_and_taken_away(world: World) -> None:
    path = "/admin/users/2"
    set_to = await world.admin.patch(path, {"monthly_budget_usd": 12.5})
    assert set_to.json()["monthly_budget_usd"] == 12.5
    other = await world.admin.patch(path, {"name": "Rui B."})
    assert other.json()["monthly_budget_usd"] == 12.5
    gone = await world.admin.patch(path, {"monthly_budget_usd": None})
    assert gone.json()["monthly_budget_usd"] is None


# ---------------------------------------------------------------------------- agents


async def test_an_agent_is_made_used_changed_and_retired(world: World) -> None:
    new = {
        "name": "Turnos",
        "description": "Compara turnos",
        "system_prompt": "Sê breve.",
        "tools": ["contar_defeitos", "top_defeitos", "contar_defeitos"],
        "max_iterations": 3,
    }
    made = (await world.admin.post("/admin/agents", new)).json()
    assert made["tools"] == ["contar_defeitos", "top_defeitos"]
    contract = {
        "id", "name", "description", "system_prompt", "tools", "starters", "model",
        "max_iterations", "max_history", "max_tokens", "code", "last_answer",
    }  # fmt: skip
    assert contract <= set(made)
    await world.admin.begins("Turnos")
    told = await world.admin.asks("quantos defeitos há?")
    assert told[-1].data["status"] == "done"
    path = f"/admin/agents/{made['id']}"
    changed = await world.admin.patch(path, {"model": "claude-x", "tools": []})
    assert (changed.json()["model"], changed.json()["tools"]) == ("claude-x", [])
    assert changed.json()["system_prompt"] == "Sê breve."
    assert (await world.admin.patch(path, {"model": None})).json()["model"] is None
    clash = await world.admin.patch(path, {"name": "Qualidade"})
    assert clash.status_code == 409
    unknown = await world.admin.patch(path, {"tools": ["nenhuma"]})
    assert unknown.status_code == 422
    assert (await world.admin.delete(path)).status_code == 204
    assert (await world.admin.get(path)).status_code == 404
    read = await world.admin.get(f"/conversations/{world.admin.conversation}")
    assert read.status_code == 200
    assert (await world.admin.post("/admin/agents", new)).status_code == 201


# ---------------------------------------------------------------------------- tools


async def test_the_first_organisations_word_holds_for_everybody(world: World) -> None:
    off = await world.admin.patch("/admin/tools/contar_defeitos", {"is_enabled": False})
    assert off.json()["is_enabled"] is False
    seen = (await world.eva.get("/admin/tools/contar_defeitos")).json()
    assert seen["is_enabled"] is False
    refused = await world.eva.patch("/admin/tools/contar_defeitos", {"is_enabled": True})
    assert refused.status_code == 403
    run = await world.admin.post("/admin/tools/contar_defeitos/run", {"input": {}})
    assert (run.json()["is_error"], run.json()["code"]) == (True, "disabled")
    await world.admin.patch("/admin/tools/contar_defeitos", {"is_enabled": None})
    run = await world.admin.post("/admin/tools/contar_defeitos/run", {"input": {}})
    assert run.json()["is_error"] is False


async def test_another_organisations_word_restricts_itself_alone(world: World) -> None:
    path = "/admin/tools/contar_defeitos"
    strict = {"permission_level": "admin", "requires_confirmation": True}
    seen = (await world.eva.patch(path, strict)).json()
    assert (seen["permission_level"], seen["requires_confirmation"]) == ("admin", True)
    ours = (await world.admin.get(path)).json()
    assert (ours["permission_level"], ours["requires_confirmation"]) == ("operador", False)
    await world.admin.patch(path, {"permission_level": "responsavel"})
    looser = await world.eva.patch(path, {"permission_level": "operador"})
    assert looser.status_code == 403
    assert (await world.eva.get(path)).json()["permission_level"] == "admin"


@pytest.mark.parametrize(
    ("choice", "what"),
    [
        ({"is_enabled": True}, "is_enabled"),
        ({"permission_level": "operador"}, "permission_level"),
        ({"confirmation": "never"}, "confirmation"),
        ({"allowed_callers": ["direct", "code_execution_20260120"]}, "allowed_callers"),
        ({"cache_seconds": 60}, "cache_seconds"),
    ],
)
async def test_a_narrower_level_may_not_loosen(
    world: World, choice: dict[str, Any], what: str
) -> None:
    wide = {
        "is_enabled": False,
        "permission_level": "responsavel",
        "confirmation": "always",
        "allowed_callers": ["direct"],
        "cache_seconds": 10,
    }
    await world.admin.patch("/admin/tools/capacidade", {what: wide[what]})
    for scope, subject in (("organisation", ""), ("role", "admin"), ("agent", "1"), ("user", "2")):
        refused = await world.admin.patch(
            "/admin/tools/capacidade/settings",
            choice,
            params={"scope": scope, "subject": subject},
        )
        assert refused.status_code == 403, (scope, refused.text)
        assert what in refused.json()["detail"]


async def test_levels_are_set_read_and_made_silent_again(world: World) -> None:
    path = "/admin/tools/capacidade/settings"
    at = {"scope": "role", "subject": "operador"}
    await world.admin.patch(path, {"is_enabled": False}, params=at)
    found = (await world.admin.get(path, params=at)).json()
    assert [(level["scope"], level["is_enabled"]) for level in found] == [("role", False)]
    why = (await world.admin.get("/admin/tools/capacidade/access", params={"user": 3})).json()
    assert (why["allowed"], why["code"]) == (False, "disabled")
    assert "papel desta pessoa" in why["reason"]
    await world.admin.patch(path, {"is_enabled": None}, params=at)
    assert (await world.admin.get(path, params=at)).json() == []
    for bad in (
        {"scope": "role", "subject": "chefe"},
        {"scope": "user", "subject": "x"},
        {"scope": "organisation", "subject": "1"},
        {"scope": "galaxy"},
    ):
        assert (await world.admin.patch(path, {}, params=bad)).status_code == 422
    for missing in ({"scope": "agent", "subject": "999"}, {"scope": "user", "subject": "999"}):
        assert (await world.admin.patch(path, {}, params=missing)).status_code == 404


async def test_nobody_takes_back_what_was_switched_off_for_them(world: World) -> None:
    path, ana = "/admin/tools/contar_defeitos/settings", {"scope": "user", "subject": "3"}
    mine = {"name": "contar_defeitos", "is_enabled": True}
    await world.admin.patch(path, {"is_enabled": False}, params=ana)
    assert (await world.ana.patch("/me/tools", mine)).status_code == 404
    why = (await world.admin.get("/admin/tools/contar_defeitos/access?user=3")).json()
    assert (why["allowed"], why["reason"]) == (
        False,
        "contar_defeitos está desligada para esta pessoa.",
    )


async def test_a_preference_of_ones_own_does_not_change_the_administrators_word(
    world: World,
) -> None:
    access = "/admin/tools/contar_defeitos/access?user=3"
    off, on = ({"name": "contar_defeitos", "is_enabled": each} for each in (False, True))
    await world.ana.patch("/me/tools", off)
    assert "por esta pessoa" in (await world.admin.get(access)).json()["reason"]
    levels = (await world.admin.get("/admin/tools/contar_defeitos/settings")).json()
    assert [level["scope"] for level in levels] == ["global"]
    await world.ana.patch("/me/tools", on)
    assert (await world.admin.get(access)).json()["allowed"]


async def test_choices_that_mean_nothing_are_refused(world: World) -> None:
    for bad in (
        {"confirmation": {"when": {"field": "x", "op": "~"}}},
        {"confirmation": {"approver_role": "chefe"}},
        {"budget": {"calls": -1, "per": "day"}},
        {"budget": {"calls": 1, "per": "year"}},
        {"allowed_callers": ["anybody"]},
        {"cache_seconds": -1},
        {"colour": "red"},
    ):
        assert (await world.admin.patch("/admin/tools/capacidade", bad)).status_code == 422, bad


async def test_access_gives_the_gates_own_answer_and_its_reasons(world: World) -> None:
    async def ask(tool: str, user: str, **more: Any) -> dict[str, Any]:
        params = {"user": user, **more}
        answer = await world.admin.get(f"/admin/tools/{tool}/access", params=params)
        found: dict[str, Any] = answer.json()
        return found

    ana = await ask("createTask", "ana@demo.com")
    assert (ana["allowed"], ana["code"], ana["permission_level"]) == (
        False,
        "forbidden",
        "responsavel",
    )
    rui = await ask("createTask", "2")
    assert (rui["allowed"], rui["asks"]) == (True, True)
    assert [level["level"] for level in rui["levels"]] == ["tool", "global"]
    elsewhere = await ask("createTask", "2", agent=1)
    assert elsewhere["code"] == "disabled"
    assert "Qualidade" in elsewhere["reason"]
    rendered = await ask("gerar_grafico", "2", caller="code")
    assert rendered["code"] == "tool_not_allowed"
    budget = {"budget": {"calls": 0, "per": "day"}}
    await world.admin.patch("/admin/tools/contar_defeitos", budget)
    assert (await ask("contar_defeitos", "2"))["code"] == "budget_exceeded"
    await world.admin.patch("/admin/users/2", {"is_active": False})
    assert (await ask("contar_defeitos", "2"))["code"] == "forbidden"


async def test_the_panel_tries_a_tool_that_only_code_may_call_as_code_would(world: World) -> None:
    only = {"allowed_callers": ["code_execution_20260120"]}
    assert (await world.admin.patch("/admin/tools/contar_defeitos", only)).status_code == 200

    ran = (await world.admin.post("/admin/tools/contar_defeitos/run", {"input": {}})).json()

    assert (ran["is_error"], ran["result"]["total"]) == (False, 200)
    (line,) = (await world.admin.get("/admin/audit?category=call")).json()["entries"]
    assert line["caller"] == {"type": "code_execution_20260120", "via": "panel"}


async def test_the_panel_calls_as_anybody_and_says_who_really_did(world: World) -> None:
    run = "/admin/tools/{}/run".format
    own = (await world.admin.post(run("contar_defeitos"), {"input": {}})).json()
    assert (own["is_error"], own["result"]["total"]) == (False, 200)
    assert own["duration_ms"] > 0
    refused = (
        await world.admin.post(run("createTask"), {"input": {"title": "x"}, "user": 3})
    ).json()
    assert (refused["is_error"], refused["code"]) == (True, "forbidden")
    wrong = (await world.admin.post(run("createTask"), {"input": {"titulo": 1}})).json()
    assert (wrong["is_error"], wrong["code"]) == (True, "invalid_tool_input")
    unknown = (await world.admin.post(run("nenhuma"), {})).json()
    assert (unknown["is_error"], unknown["code"]) == (True, "unknown_tool")
    waits = (
        await world.admin.post(
            run("createTask"), {"input": {"title": "Rever"}, "user": "rui@demo.com"}
        )
    ).json()
    assert waits["is_error"] is True
    assert waits["result"]["confirmation_id"] == waits["confirmation_id"]
    # It is rui's to decide, and nobody else's.
    path = f"/confirmations/{waits['confirmation_id']}"
    assert (await world.admin.get(path)).status_code == 404
    decided = (await world.rui.post(path, {"decision": "approve"})).json()
    assert decided["result"]["is_error"] is False
    assert (await world.rui.post(path, {"decision": "approve"})).status_code == 409
    lines = (await world.admin.get("/admin/audit")).json()["entries"]
    by_id = {line["id"]: line for line in lines}
    assert [by_id[each["audit_id"]]["outcome"] for each in (own, refused, wrong, unknown)] == [
        "ok", "forbidden", "invalid_tool_input", "unknown_tool",
    ]  # fmt: skip
    assert by_id[waits["audit_id"]]["outcome"] == "ok"
    callers = [by_id[each["audit_id"]]["caller"] for each in (own, waits)]
    assert callers[0] == {"type": "direct", "via": "panel"}
    assert callers[1] == {"type": "direct", "via": "panel", "by": "admin@demo.com"}


# ---------------------------------------------------------------------------- custom tools

SUM = {
    "name": "soma",
    "kind": "python",
    "description": "Adds two numbers.",
    "parameters": [{"name": "a", "type": "number"}, {"name": "b", "type": "number"}],
    "definition": {"code": "result = input['a'] + input['b']"},
}


async def test_a_custom_tool_is_checked_made_run_changed_and_retired(world: World) -> None:
    checked = await world.admin.post("/admin/tools/check", SUM)
    assert set(checked.json()["input_schema"]["properties"]) == {"a", "b"}
    made = await world.admin.post("/admin/tools", SUM)
    assert made.status_code == 201, made.text
    assert (made.json()["custom"], made.json()["is_enabled"]) == (True, True)
    assert made.json()["definition"] == SUM["definition"]
    assert (await world.admin.post("/admin/tools", SUM)).status_code == 409
    again = (await world.admin.get("/admin/tools/soma")).json()
    assert again["kind"] == "python"
    assert "soma" in [tool["name"] for tool in (await world.admin.get("/admin/tools")).json()]
    assert "soma" not in [tool["name"] for tool in (await world.eva.get("/admin/tools")).json()]
    agent = await world.admin.post("/admin/agents", {"name": "Contas", "tools": ["soma"]})
    assert agent.status_code == 201
    changed = await world.admin.patch(
        "/admin/tools/soma",
        {"description": "Adds.", "permission_level": "responsavel", "is_enabled": False},
    )
    assert changed.status_code == 200, changed.text
    assert (changed.json()["permission_level"], changed.json()["is_enabled"]) == (
        "responsavel",
        False,
    )
    versions = (await world.admin.get("/admin/tools/soma/versions")).json()
    assert [(v["version"], v["is_current"]) for v in versions] == [(2, True), (1, False)]
    bad = await world.admin.patch("/admin/tools/soma", {"definition": {"code": "x ="}})
    assert bad.status_code == 422
    assert "linha 1" in bad.json()["detail"]
    assert (await world.admin.delete("/admin/tools/soma")).status_code == 204
    assert (await world.admin.get("/admin/tools/soma")).status_code == 404
    assert (await world.admin.delete("/admin/tools/contar_defeitos")).status_code == 409
    redefined = await world.admin.patch("/admin/tools/contar_defeitos", {"description": "x"})
    assert redefined.status_code == 422


async def test_peoples_own_tools_are_theirs_where_the_organisation_allows(world: World) -> None:
    own = {**SUM, "name": "minha"}
    assert (await world.rui.post("/me/tools", own)).status_code == 201
    assert "minha" in [tool["name"] for tool in (await world.rui.get("/me/tools")).json()]
    assert "minha" not in [tool["name"] for tool in (await world.ana.get("/me/tools")).json()]
    seen = (await world.admin.get("/admin/tools/minha")).json()
    assert seen["owner_id"] == 2
    await world.admin.patch("/admin/organisation", {"settings": {"custom_tools": "admins"}})
    refused = await world.rui.post("/me/tools", {**SUM, "name": "outra"})
    assert refused.status_code == 403


async def test_a_person_reads_tries_and_changes_a_tool_of_their_own(world: World) -> None:
    assert (await world.rui.get("/me")).json()["may_define_tools"] is True
    own = {**SUM, "name": "minha"}
    tried = await world.rui.post("/me/tools/check", own)
    assert set(tried.json()["input_schema"]["properties"]) == {"a", "b"}
    assert (await world.rui.get("/me/tools/minha")).status_code == 404
    await world.rui.post("/me/tools", own)
    written = (await world.rui.get("/me/tools/minha")).json()
    assert (written["definition"], written["version"]) == (SUM["definition"], 1)
    listed = {tool["name"]: tool["own"] for tool in (await world.rui.get("/me/tools")).json()}
    assert (listed["minha"], listed["contar_defeitos"]) == (True, False)
    again = await world.rui.patch("/me/tools/minha", {"description": "Adds both."})
    assert again.json()["version"] == 2
    bad = await world.rui.post("/me/tools/check", {**own, "definition": {"code": "x ="}})
    assert (bad.status_code, "linha 1" in bad.json()["detail"]) == (422, True)
    await world.admin.patch("/admin/organisation", {"settings": {"custom_tools": "admins"}})
    assert (await world.rui.get("/me")).json()["may_define_tools"] is False
    assert (await world.rui.post("/me/tools/check", own)).status_code == 403


# ---------------------------------------------------------------------------- organisations


async def test_secrets_are_written_and_never_shown(world: World) -> None:
    path = "/admin/organisation"
    settings = {"secrets": {"CRM": "s3cr3t", "ERP": "other"}, "egress": ["api.example.com"]}
    shown = await world.admin.patch(path, {"settings": settings})
    assert "s3cr3t" not in shown.text
    assert set(shown.json()["settings"]["secrets"]) == {"CRM", "ERP"}
    # What comes back hidden stays what it was; null takes one away.
    hidden = shown.json()["settings"]["secrets"]
    await world.admin.patch(path, {"settings": {"secrets": {"CRM": hidden["CRM"], "ERP": None}}})
    kept = await world.site.bench.database.read(people.organisation, 1)
    assert "s3cr3t" not in str(kept.settings)
    opened = opened_settings(world.site.bench.vault, 1, kept.settings)
    assert opened["secrets"] == {"CRM": "s3cr3t"}
    for bad in ({"custom_tools": "all"}, {"egress": "x"}, {"outside_content_writes": "never"}):
        assert (await world.admin.patch(path, {"settings": bad})).status_code == 422
    other = (await world.eva.get(path)).json()
    assert "secrets" not in other["settings"]


async def test_an_organisation_with_people_is_not_removed(world: World) -> None:
    path = f"/admin/organisations/{world.second}"
    assert (await world.admin.delete(path)).status_code == 409
    assert (await world.admin.delete("/admin/organisations/1")).status_code == 409
    renamed = await world.admin.patch(path, {"name": "Bancada"})
    assert renamed.status_code == 409


# ---------------------------------------------------------------------------- what happened


async def test_the_audit_is_filtered_and_paged(world: World) -> None:
    run = "/admin/tools/{}/run".format
    for _ in range(3):
        await world.admin.post(run("contar_defeitos"), {"user": 2})
    for _ in range(2):
        await world.admin.post(run("createTask"), {"input": {"title": "t"}, "user": 3})

    async def page(**params: Any) -> dict[str, Any]:
        answer = await world.admin.get("/admin/audit", params={"category": "call", **params})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    assert len((await page())["entries"]) == 5
    assert [e["tool"] for e in (await page(outcome="forbidden"))["entries"]] == ["createTask"] * 2
    assert len((await page(user="rui@demo.com"))["entries"]) == 3
    assert len((await page(tool="createTask", user=3))["entries"]) == 2
    assert (await page(until="2020-01-01"))["entries"] == []
    assert len((await page(since="2020-01-01"))["entries"]) == 5
    seen: list[int] = []
    before: int | None = None
    while True:
        found = await page(limit=2, **({} if before is None else {"before": before}))
        seen += [entry["id"] for entry in found["entries"]]
        before = found["next"]
        if before is None:
            break
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == 5
    exported = (await world.admin.get("/admin/audit/export")).text.splitlines()
    lines = [json.loads(line) for line in exported]
    assert [line["id"] for line in lines if line["category"] == "call"] == seen[::-1]
    theirs = (await world.eva.get("/admin/audit")).json()["entries"]
    assert {line["category"] for line in theirs} == {"people", "sign_in"}


async def test_a_changed_audit_is_seen(world: World) -> None:
    await world.admin.post("/admin/tools/contar_defeitos/run", {})
    (last,) = (await world.admin.get("/admin/audit", params={"limit": 1})).json()["entries"]
    assert (await world.admin.get("/admin/audit/verify")).json() == {
        "ok": True, "checked": last["id"] + 1, "first_bad": None, "what": None,
    }  # fmt: skip
    await world.site.bench.database.run(
        lambda db: (
            db.execute(text("UPDATE audit_entries SET person_id = 3 WHERE number = 2")) and None
        )
    )
    verdict = (await world.admin.get("/admin/audit/verify")).json()
    assert (verdict["ok"], verdict["first_bad"]) == (False, 2)


async def test_usage_is_counted_and_exported(world: World) -> None:
    await world.answered()
    answer = (await world.admin.get("/admin/usage", params={"by": "tool"})).json()
    assert [(row["key"], row["calls"]) for row in answer["rows"]] == [("contar_defeitos", 1)]
    assert answer["total"]["replies"] == 2
    exported = await world.admin.get("/admin/usage", params={"by": "user", "format": "csv"})
    assert exported.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(exported.text)))
    assert [row["label"] for row in rows] == ["Rui"]
    for bad in ({"by": "moon"}, {"from": "yesterday"}, {"from": "2026-02-31"}):
        assert (await world.admin.get("/admin/usage", params=bad)).status_code == 422


async def test_usage_can_be_asked_for_to_the_ends_of_the_calendar(world: World) -> None:
    for first, last in (
        (None, "0001-01-01"),
        ("0001-01-01", "0001-01-01"),
        ("9999-12-31", "9999-12-31"),
        ("0001-01-01", "9999-12-31"),
    ):
        days = {key: day for key, day in (("from", first), ("to", last)) if day is not None}
        answer = await world.admin.get("/admin/usage", params=days)
        assert answer.status_code == 200, (days, answer.text)
        assert answer.json()["until"].startswith(last[:3])
    for moment in ("0001-01-01", "9999-12-31T23:59:59+14:00", "0001-01-01T00:00:00+14:00"):
        for key in ("since", "until"):
            answer = await world.admin.get("/admin/audit", params={key: moment})
            assert answer.status_code in (200, 422), (moment, answer.text)
    for before in ("1e308", "-1e308", "inf", "nan"):
        answer = await world.admin.get("/conversations", params={"before": before})
        assert answer.status_code in (200, 422), (before, answer.text)


async def test_a_message_says_which_tools_ran_and_not_which_were_asked_for(
    folder: Path,
) -> None:
    model = ScriptedModel(
        [
            calls_many(("no_such_tool", {}), ("contar_defeitos", {"grupo": 7})),
            says("Neither ran."),
            calls_many(("no_such_tool", {}), ("contar_defeitos", {})),
            says("One ran."),
        ]
    )
    async with served(folder, model=model) as site:
        rui = await site.signs_in("rui")
        id = await rui.begins("Qualidade")
        await rui.asks("?")
        await rui.asks("?")
        said = (await rui.get(f"/conversations/{id}")).json()["messages"]

    told = [m["metadata"] for m in said if "tools_used" in m["metadata"]]
    assert [(t["tools_used"], t["tool_enabled"]) for t in told] == [
        ([], False),
        (["contar_defeitos"], True),
    ]


async def test_a_trace_tells_everything_of_a_turn(world: World) -> None:
    answered = await world.answered()
    trace = (await world.admin.get(f"/admin/turns/{answered['turn_id']}/trace")).json()
    assert trace["intent"]["intent"] == "count_defects"
    assert [m["metadata"]["kind"] for m in trace["messages"]] == [
        "question", "reply", "results", "reply",
    ]  # fmt: skip
    assert [reply["stop_reason"] for reply in trace["replies"]] == ["tool_use", "end_turn"]
    assert [call["tool"] for call in trace["calls"]] == ["contar_defeitos"]
    numbers = [event["n"] for event in trace["events"]]
    assert numbers == sorted(numbers)
    assert len(trace["requests"]) == 2
    assert (
        trace["requests"][1]["messages"][: len(trace["requests"][0]["messages"]) - 1]
        == (trace["requests"][0]["messages"][:-1])
    )
    assert (await world.eva.get(f"/admin/turns/{answered['turn_id']}/trace")).status_code == 404


async def test_an_experiment_runs_says_what_it_knows_and_ends(world: World) -> None:
    id = await world.experiment()
    found = (await world.admin.get(f"/admin/experiments/{id}")).json()
    assert {c["verdict"] for c in found["comparisons"]} == {"not_enough_data"}
    assert [r["conversations"] for r in found["results"]] == [0, 0]
    ended = await world.admin.patch(f"/admin/experiments/{id}", {"is_running": False})
    assert ended.json()["ended_at"] is not None
    again = await world.admin.patch(f"/admin/experiments/{id}", {"is_running": True})
    assert again.status_code == 409
    body = {"name": "x", "agent": "Qualidade", "variants": [{"name": "a"}, {"name": "b"}]}
    assert (await world.admin.post("/admin/experiments", body)).status_code == 422
    body["variants"] = [{"name": "a"}, {"name": "b", "changes": {"tools": ["nenhuma"]}}]
    assert (await world.admin.post("/admin/experiments", body)).status_code == 422


async def test_containers_are_seen_and_ended(world: World) -> None:
    if world.site.bench.jail.missing:
        pytest.skip(world.site.bench.jail.missing)
    id = await world.container()
    listed = (await world.admin.get("/admin/containers")).json()
    assert [container["id"] for container in listed] == [id]
    assert (await world.admin.delete(f"/admin/containers/{id}")).status_code == 204
    assert (await world.admin.get("/admin/containers")).json() == []
    assert (await world.admin.delete(f"/admin/containers/{id}")).status_code == 404
