"""For whoever runs it: health, readiness, metrics."""

from __future__ import annotations

import asyncio
import secrets

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel

import bancada
from bancada.domain.errors import NotSignedIn
from bancada.server.auth import Bench
from bancada.server.hosts import is_loopback
from bancada.server.problems import documented, problem
from bancada.store.upgrade import HEAD, revision

router = APIRouter(tags=["operations"])

READY_SECONDS = 3.0


class Health(BaseModel):
    status: str
    version: str


class Readiness(BaseModel):
    status: str
    database: str
    model: str
    sandbox: str


@router.get("/health")
async def health() -> Health:
    """The process answers."""
    return Health(status="ok", version=bancada.__version__)


@router.get("/ready", response_model=Readiness, responses=documented(503))
async def ready(bench: Bench) -> Readiness | Response:
    """The process can do its work: the database answers, and is of this version or a newer one."""
    if bench.runner.draining:
        return problem(503, "This process is stopping.")
    try:
        async with asyncio.timeout(READY_SECONDS):
            at = await revision(bench.database)
    except Exception:
        return problem(503, "The database does not answer.")
    if at is None or at < HEAD:
        return problem(503, f"The database is at revision {at}, and this process needs {HEAD}.")
    return Readiness(
        status="ok",
        database=bench.database.kind,
        model="offline" if bench.models.is_offline else bench.models.default,
        sandbox="off" if bench.jail.missing else "on",
    )


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        **documented(401),
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
    },
)
async def metrics(request: Request) -> Response:
    """Counters for Prometheus: with the key (`Authorization: Bearer …`), or from this machine."""
    _may_measure(request)
    meters = request.app.state.meters
    meters.turns_running.set(request.app.state.bench.runner.running)
    meters.streams_open.set(len(request.app.state.readers))
    return Response(generate_latest(meters.registry), media_type=CONTENT_TYPE_LATEST)


def _may_measure(request: Request) -> None:
    key = request.app.state.bench.settings.metrics_key
    if key is None:
        client = request.client.host if request.client else ""
        if not is_loopback(client):
            raise NotSignedIn("metrics_closed")
        return
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not secrets.compare_digest(given.encode(), key.encode()):
        raise NotSignedIn("metrics_closed")
