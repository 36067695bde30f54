"""The app, built by one function from the settings. Wiring only."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route

import bancada
from bancada.domain.errors import DatabaseAway
from bancada.engine.cluster import open_queue
from bancada.engine.packs import brought, left_out
from bancada.engine.workbench import Workbench, open_workbench
from bancada.gate.leftovers import SERVER, end_leftovers
from bancada.gateway.books import GatewayBooks
from bancada.gateway.desk import GatewayDesk
from bancada.model.model import Model
from bancada.server import pages, problems
from bancada.server.description import describe, methods_at
from bancada.server.hosts import Hosts
from bancada.server.lock import FolderLock
from bancada.server.mcp import PATH as MCP
from bancada.server.mcp import McpDoor
from bancada.server.mcp import router as mcp_router
from bancada.server.meters import Meters
from bancada.server.middleware import Door, Envelope
from bancada.server.oidc.provider import IdentityProviders
from bancada.server.routes import (
    account,
    agui,
    attachments,
    confirmations,
    connections,
    conversations,
    dashboards,
    files,
    gateway,
    keys,
    news,
    oidc,
    operations,
    reports,
    schedules,
    scim,
    scimgroups,
    sessions,
    sharing,
    signin,
    standins,
    studies,
    tools,
    uploads,
)
from bancada.server.routes import (
    notices as notice_routes,
)
from bancada.server.routes.admin.router import router as admin
from bancada.server.signins import SignInLanes, Strangers, end_password_sessions
from bancada.server.sse import Readers
from bancada.server.telemetry import exporting
from bancada.settings import Settings
from bancada.store import notices, usage_days
from bancada.store.endings import CHANNEL
from bancada.store.news import forget_old as forget_old_news
from bancada.telemetry import listening

log = logging.getLogger("bancada.server")

DIALECTS = "bancada.dialects"
"""The entry-point group of packs' own HTTP dialects."""

MEND_SECONDS = 0.5
STRAY_SECONDS = 5.0
EXPIRE_SECONDS = 5.0
TICK_SECONDS = 2.0
"""How late something may begin that is due by the clock."""
HERE_SECONDS = 20.0
CLEAN_SECONDS = 3600.0
ADD_SECONDS = 300.0
START_SECONDS = 5.0
"""What a restart may have put off is looked for once the start itself is over."""
LOOK_SECONDS = 30.0

ROUTERS = (
    gateway.router,  # first: every route that stands before it is asked at each request
    signin.router,
    oidc.router,
    scim.router,
    scimgroups.router,
    account.router,
    news.router,
    notice_routes.router,
    sessions.router,
    keys.router,
    conversations.router,
    sharing.router,
    agui.router,
    uploads.router,
    attachments.router,
    confirmations.router,
    connections.router,
    standins.router,
    dashboards.router,
    studies.router,
    reports.router,
    schedules.router,
    files.router,
    tools.router,
    admin,
    operations.router,
)


def create_app(settings: Settings, *, model: Model | None = None) -> FastAPI:
    """The whole server; `model` replaces the provider, for tests."""
    meters = Meters()
    mcp = McpDoor(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as opened:
            if settings.url.startswith("sqlite"):
                # One process serves a data folder: every running turn found is an orphan.
                opened.enter_context(FolderLock(settings))
            opened.enter_context(exporting(settings))
            opened.enter_context(listening(meters))
            bench = await open_workbench(settings, model=model)
            opened.push_async_callback(bench.close)
            app.state.bench = bench
            app.state.secret = bench.keys.tokens()
            app.state.meters = meters
            app.state.gateway = GatewayDesk(GatewayBooks(bench))
            opened.push_async_callback(app.state.gateway.close)
            app.state.readers = Readers()
            bench.database.listen(CHANNEL, app.state.readers.heard)
            bench.runner.peers.join()
            bench.gate.process = SERVER + bench.runner.owner
            if settings.runner == "cluster":
                bench.runner.queue = await open_queue(settings, bench.runner)
            app.state.strangers = Strangers()
            app.state.lanes = SignInLanes()
            app.state.identity_providers = IdentityProviders(settings.oidc)
            app.state.mcp = mcp
            await opened.enter_async_context(mcp.open(bench))
            if not settings.local_passwords:
                await bench.database.run(end_password_sessions, settings)
            for chore in _chores(bench, app.state.readers):
                opened.callback(chore.cancel)
            for left in (bench.confirmations.take_up(), _end_leftovers(bench)):
                opened.callback(asyncio.create_task(left).cancel)
            taken_up = await bench.runner.peers.recover(alone=bench.database.kind == "sqlite")
            if taken_up:
                log.info("%d unfinished turns go on", taken_up)
            yield

    app = FastAPI(
        title="Bancada",
        version=bancada.__version__,
        summary="A workbench where a language model uses an organisation's tools.",
        lifespan=lifespan,
        redoc_url=None,
        docs_url=None,
        openapi_url="/openapi.json",
        separate_input_output_schemas=False,
    )
    problems.install(app, methods_at=lambda path: methods_at(app, path))
    for router in (*ROUTERS, *dialects(settings)):
        _join(app, router)
    app.router.routes.append(Route(MCP, mcp, methods=["GET", "POST", "DELETE"]))
    _join(app, mcp_router)
    _join(app, pages.router)
    for path, static in pages.assets():
        app.mount(path, static)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["*"],
            allow_headers=["*"],
        )
    app.add_middleware(Door, hosts=Hosts(settings))
    app.add_middleware(
        Envelope,
        meters=meters,
        body_mb=settings.max_body_mb,
        gateway_mb=settings.max_gateway_mb,
        upload_mb=settings.max_upload_mb,
    )
    return app


def _join(app: FastAPI, router: APIRouter) -> None:
    """As `include_router` does, which builds each route once more and goes through them twice a request.

    A router that includes others is left to it: only it knows what they become there.
    """
    if all(isinstance(route, Route) for route in router.routes):
        app.router.routes.extend(router.routes)
    else:
        app.include_router(router)


async def _end_leftovers(bench: Workbench) -> None:
    await end_leftovers(bench.database, bench.runner.owner)


def dialects(settings: Settings) -> list[APIRouter]:
    """The packs' own HTTP; a dialect bears its pack's name, and is left out with it."""
    without = left_out(settings.use_packs)
    return [entry.load() for entry in brought(DIALECTS) if entry.name not in without]


def _chores(bench: Workbench, readers: Readers) -> list[asyncio.Task[None]]:
    """What goes on beside requests: the heartbeat, overdue confirmations, stray turns."""

    async def every(
        seconds: float, chore: Callable[[], Awaitable[Any]], first: float | None = None
    ) -> None:
        wait = seconds if first is None else first
        while True:
            await asyncio.sleep(wait)
            wait = seconds
            try:
                await chore()
            except DatabaseAway:
                log.warning("the database is away; chores wait for it")
            except Exception:
                log.exception("a chore failed; it is tried again")

    async def take_up_strays() -> None:
        if bench.database.kind == "postgresql":
            await bench.runner.peers.recover(alone=False)
            await bench.confirmations.take_up()
            await _end_leftovers(bench)

    async def warm_up() -> None:
        """The first code a person runs should not wait for the sandbox to start.

        Nor the first requests: it imports what code may use, which takes a processor a while.
        """
        await asyncio.sleep(START_SECONDS)
        if bench.jail.missing is None:
            try:
                await bench.jail.sandbox()
            except Exception:
                log.exception("the sandbox did not start")

    async def tell_who_is_here() -> None:
        until = time.time() + 2 * HERE_SECONDS
        await bench.database.run(notices.are_here, readers.people, until)

    async def deliver_notices() -> None:
        await bench.notices.deliver(delay=bench.settings.notices.delay_seconds)

    return [
        asyncio.create_task(warm_up()),
        asyncio.create_task(every(MEND_SECONDS, bench.runner.peers.mend)),
        asyncio.create_task(every(STRAY_SECONDS, bench.once.beat)),
        asyncio.create_task(every(CLEAN_SECONDS, bench.once.forget_old)),
        asyncio.create_task(every(CLEAN_SECONDS, bench.retention.chore, first=START_SECONDS)),
        asyncio.create_task(every(ADD_SECONDS, lambda: usage_days.keep_up(bench.database))),
        asyncio.create_task(every(CLEAN_SECONDS, lambda: bench.database.run(forget_old_news))),
        asyncio.create_task(every(CLEAN_SECONDS, lambda: bench.database.run(notices.forget_old))),
        asyncio.create_task(every(HERE_SECONDS, tell_who_is_here)),
        asyncio.create_task(every(EXPIRE_SECONDS, deliver_notices)),
        asyncio.create_task(every(EXPIRE_SECONDS, bench.confirmations.expire_overdue)),
        asyncio.create_task(every(EXPIRE_SECONDS, bench.confirmations.remind)),
        asyncio.create_task(every(STRAY_SECONDS, take_up_strays)),
        asyncio.create_task(every(TICK_SECONDS, bench.clockwork.tick)),
        asyncio.create_task(every(LOOK_SECONDS, bench.connections.switchboard.look_after)),
        asyncio.create_task(every(bench.settings.audit_heads_seconds, bench.sign_heads)),
    ]
