"""Calls of an MCP client: the person's tools, the gate, and the person's word where it is needed."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from bancada import Attachment, Result, ToolContext, ToolFailed, tool
from tests.mcp.speaking import FORMS, LINKS, TASKS, Speaker, text_of
from tests.server.site import Site

paid: list[int] = []


@tool(effect="write", confirm="always")
async def pay(amount: int) -> str:
    """Pay."""
    paid.append(amount)
    return f"paid {amount}"


@tool
async def count_to(ctx: ToolContext, most: int) -> dict[str, int]:
    """Count."""
    await ctx.progress(most, most)
    return {"counted": most}


@pytest.fixture(autouse=True)
def _unpaid() -> None:
    paid.clear()


async def speaks(site: Site, person: str, can: dict[str, Any] | None = None) -> Speaker:
    reader = await site.signs_in(person)
    return Speaker(reader.client, can or {})


async def lines(site: Site, tool: str) -> list[dict[str, Any]]:
    admin = await site.signs_in("admin")
    asked = {"tool": tool, "category": "call"}
    return list((await admin.get("/admin/audit", params=asked)).json()["entries"])


async def test_a_person_sees_their_own_tools_and_no_others(site: Site) -> None:
    names = {
        person: {
            one["name"] for one in (await (await speaks(site, person)).asks("tools/list"))["tools"]
        }
        for person in ("ana", "admin")
    }

    assert "sendAnnouncement" in names["admin"]
    assert "sendAnnouncement" not in names["ana"]
    assert names["ana"] < names["admin"]


async def test_a_call_goes_through_the_gate_and_says_that_a_client_made_it(site: Site) -> None:
    await site.has_tools(count_to)
    rui = await speaks(site, "rui")

    result = await rui.calls("count_to", {"most": 3})

    assert result["structuredContent"] == {"counted": 3}
    assert text_of(result) == '{"counted":3}'
    (line,) = await lines(site, "count_to")
    assert (line["caller"]["via"], line["outcome"]) == ("mcp", "ok")


async def test_what_the_person_may_not_call_is_refused_in_words_and_on_record(site: Site) -> None:
    ana = await speaks(site, "ana")

    result = await ana.calls("sendAnnouncement", {"title": "x", "message": "y"})

    assert result["isError"] is True
    (line,) = await lines(site, "sendAnnouncement")
    assert (line["decision"], line["caller"]["via"]) == ("refused", "mcp")


async def test_an_unknown_tool_is_an_error_of_the_protocol(site: Site) -> None:
    ana = await speaks(site, "ana")

    error = await ana.is_refused("tools/call", {"name": "nothing_like_it", "arguments": {}})

    assert error["code"] == -32602


async def test_a_schema_is_promised_and_kept(site: Site) -> None:
    await site.has_tools(count_to)
    rui = await speaks(site, "rui")

    shown = {one["name"]: one for one in (await rui.asks("tools/list"))["tools"]}

    assert shown["count_to"]["outputSchema"]["type"] == "object"
    assert shown["count_to"]["annotations"]["readOnlyHint"] is True


async def test_a_call_to_be_confirmed_asks_through_the_client_and_runs_once(site: Site) -> None:
    await site.has_tools(pay)
    rui = await speaks(site, "rui", FORMS)
    asked = await rui.calls("pay", {"amount": 5})
    assert asked["resultType"] == "input_required"
    (request,) = asked["inputRequests"].values()
    assert '{"amount":5}' in request["params"]["message"]
    assert paid == []

    yes = {"confirmation": {"action": "accept", "content": {"decision": "approve"}}}
    again = {"inputResponses": yes, "requestState": asked["requestState"]}
    done = await rui.calls("pay", {"amount": 5}, **again)
    once_more = await rui.calls("pay", {"amount": 5}, **again)

    assert text_of(done) == text_of(once_more) == "paid 5"
    assert paid == [5]
    (line,) = await lines(site, "pay")
    assert (line["caller"]["via"], line["decision"]) == ("mcp", "approved")


@pytest.mark.parametrize(
    "answer",
    [
        {"action": "decline"},
        {"action": "accept", "content": {"decision": "reject", "reason": "too much"}},
    ],
)
async def test_a_no_is_a_no(site: Site, answer: dict[str, Any]) -> None:
    await site.has_tools(pay)
    rui = await speaks(site, "rui", FORMS)
    asked = await rui.calls("pay", {"amount": 5})

    done = await rui.calls(
        "pay",
        {"amount": 5},
        inputResponses={"confirmation": answer},
        requestState=asked["requestState"],
    )

    assert done["isError"] is True
    assert "rejected" in text_of(done)
    assert paid == []


async def test_what_was_asked_for_cannot_be_changed_on_the_way_back(site: Site) -> None:
    await site.has_tools(pay)
    rui = await speaks(site, "rui", FORMS)
    asked = await rui.calls("pay", {"amount": 5})
    yes = {"confirmation": {"action": "accept", "content": {"decision": "approve"}}}

    error = await rui.is_refused(
        "tools/call",
        {
            "name": "pay",
            "arguments": {"amount": 500},
            "inputResponses": yes,
            "requestState": asked["requestState"],
        },
    )

    assert error["code"] == -32602
    assert paid == []


async def test_somebody_elses_question_is_not_answered(site: Site) -> None:
    await site.has_tools(pay)
    rui, admin = await speaks(site, "rui", FORMS), await speaks(site, "admin", FORMS)
    asked = await rui.calls("pay", {"amount": 5})
    yes = {"confirmation": {"action": "accept", "content": {"decision": "approve"}}}
    params = {"name": "pay", "arguments": {"amount": 5}, "inputResponses": yes}

    error = await admin.is_refused("tools/call", {**params, "requestState": asked["requestState"]})

    assert error["code"] == -32602
    assert paid == []


async def test_a_client_that_shows_links_is_sent_to_the_page_and_told_what_was_decided(
    site: Site,
) -> None:
    await site.has_tools(pay)
    rui = await speaks(site, "rui", LINKS)
    asked = await rui.calls("pay", {"amount": 7})
    (request,) = asked["inputRequests"].values()
    assert request["params"]["url"] == f"{site.address}/#/confirmations"
    accepted = {"inputResponses": {"confirmation": {"action": "accept"}}}
    before = await rui.calls("pay", {"amount": 7}, **accepted, requestState=asked["requestState"])
    assert before["resultType"] == "input_required"
    assert paid == []

    await _decides(site, "rui", "approve")
    after = await rui.calls("pay", {"amount": 7}, **accepted, requestState=before["requestState"])

    assert text_of(after) == "paid 7"
    assert paid == [7]


async def _decides(site: Site, person: str, decision: str) -> None:
    reader = await site.signs_in(person)
    (waiting,) = (await reader.get("/confirmations")).json()
    answer = await reader.post(f"/confirmations/{waiting['id']}", {"decision": decision})
    assert answer.status_code == 200, answer.text


async def test_a_client_that_can_ask_nobody_is_told_where_it_waits(site: Site) -> None:
    await site.has_tools(pay)
    rui = await speaks(site, "rui")

    result = await rui.calls("pay", {"amount": 5})

    assert result["isError"] is True
    assert f"{site.address}/#/confirmations" in text_of(result)
    await _decides(site, "rui", "approve")
    assert paid == [5]


async def test_a_word_that_is_somebody_elses_is_not_asked_for_here(site: Site) -> None:
    await site.has_tools(pay)
    admin = await site.signs_in("admin")
    rule = {"confirmation": {"approver": "other", "approver_role": "admin"}}
    answer = await admin.patch("/admin/tools/pay/settings", rule, params={"scope": "organisation"})
    assert answer.status_code == 200, answer.text
    rui = await speaks(site, "rui", FORMS)

    result = await rui.calls("pay", {"amount": 5})

    assert result["isError"] is True
    assert paid == []


async def test_a_task_waits_for_the_word_and_has_the_result(site: Site) -> None:
    await site.has_tools(pay)
    rui = await speaks(site, "rui", TASKS)
    made = await rui.calls("pay", {"amount": 9})
    assert (made["resultType"], made["status"]) == ("task", "input_required")
    task = {"taskId": made["taskId"]}
    waiting = await rui.asks("tasks/get", task)
    assert list(waiting["inputRequests"]) == ["confirmation"]

    yes = {"confirmation": {"action": "accept", "content": {"decision": "approve"}}}
    await rui.asks("tasks/update", {**task, "inputResponses": yes})
    done = await _until(rui, task, "completed")

    assert text_of(done["result"]) == "paid 9"
    assert paid == [9]


async def _until(speaker: Speaker, task: dict[str, str], status: str) -> dict[str, Any]:
    async with asyncio.timeout(20):
        while True:
            now = await speaker.asks("tasks/get", task)
            if now["status"] == status:
                return now
            await asyncio.sleep(0.05)


async def test_a_task_that_was_decided_on_the_page_is_done(site: Site) -> None:
    await site.has_tools(pay)
    rui = await speaks(site, "rui", TASKS)
    made = await rui.calls("pay", {"amount": 9})

    await _decides(site, "rui", "approve")

    done = await rui.asks("tasks/get", {"taskId": made["taskId"]})
    assert (done["status"], paid) == ("completed", [9])


async def test_a_cancelled_task_leaves_nothing_to_decide(site: Site) -> None:
    await site.has_tools(pay)
    rui = await speaks(site, "rui", TASKS)
    made = await rui.calls("pay", {"amount": 9})

    await rui.asks("tasks/cancel", {"taskId": made["taskId"]})

    assert (await rui.asks("tasks/get", {"taskId": made["taskId"]}))["status"] == "cancelled"
    reader = await site.signs_in("rui")
    assert (await reader.get("/confirmations")).json() == []


async def test_nobody_reads_anothers_task(site: Site) -> None:
    await site.has_tools(pay)
    rui, admin = await speaks(site, "rui", TASKS), await speaks(site, "admin", TASKS)
    made = await rui.calls("pay", {"amount": 9})

    for method in ("tasks/get", "tasks/cancel"):
        error = await admin.is_refused(method, {"taskId": made["taskId"]})
        assert error["code"] == -32602


async def test_sounds_and_documents_reach_the_client(site: Site) -> None:
    @tool
    async def sing() -> Result:
        """Sing."""
        sound = Attachment(kind="audio", media_type="audio/wav", data="UklGRg==")
        link = Attachment(kind="link", media_type="text/plain", uri="x://words", name="words")
        return Result(content="la", attachments=[sound, link])

    await site.has_tools(sing)

    result = await (await speaks(site, "rui")).calls("sing")

    assert [one["type"] for one in result["content"]] == ["text", "audio", "resource_link"]


async def test_a_client_that_goes_away_stops_the_call_and_its_end_is_written(site: Site) -> None:
    begun, stopped = asyncio.Event(), asyncio.Event()

    @tool
    async def wait_long() -> str:
        """Wait."""
        begun.set()
        try:
            await asyncio.sleep(30)
        finally:
            stopped.set()
        return "never"

    await site.has_tools(wait_long)
    rui = await speaks(site, "rui")

    calling = asyncio.create_task(rui.calls("wait_long"))
    await asyncio.wait_for(begun.wait(), 10)
    calling.cancel()
    await asyncio.wait_for(stopped.wait(), 10)

    async with asyncio.timeout(10):
        while not (found := [one for one in await lines(site, "wait_long") if one["outcome"]]):
            await asyncio.sleep(0.05)
    assert found[0]["outcome"] == "cancelled"


async def test_progress_is_told_to_whoever_asked_for_it(site: Site) -> None:
    await site.has_tools(count_to)
    rui = await speaks(site, "rui")

    answer = await rui.sends(
        "tools/call",
        {"name": "count_to", "arguments": {"most": 3}, "_meta": {"progressToken": "p"}},
    )

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert '"progressToken":"p","progress":3' in answer.text


async def test_a_failure_is_a_result_that_a_model_can_read(site: Site) -> None:
    @tool
    async def fail() -> str:
        """Fail."""
        raise ToolFailed("No such press.")

    await site.has_tools(fail)

    result = await (await speaks(site, "rui")).calls("fail")

    assert (result["isError"], text_of(result)) == (True, "No such press.")


async def test_the_account_is_read_at_every_call(site: Site) -> None:
    await site.has_tools(count_to)
    rui = await speaks(site, "rui")
    await rui.calls("count_to", {"most": 1})
    admin = await site.signs_in("admin")
    (row,) = [
        one for one in (await admin.get("/admin/users")).json() if one["email"] == "rui@demo.com"
    ]

    await admin.patch(f"/admin/users/{row['id']}", {"is_active": False})

    answer: httpx.Response = await rui.sends("tools/list")
    assert answer.status_code == 401
