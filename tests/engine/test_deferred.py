"""Tools that are not sent in full: found by searching, and called from then on."""

from __future__ import annotations

from dataclasses import replace

from bancada.domain.json import loads
from bancada.tools.tool import Tool, tool
from tests.engine.conftest import Open
from tests.engine.harness import assert_acceptable

LOW = {"deferred_tools_above": 500}


@tool
async def greet(name: str) -> str:
    """Greet somebody by name."""
    return f"Hello {name}"


def many(count: int) -> list[Tool]:
    """Tools that only differ in what they are about."""

    @tool(deferred=True)
    async def about(amount: int = 1) -> str:
        """Look up."""
        return "looked up"

    subjects = ("weather", "exchange rates", "train times", "stock", "holidays")
    return [
        replace(
            about,
            name=f"find_{subjects[n % 5].replace(' ', '_')}_{n}",
            description=f"Look up {subjects[n % 5]} of region {n}.",
        )
        for n in range(count)
    ]


async def test_below_the_limit_everything_is_offered(open_agent: Open) -> None:
    agent = await open_agent(greet, *many(3), settings={"tool_search": "ours"})
    agent.model.will_say("Hello.")
    await agent.run("Hi")

    assert len(agent.model.requests[0].tools) == 4


async def test_above_it_the_model_searches_and_calls_what_it_found(open_anywhere: Open) -> None:
    agent = await open_anywhere(greet, *many(20), settings={**LOW, "tool_search": "ours"})
    agent.model.will_call("search_tools", query="exchange rates")
    agent.model.will_call("find_exchange_rates_1", amount=2).will_say("1.1").will_say("Again.")

    turn = await agent.run("What is a euro worth?")

    first, second, third = agent.model.requests
    assert [shape["name"] for shape in first.tools] == ["greet", "search_tools"]
    found = [each["name"] for each in loads(second.messages[-1]["content"][0]["content"])["tools"]]
    assert "find_exchange_rates_1" in found
    names = [shape["name"] for shape in second.tools]
    assert names[:2] == ["greet", "search_tools"]
    assert set(names[2:]) == set(found)
    assert agent.names_run == ["find_exchange_rates_1"]
    assert third.tools == second.tools
    assert turn.status == "done"

    await agent.run("And now?")
    assert agent.model.requests[-1].tools == third.tools
    assert_acceptable(agent.model.requests[-1].messages)


async def test_a_deferred_tool_can_be_called_without_being_searched(open_agent: Open) -> None:
    agent = await open_agent(greet, *many(20), settings={**LOW, "tool_search": "ours"})
    agent.model.will_call("find_weather_0").will_say("Sunny.")

    await agent.run("Weather?")

    assert agent.names_run == ["find_weather_0"]


async def test_a_search_that_finds_nothing_says_so(open_agent: Open) -> None:
    agent = await open_agent(greet, *many(20), settings={**LOW, "tool_search": "ours"})
    agent.model.will_call("search_tools", query="zzz").will_say("Nothing.")

    await agent.run("?")

    assert loads(agent.model.last_result["content"]) == {"tools": []}
    assert len(agent.model.requests[1].tools) == 2


async def test_only_tools_of_this_agent_and_person_are_found(open_agent: Open) -> None:
    tools = many(20)
    agent = await open_agent(
        greet,
        *tools,
        tools=("greet", *(tool.name for tool in tools[:10])),
        settings={**LOW, "tool_search": "ours"},
    )
    agent.model.will_call("search_tools", query="weather stock holidays train").will_say("So.")

    await agent.run("?")

    found = {each["name"] for each in loads(agent.model.last_result["content"])["tools"]}
    assert found
    assert found <= {tool.name for tool in tools[:10]}


async def test_where_the_model_searches_itself_tools_are_marked_for_it(open_agent: Open) -> None:
    agent = await open_agent(greet, *many(20), settings={**LOW, "tool_search": "vendor"})
    agent.model.will_say("Hello.")
    await agent.run("Hi")

    own, *deferred, search = agent.model.requests[0].tools
    assert own["name"] == "greet"
    assert all(shape["defer_loading"] and "cache_control" not in shape for shape in deferred)
    assert search["type"] == "tool_search_tool_bm25_20251119"
