"""A question asked again is another version: the record keeps all, the model sees the chosen branch."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import func, select

from bancada.domain.errors import Conflict, NotFound
from bancada.domain.messages import text_of
from bancada.store import messages
from bancada.store.tables import messages as rows
from bancada.tools.tool import tool
from tests.engine.conftest import Open
from tests.engine.harness import Harness


@tool(effect="write", confirm="always")
async def pay() -> str:
    """Pay."""
    return "paid"


def seen(agent: Harness) -> list[str]:
    """What the model was last sent, in words."""
    return [
        content if isinstance(content, str) else text_of(content)
        for content in (message["content"] for message in agent.model.requests[-1].messages)
    ]


async def choose(agent: Harness, turn_id: str) -> None:
    await agent.bench.conversations.choose(agent.me, agent.conversation_id, turn_id)


async def shown(agent: Harness) -> list[str]:
    return [text_of(message.content) for message in await agent.messages()]


async def test_any_question_is_edited_and_each_branch_is_seen_alone(open_anywhere: Open) -> None:
    agent = await open_anywhere()
    for answer in ("A1", "B1", "A2", "C2", "D1"):
        agent.model.will_say(answer)
    first = await agent.run("a?")
    await agent.run("b?")

    second = await agent.retry("other a?", again=first.turn_id)
    assert seen(agent) == ["other a?"]
    await agent.run("c?")
    assert seen(agent) == ["other a?", "A2", "c?"]
    assert await shown(agent) == ["other a?", "A2", "c?", "C2"]

    await choose(agent, first.turn_id)
    assert await shown(agent) == ["a?", "A1", "b?", "B1"]
    await agent.run("d?")
    assert seen(agent) == ["a?", "A1", "b?", "B1", "d?"]

    await choose(agent, second.turn_id)
    assert await shown(agent) == ["other a?", "A2", "c?", "C2"]
    count = select(func.count()).where(rows.c.conversation_id == agent.conversation_id)
    assert await agent.bench.database.read(lambda db: db.execute(count).scalar()) == 10


async def test_an_answer_is_tried_again_in_the_same_words(open_anywhere: Open) -> None:
    agent = await open_anywhere()
    agent.model.will_say("one").will_say("two").will_say("three")
    first = await agent.run("a?")

    again = await agent.retry(again=first.turn_id)

    assert seen(agent) == ["a?"]
    assert await shown(agent) == ["a?", "two"]
    assert again.turn_id != first.turn_id
    kept = await agent.messages_of(first.turn_id)
    assert [text_of(message.content) for message in kept] == ["a?", "one"]
    # What stands aside is not what the last question was.
    await agent.retry("b?")
    assert seen(agent) == ["b?"]


async def test_another_branch_is_not_taken_while_a_turn_waits(open_anywhere: Open) -> None:
    agent = await open_anywhere(pay)
    agent.model.will_say("one").will_call("pay").will_say("done")
    first = await agent.run("a?")
    await agent.retry("pay?", again=first.turn_id)
    assert await agent.status() == "waiting"

    with pytest.raises(Conflict):
        await choose(agent, first.turn_id)
    with pytest.raises(Conflict):
        await agent.retry("c?", again=first.turn_id)
    assert await shown(agent) == ["pay?", ""]
    with pytest.raises(NotFound):
        await choose(agent, "t-of-nobody")
    await agent.new_conversation()
    with pytest.raises(NotFound):
        await choose(agent, first.turn_id)


async def test_a_branch_goes_on_after_a_restart(open_anywhere: Open) -> None:
    agent = await open_anywhere()
    agent.model.will_say("A1").will_say("A2")
    first = await agent.run("a?")
    await agent.retry("other a?", again=first.turn_id)
    await choose(agent, first.turn_id)
    await agent.restart()
    agent.model.will_say("B1")

    await agent.run("b?")

    assert await shown(agent) == ["a?", "A1", "b?", "B1"]
    outline = await agent.bench.database.read(messages.outline, agent.conversation_id)
    assert len(outline) == 4


async def test_a_clock_that_is_set_back_changes_no_branch(
    open_anywhere: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = await open_anywhere()
    for answer in ("A1", "B1", "C1", "D1", "D2"):
        agent.model.will_say(answer)
    await agent.run("a?")
    await agent.run("b?")
    true_time = time.time
    monkeypatch.setattr("bancada.store.turns.time.time", lambda: true_time() - 3600)
    await agent.run("c?")

    last = await agent.run("d?")
    await agent.retry("other d?", again=last.turn_id)

    assert seen(agent) == ["a?", "A1", "b?", "B1", "c?", "C1", "other d?"]
    await choose(agent, last.turn_id)
    assert await shown(agent) == ["a?", "A1", "b?", "B1", "c?", "C1", "d?", "D1"]
