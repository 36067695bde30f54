"""What the pack says of itself, and how its tools stand at the gate."""

from __future__ import annotations

from bancada.domain.calls import CODE_CALLER, Caller
from tests.house import House
from tests.packs.workspace.bench import Bench


def test_the_agent_is_the_guides(bench: Bench) -> None:
    (agent,) = bench.pack.agents
    assert (agent.name, agent.max_history, agent.max_tokens) == ("Assistente", 10, 2000)
    assert (agent.model, agent.code) == ("claude-haiku-5-5", "local")
    assert set(agent.tools) == {tool.name for tool in bench.pack.tools}
    headings = [line for line in agent.system_prompt.splitlines() if line.startswith("## ")]
    assert headings == [
        "## What you can do",
        "## When to use tools",
        "## How to choose",
        "## How to interpret results",
    ]


def test_the_prompt_names_every_tool(bench: Bench) -> None:
    (agent,) = bench.pack.agents
    assert [name for name in agent.tools if name not in agent.system_prompt] == []


def test_levels_and_effects_are_the_contracts(bench: Bench) -> None:
    writes = {tool.name: tool for tool in bench.pack.tools if tool.effect == "write"}
    assert set(writes) == {"createTask", "sendAnnouncement"}
    assert writes["createTask"].permission_level == "responsavel"
    assert writes["sendAnnouncement"].permission_level == "admin"
    assert {tool.confirm for tool in writes.values()} == {"always"}
    assert writes["sendAnnouncement"].allowed_callers == ("direct",)
    reads = [tool for tool in bench.pack.tools if tool.effect == "read"]
    assert all(tool.permission_level == "operador" for tool in reads)
    assert all("code_execution_20260120" in tool.allowed_callers for tool in reads)
    outside = {tool.name for tool in bench.pack.tools if tool.outside_content}
    assert outside == {"searchDocuments"}


async def test_a_task_runs_only_after_a_person_said_so(house: House, bench: Bench) -> None:
    await house.add(*bench.pack.tools, pack="workspace")
    refused = await house.result("createTask", {"title": "Paint"}, by=house.ana)
    assert refused.code == "forbidden"
    waiting = await house.waits("createTask", {"title": "Paint"}, by=house.rui, id="c1")
    assert await house.decide(waiting, "approved", by=house.rui)
    done = await house.result(
        "createTask",
        {"title": "Paint"},
        by=house.rui,
        id="c1",
        confirmation_id=waiting.confirmation_id,
    )
    assert done.value["title"] == "Paint"
    assert (await house.result("getTaskList")).value["total"] == 1


async def test_an_announcement_is_the_administrators_and_never_codes(
    house: House, bench: Bench
) -> None:
    await house.add(*bench.pack.tools, pack="workspace")
    input = {"title": "Lunch", "message": "At noon."}
    assert (await house.result("sendAnnouncement", input, by=house.rui)).code == "forbidden"
    from_code = Caller(type=CODE_CALLER, tool_id="srvtoolu_1")
    refused = await house.result("sendAnnouncement", input, by=house.eva, caller=from_code)
    assert refused.code == "tool_not_allowed"
    await house.waits("sendAnnouncement", input, by=house.eva)


async def test_a_search_asked_twice_is_answered_from_the_cache(house: House, bench: Bench) -> None:
    await house.add(*bench.pack.tools, pack="workspace")
    input = {"query": "financial Q4", "category": "Financial"}
    first = await house.result("searchDocuments", input, by=house.ana)
    again = await house.result("searchDocuments", input, by=house.rui)
    assert (first.cached, again.cached) == (False, True)
    assert again.value == first.value
