"""What every request passes: headers, limits, ids, counters."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from bancada.sandbox import OutputFile
from tests.server.site import Site, served


async def test_pages_and_api_carry_their_security_headers(site: Site) -> None:
    rui = await site.signs_in("rui")
    page, frame, api = await rui.get("/"), await rui.get("/frame"), await rui.get("/me")
    for answer in (page, frame, api):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-frame-options"] == "SAMEORIGIN"
    policy = page.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "frame-src 'self'" in policy
    assert "unsafe-eval" not in policy
    held = frame.headers["content-security-policy"]
    assert held.startswith("sandbox allow-scripts; default-src 'none';")
    assert "connect-src" not in held
    assert api.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert "set-cookie" not in frame.headers
    assert "server" not in api.headers


async def test_a_file_cannot_become_a_page(site: Site) -> None:
    for name, media_type, disposition in (
        ("a.html", "text/html", "attachment"),
        ("a.svg", "image/svg+xml", "attachment"),
        ("a.png", "image/png", "inline"),
        ('aspas"\r\nX: 1.txt', "text/plain", "attachment"),
    ):
        kept = await site.bench.files.keep(
            OutputFile(name=name, content=b"<script>", media_type=media_type),
            organisation_id=1,
            user_id=2,
            conversation_id=None,
        )
        rui = await site.signs_in("rui")
        answer = await rui.get(kept["url"])
        assert answer.status_code == 200
        assert answer.headers["content-disposition"].startswith(disposition)
        assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
        assert "text/html" not in answer.headers["content-type"]
        assert "svg" not in answer.headers["content-type"]
        assert "x" not in answer.headers


async def test_a_body_over_the_limit_is_refused_declared_or_not(folder: Path) -> None:
    async with served(folder, max_body_mb=0.01) as site:
        rui = await site.signs_in("rui")
        await rui.begins()
        path = f"/conversations/{rui.conversation}/messages"
        declared = await rui.post(path, {"content": "x" * 20_000})
        assert declared.status_code == 413
        assert declared.headers["content-type"] == "application/problem+json"

        async def pieces():  # type: ignore[no-untyped-def]
            yield b'{"content": "'
            for _ in range(20):
                yield b"x" * 1000
                await asyncio.sleep(0)
            yield b'"}'

        headers = {"Content-Type": "application/json"}
        streamed = await rui.client.post(path, content=pieces(), headers=headers)
        assert streamed.status_code == 413
        assert (await rui.post(path, {"content": "olá"})).status_code == 200


async def test_request_ids_are_kept_made_and_never_trusted(site: Site) -> None:
    client = site.client()
    given = await client.get("/health", headers={"X-Request-ID": "abc-1.2_3"})
    assert given.headers["x-request-id"] == "abc-1.2_3"
    for odd in ("a b", "x" * 65, "<script>", ""):
        made = await client.get("/health", headers={"X-Request-ID": odd})
        assert made.headers["x-request-id"] != odd
        assert len(made.headers["x-request-id"]) == 16


async def test_other_origins_are_not_let_in_unless_configured(folder: Path) -> None:
    asks = {"Origin": "https://other.example", "Access-Control-Request-Method": "GET"}
    async with served(folder) as site:
        answer = await site.client().get("/health", headers=asks)
        assert "access-control-allow-origin" not in answer.headers
        preflight = await site.client().options("/me", headers=asks)
        assert "access-control-allow-origin" not in preflight.headers
    async with served(folder, cors_origins=["https://other.example"]) as site:
        answer = await site.client().get("/health", headers=asks)
        assert answer.headers["access-control-allow-origin"] == "https://other.example"
        stranger = {**asks, "Origin": "https://third.example"}
        answer = await site.client().get("/health", headers=stranger)
        assert "access-control-allow-origin" not in answer.headers


async def test_metrics_count_what_happened_by_route_not_by_address(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins()
    await rui.asks("quantos defeitos há?")
    for _ in range(2):
        await rui.get("/conversations/none")
    await rui.client.request("BREW", "/coffee")
    text = (await site.client().get("/metrics")).text
    counted = (
        'bancada_http_requests_total{method="GET",route="/conversations/{id}",status="404"} 2.0'
    )
    assert counted in text
    assert 'bancada_tool_calls_total{outcome="ok",tool="contar_defeitos"} 1.0' in text
    assert 'bancada_turns_total{status="done"} 1.0' in text
    assert 'bancada_replies_total{model="offline",outcome="end_turn"} 1.0' in text
    assert "bancada_turns_running 0.0" in text
    assert "coffee" not in text
    assert "BREW" not in text
    assert rui.conversation not in text


async def test_metrics_tell_nobody_what_people_called_their_tools(site: Site) -> None:
    admin = await site.signs_in("admin")
    chain = {"steps": [{"tool": "contar_defeitos", "input": {}}]}
    shape = {"kind": "composed", "name": "projeto_secreto", "description": "d", "definition": chain}
    assert (await admin.post("/admin/tools", shape)).status_code == 201
    await admin.post("/admin/tools/projeto_secreto/run", {"input": {}})
    text = (await site.client().get("/metrics")).text
    assert 'bancada_tool_calls_total{outcome="ok",tool="(custom)"} 1.0' in text
    assert "projeto_secreto" not in text


async def test_ready_says_what_it_stands_on(site: Site) -> None:
    answer = await site.client().get("/ready")
    assert answer.json()["database"] == "sqlite"
    assert answer.json()["model"] == "offline"
    await site.bench.database.close()
    assert (await site.client().get("/ready")).status_code == 503
    assert (await site.client().get("/health")).status_code == 200


async def test_a_line_in_the_log_names_the_request_and_holds_no_secret(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    answer = await site.client().post(
        "/auth/login",
        json={"email": "rui@demo.com", "password": "rui123"},
        headers={"X-Request-ID": "r-1"},
    )
    token = answer.json()["token"]
    rui = site.with_token(token)
    await rui.begins()
    await rui.asks("uma pergunta muito reconhecível")
    lines = [r.getMessage() for r in caplog.records if r.name == "bancada.http"]
    assert any(line.startswith("POST /auth/login 200 ") for line in lines)
    everything = "\n".join(record.getMessage() for record in caplog.records)
    assert "rui123" not in everything
    assert token not in everything
