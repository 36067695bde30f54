"""A client of 2026-07-28 in a few lines: each request stands alone."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx

VERSION = "2026-07-28"
PREFIX = "io.modelcontextprotocol"
FORMS = {"elicitation": {"form": {}}}
LINKS = {"elicitation": {"url": {}}}
TASKS = {"elicitation": {"form": {}}, "extensions": {f"{PREFIX}/tasks": {}}}
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


@dataclass
class Speaker:
    """Somebody's client, with what it can do."""

    http: httpx.AsyncClient
    can: dict[str, Any] = field(default_factory=dict)
    _ids: Any = field(default_factory=lambda: count(1))

    async def sends(self, method: str, params: dict[str, Any] | None = None) -> httpx.Response:
        body, headers = request_for(method, params, self.can, next(self._ids))
        return await self.http.post("/mcp", json=body, headers=headers)

    async def asks(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The result; an error is one of the test."""
        said = body_of(await self.sends(method, params))
        assert "error" not in said, said
        return dict(said["result"])

    async def is_refused(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The error."""
        said = body_of(await self.sends(method, params))
        assert "error" in said, said
        return dict(said["error"])

    async def calls(
        self, name: str, arguments: dict[str, Any] | None = None, **more: Any
    ) -> dict[str, Any]:
        return await self.asks("tools/call", {"name": name, "arguments": arguments or {}, **more})


def request_for(
    method: str, params: dict[str, Any] | None, can: dict[str, Any], id: int = 1
) -> tuple[dict[str, Any], dict[str, str]]:
    """The body and the headers of a request."""
    meta = {f"{PREFIX}/protocolVersion": VERSION, f"{PREFIX}/clientCapabilities": can}
    params = {**(params or {}), "_meta": {**meta, **(params or {}).get("_meta", {})}}
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        "mcp-method": method,
    }
    key = NAMED.get(method, "taskId")
    if key in params:
        headers["mcp-name"] = params[key]
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}, headers


def body_of(answer: httpx.Response) -> dict[str, Any]:
    if answer.headers["content-type"].startswith("text/event-stream"):
        frames = [line[5:] for line in answer.text.splitlines() if line.startswith("data:")]
        return dict(json.loads(frames[-1]))
    return dict(answer.json())


def text_of(result: dict[str, Any]) -> str:
    return "\n".join(one["text"] for one in result["content"] if one["type"] == "text")
