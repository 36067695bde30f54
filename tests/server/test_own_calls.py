"""What a person's own program may call: the tools of their agents, through the gate."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from bancada import tool
from tests.server.site import Site, served


async def _audit(site: Site, **query: Any) -> list[dict[str, Any]]:
    admin = await site.signs_in("admin")
    answer = await admin.get("/admin/audit", params=query)
    entries: list[dict[str, Any]] = answer.json()["entries"]
    return entries


async def test_a_person_is_listed_the_tools_of_their_agents_and_no_others(site: Site) -> None:
    ana, rui = await site.signs_in("ana"), await site.signs_in("rui")
    hers = {one["name"]: one for one in (await ana.get("/tools")).json()}
    his = {one["name"]: one for one in (await rui.get("/tools")).json()}
    assert hers["contar_defeitos"]["agent"]["name"] == "Qualidade"
    assert hers["contar_defeitos"]["input_schema"]["type"] == "object"
    assert "searchDocuments" in his
    assert "searchDocuments" not in hers
    assert "search_tools" not in his


async def test_a_person_runs_a_tool_of_theirs_and_the_audit_names_the_door(site: Site) -> None:
    rui = await site.signs_in("rui")
    body = {"input": {"turno": "noite"}, "session_id": "sessão-7"}
    answer = await rui.post("/tools/contar_defeitos/run", body)
    assert answer.status_code == 200, answer.text
    ran = answer.json()
    assert (ran["is_error"], ran["result"]["total"]) == (False, 59)
    [line] = [
        one for one in await _audit(site, tool="contar_defeitos") if one["id"] == ran["audit_id"]
    ]
    assert line["caller"] == {"type": "direct", "via": "api", "session": "sessão-7"}


async def test_what_no_agent_of_theirs_has_is_refused_like_any_call(site: Site) -> None:
    ana = await site.signs_in("ana")
    refused = (await ana.post("/tools/searchDocuments/run", {"input": {"query": "Q4"}})).json()
    assert (refused["is_error"], refused["code"]) == (True, "disabled")
    unknown = (await ana.post("/tools/nada/run", {"input": {}})).json()
    assert unknown["code"] == "unknown_tool"
    assert "searchDocuments" not in unknown["result"]
    forbidden = (await ana.post("/tools/executar_python/run", {"input": {"codigo": "1"}})).json()
    assert forbidden["is_error"]
    assert forbidden["code"] in ("forbidden", "disabled")


async def test_a_call_that_must_be_confirmed_waits_and_runs_when_it_is(site: Site) -> None:
    rui = await site.signs_in("rui")
    waits = (await rui.post("/tools/createTask/run", {"input": {"title": "Rever"}})).json()
    assert waits["is_error"]
    assert waits["confirmation_id"]
    path = f"/confirmations/{waits['confirmation_id']}"
    assert (await rui.post(path, {"decision": "approve"})).status_code == 200
    done = (await rui.get(path)).json()
    assert done["result"]["result"]["title"] == "Rever", done


async def test_the_agent_a_person_names_must_be_theirs(site: Site) -> None:
    ana = await site.signs_in("ana")
    answer = await ana.post("/tools/contar_defeitos/run", {"input": {}, "agent": "Assistente"})
    assert answer.status_code == 403


async def test_an_agents_rule_holds_for_calls_through_it(site: Site) -> None:
    admin, ana = await site.signs_in("admin"), await site.signs_in("ana")
    [agent] = [
        one for one in (await admin.get("/admin/agents")).json() if one["name"] == "Qualidade"
    ]
    changed = await admin.patch(
        "/admin/tools/contar_defeitos/settings",
        {"is_enabled": False},
        params={"scope": "agent", "subject": str(agent["id"])},
    )
    assert changed.status_code == 200, changed.text
    assert (await ana.post("/tools/contar_defeitos/run", {"input": {}})).json()[
        "code"
    ] == "disabled"


async def test_an_agent_with_a_star_has_every_tool_of_the_person_also_new_ones(site: Site) -> None:
    admin, ana = await site.signs_in("admin"), await site.signs_in("ana")
    made = await admin.post("/admin/agents", {"name": "Tudo", "tools": ["top_defeitos", "*"]})
    assert made.status_code == 201, made.text
    assert made.json()["tools"] == ["top_defeitos", "*"]
    people = (await admin.get("/admin/users")).json()
    [her] = [one for one in people if one["email"] == "ana@demo.com"]
    granted = await admin.patch(f"/admin/users/{her['id']}", {"agents": [made.json()["id"]]})
    assert granted.status_code == 200, granted.text

    @tool
    async def brand_new() -> str:
        """Made after the agent."""
        return "here"

    @tool(permission_level="admin")
    async def not_hers() -> str:
        """Above her."""
        return "no"

    site.bench.registry.add(brand_new)
    site.bench.registry.add(not_hers)
    names = [one["name"] for one in (await ana.get("/tools")).json()]
    assert {"brand_new", "searchDocuments", "top_defeitos"} <= set(names)
    assert "not_hers" not in names
    assert (await ana.post("/tools/brand_new/run", {"input": {}})).json()["result"] == "here"
    assert (await ana.post("/tools/not_hers/run", {"input": {}})).json()["code"] == "forbidden"
    await ana.begins("Tudo")
    events = await ana.asks("quantos defeitos há?")
    assert [one.data["name"] for one in events if one.type == "tool_use"] == ["contar_defeitos"]


async def test_a_proxy_client_runs_the_calls_it_was_given_and_hands_them_back(site: Site) -> None:
    rui = await site.signs_in("rui")
    question = "Find all financial documents from Q4"
    ask = {"mode": "tool_enabled_chat", "message": question, "session_id": "s-1"}
    reply = (await rui.post("/anthropic-proxy", ask)).json()
    assert reply["stop_reason"] == "tool_use"
    results = []
    for block in reply["content"]:
        if block["type"] == "tool_use":
            body = {"input": block["input"], "agent": "Assistente", "session_id": "s-1"}
            ran = (await rui.post(f"/tools/{block['name']}/run", body)).json()
            assert not ran["is_error"], ran
            results.append({"tool_use_id": block["id"], "result": ran["result"]})
    messages = [
        {"role": "user", "content": question},
        {"role": "assistant", "content": reply["content"]},
    ]
    more = {"mode": "tool_continuation", "messages": messages, "tool_results": results}
    told = (await rui.post("/anthropic-proxy", {**more, "session_id": "s-1"})).json()
    assert told["stop_reason"] == "end_turn"
    assert "Q4" in told["content"][0]["text"]
    lines = await _audit(site, tool="searchDocuments")
    assert [line["caller"]["session"] for line in lines] == ["s-1"]


async def test_the_proxys_own_calls_carry_the_session_in_the_audit(site: Site) -> None:
    rui = await site.signs_in("rui")
    body = {"mode": "analytics", "message": "sales summary for Q4 2024", "session_id": "s-2"}
    assert (await rui.post("/anthropic-proxy", body)).status_code == 200
    [line] = await _audit(site, tool="getSalesSummary")
    assert line["caller"]["session"] == "s-2"


async def test_a_program_of_ones_own_is_code_and_runs_for_whoever_may_run_code(
    site: Site,
) -> None:
    admin, ana = await site.signs_in("admin"), await site.signs_in("ana")
    await admin.patch("/admin/organisation", {"settings": {"custom_tools": "users"}})
    program = {"kind": "python", "name": "duas", "description": "d", "parameters": []}
    made = await ana.post("/me/tools", {**program, "definition": {"code": "result = 1 + 1"}})
    assert made.status_code == 201, made.text

    async def runs() -> tuple[str | None, Any]:
        ran = (await ana.post("/tools/duas/run", {"input": {}})).json()
        return ran["code"], ran["confirmation_id"]

    assert (await runs())[0] == "forbidden"
    assert "duas" not in {one["name"] for one in (await ana.get("/tools")).json()}

    may = {"permission_level": "operador"}
    assert (await admin.patch("/admin/tools/code_execution", may)).status_code == 200
    assert await runs() == (None, None)

    condition = {"when": {"field": "code", "op": "contains", "value": "import"}}
    asked = {"confirmation": {**condition, "approver_role": "admin"}}
    assert (await admin.patch("/admin/tools/code_execution", asked)).status_code == 200
    _, waits = await runs()
    assert (await ana.post(f"/confirmations/{waits}", {"decision": "approve"})).status_code == 404


async def test_a_write_that_a_killed_server_left_is_told_as_unknown(folder: Path) -> None:
    began = asyncio.Event()

    @tool(effect="write")
    async def stall() -> str:
        """Begin to write, and never end."""
        began.set()
        await asyncio.sleep(60)
        return "written"

    async with served(folder) as site:
        await site.has_tools(stall)
        rui = await site.signs_in("rui")
        running = asyncio.create_task(rui.post("/tools/stall/run", {"input": {}}))
        await asyncio.wait_for(began.wait(), 10)
        [line] = await _audit(site, tool="stall")
        assert line["state"] == "started"
        site.bench.gate.draining = True  # what is cut now is left as a kill would leave it
    with suppress(httpx.HTTPError):
        await running

    async with served(folder) as site, asyncio.timeout(10):
        while (await _audit(site, tool="stall"))[0]["state"] == "started":
            await asyncio.sleep(0.05)
        [line] = await _audit(site, tool="stall")
        assert line["outcome"] == "unknown"
        assert "may or may not have happened" in line["error"]
