"""Warm containers for queries: one for each conversation and set of files.

Opening the engine costs more than most queries, so a container stays until it has been idle for
a while. It is opened anew when the files change, when it has expired, or when a query killed it.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from pathlib import Path
from weakref import WeakValueDictionary

from bancada.data.process import OpenSandbox
from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSON, JSONObject
from bancada.domain.shares import Holder
from bancada.sandbox import (
    Container,
    ContainerEnded,
    EvaluationFailed,
    EvaluationTimedOut,
    Limits,
    ReadOnlyFile,
    SandboxError,
    TooManyContainers,
)
from bancada.tools.tool import ToolContext

_LIMITS = Limits(memory_mb=1024, disk_mb=8)


def holder_of(context: ToolContext) -> Holder:
    """On whose behalf a tool's container is held."""
    return Holder(context.person.organisation_id, context.person.id)


class Evaluator:
    """`Jail.evaluate`, in the sandbox that is opened for it. The harness finds its files in `input["data_folder"]`,
    and adds `out_of_memory` to a result that it had no memory for."""

    def __init__(self, sandbox: OpenSandbox) -> None:
        self._sandbox = sandbox
        self._warm: dict[str, tuple[str, Container]] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def evaluate(
        self,
        harness: str,
        input: JSONObject,
        *,
        key: str,
        files: Mapping[str, Path],
        seconds: float,
        max_bytes: int = 4_000_000,
        context: ToolContext | None = None,
    ) -> JSON:
        """The harness's `result`. Raises `ToolFailed` with a sentence for the model."""
        for last_try in (False, True):
            try:
                container, fresh = await self._container(key, files, context)
            except TooManyContainers as busy:
                raise ToolFailed(f"{busy} Try again when other queries have ended.") from None
            except SandboxError as error:
                raise ToolFailed(f"Queries cannot run here: {error}") from error
            except FileNotFoundError:
                raise ToolFailed("The data behind this table is no longer there.") from None
            known = {**input, "data_folder": container.data_folder}
            try:
                answer = await container.evaluate(
                    harness, known, seconds=seconds, max_bytes=max_bytes
                )
            except EvaluationTimedOut:
                sentence = (
                    f"The query took longer than {seconds:g} s and was stopped. Ask for less."
                )
                raise ToolFailed(sentence) from None
            except ContainerEnded:
                # One that had merely expired is replaced; one that died of this query is not.
                if fresh or last_try:
                    sentence = "The query needs more memory than it may use. Ask for less at once."
                    raise ToolFailed(sentence) from None
            except EvaluationFailed as failure:
                if failure.type == "MemoryError":
                    await container.end()
                raise ToolFailed(_sentence(failure)) from None
            else:
                # A heap that was full once is full of holes: the next query would fail, or
                # hang, for no fault of its own.
                if isinstance(answer, dict) and answer.pop("out_of_memory", False):
                    await container.end()
                return answer
        raise AssertionError("unreachable")

    async def _container(
        self, key: str, files: Mapping[str, Path], context: ToolContext | None
    ) -> tuple[Container, bool]:
        """The key's container, and whether it was opened just now."""
        # Two queries of one key race: both would open a container, and the one forgotten here
        # would stay open; or one would end, for other files, what the other is about to use.
        lock = self._opening.setdefault(key, asyncio.Lock())
        async with lock:
            self._forget_ended()
            signature = _signature(files)
            before = self._warm.get(key)
            if before is not None:
                if before[0] == signature:
                    return before[1], False
                del self._warm[key]
                await before[1].end()
            bound = [ReadOnlyFile(path, name) for name, path in sorted(files.items())]
            sandbox = await self._sandbox()
            container = await sandbox.open(
                bound,
                limits=_LIMITS,
                holder=None if context is None else holder_of(context),
                spare=True,
                belongs_to=None if context is None else context.conversation_id,
            )
            self._warm[key] = (signature, container)
            return container, True

    def _forget_ended(self) -> None:
        for key in [key for key, (_, container) in self._warm.items() if not container.alive]:
            del self._warm[key]


def _signature(files: Mapping[str, Path]) -> str:
    listed = "\n".join(f"{name}\t{path}" for name, path in sorted(files.items()))
    return hashlib.sha256(listed.encode()).hexdigest()


def _sentence(failure: EvaluationFailed) -> str:
    if failure.type == "ResultTooLarge":
        return "The answer is too large. Ask for fewer rows or columns."
    if failure.type == "MemoryError":
        return "The query needs more memory than it may use. Ask for less at once."
    return f"The query could not be run: {failure.message[:300]}"
