"""Stopping at any moment, and going on after a stop, a failure or second thoughts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from bancada.domain.errors import Conflict, NotFound
from bancada.domain.messages import text_of
from bancada.engine import runner
from bancada.model.model import Began, ModelEvent, ModelFailed, Request, Tokens
from bancada.store import messages, people, replies
from bancada.testing import Hold, calls, fails, says
from bancada.tools.tool import tool
from tests.engine.conftest import Open
from tests.engine.harness import Harness, Latch, assert_acceptable

DOWN = ModelFailed("overloaded", "down", retryable=True)


@tool
async def look() -> str:
    """Look."""
    return "seen"


async def begun(agent: Harness, gate: Hold, pieces: int, question: str = "?") -> str:
    """A turn whose model stands still after so many pieces."""
    gate.let(pieces)
    turn_id = await agent.ask(question)
    await gate.arrived()
    return turn_id


async def test_a_reply_that_is_stopped_keeps_what_was_said(open_anywhere: Open) -> None:
    gate = Hold()
    agent = await open_anywhere(look, gate=gate)
    agent.model.will_say("one two three four").will_say("Hello.")
    turn_id = await begun(agent, gate, 2)

    assert await agent.stop() == "stopped"

    turn = await agent.follow(turn_id)
    assert turn.text == "one two "
    assert turn.status == "stopped"
    _, partial = await agent.messages()
    assert partial.content == [{"type": "text", "text": "one two "}]
    gate.open()
    await agent.run("Go on")
    assert_acceptable(agent.model.requests[-1].messages)
    assert agent.model.requests[-1].messages[1]["content"] == partial.content


@pytest.mark.parametrize("ends", ["stopped", "failed"])
async def test_a_reply_that_is_cut_is_paid_for_as_far_as_it_came(
    open_agent: Open, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    gate = Hold()
    agent = await open_agent(look, gate=gate)
    said = "word " * 40
    whole = agent.model.stream

    async def billed(request: Request) -> AsyncIterator[ModelEvent]:
        yield Began(Tokens(input=900, output=1), "m")
        async for event in whole(request):
            yield event

    monkeypatch.setattr(agent.model, "stream", billed)
    if ends == "stopped":
        agent.model.will_say(said + "more")
        await begun(agent, gate, 40)
        await agent.stop()
    else:
        gate.open()
        refused = ModelFailed("internal", "no", retryable=False)
        agent.model.will(fails(refused, after=said))
        await agent.run("?")

    turn_id = await agent.last_turn()
    [row] = await agent.bench.database.read(replies.of_turn, turn_id)
    assert (row["input_tokens"], row["output_tokens"]) == (900, 50)
    assert row["is_estimated"]


@pytest.mark.parametrize("pieces", [0, 1, 2, 3, 4])
async def test_a_stopped_turn_can_be_gone_on_with_from_any_piece(
    open_agent: Open, pieces: int
) -> None:
    gate = Hold()
    agent = await open_agent(look, gate=gate)
    agent.model.will(calls("look").saying("one two three ")).will_say("one two").will_say("late")
    turn_id = await begun(agent, gate, pieces)
    await agent.stop()
    gate.open()

    turn = await agent.retry()

    assert turn.turn_id == turn_id
    assert turn.status == "done"
    assert turn.numbers == sorted(set(turn.numbers))  # type: ignore[type-var]
    assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


async def test_going_on_after_a_stop_goes_on_after_what_was_said(open_anywhere: Open) -> None:
    gate = Hold()
    agent = await open_anywhere(look, gate=gate)
    agent.model.will_call("look").will_say("one two three four").will_say("three ").will_say("four")
    turn_id = await begun(agent, gate, 3)
    await agent.stop()
    gate.open()

    turn = await agent.retry()

    assert (turn.turn_id, turn.status) == (turn_id, "done")
    assert turn.of("again") == []
    assert turn.text == "one two three "
    sent = agent.model.requests[-1].messages
    assert_acceptable(sent)
    assert sent[-2] == {"role": "assistant", "content": [{"type": "text", "text": "one two "}]}
    assert "where it ends" in sent[-1]["content"][0]["text"]
    assert turn.one("done")["iterations"] == 2
    await agent.run("And then?")
    assert agent.model.requests[-1].messages[: len(sent) - 1] == sent[:-1]
    assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


async def test_what_was_said_before_a_stop_outlives_a_cut_in_what_follows(
    open_agent: Open,
) -> None:
    gate = Hold()
    agent = await open_agent(look, gate=gate)
    agent.model.will_say("one two three").will(fails(DOWN, after="thr")).will_say("three.")
    await begun(agent, gate, 2)
    await agent.stop()
    gate.open()

    failed = await agent.retry()
    turn = await agent.retry()

    assert failed.status == "failed"
    assert (turn.status, turn.text) == ("done", "one two three.")
    assert_acceptable(agent.model.requests[-1].messages)


async def test_text_of_nothing_but_blanks_is_not_kept(open_agent: Open) -> None:
    gate = Hold()
    agent = await open_agent(look, gate=gate)
    agent.model.will_say("\n\n and so on")
    await begun(agent, gate, 1)

    await agent.stop()

    assert [message.kind for message in await agent.messages()] == ["question"]


async def test_stopping_while_tools_run_answers_every_call(open_anywhere: Open) -> None:
    latch = Latch()

    @tool
    async def slow() -> str:
        """Take long."""
        await latch()
        return "ok"

    @tool(effect="write")
    async def write() -> str:
        """Take long and change something."""
        await latch()
        return "ok"

    agent = await open_anywhere(slow, write, look)
    agent.model.will_call_all(("look", {}), ("slow", {}), ("write", {})).will_say("Hello.")
    turn_id = await agent.ask("Go")
    await latch.arrived()
    while len(agent.tools_run) < 3:
        await asyncio.sleep(0.01)

    assert await agent.stop() == "stopped"

    turn = await agent.follow(turn_id)
    assert turn.status == "stopped"
    assert len(turn.of("tool_use")) == 3
    await agent.assert_whole()
    await agent.run("Hello?")
    assert_acceptable(agent.model.requests[-1].messages)
    seen, *stopped = agent.model.requests[-1].messages[-1]["content"][:3]
    assert seen["content"] == "seen"
    assert all(block["is_error"] for block in stopped)


async def test_a_stopped_turn_goes_on_with_the_results_it_has(open_agent: Open) -> None:
    latch = Latch()

    @tool
    async def slow() -> str:
        """Take long."""
        await latch()
        return "ok"

    agent = await open_agent(slow, look)
    agent.model.will_call_all(("look", {}), ("slow", {})).will_say("From what I have.")
    await agent.ask("Go")
    await latch.arrived()
    await agent.stop()

    turn = await agent.retry()

    assert turn.text == "From what I have."
    assert agent.names_run == ["look", "slow"]
    await agent.assert_whole()


async def test_many_stops_at_once_are_one(open_anywhere: Open) -> None:
    gate = Hold()
    agent = await open_anywhere(look, gate=gate)
    agent.model.will_say("one two three")
    turn_id = await begun(agent, gate, 1)

    ended = await asyncio.gather(*(agent.stop() for _ in range(10)), return_exceptions=True)

    assert all(each == "stopped" or isinstance(each, Conflict) for each in ended)
    turn = await agent.follow(turn_id)
    assert turn.types("text") == ["turn", "done"]
    assert turn.status == "stopped"


async def test_a_stop_at_the_very_beginning_leaves_nothing_running(open_anywhere: Open) -> None:
    agent = await open_anywhere(look)
    for _ in range(5):
        agent.model.will_say("Hello.")
    for steps in range(5):
        turn_id = await agent.ask("?")
        for _ in range(steps):
            await asyncio.sleep(0)
        try:
            status = await agent.stop()
        except Conflict:
            status = "done"
        assert status in ("stopped", "done")
        assert (await agent.follow(turn_id)).status == status
        assert await agent.status() == status
    assert agent.bench.runner.running == 0


async def test_nothing_can_be_stopped_where_nothing_runs(open_agent: Open) -> None:
    agent = await open_agent(look)
    with pytest.raises(Conflict):
        await agent.stop()


async def test_a_failed_turn_goes_on_where_it_failed(open_anywhere: Open) -> None:
    agent = await open_anywhere(look)
    agent.model.will_call("look").will(fails(DOWN, after="It is ")).will_say("It is there.")
    failed = await agent.run("Where?")
    assert failed.status == "failed"

    turn = await agent.retry()

    assert turn.turn_id == failed.turn_id
    assert turn.types("text").count("again") == 1
    assert turn.text == "It is there."
    assert agent.names_run == ["look"]
    assert len(await agent.messages()) == 4


async def test_asking_again_in_other_words_replaces_the_last_question(open_agent: Open) -> None:
    agent = await open_agent(look)
    agent.model.will_say("Before.").will_call("look").will_say("Red.").will_say("Blue.")
    await agent.run("Earlier")
    first = await agent.run("What colour?")

    second = await agent.retry("What colour is the sea?")

    assert second.turn_id != first.turn_id
    assert second.text == "Blue."
    sent = agent.model.requests[-1].messages
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    assert text_of(sent[-1]["content"]) == "What colour is the sea?"
    assert "Red" not in str([message.content for message in await agent.messages()])


async def test_a_finished_turn_cannot_be_gone_on_with(open_agent: Open) -> None:
    agent = await open_agent(look)
    agent.model.will_say("Done.")
    await agent.run("?")

    with pytest.raises(Conflict):
        await agent.retry()


async def test_two_retries_at_once_are_one(open_anywhere: Open) -> None:
    agent = await open_anywhere(look)
    agent.model.will(DOWN).will_say("Yes.")
    failed = await agent.run("?")

    ended = await asyncio.gather(agent.retry(), agent.retry(), return_exceptions=True)

    assert len([each for each in ended if isinstance(each, Conflict)]) == 1
    turn = await agent.follow(failed.turn_id)
    assert turn.types("text") == ["turn", "error", "again", "usage", "done"]


async def test_of_going_on_and_asking_in_other_words_at_once_one_happens_whole(
    open_anywhere: Open,
) -> None:
    agent = await open_anywhere(look)
    agent.model.will(DOWN).will_say("Yes.")
    await agent.run("Is it?")

    ended = await asyncio.gather(agent.retry(), agent.retry("Is it now?"), return_exceptions=True)

    assert len([each for each in ended if isinstance(each, Conflict)]) == 1, ended
    asked, answered = await agent.messages()
    assert text_of(asked.content) == ("Is it?" if isinstance(ended[1], Conflict) else "Is it now?")
    assert text_of(answered.content) == "Yes."


async def test_an_older_turn_does_not_go_on_beside_a_new_one(open_anywhere: Open) -> None:
    agent = await open_anywhere(look)
    agent.model.will(DOWN).will_say("Yes.")
    await agent.run("Is it?")

    ended = await asyncio.gather(agent.run("And now?"), agent.retry(), return_exceptions=True)

    assert len([each for each in ended if isinstance(each, Conflict)]) == 1, ended
    assert len(agent.model.requests) == 2


async def test_somebody_elses_conversation_does_not_exist(open_agent: Open) -> None:
    agent = await open_agent(look)
    agent.model.will_say("Mine.")
    await agent.run("?")
    other = await agent.bench.database.run(
        people.add_person,
        organisation_id=agent.me.organisation_id,
        email="eva@example.com",
        name="Eva",
        role="admin",
    )
    door = agent.bench.conversations

    for attempt in (
        door.ask(other, agent.conversation_id, "?"),
        door.stop(other, agent.conversation_id),
        door.retry(other, agent.conversation_id, None),
        door.retry(other, agent.conversation_id, "again"),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert len(await agent.messages()) == 2


async def test_an_upload_during_a_turn_comes_after_it(open_agent: Open) -> None:
    latch = Latch()

    @tool
    async def slow() -> str:
        """Take long."""
        await latch()
        return "ok"

    agent = await open_agent(slow)
    agent.model.will_call("slow").will_say("Done.").will_say("I see it.")
    turn_id = await agent.ask("Go")
    await latch.arrived()
    await agent.upload("a,b\n1,2\n")
    latch.open()
    await agent.follow(turn_id)

    await agent.run("And the file?")

    during, after = agent.model.requests[1].messages, agent.model.requests[2].messages
    assert_acceptable(after)
    assert [message["role"] for message in during] == ["user", "assistant", "user"]
    assert after[:2] == during[:2]
    assert len(after[-1]["content"]) > 1


async def test_pieces_said_before_a_restarted_reply_are_taken_back(open_agent: Open) -> None:
    agent = await open_agent(look)
    agent.model.will(fails(DOWN, after="wrong ")).will(says("right"))
    await agent.run("?")

    turn = await agent.retry()

    assert turn.text == "right"


@pytest.mark.parametrize("effect", ["read", "write"])
async def test_a_process_that_stops_in_order_leaves_long_calls_to_the_next(
    open_anywhere: Open, monkeypatch: pytest.MonkeyPatch, effect: str
) -> None:
    monkeypatch.setattr(runner, "DRAIN_SECONDS", 0.05)
    latch = Latch()

    @tool(effect=effect)  # type: ignore[call-overload]
    async def slow() -> str:
        """Take long."""
        await latch()
        return "ok"

    agent = await open_anywhere(slow)
    agent.model.will_call("slow").will_say("Done.")
    turn_id = await agent.ask("Go")
    await latch.arrived()

    await agent.restart()
    latch.open()
    assert await agent.bench.runner.peers.recover(alone=True) == 1
    turn = await agent.follow(turn_id)

    assert turn.status == "done"
    assert agent.names_run == ["slow"] * (2 if effect == "read" else 1)
    unknown = "may or may not" in str(turn.one("tool_use")["result"])
    assert unknown == (effect == "write")
    await agent.assert_whole()


async def test_a_process_that_stops_in_order_cuts_a_reply_that_is_asked_again(
    open_agent: Open,
) -> None:
    gate = Hold()
    agent = await open_agent(look, gate=gate)
    agent.model.will_say("one two three").will_say("one two three")
    turn_id = await begun(agent, gate, 1)

    await agent.restart()
    gate.open()
    await agent.bench.runner.peers.recover(alone=True)
    turn = await agent.follow(turn_id)

    assert turn.types("text") == ["turn", "again", "usage", "done"]
    assert turn.text == "one two three"


async def test_uploads_and_replies_at_once_take_places_of_their_own(open_anywhere: Open) -> None:
    agent = await open_anywhere(look)
    for _ in range(5):
        agent.model.will_call("look")
    agent.model.will_say("Done.")
    append = agent.bench.database.run
    block = {"type": "text", "text": "A file."}

    turn_id, *_ = await asyncio.gather(
        agent.ask("Go"),
        *(
            append(
                messages.append, agent.conversation_id, role="user", kind="upload", content=[block]
            )
            for _ in range(20)
        ),
    )

    assert (await agent.follow(turn_id)).status == "done"
    places = [message.position for message in await agent.messages()]
    assert places == list(range(1, len(places) + 1))
