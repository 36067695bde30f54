"""Connections to servers of others: add, look, sign in, enable."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path

from bancada.domain.errors import NotFound
from bancada.domain.people import Person
from bancada.domain.shapes import Shape
from bancada.engine.workbench import Workbench
from bancada.mcp.connections.desk import NewConnection, ToolChoice, digest
from bancada.server.auth import Administrator, Bench
from bancada.server.problems import documented
from bancada.server.shapes import Moment, Out
from bancada.store.connections import ConnectedTool, ServerConnection, ToolState

router = APIRouter(prefix="/admin/connections", tags=["administration"])

ConnectionId = Annotated[str, Path(min_length=1, max_length=64)]
ToolName = Annotated[str, Path(min_length=1, max_length=64)]


class ConnectedToolOut(Out):
    name: str
    """Its name here: with the connection's before it where something else has it."""
    remote_name: str
    state: ToolState
    """`new`: nobody has looked at it; `changed`: not any more what was enabled."""
    problem: str
    """Why it cannot be used as it is offered."""
    seen: str
    """A digest of what is offered: to be sent back by whoever enables it."""
    offered: dict[str, Any]
    approved: dict[str, Any] | None
    """What was enabled, as it was then."""
    permission_level: Literal["operador", "responsavel", "admin"]
    effect: Literal["read", "write"]
    confirm: Literal["never", "always"]
    from_code: bool


class ConnectionOut(Out):
    id: str
    name: str
    origin: Literal["operator", "panel"]
    """Whether the operator's configuration brings it, or an administrator added it."""
    url: str | None
    """Null: a program of this machine."""
    walled: bool | None
    """Of a program: whether it runs behind the jail's outer wall."""
    credentials: Literal["none", "shared", "person"]
    has_headers: bool
    signed_in: bool
    """Whether calls of yours have a sign-in."""
    is_enabled: bool
    status: str
    """`new`, `ok`, or what kind of trouble there is."""
    detail: str
    failures: int
    """In a row."""
    looked_at: Moment | None
    ok_at: Moment | None
    retry_at: Moment | None
    """Left in peace until then."""
    server: dict[str, Any]
    """What it says of itself."""
    tools: list[ConnectedToolOut]


class ConnectionChange(Shape):
    is_enabled: bool


@router.get("", responses=documented(401, 403))
async def listed(admin: Administrator, bench: Bench) -> list[ConnectionOut]:
    """Your organisation's connections, with their tools."""
    return await _all(bench, admin)


@router.post("", status_code=201, responses=documented(401, 403, 409, 422))
async def add(body: NewConnection, admin: Administrator, bench: Bench) -> ConnectionOut:
    """Connect a server over HTTP. Its tools are there, switched off, once it was looked at."""
    added = await bench.connections.add(admin, body)
    return await _one(bench, admin, added.id)


@router.get("/{id}", responses=documented(401, 403, 404, 422))
async def one(id: ConnectionId, admin: Administrator, bench: Bench) -> ConnectionOut:
    """One connection, with its tools."""
    return await _one(bench, admin, id)


@router.patch("/{id}", responses=documented(401, 403, 404, 422))
async def change(
    id: ConnectionId, body: ConnectionChange, admin: Administrator, bench: Bench
) -> ConnectionOut:
    """Switch a connection off, or on again; what was enabled stays enabled."""
    await bench.connections.switch(admin, id, on=body.is_enabled)
    return await _one(bench, admin, id)


@router.delete("/{id}", status_code=204, responses=documented(401, 403, 404, 409, 422))
async def remove(id: ConnectionId, admin: Administrator, bench: Bench) -> None:
    """Take a connection away, with its tools and every sign-in."""
    await bench.connections.remove(admin, id)


@router.post("/{id}/look", responses=documented(401, 403, 404, 422))
async def look(id: ConnectionId, admin: Administrator, bench: Bench) -> ConnectionOut:
    """Ask the server what it offers, now."""
    await bench.connections.look(admin, id)
    return await _one(bench, admin, id)


@router.post("/{id}/tools/{name}", responses=documented(401, 403, 404, 409, 422))
async def enable(
    id: ConnectionId, name: ToolName, body: ToolChoice, admin: Administrator, bench: Bench
) -> ConnectionOut:
    """Put a tool into use as it was looked at, with a level, an effect, a confirmation, callers."""
    row = await _row(bench, admin, id, name)
    await bench.connections.enable(admin, id, row.remote_name, body)
    return await _one(bench, admin, id)


@router.delete("/{id}/tools/{name}", responses=documented(401, 403, 404, 422))
async def disable(
    id: ConnectionId, name: ToolName, admin: Administrator, bench: Bench
) -> ConnectionOut:
    """Take a tool out of use."""
    row = await _row(bench, admin, id, name)
    await bench.connections.disable(admin, id, row.remote_name)
    return await _one(bench, admin, id)


async def _all(bench: Workbench, admin: Person) -> list[ConnectionOut]:
    return [_shown(bench, *found) for found in await bench.connections.listed(admin)]


async def _one(bench: Workbench, admin: Person, id: str) -> ConnectionOut:
    for one in await _all(bench, admin):
        if one.id == id:
            return one
    raise NotFound("no_connection")


async def _row(bench: Workbench, admin: Person, id: str, name: str) -> ConnectedTool:
    for found, tools, _ in await bench.connections.listed(admin):
        for row in tools:
            if found.id == id and row.name == name:
                return row
    raise NotFound("no_tool", name=name)


def _shown(
    bench: Workbench, row: ServerConnection, tools: list[ConnectedTool], signed_in: bool
) -> ConnectionOut:
    program = bench.connections.switchboard.programs.get((row.organisation_id, row.name))
    return ConnectionOut.of(
        row,
        walled=None if program is None else program.walls,
        has_headers=row.headers is not None,
        signed_in=signed_in,
        tools=[_tool(tool) for tool in tools],
    )


def _tool(row: ConnectedTool) -> ConnectedToolOut:
    from_code = len(row.allowed_callers) > 1
    return ConnectedToolOut.of(row, seen=digest(row.offered), from_code=from_code)
