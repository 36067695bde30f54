"""Every recording of real traffic, read by our client and sent back."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from bancada.model.anthropic import AnthropicModel
from bancada.model.model import ModelFailed, Reply, Request, Restarted, TextPiece, ThinkingPiece
from bancada.model.retry import Retrying
from tests.model.asking import ask, request
from tests.shared import RECORDINGS, RECORDINGS_FOLDER, needs_shared, shared_tool

pytestmark = needs_shared

FIELDS = ("model", "max_tokens", "system", "messages", "tools", "tool_choice", "container")

every_recording = pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
every_form = pytest.mark.parametrize("form", ["event", "line", "bytes:1", "bytes:777", "json"])


def recorded_request(pair: Any) -> Request:
    """The recorded body as a request of ours; where there is none, any will do."""
    body = {name: value for name, value in (pair.request or {}).items() if value is not None}
    body.pop("stream", None)
    if not body:
        return request()
    known = {name: body.pop(name) for name in FIELDS if name in body}
    return Request(**{"max_tokens": 100, "system": [], **known}, extra=body)


@asynccontextmanager
async def replaying(
    recording: Path | list[Any], **how: Any
) -> AsyncIterator[tuple[Any, AnthropicModel]]:
    upstream = shared_tool("replay_upstream").ReplayUpstream(
        recording if isinstance(recording, list) else str(recording), **how
    )
    upstream.start()
    model = AnthropicModel(model="m", api_key="k", base_url=upstream.url)
    try:
        yield upstream, model
    finally:
        await model.aclose()
        # Its server looks up twice a second; nobody needs to wait for that.
        threading.Thread(target=upstream.stop, daemon=True).start()


def message_of(pair: Any) -> dict[str, Any]:
    """The recorded answer as one message, whichever form it was recorded in."""
    message: dict[str, Any] = (
        shared_tool("replay_upstream").sse_to_message(pair.body) if pair.is_sse else pair.json
    )
    return message


def assert_is(reply: Reply, message: dict[str, Any]) -> None:
    assert reply.content == message["content"]
    assert reply.stop_reason == message["stop_reason"]
    assert reply.container == message.get("container")
    assert reply.model == message["model"]
    assert reply.usage.input == message["usage"]["input_tokens"]
    assert reply.usage.output == message["usage"]["output_tokens"]
    assert reply.usage.cache_read == (message["usage"].get("cache_read_input_tokens") or 0)
    assert reply.usage.cache_write == (message["usage"].get("cache_creation_input_tokens") or 0)
    assert reply.raw["id"] == message["id"]
    assert reply.raw.get("context_management") == message.get("context_management")


@every_form
@every_recording
async def test_a_recorded_reply_is_read_exactly(path: Path, form: str) -> None:
    tool = shared_tool("replay_upstream")
    pairs = [pair for pair in tool.load(str(path)) if pair.path == "/v1/messages"]
    if not pairs:
        pytest.skip("counts tokens only")
    if form == "json":
        # As a server that does not stream would answer, though it is asked to.
        for pair in pairs:
            if pair.is_sse:
                pair.body, pair.is_sse = orjson.dumps(message_of(pair)).decode(), False

    async with replaying(
        pairs, adapt=form != "json", chunk="event" if form == "json" else form
    ) as (
        upstream,
        model,
    ):
        for pair in pairs:
            if pair.status != 200:
                with pytest.raises(ModelFailed) as caught:
                    await ask(model, recorded_request(pair))
                assert caught.value.status == pair.status
                continue
            pieces, reply = await ask(model, recorded_request(pair))
            message = message_of(pair)
            assert_is(reply, message)
            assert "".join(p.text for p in pieces if isinstance(p, TextPiece)) == "".join(
                block["text"] for block in message["content"] if block["type"] == "text"
            )
            assert "".join(p.text for p in pieces if isinstance(p, ThinkingPiece)) == "".join(
                block["thinking"] for block in message["content"] if block["type"] == "thinking"
            )
        upstream.assert_exhausted()


@every_recording
async def test_the_request_sent_equals_the_recorded_one(path: Path) -> None:
    async with replaying(path, adapt=True) as (upstream, model):
        for pair in upstream.pairs:
            try:
                if pair.path == "/v1/messages":
                    await ask(model, recorded_request(pair))
                else:
                    await model.count_tokens(recorded_request(pair))
            except ModelFailed as failed:
                assert failed.status == pair.status  # noqa: PT017
        for n in range(len(upstream.pairs)):
            upstream.assert_same(n)
        upstream.assert_exhausted()


async def test_a_signature_goes_back_as_it_came() -> None:
    path = RECORDINGS_FOLDER / "pydantic_ai" / "test_anthropic_tool_with_thinking.yaml"

    async with replaying(path, adapt=True) as (upstream, model):
        first, second = (recorded_request(pair) for pair in upstream.pairs)
        _, reply = await ask(model, first)
        messages = list(second.messages)
        at = next(i for i, message in enumerate(messages) if message["role"] == "assistant")
        messages[at] = {"role": "assistant", "content": reply.content}
        await ask(model, Request(**{**vars(second), "messages": messages}))

        upstream.assert_same_messages(1)
        signature = next(b["signature"] for b in reply.content if b["type"] == "thinking")
        assert signature.encode() in upstream.received[1].raw


async def test_tokens_and_unknown_models_answer_as_recorded() -> None:
    counted = "test_anthropic_count_tokens_with_adaptive_thinking_and_output_tools.yaml"
    async with replaying(RECORDINGS_FOLDER / "pydantic_ai" / counted) as (upstream, model):
        pair = upstream.pairs[0]
        assert await model.count_tokens(recorded_request(pair)) == pair.json["input_tokens"]

    unknown = RECORDINGS_FOLDER / "pydantic_ai" / "test_anthropic_count_tokens_error.yaml"
    async with replaying(unknown) as (upstream, model):
        with pytest.raises(ModelFailed) as caught:
            await model.count_tokens(recorded_request(upstream.pairs[0]))
        assert "claude-does-not-exist" in str(caught.value.detail)
        assert not caught.value.retryable


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
async def test_a_passing_failure_is_asked_again_after_the_wait_it_names(status: int) -> None:
    path = RECORDINGS_FOLDER / "langchain" / "test_agent_loop_streaming.yaml"
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async with replaying(path, faults={0: (status, "3"), 1: (status, "2")}) as (upstream, model):
        events, reply = await ask(Retrying(model, sleep=sleep), recorded_request(upstream.pairs[0]))

        assert_is(reply, message_of(upstream.pairs[0]))
        assert waits == [3.0, 2.0]
        assert not any(isinstance(event, Restarted) for event in events)
        assert len(upstream.received) == 3


@every_recording
async def test_a_stream_cut_anywhere_is_asked_again(path: Path) -> None:
    tool = shared_tool("replay_upstream")
    pairs = [p for p in tool.load(str(path)) if p.path == "/v1/messages" and p.status == 200][:1]
    if not pairs:
        pytest.skip("no reply in it")
    message = message_of(pairs[0])
    pairs[0].body, pairs[0].is_sse = tool.message_to_sse(message), True
    size = len(pairs[0].body.encode())

    async def at_once(seconds: float) -> None:
        assert seconds > 0

    cuts = (0, 1, size // 3, size // 2, size - 60, size - 3)
    places = {2 * n: cut for n, cut in enumerate(cuts)}
    async with replaying(pairs, loop=True, chunk="bytes:500", cuts=places) as (upstream, model):
        for n in range(len(cuts)):
            events, reply = await ask(Retrying(model, sleep=at_once))

            assert len(upstream.received) == 2 * (n + 1)
            assert_is(reply, message)
            restarts = [i for i, event in enumerate(events) if isinstance(event, Restarted)]
            assert len(restarts) <= 1
            shown = events[restarts[0] + 1 :] if restarts else events
            assert "".join(p.text for p in shown if isinstance(p, TextPiece)) == "".join(
                block["text"] for block in message["content"] if block["type"] == "text"
            )
