"""What small models do wrong, and what is made of it: filters full of nothing, loops, floods."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bancada.domain.errors import ToolFailed
from bancada.model.scripted import calls_many
from bancada.store import probes
from bancada.store.probes import Probe
from bancada.tools.tool import tool
from tests.engine.conftest import Open
from tests.engine.test_fallback import at
from tests.server.upstream import calling, saying, upstream


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

    result = agent.model.last_result["content"]
    assert result == ('night None None\n[Ran without kind="all", day="None": read as no filter.]')
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


async def test_a_call_written_as_text_is_a_call(open_agent: Open) -> None:
    agent = await open_agent(count)
    agent.model.will_say(
        "I count.\n<tool_call>\n<function=count>\n<parameter=shift>\nnight\n</parameter>\n"
        "<parameter>kind</parameter>\n</function>\n</tool_call>"
    ).will_say("Three.")

    turn = await agent.run("How many?")

    assert agent.tools_run == [("count", {"shift": "night"})]
    assert turn.types().count("again") == 1, "what was shown of it is taken back"
    assert turn.text == "I count.Three."
    assert "<function" not in str(agent.model.requests[1].messages)
    await agent.assert_whole()


@pytest.mark.parametrize(
    "written",
    [
        "<function=count><parameter>shift</parameter>\nnight\n</function>",
        '<function=count><parameter>shift="night"</parameter></function>',
        '<function=count><parameter name="shift">night</parameter></function>',
        "<function=count><parameter>shift</parameter><value>night</value></parameter></function>",
        "<function=counts><parameter=shift>night</parameter></function>",
        '<tool_call>{"name": "count", "arguments": {"shift": "night"}}</tool_call>',
    ],
)
async def test_a_call_is_read_in_the_ways_that_models_write_one(
    open_agent: Open, written: str
) -> None:
    agent = await open_agent(count)
    agent.model.will_say(written).will_say("Three.")

    await agent.run("How many at night?")

    assert agent.tools_run == [("count", {"shift": "night"})]


async def test_a_written_call_that_cannot_be_read_is_not_guessed_at(open_agent: Open) -> None:
    agent = await open_agent(count)
    agent.model.will_say("<function=count><parameter> night </parameter> shift </function>")
    agent.model.will_call("count", shift="night").will_say("Three.")

    turn = await agent.run("How many at night?")

    assert agent.tools_run == [("count", {"shift": "night"})]
    refused = agent.model.requests[1].messages[-1]["content"][0]
    assert refused["is_error"]
    assert "not readable" in refused["content"]
    assert turn.text == "Three."
    await agent.assert_whole()


async def test_a_tool_of_almost_this_name_is_named(open_agent: Open) -> None:
    agent = await open_agent(count, label)
    agent.model.will_call("counts").will_call("count").will_say("Three.")

    await agent.run("How many?")

    refused = agent.model.requests[1].messages[-1]["content"][0]
    assert "no tool called 'counts'. Did you mean count?" in refused["content"]


@pytest.mark.parametrize(
    "shown",
    [
        "Write it like this:\n```\n<function=count></function>\n```",
        "It begins with <function=count>",
        "<function=count> is how it begins.",
    ],
)
async def test_an_answer_that_shows_how_a_call_is_written_stays_an_answer(
    open_agent: Open, shown: str
) -> None:
    agent = await open_agent(count)
    agent.model.will_say(shown)

    turn = await agent.run("How is it called?")

    assert (turn.text, agent.tools_run) == (shown, [])


async def test_who_says_nothing_twice_is_asked_without_tools(open_agent: Open) -> None:
    agent = await open_agent(count)
    agent.model.will_call("count").will_say("").will_say(" ").will_say("Three.")

    turn = await agent.run("How many?")

    assert (turn.status, turn.text.strip()) == ("done", "Three.")
    choices = [request.tool_choice for request in agent.model.requests]
    assert choices == [None, None, None, {"type": "none"}]
    await agent.assert_whole()


async def test_who_says_nothing_even_then_is_told_of(open_agent: Open) -> None:
    agent = await open_agent(count)
    agent.model.will_say("").will_say("").will_say("")

    turn = await agent.run("How many?")

    assert turn.status == "failed"
    assert "without an answer" in turn.one("error")["content"]
    assert len(agent.model.requests) == 3


async def test_one_call_written_until_the_reply_was_cut_is_made_once(open_agent: Open) -> None:
    agent = await open_agent(count)
    line = calls_many(*[("count", {"shift": "night"})] * 4, ("count", {}))
    agent.model.will(replace(line, stop_reason="max_tokens")).will_say("Three.")

    turn = await agent.run("How many at night?")

    assert agent.tools_run == [("count", {"shift": "night"})]
    assert turn.text == "Three."
    await agent.assert_whole()


async def test_different_calls_of_a_reply_that_was_cut_are_not_made(open_agent: Open) -> None:
    agent = await open_agent(count)
    line = calls_many(("count", {"shift": "day"}), ("count", {"shift": "night"}), ("count", {}))
    agent.model.will(replace(line, stop_reason="max_tokens"))

    await agent.run("How many?")

    assert agent.tools_run == []


@pytest.mark.parametrize(
    "written",
    [
        "<function=count>\n<parameter>shift>\nnight\n</parameter>\n</function>",
        "<tool_call>\n<function=count>\n<parameter=shift>\nnight\n</tool_call>",
        "<function=count><parameter=shift>night",
        '<tool_call>\n{"name": "count", "arguments": {"shift": "night"}}\n',
        "```xml\n<function=count><parameter=shift>night</parameter></function>\n```",
        "<function=count><parameter=shift>night</parameter></function>\nThere are 7 at night.",
    ],
)
async def test_a_call_is_read_although_it_is_not_written_to_its_end(
    open_agent: Open, written: str
) -> None:
    agent = await open_agent(count)
    agent.model.will_say(written).will_say("Three.")

    turn = await agent.run("How many at night?")

    assert agent.tools_run == [("count", {"shift": "night"})]
    assert turn.text == "Three.", "what was said before there was a result is no answer"


@pytest.mark.parametrize("markup", ["<tool_call>\n</tool_call>", "```\n```", "</function>"])
async def test_an_answer_that_is_only_markup_is_none(open_agent: Open, markup: str) -> None:
    agent = await open_agent(count)
    agent.model.will_call("count").will_say(markup).will_say("Three.")

    turn = await agent.run("How many?")

    assert (turn.status, turn.text) == ("done", "Three.")
    assert markup not in str(agent.model.requests[2].messages)


async def test_that_an_answer_is_missing_is_said_once(open_agent: Open) -> None:
    agent = await open_agent(count)
    agent.model.will_call("count").will_say("").will_say("").will_say("Three.")

    await agent.run("How many?")

    assert str(agent.model.requests[3].messages).count("held no answer") == 1


async def test_who_never_answers_in_words_has_the_results_shown_instead(open_agent: Open) -> None:
    agent = await open_agent(count)
    agent.model.will_call("count", shift="night").will_say("").will_say("").will_say("")

    turn = await agent.run("How many?")

    assert turn.status == "done"
    assert "no answer in words" in turn.text
    assert "night None None" in turn.text
    await agent.assert_whole()


async def test_a_small_model_that_writes_about_a_tool_is_told_to_call_it(open_agent: Open) -> None:
    described = saying("To find out I will use `count`.")
    async with upstream(described, calling("count", "c1"), saying("Three.")) as only:
        providers = {"a": at(only.address, max_context=4000)}
        agent = await open_agent(count, provider=True, settings={"providers": providers})

        turn = await agent.run("How many?")

        assert "did not call it" in str(only.requests[1]["messages"][-1])
        assert (turn.status, turn.text) == ("done", "Three.")


async def test_what_another_process_found_of_a_server_counts_from_the_next_turn_on(
    open_agent: Open,
) -> None:
    agent = await open_agent(count, max_iterations=1)
    agent.model.will_call("count").will_say("Three.").will_call("count").will_say("Three.")
    await agent.run("How many?")
    found = {"tool_choice_none": {"finds": "ignored", "says": ""}}
    name = agent.bench.models.default
    probe = Probe(provider="anthropic", model=name, found=found, asked_at=0.0)

    await agent.bench.database.run(probes.keep, probe)
    await agent.run("And now?")

    _, before, _, after = agent.model.requests
    assert before.tool_choice == {"type": "none"}
    assert after.tool_choice is None
    assert "No more tools" in str(after.messages[-1])
