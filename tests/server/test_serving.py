"""`bancada serve` as a new user starts it, twice by mistake, and where it must not."""

from __future__ import annotations

import asyncio
import gc
import json
import signal
import socket
from pathlib import Path

import httpx
import pytest

from bancada.server.serving import listening_socket, rarely_collecting
from tests.server.process import run_bancada, serving
from tests.server.site import settings_for


async def test_a_second_serve_on_the_same_folder_stops_with_a_clear_message(folder: Path) -> None:
    async with serving(folder) as first:
        status, said = await run_bancada("serve", "--data", str(folder / "data"), "--port", "0")
        assert status != 0
        assert f"Another `bancada serve` (process {first.process.pid})" in said
        assert "Traceback" not in said
        assert (await httpx.AsyncClient().get(f"{first.address}/health")).status_code == 200
    # A killed one leaves nothing in the way.
    async with serving(folder) as again:
        assert (await httpx.AsyncClient().get(f"{again.address}/health")).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.com"])
async def test_the_demo_is_refused_on_any_host_but_loopback(tmp_path: Path, host: str) -> None:
    data = str(tmp_path / "data")
    status, said = await run_bancada("serve", "--demo", "--host", host, "--data", data)
    assert status != 0
    assert f"--demo is refused on {host}" in said
    assert not (tmp_path / "data").exists()


async def test_a_taken_port_is_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        status, said = await run_bancada("serve", "--data", str(tmp_path), "--port", port)
    assert status != 0
    assert f"Cannot listen on 127.0.0.1:{port}" in said
    assert "Traceback" not in said


async def test_an_answer_in_two_parts_is_not_held_back_between_them(tmp_path: Path) -> None:
    delays: list[int] = []

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = writer.get_extra_info("socket")
        delays.append(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listening = listening_socket(settings_for(tmp_path, port=0))
    async with await asyncio.start_server(answer, sock=listening):
        reader, writer = await asyncio.open_connection(*listening.getsockname()[:2])
        await reader.read()
        writer.close()
    assert delays == [1]


async def test_an_empty_installation_prints_a_link_that_creates_the_administrator(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, demo=False, fresh=True) as server:
        async with asyncio.timeout(20):
            while not any("#/setup/" in line for line in server.said):
                await asyncio.sleep(0.05)
        link = next(line for line in server.said if "#/setup/" in line)
        token = link.rsplit("/", 1)[1]
        async with httpx.AsyncClient(base_url=server.address) as nobody:
            body = {"password": "long enough", "email": "eva@example.com", "name": "Eva"}
            made = await nobody.post(f"/auth/links/{token}", json=body)
            assert made.status_code == 200
            assert made.json()["role"] == "admin"
            default = {"email": "admin@demo.com", "password": "admin123"}
            assert (await nobody.post("/auth/login", json=default)).status_code == 401
        assert await server.terminate() == 0


def test_what_start_up_made_is_not_looked_through_again_at_the_end() -> None:
    try:
        with rarely_collecting():
            pass
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()


async def test_it_stops_at_once_when_nothing_runs(folder: Path) -> None:
    for how in (signal.SIGTERM, signal.SIGINT):
        async with serving(folder) as server:
            server.process.send_signal(how)
            async with asyncio.timeout(20):
                assert await server.process.wait() == 0


async def test_json_lines_in_the_log_where_asked_for(folder: Path) -> None:
    async with serving(folder, env={"BANCADA_LOG_FORMAT": "json"}) as server:
        rui = await server.signs_in("rui")
        await rui.begins()
        await rui.asks("uma pergunta reconhecível")
        await server.terminate()
    lines = [json.loads(line) for line in (folder / "serve.log").read_text().splitlines()]
    asked = next(line for line in lines if "/messages 200" in line["message"])
    assert asked["request_id"]
    assert "reconhecível" not in (folder / "serve.log").read_text()


async def test_questions_are_in_the_log_only_where_switched_on(folder: Path) -> None:
    async with serving(folder, env={"BANCADA_LOG_CONTENT": "true"}) as server:
        rui = await server.signs_in("rui")
        await rui.begins()
        await rui.asks("quantos defeitos reconhecíveis há?")
        await server.terminate()
    said = (folder / "serve.log").read_text()
    assert "rui@demo.com asks in" in said
    assert "quantos defeitos reconhecíveis há?" in said
    assert "rui123" not in said
