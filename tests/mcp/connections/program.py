"""A server that is a program: one of the SDK's, over its pipes."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from mcp.server.mcpserver import MCPServer

server = MCPServer("program")
calls = 0


@server.tool()
def count() -> int:
    """How often it was called."""
    global calls
    calls += 1
    return calls


@server.tool()
def look_around(path: str, port: int) -> dict[str, object]:
    """What can be reached from here."""
    file = Path(path)
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        network = True
    except OSError:
        network = False
    return {
        "file": file.read_text() if file.exists() else None,
        "network": network,
        "alone": os.getpid() == 1,
    }


if __name__ == "__main__":
    server.run()
