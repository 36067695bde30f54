"""An app on a socket for as long as a block lasts."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn

PATIENCE = 0.1
"""For whoever is still being answered, in seconds; uvicorn's own, where it is told to hurry."""


@asynccontextmanager
async def listening_to(
    config: uvicorn.Config, listening: socket.socket
) -> AsyncIterator[uvicorn.Server]:
    """Serve on this socket, and stop at once.

    A server that is told to stop looks whether it was ten times a second, and waits as long for
    its connections: a fifth of a second for each of hundreds of tests.
    """
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup(sockets=[listening])
    ticking = asyncio.create_task(server.main_loop())
    try:
        yield server
    finally:
        server.should_exit = server.force_exit = True
        ticking.cancel()
        for each in server.servers:
            each.close()
        listening.close()
        state = server.server_state
        for connection in list(state.connections):
            connection.shutdown()
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while (state.connections or state.tasks) and loop.time() < until:
            await asyncio.sleep(0.002)
        await server.lifespan.shutdown()
