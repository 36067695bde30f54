"""A provider's limits, kept before it has to say so itself."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bancada.model.limits import Limited, Pace, ProviderLimits
from bancada.model.model import ModelFailed, Reply, Tokens
from bancada.model.scripted import Line, ScriptedModel
from tests.model.asking import ask
from tests.model.workshop import asking


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.waited: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.now += seconds


def dear(tokens: int) -> Line:
    return Line(content=[{"type": "text", "text": "x"}], usage=Tokens(input=tokens))


def limited(*lines: Line | str, **limits: int) -> tuple[Limited, ScriptedModel, Clock]:
    script, clock = ScriptedModel(lines), Clock()
    pace = Pace(ProviderLimits(**limits), clock=clock, sleep=clock.sleep)
    return Limited(script, pace), script, clock


async def test_requests_beyond_the_minutes_number_wait_for_the_next_one() -> None:
    model, script, clock = limited("a", "b", "c", rpm=2)

    await ask(model)
    clock.now = 45.0
    await ask(model)
    await ask(model)

    assert clock.waited == [15.0]
    assert len(script.requests) == 3


async def test_a_wait_that_is_too_long_is_told_instead() -> None:
    model, _, _ = limited("a", "b", rpm=1)
    await ask(model)

    with pytest.raises(ModelFailed) as told:
        await ask(model)

    assert told.value.code == "rate_limited"
    assert told.value.retry_after == 60.0


async def test_tokens_are_counted_as_they_are_used() -> None:
    model, _, clock = limited(dear(900), dear(200), dear(1), tpm=1000)

    await ask(model)
    clock.now = 40.0
    await ask(model)
    await ask(model)

    assert clock.waited == [20.0]


async def test_what_cannot_fit_is_not_sent() -> None:
    model, script, _ = limited("a", max_context=1024)

    with pytest.raises(ModelFailed) as told:
        await ask(model, asking("word " * 4000))

    assert told.value.code == "context_exceeded"
    assert script.requests == []


async def test_the_bytes_of_a_picture_are_not_counted_as_words() -> None:
    model, script, _ = limited("a", max_context=4096)
    source = {"type": "base64", "media_type": "image/png", "data": "A" * 4_000_000}
    picture = {"role": "user", "content": [{"type": "image", "source": source}]}
    asked = replace(asking("What is it?"), messages=[picture])

    await ask(model, asked)

    assert len(script.requests) == 1
    with pytest.raises(ModelFailed):
        await ask(model, replace(asked, tokens_shown=4800))


async def test_only_so_many_replies_are_under_way_at_once() -> None:
    under_way, most = 0, 0

    class Slow:
        name = "slow"

        async def stream(self, request: object):  # type: ignore[no-untyped-def]
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.01)
            under_way -= 1
            yield Reply(content=[], stop_reason="end_turn", usage=Tokens(), model="slow")

    model = Limited(Slow(), Pace(ProviderLimits(concurrency=2)))
    await asyncio.gather(*(ask(model) for _ in range(6)))

    assert most == 2


def test_a_small_window_shortens_what_is_read_of_a_result() -> None:
    assert ProviderLimits(max_context=8000).result_chars(30_000) == 6000
    assert ProviderLimits(max_context=200_000).result_chars(30_000) == 30_000
    assert ProviderLimits().result_chars(30_000) == 30_000
