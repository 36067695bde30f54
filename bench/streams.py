"""Open streams: one server process between a provider and many readers, beside a bare proxy.

`python -m bench.streams` prints one table. A provider of our own sends every stream a piece each
50 ms; readers note when each piece was sent and when it came. The same streams pass through
`bancada serve` (turn, events and record included) and through a bare Starlette proxy that only
hands bytes on, one after the other in the same run, each server in a process of its own.
CPU is the server's alone. Aim: all 1,000 complete, at most twice the proxy's CPU. The ramp goes
on to where a server no longer keeps up, which is told and not counted as a failure.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import psutil
import uvicorn
from bench._figures import figure
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

PIECE_SECONDS = 0.05
SLICES = 10
"""Streams take their pieces in so many groups, spread over the 50 ms."""
SENT = re.compile(rb"@(\d+)@")
MODEL = "claude-sonnet-5-5"
MOST_SECONDS = 300


# ---------------------------------------------------------------------------- the provider


def frame(type: str, **fields: Any) -> bytes:
    return f"event: {type}\ndata: {json.dumps({'type': type, **fields})}\n\n".encode()


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
BEGIN = frame(
    "message_start",
    message={
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [],
        "stop_reason": None,
        "usage": {"input_tokens": 20, "output_tokens": 1},
    },
) + frame("content_block_start", index=0, content_block={"type": "text", "text": ""})
END = (
    frame("content_block_stop", index=0)
    + frame("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 9})
    + frame("message_stop")
)


def chunked(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


class Provider(asyncio.Protocol):
    """Answers whatever is asked with the same stream; one clock serves all of them."""

    def __init__(self, slices: list[set[Provider]], pieces: int) -> None:
        self._slices = slices
        self._pieces = pieces
        self._left = 0
        self._asked = b""
        self.slice = slices[0]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._asked += data
        head, blank, body = self._asked.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        if not blank or len(body) < int(length[1] if length else 0):
            return
        self._asked = b""
        self._left = self._pieces
        self._transport.write(HEAD + chunked(BEGIN))
        self.slice = min(self._slices, key=len)
        self.slice.add(self)

    def tick(self) -> None:
        if self._left == 0:
            self.slice.discard(self)
            self._transport.write(chunked(END) + b"0\r\n\r\n")
            return
        self._left -= 1
        delta = {"type": "text_delta", "text": f"@{time.monotonic_ns()}@ palavra "}
        self._transport.write(chunked(frame("content_block_delta", index=0, delta=delta)))

    def connection_lost(self, error: Exception | None) -> None:
        self.slice.discard(self)


async def provide(pieces: int) -> None:
    slices: list[set[Provider]] = [set() for _ in range(SLICES)]
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Provider(slices, pieces), "127.0.0.1", 0, backlog=4096
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    due = loop.time()
    for turn in range(sys.maxsize):
        due += PIECE_SECONDS / SLICES
        await asyncio.sleep(max(0.0, due - loop.time()))
        for stream in list(slices[turn % SLICES]):
            stream.tick()


# ---------------------------------------------------------------------------- the bare proxy


async def proxy(upstream: str) -> None:
    """A Starlette app that hands a stream on as it comes, and knows nothing else."""
    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))

    async def hand_on(request: Request) -> StreamingResponse:
        response = await session.post(f"{upstream}/v1/messages", data=await request.body())
        return StreamingResponse(response.content.iter_any(), media_type="text/event-stream")

    app = Starlette(routes=[Route("/stream", hand_on, methods=["POST"])])
    config = uvicorn.Config(app, port=0, log_level="critical", backlog=4096)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    print(server.servers[0].sockets[0].getsockname()[1], flush=True)
    await serving


# ---------------------------------------------------------------------------- the readers


@dataclass
class Seen:
    """What all readers saw together."""

    delays: list[float] = field(default_factory=list)
    complete: int = 0
    left: int = 0
    over: asyncio.Event = field(default_factory=asyncio.Event)


class Reader(asyncio.Protocol):
    """Asks once and reads to the end of the response."""

    def __init__(self, request: bytes, pieces: int, seen: Seen) -> None:
        self._request, self._pieces, self._seen = request, pieces, seen
        self._count = 0
        self._tail = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic_ns()
        data = self._tail + data
        end = 0
        for found in SENT.finditer(data):
            self._seen.delays.append((now - int(found[1])) / 1e6)
            self._count += 1
            end = found.end()
        # A piece may arrive in two parts; what was not yet matched is looked at again.
        self._tail = data[max(end, len(data) - 64) :]
        if b"0\r\n\r\n" in data[-8:]:
            self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self._seen.complete += self._count == self._pieces
        self._seen.left -= 1
        if self._seen.left == 0:
            self._seen.over.set()


def post(path: str, body: bytes, headers: dict[str, str]) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


async def read_all(port: int, requests: list[bytes], pieces: int) -> Seen:
    """Open all streams within a second, and read each to its end."""
    loop = asyncio.get_running_loop()
    seen = Seen(left=len(requests))
    for request in requests:
        await loop.create_connection(
            lambda request=request: Reader(request, pieces, seen),  # type: ignore[misc]
            "127.0.0.1",
            port,
        )
        await asyncio.sleep(1.0 / len(requests))
    try:
        async with asyncio.timeout(MOST_SECONDS):
            await seen.over.wait()
    except TimeoutError:
        pass  # those that did not end are not counted as complete
    return seen


# ---------------------------------------------------------------------------- one measurement


@dataclass(frozen=True)
class Measured:
    """What one server did with so many streams."""

    streams: int
    complete: int
    cpu: float
    p50: float
    p99: float

    @property
    def whole(self) -> bool:
        return self.complete == self.streams


def measured(pid: int, port: int, requests: list[bytes], pieces: int) -> Measured:
    before = psutil.Process(pid).cpu_times()
    seen = asyncio.run(read_all(port, requests, pieces))
    after = psutil.Process(pid).cpu_times()
    cpu = (after.user + after.system) - (before.user + before.system)
    delays = sorted(seen.delays) or [float("nan")]
    return Measured(
        streams=len(requests),
        complete=seen.complete,
        cpu=cpu,
        p50=statistics.median(delays),
        p99=delays[min(len(delays) - 1, int(len(delays) * 0.99))],
    )


@contextmanager
def process(*arguments: str, env: dict[str, str] | None = None) -> Iterator[subprocess.Popen[str]]:
    """A process of ours; it ends with the block."""
    child = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **(env or {})},
    )
    try:
        yield child
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def first_line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    line = child.stdout.readline().strip()
    if not line:
        raise RuntimeError(f"a server of the benchmark did not start ({child.args})")
    return line


def through_proxy(upstream: str, streams: int, pieces: int) -> Measured:
    with process("-m", "bench.streams", "--proxy", upstream) as child:
        port = int(first_line(child))
        body = json.dumps({"model": MODEL}).encode()
        requests = [post("/stream", body, {}) for _ in range(streams)]
        measured(child.pid, port, requests[:20], pieces)
        return measured(child.pid, port, requests, pieces)


def through_bancada(upstream: str, streams: int, pieces: int, data: Path) -> Measured:
    env = {
        "ANTHROPIC_BASE_URL": upstream,
        "ANTHROPIC_API_KEY": "bench",
        "BANCADA_PASSWORD_COST": "1",
        "BANCADA_MAX_TURNS_PER_PERSON": str(streams),
        "BANCADA_MAX_TURNS_PER_ORGANISATION": str(streams),
    }
    program = "from bancada.cli import main; main()"
    arguments = ("serve", "--demo", "--data", str(data), "--port", "0")
    with process("-c", program, *arguments, env=env) as child:
        address = first_line(child).removeprefix("Bancada is at ")
        with httpx.Client(base_url=address, timeout=60) as client:
            person = {"email": "rui@demo.com", "password": "rui123"}
            token = client.post("/auth/login", json=person).json()["token"]
            headers = {"Authorization": f"Bearer {token}"}
            question = json.dumps({"content": "Conta-me tudo."}).encode()

            def ask() -> bytes:
                made = client.post("/conversations", json={"agent": "Qualidade"}, headers=headers)
                return post(f"/conversations/{made.json()['id']}/messages", question, headers)

            requests = [ask() for _ in range(streams + 20)]
        port = int(address.rsplit(":", 1)[1])
        measured(child.pid, port, requests[:20], pieces)
        return measured(child.pid, port, requests[20:], pieces)


def compare(streams: int, pieces: int) -> tuple[Measured, Measured]:
    """The same streams through both, in one run: `(bancada, proxy)`."""
    with (
        tempfile.TemporaryDirectory() as folder,
        process("-m", "bench.streams", "--provide", str(pieces)) as provider,
    ):
        upstream = f"http://127.0.0.1:{first_line(provider)}"
        bare = through_proxy(upstream, streams, pieces)
        ours = through_bancada(upstream, streams, pieces, Path(folder) / "data")
    return ours, bare


def row(ours: Measured, bare: Measured, pieces: int) -> str:
    each = 1e6 / (ours.streams * pieces)
    return (
        f"{ours.streams:>7}  {ours.complete:>5}/{bare.complete:<5} "
        f"{ours.cpu:>7.2f} {bare.cpu:>7.2f}  {ours.cpu * each:>6.0f} {bare.cpu * each:>6.0f} "
        f"{ours.cpu / bare.cpu:>6.2f}  {ours.p50:>7.1f} {bare.p50:>7.1f} "
        f"{ours.p99:>8.1f} {bare.p99:>8.1f}"
    )


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--streams", type=int, nargs="*", default=[100, 500, 1000, 1500])
    arguments.add_argument("--pieces", type=int, default=100, help="per stream, one each 50 ms")
    arguments.add_argument("--provide", type=int, help=argparse.SUPPRESS)
    arguments.add_argument("--proxy", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if given.provide is not None:
        asyncio.run(provide(given.provide))
    if given.proxy is not None:
        with asyncio.Runner(loop_factory=uvicorn.Config("").get_loop_factory()) as runner:
            runner.run(proxy(given.proxy))
    print(f"{given.pieces} pieces a stream, one each {PIECE_SECONDS * 1000:.0f} ms; ours / bare")
    print(
        "streams     complete   CPU s         µs a piece   ratio   p50 ms           p99 ms",
        flush=True,
    )
    whole = True
    for streams in given.streams:
        ours, bare = compare(streams, given.pieces)
        print(row(ours, bare, given.pieces), flush=True)
        what = f"{streams} streams, CPU"
        figure(what, ours.cpu, bare.cpu, peer="a bare Starlette proxy", unit="s", aim=2)
        figure(
            f"{streams} streams, p99 delay",
            ours.p99,
            bare.p99,
            peer="a bare Starlette proxy",
            unit="ms",
        )
        whole = whole and (ours.whole or streams > 1000)
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
