"""The one retrier. Nothing below it tries twice, so that waits and attempts add up nowhere else."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

from bancada.model.limits import LONGEST_WAIT
from bancada.model.model import (
    Began,
    Model,
    ModelAround,
    ModelEvent,
    ModelFailed,
    Reply,
    Request,
    Restarted,
)


class Retrying(ModelAround):
    """A model that asks again when the failure is one that passes.

    The wait doubles from `first_wait`, with jitter so that many turns do not come back at
    once; a `retry-after` is honoured up to `LONGEST_WAIT`. Beyond that the person is told
    rather than kept waiting.
    """

    def __init__(
        self,
        model: Model,
        *,
        attempts: int = 4,
        first_wait: float = 0.5,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        if attempts < 1:
            raise ValueError("attempts: at least one")
        super().__init__(model)
        self._attempts = attempts
        self._first_wait = first_wait
        self._sleep = sleep
        self._jitter = jitter

    async def stream(self, request: Request) -> AsyncIterator[ModelEvent]:
        """Yield a reply; `Restarted` before a new attempt if something was already shown.

        Raises:
            ModelFailed: the failure will not pass, or the attempts are spent.
        """
        for attempt in range(self._attempts):
            shown = False
            events = self._model.stream(request)
            try:
                async for event in events:
                    shown = shown or not isinstance(event, Began | Reply)
                    yield event
                return
            except ModelFailed as failed:
                wait = self._wait(attempt, failed)
                if wait is None:
                    raise
                reason = str(failed)
            finally:
                if isinstance(events, AsyncGenerator):
                    await events.aclose()
            if shown:
                yield Restarted(reason)
            await self._sleep(wait)

    def _wait(self, attempt: int, failed: ModelFailed) -> float | None:
        """How long to wait before the next attempt; none when there is no point in one."""
        if not failed.retryable or attempt + 1 >= self._attempts:
            return None
        if failed.retry_after is not None:
            return failed.retry_after if failed.retry_after <= LONGEST_WAIT else None
        wait = min(self._first_wait * 2.0**attempt, LONGEST_WAIT)
        return wait * (0.5 + self._jitter() / 2)
