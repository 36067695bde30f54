"""Requests of clients of others, handed on: what we add nothing to comes out as it went in."""

from __future__ import annotations

import asyncio
import json
import time
import warnings
from pathlib import Path
from typing import Any

import anthropic
import pytest
from sqlalchemy import select

from bancada.store.tables import audit_entries, replies
from tests.gateway.counter import ASK, Counter, KeyLimits, counter
from tests.gateway.vendor import Fails, Slow, calls, says, vendor
from tests.server.site import served

pytestmark = pytest.mark.filterwarnings("error::UserWarning")

TOOL = {"name": "get_weather", "description": "", "input_schema": {"type": "object"}}


async def rows(site: Any, table: Any) -> list[Any]:
    return await site.bench.database.read(lambda db: list(db.execute(select(table))))


async def test_a_plain_question_is_answered_by_the_model_behind(folder: Path) -> None:
    async with counter(folder, says("Dois.")) as at:
        client = await at.sdk()

        message = await client.messages.create(**ASK)

        assert message.content[0].text == "Dois."
        assert message._request_id == "req_vendor_1"
        assert at.behind.headers[0]["authorization"] == "Bearer sk-of-the-house"


async def test_a_stream_arrives_as_the_pieces_the_model_wrote(folder: Path) -> None:
    async with counter(folder, says("Um dois três")) as at:
        client = await at.sdk()

        async with client.messages.stream(**ASK) as stream:
            pieces = [piece async for piece in stream.text_stream]
            message = await stream.get_final_message()

        assert pieces == ["Um", " dois", " três"]
        assert message.stop_reason == "end_turn"


async def test_what_we_do_not_know_goes_through_untouched(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        _, key = await at.key()
        body = (
            b'{"max_tokens": 5,  "model":"claude-x", "messages":[{"role":"user","content":[{"type":'
            b'"of_tomorrow","x":1e2}]}], "not_yet_invented": {"a": [1, 2.50]}}'
        )
        headers = {"x-api-key": key, "anthropic-beta": "one-2027,two-2027", "cookie": "a=b"}

        client = at.site.client(**headers)
        answer = await client.post("/v1/messages?beta=true", content=body)

        assert answer.status_code == 200
        assert at.behind.bodies == [body]
        assert at.behind.paths == ["/v1/messages?beta=true"]
        assert at.behind.headers[0]["anthropic-beta"] == "one-2027,two-2027"
        assert "cookie" not in at.behind.headers[0]


async def test_an_error_upstream_arrives_with_status_words_and_wait(folder: Path) -> None:
    said = {
        "type": "error",
        "error": {"type": "overloaded_error", "message": "Overloaded"},
        "request_id": "req_v",
    }
    async with counter(folder, Fails(529, said, {"retry-after": "7"})) as at:
        client = await at.sdk()

        with pytest.raises(anthropic.APIStatusError) as refused:
            await client.messages.create(**ASK)

        assert refused.value.status_code == 529
        assert refused.value.body == said
        assert refused.value.response.headers["retry-after"] == "7"
        assert refused.value.request_id == "req_vendor_1"


async def test_a_bearer_counts_as_a_key_does(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        _, key = await at.key()
        address = at.site.address
        async with anthropic.AsyncAnthropic(auth_token=key, base_url=address) as bearer:
            assert (await bearer.messages.create(**ASK)).content[0].text == "Sim."


async def test_without_a_key_the_refusal_is_the_vendors(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        client = at.client("bk_nobody")

        with pytest.raises(anthropic.AuthenticationError) as refused:
            await client.messages.create(**ASK)

        error: Any = refused.value.body
        assert error["type"] == "error"
        assert error["error"]["type"] == "authentication_error"
        assert error["request_id"] == refused.value.request_id
        assert at.behind.bodies == []


async def test_a_key_for_something_else_is_refused(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        client = await at.sdk(scopes=("chat",))

        with pytest.raises(anthropic.PermissionDeniedError):
            await client.messages.create(**ASK)


async def test_tokens_are_counted_and_models_listed_by_whoever_is_behind(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        client = await at.sdk(scopes=("gateway",))

        counted = await client.messages.count_tokens(
            model="claude-sonnet-5-5", messages=[{"role": "user", "content": "Olá"}]
        )
        listed = await client.models.list()

        assert counted.input_tokens == 42
        assert [model.id for model in listed.data] == ["claude-sonnet-5-5"]


async def test_a_tool_runner_with_its_defaults_reaches_its_end(folder: Path) -> None:
    async with counter(folder, says(calls("soma", "toolu_1", a=2, b=3)), says("Cinco.")) as at:
        client = await at.sdk()

        @anthropic.beta_async_tool
        async def soma(a: int, b: int) -> str:
            """Add."""
            return str(a + b)

        runner = client.beta.messages.tool_runner(
            model="claude-sonnet-5-5",
            max_tokens=100,
            tools=[soma],
            messages=[{"role": "user", "content": "2+3?"}],
        )
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            last = await runner.until_done()

        assert last.content[0].text == "Cinco."
        answered = at.behind.requests[1]["messages"][-1]["content"][0]
        assert (answered["type"], answered["content"]) == ("tool_result", "5")
        assert all("thread" not in request for request in at.behind.requests)


async def test_a_thread_is_refused_in_the_words_the_sdk_waits_for(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        _, key = await at.key()

        client = at.site.client(**{"x-api-key": key})
        answer = await client.post("/v1/messages", json={**ASK, "thread": {"type": "create"}})

        assert answer.status_code == 400
        assert answer.json()["error"]["details"]["error_code"] == "thread_unsupported_request"


@pytest.mark.parametrize("stream", [False, True])
async def test_what_a_reply_used_is_counted_for_its_key(folder: Path, stream: bool) -> None:
    async with counter(folder, says("Sim.")) as at:
        key_id, key = await at.key()
        client = at.client(key)

        if stream:
            async with client.messages.stream(**ASK) as told:
                await told.get_final_message()
        else:
            await client.messages.create(**ASK)

        [row] = await rows(at.site, replies)
        assert (row.key_id, row.input_tokens, row.output_tokens) == (key_id, 10, 7)
        assert (row.model, row.stop_reason) == ("claude-sonnet-5-5", "end_turn")
        assert row.cost_usd > 0
        admin = await at.site.signs_in("admin")
        used = (await admin.get("/admin/usage?by=key")).json()["rows"]
        assert [(one["label"], one["replies"]) for one in used] == [("test", 1)]


async def test_a_call_of_the_clients_own_tool_is_on_record_as_the_clients(folder: Path) -> None:
    async with counter(folder, says(calls("get_weather", "toolu_9"))) as at:
        key_id, key = await at.key()

        await at.client(key).messages.create(**ASK, tools=[TOOL])

        entries = await rows(at.site, audit_entries)
        [found] = [e for e in entries if e.tool == "client:get_weather"]
        entry = json.loads(found.body)
        assert (entry["call_id"], entry["outcome"]) == ("toolu_9", "handed_over")
        assert entry["key_id"] == key_id
        assert '"via":"gateway"' in found.content


async def _refused(at: Counter, **limits: Any) -> anthropic.APIStatusError:
    client = await at.sdk(limits=KeyLimits(**limits))
    first = await client.messages.with_raw_response.create(**ASK)
    left = "anthropic-ratelimit-requests-remaining"
    assert first.headers.get(left, "0") == "0"
    with pytest.raises(anthropic.APIStatusError) as refused:
        await client.messages.create(**ASK)
    assert len(at.behind.bodies) == 1
    return refused.value


async def test_a_key_with_a_limit_is_told_where_it_stands(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        error = await _refused(at, requests_per_minute=1)

        assert isinstance(error, anthropic.RateLimitError)
        assert error.body["error"]["type"] == "rate_limit_error"
        headers = error.response.headers
        assert 1 <= int(headers["retry-after"]) <= 61
        assert headers["anthropic-ratelimit-requests-limit"] == "1"
        assert headers["anthropic-ratelimit-requests-remaining"] == "0"
        assert headers["anthropic-ratelimit-requests-reset"].endswith("Z")


async def test_a_minute_of_tokens_can_be_used_up(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        error = await _refused(at, tokens_per_minute=17)

        assert error.status_code == 429
        assert error.response.headers["anthropic-ratelimit-tokens-limit"] == "17"


async def test_a_keys_money_can_be_used_up(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        error = await _refused(at, monthly_usd=0.00001)

        assert error.status_code == 400
        assert "You have reached your specified API usage limits" in error.body["error"]["message"]


async def test_a_server_that_cannot_be_reached_is_no_error_of_ours(folder: Path) -> None:
    async with counter(folder, says("Sim."), anthropic_base_url="http://127.0.0.1:9") as at:
        client = await at.sdk()

        with pytest.raises(anthropic.InternalServerError) as refused:
            await client.messages.create(**ASK)

        assert refused.value.status_code == 502
        assert "127.0.0.1" not in str(refused.value.body)


DOWN = {"kind": "compatible", "base_url": "http://127.0.0.1:9"}


@pytest.mark.parametrize("first", ["down", "busy"])
async def test_where_one_provider_does_not_answer_the_next_does_and_the_answer_says_so(
    folder: Path, first: str
) -> None:
    async with vendor(says("Sim.")) as up, vendor(Fails(529, {"type": "error"})) as busy:
        broken = DOWN if first == "down" else {**DOWN, "base_url": busy.address}
        spare = {**DOWN, "base_url": up.address, "models": ["spare"]}
        settings = {"providers": {"main": broken, "spare": spare}, "fallback": ["spare"]}
        async with served(folder, **settings) as site:
            client = await Counter(site, up).sdk()
            thought = {"type": "thinking", "thinking": "Hm.", "signature": "of main"}
            said = {"role": "assistant", "content": [thought, {"type": "text", "text": "Um."}]}
            asked = {**ASK, "messages": [*ASK["messages"], said, *ASK["messages"]]}

            raw = await client.messages.with_raw_response.create(**asked)

            assert (await raw.parse()).content[0].text == "Sim."
            assert raw.headers["bancada-provider"] == "spare"
            assert raw.headers["bancada-instead-of"] == "main"
            [sent] = up.requests
            assert sent["model"] == "spare"
            assert "of main" not in str(sent)
            [row] = await rows(site, replies)
            assert row.model == "claude-sonnet-5-5", "as the server that answered calls it"


async def test_a_question_that_is_wrong_itself_is_not_passed_around(folder: Path) -> None:
    refusal = Fails(400, {"type": "error", "error": {"type": "invalid_request_error"}})
    async with vendor(refusal) as main, vendor(says("Sim.")) as spare:
        settings = {
            "providers": {
                "main": {**DOWN, "base_url": main.address},
                "spare": {**DOWN, "base_url": spare.address},
            },
            "fallback": ["spare", "keyword"],
        }
        async with served(folder, **settings) as site:
            client = await Counter(site, main).sdk()

            with pytest.raises(anthropic.BadRequestError):
                await client.messages.create(**ASK)

            assert spare.requests == []


@pytest.mark.parametrize("stream", [False, True])
async def test_without_a_provider_the_offline_model_answers(folder: Path, stream: bool) -> None:
    async with served(folder) as site:
        at = Counter(site, None)  # type: ignore[arg-type]
        client = await at.sdk()

        if stream:
            async with client.messages.stream(**ASK) as told:
                message = await told.get_final_message()
        else:
            message = await client.messages.create(**ASK)

        assert message.model == "offline"
        assert message.content[0].text
        assert [model.id for model in (await client.models.list()).data] == ["offline"]
        with pytest.raises(anthropic.NotFoundError):
            await client.messages.count_tokens(model="x", messages=ASK["messages"])


@pytest.mark.parametrize("content", [b"", b"[1]", b"{", b"\xff", b"null", b'{"messages": 3}'])
async def test_what_is_no_request_is_told_so(folder: Path, content: bytes) -> None:
    async with served(folder) as site:
        _, key = await Counter(site, None).key()  # type: ignore[arg-type]

        answer = await site.client(**{"x-api-key": key}).post("/v1/messages", content=content)

        assert answer.status_code == 400
        assert answer.json()["error"]["type"] == "invalid_request_error"


async def test_a_picture_of_ordinary_size_is_not_too_large(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        client = await at.sdk()
        picture = {"type": "base64", "media_type": "image/png", "data": "A" * 5_000_000}
        content = [{"type": "image", "source": picture}]

        message = await client.messages.create(
            **{**ASK, "messages": [{"role": "user", "content": content}]}
        )

        assert message.content[0].text == "Sim."


async def test_a_key_that_is_revoked_ends_the_stream_that_it_began(folder: Path) -> None:
    async with counter(folder, Slow("Um", " dois")) as at:
        id, key = await at.key()
        rui = await at.site.signs_in("rui")

        async def read() -> None:
            async with at.client(key).messages.stream(**ASK) as stream:
                async for _ in stream.text_stream:
                    gone = await rui.client.delete(f"/me/keys/{id}")
                    assert gone.status_code == 204

        with pytest.raises(anthropic.APIStatusError, match="does not count any more"):
            await read()


async def test_a_key_whose_time_is_over_ends_the_stream_that_it_began(folder: Path) -> None:
    async with counter(folder, Slow("Um", " dois")) as at:
        _, key = await at.key(expires_at=time.time() + 1.0)

        async def read() -> None:
            async with at.client(key).messages.stream(**ASK) as stream:
                assert [piece async for piece in stream.text_stream] == ["Um"]

        with pytest.raises(anthropic.APIStatusError, match="does not count any more"):
            await read()


@pytest.mark.parametrize(
    "id", ["%2e%2e/messages/batches", "a/..%2f..%2ffiles", "x%3flimit=1", "a//b"]
)
async def test_the_name_of_a_model_does_not_lead_to_another_place_at_the_provider(
    folder: Path, id: str
) -> None:
    async with counter(folder, says("Sim.")) as at:
        _, key = await at.key()
        _, port = at.site.address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
        asked = f"GET /v1/models/{id} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: {key}\r\n\r\n"
        writer.write(asked.encode())
        status = await reader.readline()
        writer.close()

        assert b" 404 " in status
        assert all("/v1/models/x%3Flimit" in path for path in at.behind.paths)
