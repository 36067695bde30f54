"""Waiting for one answer of a container that is not a cell's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from bancada.sandbox.sandbox import EvaluationFailed, SandboxError
from bancada.sandbox.wire import Violation

_MOST_PROGRESS = 20_000


class _PendingAnswer:
    """Somebody who waits for one answer that is not a cell's."""

    def __init__(self) -> None:
        self.outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def fail(self, error: BaseException) -> None:
        if not self.outcome.done():
            self.outcome.set_exception(error)


class Beginning(_PendingAnswer):
    """Waits to hear that the walls stand."""

    def message(self, message: dict[str, Any], size: int) -> None:
        if message.get("ready") is True:
            self.outcome.set_result(None)
        else:
            self.fail(SandboxError(f"a wall could not be built: {message.get('unready')}"))


class Evaluation(_PendingAnswer):
    """Waits for one value, or for the exception in its place; hears how far the work is."""

    def __init__(self, progress: Callable[[float], None] | None) -> None:
        super().__init__()
        self._progress = progress
        self._told = 0

    def message(self, message: dict[str, Any], size: int) -> None:
        if "result" in message:
            self.outcome.set_result(message["result"])
            return
        share = message.get("progress")
        if self._progress is not None and isinstance(share, float) and 0 <= share <= 1:
            self._told += 1
            if self._told > _MOST_PROGRESS:
                raise Violation("progress without end")
            self._progress(share)
            return
        match message.get("failed"):
            case [str(type), str(text)]:
                self.fail(EvaluationFailed(type, text))
            case _:
                raise Violation("neither a result nor a failure")
