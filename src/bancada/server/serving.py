"""`bancada serve`: the app on a socket, started and stopped with care."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from fastapi import FastAPI
from sqlalchemy import Connection

from bancada.domain.errors import SettingsError
from bancada.engine.workbench import Workbench
from bancada.server import logs
from bancada.server.app import create_app
from bancada.server.hosts import is_loopback
from bancada.server.protocol import Impatient
from bancada.server.workers import Place, Workers, check_workers, said_ready
from bancada.settings import Settings, unknown_variables
from bancada.store import keys, people

BACKLOG = 2048
GRACE_SECONDS = 15
KEEP_ALIVE_SECONDS = 75
"""How long an idle connection is kept: longer than proxies keep theirs, so that they close first."""
LINK_SECONDS = 24 * 3600.0


def run_server(settings: Settings) -> None:
    """Serve until told to stop."""
    check_host(settings)
    check_workers(settings)
    logs.set_up(settings)
    listening = listening_socket(settings)
    if settings.workers == 1:
        _run(settings, listening)
        return
    # Before there is anybody to accept: what comes while a worker starts again waits.
    listening.listen(BACKLOG)
    status = Workers(settings.workers, lambda place: _run(settings, listening, place)).run()
    if status:
        raise SystemExit(status)


def _run(settings: Settings, listening: socket.socket, place: Place | None = None) -> None:
    # The quickest loop that is installed: uvloop, where there is one.
    loop_factory = uvicorn.Config("", log_config=None).get_loop_factory()
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_serve(settings, listening, place))
    # The interpreter looks through every object once more before it goes, which takes seconds on a
    # busy machine while whoever stops us waits: what is here now goes with the process.
    gc.freeze()


def check_host(settings: Settings) -> None:
    """The demo has passwords everybody knows: it is for this machine only."""
    if settings.demo and not is_loopback(settings.host):
        raise SettingsError(
            f"--demo is refused on {settings.host}: its passwords are public. "
            "Use 127.0.0.1, or leave --demo out."
        )


def listening_socket(settings: Settings) -> socket.socket:
    """Bind before anything else is started: a taken port is a sentence, not a trace."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Told that it is TCP, or asyncio leaves Nagle's algorithm on: 40 ms for each answer.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        raise SettingsError(
            f"Cannot listen on {settings.host}:{settings.port} ({error.strerror}). "
            "Choose another port with --port."
        ) from error
    return listening


class Server(uvicorn.Server):
    """Streams end as soon as a stop is asked for, so that connections can close."""

    def __init__(
        self, config: uvicorn.Config, app: FastAPI, welcome: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(config)
        self._app = app
        self._welcome = welcome
        self._loop = asyncio.get_running_loop()
        self._draining: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Say where it is once it can be called, and told to stop."""
        await super().startup(sockets)
        await self._welcome()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Asked to stop: a clean end, with status 0. Asked twice at the keyboard: at once."""
        self._loop.call_soon_threadsafe(self._drain)
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    def lost_leash(self, fd: int) -> None:
        """Whoever looks after the workers is gone: nobody would start this one again."""
        self._loop.remove_reader(fd)
        self.handle_exit(signal.SIGTERM, None)

    def _drain(self) -> None:
        if self._draining is None:
            self._app.state.mcp.leave()
            self._app.state.readers.end()
            self._draining = self._loop.create_task(self._app.state.bench.runner.close())


async def _serve(settings: Settings, listening: socket.socket, place: Place | None) -> None:
    app: FastAPI = create_app(settings)
    async with app.router.lifespan_context(app):
        bench: Workbench = app.state.bench
        host, port = listening.getsockname()[:2]
        config = uvicorn.Config(
            app,
            lifespan="off",
            http=Impatient,
            log_config=None,
            access_log=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

        async def greet() -> None:
            if place is None or place.number == 0:
                await welcome(settings, bench, address)
            if place is not None:
                said_ready(place)

        server = Server(config, app, greet)
        if place is not None:
            loop = asyncio.get_running_loop()
            loop.add_reader(place.leash, server.lost_leash, place.leash)
        with rarely_collecting():
            await server.serve(sockets=[listening])


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """A thousand streams are many live objects: looking through them all often finds nothing.

    What start-up made stays until the end, and is not looked at again before.
    """
    gc.collect()
    gc.freeze()
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


async def welcome(settings: Settings, bench: Workbench, address: str) -> None:
    """Say where it is and, on an empty installation, how to begin."""
    print(f"Bancada is at {address}", flush=True)
    if bench.models.is_offline:
        print("The offline model answers; set ANTHROPIC_API_KEY for a real one.", flush=True)
    if settings.demo:
        print(
            "Demo people: admin@demo.com / admin123, rui@demo.com / rui123, ana@demo.com / ana123"
        )
    for problem in unknown_variables():
        print(problem, flush=True)
    token = await bench.database.run(_first_link)
    if token is not None:
        print(f"Create the administrator, once: {address}/#/setup/{token}", flush=True)


def _first_link(db: Connection) -> str | None:
    """A link that creates the administrator, when there is nobody who could sign in."""
    if people.count_people(db):
        return None
    return keys.add_link(db, "administrator", user_id=None, seconds=LINK_SECONDS)
