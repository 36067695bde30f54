"""What the conformance suite starts for each scenario: it says where the scenario's server is, and
waits until the client, which is warm already, has spoken with it. Standard library only, no site."""

from __future__ import annotations

import json
import os
import socket
import sys

line = socket.socket(socket.AF_UNIX)
line.connect(sys.argv[1])
order = {
    "url": sys.argv[2],
    "scenario": os.environ.get("MCP_CONFORMANCE_SCENARIO", ""),
    "context": json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}"),
}
line.sendall(json.dumps(order).encode() + b"\n")
answer = b"".join(iter(lambda: line.recv(65536), b""))
said = json.loads(answer)
print(said["log"])
sys.exit(said["status"])
