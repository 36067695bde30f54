"""The gateway's counter: who may ask, who answers, and what is written down about it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bancada.domain.json import dumps, loads
from bancada.domain.messages import Block
from bancada.engine.costs import used
from bancada.engine.workbench import Workbench
from bancada.gateway import reception
from bancada.gateway.asked import Asked, messages_of
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import GatewayRefused, error_body
from bancada.gateway.exchange import Exchange, Exchanges
from bancada.gateway.handed import hand_over
from bancada.gateway.history import ClientHistory
from bancada.gateway.limits import KeyCounts, key_use
from bancada.gateway.metering import Meter
from bancada.gateway.offered import wants_code
from bancada.gateway.served import Served
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
from bancada.gateway.wire import frame, new_id
from bancada.model.model import Reply
from bancada.store import gateway_containers, replies
from bancada.store.gateway_containers import ContainerRow

log = logging.getLogger("bancada.gateway")

BROKE_OFF = "The connection to the model's server broke off."
JSON_TYPE = {"content-type": "application/json"}
SSE_TYPE = {"content-type": "text/event-stream; charset=utf-8"}


@dataclass
class GatewayDesk:
    """One for the process: every request of a client of others comes here."""

    bench: Workbench
    limits: KeyCounts = field(default_factory=KeyCounts)
    exchanges: Exchanges = field(init=False)

    def __post_init__(self) -> None:
        self.exchanges = Exchanges(self.bench)

    async def close(self) -> None:
        await self.exchanges.close()

    async def messages(self, client: GatewayClient, asked: Asked) -> GatewayAnswer:
        """Ask a model for a client; the answer is the model's, and what it used is on record."""
        headers = await self.admitted(client)
        if client.agent_id is not None or wants_code(asked.body) or asked.container is not None:
            served = await reception.served(self, client, asked)
            if served is not None:
                return await self._served(served, headers)
        began = time.perf_counter()
        upstream = upstream_for(self.bench.models, client, asked.model)
        _check_data(upstream, asked)
        with self.limits.counting(client):
            answer = await upstream.send(MESSAGES, asked)
        meter = Meter.of(answer.headers.get("content-type", ""), upstream.route)
        passing = self._passing(client, asked, answer, meter, began)
        return GatewayAnswer(answer.status, {**answer.headers, **headers}, passing)

    async def _served(self, served: Served, headers: dict[str, str]) -> GatewayAnswer:
        """An answer that we add to; one container answers one request at a time."""
        if served.exchange is not None:
            # Looked at when the container was found, too; another request may have come since.
            served.exchange.check_free()
            served.exchange.busy = True
        try:
            with self.limits.counting(served.client):
                await served.begin()
            if served.asked.stream:
                return GatewayAnswer(200, {**SSE_TYPE, **headers}, self._told(served))
            whole = await self._whole(served)
        except BaseException:
            _rest(served)
            raise
        return GatewayAnswer(200, {**JSON_TYPE, **headers}, each(whole))

    async def _whole(self, served: Served) -> bytes:
        try:
            with self.limits.counting(served.client):
                async for _ in served.events():
                    pass
            return dumps(served.message()).encode()
        except BrokenOff as broken:
            raise GatewayRefused(BROKE_OFF, status=502) from broken
        finally:
            _rest(served)

    async def _told(self, served: Served) -> AsyncIterator[bytes]:
        """The answer's events; what goes wrong from here on is one of them."""
        try:
            with self.limits.counting(served.client):
                async for event in served.events():
                    yield frame(event)
        except GatewayRefused as refused:
            yield frame({"type": "error", **loads(refused.body(""))})
        except BrokenOff as broken:
            log.warning("an answer broke off: %s", broken)
            yield broken_off(is_stream=True)
        finally:
            _rest(served)

    async def new_container(self, served: Served) -> Exchange:
        """A container for a client that has none yet."""
        person = served.client.person
        now = time.time()
        row = ContainerRow(
            id=new_id("container"),
            organisation_id=person.organisation_id,
            user_id=person.id,
            key_id=served.client.key_id,
            functions=served.offered.fingerprint,
            created_at=now,
            expires_at=now + self.bench.settings.gateway_container_days * 86_400,
        )
        await self.bench.database.run(gateway_containers.add, row)
        return self.exchanges.keep(
            Exchange(
                self.bench,
                served.client,
                row,
                served.offered,
                served.agent,
                tainted=served.tainted,
                busy=True,
            )
        )

    async def handed_over(self, client: GatewayClient, calls: list[Block]) -> None:
        """Write that these calls went to the client to run."""
        if calls:
            await self.bench.database.run(hand_over, client, calls)

    async def count_tokens(self, client: GatewayClient, asked: Asked) -> GatewayAnswer:
        headers = await self.admitted(client)
        upstream = upstream_for(self.bench.models, client, asked.model)
        _check_data(upstream, asked)
        answer = await upstream.send(COUNT_TOKENS, asked)
        return GatewayAnswer(answer.status, {**answer.headers, **headers}, answer.chunks)

    async def models(self, client: GatewayClient, id: str, query: str) -> GatewayAnswer:
        path = f"{MODELS}/{id}" if id else MODELS
        return await upstream_for(self.bench.models, client, id).models(path, query)

    async def admitted(self, client: GatewayClient) -> dict[str, str]:
        """The headers that say what is left; refused where nothing is."""
        use, spent = await self.bench.database.read(key_use, client, time.time())
        return self.limits.check(client, use, spent)

    async def _passing(
        self, client: GatewayClient, asked: Asked, answer: GatewayAnswer, meter: Meter, began: float
    ) -> AsyncIterator[bytes]:
        """The answer as it comes. What it used is written however it ends."""
        with self.limits.counting(client):
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
                await asyncio.shield(self.keep(client, asked, meter, time.perf_counter() - began))

    async def keep(self, client: GatewayClient, asked: Asked, meter: Meter, seconds: float) -> None:
        """Write down what a reply used, and the calls it hands to the client."""
        if meter.heard:
            await self.bench.database.run(self._write, client, asked, meter, seconds)

    def _write(
        self, db: Connection, client: GatewayClient, asked: Asked, meter: Meter, seconds: float
    ) -> None:
        person = client.person
        reply = Reply(
            content=[],
            stop_reason=meter.stop_reason,
            usage=meter.tokens,
            model=meter.model or asked.model,
        )
        row = used(
            reply,
            meter.route.provider.price(reply.usage, reply.model),
            seconds * 1000,
            organisation_id=person.organisation_id,
            user_id=person.id,
            agent_id=client.agent_id or 0,
            key_id=client.key_id,
        )
        replies.add(db, row)
        hand_over(db, client, meter.calls)


def _rest(served: Served) -> None:
    if served.exchange is not None:
        served.exchange.busy = False


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
