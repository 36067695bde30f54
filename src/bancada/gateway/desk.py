"""The gateway's counter: who may ask, who answers, and what is written down about it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bancada.engine.costs import used
from bancada.engine.workbench import Workbench
from bancada.gateway.asked import Asked
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import error_body
from bancada.gateway.handed import hand_over
from bancada.gateway.limits import KeyCounts, key_use
from bancada.gateway.metering import Meter
from bancada.gateway.upstream import (
    COUNT_TOKENS,
    MESSAGES,
    MODELS,
    BrokenOff,
    GatewayAnswer,
    upstream_for,
)
from bancada.gateway.wire import frame
from bancada.model.model import Reply
from bancada.store import replies

log = logging.getLogger("bancada.gateway")


@dataclass
class GatewayDesk:
    """One for the process: every request of a client of others comes here."""

    bench: Workbench
    limits: KeyCounts = field(default_factory=KeyCounts)

    async def messages(self, client: GatewayClient, asked: Asked) -> GatewayAnswer:
        """Ask a model for a client; the answer is the model's, and what it used is on record."""
        headers = await self._admitted(client)
        began = time.perf_counter()
        upstream = upstream_for(self.bench.models, client, asked.model)
        with self.limits.counting(client):
            answer = await upstream.send(MESSAGES, asked)
        meter = Meter.of(answer.headers.get("content-type", ""), upstream.route)
        passing = self._passing(client, asked, answer, meter, began)
        return GatewayAnswer(answer.status, {**answer.headers, **headers}, passing)

    async def count_tokens(self, client: GatewayClient, asked: Asked) -> GatewayAnswer:
        headers = await self._admitted(client)
        answer = await upstream_for(self.bench.models, client, asked.model).send(
            COUNT_TOKENS, asked
        )
        return GatewayAnswer(answer.status, {**answer.headers, **headers}, answer.chunks)

    async def models(self, client: GatewayClient, id: str, query: str) -> GatewayAnswer:
        path = f"{MODELS}/{id}" if id else MODELS
        return await upstream_for(self.bench.models, client, id).models(path, query)

    async def _admitted(self, client: GatewayClient) -> dict[str, str]:
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


def broken_off(*, is_stream: bool) -> bytes:
    """What a client reads where the model's server went away in mid-answer."""
    body = error_body(502, "The connection to the model's server broke off.")
    return frame(body) if is_stream else b""
