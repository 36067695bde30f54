"""The one retrier: when it waits, when it gives up, what it says."""

from __future__ import annotations

import pytest

from bancada.model.model import ModelFailed, Restarted, TextPiece
from bancada.model.retry import Retrying
from bancada.testing import ScriptedModel, fails, says
from tests.model.asking import ask, request


class Clock:
    """Takes the waits instead of waiting."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)


def overloaded(retry_after: float | None = None) -> ModelFailed:
    return ModelFailed("overloaded", "busy", retryable=True, retry_after=retry_after)


async def test_a_reply_that_comes_is_handed_on_untouched() -> None:
    events, reply = await ask(Retrying(ScriptedModel([says("Sim.")])))

    assert events == [TextPiece("Sim.")]
    assert reply.content == [{"type": "text", "text": "Sim."}]


async def test_nothing_is_said_to_start_over_when_nothing_was_shown() -> None:
    clock = Clock()

    events, _ = await ask(Retrying(ScriptedModel([overloaded(), says("Sim.")]), sleep=clock))

    assert events == [TextPiece("Sim.")]
    assert len(clock.waits) == 1


async def test_what_was_shown_is_taken_back_before_the_new_attempt() -> None:
    script = ScriptedModel([fails(overloaded(), after="Meia resp"), says("Sim.")])

    events, _ = await ask(Retrying(script, sleep=Clock()))

    assert events == [
        TextPiece("Meia "),
        TextPiece("resp"),
        Restarted("busy"),
        TextPiece("Sim."),
    ]


async def test_a_failure_that_will_not_pass_is_told_at_once() -> None:
    wrong_key = ModelFailed("invalid_api_key", "no", retryable=False)
    script, clock = ScriptedModel([wrong_key, says("never")]), Clock()

    with pytest.raises(ModelFailed) as caught:
        await ask(Retrying(script, sleep=clock))

    assert caught.value is wrong_key
    assert (clock.waits, script.remaining) == ([], 1)


async def test_the_last_failure_is_told_when_the_attempts_are_spent() -> None:
    failures = [overloaded(), overloaded(), ModelFailed("rate_limited", "slow", retryable=True)]
    clock = Clock()

    with pytest.raises(ModelFailed, match="slow") as caught:
        await ask(Retrying(ScriptedModel(failures), attempts=3, sleep=clock))

    assert caught.value.code == "rate_limited"
    assert len(clock.waits) == 2


@pytest.mark.parametrize(("jitter", "waits"), [(0.0, [0.5, 1, 2, 4]), (1.0, [1, 2, 4, 8])])
async def test_waits_double_within_their_jitter(jitter: float, waits: list[float]) -> None:
    script, clock = ScriptedModel([*[overloaded() for _ in range(4)], says("Sim.")]), Clock()

    await ask(
        Retrying(script, attempts=5, first_wait=1.0, sleep=clock, jitter=lambda: jitter), request()
    )

    assert clock.waits == waits


async def test_the_providers_wait_is_honoured_but_not_for_ever() -> None:
    clock = Clock()
    await ask(Retrying(ScriptedModel([overloaded(20), says("Sim.")]), sleep=clock))
    assert clock.waits == [20]

    with pytest.raises(ModelFailed):
        await ask(Retrying(ScriptedModel([overloaded(3600), says("never")]), sleep=clock))
    assert clock.waits == [20]
