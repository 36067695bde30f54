"""The gateway's counter: who may ask, who answers, and what is written down about it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection

from bancada.domain.json import dumps, loads
from bancada.gateway import reception
from bancada.gateway.asked import Asked, messages_of
from bancada.gateway.books import GatewayBooks
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import GatewayRefused, error_body
from bancada.gateway.history import ClientHistory
from bancada.gateway.metering import Meter
from bancada.gateway.offered import wants_code
from bancada.gateway.served import ServedRequest
from bancada.gateway.upstream import (
    COUNT_TOKENS,
    MESSAGES,
    MODELS,
    BrokenOff,
    GatewayAnswer,
    Upstream,
    check_outside,
    each,
    upstream_for,
)
from bancada.gateway.wire import frame
from bancada.store import files, gateway_containers

log = logging.getLogger("bancada.gateway")

BROKE_OFF = "The connection to the model's server broke off."
JSON_TYPE = {"content-type": "application/json"}
SSE_TYPE = {"content-type": "text/event-stream; charset=utf-8"}


@dataclass
class GatewayDesk:
    """One for the process: every request of a client of others comes here."""

    books: GatewayBooks

    async def close(self) -> None:
        await self.books.close()

    async def messages(self, client: GatewayClient, asked: Asked) -> GatewayAnswer:
        """Ask a model for a client; the answer is the model's, and what it used is on record."""
        admitted = await self.books.admitted(client)
        headers = admitted.headers
        if client.agent_id is not None or wants_code(asked.body) or asked.container is not None:
            # Counted from the moment it is admitted: whoever comes meanwhile would see its place free.
            with self.books.limits.counting(client):
                served = await reception.served(self.books, client, asked, admitted)
                if served is not None:
                    return await self._served(served, headers)
        began = time.perf_counter()
        upstream = upstream_for(self.books.bench.models, client, asked.model)
        _check_data(upstream, asked)
        with self.books.limits.counting(client):
            reserved = await self.books.reserve(client, asked, upstream.route, admitted)
            try:
                answer = await upstream.send(MESSAGES, asked)
            except BaseException:
                await asyncio.shield(self.books.money.settle(reserved))
                raise
        meter = Meter.of(answer.headers.get("content-type", ""), upstream.route)
        passing = self._passing(client, asked, answer, meter, began, reserved)
        return GatewayAnswer(answer.status, {**answer.headers, **headers}, passing)

    async def _served(self, served: ServedRequest, headers: dict[str, str]) -> GatewayAnswer:
        """An answer that we add to; one container answers one request at a time."""
        if served.exchange is not None:
            await served.exchange.take()
        try:
            await served.begin()
            if served.asked.stream:
                return GatewayAnswer(
                    200, {**SSE_TYPE, **headers, **served.headers}, self._told(served)
                )
            whole = await self._whole(served)
        except BaseException:
            await _rest(served)
            raise
        return GatewayAnswer(200, {**JSON_TYPE, **headers, **served.headers}, each(whole))

    async def _whole(self, served: ServedRequest) -> bytes:
        try:
            async for _ in served.events():
                pass
            return dumps(served.message()).encode()
        except BrokenOff as broken:
            raise GatewayRefused(BROKE_OFF, status=502) from broken
        finally:
            await _rest(served)

    async def _told(self, served: ServedRequest) -> AsyncIterator[bytes]:
        """The answer's events; what goes wrong from here on is one of them."""
        try:
            with self.books.limits.counting(served.client):
                async for event in served.events():
                    yield frame(event)
        except GatewayRefused as refused:
            yield frame({"type": "error", **loads(refused.body(""))})
        except BrokenOff as broken:
            log.warning("an answer broke off: %s", broken)
            yield broken_off(is_stream=True)
        finally:
            await _rest(served)

    async def count_tokens(self, client: GatewayClient, asked: Asked) -> GatewayAnswer:
        headers = (await self.books.admitted(client)).headers
        upstream = await self._for(client, asked.model)
        _check_data(upstream, asked)
        answer = await upstream.send(COUNT_TOKENS, asked)
        return GatewayAnswer(answer.status, {**answer.headers, **headers}, answer.chunks)

    async def file(self, client: GatewayClient, id: str) -> Any:
        """A file that code in a container of this client's wrote."""
        row = await self.books.bench.database.read(_file_of, id, client)
        if row is None:
            raise no_file(id)
        return row

    async def models(self, client: GatewayClient, id: str, query: str) -> GatewayAnswer:
        # The provider's key opens more than models: a name must not become another path there.
        if any(part in ("", ".", "..") for part in id.split("/")) and id:
            raise GatewayRefused(f"model: {id}", status=404)
        path = f"{MODELS}/{quote(id, safe='/:@')}" if id else MODELS
        return await (await self._for(client, id)).models(path, query)

    async def _for(self, client: GatewayClient, model: str) -> Upstream:
        """Who answers, where the key's agent decides that too."""
        agent = await self.books.agent(client)
        return upstream_for(self.books.bench.models, client, model, agent.name if agent else None)

    async def _passing(
        self,
        client: GatewayClient,
        asked: Asked,
        answer: GatewayAnswer,
        meter: Meter,
        began: float,
        reserved: str | None,
    ) -> AsyncIterator[bytes]:
        """The answer as it comes. What it used is written however it ends."""
        with self.books.limits.counting(client):
            try:
                async with aclosing(answer.chunks) as chunks:  # type: ignore[type-var]
                    async for chunk in chunks:
                        meter.hear(chunk)
                        yield chunk
            except BrokenOff as broken:
                log.warning("an answer broke off: %s", broken)
                yield broken_off(is_stream="event-stream" in answer.headers["content-type"])
            finally:
                meter.end()
                # A client that goes away cancels this; what was used was used all the same.
                spent = time.perf_counter() - began
                await asyncio.shield(self.books.keep(client, asked, meter, spent, reserved))


def no_file(id: str) -> GatewayRefused:
    return GatewayRefused(f"File not found: {id}", status=404)


def _file_of(db: Connection, id: str, client: GatewayClient) -> Any | None:
    user_id = client.person.id
    row = files.find(db, id)
    # A key for the gateway opens what was written there, not what its person's chats made.
    if row is None or row.user_id != user_id or row.conversation_id is None:
        return None
    container = gateway_containers.find(db, row.conversation_id, user_id, client.key_id)
    return None if container is None else row


async def _rest(served: ServedRequest) -> None:
    if served.exchange is not None:
        await served.exchange.let_go()


def broken_off(*, is_stream: bool) -> bytes:
    """What a client reads where the model's server went away in mid-answer."""
    body = error_body(502, BROKE_OFF)
    return frame(body) if is_stream else b""


def _check_data(upstream: Upstream, asked: Asked) -> None:
    # Read only where it matters: all else goes through as it came.
    if (
        not upstream.route.provider.outside_data
        and ClientHistory(messages_of(asked.body)).brings_text
    ):
        check_outside(upstream)
