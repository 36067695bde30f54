"""Servers to connect to, good and bad, and a house with a switchboard that connects to them."""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer

from bancada.custom.egress import Egress
from bancada.domain.calls import CODE_CALLER
from bancada.domain.json import JSONObject, dumps
from bancada.domain.people import Person
from bancada.mcp.connections.desk import ConnectionDesk, NewConnection, ToolChoice, digest
from bancada.mcp.connections.pipes import ServerProgram
from bancada.mcp.connections.source import ConnectedTools
from bancada.mcp.connections.switchboard import Switchboard
from bancada.store import connections
from bancada.store.connections import ConnectedTool, ServerConnection
from bancada.store.vault import Vault
from tests.custom.servers import Answer, Heard, Server, ok, serving
from tests.house import House
from tests.listening import listening_to


@asynccontextmanager
async def serve(app: Any) -> AsyncIterator[str]:
    """An ASGI app on a free port of this machine; gives its origin."""
    listening = socket.socket(proto=socket.IPPROTO_TCP)  # else each answer waits 40 ms
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_config=None, lifespan="on", timeout_graceful_shutdown=1)
    async with listening_to(config, listening):
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@asynccontextmanager
async def served(server: MCPServer, **how: Any) -> AsyncIterator[str]:
    """One of the SDK's servers over HTTP; gives the address to connect to."""
    async with serve(server.streamable_http_app(**how)) as origin:
        yield f"{origin}/mcp"


@dataclass
class Scripted:
    """A server of 2025 that answers what a test tells it to, well or badly."""

    tools: list[JSONObject] = field(default_factory=list)
    called: Callable[[JSONObject], JSONObject | Answer] = lambda params: {"content": []}
    listed: Callable[[JSONObject], JSONObject | Answer] | None = None
    version: str = "2025-11-25"
    heard: list[str] = field(default_factory=list)

    def answer(self, heard: Heard) -> Answer:
        if heard.method != "POST":
            return b"HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n"
        message: Any = heard.json()
        self.heard.append(message["method"])
        if "id" not in message:
            return b"HTTP/1.1 202 Yes\r\nContent-Length: 0\r\n\r\n"
        said = self._result(message["method"], message.get("params") or {})
        if not isinstance(said, dict):
            return said
        whole = {"jsonrpc": "2.0", "id": message["id"], "result": said}
        if "error" in said:
            whole = {"jsonrpc": "2.0", "id": message["id"], "error": said["error"]}
        return ok(dumps(whole).encode())

    def _result(self, method: str, params: JSONObject) -> JSONObject | Answer:
        match method:
            case "initialize":
                return {
                    "protocolVersion": self.version,
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "scripted", "version": "1"},
                }
            case "tools/list":
                return {"tools": self.tools} if self.listed is None else self.listed(params)
            case "tools/call":
                return self.called(params)
        return {"error": {"code": -32601, "message": "no such method"}}


@asynccontextmanager
async def scripted(server: Scripted) -> AsyncIterator[Server]:
    async with serving(server.answer) as running:
        yield running


def offers(name: str = "look", description: str = "Looks.", **more: Any) -> JSONObject:
    return {"name": name, "description": description, "inputSchema": {"type": "object"}, **more}


def says(text: str, **more: Any) -> JSONObject:
    return {"content": [{"type": "text", "text": text}], **more}


class AllowLoopback(Egress):
    """A way out that may reach this machine: whatever port a test's server has."""

    async def _addresses(self, host: str, port: int) -> list[str]:
        self._allow_private = frozenset({f"127.0.0.1:{port}"})
        return await super()._addresses(host, port)


@dataclass
class Booth:
    """A house, and its connections."""

    house: House
    egress: Egress = field(default_factory=AllowLoopback)
    board: Switchboard = field(init=False)
    desk: ConnectionDesk = field(init=False)

    def __post_init__(self) -> None:
        vault = Vault(lambda: ["k" * 40])
        house = self.house
        self.board = Switchboard(house.database, house.registry, self.egress, vault)
        house.registry.add_source(ConnectedTools(self.board))
        self.desk = ConnectionDesk(house.database, self.board, code_caller=CODE_CALLER)
        self.desk._check_address = lambda url: None  # type: ignore[method-assign]

    async def connect(self, url: str, name: str = "crm", **says: Any) -> ServerConnection:
        """Add a server as an administrator would, and look at it."""
        new = NewConnection(name=name, url=url, **says)
        added = await self.desk.add(self.house.eva, new)
        return await self.desk.look(self.house.eva, added.id)

    async def start(self, *command: str, name: str = "local", **how: Any) -> ServerConnection:
        """A program as the operator would name it."""
        key = (self.house.organisation_id, name)
        program = ServerProgram(command=(sys.executable, *command), **how)
        self.board.programs = {**self.board.programs, key: program}
        row = ServerConnection(
            id="", organisation_id=self.house.organisation_id, name=name, origin="operator"
        )
        added = await self.house.database.run(connections.add, row)
        return await self.desk.look(self.house.eva, added.id)

    async def rows(self, connection: ServerConnection) -> dict[str, ConnectedTool]:
        found = await self.house.database.read(connections.tools_of_connection, connection.id)
        return {row.remote_name: row for row in found}

    async def enable(
        self, connection: ServerConnection, remote_name: str, by: Person | None = None, **says: Any
    ) -> ConnectedTool:
        row = (await self.rows(connection))[remote_name]
        choice = {"permission_level": "operador", "effect": "read", "confirm": "never", **says}
        seen = ToolChoice(seen=digest(row.offered), **choice)
        return await self.desk.enable(by or self.house.eva, connection.id, remote_name, seen)

    async def state(self, connection: ServerConnection) -> ServerConnection:
        return await self.desk.find(self.house.eva, connection.id)

    async def close(self) -> None:
        await self.desk.close()


def body(outcome: Any) -> Any:
    """The structured value of a result."""
    assert not outcome.is_error, outcome.content
    return outcome.value
