"""Charts, tables and KPIs as an MCP App: one page, which the client shows and hands the result to."""

from __future__ import annotations

from typing import Any

from mcp.server.apps import APP_MIME_TYPE

from bancada.tools.tool import Tool

WIDGET_URI = "ui://bancada/widget.html"
WIDGET_TYPE = APP_MIME_TYPE


def widget_meta(tool: Tool) -> dict[str, Any]:
    """What a tool that shows something says of the page."""
    return {"ui": {"resourceUri": WIDGET_URI}} if tool.category == "render" else {}
