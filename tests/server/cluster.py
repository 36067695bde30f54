"""Several `bancada serve` on one Postgres, behind a proxy that hands connections round."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.server.process import Served, install_pack, serving
from tests.server.site import PASSWORDS, Event, Frames, Reader
from tests.server.upstream import Upstream

SECRET = "one secret for all processes, long enough"


@dataclass
class Proxy:
    """Each connection goes to the next process that takes it. It knows nothing of HTTP."""

    ports: list[int] = field(default_factory=list)
    address: str = ""
    _next: int = 0
    _open: set[asyncio.Task[Any]] = field(default_factory=set)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(len(self.ports) * 20):
            self._next += 1
            port = self.ports[self._next % len(self.ports)]
            try:
                theirs, ours = await asyncio.open_connection("127.0.0.1", port)
                break
            except OSError:
                await asyncio.sleep(0.02)
        else:
            writer.close()
            return
        pumps = {
            asyncio.create_task(_pump(reader, ours)),
            asyncio.create_task(_pump(theirs, writer)),
        }
        self._open |= pumps
        await asyncio.wait(pumps)
        self._open -= pumps


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(OSError, RuntimeError):
        writer.close()


@dataclass
class Cluster:
    """Processes that share a database, and the one address people know."""

    folder: Path
    env: dict[str, str]
    proxy: Proxy
    servers: list[Served] = field(default_factory=list)
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _clients: list[httpx.AsyncClient] = field(default_factory=list)

    async def starts(self, many: int = 1) -> None:
        """So many more processes; what they are in front of is told to the proxy."""
        started = await asyncio.gather(
            *(
                self._stack.enter_async_context(serving(self.folder, env=self.env))
                for _ in range(many)
            )
        )
        self.servers += started
        self.proxy.ports += [port_of(server) for server in started]

    async def killed(self, server: Served) -> None:
        await server.kill()
        self._left(server)

    async def told_to_stop(self, server: Served) -> int:
        status = await server.terminate()
        self._left(server)
        return status

    def _left(self, server: Served) -> None:
        self.servers.remove(server)
        self.proxy.ports.remove(port_of(server))

    async def signs_in(self, person: str) -> Reader:
        reader = Reader(self._client(), person)
        body = {"email": f"{person}@demo.com", "password": PASSWORDS[person]}
        answer = await reader.post("/auth/login", body)
        assert answer.status_code == 200, answer.text
        reader.client.headers["Authorization"] = f"Bearer {answer.json()['token']}"
        return reader

    def another(self, reader: Reader) -> Reader:
        """The same person with another conversation to begin."""
        return Reader(self._client(dict(reader.client.headers)), reader.person)

    def _client(self, headers: dict[str, str] | None = None) -> httpx.AsyncClient:
        # A connection for each request: two of one person reach two processes.
        client = httpx.AsyncClient(
            base_url=self.proxy.address,
            headers=headers,
            timeout=60,
            limits=httpx.Limits(max_keepalive_connections=0),
        )
        self._clients.append(client)
        return client


def port_of(server: Served) -> int:
    return int(server.address.rsplit(":", 1)[1])


@asynccontextmanager
async def cluster(
    folder: Path, database_url: str, provider: Upstream, many: int, **env: str
) -> AsyncIterator[Cluster]:
    proxy = Proxy()
    listening = await asyncio.start_server(proxy._connection, "127.0.0.1", 0)
    proxy.address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    settings = {
        "PYTHONPATH": str(install_pack(folder)),
        "ANTHROPIC_BASE_URL": provider.address,
        "ANTHROPIC_API_KEY": "test-key",
        "BANCADA_DATABASE_URL": database_url,
        "JWT_SECRET": SECRET,
        # What these tests do not use is not started: there are several of each.
        "BANCADA_PACKS": "provas",
        "BANCADA_SANDBOX_TIER": "none",
        **env,
    }
    made = Cluster(folder, settings, proxy)
    async with made._stack:
        # The first makes the demo; the others find it.
        await made.starts()
        if many > 1:
            await made.starts(many - 1)
        try:
            yield made
        finally:
            for client in made._clients:
                await client.aclose()
            listening.close()
            for pump in list(proxy._open):
                pump.cancel()


async def asks_until_done(reader: Reader, content: str, told: list[Event], key: str) -> None:
    """Ask as a page does: go on reading from the last number, from whoever answers, to the end."""
    while not told:
        with contextlib.suppress(httpx.TransportError):
            headers = {"Idempotency-Key": key}
            path = f"/conversations/{reader.conversation}/messages"
            body = {"content": content}
            async with reader.client.stream("POST", path, json=body, headers=headers) as answer:
                await _collect(answer, told)
        await asyncio.sleep(0.05)
    while told[-1].type != "done":
        with contextlib.suppress(httpx.TransportError):
            path = f"/conversations/{reader.conversation}/events"
            headers = {"Last-Event-ID": str(told[-1].id)}
            async with reader.client.stream("GET", path, headers=headers) as answer:
                await _collect(answer, told)
        await asyncio.sleep(0.05)


async def _collect(answer: httpx.Response, told: list[Event]) -> None:
    if answer.status_code in (409, 502, 503, 204):
        return
    assert answer.status_code == 200, (answer.status_code, await answer.aread())
    async for event in Frames(answer):
        told.append(event)
