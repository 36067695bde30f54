"""Many requests at once overrun a limit of money by no more than one would."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import anthropic
import pytest
from sqlalchemy import delete, select, update

from bancada.engine.money import LONGEST_REPLY, may_cost
from bancada.gateway.metering import Meter
from bancada.model.model import Tokens
from bancada.model.providers import Route
from bancada.store.tables import reservations, users
from tests.gateway.counter import ASK, Counter, KeyLimits, counter
from tests.gateway.test_containers import kept
from tests.gateway.vendor import Slow, says

__all__ = ["kept"]

ENOUGH = 0.0002
"""More than a reply here costs, and less than it might."""


async def set_aside(at: Counter) -> list[Any]:
    return await at.site.bench.database.run(lambda db: list(db.execute(select(reservations))))


@pytest.mark.parametrize("limits", ["key", "person"])
async def test_what_is_under_way_counts_until_it_is_known_what_it_cost(
    kept: tuple[Path, dict[str, Any]], limits: str
) -> None:
    folder, settings = kept
    async with counter(folder, Slow("Um", "dois", 3.0), says("Sim."), **settings) as at:
        of_key = KeyLimits(monthly_usd=ENOUGH) if limits == "key" else KeyLimits()
        client = await at.sdk(limits=of_key)
        if limits == "person":
            one = update(users).where(users.c.email == "rui@demo.com")
            await at.site.bench.database.run(
                lambda db: db.execute(one.values(monthly_budget_usd=ENOUGH))
            )

        async with client.messages.stream(**ASK) as first:
            async for _ in first:
                break
            with pytest.raises(anthropic.RateLimitError) as refused:
                await client.messages.create(**ASK)
            assert len(await set_aside(at)) == 1
        assert "under way" in str(refused.value)
        assert refused.value.response.headers["retry-after"] == "5"
        assert len(at.behind.bodies) == 1

        async with asyncio.timeout(10):
            while await set_aside(at):
                await asyncio.sleep(0.05)
        assert (await client.messages.create(**ASK)).content


async def test_a_request_that_fails_leaves_nothing_set_aside(folder: Path) -> None:
    async with counter(folder, anthropic_base_url="http://127.0.0.1:9") as at:
        client = await at.sdk(limits=KeyLimits(monthly_usd=1.0))

        with pytest.raises(anthropic.InternalServerError):
            await client.messages.create(**ASK)

        assert await set_aside(at) == []


async def test_what_a_dead_process_had_set_aside_lapses(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        key_id, key = await at.key(limits=KeyLimits(monthly_usd=1.0))
        client = at.client(key)
        rui = {"organisation_id": 1, "user_id": 2, "key_id": key_id, "usd": 2.0}

        def left(db: Any, until: float) -> None:
            db.execute(delete(reservations))
            db.execute(reservations.insert().values(id="r1", held_until=until, **rui))

        await at.site.bench.database.run(left, time.time() + 30)
        with pytest.raises(anthropic.RateLimitError):
            await client.messages.create(**ASK)

        await at.site.bench.database.run(left, time.time() - 1)
        assert (await client.messages.create(**ASK)).content
        assert await set_aside(at) == []


async def test_a_turn_and_a_request_at_once_do_not_both_have_what_is_left(
    kept: tuple[Path, dict[str, Any]],
) -> None:
    folder, settings = kept
    slow = Slow("Um", "dois", 2.0)
    async with counter(folder, slow, says("Sim."), says("Sim."), **settings) as at:
        one = update(users).where(users.c.email == "rui@demo.com")
        await at.site.bench.database.run(
            lambda db: db.execute(one.values(monthly_budget_usd=ENOUGH))
        )
        client, first, other = await at.sdk(), *[await at.site.signs_in("rui") for _ in range(2)]
        for talk in (first, other):
            await talk.begins("Qualidade")

        async with first.asking("quantos?") as frames:
            async for event in frames:
                if event.type == "text":
                    break
            refused = await other.asks("quantos?")
            with pytest.raises(anthropic.RateLimitError):
                await client.messages.create(**ASK)
            assert len(await set_aside(at)) == 1
            assert len(at.behind.bodies) == 1
            assert [event.type async for event in frames][-1] == "done"

        (error,) = [event.data for event in refused if event.type == "error"]
        assert (error["code"], error["retryable"]) == ("budget_exceeded", True)
        assert "em curso" in error["content"]
        assert await set_aside(at) == []
        await at.site.bench.database.run(lambda db: db.execute(one.values(monthly_budget_usd=1.0)))
        assert [event.type for event in await other.asks("quantos?")][-1] == "done"


async def test_a_turn_that_is_stopped_leaves_nothing_set_aside(folder: Path) -> None:
    async with counter(folder, Slow("Um", "dois", 5.0)) as at:
        everybody = update(users).values(monthly_budget_usd=1.0)
        await at.site.bench.database.run(lambda db: db.execute(everybody) and None)
        rui = await at.site.signs_in("rui")
        await rui.begins("Qualidade")

        async with rui.asking("quantos?") as frames:
            async for event in frames:
                if event.type == "text":
                    break
            assert len(await set_aside(at)) == 1
            await rui.post(f"/conversations/{rui.conversation}/stop")

        assert await set_aside(at) == []


async def test_a_length_that_is_no_number_is_refused_where_money_is_counted(folder: Path) -> None:
    async with counter(folder, says("Um.")) as at:
        _, key = await at.key(limits=KeyLimits(monthly_usd=1.0))
        client = at.site.client(**{"x-api-key": key})
        for wrong in (True, "4096", 4096.0, -5, None):
            answer = await client.post("/v1/messages", json={**ASK, "max_tokens": wrong})
            assert answer.status_code == 400, (wrong, answer.text)
            assert answer.json()["error"]["type"] == "invalid_request_error"
        assert at.behind.bodies == []
        assert (await client.post("/v1/messages", json=ASK)).status_code == 200


def test_a_length_that_no_model_reaches_sets_no_more_aside() -> None:
    priced = SimpleNamespace(price=lambda tokens, model: float(tokens.output))
    route = cast(Route, SimpleNamespace(provider=priced))
    assert may_cost(route, "m", 0, 10**30) == may_cost(route, "m", 0, LONGEST_REPLY)


def test_a_stream_that_its_client_leaves_is_counted_by_what_it_had_said() -> None:
    meter = Meter.of("text/event-stream", cast("Route", None))
    usage = {"input_tokens": 900, "output_tokens": 1}
    begins = {"type": "message_start", "message": {"model": "m", "usage": usage}}
    piece = {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "word " * 40}}
    ends = {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 61}}

    for event in (begins, piece):
        meter.hear(f"data: {json.dumps(event)}\n\n".encode())

    assert meter.tokens == Tokens(input=900, output=50, estimated=True)
    meter.hear(f"data: {json.dumps(ends)}\n\n".encode())
    assert meter.tokens == Tokens(input=900, output=61)
