"""The client of the Messages API, against a small upstream of our own."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from aiohttp import web
from anthropic import AsyncAnthropic

from bancada.domain.errors import SettingsError
from bancada.model.anthropic import AnthropicModel
from bancada.model.model import ModelFailed, TextPiece, Tokens
from tests.model.asking import ask, request
from tests.model.conftest import Upstream
from tests.model.test_sse import GREETING, WORDS

MESSAGE: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "qwen",
    "content": [
        {"type": "text", "text": "A contar."},
        {"type": "tool_use", "id": "t", "name": "contar", "input": {"tipo": "risco"}},
    ],
    "stop_reason": "tool_use",
    "usage": {"input_tokens": 3, "output_tokens": 4},
}


@pytest.fixture
async def model(upstream: Upstream) -> AsyncIterator[AnthropicModel]:
    model = AnthropicModel(model="claude-sonnet-5-5", api_key="sk-test", base_url=upstream.url)
    yield model
    await model.aclose()


async def failure(model: AnthropicModel, **fields: Any) -> ModelFailed:
    with pytest.raises(ModelFailed) as caught:
        await ask(model, request(**fields))
    return caught.value


async def test_a_stream_becomes_pieces_and_a_reply(
    upstream: Upstream, model: AnthropicModel
) -> None:
    upstream.streams(GREETING)

    pieces, reply = await ask(model)

    assert "".join(piece.text for piece in pieces if isinstance(piece, TextPiece)) == WORDS
    assert reply.content == [{"type": "text", "text": WORDS}]


async def test_only_what_was_asked_for_is_sent_in_the_order_it_was_given(
    upstream: Upstream, model: AnthropicModel
) -> None:
    upstream.streams(GREETING)
    asked = request(
        system=[{"type": "text", "text": "Responde em português."}],
        tools=[{"name": "contar", "input_schema": {"type": "object"}}],
        tool_choice={"type": "none"},
        container="container_1",
        extra={"output_config": {"effort": "low"}, "not_yet_invented": [1]},
    )

    await ask(model, asked)

    assert upstream.received == [{**asked.body(), "stream": True}]
    assert list(upstream.received[0]) == [*asked.body(), "stream"]
    assert upstream.headers[0]["authorization"] == "Bearer sk-test"
    assert "anthropic-beta" not in upstream.headers[0]


async def test_the_same_request_is_the_same_bytes(
    upstream: Upstream, model: AnthropicModel
) -> None:
    upstream.streams(GREETING)

    await ask(model)
    await ask(model)

    assert upstream.bodies[0] == upstream.bodies[1]


async def test_connections_are_used_again(upstream: Upstream, model: AnthropicModel) -> None:
    upstream.streams(GREETING)

    for _ in range(5):
        await ask(model)

    assert len(upstream.connections) == 1


async def test_betas_headers_and_an_address_with_the_version_are_taken(upstream: Upstream) -> None:
    upstream.streams(GREETING)
    model = AnthropicModel(
        model="m",
        base_url=f"{upstream.url}/v1/",
        betas=["a-2026", "b-2026"],
        headers={"x-team": "q"},
    )

    await ask(model)
    await model.aclose()

    assert upstream.paths == ["/v1/messages"]
    assert upstream.headers[0]["anthropic-beta"] == "a-2026,b-2026"
    assert upstream.headers[0]["x-team"] == "q"


async def test_a_cloud_client_may_rewrite_the_request(upstream: Upstream) -> None:
    class Cloud(AsyncAnthropic):
        async def _prepare_options(self, options: Any) -> Any:
            options.json_data = {**options.json_data, "cloud_version": "1"}
            return options

    upstream.streams(GREETING)
    cloud = Cloud(api_key="k", base_url=upstream.url, max_retries=0)
    model = AnthropicModel(model="m", client=cloud)

    _, reply = await ask(model)
    await model.aclose()

    assert upstream.received[0]["cloud_version"] == "1"
    assert reply.content == [{"type": "text", "text": WORDS}]


async def test_a_server_that_answers_json_is_understood(
    upstream: Upstream, model: AnthropicModel
) -> None:
    upstream.answers(MESSAGE)

    pieces, reply = await ask(model)

    assert pieces == [TextPiece("A contar.")]
    assert reply.content == MESSAGE["content"]
    assert reply.stop_reason == "tool_use"
    assert reply.usage == Tokens(input=3, output=4)


async def test_an_input_written_as_text_is_read(upstream: Upstream, model: AnthropicModel) -> None:
    uses = [
        {"type": "tool_use", "id": "a", "name": "contar", "input": '{"tipo": "risco"}'},
        {"type": "tool_use", "id": "b", "name": "contar", "input": "{tipo"},
        {"type": "tool_use", "id": "c", "name": "contar"},
    ]
    upstream.answers({**MESSAGE, "content": uses})

    _, reply = await ask(model)

    assert [use["input"] for use in reply.content] == [{"tipo": "risco"}, {}, {}]
    assert reply.raw["invalid_inputs"] == {"b": "{tipo"}


async def test_tokens_are_counted_by_the_provider(
    upstream: Upstream, model: AnthropicModel
) -> None:
    upstream.answers({"input_tokens": 1472})

    assert await model.count_tokens(request(container="c", extra={"thinking": {}})) == 1472

    assert upstream.paths == ["/v1/messages/count_tokens"]
    assert set(upstream.received[0]) == {"model", "messages", "thinking"}


@pytest.mark.parametrize(
    ("status", "kind", "message", "code", "retryable"),
    [
        (401, "authentication_error", "invalid x-api-key", "invalid_api_key", False),
        (403, "permission_error", "not yours", "invalid_api_key", False),
        (429, "rate_limit_error", "slow down", "rate_limited", True),
        (500, "api_error", "oops", "internal", True),
        (503, "api_error", "later", "overloaded", True),
        (529, "overloaded_error", "Overloaded", "overloaded", True),
        (400, "invalid_request_error", "messages: roles must alternate", "internal", False),
        (413, "request_too_large", "too large", "context_exceeded", False),
        (
            400,
            "invalid_request_error",
            "prompt is too long: 210000 tokens > 200000 maximum",
            "context_exceeded",
            False,
        ),
        (
            400,
            "invalid_request_error",
            "input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000",
            "context_exceeded",
            False,
        ),
    ],
)
async def test_a_refusal_becomes_a_typed_failure(
    upstream: Upstream,
    model: AnthropicModel,
    status: int,
    kind: str,
    message: str,
    code: str,
    retryable: bool,
) -> None:
    upstream.refuses(status, kind, message)

    failed = await failure(model)

    assert (failed.code, failed.retryable, failed.status) == (code, retryable, status)
    assert message in str(failed)
    assert "sk-test" not in str(failed)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"retry_after": "0.5"}, 0.5),
        ({"retry_after_ms": "1500", "retry_after": "2"}, 1.5),
        ({"retry_after": "soon"}, None),
        ({}, None),
    ],
)
async def test_how_long_to_wait_is_read_from_the_answer(
    upstream: Upstream, model: AnthropicModel, headers: dict[str, str], seconds: float | None
) -> None:
    upstream.refuses(429, "rate_limit_error", "slow down", **headers)

    assert (await failure(model)).retry_after == seconds


async def test_a_date_to_come_back_at_is_read_too(
    upstream: Upstream, model: AnthropicModel
) -> None:
    at = datetime.now(UTC) + timedelta(seconds=20)
    upstream.refuses(
        429, "rate_limit_error", "slow down", retry_after=format_datetime(at, usegmt=True)
    )

    retry_after = (await failure(model)).retry_after

    assert retry_after is not None
    assert 15 < retry_after <= 20


async def test_a_server_that_forbids_trying_again_is_obeyed(
    upstream: Upstream, model: AnthropicModel
) -> None:
    upstream.refuses(500, "api_error", "for good", x_should_retry="false")

    assert not (await failure(model)).retryable


@pytest.mark.parametrize(
    ("status", "body", "hint"),
    [
        (
            404,
            {"error": {"type": "not_found_error", "message": "model: claude-9"}},
            "ANTHROPIC_MODEL",
        ),
        (404, {"error": 'model "qwen" not found, try pulling it first'}, "ANTHROPIC_MODEL"),
        (404, "<html>404 page not found</html>", "ANTHROPIC_BASE_URL"),
        (
            400,
            {"error": {"message": "cache_control: Extra inputs are not permitted"}},
            "prompt caching",
        ),
        (400, {"error": {"message": 'json: unknown field "output_config"'}}, "`effort`"),
        (422, {"detail": [{"type": "extra_forbidden", "loc": ["body", "thinking"]}]}, "`thinking`"),
        (
            400,
            {"error": {"message": "`temperature` is deprecated for this model."}},
            "`temperature`",
        ),
        (400, {"error": {"message": "unknown parameter: my_field"}}, "`my_field`"),
        (
            400,
            {"error": {"message": "max_tokens: 9 > 8, which is the maximum allowed"}},
            "`max_tokens`",
        ),
        (400, {"error": {"message": "Your credit balance is too low"}}, "no credit"),
    ],
)
async def test_the_detail_says_what_to_change(
    upstream: Upstream, model: AnthropicModel, status: int, body: Any, hint: str
) -> None:
    upstream.answers(body, status=status)

    failed = await failure(model, extra={"my_field": 1})

    assert failed.detail is not None
    assert hint in failed.detail.told("en")
    assert failed.detail.told("pt") != failed.detail.told("en")
    assert not failed.retryable


async def test_nobody_there_may_be_asked_again() -> None:
    model = AnthropicModel(model="m", base_url="http://127.0.0.1:9")

    failed = await failure(model)
    await model.aclose()

    assert (failed.code, failed.retryable) == ("overloaded", True)


async def test_a_server_that_does_not_speak_http_hears_the_key_but_no_log_does() -> None:
    async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(nonsense, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    model = AnthropicModel(model="m", api_key="s3cret", base_url=f"http://127.0.0.1:{port}")

    failed = await failure(model)
    await model.aclose()
    server.close()

    told = "".join(traceback.format_exception(failed))
    assert failed.retryable
    assert "s3cret" not in told


async def test_a_bearer_token_goes_alone(upstream: Upstream) -> None:
    upstream.streams(GREETING)
    model = AnthropicModel(model="m", api_key="k", auth_token="t", base_url=upstream.url)

    await ask(model)
    await model.aclose()

    sent = {name.lower(): value for name, value in upstream.headers[0].items()}
    assert sent["authorization"] == "Bearer t"
    assert "x-api-key" not in sent


def test_without_a_key_or_an_address_there_is_no_model() -> None:
    with pytest.raises(SettingsError, match="ANTHROPIC_API_KEY"):
        AnthropicModel(model="m")


@pytest.mark.parametrize("body", ["<html>a proxy's page</html>", "", "data: {"])
async def test_an_answer_that_is_no_stream_may_be_asked_again(
    upstream: Upstream, model: AnthropicModel, body: str
) -> None:
    upstream.answers(body)

    assert (await failure(model)).retryable


async def test_an_error_with_status_200_is_still_an_error(
    upstream: Upstream, model: AnthropicModel
) -> None:
    upstream.answers({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}})

    assert (await failure(model)).code == "overloaded"


async def test_a_connection_cut_in_mid_stream_may_be_asked_again(
    upstream: Upstream, model: AnthropicModel
) -> None:
    async def handler(asked: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(asked)
        await response.write(GREETING[: len(GREETING) // 2])
        assert asked.transport is not None
        asked.transport.close()
        return response

    upstream.handler = handler

    failed = await failure(model)

    assert (failed.code, failed.retryable) == ("overloaded", True)


async def test_leaving_early_hangs_up(upstream: Upstream, model: AnthropicModel) -> None:
    gone = asyncio.Event()

    async def handler(asked: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(asked)
        await response.write(GREETING[:-60])
        while asked.transport is not None and not asked.transport.is_closing():
            await asyncio.sleep(0.01)
        gone.set()
        return response

    upstream.handler = handler

    async with aclosing(model.stream(request())) as events:
        async for _ in events:
            break

    await asyncio.wait_for(gone.wait(), 5)


async def test_a_server_that_does_not_hang_up_after_the_end_holds_nobody(
    upstream: Upstream, model: AnthropicModel
) -> None:
    release = asyncio.Event()

    async def handler(asked: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(asked)
        await response.write(GREETING)
        await release.wait()
        return response

    upstream.handler = handler

    _, reply = await asyncio.wait_for(ask(model), 5)
    release.set()

    assert reply.stop_reason == "end_turn"
