"""The scripted model, as people who write packs use it."""

from __future__ import annotations

import asyncio

import pytest

from bancada.testing import (
    Hold,
    ModelFailed,
    Request,
    ScriptedModel,
    ScriptExhausted,
    TextPiece,
    ThinkingPiece,
    Tokens,
    calls,
    calls_many,
    fails,
    replies,
    says,
    stops,
)
from tests.model.asking import ask, request


async def test_each_request_takes_the_next_line() -> None:
    model = ScriptedModel([calls("contar", tipo="risco").saying("A ver."), "São 12."])

    pieces, first = await ask(model)
    _, second = await ask(model)

    assert pieces == [TextPiece("A "), TextPiece("ver.")]
    assert [block["type"] for block in first.content] == ["text", "tool_use"]
    assert first.content[1]["name"] == "contar"
    assert first.content[1]["input"] == {"tipo": "risco"}
    assert first.stop_reason == "tool_use"
    assert (second.content, second.stop_reason) == (
        [{"type": "text", "text": "São 12."}],
        "end_turn",
    )
    assert model.remaining == 0


async def test_calls_in_one_reply_have_ids_of_their_own() -> None:
    model = ScriptedModel([calls_many(("a", {}), ("b", {"x": 1}), ("a", {}, "toolu_fixed"))] * 2)

    _, first = await ask(model)
    _, second = await ask(model)

    ids = [use["id"] for use in [*first.content, *second.content]]
    assert ids[2] == ids[5] == "toolu_fixed"
    assert len(set(ids)) == 5


async def test_a_line_may_be_a_function_of_the_request() -> None:
    def echo(asked: Request) -> object:
        return says(asked.messages[-1]["content"][0]["text"].upper())

    _, reply = await ask(ScriptedModel([echo]))  # type: ignore[list-item]

    assert reply.content == [{"type": "text", "text": "OLÁ"}]


async def test_requests_are_kept_as_they_were() -> None:
    model = ScriptedModel([says("x")])
    result = {"type": "tool_result", "tool_use_id": "t", "content": "12"}
    asked = request(messages=[{"role": "user", "content": [result]}])

    await ask(model, asked)
    asked.messages.append({"role": "user", "content": "later"})

    assert len(model.requests[0].messages) == 1
    assert model.last_results == [result]


async def test_other_ends_thinking_and_prices_can_be_played() -> None:
    block = {"type": "hologram", "voxels": 3}
    model = ScriptedModel(
        [
            stops("max_tokens", "Meia"),
            says("Sim.").thinking("hm", "sig").using(input=5, output=6),
            replies(block, stop_reason="pause_turn", container={"id": "c"}),
        ]
    )

    _, cut = await ask(model)
    pieces, thought = await ask(model)
    _, raw = await ask(model)

    assert cut.stop_reason == "max_tokens"
    assert pieces == [ThinkingPiece("hm"), TextPiece("Sim.")]
    assert thought.content[0] == {"type": "thinking", "thinking": "hm", "signature": "sig"}
    assert thought.usage == Tokens(input=5, output=6)
    assert (raw.content, raw.stop_reason, raw.container) == ([block], "pause_turn", {"id": "c"})


async def test_a_failure_comes_after_what_was_said() -> None:
    failure = ModelFailed("overloaded", "busy", retryable=True)
    model = ScriptedModel([fails(failure, after="Meia")])
    events = model.stream(request())

    assert await anext(events) == TextPiece("Meia")
    with pytest.raises(ModelFailed) as caught:
        await anext(events)
    assert caught.value is failure


async def test_an_exhausted_script_says_what_was_asked() -> None:
    with pytest.raises(ScriptExhausted, match=r"0 lines and this is request 1.*olá"):
        await ask(ScriptedModel([]))


async def test_a_gate_holds_the_reply_at_an_exact_piece() -> None:
    gate, seen = Hold(), []
    model = ScriptedModel([says("um dois três")], gate=gate)

    async def read() -> None:
        async for event in model.stream(request()):
            seen.append(event)

    reading = asyncio.create_task(read())
    await gate.arrived()
    assert seen == []

    gate.let(2)
    await gate.arrived()
    assert seen == [TextPiece("um "), TextPiece("dois ")]

    gate.open()
    await reading
    assert len(seen) == 4
