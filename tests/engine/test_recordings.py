"""Every recording of real traffic drives the engine: what we send back is what was sent then."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.domain.json import JSONObject, dumps
from bancada.domain.messages import text_of
from tests.engine.harness import assert_acceptable
from tests.engine.tape import Tape, message_of, replaying
from tests.shared import RECORDINGS, needs_shared, shared_tool

pytestmark = needs_shared

every_recording = pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)

NOT_OURS = ("cache_control", "strict")
"""Marks of the cache are ours to set; `strict` is not offered."""


@pytest.fixture
def folder(tmp_path: Path, sqlite_url: str) -> Path:
    return tmp_path


def keys_of(path: Path, tape: Tape) -> tuple[str, ...]:
    """What of a request must be equal: the system text is always ours."""
    if "code_execution_old" in path.stem:
        return ("model", "messages")  # That client lost its container.
    if tape.offers_something_else:
        return ("model", "messages", "container")
    return ("model", "messages", "tools", "container")


def served(tape: Tape) -> list[JSONObject]:
    return [message_of(pair) for pair in tape.pairs if pair.status == 200]


@pytest.mark.parametrize(
    "form",
    [
        "event",
        "json",
        pytest.param("bytes:1", marks=pytest.mark.long),
        pytest.param("bytes:777", marks=pytest.mark.long),
    ],
)
@every_recording
async def test_what_is_sent_equals_what_was_recorded(folder: Path, path: Path, form: str) -> None:
    tape = Tape.load(path)
    if not tape.pairs:
        pytest.skip("counts tokens only")
    if form == "json":
        # As a server that does not stream would answer, though it is asked to.
        for pair in tape.pairs:
            if pair.is_sse:
                pair.body, pair.is_sse = dumps(message_of(pair)), False

    chunk = "event" if form == "json" else form
    async with replaying(folder, tape, adapt=form != "json", chunk=chunk) as (upstream, agent):
        turns = await tape.play(agent)

        for n in range(len(tape.pairs)):
            upstream.assert_same(n, keys=keys_of(path, tape), drop=NOT_OURS)
        recorded = [message["content"] for message in served(tape)]
        kept = [
            message.content
            for turn in turns
            for message in await agent.messages_of(turn.turn_id)
            if message.kind == "reply"
        ]
        assert kept == recorded
        said = "".join(text_of(content) for content in recorded)
        assert "".join(turn.text for turn in turns) == said
        for request in upstream.received:
            if request.json["messages"][-1]["role"] == "user":
                assert_acceptable(request.json["messages"])


@every_recording
async def test_a_reply_cut_off_is_asked_for_again(folder: Path, path: Path) -> None:
    tape = Tape.load(path)
    if not tape.pairs or tape.pairs[0].status != 200:
        pytest.skip("no reply to cut off")
    text = text_of(message_of(tape.pairs[0])["content"])

    # Served once up to the middle, then whole.
    pairs = [tape.pairs[0], *tape.pairs]
    cut = {0: len(tape.pairs[0].body.encode()) // 2}
    async with replaying(folder, tape, pairs=pairs, adapt=True, cuts=cut) as (upstream, agent):
        turns = await tape.play(agent)

        assert upstream.received[0].raw == upstream.received[1].raw
        for n in range(1, len(tape.pairs)):
            upstream.assert_same(n, keys=keys_of(path, tape), drop=NOT_OURS)
        if turns[0].of("again"):
            before = turns[0].events[: turns[0].types().index("again")]
            assert any(event["type"] in ("text", "thinking") for event in before)
            assert "Error" not in turns[0].of("again")[0]["reason"]
        assert turns[0].text.startswith(text)


@every_recording
async def test_a_server_in_trouble_is_asked_again(folder: Path, path: Path) -> None:
    tape = Tape.load(path)
    if not tape.pairs or tape.pairs[0].status != 200:
        pytest.skip("no reply to come in the end")
    faults = {0: (429, "0"), 1: (529, None), 2: (500, None)}

    async with replaying(folder, tape, adapt=True, faults=faults) as (upstream, agent):
        turns = await tape.play(agent)

        assert turns[0].of("again") == []
        assert len({request.raw for request in upstream.received[:4]}) == 1
        assert turns[0].text.startswith(text_of(message_of(tape.pairs[0])["content"]))


async def test_when_the_attempts_are_spent_the_turn_ends_in_words_and_can_be_retried(
    folder: Path,
) -> None:
    tape = Tape.load(next(path for path in RECORDINGS if path.stem == "test_agent_loop_streaming"))
    faults = dict.fromkeys(range(1, 5), (529, None))

    async with replaying(folder, tape, adapt=True, faults=faults) as (upstream, agent):
        (turn,) = await tape.play(agent)
        assert turn.one("error")["code"] == "overloaded"
        assert turn.one("error")["retryable"] is True
        assert turn.status == "failed"

        again = await agent.retry()

        assert again.status == "done"
        assert agent.names_run == ["get_weather"]
        upstream.assert_same(1, keys=("messages", "tools"))


async def test_thinking_comes_back_with_its_signature_byte_for_byte(folder: Path) -> None:
    tape = Tape.load(
        next(path for path in RECORDINGS if path.stem == "test_anthropic_tool_with_thinking")
    )
    signature = message_of(tape.pairs[0])["content"][0]["signature"]

    async with replaying(folder, tape, adapt=True) as (upstream, agent):
        await tape.play(agent)

        assert signature.encode() in upstream.received[1].raw


async def test_four_results_go_back_in_one_message(folder: Path) -> None:
    tape = Tape.load(next(p for p in RECORDINGS if p.stem == "test_multiple_parallel_tool_calls"))

    async with replaying(folder, tape, adapt=True) as (upstream, agent):
        await tape.play(agent)

        results = upstream.received[1].json["messages"][-1]["content"]
        assert [block["type"] for block in results] == ["tool_result"] * 4


@pytest.mark.parametrize(
    "stem", ["test_programmatic_tool_use", "test_programmatic_tool_use_streaming"]
)
async def test_managed_code_is_answered_by_our_gate_in_its_own_container(
    folder: Path, stem: str
) -> None:
    tape = Tape.load(next(path for path in RECORDINGS if path.stem == stem))

    async with replaying(folder, tape, adapt=True) as (upstream, agent):
        (turn,) = await tape.play(agent)

        use, code = turn.one("tool_use"), turn.one("code")
        assert use["caller"]["type"] == "code_execution_20250825"
        assert use["caller"]["tool_id"] == code["id"]
        second = upstream.received[1].json
        assert second["container"] == message_of(tape.pairs[0])["container"]["id"]
        assert [b["type"] for b in second["messages"][-1]["content"]] == ["tool_result"]
        (line,) = await agent.audit()
        assert line["caller"] == use["caller"]


async def test_the_container_lives_on_though_the_last_reply_did_not_name_it(folder: Path) -> None:
    tape = Tape.load(next(path for path in RECORDINGS if path.stem == "test_programmatic_tool_use"))

    async with replaying(folder, tape, adapt=True, loop=True) as (upstream, agent):
        await tape.play(agent)
        await agent.run("And tomorrow?")

        assert upstream.received[2].json["container"] == upstream.received[1].json["container"]


async def test_a_continuation_that_arrives_whole_is_gone_on_with(folder: Path) -> None:
    """Code that asks again may come as a `message_start` with everything in it, and no more."""
    tape = Tape.load(next(path for path in RECORDINGS if path.stem == "test_programmatic_tool_use"))
    first, last = tape.pairs
    reply = message_of(first)
    use = next(block for block in reply["content"] if block["type"] == "tool_use")
    again = {**reply, "id": "msg_again", "content": [{**use, "id": "toolu_again"}]}
    tool = shared_tool("replay_upstream")
    events = [{"type": "message_start", "message": again}, {"type": "message_stop"}]
    whole = tool.Pair("POST", "/v1/messages", "", None, 200, tool.dump_sse(events), True)

    async with replaying(folder, tape, pairs=[first, whole, last], adapt=True) as (upstream, agent):
        turn = await agent.run("What's the weather in Boston?")

        assert turn.status == "done"
        assert agent.names_run == ["get_weather", "get_weather"]
        sent = upstream.received[2].json["messages"]
        assert sent[-2]["content"] == again["content"]
        assert [block["tool_use_id"] for block in sent[-1]["content"]] == ["toolu_again"]


def paused_run(tape: Tape, pauses: int) -> list[JSONObject]:
    """A recorded run of code at the provider's, whose code asks again and again before it ends.

    Every shape is the recording's own: the code first, then `tool_use` blocks with its caller,
    one or several a pause, each with the container; the result and the words last.
    """
    first, last = (message_of(pair) for pair in tape.pairs)
    use = next(block for block in first["content"] if block["type"] == "tool_use")
    replies = [first]
    for n in range(1, pauses):
        asked = [{**use, "id": f"toolu_{n}_{k}"} for k in range(1 + n % 3)]
        replies.append({**first, "id": f"msg_{n}", "content": asked})
    return [*replies, last]


@pytest.mark.parametrize(
    "stem", ["test_programmatic_tool_use", "test_programmatic_tool_use_streaming"]
)
async def test_a_managed_run_of_fourteen_pauses_ends_whole(folder: Path, stem: str) -> None:
    tape = Tape.load(next(path for path in RECORDINGS if path.stem == stem))
    tool = shared_tool("replay_upstream")
    replies = paused_run(tape, 14)
    pairs = [
        tool.Pair("POST", "/v1/messages", "", None, 200, dumps(reply), False) for reply in replies
    ]

    async with replaying(folder, tape, pairs=pairs, adapt=True) as (upstream, agent):
        assert agent.agent.max_iterations == 8
        turn = await agent.run("What's the weather in Boston?")

        assert turn.status == "done"
        assert turn.of("error") == []
        asked = [b["id"] for reply in replies for b in reply["content"] if b["type"] == "tool_use"]
        assert [event["id"] for event in turn.of("tool_use")] == asked
        assert len(agent.names_run) == len(asked) > 14
        assert turn.text == "".join(text_of(reply["content"]) for reply in replies)
        assert turn.text.endswith(text_of(replies[-1]["content"]))
        assert turn.one("code")["return_code"] == 0
        assert len(upstream.received) == 15
        container = message_of(tape.pairs[0])["container"]["id"]
        for sent, reply in zip(upstream.received[1:], replies, strict=False):
            assert sent.json["container"] == container
            assert "tool_choice" not in sent.json
            last = sent.json["messages"][-1]["content"]
            assert [block["type"] for block in last] == ["tool_result"] * len(last)
            assert [block["tool_use_id"] for block in last] == [
                block["id"] for block in reply["content"] if block["type"] == "tool_use"
            ]
        # The pauses belong to one reply of the model; its last words are no further iteration.
        assert turn.of("done")[-1]["iterations"] == 1
        await agent.assert_whole()


async def test_a_reply_that_paused_for_its_provider_is_one_iteration(folder: Path) -> None:
    tape = Tape.load(
        next(path for path in RECORDINGS if path.stem == "test_pause_turn_web_search_vcr")
    )

    async with replaying(folder, tape, adapt=True) as (_, agent):
        (turn,) = await tape.play(agent)

        assert turn.status == "done"
        assert turn.of("done")[-1]["iterations"] == 1


async def test_managed_code_that_never_ends_asking_is_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bancada.engine.turn.MOST_REPLIES", 12)
    tape = Tape.load(next(path for path in RECORDINGS if path.stem == "test_programmatic_tool_use"))
    tool = shared_tool("replay_upstream")
    pairs = [
        tool.Pair("POST", "/v1/messages", "", None, 200, dumps(reply), False)
        for reply in paused_run(tape, 40)
    ]

    async with replaying(folder, tape, pairs=pairs, adapt=True, agent={"max_iterations": 1}) as (
        upstream,
        agent,
    ):
        turn = await agent.run("What's the weather in Boston?")

        assert turn.status in ("done", "failed")
        assert len(upstream.received) <= 15


async def test_managed_code_that_was_stopped_does_not_spoil_the_next_question(
    folder: Path,
) -> None:
    tape = Tape.load(next(path for path in RECORDINGS if path.stem == "test_programmatic_tool_use"))
    faults = {1: (400, None)}
    async with replaying(folder, tape, adapt=True, faults=faults) as (upstream, agent):
        turn = await agent.run("What's the weather in Boston?")
        assert turn.status == "failed"

        await agent.run("Never mind, hello")

        sent = upstream.received[2].json["messages"]
        assert_acceptable(sent)
        types = [block["type"] for message in sent for block in message["content"]]
        assert "server_tool_use" not in types
        assert "tool_result" not in types


async def test_a_container_that_has_ended_meanwhile_is_replaced(folder: Path) -> None:
    stem = "test_anthropic_code_execution_tool_container_reuse"
    tape = Tape.load(next(path for path in RECORDINGS if path.stem == stem))
    tool = shared_tool("replay_upstream")
    text = '{"type":"error","error":{"type":"not_found_error","message":"Container not found."}}'
    gone = tool.Pair("POST", "/v1/messages", "", None, 404, text, False)
    first, second = tape.pairs

    async with replaying(folder, tape, pairs=[first, gone, second], adapt=True) as (up, agent):
        turns = await tape.play(agent)

        assert [turn.status for turn in turns] == ["done", "done"]
        assert up.received[1].json["container"] == message_of(first)["container"]["id"]
        assert "container" not in up.received[2].json
        assert up.received[1].json["messages"] == up.received[2].json["messages"]
