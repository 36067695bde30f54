"""The real server on a free port, answered by a script: what every browser test plays on.

The server runs in a thread of its own with its own event loop; the script of the next
questions is set from the test, and a gate holds a reply back where a test wants to look.
"""

from __future__ import annotations

import asyncio
import json
import threading
import urllib.request
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from fastapi import FastAPI

from bancada.model.model import Model, ModelEvent, Request
from bancada.model.retry import Retrying
from bancada.model.scripted import Hold, Script, ScriptedModel
from bancada.server.app import create_app
from bancada.settings import Settings

T = TypeVar("T")

PASSWORDS = {
    "admin@demo.com": "admin123",
    "rui@demo.com": "rui123",
    "ana@demo.com": "ana123",
}


class Understudy:
    """The model of a whole run: plays whatever script the current test has given."""

    name = "scripted"

    def __init__(self) -> None:
        self.current = ScriptedModel([])

    def stream(self, request: Request) -> AsyncIterator[ModelEvent]:
        return self.current.stream(request)


@dataclass
class Stage:
    """A running server and the doors a test needs into it."""

    url: str
    app: FastAPI
    loop: asyncio.AbstractEventLoop
    understudy: Understudy | None
    _tokens: dict[str, str] = field(default_factory=dict)

    def script(self, *lines: Script | str, gate: Hold | None = None) -> ScriptedModel:
        """What the model says to the next requests, one line each."""
        assert self.understudy is not None
        self.understudy.current = ScriptedModel(lines, gate=gate)
        return self.understudy.current

    def do(self, action: Callable[..., object], *arguments: object) -> None:
        """Run a plain function on the server's loop."""
        self.loop.call_soon_threadsafe(action, *arguments)

    def wait(self, coroutine: Coroutine[Any, Any, T], seconds: float = 20.0) -> T:
        """Await something on the server's loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(seconds)

    # ------------------------------------------------------------------ the API, as a program

    def signs_in(self, email: str) -> str:
        """The token of a new session: a page may sign out of its own without ending another's."""
        body = {"email": email, "password": PASSWORDS[email]}
        return str(self.call("POST", "/auth/login", body)["token"])

    def token(self, email: str) -> str:
        """The program's own session, kept from test to test."""
        if email not in self._tokens:
            self._tokens[email] = self.signs_in(email)
        return self._tokens[email]

    def call(self, method: str, path: str, body: Any = None, *, by: str | None = None) -> Any:
        """One request; the answer's JSON."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if by is not None:
            headers["Authorization"] = f"Bearer {self.token(by)}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}{path}", data=data, method=method, headers=headers
        )
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def conversation(self, agent: str, *, by: str = "admin@demo.com") -> str:
        """A new conversation's id."""
        return str(self.call("POST", "/conversations", {"agent": agent}, by=by)["id"])


def run_stage(
    folder: Path,
    ready: Callable[[Stage], None],
    over: threading.Event,
    *,
    scripted: bool,
    **more: Any,
) -> None:
    """Serve until `over`; `ready` is handed the stage as soon as it answers. `more` are settings."""
    understudy = Understudy() if scripted else None
    model: Model | None = Retrying(understudy, first_wait=0.01) if understudy else None
    settings = Settings(
        data=folder, demo=True, model=None if scripted else "offline", password_cost=1, **more
    )
    app = create_app(settings, model=model)

    async def serve() -> None:
        server = uvicorn.Server(
            uvicorn.Config(
                app,
                host="127.0.0.1",
                port=0,
                log_level="warning",
                lifespan="on",
                timeout_graceful_shutdown=1,
            )
        )
        running = asyncio.create_task(server.serve())
        while not server.started:
            if running.done():
                break
            await asyncio.sleep(0.05)
        port = server.servers[0].sockets[0].getsockname()[1]
        ready(Stage(f"http://127.0.0.1:{port}", app, asyncio.get_running_loop(), understudy))
        await asyncio.to_thread(over.wait)
        server.should_exit = True
        await running

    asyncio.run(serve())


def names(entries: Iterable[dict[str, Any]]) -> list[str]:
    return [str(entry["name"]) for entry in entries]
