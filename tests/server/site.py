"""A served app to test against: a real socket, in the test's own loop.

async with served(tmp_path, model=ScriptedModel([...])) as site:
    rui = await site.signs_in("rui")
    events = await rui.asks("quantos defeitos?")
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

from bancada.domain.agents import Agent
from bancada.engine.workbench import Workbench
from bancada.model.model import Model
from bancada.server.app import create_app
from bancada.server.serving import KEEP_ALIVE_SECONDS, listening_socket
from bancada.settings import Settings, load_settings
from bancada.store import agents, people
from bancada.tools.tool import Tool
from tests.listening import listening_to

PASSWORDS = {"admin": "admin123", "rui": "rui123", "ana": "ana123"}
"""The demo's people, by the first part of their address."""
TLS = ssl.create_default_context()
"""For every client: each would read the world's certificates anew, to talk to this machine."""


def settings_for(folder: Path, **given: Any) -> Settings:
    """Settings of a small installation in this folder; nothing comes from the environment."""
    wanted = {"demo": True, "password_cost": 1, "retry_seconds": 0.0, **given}
    return load_settings(data=folder / "data", environment={}, **wanted)


@dataclass
class Event:
    """One frame as a reader got it."""

    id: str | None
    data: dict[str, Any]

    @property
    def type(self) -> str:
        return str(self.data["type"])

    @property
    def n(self) -> int:
        assert self.id is not None
        return int(self.id.rsplit("-", 1)[1])


class Frames:
    """Reads SSE as it arrives; comments are counted and left out."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.aiter_lines()
        self.comments = 0

    def __aiter__(self) -> AsyncIterator[Event]:
        return self._events()

    async def _events(self) -> AsyncIterator[Event]:
        id: str | None = None
        data: str | None = None
        async for line in self._lines:
            if line.startswith(":"):
                self.comments += 1
            elif line.startswith("id: "):
                id = line[4:]
            elif line.startswith("data: "):
                data = line[6:]
            elif not line and data is not None:
                yield Event(id, json.loads(data))
                id = data = None

    async def next(self) -> Event:
        return await anext(self._events())


@dataclass
class Reader:
    """Somebody with a token, and a conversation of theirs to talk in."""

    client: httpx.AsyncClient
    person: str
    conversation: str = ""

    async def begins(self, agent: str | int = "Qualidade") -> str:
        answer = await self.client.post("/conversations", json={"agent": agent})
        assert answer.status_code == 201, answer.text
        self.conversation = answer.json()["id"]
        return self.conversation

    async def asks(self, content: str, **body: Any) -> list[Event]:
        """Ask and read to the end."""
        async with self.asking(content, **body) as frames:
            return [event async for event in frames]

    @asynccontextmanager
    async def asking(self, content: str, **body: Any) -> AsyncIterator[Frames]:
        async with self.client.stream(
            "POST",
            f"/conversations/{self.conversation}/messages",
            json={"content": content, **body},
        ) as response:
            await _must_be_stream(response)
            yield Frames(response)

    @asynccontextmanager
    async def following(self, last: str | None = None) -> AsyncIterator[Frames]:
        headers = {} if last is None else {"Last-Event-ID": last}
        async with self.client.stream(
            "GET", f"/conversations/{self.conversation}/events", headers=headers
        ) as response:
            await _must_be_stream(response)
            yield Frames(response)

    async def follows(self, last: str | None = None) -> list[Event]:
        async with self.following(last) as frames:
            return [event async for event in frames]

    async def get(self, path: str, **how: Any) -> httpx.Response:
        return await self.client.get(path, **how)

    async def post(self, path: str, body: Any = None, **how: Any) -> httpx.Response:
        return await self.client.post(path, json=body, **how)

    async def patch(self, path: str, body: Any, **how: Any) -> httpx.Response:
        return await self.client.patch(path, json=body, **how)

    async def put(self, path: str, body: Any, **how: Any) -> httpx.Response:
        return await self.client.put(path, json=body, **how)

    async def delete(self, path: str, **how: Any) -> httpx.Response:
        return await self.client.delete(path, **how)


async def _must_be_stream(response: httpx.Response) -> None:
    if response.status_code != 200:
        await response.aread()
        raise AssertionError(f"{response.status_code}: {response.text}")


@dataclass
class Site:
    """The app on its socket, and a way in for each person."""

    app: FastAPI
    address: str
    server: uvicorn.Server
    _clients: list[httpx.AsyncClient] = field(default_factory=list)

    @property
    def bench(self) -> Workbench:
        bench: Workbench = self.app.state.bench
        return bench

    @property
    def port(self) -> int:
        return int(self.address.rsplit(":", 1)[1])

    def client(self, **headers: str) -> httpx.AsyncClient:
        """Anybody, with these headers."""
        client = httpx.AsyncClient(base_url=self.address, headers=headers, timeout=30, verify=TLS)
        self._clients.append(client)
        return client

    def with_token(self, token: str, person: str = "") -> Reader:
        return Reader(self.client(Authorization=f"Bearer {token}"), person)

    async def signs_in(self, person: str, password: str | None = None) -> Reader:
        """A person of the demo, or any address with its password."""
        address = person if "@" in person else f"{person}@demo.com"
        body = {"email": address, "password": password or PASSWORDS[person]}
        answer = await self.client().post("/auth/login", json=body)
        assert answer.status_code == 200, answer.text
        return self.with_token(answer.json()["token"], person)

    async def has_tools(self, *tools: Tool, agent: str = "Teste", **says: Any) -> Agent:
        """Tools of a test, and an agent of the first organisation that everybody may use."""
        for tool in tools:
            self.bench.registry.add(tool)
        new = Agent(
            name=agent,
            description="",
            system_prompt="",
            tools=tuple(tool.name for tool in tools),
            **says,
        )

        def add(db: Any) -> Agent:
            made = agents.add_agent(db, people.FIRST_ORGANISATION, new)
            assert made.id is not None
            for person in people.everyone(db):
                agents.grant(db, person.id, made.id)
            return made

        return await self.bench.database.run(add)

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()


def on_one(postgres_url: str) -> dict[str, Any]:
    """What two processes of one installation share."""
    return {
        "database_url": postgres_url,
        "jwt_secret": "the same secret in both processes",
        "secret_key": ["one key for both, of at least thirty-two bytes"],
    }


CSV = b"linha,valor\nA,40\nB,2\n"


async def upload(reader: Reader, name: str = "valores.csv") -> dict[str, Any]:
    """Two rows, into the reader's conversation; what the server says of them."""
    path = f"/conversations/{reader.conversation}/upload"
    answer = await reader.client.post(path, files={"file": (name, CSV)})
    assert answer.status_code == 201, answer.text
    said: dict[str, Any] = answer.json()
    return said


def text_shown(events: Iterable[Event]) -> str:
    """The text a page shows: `again` forgets what came since the last usage."""
    kept, since = "", ""
    for event in events:
        match event.type:
            case "text":
                since += event.data["content"]
            case "usage":
                kept, since = kept + since, ""
            case "again":
                since = ""
    return kept + since


@asynccontextmanager
async def served(
    folder: Path, *, model: Model | None = None, **settings: Any
) -> AsyncIterator[Site]:
    """Serve an installation in this folder for as long as the block lasts."""
    app = create_app(settings_for(folder, **settings), model=model)
    async with app.router.lifespan_context(app):
        listening = listening_socket(settings_for(folder, port=0))
        config = uvicorn.Config(
            app,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
        )
        async with listening_to(config, listening) as server:
            site = Site(app, f"http://127.0.0.1:{listening.getsockname()[1]}", server)
            try:
                yield site
            finally:
                await site.close()


async def half_sent(site: Site, path: str, headers: dict[str, str], seconds: float = 10) -> str:
    """The status line that comes back while most of the body is still ours to send."""
    said = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    start = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n{said}\r\n{{"
    writer.write(start.encode())
    await writer.drain()
    try:
        return (await asyncio.wait_for(reader.readline(), seconds)).decode()
    except TimeoutError:
        return "waits for the body"
    finally:
        writer.close()
