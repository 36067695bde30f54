"""Whose code it is: a turn of a conversation, or an exchange with a client of others.

What a cell needs beside its code is said here once. Its journal, its container and the calls it
makes are kept under the owner's id, whichever of the two it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bancada.data.problems import DataProblem
from bancada.domain.calls import Outcome, ToolCall, Via, Waiting
from bancada.domain.events import Event
from bancada.domain.json import JSONObject
from bancada.domain.people import Language
from bancada.domain.shares import Holder
from bancada.engine.state import TurnState
from bancada.gate.gate import Gate, OnStart
from bancada.gate.scope import CallScope
from bancada.sandbox import Function, OutputFile, ReadOnlyFile, Sandbox, SandboxError
from bancada.store.blobs.cache import HeldFile
from bancada.store.confirmations import Confirmation
from bancada.store.journals import BegunCell


@dataclass(frozen=True)
class CodeFile:
    """A file that code may read; fetched when a container is opened, and not before."""

    name: str
    hold: Callable[[], Awaitable[HeldFile]]
    outside: bool = False
    """Whether somebody brought what it holds from outside."""


async def bound(files: Sequence[CodeFile]) -> list[ReadOnlyFile]:
    """The files on this machine, for as long as what is returned. Raises `SandboxError`."""
    found = []
    for file in files:
        try:
            held = await file.hold()
        except DataProblem as problem:
            raise SandboxError(problem.wording.told("en")) from problem
        found.append(ReadOnlyFile(held.path, file.name, held))
    return found


class CodeRecord(Protocol):
    """Where code's journal is, and who hears what becomes of it."""

    async def journal(
        self, code_id: str, *, owner_id: str | None = None
    ) -> list[tuple[str, JSONObject]]: ...
    async def cells(self) -> list[BegunCell]: ...
    def note(
        self, code_id: str, kind: str, body: JSONObject, *, now: bool = True
    ) -> asyncio.Future[int]: ...
    async def emit(self, event: Event) -> None: ...
    def emit_soon(self, event: Event) -> None: ...
    async def name_of(self, person_id: int | None) -> str: ...


class CodeOwner(Protocol):
    """Everything that code of this owner's may use."""

    @property
    def record(self) -> CodeRecord: ...
    @property
    def gate(self) -> Gate: ...
    @property
    def scope(self) -> CallScope: ...
    @property
    def holder(self) -> Holder: ...
    @property
    def language(self) -> Language: ...
    @property
    def state(self) -> TurnState: ...
    @property
    def open_sandbox(self) -> Callable[[], Awaitable[Sandbox]] | None: ...
    @property
    def files(self) -> Sequence[CodeFile]: ...
    @property
    def functions(self) -> Sequence[Function]: ...
    @property
    def result_chars(self) -> int: ...
    @property
    def hold_seconds(self) -> float: ...
    @property
    def hold(self) -> Callable[[list[str]], Awaitable[bool]]: ...
    @property
    def keep_file(self) -> Callable[[OutputFile], Awaitable[JSONObject]]: ...
    @property
    def confirmations(self) -> Sequence[Confirmation]: ...
    @property
    def container_id(self) -> str | None:
        """The one container its code runs in, however often it is made anew; none: as it comes."""

    @property
    def via(self) -> Via | None:
        """The door its calls came through, where that is not the chat."""

    def first_time(self, type: str, id: str = "") -> bool: ...
    async def reload(self) -> None: ...
    async def answer(
        self, call: ToolCall, scope: CallScope, on_start: OnStart
    ) -> Outcome | Waiting:
        """One call that code makes."""

    async def give_up(self, call: ToolCall, sentence: str) -> Outcome:
        """A call that nobody waits for any more: how it ended, or that it did not run."""
