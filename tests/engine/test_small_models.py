"""What small models do wrong, and what is made of it: filters full of nothing, loops, floods."""

from __future__ import annotations

from bancada.domain.errors import ToolFailed
from bancada.tools.tool import tool
from tests.engine.conftest import Open


@tool
async def count(shift: str | None = None, kind: str | None = None, day: str | None = None) -> str:
    """Count defects; every filter is optional."""
    return f"{shift} {kind} {day}"


@tool(effect="write")
async def label(text: str | None = None) -> str:
    """Write a label."""
    return f"wrote {text}"


@tool
async def fail(n: int = 1) -> str:
    """Fail."""
    raise ToolFailed("There is no such thing.")


async def test_filters_that_say_all_or_nothing_are_left_out(open_agent: Open) -> None:
    agent = await open_agent(count)
    agent.model.will_call("count", shift="night", kind="all", day="None").will_say("Done.")

    await agent.run("?")

    assert agent.model.last_result["content"] == "night None None"
    (line,) = await agent.audit()
    assert "all" in str(line), "what was asked for stays on record"


async def test_what_is_to_be_written_is_written_as_it_is(open_agent: Open) -> None:
    agent = await open_agent(label)
    agent.model.will_call("label", text="all").will_say("Done.")

    await agent.run("?")

    assert agent.model.last_result["content"] == "wrote all"


async def test_a_failure_that_comes_again_says_so(open_agent: Open) -> None:
    agent = await open_agent(fail)
    agent.model.will_call("fail", n=1).will_call("fail", n=2).will_call("fail", n=1)
    agent.model.will_say("I give up.")

    await agent.run("?")

    said = [
        block["content"]
        for request in agent.model.requests[1:]
        for block in request.messages[-1]["content"]
    ]
    assert said[:2] == ["There is no such thing."] * 2
    assert "2 times" in said[2]


async def test_a_flood_of_calls_is_stemmed_and_every_call_answered(open_agent: Open) -> None:
    agent = await open_agent(count)
    flood = [("count", {"shift": "night"})] * 6 + [("count", {"kind": str(n)}) for n in range(30)]
    agent.model.will_call_all(*flood).will_say("Enough.")

    turn = await agent.run("?")

    assert len(agent.tools_run) == 3 + 26
    results = agent.model.requests[1].messages[-1]["content"]
    assert len(results) == 36
    assert sum("the same call" in str(one["content"]) for one in results) == 3
    assert sum("at most 32" in str(one["content"]) for one in results) == 4
    assert turn.text == "Enough."
    await agent.assert_whole()


async def test_a_call_written_as_text_is_no_answer(open_agent: Open) -> None:
    agent = await open_agent(count)
    agent.model.will_say("<function=contar><parameter>turno</parameter> all </function>")
    agent.model.will_call("count").will_say("Three.")

    turn = await agent.run("How many?")

    assert turn.types().count("again") == 1, "what was shown of it is taken back"
    assert "by its exact name" in str(agent.model.requests[1].messages[-1])
    assert "<function" not in str(agent.model.requests[2].messages)
    assert turn.status == "done"
    assert (await agent.messages())[-1].content == [{"type": "text", "text": "Three."}]
    await agent.assert_whole()
