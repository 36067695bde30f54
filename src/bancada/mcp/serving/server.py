"""The server itself: the SDK's, with our handlers; the same over HTTP and over standard input."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp import types
from mcp.server.apps import EXTENSION_ID as APPS
from mcp.server.caching import CacheHint
from mcp.server.extension import MethodBinding
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from bancada.domain.errors import Problem
from bancada.domain.json import JSONObject
from bancada.gate.case import CONFIRMATION_SECONDS
from bancada.mcp.serving.apps import WIDGET_TYPE
from bancada.mcp.serving.calls import ClientCalls
from bancada.mcp.serving.desk import Context, McpDesk
from bancada.mcp.serving.listening import Listening
from bancada.mcp.serving.prompts import Prompts
from bancada.mcp.serving.resources import Resources
from bancada.mcp.serving.tasks import Tasks

NAME = "bancada"
MOST_SUGGESTED = 100
PRIVATE = CacheHint(ttl_ms=0, scope="private")
"""Lists depend on the person and on rules that may change: they are read fresh."""


@dataclass(frozen=True)
class McpServer:
    """The server and what of it lives as long as the process."""

    sdk: Server[Any]
    tasks: Tasks
    listening: Listening

    async def close(self) -> None:
        await self.tasks.close()
        self.listening.close()


def build(
    desk: McpDesk,
    version: str,
    *,
    schema_of: Callable[[str], JSONObject | None],
    is_open: Callable[[str | None], bool] = lambda session: True,
) -> McpServer:
    """`schema_of` finds a tool's schema for whoever asks now, for values that travel as headers."""
    tasks = Tasks(desk)
    calls, resources, prompts = ClientCalls(desk, tasks), Resources(desk), Prompts(desk)
    listening = Listening(desk, prompts, resources, is_open)

    async def complete(ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        guest, argument = await desk.who(ctx), params.argument
        if isinstance(params.ref, types.PromptReference):
            found = await prompts.suggested(guest, params.ref.name, argument.name, argument.value)
        else:
            found = await resources.suggested(
                guest.person, params.ref.uri, argument.name, argument.value
            )
        values = list(found)[:MOST_SUGGESTED]
        more = len(found) > len(values)
        completion = types.Completion(values=values, total=len(found), has_more=more)
        return types.CompleteResult(completion=completion)

    sdk: Server[Any] = Server(
        NAME,
        version=version,
        title="Bancada",
        cache_hints={
            "tools/list": PRIVATE,
            "prompts/list": PRIVATE,
            "resources/list": PRIVATE,
            "resources/templates/list": PRIVATE,
            "resources/read": PRIVATE,
        },
        get_tool_input_schema=schema_of,
        on_list_tools=calls.list_tools,
        on_call_tool=calls.call,  # type: ignore[arg-type]  # a task is an extension's own result
        on_list_resources=resources.listed,
        on_list_resource_templates=resources.templates,
        on_read_resource=resources.read,
        on_subscribe_resource=listening.subscribe,
        on_unsubscribe_resource=listening.unsubscribe,
        on_subscriptions_listen=listening.listen,
        on_list_prompts=prompts.listed,
        on_get_prompt=prompts.get,
        on_completion=complete,
    )
    sdk.extensions = {APPS: {"mimeTypes": [WIDGET_TYPE]}, tasks.identifier: {}}
    for binding in tasks.methods():
        sdk.add_request_handler(binding.method, binding.params_type, _only_at(binding))
    sdk.middleware.append(_in_words)
    sdk.middleware.append(RequestStateBoundary(_sealed(desk), default_audience=NAME))
    return McpServer(sdk, tasks, listening)


def _sealed(desk: McpDesk) -> RequestStateSecurity:
    """What a client carries is good for as long as a confirmation, for its person alone, and
    after a restart."""
    key = hashlib.sha256(b"bancada mcp state\0" + desk.secret.encode()).digest()
    return RequestStateSecurity(keys=[key], ttl=CONFIRMATION_SECONDS, bind_principal=desk.principal)


def _only_at(binding: MethodBinding) -> Any:
    """An extension's method exists in the revisions it was made for, and in no other."""

    async def handle(ctx: Context, params: Any) -> Any:
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            raise MCPError(types.METHOD_NOT_FOUND, "Method not found", binding.method)
        return await binding.handler(ctx, params)

    return handle


async def _in_words(ctx: Context, call_next: Any) -> Any:
    """What we refuse on purpose is told as MCP tells errors."""
    try:
        return await call_next(ctx)
    except Problem as problem:
        raise MCPError(types.INVALID_PARAMS, str(problem)) from None
