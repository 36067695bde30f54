"""HTTP for the MCP SDK, over the one way out: every request is checked and pinned by `Egress`.

The SDK brings its own rules for redirects and sign-in on top; each request that comes of them
arrives here again, as its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack

import aiohttp
import httpx2

from bancada.custom.addresses import AllowedHost
from bancada.custom.egress import Arriving, Egress, EgressRefused, Outgoing

MOST_BYTES = 4_000_000
"""Of one answer, a stream's events together included."""
_OURS = frozenset({"host", "content-length", "connection", "accept-encoding", "transfer-encoding"})
"""Headers that the way out writes itself."""


class AnswerRefused(httpx2.StreamError):
    """An answer that could not be read to its end; the text is for whoever asked."""


class EgressTransport(httpx2.AsyncBaseTransport):
    """What `httpx2.AsyncClient` sends through. `places` says where a request to this address may go."""

    def __init__(
        self,
        egress: Egress,
        places: Callable[[str], Sequence[AllowedHost]],
    ) -> None:
        self._egress = egress
        self._places = places

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = str(request.url)
        outgoing = Outgoing(
            method=request.method,
            url=url,
            places=self._places(url),
            headers={k: v for k, v in request.headers.items() if k.lower() not in _OURS},
            body=await request.aread() or None,
        )
        stack = AsyncExitStack()
        try:
            arriving = await stack.enter_async_context(
                self._egress.opened(outgoing, body_bytes=MOST_BYTES)
            )
        except EgressRefused as refused:
            await stack.aclose()
            raise httpx2.ConnectError(str(refused), request=request) from None
        except BaseException:
            await stack.aclose()
            raise
        return httpx2.Response(
            arriving.status,
            headers=[(k, v) for k, v in arriving.headers if k.lower() != "content-encoding"],
            stream=_Body(arriving, stack),
            request=request,
        )


class _Body(httpx2.AsyncByteStream):
    """The answer as it comes; closing it closes the connection."""

    def __init__(self, arriving: Arriving, stack: AsyncExitStack) -> None:
        self._arriving = arriving
        self._stack = stack

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._arriving.parts:
                yield part
        except EgressRefused as refused:
            raise AnswerRefused(str(refused)) from None
        except aiohttp.ClientError as error:
            raise AnswerRefused(f"The answer broke off ({type(error).__name__}).") from None

    async def aclose(self) -> None:
        await self._stack.aclose()
