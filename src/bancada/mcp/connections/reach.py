"""How one server is reached, and by whom."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field

import httpx2
from mcp import Client
from mcp.client._transport import TransportStreams
from mcp.client.session import ElicitationFnT
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Implementation
from yarl import URL

from bancada import __version__
from bancada.custom.addresses import AllowedHost
from bancada.custom.egress import Egress
from bancada.mcp.connections.pipes import ServerProgram, piped
from bancada.mcp.connections.wire import MOST_BYTES, EgressTransport

MODE = "auto"
"""The newest protocol first, and the older handshake where the server does not know it."""
READ_SECONDS = 30.0
"""How long one request beside a tool's call may take."""


@dataclass(frozen=True, kw_only=True)
class Reach:
    """One server: a program of this machine, or an address."""

    name: str
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    program: ServerProgram | None = None

    @property
    def has_one_voice(self) -> bool:
        """Whether all calls speak to one process, whose state is shared."""
        return self.program is not None


def client_for(
    reach: Reach,
    egress: Egress,
    *,
    auth: httpx2.Auth | None = None,
    elicited: ElicitationFnT | None = None,
) -> AbstractAsyncContextManager[Client]:
    """A client of this server: to be entered, used and left by one task."""
    wire = piped(reach.program) if reach.program is not None else _http(reach, egress, auth)
    return Client(
        wire,
        elicitation_callback=elicited,
        client_info=Implementation(name="bancada", title="Bancada", version=__version__),
        read_timeout_seconds=READ_SECONDS,
        mode=MODE,
        cache=None,
    )


@asynccontextmanager
async def _http(
    reach: Reach, egress: Egress, auth: httpx2.Auth | None
) -> AsyncIterator[TransportStreams]:
    assert reach.url is not None
    transport = EgressTransport(egress, lambda url: places_for(reach.url or "", url))
    timeout = httpx2.Timeout(READ_SECONDS, read=None)
    async with (
        httpx2.AsyncClient(
            transport=transport, headers=dict(reach.headers), auth=auth, timeout=timeout
        ) as http,
        streamable_http_client(reach.url, http_client=http, max_sse_event_size=MOST_BYTES) as wire,
    ):
        yield wire


def places_for(server: str, url: str) -> Sequence[AllowedHost]:
    """Where a request made for this server may go: to it, and, to sign in, to whom it names over
    https. (Addresses that are not public are refused further down, whoever names them.)"""
    wanted, own = URL(url).origin(), URL(server).origin()
    if wanted != own and wanted.scheme != "https" and own.scheme == "https":
        return ()
    return (AllowedHost.read(str(wanted)),)
