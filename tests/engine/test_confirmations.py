"""Calls that wait for a person: decided once, run once, and the turn goes on by itself."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bancada.domain.errors import Conflict, Gone, Invalid, NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Person, RoleName
from bancada.store import people, tool_settings
from bancada.tools.tool import tool
from tests.engine.conftest import Open
from tests.engine.harness import Harness, Latch, assert_acceptable


@tool(effect="write", confirm="always")
async def send(text: str) -> str:
    """Send something."""
    return f"sent {text}"


@tool
async def look() -> str:
    """Look."""
    return "seen"


async def another(agent: Harness, name: str, role: RoleName) -> Person:
    return await agent.bench.database.run(
        people.add_person,
        organisation_id=agent.me.organisation_id,
        email=f"{name}@example.com",
        name=name,
        role=role,
    )


async def test_an_approved_call_runs_and_the_turn_goes_on(open_anywhere: Open) -> None:
    agent = await open_anywhere(send)
    agent.model.will_call("send", text="hi").will_say("It is sent.")

    before = await agent.run("Send hi")
    assert before.types("text") == ["turn", "usage", "confirmation", "done"]
    assert before.status == "waiting"
    assert before.numbers[-1] is None
    assert agent.tools_run == []
    assert await agent.status() == "waiting"

    await agent.decide("approve")
    after = await agent.follow(before.turn_id)

    assert after.types("text") == [
        "turn",
        "usage",
        "confirmation",
        "decision",
        "tool_start",
        "tool_use",
        "usage",
        "done",
    ]
    asked, decided = after.one("confirmation"), after.one("decision")
    assert asked["tool_use_id"] == decided["tool_use_id"] == after.one("tool_use")["id"]
    assert (decided["decision"], decided["by"]) == ("approve", "Ana")
    assert agent.tools_run == [("send", {"text": "hi"})]
    assert after.text == "It is sent."
    assert after.numbers == sorted(set(after.numbers))  # type: ignore[type-var]
    await agent.assert_whole()


async def test_a_reader_that_stays_gets_exactly_the_rest(open_agent: Open) -> None:
    agent = await open_agent(send)
    agent.model.will_call("send", text="hi").will_say("Sent.")
    before = await agent.run("Send hi")
    seen = max(n for n in before.numbers if n is not None)

    await agent.decide("approve")
    rest = await agent.follow(before.turn_id, after=seen)

    whole = await agent.follow(before.turn_id)
    assert before.events[:-1] + rest.events == whole.events


async def test_a_rejected_call_reaches_the_model_as_an_error_with_the_reason(
    open_agent: Open,
) -> None:
    agent = await open_agent(send)
    agent.model.will_call("send", text="hi").will_say("As you wish.")
    agent.person.refuses("send", reason="not today")

    turn = await agent.run("Send hi")

    assert agent.tools_run == []
    assert agent.model.last_result["is_error"] is True
    assert "not today" in agent.model.last_result["content"]
    assert turn.one("decision")["decision"] == "reject"
    assert turn.of("tool_start") == []
    assert turn.status == "done"
    await agent.assert_whole()


async def test_an_approver_may_change_the_arguments(open_agent: Open) -> None:
    agent = await open_agent(send)
    agent.model.will_call("send", text="hi").will_say("Sent.")
    agent.person.approves("send", input={"text": "good day"})

    turn = await agent.run("Send hi")

    assert agent.tools_run == [("send", {"text": "good day"})]
    assert turn.one("tool_start")["input"] == {"text": "good day"}
    assert turn.one("tool_use")["input"] == {"text": "good day"}
    (line,) = await agent.audit()
    assert line["arguments"] == {"text": "good day"}


async def test_changed_arguments_are_checked_before_they_count(open_agent: Open) -> None:
    agent = await open_agent(send)
    agent.model.will_call("send", text="hi").will_say("Sent.")
    turn = await agent.run("Send hi")

    with pytest.raises(Invalid, match="text"):
        await agent.decide("approve", input={"text": 7})

    assert len(await agent.queue()) == 1
    await agent.decide("approve")
    assert (await agent.follow(turn.turn_id)).status == "done"


async def test_two_calls_of_one_reply_are_decided_one_by_one(open_anywhere: Open) -> None:
    agent = await open_anywhere(send, look)
    agent.model.will_call_all(("send", {"text": "a"}), ("look", {}), ("send", {"text": "b"}))
    agent.model.will_say("Done.")
    turn = await agent.run("Send both")
    assert agent.names_run == ["look"]
    assert len(await agent.queue()) == 2

    await agent.decide("approve")
    between = await agent.follow(turn.turn_id)
    assert between.status == "waiting"
    assert agent.names_run == ["look", "send"]
    await agent.decide("reject")
    after = await agent.follow(turn.turn_id)

    assert after.status == "done"
    assert agent.names_run == ["look", "send"]
    a, seen, b = agent.model.last_results
    assert a["content"] == "sent a"
    assert seen["content"] == "seen"
    assert b["is_error"] is True
    assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


async def test_both_decided_at_the_same_moment_both_count(open_anywhere: Open) -> None:
    agent = await open_anywhere(send)
    agent.model.will_call_all(("send", {"text": "a"}), ("send", {"text": "b"})).will_say("Done.")
    turn = await agent.run("Send both")
    waiting = await agent.queue()

    await asyncio.gather(
        *(agent.bench.confirmations.decide(agent.me, each.id, "approve") for each in waiting)
    )

    assert (await agent.follow(turn.turn_id)).status == "done"
    assert sorted(input["text"] for _, input in agent.tools_run) == ["a", "b"]


async def test_a_decision_made_while_other_calls_still_run_is_not_missed(open_agent: Open) -> None:
    latch = Latch()

    @tool
    async def slow() -> str:
        """Take long."""
        await latch()
        return "ok"

    agent = await open_agent(send, slow)
    agent.model.will_call_all(("send", {"text": "a"}), ("slow", {})).will_say("Done.")
    turn_id = await agent.ask("Both")
    await latch.arrived()
    while not await agent.queue():
        await asyncio.sleep(0)
    await agent.decide("approve")

    latch.open()
    turn = await agent.follow(turn_id)

    assert turn.status == "done"
    assert turn.types("text").count("done") == 1
    assert agent.names_run.count("send") == 1


async def test_remembering_covers_the_rest_of_the_conversation_and_no_other(
    open_agent: Open,
) -> None:
    agent = await open_agent(send)
    for text in ("a", "b", "c"):
        agent.model.will_call("send", text=text).will_say("Sent.")
    await agent.run("First")
    await agent.decide("approve", remember="conversation")
    while await agent.status() == "running":
        await asyncio.sleep(0.01)

    assert (await agent.run("Second")).status == "done"
    await agent.new_conversation()
    assert (await agent.run("Third")).status == "waiting"


async def test_remembering_lets_calls_of_the_same_reply_go_too(open_anywhere: Open) -> None:
    agent = await open_anywhere(send)
    asked = [("send", {"text": text}) for text in ("a", "b", "c")]
    agent.model.will_call_all(*asked).will_say("Sent.")
    turn = await agent.run("Send three")

    await agent.decide("approve", remember="conversation", input={"text": "A"})
    after = await agent.follow(turn.turn_id)

    assert after.status == "done"
    assert agent.names_run == ["send", "send", "send"]
    decisions = after.of("decision")
    assert [(one["decision"], one["by"]) for one in decisions] == [("approve", agent.me.name)] * 3
    assert sorted(str(one["input"]) for one in decisions) == ["None", "None", "{'text': 'A'}"]


async def test_a_reason_that_may_not_be_remembered_keeps_a_sibling_waiting(
    open_agent: Open,
) -> None:
    agent = await open_agent(send)
    word: Any = {"when": {"field": "text", "op": "==", "value": "b"}, "remember": False}
    await agent.bench.database.run(
        tool_settings.change_setting,
        agent.me.organisation_id,
        "organisation",
        "",
        "send",
        confirmation=word,
    )
    agent.model.will_call_all(("send", {"text": "a"}), ("send", {"text": "b"})).will_say("Sent.")
    await agent.run("Send two")

    await agent.decide("approve", remember="conversation")
    await agent.idle()

    assert [one.input for one in await agent.queue()] == [{"text": "b"}]


async def test_fifty_decisions_at_once_are_one(open_anywhere: Open) -> None:
    agent = await open_anywhere(send)
    agent.model.will_call("send", text="hi").will_say("Sent.")
    turn = await agent.run("Send hi")
    (waiting,) = await agent.queue()

    ended = await asyncio.gather(
        *(
            agent.bench.confirmations.decide(
                agent.me, waiting.id, "reject" if n % 2 else "approve", reason=str(n)
            )
            for n in range(50)
        ),
        return_exceptions=True,
    )

    won = [each for each in ended if not isinstance(each, BaseException)]
    assert len(won) == 1
    assert all(isinstance(each, Conflict) for each in ended if each is not won[0])
    after = await agent.follow(turn.turn_id)
    assert after.status == "done"
    assert len(after.of("decision")) == 1
    assert len(agent.tools_run) == (won[0].status == "approved")
    await agent.assert_whole()


async def test_a_second_decision_is_a_conflict(open_agent: Open) -> None:
    agent = await open_agent(send)
    agent.model.will_call("send", text="hi").will_say("Sent.")
    await agent.run("Send hi")
    (waiting,) = await agent.queue()
    await agent.decide("approve")

    with pytest.raises(Conflict):
        await agent.bench.confirmations.decide(agent.me, waiting.id, "reject")


async def test_what_nobody_decides_expires_and_the_turn_goes_on(open_agent: Open) -> None:
    agent = await open_agent(send, settings={"confirmation_days": 1e-9})
    agent.model.will_call("send", text="hi").will_say("Nobody said yes.")
    turn = await agent.run("Send hi")
    (waiting,) = await agent.queue()

    with pytest.raises(Gone):
        await agent.bench.confirmations.decide(agent.me, waiting.id, "approve")
    assert await agent.bench.confirmations.expire_overdue() == 1
    after = await agent.follow(turn.turn_id)

    assert after.one("decision")["decision"] == "expired"
    assert after.status == "done"
    assert agent.tools_run == []
    assert agent.model.last_result["is_error"] is True
    await agent.assert_whole()


async def test_a_new_question_rejects_what_still_waits(open_anywhere: Open) -> None:
    agent = await open_anywhere(send)
    agent.model.will_call("send", text="hi").will_say("Something else, then.")
    first = await agent.run("Send hi")
    (waiting,) = await agent.queue()

    second = await agent.run("Forget it; what time is it?")

    assert second.text == "Something else, then."
    old = await agent.follow(first.turn_id)
    assert old.status == "stopped"
    decided = old.one("decision")
    assert (decided["decision"], decided["by"]) == ("reject", agent.me.name)
    assert "went on" in str(old.one("tool_use")["result"])
    assert agent.tools_run == []
    assert_acceptable(agent.model.requests[-1].messages)
    with pytest.raises(Conflict):
        await agent.bench.confirmations.decide(agent.me, waiting.id, "approve")
    await agent.assert_whole()


async def test_a_question_and_a_decision_at_once_leave_one_winner(open_anywhere: Open) -> None:
    agent = await open_anywhere(send)
    agent.model.will_call("send", text="hi").will_say("A.").will_say("B.")
    await agent.run("Send hi")
    (waiting,) = await agent.queue()

    asked, decided = await asyncio.gather(
        agent.ask("Something else"),
        agent.bench.confirmations.decide(agent.me, waiting.id, "approve"),
        return_exceptions=True,
    )

    assert isinstance(asked, Conflict) != isinstance(decided, Conflict)
    assert len(agent.tools_run) <= isinstance(asked, Conflict)
    while await agent.status() == "running":
        await asyncio.sleep(0.01)
    await agent.assert_whole()


async def test_stopping_a_turn_that_waits_answers_its_calls(open_agent: Open) -> None:
    agent = await open_agent(send)
    agent.model.will_call("send", text="hi").will_say("Hello.")
    turn = await agent.run("Send hi")

    assert await agent.stop() == "stopped"

    assert (await agent.follow(turn.turn_id)).status == "stopped"
    assert await agent.queue() == []
    await agent.run("Hello?")
    assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


@pytest.mark.parametrize("decision", ["approve", "reject"])
async def test_a_decision_after_a_restart_goes_on_from_the_record(
    open_anywhere: Open, decision: str
) -> None:
    agent = await open_anywhere(send, look)
    agent.model.will_call_all(("look", {}), ("send", {"text": "hi"})).will_say("Done.")
    before = await agent.run("Send hi")

    await agent.restart()
    await agent.decide(decision)
    after = await agent.follow(before.turn_id)

    assert after.status == "done"
    assert agent.names_run == ["look", "send"][: 2 if decision == "approve" else 1]
    assert before.events[:-1] == after.events[: len(before.events) - 1]
    await agent.assert_whole()


async def test_only_the_person_who_asked_decides_and_sees_it(open_agent: Open) -> None:
    agent = await open_agent(send)
    agent.model.will_call("send", text="hi").will_say("Sent.")
    await agent.run("Send hi")
    (waiting,) = await agent.queue()
    eva = await another(agent, "eva", "admin")

    assert await agent.bench.confirmations.queue(eva) == []
    with pytest.raises(NotFound):
        await agent.bench.confirmations.decide(eva, waiting.id, "approve")
    with pytest.raises(NotFound):
        await agent.bench.confirmations.find(eva, waiting.id)


async def test_where_policy_names_a_role_only_that_role_decides(open_agent: Open) -> None:
    agent = await open_agent(send)
    word: Any = {"approver_role": "responsavel"}
    await agent.bench.database.run(tool_settings.change_registry, "send", confirmation=word)
    ana = await another(agent, "operator", "operador")
    rui = await another(agent, "rui", "responsavel")
    await agent.as_person(ana)
    agent.model.will_call("send", text="hi").will_say("Sent.")
    turn = await agent.run("Send hi")
    (waiting,) = await agent.bench.confirmations.queue(rui)

    with pytest.raises(NotFound):
        await agent.bench.confirmations.decide(ana, waiting.id, "approve")
    assert (await agent.bench.confirmations.find(ana, waiting.id)).id == waiting.id
    await agent.bench.confirmations.decide(rui, waiting.id, "approve")

    after = await agent.follow(turn.turn_id)
    assert after.one("decision")["by"] == "rui"
    assert after.status == "done"
    assert agent.names_run == ["send"]


async def test_what_a_tool_asks_for_depends_on_its_arguments(open_agent: Open) -> None:
    def is_large(input: JSONObject) -> bool:
        return int(input["amount"]) > 100

    @tool(effect="write", confirm=is_large)
    async def pay(amount: int) -> str:
        """Pay."""
        return f"paid {amount}"

    agent = await open_agent(pay)
    agent.model.will_call_all(("pay", {"amount": 5}), ("pay", {"amount": 500})).will_say("Paid.")

    turn = await agent.run("Pay")

    assert turn.status == "waiting"
    assert agent.tools_run == [("pay", {"amount": 5})]
    assert turn.one("confirmation")["input"] == {"amount": 500}


async def test_an_approval_lost_to_a_demotion_does_not_run(open_agent: Open) -> None:
    @tool(effect="write", confirm="always", permission_level="admin")
    async def announce(text: str) -> str:
        """Tell everybody."""
        return "told"

    agent = await open_agent(announce)
    agent.model.will_call("announce", text="x").will_say("You may not.")
    turn = await agent.run("Announce")
    await agent.bench.database.run(people.change_person, agent.me.id, role="operador")

    await agent.decide("approve")

    assert (await agent.follow(turn.turn_id)).status == "done"
    assert agent.tools_run == []
