"""A `Jail` over the real sandbox: one warm container for each key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bancada import ToolFailed
from bancada.sandbox import (
    Container,
    ContainerEnded,
    EvaluationFailed,
    EvaluationTimedOut,
    ReadOnlyFile,
    Sandbox,
    start_sandbox,
)


class SandboxJail:
    """Evaluates in containers; counts how many it opened."""

    missing: str | None = None

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.opened = 0
        self._warm: dict[str, Container] = {}

    async def evaluate(
        self,
        harness: str,
        input: Any,
        *,
        key: str,
        files: Mapping[str, Path],
        seconds: float,
        max_bytes: int = 4_000_000,
    ) -> Any:
        container = self._warm.get(key)
        if container is None or not container.alive:
            bound = [ReadOnlyFile(source, name) for name, source in files.items()]
            container = self._warm[key] = await self.sandbox.open(bound)
            self.opened += 1
        try:
            return await container.evaluate(harness, input, seconds=seconds, max_bytes=max_bytes)
        except EvaluationTimedOut as error:
            raise ToolFailed(f"Not finished after {seconds:g} seconds.") from error
        except (EvaluationFailed, ContainerEnded) as error:
            raise ToolFailed(str(error)) from error

    async def python(self, code: str, **_: Any) -> Any:
        raise AssertionError("the pack runs no programs")


@asynccontextmanager
async def open_jail(folder: Path) -> AsyncIterator[SandboxJail]:
    sandbox = await start_sandbox(folder)
    try:
        yield SandboxJail(sandbox)
    finally:
        await sandbox.close()
