"""The turn: replies and tools in turn, until the model stops asking or may not go on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSONObject, dumps
from bancada.domain.messages import Block
from bancada.domain.wording import Wording
from bancada.engine.record import Record
from bancada.engine.turn import Turn
from bancada.gate.gate import Gate as TheGate
from bancada.model.model import ModelFailed, Tokens
from bancada.store import people
from bancada.testing import Line, calls, calls_many, fails, replies, stops
from bancada.tools.tool import Tool, tool
from tests.engine.conftest import Open
from tests.engine.harness import Latch, assert_acceptable


@tool
async def look(place: str = "here") -> JSONObject:
    """Look somewhere."""
    return {"place": place}


@tool(effect="write")
async def note(text: str) -> str:
    """Write something down."""
    return f"noted {text}"


@tool
async def broken() -> str:
    """Fail."""
    raise ToolFailed("The shelf is empty. Try another.")


@tool
async def crashes() -> str:
    """Fail in a way nobody meant."""
    raise ZeroDivisionError("secret detail")


def waiting_at(latch: Latch) -> Tool:
    @tool
    async def waits() -> str:
        """Take long."""
        await latch()
        return "ok"

    return waits


async def test_a_turn_tells_its_events_in_order_and_records_every_block(
    open_anywhere: Open,
) -> None:
    agent = await open_anywhere(look)
    agent.model.will(calls("look", place="shed").saying("I will look. ").thinking("Where?"))
    agent.model.will_say("It is there.")

    turn = await agent.run("Where is it?")

    assert turn.types("text", "thinking") == [
        "turn",
        "usage",
        "tool_start",
        "tool_use",
        "usage",
        "done",
    ]
    assert turn.text == "I will look. It is there."
    assert turn.one("tool_use")["result"] == {"place": "shed"}
    assert turn.one("done") == {
        "type": "done",
        "turn_id": turn.turn_id,
        "status": "done",
        "iterations": 2,
    }
    assert turn.numbers == sorted(set(turn.numbers))  # type: ignore[type-var]
    question, reply, results, answer = await agent.messages()
    assert question.content == [{"type": "text", "text": "Where is it?"}]
    thinking, text, use = reply.content
    assert thinking == {"type": "thinking", "thinking": "Where?", "signature": "c2lnbmF0dXJl"}
    assert text["text"] == "I will look. "
    assert results.content == [
        {"type": "tool_result", "tool_use_id": use["id"], "content": '{"place":"shed"}'}
    ]
    assert answer.content == [{"type": "text", "text": "It is there."}]
    assert agent.model.requests[1].messages[1]["content"] == reply.content
    await agent.assert_whole()


async def test_reading_again_gives_what_was_told_the_first_time(open_anywhere: Open) -> None:
    agent = await open_anywhere(look)
    agent.model.will(calls("look").saying("One two three. ")).will_say("Four five.")
    live = await agent.run("?")

    stored = await agent.follow(live.turn_id)
    assert stored.events == live.events
    assert stored.numbers == live.numbers
    for at, n in enumerate(live.numbers):
        assert n is not None
        rest = await agent.follow(live.turn_id, after=n)
        assert rest.events == live.events[at + 1 :]


async def test_results_stand_in_one_message_in_the_order_asked(open_agent: Open) -> None:
    first = Latch()

    @tool
    async def slow() -> str:
        """Be the last to end."""
        await first()
        return "slow"

    @tool
    async def quick() -> str:
        """Be the first to end."""
        first.open()
        return "quick"

    agent = await open_agent(slow, quick)
    agent.model.will_call_all(("slow", {}), ("quick", {}), ("slow", {})).will_say("Done.")

    turn = await agent.run("Go")

    assert [block["content"] for block in agent.model.last_results] == ["slow", "quick", "slow"]
    assert turn.of("tool_use")[0]["name"] == "quick"
    assert_acceptable(agent.model.requests[-1].messages)


async def test_readers_learn_of_calls_in_the_order_asked_whichever_is_decided_first(
    open_agent: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gate lets the last call through first, as a busy database may."""
    agent = await open_agent(look, note)
    agent.model.will_call_all(
        ("look", {"place": "a"}), ("no_such_tool", {}), ("look", {"place": "b"}), ("note", {})
    )
    agent.model.will_say("Seen.")
    real, waiting = TheGate.call, 4

    async def last_first(self: TheGate, *args: Any, **how: Any) -> Any:
        nonlocal waiting
        waiting -= 1
        await asyncio.sleep(0.02 * waiting)
        return await real(self, *args, **how)

    monkeypatch.setattr(TheGate, "call", last_first)
    turn = await agent.run("?")

    news: dict[str, str] = {}
    for event in turn.events:
        if event["type"] in ("tool_start", "tool_use"):
            news.setdefault(
                event["id"], f"{event['name']} {event['input'].get('place', '')}".strip()
            )
    assert list(news.values()) == ["look a", "no_such_tool", "look b", "note"]


async def test_a_tool_that_runs_alone_overlaps_with_nothing(open_agent: Open) -> None:
    running: set[str] = set()
    seen: list[set[str]] = []

    async def passes(name: str) -> None:
        running.add(name)
        seen.append(set(running))
        for _ in range(3):
            await asyncio.sleep(0)
        running.discard(name)

    @tool(parallel=False)
    async def alone(n: int) -> str:
        """Run alone."""
        await passes(f"alone{n}")
        return "ok"

    @tool
    async def beside(n: int) -> str:
        """Run beside others."""
        await passes(f"beside{n}")
        return "ok"

    agent = await open_agent(alone, beside)
    asked = [("beside", {"n": 1}), ("alone", {"n": 1}), ("beside", {"n": 2}), ("alone", {"n": 2})]
    agent.model.will_call_all(*asked).will_say("Done.")

    await agent.run("Go")

    assert all(len(now) == 1 for now in seen if any("alone" in name for name in now))
    assert len(agent.model.last_results) == 4


async def test_what_a_tool_says_of_its_failure_reaches_the_model(open_agent: Open) -> None:
    agent = await open_agent(broken, crashes)
    agent.model.will_call("broken").will_call("crashes").will_say("I could not.")

    turn = await agent.run("Try")

    told = agent.model.requests[1].messages[-1]["content"][0]
    assert told["content"] == "The shelf is empty. Try another."
    assert told["is_error"] is True
    assert "secret detail" not in str(agent.model.last_result)
    assert agent.model.last_result["is_error"] is True
    assert turn.status == "done"


@pytest.mark.parametrize("reason", ["end_turn", "stop_sequence", "something_new"])
async def test_a_reply_that_just_stops_ends_the_turn(open_agent: Open, reason: str) -> None:
    agent = await open_agent(look)
    agent.model.will(stops(reason, "That is all."))

    turn = await agent.run("?")

    assert (turn.status, turn.text) == ("done", "That is all.")


@pytest.mark.parametrize(
    "reason", ["end_turn", "stop_sequence", "max_tokens", "model_context_window_exceeded", "new"]
)
async def test_only_a_reply_that_asks_for_tools_runs_them(open_agent: Open, reason: str) -> None:
    agent = await open_agent(note)
    agent.model.will(Line(content=calls("note", text="x").content, stop_reason=reason))
    agent.model.will_say("Next.").will_say("After that.")

    turn = await agent.run("?")
    await agent.run("And now?")

    assert agent.tools_run == []
    assert turn.status == "done"
    assert turn.one("tool_use")["is_error"] is True
    assert turn.of("tool_start") == []
    assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


async def test_an_answer_cut_at_its_limit_says_so(open_agent: Open) -> None:
    agent = await open_agent(look, max_tokens=17)
    agent.model.will(stops("max_tokens", "It begins"))

    turn = await agent.run("Tell me all")

    assert turn.text.startswith("It begins")
    assert "17" in turn.text
    assert turn.status == "done"


async def test_an_answer_that_fills_the_window_says_so(open_agent: Open) -> None:
    agent = await open_agent(look)
    agent.model.will(stops("model_context_window_exceeded", "It begins"))

    turn = await agent.run("Tell me all")

    assert "window" in turn.text
    assert turn.status == "done"


async def test_a_refusal_is_an_error_to_the_person_and_forgotten_by_the_model(
    open_agent: Open,
) -> None:
    agent = await open_agent(note)
    refused = calls("note", text="x").saying("No")
    agent.model.will(Line(content=refused.content, stop_reason="refusal")).will_say("Gladly.")

    turn = await agent.run("Something bad")
    after = await agent.run("Something good")

    assert turn.one("error")["code"] == "refused"
    assert turn.status == "failed"
    assert agent.tools_run == []
    assert after.text == "Gladly."
    sent = agent.model.requests[-1].messages
    assert_acceptable(sent)
    assert [message["role"] for message in sent] == ["user"]


async def test_a_refused_turn_can_be_tried_again(open_agent: Open) -> None:
    agent = await open_agent(note)
    agent.model.will(stops("refusal", "No")).will_say("Well, yes.")
    await agent.run("?")

    turn = await agent.retry()

    assert turn.text.endswith("Well, yes.")
    assert turn.status == "done"
    assert_acceptable(agent.model.requests[-1].messages)


async def test_a_paused_reply_is_sent_back_unchanged_and_goes_on(open_agent: Open) -> None:
    blocks: list[Any] = [
        {"type": "text", "text": "Searching "},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"q": "x"}},
    ]
    result = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    agent = await open_agent(look)
    agent.model.will(replies(*blocks, stop_reason="pause_turn"))
    agent.model.will(replies(result, {"type": "text", "text": "Found."})).will_say("More.")

    turn = await agent.run("Search")
    await agent.run("More?")

    sent = agent.model.requests[1].messages
    assert sent[-1] == {"role": "assistant", "content": blocks}
    assert turn.text == "Searching Found."
    joined = agent.model.requests[2].messages[1]["content"]
    assert joined == [*blocks, result, {"type": "text", "text": "Found."}]


async def test_calls_in_a_paused_reply_do_not_run_and_are_answered(open_agent: Open) -> None:
    agent = await open_agent(note)
    agent.model.will(Line(content=calls("note", text="x").content, stop_reason="pause_turn"))
    agent.model.will_say("On.")

    turn = await agent.run("?")

    assert agent.tools_run == []
    assert turn.text == "On."
    assert agent.model.last_result["is_error"] is True
    assert_acceptable(agent.model.requests[-1].messages)


async def test_a_search_left_unfinished_does_not_spoil_the_next_question(open_agent: Open) -> None:
    use = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    text = {"type": "text", "text": "Let me see. "}
    down = ModelFailed("overloaded", "down", retryable=False)
    agent = await open_agent(look)
    agent.model.will(replies(text, use, stop_reason="pause_turn"), fails(down)).will_say("Hello.")

    turn = await agent.run("Search")
    await agent.run("Never mind")

    assert turn.status == "failed"
    assert agent.model.requests[-1].messages[1] == {"role": "assistant", "content": [text]}


async def test_input_that_is_not_json_is_an_error_the_model_can_act_on(open_agent: Open) -> None:
    agent = await open_agent(note)
    line = calls_many(("note", {}, "toolu_bad"))
    raw = {"invalid_inputs": {"toolu_bad": '{"text": "a'}}
    agent.model.will(Line(content=line.content, stop_reason="tool_use", raw=raw))
    agent.model.will_call("note", text="a").will_say("Done.")

    turn = await agent.run("Note a")

    told = agent.model.requests[1].messages[-1]["content"][0]
    assert told["is_error"] is True
    assert "not readable JSON" in told["content"]
    assert agent.tools_run == [("note", {"text": "a"})]
    assert turn.status == "done"


@pytest.mark.parametrize("name", ["no_such_tool", "", "täglich", "x" * 300])
async def test_an_unknown_tool_is_a_normal_error_result(open_agent: Open, name: str) -> None:
    agent = await open_agent(look)
    agent.model.will_call(name).will_call("look").will_say("Done.")

    turn = await agent.run("?")

    assert turn.status == "done"
    assert turn.of("tool_use")[0]["is_error"] is True
    assert agent.names_run == ["look"]


async def test_an_empty_input_is_enough_where_nothing_is_required(open_agent: Open) -> None:
    agent = await open_agent(look, note)
    agent.model.will_call_all(("look", {}), ("note", {})).will_say("Done.")

    await agent.run("?")

    fine, wrong = agent.model.last_results
    assert "is_error" not in fine
    assert wrong["is_error"] is True
    assert "text" in wrong["content"]


async def test_an_id_used_twice_in_a_reply_runs_once(open_agent: Open) -> None:
    agent = await open_agent(note)
    agent.model.will_call_all(
        ("note", {"text": "a"}, "toolu_1"), ("note", {"text": "b"}, "toolu_1")
    )
    agent.model.will_say("Done.")

    turn = await agent.run("?")

    assert agent.tools_run == [("note", {"text": "a"})]
    good, bad = agent.model.last_results
    assert good["content"] == "noted a"
    assert bad["is_error"] is True
    assert turn.status == "done"
    assert_acceptable(agent.model.requests[-1].messages)


async def test_a_server_that_counts_its_ids_anew_each_time_is_understood(open_agent: Open) -> None:
    agent = await open_agent(note)
    for text in ("a", "b"):
        agent.model.will_call_all(("note", {"text": text}, "call_0"))
    agent.model.will_say("Done.")

    turn = await agent.run("?")

    assert agent.tools_run == [("note", {"text": "a"}), ("note", {"text": "b"})]
    assert turn.status == "done"
    assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


async def test_a_reply_that_asks_for_tools_without_naming_any_ends_the_turn(
    open_agent: Open,
) -> None:
    agent = await open_agent(look)
    agent.model.will(stops("tool_use", "Well."))

    assert (await agent.run("?")).status == "done"


THOUGHT: Block = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
MUTE: dict[str, list[Block]] = {
    "nothing": [],
    "blanks": [{"type": "text", "text": " \n"}],
    "thinking": [THOUGHT],
}


@pytest.mark.parametrize("content", MUTE.values(), ids=MUTE)
async def test_a_reply_without_words_is_asked_for_once_more(
    open_agent: Open, content: list[Block]
) -> None:
    agent = await open_agent(look)
    agent.model.will_call("look").will(Line(content=content)).will_say("Here.").will_say("Yes.")

    turn = await agent.run("?")
    await agent.run("Anybody?")

    assert (turn.status, turn.text.strip()) == ("done", "Here.")
    for request in agent.model.requests:
        assert_acceptable(request.messages)
    _, before, asked_again, later = agent.model.requests
    assert dumps(asked_again.messages[:-1]) == dumps(before.messages[:-1])
    assert "in words" in asked_again.messages[-1]["content"][-1]["text"]
    assert "Hm." not in dumps(later.messages)
    await agent.assert_whole()


@pytest.mark.parametrize("content", MUTE.values(), ids=MUTE)
async def test_a_model_that_says_nothing_at_all_is_told_and_can_be_tried_again(
    open_agent: Open, content: list[Block]
) -> None:
    agent = await open_agent(look)
    agent.model.will(*[Line(content=content)] * 3).will_say("Here.")

    turn = await agent.run("?")

    assert turn.status == "failed"
    assert turn.text.strip() == ""
    error = turn.one("error")
    assert (error["code"], error["retryable"]) == ("overloaded", True)
    assert "without an answer" in error["content"]

    assert (await agent.retry()).status == "done"
    assert_acceptable(agent.model.requests[-1].messages)
    assert len(agent.model.requests[-1].messages) == 1


async def test_after_a_turn_without_an_answer_the_next_question_is_asked_cleanly(
    open_agent: Open,
) -> None:
    agent = await open_agent(look)
    agent.model.will(*[stops("end_turn")] * 3).will_say("Here.")

    await agent.run("?")
    turn = await agent.run("Anybody?")

    assert turn.text == "Here."
    assert_acceptable(agent.model.requests[-1].messages)


async def test_calls_of_a_reply_that_did_not_ask_for_them_are_answered_and_words_asked_for(
    open_agent: Open,
) -> None:
    agent = await open_agent(note)
    agent.model.will(Line(content=calls("note", text="x").content, stop_reason="end_turn"))
    agent.model.will_say("It was not noted.")

    turn = await agent.run("?")

    assert (turn.status, turn.text) == ("done", "It was not noted.")
    assert agent.tools_run == []
    assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


async def test_at_the_limit_the_model_answers_once_more_without_tools(open_agent: Open) -> None:
    agent = await open_agent(look, max_iterations=2)
    agent.model.will_call("look").will_call("look").will_say("From what I have: yes.")

    turn = await agent.run("?")

    assert turn.text == "From what I have: yes."
    assert [request.tool_choice for request in agent.model.requests] == [
        None,
        None,
        {"type": "none"},
    ]
    first, *_, last = agent.model.requests
    assert last.tools == first.tools
    assert turn.one("done")["iterations"] == 3


async def test_calls_in_the_last_answer_are_dropped_unread_and_its_words_kept(
    open_agent: Open,
) -> None:
    agent = await open_agent(look, max_iterations=1)
    hundred = calls_many(*[("look", {"place": str(n)}) for n in range(100)])
    agent.model.will_call("look", place="a").will(hundred.saying("It is there."))

    turn = await agent.run("?")

    assert agent.tools_run == [("look", {"place": "a"})]
    assert (turn.status, turn.text) == ("done", "It is there.")
    assert len(turn.of("tool_use")) == len(await agent.audit()) == 1
    last = (await agent.messages())[-1]
    assert last.content == [{"type": "text", "text": "It is there."}]
    assert last.metadata["dropped_calls"] == 100
    await agent.assert_whole()


async def test_a_last_answer_of_nothing_but_calls_is_no_answer(open_agent: Open) -> None:
    agent = await open_agent(look, max_iterations=1)
    agent.model.will_call("look", place="a")
    agent.model.will_call("look", place="b").will_call("look", place="c")

    turn = await agent.run("?")

    assert agent.tools_run == [("look", {"place": "a"})]
    assert turn.status == "done"
    assert "no answer in words" in turn.text, "what was found is shown instead"
    assert [request.tool_choice for request in agent.model.requests[1:]] == [{"type": "none"}] * 2
    assert len(await agent.audit()) == 1
    await agent.assert_whole()


async def test_an_agent_may_go_without_the_last_answer(open_agent: Open) -> None:
    agent = await open_agent(look, max_iterations=2, last_answer=False)
    agent.model.will_call("look").will_call("look")

    turn = await agent.run("?")

    assert turn.one("done")["iterations"] == 2
    assert len(agent.model.requests) == 2
    assert "limit of 2 steps" in turn.text
    await agent.assert_whole()


async def test_a_result_over_the_limit_is_cut_with_a_note(open_agent: Open) -> None:
    @tool
    async def long() -> str:
        """Say too much."""
        return "word " * 1000

    agent = await open_agent(long, settings={"result_chars": 1000})
    agent.model.will_call("long").will_say("Much.")

    await agent.run("?")

    text = agent.model.last_result["content"]
    assert len(text) < 1500
    assert "5000" in text or "5,000" in text


async def test_a_spent_budget_ends_the_turn_before_the_next_paid_call(open_anywhere: Open) -> None:
    prices = {"claude-sonnet-5-5": {"input": 1.0, "output": 1.0}}
    agent = await open_anywhere(look, settings={"prices": prices})
    await agent.bench.database.run(
        people.change_organisation, agent.me.organisation_id, monthly_budget_usd=1.0
    )
    dear = Line(
        content=calls("look").content, stop_reason="tool_use", usage=Tokens(input=2_000_000)
    )
    agent.model.will(dear).will_say("Never said.")

    turn = await agent.run("?")

    assert turn.one("error")["code"] == "budget_exceeded"
    assert turn.one("error")["retryable"] is False
    assert turn.status == "failed"
    assert len(agent.model.requests) == 1
    await agent.assert_whole()


async def test_an_invalid_key_is_told_in_words_and_not_tried_again(open_agent: Open) -> None:
    agent = await open_agent(look)
    agent.model.will(ModelFailed("invalid_api_key", "401", retryable=False))

    turn = await agent.run("?")

    assert turn.types() == ["turn", "error", "done"]
    assert "ANTHROPIC_API_KEY" in turn.one("error")["content"]


async def test_what_the_provider_would_not_take_is_told_in_the_persons_language(
    open_agent: Open,
) -> None:
    agent = await open_agent(look)
    detail = Wording("deferred_tools")
    said = {"pt": detail.told("pt"), "en": detail.told("en")}
    agent.model.will(ModelFailed("internal", "404", retryable=False, detail=detail))

    content = (await agent.run("?")).one("error")["content"]

    assert said[agent.me.language] in content
    assert not any(
        words in content for language, words in said.items() if language != agent.me.language
    )


async def test_a_provider_that_breaks_is_not_told_as_a_fault_of_ours(open_agent: Open) -> None:
    agent = await open_agent(look)
    agent.model.will(ModelFailed("internal", "500 oops", retryable=True, status=500))

    error = (await agent.run("?")).one("error")

    assert (error["code"], error["retryable"]) == ("internal", True)
    assert error["content"] == Wording("overloaded").told(agent.me.language)


async def test_a_turn_that_cannot_even_begin_says_so_in_the_persons_language(
    open_agent: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = await open_agent(look)
    await agent.bench.database.run(lambda db: people.change_person(db, agent.me.id, language="pt"))

    async def fail(record: Record) -> Turn:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(agent.bench.runner, "build", fail)
    turn = await agent.run("?")

    assert turn.one("error")["content"] == Wording("internal").told("pt")
    assert (turn.status, await agent.status()) == ("failed", "failed")


async def test_a_fault_of_ours_is_an_error_without_details(open_agent: Open) -> None:
    agent = await open_agent(look)  # The script is empty: asking it is a fault.

    turn = await agent.run("?")

    assert turn.one("error")["code"] == "internal"
    assert "script" not in turn.one("error")["content"]
    assert turn.status == "failed"


async def test_questions_of_two_conversations_stay_apart(open_agent: Open) -> None:
    agent = await open_agent(look)
    agent.model.will_say("First.").will_say("Second.")
    await agent.run("A secret of the first conversation")
    await agent.new_conversation()

    await agent.run("Another")

    assert "secret" not in str(agent.model.requests[-1].messages)


async def test_a_conversation_has_one_turn_at_a_time(open_agent: Open) -> None:
    latch = Latch()
    agent = await open_agent(waiting_at(latch))
    agent.model.will_call("waits").will_say("Done.")
    turn_id = await agent.ask("First")
    await latch.arrived()

    with pytest.raises(Exception, match="still running"):
        await agent.ask("Second")

    latch.open()
    assert (await agent.follow(turn_id)).status == "done"


async def test_a_reader_that_comes_late_and_one_that_leaves_change_nothing(
    open_agent: Open,
) -> None:
    latch = Latch()
    agent = await open_agent(waiting_at(latch))
    agent.model.will(calls("waits").saying("Before. ")).will_say("After.")
    turn_id = await agent.ask("?")
    await latch.arrived()
    leaver = agent.bench.runner.follow(turn_id)
    await anext(leaver)
    late = asyncio.create_task(agent.follow(turn_id))

    latch.open()

    assert (await late).text == "Before. After."
