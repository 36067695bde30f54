"""Clouds, through the SDK's own clients for them: the right address, credentials and framing."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bancada.domain.errors import SettingsError
from bancada.model.connecting import open_providers
from bancada.model.providers import Provider
from bancada.settings import load_settings
from tests.model.asking import ask
from tests.model.conftest import Upstream
from tests.model.workshop import asking

STREAM: list[dict[str, Any]] = [
    {
        "type": "message_start",
        "message": {"id": "m", "model": "claude", "content": [], "usage": {"input_tokens": 3}},
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Olá."}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
    {"type": "message_stop"},
]
SSE = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in STREAM).encode()


def framed(event: dict[str, Any]) -> bytes:
    """One event in Amazon's own framing: lengths, headers, payload, checksums."""
    payload = json.dumps({"bytes": base64.b64encode(json.dumps(event).encode()).decode()}).encode()
    named = {":message-type": "event", ":event-type": "chunk", ":content-type": "application/json"}
    headers = b"".join(
        bytes([len(name)])
        + name.encode()
        + b"\x07"
        + struct.pack(">H", len(value))
        + value.encode()
        for name, value in named.items()
    )
    prelude = struct.pack(">II", len(headers) + len(payload) + 16, len(headers))
    body = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + payload
    return body + struct.pack(">I", zlib.crc32(body))


def opened(tmp_path: Path, **one: Any) -> Provider:
    settings = load_settings(
        data=tmp_path, environment={}, providers={"cloud": {"models": ["claude-x"], **one}}
    )
    (provider,) = open_providers(settings, {})
    return provider


async def answered(provider: Provider) -> str:
    _, reply = await ask(provider.model, asking("?", tools=(), model="claude-x"))
    await provider.model.aclose()  # type: ignore[attr-defined]
    return str(reply.content[0]["text"])


async def test_bedrock_is_asked_at_its_own_address_and_its_frames_are_read(
    tmp_path: Path, upstream: Upstream
) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        kind = {"content-type": "application/vnd.amazon.eventstream"}
        response = web.StreamResponse(headers=kind)
        await response.prepare(request)
        for event in STREAM:
            await response.write(framed(event))
        return response

    upstream.handler = handler
    cloud = opened(
        tmp_path, kind="bedrock", region="eu-west-1", auth_token="aws-token", base_url=upstream.url
    )

    assert await answered(cloud) == "Olá."
    assert upstream.paths == ["/model/claude-x/invoke-with-response-stream"]
    assert upstream.headers[0]["authorization"] == "Bearer aws-token"


async def test_vertex_is_asked_at_its_own_address(tmp_path: Path, upstream: Upstream) -> None:
    upstream.streams(SSE)
    cloud = opened(
        tmp_path,
        kind="vertex",
        region="europe-west1",
        project="p1",
        auth_token="google-token",
        base_url=upstream.url,
    )

    assert await answered(cloud) == "Olá."
    assert upstream.paths[0].endswith(
        "/projects/p1/locations/europe-west1/publishers/anthropic/models/claude-x:streamRawPredict"
    )
    assert upstream.headers[0]["authorization"] == "Bearer google-token"


@pytest.mark.parametrize("secret", [{"api_key": "azure-key"}, {"auth_token": "azure-token"}])
async def test_foundry_is_asked_with_a_key_or_a_token(
    tmp_path: Path, upstream: Upstream, secret: dict[str, str]
) -> None:
    upstream.streams(SSE)
    cloud = opened(tmp_path, kind="foundry", base_url=upstream.url, **secret)

    assert await answered(cloud) == "Olá."
    assert next(iter(secret.values())) in str(upstream.headers[0])


def test_a_cloud_that_lacks_a_setting_says_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLOUD_ML_REGION", raising=False)
    with pytest.raises(SettingsError, match="region"):
        opened(tmp_path, kind="vertex", project="p1", auth_token="t")
