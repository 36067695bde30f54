"""A provider's limits, kept on our side: a request that would break one waits, or is told why not."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from typing import cast

from bancada.model.model import Model, ModelAround, ModelEvent, ModelFailed, Reply, Request
from bancada.model.weight import tokens_about

MINUTE = 60.0
LONGEST_WAIT = 30.0
"""Beyond that the person is told rather than kept waiting."""
CHARS_A_TOKEN = 3
"""An estimate: what a result is cut to should fit even where tokens are short."""
MOST_CHARS_A_TOKEN = 6
"""What is too long even by this is not sent; of the rest the server says so itself."""


SMALL_CONTEXT = 32_768
"""Tokens: with a window up to this, only what a question needs is said."""


@dataclass(frozen=True, kw_only=True)
class ProviderLimits:
    """What may go to a provider at once, in a minute, and in one request."""

    concurrency: int | None = None
    rpm: int | None = None
    tpm: int | None = None
    max_context: int | None = None

    @property
    def is_small(self) -> bool:
        """Whether what a request holds beside the question had better be short."""
        return self.max_context is not None and self.max_context <= SMALL_CONTEXT

    def result_chars(self, usual: int) -> int:
        """How much of a tool's result the model reads: a quarter of what fits, at most."""
        if self.max_context is None:
            return usual
        return min(usual, self.max_context * CHARS_A_TOKEN // 4)


class Pace:
    """Requests and tokens of the last minute, and who is under way: one for each provider."""

    def __init__(
        self,
        limits: ProviderLimits,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.limits = limits
        self.places = asyncio.Semaphore(limits.concurrency) if limits.concurrency else None
        self._clock, self._sleep = clock, sleep
        self._requests: deque[float] = deque()
        self._tokens: deque[tuple[float, int]] = deque()
        # Whoever waits for the next minute and whoever comes meanwhile go one after the other:
        # both would otherwise see the same free place and take it twice.
        self._turnstile = asyncio.Lock()

    async def wait(self) -> None:
        """Until another request may be sent.

        Raises:
            ModelFailed: `rate_limited`, when that would take too long.
        """
        if self.limits.rpm is None and self.limits.tpm is None:
            return
        async with self._turnstile:
            wait = self._left()
            if wait > LONGEST_WAIT:
                message = "the provider's limit of our settings is used up for this minute"
                raise ModelFailed("rate_limited", message, retryable=True, retry_after=wait)
            if wait > 0:
                await self._sleep(wait)
            self._requests.append(self._clock())

    def used(self, tokens: int) -> None:
        self._tokens.append((self._clock(), tokens))

    def _left(self) -> float:
        now, limits = self._clock(), self.limits
        while self._requests and self._requests[0] <= now - MINUTE:
            self._requests.popleft()
        while self._tokens and self._tokens[0][0] <= now - MINUTE:
            self._tokens.popleft()
        wait = 0.0
        if limits.rpm is not None and len(self._requests) >= limits.rpm:
            wait = self._requests[len(self._requests) - limits.rpm] + MINUTE - now
        if limits.tpm is not None:
            spent = sum(tokens for _, tokens in self._tokens)
            for at, tokens in self._tokens:
                if spent < limits.tpm:
                    break
                spent -= tokens
                wait = max(wait, at + MINUTE - now)
        return wait


class Limited(ModelAround):
    """A model whose provider is asked no more than it may be."""

    def __init__(self, model: Model, pace: Pace) -> None:
        super().__init__(model)
        self._pace = pace

    async def stream(self, request: Request) -> AsyncIterator[ModelEvent]:
        """Yield the model's reply, once there is room for the request.

        Raises:
            ModelFailed: the request is over a limit that waiting does not mend.
        """
        self._check_size(request)
        async with AsyncExitStack() as held:
            if self._pace.places is not None:
                await held.enter_async_context(self._pace.places)
            await self._pace.wait()
            events = await held.enter_async_context(
                aclosing(cast("AsyncGenerator[ModelEvent]", self._model.stream(request)))
            )
            async for event in events:
                if isinstance(event, Reply):
                    usage = event.usage
                    self._pace.used(usage.input + usage.output + usage.cache_write)
                yield event

    def _check_size(self, request: Request) -> None:
        most = self._pace.limits.max_context
        if most is None:
            return
        about = tokens_about(request, MOST_CHARS_A_TOKEN)
        if about > most:
            raise ModelFailed(
                "context_exceeded",
                f"at least {about} tokens (estimated), and max_context is {most}",
                retryable=False,
            )
