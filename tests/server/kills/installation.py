"""An installation whose server is started again when it dies, and people who do not give up."""

from __future__ import annotations

import asyncio
import json
import os
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.forks import Forked, forked
from tests.server.process import environment, install_pack
from tests.server.site import PASSWORDS, Event, Frames, text_shown

PATIENCE_SECONDS = 180
"""In which a server is up again, and an answer has come."""


@dataclass
class Installation:
    """A data folder, and the server that stands on it now."""

    folder: Path
    env: dict[str, str]
    launcher: Forked
    address: str = ""
    pid: int = 0
    starts: int = 0
    people: dict[str, str] = field(default_factory=dict)
    """The tokens of those who have signed in: they are good for the next server too."""
    _up: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def arm(self, moments: int) -> None:
        """Kill the server at its next moment with this number; 0: let it live."""
        with (self.folder / "countdown").open("r+b") as file:
            file.write(struct.pack("q", moments))

    def killed_at(self) -> str | None:
        """What the server that was killed last was doing; asked once."""
        note = self.folder / "countdown.at"
        said = note.read_text()
        os.truncate(note, 0)
        return said or None

    async def address_now(self) -> str:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._up.wait()
        return self.address

    async def start(self) -> None:
        (self.folder / "serve.out").unlink(missing_ok=True)
        serve = ["serve", "--demo", "--data", str(self.data), "--port", "0"]
        asked = {
            "arguments": serve,
            "env": self.env,
            "folder": str(self.folder),
            "countdown": str(self.folder / "countdown"),
        }
        assert self.launcher.stdin is not None
        self.launcher.stdin.write(json.dumps(asked).encode() + b"\n")
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not (address := self._said_address()):
                await asyncio.sleep(0.02)
        self.address = address
        self.starts += 1
        self._up.set()

    def _said_address(self) -> str:
        said = self.folder / "serve.out"
        for line in said.read_text().splitlines() if said.exists() else ():
            if line.startswith("Bancada is at "):
                return line.removeprefix("Bancada is at ").strip()
        return ""

    async def watch(self) -> None:
        """Start the server again whenever it has ended."""
        starting: set[asyncio.Task[None]] = set()
        assert self.launcher.stdout is not None
        async for line in self.launcher.stdout:
            said = json.loads(line)
            if "started" in said:
                self.pid = said["started"]
            elif said.get("ended") == self.pid:
                self._up.clear()
                # A process that is gone cannot be asked for what it has not said.
                again = asyncio.create_task(self.start())
                starting.add(again)
                again.add_done_callback(starting.discard)

    def processes(self) -> set[int]:
        """Everything that runs below the launcher but for the server itself and what it has."""
        return set(_below(self.launcher.pid)) - {self.pid, *_below(self.pid)}

    async def person(self, name: str) -> Person:
        if name not in self.people:
            body = {"email": f"{name}@demo.com", "password": PASSWORDS[name]}
            async with httpx.AsyncClient(base_url=await self.address_now()) as client:
                answer = await client.post("/auth/login", json=body)
            self.people[name] = answer.json()["token"]
        return Person(self, self.people[name])


def _below(pid: int) -> Iterator[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return
    for child in map(int, children):
        yield child
        yield from _below(child)


@dataclass
class Person:
    """Somebody who sends everything again, under its key, until there is an answer."""

    installation: Installation
    token: str

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[httpx.AsyncClient]:
        headers = {"Authorization": f"Bearer {self.token}"}
        address = await self.installation.address_now()
        async with httpx.AsyncClient(
            base_url=address, headers=headers, timeout=PATIENCE_SECONDS
        ) as client:
            yield client

    async def send(
        self, method: str, path: str, *, key: str | None = None, **how: Any
    ) -> httpx.Response:
        headers = {**how.pop("headers", {}), **({"Idempotency-Key": key} if key else {})}
        while True:
            try:
                async with self._client() as client:
                    answer = await client.request(method, path, headers=headers, **how)
            except httpx.TransportError:
                await asyncio.sleep(0.02)
                continue
            if answer.status_code == 409 and "retry-after" in answer.headers:
                await asyncio.sleep(0.1)
                continue
            return answer

    async def try_once(self, method: str, path: str, **how: Any) -> None:
        """Send it, whether or not an answer comes."""
        with suppress(httpx.TransportError):
            async with self._client() as client:
                await client.request(method, path, **how)

    async def begins(self, agent: str) -> str:
        return str((await self.send("POST", "/conversations", json={"agent": agent})).json()["id"])

    async def asks(self, conversation: str, content: str) -> Told:
        """Ask, and read until the turn ends or waits, however often the stream is cut."""
        told = Told(conversation)
        path = f"/conversations/{conversation}/messages"
        key = f"ask {content}"
        while not told.events:
            await self._read(
                told, "POST", path, json={"content": content}, headers={"Idempotency-Key": key}
            )
        await self.follows(told)
        return told

    async def follows(self, told: Told) -> None:
        """Read the rest, from the last event that has come."""
        path = f"/conversations/{told.conversation}/events"
        while not told.stands:
            await self._read(told, "GET", path, headers={"Last-Event-ID": told.last})

    async def joins(self, told: Told, turn: str) -> None:
        """Read a turn as somebody does who comes late."""
        path = f"/conversations/{told.conversation}/events"
        last = told.last if told.stored else f"{turn}--1"
        await self._read(told, "GET", path, headers={"Last-Event-ID": last})

    async def _where_it_stands(self, conversation: str) -> Event:
        status = (await self.send("GET", f"/conversations/{conversation}")).json()["status"]
        assert status == "waiting", status
        return Event(None, {"type": "done", "status": status})

    async def _read(self, told: Told, method: str, path: str, **how: Any) -> None:
        try:
            async with self._client() as client, client.stream(method, path, **how) as answer:
                if answer.status_code == 409:  # the first request is still under way
                    await asyncio.sleep(0.1)
                    return
                if answer.status_code == 204:  # all was told before the kill, but not that it waits
                    told.events.append(await self._where_it_stands(told.conversation))
                    return
                if answer.status_code != 200:
                    text = (await answer.aread()).decode()
                    raise AssertionError(f"{method} {path}: {answer.status_code} {text}")
                async for event in Frames(answer):
                    told.events.append(event)
        except httpx.TransportError:
            await asyncio.sleep(0.02)


@dataclass
class Told:
    """What a reader has of a turn, over every stream they had."""

    conversation: str
    events: list[Event] = field(default_factory=list)

    @property
    def stored(self) -> list[Event]:
        return [event for event in self.events if event.id is not None]

    @property
    def last(self) -> str:
        return str(self.stored[-1].id)

    @property
    def stands(self) -> bool:
        """Whether nothing more comes by itself: the turn has ended, or waits for somebody."""
        return bool(self.events) and self.events[-1].type == "done"

    @property
    def status(self) -> str:
        return str(self.events[-1].data["status"])

    def of(self, type: str) -> list[dict[str, Any]]:
        return [event.data for event in self.events if event.type == type]

    @property
    def text(self) -> str:
        """What a page shows."""
        return text_shown(self.events)


@asynccontextmanager
async def installed(folder: Path, **env: str) -> AsyncIterator[Installation]:
    """Serve `folder/data` for as long as the block lasts, through every death."""
    (folder / "countdown").write_bytes(struct.pack("q", 0))
    scratch = folder / "tmp"
    scratch.mkdir()
    # The packs that a journey passes: every pack more is time at every start.
    settings = environment({"BANCADA_PACKS": "tables,provas", **env, "TMPDIR": str(scratch)})
    site = install_pack(folder, "tests.server.kills.effects:build")
    launcher = await forked(
        "tests.server.kills.launcher",
        env={**os.environ, "PYTHONPATH": str(site)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    installation = Installation(folder, settings, launcher)
    watching = asyncio.create_task(installation.watch())
    try:
        await installation.start()
        yield installation
    finally:
        watching.cancel()
        for pid in _below(launcher.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, 9)
        launcher.kill()
        await launcher.wait()
