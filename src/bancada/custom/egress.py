"""The one way out: every HTTP request made for a tool.

A host is resolved once, every address it has is checked, and the connection goes to those very
addresses: a name that changes its mind between the check and the use changes nothing. Each
redirect takes the same steps. Sizes and times are bounded, whatever the other side sends.
"""

from __future__ import annotations

import asyncio
import re
import socket
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from bancada.custom.addresses import DEFAULT_PORTS, AllowedHost, is_public, literal
from bancada.domain.errors import ToolFailed

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Every address of a name."""

USER_AGENT: Final = "Bancada"
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_SAFE_HEADERS: Final = frozenset({"accept", "accept-language", "user-agent"})
"""What may still be said when a redirect leads to another host: nothing that could be a key."""
_OURS: Final = frozenset(
    {
        "connection", "content-length", "cookie", "expect", "host", "keep-alive", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    }
)  # fmt: skip
"""Headers that decide where a request goes or how long it is: not for a definition to write."""


class EgressRefused(ToolFailed):
    """The request was not made, or its answer was not read; the text says why to the model."""


@dataclass(frozen=True, kw_only=True)
class EgressLimits:
    """Bounds of one request, all its redirects included."""

    seconds: float = 60.0
    connect_seconds: float = 5.0
    body_bytes: int = 2_000_000
    """Of an answer, after it was unpacked."""
    sent_bytes: int = 1_000_000
    redirects: int = 3


@dataclass(frozen=True, kw_only=True)
class Outgoing:
    """A request as a tool wants it made. `places` are the only ones it may reach."""

    method: str
    url: str
    places: Sequence[AllowedHost]
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass(frozen=True, kw_only=True)
class Incoming:
    """What came back."""

    status: int
    media_type: str
    charset: str | None
    body: bytes

    def text(self) -> str:
        """The body as text; what does not fit the declared encoding is replaced."""
        try:
            return self.body.decode(self.charset or "utf-8", "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")


@dataclass(frozen=True, kw_only=True)
class Arriving:
    """An answer that is still being sent."""

    status: int
    headers: tuple[tuple[str, str], ...]
    parts: AsyncIterator[bytes]


class Egress:
    """Makes requests. One per process; nothing is kept between two requests."""

    def __init__(
        self,
        *,
        limits: EgressLimits | None = None,
        resolve: Resolve | None = None,
        allow_private: Collection[str] = (),
        named_hosts: Collection[tuple[str, int]] = (),
    ) -> None:
        """`allow_private` names addresses (`127.0.0.1:8080`) that the operator, never an
        organisation, lets requests reach although they are not public; `named_hosts` hosts that
        the operator named themselves, wherever they lead."""
        self.limits = limits or EgressLimits()
        self._resolve = resolve or resolve_name
        self._allow_private = frozenset(allow_private)
        self._named_hosts = frozenset(named_hosts)

    async def send(self, request: Outgoing, *, seconds: float | None = None) -> Incoming:
        """Make the request, following redirects within the same rules.

        Raises `EgressRefused`, whose text names the host at most: an address may hold a secret.
        """
        within = min(seconds or self.limits.seconds, self.limits.seconds)
        if len(request.body or b"") > self.limits.sent_bytes:
            raise EgressRefused("The request is larger than may be sent.")
        try:
            async with asyncio.timeout(within):
                return await self._follow(request)
        except TimeoutError:
            raise EgressRefused(f"The request took longer than {within:g} s.") from None

    async def _follow(self, request: Outgoing) -> Incoming:
        url = checked_url(request.url)
        for _ in range(self.limits.redirects + 1):
            answer = await self._send_once(request, url)
            if isinstance(answer, Incoming):
                return answer
            request, url = redirected(request, url, *answer)
        raise EgressRefused(f"More than {self.limits.redirects} redirects.")

    async def _send_once(self, request: Outgoing, url: URL) -> Incoming | tuple[int, str]:
        """The answer; of a redirect its status and where it leads."""
        async with self._asked(request, url) as response:
            if response.status in REDIRECTS and "Location" in response.headers:
                return response.status, response.headers["Location"]
            return Incoming(
                status=response.status,
                media_type=response.content_type,
                charset=response.charset,
                body=b"".join([part async for part in self._parts(response)]),
            )

    @asynccontextmanager
    async def opened(
        self, request: Outgoing, *, body_bytes: int | None = None
    ) -> AsyncIterator[Arriving]:
        """Make the request and let its answer be read as it comes. A redirect is an answer like
        any other: whoever follows it comes back here with a request of its own."""
        if len(request.body or b"") > self.limits.sent_bytes:
            raise EgressRefused("The request is larger than may be sent.")
        async with self._asked(request, checked_url(request.url)) as response:
            yield Arriving(
                status=response.status,
                headers=tuple(response.headers.items()),
                parts=self._parts(response, body_bytes),
            )

    @asynccontextmanager
    async def _asked(self, request: Outgoing, url: URL) -> AsyncIterator[aiohttp.ClientResponse]:
        host, port = url.raw_host or "", url.port or 0
        if not any(place.holds(url.scheme, host, port) for place in request.places):
            raise EgressRefused(f"Requests to {_shown(url)} are not allowed by this organisation.")
        addresses = await self._addresses(host, port)
        connector = aiohttp.TCPConnector(
            resolver=_Pinned(host, addresses), use_dns_cache=False, force_close=True, limit=1
        )
        try:
            async with (
                aiohttp.ClientSession(
                    connector=connector,
                    cookie_jar=aiohttp.DummyCookieJar(),
                    trust_env=False,
                    auto_decompress=False,
                    timeout=aiohttp.ClientTimeout(sock_connect=self.limits.connect_seconds),
                ) as session,
                session.request(
                    request.method,
                    url,
                    headers=_headers(request.headers),
                    data=request.body,
                    allow_redirects=False,
                ) as response,
            ):
                yield response
        except aiohttp.ClientError as error:
            what = type(error).__name__
            raise EgressRefused(f"{_shown(url)} could not be asked ({what}).") from None

    async def _addresses(self, host: str, port: int) -> list[str]:
        """Every address of the host, all of them checked."""
        try:
            written = literal(host)
        except ValueError:
            raise EgressRefused(f"{host[:100]} is not a host that can be asked.") from None
        if written is not None:
            found: Sequence[str] = [written]
        else:
            try:
                found = await self._resolve(host.rstrip("."), port)
            except (OSError, UnicodeError):  # no such name, or one that cannot be a name
                found = []
        if not found:
            raise EgressRefused(f"The name {host[:100]} does not lead anywhere.")
        if (host, port) in self._named_hosts:
            return list(found)
        for address in found:
            if not (is_public(address) or f"{_bracketed(address)}:{port}" in self._allow_private):
                raise EgressRefused(f"{host[:100]} leads to an address that is not public.")
        return list(found)

    async def _parts(
        self, response: aiohttp.ClientResponse, most: int | None = None
    ) -> AsyncIterator[bytes]:
        """The answer's body, unpacked, piece by piece; more of it than may be is not read."""
        most = most or self.limits.body_bytes
        unpack = _unpacker(response.headers.get("Content-Encoding", ""))
        size = 0
        async for chunk in response.content.iter_any():
            part = unpack(chunk, most + 1 - size)
            size += len(part)
            if size > most:
                raise EgressRefused(f"The answer is larger than {most:,} bytes.")
            yield part


async def resolve_name(host: str, port: int) -> Sequence[str]:
    """Every address the system knows for a name."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[4][0]) for address in found))


# ---------------------------------------------------------------------------- addresses


def checked_url(text: str) -> URL:
    """The URL, if it is plain http or https without tricks.

    What is checked is what is sent: the parsed URL goes to the client, the text does not.
    """
    if re.search(r"[\x00-\x20\x7f\\]", text):
        raise EgressRefused("The address holds characters that no address may hold.")
    try:
        url = URL(text)
        port = url.port
        host = url.raw_host
    except ValueError:
        raise EgressRefused("The address cannot be read.") from None
    if url.scheme not in DEFAULT_PORTS:
        raise EgressRefused("Only http and https addresses can be asked.")
    if not host or port is None:
        raise EgressRefused("The address names no host.")
    if url.raw_user is not None or url.raw_password is not None or "@" in url.raw_authority:
        raise EgressRefused("The address holds a name or password; use a header and a secret.")
    return url.with_fragment(None)


def redirected(request: Outgoing, url: URL, status: int, location: str) -> tuple[Outgoing, URL]:
    """The request that follows a redirect: to another origin it carries no header and no body."""
    try:
        following = url.join(URL(location))
    except ValueError:
        raise EgressRefused(f"{_shown(url)} redirects to an address that cannot be read.") from None
    target = checked_url(str(following))
    if url.scheme == "https" and target.scheme != "https":
        raise EgressRefused(f"{_shown(url)} redirects away from https.")
    if status == 303 or (status in (301, 302) and request.method == "POST"):
        method = "HEAD" if request.method == "HEAD" else "GET"
        request = replace(request, method=method, body=None, headers=_without_body(request.headers))
    if target.origin() != url.origin():
        if request.body is not None:
            raise EgressRefused(f"{_shown(url)} redirects a request with a body to another host.")
        kept = {k: v for k, v in request.headers.items() if k.lower() in _SAFE_HEADERS}
        request = replace(request, headers=kept)
    return request, target


def check_header(name: str, value: str) -> None:
    """Raises `ValueError` for a header that would change the request itself."""
    if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) or name.lower() in _OURS:
        raise ValueError(f"the header {name[:60]!r} cannot be set")
    if re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value):
        raise ValueError(f"the header {name!r} would hold a line break or control character")
    try:
        value.encode("latin-1")
    except UnicodeEncodeError:
        raise ValueError(f"the header {name!r} would hold characters beyond Latin-1") from None


def _headers(headers: Mapping[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        try:
            check_header(name, value)
        except ValueError as error:
            raise EgressRefused(f"The request was not made: {error}.") from None
    # Packed answers are allowed for, not asked for: there is nothing to gain from a bomb.
    return {"User-Agent": USER_AGENT, **headers, "Accept-Encoding": "identity"}


def _without_body(headers: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in headers.items() if not k.lower().startswith("content-")}


def _shown(url: URL) -> str:
    """Scheme and host: paths and queries may hold what nobody should read."""
    return str(url.origin())[:200]


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address


class _Pinned(AbstractResolver):
    """Knows one name, and the addresses that were checked for it."""

    def __init__(self, host: str, addresses: Sequence[str]) -> None:
        self._host = host
        self._addresses = addresses

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        if host != self._host:
            raise OSError(f"{host} was not checked")
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
            for address in self._addresses
        ]

    async def close(self) -> None:
        return None


# ---------------------------------------------------------------------------- bodies


def _unpacker(encoding: str) -> Callable[[bytes, int], bytes]:
    """Unpacks piece by piece, never more than it is told to: a bomb goes off in small doses."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return lambda chunk, most: chunk
    if name not in ("gzip", "x-gzip", "deflate"):
        raise EgressRefused("The answer is packed in a way that was not asked for.")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)

    def unpack(chunk: bytes, most: int) -> bytes:
        try:
            return unpacker.decompress(chunk, max(1, most))
        except zlib.error:
            raise EgressRefused("The answer's packing is broken.") from None

    return unpack
