"""What goes into a container and what comes out of it: code, calls, files, limits and failures.

A sandbox is handed read-only files and one `call` function. It knows neither data sets nor
policy, and everything that comes out of it is hostile until checked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from bancada.domain.json import JSON

Clock = Literal["all", "own"]
"""What a cell's seconds count: `all` the time, or its `own` running, not the time it awaits tools."""

ErrorCode = Literal[
    "execution_time_exceeded", "unavailable", "too_many_requests", "invalid_tool_input"
]

Ended = Literal["time", "output", "threads", "protocol", "crash", "stopped"]
"""Why a container is gone after a cell: which limit it hit, or that it died or was ended."""


@dataclass(frozen=True)
class Limits:
    """Bounds of one container. Sizes are bytes unless the name says otherwise."""

    memory_mb: int = 1024
    """Address space beyond what the interpreter and its libraries already occupy."""
    disk_mb: int = 64
    """The folder in memory; where the container has one on disk, the largest file in it."""
    threads: int = 64
    descriptors: int = 256
    cpu_seconds: int = 3600
    """Processor time over the container's whole life; a cell's own clock is the host's."""
    nice: int = 0
    """How far it stands back for others, as `nice` counts."""

    stdout_chars: int = 5_000
    stderr_chars: int = 2_000
    output_bytes: int = 64 << 20
    """Everything a cell prints. Past this it is a flood, and the container is ended."""

    output_files: int = 20
    output_file_bytes: int = 8 << 20
    output_total_bytes: int = 24 << 20

    message_bytes: int = 1 << 20
    """One call with its input, or any other message but a file."""
    calls: int = 20_000
    """Calls one cell may make."""
    calls_at_once: int = 128
    inputs_bytes: int = 8 << 20
    """Inputs of all calls under way; a cell that sends more waits until some are answered."""
    answers_bytes: int = 16 << 20
    """Answers the code has not taken; past this no further call of it begins."""


@dataclass(frozen=True)
class ReadOnlyFile:
    """A host file that code may read as `<data folder>/<name>`."""

    source: Path
    name: str
    held: object = field(default=None, compare=False, repr=False)
    """What keeps the host's file there: had for as long as this is."""


@dataclass(frozen=True)
class Function:
    """A tool as code sees it: its name, and its parameters in the schema's order."""

    name: str
    parameters: tuple[str, ...]
    alias: str | None = None
    """What code calls it by, where its name is not one that Python takes."""

    @property
    def called(self) -> str:
        return self.alias or self.name


@dataclass(frozen=True)
class CodeCall:
    """One call made by code. `id` counts from 1 within a container and never repeats."""

    id: int
    name: str
    input: dict[str, JSON]


@dataclass(frozen=True)
class CodeAnswer:
    """What code gets back: the text it awaits, or the text of the exception raised there.

    A tool that stayed silent is a `TimeoutError` in the code. Its call is cancelled, and the
    cancellation carries the answer that the code was given.
    """

    text: str
    is_error: bool = False
    timed_out: bool = False
    note: str = ""
    """What the model should know of the text; the code's error output shows it."""


CallTool = Callable[[CodeCall], Awaitable[CodeAnswer]]
"""Answers one call. Raising `EndCode` ends the cell with that sentence; any other exception is ours."""


@dataclass(frozen=True)
class OutputFile:
    """A file that code left in its output folder."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True)
class CodeResult:
    """How a cell ended. `ended` is set when its container went with it."""

    stdout: str
    stderr: str
    return_code: int
    files: tuple[OutputFile, ...] = ()
    error_code: ErrorCode | None = None
    ended: Ended | None = None


@dataclass(frozen=True)
class ContainerInfo:
    """One live container, as an administrator sees it."""

    id: str
    created_at: datetime
    expires_at: datetime
    busy: bool
    pid: int


@dataclass(frozen=True)
class TierReport:
    """Whether this machine can hold code in a tier, and the reason when it cannot."""

    tier: str
    available: bool
    reason: str = ""
    lacks: str = ""
    """What an available tier cannot keep from code here."""


class SandboxError(Exception):
    """Something the sandbox could not do.

    SandboxError
    ├─ NoSandbox            no tier works here; code tools are switched off
    ├─ TooManyContainers    the bound was reached and nobody left in time
    ├─ ContainerEnded       the container is gone: expired, ended, or crashed
    └─ EvaluationFailed     our code on hostile data raised
       └─ EvaluationTimedOut   … or did not end in time
    """


class NoSandbox(SandboxError):
    """No tier holds on this machine. `reports` says why, tier by tier."""

    def __init__(self, reports: Sequence[TierReport]) -> None:
        reasons = "; ".join(f"{report.tier}: {report.reason}" for report in reports)
        super().__init__(f"No sandbox on this machine, code cannot be run ({reasons}).")
        self.reports = tuple(reports)


class TooManyContainers(SandboxError):
    """Every place was taken for as long as an `open` may wait."""

    error_code: ErrorCode = "too_many_requests"


class ContainerEnded(SandboxError):
    """Asked of a container that is no longer there."""

    error_code: ErrorCode = "unavailable"


class EvaluationFailed(SandboxError):
    """What the code raised: the exception's type name and its message, both hostile text."""

    def __init__(self, type: str, message: str) -> None:
        super().__init__(f"{type}: {message}")
        self.type = type
        self.message = message


class EvaluationTimedOut(EvaluationFailed):
    """Killed at its time limit, and its container with it."""

    def __init__(self, seconds: float) -> None:
        super().__init__("TimeoutError", f"not finished after {seconds:g} s")


class EndCode(Exception):
    """Raised by a `CallTool` to end the cell: the model reads the sentence, no tool runs."""
