"""What the model sees: a beginning that stands still, a window of whole turns, nothing foreign."""

from __future__ import annotations

from itertools import pairwise

from bancada.domain.json import JSONObject, dumps
from bancada.engine.context import ARTIFACT_HINT
from bancada.engine.window import counted, window
from bancada.model.model import Request
from bancada.store import tool_settings
from bancada.store.messages import StoredMessage
from bancada.tools.tool import tool
from tests.engine.conftest import Open
from tests.engine.harness import assert_acceptable

MARK = b',"cache_control":{"type":"ephemeral"}'


@tool
async def count(part: str) -> JSONObject:
    """Count parts."""
    return {"part": part, "count": len(part)}


@tool
async def describe(part: str) -> str:
    """Describe a part."""
    return f"A {part}: " + "long, round and grey. " * 20


def up_to_its_last_mark(request: Request) -> bytes:
    """The bytes of a request that the provider may keep."""
    body = dumps(request.body()).encode()
    return body[: body.rindex(MARK)]


async def test_the_bytes_up_to_the_last_mark_begin_the_next_request(open_agent: Open) -> None:
    agent = await open_agent(count, describe, max_history=20)
    for n in range(30):
        if n % 3 == 0:
            agent.model.will_call_all(
                ("count", {"part": f"bolt {n}"}), ("describe", {"part": "nut"})
            )
        if n % 4 == 0:
            agent.model.will_call("describe", part=f"washer {n}")
        agent.model.will_say(f"Answer number {n}.")

    for n in range(30):
        if n == 5:
            await agent.upload("part,amount\nbolt,3\nnut,4\n")
        await agent.run(f"Question number {n}?")

    requests = agent.model.requests
    moves = []
    for at, (one, following) in enumerate(pairwise(requests)):
        assert_acceptable(one.messages)
        kept, next_body = up_to_its_last_mark(one), dumps(following.body()).encode()
        if not next_body.startswith(kept):
            moves.append(at)
        assert one.system == following.system
        assert one.tools == following.tools
    # The window of twenty moves by ten when thirty are there: 60 at the last question, so four times.
    assert len(moves) == 4
    assert all(dumps(request.messages).count("Question number") <= 15 for request in requests)


async def test_there_are_at_most_four_marks_and_one_on_each_stable_part(open_agent: Open) -> None:
    agent = await open_agent(count)
    agent.model.will_call("count", part="x").will_say("One.").will_say("Two.")
    await agent.run("First")
    await agent.run("Second")

    for request in agent.model.requests:
        assert dumps(request.body()).encode().count(MARK) == 3
        assert "cache_control" in request.tools[-1]
        assert "cache_control" in request.system[-1]
        assert "cache_control" in request.messages[-1]["content"][-1]


async def test_the_system_text_is_the_agents_prompt_and_the_hint(open_agent: Open) -> None:
    agent = await open_agent(count, system_prompt="You count parts.")
    agent.model.will_say("Hello.")
    await agent.run("Hi")

    (block,) = agent.model.requests[0].system
    assert block["text"] == f"You count parts.\n\n{ARTIFACT_HINT}"


PROMPT = """\
You help. Use count for amounts, and `describe` for words.

- Amounts: `count`. Say them exactly.
- weigh_part only when asked.
- Describe nothing that was not asked for."""


@tool
async def weigh_part(part: str) -> int:
    """Weigh."""
    return 1


async def test_the_prompt_names_no_tool_that_is_not_offered(open_agent: Open) -> None:
    agent = await open_agent(count, describe, weigh_part, system_prompt=PROMPT)
    for _ in range(3):
        agent.model.will_say("Yes.")

    await agent.run("All of them?")
    for name in ("describe", "weigh_part"):
        await agent.bench.database.run(tool_settings.change_registry, name, is_enabled=False)
    await agent.run("And now?")
    await agent.new_conversation()
    await agent.run("And here?")

    whole, fewer, anew = [request.system[0]["text"] for request in agent.model.requests]
    assert whole.startswith(PROMPT)
    expected = (
        "You help.\n\n- Amounts: `count`. Say them exactly.\n"
        "- Describe nothing that was not asked for."
    )
    assert fewer.startswith(expected + "\n\n")
    assert fewer == anew


async def test_data_sets_are_named_in_the_question_and_not_in_the_system_text(
    open_agent: Open,
) -> None:
    agent = await open_agent(count)
    agent.model.will_say("Hello.").will_say("I see.")
    await agent.run("Hi")
    await agent.upload("part,amount\nbolt,3\n")
    await agent.run("What is in it?")

    before, after = agent.model.requests
    assert before.system == after.system
    question = after.messages[-1]["content"]
    assert "parts" in question[-1]["text"]


async def test_what_is_offered_follows_the_agents_order(open_agent: Open) -> None:
    agent = await open_agent(count, describe, tools=("describe", "count"))
    agent.model.will_say("Hello.")
    await agent.run("Hi")

    assert [shape["name"] for shape in agent.model.requests[0].tools] == ["describe", "count"]


# ---------------------------------------------------------------------------- the window


def talk(*kinds: str) -> list[StoredMessage]:
    """Messages of these kinds: q(uestion), r(eply), t (tool results), u(pload); a q begins a turn."""
    names = {"q": "question", "r": "reply", "t": "results", "u": "upload"}
    made: list[StoredMessage] = []
    turn = 0
    for letter in "".join(kinds):
        turn += letter == "q"
        made.append(
            StoredMessage(
                id=str(len(made)),
                conversation_id="c",
                turn_id=None if letter == "u" else f"t{turn}",
                position=len(made) + 1,
                role="assistant" if letter == "r" else "user",
                kind=names[letter],  # type: ignore[arg-type]
                content=[],
                metadata={},
                created_at=0.0,
            )
        )
    return made


def kinds(messages: list[StoredMessage]) -> str:
    return "".join(message.kind[0] if message.kind != "results" else "t" for message in messages)


def test_a_turns_answer_counts_as_one_however_many_tools_it_took() -> None:
    assert len(counted(talk("qrtrtr", "u", "qr"))) == 5
    assert window(talk("qrtrtr" * 2, "q"), 5) == talk("qrtrtr" * 2, "q")


def test_the_cut_moves_ten_messages_at_a_time_and_never_within_a_turn() -> None:
    starts = []
    for turns in range(1, 40):
        for ending in ("q", "qr", "qrt", "qrtr"):
            messages = talk("qr" * (turns - 1), ending)
            seen = window(messages, 20)
            asked = 2 * turns - 1
            assert asked < 20 or 20 <= asked - seen[0].position + 1 <= 29
            assert seen[0].kind == "question"
            starts.append(seen[0].position)
        assert len(set(starts[-4:])) == 1
    assert starts == sorted(starts)
    assert set(starts) == {1, 11, 21, 31, 41, 51}


def test_no_turn_is_cut_and_no_answer_travels_without_its_question() -> None:
    for length in range(1, 60):
        messages = talk(("qrtr" + "u" * (length % 3 == 0)) * length, "q")
        for most in (1, 2, 3, 7, 20):
            seen = window(messages, most)
            assert seen[0].role == "user"
            assert seen[-1].kind == "question"
            assert len(counted(seen)) >= min(most, len(counted(messages)))
            assert len(counted(seen)) <= most + min(10, max(1, most // 2))


def test_an_upload_amid_a_turn_stands_after_it() -> None:
    messages = talk("qr", "u", "tr", "q")
    messages[3] = _of_turn(messages[3], "t1")
    messages[4] = _of_turn(messages[4], "t1")

    assert kinds(window(messages, 20)) == "qrtruq"


def _of_turn(message: StoredMessage, turn_id: str) -> StoredMessage:
    return StoredMessage(**{**vars(message), "turn_id": turn_id})


async def test_each_reply_says_where_what_the_model_saw_begins(open_agent: Open) -> None:
    agent = await open_agent(count, max_history=4)
    turns, seen = [], []
    for n in range(4):
        agent.model.will_say("Yes.")
        told = await agent.run(f"Question {n}?")
        turns.append(told.turn_id)
        seen.append(next(one["seen_from"] for one in told.events if one["type"] == "usage"))

    first = str(agent.model.requests[-1].messages[0]["content"][0]["text"])
    assert seen[:2] == [None, None]
    assert first == f"Question {turns.index(seen[-1])}?"
    assert 0 < turns.index(seen[-1]) < 3
