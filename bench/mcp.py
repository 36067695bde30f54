"""What a call costs an MCP client: our server against the SDK's bare one, in one run, in turns.

Both serve the same tool over streamable HTTP on this machine, each in a process of its own, to the
same client that sends requests of the newest revision one after the other over one connection. Ours
has a key to look up, the rules to read, and two entries of the audit to write for each call.

    python -m bench.mcp [--calls 150] [--rounds 5]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from bench._figures import figure

AIM = 1.5
VERSION = "2026-07-28"
PREFIX = "io.modelcontextprotocol"
BARE = """
import sys
import uvicorn
from mcp.server import MCPServer

server = MCPServer("bare")

@server.tool()
async def add(a: int, b: int) -> str:
    "Add two numbers."
    return str(a + b)

app = server.streamable_http_app()
uvicorn.run(app, port=int(sys.argv[1]), log_level="error", access_log=False)
"""
PACK = """
from bancada import Agent, Pack, tool

@tool
async def add(a: int, b: int) -> str:
    "Add two numbers."
    return str(a + b)

def build(services):
    agent = Agent(name="Bench", description="", system_prompt="", tools=("add",))
    return Pack(name="bench", tools=[add], agents=[agent])
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def installed(folder: Path) -> Path:
    """The tool as a pack that `bancada serve` finds."""
    place = folder / "site"
    info = place / "benchpack-1.0.dist-info"
    info.mkdir(parents=True)
    (place / "benchpack.py").write_text(PACK)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: benchpack\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[bancada.packs]\nbench = benchpack:build\n")
    return place


def _bancada(folder: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(folder / "site"),
        "BANCADA_PACKS": "bench",
        "BANCADA_PASSWORD_COST": "1",
        "BANCADA_LOG_LEVEL": "ERROR",
    }
    start = [sys.executable, "-c", "from bancada.cli import main; main()"]
    return [*start, *arguments, "--data", str(folder / "data"), "--demo"], env


@asynccontextmanager
async def both(folder: Path) -> AsyncIterator[tuple[httpx.AsyncClient, httpx.AsyncClient]]:
    """The bare server and ours, each with a client that is let in."""
    installed(folder)
    (folder / "bare.py").write_text(BARE)
    command, env = _bancada(folder, "keys", "add", "--user", "rui@demo.com", "--scope", "mcp")
    key = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    ports = free_port(), free_port()
    serve, env = _bancada(folder, "serve", "--port", str(ports[1]))
    started = [
        subprocess.Popen([sys.executable, str(folder / "bare.py"), str(ports[0])]),
        subprocess.Popen(serve, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL),
    ]
    addresses = [f"http://127.0.0.1:{port}" for port in ports]
    clients = [
        httpx.AsyncClient(base_url=address, headers={"x-api-key": key.strip()}, timeout=30)
        for address in addresses
    ]
    try:
        for client in clients:
            await _up(client)
        yield clients[0], clients[1]
    finally:
        for client in clients:
            await client.aclose()
        for one in started:
            one.terminate()
            one.wait(20)


async def _up(client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(90):
        while True:
            try:
                await call(client, 1)
                return
            except (httpx.TransportError, AssertionError):
                await asyncio.sleep(0.2)


async def call(client: httpx.AsyncClient, number: int) -> None:
    """One call, and that it answered what it should."""
    meta = {f"{PREFIX}/protocolVersion": VERSION, f"{PREFIX}/clientCapabilities": {}}
    params: dict[str, Any] = {"name": "add", "arguments": {"a": number, "b": 1}, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        "mcp-method": "tools/call",
        "mcp-name": "add",
    }
    answer = await client.post("/mcp", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.json()["result"]["content"][0]["text"] == str(number + 1), answer.text


async def timed(client: httpx.AsyncClient, calls: int) -> float:
    """Milliseconds a call."""
    began = time.perf_counter()
    for number in range(calls):
        await call(client, number)
    return (time.perf_counter() - began) * 1000 / calls


async def measure(calls: int, rounds: int) -> tuple[float, float]:
    """The median of each, taken in turns so that both meet the same machine."""
    with tempfile.TemporaryDirectory() as folder:
        async with both(Path(folder)) as (bare, ours):
            for client in (bare, ours):
                await timed(client, max(1, calls // 5))
            found: tuple[list[float], list[float]] = ([], [])
            for _ in range(rounds):
                for client, times in zip((bare, ours), found, strict=True):
                    times.append(await timed(client, calls))
    return statistics.median(found[0]), statistics.median(found[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    bare, ours = asyncio.run(measure(given.calls, given.rounds))
    ratio = ours / bare
    print(f"the SDK's bare server   {bare:7.2f} ms a call")
    print(f"ours, through the gate  {ours:7.2f} ms a call   {ratio:.2f} times (aim {AIM})")
    figure("a call over MCP", ours, bare, peer="the SDK's bare server", unit="ms", aim=AIM)
    return 0 if ratio <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
