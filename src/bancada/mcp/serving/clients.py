"""What the program at the other end can do: it says so itself, with every request or once."""

from __future__ import annotations

from dataclasses import dataclass

from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from bancada.mcp.serving.desk import Context

TASKS = "io.modelcontextprotocol/tasks"


@dataclass(frozen=True, kw_only=True)
class McpClient:
    """What counts for us of a client's capabilities."""

    modern: bool
    """It speaks 2026-07-28: it is never asked in mid-call, and comes back with the answer."""
    forms: bool
    links: bool
    """It can show a form to its person; it can send them to an address."""
    tasks: bool

    @staticmethod
    def of(ctx: Context) -> McpClient:
        says = ctx.session.client_capabilities
        modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
        asks = None if says is None else says.elicitation
        extensions = (says.extensions if says is not None else None) or {}
        return McpClient(
            modern=modern,
            # An empty capability is the older way to say forms.
            forms=asks is not None and (asks.form is not None or asks.url is None),
            links=asks is not None and asks.url is not None,
            tasks=modern and TASKS in extensions,
        )
