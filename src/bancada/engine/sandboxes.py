"""The sandbox as packs see it: run a program, or our harness on a query a model wrote.

The sandbox's zygote starts when the first code runs, so that a start of the server does not
pay for it; whether there is one at all is known from the beginning.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from bancada.data.evaluator import Evaluator, holder_of
from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSON, JSONObject
from bancada.domain.shares import Shares
from bancada.engine.owner import CodeFile, bound
from bancada.sandbox import (
    OutputFile,
    Sandbox,
    SandboxError,
    TierReport,
    TooManyContainers,
    probe,
    start_sandbox,
)
from bancada.tools.pack import PythonRun
from bancada.tools.tool import ToolContext


@cache
def _probed() -> Sequence[TierReport]:
    """What this machine can hold: asked once, since it takes a while and does not change."""
    return probe()


BUSY = "Try again when other code has ended."


@dataclass
class SandboxService:
    """One sandbox for the process, started when it is first needed."""

    run_folder: Path
    tier: str | None = None
    max_containers: int = 64
    per_organisation: int = 64
    per_person: int = 64
    """Of these places, how many one organisation and one person may hold."""
    idle_seconds: float = 270.0
    files_for: Callable[[str | None, int], Awaitable[Sequence[CodeFile]]] | None = None
    """The read-only files of a conversation, and of its organisation."""
    keep_file: Callable[[OutputFile, ToolContext], Awaitable[JSONObject]] | None = None
    _sandbox: Sandbox | None = None
    _starting: asyncio.Lock = field(default_factory=asyncio.Lock)
    _evaluator: Evaluator = field(init=False)
    _missing: str | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._evaluator = Evaluator(self.sandbox)
        reports = [r for r in _probed() if self.tier is None or r.tier == self.tier]
        if not any(report.available for report in reports):
            # Why not is the operator's to know: `doctor` says it, tier by tier.
            self._missing = "this machine has no sandbox"

    @property
    def missing(self) -> str | None:
        return self._missing

    @property
    def running(self) -> Sandbox | None:
        """The sandbox, if it was started."""
        return self._sandbox

    async def sandbox(self) -> Sandbox:
        """The sandbox, started now if it was not."""
        async with self._starting:
            if self._sandbox is None:
                self._sandbox = await start_sandbox(
                    self.run_folder,
                    tier=self.tier,
                    max_containers=self.max_containers,
                    idle_seconds=self.idle_seconds,
                    shares=Shares(
                        self.max_containers,
                        per_organisation=self.per_organisation,
                        per_person=self.per_person,
                    ),
                )
            return self._sandbox

    async def python(self, code: str, *, context: ToolContext, seconds: float) -> PythonRun:
        organisation_id = context.person.organisation_id
        files: Sequence[CodeFile] = ()
        if self.files_for is not None:
            files = await self.files_for(context.conversation_id, organisation_id)
        try:
            sandbox = await self.sandbox()
            container = await sandbox.open(
                await bound(files), holder=holder_of(context), belongs_to=context.conversation_id
            )
        except TooManyContainers as busy:
            raise ToolFailed(f"{busy} {BUSY}") from None
        except SandboxError as error:
            raise ToolFailed(f"Code cannot run here: {error}") from error
        try:
            result = await container.run(code, seconds=seconds)
        finally:
            await container.end()
        kept = []
        if self.keep_file is not None:
            kept = [await self.keep_file(file, context) for file in result.files]
        return PythonRun(
            stdout=result.stdout,
            stderr=result.stderr,
            return_code=result.return_code,
            timed_out=result.error_code == "execution_time_exceeded",
            files=tuple(kept),
        )

    @property
    def evaluate(self) -> Callable[..., Coroutine[Any, Any, JSON]]:
        """In a warm container per `key`, opened anew when its files change."""
        return self._evaluator.evaluate

    async def end_of(self, conversation_id: str) -> None:
        """End what runs for a conversation, now."""
        if self._sandbox is not None:
            await self._sandbox.end_of(conversation_id)

    async def close(self) -> None:
        if self._sandbox is not None:
            await self._sandbox.close()
            self._sandbox = None
