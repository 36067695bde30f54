"""What the gateway adds to a request and to a piece of a stream, beside a direct connection.

`python -m bench.gateway [--litellm PATH]` prints one table. A provider of our own answers at once, or
streams pieces that say when they were sent. The same requests go to it directly, through `bancada
serve`, and through LiteLLM's proxy where `PATH` names its program (in an environment of its own:
`python -m venv env && env/bin/pip install 'litellm[proxy]'`, then `--litellm env/bin/litellm`). Each
server is a process of its own; CPU is the server's alone, its children included. Delays are medians,
less the direct connection's. Aim: under half of LiteLLM's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import psutil
from aiohttp import web
from bench._figures import figure

MODEL = "claude-sonnet-5-5"
PIECES = 100
GAP_SECONDS = 0.01
SENT = re.compile(rb"@(\d+)@")
ASK = {"model": MODEL, "max_tokens": 100, "messages": [{"role": "user", "content": "Quantos?"}]}
USAGE = {"input_tokens": 20, "output_tokens": 9}
MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": MODEL,
    "content": [{"type": "text", "text": "Dois."}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": USAGE,
}


# ---------------------------------------------------------------------------- the provider


def frame(type: str, **fields: Any) -> bytes:
    return f"event: {type}\ndata: {json.dumps({'type': type, **fields})}\n\n".encode()


async def answer(request: web.Request) -> web.StreamResponse:
    body = await request.json()
    if not body.get("stream"):
        return web.json_response(MESSAGE)
    response = web.StreamResponse(headers={"content-type": "text/event-stream"})
    await response.prepare(request)
    begun = {**MESSAGE, "content": [], "stop_reason": None}
    await response.write(frame("message_start", message=begun))
    text = {"type": "text", "text": ""}
    await response.write(frame("content_block_start", index=0, content_block=text))
    for _ in range(PIECES):
        await asyncio.sleep(GAP_SECONDS)
        delta = {"type": "text_delta", "text": f"@{time.time_ns()}@"}
        await response.write(frame("content_block_delta", index=0, delta=delta))
    await response.write(frame("content_block_stop", index=0))
    delta = {"stop_reason": "end_turn", "stop_sequence": None}
    await response.write(frame("message_delta", delta=delta, usage=USAGE))
    await response.write(frame("message_stop"))
    return response


def provide(port: int) -> None:
    app = web.Application()
    app.router.add_post("/v1/messages", answer)
    web.run_app(app, host="127.0.0.1", port=port, print=None)


# ---------------------------------------------------------------------------- servers


@dataclass(frozen=True)
class Place:
    """Where requests go, with which key, and whose processor time it takes."""

    name: str
    address: str
    key: str
    pid: int | None = None

    def cpu(self) -> float:
        if self.pid is None:
            return 0.0
        whole = psutil.Process(self.pid)
        times = [each.cpu_times() for each in (whole, *whole.children(recursive=True))]
        return sum(one.user + one.system for one in times)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def started(*command: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=quiet, stderr=quiet
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def await_answer(url: str, seconds: float = 120) -> None:
    due = time.monotonic() + seconds
    while True:
        try:
            httpx.get(url, timeout=5)
            return
        except httpx.HTTPError:
            if time.monotonic() > due:
                raise
            time.sleep(0.2)


@contextmanager
def bancada(provider: str, folder: Path) -> Iterator[Place]:
    port = free_port()
    main = "from bancada.cli import main; main()"
    settings = {
        "ANTHROPIC_BASE_URL": provider,
        "BANCADA_PASSWORD_COST": "1",
        "BANCADA_DATA": str(folder),
    }
    made = [sys.executable, "-c", main, "keys", "add", "--user", "rui@demo.com", "--demo"]
    environment = {**os.environ, **settings}
    key = (
        subprocess.run(made, env=environment, capture_output=True, check=True)
        .stdout.decode()
        .split()[-1]
    )
    with started(
        sys.executable, "-c", main, "serve", "--demo", "--port", str(port), **settings
    ) as process:
        await_answer(f"http://127.0.0.1:{port}/health")
        yield Place("bancada", f"http://127.0.0.1:{port}", key, process.pid)


@contextmanager
def litellm(program: str, provider: str, folder: Path) -> Iterator[Place]:
    port = free_port()
    config, key = folder / "litellm.yaml", f"sk-{secrets.token_hex(24)}"
    config.write_text(
        f"model_list:\n- model_name: {MODEL}\n  litellm_params:\n    model: anthropic/{MODEL}\n"
        f"    api_base: {provider}\n    api_key: none\ngeneral_settings:\n  master_key: {key}\n"
    )
    command = (program, "--config", str(config), "--host", "127.0.0.1", "--port", str(port))
    with started(*command, LITELLM_LOG="ERROR") as process:
        await_answer(f"http://127.0.0.1:{port}/health/liveliness")
        yield Place("LiteLLM", f"http://127.0.0.1:{port}", key, process.pid)


# ---------------------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Measured:
    """Medians and processor time of one place."""

    request_ms: float
    request_cpu_ms: float
    piece_ms: float
    piece_cpu_us: float


async def measure(place: Place, requests: int, streams: int) -> Measured:
    headers = {"x-api-key": place.key, "anthropic-version": "2023-06-01"}
    async with aiohttp.ClientSession(headers=headers) as client:
        url = f"{place.address}/v1/messages"
        for _ in range(10):
            await whole(client, url)
        before = place.cpu()
        times = [await whole(client, url) for _ in range(requests)]
        after = place.cpu()
        await asyncio.gather(*(pieces(client, url) for _ in range(2)))
        begun = place.cpu()
        found = await asyncio.gather(*(pieces(client, url) for _ in range(streams)))
        ended = place.cpu()
    delays = [delay for some in found for delay in some]
    assert len(delays) == streams * PIECES, f"{place.name}: {len(delays)} pieces came"
    return Measured(
        statistics.median(times) * 1000,
        (after - before) / requests * 1000,
        statistics.median(delays) * 1000,
        (ended - begun) / len(delays) * 1e6,
    )


async def whole(client: aiohttp.ClientSession, url: str) -> float:
    began = time.perf_counter()
    async with client.post(url, json=ASK) as response:
        assert response.status == 200, await response.text()
        await response.read()
    return time.perf_counter() - began


async def pieces(client: aiohttp.ClientSession, url: str) -> list[float]:
    delays: list[float] = []
    async with client.post(url, json={**ASK, "stream": True}) as response:
        assert response.status == 200, await response.text()
        async for chunk in response.content.iter_any():
            now = time.time_ns()
            delays += [(now - int(sent)) / 1e9 for sent in SENT.findall(chunk)]
    return delays


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--litellm", help="LiteLLM's program, in an environment of its own")
    reader.add_argument("--requests", type=int, default=300)
    reader.add_argument("--streams", type=int, default=20)
    reader.add_argument("--provide", type=int, help=argparse.SUPPRESS)
    said = reader.parse_args()
    if said.provide:
        provide(said.provide)
        return
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        port = free_port()
        provider = f"http://127.0.0.1:{port}"
        opened.enter_context(started(sys.executable, "-m", "bench.gateway", "--provide", str(port)))
        await_answer(provider)
        places = [
            Place("direct", provider, "none"),
            opened.enter_context(bancada(provider, folder / "data")),
        ]
        if said.litellm:
            places.append(opened.enter_context(litellm(said.litellm, provider, folder)))
        found = {
            place.name: asyncio.run(measure(place, said.requests, said.streams)) for place in places
        }
    show(found)


def show(found: dict[str, Measured]) -> None:
    direct = found["direct"]
    print(f"{'':10} {'request +ms':>12} {'CPU ms':>8} {'piece +ms':>10} {'CPU µs':>8}")
    for name, one in found.items():
        if name == "direct":
            print(f"{name:10} {one.request_ms:12.2f} {'':8} {one.piece_ms:10.2f}")
            continue
        added, later = one.request_ms - direct.request_ms, one.piece_ms - direct.piece_ms
        row = f"{added:12.2f} {one.request_cpu_ms:8.2f} {later:10.2f} {one.piece_cpu_us:8.1f}"
        print(f"{name:10} {row}")
        if name == "bancada":
            figure("a request, delay", one.request_ms, direct.request_ms, peer="direct", unit="ms")
            figure("a piece, delay", one.piece_ms, direct.piece_ms, peer="direct", unit="ms")
    ours, peer = found["bancada"], found.get("LiteLLM")
    if peer is None:
        print("LiteLLM was not measured: --litellm names its program.")
        return
    shares = {
        "CPU a request": (ours.request_cpu_ms, peer.request_cpu_ms, "ms"),
        "CPU a piece": (ours.piece_cpu_us, peer.piece_cpu_us, "µs"),
        "delay of a request": (
            ours.request_ms - direct.request_ms,
            peer.request_ms - direct.request_ms,
            "ms",
        ),
    }
    for what, (mine, theirs, unit) in shares.items():
        print(f"{what}: {mine / theirs:.2f} of LiteLLM's")
        figure(f"{what} added", mine, theirs, peer="LiteLLM's proxy", unit=unit, aim=0.5)


if __name__ == "__main__":
    main()
