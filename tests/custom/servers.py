"""Web servers of a few lines: they say what they are told, well or badly, and remember what they heard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bancada.domain.json import loads


@dataclass(frozen=True)
class Heard:
    """One request, as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> object:
        return loads(self.body)


Answer = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Server:
    """A server on a free port of this machine."""

    port: int = 0
    heard: list[Heard] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"


@asynccontextmanager
async def serving(answer: Callable[[Heard], Answer]) -> AsyncIterator[Server]:
    """Answer every request with what the function gives: bytes as they are, or a slow writer."""
    server = Server()
    talking: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talking.add(asyncio.ensure_future(talk(reader, writer)))

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, target, _ = head[0].split(" ")
            headers = {
                name.lower(): value.strip()
                for name, _, value in (line.partition(":") for line in head[1:] if line)
            }
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            heard = Heard(method, target, headers, body)
            server.heard.append(heard)
            said = answer(heard)
            if isinstance(said, bytes):
                writer.write(said)
            else:
                await said(writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    listening = await asyncio.start_server(connected, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        for one in talking:
            one.cancel()
        await asyncio.gather(*talking, return_exceptions=True)


def ok(body: bytes, media_type: str = "application/json", *more: str) -> bytes:
    headers = [f"Content-Type: {media_type}", f"Content-Length: {len(body)}", *more]
    return ("HTTP/1.1 200 OK\r\n" + "\r\n".join(headers) + "\r\n\r\n").encode() + body


def redirect(location: str, status: int = 302) -> bytes:
    return f"HTTP/1.1 {status} Go\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()
