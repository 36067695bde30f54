"""What a tool asks in the middle of a call: the turn waits, the answer lets the call go on."""

from __future__ import annotations

import pytest

from bancada.domain.errors import Invalid, NotFound
from bancada.tools.inquiries import Inquiry
from bancada.tools.tool import Tool, ToolContext, tool
from tests.engine.conftest import Open
from tests.engine.harness import Harness
from tests.engine.test_confirmations import another

SEATS = Inquiry(
    key="seats",
    message="How many seats?",
    schema={
        "type": "object",
        "properties": {
            "seats": {"type": "integer", "minimum": 1},
            "class": {"type": "string", "default": "second"},
        },
        "required": ["seats"],
    },
    state={"kept": "by the tool"},
)


def book(effect: str = "write", confirm: str = "never") -> Tool:
    @tool(effect=effect, confirm=confirm)  # type: ignore[call-overload]
    async def book(ctx: ToolContext, city: str) -> str:
        """Book a journey."""
        answer = (await ctx.ask(SEATS))["seats"]
        if answer.action != "accept":
            return f"nothing booked: {answer.action}"
        assert ctx.answered[0].questions[0].state == {"kept": "by the tool"}
        return f"{answer.content['seats']} in {answer.content['class']} class to {city}"

    made: Tool = book
    return made


async def asked(agent: Harness) -> str:
    """The turn's id, once it waits for the answer."""
    agent.model.will_call("book", city="Porto").will_say("Done.")
    told = await agent.run("Book it")
    assert told.status == "waiting"
    return told.turn_id


async def test_a_question_waits_in_the_chat_and_its_answer_continues_the_call(
    open_anywhere: Open,
) -> None:
    agent = await open_anywhere(book())
    turn_id = await asked(agent)

    (waiting,) = await agent.queue()
    assert waiting.reason == "question"
    await agent.decide("approve", input={"seats": {"seats": 2}})
    told = await agent.follow(turn_id)

    shown = told.one("confirmation")["question"]["inquiries"]
    assert [(one["key"], one["message"]) for one in shown] == [("seats", "How many seats?")]
    assert "state" not in shown[0]
    assert told.one("decision")["decision"] == "approve"
    assert agent.model.last_result["content"] == "2 in second class to Porto"
    assert told.text == "Done."


async def test_a_question_survives_a_restart(open_anywhere: Open) -> None:
    agent = await open_anywhere(book())
    turn_id = await asked(agent)

    await agent.restart()
    await agent.decide("approve", input={"seats": {"seats": 3, "class": "first"}})
    await agent.follow(turn_id)

    assert agent.model.last_result["content"] == "3 in first class to Porto"


async def test_an_answer_that_does_not_fit_is_refused_and_the_question_still_waits(
    open_agent: Open,
) -> None:
    agent = await open_agent(book())
    await asked(agent)

    with pytest.raises(Invalid):
        await agent.decide("approve", input={"seats": {"seats": 0}})
    with pytest.raises(Invalid):
        await agent.decide("approve", input=None)

    assert len(await agent.queue()) == 1


async def test_who_declines_is_told_to_the_tool(open_agent: Open) -> None:
    agent = await open_agent(book())
    turn_id = await asked(agent)

    await agent.decide("reject")
    await agent.follow(turn_id)

    assert agent.model.last_result["content"] == "nothing booked: decline"


async def test_a_call_may_be_approved_first_and_ask_then(open_anywhere: Open) -> None:
    agent = await open_anywhere(book(confirm="always"))
    turn_id = await asked(agent)

    await agent.decide("approve")
    await agent.follow(turn_id)
    (waiting,) = await agent.queue()
    assert waiting.question is not None
    await agent.decide("approve", input={"seats": {"seats": 1}})
    await agent.follow(turn_id)

    assert agent.model.last_result["content"] == "1 in second class to Porto"


async def test_the_audit_has_one_line_for_a_call_that_asked(open_anywhere: Open) -> None:
    agent = await open_anywhere(book())
    turn_id = await asked(agent)
    await agent.decide("approve", input={"seats": {"seats": 2}})
    await agent.follow(turn_id)

    lines = [line for line in await agent.audit() if line["tool"] == "book"]

    assert [line["outcome"] for line in lines] == ["ok"]
    await agent.assert_whole()


async def test_stopping_the_turn_ends_the_question(open_agent: Open) -> None:
    agent = await open_agent(book())
    await asked(agent)

    agent.model.will_say("As you like.")
    await agent.run("Something else")

    assert await agent.queue() == []


async def test_only_the_person_who_was_asked_answers(open_agent: Open) -> None:
    agent = await open_agent(book())
    await asked(agent)
    (waiting,) = await agent.queue()
    eva = await another(agent, "eva", "admin")

    with pytest.raises(NotFound):
        await agent.bench.confirmations.decide(eva, waiting.id, "approve", input={"seats": {}})
