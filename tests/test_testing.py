"""`bancada.testing`: a call, a turn, a person, an approval and the audit, for people who write packs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bancada import Agent, Pack, Services, ToolContext, tool
from bancada.testing import ScriptedModel, Workshop, calls, open_workshop, says

DOORS: dict[str, str] = {}


@tool()
async def look(ctx: ToolContext) -> str:
    """Say who looks."""
    return ctx.person.name


@tool(effect="write", permission_level="responsavel", confirm="always")
async def set_door(ctx: ToolContext, state: str) -> dict[str, str]:
    """Open or shut the door."""
    DOORS["door"] = state
    return {"door": state}


def build(services: Services) -> Pack:
    porter = Agent(name="Porter", description="", system_prompt="", tools=("look", "set_door"))
    return Pack(name=services.settings.get("called", "doors"), tools=[set_door], agents=[porter])


@pytest.fixture
async def workshop() -> AsyncIterator[Workshop]:
    DOORS.clear()
    async with open_workshop(build, look) as opened:
        yield opened


async def test_a_call_is_made_as_the_person_who_is_named(workshop: Workshop) -> None:
    assert (await workshop.result("look")).content == "Ana"
    assert (await workshop.result("look", by=workshop.eva)).content == "Eva"


async def test_the_gate_refuses_whom_it_would_refuse_anywhere(workshop: Workshop) -> None:
    refused = await workshop.result("set_door", {"state": "open"}, by=workshop.ana)
    assert (refused.is_error, refused.code) == (True, "forbidden")
    refused = await workshop.result("set_door", {"state": 4}, by=workshop.rui)
    assert refused.code == "invalid_tool_input"
    assert DOORS == {}


async def test_an_approved_call_runs_with_the_arguments_approved(workshop: Workshop) -> None:
    waiting = await workshop.waits("set_door", {"state": "open"}, by=workshop.rui)
    assert DOORS == {}
    ended = await workshop.approve(waiting, by=workshop.rui, input={"state": "ajar"})
    assert (ended.value, ended.content) == ({"door": "ajar"}, '{"door":"ajar"}')
    (line,) = await workshop.audit()
    assert (line["tool"], line["decision"], line["person"]) == (
        "set_door",
        "approved",
        "rui@example.com",
    )


async def test_a_rejected_call_does_not_run(workshop: Workshop) -> None:
    waiting = await workshop.waits("set_door", {"state": "open"}, by=workshop.rui)
    await workshop.reject(waiting, by=workshop.rui, reason="draughty")
    assert DOORS == {}


def asking() -> ScriptedModel:
    return ScriptedModel([calls("set_door", state="open"), says("It is open.")])


async def test_a_turn_waits_where_nobody_answers() -> None:
    DOORS.clear()
    async with open_workshop(build, model=asking()) as workshop:
        told = await workshop.ask("Open it", by=workshop.rui)
    assert (told.status, told.text, DOORS) == ("waiting", "", {})


async def test_a_turn_goes_on_when_the_person_says_yes() -> None:
    DOORS.clear()
    model = asking()
    async with open_workshop(build, model=model) as workshop:
        told = await workshop.ask("Open it", by=workshop.rui, approve=["set_door"])
        assert (told.status, told.text) == ("done", "It is open.")
        assert told.one("decision")["decision"] == "approve"
        assert told.one("tool_use")["result"] == DOORS == {"door": "open"}
        assert [line["turn_id"] for line in await workshop.audit()] == [told.turn_id]
    assert model.remaining == 0


async def test_the_model_hears_that_the_person_said_no() -> None:
    DOORS.clear()
    model = asking()
    async with open_workshop(build, model=model) as workshop:
        told = await workshop.ask("Open it", by=workshop.rui, reject=["set_door"])
    assert (told.status, DOORS) == ("done", {})
    assert model.last_results[0]["is_error"]


async def test_a_conversation_goes_on_with_the_same_agent() -> None:
    model = ScriptedModel([says("One."), says("Two.")])
    async with open_workshop(build, look, model=model) as workshop:
        first = await workshop.ask("one", agent="Testing")
        await workshop.ask("two", conversation=first.conversation_id)
    assert [message["role"] for message in model.requests[1].messages] == [
        "user",
        "assistant",
        "user",
    ]


async def test_a_pack_finds_its_settings_and_its_neighbours(tmp_path: Path) -> None:
    opened = open_workshop(build, packs=["tables"], pack_settings={"called": "d"}, folder=tmp_path)
    async with opened as workshop:
        assert [pack.name for pack in workshop.bench.packs] == ["tables", "testing", "d"]
    async with open_workshop(build, folder=tmp_path) as again:
        assert again.ana == workshop.ana
